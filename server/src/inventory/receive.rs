//! Goods in: a receipt with its lines raises the stock through the ledger, in one transaction.

use std::collections::{BTreeSet, HashMap};

use chrono::Datelike;
use uuid::Uuid;

use super::error::InventoryError;
use super::listing::{find_names, parse_cursor, write_cursor};
use super::model::{
    MAX_NAME, MAX_NOTE, NewReceiptLine, ProductName, Receipt, ReceiptInput, check_cost, check_quantity, clean_text,
    request_hash,
};
use super::{costs, store};
use crate::catalogue::{self, ProductQuantities, StockReason};
use crate::orders::retry_on_contention;
use crate::platform::db;
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::Permission;
use crate::platform::sessions::StaffSession;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_LINES: usize = 200;
const MAX_ATTEMPTS: u32 = 5;
const YEARS: std::ops::RangeInclusive<i32> = 2000..=2200;
const PAGE_SIZE: u16 = 20;

pub struct ReceiptPage {
    pub receipts: Vec<Receipt>,
    pub next_cursor: Option<String>,
    pub products: HashMap<ProductId, ProductName>,
    pub people: HashMap<Uuid, String>,
}

/// Records goods that came in. The client makes the id; the same request again changes nothing and gets the same receipt.
pub async fn receive(
    app: &App,
    by: &StaffSession,
    id: Uuid,
    mut input: ReceiptInput,
) -> Result<ReceiptPage, InventoryError> {
    check(by, &mut input)?;
    let hash = request_hash(&input)?;
    retry_on_contention(MAX_ATTEMPTS, InventoryError::is_contention, || try_receive(app, by.person, id, &input, &hash))
        .await?;
    let receipt = store::find_receipt(&app.db.main, id).await?.ok_or(InventoryError::ReceiptNotFound)?;
    to_page(app, vec![receipt], None).await
}

fn check(by: &StaffSession, input: &mut ReceiptInput) -> Result<(), InventoryError> {
    input.invoice = clean_text("invoice", &input.invoice, MAX_NAME)?;
    input.note = clean_text("note", &input.note, MAX_NOTE)?;
    if input.lines.is_empty() || input.lines.len() > MAX_LINES {
        let most = i64::try_from(MAX_LINES).unwrap_or(i64::MAX);
        return Err(InventoryError::Field("lines", message!("api.inventory.lines_invalid", most = most)));
    }
    for line in &input.lines {
        check_quantity(line.quantity, 1)?;
        check_cost(line.cost)?;
        if line.expires_on.is_some_and(|day| !YEARS.contains(&day.year())) {
            return Err(InventoryError::Field("expiresOn", message!("api.inventory.date_invalid")));
        }
    }
    if input.lines.iter().any(|line| line.cost.is_some()) {
        by.check(Permission::ReadCosts)?;
    }
    Ok(())
}

async fn try_receive(
    app: &App,
    seller: Uuid,
    id: Uuid,
    input: &ReceiptInput,
    hash: &[u8],
) -> Result<(), InventoryError> {
    let now = app.clock.now();
    let mut tx = app.db.main.begin().await?;
    if let Some(supplier) = input.supplier {
        store::find_supplier(&mut tx, supplier).await?.ok_or(InventoryError::SupplierNotFound)?;
    }
    if !store::insert_receipt(&mut tx, id, input, hash, seller, now).await? {
        let first = store::find_receipt_hash(&mut tx, id).await?;
        return if first.as_deref() == Some(hash) { Ok(()) } else { Err(InventoryError::IdReused) };
    }
    let products: Vec<ProductId> =
        input.lines.iter().map(|line| line.product).collect::<BTreeSet<_>>().into_iter().collect();
    let mut stock: HashMap<ProductId, i32> =
        catalogue::lock_stock(&mut tx, &products).await?.into_iter().map(|level| (level.id, level.stock)).collect();
    if stock.len() != products.len() {
        return Err(InventoryError::ProductNotFound);
    }
    let moves: ProductQuantities = input.lines.iter().map(|line| (line.product, line.quantity)).collect();
    let movements = catalogue::move_stock(&mut tx, &moves, StockReason::Received).await?;
    let mut lines = Vec::with_capacity(input.lines.len());
    for (line, movement) in input.lines.iter().zip(movements) {
        let stock = stock.entry(line.product).or_default();
        lines.push(NewReceiptLine {
            id: Uuid::now_v7(),
            product: line.product,
            quantity: line.quantity,
            cost: line.cost,
            expires_on: line.expires_on,
            stock_before: *stock,
            movement,
        });
        *stock += line.quantity;
    }
    store::insert_receipt_lines(&mut tx, id, &lines).await?;
    for product in lines.iter().filter(|line| line.cost.is_some()).map(|line| line.product).collect::<BTreeSet<_>>() {
        costs::rebuild(&mut tx, product).await?;
    }
    let names = find_names(&mut tx, &products).await?;
    let object = id.to_string();
    let texts: Vec<(String, String)> = lines.iter().map(|line| describe(line, &names)).collect();
    let entries: Vec<NewAuditEntry<'_>> = texts
        .iter()
        .map(|(about, after)| NewAuditEntry {
            seller,
            action: "inventory.receive",
            object: &object,
            about,
            before: "",
            after,
        })
        .collect();
    staff::record_audit_entries(&mut tx, &entries).await?;
    tx.commit().await?;
    Ok(())
}

