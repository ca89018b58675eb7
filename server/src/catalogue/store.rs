//! All SQL of the catalogue.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{
    Category, CellError, Cursor, CursorKey, ImportRow, Offer, Product, ProductDetails, ProductSort, SellerProductSort,
};
use crate::platform::messages::{Message, StoredMessage};
use crate::platform::money::Paisa;

/// Selects products with their categories: the columns that every query for products needs. Aliases are needed only for
/// ranking and for the seller, so each query says where they come from.
macro_rules! select_products {
    ($aliases:literal, [$($rest:literal),+], $($argument:expr),+) => {
        sqlx::query_as!(
            Product,
            r#"SELECT p.id, p.position, p.slug, p.name, p.name_key AS "name_key!", p.name_ne, p.description,
                      p.description_ne, p.tags, p.tags_ne, p.price_paisa AS "price: Paisa", p.tax_class, p.stock, p.rating_tenths,
                      p.reviews, p.rank AS "rank!", p.pack_milli, p.pack_measure, p.pack_label, p.pack_label_ne,
                      p.picture_key, p.category_id AS "category_id!", p.updated_at, c.name AS category, c.name_ne AS category_ne,
                      c.slug AS category_slug, "#
                + $aliases
                + r#" AS "aliases!"
               FROM products p JOIN categories c ON c.id = p.category_id
               WHERE p.archived_at IS NULL AND "#
                $(+ $rest)+,
            $($argument),+
        )
    };
}

/// Selects one page in one order. Every combination of order and filter is a separate statement, because each must use
/// its own index.
macro_rules! page {
    ($db:expr, $seek:literal, $filter:literal, $order:literal, $($argument:expr),+) => {
        select_products!("'{}'::text[]", [$seek, $filter, " ORDER BY ", $order, " LIMIT $3"], $($argument),+)
            .fetch_all($db)
            .await
    };
}

/// Selects a page in the order that the shopper chose, for one filter. A first page seeks from before the first
/// product.
macro_rules! sorted_page {
    ($db:expr, $sort:expr, $start:expr, $limit:expr, $filter:literal $(, $argument:expr)*) => {{
        let SeekStart { number, text, id } = $start;
        match $sort {
            ProductSort::Featured => page!($db, "(p.position, p.id) > ($1, $2)", $filter, "p.position, p.id", number, id, $limit $(, $argument)*),
            ProductSort::Newest => page!($db, "(p.position, p.id) < ($1, $2)", $filter, "p.position DESC, p.id DESC", number, id, $limit $(, $argument)*),
            ProductSort::Name => page!($db, "(p.name_key, p.id) > ($1, $2)", $filter, "p.name_key, p.id", text, id, $limit $(, $argument)*),
            ProductSort::PriceAsc => page!($db, "(p.price_paisa, p.id) > ($1, $2)", $filter, "p.price_paisa, p.id", number, id, $limit $(, $argument)*),
            ProductSort::PriceDesc => page!($db, "(p.price_paisa, p.id) < ($1, $2)", $filter, "p.price_paisa DESC, p.id DESC", number, id, $limit $(, $argument)*),
            ProductSort::Rating => page!($db, "(p.rank, p.id) < ($1, $2)", $filter, "p.rank DESC, p.id DESC", number, id, $limit $(, $argument)*),
        }
    }};
}

struct SeekStart<'a> {
    number: i64,
    text: &'a str,
    id: Uuid,
}

impl<'a> SeekStart<'a> {
    fn new(sort: ProductSort, cursor: Option<&'a Cursor>) -> Self {
        let falling = matches!(sort, ProductSort::Newest | ProductSort::PriceDesc | ProductSort::Rating);
        let mut start = Self {
            number: if falling { i64::MAX } else { i64::MIN },
            text: "",
            id: if falling { Uuid::max() } else { Uuid::nil() },
        };
        if let Some(cursor) = cursor {
            start.id = cursor.id;
            match &cursor.key {
                CursorKey::Number(number) => start.number = *number,
                CursorKey::Text(text) => start.text = text,
            }
        }
        start
    }
}

/// The text that a name must contain.
pub struct NameQuery {
    /// The pattern for LIKE: the text with anything around it.
    pub pattern: String,
    /// The text itself when it is too short for trigrams: one or two letters.
    pub short: Option<String>,
}

pub async fn list_products(
    db: &PgPool,
    sort: ProductSort,
    cursor: Option<&Cursor>,
    limit: i64,
    category: Option<Uuid>,
    name: Option<&NameQuery>,
) -> sqlx::Result<Vec<Product>> {
    let start = SeekStart::new(sort, cursor);
    let pattern = name.map(|name| name.pattern.as_str());
    let short = name.and_then(|name| name.short.as_deref());
    // LIKE beside `letters_and_bigrams` costs nothing and is tried first when the planner scans in sort order instead
    // of using the index. It is written so that the trigram index, which is useless for such a short text, is not read
    // as well.
    match (category, pattern, short) {
        (None, None, _) => sorted_page!(db, sort, start, limit, ""),
        (Some(category), None, _) => sorted_page!(db, sort, start, limit, " AND p.category_id = $4", category),
        (None, Some(pattern), None) => sorted_page!(db, sort, start, limit, " AND p.name_key LIKE $4", pattern),
        (None, Some(pattern), Some(short)) => sorted_page!(
            db,
            sort,
            start,
            limit,
            " AND (p.name_key || '') LIKE $4 AND letters_and_bigrams(p.name_key) @> ARRAY[$5::text]",
            pattern,
            short
        ),
        (Some(category), Some(pattern), None) => {
            sorted_page!(db, sort, start, limit, " AND p.category_id = $4 AND p.name_key LIKE $5", category, pattern)
        }
        (Some(category), Some(pattern), Some(short)) => sorted_page!(
            db,
            sort,
            start,
            limit,
            " AND p.category_id = $4 AND (p.name_key || '') LIKE $5 AND letters_and_bigrams(p.name_key) @> ARRAY[$6::text]",
            category,
            pattern,
            short
        ),
    }
}

