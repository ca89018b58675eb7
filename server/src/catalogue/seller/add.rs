//! Putting a new product on sale.

use std::collections::HashSet;

use bytes::Bytes;
use sqlx::PgConnection;
use uuid::Uuid;

use super::pictures::MorePictures;
use super::product_field::RawProduct;
use super::product_input::{self, ProductDraft, Source};
use super::stock_edit::StockEdit;
use crate::catalogue::error::{CatalogueError, retry_on_contention};
use crate::catalogue::model::{self, NewProduct, Product, ProductDetails};
use crate::catalogue::store;
use crate::media::{self, PicturePurpose};
use crate::platform::ids::ProductId;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

/// The most slugs that are tried for one name: `rice`, `rice-2`, … `rice-1000`.
const MAX_DUPLICATE_NAMES: u32 = 1_000;

/// Adds a product from the seller's form.
pub async fn add_product(
    app: &App,
    seller: Uuid,
    raw: &RawProduct,
    picture: Option<Bytes>,
    more_pictures: Option<&str>,
) -> Result<Product, CatalogueError> {
    let categories = store::list_categories(&app.db.main).await?;
    let mut draft = product_input::parse_product(raw, None, &categories, Source::AddForm)?;
    if let Some(text) = more_pictures {
        draft.details.more_picture_keys = MorePictures::read(app, text, None).await?.into_keys();
    }
    if let Some(picture) = picture {
        draft.details.picture_key = Some(media::accept_upload(app, picture, PicturePurpose::Product).await?);
    }
    draft.details.arrange_pictures();
    retry_on_contention(|| try_add(app, seller, &draft)).await
}

async fn try_add(app: &App, seller: Uuid, draft: &ProductDraft) -> Result<Product, CatalogueError> {
    let stock = initial_stock(draft.stock);
    let mut tx = app.db.main.begin().await?;
    let (id, slug) = create_product(&mut tx, &draft.details, stock).await?;
    let audit_entry = NewAuditEntry {
        seller,
        action: "product.add",
        object: &id.to_string(),
        about: &draft.details.name,
        before: "",
        after: &format!("price {}, stock {stock}", draft.details.price.two_decimals()),
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    let added = store::find_products_by_slugs(&mut tx, &[slug]).await?.pop().ok_or(CatalogueError::ProductNotFound)?;
    tx.commit().await?;
    Ok(added)
}

/// The stock of a new product; the stock that the form showed before does not matter.
pub fn initial_stock(edit: Option<StockEdit>) -> i32 {
    edit.map_or(0, |edit| edit.requested)
}

/// Adds a product under a unique slug, which never changes while the product is sold.
pub async fn create_product(
    connection: &mut PgConnection,
    details: &ProductDetails,
    stock: i32,
) -> Result<(ProductId, String), CatalogueError> {
    let added = create_products(connection, &[(details, stock)]).await?;
    added.into_iter().next().ok_or(CatalogueError::TooManyDuplicates)
}

/// Adds many products at once and returns the id and slug of each, in the same order.
pub async fn create_products(
    connection: &mut PgConnection,
    new: &[(&ProductDetails, i32)],
) -> Result<Vec<(ProductId, String)>, CatalogueError> {
    let mut added: Vec<(ProductId, String)> = new.iter().map(|_| (ProductId::generate(), String::new())).collect();
    let mut tried = HashSet::new();
    let mut left: Vec<usize> = (0..new.len()).collect();
    // A taken slug is not tried again: one round tries the names, a second one resolves duplicates, and a third one is
    // rare.
    for _ in 0..MAX_DUPLICATE_NAMES {
        if left.is_empty() {
            return Ok(added);
        }
        for at in &left {
            if let (Some((details, _)), Some((id, slug))) = (new.get(*at), added.get_mut(*at)) {
                *slug = pick_free_slug(&details.name, *id, &mut tried)?;
            }
        }
        let lines: Vec<NewProduct<'_>> = left
            .iter()
            .filter_map(|at| {
                let ((details, stock), (id, slug)) = (new.get(*at)?, added.get(*at)?);
                Some(NewProduct { id: *id, slug, details, stock: *stock })
            })
            .collect();
        let inserted: HashSet<ProductId> = store::insert_products(connection, &lines).await?.into_iter().collect();
        left.retain(|at| added.get(*at).is_some_and(|(id, _)| !inserted.contains(id)));
    }
    Err(CatalogueError::TooManyDuplicates)
}

/// The first slug of this name that has not been tried.
fn pick_free_slug(name: &str, id: ProductId, tried: &mut HashSet<String>) -> Result<String, CatalogueError> {
    let slugs = (1..=MAX_DUPLICATE_NAMES).map(|nth| model::make_slug(name, id.0, nth));
    let slug = slugs.into_iter().find(|slug| !tried.contains(slug)).ok_or(CatalogueError::TooManyDuplicates)?;
    tried.insert(slug.clone());
    Ok(slug)
}
