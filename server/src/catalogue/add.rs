//! Putting a new product on sale.

use std::collections::HashSet;

use bytes::Bytes;
use sqlx::PgConnection;
use uuid::Uuid;

use super::entry::{self, Entry, Source, StockWish, Wish, Written};
use super::model::Product;
use super::store::{self, NewProduct};
use super::{CatalogueError, model, patiently};
use crate::media::{self, Shape};
use crate::platform::state::App;
use crate::seller::{self, Deed};

/// Twins of one name before giving up: `rice`, `rice-2`, … `rice-1000`.
const MAX_TWINS: u32 = 1_000;

/// A new product, as the seller's form says.
pub async fn add(
    app: &App,
    seller: Uuid,
    written: &Written,
    picture: Option<Bytes>,
) -> Result<Product, CatalogueError> {
    let categories = store::categories(&app.db.main).await?;
    let mut wish = entry::read(written, None, &categories, Source::AddForm)?;
    if let Some(picture) = picture {
        wish.entry.picture_key = Some(media::accept(app, picture, Shape::Product).await?);
    }
    patiently(|| try_add(app, seller, &wish)).await
}

async fn try_add(app: &App, seller: Uuid, wish: &Wish) -> Result<Product, CatalogueError> {
    let stock = first_stock(wish.stock);
    let mut tx = app.db.main.begin().await?;
    let (id, slug) = put_on_sale(&mut tx, &wish.entry, stock).await?;
    let deed = Deed {
        seller,
        action: "product.add",
        object: &id.to_string(),
        about: &wish.entry.name,
        before: "",
        after: &format!("price {}, stock {stock}", wish.entry.price.two_decimals()),
    };
    seller::note(&mut tx, &deed).await?;
    let added = store::by_slugs(&mut tx, &[slug]).await?.pop().ok_or(CatalogueError::ProductNotFound)?;
    tx.commit().await?;
    Ok(added)
}

/// Of a product that was not there: what was seen before means nothing.
pub fn first_stock(wish: Option<StockWish>) -> i32 {
    wish.map_or(0, |wish| wish.wanted)
}

/// Adds the product under a slug of its own, which never changes while it is sold.
pub async fn put_on_sale(
    connection: &mut PgConnection,
    entry: &Entry,
    stock: i32,
) -> Result<(Uuid, String), CatalogueError> {
    let added = put_all_on_sale(connection, &[(entry, stock)]).await?;
    added.into_iter().next().ok_or(CatalogueError::TooManyTwins)
}

/// Many at once: id and slug of each, in their order.
pub async fn put_all_on_sale(
    connection: &mut PgConnection,
    new: &[(&Entry, i32)],
) -> Result<Vec<(Uuid, String)>, CatalogueError> {
    let mut added: Vec<(Uuid, String)> = new.iter().map(|_| (Uuid::now_v7(), String::new())).collect();
    let mut tried = HashSet::new();
    let mut left: Vec<usize> = (0..new.len()).collect();
    // A slug that somebody has is not tried again: a round for the names, one more for twins in the shop, rarely a third.
    for _ in 0..MAX_TWINS {
        if left.is_empty() {
            return Ok(added);
        }
        for at in &left {
            if let (Some((entry, _)), Some((id, slug))) = (new.get(*at), added.get_mut(*at)) {
                *slug = free_slug(&entry.name, *id, &mut tried)?;
            }
        }
        let lines: Vec<NewProduct<'_>> = left
            .iter()
            .filter_map(|at| {
                let ((entry, stock), (id, slug)) = (new.get(*at)?, added.get(*at)?);
                Some(NewProduct { id: *id, slug, entry, stock: *stock })
            })
            .collect();
        let inserted: HashSet<Uuid> = store::insert_products(connection, &lines).await?.into_iter().collect();
        left.retain(|at| added.get(*at).is_some_and(|(id, _)| !inserted.contains(id)));
    }
    Err(CatalogueError::TooManyTwins)
}

/// The first slug of this name that has not been tried.
fn free_slug(name: &str, id: Uuid, tried: &mut HashSet<String>) -> Result<String, CatalogueError> {
    let slugs = (1..=MAX_TWINS).map(|nth| model::slug(name, id, nth));
    let slug = slugs.into_iter().find(|slug| !tried.contains(slug)).ok_or(CatalogueError::TooManyTwins)?;
    tried.insert(slug.clone());
    Ok(slug)
}
