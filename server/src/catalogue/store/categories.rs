//! Categories.

use std::collections::HashMap;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::catalogue::model::{Category, NewCategory};

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

/// Lists all categories and keeps them from being deleted until the transaction ends.
pub async fn lock_categories(connection: &mut PgConnection) -> sqlx::Result<Vec<Category>> {
    select_categories!("ORDER BY position FOR KEY SHARE").fetch_all(connection).await
}

/// Locks a category, so that it cannot be changed, deleted or given a new product until the transaction ends.
pub async fn lock_category(connection: &mut PgConnection, slug: &str) -> sqlx::Result<Option<Category>> {
    select_categories!("WHERE slug = $1 FOR UPDATE", slug).fetch_optional(connection).await
}

/// Counts the products on sale in each category. It reads a whole index, so it should run only when the listing has
/// changed.
pub async fn count_products(db: &PgPool) -> sqlx::Result<HashMap<Uuid, i64>> {
    let rows = sqlx::query!(
        r#"SELECT category_id AS "category_id!", count(*) AS "products!" FROM products WHERE archived_at IS NULL GROUP BY category_id"#
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.category_id, row.products)).collect())
}

pub async fn count_products_in_category(connection: &mut PgConnection, category: Uuid) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM products WHERE category_id = $1 AND archived_at IS NULL"#,
        category,
    )
    .fetch_one(connection)
    .await
}

/// Returns the id of the category with this slug, which is created if it is new. An existing category only gets missing
/// pictures.
pub async fn ensure_category(
    connection: &mut PgConnection,
    slug: &str,
    category: &NewCategory<'_>,
) -> sqlx::Result<Uuid> {
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
    .fetch_one(connection)
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

/// Deletes a category without products on sale; its archived products lose their category.
pub async fn delete_category(connection: &mut PgConnection, category: Uuid) -> sqlx::Result<()> {
    sqlx::query!("UPDATE products SET category_id = NULL WHERE category_id = $1 AND archived_at IS NOT NULL", category)
        .execute(&mut *connection)
        .await?;
    sqlx::query!("DELETE FROM categories WHERE id = $1", category).execute(connection).await?;
    Ok(())
}