/// Counts the products that a search finds, up to `cap`.
pub async fn count_name_matches(db: &PgPool, category: Option<Uuid>, pattern: &str, cap: i64) -> sqlx::Result<i64> {
    match category {
        None => {
            sqlx::query_scalar!(
                r#"SELECT count(*) AS "count!" FROM (
                       SELECT FROM products WHERE archived_at IS NULL AND name_key LIKE $1 LIMIT $2) found"#,
                pattern,
                cap,
            )
            .fetch_one(db)
            .await
        }
        Some(category) => {
            sqlx::query_scalar!(
                r#"SELECT count(*) AS "count!" FROM (
                       SELECT FROM products
                       WHERE archived_at IS NULL AND category_id = $3 AND name_key LIKE $1 LIMIT $2) found"#,
                pattern,
                cap,
                category,
            )
            .fetch_one(db)
            .await
        }
    }
}

/// Finds products that have a word of each of up to four groups; `pattern` leaves out those that the plain search
/// already shows. The caller ranks the products, so they are not sorted.
pub async fn find_products_by_words(
    db: &PgPool,
    groups: [&[String]; 4],
    category: Option<Uuid>,
    pattern: &str,
    limit: i64,
) -> sqlx::Result<Vec<Product>> {
    let [first, second, third, fourth] = groups;
    select_products!(
        "p.aliases",
        ["p.search_words && $1 AND p.search_words && $2 AND p.search_words && $3 AND p.search_words && $4
             AND p.name_key NOT LIKE $5 AND ($6::uuid IS NULL OR p.category_id = $6) LIMIT $7"],
        first,
        second,
        third,
        fourth,
        pattern,
        category,
        limit
    )
    .fetch_all(db)
    .await
}

/// Finds words of the vocabulary that match `pattern`, and those that are most similar to `word`.
pub async fn find_similar_words(db: &PgPool, word: &str, pattern: &str) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"SELECT word AS "word!" FROM (
               (SELECT word FROM search_vocabulary WHERE word LIKE $2 ORDER BY length(word), word LIMIT 40)
               UNION
               (SELECT word FROM search_vocabulary ORDER BY word <-> $1 LIMIT 40)) candidates"#,
        word,
        pattern,
    )
    .fetch_all(db)
    .await
}

pub async fn find_product(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Product>> {
    Ok(find_products(db, &[id]).await?.pop())
}

pub async fn find_products(db: &PgPool, ids: &[Uuid]) -> sqlx::Result<Vec<Product>> {
    select_products!("p.aliases", ["p.id = ANY($1)"], ids).fetch_all(db).await
}

pub async fn find_by_name(
    connection: &mut PgConnection,
    pattern: &str,
    words: Option<&[String]>,
    limit: i64,
) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!(
        "SELECT id FROM products WHERE name_key LIKE $1 OR search_words @> $2::text[] LIMIT $3",
        pattern,
        words,
        limit,
    )
    .fetch_all(connection)
    .await
}

