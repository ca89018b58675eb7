//! Standbys that answer reads of the catalogue, while they have everything that this instance knows to have changed.
//!
//! Responses are cached until the primary notifies this instance of a change (`cache_invalidation.rs`). A response that is
//! then created from a standby without that change would be cached as the new one. So after a notification reads go to the
//! primary, until a standby has replayed the WAL up to the position that the primary had after the notification. There may
//! be several standbys behind one address, so each connection is checked for its database when it is opened, and for the
//! position before it is used.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{Connection, PgConnection, PgPool};
use tokio::sync::watch;

use super::store::{self, Identity};

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
    required: Required,
    state: watch::Sender<State>,
}

/// What a connection must lead to: this database, on a standby that has replayed the WAL up to this position. Without the
/// first, the standby of another shop whose WAL is longer would answer for this one.
#[derive(Clone, Default)]
struct Target {
    database: Identity,
    position: String,
}

impl Target {
    async fn of_primary(primary: &PgPool) -> sqlx::Result<Self> {
        let mut connection = primary.acquire().await?;
        let database = store::identify(&mut connection).await?;
        Ok(Self { database, position: store::wal_position(&mut connection).await? })
    }

    async fn check_database(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        let is_same = store::identify(connection).await? == self.database;
        is_same.then_some(()).ok_or_else(|| sqlx::Error::Protocol("the standby is one of another database".into()))
    }
}

/// The target that the pools check their connections for.
#[derive(Clone, Default)]
pub(super) struct Required(Arc<Mutex<Target>>);

impl Required {
    fn get(&self) -> Target {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn set(&self, target: Target) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = target;
    }

    /// Lets a pool give out only connections to such servers.
    pub(super) fn check_connections(&self, pool: PgPoolOptions) -> PgPoolOptions {
        let (of_used, of_new) = (self.clone(), self.clone());
        pool.acquire_timeout(ACQUIRE_TIMEOUT)
            .before_acquire(move |connection, _meta| {
                let required = of_used.get();
                Box::pin(async move { store::has_replayed(connection, &required.position).await })
            })
            .after_connect(move |connection, _meta| {
                let required = of_new.get();
                Box::pin(async move {
                    required.check_database(connection).await?;
                    let has_replayed = store::has_replayed(connection, &required.position).await?;
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
    pub(super) fn new(pools: ServerPools, required: Required) -> Self {
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
            if let Ok(target) = Target::of_primary(primary).await {
                self.required.set(target.clone());
                let caught_up = tokio::time::timeout(MAX_LAG, self.catch_up(&mut connection, &target)).await;
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

    async fn catch_up(&self, connection: &mut Option<PgConnection>, target: &Target) -> sqlx::Result<()> {
        let open = if let Some(open) = connection {
            open
        } else {
            let mut new = PgConnection::connect_with(&self.options).await?;
            target.check_database(&mut new).await?;
            connection.insert(new)
        };
        while !store::has_replayed(open, &target.position).await? {
            tokio::time::sleep(ASK_EVERY).await;
        }
        Ok(())
    }
}
