//! All SQL of the cash ledger. Functions of the database write it.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{NewCashEvent, NewSettlement, RiderBalance, RiderCashDay, SettlementRow, TransactionRow};
use crate::platform::money::Paisa;

pub async fn is_key_used(connection: &mut PgConnection, key: Option<Uuid>) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM cash_transactions WHERE key = $1) AS "used!""#, key)
        .fetch_one(connection)
        .await
}

pub async fn post(
    connection: &mut PgConnection,
    new: &NewCashEvent<'_>,
    by: Uuid,
    note: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let accounts = new.event.accounts().map(str::to_owned);
    sqlx::query_scalar!(
        "SELECT post_cash($1, NULL, $2, $3, $4, $5, $6, $7, $8)",
        new.event.name(),
        new.rider,
        by,
        now,
        note,
        new.key,
        &accounts,
        &[new.amount.0, -new.amount.0],
    )
    .fetch_one(connection)
    .await?;
    Ok(())
}

/// Returns false if the balance is no longer the expected one.
pub async fn settle(
    connection: &mut PgConnection,
    new: &NewSettlement<'_>,
    day: NaiveDate,
    by: Uuid,
    note: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let settled = sqlx::query_scalar!(
        "SELECT settle_rider_cash($1, $2, $3, $4, $5, $6, $7, $8)",
        Uuid::now_v7(),
        new.rider,
        day,
        new.expected.0,
        new.counted.0,
        note,
        by,
        now,
    )
    .fetch_one(connection)
    .await?;
    Ok(settled.is_some())
}

pub async fn has_entries(connection: &mut PgConnection, rider: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(r#"SELECT EXISTS (SELECT FROM cash_entries WHERE rider_id = $1) AS "found!""#, rider)
        .fetch_one(connection)
        .await
}

/// Returns the balances of this rider, or of all.
pub async fn list_balances(connection: &mut PgConnection, rider: Option<Uuid>) -> sqlx::Result<Vec<RiderBalance>> {
    sqlx::query_as!(
        RiderBalance,
        r#"SELECT rider_id AS "rider!",
                  coalesce(sum(amount_paisa) FILTER (WHERE account = 'rider'), 0)::bigint AS "balance!: Paisa",
                  coalesce(sum(amount_paisa) FILTER (WHERE account = 'float'), 0)::bigint AS "float!: Paisa"
           FROM cash_entries WHERE rider_id IS NOT NULL AND ($1::uuid IS NULL OR rider_id = $1) GROUP BY rider_id"#,
        rider,
    )
    .fetch_all(connection)
    .await
}

/// Returns when the day of this rider, or of all riders, was closed last.
pub async fn list_last_closed(
    connection: &mut PgConnection,
    rider: Option<Uuid>,
) -> sqlx::Result<Vec<(Uuid, DateTime<Utc>)>> {
    let rows = sqlx::query!(
        r#"SELECT rider_id, max(closed_at) AS "closed_at!" FROM cash_settlements
           WHERE $1::uuid IS NULL OR rider_id = $1 GROUP BY rider_id"#,
        rider,
    );
    Ok(rows.fetch_all(connection).await?.into_iter().map(|row| (row.rider_id, row.closed_at)).collect())
}

/// That an order was sold changes nothing in what the rider carries, so it is left out.
pub async fn list_transactions(
    connection: &mut PgConnection,
    rider: Uuid,
    before: i64,
    limit: i64,
) -> sqlx::Result<Vec<TransactionRow>> {
    sqlx::query_as!(
        TransactionRow,
        r#"SELECT t.id, t.kind, t.at, t.note, t.by_id, o.code AS "order_code?",
                  coalesce(sum(e.amount_paisa) FILTER (WHERE e.account = 'rider'), 0)::bigint AS "amount!: Paisa",
                  coalesce(sum(e.amount_paisa) FILTER (WHERE e.account = 'float'), 0)::bigint AS "float!: Paisa",
                  coalesce(sum(e.amount_paisa) FILTER (WHERE e.account = 'differences'), 0)::bigint AS "difference!: Paisa"
           FROM cash_transactions t JOIN cash_entries e ON e.transaction_id = t.id LEFT JOIN orders o ON o.id = t.order_id
           WHERE t.rider_id = $1 AND t.id < $2 AND t.kind NOT IN ('sold', 'returned')
           GROUP BY t.id, o.code ORDER BY t.id DESC LIMIT $3"#,
        rider,
        before,
        limit,
    )
    .fetch_all(connection)
    .await
}

pub async fn list_settlements(connection: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<SettlementRow>> {
    sqlx::query_as!(
        SettlementRow,
        r#"SELECT id, rider_id, day, expected_paisa AS "expected: Paisa", counted_paisa AS "counted: Paisa", note, closed_by, closed_at
           FROM cash_settlements ORDER BY closed_at DESC, id DESC LIMIT $1"#,
        limit,
    )
    .fetch_all(connection)
    .await
}

pub async fn sum_by_day(
    connection: &mut PgConnection,
    from: DateTime<Utc>,
    until: DateTime<Utc>,
) -> sqlx::Result<Vec<RiderCashDay>> {
    sqlx::query_as!(
        RiderCashDay,
        r#"SELECT (t.at AT TIME ZONE 'Asia/Kathmandu')::date AS "day!", t.rider_id AS rider,
                  coalesce(sum(e.amount_paisa) FILTER (WHERE t.kind IN ('collected', 'reversed') AND e.account IN ('rider', 'till')), 0)::bigint
                      AS "collected!: Paisa",
                  coalesce(sum(e.amount_paisa) FILTER (WHERE t.kind IN ('handed_in', 'settled') AND e.account = 'till'), 0)::bigint
                      AS "handed_in!: Paisa",
                  coalesce(sum(e.amount_paisa) FILTER (WHERE e.account = 'differences'), 0)::bigint AS "missing!: Paisa"
           FROM cash_transactions t JOIN cash_entries e ON e.transaction_id = t.id
           WHERE t.at >= $1 AND t.at < $2 AND t.kind IN ('collected', 'reversed', 'handed_in', 'settled', 'difference')
           GROUP BY 1, 2 ORDER BY 1, 2 NULLS FIRST"#,
        from,
        until,
    )
    .fetch_all(connection)
    .await
}
