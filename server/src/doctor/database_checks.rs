//! The database: whether it can be reached, is the right one, and may be used by the shop's role; and its standby.

use std::time::{Duration, Instant};

use chrono::TimeDelta;
use sqlx::PgConnection;

use super::finding::Finding;
use super::store;
use crate::platform::clock::Clock;
use crate::platform::config::{Config, Secret};
use crate::platform::db;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// How long all statements to one server may take, if it or a proxy falls silent after the connection was opened.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);
const OLDEST_VERSION: i32 = 150_000;
/// Codes by SMS, links and sessions are compared with the application's clock.
const MAX_CLOCK_DIFFERENCE: TimeDelta = TimeDelta::seconds(2);
/// How long a standby gets to replay what the primary has. The shop itself gives it a second.
const CATCH_UP_TIMEOUT: Duration = Duration::from_secs(5);
const ASK_EVERY: Duration = Duration::from_millis(50);

pub async fn check(config: &Config) -> Vec<Finding> {
    let database = &config.database;
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, db::connect_once(database, &database.url)).await;
    let mut connection = match connected {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => return vec![explain_refusal(&error)],
        Err(_) => return vec![unreachable("does not answer")],
    };
    let mut findings = match tokio::time::timeout(ANSWER_TIMEOUT, check_connection(&mut connection)).await {
        Ok(Ok(findings)) => findings,
        Ok(Err(error)) => vec![Finding::failed("database", error.to_string(), "Run this command again.")],
        Err(_) => return vec![unreachable("does not answer any more")],
    };
    if let Some(url) = &database.replica_url {
        findings.push(check_replica(config, url, &mut connection).await);
    }
    findings
}

/// Without its standby the shop only loses speed, so that is a warning. One of another database is not used either (`platform/db/replica.rs`), but whoever set it should know.
async fn check_replica(config: &Config, url: &Secret, primary: &mut PgConnection) -> Finding {
    let warning = |found: String, advice| Finding::warning("replica", found + "; the primary answers", advice);
    let connected = tokio::time::timeout(CONNECT_TIMEOUT, db::connect_once(&config.database, url)).await;
    let mut replica = match connected {
        Ok(Ok(connection)) => connection,
        Ok(Err(error)) => {
            let reason = match error.as_database_error() {
                Some(refusal) => format!("refuses us: {}", refusal.message()),
                None => "cannot be reached".to_owned(),
            };
            return warning(format!("the standby {reason}"), REPLICA_ADVICE);
        }
        Err(_) => return warning("the standby does not answer".to_owned(), REPLICA_ADVICE),
    };
    match tokio::time::timeout(ANSWER_TIMEOUT, compare_replica(&mut replica, primary)).await {
        Ok(Ok(finding)) => finding,
        Ok(Err(error)) => warning(error.to_string(), "Run this command again."),
        Err(_) => warning("the standby does not answer any more".to_owned(), REPLICA_ADVICE),
    }
}

const REPLICA_ADVICE: &str = "Start the standby and, behind HAProxy, look at its port for standbys (ops/ha); compare host, port, \
                              role and password in DATABASE_REPLICA_URL; or remove the setting.";

async fn compare_replica(replica: &mut PgConnection, primary: &mut PgConnection) -> sqlx::Result<Finding> {
    let warning = |found, advice| Ok(Finding::warning("replica", found, advice));
    if db::identify(replica).await? != db::identify(primary).await? {
        return Ok(Finding::failed(
            "replica",
            "DATABASE_REPLICA_URL is another database, whose prices and products are not ours",
            "Remove DATABASE_REPLICA_URL now and restart the instances; then set it to a standby of this database, with the same name.",
        ));
    }
    let server = store::describe_server(replica).await?;
    if !store::is_in_recovery(replica).await? {
        return warning(
            "DATABASE_REPLICA_URL is the primary, so it takes no load off it".to_owned(),
            "Set it to a standby; behind HAProxy, to its port for standbys (ops/ha). Or remove it.",
        );
    }
    let unreadable = store::unreadable_tables(replica).await?;
    if !unreadable.is_empty() {
        return warning(
            format!("on the standby {} may not read {}; the primary answers", server.role, unreadable.join(", ")),
            "Use thunse_app in DATABASE_REPLICA_URL, as in DATABASE_URL.",
        );
    }
    let position = db::wal_position(primary).await?;
    let began = Instant::now();
    loop {
        let behind = store::bytes_behind(replica, &position).await?;
        let waited = began.elapsed();
        if behind == 0 {
            return Ok(Finding::ok(
                "replica",
                format!("the standby has replayed everything after {} ms", waited.as_millis()),
            ));
        }
        if waited > CATCH_UP_TIMEOUT {
            return warning(
                format!(
                    "the standby is {} MB behind after {} s; the primary answers",
                    behind.unsigned_abs().div_ceil(1 << 20),
                    waited.as_secs()
                ),
                "See on the primary what it receives (SELECT * FROM pg_stat_replication). A standby that receives nothing lost \
                 its connection, or needs WAL that is gone: patronictl reinit. One that receives but does not replay waits for \
                 a long query (pg_stat_activity there), or was paused (SELECT pg_wal_replay_resume()).",
            );
        }
        tokio::time::sleep(ASK_EVERY).await;
    }
}

