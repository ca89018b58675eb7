//! Waste, and the batches that it is written off from.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::inventory::model::{BatchRow, WasteInput, WasteRecord};
use crate::platform::ids::ProductId;

pub async fn find_waste_hash(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!("SELECT request_hash FROM waste_records WHERE id = $1", id).fetch_optional(connection).await
}

pub async fn insert_waste(
    connection: &mut PgConnection,
    id: Uuid,
    input: &WasteInput,
    hash: &[u8],
    seller: Uuid,
    now: DateTime<Utc>,
    movement: i64,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO waste_records
             (id, request_hash, product_id, quantity, reason, note, batch_id, recorded_by, recorded_at, movement_id)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)",
        id,
        hash,
        input.product.0,
        input.quantity,
        input.reason.name(),
        input.note,
        input.batch,
        seller,
        now,
        movement,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_waste(db: &PgPool, id: Uuid) -> sqlx::Result<Option<WasteRecord>> {
    sqlx::query_as!(
        WasteRecord,
        "SELECT id, product_id, quantity, reason, note, recorded_by, recorded_at FROM waste_records WHERE id = $1",
        id,
    )
    .fetch_optional(db)
    .await
}

/// Lists records before a place, newest first.
pub async fn list_waste(db: &PgPool, (at, id): (DateTime<Utc>, Uuid), limit: i64) -> sqlx::Result<Vec<WasteRecord>> {
    sqlx::query_as!(
        WasteRecord,
        "SELECT id, product_id, quantity, reason, note, recorded_by, recorded_at FROM waste_records
         WHERE (recorded_at, id) < ($1, $2) ORDER BY recorded_at DESC, id DESC LIMIT $3",
        at,
        id,
        limit,
    )
    .fetch_all(db)
    .await
}

/// Finds a batch of a product. Only goods with an expiry date are written off by batch.
pub async fn find_batch(connection: &mut PgConnection, id: Uuid, product: ProductId) -> sqlx::Result<Option<BatchRow>> {
    sqlx::query_as!(
        BatchRow,
        r#"SELECT l.id, l.product_id, l.quantity, l.expires_on AS "expires_on!",
                  (l.quantity - (SELECT coalesce(sum(w.quantity), 0) FROM waste_records w WHERE w.batch_id = l.id))::integer
                      AS "left!"
           FROM goods_receipt_lines l WHERE l.id = $1 AND l.product_id = $2 AND l.expires_on IS NOT NULL"#,
        id,
        product.0,
    )
    .fetch_optional(connection)
    .await
}

/// Lists the batches that expire after `from`, of all products of which one expires by `until`, product by product.
pub async fn list_batches(
    connection: &mut PgConnection,
    from: NaiveDate,
    until: NaiveDate,
) -> sqlx::Result<Vec<BatchRow>> {
    sqlx::query_as!(
        BatchRow,
        r#"SELECT l.id, l.product_id, l.quantity, l.expires_on AS "expires_on!",
                  (l.quantity - (SELECT coalesce(sum(w.quantity), 0) FROM waste_records w WHERE w.batch_id = l.id))::integer
                      AS "left!"
           FROM goods_receipt_lines l
           WHERE l.expires_on >= $1
             AND l.product_id IN (SELECT d.product_id FROM goods_receipt_lines d WHERE d.expires_on BETWEEN $1 AND $2)
           ORDER BY l.product_id, l.expires_on, l.id"#,
        from,
        until,
    )
    .fetch_all(connection)
    .await
}
