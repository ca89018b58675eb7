//! A shop of its own for each test, with people and goods as fixtures.

mod browser;
mod helper_process;
pub mod identity_provider;
pub mod mailbox;
pub mod push_service;
pub mod queue;
pub mod relay;
pub mod s3;
pub mod seller_accounts;
pub mod sms_gateway;
pub mod standby;
pub mod wallet;

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::response::Response;
use chrono::{Days, TimeDelta};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use object_store::ObjectStore;
use object_store::memory::InMemory;
use serde_json::Value;
use sqlx::{AssertSqlSafe, PgPool};
use thunse::app;
use thunse::catalogue::{self, ProductDetails};
use thunse::platform::cache_invalidation;
use thunse::platform::clock;
use thunse::platform::config::{Config, DatabaseSettings, Secret, WorkerLimits};
use thunse::platform::db::{self, Pools};
use thunse::platform::invariants;
use thunse::platform::jobs;
use thunse::platform::money::Paisa;
use thunse::platform::state::App;
use tower::ServiceExt;
use uuid::Uuid;

pub use browser::{Browser, PASSWORD};

pub const SHOP: &str = "http://shop.test";

/// The key that encrypts the TOTP secrets of sellers.
pub const TOTP_KEYS: &str = "k1:AQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQEBAQE=";

/// Limits that leave room to order as often as a test needs.
pub const GENEROUS_LIMITS: [(&str, &str); 11] = [
    ("COD_ORDERS_PER_HOUR", "100000"),
    ("OPEN_COD_PER_PHONE", "10000"),
    ("PAYMENT_LINKS_PER_MINUTE", "10000"),
    ("ORDERS_PER_MINUTE", "10000"),
    ("ORDERS_PER_DAY", "10000"),
    ("OPEN_COD_ORDERS", "10000"),
    ("OPEN_COD_RUPEES", "100000000"),
    ("CARTS_PER_MINUTE", "10000"),
    ("MAX_UNPAID_ORDERS", "10000"),
    ("HELD_PER_PRODUCT", "99"),
    ("PAYMENT_CHECKS_PER_MINUTE", "100000"),
];

/// Longer than any test may take, for limits that a slow machine must not reach.
pub const NEVER: Duration = Duration::from_hours(1);

/// Returns the value of `TestResponse::refusal` for this status and code.
pub fn refusal(status: u16, code: &str) -> (u16, String) {
    (status, code.to_owned())
}

/// Hashes a password with weaker Argon2 parameters, as it may have been stored earlier.
pub fn weak_hash(password: &str) -> String {
    let params = argon2::Params::new(8 * 1024, 1, 1, None).unwrap();
    let weak = argon2::Argon2::new(argon2::Algorithm::Argon2id, argon2::Version::V0x13, params);
    argon2::password_hash::PasswordHasher::hash_password(&weak, password.as_bytes()).unwrap().to_string()
}

pub struct TestShop {
    pub app: App,
    pub db: PgPool,
    router: Router,
}

pub struct TestResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl TestResponse {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// Returns the names in `data`, in order.
    pub fn names(&self) -> Vec<String> {
        names(&self.json()["data"])
    }

