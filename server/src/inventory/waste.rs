//! Waste: goods that are written off, with the reason.

use std::collections::HashMap;

use uuid::Uuid;

use super::error::InventoryError;
use super::listing::{find_names, parse_cursor, write_cursor};
use super::model::{
    MAX_NOTE, ProductName, WasteInput, WasteReason, WasteRecord, check_quantity, clean_text, request_hash,
};
use super::store;
use crate::catalogue::{self, ProductQuantities, StockReason};
use crate::orders::retry_on_contention;
use crate::platform::db;
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_ATTEMPTS: u32 = 5;
const PAGE_SIZE: u16 = 50;

pub struct WastePage {
    pub records: Vec<WasteRecord>,
    pub next_cursor: Option<String>,
    pub products: HashMap<ProductId, ProductName>,
    pub people: HashMap<Uuid, String>,
}

/// Writes goods off. The client makes the id; the same request again changes nothing.
pub async fn record(app: &App, seller: Uuid, id: Uuid, mut input: WasteInput) -> Result<WastePage, InventoryError> {
    check_quantity(input.quantity, 1)?;
    input.note = clean_text("note", &input.note, MAX_NOTE)?;
    if input.reason == WasteReason::Other && input.note.is_empty() {
        return Err(InventoryError::Field("note", message!("api.inventory.note_needed")));
    }
    let hash = request_hash(&input)?;
    let done =
        retry_on_contention(MAX_ATTEMPTS, InventoryError::is_contention, || try_record(app, seller, id, &input, &hash));
    done.await?;
    let records = store::find_waste(&app.db.main, id).await?.into_iter().collect();
    to_page(app, records, None).await
}

async fn try_record(app: &App, seller: Uuid, id: Uuid, input: &WasteInput, hash: &[u8]) -> Result<(), InventoryError> {
    let mut tx = app.db.main.begin().await?;
    // The lock makes a second request with the same id wait for the first.
    let level = catalogue::lock_stock(&mut tx, &[input.product]).await?.pop().ok_or(InventoryError::ProductNotFound)?;
    if let Some(first) = store::find_waste_hash(&mut tx, id).await? {
        return if first == hash { Ok(()) } else { Err(InventoryError::IdReused) };
    }
    let mut left = level.stock;
    if let Some(batch) = input.batch {
        let batch = store::find_batch(&mut tx, batch, input.product).await?.ok_or(InventoryError::BatchNotFound)?;
        left = left.min(batch.left);
    }
    if left < input.quantity {
        return Err(InventoryError::NotEnoughStock { left });
    }
    let moves = ProductQuantities::from_iter([(input.product, -input.quantity)]);
    let movements = catalogue::move_stock(&mut tx, &moves, StockReason::Waste).await?;
    for movement in movements {
        store::insert_waste(&mut tx, id, input, hash, seller, app.clock.now(), movement).await?;
    }
    let names = find_names(&mut tx, &[input.product]).await?;
    let (object, after) = (id.to_string(), format!("-{}, {}", input.quantity, input.reason.name()));
    let entry = NewAuditEntry {
        seller,
        action: "inventory.waste",
        object: &object,
        about: names.get(&input.product).map(|product| product.name.as_str()).unwrap_or_default(),
        before: "",
        after: &after,
    };
    staff::record_audit_entry(&mut tx, &entry).await?;
    tx.commit().await?;
    Ok(())
}

/// Lists what was written off, newest first.
pub async fn list(app: &App, cursor: Option<&str>) -> Result<WastePage, InventoryError> {
    let start = parse_cursor(cursor).ok_or(InventoryError::BadCursor)?;
    let mut records = store::list_waste(&app.db.main, start, i64::from(PAGE_SIZE) + 1).await?;
    let next = db::truncate_page(&mut records, PAGE_SIZE).map(|last| write_cursor(last.recorded_at, last.id));
    to_page(app, records, next).await
}

async fn to_page(
    app: &App,
    records: Vec<WasteRecord>,
    next_cursor: Option<String>,
) -> Result<WastePage, InventoryError> {
    let products: Vec<ProductId> = records.iter().map(|record| record.product_id).collect();
    let people: Vec<Uuid> = records.iter().map(|record| record.recorded_by).collect();
    let products = find_names(&mut *app.db.main.acquire().await?, &products).await?;
    let people = staff::find_names(&app.db.main, &people).await?;
    Ok(WastePage { records, next_cursor, products, people })
}