/// Finds what an order copies of these products, and whether they are on sale.
pub async fn find_offers(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<Offer>> {
    sqlx::query_as!(
        Offer,
        r#"SELECT id AS "id!", name AS "name!", name_ne, picture_key, price_paisa AS "price!: Paisa",
                  tax_class AS "tax_class!", stock AS "stock!", on_sale AS "on_sale!", pack_label, pack_label_ne
           FROM product_offers($1)"#,
        ids,
    )
    .fetch_all(connection)
    .await
}

/// Returns whether everything is in stock. Locks the products until the transaction ends, in the order of their ids.
pub async fn check_stock(connection: &mut PgConnection, ids: &[Uuid], quantities: &[i32]) -> sqlx::Result<bool> {
    let enough = sqlx::query_scalar!(
        r#"SELECT p.stock >= requested.quantity AS "enough!"
           FROM products p JOIN unnest($1::uuid[], $2::integer[]) requested (id, quantity) ON requested.id = p.id
           ORDER BY p.id FOR NO KEY UPDATE OF p"#,
        ids,
        quantities,
    )
    .fetch_all(connection)
    .await?;
    Ok(enough.len() == ids.len() && enough.into_iter().all(|enough| enough))
}

pub async fn take_stock(
    connection: &mut PgConnection,
    order: Uuid,
    ids: &[Uuid],
    quantities: &[i32],
    why: &str,
) -> sqlx::Result<()> {
    sqlx::query!("SELECT take_stock($1, $2, $3, NULL, $4)", order, ids, quantities, why).fetch_one(connection).await?;
    Ok(())
}

pub async fn lock_products(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM products WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE", ids)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn release_stock(connection: &mut PgConnection, order: Uuid, why: &str) -> sqlx::Result<()> {
    sqlx::query!("SELECT release_stock($1, $2)", order, why).fetch_one(connection).await?;
    Ok(())
}

/// Selects categories; their products are not counted yet.
macro_rules! select_categories {
    ($rest:literal $(, $argument:expr)*) => {
        sqlx::query_as!(
            Category,
            r#"SELECT id, slug, name, name_ne, description, description_ne, picture_key, icon_key, 0::bigint AS "products!",
                      updated_at
               FROM categories "# + $rest
            $(, $argument)*
        )
    };
}

/// Lists all categories in the order in which they were added.
pub async fn list_categories(db: &PgPool) -> sqlx::Result<Vec<Category>> {
    select_categories!("ORDER BY position").fetch_all(db).await
}

/// Counts the products on sale in each category. It reads a whole index, so it should run only when the listing has
/// changed.
pub async fn count_products(db: &PgPool) -> sqlx::Result<HashMap<Uuid, i64>> {
    let rows = sqlx::query!(
        r#"SELECT category_id AS "category_id!", count(*) AS "products!" FROM products WHERE archived_at IS NULL GROUP BY category_id"#
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.category_id, row.products)).collect())
}

/// What the sitemap needs of a product.
pub struct SitemapProduct {
    pub id: Uuid,
    pub category_slug: String,
    pub updated_at: DateTime<Utc>,
}

pub async fn list_sitemap_products(db: &PgPool, from: i64, to: i64) -> sqlx::Result<Vec<SitemapProduct>> {
    sqlx::query_as!(
        SitemapProduct,
        "SELECT p.id, c.slug AS category_slug, p.updated_at
         FROM products p JOIN categories c ON c.id = p.category_id
         WHERE p.archived_at IS NULL AND p.position >= $1 AND p.position < $2
         ORDER BY p.position",
        from,
        to,
    )
    .fetch_all(db)
    .await
}

pub async fn find_last_position(db: &PgPool) -> sqlx::Result<i64> {
    let last = sqlx::query_scalar!(
        "SELECT position FROM products WHERE archived_at IS NULL ORDER BY position DESC, id DESC LIMIT 1"
    );
    Ok(last.fetch_optional(db).await?.unwrap_or(0))
}

pub struct NewCategory<'a> {
    pub name: &'a str,
    pub name_ne: Option<&'a str>,
    pub description: &'a str,
    pub description_ne: Option<&'a str>,
    pub picture_key: Option<&'a str>,
    pub icon_key: Option<&'a str>,
}

/// Returns the id of the category with this slug, which is created if it is new. An existing category only gets missing
/// pictures.
pub async fn ensure_category(conn: &mut PgConnection, slug: &str, category: &NewCategory<'_>) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO categories (id, slug, name, name_ne, description, description_ne, picture_key, icon_key)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
         ON CONFLICT ON CONSTRAINT categories_slug_unique DO UPDATE SET picture_key = coalesce(categories.picture_key, excluded.picture_key),
             icon_key = coalesce(categories.icon_key, excluded.icon_key)
         RETURNING id",
        Uuid::now_v7(),
        slug,
        category.name,
        category.name_ne,
        category.description,
        category.description_ne,
        category.picture_key,
        category.icon_key,
    )
    .fetch_one(conn)
    .await
}

/// A product to be added.
pub struct NewProduct<'a> {
    pub id: Uuid,
    pub slug: &'a str,
    pub details: &'a ProductDetails,
    pub stock: i32,
}

/// Adds the products whose slug is free and returns their ids. Their first stock is a movement in the ledger like any
/// other, and their words are added to the search vocabulary.
pub async fn insert_products(conn: &mut PgConnection, new: &[NewProduct<'_>]) -> sqlx::Result<Vec<Uuid>> {
    let lines =
        new.iter().map(|new| ProductRow { slug: new.slug, stock: new.stock, ..ProductRow::new(new.id, new.details) });
    let lines = to_json(lines.collect::<Vec<_>>())?;
    let added = sqlx::query_scalar!(
        "WITH added AS (
             INSERT INTO products (id, category_id, slug, name, name_ne, description, description_ne, aliases, tags, tags_ne,
                                   price_paisa, tax_class, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label,
                                   pack_label_ne, picture_key, search_words, updated_at)
             SELECT id, category_id, slug, name, name_ne, description, description_ne, aliases, tags, tags_ne, price_paisa,
                    tax_class, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label, pack_label_ne, picture_key,
                    search_words, clock_timestamp()
             FROM jsonb_to_recordset($1) new (
                 id uuid, category_id uuid, slug text, name text, name_ne text, description text, description_ne text,
                 aliases text[], tags text[], tags_ne text[], price_paisa bigint, tax_class text, stock integer,
                 rating_tenths smallint, reviews integer, pack_milli integer, pack_measure text, pack_label text,
                 pack_label_ne text, picture_key text, search_words text[])
             ON CONFLICT ON CONSTRAINT products_slug_unique DO NOTHING
             RETURNING id, stock
         ), moved AS (
             INSERT INTO stock_movements (product_id, delta, reason) SELECT id, stock, 'first stock' FROM added WHERE stock <> 0
         )
         SELECT id FROM added",
        lines,
    )
    .fetch_all(&mut *conn)
    .await?;
    let words: BTreeSet<String> = new.iter().flat_map(|new| new.details.search_words()).collect();
    add_search_words(conn, &words.into_iter().collect::<Vec<_>>()).await?;
    Ok(added)
}

