//! Importing products from a spreadsheet. One job checks the stored file and reports what each row would do; another
//! job applies the whole file in one transaction. A worker that dies leaves nothing half done, and the job starts
//! again.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use sqlx::types::Json;
use uuid::Uuid;

use super::add::{create_products, initial_stock};
use super::edit::{describe_changes, diff_products};
use super::error::{CatalogueError, retry_on_contention};
use super::model::{Category, CellChange, CellError, ImportRow, Product, ProductDetails};
use super::product_input::{self, ProductDraft, ProductField, Source, StockEdit};
use super::products_csv::{self, CsvRow};
use super::store::{self, CheckedRow, ImportRowRecord, ImportSnapshot, NewProduct};
use crate::platform::db::{self, extend_timeouts};
use crate::platform::fail_point::fail_point;
use crate::platform::jobs::{self, Job};
use crate::platform::messages::{self, Message, StoredMessage, message};
use crate::platform::state::App;
use crate::seller::{self, NewAuditEntry};

/// The number of rows that are checked or written between two progress updates.
const CHUNK: usize = 500;
/// Files are processed one after the other, so that emails and payments never wait for them.
const QUEUE: &str = "imports";
/// With the growing delay of the job queue, this many attempts take about four minutes.
const MAX_ATTEMPTS: i16 = 6;
const MAX_PAGE_SIZE: u16 = 200;
const DEFAULT_PAGE_SIZE: u16 = 50;
const MAX_LISTED_IMPORTS: i64 = 20;
const RETENTION: TimeDelta = TimeDelta::days(30);
const MAX_FILE_NAME_LENGTH: usize = 120;
/// The message for a file that was not applied although every row was valid when it was checked.
const ALREADY_APPLIED: Message = message!("imports.already_applied");

/// An import as the seller sees it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub file_name: String,
    /// `checking`, `checked`, `refused`, `applying`, `applied`, `failed` or `cancelled`.
    pub state: String,
    pub done: i32,
    /// The number of rows; 0 until they have been counted.
    pub total: i32,
    pub counts: ImportCounts,
    /// Why the import was refused or failed, for people to read.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    pub message: Option<StoredMessage>,
    pub created_at: DateTime<Utc>,
    #[schema(required)]
    pub finished_at: Option<DateTime<Utc>>,
    /// The name of the seller who uploaded the file.
    pub by: String,
}

/// What a row would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ImportRowKind {
    Add,
    Update,
    Same,
    Error,
}

impl ImportRowKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Update => "update",
            Self::Same => "same",
            Self::Error => "error",
        }
    }
}

/// The number of rows of each kind.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
#[schema(as = ImportCounts)]
pub struct ImportCounts {
    pub add: i32,
    pub update: i32,
    pub same: i32,
    pub error: i32,
}

/// Stores the file and enqueues its check.
pub async fn create_import(app: &App, seller: Uuid, file_name: &str, file: Bytes) -> Result<Import, CatalogueError> {
    let name: String = file_name.chars().filter(|c| !c.is_control()).take(MAX_FILE_NAME_LENGTH).collect();
    let id = Uuid::now_v7();
    let mut tx = app.db.main.begin().await?;
    store::insert_import(&mut tx, id, seller, &name, &file, &Sha256::digest(&file), app.clock.now()).await?;
    fail_point!(app, "catalogue.import.file_stored");
    jobs::enqueue(&mut tx, &CheckImport { import: id }).await?;
    record_import_change(&mut tx, seller, id, &name, "", "checking").await?;
    fail_point!(app, "catalogue.import.before_upload_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.upload_committed");
    find_import(app, id).await
}

pub async fn find_import(app: &App, id: Uuid) -> Result<Import, CatalogueError> {
    let row = store::find_import(&app.db.main, id).await?.ok_or(CatalogueError::ImportNotFound)?;
    to_imports(app, vec![row]).await?.pop().ok_or(CatalogueError::ImportNotFound)
}

/// Lists the newest imports.
pub async fn list_imports(app: &App) -> Result<Vec<Import>, CatalogueError> {
    let rows = store::list_imports(&app.db.main, MAX_LISTED_IMPORTS).await?;
    to_imports(app, rows).await
}

