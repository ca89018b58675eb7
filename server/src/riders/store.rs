//! All SQL of stops.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{OrderStop, Proof, StopAction, StopEvent, StopOutcome, StopRefusal, StoredEvent};
use crate::platform::ids::OrderId;

pub async fn find_event(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<StoredEvent>> {
    sqlx::query_as!(StoredEvent, "SELECT rider_id AS rider, request_hash, refusal FROM stop_events WHERE id = $1", id,)
        .fetch_optional(connection)
        .await
}

/// Returns false if the event was stored in the meantime.
pub async fn insert_event(
    connection: &mut PgConnection,
    event: &StopEvent,
    rider: Uuid,
    hash: &[u8],
    outcome: StopOutcome,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let (mut proof, mut photo, mut collected, mut reason) = (None, None, None, None);
    match &event.action {
        StopAction::Delivered { proof: given, collected: amount } => {
            (proof, photo) = match given {
                Proof::Code(_) => (Some("code"), None),
                Proof::Photo(id) => (Some("photo"), Some(*id)),
            };
            collected = amount.map(|amount| amount.0);
        }
        StopAction::NotMet { reason: given, .. } => reason = Some(given.name()),
        StopAction::Out | StopAction::Returned { .. } => {}
    }
    let inserted = sqlx::query!(
        "INSERT INTO stop_events (id, rider_id, order_id, kind, request_hash, happened_at, received_at, is_applied, refusal, proof,
                                  photo_id, collected_paisa, reason, note)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) ON CONFLICT (id) DO NOTHING",
        event.id,
        rider,
        event.order.0,
        event.action.name(),
        hash,
        event.happened_at,
        now,
        outcome.is_none(),
        outcome.map_or("", StopRefusal::name),
        proof,
        photo,
        collected,
        reason,
        event.note,
    )
    .execute(connection)
    .await?;
    Ok(inserted.rows_affected() == 1)
}

pub async fn list_by_order(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<OrderStop>> {
    sqlx::query_as!(
        OrderStop,
        r#"SELECT e.id, e.kind, e.happened_at, e.reason, e.note, e.proof, p.id AS "photo?"
           FROM stop_events e LEFT JOIN stop_photos p ON p.id = e.photo_id
           WHERE e.order_id = $1 AND e.is_applied ORDER BY e.received_at, e.id"#,
        order.0,
    )
    .fetch_all(connection)
    .await
}

/// Returns the code and the number of wrong attempts; locks it until the transaction ends.
pub async fn find_or_create_code(
    connection: &mut PgConnection,
    order: OrderId,
    new: &str,
) -> sqlx::Result<(String, i32)> {
    let row = sqlx::query!(
        "INSERT INTO delivery_codes (order_id, code) VALUES ($1, $2)
         ON CONFLICT (order_id) DO UPDATE SET attempts = delivery_codes.attempts RETURNING code, attempts",
        order.0,
        new,
    )
    .fetch_one(connection)
    .await?;
    Ok((row.code, row.attempts))
}

pub async fn count_attempt(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE delivery_codes SET attempts = attempts + 1 WHERE order_id = $1", order.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns whether this is a photo that the rider took of this order.
pub async fn has_photo(connection: &mut PgConnection, id: Uuid, rider: Uuid, order: OrderId) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM stop_photos WHERE id = $1 AND rider_id = $2 AND order_id = $3) AS "found!""#,
        id,
        rider,
        order.0,
    )
    .fetch_one(connection)
    .await
}

pub async fn insert_photo(
    connection: &mut PgConnection,
    id: Uuid,
    rider: Uuid,
    order: OrderId,
    picture: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO stop_photos (id, rider_id, order_id, picture, created_at) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT (id) DO NOTHING",
        id,
        rider,
        order.0,
        picture,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_photo(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT picture FROM stop_photos WHERE id = $1", id).fetch_optional(connection).await
}

pub async fn delete_photos_before(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    Ok(sqlx::query!("DELETE FROM stop_photos WHERE created_at < $1", before).execute(db).await?.rows_affected())
}

pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!("SELECT DISTINCT picture FROM stop_photos WHERE picture = ANY($1)", keys).fetch_all(db).await
}
