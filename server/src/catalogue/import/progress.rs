//! The progress of an import.

use uuid::Uuid;

use super::parse::CsvRow;
use crate::catalogue::model::ImportState;
use crate::catalogue::store;
use crate::platform::state::App;

/// The number of rows that are checked or written between two progress updates.
pub const CHUNK: usize = 500;

/// The progress that the seller sees. It is written outside the transaction, whose changes are invisible until the
/// commit.
pub struct Progress<'a> {
    pub app: &'a App,
    import: Uuid,
    state: ImportState,
    done: i32,
    total: i32,
}

impl<'a> Progress<'a> {
    pub fn new(app: &'a App, import: Uuid, state: ImportState, rows: &[CsvRow]) -> Self {
        Self { app, import, state, done: 0, total: i32::try_from(rows.len()).unwrap_or(i32::MAX) }
    }

    /// Returns false when the import was cancelled. A failure to write the progress does not stop the import.
    pub async fn advance(&mut self, rows: usize) -> bool {
        self.done += i32::try_from(rows).unwrap_or(0);
        store::set_import_progress(&self.app.db.main, self.import, self.state, self.done, self.total)
            .await
            .unwrap_or(true)
    }
}