async fn to_imports(app: &App, rows: Vec<store::ImportRecord>) -> Result<Vec<Import>, CatalogueError> {
    let sellers: Vec<Uuid> = rows.iter().map(|row| row.seller).collect();
    let names = seller::find_names(&app.db.main, &sellers).await?;
    let imports = rows.into_iter().map(|row| Import {
        id: row.id,
        file_name: row.file_name,
        state: row.state,
        done: row.done,
        total: row.total,
        counts: ImportCounts { add: row.adds, update: row.updates, same: row.unchanged, error: row.errors },
        message: row.problem.map(|Json(problem)| problem),
        created_at: row.created_at,
        finished_at: row.finished_at,
        by: names.get(&row.seller).cloned().unwrap_or_default(),
    });
    Ok(imports.collect())
}

pub struct ImportRowPage {
    pub rows: Vec<ImportRow>,
    pub next_cursor: Option<String>,
}

pub async fn list_import_rows(
    app: &App,
    import: Uuid,
    kind: Option<ImportRowKind>,
    cursor: Option<&str>,
    limit: Option<u16>,
) -> Result<ImportRowPage, CatalogueError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let after = db::parse_cursor(cursor, 0).ok_or(CatalogueError::BadCursor)?;
    store::find_import(&app.db.main, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    let kind = kind.map(ImportRowKind::name);
    let mut rows = store::list_import_rows(&app.db.main, import, kind, after, i64::from(limit) + 1).await?;
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.row.to_string());
    Ok(ImportRowPage { rows, next_cursor })
}

/// Enqueues the job that applies a checked file without errors.
pub async fn request_apply(app: &App, seller: Uuid, import: Uuid) -> Result<Import, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let known = store::lock_import(&mut tx, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    if known.state != "checked" || known.errors > 0 {
        return Err(CatalogueError::ImportNotReady);
    }
    store::set_import_state(&mut tx, import, "checked", "applying", None, app.clock.now()).await?;
    jobs::enqueue(&mut tx, &ApplyImport { import, seller }).await?;
    record_import_change(&mut tx, seller, import, &known.file_name, "checked", "applying").await?;
    fail_point!(app, "catalogue.import.before_apply_request_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.apply_request_committed");
    find_import(app, import).await
}

/// Cancels an import, even while it is being applied: the last step then finds it cancelled, and nothing is written.
pub async fn cancel_import(app: &App, seller: Uuid, import: Uuid) -> Result<Import, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let known = store::lock_import(&mut tx, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    if !["checking", "checked", "applying"].contains(&known.state.as_str()) {
        return Err(CatalogueError::ImportNotReady);
    }
    store::set_import_state(&mut tx, import, &known.state, "cancelled", None, app.clock.now()).await?;
    record_import_change(&mut tx, seller, import, &known.file_name, &known.state, "cancelled").await?;
    fail_point!(app, "catalogue.import.before_cancel_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.cancel_committed");
    find_import(app, import).await
}

async fn record_import_change(
    connection: &mut PgConnection,
    seller: Uuid,
    import: Uuid,
    file_name: &str,
    before: &str,
    after: &str,
) -> sqlx::Result<()> {
    let object = import.to_string();
    let audit_entry =
        NewAuditEntry { seller, action: "product.import", object: &object, about: file_name, before, after };
    seller::record_audit_entry(connection, &audit_entry).await
}

/// What a row would do.
#[derive(Debug)]
enum RowOutcome {
    Add { details: Box<ProductDetails>, stock: i32, changes: Vec<CellChange> },
    Update { product: Box<Product>, details: Box<ProductDetails>, difference: i32, changes: Vec<CellChange> },
    Same { snapshot: ImportSnapshot },
    Errors(Vec<CellError>),
}

struct ExaminedRow {
    number: i32,
    slug: String,
    name: String,
    outcome: RowOutcome,
}

fn cell_error(field: ProductField, message: Message) -> CellError {
    CellError { column: field.column().to_owned(), message: message.into() }
}

