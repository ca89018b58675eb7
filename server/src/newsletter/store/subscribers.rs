//! The rows of `subscribers`.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::newsletter::model::Subscriber;

/// Returns false if the address is subscribed already.
pub async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    email: &str,
    language: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO subscribers (id, email, language, created_at, asked_at) VALUES ($1, $2, $3, $4, $4)
         ON CONFLICT (lower(email)) DO NOTHING",
        id,
        email,
        language,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Records that an unconfirmed subscriber is asked again, at most once after `asked_before`.
pub async fn mark_asked_again(
    connection: &mut PgConnection,
    email: &str,
    asked_before: DateTime<Utc>,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE subscribers SET asked_at = $3
         WHERE lower(email) = lower($1) AND confirmed_at IS NULL AND (asked_at IS NULL OR asked_at < $2) RETURNING id",
        email,
        asked_before,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Queues the email that asks the subscriber to confirm.
pub async fn enqueue_confirmation(
    connection: &mut PgConnection,
    job: &str,
    payload: &serde_json::Value,
    attempts: i16,
) -> sqlx::Result<()> {
    sqlx::query!("SELECT enqueue_job($1, $2::jsonb::json, $3)", job, payload, i32::from(attempts))
        .execute(connection)
        .await?;
    Ok(())
}

/// Subscribers from the time before confirmations, who have not been asked yet.
pub async fn list_unasked(connection: &mut PgConnection) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM subscribers WHERE confirmed_at IS NULL AND asked_at IS NULL FOR UPDATE")
        .fetch_all(connection)
        .await
}

pub async fn mark_asked(connection: &mut PgConnection, ids: &[Uuid], now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE subscribers SET asked_at = $2 WHERE id = ANY ($1)", ids, now).execute(connection).await?;
    Ok(())
}

/// What an email to a subscriber needs.
pub struct Mailing {
    pub email: String,
    pub language: String,
    pub token: Uuid,
    pub is_confirmed: bool,
}

pub async fn find_mailing(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Mailing>> {
    sqlx::query_as!(
        Mailing,
        r#"SELECT email, language, token, confirmed_at IS NOT NULL AS "is_confirmed!" FROM subscribers WHERE id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await
}

/// Confirms a subscription, also again. Returns false if there is none with this token.
pub async fn confirm(db: &PgPool, token: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done =
        sqlx::query!("UPDATE subscribers SET confirmed_at = coalesce(confirmed_at, $2) WHERE token = $1", token, now,)
            .execute(db)
            .await?;
    Ok(done.rows_affected() == 1)
}

/// Deletes a subscription, and whatever is still to be sent to it. Returns false if there is none with this token.
pub async fn unsubscribe(connection: &mut PgConnection, token: Uuid, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let gone = sqlx::query_scalar!("DELETE FROM subscribers WHERE token = $1 RETURNING id", token)
        .fetch_optional(&mut *connection)
        .await?;
    let Some(id) = gone else { return Ok(false) };
    // The last newsletter that was sent is the one that the reader had enough of.
    sqlx::query!(
        "UPDATE newsletter_sends SET unsubscribed_at = $2, state = CASE WHEN state = 'queued' THEN 'skipped' ELSE state END
         WHERE subscriber_id = $1 AND (state = 'queued' OR newsletter_id = (
             SELECT newsletter_id FROM newsletter_sends WHERE subscriber_id = $1 AND claimed_at IS NOT NULL
             ORDER BY claimed_at DESC LIMIT 1))",
        id,
        now,
    )
    .execute(connection)
    .await?;
    Ok(true)
}

/// Deletes subscriptions that were asked for confirmation before this time and have not been confirmed.
pub async fn delete_unconfirmed(db: &PgPool, asked_before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM subscribers WHERE confirmed_at IS NULL AND asked_at < $1", asked_before)
        .execute(db)
        .await?;
    Ok(done.rows_affected())
}

/// Lists the newest first; ids are time-ordered.
pub async fn list(db: &PgPool, before: Uuid, limit: i64) -> sqlx::Result<Vec<Subscriber>> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, email, language, created_at, confirmed_at FROM subscribers WHERE id < $1 ORDER BY id DESC LIMIT $2",
        before,
        limit,
    )
    .fetch_all(db)
    .await
}

pub async fn search(db: &PgPool, pattern: &str, before: Uuid, limit: i64) -> sqlx::Result<Vec<Subscriber>> {
    sqlx::query_as!(
        Subscriber,
        "SELECT id, email, language, created_at, confirmed_at FROM subscribers
         WHERE lower(email) LIKE $3 AND id < $1 ORDER BY id DESC LIMIT $2",
        before,
        limit,
        pattern,
    )
    .fetch_all(db)
    .await
}

pub async fn count(db: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM subscribers"#).fetch_one(db).await
}

/// Counts those who get newsletters.
pub async fn count_confirmed(db: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM subscribers WHERE confirmed_at IS NOT NULL"#)
        .fetch_one(db)
        .await
}

pub async fn count_unasked(db: &PgPool) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM subscribers WHERE confirmed_at IS NULL AND asked_at IS NULL"#
    )
    .fetch_one(db)
    .await
}
