//! What a shopper has bought before and can buy again.

use super::model::WishlistError;
use crate::catalogue::{self, Product};
use crate::orders;
use crate::platform::ids::UserId;
use crate::platform::state::App;

/// How many products the list has.
const LISTED: usize = 12;
/// How many products are looked up, because some of them are no longer on sale.
const CANDIDATES: i64 = 60;

/// Lists what the shopper has bought most often and most recently and is still on sale; what is sold out comes last.
pub async fn list(app: &App, user: UserId) -> Result<Vec<Product>, WishlistError> {
    let mut connection = app.db.main.acquire().await?;
    let bought = orders::list_bought_products(&mut connection, user, CANDIDATES).await?;
    drop(connection);
    let mut products = catalogue::find_products(app, &bought).await?;
    products.sort_by_key(|product| product.stock == 0);
    products.truncate(LISTED);
    Ok(products)
}
