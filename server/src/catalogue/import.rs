//! Products from a spreadsheet: a file is kept, checked by a job that says what each row would do, and applied by another one:
//! all of it in one transaction, or nothing. A worker that dies leaves nothing half done, and the job begins again.

use std::collections::{HashMap, HashSet};

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use serde::ser::Error as _;
use serde::{Deserialize, Serialize, Serializer};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

use super::CatalogueError;
use super::add::{first_stock, put_all_on_sale};
use super::edit::{changes, in_words};
use super::entry::{self, Difference, Entry, Field, Source, StockWish, Wish};
use super::model::{Category, Product};
use super::sheet::{self, Row};
use super::store::{self, Checked, NewProduct, RowOut, Seen};
use crate::platform::db::{self, allow_a_minute};
use crate::platform::fail_point::fail_point;
use crate::platform::jobs::{self, Job};
use crate::platform::sentences;
use crate::platform::state::App;
use crate::seller::{self, Deed};

/// Rows looked at, or written, between two notes of how far it is.
const CHUNK: usize = 500;
/// Files are worked through one after the other, so that letters and payments never wait for them.
const QUEUE: &str = "imports";
/// Some ten minutes of trying; after that nobody expects it any more.
const TRIES: i16 = 6;
const MOST: u16 = 200;
const USUAL: u16 = 50;
const LISTED: i64 = 20;
const KEPT: TimeDelta = TimeDelta::days(30);
const LONGEST_FILE_NAME: usize = 120;
/// Why a file was not applied although every row was fine when it was checked.
const CHANGED: &str =
    "Something has changed since the file was checked, and nothing was written. See the rows, and check again.";

const APPLIED_BEFORE: &str = "This very file has been applied before. Export the products again and change that file.";
const BROKEN: &str =
    "Something went wrong at our side, and nothing was written. Please try again, or tell your developer.";

/// A file as the desk shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Import {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub file_name: String,
    /// `checking`, `checked`, `refused`, `applying`, `applied`, `failed` or `cancelled`.
    pub state: String,
    pub done: i32,
    /// Rows; 0 until they have been counted.
    pub total: i32,
    pub counts: Counts,
    /// For people: why it was refused or failed.
    #[serde(serialize_with = "sentences::for_the_reader")]
    pub message: String,
    pub created_at: DateTime<Utc>,
    #[schema(required)]
    pub finished_at: Option<DateTime<Utc>>,
    /// Who sent it.
    pub by: String,
}

/// What a row would do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowKind {
    Add,
    Update,
    Same,
    Error,
}

impl RowKind {
    const fn name(self) -> &'static str {
        match self {
            Self::Add => "add",
            Self::Update => "update",
            Self::Same => "same",
            Self::Error => "error",
        }
    }
}

/// What the rows would do.
#[derive(Debug, Default, Serialize, utoipa::ToSchema)]
#[schema(as = ImportCounts)]
pub struct Counts {
    pub add: i32,
    pub update: i32,
    pub same: i32,
    pub error: i32,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ImportRow {
    /// As a spreadsheet counts: the header is row 1.
    pub row: i32,
    pub slug: String,
    pub name: String,
    /// `add`, `update`, `same` or `error`.
    pub kind: String,
    #[schema(value_type = Vec<Difference>)]
    pub changes: serde_json::Value,
    #[schema(value_type = Vec<CellError>)]
    #[serde(serialize_with = "errors_for_the_reader")]
    pub errors: serde_json::Value,
}

/// What is wrong with a cell.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct CellError {
    pub column: String,
    pub message: String,
}

/// The errors as they were written down when the file was checked, in the language of whoever looks at them now.
fn errors_for_the_reader<S: Serializer>(errors: &serde_json::Value, serializer: S) -> Result<S::Ok, S::Error> {
    let mut errors: Vec<CellError> = serde_json::from_value(errors.clone()).map_err(S::Error::custom)?;
    for error in &mut errors {
        error.message = sentences::worded(&error.message).into_owned();
    }
    errors.serialize(serializer)
}