    /// Returns the status and the error code of a refused call.
    pub fn refusal(&self) -> (u16, String) {
        (self.status.as_u16(), self.json()["code"].as_str().unwrap_or_default().to_owned())
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

pub fn names(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

impl TestShop {
    pub fn new(db: PgPool) -> Self {
        Self::with(db, &[])
    }

    pub fn with(db: PgPool, settings: &[(&str, &str)]) -> Self {
        Self::with_pictures(db, settings, Arc::new(InMemory::new()))
    }

    pub fn with_pictures(db: PgPool, settings: &[(&str, &str)], pictures: Arc<dyn ObjectStore>) -> Self {
        Self::build(Pools::single(db), settings, pictures, |_| {})
    }

    /// A shop in whose configuration a test changes what no setting changes.
    pub fn with_config(db: PgPool, settings: &[(&str, &str)], change: impl FnOnce(&mut Config)) -> Self {
        Self::build(Pools::single(db), settings, Arc::new(InMemory::new()), change)
    }

    fn build(
        pools: Pools,
        settings: &[(&str, &str)],
        pictures: Arc<dyn ObjectStore>,
        change: impl FnOnce(&mut Config),
    ) -> Self {
        // The log of a failed test shows why the shop answered with status 500.
        let _ = tracing_subscriber::fmt().with_max_level(tracing::Level::WARN).with_test_writer().try_init();
        let mut vars: BTreeMap<String, String> = BTreeMap::from(
            [
                ("DATABASE_URL", "postgres://127.0.0.1/unused"),
                ("PUBLIC_URL", SHOP),
                ("MEDIA_DIR", "unused"),
                ("MAIL_FROM", "Thunse <hello@thunse.example>"),
                ("SHOP_PHONE", "+977 980-0000000"),
                ("SHOP_EMAIL", "hello@thunse.example"),
                ("SHOP_ADDRESS", "New Baneshwor, Kathmandu, Nepal"),
                ("SHOP_ADDRESS_NE", "नयाँ बानेश्वर, काठमाडौँ, नेपाल"),
                ("SHOP_SOCIAL", "Facebook=https://www.facebook.com/"),
                // All people in a test share one IP address.
                ("READS_PER_SECOND", "1000000"),
                ("READS_BURST", "1000000"),
                // Many requests at once wait for few connections, which takes long on a busy machine.
                ("HANDLER_TIMEOUT_MS", "120000"),
                ("TOTP_KEYS", TOTP_KEYS),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        vars.extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let mut config = Config::from_vars(vars).unwrap();
        config.pictures.limits = WorkerLimits { queue: NEVER, work: NEVER };
        change(&mut config);
        let db = pools.main.clone();
        let app = App::new(config, pools, pictures);
        app.passwords.hash_cheaply(true);
        Self { router: app::router(app.clone()), app, db }
    }

    /// A shop with pools of its own, as a server has them, of five connections, and perhaps a standby to read on. It is
    /// told of changes and follows the standby as the server does.
    pub fn with_own_pools(primary: &PgPool, replica_url: Option<&str>) -> Self {
        let settings = DatabaseSettings {
            url: Secret::new(database_url(primary)),
            replica_url: replica_url.map(|url| Secret::new(url.to_owned())),
            max_connections: 5,
            acquire_timeout: Duration::from_mins(1),
            statement_timeout: Duration::from_mins(1),
        };
        let shop = Self::build(db::connect(&settings).unwrap(), &[], Arc::new(InMemory::new()), |_| {});
        tokio::spawn(cache_invalidation::listen(shop.app.db.clone(), shop.app.cache.clone()));
        let pools = shop.app.db.clone();
        tokio::spawn(async move { pools.follow_replica().await });
        shop
    }

    /// A shop that can queue jobs, because it has the tables of the job engine.
    pub async fn with_jobs(db: PgPool) -> Self {
        Self::with_jobs_and_settings(db, &[]).await
    }

    pub async fn with_jobs_and_settings(db: PgPool, settings: &[(&str, &str)]) -> Self {
        jobs::migrate(&db).await.unwrap();
        Self::with(db, settings)
    }

    /// A shop whose emails arrive in this mailbox when its jobs run.
    pub async fn with_mailbox(db: PgPool, mailbox: &mailbox::Mailbox) -> Self {
        Self::with_jobs_and_settings(db, &[("SMTP_URL", &mailbox.smtp_url)]).await
    }

    /// Returns the queued emails with their recipients, oldest first.
    pub async fn queued_emails(&self) -> Vec<Value> {
        queue::payloads(&self.db, "notifications.send_email").await
    }

    /// Returns the queued emails with one-time links, oldest first.
    pub async fn queued_links(&self) -> Vec<Value> {
        queue::payloads(&self.db, "accounts.send_link").await
    }

    /// Runs the jobs and returns the token of the newest link to this page that was sent to this address.
    pub async fn token(&self, mailbox: &mailbox::Mailbox, to: &str, page: &str) -> String {
        self.run_jobs().await;
        mailbox.token(to, page).await
    }

    /// Runs the jobs that are due, as the worker does.
    pub async fn run_jobs(&self) {
        thunse::worker::run_due_jobs(&self.app).await.unwrap();
    }

    /// A shop with the demo products of the repository.
    pub async fn demo(db: PgPool) -> Self {
        let shop = Self::new(db);
        thunse::demo::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();
        shop
    }

    pub async fn add_category(&self, name: &str) -> Uuid {
        let slug = name.to_lowercase().replace([' ', '&'], "-").replace("---", "-");
        sqlx::query_scalar("INSERT INTO categories (id, slug, name) VALUES ($1, $2, $3) RETURNING id")
            .bind(Uuid::now_v7())
            .bind(slug)
            .bind(name)
            .fetch_one(&self.db)
            .await
            .unwrap()
    }

    pub async fn add_product_by_slug(&self, category: Uuid, name: &str, rupees: i64, stock: i32) -> String {
        let entry = ProductDetails {
            category,
            name: name.to_owned(),
            price: Paisa::from_rupees(rupees),
            ..ProductDetails::default()
        };
        let mut tx = self.db.begin().await.unwrap();
        let (_, slug) = catalogue::create_product(&mut tx, &entry, stock).await.unwrap();
        tx.commit().await.unwrap();
        slug
    }

    /// A shop with a category and with limits that leave room to order as often as a test needs.
    pub async fn with_category(db: PgPool) -> (Self, Uuid) {
        Self::with_category_and(db, &GENEROUS_LIMITS).await
    }

    pub async fn with_category_and(db: PgPool, settings: &[(&str, &str)]) -> (Self, Uuid) {
        let shop = Self::with_jobs_and_settings(db, settings).await;
        let category = shop.add_category("Staples").await;
        (shop, category)
    }

    /// Adds a product and returns its `_id`.
    pub async fn add_product(&self, category: Uuid, name: &str, rupees: i64, stock: i32) -> String {
        let slug = self.add_product_by_slug(category, name, rupees, stock).await;
        let id: Uuid =
            sqlx::query_scalar("SELECT id FROM products WHERE slug = $1").bind(slug).fetch_one(&self.db).await.unwrap();
        id.to_string()
    }

    pub async fn stock(&self, product: &str) -> i32 {
        let id: Uuid = product.parse().unwrap();
        sqlx::query_scalar("SELECT stock FROM products WHERE id = $1").bind(id).fetch_one(&self.db).await.unwrap()
    }

    pub async fn count(&self, table: &str) -> i64 {
        sqlx::query_scalar(AssertSqlSafe(format!("SELECT count(*) FROM {table}"))).fetch_one(&self.db).await.unwrap()
    }

    /// Lengthens the waits after failed logins, so that they do not end during the test on a slow machine.
    pub async fn lengthen_login_waits(&self) {
        self.sql(
            "UPDATE login_throttles SET allowed_at = allowed_at + interval '1 hour' WHERE allowed_at > last_attempt_at",
        )
        .await;
    }

    /// Changes rows directly in the database.
    pub async fn sql(&self, statement: &str) {
        sqlx::raw_sql(AssertSqlSafe(statement.to_owned()))
            .execute(&self.db)
            .await
            .unwrap_or_else(|error| panic!("{statement}: {error}"));
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.get_with(path, &[]).await
    }

    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> TestResponse {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// Sends a request as the shop's own page does.
    pub async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.post_with(path, &body.to_string(), &[("sec-fetch-site", "same-origin")]).await
    }

    pub async fn post_with(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> TestResponse {
        let mut request = Request::post(path).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    /// Sends a request and returns the response before its body is read.
    pub async fn open(&self, mut request: Request<Body>) -> Response {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 4000))));
        self.router.clone().oneshot(request).await.unwrap()
    }

    pub async fn send(&self, request: Request<Body>) -> TestResponse {
        let (parts, body) = self.open(request).await.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        TestResponse {
            status: parts.status,
            headers: parts.headers,
            text: String::from_utf8_lossy(&bytes).into_owned(),
        }
    }

    pub async fn search(&self, text: &str) -> TestResponse {
        let query = serde_urlencoded::to_string([("search", text)]).unwrap();
        self.get(&format!("/api/product/get_products?{query}")).await
    }

    /// Runs `breakage`, checks that this invariant is reported as violated, and rolls back.
    pub async fn assert_violation_detected(&self, invariant: &str, breakage: &str) {
        let mut tx = self.db.begin().await.unwrap();
        sqlx::raw_sql(AssertSqlSafe(breakage.to_owned()))
            .execute(&mut *tx)
            .await
            .unwrap_or_else(|error| panic!("{invariant}: {error}"));
        let seen: Vec<String> = sqlx::query_scalar("SELECT DISTINCT invariant FROM invariant_violations")
            .fetch_all(&mut *tx)
            .await
            .unwrap();
        assert!(seen.iter().any(|one| one == invariant), "{invariant}: {seen:?}");
        tx.rollback().await.unwrap();
    }

    /// Advances the clock to the next noon in Nepal, for a test that would fail if the day or the hour ended in it.
    pub fn start_at_noon(&self) {
        let now = self.app.clock.now();
        let noon = clock::start_of_nepal_day(clock::nepal_date(now) + Days::new(1)) + TimeDelta::hours(12);
        self.app.clock.advance(noon - now);
    }

    /// Advances the clock and runs the jobs that are due then. The job engine uses the database's clock, so the jobs
    /// due by the shop's clock are made due there.
    pub async fn advance_time(&self, time: TimeDelta) {
        self.app.clock.advance(time);
        queue::make_due_until(&self.db, self.app.clock.now()).await;
        self.run_jobs().await;
    }

    /// Makes all waiting jobs due now, and runs them.
    pub async fn run_all_jobs(&self) {
        queue::make_due(&self.db, "").await;
        self.run_jobs().await;
    }

    /// Checks that no invariant is violated.
    pub async fn assert_invariants_hold(&self) {
        let broken = invariants::find_violations(&self.db).await.unwrap();
        assert!(broken.is_empty(), "{broken:?}");
    }
}

/// The URL of the database that a pool connects to, for a role without a password.
pub fn database_url(db: &PgPool) -> String {
    let options = db.connect_options();
    let (user, host, port) = (options.get_username(), options.get_host(), options.get_port());
    format!("postgres://{user}@{host}:{port}/{}", options.get_database().unwrap())
}

/// Waits for a minute at most until something holds.
pub async fn wait_until(what: &str, holds: impl AsyncFn() -> bool) {
    for _ in 0..3_000 {
        if holds().await {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("never: {what}");
}

/// Prints a measured figure, and appends it to the file named by `FIGURES` for the report of CI.
pub fn report_figure(line: &str) {
    println!("{line}");
    if let Ok(file) = std::env::var("FIGURES") {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
        std::io::Write::write_all(&mut file, format!("{line}\n").as_bytes()).unwrap();
    }
}
