//! All SQL of payments.

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{PartialRefund, Payment, PaymentState, Refund, RefundKind, RefundState};
use super::provider::{NextAction, PaymentLookup, ProviderStatus, StartedPayment};
use crate::platform::db::unknown_value;
use crate::platform::ids::PaymentId;
use crate::platform::money::Paisa;

struct PaymentRow {
    id: PaymentId,
    subject_id: Uuid,
    number: i16,
    amount: Paisa,
    received: Option<Paisa>,
    state: String,
    pidx: Option<String>,
    transaction_id: Option<String>,
    next_action: Option<Json<NextAction>>,
    link_ends_at: Option<DateTime<Utc>>,
    next_check_at: Option<DateTime<Utc>>,
    raw_status: Option<String>,
    provider_status: Option<String>,
    last_checked_at: Option<DateTime<Utc>>,
    created_at: DateTime<Utc>,
    started_at: Option<DateTime<Utc>>,
    settled_at: Option<DateTime<Utc>>,
    refund: Option<String>,
    refund_since: Option<DateTime<Utc>>,
    partial_refund: Option<String>,
    partial_amount: Option<Paisa>,
    partial_since: Option<DateTime<Utc>>,
}

impl TryFrom<PaymentRow> for Payment {
    type Error = sqlx::Error;

    fn try_from(row: PaymentRow) -> sqlx::Result<Self> {
        let refund = row.refund.as_deref().map(parse_refund_state).transpose()?;
        let partial_state = row.partial_refund.as_deref().map(parse_refund_state).transpose()?;
        let partial_refund = partial_state
            .zip(row.partial_amount)
            .zip(row.partial_since)
            .map(|((state, amount), since)| PartialRefund { state, amount, since });
        let provider_status = row.provider_status.as_deref();
        let provider_status = provider_status
            .map(|name| ProviderStatus::from_name(name).ok_or_else(|| unknown_value("payments.provider_status")))
            .transpose()?;
        Ok(Self {
            id: row.id,
            subject_id: row.subject_id,
            number: row.number,
            amount: row.amount,
            received: row.received,
            state: PaymentState::from_name(&row.state).ok_or_else(|| unknown_value("payments.state"))?,
            pidx: row.pidx,
            transaction: row.transaction_id,
            next_action: row.next_action.map(|Json(next_action)| next_action),
            link_ends_at: row.link_ends_at,
            next_check_at: row.next_check_at,
            raw_status: row.raw_status,
            provider_status,
            last_checked_at: row.last_checked_at,
            created_at: row.created_at,
            started_at: row.started_at,
            settled_at: row.settled_at,
            refund,
            refund_since: row.refund_since,
            partial_refund,
        })
    }
}

fn parse_refund_state(name: &str) -> sqlx::Result<RefundState> {
    RefundState::from_name(name).ok_or_else(|| unknown_value("refunds.state"))
}

/// Selects the columns that every query for payments needs.
macro_rules! select_payments {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            PaymentRow,
            r#"SELECT p.id, p.subject_id, p.number, p.amount_paisa AS "amount: Paisa", p.received_paisa AS "received: Paisa", p.state,
                      p.pidx, p.transaction_id, p.next_action AS "next_action: Json<NextAction>", p.link_ends_at, p.next_check_at, p.raw_status, p.provider_status,
                      p.last_checked_at, p.created_at, p.started_at, p.settled_at, r.state AS "refund?",
                      coalesce(r.sent_at, r.requested_at) AS refund_since, part.state AS "partial_refund?",
                      part.amount_paisa AS "partial_amount?: Paisa", coalesce(part.sent_at, part.requested_at) AS partial_since
               FROM payments p
               LEFT JOIN refunds r ON r.payment_id = p.id AND r.state <> 'withdrawn' AND NOT r.is_partial
               LEFT JOIN refunds part ON part.payment_id = p.id AND part.state <> 'withdrawn' AND part.is_partial "#
                + $rest,
            $($argument),+
        )
    };
}

