//! All SQL of the addresses module. Every statement names the owner, so that an id alone never reaches another
//! shopper's address.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Address, AddressInput, format_line};
use crate::platform::ids::UserId;

/// Lists the default address first, then the newest.
pub async fn list(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<Address>> {
    let rows = sqlx::query!(
        "SELECT id, label, phone, street, city, state, country, pincode, district, municipality, ward, landmark, is_default
         FROM addresses WHERE user_id = $1 ORDER BY is_default DESC, created_at DESC, id DESC",
        user.0,
    )
    .fetch_all(connection)
    .await?;
    let addresses = rows.into_iter().map(|row| {
        let input = AddressInput {
            address: row.label,
            phone: row.phone,
            street: row.street,
            city: row.city,
            state: row.state,
            country: row.country,
            pincode: row.pincode,
            district: row.district,
            municipality: row.municipality,
            ward: row.ward,
            landmark: row.landmark,
            is_default: Some(row.is_default),
        };
        Address {
            id: row.id,
            line: format_line(&input),
            address: input.address,
            phone: input.phone,
            street: input.street,
            city: input.city,
            state: input.state,
            country: input.country,
            pincode: input.pincode,
            district: input.district,
            municipality: input.municipality,
            ward: input.ward,
            landmark: input.landmark,
            is_default: row.is_default,
        }
    });
    Ok(addresses.collect())
}

pub async fn count(connection: &mut PgConnection, user: UserId) -> sqlx::Result<i64> {
    sqlx::query_scalar!(r#"SELECT count(*) AS "count!" FROM addresses WHERE user_id = $1"#, user.0)
        .fetch_one(connection)
        .await
}

pub async fn clear_default(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("UPDATE addresses SET is_default = false WHERE user_id = $1 AND is_default", user.0)
        .execute(connection)
        .await?;
    Ok(())
}

/// Makes the newest address the default if there is none.
pub async fn ensure_default(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE addresses SET is_default = true
         WHERE id = (SELECT id FROM addresses WHERE user_id = $1 ORDER BY created_at DESC, id DESC LIMIT 1)
           AND NOT EXISTS (SELECT FROM addresses WHERE user_id = $1 AND is_default)",
        user.0,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    user: UserId,
    input: &AddressInput,
    is_default: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO addresses (id, user_id, label, phone, street, city, state, country, pincode, district, municipality,
                                ward, landmark, is_default, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $15)",
        id,
        user.0,
        input.address,
        input.phone,
        input.street,
        input.city,
        input.state,
        input.country,
        input.pincode,
        input.district,
        input.municipality,
        input.ward,
        input.landmark,
        is_default,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn update(
    connection: &mut PgConnection,
    id: Uuid,
    user: UserId,
    input: &AddressInput,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE addresses SET label = $3, phone = $4, street = $5, city = $6, state = $7, country = $8, pincode = $9,
                district = $10, municipality = $11, ward = $12, landmark = $13, is_default = is_default OR $14,
                updated_at = $15
         WHERE id = $1 AND user_id = $2",
        id,
        user.0,
        input.address,
        input.phone,
        input.street,
        input.city,
        input.state,
        input.country,
        input.pincode,
        input.district,
        input.municipality,
        input.ward,
        input.landmark,
        input.is_default == Some(true),
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, id: Uuid, user: UserId) -> sqlx::Result<bool> {
    let done =
        sqlx::query!("DELETE FROM addresses WHERE id = $1 AND user_id = $2", id, user.0).execute(connection).await?;
    Ok(done.rows_affected() == 1)
}

pub async fn delete_all(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM addresses WHERE user_id = $1", user.0).execute(connection).await?;
    Ok(())
}