/// Compares a row with the product that has its slug now. `checked_stock` is the stock when the file was checked.
fn examine_row(
    row: &CsvRow,
    product: Option<&Product>,
    categories: &[Category],
    checked_stock: Option<i32>,
    duplicate_of: Option<i32>,
) -> ExaminedRow {
    let before = product.map(ProductDetails::from_product);
    let mut errors = Vec::new();
    if let Some(message) = row.length_error.clone() {
        errors.push(cell_error(ProductField::Slug, message));
    }
    if !row.slug.is_empty() && product.is_none() && !product_input::is_slug(&row.slug) {
        errors.push(cell_error(ProductField::Slug, message!("imports.slug_invalid")));
    }
    if let Some(first) = duplicate_of {
        errors.push(cell_error(ProductField::Slug, message!("imports.slug_duplicate", row = first)));
    }
    let mut outcome = None;
    match product_input::parse_product(&row.raw, before.as_ref(), categories, Source::Spreadsheet) {
        Err(field_errors) => errors
            .extend(field_errors.into_iter().map(|field_error| cell_error(field_error.field, field_error.message))),
        Ok(draft) => match decide_outcome(draft, product, before, categories, checked_stock) {
            Ok(decided) => outcome = Some(decided),
            Err(error) => errors.push(error),
        },
    }
    let name = row.raw.get(ProductField::Name).map(str::to_owned);
    let name = name.or_else(|| product.map(|product| product.name.clone())).unwrap_or_default();
    let outcome = outcome.filter(|_| errors.is_empty()).unwrap_or(RowOutcome::Errors(errors));
    ExaminedRow { number: row.number, slug: row.slug.clone(), name: name.chars().take(200).collect(), outcome }
}

fn decide_outcome(
    draft: ProductDraft,
    product: Option<&Product>,
    before: Option<ProductDetails>,
    categories: &[Category],
    checked_stock: Option<i32>,
) -> Result<RowOutcome, CellError> {
    let (Some(product), Some(before)) = (product, before) else {
        if draft.version.is_some() {
            return Err(cell_error(ProductField::Version, message!("imports.product_deleted_before")));
        }
        let stock = initial_stock(draft.stock);
        let changes = diff_products(&ProductDetails::default(), 0, &draft.details, stock, categories);
        return Ok(RowOutcome::Add { stock, details: Box::new(draft.details), changes });
    };
    let difference = match draft.stock {
        None => 0,
        Some(stock) => {
            let stock = StockEdit { last_seen: stock.last_seen.or(checked_stock), ..stock };
            let too_few = || message!("imports.stock_changed", left = product.stock);
            stock.difference(product.stock).map_err(|_| cell_error(ProductField::Stock, too_few()))?
        }
    };
    let changes = diff_products(&before, product.stock, &draft.details, product.stock + difference, categories);
    if changes.is_empty() {
        return Ok(RowOutcome::Same { snapshot: snapshot_of(product) });
    }
    if draft.details != before && draft.version.is_some_and(|version| version != product.updated_at) {
        return Err(cell_error(ProductField::Version, message!("imports.changed_since_export")));
    }
    let (product, details) = (Box::new(product.clone()), Box::new(draft.details));
    Ok(RowOutcome::Update { product, details, difference, changes })
}

/// Maps each row whose slug occurs in an earlier row to that row.
fn find_duplicate_slugs(rows: &[CsvRow]) -> HashMap<i32, i32> {
    let mut first: HashMap<&str, i32> = HashMap::new();
    let mut duplicates = HashMap::new();
    for row in rows.iter().filter(|row| !row.slug.is_empty()) {
        let known = *first.entry(&row.slug).or_insert(row.number);
        if known != row.number {
            duplicates.insert(row.number, known);
        }
    }
    duplicates
}

async fn find_products_of_rows(
    connection: &mut PgConnection,
    rows: &[CsvRow],
) -> sqlx::Result<HashMap<String, Product>> {
    let slugs: Vec<String> = rows.iter().map(|row| row.slug.clone()).filter(|slug| !slug.is_empty()).collect();
    let found = store::find_products_by_slugs(connection, &slugs).await?;
    Ok(found.into_iter().map(|product| (product.slug.clone(), product)).collect())
}

fn snapshot_of(product: &Product) -> ImportSnapshot {
    ImportSnapshot { product: product.id, version: product.updated_at, stock: product.stock }
}

