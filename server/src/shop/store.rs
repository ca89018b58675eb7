//! All SQL of the shop's settings.

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::PgConnection;

pub struct SettingsRow {
    pub settings: Value,
    pub updated_at: DateTime<Utc>,
}

pub async fn read(connection: &mut PgConnection) -> sqlx::Result<Option<SettingsRow>> {
    sqlx::query_as!(SettingsRow, "SELECT settings, updated_at FROM shop_settings").fetch_optional(connection).await
}

/// Locks until the transaction ends, even if there is no row yet that could be locked.
pub async fn lock(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('shop_settings', 0))").execute(connection).await?;
    Ok(())
}

/// Settings that a newer version has saved besides these stay.
pub async fn save(connection: &mut PgConnection, settings: &Value) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO shop_settings (settings) VALUES ($1)
         ON CONFLICT (singleton) DO UPDATE SET settings = shop_settings.settings || excluded.settings, updated_at = clock_timestamp()",
        settings,
    )
    .execute(connection)
    .await?;
    Ok(())
}
