//! `thunse doctor` on a healthy installation, and on broken ones: it names what is wrong and what to do.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgPool};

use crate::support::TestShop;
use crate::support::mailbox::Mailbox;
use crate::support::standby::DatabaseWithStandbys;
use crate::support::wallet::Wallet;

/// A proxy with a shop behind it, as far as `doctor` can see: every request gets the same status.
fn web_server(status: &'static str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for mut stream in listener.incoming().map_while(Result::ok) {
            let _ = stream.read(&mut [0; 4096]);
            let _ = write!(stream, "HTTP/1.1 {status}\r\ncontent-length: 0\r\nconnection: close\r\n\r\n");
        }
    });
    format!("http://{address}")
}

/// A port that nobody listens on.
const CLOSED_PORT: u16 = 1;

struct Installation {
    shop: TestShop,
    mailbox: Mailbox,
    wallet: Wallet,
    web: String,
    pictures: PathBuf,
}

impl Installation {
    fn new(db: PgPool) -> Self {
        let shop = TestShop::new(db);
        let pictures = std::env::temp_dir().join(format!("thunse-doctor-{}", uuid::Uuid::new_v4()));
        Self { shop, mailbox: Mailbox::open(), wallet: Wallet::start(), web: web_server("200 OK"), pictures }
    }

    /// Runs the command with these settings besides, or instead of, those of a healthy installation. Returns whether it
    /// succeeded, and its findings.
    async fn run(&self, changed: &[(&str, &str)]) -> (bool, Vec<Value>) {
        let database = as_role("thunse_app", &self.shop.db);
        let mut command = self.shop.command(&["doctor", "--json"], &[]).await;
        command
            .env_remove("S3_BUCKET")
            .env("DATABASE_URL", database)
            .env("MEDIA_DIR", &self.pictures)
            .env("PUBLIC_URL", &self.web)
            .env("SMTP_URL", &self.mailbox.smtp_url)
            .env("MAIL_FROM", "Thunse <hello@thunse.example>")
            .envs(self.wallet.settings())
            .envs(changed.iter().copied());
        let done = command.output().unwrap();
        let findings = serde_json::from_slice(&done.stdout)
            .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&[done.stdout, done.stderr].concat())));
        (done.status.success(), findings)
    }

    /// What the check of the standby says, and whether the command succeeded.
    async fn check_replica(&self, url: &str) -> (bool, Value) {
        let (succeeded, mut findings) = self.run(&[("DATABASE_REPLICA_URL", url)]).await;
        let place = findings.iter().position(|finding| finding["check"] == "replica").unwrap();
        (succeeded, findings.remove(place))
    }

    /// The one check that has failed, with what was found and what is advised.
    async fn failure(&self, changed: &[(&str, &str)]) -> (String, String, String) {
        let (succeeded, findings) = self.run(changed).await;
        let failed: Vec<&Value> = findings.iter().filter(|finding| finding["verdict"] == "failed").collect();
        assert!(!succeeded && failed.len() == 1, "{findings:?}");
        let text = |field: &str| failed[0][field].as_str().unwrap().to_owned();
        (text("check"), text("found"), text("advice"))
    }
}

/// The URL of the database for one of the roles.
fn as_role(role: &str, db: &PgPool) -> String {
    let options = db.connect_options();
    let (host, port, name) = (options.get_host(), options.get_port(), options.get_database().unwrap());
    format!("postgres://{role}:{role}@{host}:{port}/{name}")
}

impl Drop for Installation {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.pictures);
    }
}

fn assert_says((check, found, advice): &(String, String, String), expected: (&str, &str, &str)) {
    assert_eq!(check, expected.0);
    assert!(found.contains(expected.1), "{found}");
    assert!(advice.contains(expected.2), "{advice}");
}

