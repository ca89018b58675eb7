//! Single products: reading, adding, changing and archiving them.

use std::collections::BTreeSet;

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::select::select_products;
use super::vocabulary::add_search_words;
use crate::catalogue::model::{NewProduct, Product, ProductDetails};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

pub async fn find_product(db: &PgPool, id: ProductId) -> sqlx::Result<Option<Product>> {
    Ok(find_products(db, &[id]).await?.pop())
}

pub async fn find_products(db: &PgPool, ids: &[ProductId]) -> sqlx::Result<Vec<Product>> {
    select_products!("p.aliases", ["p.id = ANY($1)"], ids as _).fetch_all(db).await
}

/// Finds products on sale by their slugs.
pub async fn find_products_by_slugs(connection: &mut PgConnection, slugs: &[String]) -> sqlx::Result<Vec<Product>> {
    select_products!("p.aliases", ["p.slug = ANY($1)"], slugs).fetch_all(connection).await
}

/// Returns which products on sale have these barcodes.
pub async fn find_barcode_owners(
    connection: &mut PgConnection,
    barcodes: &[String],
) -> sqlx::Result<Vec<(String, ProductId)>> {
    let rows = sqlx::query!(
        r#"SELECT barcode AS "barcode!", id AS "id: ProductId" FROM products
           WHERE barcode = ANY($1) AND barcode IS NOT NULL AND archived_at IS NULL"#,
        barcodes,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| (row.barcode, row.id)).collect())
}

/// A product with the names of the database columns.
#[derive(serde::Serialize)]
struct ProductRow<'a> {
    id: ProductId,
    slug: &'a str,
    stock: i32,
    category_id: Uuid,
    name: &'a str,
    name_ne: Option<&'a str>,
    description: &'a str,
    description_ne: Option<&'a str>,
    aliases: &'a [String],
    tags: &'a [String],
    tags_ne: &'a [String],
    price_paisa: i64,
    tax_class: &'static str,
    rating_tenths: i16,
    reviews: i32,
    pack_milli: Option<i32>,
    pack_measure: Option<&'a str>,
    pack_label: Option<&'a str>,
    pack_label_ne: Option<&'a str>,
    sold_by_weight: bool,
    barcode: Option<&'a str>,
    picture_key: Option<&'a str>,
    more_picture_keys: &'a [String],
    search_words: Vec<String>,
}

impl<'a> ProductRow<'a> {
    fn new(id: ProductId, details: &'a ProductDetails) -> Self {
        let pack = details.pack.as_ref();
        Self {
            id,
            slug: "",
            stock: 0,
            category_id: details.category,
            name: &details.name,
            name_ne: details.name_ne.as_deref(),
            description: &details.description,
            description_ne: details.description_ne.as_deref(),
            aliases: &details.aliases,
            tags: &details.tags,
            tags_ne: &details.tags_ne,
            price_paisa: details.price.0,
            tax_class: details.tax_class.name(),
            rating_tenths: details.rating_tenths,
            reviews: details.reviews,
            pack_milli: pack.map(|pack| pack.milli),
            pack_measure: pack.map(|pack| pack.measure.as_str()),
            pack_label: pack.map(|pack| pack.label.as_str()),
            pack_label_ne: pack.and_then(|pack| pack.label_ne.as_deref()),
            sold_by_weight: details.sold_by_weight,
            barcode: details.barcode.as_deref(),
            picture_key: details.picture_key.as_deref(),
            more_picture_keys: &details.more_picture_keys,
            search_words: details.search_words(),
        }
    }
}