fn to_json(lines: Vec<ProductRow<'_>>) -> sqlx::Result<serde_json::Value> {
    serde_json::to_value(lines).map_err(|error| sqlx::Error::Encode(Box::new(error)))
}

/// Finds products on sale by their slugs.
pub async fn find_products_by_slugs(connection: &mut PgConnection, slugs: &[String]) -> sqlx::Result<Vec<Product>> {
    select_products!("p.aliases", ["p.slug = ANY($1)"], slugs).fetch_all(connection).await
}

/// Lists the next products after this position, for the export of all products.
pub async fn list_products_after(db: &PgPool, position: i64, limit: i64) -> sqlx::Result<Vec<Product>> {
    select_products!("p.aliases", ["p.position > $1 ORDER BY p.position, p.id LIMIT $2"], position, limit)
        .fetch_all(db)
        .await
}

/// A product with the names of the database columns.
#[derive(serde::Serialize)]
struct ProductRow<'a> {
    id: Uuid,
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
    picture_key: Option<&'a str>,
    search_words: Vec<String>,
}

impl<'a> ProductRow<'a> {
    fn new(id: Uuid, details: &'a ProductDetails) -> Self {
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
            picture_key: details.picture_key.as_deref(),
            search_words: details.search_words(),
        }
    }
}

/// Updates everything but the slug and stock of products; each gets a new version. The caller must lock them first.
pub async fn update_products(connection: &mut PgConnection, products: &[(Uuid, &ProductDetails)]) -> sqlx::Result<()> {
    let lines = to_json(products.iter().map(|(id, details)| ProductRow::new(*id, details)).collect())?;
    sqlx::query!(
        "UPDATE products p
         SET category_id = new.category_id, name = new.name, name_ne = new.name_ne, description = new.description,
             description_ne = new.description_ne, aliases = new.aliases, tags = new.tags, tags_ne = new.tags_ne,
             price_paisa = new.price_paisa, tax_class = new.tax_class, rating_tenths = new.rating_tenths,
             reviews = new.reviews, pack_milli = new.pack_milli, pack_measure = new.pack_measure,
             pack_label = new.pack_label, pack_label_ne = new.pack_label_ne, picture_key = new.picture_key,
             search_words = new.search_words, updated_at = clock_timestamp()
         FROM jsonb_to_recordset($1) new (
             id uuid, category_id uuid, name text, name_ne text, description text, description_ne text, aliases text[],
             tags text[], tags_ne text[], price_paisa bigint, tax_class text, rating_tenths smallint, reviews integer,
             pack_milli integer, pack_measure text, pack_label text, pack_label_ne text, picture_key text,
             search_words text[])
         WHERE p.id = new.id",
        lines,
    )
    .execute(&mut *connection)
    .await?;
    let words: BTreeSet<String> = products.iter().flat_map(|(_, details)| details.search_words()).collect();
    add_search_words(connection, &words.into_iter().collect::<Vec<_>>()).await
}

/// Applies the seller's changes of stock and adds them to the ledger. The caller must lock the products first.
pub async fn adjust_stock(
    connection: &mut PgConnection,
    ids: &[Uuid],
    differences: &[i32],
    why: &str,
) -> sqlx::Result<()> {
    sqlx::query!(
        "WITH moved AS (SELECT * FROM unnest($1::uuid[], $2::integer[]) m (id, delta) WHERE delta <> 0), updated AS (
             UPDATE products p SET stock = p.stock + moved.delta FROM moved WHERE p.id = moved.id)
         INSERT INTO stock_movements (product_id, delta, reason) SELECT id, delta, $3 FROM moved",
        ids,
        differences,
        why,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes a product from the shop. Its slug becomes free for another product; orders keep their own copy.
pub async fn archive_product(
    connection: &mut PgConnection,
    product: Uuid,
    slug: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE products SET archived_at = $3, updated_at = clock_timestamp(), slug = $2 WHERE id = $1",
        product,
        slug,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// A filter for low-stock products.
pub struct LowStockFilter<'a> {
    pub min_stock: i32,
    pub max_stock: i32,
    /// Part of a name; products in one of the categories match as well. `None` matches all products.
    pub pattern: Option<&'a str>,
    pub categories: &'a [Uuid],
}

/// The place after which a page of low-stock products begins.
pub struct LowStockCursor<'a> {
    pub stock: i32,
    pub cursor: Option<&'a Cursor>,
}

