//! The suppliers, by name.

use sqlx::PgConnection;
use uuid::Uuid;

use super::error::InventoryError;
use super::model::{MAX_NAME, MAX_NOTE, Supplier, clean_text};
use super::store;
use crate::platform::contact;
use crate::platform::db;
use crate::platform::messages::message;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

/// The length of a number at the tax office.
const PAN_DIGITS: usize = 9;

pub struct SupplierInput {
    pub name: String,
    pub phone: String,
    pub pan: String,
    pub note: String,
    pub is_archived: bool,
}

pub async fn list(app: &App) -> Result<Vec<Supplier>, InventoryError> {
    Ok(store::list_suppliers(&app.db.main).await?)
}

/// Adds or changes a supplier. The client makes the id, so that a repeated request adds no second one.
pub async fn save(app: &App, seller: Uuid, id: Uuid, input: SupplierInput) -> Result<Supplier, InventoryError> {
    let supplier = check(id, input)?;
    let mut tx = app.db.main.begin().await?;
    let before = store::find_supplier(&mut tx, id).await?;
    let saved = store::save_supplier(&mut tx, &supplier, app.clock.now()).await;
    saved.map_err(|error| match db::constraint_name(&error) {
        Some("suppliers_name_unique") => InventoryError::SupplierNameTaken,
        _ => InventoryError::Db(error),
    })?;
    record(&mut tx, seller, before.as_ref(), &supplier).await?;
    tx.commit().await?;
    Ok(supplier)
}

fn check(id: Uuid, input: SupplierInput) -> Result<Supplier, InventoryError> {
    let name = contact::normalize_whitespace(&clean_text("name", &input.name, MAX_NAME)?);
    if name.is_empty() {
        return Err(InventoryError::Field("name", message!("api.inventory.supplier_name_needed")));
    }
    let phone = match input.phone.trim() {
        "" => String::new(),
        text => contact::parse_phone(text)
            .ok_or_else(|| InventoryError::Field("phone", message!("api.inventory.phone_invalid")))?,
    };
    let pan: String = input.pan.chars().filter(|c| !c.is_whitespace()).collect();
    if !pan.is_empty() && (pan.len() != PAN_DIGITS || !pan.chars().all(|c| c.is_ascii_digit())) {
        return Err(InventoryError::Field("pan", message!("api.inventory.pan_invalid")));
    }
    let note = clean_text("note", &input.note, MAX_NOTE)?;
    Ok(Supplier { id, name, phone, pan, note, is_archived: input.is_archived })
}

async fn record(
    connection: &mut PgConnection,
    seller: Uuid,
    before: Option<&Supplier>,
    after: &Supplier,
) -> Result<(), InventoryError> {
    let (before, now) = (before.map(describe).unwrap_or_default(), describe(after));
    if before == now {
        return Ok(());
    }
    let object = after.id.to_string();
    let entry = NewAuditEntry {
        seller,
        action: "inventory.supplier",
        object: &object,
        about: &after.name,
        before: &before,
        after: &now,
    };
    Ok(staff::record_audit_entry(connection, &entry).await?)
}

fn describe(supplier: &Supplier) -> String {
    let parts = [&supplier.name, &supplier.phone, &supplier.pan, &supplier.note];
    let mut parts: Vec<&str> = parts.into_iter().map(String::as_str).filter(|part| !part.is_empty()).collect();
    if supplier.is_archived {
        parts.push("archived");
    }
    parts.join(", ")
}
