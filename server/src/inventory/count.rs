//! Stock-taking. A count collects entries while the shop goes on selling: each entry stores what the ledger said at that
//! moment, so that a later sale does not look like a difference. Applying a count moves the stock by its differences.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::error::InventoryError;
use super::listing::{find_names, parse_cursor, write_cursor};
use super::model::{
    CountAdjustment, CountEntry, CountLine, CountState, ProductName, StockCount, applicable, check_quantity,
};
use super::store;
use crate::catalogue::{self, ProductQuantities, StockReason};
use crate::orders::{self, retry_on_contention};
use crate::platform::db;
use crate::platform::ids::ProductId;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_ATTEMPTS: u32 = 5;
const PAGE_SIZE: u16 = 20;

pub struct CountPage {
    pub counts: Vec<StockCount>,
    pub next_cursor: Option<String>,
    pub people: HashMap<Uuid, String>,
}

/// A count with the latest entry of each product.
pub struct CountDetails {
    pub count: StockCount,
    pub lines: Vec<CountLine>,
    pub products: HashMap<ProductId, ProductName>,
    pub people: HashMap<Uuid, String>,
}

/// Starts a count of a category, or of the whole shop. The client makes the id; a repeated request starts no second one.
pub async fn start(app: &App, seller: Uuid, id: Uuid, category: Option<Uuid>) -> Result<CountDetails, InventoryError> {
    let mut tx = app.db.main.begin().await?;
    if store::insert_count(&mut tx, id, category, seller, app.clock.now()).await? {
        audit(&mut tx, seller, "inventory.count_start", id).await?;
    }
    tx.commit().await?;
    load(app, id).await
}

async fn audit(connection: &mut PgConnection, seller: Uuid, action: &str, count: Uuid) -> sqlx::Result<()> {
    let object = count.to_string();
    let entry = NewAuditEntry { seller, action, object: &object, about: "", before: "", after: "" };
    staff::record_audit_entry(connection, &entry).await
}

/// Records how many units of a product there are, including those of orders that have not left the shop. A repeated
/// request keeps the first entry: its count belongs to the moment at which it was made.
pub async fn record(
    app: &App,
    seller: Uuid,
    count: Uuid,
    entry: Uuid,
    product: ProductId,
    counted: i32,
) -> Result<CountLine, InventoryError> {
    check_quantity(counted, 0)?;
    retry_on_contention(MAX_ATTEMPTS, InventoryError::is_contention, || {
        try_record(app, seller, count, entry, product, counted)
    })
    .await
}

async fn try_record(
    app: &App,
    seller: Uuid,
    count: Uuid,
    entry: Uuid,
    product: ProductId,
    counted: i32,
) -> Result<CountLine, InventoryError> {
    let mut tx = app.db.main.begin().await?;
    let state = store::lock_count(&mut tx, count).await?.ok_or(InventoryError::CountNotFound)?;
    match store::find_entry(&mut tx, entry).await? {
        Some(first) if (first.count, first.product, first.counted) == (count, product, counted) => {}
        Some(_) => return Err(InventoryError::IdReused),
        None if state != CountState::Open => return Err(InventoryError::CountFinished),
        None => {
            // While the product is locked, no order takes or releases its units, so both figures belong together.
            let level = catalogue::lock_stock(&mut tx, &[product]).await?.pop();
            let stock = level.ok_or(InventoryError::ProductNotFound)?.stock;
            let waiting = orders::list_not_dispatched(&mut tx).await?;
            let reserved = catalogue::sum_units_of_orders(&mut tx, &waiting, product).await?;
            let new = CountEntry { id: entry, count, product, counted, stock, reserved };
            store::insert_entry(&mut tx, &new, seller, app.clock.now()).await?;
        }
    }
    let lines = store::list_count_lines(&mut tx, count, Some(product)).await?;
    tx.commit().await?;
    lines.into_iter().next().ok_or(InventoryError::ProductNotFound)
}

/// Applies the differences to the stock. A second call changes nothing.
pub async fn apply(app: &App, seller: Uuid, count: Uuid) -> Result<CountDetails, InventoryError> {
    retry_on_contention(MAX_ATTEMPTS, InventoryError::is_contention, || try_apply(app, seller, count)).await?;
    load(app, count).await
}

