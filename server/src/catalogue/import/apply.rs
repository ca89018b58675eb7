//! Applying a checked file, completely or not at all.

use std::collections::{HashMap, HashSet};

use sqlx::PgConnection;
use uuid::Uuid;

use super::audit::record_import_change;
use super::examine::{ExaminedRow, RowOutcome, cell_error, examine_row, find_products_of_rows, to_new_row};
use super::parse::{self, CsvRow};
use super::pictures::{ImportPictures, find_pictures};
use super::progress::{CHUNK, Progress};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{
    CellChange, CheckedRow, ImportRowKind, ImportState, NewImportRow, NewProduct, Product, ProductDetails,
};
use crate::catalogue::seller::add::create_products;
use crate::catalogue::seller::changes::describe_changes;
use crate::catalogue::seller::product_field::ProductField;
use crate::catalogue::store;
use crate::platform::db::extend_timeouts;
use crate::platform::fail_point::fail_point;
use crate::platform::ids::ProductId;
use crate::platform::messages::{Message, message};
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

pub async fn apply_import(app: &App, import: Uuid, seller: Uuid) -> Result<(), CatalogueError> {
    const FROM: ImportState = ImportState::Applying;
    let db = &app.db.main;
    let Some(file) = store::find_import_file(db, import, FROM).await? else { return Ok(()) };
    let Some(record) = store::find_import(db, import).await? else { return Ok(()) };
    // The same file may have been uploaded twice and checked twice before either was applied.
    if store::was_applied(db, import).await? {
        let mut tx = db.begin().await?;
        let (to, problem) = (ImportState::Failed, message!("imports.already_applied"));
        if store::set_import_state(&mut tx, import, FROM, to, Some(problem), app.clock.now()).await? {
            record_import_change(&mut tx, seller, import, &record.file_name, Some(FROM), to).await?;
            tx.commit().await?;
        }
        return Ok(());
    }
    let rows = parse::parse_csv(&file).unwrap_or_default();
    let checked = store::list_checked_rows(db, import).await?;
    let pictures = find_pictures(app, import).await?;
    let mut progress = Progress::new(app, import, FROM, &rows);

    let mut tx = db.begin().await?;
    fail_point!(app, "catalogue.import.apply_begun");
    extend_timeouts(&mut tx).await?;
    let applied = write_rows(&mut tx, seller, &rows, &checked, &pictures, &mut progress).await?;
    fail_point!(app, "catalogue.import.rows_applied");
    if let Err(conflicts) = applied {
        tx.rollback().await?;
        let mut tx = db.begin().await?;
        let (to, problem) = (ImportState::Failed, message!("imports.conflicts"));
        if store::set_import_state(&mut tx, import, FROM, to, Some(problem), app.clock.now()).await? {
            store::replace_import_rows(&mut tx, import, &conflicts).await?;
            store::update_import_counts(&mut tx, import).await?;
            record_import_change(&mut tx, seller, import, &record.file_name, Some(FROM), to).await?;
            fail_point!(app, "catalogue.import.before_failure_commit");
            tx.commit().await?;
            fail_point!(app, "catalogue.import.failure_committed");
        }
        return Ok(());
    }
    // This returns false if another worker took this one for dead and was faster, or if the seller cancelled the
    // import; then nothing is written.
    let to = ImportState::Applied;
    if store::set_import_state(&mut tx, import, FROM, to, None, app.clock.now()).await? {
        record_import_change(&mut tx, seller, import, &record.file_name, Some(FROM), to).await?;
        fail_point!(app, "catalogue.import.before_apply_commit");
        tx.commit().await?;
        fail_point!(app, "catalogue.import.apply_committed");
    }
    Ok(())
}

/// Rows that can no longer do what the check said.
type RowConflicts = Vec<NewImportRow>;

