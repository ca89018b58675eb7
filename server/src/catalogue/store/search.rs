//! Searches for products by name and by search words.

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::select::{SeekStart, select_products};
use crate::catalogue::model::{Cursor, NameMatches, NameQuery, Product, ProductSort};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

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

pub async fn find_by_name(
    connection: &mut PgConnection,
    pattern: &str,
    words: Option<&[String]>,
    limit: i64,
) -> sqlx::Result<Vec<ProductId>> {
    sqlx::query_scalar!(
        r#"SELECT id AS "id: ProductId" FROM products WHERE name_key LIKE $1 OR search_words @> $2::text[] LIMIT $3"#,
        pattern,
        words,
        limit,
    )
    .fetch_all(connection)
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
                + r#" LIMIT $3) AS "ids!: Vec<ProductId>""#,
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
            r#"SELECT id AS "id: ProductId" FROM (SELECT id, position, name_key, price_paisa FROM products WHERE archived_at IS NULL AND "#
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
) -> sqlx::Result<Vec<ProductId>> {
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
