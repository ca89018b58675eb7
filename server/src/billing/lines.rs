//! What a bill lists.

use sqlx::PgConnection;

use super::model::BillLine;
use crate::orders;
use crate::platform::ids::OrderId;

/// Loads the lines that are billed: what was packed.
pub async fn load(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<BillLine>> {
    let sold = orders::list_sold_lines(connection, order).await?;
    let lines = (1..).zip(sold).map(|(position, line)| BillLine {
        position,
        product_id: line.product_id,
        name: line.name,
        name_ne: line.name_ne,
        pack_label: line.pack_label,
        pack_label_ne: line.pack_label_ne,
        quantity: line.quantity,
        price: line.price,
        amount: line.price * line.quantity,
        tax_class: line.tax_class,
    });
    Ok(lines.collect())
}
