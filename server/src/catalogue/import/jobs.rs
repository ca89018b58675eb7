//! The jobs of an import. The seller watches a progress bar meanwhile, so every failure ends the import in the end.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::apply::apply_import;
use super::check::check_import;
use crate::catalogue::error::{CatalogueError, retry_on_contention};
use crate::catalogue::model::ImportState;
use crate::catalogue::store;
use crate::platform::db;
use crate::platform::jobs::Job;
use crate::platform::messages::{Message, message};
use crate::platform::state::App;

/// Files are processed one after the other, so that emails and payments never wait for them.
const QUEUE: &str = "imports";
/// With the growing delay of the job queue, this many attempts take about four minutes.
const MAX_ATTEMPTS: i16 = 6;

/// A job that ends its import when it is dead.
pub trait ImportJob: Job {
    /// Tells the seller that the import failed for a reason that will pass. The worker calls this after
    /// the last attempt.
    fn give_up(self, app: &App) -> impl Future<Output = Result<(), CatalogueError>> + Send;
}

/// Finds out what every row would do, without changing any product.
#[derive(Serialize, Deserialize)]
pub struct CheckImport {
    pub(super) import: Uuid,
}

impl Job for CheckImport {
    const NAME: &'static str = "catalogue.check_import";
    const ATTEMPTS: i16 = MAX_ATTEMPTS;
    const QUEUE: Option<&'static str> = Some(QUEUE);
    const PRIORITY: i32 = -1;

    async fn run(self, app: &App) -> Result<(), String> {
        let checked = check_import(app, self.import).await;
        finish_import_job(app, self.import, ImportState::Checking, ImportState::Refused, checked).await
    }
}

impl ImportJob for CheckImport {
    async fn give_up(self, app: &App) -> Result<(), CatalogueError> {
        fail_import(app, self.import, ImportState::Checking).await
    }
}

/// Applies a checked file completely or not at all.
#[derive(Serialize, Deserialize)]
pub struct ApplyImport {
    pub(super) import: Uuid,
    /// The seller who requested it.
    pub(super) seller: Uuid,
}

impl Job for ApplyImport {
    const NAME: &'static str = "catalogue.apply_import";
    const ATTEMPTS: i16 = MAX_ATTEMPTS;
    const QUEUE: Option<&'static str> = Some(QUEUE);
    const PRIORITY: i32 = -1;

    async fn run(self, app: &App) -> Result<(), String> {
        let applied = retry_on_contention(|| apply_import(app, self.import, self.seller)).await;
        finish_import_job(app, self.import, ImportState::Applying, ImportState::Failed, applied).await
    }
}

impl ImportJob for ApplyImport {
    async fn give_up(self, app: &App) -> Result<(), CatalogueError> {
        fail_import(app, self.import, ImportState::Applying).await
    }
}

/// Returns an error if another attempt may succeed. Any other failure ends the import, so that the seller does not wait
/// at a progress bar that never moves; the cause may quote the file, so it goes to the log and not into the queue.
async fn finish_import_job(
    app: &App,
    import: Uuid,
    from: ImportState,
    to: ImportState,
    done: Result<(), CatalogueError>,
) -> Result<(), String> {
    let Err(error) = done else { return Ok(()) };
    if let CatalogueError::Db(cause) = &error
        && is_retryable(cause)
    {
        return Err("the database is busy or unreachable".to_owned());
    }
    if matches!(error, CatalogueError::PicturesUnavailable) {
        return Err("the picture store or the picture worker is busy or unreachable".to_owned());
    }
    tracing::error!(%import, error = ?error, "a product import failed");
    let ended = end_import(app, import, from, to, message!("imports.internal")).await;
    ended.map_err(|_| "the database is unreachable".to_owned())
}

/// Ends an import whose attempts have all failed. The last one may have failed because the database was busy, so the
/// change is tried several times.
async fn fail_import(app: &App, import: Uuid, from: ImportState) -> Result<(), CatalogueError> {
    retry_on_contention(|| end_import(app, import, from, ImportState::Failed, message!("imports.busy"))).await
}

/// Ends an import that is still in the state `from`; the seller may have cancelled it.
async fn end_import(
    app: &App,
    import: Uuid,
    from: ImportState,
    to: ImportState,
    problem: Message,
) -> Result<(), CatalogueError> {
    let mut connection = app.db.main.acquire().await?;
    store::set_import_state(&mut connection, import, from, to, Some(problem), app.clock.now()).await?;
    Ok(())
}

/// Returns whether the cause was contention, a timeout, a lack of resources, or another worker that wrote the same
/// rows.
fn is_retryable(error: &sqlx::Error) -> bool {
    let class = |code: String| ["23", "53", "57"].iter().any(|class| code.starts_with(class));
    db::is_contention(error) || db::is_unavailable(error) || db::sqlstate(error).is_some_and(class)
}