pub async fn find(connection: &mut PgConnection, id: PaymentId) -> sqlx::Result<Option<Payment>> {
    let row = select_payments!("WHERE p.id = $1", id.0).fetch_optional(connection).await?;
    row.map(Payment::try_from).transpose()
}

pub async fn find_by_pidx(connection: &mut PgConnection, pidx: &str) -> sqlx::Result<Option<Payment>> {
    let row = select_payments!("WHERE p.pidx = $1", pidx).fetch_optional(connection).await?;
    row.map(Payment::try_from).transpose()
}

/// Lists all attempts to pay for these subjects, oldest first for each.
pub async fn list_for(connection: &mut PgConnection, subject_id: &[Uuid]) -> sqlx::Result<Vec<Payment>> {
    let rows = select_payments!("WHERE p.subject_id = ANY($1) ORDER BY p.subject_id, p.number", subject_id)
        .fetch_all(connection)
        .await?;
    rows.into_iter().map(Payment::try_from).collect()
}

/// Locks a payment until the transaction ends.
pub async fn lock(connection: &mut PgConnection, id: PaymentId) -> sqlx::Result<Option<Payment>> {
    sqlx::query!("SELECT FROM payments WHERE id = $1 FOR UPDATE", id.0).execute(&mut *connection).await?;
    // The payment is read after the lock, because rows that are joined to a row that was waited for may be older than
    // it.
    find(connection, id).await
}

/// Creates the next attempt. The caller must hold the lock of the subject.
pub async fn create_attempt(
    connection: &mut PgConnection,
    subject_id: Uuid,
    provider: &str,
    amount: Paisa,
    now: DateTime<Utc>,
) -> sqlx::Result<Payment> {
    let id = PaymentId::generate();
    sqlx::query!(
        "INSERT INTO payments (id, subject_id, number, provider, amount_paisa, state, created_at)
         SELECT $1, $2, coalesce(max(number), 0) + 1, $3, $4, 'created', $5 FROM payments WHERE subject_id = $2",
        id.0,
        subject_id,
        provider,
        amount.0,
        now,
    )
    .execute(&mut *connection)
    .await?;
    find(connection, id).await?.ok_or(sqlx::Error::RowNotFound)
}

/// Stores the link and returns when it ends; `None` when the attempt was abandoned in the meantime.
pub async fn mark_started(
    connection: &mut PgConnection,
    id: PaymentId,
    started: &StartedPayment,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    let ends = now + started.expires_in;
    let done = sqlx::query!(
        "UPDATE payments SET state = 'initiated', pidx = $2, next_action = $3, started_at = $4, link_ends_at = $5
         WHERE id = $1 AND state = 'created'",
        id.0,
        started.pidx,
        Json(&started.next_action) as _,
        now,
        ends,
    )
    .execute(connection)
    .await?;
    Ok((done.rows_affected() == 1).then_some(ends))
}

