//! What a seller asks of imports: uploading a file, watching it, applying and cancelling it.

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::audit::record_import_change;
use super::jobs::{ApplyImport, CheckImport};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{ImportRecord, ImportRow, ImportRowKind, ImportState, NewImport};
use crate::catalogue::store;
use crate::platform::db;
use crate::platform::fail_point::fail_point;
use crate::platform::jobs;
use crate::platform::state::App;
use crate::staff;

const MAX_PAGE_SIZE: u16 = 200;
const DEFAULT_PAGE_SIZE: u16 = 50;
const MAX_LISTED_IMPORTS: i64 = 20;
const RETENTION: TimeDelta = TimeDelta::days(30);
const MAX_FILE_NAME_LENGTH: usize = 120;

/// An import with the name of the seller who uploaded the file.
pub struct SellerImport {
    pub record: ImportRecord,
    pub by: String,
}

/// Stores the file and enqueues its check.
pub async fn create_import(
    app: &App,
    seller: Uuid,
    file_name: &str,
    file: Bytes,
) -> Result<SellerImport, CatalogueError> {
    let name: String = file_name.chars().filter(|c| !c.is_control()).take(MAX_FILE_NAME_LENGTH).collect();
    let id = Uuid::now_v7();
    let new = NewImport {
        id,
        seller,
        file_name: &name,
        file: &file,
        file_hash: &Sha256::digest(&file),
        created_at: app.clock.now(),
    };
    let mut tx = app.db.main.begin().await?;
    store::insert_import(&mut tx, &new).await?;
    fail_point!(app, "catalogue.import.file_stored");
    jobs::enqueue(&mut tx, &CheckImport { import: id }).await?;
    record_import_change(&mut tx, seller, id, &name, None, ImportState::Checking).await?;
    fail_point!(app, "catalogue.import.before_upload_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.upload_committed");
    find_import(app, id).await
}

pub async fn find_import(app: &App, id: Uuid) -> Result<SellerImport, CatalogueError> {
    let row = store::find_import(&app.db.main, id).await?.ok_or(CatalogueError::ImportNotFound)?;
    to_imports(app, vec![row]).await?.pop().ok_or(CatalogueError::ImportNotFound)
}

/// Lists the newest imports.
pub async fn list_imports(app: &App) -> Result<Vec<SellerImport>, CatalogueError> {
    let rows = store::list_imports(&app.db.main, MAX_LISTED_IMPORTS).await?;
    to_imports(app, rows).await
}

async fn to_imports(app: &App, rows: Vec<ImportRecord>) -> Result<Vec<SellerImport>, CatalogueError> {
    let sellers: Vec<Uuid> = rows.iter().map(|row| row.seller).collect();
    let names = staff::find_names(&app.db.main, &sellers).await?;
    let imports = rows.into_iter().map(|record| {
        let by = names.get(&record.seller).cloned().unwrap_or_default();
        SellerImport { record, by }
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
    let mut rows = store::list_import_rows(&app.db.main, import, kind, after, i64::from(limit) + 1).await?;
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.row.to_string());
    Ok(ImportRowPage { rows, next_cursor })
}

/// Enqueues the job that applies a checked file without errors.
pub async fn request_apply(app: &App, seller: Uuid, import: Uuid) -> Result<SellerImport, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let known = store::lock_import(&mut tx, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    let (from, to) = (ImportState::Checked, ImportState::Applying);
    if known.state != from || known.errors > 0 {
        return Err(CatalogueError::ImportNotReady);
    }
    store::set_import_state(&mut tx, import, from, to, None, app.clock.now()).await?;
    jobs::enqueue(&mut tx, &ApplyImport { import, seller }).await?;
    record_import_change(&mut tx, seller, import, &known.file_name, Some(from), to).await?;
    fail_point!(app, "catalogue.import.before_apply_request_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.apply_request_committed");
    find_import(app, import).await
}

/// Cancels an import, even while it is being applied: the last step then finds it cancelled, and nothing is written.
pub async fn cancel_import(app: &App, seller: Uuid, import: Uuid) -> Result<SellerImport, CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let known = store::lock_import(&mut tx, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    let (from, to) = (known.state, ImportState::Cancelled);
    if from.is_final() {
        return Err(CatalogueError::ImportNotReady);
    }
    store::set_import_state(&mut tx, import, from, to, None, app.clock.now()).await?;
    record_import_change(&mut tx, seller, import, &known.file_name, Some(from), to).await?;
    fail_point!(app, "catalogue.import.before_cancel_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.cancel_committed");
    find_import(app, import).await
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
