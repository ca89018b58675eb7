//! `thunse doctor` on a healthy installation, and on broken ones: it names what is wrong and what to do.

use std::io::{Read, Write};
use std::net::TcpListener;
use std::path::PathBuf;

use serde_json::Value;
use sqlx::{AssertSqlSafe, PgPool};

use crate::support::TestShop;
use crate::support::mailbox::Mailbox;
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
fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

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
        let options = self.shop.db.connect_options();
        let database = format!(
            "postgres://thunse_app:thunse_app@{}:{}/{}",
            options.get_host(),
            options.get_port(),
            options.get_database().unwrap()
        );
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

    /// The one check that has failed, with what was found and what is advised.
    async fn failure(&self, changed: &[(&str, &str)]) -> (String, String, String) {
        let (succeeded, findings) = self.run(changed).await;
        let failed: Vec<&Value> = findings.iter().filter(|finding| finding["verdict"] == "failed").collect();
        assert!(!succeeded && failed.len() == 1, "{findings:?}");
        let text = |field: &str| failed[0][field].as_str().unwrap().to_owned();
        (text("check"), text("found"), text("advice"))
    }
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
    let away = format!("postgres://thunse_app@127.0.0.1:{}/thunse", closed_port());
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
    let mail = format!("smtp://127.0.0.1:{}", closed_port());

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
    let (plain, down) = (installation.web.replace("http:", "https:"), format!("http://127.0.0.1:{}", closed_port()));

    let failure = installation.failure(&[("PUBLIC_URL", "https://shop.invalid")]).await;
    assert_says(&failure, ("dns", "shop.invalid has no address", "A or AAAA record"));

    let failure = installation.failure(&[("PUBLIC_URL", &down)]).await;
    assert_says(&failure, ("web", "does not answer", "systemctl start nginx"));

    let failure = installation.failure(&[("PUBLIC_URL", &web_server("502 Bad Gateway"))]).await;
    assert_says(&failure, ("web", "status 502", "thunse-serve@8080"));

    let failure = installation.failure(&[("PUBLIC_URL", &plain)]).await;
    assert_says(&failure, ("tls", "does not answer", "ports 80 and 443"));
}
