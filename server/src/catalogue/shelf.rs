//! Stock as orders take it and give it back. The functions in the database (`take_stock`, `give_back_stock`) write stock
//! and ledger together; nothing else in the shop does.

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::Offer;
use super::store;

/// Products and how many of each, side by side.
#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub ids: Vec<Uuid>,
    pub quantities: Vec<i32>,
}

impl FromIterator<(Uuid, i32)> for Wanted {
    fn from_iter<I: IntoIterator<Item = (Uuid, i32)>>(lines: I) -> Self {
        let (ids, quantities) = lines.into_iter().unzip();
        Self { ids, quantities }
    }
}

/// What can be said about these products now; unknown ids are left out.
pub async fn offers(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<Offer>> {
    store::offers(connection, ids).await
}

/// Whether all of it is there; the answer holds until the transaction ends.
pub async fn holds(connection: &mut PgConnection, wanted: &Wanted) -> sqlx::Result<bool> {
    store::shelf_holds(connection, &wanted.ids, &wanted.quantities).await
}

/// Nobody else takes or brings units of these until the transaction ends; always in the order of their ids.
pub async fn lock_products(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<()> {
    store::lock_products(connection, ids).await
}

/// For an order that had given its units back. Ask `holds` first.
pub async fn take_again(connection: &mut PgConnection, order: Uuid, wanted: &Wanted) -> sqlx::Result<()> {
    store::take_stock(connection, order, &wanted.ids, &wanted.quantities, "taken again").await
}

/// All that the order still has; nothing the second time.
pub async fn give_back(connection: &mut PgConnection, order: Uuid, why: &str) -> sqlx::Result<()> {
    store::give_back_stock(connection, order, why).await
}
