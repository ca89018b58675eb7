//! What a seller asks of imports: uploading a file, watching it, applying and cancelling it.

use std::sync::Arc;

use bytes::Bytes;
use chrono::{DateTime, TimeDelta, Utc};
use sha2::{Digest, Sha256};
use sqlx::PgConnection;
use uuid::Uuid;

use super::archive::{Archive, ArchiveError, is_zip};
use super::audit::record_import_change;
use super::jobs::{ApplyImport, CheckImport};
use super::parse;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{
    ImportPicture, ImportRecord, ImportRow, ImportRowKind, ImportState, NewImport, NewImportPicture,
};
use crate::catalogue::store;
use crate::media::MediaError;
use crate::platform::api_error::ApiError;
use crate::platform::db;
use crate::platform::fail_point::fail_point;
use crate::platform::form::MAX_FILE;
use crate::platform::jobs;
use crate::platform::messages::Message;
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

/// An uploaded file, after a zip file has been opened.
struct Upload {
    table: Bytes,
    hash: Vec<u8>,
    archive: Option<Arc<Archive>>,
}

/// Opens a zip file, which no row of the database ever holds as a whole.
fn open_upload(name: &str, file: Bytes) -> Result<Upload, CatalogueError> {
    let refuse = |error: ArchiveError| CatalogueError::Field("file", error.into());
    if !is_zip(&file) && !name.to_lowercase().ends_with(".zip") {
        if file.len() > MAX_FILE {
            return Err(CatalogueError::Api(MediaError::TooLarge.into()));
        }
        return Ok(Upload { hash: Sha256::digest(&file).to_vec(), table: file, archive: None });
    }
    let archive = Archive::open(file.clone()).map_err(refuse)?;
    let table = Bytes::from(archive.unpack_table().map_err(refuse)?);
    // Differences of stock must not be applied twice, whatever pictures come with them. Without them, the same table with
    // other pictures is something new.
    let hash = if parse::has_stock_column(&table) { Sha256::digest(&table) } else { Sha256::digest(&file) };
    Ok(Upload { table, hash: hash.to_vec(), archive: Some(Arc::new(archive)) })
}

/// Runs work that takes long on another thread. Work that panicked is a mistake of ours.
async fn run_blocking<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, CatalogueError> {
    tokio::task::spawn_blocking(work).await.map_err(|error| CatalogueError::Api(ApiError::internal(&error)))
}

/// Stores the file and enqueues its check. A zip file is taken apart.
pub async fn create_import(
    app: &App,
    seller: Uuid,
    file_name: &str,
    file: Bytes,
) -> Result<SellerImport, CatalogueError> {
    let name: String = file_name.chars().filter(|c| !c.is_control()).take(MAX_FILE_NAME_LENGTH).collect();
    let id = Uuid::now_v7();
    let opened_name = name.clone();
    let upload = run_blocking(move || open_upload(&opened_name, file)).await??;
    let new = NewImport {
        id,
        seller,
        file_name: &name,
        file: &upload.table,
        file_hash: &upload.hash,
        created_at: app.clock.now(),
    };
    let mut tx = app.db.main.begin().await?;
    store::insert_import(&mut tx, &new).await?;
    if let Some(archive) = &upload.archive {
        insert_pictures(&mut tx, id, archive).await?;
    }
    fail_point!(app, "catalogue.import.file_stored");
    jobs::enqueue(&mut tx, &CheckImport { import: id }).await?;
    record_import_change(&mut tx, seller, id, &name, None, ImportState::Checking).await?;
    fail_point!(app, "catalogue.import.before_upload_commit");
    tx.commit().await?;
    fail_point!(app, "catalogue.import.upload_committed");
    find_import(app, id).await
}

/// Unpacks and stores one picture after the other, so that there is never more than one of them in memory.
async fn insert_pictures(
    connection: &mut PgConnection,
    import: Uuid,
    archive: &Arc<Archive>,
) -> Result<(), CatalogueError> {
    for at in 0.. {
        let archive = Arc::clone(archive);
        let Some(picture) = run_blocking(move || archive.unpack_picture(at)).await? else { break };
        let content = picture.content.as_deref().map_err(|error| Message::from(*error));
        let new = NewImportPicture { name_key: &picture.name_key, file_name: &picture.file_name, content };
        store::insert_import_picture(connection, import, new).await?;
    }
    Ok(())
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

/// Lists the files that were beside the spreadsheet.
pub async fn list_import_pictures(app: &App, import: Uuid) -> Result<Vec<ImportPicture>, CatalogueError> {
    store::find_import(&app.db.main, import).await?.ok_or(CatalogueError::ImportNotFound)?;
    Ok(store::list_import_pictures(&app.db.main, import).await?)
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
