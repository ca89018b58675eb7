//! Connects to PostgreSQL, classifies its errors and helps to build queries.

mod migrate;
mod monitor;
mod replica;
mod store;

use std::future::Future;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use log::LevelFilter;
use sqlx::postgres::types::PgInterval;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgConnection, PgPool, PgTransaction};

pub use migrate::{MigrationState, migrate, migration_state};
pub use monitor::DatabaseMonitor;
pub use replica::{Replica, ServerPools};
pub use store::{disable_timeouts, extend_timeouts, identify, restrict_updates, wal_position};

use super::config::{DatabaseSettings, Secret};
use super::traces;
use replica::Required;

/// How long a statement waits for a row that another transaction has locked.
const LOCK_TIMEOUT_MS: &str = "2000";
/// The database ends a transaction that was left open, which is a bug.
const IDLE_IN_TRANSACTION_MS: &str = "5000";

/// Only statements that take longer are logged.
const SLOW_STATEMENT: Duration = Duration::from_secs(1);
/// How long the job engine waits for a connection.
const WORKER_ACQUIRE_TIMEOUT: Duration = Duration::from_mins(1);
/// A connection that was unused for longer is pinged before it is used.
const PING_AFTER_IDLE: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct Pools {
    pub main: PgPool,
    /// For text search only: a plan for 'rice' is wrong for 'zucchini', so these connections plan every
    /// statement for its own value instead of keeping one plan for all.
    pub search: PgPool,
    /// For what pages show, such as lists and products, so that readers find a connection while all others wait for a
    /// slow disk or a lock to write an order.
    pub browse: PgPool,
    /// A standby for reads of the catalogue, if there is one.
    pub replica: Option<Arc<Replica>>,
}

/// A pool for the job engine, which ends when it gets no connection in time; so it waits for as long as a failover
/// takes.
pub fn connect_worker(config: &DatabaseSettings, max: u32) -> sqlx::Result<PgPool> {
    let pool = PgPoolOptions::new().max_connections(max).acquire_timeout(WORKER_ACQUIRE_TIMEOUT);
    Ok(pool.connect_lazy_with(options(config, &config.url)?.application_name("thunse-worker")))
}

/// Begins a transaction that cannot write and whose statements all see the database as it was at the first of them.
pub async fn begin_snapshot(db: &PgPool) -> sqlx::Result<PgTransaction<'static>> {
    db.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY").await
}

fn options(config: &DatabaseSettings, url: &Secret) -> sqlx::Result<PgConnectOptions> {
    Ok(PgConnectOptions::from_str(url.reveal())?
        .application_name("thunse")
        // A statement becomes a span of its request; it is not logged.
        .log_statements(if traces::is_exporting() { LevelFilter::Debug } else { LevelFilter::Off })
        .log_slow_statements(LevelFilter::Warn, SLOW_STATEMENT)
        .options([
            ("statement_timeout", config.statement_timeout.as_millis().to_string().as_str()),
            ("lock_timeout", LOCK_TIMEOUT_MS),
            ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_MS),
        ]))
}

/// One connection, whose failure tells the cause; a pool would only report that it got none in time.
pub async fn connect_once(config: &DatabaseSettings, url: &Secret) -> sqlx::Result<PgConnection> {
    options(config, url)?.connect().await
}

pub fn connect(config: &DatabaseSettings) -> sqlx::Result<Pools> {
    let ServerPools { main, search } = connect_to(config, &config.url, |pool| pool)?;
    let browse = main.options().clone().max_connections((config.max_connections / 4).max(1));
    let browse = browse.connect_lazy_with(PgConnectOptions::clone(&main.connect_options()));
    let mut replica = None;
    if let Some(url) = &config.replica_url {
        let required = Required::default();
        let standby = connect_to(config, url, |pool| required.check_connections(pool))?;
        replica = Some(Arc::new(Replica::new(standby, required)));
    }
    Ok(Pools { main, search, browse, replica })
}

