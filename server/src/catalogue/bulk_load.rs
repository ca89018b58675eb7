//! Loading many products without a seller; the demo shop is made this way.

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{CopiedProduct, NewCategory, NewProduct};
use super::store;
use crate::platform::ids::ProductId;

/// Returns the id of the category with this slug, which is created if it is new. An existing category only gets missing
/// pictures.
pub async fn ensure_category(
    connection: &mut PgConnection,
    slug: &str,
    category: &NewCategory<'_>,
) -> sqlx::Result<Uuid> {
    store::ensure_category(connection, slug, category).await
}

/// Adds the products whose slug is free, with their first stock and their search words, and returns their ids.
pub async fn add_products(connection: &mut PgConnection, new: &[NewProduct<'_>]) -> sqlx::Result<Vec<ProductId>> {
    store::insert_products(connection, new).await
}

/// Adds very many products, whose slugs must be free, with their first stock, and returns how many. The caller adds their
/// search words to the vocabulary.
pub async fn copy_products(
    connection: &mut PgConnection,
    products: impl Iterator<Item = CopiedProduct>,
) -> sqlx::Result<u64> {
    let copied = store::copy_products(connection, products).await?;
    store::insert_initial_movements(connection).await?;
    Ok(copied)
}

/// Adds words by which products are found to the vocabulary.
pub async fn add_search_words(connection: &mut PgConnection, words: &[String]) -> sqlx::Result<()> {
    store::add_search_words(connection, words).await
}