#[sqlx::test]
async fn a_healthy_installation_passes_every_check(db: PgPool) {
    let installation = Installation::new(db);

    let (succeeded, findings) = installation.run(&[]).await;

    assert!(succeeded, "{findings:?}");
    let passed: Vec<&str> = findings
        .iter()
        .filter(|finding| finding["verdict"] == "ok")
        .map(|finding| finding["check"].as_str().unwrap())
        .collect();
    assert_eq!(
        passed,
        ["settings", "database", "clock", "migrations", "grants", "mail", "wallet", "pictures", "disk", "dns"]
    );
    // The test's address has no TLS, and a few features are off.
    assert!(findings.iter().any(|finding| finding["check"] == "web" && finding["verdict"] == "warning"));
    assert_eq!(std::fs::read_dir(&installation.pictures).unwrap().count(), 0, "it left its file in the picture store");
}

#[sqlx::test]
async fn wrong_settings_are_all_named(db: PgPool) {
    let installation = Installation::new(db);

    let (succeeded, findings) = installation.run(&[("PUBLIC_URL", ""), ("LISTEN", "port 80")]).await;

    assert!(!succeeded);
    let found: Vec<&str> = findings.iter().map(|finding| finding["found"].as_str().unwrap()).collect();
    assert_eq!(found.len(), 2);
    assert!(found[0].starts_with("PUBLIC_URL is not set") && found[1].starts_with("LISTEN: "), "{found:?}");
}

#[sqlx::test]
async fn a_database_that_is_away_missing_or_out_of_step_is_explained(db: PgPool) {
    let installation = Installation::new(db);
    let options = installation.shop.db.connect_options();
    let away = format!("postgres://thunse_app@127.0.0.1:{CLOSED_PORT}/thunse");
    let missing = format!("postgres://thunse_app@{}:{}/nowhere", options.get_host(), options.get_port());

    let failure = installation.failure(&[("DATABASE_URL", &away)]).await;
    assert_says(&failure, ("database", "cannot be reached", "systemctl start postgresql"));

    let failure = installation.failure(&[("DATABASE_URL", &missing)]).await;
    assert_says(&failure, ("database", "does not exist", "ops/database.sql"));

    let newest = "(SELECT max(version) FROM _sqlx_migrations)";
    sqlx::query(AssertSqlSafe(format!("UPDATE _sqlx_migrations SET checksum = '' WHERE version = {newest}")))
        .execute(&installation.shop.db)
        .await
        .unwrap();
    let failure = installation.failure(&[]).await;
    assert_says(&failure, ("migrations", "1 migrations have not run", "thunse migrate"));

    sqlx::query(AssertSqlSafe(format!("UPDATE _sqlx_migrations SET version = version + 1 WHERE version = {newest}")))
        .execute(&installation.shop.db)
        .await
        .unwrap();
    let failure = installation.failure(&[]).await;
    assert_says(&failure, ("migrations", "does not know", "newer version"));
}

#[sqlx::test]
async fn a_role_without_its_rights_is_explained(db: PgPool) {
    let installation = Installation::new(db);
    sqlx::query("REVOKE SELECT ON orders, carts FROM thunse_app").execute(&installation.shop.db).await.unwrap();

    let failure = installation.failure(&[]).await;

    assert_says(&failure, ("grants", "thunse_app may not read carts, orders", "thunse_app"));
}

#[sqlx::test]
async fn a_mail_server_a_wallet_and_pictures_that_do_not_work_are_explained(db: PgPool) {
    let installation = Installation::new(db);
    let mail = format!("smtp://127.0.0.1:{CLOSED_PORT}");

    let failure = installation.failure(&[("SMTP_URL", &mail)]).await;
    assert_says(&failure, ("mail", "no connection", "SMTP_URL"));

    let failure = installation.failure(&[("KHALTI_SECRET_KEY", "another")]).await;
    assert_says(&failure, ("wallet", "rejected our key", "KHALTI_SECRET_KEY"));

    let (_, findings) = installation.run(&[("MEDIA_DIR", "/dev/null/pictures")]).await;
    let pictures = findings.iter().find(|finding| finding["check"] == "pictures").unwrap();
    assert_eq!(pictures["verdict"], "failed");
    assert!(pictures["advice"].as_str().unwrap().contains("chown thunse-serve"));
}