/// Keeps the file and asks for its check.
pub async fn begin(app: &App, seller: Uuid, file_name: &str, file: Bytes) -> Result<Import, CatalogueError> {
    let name: String = file_name.chars().filter(|c| !c.is_control()).take(LONGEST_FILE_NAME).collect();
    let id = Uuid::now_v7();
    let mut tx = app.db.main.begin().await?;
    store::insert_import(&mut tx, id, seller, &name, &file, &Sha256::digest(&file), app.clock.now()).await?;
    fail_point!(app, "catalogue.import.file_stored");
    jobs::enqueue(&mut tx, &CheckImport { import: id }).await?;
    note(&mut tx, seller, id, &name, "", "checking").await?;
    fail_point!(app, "catalogue.import.before_upload_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.upload_committed");
    find(app, id).await
}

pub async fn find(app: &App, id: Uuid) -> Result<Import, CatalogueError> {
    let row = store::import(&app.db.main, id).await?.ok_or(CatalogueError::ImportNotFound)?;
    shown(app, vec![row]).await?.pop().ok_or(CatalogueError::ImportNotFound)
}

/// The newest ones.
pub async fn list(app: &App) -> Result<Vec<Import>, CatalogueError> {
    let rows = store::imports(&app.db.main, LISTED).await?;
    shown(app, rows).await
}

async fn shown(app: &App, rows: Vec<store::ImportFacts>) -> Result<Vec<Import>, CatalogueError> {
    let sellers: Vec<Uuid> = rows.iter().map(|row| row.seller).collect();
    let names = seller::names(&app.db.main, &sellers).await?;
    let imports = rows.into_iter().map(|row| Import {
        id: row.id,
        file_name: row.file_name,
        state: row.state,
        done: row.done,
        total: row.total,
        counts: Counts { add: row.adds, update: row.updates, same: row.sames, error: row.errors },
        message: row.message,
        created_at: row.created_at,
        finished_at: row.finished_at,
        by: names.get(&row.seller).cloned().unwrap_or_default(),
    });
    Ok(imports.collect())
}

pub struct RowPage {
    pub rows: Vec<ImportRow>,
    pub next_cursor: Option<String>,
}