macro_rules! list_low_stock {
    ($db:expr, $filter:expr, $seek:literal, $order:literal, $limit:expr, $($argument:expr),+) => {
        sqlx::query_as!(
            LowStockRow,
            "SELECT product_id AS id, stock, position, name_key, price_paisa FROM low_stock_products
             WHERE stock BETWEEN $1 AND $2 AND ($3::text IS NULL OR name_key LIKE $3 OR category_id = ANY($4)) AND "
                + $seek + " ORDER BY " + $order + " LIMIT $5",
            $filter.min_stock, $filter.max_stock, $filter.pattern, $filter.categories, $limit, $($argument),+
        )
        .fetch_all($db)
        .await
    };
}

/// A row of the table of low-stock products.
pub struct LowStockRow {
    pub id: Uuid,
    pub stock: i32,
    pub position: i64,
    pub name_key: String,
    pub price_paisa: i64,
}

/// Lists a page of low-stock products from their own table only.
pub async fn list_low_stock(
    db: &PgPool,
    sort: SellerProductSort,
    filter: &LowStockFilter<'_>,
    start: &LowStockCursor<'_>,
    limit: i64,
) -> sqlx::Result<Vec<LowStockRow>> {
    let SeekStart { number, text, id } = SeekStart::new(sort.storefront_sort().unwrap_or_default(), start.cursor);
    match sort {
        SellerProductSort::Stock => list_low_stock!(
            db,
            filter,
            "(stock, position, product_id) > ($6, $7, $8)",
            "stock, position, product_id",
            limit,
            start.stock,
            number,
            id
        ),
        SellerProductSort::Newest => list_low_stock!(
            db,
            filter,
            "(position, product_id) < ($6, $7)",
            "position DESC, product_id DESC",
            limit,
            number,
            id
        ),
        SellerProductSort::Name => {
            list_low_stock!(db, filter, "(name_key, product_id) > ($6, $7)", "name_key, product_id", limit, text, id)
        }
        SellerProductSort::PriceAsc => list_low_stock!(
            db,
            filter,
            "(price_paisa, product_id) > ($6, $7)",
            "price_paisa, product_id",
            limit,
            number,
            id
        ),
        SellerProductSort::PriceDesc => list_low_stock!(
            db,
            filter,
            "(price_paisa, product_id) < ($6, $7)",
            "price_paisa DESC, product_id DESC",
            limit,
            number,
            id
        ),
    }
}

pub async fn count_low_stock(db: &PgPool, filter: &LowStockFilter<'_>, cap: i64) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
               SELECT FROM low_stock_products
               WHERE stock BETWEEN $1 AND $2 AND (name_key LIKE $3 OR category_id = ANY($4)) LIMIT $5) found"#,
        filter.min_stock,
        filter.max_stock,
        filter.pattern,
        filter.categories,
        cap,
    )
    .fetch_one(db)
    .await
}

/// Counts the name matches outside these categories, among the first `cap` matches.
pub async fn count_name_matches_outside(
    db: &PgPool,
    name: &NameQuery,
    categories: &[Uuid],
    cap: i64,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM find_products_by_name($1, $2, $4) found JOIN products p ON p.id = found.id
           WHERE p.category_id <> ALL($3)"#,
        name.pattern,
        name.short,
        categories,
        cap,
    )
    .fetch_one(db)
    .await
}

/// The products whose name contains a text.
pub struct NameMatches {
    /// The number of matches, up to the requested maximum.
    pub total: i64,
    pub ids: Vec<Uuid>,
}

