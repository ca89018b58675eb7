//! Loading the demo shop.

use std::collections::BTreeMap;

use object_store::ObjectStore;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::catalogue_file::{DemoCategory, DemoProduct, read_catalogue_file, store_pictures};
use crate::catalogue::{self, NewCategory, NewProduct};
use crate::platform::ids::ProductId;

/// Loads the demo catalogue and returns how many products were added; existing products stay as they are.
pub async fn load_demo(db: &PgPool, pictures: &dyn ObjectStore) -> anyhow::Result<u64> {
    let categories = read_catalogue_file()?;
    let keys = store_pictures(pictures, &categories).await?;
    let mut added = 0;
    let mut tx = db.begin().await?;
    let mut ids = Vec::with_capacity(categories.len());
    for category in &categories {
        ids.push(ensure_category(&mut tx, category, &keys).await?);
    }
    for (category, product) in interleave_categories(&categories) {
        let Some(id) = ids.get(category).copied() else { continue };
        let details = product.to_details(id, &keys);
        let new =
            NewProduct { id: ProductId::generate(), slug: &product.slug, details: &details, stock: product.stock };
        added += u64::try_from(catalogue::add_products(&mut tx, &[new]).await?.len())?;
    }
    tx.commit().await?;
    Ok(added)
}

/// Takes a product of each category in turn, with its category's index, so that the first page of the shop shows its
/// breadth.
fn interleave_categories(categories: &[DemoCategory]) -> impl Iterator<Item = (usize, &DemoProduct)> {
    let longest = categories.iter().map(|category| category.products.len()).max().unwrap_or(0);
    (0..longest).flat_map(move |row| {
        categories.iter().enumerate().filter_map(move |(number, category)| Some((number, category.products.get(row)?)))
    })
}

pub async fn ensure_category(
    connection: &mut PgConnection,
    category: &DemoCategory,
    keys: &BTreeMap<String, String>,
) -> sqlx::Result<Uuid> {
    let picture = category.picture.as_ref().and_then(|name| keys.get(name)).map(String::as_str);
    let new = NewCategory {
        name: &category.name,
        name_ne: Some(&category.name_ne),
        description: &category.description,
        description_ne: category.description_ne.as_deref(),
        picture_key: picture,
        icon_key: picture,
    };
    catalogue::ensure_category(connection, &category.slug, &new).await
}
