//! Reading what was packed.

use std::collections::HashMap;

use sqlx::PgConnection;

use super::model::{PackingDetails, PackingError};
use super::store;
use crate::catalogue::{self, Offer, ProductPlace};
use crate::orders::{self, OrderError, OrderItemRow, OrderRow};
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::state::App;

/// More orders than a shop packs in a day.
const MAX_ORDERS: i64 = 200;
const MAX_REPLACEMENTS: i64 = 8;

/// Loads an order with its packing; for a shopper only if the order is theirs.
pub async fn load_details(
    connection: &mut PgConnection,
    order: OrderId,
    owner: Option<UserId>,
) -> Result<PackingDetails, PackingError> {
    let row = orders::find(connection, order).await?;
    let row = row.filter(|row| owner.is_none_or(|owner| row.user_id == owner)).ok_or(OrderError::NotFound)?;
    Ok(PackingDetails {
        items: orders::list_items(connection, &[order]).await?,
        packing: store::find_packing(connection, order).await?,
        adjustments: store::list_adjustments(connection, order).await?,
        weights: store::list_weights(connection, order).await?,
        proposal: store::find_newest_proposal(connection, order).await?,
        order: row,
    })
}

/// An order in the list of those to pack.
pub struct OrderToPack {
    pub order: OrderRow,
    pub lines: usize,
    pub units: i32,
}

/// Lists the orders that can be packed now, by delivery window.
pub async fn list_to_pack(app: &App) -> Result<Vec<OrderToPack>, PackingError> {
    let mut connection = app.db.main.acquire().await?;
    let rows = orders::list_to_pack(&mut connection, MAX_ORDERS).await?;
    let ids: Vec<OrderId> = rows.iter().map(|row| row.id).collect();
    let mut items = orders::group_by_order(orders::list_items(&mut connection, &ids).await?, |item| item.order_id);
    let rows = rows.into_iter().map(|order| {
        let items = items.remove(&order.id).unwrap_or_default();
        OrderToPack { lines: items.len(), units: items.iter().map(|item| item.quantity).sum(), order }
    });
    Ok(rows.collect())
}

/// Where the products of an order stand in the shop.
pub async fn find_places(
    connection: &mut PgConnection,
    items: &[OrderItemRow],
) -> sqlx::Result<HashMap<ProductId, ProductPlace>> {
    let ids: Vec<ProductId> = items.iter().map(|item| item.product_id).collect();
    let places = catalogue::find_places(connection, &ids).await?;
    Ok(places.into_iter().map(|place| (place.id, place)).collect())
}

/// Finds products of the same category that are in stock, the nearest in price first.
pub async fn find_replacements(app: &App, product: ProductId) -> Result<Vec<Offer>, PackingError> {
    let mut connection = app.db.main.acquire().await?;
    Ok(catalogue::find_similar(&mut connection, product, MAX_REPLACEMENTS).await?)
}
