//! All SQL of the catalogue.

use std::collections::HashMap;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{Category, Cursor, CursorKey, Offer, Product, Sort};
use crate::platform::money::Paisa;

/// Products with their categories: the columns that every reader of products wants, written once. Aliases are needed
/// for ranking only, so each says where they come from.
macro_rules! select_products {
    ($aliases:literal, [$($rest:literal),+], $($argument:expr),+) => {
        sqlx::query_as!(
            Product,
            r#"SELECT p.id, p.position, p.slug, p.name, p.name_key AS "name_key!", p.name_ne, p.description,
                      p.description_ne, p.tags, p.tags_ne, p.price_paisa AS "price: Paisa", p.tax_class, p.stock, p.rating_tenths,
                      p.reviews, p.rank AS "rank!", p.pack_milli, p.pack_measure, p.pack_label, p.pack_label_ne,
                      p.picture_key, p.category_id, c.name AS category, c.name_ne AS category_ne,
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

/// One page in one order. Every combination of order and filter is a statement of its own, because each must be
/// answered by its own index.
macro_rules! page {
    ($db:expr, $seek:literal, $filter:literal, $order:literal, $($argument:expr),+) => {
        select_products!("'{}'::text[]", [$seek, $filter, " ORDER BY ", $order, " LIMIT $3"], $($argument),+)
            .fetch_all($db)
            .await
    };
}

/// The orders a shopper can choose, for one filter. A first page seeks from before the first product.
macro_rules! sorted_page {
    ($db:expr, $sort:expr, $start:expr, $limit:expr, $filter:literal $(, $argument:expr)*) => {{
        let Start { number, text, id } = $start;
        match $sort {
            Sort::Featured => page!($db, "(p.position, p.id) > ($1, $2)", $filter, "p.position, p.id", number, id, $limit $(, $argument)*),
            Sort::Name => page!($db, "(p.name_key, p.id) > ($1, $2)", $filter, "p.name_key, p.id", text, id, $limit $(, $argument)*),
            Sort::PriceAsc => page!($db, "(p.price_paisa, p.id) > ($1, $2)", $filter, "p.price_paisa, p.id", number, id, $limit $(, $argument)*),
            Sort::PriceDesc => page!($db, "(p.price_paisa, p.id) < ($1, $2)", $filter, "p.price_paisa DESC, p.id DESC", number, id, $limit $(, $argument)*),
            Sort::Rating => page!($db, "(p.rank, p.id) < ($1, $2)", $filter, "p.rank DESC, p.id DESC", number, id, $limit $(, $argument)*),
        }
    }};
}

struct Start<'a> {
    number: i64,
    text: &'a str,
    id: Uuid,
}

impl<'a> Start<'a> {
    fn of(sort: Sort, cursor: Option<&'a Cursor>) -> Self {
        let falling = matches!(sort, Sort::PriceDesc | Sort::Rating);
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

/// What a name must hold.
pub struct NamePart {
    /// For LIKE: the text with anything around it.
    pub pattern: String,
    /// The text itself when it is too short for trigrams: one or two letters.
    pub short: Option<String>,
}

pub async fn page(
    db: &PgPool,
    sort: Sort,
    cursor: Option<&Cursor>,
    limit: i64,
    category: Option<Uuid>,
    name: Option<&NamePart>,
) -> sqlx::Result<Vec<Product>> {
    let start = Start::of(sort, cursor);
    let pattern = name.map(|name| name.pattern.as_str());
    let short = name.and_then(|name| name.short.as_deref());
    // LIKE beside `short_parts` costs nothing and is tried first when the planner walks an order instead of the index.
    match (category, pattern, short) {
        (None, None, _) => sorted_page!(db, sort, start, limit, ""),
        (Some(category), None, _) => sorted_page!(db, sort, start, limit, " AND p.category_id = $4", category),
        (None, Some(pattern), None) => sorted_page!(db, sort, start, limit, " AND p.name_key LIKE $4", pattern),
        (None, Some(pattern), Some(short)) => sorted_page!(
            db,
            sort,
            start,
            limit,
            " AND p.name_key LIKE $4 AND short_parts(p.name_key) @> ARRAY[$5::text]",
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
            " AND p.category_id = $4 AND p.name_key LIKE $5 AND short_parts(p.name_key) @> ARRAY[$6::text]",
            category,
            pattern,
            short
        ),
    }
}

/// How many products a search finds, counted no further than `cap`.
pub async fn count_matches(db: &PgPool, category: Option<Uuid>, pattern: &str, cap: i64) -> sqlx::Result<i64> {
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

/// Products that hold one of `any` in each of up to four groups of words; `pattern` leaves out those that the
/// plain search has shown already. In no order: the caller ranks.
pub async fn with_words(
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

/// Words of the vocabulary that hold `word`, and those that look most like it.
pub async fn words_like(db: &PgPool, word: &str, pattern: &str) -> sqlx::Result<Vec<String>> {
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

pub async fn product(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Product>> {
    Ok(products(db, &[id]).await?.pop())
}

pub async fn products(db: &PgPool, ids: &[Uuid]) -> sqlx::Result<Vec<Product>> {
    select_products!("p.aliases", ["p.id = ANY($1)"], ids).fetch_all(db).await
}

/// What an order copies of a product, and whether it can be had.
pub async fn offers(connection: &mut PgConnection, ids: &[Uuid]) -> sqlx::Result<Vec<Offer>> {
    sqlx::query_as!(
        Offer,
        r#"SELECT id AS "id!", name AS "name!", name_ne, picture_key, price_paisa AS "price!: Paisa",
                  tax_class AS "tax_class!", stock AS "stock!", on_sale AS "on_sale!"
           FROM offered($1)"#,
        ids,
    )
    .fetch_all(connection)
    .await
}

/// Whether the shelf has all of it. Locks the products until the transaction ends, in the order of their ids.
pub async fn shelf_holds(connection: &mut PgConnection, ids: &[Uuid], quantities: &[i32]) -> sqlx::Result<bool> {
    let enough = sqlx::query_scalar!(
        r#"SELECT p.stock >= wanted.quantity AS "enough!"
           FROM products p JOIN unnest($1::uuid[], $2::integer[]) wanted (id, quantity) ON wanted.id = p.id
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

pub async fn give_back_stock(connection: &mut PgConnection, order: Uuid, why: &str) -> sqlx::Result<()> {
    sqlx::query!("SELECT give_back_stock($1, $2)", order, why).fetch_one(connection).await?;
    Ok(())
}

/// All categories in the seller's order, their products not yet counted.
pub async fn categories(db: &PgPool) -> sqlx::Result<Vec<Category>> {
    sqlx::query_as!(
        Category,
        r#"SELECT id, slug, name, name_ne, description, description_ne, picture_key, icon_key, 0::bigint AS "products!"
           FROM categories ORDER BY position"#,
    )
    .fetch_all(db)
    .await
}

/// How many products are on sale in each category. Reads a whole index, so ask only when the range has changed.
pub async fn count_products(db: &PgPool) -> sqlx::Result<HashMap<Uuid, i64>> {
    let rows = sqlx::query!(
        r#"SELECT category_id, count(*) AS "products!" FROM products WHERE archived_at IS NULL GROUP BY category_id"#
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.category_id, row.products)).collect())
}

/// For the sitemap: id, category slug and last change of the products in a range of positions.
pub struct Listed {
    pub id: Uuid,
    pub category_slug: String,
    pub updated_at: chrono::DateTime<chrono::Utc>,
}

pub async fn listed_between(db: &PgPool, from: i64, to: i64) -> sqlx::Result<Vec<Listed>> {
    sqlx::query_as!(
        Listed,
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

pub async fn last_position(db: &PgPool) -> sqlx::Result<i64> {
    let last = sqlx::query_scalar!(
        "SELECT position FROM products WHERE archived_at IS NULL ORDER BY position DESC, id DESC LIMIT 1"
    );
    Ok(last.fetch_optional(db).await?.unwrap_or(0))
}

pub struct NewCategory<'a> {
    pub slug: &'a str,
    pub name: &'a str,
    pub name_ne: Option<&'a str>,
    pub description: &'a str,
    pub description_ne: Option<&'a str>,
    pub picture_key: Option<&'a str>,
}

/// The id of the category with this slug, made if it is new.
pub async fn ensure_category(conn: &mut PgConnection, category: &NewCategory<'_>) -> sqlx::Result<Uuid> {
    sqlx::query_scalar!(
        "INSERT INTO categories (id, slug, name, name_ne, description, description_ne, picture_key, icon_key)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $7)
         ON CONFLICT ON CONSTRAINT categories_slug_unique DO UPDATE SET picture_key = excluded.picture_key,
             icon_key = excluded.icon_key
         RETURNING id",
        Uuid::now_v7(),
        category.slug,
        category.name,
        category.name_ne,
        category.description,
        category.description_ne,
        category.picture_key,
    )
    .fetch_one(conn)
    .await
}

pub struct NewProduct<'a> {
    pub category: Uuid,
    pub slug: &'a str,
    pub name: &'a str,
    pub name_ne: Option<&'a str>,
    pub description: &'a str,
    pub description_ne: Option<&'a str>,
    pub aliases: &'a [String],
    pub tags: &'a [String],
    pub tags_ne: &'a [String],
    pub price: Paisa,
    pub stock: i32,
    pub rating_tenths: i16,
    pub reviews: i32,
    pub pack_milli: Option<i32>,
    pub pack_measure: Option<&'a str>,
    pub pack_label: Option<&'a str>,
    pub pack_label_ne: Option<&'a str>,
    pub picture_key: Option<&'a str>,
    pub search_words: &'a [String],
}

/// `None` when the slug is taken. The first stock is a movement like any other, and the words become known to search.
pub async fn insert_product(conn: &mut PgConnection, product: &NewProduct<'_>) -> sqlx::Result<Option<Uuid>> {
    let id = sqlx::query_scalar!(
        "INSERT INTO products (id, category_id, slug, name, name_ne, description, description_ne, aliases, tags,
                               tags_ne, price_paisa, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label,
                               pack_label_ne, picture_key, search_words)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20)
         ON CONFLICT ON CONSTRAINT products_slug_unique DO NOTHING
         RETURNING id",
        Uuid::now_v7(),
        product.category,
        product.slug,
        product.name,
        product.name_ne,
        product.description,
        product.description_ne,
        product.aliases,
        product.tags,
        product.tags_ne,
        product.price.0,
        product.stock,
        product.rating_tenths,
        product.reviews,
        product.pack_milli,
        product.pack_measure,
        product.pack_label,
        product.pack_label_ne,
        product.picture_key,
        product.search_words,
    )
    .fetch_optional(&mut *conn)
    .await?;
    if let Some(id) = id {
        sqlx::query!(
            "INSERT INTO stock_movements (product_id, delta, reason) SELECT $1, $2, 'first stock' WHERE $2 <> 0",
            id,
            product.stock,
        )
        .execute(&mut *conn)
        .await?;
        learn_words(conn, product.search_words).await?;
    }
    Ok(id)
}

pub async fn learn_words(conn: &mut PgConnection, words: &[String]) -> sqlx::Result<()> {
    sqlx::query!("INSERT INTO search_vocabulary (word) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", words)
        .execute(conn)
        .await?;
    Ok(())
}

/// The columns that [`copy_products`] takes, in this order, in PostgreSQL's text format.
const COPY: &str = "COPY products (id, category_id, slug, name, name_ne, description, description_ne, aliases, tags, \
                    tags_ne, price_paisa, stock, rating_tenths, reviews, pack_milli, pack_measure, pack_label, pack_label_ne, \
                    picture_key, search_words) FROM STDIN";

/// Loads many products at once from lines in PostgreSQL's text format; used to make a large shop for trials.
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

/// First stock as movements for products that have stock and no movement yet, in bulk.
pub async fn open_ledger(conn: &mut PgConnection) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "INSERT INTO stock_movements (product_id, delta, reason)
         SELECT p.id, p.stock, 'first stock' FROM products p
         WHERE p.stock <> 0 AND NOT EXISTS (SELECT FROM stock_movements m WHERE m.product_id = p.id)"
    )
    .execute(conn)
    .await?;
    Ok(done.rows_affected())
}

/// Which of these pictures a product or a category shows; archived products too, because old orders show them.
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
