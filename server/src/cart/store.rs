//! All SQL of carts.

use sqlx::PgConnection;
use sqlx::types::Json;

use super::model::CartItems;
use crate::platform::ids::{ProductId, UserId};

pub async fn load(connection: &mut PgConnection, user: UserId) -> sqlx::Result<CartItems> {
    let found =
        sqlx::query_scalar!(r#"SELECT items AS "items: Json<CartItems>" FROM carts WHERE user_id = $1"#, user.0)
            .fetch_optional(connection)
            .await?;
    Ok(found.map(|Json(items)| items).unwrap_or_default())
}

pub async fn save(connection: &mut PgConnection, user: UserId, items: &CartItems) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO carts (user_id, items) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET items = excluded.items, updated_at = excluded.updated_at",
        user.0,
        Json(items) as _,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes what was bought from the cart; what was added in the meantime stays.
pub async fn remove_items(
    connection: &mut PgConnection,
    user: UserId,
    ids: &[ProductId],
    quantities: &[i32],
) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM remove_from_cart($1, $2, $3)", user.0, ids as _, quantities).execute(connection).await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM carts WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
