//! Lists of products on sale.

use sqlx::PgPool;
use uuid::Uuid;

use super::select::{SeekStart, select_products};
use crate::catalogue::model::{Cursor, NameQuery, OfferFilter, Product, ProductSort, SitemapProduct};
use crate::platform::money::Paisa;

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

/// Lists products of a price range, in stock or discounted. One statement per order is enough: it is planned for its own values.
pub async fn list_filtered_products(
    db: &PgPool,
    sort: ProductSort,
    cursor: Option<&Cursor>,
    limit: i64,
    category: Option<Uuid>,
    pattern: Option<&str>,
    offer: &OfferFilter,
) -> sqlx::Result<Vec<Product>> {
    let start = SeekStart::new(sort, cursor);
    let (min, max) = offer.prices();
    sorted_page!(
        db,
        sort,
        start,
        limit,
        " AND ($4::uuid IS NULL OR p.category_id = $4) AND ($5::text IS NULL OR p.name_key LIKE $5)
          AND p.price_paisa BETWEEN $6 AND $7 AND (p.stock > 0 OR NOT $8)
          AND (p.was_price_paisa IS NOT NULL OR NOT $9)",
        category,
        pattern,
        min.0,
        max.0,
        offer.in_stock,
        offer.discounted
    )
}

/// Counts the products of the same filter, up to `cap`.
pub async fn count_filtered_products(
    db: &PgPool,
    category: Option<Uuid>,
    pattern: Option<&str>,
    offer: &OfferFilter,
    cap: i64,
) -> sqlx::Result<i64> {
    let (min, max) = offer.prices();
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM (
               SELECT FROM products p
               WHERE p.archived_at IS NULL AND ($1::uuid IS NULL OR p.category_id = $1)
                 AND ($2::text IS NULL OR p.name_key LIKE $2)
                 AND p.price_paisa BETWEEN $3 AND $4 AND (p.stock > 0 OR NOT $5)
                 AND (p.was_price_paisa IS NOT NULL OR NOT $6) LIMIT $7) found"#,
        category,
        pattern,
        min.0,
        max.0,
        offer.in_stock,
        offer.discounted,
        cap,
    )
    .fetch_one(db)
    .await
}

/// Lists the next products after this position, for the export of all products.
pub async fn list_products_after(db: &PgPool, position: i64, limit: i64) -> sqlx::Result<Vec<Product>> {
    select_products!("p.aliases", ["p.position > $1 ORDER BY p.position, p.id LIMIT $2"], position, limit)
        .fetch_all(db)
        .await
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
