//! Stock that orders take and release. The database functions `take_stock` and `release_stock` write stock and ledger
//! together for orders; `insert_products` and `adjust_stock` in `store/` do so for the seller, and `move_stock` for the
//! documents of the module `inventory`.

use sqlx::PgConnection;

use super::model::{LowStockProduct, Offer, ProductPlace, StockLevel, StockReason};
use super::store;
use crate::platform::ids::{OrderId, ProductId};

/// Product ids and their quantities, in the same order.
#[derive(Debug, Clone, Default)]
pub struct ProductQuantities {
    pub ids: Vec<ProductId>,
    pub quantities: Vec<i32>,
}

impl FromIterator<(ProductId, i32)> for ProductQuantities {
    fn from_iter<I: IntoIterator<Item = (ProductId, i32)>>(lines: I) -> Self {
        let (ids, quantities) = lines.into_iter().unzip();
        Self { ids, quantities }
    }
}

/// Returns the current offers of these products; unknown ids are left out.
pub async fn find_offers(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<Vec<Offer>> {
    store::find_offers(connection, ids).await
}

/// Returns whether everything is in stock; the products stay locked until the transaction ends.
pub async fn check_stock(connection: &mut PgConnection, requested: &ProductQuantities) -> sqlx::Result<bool> {
    store::check_stock(connection, &requested.ids, &requested.quantities).await
}

/// Locks these products, in the order of their ids, so that their stock cannot change until the transaction ends.
pub async fn lock_products(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<()> {
    store::lock_products(connection, ids).await
}

/// Returns units of an order to stock. The caller must lock the products first.
pub async fn return_units(
    connection: &mut PgConnection,
    order: OrderId,
    units: &ProductQuantities,
    why: &str,
) -> sqlx::Result<()> {
    store::return_units(connection, order, &units.ids, &units.quantities, why).await
}

/// Takes units away from an order that are not there, so that they do not go back on sale.
pub async fn write_off_units(
    connection: &mut PgConnection,
    order: OrderId,
    units: &ProductQuantities,
    why: &str,
) -> sqlx::Result<()> {
    store::write_off_units(connection, order, &units.ids, &units.quantities, why).await
}

/// Takes more units for an order. The caller must lock the products first and check their stock.
pub async fn take_units(
    connection: &mut PgConnection,
    order: OrderId,
    units: &ProductQuantities,
    why: &str,
) -> sqlx::Result<()> {
    if units.ids.is_empty() {
        return Ok(());
    }
    store::take_stock(connection, order, &units.ids, &units.quantities, why).await
}

/// Returns the categories of these products, in whose order a packer walks through the shop.
pub async fn find_places(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<Vec<ProductPlace>> {
    store::find_places(connection, ids).await
}

/// Finds products of the same category that are in stock, the nearest in price first.
pub async fn find_similar(connection: &mut PgConnection, id: ProductId, limit: i64) -> sqlx::Result<Vec<Offer>> {
    let similar = store::find_similar(connection, id, limit).await?;
    let mut offers = store::find_offers(connection, &similar).await?;
    offers.sort_by_key(|offer| similar.iter().position(|known| *known == offer.id));
    Ok(offers)
}

/// Takes stock for an order that had released it. The caller must call `check_stock` first.
pub async fn retake_stock(
    connection: &mut PgConnection,
    order: OrderId,
    requested: &ProductQuantities,
) -> sqlx::Result<()> {
    store::take_stock(connection, order, &requested.ids, &requested.quantities, "taken again").await
}

/// Releases all units that the order still has; a second call releases nothing.
pub async fn release_stock(connection: &mut PgConnection, order: OrderId, why: &str) -> sqlx::Result<()> {
    store::release_stock(connection, order, why).await
}

/// Locks these products, in the order of their ids, until the transaction ends, and returns their stock; unknown ids are
/// left out.
pub async fn lock_stock(connection: &mut PgConnection, ids: &[ProductId]) -> sqlx::Result<Vec<StockLevel>> {
    store::lock_stock(connection, ids).await
}

/// Moves stock for a document and returns the ids of the ledger's rows in the order of the moves. A product may be named
/// more than once. The caller must lock the products first.
pub async fn move_stock(
    connection: &mut PgConnection,
    moves: &ProductQuantities,
    reason: StockReason,
) -> sqlx::Result<Vec<i64>> {
    store::move_stock(connection, &moves.ids, &moves.quantities, reason.name()).await
}

/// Returns how many units of a product these orders have by the ledger.
pub async fn sum_units_of_orders(
    connection: &mut PgConnection,
    orders: &[OrderId],
    product: ProductId,
) -> sqlx::Result<i32> {
    store::sum_units_of_orders(connection, orders, product).await
}

/// Lists the products with the lowest stock among those that are low in stock, and how many of these there are.
pub async fn list_lowest_stock(connection: &mut PgConnection, limit: i64) -> sqlx::Result<(Vec<LowStockProduct>, i64)> {
    store::list_lowest_stock(connection, limit).await
}
