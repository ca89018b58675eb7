//! Connections to PostgreSQL.

use std::str::FromStr;
use std::time::Duration;

use log::LevelFilter;
use sqlx::postgres::types::PgInterval;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{ConnectOptions, Connection, PgPool};

use super::config::Database;

/// How long a statement waits for a row that somebody else holds.
const LOCK_TIMEOUT_MS: &str = "2000";
/// A transaction left open (a bug) is ended by the database.
const IDLE_IN_TRANSACTION_MS: &str = "5000";

/// A statement that takes longer is worth a line in the log; shorter ones are not, and deciding costs time too.
const SLOW_STATEMENT: Duration = Duration::from_secs(1);
/// How long the job engine waits for a connection.
const ENGINE_PATIENCE: Duration = Duration::from_mins(1);
/// A connection unused for this long is asked whether it still lives.
const RESTED: Duration = Duration::from_secs(1);

#[derive(Clone)]
pub struct Pools {
    pub main: PgPool,
    /// For text search only: a plan for 'rice' is wrong for 'zucchini', so these connections plan every
    /// statement for its own value instead of keeping one plan for all.
    pub search: PgPool,
}

/// For the job engine alone: it ends when it gets no connection in time, so it waits for as long as a new primary needs.
pub fn connect_engine(config: &Database, max: u32) -> sqlx::Result<PgPool> {
    let pool = PgPoolOptions::new().max_connections(max).acquire_timeout(ENGINE_PATIENCE);
    Ok(pool.connect_lazy_with(options(config)?.application_name("thunse-worker")))
}

fn options(config: &Database) -> sqlx::Result<PgConnectOptions> {
    Ok(PgConnectOptions::from_str(config.url.reveal())?
        .application_name("thunse")
        .log_statements(LevelFilter::Off)
        .log_slow_statements(LevelFilter::Warn, SLOW_STATEMENT)
        .options([
            ("statement_timeout", config.statement_timeout.as_millis().to_string().as_str()),
            ("lock_timeout", LOCK_TIMEOUT_MS),
            ("idle_in_transaction_session_timeout", IDLE_IN_TRANSACTION_MS),
        ]))
}

pub fn connect(config: &Database) -> sqlx::Result<Pools> {
    let options = options(config)?;
    let pool = |max: u32| {
        PgPoolOptions::new()
            .max_connections(max)
            .acquire_timeout(config.acquire_timeout)
            .max_lifetime(Duration::from_mins(30))
            // A ping before every use would double the round trips; one that rested may have died meanwhile.
            .test_before_acquire(false)
            .before_acquire(|connection, meta| {
                Box::pin(async move {
                    if meta.idle_for > RESTED {
                        connection.ping().await?;
                    }
                    Ok(true)
                })
            })
    };
    // The main pool's statements each have one right plan, by key or by index, whatever their values. Left to itself
    // PostgreSQL plans a page anew every time, because it cannot know the LIMIT: half of what a page cost.
    let main = options.clone().options([("plan_cache_mode", "force_generic_plan")]);
    let search = options.options([("plan_cache_mode", "force_custom_plan")]);
    Ok(Pools {
        main: pool(config.max_connections).connect_lazy_with(main),
        search: pool((config.max_connections / 2).max(1)).connect_lazy_with(search),
    })
}

impl Pools {
    /// Both on one pool, as the tests have it.
    pub fn single(pool: PgPool) -> Self {
        Self { main: pool.clone(), search: pool }
    }

    pub async fn close(&self) {
        self.main.close().await;
        self.search.close().await;
    }
}

/// A span of time as PostgreSQL takes it.
pub fn interval(span: Duration) -> PgInterval {
    PgInterval { months: 0, days: 0, microseconds: i64::try_from(span.as_micros()).unwrap_or(i64::MAX) }
}
