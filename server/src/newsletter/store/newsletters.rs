//! The rows of `newsletters` and `newsletter_sends`.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::newsletter::model::{Newsletter, Promise};

pub struct NewNewsletter<'a> {
    pub subject: &'a str,
    pub subject_ne: &'a str,
    pub body: &'a str,
    pub body_ne: &'a str,
}

/// Locks all newsletters against others that start or change one, until the transaction ends.
pub async fn lock_newsletters(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('newsletters', 0))").execute(connection).await?;
    Ok(())
}

pub async fn insert_draft(
    connection: &mut PgConnection,
    id: Uuid,
    seller: Uuid,
    new: &NewNewsletter<'_>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO newsletters (id, subject, subject_ne, body, body_ne, seller, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)",
        id,
        new.subject,
        new.subject_ne,
        new.body,
        new.body_ne,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns false if there is no such draft.
pub async fn update_draft(
    connection: &mut PgConnection,
    id: Uuid,
    new: &NewNewsletter<'_>,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE newsletters SET subject = $2, subject_ne = $3, body = $4, body_ne = $5, updated_at = $6
         WHERE id = $1 AND state = 'draft'",
        id,
        new.subject,
        new.subject_ne,
        new.body,
        new.body_ne,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns false if there is no such draft.
pub async fn delete_draft(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<bool> {
    let done =
        sqlx::query!("DELETE FROM newsletters WHERE id = $1 AND state = 'draft'", id).execute(connection).await?;
    Ok(done.rows_affected() == 1)
}

/// Selects newsletters with their progress.
macro_rules! select_newsletters {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            Newsletter,
            r#"SELECT n.id, n.state, n.subject, n.subject_ne, n.body, n.body_ne, n.created_at, n.updated_at, n.started_at,
                      n.finished_at, p.queued AS "queued!", p.sent AS "sent!", p.failed AS "failed!",
                      p.unsubscribed AS "unsubscribed!"
               FROM newsletters n CROSS JOIN LATERAL (
                   SELECT count(*) FILTER (WHERE s.state IN ('queued', 'sending')) AS queued,
                          count(*) FILTER (WHERE s.state = 'sent') AS sent,
                          count(*) FILTER (WHERE s.state = 'failed') AS failed,
                          count(*) FILTER (WHERE s.unsubscribed_at IS NOT NULL) AS unsubscribed
                   FROM newsletter_sends s WHERE s.newsletter_id = n.id) p "#
                + $rest,
            $($argument),+
        )
    };
}

pub async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Newsletter>> {
    select_newsletters!("WHERE n.id = $1", id).fetch_optional(connection).await
}

/// Lists the newest first.
pub async fn list_newsletters(db: &PgPool, limit: i64) -> sqlx::Result<Vec<Newsletter>> {
    select_newsletters!("ORDER BY n.id DESC LIMIT $1", limit).fetch_all(db).await
}

/// What counts for the promise on the form: another newsletter that is not finished, and the last email of another.
pub async fn find_promise(connection: &mut PgConnection, but_for: Uuid) -> sqlx::Result<Promise> {
    sqlx::query_as!(
        Promise,
        r#"SELECT EXISTS (SELECT FROM newsletters WHERE state IN ('sending', 'paused') AND id <> $1) AS "is_another_open!",
                  (SELECT max(claimed_at) FROM newsletter_sends WHERE newsletter_id <> $1) AS last_sent_at"#,
        but_for,
    )
    .fetch_one(connection)
    .await
}

pub async fn set_state(connection: &mut PgConnection, id: Uuid, state: &str, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE newsletters SET state = $2, updated_at = $3,
                                started_at = CASE WHEN $2 = 'sending' THEN coalesce(started_at, $3) ELSE started_at END,
                                finished_at = CASE WHEN $2 = 'cancelled' THEN $3 ELSE finished_at END
         WHERE id = $1",
        id,
        state,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Queues the newsletter for everyone who has confirmed. Returns how many.
pub async fn queue_sends(connection: &mut PgConnection, newsletter: Uuid) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "INSERT INTO newsletter_sends (newsletter_id, subscriber_id)
         SELECT $1, id FROM subscribers WHERE confirmed_at IS NOT NULL ON CONFLICT DO NOTHING",
        newsletter,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected())
}

pub async fn cancel_waiting(connection: &mut PgConnection, newsletter: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE newsletter_sends SET state = 'skipped' WHERE newsletter_id = $1 AND state = 'queued'",
        newsletter,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub struct ClaimedSend {
    pub subscriber: Uuid,
    pub message: Uuid,
}

/// Takes the next subscriber of a newsletter that is being sent. From here on it is not sent to that subscriber again.
pub async fn claim_next(db: &PgPool, newsletter: Uuid, now: DateTime<Utc>) -> sqlx::Result<Option<ClaimedSend>> {
    sqlx::query_as!(
        ClaimedSend,
        "WITH next AS (
             SELECT s.subscriber_id FROM newsletter_sends s
             JOIN newsletters n ON n.id = s.newsletter_id AND n.state = 'sending'
             WHERE s.newsletter_id = $1 AND s.state = 'queued' ORDER BY s.subscriber_id LIMIT 1 FOR UPDATE OF s SKIP LOCKED
         )
         UPDATE newsletter_sends s SET state = 'sending', claimed_at = $2 FROM next
         WHERE s.newsletter_id = $1 AND s.subscriber_id = next.subscriber_id
         RETURNING s.subscriber_id AS subscriber, s.message_id AS message",
        newsletter,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Records how a claimed email ended: `sent`, `failed` or `skipped`.
pub async fn mark_sent(db: &PgPool, newsletter: Uuid, subscriber: Uuid, state: &str) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE newsletter_sends SET state = $3,
                claimed_at = CASE WHEN $3 = 'skipped' THEN NULL ELSE claimed_at END
         WHERE newsletter_id = $1 AND subscriber_id = $2 AND state = 'sending'",
        newsletter,
        subscriber,
        state,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Puts an email back that the mail server has not accepted.
pub async fn release(db: &PgPool, newsletter: Uuid, subscriber: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE newsletter_sends SET state = 'queued', claimed_at = NULL
         WHERE newsletter_id = $1 AND subscriber_id = $2 AND state = 'sending'",
        newsletter,
        subscriber,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Ends the emails that a worker was sending when it died. The mail server may have accepted them.
pub async fn fail_interrupted(db: &PgPool, newsletter: Uuid) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "UPDATE newsletter_sends SET state = 'failed' WHERE newsletter_id = $1 AND state = 'sending'",
        newsletter,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}

/// Ends a newsletter that has nothing left to send.
pub async fn finish(db: &PgPool, newsletter: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE newsletters SET state = 'sent', finished_at = $2, updated_at = $2
         WHERE id = $1 AND state = 'sending'
           AND NOT EXISTS (SELECT FROM newsletter_sends WHERE newsletter_id = $1 AND state = 'queued')",
        newsletter,
        now,
    )
    .execute(db)
    .await?;
    Ok(())
}