fn describe(line: &NewReceiptLine, names: &HashMap<ProductId, ProductName>) -> (String, String) {
    let about = names.get(&line.product).map(|product| product.name.clone()).unwrap_or_default();
    let expiry = line.expires_on.map(|day| format!(", expires {day}")).unwrap_or_default();
    (about, format!("+{}{expiry}", line.quantity))
}

/// Lists receipts, newest first.
pub async fn list(app: &App, cursor: Option<&str>) -> Result<ReceiptPage, InventoryError> {
    let start = parse_cursor(cursor).ok_or(InventoryError::BadCursor)?;
    let mut receipts = store::list_receipts(&app.db.main, start, i64::from(PAGE_SIZE) + 1).await?;
    let next = db::truncate_page(&mut receipts, PAGE_SIZE).map(|last| write_cursor(last.received_at, last.id));
    to_page(app, receipts, next).await
}

async fn to_page(
    app: &App,
    receipts: Vec<Receipt>,
    next_cursor: Option<String>,
) -> Result<ReceiptPage, InventoryError> {
    let products: Vec<ProductId> =
        receipts.iter().flat_map(|receipt| receipt.lines.iter().map(|line| line.product_id)).collect();
    let people: Vec<Uuid> = receipts.iter().map(|receipt| receipt.received_by).collect();
    let products = find_names(&mut *app.db.main.acquire().await?, &products).await?;
    let people = staff::find_names(&app.db.main, &people).await?;
    Ok(ReceiptPage { receipts, next_cursor, products, people })
}

/// Enters or corrects what lines of a receipt cost per unit.
pub async fn set_costs(
    app: &App,
    seller: Uuid,
    receipt: Uuid,
    new_costs: &[(Uuid, Option<Paisa>)],
) -> Result<ReceiptPage, InventoryError> {
    for (_, cost) in new_costs {
        check_cost(*cost)?;
    }
    retry_on_contention(MAX_ATTEMPTS, InventoryError::is_contention, || try_set_costs(app, seller, receipt, new_costs))
        .await?;
    let receipt = store::find_receipt(&app.db.main, receipt).await?.ok_or(InventoryError::ReceiptNotFound)?;
    to_page(app, vec![receipt], None).await
}

async fn try_set_costs(
    app: &App,
    seller: Uuid,
    receipt: Uuid,
    new_costs: &[(Uuid, Option<Paisa>)],
) -> Result<(), InventoryError> {
    let stored = store::find_receipt(&app.db.main, receipt).await?.ok_or(InventoryError::ReceiptNotFound)?;
    let products: BTreeSet<ProductId> = stored.lines.iter().map(|line| line.product_id).collect();
    let products: Vec<ProductId> = products.into_iter().collect();
    let mut tx = app.db.main.begin().await?;
    catalogue::lock_stock(&mut tx, &products).await?;
    let names = find_names(&mut tx, &products).await?;
    let object = receipt.to_string();
    let mut changed = BTreeSet::new();
    for (line, cost) in new_costs {
        let line = stored.lines.iter().find(|known| known.id == *line).ok_or(InventoryError::ReceiptNotFound)?;
        let Some(before) = store::set_line_cost(&mut tx, line.id, *cost).await? else { continue };
        changed.insert(line.product_id);
        let text = |cost: Option<Paisa>| cost.map(Paisa::two_decimals).unwrap_or_default();
        let entry = NewAuditEntry {
            seller,
            action: "inventory.cost",
            object: &object,
            about: names.get(&line.product_id).map(|product| product.name.as_str()).unwrap_or_default(),
            before: &text(before),
            after: &text(*cost),
        };
        staff::record_audit_entry(&mut tx, &entry).await?;
    }
    for product in changed {
        costs::rebuild(&mut tx, product).await?;
    }
    tx.commit().await?;
    Ok(())
}