async fn try_apply(app: &App, seller: Uuid, count: Uuid) -> Result<(), InventoryError> {
    let mut tx = app.db.main.begin().await?;
    match store::lock_count(&mut tx, count).await?.ok_or(InventoryError::CountNotFound)? {
        CountState::Applied => return Ok(()),
        CountState::Discarded => return Err(InventoryError::CountFinished),
        CountState::Open => {}
    }
    let lines = store::list_count_lines(&mut tx, count, None).await?;
    if lines.is_empty() {
        return Err(InventoryError::CountEmpty);
    }
    let ids: Vec<ProductId> = lines.iter().map(|line| line.product_id).collect();
    let levels = catalogue::lock_stock(&mut tx, &ids).await?;
    let stock: HashMap<ProductId, i32> = levels.into_iter().map(|level| (level.id, level.stock)).collect();
    let applied: Vec<(&CountLine, i32)> = lines
        .iter()
        .map(|line| (line, applicable(line.difference(), stock.get(&line.product_id).copied().unwrap_or_default())))
        .collect();
    let moves: ProductQuantities =
        applied.iter().filter(|(_, units)| *units != 0).map(|(line, units)| (line.product_id, *units)).collect();
    let mut movements = catalogue::move_stock(&mut tx, &moves, StockReason::Counted).await?.into_iter();
    let adjustments: Vec<CountAdjustment> = applied
        .iter()
        .map(|(line, units)| CountAdjustment {
            product: line.product_id,
            entry: line.entry_id,
            difference: line.difference(),
            applied: *units,
            movement: if *units == 0 { None } else { movements.next() },
        })
        .collect();
    store::insert_adjustments(&mut tx, count, &adjustments).await?;
    store::finish_count(&mut tx, count, CountState::Applied, seller, app.clock.now()).await?;
    record_differences(&mut tx, seller, count, &applied).await?;
    tx.commit().await?;
    Ok(())
}

async fn record_differences(
    connection: &mut PgConnection,
    seller: Uuid,
    count: Uuid,
    applied: &[(&CountLine, i32)],
) -> Result<(), InventoryError> {
    let ids: Vec<ProductId> = applied.iter().map(|(line, _)| line.product_id).collect();
    let names = find_names(connection, &ids).await?;
    let object = count.to_string();
    let changed = applied.iter().filter(|(line, _)| line.difference() != 0);
    let texts: Vec<(String, String, String)> = changed
        .map(|(line, units)| {
            let about = names.get(&line.product_id).map(|product| product.name.clone()).unwrap_or_default();
            (about, line.expected().to_string(), format!("{} ({units:+})", line.counted))
        })
        .collect();
    let mut entries: Vec<NewAuditEntry<'_>> = texts
        .iter()
        .map(|(about, before, after)| NewAuditEntry {
            seller,
            action: "inventory.count_difference",
            object: &object,
            about,
            before,
            after,
        })
        .collect();
    let counted = applied.len().to_string();
    entries.push(NewAuditEntry {
        seller,
        action: "inventory.count_apply",
        object: &object,
        about: "",
        before: "",
        after: &counted,
    });
    Ok(staff::record_audit_entries(connection, &entries).await?)
}

/// Ends a count without changing the stock. A second call changes nothing.
pub async fn discard(app: &App, seller: Uuid, count: Uuid) -> Result<CountDetails, InventoryError> {
    let mut tx = app.db.main.begin().await?;
    match store::lock_count(&mut tx, count).await?.ok_or(InventoryError::CountNotFound)? {
        CountState::Discarded => {}
        CountState::Applied => return Err(InventoryError::CountFinished),
        CountState::Open => {
            store::finish_count(&mut tx, count, CountState::Discarded, seller, app.clock.now()).await?;
            audit(&mut tx, seller, "inventory.count_discard", count).await?;
        }
    }
    tx.commit().await?;
    load(app, count).await
}

pub async fn load(app: &App, id: Uuid) -> Result<CountDetails, InventoryError> {
    let mut connection = app.db.main.acquire().await?;
    let count = store::find_count(&mut connection, id).await?.ok_or(InventoryError::CountNotFound)?;
    let lines = store::list_count_lines(&mut connection, id, None).await?;
    let ids: Vec<ProductId> = lines.iter().map(|line| line.product_id).collect();
    let products = find_names(&mut connection, &ids).await?;
    drop(connection);
    let mut people: Vec<Uuid> = lines.iter().map(|line| line.counted_by).collect();
    people.push(count.started_by);
    let people = staff::find_names(&app.db.main, &people).await?;
    Ok(CountDetails { count, lines, products, people })
}

/// Lists counts, newest first.
pub async fn list(app: &App, cursor: Option<&str>) -> Result<CountPage, InventoryError> {
    let start = parse_cursor(cursor).ok_or(InventoryError::BadCursor)?;
    let mut counts = store::list_counts(&app.db.main, start, i64::from(PAGE_SIZE) + 1).await?;
    let next_cursor = db::truncate_page(&mut counts, PAGE_SIZE).map(|last| write_cursor(last.started_at, last.id));
    let people: Vec<Uuid> = counts.iter().map(|count| count.started_by).collect();
    let people = staff::find_names(&app.db.main, &people).await?;
    Ok(CountPage { counts, next_cursor, people })
}
