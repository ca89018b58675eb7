//! What many shoppers buy at the moment.

use chrono::TimeDelta;

use crate::catalogue::{self, CatalogueError, Product};
use crate::orders;
use crate::platform::state::App;

/// How many products the list has.
const LISTED: usize = 12;
/// How many products are looked up, because some of them are no longer on sale or in stock.
const CANDIDATES: i64 = 40;
/// Orders of this many days are counted.
const DAYS: i64 = 14;
/// A product that fewer shoppers have bought is left out, so that the list shows nothing about a single person.
const MIN_SHOPPERS: i64 = 3;

/// Lists the products in stock that most shoppers have bought recently.
pub async fn list(app: &App) -> Result<Vec<Product>, CatalogueError> {
    let since = app.clock.now() - TimeDelta::days(DAYS);
    let mut connection = app.db.main.acquire().await?;
    let bought = orders::list_popular_products(&mut connection, since, MIN_SHOPPERS, CANDIDATES).await?;
    drop(connection);
    let mut products = catalogue::find_products(app, &bought).await?;
    products.retain(|product| product.stock > 0);
    products.truncate(LISTED);
    Ok(products)
}