fn connect_to(
    config: &DatabaseSettings,
    url: &Secret,
    adapt: impl Fn(PgPoolOptions) -> PgPoolOptions,
) -> sqlx::Result<ServerPools> {
    let options = options(config, url)?;
    let pool = |max: u32| {
        let pool = PgPoolOptions::new()
            .max_connections(max)
            .acquire_timeout(config.acquire_timeout)
            .max_lifetime(Duration::from_mins(30))
            // A ping before every use would double the round trips; only an idle connection may have died unnoticed.
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move {
                    if meta.idle_for > PING_AFTER_IDLE {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            });
        adapt(pool)
    };
    // The main pool's statements each have one right plan, by key or by index, whatever their values. Left to itself
    // PostgreSQL plans a page anew every time, because it cannot know the LIMIT: half of what a page cost.
    let main = options.clone().options([("plan_cache_mode", "force_generic_plan")]);
    let search = options.options([("plan_cache_mode", "force_custom_plan")]);
    Ok(ServerPools {
        main: pool(config.max_connections).connect_lazy_with(main),
        search: pool((config.max_connections / 2).max(1)).connect_lazy_with(search),
    })
}

impl Pools {
    /// Uses one pool for everything, as the tests do.
    pub fn single(pool: PgPool) -> Self {
        Self { main: pool.clone(), search: pool.clone(), browse: pool, replica: None }
    }

    /// Runs `query` on the standby if it is current, and otherwise, or if that fails, on the primary.
    pub async fn read<T, E, F>(&self, query: impl Fn(ServerPools) -> F) -> Result<T, E>
    where
        F: Future<Output = Result<T, E>>,
    {
        if let Some(replica) = self.replica.as_deref().filter(|replica| replica.is_current()) {
            tokio::select! {
                biased;
                // Whatever failed, a product that the standby does not have yet or the standby itself: the primary knows.
                read = query(replica.pools.clone()) => if read.is_ok() {
                    return read;
                },
                () = replica.outdated() => {}
            }
            metrics::counter!("replica_reads_repeated_total").increment(1);
        }
        query(ServerPools { main: self.browse.clone(), search: self.search.clone() }).await
    }

    /// Compares the standby with the primary for as long as the process runs; also while writers hold all connections of
    /// `main`.
    pub async fn follow_replica(&self) {
        match &self.replica {
            Some(replica) => replica.follow(&self.browse).await,
            None => std::future::pending().await,
        }
    }

    /// Sends reads to the primary until the standby has what the primary has now.
    pub fn outdate_replica(&self, is_listening: bool) {
        if let Some(replica) = &self.replica {
            replica.set_outdated(is_listening);
        }
    }

    /// The monitor connects like the main pool.
    pub fn monitor(&self) -> DatabaseMonitor {
        DatabaseMonitor::new(PgConnectOptions::clone(&self.main.connect_options()).application_name("thunse-monitor"))
    }

    pub async fn close(&self) {
        self.main.close().await;
        self.search.close().await;
        self.browse.close().await;
        if let Some(replica) = &self.replica {
            replica.pools.main.close().await;
            replica.pools.search.close().await;
        }
    }
}

/// Another transaction was in the way; a retry a moment later may succeed.
pub fn is_contention(error: &sqlx::Error) -> bool {
    // The codes mean deadlock, serialization failure and lock timeout.
    matches!(sqlstate(error).as_deref(), Some("40P01" | "40001" | "55P03"))
}

/// The database is down, stopping or starting; a later retry may succeed, perhaps on another host.
pub fn is_unavailable(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::Io(_)
        | sqlx::Error::Tls(_)
        | sqlx::Error::Protocol(_) => true,
        // The codes mean a broken connection, shutdown by an operator, crash, startup, a full disk, too many
        // connections, and a former primary that is read-only.
        _ => sqlstate(error).is_some_and(|code| {
            code.starts_with("08") || matches!(code.as_str(), "57P01" | "57P02" | "57P03" | "53100" | "53300" | "25006")
        }),
    }
}