fn to_row_record(examined: &ExaminedRow) -> Result<ImportRowRecord, CatalogueError> {
    let (kind, changes, errors, snapshot) = match &examined.outcome {
        RowOutcome::Add { changes, .. } => (ImportRowKind::Add, Some(changes), None, None),
        RowOutcome::Update { product, changes, .. } => {
            (ImportRowKind::Update, Some(changes), None, Some(snapshot_of(product)))
        }
        RowOutcome::Same { snapshot } => (ImportRowKind::Same, None, None, Some(*snapshot)),
        RowOutcome::Errors(errors) => (ImportRowKind::Error, None, Some(errors), None),
    };
    Ok(ImportRowRecord {
        row: examined.number,
        kind: kind.name(),
        slug: examined.slug.clone(),
        name: examined.name.clone(),
        changes: changes.map_or(Ok(serde_json::json!([])), serde_json::to_value)?,
        errors: errors.map_or(Ok(serde_json::json!([])), serde_json::to_value)?,
        snapshot,
    })
}

/// Finds out what every row would do, without changing any product.
#[derive(Serialize, Deserialize)]
pub struct CheckImport {
    import: Uuid,
}

impl Job for CheckImport {
    const NAME: &'static str = "catalogue.check_import";
    const ATTEMPTS: i16 = MAX_ATTEMPTS;
    const QUEUE: Option<&'static str> = Some(QUEUE);
    const PRIORITY: i32 = -1;

    async fn run(self, app: &App) -> Result<(), String> {
        let checked = check_import(app, self.import).await;
        finish_import_job(app, self.import, "checking", "refused", checked).await
    }
}

async fn check_import(app: &App, import: Uuid) -> Result<(), CatalogueError> {
    let db = &app.db.main;
    let Some(file) = store::find_import_file(db, import, "checking").await? else { return Ok(()) };
    let rows = match products_csv::parse_csv(&file) {
        Ok(rows) => rows,
        Err(unreadable) => {
            let mut connection = db.acquire().await?;
            store::set_import_state(
                &mut connection,
                import,
                "checking",
                "refused",
                Some(unreadable.into()),
                app.clock.now(),
            )
            .await?;
            return Ok(());
        }
    };
    if store::was_applied(db, import).await? {
        let mut connection = db.acquire().await?;
        store::set_import_state(&mut connection, import, "checking", "refused", Some(ALREADY_APPLIED), app.clock.now())
            .await?;
        return Ok(());
    }
    fail_point!(app, "catalogue.import.file_read");
    let mut progress = Progress::new(app, import, "checking", &rows);
    let duplicates = find_duplicate_slugs(&rows);
    // This is one transaction, so that a check that is interrupted, or made by two workers, leaves no mixture of rows.
    let mut tx = db.begin().await?;
    let categories = store::lock_categories(&mut tx).await?;
    store::delete_import_rows(&mut tx, import).await?;
    fail_point!(app, "catalogue.import.old_rows_deleted");
    for chunk in rows.chunks(CHUNK) {
        let products = find_products_of_rows(&mut tx, chunk).await?;
        let examined = chunk.iter().map(|row| {
            let duplicate_of = duplicates.get(&row.number).copied();
            to_row_record(&examine_row(row, products.get(&row.slug), &categories, None, duplicate_of))
        });
        store::insert_import_rows(&mut tx, import, &examined.collect::<Result<Vec<_>, _>>()?).await?;
        fail_point!(app, "catalogue.import.rows_checked");
        if !progress.advance(chunk.len()).await {
            return Ok(());
        }
    }
    store::update_import_counts(&mut tx, import).await?;
    if store::set_import_state(&mut tx, import, "checking", "checked", None, app.clock.now()).await? {
        fail_point!(app, "catalogue.import.before_check_commit");
        tx.commit().await?;
        fail_point!(app, "catalogue.import.check_committed");
    }
    Ok(())
}

/// Applies a checked file completely or not at all.
#[derive(Serialize, Deserialize)]
pub struct ApplyImport {
    import: Uuid,
    /// The seller who requested it.
    seller: Uuid,
}

impl Job for ApplyImport {
    const NAME: &'static str = "catalogue.apply_import";
    const ATTEMPTS: i16 = MAX_ATTEMPTS;
    const QUEUE: Option<&'static str> = Some(QUEUE);
    const PRIORITY: i32 = -1;

    async fn run(self, app: &App) -> Result<(), String> {
        let applied = retry_on_contention(|| apply_import(app, self.import, self.seller)).await;
        finish_import_job(app, self.import, "applying", "failed", applied).await
    }
}

