//! Batches that expire soon. The ledger does not know from which batch a unit was sold, so what is left of a batch is
//! computed as if the batch that expires first were sold first.

use std::collections::HashMap;

use chrono::{Days, NaiveDate};
use uuid::Uuid;

use super::error::InventoryError;
use super::listing::find_names;
use super::model::{BatchRow, ProductName};
use super::store;
use crate::catalogue;
use crate::platform::clock;
use crate::platform::ids::ProductId;
use crate::platform::state::App;

const DEFAULT_DAYS: u16 = 7;
const MAX_DAYS: u16 = 90;
/// A batch that expired longer ago is not listed any more.
const LISTED_AFTER_EXPIRY: Days = Days::new(60);

/// A batch of which units may be left.
#[derive(Debug, PartialEq, Eq)]
pub struct ExpiringBatch {
    pub id: Uuid,
    pub product_id: ProductId,
    pub received: i32,
    /// At most so many units are left.
    pub left: i32,
    pub expires_on: NaiveDate,
}

pub struct ExpiringBatches {
    pub today: NaiveDate,
    pub batches: Vec<ExpiringBatch>,
    pub products: HashMap<ProductId, ProductName>,
}

/// Lists the batches that have expired or will within `days` days, the oldest first.
pub async fn list_expiring(app: &App, days: Option<u16>) -> Result<ExpiringBatches, InventoryError> {
    let today = clock::nepal_date(app.clock.now());
    let until = today + Days::new(days.unwrap_or(DEFAULT_DAYS).min(MAX_DAYS).into());
    let mut connection = app.db.main.acquire().await?;
    let rows = store::list_batches(&mut connection, today - LISTED_AFTER_EXPIRY, until).await?;
    let mut ids: Vec<ProductId> = rows.iter().map(|row| row.product_id).collect();
    ids.dedup();
    let offers = catalogue::find_offers(&mut connection, &ids).await?;
    let stock: HashMap<ProductId, i32> = offers.iter().map(|offer| (offer.id, offer.stock)).collect();
    let batches = remaining(&rows, &stock, until);
    let ids: Vec<ProductId> = batches.iter().map(|batch| batch.product_id).collect();
    Ok(ExpiringBatches { today, batches, products: find_names(&mut connection, &ids).await? })
}

/// Returns the batches until a day of which something is left. `rows` has all batches of these products that have not
/// expired long ago.
fn remaining(rows: &[BatchRow], stock: &HashMap<ProductId, i32>, until: NaiveDate) -> Vec<ExpiringBatch> {
    let mut rows: Vec<&BatchRow> = rows.iter().collect();
    rows.sort_by_key(|row| std::cmp::Reverse((row.expires_on, row.id)));
    let mut unassigned = stock.clone();
    let mut found = Vec::new();
    for row in rows {
        let Some(units) = unassigned.get_mut(&row.product_id) else { continue };
        let left = row.left.min(*units).max(0);
        *units -= left;
        if left > 0 && row.expires_on <= until {
            found.push(ExpiringBatch {
                id: row.id,
                product_id: row.product_id,
                received: row.quantity,
                left,
                expires_on: row.expires_on,
            });
        }
    }
    found.reverse();
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, number).unwrap()
    }

    /// A batch as (received, not written off, day of expiry).
    type Batch = (i32, i32, u32);
    /// What is left of a batch, as (day of expiry, units).
    type Left = (u32, i32);

    fn left(stock: i32, batches: &[Batch]) -> Vec<Left> {
        let product_id = ProductId(Uuid::nil());
        let row = |(quantity, left, expires): &Batch| BatchRow {
            id: Uuid::from_u128(u128::from(*expires)),
            product_id,
            quantity: *quantity,
            left: *left,
            expires_on: day(*expires),
        };
        let rows: Vec<BatchRow> = batches.iter().map(row).collect();
        let found = remaining(&rows, &HashMap::from([(product_id, stock)]), day(10));
        found.into_iter().map(|batch| (chrono::Datelike::day(&batch.expires_on), batch.left)).collect()
    }

    #[test]
    fn what_expires_first_was_sold_first() {
        let table: [(i32, &[Batch], &[Left]); 6] = [
            (12, &[(12, 12, 5)], &[(5, 12)]),
            // Seven of the twelve were sold.
            (5, &[(12, 12, 5)], &[(5, 5)]),
            // What is in stock belongs to the batch that expires later.
            (10, &[(12, 12, 5), (10, 10, 20)], &[]),
            (14, &[(12, 12, 5), (10, 10, 20)], &[(5, 4)]),
            (20, &[(12, 12, 5), (10, 10, 8)], &[(5, 10), (8, 10)]),
            // What was written off of a batch is not left of it, even if other units came in.
            (12, &[(12, 0, 5)], &[]),
        ];
        for (stock, batches, expected) in table {
            assert_eq!(left(stock, batches), expected, "{stock} of {batches:?}");
        }
    }
}