/// The statement took longer than it may, or the process was too busy to go on with its transaction in time. Nothing
/// was written.
pub fn is_statement_timeout(error: &sqlx::Error) -> bool {
    matches!(sqlstate(error).as_deref(), Some("57014" | "25P03"))
}

/// The SQLSTATE of an error.
pub fn sqlstate(error: &sqlx::Error) -> Option<String> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::code).map(std::borrow::Cow::into_owned)
}

/// The constraint or unique index that was violated.
pub fn constraint_name(error: &sqlx::Error) -> Option<&str> {
    error.as_database_error().and_then(sqlx::error::DatabaseError::constraint)
}

/// Limits the retries of a step that may fail because of contention, and waits between them.
pub struct RetryBackoff {
    attempts_left: u32,
}

impl RetryBackoff {
    pub const fn new(tries: u32) -> Self {
        Self { attempts_left: tries }
    }

    /// Waits 20 to 100 ms, at random so that the same transactions do not collide again. Returns false if no attempts
    /// are left.
    pub async fn wait(&mut self) -> bool {
        self.attempts_left = self.attempts_left.saturating_sub(1);
        if self.attempts_left == 0 {
            return false;
        }
        metrics::counter!("db_retries_total").increment(1);
        let mut byte = [0_u8];
        // Without randomness the pause is simply the shortest.
        let _ = getrandom::fill(&mut byte);
        tokio::time::sleep(Duration::from_millis(20 + u64::from(byte[0]) * 80 / 255)).await;
        true
    }
}

/// Truncates a page that was queried with one extra row. Returns the last remaining row if more rows follow it.
pub fn truncate_page<T>(rows: &mut Vec<T>, limit: u16) -> Option<&T> {
    let more = rows.len() > usize::from(limit);
    rows.truncate(usize::from(limit));
    rows.last().filter(|_| more)
}

/// A column contains a value that no version of the program writes, so the row was changed by hand.
pub fn unknown_value(column: &str) -> sqlx::Error {
    sqlx::Error::Decode(format!("{column} holds an unknown value").into())
}

/// Converts a duration to an interval of PostgreSQL.
pub fn interval(span: Duration) -> PgInterval {
    PgInterval { months: 0, days: 0, microseconds: i64::try_from(span.as_micros()).unwrap_or(i64::MAX) }
}

/// A longer search text is truncated.
const MAX_SEARCH_LENGTH: usize = 120;

/// Trims a search text and removes control characters, because PostgreSQL refuses NUL.
pub fn clean_search(search: &str) -> String {
    search.trim().chars().filter(|c| !c.is_control()).take(MAX_SEARCH_LENGTH).collect()
}

/// Where a page begins: at the cursor, or at `first` if there is none. Returns `None` if the cursor is invalid.
pub fn parse_cursor<T: std::str::FromStr>(cursor: Option<&str>, first: T) -> Option<T> {
    match cursor.filter(|cursor| !cursor.is_empty()) {
        Some(cursor) => cursor.parse().ok(),
        None => Some(first),
    }
}

/// A LIKE pattern that finds the text anywhere in a lower-case column, in any case.
pub fn like_pattern(text: &str) -> String {
    like_pattern_exact_case(&text.to_lowercase())
}

/// A LIKE pattern that finds the text anywhere, in exactly this case.
pub fn like_pattern_exact_case(text: &str) -> String {
    let mut pattern = String::with_capacity(text.len() + 2);
    pattern.push('%');
    for c in text.chars() {
        if matches!(c, '%' | '_' | '\\') {
            pattern.push('\\');
        }
        pattern.push(c);
    }
    pattern.push('%');
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn search_text_is_never_a_pattern() {
        assert_eq!(like_pattern("50%_OFF\\"), "%50\\%\\_off\\\\%");
    }
}
