//! Changing a product, and taking it out of the shop. Nobody's edit is lost: whoever saw an older version is told, and a
//! change of stock is the difference that was meant.

use bytes::Bytes;
use sqlx::PgConnection;
use uuid::Uuid;

use super::entry::{self, Difference, Entry, Source, Written};
use super::model::{Category, Product};
use super::{CatalogueError, patiently, store};
use crate::media::{self, Shape};
use crate::platform::state::App;
use crate::seller::{self, Deed};

/// How much of a long text the audit log keeps.
const KEPT_OF_A_TEXT: usize = 200;

pub enum Picture {
    Stays,
    Goes,
    Becomes(Bytes),
}

pub async fn edit(
    app: &App,
    seller: Uuid,
    slug: &str,
    written: &Written,
    picture: Picture,
) -> Result<Product, CatalogueError> {
    // A picture takes longer than any other part; nothing is locked meanwhile. Whatever can be refused without it is, first.
    let categories = store::categories(&app.db.main).await?;
    let known = find(&app.db.main, slug).await?;
    entry::read(written, Some(&Entry::of(&known)), &categories, Source::EditForm)?;
    let picture_key = match picture {
        Picture::Stays => None,
        Picture::Goes => Some(None),
        Picture::Becomes(file) => Some(Some(media::accept(app, file, Shape::Product).await?)),
    };
    patiently(|| try_edit(app, seller, slug, written, &categories, picture_key.as_ref())).await
}

async fn try_edit(
    app: &App,
    seller: Uuid,
    slug: &str,
    written: &Written,
    categories: &[Category],
    picture_key: Option<&Option<String>>,
) -> Result<Product, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let product = lock(&mut tx, slug).await?;
    let before = Entry::of(&product);
    let wish = entry::read(written, Some(&before), categories, Source::EditForm)?;
    if wish.version.is_some_and(|seen| seen != product.updated_at) {
        return Err(CatalogueError::ProductChanged(Box::new(product)));
    }
    let mut after = wish.entry;
    if let Some(key) = picture_key {
        after.picture_key.clone_from(key);
    }
    let difference = match wish.stock.map(|stock| stock.difference(product.stock)) {
        None => 0,
        Some(Ok(difference)) => difference,
        Some(Err(_)) => return Err(CatalogueError::StockChanged(Box::new(product))),
    };
    if after != before {
        store::write_entries(&mut tx, &[(product.id, &after)]).await?;
    }
    store::move_stock(&mut tx, &[product.id], &[difference], "seller").await?;
    let changes = changes(&before, product.stock, &after, product.stock + difference, categories);
    if !changes.is_empty() {
        let action = if after == before { "product.stock" } else { "product.update" };
        let (was, is) = in_words(&changes);
        let object = product.id.to_string();
        let deed = Deed { seller, action, object: &object, about: &product.name, before: &was, after: &is };
        seller::note(&mut tx, &deed).await?;
    }
    let now = by_slug(&mut tx, slug).await?;
    tx.commit().await?;
    Ok(now)
}

/// Out of the shop. Old orders keep their copy of it; carts drop it and say so.
pub async fn remove(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    patiently(|| try_remove(app, seller, slug)).await
}

async fn try_remove(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let product = lock(&mut tx, slug).await?;
    let freed = format!("{slug}-{}", product.id.simple());
    store::archive(&mut tx, product.id, &freed, app.clock.now()).await?;
    let object = product.id.to_string();
    let before = format!("{slug}, stock {}", product.stock);
    let deed =
        Deed { seller, action: "product.delete", object: &object, about: &product.name, before: &before, after: "" };
    seller::note(&mut tx, &deed).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn find(db: &sqlx::PgPool, slug: &str) -> Result<Product, CatalogueError> {
    by_slug(&mut *db.acquire().await?, slug).await
}

async fn by_slug(connection: &mut PgConnection, slug: &str) -> Result<Product, CatalogueError> {
    // An address may hold what the database takes for no text.
    if slug.contains('\0') {
        return Err(CatalogueError::ProductNotFound);
    }
    store::by_slugs(connection, &[slug.to_owned()]).await?.pop().ok_or(CatalogueError::ProductNotFound)
}

/// As it is now, and stays until the transaction ends.
async fn lock(connection: &mut PgConnection, slug: &str) -> Result<Product, CatalogueError> {
    let known = by_slug(connection, slug).await?;
    store::lock_products(connection, &[known.id]).await?;
    let now = by_slug(connection, slug).await?;
    // Whoever deleted it in this moment may have given its slug to another, which is not the one that was meant.
    if now.id == known.id { Ok(now) } else { Err(CatalogueError::ProductNotFound) }
}

pub fn changes(
    before: &Entry,
    stock_before: i32,
    after: &Entry,
    stock_after: i32,
    categories: &[Category],
) -> Vec<Difference> {
    let name = |entry: &Entry| {
        let found = categories.iter().find(|category| category.id == entry.category);
        found.map(|category| category.name.clone()).unwrap_or_default()
    };
    let was = entry::cells(before, &name(before), stock_before);
    let is = entry::cells(after, &name(after), stock_after);
    let mut changes = entry::differences(&was, &is);
    if before.picture_key != after.picture_key {
        let key = |entry: &Entry| entry.picture_key.clone().unwrap_or_default();
        changes.push(Difference { column: "picture".to_owned(), before: key(before), after: key(after) });
    }
    changes
}

/// For the audit log: what was, and what is.
pub fn in_words(changes: &[Difference]) -> (String, String) {
    let side = |text: fn(&Difference) -> &str| {
        let parts = changes.iter().map(|change| {
            let kept: String = text(change).chars().take(KEPT_OF_A_TEXT).collect();
            format!("{}: {kept}", change.column)
        });
        parts.collect::<Vec<_>>().join("; ")
    };
    (side(|change| &change.before), side(|change| &change.after))
}