/// Ends an attempt. `received` and `transaction` are what the wallet reported; a state without money has neither.
pub async fn end_attempt(
    connection: &mut PgConnection,
    id: PaymentId,
    state: PaymentState,
    received: Option<Paisa>,
    transaction: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payments SET state = $2, received_paisa = $3, transaction_id = $4, settled_at = $5,
                next_check_at = CASE WHEN $2 = 'abandoned' THEN NULL ELSE next_check_at END
         WHERE id = $1",
        id.0,
        state.name(),
        received.map(|paisa| paisa.0),
        transaction,
        state.is_settled().then_some(now),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores the wallet's report, and adds it to the ledger if it is new; returns whether it was.
pub async fn record_lookup(
    connection: &mut PgConnection,
    id: PaymentId,
    lookup: &PaymentLookup,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let written = sqlx::query!(
        "INSERT INTO payment_lookups (payment_id, status, amount_paisa, transaction_id, at)
         SELECT $1, $2, $3, $4, $5
         WHERE NOT EXISTS (
             SELECT FROM (SELECT status, amount_paisa, transaction_id FROM payment_lookups WHERE payment_id = $1
                          ORDER BY id DESC LIMIT 1) last
             WHERE last.status = $2 AND last.amount_paisa IS NOT DISTINCT FROM $3
               AND last.transaction_id IS NOT DISTINCT FROM $4)",
        id.0,
        lookup.raw_status,
        lookup.amount.map(|paisa| paisa.0),
        lookup.transaction,
        now,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "UPDATE payments SET raw_status = $2, provider_status = $3 WHERE id = $1",
        id.0,
        lookup.raw_status,
        lookup.status.name(),
    )
    .execute(connection)
    .await?;
    Ok(written.rows_affected() > 0)
}

/// Stores when the wallet is to be asked next, and when it was just asked, if it was.
pub async fn set_next_check(
    connection: &mut PgConnection,
    id: PaymentId,
    next: Option<DateTime<Utc>>,
    asked: Option<DateTime<Utc>>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE payments SET next_check_at = $2, last_checked_at = greatest(last_checked_at, $3) WHERE id = $1",
        id.0,
        next,
        asked,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns whether another payment has this transaction.
pub async fn is_transaction_used(
    connection: &mut PgConnection,
    transaction: &str,
    id: PaymentId,
) -> sqlx::Result<bool> {
    let found = sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM payments WHERE transaction_id = $1 AND id <> $2) AS "found!""#,
        transaction,
        id.0,
    );
    found.fetch_one(connection).await
}

/// Finds payments that should have been polled before this time: their job was lost.
pub async fn find_overdue(db: &PgPool, before: DateTime<Utc>, limit: i64) -> sqlx::Result<Vec<PaymentId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: PaymentId" FROM payments WHERE next_check_at < $1 ORDER BY next_check_at LIMIT $2"#,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Finds payments for which no link was created in time, because the process that was creating it died.
pub async fn find_never_started(db: &PgPool, before: DateTime<Utc>, limit: i64) -> sqlx::Result<Vec<PaymentId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: PaymentId" FROM payments WHERE state = 'created' AND created_at < $1 LIMIT $2"#,
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Finds payments that were settled since then, for the nightly check.
pub async fn find_settled_since(db: &PgPool, since: DateTime<Utc>) -> sqlx::Result<Vec<PaymentId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: PaymentId" FROM payments WHERE settled_at > $1 ORDER BY settled_at"#,
        since
    )
    .fetch_all(db)
    .await
}

/// Returns how late the most overdue poll is, in seconds, and how many payments are still polled.
pub async fn measure_lag(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<(f64, i64)> {
    let row = sqlx::query!(
        r#"SELECT coalesce(greatest(extract(epoch FROM $1 - min(next_check_at)), 0), 0)::float8 AS "late!", count(*) AS "open!"
           FROM payments WHERE next_check_at IS NOT NULL"#,
        now,
    )
    .fetch_one(db)
    .await?;
    Ok((row.late, row.open))
}

/// Requests a refund of the whole payment, or of what a partial refund has left of it.
pub async fn request_refund(
    connection: &mut PgConnection,
    payment: PaymentId,
    now: DateTime<Utc>,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "INSERT INTO refunds (id, payment_id, amount_paisa, state, requested_at)
         SELECT $1, id, coalesce(received_paisa, amount_paisa) - coalesce((
                    SELECT sum(amount_paisa) FROM refunds WHERE payment_id = $2 AND is_partial AND state <> 'withdrawn'), 0),
                'requested', $3
         FROM payments WHERE id = $2",
        id,
        payment.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(id)
}

/// Requests a refund of a part of the payment; a payment has at most one.
pub async fn request_partial_refund(
    connection: &mut PgConnection,
    payment: PaymentId,
    amount: Paisa,
    now: DateTime<Utc>,
) -> sqlx::Result<Uuid> {
    let id = Uuid::now_v7();
    sqlx::query!(
        "INSERT INTO refunds (id, payment_id, amount_paisa, state, requested_at, is_partial)
         VALUES ($1, $2, $3, 'requested', $4, true)",
        id,
        payment.0,
        amount.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(id)
}

pub async fn find_refund(connection: &mut PgConnection, refund: Uuid) -> sqlx::Result<Option<Refund>> {
    let row = sqlx::query!(
        r#"SELECT payment_id AS "payment_id: PaymentId", amount_paisa AS "amount: Paisa", is_partial FROM refunds WHERE id = $1"#,
        refund
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| Refund {
        payment: row.payment_id,
        kind: if row.is_partial { RefundKind::Partial } else { RefundKind::Full },
        amount: row.amount,
    }))
}

/// Finds the refund of a payment, unless it was withdrawn.
pub async fn find_refund_of(
    connection: &mut PgConnection,
    payment: PaymentId,
    kind: RefundKind,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM refunds WHERE payment_id = $1 AND is_partial = $2 AND state <> 'withdrawn'",
        payment.0,
        kind == RefundKind::Partial,
    )
    .fetch_optional(connection)
    .await
}

