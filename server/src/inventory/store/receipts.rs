//! Goods receipts with their lines, and the average costs that follow from them.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::inventory::model::{AverageCost, CostedLine, NewReceiptLine, Receipt, ReceiptInput, ReceiptLine};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

/// Returns false if there is a receipt with this id already; a request that inserts it at the same time is waited for.
pub async fn insert_receipt(
    connection: &mut PgConnection,
    id: Uuid,
    input: &ReceiptInput,
    hash: &[u8],
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO goods_receipts (id, request_hash, supplier_id, invoice, note, received_by, received_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7) ON CONFLICT (id) DO NOTHING",
        id,
        hash,
        input.supplier,
        input.invoice,
        input.note,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn find_receipt_hash(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!("SELECT request_hash FROM goods_receipts WHERE id = $1", id).fetch_optional(connection).await
}

pub async fn insert_receipt_lines(
    connection: &mut PgConnection,
    receipt: Uuid,
    lines: &[NewReceiptLine],
) -> sqlx::Result<()> {
    let ids: Vec<Uuid> = lines.iter().map(|line| line.id).collect();
    let products: Vec<ProductId> = lines.iter().map(|line| line.product).collect();
    let quantities: Vec<i32> = lines.iter().map(|line| line.quantity).collect();
    let costs: Vec<Option<i64>> = lines.iter().map(|line| line.cost.map(|cost| cost.0)).collect();
    let expiries: Vec<Option<NaiveDate>> = lines.iter().map(|line| line.expires_on).collect();
    let before: Vec<i32> = lines.iter().map(|line| line.stock_before).collect();
    let movements: Vec<i64> = lines.iter().map(|line| line.movement).collect();
    sqlx::query!(
        "INSERT INTO goods_receipt_lines
             (id, receipt_id, product_id, quantity, cost_paisa, expires_on, stock_before, movement_id)
         SELECT l.id, $1, l.product, l.quantity, l.cost, l.expires, l.before, l.movement
         FROM unnest($2::uuid[], $3::uuid[], $4::integer[], $5::bigint[], $6::date[], $7::integer[], $8::bigint[])
             l (id, product, quantity, cost, expires, before, movement)",
        receipt,
        &ids,
        &products as _,
        &quantities,
        &costs as _,
        &expiries as _,
        &before,
        &movements,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_receipt(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Receipt>> {
    let row = sqlx::query!(
        r#"SELECT r.id, s.name AS "supplier?", r.invoice, r.note, r.received_by, r.received_at
           FROM goods_receipts r LEFT JOIN suppliers s ON s.id = r.supplier_id WHERE r.id = $1"#,
        id,
    )
    .fetch_optional(db)
    .await?;
    let Some(row) = row else { return Ok(None) };
    let lines = list_lines(db, &[id]).await?;
    Ok(Some(Receipt {
        id: row.id,
        supplier: row.supplier,
        invoice: row.invoice,
        note: row.note,
        received_by: row.received_by,
        received_at: row.received_at,
        lines,
    }))
}

/// Lists receipts before a place, newest first.
pub async fn list_receipts(db: &PgPool, (at, id): (DateTime<Utc>, Uuid), limit: i64) -> sqlx::Result<Vec<Receipt>> {
    let rows = sqlx::query!(
        r#"SELECT r.id, s.name AS "supplier?", r.invoice, r.note, r.received_by, r.received_at
           FROM goods_receipts r LEFT JOIN suppliers s ON s.id = r.supplier_id
           WHERE (r.received_at, r.id) < ($1, $2) ORDER BY r.received_at DESC, r.id DESC LIMIT $3"#,
        at,
        id,
        limit,
    )
    .fetch_all(db)
    .await?;
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut lines: HashMap<Uuid, Vec<ReceiptLine>> = HashMap::new();
    for line in list_lines(db, &ids).await? {
        lines.entry(line.receipt_id).or_default().push(line);
    }
    let receipts = rows.into_iter().map(|row| Receipt {
        lines: lines.remove(&row.id).unwrap_or_default(),
        id: row.id,
        supplier: row.supplier,
        invoice: row.invoice,
        note: row.note,
        received_by: row.received_by,
        received_at: row.received_at,
    });
    Ok(receipts.collect())
}

async fn list_lines(db: &PgPool, receipts: &[Uuid]) -> sqlx::Result<Vec<ReceiptLine>> {
    sqlx::query_as!(
        ReceiptLine,
        r#"SELECT id, receipt_id, product_id, quantity, cost_paisa AS "cost: Paisa", expires_on FROM goods_receipt_lines
           WHERE receipt_id = ANY($1) ORDER BY movement_id"#,
        receipts,
    )
    .fetch_all(db)
    .await
}

/// Sets the cost of a line and returns the one before; `None` if it is the same.
pub async fn set_line_cost(
    connection: &mut PgConnection,
    line: Uuid,
    cost: Option<Paisa>,
) -> sqlx::Result<Option<Option<Paisa>>> {
    let before = sqlx::query!(
        r#"WITH before AS (SELECT id, cost_paisa FROM goods_receipt_lines WHERE id = $1 FOR NO KEY UPDATE)
           UPDATE goods_receipt_lines l SET cost_paisa = $2 FROM before
           WHERE l.id = before.id AND before.cost_paisa IS DISTINCT FROM $2
           RETURNING before.cost_paisa AS "cost: Paisa""#,
        line,
        cost.map(|cost| cost.0),
    )
    .fetch_optional(connection)
    .await?;
    Ok(before.map(|row| row.cost))
}

/// Lists the lines of a product whose cost is known, in the order in which they came in.
pub async fn list_costed_lines(connection: &mut PgConnection, product: ProductId) -> sqlx::Result<Vec<CostedLine>> {
    sqlx::query_as!(
        CostedLine,
        r#"SELECT l.id, l.movement_id AS movement, r.received_at, l.quantity, l.stock_before, l.cost_paisa AS "cost!: Paisa"
           FROM goods_receipt_lines l JOIN goods_receipts r ON r.id = l.receipt_id
           WHERE l.product_id = $1 AND l.cost_paisa IS NOT NULL ORDER BY l.movement_id"#,
        product.0,
    )
    .fetch_all(connection)
    .await
}

pub async fn replace_averages(
    connection: &mut PgConnection,
    product: ProductId,
    averages: &[AverageCost],
) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM product_costs WHERE product_id = $1", product.0).execute(&mut *connection).await?;
    let lines: Vec<Uuid> = averages.iter().map(|average| average.line).collect();
    let movements: Vec<i64> = averages.iter().map(|average| average.movement).collect();
    let since: Vec<DateTime<Utc>> = averages.iter().map(|average| average.since).collect();
    let units: Vec<i64> = averages.iter().map(|average| average.units).collect();
    let values: Vec<i64> = averages.iter().map(|average| average.value.0).collect();
    sqlx::query!(
        "INSERT INTO product_costs (receipt_line_id, product_id, movement_id, since, units, value_paisa)
         SELECT a.line, $1, a.movement, a.since, a.units, a.value
         FROM unnest($2::uuid[], $3::bigint[], $4::timestamptz[], $5::bigint[], $6::bigint[])
             a (line, movement, since, units, value)",
        product.0,
        &lines,
        &movements,
        &since,
        &units,
        &values,
    )
    .execute(connection)
    .await?;
    Ok(())
}