pub async fn rows(
    app: &App,
    import: Uuid,
    kind: Option<RowKind>,
    cursor: Option<&str>,
    limit: Option<u16>,
) -> Result<RowPage, CatalogueError> {
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let after = db::page_start(cursor, 0).ok_or(CatalogueError::BadCursor)?;
    store::import(&app.db.main, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    let kind = kind.map(RowKind::name);
    let mut rows = store::import_rows(&app.db.main, import, kind, after, i64::from(limit) + 1).await?;
    let next_cursor = db::cut_page(&mut rows, limit).map(|last| last.row.to_string());
    Ok(RowPage { rows, next_cursor })
}

/// Asks for a checked file without errors to be applied.
pub async fn apply(app: &App, seller: Uuid, import: Uuid) -> Result<Import, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let known = store::lock_import(&mut tx, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    if known.state != "checked" || known.errors > 0 {
        return Err(CatalogueError::ImportNotReady);
    }
    store::set_import_state(&mut tx, import, "checked", "applying", "", app.clock.now()).await?;
    jobs::enqueue(&mut tx, &ApplyImport { import, seller }).await?;
    note(&mut tx, seller, import, &known.file_name, "checked", "applying").await?;
    fail_point!(app, "catalogue.import.before_apply_request_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.apply_request_committed");
    find(app, import).await
}

/// A file that will not be applied. Also while it is: the last step of applying finds that nobody wants it any more, and nothing is
/// written.
pub async fn cancel(app: &App, seller: Uuid, import: Uuid) -> Result<Import, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let known = store::lock_import(&mut tx, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    if !["checking", "checked", "applying"].contains(&known.state.as_str()) {
        return Err(CatalogueError::ImportNotReady);
    }
    store::set_import_state(&mut tx, import, &known.state, "cancelled", "", app.clock.now()).await?;
    note(&mut tx, seller, import, &known.file_name, &known.state, "cancelled").await?;
    fail_point!(app, "catalogue.import.before_cancel_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.cancel_committed");
    find(app, import).await
}

async fn note(
    connection: &mut PgConnection,
    seller: Uuid,
    import: Uuid,
    file_name: &str,
    before: &str,
    after: &str,
) -> sqlx::Result<()> {
    let object = import.to_string();
    let deed = Deed { seller, action: "product.import", object: &object, about: file_name, before, after };
    seller::note(connection, &deed).await
}

/// What a row would do.
#[derive(Debug)]
enum Outcome {
    Add { entry: Box<Entry>, stock: i32, changes: Vec<Difference> },
    Update { product: Box<Product>, entry: Box<Entry>, difference: i32, changes: Vec<Difference> },
    Same { seen: Seen },
    Errors(Vec<CellError>),
}

struct Examined {
    number: i32,
    slug: String,
    name: String,
    outcome: Outcome,
}

fn cell(field: Field, message: impl Into<String>) -> CellError {
    CellError { column: field.column().to_owned(), message: message.into() }
}

/// Holds a row against the product that has its slug now. `seen` is the stock when the file was checked.
fn examine(
    row: &Row,
    product: Option<&Product>,
    categories: &[Category],
    seen: Option<i32>,
    twin: Option<i32>,
) -> Examined {
    let before = product.map(Entry::of);
    let mut errors = Vec::new();
    if let Some(message) = row.misshapen {
        errors.push(cell(Field::Slug, message));
    }
    if !row.slug.is_empty() && product.is_none() && !entry::is_slug(&row.slug) {
        errors.push(cell(Field::Slug, "A slug has small letters a-z, digits and single hyphens between them."));
    }
    if let Some(first) = twin {
        errors.push(cell(Field::Slug, format!("Row {first} has the same slug.")));
    }
    let mut outcome = None;
    match entry::read(&row.written, before.as_ref(), categories, Source::Spreadsheet) {
        Err(faults) => errors.extend(faults.into_iter().map(|fault| cell(fault.field, fault.message))),
        Ok(wish) => match decide(wish, product, before, categories, seen) {
            Ok(decided) => outcome = Some(decided),
            Err(error) => errors.push(error),
        },
    }
    let name = row.written.get(Field::Name).map(str::to_owned);
    let name = name.or_else(|| product.map(|product| product.name.clone())).unwrap_or_default();
    let outcome = outcome.filter(|_| errors.is_empty()).unwrap_or(Outcome::Errors(errors));
    Examined { number: row.number, slug: row.slug.clone(), name: name.chars().take(200).collect(), outcome }
}

fn decide(
    wish: Wish,
    product: Option<&Product>,
    before: Option<Entry>,
    categories: &[Category],
    seen: Option<i32>,
) -> Result<Outcome, CellError> {
    let (Some(product), Some(before)) = (product, before) else {
        if wish.version.is_some() {
            return Err(cell(Field::Version, "This product is gone. Empty its version to add it anew."));
        }
        let stock = first_stock(wish.stock);
        let changes = changes(&Entry::default(), 0, &wish.entry, stock, categories);
        return Ok(Outcome::Add { stock, entry: Box::new(wish.entry), changes });
    };
    let difference = match wish.stock {
        None => 0,
        Some(stock) => {
            let stock = StockWish { seen: stock.seen.or(seen), ..stock };
            let too_few = || format!("The stock has changed meanwhile: {} left.", product.stock);
            stock.difference(product.stock).map_err(|_| cell(Field::Stock, too_few()))?
        }
    };
    let changes = changes(&before, product.stock, &wish.entry, product.stock + difference, categories);
    if changes.is_empty() {
        return Ok(Outcome::Same { seen: seen_of(product) });
    }
    if wish.entry != before && wish.version.is_some_and(|seen| seen != product.updated_at) {
        return Err(cell(Field::Version, "Somebody has changed this product since the file was made."));
    }
    let (product, entry) = (Box::new(product.clone()), Box::new(wish.entry));
    Ok(Outcome::Update { product, entry, difference, changes })
}

/// Rows whose slug stands in an earlier row, and that row.
fn twins(rows: &[Row]) -> HashMap<i32, i32> {
    let mut first: HashMap<&str, i32> = HashMap::new();
    let mut twins = HashMap::new();
    for row in rows.iter().filter(|row| !row.slug.is_empty()) {
        let known = *first.entry(&row.slug).or_insert(row.number);
        if known != row.number {
            twins.insert(row.number, known);
        }
    }
    twins
}

async fn products_of(connection: &mut PgConnection, rows: &[Row]) -> sqlx::Result<HashMap<String, Product>> {
    let slugs: Vec<String> = rows.iter().map(|row| row.slug.clone()).filter(|slug| !slug.is_empty()).collect();
    let found = store::by_slugs(connection, &slugs).await?;
    Ok(found.into_iter().map(|product| (product.slug.clone(), product)).collect())
}

fn seen_of(product: &Product) -> Seen {
    Seen { product: product.id, version: product.updated_at, stock: product.stock }
}

fn row_out(examined: &Examined) -> Result<RowOut, CatalogueError> {
    let (kind, changes, errors, seen) = match &examined.outcome {
        Outcome::Add { changes, .. } => (RowKind::Add, Some(changes), None, None),
        Outcome::Update { product, changes, .. } => (RowKind::Update, Some(changes), None, Some(seen_of(product))),
        Outcome::Same { seen } => (RowKind::Same, None, None, Some(*seen)),
        Outcome::Errors(errors) => (RowKind::Error, None, Some(errors), None),
    };
    Ok(RowOut {
        row: examined.number,
        kind: kind.name(),
        slug: examined.slug.clone(),
        name: examined.name.clone(),
        changes: changes.map_or(Ok(serde_json::json!([])), serde_json::to_value)?,
        errors: errors.map_or(Ok(serde_json::json!([])), serde_json::to_value)?,
        seen,
    })
}

/// Says of every row what it would do. Nothing is changed.
#[derive(Serialize, Deserialize)]
pub struct CheckImport {
    import: Uuid,
}

impl Job for CheckImport {
    const NAME: &'static str = "catalogue.check_import";
    const ATTEMPTS: i16 = TRIES;
    const QUEUE: Option<&'static str> = Some(QUEUE);
    const PRIORITY: i32 = -1;

    async fn run(self, app: &App) -> Result<(), String> {
        let checked = check(app, self.import).await;
        end(app, self.import, "checking", "refused", checked).await
    }
}

async fn check(app: &App, import: Uuid) -> Result<(), CatalogueError> {
    let db = &app.db.main;
    let Some(file) = store::import_file(db, import, "checking").await? else { return Ok(()) };
    let rows = match sheet::read(&file) {
        Ok(rows) => rows,
        Err(unreadable) => {
            let mut connection = db.acquire().await?;
            store::set_import_state(
                &mut connection,
                import,
                "checking",
                "refused",
                &unreadable.to_string(),
                app.clock.now(),
            )
            .await?;
            return Ok(());
        }
    };
    if store::was_applied(db, import).await? {
        let mut connection = db.acquire().await?;
        store::set_import_state(&mut connection, import, "checking", "refused", APPLIED_BEFORE, app.clock.now())
            .await?;
        return Ok(());
    }
    fail_point!(app, "catalogue.import.file_read");
    let mut progress = Progress::new(app, import, "checking", &rows);
    let twins = twins(&rows);
    // Whole, or not at all: a check that was interrupted, or that two workers make, leaves no mixture of rows.
    let mut tx = db.begin().await?;
    let categories = store::hold_categories(&mut tx).await?;
    store::forget_rows(&mut tx, import).await?;
    fail_point!(app, "catalogue.import.old_rows_deleted");
    for chunk in rows.chunks(CHUNK) {
        let products = products_of(&mut tx, chunk).await?;
        let examined = chunk.iter().map(|row| {
            let twin = twins.get(&row.number).copied();
            row_out(&examine(row, products.get(&row.slug), &categories, None, twin))
        });
        store::insert_rows(&mut tx, import, &examined.collect::<Result<Vec<_>, _>>()?).await?;
        fail_point!(app, "catalogue.import.rows_checked");
        if !progress.advance(chunk.len()).await {
            return Ok(());
        }
    }
    store::count_rows(&mut tx, import).await?;
    if store::set_import_state(&mut tx, import, "checking", "checked", "", app.clock.now()).await? {
        fail_point!(app, "catalogue.import.before_check_commit");
        tx.commit().await?;
        fail_point!(app, "catalogue.import.check_committed");
    }
    Ok(())
}

/// Applies a checked file: everything, or nothing.
#[derive(Serialize, Deserialize)]
pub struct ApplyImport {
    import: Uuid,
    /// Who wants it.
    seller: Uuid,
}

impl Job for ApplyImport {
    const NAME: &'static str = "catalogue.apply_import";
    const ATTEMPTS: i16 = TRIES;
    const QUEUE: Option<&'static str> = Some(QUEUE);
    const PRIORITY: i32 = -1;

    async fn run(self, app: &App) -> Result<(), String> {
        let applied = super::patiently(|| apply_all(app, self.import, self.seller)).await;
        end(app, self.import, "applying", "failed", applied).await
    }
}

/// A job that another try may mend is tried again. Any other failure ends the file: nobody waits for ever at a bar that does
/// not move, and the cause, which may quote the file, goes to the log and not into the queue.
async fn end(app: &App, import: Uuid, from: &str, to: &str, done: Result<(), CatalogueError>) -> Result<(), String> {
    let Err(error) = done else { return Ok(()) };
    if let CatalogueError::Db(cause) = &error
        && may_pass(cause)
    {
        return Err("the database is busy or away".to_owned());
    }
    tracing::error!(%import, error = ?error, "a file of products could not be worked through");
    let mut connection = app.db.main.acquire().await.map_err(|_| "the database is away".to_owned())?;
    let told = store::set_import_state(&mut connection, import, from, to, BROKEN, app.clock.now()).await;
    told.map(|_| ()).map_err(|_| "the database is away".to_owned())
}

/// Somebody was in the way, it took too long, there was no room, or another worker has written the same rows.
fn may_pass(error: &sqlx::Error) -> bool {
    let class = |code: String| ["23", "53", "57"].iter().any(|class| code.starts_with(class));
    db::is_contention(error) || db::is_away(error) || db::code_of(error).is_some_and(class)
}

async fn apply_all(app: &App, import: Uuid, seller: Uuid) -> Result<(), CatalogueError> {
    let db = &app.db.main;
    let Some(file) = store::import_file(db, import, "applying").await? else { return Ok(()) };
    let Some(facts) = store::import(db, import).await? else { return Ok(()) };
    // The same file may have been sent twice and checked twice before either was applied.
    if store::was_applied(db, import).await? {
        let mut tx = db.begin().await?;
        if store::set_import_state(&mut tx, import, "applying", "failed", APPLIED_BEFORE, app.clock.now()).await? {
            note(&mut tx, seller, import, &facts.file_name, "applying", "failed").await?;
            tx.commit().await?;
        }
        return Ok(());
    }
    let rows = sheet::read(&file).unwrap_or_default();
    let checked = store::checked_rows(db, import).await?;
    let mut progress = Progress::new(app, import, "applying", &rows);

    let mut tx = db.begin().await?;
    fail_point!(app, "catalogue.import.apply_begun");
    allow_a_minute(&mut tx).await?;
    let applied = write_all(&mut tx, seller, &rows, &checked, &mut progress).await?;
    fail_point!(app, "catalogue.import.rows_applied");
    if let Err(misfits) = applied {
        tx.rollback().await?;
        let mut tx = db.begin().await?;
        if store::set_import_state(&mut tx, import, "applying", "failed", CHANGED, app.clock.now()).await? {
            store::replace_rows(&mut tx, import, &misfits).await?;
            store::count_rows(&mut tx, import).await?;
            note(&mut tx, seller, import, &facts.file_name, "applying", "failed").await?;
            fail_point!(app, "catalogue.import.before_failure_commit");
            tx.commit().await?;
            fail_point!(app, "catalogue.import.failure_committed");
        }
        return Ok(());
    }
    // Should another worker have taken this one for dead and been first, or somebody have called it off, this says so, and
    // nothing is done.
    if store::set_import_state(&mut tx, import, "applying", "applied", "", app.clock.now()).await? {
        note(&mut tx, seller, import, &facts.file_name, "applying", "applied").await?;
        fail_point!(app, "catalogue.import.before_apply_commit");
        tx.commit().await?;
        fail_point!(app, "catalogue.import.apply_committed");
    }
    Ok(())
}

/// Rows that can no longer do what the check said.
type Misfits = Vec<RowOut>;

/// What a row does now, if that is what it was found to do at the check.
fn as_checked(examined: Examined, product: Option<&Product>, checked: Option<&Checked>) -> Examined {
    let misfit = |examined: Examined, field, message: &str| Examined {
        outcome: Outcome::Errors(vec![cell(field, message)]),
        ..examined
    };
    let Some(checked) = checked else {
        return misfit(examined, Field::Slug, "This row was not checked.");
    };
    let same_product = checked.seen.map(|seen| seen.product) == product.map(|product| product.id);
    let same_version = checked.seen.map(|seen| seen.version) == product.map(|product| product.updated_at);
    match (&examined.outcome, checked.kind.as_str()) {
        (Outcome::Errors(_), _) | (Outcome::Add { .. }, "add") => examined,
        (Outcome::Same { .. }, "same" | "update") if same_product => examined,
        (Outcome::Update { .. }, "update") if same_product && same_version => examined,
        (Outcome::Update { .. }, "update" | "same") if same_product => {
            misfit(examined, Field::Version, "Somebody has changed this product since the file was checked.")
        }
        (_, "add") => misfit(examined, Field::Slug, "Somebody has added a product under this slug meanwhile."),
        _ => misfit(examined, Field::Slug, "Somebody has deleted this product meanwhile."),
    }
}

struct Updated {
    product: Box<Product>,
    entry: Box<Entry>,
    difference: i32,
    changes: Vec<Difference>,
}

/// Looks twice: without locks, to learn what is new and which products change, and at those again when they are locked. What is new is
/// written first, so that products are locked for as long as it takes to write the changed ones, and the shop goes on selling
/// all the others.
async fn write_all(
    connection: &mut PgConnection,
    seller: Uuid,
    rows: &[Row],
    checked: &HashMap<i32, Checked>,
    progress: &mut Progress<'_>,
) -> Result<Result<(), Misfits>, CatalogueError> {
    let categories = store::hold_categories(connection).await?;
    let look = |row: &Row, product: Option<&Product>| {
        let before = checked.get(&row.number);
        let stock = before.and_then(|checked| checked.seen).map(|seen| seen.stock);
        as_checked(examine(row, product, &categories, stock, None), product, before)
    };
    let (mut adds, mut changing, mut misfits) = (Vec::new(), Vec::new(), Vec::new());
    for (start, chunk) in rows.chunks(CHUNK).enumerate() {
        let products = products_of(connection, chunk).await?;
        for (at, row) in chunk.iter().enumerate() {
            let examined = look(row, products.get(&row.slug));
            match examined.outcome {
                Outcome::Same { .. } => {}
                Outcome::Add { entry, stock, .. } => adds.push(Added { row, entry, stock }),
                Outcome::Update { product, .. } => changing.push((product.id, start * CHUNK + at)),
                Outcome::Errors(_) => misfits.push(row_out(&examined)?),
            }
        }
    }
    if !misfits.is_empty() {
        return Ok(Err(misfits));
    }
    progress.advance(rows.len() - adds.len() - changing.len()).await;
    if let Err(misfits) = write_new(connection, seller, &adds, progress).await? {
        return Ok(Err(misfits));
    }
    fail_point!(progress.app, "catalogue.import.products_added");
    changing.sort_unstable();
    let ids: Vec<Uuid> = changing.iter().map(|(id, _)| *id).collect();
    store::lock_products(connection, &ids).await?;
    fail_point!(progress.app, "catalogue.import.products_locked");
    let mut updates = Vec::with_capacity(changing.len());
    for chunk in changing.chunks(CHUNK) {
        let again: Vec<&Row> = chunk.iter().filter_map(|(_, at)| rows.get(*at)).collect();
        let slugs: Vec<String> = again.iter().map(|row| row.slug.clone()).collect();
        let products = store::by_slugs(connection, &slugs).await?;
        let products: HashMap<&str, &Product> =
            products.iter().map(|product| (product.slug.as_str(), product)).collect();
        for row in again {
            let examined = look(row, products.get(row.slug.as_str()).copied());
            match examined.outcome {
                Outcome::Update { product, entry, difference, changes } => {
                    updates.push(Updated { product, entry, difference, changes });
                }
                Outcome::Same { .. } => {}
                Outcome::Add { .. } | Outcome::Errors(_) => misfits.push(row_out(&examined)?),
            }
        }
    }
    if !misfits.is_empty() {
        return Ok(Err(misfits));
    }
    write_changed(connection, seller, &updates, progress).await?;
    Ok(Ok(()))
}

struct Added<'a> {
    row: &'a Row,
    entry: Box<Entry>,
    stock: i32,
}