/// Selects a page of name matches in one order: finds them by the index, up to a maximum, and sorts them.
macro_rules! list_name_matches {
    ($db:expr, $name:expr, $most:expr, $seek:literal, $order:literal, $limit:expr, $key:expr, $id:expr) => {
        sqlx::query_as!(
            NameMatches,
            r#"WITH found AS MATERIALIZED (SELECT * FROM find_products_by_name($1, $2, $6))
               SELECT (SELECT count(*) FROM found) AS "total!", ARRAY(SELECT id FROM found WHERE "#
                + $seek
                + " ORDER BY "
                + $order
                + r#" LIMIT $3) AS "ids!""#,
            $name.pattern,
            $name.short,
            $limit,
            $key,
            $id,
            $most
        )
        .fetch_one($db)
        .await
    };
}

pub async fn list_name_matches(
    db: &PgPool,
    sort: ProductSort,
    cursor: Option<&Cursor>,
    limit: i64,
    name: &NameQuery,
    most: Option<i64>,
) -> sqlx::Result<NameMatches> {
    let SeekStart { number, text, id } = SeekStart::new(sort, cursor);
    match sort {
        ProductSort::Name => list_name_matches!(
            db,
            name,
            most,
            r#"(name_key COLLATE "C", id) > ($4, $5)"#,
            r#"name_key COLLATE "C", id"#,
            limit,
            text,
            id
        ),
        ProductSort::PriceAsc => {
            list_name_matches!(db, name, most, "(price_paisa, id) > ($4, $5)", "price_paisa, id", limit, number, id)
        }
        ProductSort::PriceDesc => {
            list_name_matches!(
                db,
                name,
                most,
                "(price_paisa, id) < ($4, $5)",
                "price_paisa DESC, id DESC",
                limit,
                number,
                id
            )
        }
        ProductSort::Featured | ProductSort::Newest | ProductSort::Rating => {
            list_name_matches!(db, name, most, "(position, id) < ($4, $5)", "position DESC, id DESC", limit, number, id)
        }
    }
}

/// Selects a page of name matches for a common name by scanning only the first `scanned` products in this order.
macro_rules! scan_name_matches {
    ($db:expr, $name:expr, $seek:literal, $order:literal, $limit:expr, $scanned:expr, $key:expr, $id:expr) => {
        sqlx::query_scalar!(
            "SELECT id FROM (SELECT id, position, name_key, price_paisa FROM products WHERE archived_at IS NULL AND "
                + $seek
                + " ORDER BY "
                + $order
                + " LIMIT $5) walked WHERE name_key LIKE $1 ORDER BY "
                + $order
                + " LIMIT $2",
            $name.pattern,
            $limit,
            $key,
            $id,
            $scanned
        )
        .fetch_all($db)
        .await
    };
}

pub async fn scan_name_matches(
    db: &PgPool,
    sort: ProductSort,
    cursor: Option<&Cursor>,
    limit: i64,
    name: &NameQuery,
    scanned: i64,
) -> sqlx::Result<Vec<Uuid>> {
    let SeekStart { number, text, id } = SeekStart::new(sort, cursor);
    match sort {
        ProductSort::Name => {
            scan_name_matches!(db, name, "(name_key, id) > ($3, $4)", "name_key, id", limit, scanned, text, id)
        }
        ProductSort::PriceAsc => {
            scan_name_matches!(db, name, "(price_paisa, id) > ($3, $4)", "price_paisa, id", limit, scanned, number, id)
        }
        ProductSort::PriceDesc => {
            scan_name_matches!(
                db,
                name,
                "(price_paisa, id) < ($3, $4)",
                "price_paisa DESC, id DESC",
                limit,
                scanned,
                number,
                id
            )
        }
        ProductSort::Featured | ProductSort::Newest | ProductSort::Rating => {
            scan_name_matches!(
                db,
                name,
                "(position, id) < ($3, $4)",
                "position DESC, id DESC",
                limit,
                scanned,
                number,
                id
            )
        }
    }
}

pub struct LowStockCounts {
    pub low: i64,
    pub out: i64,
}

/// Counts the low-stock products of the whole shop from their own table only.
pub async fn count_by_stock_level(db: &PgPool) -> sqlx::Result<LowStockCounts> {
    sqlx::query_as!(
        LowStockCounts,
        r#"SELECT count(*) FILTER (WHERE stock > 0) AS "low!", count(*) FILTER (WHERE stock = 0) AS "out!"
           FROM low_stock_products"#,
    )
    .fetch_one(db)
    .await
}

/// Returns `None` when the slug is taken.
pub async fn insert_category(
    connection: &mut PgConnection,
    slug: &str,
    new: &NewCategory<'_>,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "INSERT INTO categories (id, slug, name, name_ne, description, description_ne, picture_key, icon_key, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, clock_timestamp())
         ON CONFLICT ON CONSTRAINT categories_slug_unique DO NOTHING RETURNING id",
        Uuid::now_v7(),
        slug,
        new.name,
        new.name_ne,
        new.description,
        new.description_ne,
        new.picture_key,
        new.icon_key,
    )
    .fetch_optional(connection)
    .await
}

/// Locks a category, so that it cannot be changed, deleted or given a new product until the transaction ends.
pub async fn lock_category(connection: &mut PgConnection, slug: &str) -> sqlx::Result<Option<Category>> {
    select_categories!("WHERE slug = $1 FOR UPDATE", slug).fetch_optional(connection).await
}

pub async fn update_category(connection: &mut PgConnection, category: &Category) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE categories SET name = $2, name_ne = $3, description = $4, description_ne = $5, picture_key = $6,
                icon_key = $7, updated_at = clock_timestamp()
         WHERE id = $1",
        category.id,
        category.name,
        category.name_ne,
        category.description,
        category.description_ne,
        category.picture_key,
        category.icon_key,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn count_products_in_category(connection: &mut PgConnection, category: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM products WHERE category_id = $1 AND archived_at IS NULL"#,
        category,
    )
    .fetch_one(connection)
    .await
}

/// Deletes a category without products on sale; its archived products lose their category.
pub async fn delete_category(connection: &mut PgConnection, category: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE products SET category_id = NULL WHERE category_id = $1 AND archived_at IS NOT NULL", category)
        .execute(&mut *connection)
        .await?;
    sqlx::query!("DELETE FROM categories WHERE id = $1", category).execute(connection).await?;
    Ok(())
}

pub async fn add_search_words(conn: &mut PgConnection, words: &[String]) -> sqlx::Result<()> {
    sqlx::query!("INSERT INTO search_vocabulary (word) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", words)
        .execute(conn)
        .await?;
    Ok(())
}

/// The columns that [`copy_products`] takes, in this order, in PostgreSQL's text format.
const COPY: &str = "COPY products (id, category_id, slug, name, name_ne, description, description_ne, aliases, tags, \
                    tags_ne, price_paisa, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label, pack_label_ne, \
                    picture_key, search_words) FROM STDIN";