fn unreachable(what: &str) -> Finding {
    Finding::failed(
        "database",
        format!("PostgreSQL {what}"),
        "Start it (systemctl start postgresql), and compare host and port in DATABASE_URL with its settings. On another \
         machine, also look at the firewall and at thunse-egress.conf.",
    )
}

/// The texts never repeat the URL, which has a password in it.
fn explain_refusal(error: &sqlx::Error) -> Finding {
    let code = error.as_database_error().and_then(sqlx::error::DatabaseError::code).unwrap_or_default();
    let (found, advice) = match (&*code, error) {
        ("28P01", _) => (
            "PostgreSQL refuses the password in DATABASE_URL".to_owned(),
            "Put the password of thunse_app into DATABASE_URL, or set a new one by running ops/database.sql again.",
        ),
        ("28000", _) => (
            "PostgreSQL does not let this role in".to_owned(),
            "Create the roles with ops/database.sql, and allow the connection in pg_hba.conf.",
        ),
        ("3D000", _) => (
            "the database in DATABASE_URL does not exist".to_owned(),
            "Create it with ops/database.sql, then run thunse migrate.",
        ),
        ("53300", _) => (
            "PostgreSQL has no connection left".to_owned(),
            "Raise max_connections, or lower DATABASE_MAX_CONNECTIONS.",
        ),
        (_, sqlx::Error::Io(_)) => return unreachable("cannot be reached"),
        (_, sqlx::Error::Tls(error)) => (
            format!("the TLS connection to PostgreSQL fails: {error}"),
            "Give PostgreSQL a certificate for its host name, and name its authority with sslrootcert in DATABASE_URL.",
        ),
        _ => (error.to_string(), "Correct DATABASE_URL: postgres://thunse_app:password@host:5432/thunse"),
    };
    Finding::failed("database", found, advice)
}

async fn check_connection(connection: &mut PgConnection) -> sqlx::Result<Vec<Finding>> {
    let clock = Clock::default();
    let before = clock.now();
    let server = store::describe_server(connection).await?;
    let difference = server.now - (before + (clock.now() - before) / 2);
    let mut findings = vec![check_server(&server), check_clock(difference), check_migrations(connection).await?];
    findings.push(check_grants(&server, &store::unreadable_tables(connection).await?));
    if store::archiving_fails(connection).await? {
        findings.push(Finding::warning(
            "archive",
            "PostgreSQL cannot archive its WAL, which fills its disk",
            "See docs/runbooks/wal-not-archived.md.",
        ));
    }
    Ok(findings)
}

fn check_server(server: &store::DatabaseServer) -> Finding {
    let version = format!("PostgreSQL {}", server.version);
    if server.version_number < OLDEST_VERSION {
        return Finding::failed("database", version, "Upgrade to PostgreSQL 15 or newer (pg_upgradecluster).");
    }
    if server.encoding != "UTF8" {
        let advice =
            "Create the database again with ENCODING 'UTF8' and restore a backup; Nepali cannot be searched in it.";
        return Finding::failed("database", format!("its encoding is {}", server.encoding), advice);
    }
    if server.is_read_only {
        let advice = "Point DATABASE_URL at the primary; behind HAProxy, at its port for the primary (ops/ha).";
        return Finding::failed("database", "it is read-only: a standby", advice);
    }
    Finding::ok("database", version)
}

fn check_clock(difference: TimeDelta) -> Finding {
    let seconds = difference.abs().to_std().unwrap_or_default().as_secs_f64();
    if difference.abs() > MAX_CLOCK_DIFFERENCE {
        let found = format!("this machine and the database differ by {seconds:.1} s");
        return Finding::failed("clock", found, "Set up time synchronisation on both (apt install chrony).");
    }
    Finding::ok("clock", format!("differs from the database's by {seconds:.1} s"))
}

async fn check_migrations(connection: &mut PgConnection) -> sqlx::Result<Finding> {
    let db::MigrationState { pending, unknown } = db::migration_state(connection).await?;
    Ok(if unknown > 0 {
        let found = format!("the database has {unknown} migrations that this program does not know");
        Finding::failed("migrations", found, "Install the newer version that has migrated it.")
    } else if pending > 0 {
        let found = format!("{pending} migrations have not run");
        Finding::failed("migrations", found, "Run thunse migrate (systemctl start thunse-migrate).")
    } else {
        Finding::ok("migrations", "all have run")
    })
}

fn check_grants(server: &store::DatabaseServer, unreadable: &[String]) -> Finding {
    let role = &server.role;
    if server.is_superuser {
        let advice = "Use thunse_app in DATABASE_URL: it cannot change the schema, bills or the logs.";
        return Finding::warning("grants", format!("{role} is a superuser"), advice);
    }
    if unreadable.is_empty() {
        return Finding::ok("grants", format!("{role} has its rights"));
    }
    let found = format!("{role} may not read {}", unreadable.join(", "));
    Finding::failed(
        "grants",
        found,
        "Use thunse_app in DATABASE_URL. After a restore, restore with ops/restore, which keeps grants.",
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::doctor::finding::Verdict;

    #[test]
    fn a_clock_that_is_minutes_off_is_a_failure_in_either_direction() {
        for minutes in [5, -5] {
            let finding = check_clock(TimeDelta::minutes(minutes));
            assert_eq!(finding.verdict, Verdict::Failed);
            assert_eq!(finding.found, "this machine and the database differ by 300.0 s");
        }
        assert_eq!(check_clock(TimeDelta::milliseconds(-300)).verdict, Verdict::Ok);
    }
}
