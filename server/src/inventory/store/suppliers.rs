//! Suppliers.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::inventory::model::Supplier;

pub async fn list_suppliers(db: &PgPool) -> sqlx::Result<Vec<Supplier>> {
    sqlx::query_as!(
        Supplier,
        r#"SELECT id, name, phone, pan, note, archived_at IS NOT NULL AS "is_archived!" FROM suppliers
           ORDER BY archived_at IS NOT NULL, lower(name), id"#
    )
    .fetch_all(db)
    .await
}

pub async fn find_supplier(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Supplier>> {
    sqlx::query_as!(
        Supplier,
        r#"SELECT id, name, phone, pan, note, archived_at IS NOT NULL AS "is_archived!" FROM suppliers WHERE id = $1"#,
        id,
    )
    .fetch_optional(connection)
    .await
}

pub async fn save_supplier(connection: &mut PgConnection, supplier: &Supplier, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO suppliers AS s (id, name, phone, pan, note, created_at, updated_at, archived_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6, CASE WHEN $7::boolean THEN $6::timestamptz END)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, phone = excluded.phone, pan = excluded.pan,
             note = excluded.note, updated_at = excluded.updated_at,
             archived_at = CASE WHEN $7::boolean THEN coalesce(s.archived_at, $6::timestamptz) END",
        supplier.id,
        supplier.name,
        supplier.phone,
        supplier.pan,
        supplier.note,
        now,
        supplier.is_archived,
    )
    .execute(connection)
    .await?;
    Ok(())
}
