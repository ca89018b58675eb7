//! All SQL of carts.

use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use super::model::CartItems;

pub async fn load(connection: &mut PgConnection, user: Uuid) -> sqlx::Result<CartItems> {
    let found = sqlx::query_scalar!(r#"SELECT items AS "items: Json<CartItems>" FROM carts WHERE user_id = $1"#, user)
        .fetch_optional(connection)
        .await?;
    Ok(found.map(|Json(items)| items).unwrap_or_default())
}

pub async fn save(connection: &mut PgConnection, user: Uuid, items: &CartItems) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO carts (user_id, items) VALUES ($1, $2)
         ON CONFLICT (user_id) DO UPDATE SET items = excluded.items, updated_at = excluded.updated_at",
        user,
        Json(items) as _,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Removes what was bought from the cart; what was added in the meantime stays.
pub async fn remove_items(
    connection: &mut PgConnection,
    user: Uuid,
    ids: &[Uuid],
    quantities: &[i32],
) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM remove_from_cart($1, $2, $3)", user, ids, quantities).execute(connection).await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, user: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM carts WHERE user_id = $1", user).execute(connection).await?;
    Ok(())
}
