//! A PostgreSQL with standbys, for one test: a database server of its own, because the standby of the server that all tests
//! share would have to replay what every other test writes.

use std::process::Command;

use chrono::{DateTime, Utc};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{AssertSqlSafe, PgPool};
use thunse::platform::{db, jobs};

use super::helper_process::{HelperProcess, repository_path};
use super::wait_until;

pub struct DatabaseWithStandbys {
    process: HelperProcess,
    /// The primary, as its superuser. It has the shop's tables.
    pub primary: PgPool,
    /// The standbys, as their superuser.
    pub standbys: Vec<PgPool>,
}

impl DatabaseWithStandbys {
    pub async fn start(count: usize) -> Self {
        let process = HelperProcess::start(
            Command::new(repository_path("tools/standby/serve")).arg(count.to_string()),
            "STANDBYS",
        );
        let pool = |port: &str| {
            let port = process.setting(port).parse().unwrap();
            let options = PgConnectOptions::new_without_pgpass().host("127.0.0.1").port(port);
            PgPoolOptions::new().connect_lazy_with(options.username("postgres").database("thunse"))
        };
        let primary = pool("PRIMARY_PORT");
        let standbys = (0..count).map(|number| pool(&format!("STANDBY_{number}_PORT"))).collect();
        db::migrate(&primary).await.unwrap();
        jobs::migrate(&primary).await.unwrap();
        Self { process, primary, standbys }
    }

    /// Waits until a standby has replayed everything that the primary has written.
    pub async fn wait_for_standbys(&self) {
        let position: String =
            sqlx::query_scalar("SELECT pg_current_wal_lsn()::text").fetch_one(&self.primary).await.unwrap();
        for standby in &self.standbys {
            let replayed = format!("SELECT pg_last_wal_replay_lsn() >= '{position}'");
            wait_until(&replayed, async || is_true(standby, &replayed).await).await;
        }
    }

    /// The standby gets all changes, and from the return of this function on it shows none of them.
    pub async fn pause(&self, standby: usize) {
        run(&self.standbys[standby], "SELECT pg_wal_replay_pause()").await;
        let paused = "SELECT pg_get_wal_replay_pause_state() = 'paused'";
        wait_until(paused, async || is_true(&self.standbys[standby], paused).await).await;
    }

    pub async fn resume(&self, standby: usize) {
        run(&self.standbys[standby], "SELECT pg_wal_replay_resume()").await;
    }

    /// The standby shows each change so many milliseconds later than it could.
    pub async fn delay(&self, standby: usize, milliseconds: u32) {
        run(&self.standbys[standby], &format!("ALTER SYSTEM SET recovery_min_apply_delay = {milliseconds}")).await;
        run(&self.standbys[standby], "SELECT pg_reload_conf()").await;
    }

    /// Makes the WAL longer by so many files of 16 MB, and waits until the standbys have replayed it.
    pub async fn lengthen_wal(&self, files: usize) {
        for _ in 0..files {
            run(&self.primary, "SELECT pg_logical_emit_message(false, 'test', 'something to switch from')").await;
            run(&self.primary, "SELECT pg_switch_wal()").await;
        }
        self.wait_for_standbys().await;
    }

    /// Ends the standby in the midst of everything.
    pub fn kill(&self, standby: usize) {
        let killed =
            Command::new("kill").args(["-QUIT", self.process.setting(&format!("STANDBY_{standby}_PID"))]).status();
        assert!(killed.unwrap().success());
    }
}

/// How many connections to this database of the server were ever opened.
pub async fn sessions(server: &PgPool, database: &str) -> i64 {
    sqlx::query_scalar("SELECT sessions FROM pg_stat_database WHERE datname = $1")
        .bind(database)
        .fetch_one(server)
        .await
        .unwrap()
}

/// When the shop last read something on this server, besides which database it is and its position in the WAL.
pub async fn last_read(server: &PgPool) -> Option<DateTime<Utc>> {
    sqlx::query_scalar(
        "SELECT max(query_start) FROM pg_stat_activity
         WHERE application_name = 'thunse' AND query LIKE 'SELECT%' AND query NOT LIKE '%_lsn()%'
           AND query NOT LIKE '%pg_control_system()%'",
    )
    .fetch_one(server)
    .await
    .unwrap()
}

async fn run(server: &PgPool, statement: &str) {
    sqlx::query(AssertSqlSafe(statement.to_owned())).execute(server).await.unwrap();
}

async fn is_true(server: &PgPool, question: &str) -> bool {
    sqlx::query_scalar(AssertSqlSafe(question.to_owned())).fetch_one(server).await.unwrap()
}
