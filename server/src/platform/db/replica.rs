//! Standbys that answer reads of the catalogue, while they have everything that this instance knows to have changed.
//!
//! Responses are cached until the primary notifies this instance of a change (`cache_invalidation.rs`). A response that is
//! then created from a standby without that change would be cached as the new one. So after a notification reads go to the
//! primary, until a standby has replayed the WAL up to the position that the primary had after the notification. There may
//! be several standbys behind one address, so each connection is checked for the position before it is used.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::watch;

use super::store;

/// How often the position of the primary is read while nothing is notified. With [`MAX_LAG`] it bounds how old a figure
/// may be of whose change nobody is notified, such as stock.
const CHECK_EVERY: Duration = Duration::from_secs(1);
/// How long a standby may take to replay what the primary has.
const MAX_LAG: Duration = Duration::from_secs(1);
const ASK_EVERY: Duration = Duration::from_millis(10);
/// A read waits no longer for a connection to a standby, because the primary can answer it as well.
const ACQUIRE_TIMEOUT: Duration = Duration::from_millis(500);

/// The pools of one server.
#[derive(Clone)]
pub struct ServerPools {
    pub main: PgPool,
    pub search: PgPool,
}

pub struct Replica {
    pub(super) pools: ServerPools,
    /// For the connection that follows the primary.
    options: PgConnectOptions,
    required: Position,
    state: watch::Sender<State>,
}

/// A position in the WAL that a connection's server must have replayed.
#[derive(Clone, Default)]
pub(super) struct Position(Arc<Mutex<String>>);

impl Position {
    fn get(&self) -> String {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, position: String) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = position;
    }

    /// Lets a pool give out only connections to servers that have replayed the position.
    pub(super) fn check_connections(&self, pool: PgPoolOptions) -> PgPoolOptions {
        let (of_used, of_new) = (self.clone(), self.clone());
        pool.acquire_timeout(ACQUIRE_TIMEOUT)
            .before_acquire(move |connection, _meta| {
                let required = of_used.get();
                Box::pin(async move { store::has_replayed(connection, &required).await })
            })
            .after_connect(move |connection, _meta| {
                let required = of_new.get();
                Box::pin(async move {
                    let has_replayed = store::has_replayed(connection, &required).await?;
                    has_replayed.then_some(()).ok_or_else(|| sqlx::Error::Protocol("the standby is behind".into()))
                })
            })
    }
}

#[derive(Clone, Copy, Default)]
struct State {
    /// Whether this instance is notified of changes.
    is_listening: bool,
    /// Counts notifications.
    changes: u64,
    is_current: bool,
}

impl Replica {
    /// The standby is used after its first comparison with the primary. The pools check their connections for `required`.
    pub(super) fn new(pools: ServerPools, required: Position) -> Self {
        let options = PgConnectOptions::clone(&pools.main.connect_options()).application_name("thunse-replica-monitor");
        Self { pools, options, required, state: watch::Sender::new(State::default()) }
    }

    pub fn is_current(&self) -> bool {
        self.state.borrow().is_current
    }

    /// Returns when the standby is no longer current.
    pub(super) async fn outdated(&self) {
        // The sender is a field of the same struct, so it cannot be gone.
        let _ = self.state.subscribe().wait_for(|state| !state.is_current).await;
    }

    /// Sends reads to the primary until the standby has replayed what the primary has now.
    pub(super) fn set_outdated(&self, is_listening: bool) {
        self.state.send_modify(|state| {
            *state = State { is_listening, changes: state.changes + 1, is_current: false };
        });
    }

    /// Compares the standby with the primary for as long as the process runs.
    pub(super) async fn follow(&self, primary: &PgPool) {
        let (mut state, mut connection) = (self.state.subscribe(), None);
        loop {
            let known = *state.borrow_and_update();
            // Without a primary nothing changes, and the standby stays as good as it was.
            if let Ok(position) = store::wal_position(primary).await {
                self.required.set(position.clone());
                let caught_up = tokio::time::timeout(MAX_LAG, self.catch_up(&mut connection, &position)).await;
                let caught_up = matches!(caught_up, Ok(Ok(())));
                if !caught_up {
                    connection = None;
                }
                self.state.send_if_modified(|state| {
                    let is_current = caught_up && state.is_listening && state.changes == known.changes;
                    std::mem::replace(&mut state.is_current, is_current) != is_current
                });
            }
            metrics::gauge!("replica_current").set(if self.is_current() { 1.0 } else { 0.0 });
            // Either way the next comparison is due.
            let _ = tokio::time::timeout(CHECK_EVERY, state.changed()).await;
        }
    }

    async fn catch_up(&self, connection: &mut Option<PgConnection>, position: &str) -> sqlx::Result<()> {
        let open = match connection {
            Some(open) => open,
            None => connection.insert(PgConnection::connect_with(&self.options).await?),
        };
        while !store::has_replayed(open, position).await? {
            tokio::time::sleep(ASK_EVERY).await;
        }
        Ok(())
    }
}