/// Loads many products at once from lines in PostgreSQL's text format; used to make a large shop for load tests.
pub async fn copy_products(
    conn: &mut PgConnection,
    mut next_lines: impl FnMut() -> Option<String>,
) -> sqlx::Result<u64> {
    let mut copy = conn.copy_in_raw(COPY).await?;
    while let Some(lines) = next_lines() {
        copy.send(lines.as_bytes()).await?;
    }
    copy.finish().await
}

/// Adds the first stock to the ledger for all products that have stock but no movement yet.
pub async fn insert_initial_movements(conn: &mut PgConnection) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "INSERT INTO stock_movements (product_id, delta, reason)
         SELECT p.id, p.stock, 'first stock' FROM products p
         WHERE p.stock <> 0 AND NOT EXISTS (SELECT FROM stock_movements m WHERE m.product_id = p.id)"
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Returns which of these pictures a product or a category shows; archived products count, because old orders show
/// them.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"SELECT picture_key AS "key!" FROM products WHERE picture_key = ANY($1)
           UNION SELECT picture_key FROM categories WHERE picture_key = ANY($1)
           UNION SELECT icon_key FROM categories WHERE icon_key = ANY($1)"#,
        keys,
    )
    .fetch_all(db)
    .await
}

/// An import that a seller uploaded.
pub struct ImportRecord {
    pub id: Uuid,
    pub seller: Uuid,
    pub file_name: String,
    pub state: String,
    pub done: i32,
    pub total: i32,
    /// Why it was refused or failed.
    pub problem: Option<Json<StoredMessage>>,
    pub created_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    pub adds: i32,
    pub updates: i32,
    pub unchanged: i32,
    pub errors: i32,
}

/// Selects everything about an import except the file itself.
macro_rules! select_imports {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            ImportRecord,
            "SELECT id, seller, file_name, state, done, total,
                    COALESCE(problem, to_jsonb(NULLIF(message, ''))) AS \"problem: Json<StoredMessage>\", created_at, finished_at,
                    adds, updates, unchanged, errors
             FROM imports " + $rest,
            $($argument),+
        )
    };
}