#[sqlx::test]
async fn an_address_that_shoppers_cannot_open_is_explained(db: PgPool) {
    let installation = Installation::new(db);
    let (plain, down) = (installation.web.replace("http:", "https:"), format!("http://127.0.0.1:{CLOSED_PORT}"));

    let failure = installation.failure(&[("PUBLIC_URL", "https://shop.invalid")]).await;
    assert_says(&failure, ("dns", "shop.invalid has no address", "A or AAAA record"));

    let failure = installation.failure(&[("PUBLIC_URL", &down)]).await;
    assert_says(&failure, ("web", "does not answer", "systemctl start nginx"));

    let failure = installation.failure(&[("PUBLIC_URL", &web_server("502 Bad Gateway"))]).await;
    assert_says(&failure, ("web", "status 502", "thunse-serve@8080"));

    let failure = installation.failure(&[("PUBLIC_URL", &plain)]).await;
    assert_says(&failure, ("tls", "does not answer", "ports 80 and 443"));
}

/// As a person reads it: the verdict, what was found, and what is advised.
fn assert_replica((succeeded, finding): (bool, Value), verdict: &str, found: &str, advice: &str) {
    let text = |field: &str| finding[field].as_str().unwrap_or_default().to_owned();
    assert_eq!((text("verdict").as_str(), succeeded), (verdict, verdict != "failed"), "{finding}");
    assert!(text("found").contains(found) && text("advice").contains(advice), "{finding}");
}

#[sqlx::test]
async fn a_standby_that_cannot_be_used_is_explained(db: PgPool) {
    let database = DatabaseWithStandbys::start(1).await;
    let other = as_role("thunse_app", &db);
    let installation = Installation::new(database.primary.clone());
    let standby = as_role("thunse_app", &database.standbys[0]);

    assert_replica(installation.check_replica(&standby).await, "ok", "has replayed everything", "");

    let away = format!("postgres://thunse_app@127.0.0.1:{CLOSED_PORT}/thunse");
    assert_replica(installation.check_replica(&away).await, "warning", "cannot be reached", "DATABASE_REPLICA_URL");

    let nobody = as_role("nobody_knows", &database.standbys[0]);
    let refused = installation.check_replica(&nobody).await;
    assert_replica(refused, "warning", "refuses us: role \"nobody_knows\" does not exist", "role and password");

    let primary = as_role("thunse_app", &database.primary);
    assert_replica(installation.check_replica(&primary).await, "warning", "is the primary", "port for standbys");

    let other_name = format!("{}/postgres", standby.rsplit_once('/').unwrap().0);
    for other in [other, other_name] {
        let found = installation.check_replica(&other).await;
        assert_replica(found, "failed", "another database", "Remove DATABASE_REPLICA_URL now");
    }

    for statement in ["CREATE ROLE stranger LOGIN", "GRANT CONNECT ON DATABASE thunse TO stranger"] {
        sqlx::query(statement).execute(&database.primary).await.unwrap();
    }
    database.wait_for_standbys().await;
    let stranger = as_role("stranger", &database.standbys[0]);
    let refused = installation.check_replica(&stranger).await;
    assert_replica(refused, "warning", "stranger may not read", "Use thunse_app");

    database.pause(0).await;
    // Any change would do; this one leaves no table behind, which the shop's role could not read.
    let change = "SELECT pg_logical_emit_message(true, 'test', repeat('x', 4000000))";
    sqlx::query(change).execute(&database.primary).await.unwrap();
    assert_replica(installation.check_replica(&standby).await, "warning", "MB behind", "pg_wal_replay_resume");

    database.resume(0).await;
    database.wait_for_standbys().await;
    assert_replica(installation.check_replica(&standby).await, "ok", "has replayed everything", "");
}
