//! All SQL of the wishlist.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{MarkedProduct, StockNotice};
use crate::platform::ids::{ProductId, UserId};

/// Lists a shopper's favourites, newest first.
pub async fn list_favourites(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<MarkedProduct>> {
    sqlx::query_as!(
        MarkedProduct,
        r#"SELECT product_id AS "product: ProductId", created_at FROM favourites
           WHERE user_id = $1 ORDER BY created_at DESC, product_id"#,
        user.0,
    )
    .fetch_all(connection)
    .await
}

/// Counts a shopper's favourites besides this product.
pub async fn count_other_favourites(
    connection: &mut PgConnection,
    user: UserId,
    product: ProductId,
) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM favourites WHERE user_id = $1 AND product_id <> $2"#,
        user.0,
        product.0,
    )
    .fetch_one(connection)
    .await
}

pub async fn insert_favourite(
    connection: &mut PgConnection,
    user: UserId,
    product: ProductId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO favourites (user_id, product_id, created_at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING",
        user.0,
        product.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_favourite(db: &PgPool, user: UserId, product: ProductId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM favourites WHERE user_id = $1 AND product_id = $2", user.0, product.0)
        .execute(db)
        .await?;
    Ok(())
}

/// Lists the products that a shopper waits for, newest first.
pub async fn list_notices(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<MarkedProduct>> {
    sqlx::query_as!(
        MarkedProduct,
        r#"SELECT product_id AS "product: ProductId", created_at FROM stock_notices
           WHERE user_id = $1 ORDER BY created_at DESC, id DESC"#,
        user.0,
    )
    .fetch_all(connection)
    .await
}

/// Counts the products that a shopper waits for, besides this one.
pub async fn count_other_notices(connection: &mut PgConnection, user: UserId, product: ProductId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(
        r#"SELECT count(*) AS "count!" FROM stock_notices WHERE user_id = $1 AND product_id <> $2"#,
        user.0,
        product.0,
    )
    .fetch_one(connection)
    .await
}

pub async fn insert_notice(
    connection: &mut PgConnection,
    user: UserId,
    product: ProductId,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO stock_notices (id, product_id, user_id, created_at) VALUES ($1, $2, $3, $4)
         ON CONFLICT ON CONSTRAINT stock_notices_once DO NOTHING",
        Uuid::now_v7(),
        product.0,
        user.0,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_notice(db: &PgPool, user: UserId, product: ProductId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM stock_notices WHERE user_id = $1 AND product_id = $2", user.0, product.0)
        .execute(db)
        .await?;
    Ok(())
}

/// Takes the oldest requests for a product. A request that another transaction takes at the same time is left out.
pub async fn take_notices(
    connection: &mut PgConnection,
    product: ProductId,
    limit: i64,
) -> sqlx::Result<Vec<StockNotice>> {
    sqlx::query_as!(
        StockNotice,
        r#"DELETE FROM stock_notices WHERE id IN (
               SELECT id FROM stock_notices WHERE product_id = $1 ORDER BY id LIMIT $2 FOR UPDATE SKIP LOCKED)
           RETURNING id, user_id AS "user: UserId""#,
        product.0,
        limit,
    )
    .fetch_all(connection)
    .await
}

pub async fn delete_notices_before(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!("DELETE FROM stock_notices WHERE created_at < $1", before).execute(db).await?;
    Ok(done.rows_affected())
}

/// Deletes everything about a shopper.
pub async fn erase(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM favourites WHERE user_id = $1", user.0).execute(&mut *connection).await?;
    sqlx::query!("DELETE FROM stock_notices WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
