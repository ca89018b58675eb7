//! All SQL of packing.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use super::model::{AdjustmentRow, NewPacking, PackingRow, ProposalRow, ProposedLine, WeightRow};
use super::plan::{Adjustment, PackedWeight, Plan};
use crate::catalogue::Offer;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::money::Paisa;

pub async fn insert_packing(connection: &mut PgConnection, new: &NewPacking<'_>, plan: &Plan) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO order_packings (order_id, user_id, packed_by, packed_at, subtotal_paisa, tax_paisa, shipping_paisa,
                                     total_paisa, agreed_paisa, agreed_by, agreed_name, due_paisa)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)",
        new.order.0,
        new.user.0,
        new.seller,
        new.at,
        plan.quote.subtotal.0,
        plan.quote.tax.0,
        plan.quote.shipping_fee.0,
        plan.quote.total.0,
        plan.agreed.0,
        plan.agreement.name(),
        new.agreed_name,
        plan.due.0,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// `offer` is the product that was packed instead.
pub async fn insert_adjustment(
    connection: &mut PgConnection,
    new: &NewPacking<'_>,
    adjustment: &Adjustment,
    offer: Option<&Offer>,
) -> sqlx::Result<()> {
    let replacement = adjustment.replacement;
    sqlx::query!(
        "INSERT INTO order_adjustments (order_id, product_id, kind, quantity_before, quantity_after, replacement_id,
                                        replacement_name, replacement_name_ne, replacement_pack_label,
                                        replacement_pack_label_ne, replacement_price_paisa, replacement_tax_class,
                                        replacement_quantity, reason, seller, at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)",
        new.order.0,
        adjustment.product.0,
        adjustment.kind(),
        adjustment.before,
        adjustment.after,
        replacement.map(|replacement| replacement.product.0),
        offer.map(|offer| offer.name.as_str()),
        offer.and_then(|offer| offer.name_ne.as_deref()),
        offer.and_then(|offer| offer.pack_label.as_deref()),
        offer.and_then(|offer| offer.pack_label_ne.as_deref()),
        replacement.map(|replacement| replacement.price.0),
        replacement.map(|replacement| replacement.tax.name()),
        replacement.map(|replacement| replacement.quantity),
        adjustment.reason.name(),
        new.seller,
        new.at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_packing(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<PackingRow>> {
    sqlx::query_as!(
        PackingRow,
        r#"SELECT packed_at, subtotal_paisa AS "subtotal: Paisa", tax_paisa AS "tax: Paisa",
                  shipping_paisa AS "shipping: Paisa", total_paisa AS "total: Paisa", agreed_by, due_paisa AS "due: Paisa"
           FROM order_packings WHERE order_id = $1"#,
        order.0,
    )
    .fetch_optional(connection)
    .await
}

pub async fn list_adjustments(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<AdjustmentRow>> {
    sqlx::query_as!(
        AdjustmentRow,
        r#"SELECT product_id AS "product_id: ProductId", quantity_after, replacement_id AS "replacement_id: ProductId",
                  replacement_name, replacement_name_ne, replacement_pack_label, replacement_pack_label_ne,
                  replacement_price_paisa AS "replacement_price: Paisa", replacement_tax_class, replacement_quantity, reason
           FROM order_adjustments WHERE order_id = $1 ORDER BY product_id"#,
        order.0,
    )
    .fetch_all(connection)
    .await
}

pub async fn insert_weight(connection: &mut PgConnection, order: OrderId, weight: &PackedWeight) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO packed_weights (order_id, product_id, grams, amount_paisa) VALUES ($1, $2, $3, $4)",
        order.0,
        weight.product.0,
        weight.grams,
        weight.amount.0,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn list_weights(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<WeightRow>> {
    sqlx::query_as!(
        WeightRow,
        r#"SELECT product_id AS "product_id: ProductId", grams, amount_paisa AS "amount: Paisa"
           FROM packed_weights WHERE order_id = $1 ORDER BY product_id"#,
        order.0,
    )
    .fetch_all(connection)
    .await
}

pub async fn insert_proposal(
    connection: &mut PgConnection,
    proposal: &ProposalRow,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO packing_proposals (id, order_id, user_id, total_paisa, lines, seller, asked_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7)",
        proposal.id,
        proposal.order_id.0,
        proposal.user_id.0,
        proposal.total.0,
        Json(&proposal.lines) as _,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Finds the newest proposal of an order; a newer one replaces those before it.
pub async fn find_newest_proposal(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Option<ProposalRow>> {
    let row = sqlx::query!(
        r#"SELECT id, order_id AS "order_id: OrderId", user_id AS "user_id: UserId", total_paisa AS "total: Paisa",
                  lines AS "lines: Json<Vec<ProposedLine>>", accepted
           FROM packing_proposals WHERE order_id = $1 ORDER BY id DESC LIMIT 1"#,
        order.0,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| ProposalRow {
        id: row.id,
        order_id: row.order_id,
        user_id: row.user_id,
        total: row.total,
        lines: row.lines.0,
        accepted: row.accepted,
    }))
}

/// Returns false if the proposal has its answer already.
pub async fn answer_proposal(
    connection: &mut PgConnection,
    proposal: Uuid,
    accepted: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE packing_proposals SET accepted = $2, answered_at = $3 WHERE id = $1 AND accepted IS NULL",
        proposal,
        accepted,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn list_calls(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!("SELECT agreed_name FROM order_packings WHERE user_id = $1 AND agreed_name <> ''", user.0)
        .fetch_all(connection)
        .await
}

pub async fn erase_names(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE order_packings SET agreed_name = '' WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