/// Returns an error if another attempt may succeed. Any other failure ends the import, so that the seller does not wait
/// at a progress bar that never moves; the cause may quote the file, so it goes to the log and not into the queue.
async fn finish_import_job(
    app: &App,
    import: Uuid,
    from: &str,
    to: &str,
    done: Result<(), CatalogueError>,
) -> Result<(), String> {
    let Err(error) = done else { return Ok(()) };
    if let CatalogueError::Db(cause) = &error
        && is_retryable(cause)
    {
        return Err("the database is busy or unreachable".to_owned());
    }
    tracing::error!(%import, error = ?error, "a product import failed");
    let mut connection = app.db.main.acquire().await.map_err(|_| "the database is unreachable".to_owned())?;
    let problem = Some(message!("imports.internal"));
    let updated = store::set_import_state(&mut connection, import, from, to, problem, app.clock.now()).await;
    updated.map(|_| ()).map_err(|_| "the database is unreachable".to_owned())
}

/// Returns whether the cause was contention, a timeout, a lack of resources, or another worker that wrote the same
/// rows.
fn is_retryable(error: &sqlx::Error) -> bool {
    let class = |code: String| ["23", "53", "57"].iter().any(|class| code.starts_with(class));
    db::is_contention(error) || db::is_unavailable(error) || db::sqlstate(error).is_some_and(class)
}

async fn apply_import(app: &App, import: Uuid, seller: Uuid) -> Result<(), CatalogueError> {
    let db = &app.db.main;
    let Some(file) = store::find_import_file(db, import, "applying").await? else { return Ok(()) };
    let Some(record) = store::find_import(db, import).await? else { return Ok(()) };
    // The same file may have been uploaded twice and checked twice before either was applied.
    if store::was_applied(db, import).await? {
        let mut tx = db.begin().await?;
        if store::set_import_state(&mut tx, import, "applying", "failed", Some(ALREADY_APPLIED), app.clock.now())
            .await?
        {
            record_import_change(&mut tx, seller, import, &record.file_name, "applying", "failed").await?;
            tx.commit().await?;
        }
        return Ok(());
    }
    let rows = products_csv::parse_csv(&file).unwrap_or_default();
    let checked = store::list_checked_rows(db, import).await?;
    let mut progress = Progress::new(app, import, "applying", &rows);

    let mut tx = db.begin().await?;
    fail_point!(app, "catalogue.import.apply_begun");
    extend_timeouts(&mut tx).await?;
    let applied = write_rows(&mut tx, seller, &rows, &checked, &mut progress).await?;
    fail_point!(app, "catalogue.import.rows_applied");
    if let Err(conflicts) = applied {
        tx.rollback().await?;
        let mut tx = db.begin().await?;
        if store::set_import_state(
            &mut tx,
            import,
            "applying",
            "failed",
            Some(message!("imports.conflicts")),
            app.clock.now(),
        )
        .await?
        {
            store::replace_import_rows(&mut tx, import, &conflicts).await?;
            store::update_import_counts(&mut tx, import).await?;
            record_import_change(&mut tx, seller, import, &record.file_name, "applying", "failed").await?;
            fail_point!(app, "catalogue.import.before_failure_commit");
            tx.commit().await?;
            fail_point!(app, "catalogue.import.failure_committed");
        }
        return Ok(());
    }
    // This returns false if another worker took this one for dead and was faster, or if the seller cancelled the
    // import; then nothing is written.
    if store::set_import_state(&mut tx, import, "applying", "applied", None, app.clock.now()).await? {
        record_import_change(&mut tx, seller, import, &record.file_name, "applying", "applied").await?;
        fail_point!(app, "catalogue.import.before_apply_commit");
        tx.commit().await?;
        fail_point!(app, "catalogue.import.apply_committed");
    }
    Ok(())
}

