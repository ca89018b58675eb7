//! Editing and deleting products. No edit is lost: a seller who saw an older version is told, and a change of stock
//! applies the difference that the seller meant.

use bytes::Bytes;
use sqlx::PgConnection;
use uuid::Uuid;

use super::changes::{describe_changes, diff_products};
use super::pictures::MorePictures;
use super::product_field::RawProduct;
use super::product_input::{self, Source};
use crate::catalogue::error::{CatalogueError, retry_on_contention};
use crate::catalogue::model::{Category, Product, ProductDetails};
use crate::catalogue::store;
use crate::media::{self, PicturePurpose};
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

pub enum ProductPictureChange {
    Keep,
    Remove,
    Replace(Bytes),
}

pub async fn update_product(
    app: &App,
    seller: Uuid,
    slug: &str,
    raw: &RawProduct,
    picture: ProductPictureChange,
    more_pictures: Option<&str>,
) -> Result<Product, CatalogueError> {
    // Processing the picture takes longest, so no lock is held during it, and what can be refused without it is refused
    // first.
    let categories = store::list_categories(&app.db.main).await?;
    let known = find_product(&app.db.main, slug).await?;
    product_input::parse_product(raw, Some(&ProductDetails::from_product(&known)), &categories, Source::EditForm)?;
    let more_pictures = match more_pictures {
        Some(text) => Some(MorePictures::read(app, text, Some(&known)).await?),
        None => None,
    };
    let picture_key = match picture {
        ProductPictureChange::Keep => None,
        ProductPictureChange::Remove => Some(None),
        ProductPictureChange::Replace(file) => {
            Some(Some(media::accept_upload(app, file, PicturePurpose::Product).await?))
        }
    };
    let (picture_key, more) = (picture_key.as_ref(), more_pictures.as_ref());
    retry_on_contention(|| try_update(app, seller, slug, raw, &categories, picture_key, more)).await
}

async fn try_update(
    app: &App,
    seller: Uuid,
    slug: &str,
    raw: &RawProduct,
    categories: &[Category],
    picture_key: Option<&Option<String>>,
    more_pictures: Option<&MorePictures>,
) -> Result<Product, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let product = lock_product(&mut tx, slug).await?;
    let before = ProductDetails::from_product(&product);
    let draft = product_input::parse_product(raw, Some(&before), categories, Source::EditForm)?;
    if draft.version.is_some_and(|version| version != product.updated_at) {
        return Err(CatalogueError::ProductChanged(Box::new(product)));
    }
    let mut after = draft.details;
    if let Some(key) = picture_key {
        after.picture_key.clone_from(key);
    }
    if let Some(more) = more_pictures {
        match more.keys_for(&product) {
            Some(keys) => after.more_picture_keys = keys,
            None => return Err(CatalogueError::ProductChanged(Box::new(product))),
        }
    }
    after.arrange_pictures();
    let difference = match draft.stock.map(|stock| stock.difference(product.stock)) {
        None => 0,
        Some(Ok(difference)) => difference,
        Some(Err(_)) => return Err(CatalogueError::StockChanged(Box::new(product))),
    };
    if after != before {
        store::update_products(&mut tx, &[(product.id, &after)]).await?;
    }
    store::adjust_stock(&mut tx, &[product.id], &[difference], "seller").await?;
    let changes = diff_products(&before, product.stock, &after, product.stock + difference, categories);
    if !changes.is_empty() {
        let action = if after == before { "product.stock" } else { "product.update" };
        let (was, is) = describe_changes(&changes);
        let object = product.id.to_string();
        let audit_entry =
            NewAuditEntry { seller, action, object: &object, about: &product.name, before: &was, after: &is };
        staff::record_audit_entry(&mut tx, &audit_entry).await?;
    }
    let now = find_product_by_slug(&mut tx, slug).await?;
    tx.commit().await?;
    Ok(now)
}

/// Removes a product from the shop. Old orders keep their copy of it; carts drop it and say so.
pub async fn delete_product(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    retry_on_contention(|| try_delete(app, seller, slug)).await
}

async fn try_delete(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let product = lock_product(&mut tx, slug).await?;
    store::end_sales_of_product(&mut tx, product.id, seller, app.clock.now()).await?;
    store::restore_regular_price(&mut tx, product.id).await?;
    let freed = format!("{slug}-{}", product.id.0.simple());
    store::archive_product(&mut tx, product.id, &freed, app.clock.now()).await?;
    let object = product.id.to_string();
    let before = format!("{slug}, stock {}", product.stock);
    let audit_entry = NewAuditEntry {
        seller,
        action: "product.delete",
        object: &object,
        about: &product.name,
        before: &before,
        after: "",
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn find_product(db: &sqlx::PgPool, slug: &str) -> Result<Product, CatalogueError> {
    find_product_by_slug(&mut *db.acquire().await?, slug).await
}

async fn find_product_by_slug(connection: &mut PgConnection, slug: &str) -> Result<Product, CatalogueError> {
    // A URL can contain a NUL character, which PostgreSQL does not accept in text.
    if slug.contains('\0') {
        return Err(CatalogueError::ProductNotFound);
    }
    store::find_products_by_slugs(connection, &[slug.to_owned()]).await?.pop().ok_or(CatalogueError::ProductNotFound)
}

/// Locks a product until the transaction ends and returns its current state.
pub async fn lock_product(connection: &mut PgConnection, slug: &str) -> Result<Product, CatalogueError> {
    let known = find_product_by_slug(connection, slug).await?;
    store::lock_products(connection, &[known.id]).await?;
    let now = find_product_by_slug(connection, slug).await?;
    // The product may have just been deleted and its slug given to another one, which the seller did not mean.
    if now.id == known.id { Ok(now) } else { Err(CatalogueError::ProductNotFound) }
}