/// Accepts what a row does now if the check found the same; otherwise makes it a conflict.
fn match_with_check(examined: ExaminedRow, product: Option<&Product>, checked: Option<&CheckedRow>) -> ExaminedRow {
    let conflict = |examined: ExaminedRow, field, message: Message| ExaminedRow {
        outcome: RowOutcome::Errors(vec![cell_error(field, message)]),
        ..examined
    };
    let Some(checked) = checked else {
        return conflict(examined, ProductField::Slug, message!("imports.row_not_checked"));
    };
    let same_product = checked.snapshot.map(|snapshot| snapshot.product) == product.map(|product| product.id);
    let same_version = checked.snapshot.map(|snapshot| snapshot.version) == product.map(|product| product.updated_at);
    match (&examined.outcome, checked.kind) {
        (RowOutcome::Errors(_), _) | (RowOutcome::Add { .. }, ImportRowKind::Add) => examined,
        (RowOutcome::Same { .. }, ImportRowKind::Same | ImportRowKind::Update) if same_product => examined,
        (RowOutcome::Update { .. }, ImportRowKind::Update) if same_product && same_version => examined,
        (RowOutcome::Update { .. }, ImportRowKind::Update | ImportRowKind::Same) if same_product => {
            conflict(examined, ProductField::Version, message!("imports.changed_since_check"))
        }
        (_, ImportRowKind::Add) => conflict(examined, ProductField::Slug, message!("imports.added_since_check")),
        _ => conflict(examined, ProductField::Slug, message!("imports.deleted_since_check")),
    }
}

struct ProductUpdate {
    product: Box<Product>,
    details: Box<ProductDetails>,
    difference: i32,
    changes: Vec<CellChange>,
}

/// Examines the rows twice: first without locks, to find the new and the changed products, and then the changed ones
/// again under lock. New products are written first, so that products are locked only while the changed ones are
/// written, and the shop goes on selling all the others.
async fn write_rows(
    connection: &mut PgConnection,
    seller: Uuid,
    rows: &[CsvRow],
    checked: &HashMap<i32, CheckedRow>,
    pictures: &ImportPictures,
    progress: &mut Progress<'_>,
) -> Result<Result<(), RowConflicts>, CatalogueError> {
    let categories = store::lock_categories(connection).await?;
    let examine = |row: &CsvRow, product: Option<&Product>| {
        let before = checked.get(&row.number);
        let stock = before.and_then(|checked| checked.snapshot).map(|snapshot| snapshot.stock);
        match_with_check(examine_row(row, product, &categories, pictures, stock, None), product, before)
    };
    let (mut adds, mut changing, mut conflicts) = (Vec::new(), Vec::new(), Vec::new());
    for (start, chunk) in rows.chunks(CHUNK).enumerate() {
        let products = find_products_of_rows(connection, chunk).await?;
        for (at, row) in chunk.iter().enumerate() {
            let examined = examine(row, products.get(&row.slug));
            match examined.outcome {
                RowOutcome::Same { .. } => {}
                RowOutcome::Add { details, stock, .. } => adds.push(ProductAddition { row, details, stock }),
                RowOutcome::Update { product, .. } => changing.push((product.id, start * CHUNK + at)),
                RowOutcome::Errors(_) => conflicts.push(to_new_row(examined)),
            }
        }
    }
    if !conflicts.is_empty() {
        return Ok(Err(conflicts));
    }
    progress.advance(rows.len() - adds.len() - changing.len()).await;
    if let Err(conflicts) = insert_new_products(connection, seller, &adds, progress).await? {
        return Ok(Err(conflicts));
    }
    fail_point!(progress.app, "catalogue.import.products_added");
    changing.sort_unstable();
    let ids: Vec<ProductId> = changing.iter().map(|(id, _)| *id).collect();
    store::lock_products(connection, &ids).await?;
    fail_point!(progress.app, "catalogue.import.products_locked");
    let mut updates = Vec::with_capacity(changing.len());
    for chunk in changing.chunks(CHUNK) {
        let again: Vec<&CsvRow> = chunk.iter().filter_map(|(_, at)| rows.get(*at)).collect();
        let slugs: Vec<String> = again.iter().map(|row| row.slug.clone()).collect();
        let products = store::find_products_by_slugs(connection, &slugs).await?;
        let products: HashMap<&str, &Product> =
            products.iter().map(|product| (product.slug.as_str(), product)).collect();
        for row in again {
            let examined = examine(row, products.get(row.slug.as_str()).copied());
            match examined.outcome {
                RowOutcome::Update { product, details, difference, changes } => {
                    updates.push(ProductUpdate { product, details, difference, changes });
                }
                RowOutcome::Same { .. } => {}
                RowOutcome::Add { .. } | RowOutcome::Errors(_) => conflicts.push(to_new_row(examined)),
            }
        }
    }
    if !conflicts.is_empty() {
        return Ok(Err(conflicts));
    }
    update_changed_products(connection, seller, &updates, progress).await?;
    Ok(Ok(()))
}