/// Adds the products whose slug is free and returns their ids. Their first stock is a movement in the ledger like any
/// other, and their words are added to the search vocabulary.
pub async fn insert_products(conn: &mut PgConnection, new: &[NewProduct<'_>]) -> sqlx::Result<Vec<ProductId>> {
    let lines =
        new.iter().map(|new| ProductRow { slug: new.slug, stock: new.stock, ..ProductRow::new(new.id, new.details) });
    let added = sqlx::query_scalar!(
        r#"WITH added AS (
             INSERT INTO products (id, category_id, slug, name, name_ne, description, description_ne, aliases, tags, tags_ne,
                                   price_paisa, tax_class, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label,
                                   pack_label_ne, sold_by_weight, barcode, picture_key, more_picture_keys, search_words, updated_at)
             SELECT id, category_id, slug, name, name_ne, description, description_ne, aliases, tags, tags_ne, price_paisa,
                    tax_class, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label, pack_label_ne,
                    sold_by_weight, barcode, picture_key, more_picture_keys, search_words, clock_timestamp()
             FROM jsonb_to_recordset($1) new (
                 id uuid, category_id uuid, slug text, name text, name_ne text, description text, description_ne text,
                 aliases text[], tags text[], tags_ne text[], price_paisa bigint, tax_class text, stock integer,
                 rating_tenths smallint, reviews integer, pack_milli integer, pack_measure text, pack_label text,
                 pack_label_ne text, sold_by_weight boolean, barcode text, picture_key text, more_picture_keys text[],
                 search_words text[])
             ON CONFLICT ON CONSTRAINT products_slug_unique DO NOTHING
             RETURNING id, stock
         ), moved AS (
             INSERT INTO stock_movements (product_id, delta, reason) SELECT id, stock, 'first stock' FROM added WHERE stock <> 0
         )
         SELECT id AS "id: ProductId" FROM added"#,
        Json(lines.collect::<Vec<_>>()) as _,
    )
    .fetch_all(&mut *conn)
    .await?;
    let words: BTreeSet<String> = new.iter().flat_map(|new| new.details.search_words()).collect();
    add_search_words(conn, &words.into_iter().collect::<Vec<_>>()).await?;
    Ok(added)
}

/// Updates everything but the slug and stock of products; each gets a new version. While a sale runs, the price
/// is the regular one, and a raised one is not shown as the price before the sale. The caller must lock them first.
pub async fn update_products(
    connection: &mut PgConnection,
    products: &[(ProductId, &ProductDetails)],
) -> sqlx::Result<()> {
    let lines = products.iter().map(|(id, details)| ProductRow::new(*id, details));
    sqlx::query!(
        "UPDATE products p
         SET category_id = new.category_id, name = new.name, name_ne = new.name_ne, description = new.description,
             description_ne = new.description_ne, aliases = new.aliases, tags = new.tags, tags_ne = new.tags_ne,
             price_paisa = CASE WHEN p.regular_price_paisa IS NULL THEN new.price_paisa ELSE p.price_paisa END,
             regular_price_paisa = CASE WHEN p.regular_price_paisa IS NOT NULL THEN new.price_paisa END,
             was_price_paisa = CASE WHEN p.was_price_paisa IS NOT NULL THEN least(p.was_price_paisa, new.price_paisa) END,
             tax_class = new.tax_class, rating_tenths = new.rating_tenths,
             reviews = new.reviews, pack_milli = new.pack_milli, pack_measure = new.pack_measure,
             pack_label = new.pack_label, pack_label_ne = new.pack_label_ne, sold_by_weight = new.sold_by_weight,
             barcode = new.barcode, picture_key = new.picture_key, more_picture_keys = new.more_picture_keys,
             search_words = new.search_words, updated_at = clock_timestamp()
         FROM jsonb_to_recordset($1) new (
             id uuid, category_id uuid, name text, name_ne text, description text, description_ne text, aliases text[],
             tags text[], tags_ne text[], price_paisa bigint, tax_class text, rating_tenths smallint, reviews integer,
             pack_milli integer, pack_measure text, pack_label text, pack_label_ne text, sold_by_weight boolean,
             barcode text, picture_key text, more_picture_keys text[], search_words text[])
         WHERE p.id = new.id",
        Json(lines.collect::<Vec<_>>()) as _,
    )
    .execute(&mut *connection)
    .await?;
    let words: BTreeSet<String> = products.iter().flat_map(|(_, details)| details.search_words()).collect();
    add_search_words(connection, &words.into_iter().collect::<Vec<_>>()).await
}

/// Removes a product from the shop. Its slug becomes free for another product; orders keep their own copy.
pub async fn archive_product(
    connection: &mut PgConnection,
    product: ProductId,
    slug: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE products SET archived_at = $3, updated_at = clock_timestamp(), slug = $2 WHERE id = $1",
        product.0,
        slug,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns which of these pictures a product or a category shows, or an import will show that has not ended; archived
/// products count, because old orders show them.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"SELECT picture_key AS "key!" FROM products WHERE picture_key = ANY($1)
           UNION SELECT unnest(more_picture_keys) FROM products WHERE more_picture_keys && $1
           UNION SELECT picture_key FROM categories WHERE picture_key = ANY($1)
           UNION SELECT icon_key FROM categories WHERE icon_key = ANY($1)
           UNION SELECT picture_key FROM import_pictures JOIN imports ON imports.id = import_id
                 WHERE picture_key = ANY($1) AND finished_at IS NULL"#,
        keys,
    )
    .fetch_all(db)
    .await
}