/// Those with a slug of their own first: a name must not take it from them.
async fn write_new(
    connection: &mut PgConnection,
    seller: Uuid,
    adds: &[Added<'_>],
    progress: &mut Progress<'_>,
) -> Result<Result<(), Misfits>, CatalogueError> {
    let (chosen, made): (Vec<&Added<'_>>, Vec<&Added<'_>>) = adds.iter().partition(|added| !added.row.slug.is_empty());
    let mut misfits = Vec::new();
    for chunk in chosen.chunks(CHUNK) {
        let new = chunk.iter().map(|added| NewProduct {
            id: Uuid::now_v7(),
            slug: &added.row.slug,
            entry: &added.entry,
            stock: added.stock,
        });
        let new: Vec<NewProduct<'_>> = new.collect();
        let inserted: HashSet<Uuid> = store::insert_products(connection, &new).await?.into_iter().collect();
        for (added, new) in chunk.iter().zip(&new).filter(|(_, new)| !inserted.contains(&new.id)) {
            let errors = vec![cell(Field::Slug, "Another product has this slug. Choose another, or leave it empty.")];
            let outcome = Outcome::Errors(errors);
            let (number, slug, name) = (added.row.number, added.row.slug.clone(), new.entry.name.clone());
            misfits.push(row_out(&Examined { number, slug, name, outcome })?);
        }
        note_added(connection, seller, new.iter().map(|new| (new.id, new.entry.name.as_str()))).await?;
        progress.advance(chunk.len()).await;
    }
    for chunk in made.chunks(CHUNK) {
        let new: Vec<(&Entry, i32)> = chunk.iter().map(|added| (&*added.entry, added.stock)).collect();
        let put = put_all_on_sale(connection, &new).await?;
        let named = put.iter().zip(&new).map(|((id, _), (entry, _))| (*id, entry.name.as_str()));
        note_added(connection, seller, named).await?;
        progress.advance(chunk.len()).await;
    }
    Ok(if misfits.is_empty() { Ok(()) } else { Err(misfits) })
}

async fn note_added<'a>(
    connection: &mut PgConnection,
    seller: Uuid,
    added: impl Iterator<Item = (Uuid, &'a str)>,
) -> sqlx::Result<()> {
    let added: Vec<(String, &str)> = added.map(|(id, name)| (id.to_string(), name)).collect();
    let (action, before, after) = ("product.add", "", "by import");
    let deeds = added.iter().map(|(object, about)| Deed { seller, action, object, about, before, after });
    seller::note_all(connection, &deeds.collect::<Vec<_>>()).await
}

async fn write_changed(
    connection: &mut PgConnection,
    seller: Uuid,
    updates: &[Updated],
    progress: &mut Progress<'_>,
) -> Result<(), CatalogueError> {
    for chunk in updates.chunks(CHUNK) {
        let edited = chunk.iter().filter(|updated| *updated.entry != Entry::of(&updated.product));
        let entries: Vec<(Uuid, &Entry)> = edited.map(|updated| (updated.product.id, &*updated.entry)).collect();
        store::write_entries(connection, &entries).await?;
        fail_point!(progress.app, "catalogue.import.entries_written");
        let (ids, differences): (Vec<Uuid>, Vec<i32>) =
            chunk.iter().map(|updated| (updated.product.id, updated.difference)).unzip();
        store::move_stock(connection, &ids, &differences, "seller").await?;
        fail_point!(progress.app, "catalogue.import.stock_moved");
        let told: Vec<(String, (String, String))> =
            chunk.iter().map(|updated| (updated.product.id.to_string(), in_words(&updated.changes))).collect();
        let deeds = chunk.iter().zip(&told).map(|(updated, (object, (before, after)))| Deed {
            seller,
            action: "product.update",
            object,
            about: &updated.product.name,
            before,
            after,
        });
        seller::note_all(connection, &deeds.collect::<Vec<_>>()).await?;
        progress.advance(chunk.len()).await;
    }
    Ok(())
}

/// How far it is, for those who watch: written beside the transaction, which shows nothing until it is done.
struct Progress<'a> {
    app: &'a App,
    import: Uuid,
    state: &'static str,
    done: i32,
    total: i32,
}

impl<'a> Progress<'a> {
    fn new(app: &'a App, import: Uuid, state: &'static str, rows: &[Row]) -> Self {
        Self { app, import, state, done: 0, total: i32::try_from(rows.len()).unwrap_or(i32::MAX) }
    }

    /// False when nobody wants it any more. That it cannot be written is no reason to stop.
    async fn advance(&mut self, rows: usize) -> bool {
        self.done += i32::try_from(rows).unwrap_or(0);
        store::set_progress(&self.app.db.main, self.import, self.state, self.done, self.total).await.unwrap_or(true)
    }
}

/// Files of long ago.
pub async fn tidy(db: &sqlx::PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    let mut all = 0;
    loop {
        match store::forget_imports(db, now - KEPT).await? {
            0 => return Ok(all),
            some => all += some,
        }
    }
}