struct ProductAddition<'a> {
    row: &'a CsvRow,
    details: Box<ProductDetails>,
    stock: i32,
}

/// Rows that name a slug are inserted first, so that no slug made from a name takes it from them.
async fn insert_new_products(
    connection: &mut PgConnection,
    seller: Uuid,
    adds: &[ProductAddition<'_>],
    progress: &mut Progress<'_>,
) -> Result<Result<(), RowConflicts>, CatalogueError> {
    let (chosen, made): (Vec<&ProductAddition<'_>>, Vec<&ProductAddition<'_>>) =
        adds.iter().partition(|added| !added.row.slug.is_empty());
    let mut conflicts = Vec::new();
    for chunk in chosen.chunks(CHUNK) {
        let new = chunk.iter().map(|added| NewProduct {
            id: ProductId::generate(),
            slug: &added.row.slug,
            details: &added.details,
            stock: added.stock,
        });
        let new: Vec<NewProduct<'_>> = new.collect();
        let inserted: HashSet<ProductId> = store::insert_products(connection, &new).await?.into_iter().collect();
        for (added, new) in chunk.iter().zip(&new).filter(|(_, new)| !inserted.contains(&new.id)) {
            let errors = vec![cell_error(ProductField::Slug, message!("imports.slug_taken"))];
            let outcome = RowOutcome::Errors(errors);
            let (number, slug, name) = (added.row.number, added.row.slug.clone(), new.details.name.clone());
            conflicts.push(to_new_row(ExaminedRow { number, slug, name, outcome }));
        }
        record_added_products(connection, seller, new.iter().map(|new| (new.id, new.details.name.as_str()))).await?;
        progress.advance(chunk.len()).await;
    }
    for chunk in made.chunks(CHUNK) {
        let new: Vec<(&ProductDetails, i32)> = chunk.iter().map(|added| (&*added.details, added.stock)).collect();
        let created = create_products(connection, &new).await?;
        let named = created.iter().zip(&new).map(|((id, _), (details, _))| (*id, details.name.as_str()));
        record_added_products(connection, seller, named).await?;
        progress.advance(chunk.len()).await;
    }
    Ok(if conflicts.is_empty() { Ok(()) } else { Err(conflicts) })
}

async fn record_added_products<'a>(
    connection: &mut PgConnection,
    seller: Uuid,
    added: impl Iterator<Item = (ProductId, &'a str)>,
) -> sqlx::Result<()> {
    let added: Vec<(String, &str)> = added.map(|(id, name)| (id.to_string(), name)).collect();
    let (action, before, after) = ("product.add", "", "by import");
    let audit_entries =
        added.iter().map(|(object, about)| NewAuditEntry { seller, action, object, about, before, after });
    staff::record_audit_entries(connection, &audit_entries.collect::<Vec<_>>()).await
}

async fn update_changed_products(
    connection: &mut PgConnection,
    seller: Uuid,
    updates: &[ProductUpdate],
    progress: &mut Progress<'_>,
) -> Result<(), CatalogueError> {
    for chunk in updates.chunks(CHUNK) {
        let edited = chunk.iter().filter(|updated| *updated.details != ProductDetails::from_product(&updated.product));
        let entries: Vec<(ProductId, &ProductDetails)> =
            edited.map(|updated| (updated.product.id, &*updated.details)).collect();
        store::update_products(connection, &entries).await?;
        fail_point!(progress.app, "catalogue.import.products_updated");
        let (ids, differences): (Vec<ProductId>, Vec<i32>) =
            chunk.iter().map(|updated| (updated.product.id, updated.difference)).unzip();
        store::adjust_stock(connection, &ids, &differences, "seller").await?;
        fail_point!(progress.app, "catalogue.import.stock_adjusted");
        let descriptions: Vec<(String, (String, String))> =
            chunk.iter().map(|updated| (updated.product.id.to_string(), describe_changes(&updated.changes))).collect();
        let audit_entries = chunk.iter().zip(&descriptions).map(|(updated, (object, (before, after)))| NewAuditEntry {
            seller,
            action: "product.update",
            object,
            about: &updated.product.name,
            before,
            after,
        });
        staff::record_audit_entries(connection, &audit_entries.collect::<Vec<_>>()).await?;
        progress.advance(chunk.len()).await;
    }
    Ok(())
}
