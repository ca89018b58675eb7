//! Stock counts with their entries and differences.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::inventory::model::{CountAdjustment, CountEntry, CountLine, CountState, StockCount};
use crate::platform::db::unknown_value;
use crate::platform::ids::ProductId;

fn parse_state(name: &str) -> sqlx::Result<CountState> {
    CountState::from_name(name).ok_or_else(|| unknown_value("stock_counts.state"))
}

/// Returns false if there is a count with this id already.
pub async fn insert_count(
    connection: &mut PgConnection,
    id: Uuid,
    category: Option<Uuid>,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO stock_counts (id, category_id, started_by, started_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT (id) DO NOTHING",
        id,
        category,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Locks a count until the transaction ends, so that no entry is added while it is applied.
pub async fn lock_count(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<CountState>> {
    let state = sqlx::query_scalar!("SELECT state FROM stock_counts WHERE id = $1 FOR NO KEY UPDATE", id)
        .fetch_optional(connection)
        .await?;
    state.as_deref().map(parse_state).transpose()
}

pub async fn finish_count(
    connection: &mut PgConnection,
    id: Uuid,
    state: CountState,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE stock_counts SET state = $2, finished_by = $3, finished_at = $4 WHERE id = $1",
        id,
        state.name(),
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_count(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<StockCount>> {
    let row = sqlx::query!(
        r#"SELECT c.id, c.category_id, c.state, c.started_by, c.started_at, c.finished_at,
                  (SELECT count(DISTINCT e.product_id) FROM stock_count_entries e WHERE e.count_id = c.id) AS "counted!"
           FROM stock_counts c WHERE c.id = $1"#,
        id,
    )
    .fetch_optional(connection)
    .await?;
    let Some(row) = row else { return Ok(None) };
    Ok(Some(StockCount {
        id: row.id,
        category_id: row.category_id,
        state: parse_state(&row.state)?,
        started_by: row.started_by,
        started_at: row.started_at,
        finished_at: row.finished_at,
        counted: row.counted,
    }))
}

/// Lists counts before a place, newest first.
pub async fn list_counts(db: &PgPool, (at, id): (DateTime<Utc>, Uuid), limit: i64) -> sqlx::Result<Vec<StockCount>> {
    let rows = sqlx::query!(
        r#"SELECT c.id, c.category_id, c.state, c.started_by, c.started_at, c.finished_at,
                  (SELECT count(DISTINCT e.product_id) FROM stock_count_entries e WHERE e.count_id = c.id) AS "counted!"
           FROM stock_counts c
           WHERE (c.started_at, c.id) < ($1, $2) ORDER BY c.started_at DESC, c.id DESC LIMIT $3"#,
        at,
        id,
        limit,
    )
    .fetch_all(db)
    .await?;
    let counts = rows.into_iter().map(|row| {
        Ok(StockCount {
            id: row.id,
            category_id: row.category_id,
            state: parse_state(&row.state)?,
            started_by: row.started_by,
            started_at: row.started_at,
            finished_at: row.finished_at,
            counted: row.counted,
        })
    });
    counts.collect()
}

pub async fn find_entry(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<CountEntry>> {
    sqlx::query_as!(
        CountEntry,
        "SELECT id, count_id AS count, product_id AS product, counted, stock, reserved FROM stock_count_entries
         WHERE id = $1",
        id,
    )
    .fetch_optional(connection)
    .await
}

pub async fn insert_entry(
    connection: &mut PgConnection,
    entry: &CountEntry,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO stock_count_entries (id, count_id, product_id, counted, stock, reserved, counted_by, counted_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)",
        entry.id,
        entry.count,
        entry.product.0,
        entry.counted,
        entry.stock,
        entry.reserved,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Lists the latest entry of each product, or of one product.
pub async fn list_count_lines(
    connection: &mut PgConnection,
    count: Uuid,
    product: Option<ProductId>,
) -> sqlx::Result<Vec<CountLine>> {
    sqlx::query_as!(
        CountLine,
        r#"SELECT DISTINCT ON (e.product_id) e.id AS entry_id, e.product_id, e.counted, e.stock, e.reserved, e.counted_by,
                  e.counted_at, a.applied AS "applied?"
           FROM stock_count_entries e LEFT JOIN stock_count_adjustments a ON a.entry_id = e.id
           WHERE e.count_id = $1 AND ($2::uuid IS NULL OR e.product_id = $2)
           ORDER BY e.product_id, e.position DESC"#,
        count,
        product.map(|product| product.0),
    )
    .fetch_all(connection)
    .await
}

pub async fn insert_adjustments(
    connection: &mut PgConnection,
    count: Uuid,
    adjustments: &[CountAdjustment],
) -> sqlx::Result<()> {
    let products: Vec<ProductId> = adjustments.iter().map(|one| one.product).collect();
    let entries: Vec<Uuid> = adjustments.iter().map(|one| one.entry).collect();
    let differences: Vec<i32> = adjustments.iter().map(|one| one.difference).collect();
    let applied: Vec<i32> = adjustments.iter().map(|one| one.applied).collect();
    let movements: Vec<Option<i64>> = adjustments.iter().map(|one| one.movement).collect();
    sqlx::query!(
        "INSERT INTO stock_count_adjustments (count_id, product_id, entry_id, difference, applied, movement_id)
         SELECT $1, a.product, a.entry, a.difference, a.applied, a.movement
         FROM unnest($2::uuid[], $3::uuid[], $4::integer[], $5::integer[], $6::bigint[])
             a (product, entry, difference, applied, movement)",
        count,
        &products as _,
        &entries,
        &differences,
        &applied,
        &movements as _,
    )
    .execute(connection)
    .await?;
    Ok(())
}
