//! All SQL of complaints.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{ComplaintItem, ComplaintMessage, ComplaintPhoto, ComplaintRow};
use crate::platform::ids::{OrderId, UserId};

/// Selects the columns of a complaint.
macro_rules! select_complaints {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            ComplaintRow,
            "SELECT id, code, order_id, user_id, reason, remedy, text, state, outcome_text, created_at, due_at, decided_at
             FROM complaints "
                + $rest,
            $($argument),+
        )
    };
}

pub async fn insert(
    connection: &mut PgConnection,
    row: &ComplaintRow,
    items: &[ComplaintItem],
    pictures: &[String],
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO complaints (id, code, order_id, user_id, reason, remedy, text, created_at, due_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
        row.id,
        row.code,
        row.order_id.0,
        row.user_id.0,
        row.reason,
        row.remedy,
        row.text,
        row.created_at,
        row.due_at,
    )
    .execute(&mut *connection)
    .await?;
    for item in items {
        sqlx::query!(
            "INSERT INTO complaint_items (complaint_id, product_id, name, name_ne, quantity) VALUES ($1, $2, $3, $4, $5)",
            row.id,
            item.product_id.0,
            item.name,
            item.name_ne,
            item.quantity,
        )
        .execute(&mut *connection)
        .await?;
    }
    for picture in pictures {
        sqlx::query!(
            "INSERT INTO complaint_photos (id, complaint_id, picture) VALUES ($1, $2, $3)",
            Uuid::now_v7(),
            row.id,
            picture,
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

pub async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<ComplaintRow>> {
    select_complaints!("WHERE id = $1", id).fetch_optional(connection).await
}

/// Lists a shopper's complaints, newest first; only those about `order` if there is one.
pub async fn list_of_user(
    connection: &mut PgConnection,
    user: UserId,
    order: Option<OrderId>,
    limit: i64,
) -> sqlx::Result<Vec<ComplaintRow>> {
    select_complaints!(
        "WHERE user_id = $1 AND ($2::uuid IS NULL OR order_id = $2) ORDER BY id DESC LIMIT $3",
        user.0,
        order.map(|order| order.0),
        limit
    )
    .fetch_all(connection)
    .await
}

pub async fn list_open(connection: &mut PgConnection, after: Uuid, limit: i64) -> sqlx::Result<Vec<ComplaintRow>> {
    select_complaints!("WHERE state = 'open' AND id > $1 ORDER BY id LIMIT $2", after, limit)
        .fetch_all(connection)
        .await
}

pub async fn list_decided(connection: &mut PgConnection, before: Uuid, limit: i64) -> sqlx::Result<Vec<ComplaintRow>> {
    select_complaints!("WHERE state <> 'open' AND id < $1 ORDER BY id DESC LIMIT $2", before, limit)
        .fetch_all(connection)
        .await
}

pub async fn count_open(connection: &mut PgConnection) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM complaints WHERE state = 'open'"#)
        .fetch_one(connection)
        .await
}

pub async fn count_of_order(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM complaints WHERE order_id = $1"#, order.0)
        .fetch_one(connection)
        .await
}

pub async fn list_items(connection: &mut PgConnection, complaints: &[Uuid]) -> sqlx::Result<Vec<ComplaintItem>> {
    sqlx::query_as!(
        ComplaintItem,
        "SELECT complaint_id, product_id, name, name_ne, quantity FROM complaint_items
         WHERE complaint_id = ANY ($1) ORDER BY name",
        complaints,
    )
    .fetch_all(connection)
    .await
}

pub async fn list_photos(connection: &mut PgConnection, complaints: &[Uuid]) -> sqlx::Result<Vec<ComplaintPhoto>> {
    sqlx::query_as!(
        ComplaintPhoto,
        "SELECT id, complaint_id FROM complaint_photos WHERE complaint_id = ANY ($1) ORDER BY id",
        complaints,
    )
    .fetch_all(connection)
    .await
}

pub async fn list_messages(connection: &mut PgConnection, complaints: &[Uuid]) -> sqlx::Result<Vec<ComplaintMessage>> {
    sqlx::query_as!(
        ComplaintMessage,
        "SELECT id, complaint_id, seller, text, created_at FROM complaint_messages
         WHERE complaint_id = ANY ($1) ORDER BY id",
        complaints,
    )
    .fetch_all(connection)
    .await
}

/// The key of a photo's picture, if it belongs to `owner` or there is none.
pub async fn find_photo(db: &PgPool, photo: Uuid, owner: Option<UserId>) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "SELECT p.picture FROM complaint_photos p JOIN complaints c ON c.id = p.complaint_id
         WHERE p.id = $1 AND ($2::uuid IS NULL OR c.user_id = $2)",
        photo,
        owner.map(|owner| owner.0),
    )
    .fetch_optional(db)
    .await
}

pub async fn find_message(connection: &mut PgConnection, message: Uuid) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!("SELECT text FROM complaint_messages WHERE id = $1", message).fetch_optional(connection).await
}

pub async fn insert_message(connection: &mut PgConnection, message: &ComplaintMessage) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO complaint_messages (id, complaint_id, seller, text, created_at) VALUES ($1, $2, $3, $4, $5)",
        message.id,
        message.complaint_id,
        message.seller,
        message.text,
        message.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns false if the complaint was decided before.
pub async fn decide(
    connection: &mut PgConnection,
    id: Uuid,
    outcome: &str,
    text: &str,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE complaints SET state = $2, outcome_text = $3, decided_by = $4, decided_at = $5
         WHERE id = $1 AND state = 'open'",
        id,
        outcome,
        text,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn delete_decided_before(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM complaints WHERE decided_at < $1", before).execute(db).await?;
    Ok(done.rows_affected())
}

pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!("SELECT picture FROM complaint_photos WHERE picture = ANY ($1)", keys).fetch_all(db).await
}