/// Moves a refund of a payment from one of these states to another; returns false when it was in none of them.
pub async fn move_refund(
    connection: &mut PgConnection,
    payment: PaymentId,
    kind: RefundKind,
    from: &[RefundState],
    to: RefundState,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let from: Vec<String> = from.iter().map(|state| state.name().to_owned()).collect();
    let moved = sqlx::query!(
        "UPDATE refunds SET state = $3,
                requested_at = CASE WHEN $3 = 'requested' THEN $4 ELSE requested_at END,
                sent_at = CASE WHEN $3 = 'sent' THEN $4 ELSE sent_at END,
                ended_at = CASE WHEN $3 IN ('confirmed', 'withdrawn') THEN $4 END
         WHERE payment_id = $1 AND state = ANY($2) AND is_partial = $5",
        payment.0,
        &from,
        to.name(),
        now,
        kind == RefundKind::Partial,
    )
    .execute(connection)
    .await?;
    Ok(moved.rows_affected() > 0)
}

/// Finds refunds that are due but were not sent: their job was lost.
pub async fn find_unsent_refunds(db: &PgPool, before: DateTime<Utc>, limit: i64) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM refunds WHERE state = 'requested' AND requested_at < $1 ORDER BY requested_at LIMIT $2",
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

/// The money received and refunded on a day in Kathmandu.
pub struct DailyFlow {
    pub day: chrono::NaiveDate,
    pub received: Paisa,
    pub refunded: Paisa,
}

pub async fn sum_flows_by_day(
    connection: &mut PgConnection,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<DailyFlow>> {
    sqlx::query_as!(
        DailyFlow,
        r#"SELECT day AS "day!", sum(received)::bigint AS "received!: Paisa", sum(refunded)::bigint AS "refunded!: Paisa"
           FROM (
               SELECT (settled_at AT TIME ZONE 'Asia/Kathmandu')::date AS day, received_paisa AS received, 0 AS refunded
               FROM payments WHERE settled_at >= $1 AND settled_at < $2
               UNION ALL
               SELECT (ended_at AT TIME ZONE 'Asia/Kathmandu')::date, 0, amount_paisa
               FROM refunds WHERE state = 'confirmed' AND ended_at >= $1 AND ended_at < $2
           ) moved GROUP BY day ORDER BY day"#,
        from,
        until,
    )
    .fetch_all(connection)
    .await
}

/// Lists payments for which our record and the wallet's latest status differ, newest first. (The index
/// `payments_discrepancies` holds the candidates.)
pub async fn find_discrepancies(connection: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<Payment>> {
    let rows = select_payments!(
        "WHERE p.id IN (
             SELECT candidate.id FROM payments candidate
             WHERE candidate.state = 'conflict' OR candidate.provider_status IN ('refunded', 'unclear')
                OR (candidate.provider_status = 'completed' AND candidate.state IN ('initiated', 'failed'))
             UNION
             SELECT payment_id FROM refunds WHERE state IN ('sent', 'manual'))
           AND r.state IS DISTINCT FROM 'confirmed'
         ORDER BY p.id DESC LIMIT $1",
        limit
    );
    rows.fetch_all(connection).await?.into_iter().map(Payment::try_from).collect()
}
