//! All SQL of alerts.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{
    Alert, Channel, Delivery, FailedDelivery, NewDelivery, Preference, PreferenceKind, PreferenceRow, Subscription,
};
use crate::platform::account_kind::AccountKind;
use crate::platform::db::unknown_value;
use crate::platform::push::PushTarget;

/// Saves the subscription of a browser. The browser may have belonged to another person of the same kind before.
pub async fn save_subscription(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    target: &PushTarget,
    device: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO push_subscriptions (id, account_kind, person, endpoint, p256dh, auth, device, created_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (endpoint, account_kind) DO UPDATE
             SET id = CASE WHEN push_subscriptions.person = excluded.person THEN push_subscriptions.id ELSE excluded.id END,
                 person = excluded.person, p256dh = excluded.p256dh, auth = excluded.auth, device = excluded.device",
        Uuid::now_v7(),
        kind.name(),
        person,
        target.endpoint,
        target.p256dh,
        target.auth,
        device,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Deletes all but a person's newest subscriptions.
pub async fn delete_oldest_subscriptions(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    most: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM push_subscriptions WHERE id IN (
             SELECT id FROM push_subscriptions WHERE account_kind = $1 AND person = $2
             ORDER BY coalesce(last_success_at, created_at) DESC, id DESC OFFSET $3)",
        kind.name(),
        person,
        most,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns false if no browser has this address.
pub async fn renew_subscription(
    connection: &mut PgConnection,
    former_endpoint: &str,
    target: &PushTarget,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE push_subscriptions former SET endpoint = $2, p256dh = $3, auth = $4
         WHERE endpoint = $1 AND NOT EXISTS (
             SELECT FROM push_subscriptions other
             WHERE other.endpoint = $2 AND other.account_kind = former.account_kind AND other.id <> former.id)",
        former_endpoint,
        target.endpoint,
        target.p256dh,
        target.auth,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

pub async fn list_subscriptions(
    connection: &mut PgConnection,
    kind: AccountKind,
    people: &[Uuid],
) -> sqlx::Result<Vec<Subscription>> {
    sqlx::query_as!(
        Subscription,
        "SELECT id, person, endpoint, p256dh, auth, device, created_at, last_success_at FROM push_subscriptions
         WHERE account_kind = $1 AND person = ANY ($2) ORDER BY created_at, id",
        kind.name(),
        people,
    )
    .fetch_all(connection)
    .await
}

pub async fn find_subscription(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Subscription>> {
    sqlx::query_as!(
        Subscription,
        "SELECT id, person, endpoint, p256dh, auth, device, created_at, last_success_at FROM push_subscriptions
         WHERE id = $1",
        id,
    )
    .fetch_optional(connection)
    .await
}

pub async fn record_success(db: &PgPool, subscription: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE push_subscriptions SET last_success_at = $2 WHERE id = $1", subscription, now)
        .execute(db)
        .await?;
    Ok(())
}

pub async fn delete_subscription(db: &PgPool, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM push_subscriptions WHERE id = $1", id).execute(db).await?;
    Ok(())
}

pub async fn delete_subscription_by_endpoint(db: &PgPool, kinds: &[AccountKind], endpoint: &str) -> sqlx::Result<()> {
    let kinds: Vec<String> = kinds.iter().map(|kind| kind.name().to_owned()).collect();
    sqlx::query!("DELETE FROM push_subscriptions WHERE endpoint = $1 AND account_kind = ANY ($2)", endpoint, &kinds)
        .execute(db)
        .await?;
    Ok(())
}

pub async fn list_preferences(
    connection: &mut PgConnection,
    kind: AccountKind,
    people: &[Uuid],
) -> sqlx::Result<Vec<PreferenceRow>> {
    sqlx::query_as!(
        PreferenceRow,
        "SELECT person, kind, push, email, sms, phone FROM alert_preferences
         WHERE account_kind = $1 AND person = ANY ($2) ORDER BY person, kind",
        kind.name(),
        people,
    )
    .fetch_all(connection)
    .await
}

pub async fn save_preference(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    about: PreferenceKind,
    wanted: &Preference,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO alert_preferences (account_kind, person, kind, push, email, sms, phone, unsubscribe_token)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (account_kind, person, kind) DO UPDATE
             SET push = excluded.push, email = excluded.email, sms = excluded.sms, phone = excluded.phone",
        kind.name(),
        person,
        about.name(),
        wanted.push,
        wanted.email,
        wanted.sms,
        wanted.phone,
        Uuid::new_v4(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the token of a person's emails of this kind; the first time, a row with `defaults` is made for it.
pub async fn load_unsubscribe_token(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    about: PreferenceKind,
    defaults: &Preference,
) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO alert_preferences AS known (account_kind, person, kind, push, email, sms, phone, unsubscribe_token)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT (account_kind, person, kind) DO UPDATE SET unsubscribe_token = known.unsubscribe_token
         RETURNING unsubscribe_token",
        kind.name(),
        person,
        about.name(),
        defaults.push,
        defaults.email,
        defaults.sms,
        defaults.phone,
        Uuid::new_v4(),
    )
    .fetch_one(connection)
    .await
}

/// Turns push messages and emails of this kind on again, if the person has turned them off.
pub async fn allow(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    about: PreferenceKind,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE alert_preferences SET push = true, email = true WHERE account_kind = $1 AND person = $2 AND kind = $3",
        kind.name(),
        person,
        about.name(),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns false if no preference has this token.
pub async fn turn_off_emails(db: &PgPool, token: Uuid) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE alert_preferences SET email = false WHERE unsubscribe_token = $1", token)
        .execute(db)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns the id of the delivery, or `None` if this event was already queued for this recipient and channel.
pub async fn insert_delivery(
    connection: &mut PgConnection,
    new: &NewDelivery<'_>,
    alert: &Alert,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Uuid>> {
    let alert = serde_json::to_value(alert).map_err(|error| sqlx::Error::Encode(error.into()))?;
    sqlx::query_scalar!(
        "INSERT INTO alert_deliveries (id, event, account_kind, person, channel, subscription, alert, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         ON CONFLICT ON CONSTRAINT alert_deliveries_once DO NOTHING RETURNING id",
        Uuid::now_v7(),
        new.event,
        new.kind.name(),
        new.person,
        new.channel.name(),
        new.subscription,
        alert,
        now,
    )
    .fetch_optional(connection)
    .await
}

pub async fn find_delivery(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Delivery>> {
    let row = sqlx::query!(
        r#"SELECT account_kind, person, channel, subscription, alert, state = 'waiting' AS "is_waiting!", retry_at
           FROM alert_deliveries WHERE id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(Delivery {
        id,
        kind: account_kind(&row.account_kind)?,
        person: row.person,
        channel: channel(&row.channel)?,
        subscription: row.subscription,
        alert: alert(row.alert)?,
        is_waiting: row.is_waiting,
        retry_at: row.retry_at,
    }))
}

fn account_kind(name: &str) -> sqlx::Result<AccountKind> {
    let known = [AccountKind::Shopper, AccountKind::Seller].into_iter().find(|kind| kind.name() == name);
    known.ok_or_else(|| unknown_value("alert_deliveries.account_kind"))
}

fn channel(name: &str) -> sqlx::Result<Channel> {
    Channel::from_name(name).ok_or_else(|| unknown_value("alert_deliveries.channel"))
}

fn alert(stored: serde_json::Value) -> sqlx::Result<Alert> {
    serde_json::from_value(stored).map_err(|_| unknown_value("alert_deliveries.alert"))
}

/// Ends a delivery.
pub async fn set_state(db: &PgPool, id: Uuid, state: &str, problem: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE alert_deliveries SET state = $2, problem = $3, updated_at = $4 WHERE id = $1 AND state = 'waiting'",
        id,
        state,
        problem,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Records why an attempt failed; another follows, but not before `retry_at`.
pub async fn record_problem(
    db: &PgPool,
    id: Uuid,
    problem: &str,
    retry_at: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE alert_deliveries SET problem = $2, retry_at = $3, updated_at = $4 WHERE id = $1 AND state = 'waiting'",
        id,
        problem,
        retry_at,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Marks a delivery whose job has used up its attempts.
pub async fn fail_waiting(db: &PgPool, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE alert_deliveries SET state = 'failed', updated_at = $2 WHERE id = $1 AND state = 'waiting'",
        id,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}

pub async fn list_failed(db: &PgPool, limit: i64) -> sqlx::Result<Vec<FailedDelivery>> {
    let rows = sqlx::query!(
        "SELECT id, account_kind, person, channel, alert, problem, updated_at FROM alert_deliveries
         WHERE state = 'failed' ORDER BY updated_at DESC, id DESC LIMIT $1",
        limit,
    )
    .fetch_all(db)
    .await?;
    let rows = rows.into_iter().map(|row| {
        Ok(FailedDelivery {
            id: row.id,
            kind: account_kind(&row.account_kind)?,
            person: row.person,
            channel: channel(&row.channel)?,
            alert: alert(row.alert)?,
            problem: row.problem,
            failed_at: row.updated_at,
        })
    });
    rows.collect()
}

/// Lets a failed delivery wait for another attempt. Returns false if it has not failed.
pub async fn retry_failed(connection: &mut PgConnection, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE alert_deliveries SET state = 'waiting', problem = '', retry_at = NULL, updated_at = $2
         WHERE id = $1 AND state = 'failed'",
        id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn delete_deliveries(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM alert_deliveries WHERE created_at < $1", before).execute(db).await?;
    Ok(done.rows_affected())
}

/// Deletes everything about a person.
pub async fn erase(connection: &mut PgConnection, kind: AccountKind, person: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM push_subscriptions WHERE account_kind = $1 AND person = $2", kind.name(), person)
        .execute(&mut *connection)
        .await?;
    sqlx::query!("DELETE FROM alert_preferences WHERE account_kind = $1 AND person = $2", kind.name(), person)
        .execute(&mut *connection)
        .await?;
    sqlx::query!("DELETE FROM alert_deliveries WHERE account_kind = $1 AND person = $2", kind.name(), person)
        .execute(connection)
        .await?;
    Ok(())
}
