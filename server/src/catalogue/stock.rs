//! Stock as orders take it and give it back. The functions in the database (`take_stock`, `release_stock`) write stock
//! and ledger together; nothing else in the shop does.

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::Offer;
use super::store;

/// Products and how many of each, side by side.
#[derive(Debug, Clone, Default)]
pub struct ProductQuantities {
    pub ids: Vec<Uuid>,
    pub quantities: Vec<i32>,
}

impl FromIterator<(Uuid, i32)> for ProductQuantities {
    fn from_iter<I: IntoIterator<Item = (Uuid, i32)>>(lines: I) -> Self {
        let (ids, quantities) = lines.into_iter().unzip();
        Self { ids, quantities }
    }
}

/// What can be said about these products now; unknown ids are left out.
pub async fn find_offers(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<Offer>> {
    store::find_offers(connection, ids).await
}

/// Whether all of it is there; the answer holds until the transaction ends.
pub async fn check_stock(connection: &mut PgConnection, requested: &ProductQuantities) -> sqlx::Result<bool> {
    store::check_stock(connection, &requested.ids, &requested.quantities).await
}

/// Nobody else takes or brings units of these until the transaction ends; always in the order of their ids.
pub async fn lock_products(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<()> {
    store::lock_products(connection, ids).await
}

/// For an order that had given its units back. Ask `check_stock` first.
pub async fn retake_stock(
    connection: &mut PgConnection,
    order: Uuid,
    requested: &ProductQuantities,
) -> sqlx::Result<()> {
    store::take_stock(connection, order, &requested.ids, &requested.quantities, "taken again").await
}

/// All that the order still has; nothing the second time.
pub async fn release_stock(connection: &mut PgConnection, order: Uuid, why: &str) -> sqlx::Result<()> {
    store::release_stock(connection, order, why).await
}