pub async fn insert_import(
    connection: &mut PgConnection,
    id: Uuid,
    seller: Uuid,
    file_name: &str,
    file: &[u8],
    hash: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO imports (id, seller, file_name, file, file_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        id,
        seller,
        file_name,
        file,
        hash,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_import(db: &PgPool, id: Uuid) -> sqlx::Result<Option<ImportRecord>> {
    select_imports!("WHERE id = $1", id).fetch_optional(db).await
}

pub async fn list_imports(db: &PgPool, limit: i64) -> sqlx::Result<Vec<ImportRecord>> {
    select_imports!("ORDER BY id DESC LIMIT $1", limit).fetch_all(db).await
}

pub async fn lock_import(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<ImportRecord>> {
    select_imports!("WHERE id = $1 FOR UPDATE", id).fetch_optional(connection).await
}

/// Returns the file of an import that is in this state.
pub async fn find_import_file(db: &PgPool, id: Uuid, state: &str) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!("SELECT file FROM imports WHERE id = $1 AND state = $2", id, state).fetch_optional(db).await
}

/// Moves an import from one state to another; returns false when it is no longer in the state `from`.
pub async fn set_import_state(
    connection: &mut PgConnection,
    id: Uuid,
    from: &str,
    to: &str,
    problem: Option<Message>,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE imports SET state = $3, problem = $4, done = CASE WHEN $3 = 'applying' THEN 0 ELSE done END,
                finished_at = CASE WHEN $3 IN ('checked', 'applying') THEN NULL ELSE $5::timestamptz END,
                file = CASE WHEN $3 IN ('checked', 'applying') THEN file ELSE '' END
         WHERE id = $1 AND state = $2",
        id,
        from,
        to,
        problem.map(Json) as _,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns false when the import is no longer in this state, for example because the seller cancelled it.
pub async fn set_import_progress(db: &PgPool, id: Uuid, state: &str, done: i32, total: i32) -> sqlx::Result<bool> {
    let known =
        sqlx::query!("UPDATE imports SET done = $3, total = $4 WHERE id = $1 AND state = $2", id, state, done, total)
            .execute(db)
            .await?;
    Ok(known.rows_affected() == 1)
}

/// What a row of a file would do, as it is stored.
pub struct ImportRowRecord {
    pub row: i32,
    pub kind: &'static str,
    pub slug: String,
    pub name: String,
    pub changes: serde_json::Value,
    pub errors: serde_json::Value,
    pub snapshot: Option<ImportSnapshot>,
}

/// The product with which a row was compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ImportSnapshot {
    pub product: Uuid,
    pub version: DateTime<Utc>,
    pub stock: i32,
}

/// What the check found out about a row.
pub struct CheckedRow {
    pub kind: String,
    pub snapshot: Option<ImportSnapshot>,
}

pub async fn insert_import_rows(
    connection: &mut PgConnection,
    import: Uuid,
    rows: &[ImportRowRecord],
) -> sqlx::Result<()> {
    let numbers: Vec<i32> = rows.iter().map(|row| row.row).collect();
    let text = |of: fn(&ImportRowRecord) -> &str| rows.iter().map(|row| of(row).to_owned()).collect::<Vec<_>>();
    let json =
        |of: fn(&ImportRowRecord) -> &serde_json::Value| rows.iter().map(|row| of(row).clone()).collect::<Vec<_>>();
    // The arrays must not have gaps, so a missing snapshot is passed as the nil product.
    let no_snapshot = ImportSnapshot { product: Uuid::nil(), version: chrono::DateTime::UNIX_EPOCH, stock: 0 };
    let snapshot: Vec<ImportSnapshot> = rows.iter().map(|row| row.snapshot.unwrap_or(no_snapshot)).collect();
    sqlx::query!(
        "INSERT INTO import_rows (import_id, row, kind, slug, name, changes, errors, product_id, version_seen, stock_seen)
         SELECT $1, new.row, new.kind, new.slug, new.name, new.changes, new.errors, nullif(new.product, $11), new.version, new.stock
         FROM unnest($2::integer[], $3::text[], $4::text[], $5::text[], $6::jsonb[], $7::jsonb[], $8::uuid[], $9::timestamptz[],
                     $10::integer[]) new (row, kind, slug, name, changes, errors, product, version, stock)",
        import,
        &numbers,
        &text(|row| row.kind),
        &text(|row| &row.slug),
        &text(|row| &row.name),
        &json(|row| &row.changes),
        &json(|row| &row.errors),
        &snapshot.iter().map(|snapshot| snapshot.product).collect::<Vec<_>>(),
        &snapshot.iter().map(|snapshot| snapshot.version).collect::<Vec<_>>(),
        &snapshot.iter().map(|snapshot| snapshot.stock).collect::<Vec<_>>(),
        no_snapshot.product,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn replace_import_rows(
    connection: &mut PgConnection,
    import: Uuid,
    rows: &[ImportRowRecord],
) -> sqlx::Result<()> {
    let numbers: Vec<i32> = rows.iter().map(|row| row.row).collect();
    sqlx::query!("DELETE FROM import_rows WHERE import_id = $1 AND row = ANY($2)", import, &numbers)
        .execute(&mut *connection)
        .await?;
    insert_import_rows(connection, import, rows).await
}

pub async fn delete_import_rows(connection: &mut PgConnection, import: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM import_rows WHERE import_id = $1", import).execute(connection).await?;
    Ok(())
}

/// Returns whether another import with the same bytes was applied before.
pub async fn was_applied(db: &PgPool, import: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM imports i JOIN imports earlier ON earlier.file_hash = i.file_hash
                          WHERE i.id = $1 AND earlier.id <> i.id AND earlier.state = 'applied') AS "was!""#,
        import,
    )
    .fetch_one(db)
    .await
}

/// Stores the number of rows of each kind, once all rows are stored.
pub async fn update_import_counts(connection: &mut PgConnection, import: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE imports SET (adds, updates, unchanged, errors) = (
             SELECT count(*) FILTER (WHERE kind = 'add'), count(*) FILTER (WHERE kind = 'update'),
                    count(*) FILTER (WHERE kind = 'same'), count(*) FILTER (WHERE kind = 'error')
             FROM import_rows WHERE import_id = $1)
         WHERE id = $1",
        import,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns what the check found out, by row number.
pub async fn list_checked_rows(db: &PgPool, import: Uuid) -> sqlx::Result<HashMap<i32, CheckedRow>> {
    let rows = sqlx::query!(
        "SELECT row, kind, product_id, version_seen, stock_seen FROM import_rows WHERE import_id = $1",
        import,
    );
    let found = rows.fetch_all(db).await?.into_iter().map(|row| {
        let snapshot = match (row.product_id, row.version_seen, row.stock_seen) {
            (Some(product), Some(version), Some(stock)) => Some(ImportSnapshot { product, version, stock }),
            _ => None,
        };
        (row.row, CheckedRow { kind: row.kind, snapshot })
    });
    Ok(found.collect())
}

/// Lists all categories and keeps them from being deleted until the transaction ends.
pub async fn lock_categories(connection: &mut PgConnection) -> sqlx::Result<Vec<Category>> {
    select_categories!("ORDER BY position FOR KEY SHARE").fetch_all(connection).await
}

pub async fn list_import_rows(
    db: &PgPool,
    import: Uuid,
    kind: Option<&str>,
    after: i32,
    limit: i64,
) -> sqlx::Result<Vec<ImportRow>> {
    match kind {
        None => {
            sqlx::query_as!(
                ImportRow,
                r#"SELECT row, slug, name, kind, changes, errors AS "errors: Json<Vec<CellError>>" FROM import_rows
                 WHERE import_id = $1 AND row > $2 ORDER BY row LIMIT $3"#,
                import,
                after,
                limit,
            )
            .fetch_all(db)
            .await
        }
        Some(kind) => {
            sqlx::query_as!(
                ImportRow,
                r#"SELECT row, slug, name, kind, changes, errors AS "errors: Json<Vec<CellError>>" FROM import_rows
                 WHERE import_id = $1 AND kind = $4 AND row > $2 ORDER BY row LIMIT $3"#,
                import,
                after,
                limit,
                kind,
            )
            .fetch_all(db)
            .await
        }
    }
}

/// Deletes a few imports at a time, because each deletes its rows as well.
pub async fn delete_old_imports(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM imports WHERE id IN (
             SELECT id FROM imports WHERE created_at < $1 ORDER BY id LIMIT 5)",
        before,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