/// Rows that can no longer do what the check said.
type RowConflicts = Vec<ImportRowRecord>;

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
    match (&examined.outcome, checked.kind.as_str()) {
        (RowOutcome::Errors(_), _) | (RowOutcome::Add { .. }, "add") => examined,
        (RowOutcome::Same { .. }, "same" | "update") if same_product => examined,
        (RowOutcome::Update { .. }, "update") if same_product && same_version => examined,
        (RowOutcome::Update { .. }, "update" | "same") if same_product => {
            conflict(examined, ProductField::Version, message!("imports.changed_since_check"))
        }
        (_, "add") => conflict(examined, ProductField::Slug, message!("imports.added_since_check")),
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
    progress: &mut Progress<'_>,
) -> Result<Result<(), RowConflicts>, CatalogueError> {
    let categories = store::lock_categories(connection).await?;
    let examine = |row: &CsvRow, product: Option<&Product>| {
        let before = checked.get(&row.number);
        let stock = before.and_then(|checked| checked.snapshot).map(|snapshot| snapshot.stock);
        match_with_check(examine_row(row, product, &categories, stock, None), product, before)
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
                RowOutcome::Errors(_) => conflicts.push(to_row_record(&examined)?),
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
    let ids: Vec<Uuid> = changing.iter().map(|(id, _)| *id).collect();
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
                RowOutcome::Add { .. } | RowOutcome::Errors(_) => conflicts.push(to_row_record(&examined)?),
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
            id: Uuid::now_v7(),
            slug: &added.row.slug,
            details: &added.details,
            stock: added.stock,
        });
        let new: Vec<NewProduct<'_>> = new.collect();
        let inserted: HashSet<Uuid> = store::insert_products(connection, &new).await?.into_iter().collect();
        for (added, new) in chunk.iter().zip(&new).filter(|(_, new)| !inserted.contains(&new.id)) {
            let errors = vec![cell_error(ProductField::Slug, message!("imports.slug_taken"))];
            let outcome = RowOutcome::Errors(errors);
            let (number, slug, name) = (added.row.number, added.row.slug.clone(), new.details.name.clone());
            conflicts.push(to_row_record(&ExaminedRow { number, slug, name, outcome })?);
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
    added: impl Iterator<Item = (Uuid, &'a str)>,
) -> sqlx::Result<()> {
    let added: Vec<(String, &str)> = added.map(|(id, name)| (id.to_string(), name)).collect();
    let (action, before, after) = ("product.add", "", "by import");
    let audit_entries =
        added.iter().map(|(object, about)| NewAuditEntry { seller, action, object, about, before, after });
    seller::record_audit_entries(connection, &audit_entries.collect::<Vec<_>>()).await
}

async fn update_changed_products(
    connection: &mut PgConnection,
    seller: Uuid,
    updates: &[ProductUpdate],
    progress: &mut Progress<'_>,
) -> Result<(), CatalogueError> {
    for chunk in updates.chunks(CHUNK) {
        let edited = chunk.iter().filter(|updated| *updated.details != ProductDetails::from_product(&updated.product));
        let entries: Vec<(Uuid, &ProductDetails)> =
            edited.map(|updated| (updated.product.id, &*updated.details)).collect();
        store::update_products(connection, &entries).await?;
        fail_point!(progress.app, "catalogue.import.products_updated");
        let (ids, differences): (Vec<Uuid>, Vec<i32>) =
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
        seller::record_audit_entries(connection, &audit_entries.collect::<Vec<_>>()).await?;
        progress.advance(chunk.len()).await;
    }
    Ok(())
}

/// The progress that the seller sees. It is written outside the transaction, whose changes are invisible until the
/// commit.
struct Progress<'a> {
    app: &'a App,
    import: Uuid,
    state: &'static str,
    done: i32,
    total: i32,
}

impl<'a> Progress<'a> {
    fn new(app: &'a App, import: Uuid, state: &'static str, rows: &[CsvRow]) -> Self {
        Self { app, import, state, done: 0, total: i32::try_from(rows.len()).unwrap_or(i32::MAX) }
    }

    /// Returns false when the import was cancelled. A failure to write the progress does not stop the import.
    async fn advance(&mut self, rows: usize) -> bool {
        self.done += i32::try_from(rows).unwrap_or(0);
        store::set_import_progress(&self.app.db.main, self.import, self.state, self.done, self.total)
            .await
            .unwrap_or(true)
    }
}

/// Deletes imports that are older than the retention time.
pub async fn delete_old_imports(db: &sqlx::PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let mut all = 0;
    loop {
        match store::delete_old_imports(db, now - RETENTION).await? {
            0 => return Ok(all),
            some => all += some,
        }
    }
}
