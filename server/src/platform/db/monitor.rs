//! Watches whether the database accepts writes, over a connection of its own: the pools may be exhausted or full of
//! connections to a server that no longer answers.

use std::time::Duration;

use sqlx::postgres::PgConnectOptions;
use sqlx::{Connection, PgConnection};
use tokio::sync::{Mutex, watch};

use super::store;

const CHECK_EVERY: Duration = Duration::from_millis(500);
/// A server that takes longer is as good as none.
const CHECK_TIMEOUT: Duration = Duration::from_millis(1_500);

pub struct DatabaseMonitor {
    options: PgConnectOptions,
    connection: Mutex<Option<PgConnection>>,
    available: watch::Sender<bool>,
}

impl DatabaseMonitor {
    /// Assumes that the database is available until the first check.
    pub fn new(options: PgConnectOptions) -> Self {
        Self { options, connection: Mutex::new(None), available: watch::Sender::new(true) }
    }

    /// Checks for as long as the process runs.
    pub async fn run(&self) {
        loop {
            self.check().await;
            tokio::time::sleep(CHECK_EVERY).await;
        }
    }

    /// Asks the database whether it accepts writes and tells everybody who waits for a change.
    pub async fn check(&self) -> bool {
        let mut connection = self.connection.lock().await;
        let asked = tokio::time::timeout(CHECK_TIMEOUT, self.ask(&mut connection)).await;
        let available = matches!(asked, Ok(Ok(true)));
        if !available {
            // Dropped and not closed, because the server may never answer.
            *connection = None;
        }
        let changed = self.available.send_if_modified(|known| std::mem::replace(known, available) != available);
        metrics::gauge!("database_available").set(if available { 1.0 } else { 0.0 });
        match asked {
            _ if !changed => {}
            Ok(Ok(true)) => tracing::info!("the database accepts writes again"),
            Ok(Ok(false)) => tracing::warn!("the database is read-only"),
            Ok(Err(error)) => tracing::warn!(%error, "the database is unavailable"),
            Err(_elapsed) => tracing::warn!("the database does not answer"),
        }
        available
    }

    async fn ask(&self, connection: &mut Option<PgConnection>) -> sqlx::Result<bool> {
        let open = match connection {
            Some(open) => open,
            None => connection.insert(PgConnection::connect_with(&self.options).await?),
        };
        store::accepts_writes(open).await
    }

    /// The result of the last check, and of every later one.
    pub fn subscribe(&self) -> watch::Receiver<bool> {
        self.available.subscribe()
    }
}
