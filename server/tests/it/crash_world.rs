//! Support for the crash tests: instances that can be killed, people who remember what they did, passing time, and the
//! checks after every crash.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use futures_util::FutureExt;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;
use sqlx::postgres::PgPoolOptions;
use thunse::platform::invariants;
use thunse::platform::jobs;
use thunse::platform::permissions::Role;
use uuid::Uuid;

use crate::import_pictures::{photo, zip};
use crate::orders::{order_request, shopper, sita, with_field};
use crate::support::seller_accounts::staff_browser;
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, TestResponse, TestShop, queue};

pub type Cookies = BTreeMap<String, String>;

/// The database, the wallet and the people, which outlive every instance.
pub struct World {
    pub db: PgPool,
    pub wallet: Wallet,
    category: Uuid,
    pub asha: Cookies,
    pub bina: Cookies,
    pub sita: Cookies,
    /// A rider.
    pub hari: Cookies,
    started: Cell<u32>,
    subjects: Cell<u32>,
}

impl World {
    pub async fn open(db: PgPool) -> Self {
        jobs::migrate(&db).await.unwrap();
        let mut world = Self {
            db,
            wallet: Wallet::start(),
            category: Uuid::nil(),
            asha: Cookies::new(),
            bina: Cookies::new(),
            sita: Cookies::new(),
            hari: Cookies::new(),
            started: Cell::default(),
            subjects: Cell::default(),
        };
        let first = world.start();
        world.category = first.shop.add_category("Staples").await;
        world.asha = shopper(&first.shop, "asha@example.com").await.cookies.take();
        world.bina = shopper(&first.shop, "bina@example.com").await.cookies.take();
        world.sita = sita(&first.shop).await.cookies.take();
        world.hari = staff_browser(&first.shop, "Hari", Role::Rider).await.cookies.take();
        world.open_delivery_window(&first).await;
        first.stop().await;
        world.delete_jobs().await;
        world
    }

    /// Every order of these tests takes a place in a delivery window. The fees are those of the specification.
    async fn open_delivery_window(&self, at: &Instance) {
        let zone = json!({"name": "City", "fee": 20, "freeAbove": 1000, "minimum": 0, "isActive": true,
                          "areas": [{"district": "Kathmandu", "municipality": "Kathmandu"}],
                          "windows": [{"weekdays": [0, 1, 2, 3, 4, 5, 6], "starts": "07:00", "ends": "09:00",
                                       "cutoffMinutes": 60, "capacity": 10_000}]});
        assert_eq!(at.browser(&self.sita).post("/api/delivery/add_zone", &zone).await.status, 200);
        self.add_addresses().await;
    }

    /// Adds an address in the zone for everybody who has none. Its line is the one of `order_request`.
    pub async fn add_addresses(&self) {
        self.sql(
            "INSERT INTO addresses (id, user_id, label, phone, street, city, state, country, pincode, district, municipality, is_default)
             SELECT gen_random_uuid(), id, 'Home', '9801234567', 'Mitra Marg', '', '', '', '', '', 'Kathmandu', true FROM users u
             WHERE NOT EXISTS (SELECT FROM addresses a WHERE a.user_id = u.id)",
        )
        .await;
    }

    /// Starts an instance with its own connections and memory, on the same database and wallet.
    pub fn start(&self) -> Instance {
        let number = self.started.get() + 1;
        self.started.set(number);
        let name = format!("instance-{number}");
        let options = (*self.db.connect_options()).clone().application_name(&name);
        let pool = PgPoolOptions::new().max_connections(8).connect_lazy_with(options);
        let worker = [("PICTURE_WORKER", env!("CARGO_BIN_EXE_thunse"))];
        let settings = [&GENEROUS_LIMITS[..], &worker[..], &self.wallet.settings()[..]].concat();
        let mut shop = TestShop::with(pool.clone(), &settings);
        // The test reads the database through its own pool, because the instance may be dead.
        shop.db = self.db.clone();
        Instance { shop, pool, name }
    }

    /// Creates a product and a number for keys that no other cell uses.
    pub async fn subject(&self, at: &Instance, stock: i32) -> Subject<'_> {
        let number = self.subjects.get() + 1;
        self.subjects.set(number);
        let name = format!("Rice {number}");
        let slug = at.shop.add_product_by_slug(self.category, &name, 500, stock).await;
        let product: Uuid = sqlx::query_scalar("SELECT id FROM products WHERE slug = $1")
            .bind(&slug)
            .fetch_one(&self.db)
            .await
            .unwrap();
        Subject { world: self, number, name, slug, product, stock, pidx: None, refund_calls: Cell::new(1) }
    }

    async fn sql(&self, statement: &str) {
        sqlx::raw_sql(sqlx::AssertSqlSafe(statement.to_owned()))
            .execute(&self.db)
            .await
            .unwrap_or_else(|error| panic!("{statement}: {error}"));
    }

    /// The job engine takes over the jobs of a dead worker when its heartbeat is missing, which `concurrency.rs` tests.
    /// Here it happens at once.
    pub async fn release_jobs_of_dead_workers(&self) {
        queue::release_jobs(&self.db).await;
    }

    /// Makes the jobs of this kind due now, or all jobs if `kind` is empty.
    async fn make_jobs_due(&self, kind: &str) {
        queue::make_due(&self.db, kind).await;
    }

    async fn enqueue_maintenance(&self) {
        queue::add_job(&self.db, "orders.maintain_payments", &json!({})).await;
    }

    pub async fn delete_jobs(&self) {
        queue::delete_jobs(&self.db, "").await;
    }

    /// Removes pending work of a cell, so that it does not run in the next one.
    pub async fn clean_up(&self) {
        self.delete_jobs().await;
        self.sql("UPDATE payments SET next_check_at = NULL WHERE state IN ('failed', 'initiated')").await;
    }
}

/// One running instance of the shop.
pub struct Instance {
    pub shop: TestShop,
    pool: PgPool,
    name: String,
}

impl Instance {
    pub fn browser(&self, cookies: &Cookies) -> Browser<'_> {
        let browser = Browser::new(&self.shop);
        browser.cookies.replace(cookies.clone());
        browser
    }

    /// Shuts the instance down cleanly.
    pub async fn stop(self) {
        self.pool.close().await;
    }

    /// Runs `work` until the instance dies, and then kills it. Returns false if the work ended first.
    pub async fn kill_during(&self, mut work: Pin<Box<dyn Future<Output = ()> + '_>>) -> bool {
        tokio::select! {
            biased;
            () = self.shop.app.fail_points.died() => {}
            () = &mut work => return false,
        }
        self.kill().await;
        true
    }

    /// Cuts all connections of the instance, so that the database rolls back what it had begun.
    pub async fn kill(&self) {
        // A closed pool opens no new connections.
        let _ = self.pool.close().now_or_never();
        // The instance is dead when the database has closed its connections, because its locks are released then.
        loop {
            let cut: Vec<bool> = sqlx::query_scalar(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                 WHERE datname = current_database() AND application_name = $1",
            )
            .bind(&self.name)
            .fetch_all(&self.shop.db)
            .await
            .unwrap();
            if cut.is_empty() {
                return;
            }
            tokio::time::sleep(Duration::from_millis(2)).await;
        }
    }
}

/// The subject of a cell: a product of its own, with its orders and import files.
pub struct Subject<'w> {
    pub world: &'w World,
    number: u32,
    pub name: String,
    slug: String,
    product: Uuid,
    stock: i32,
    /// The payment that the shopper's browser was sent to.
    pub pidx: Option<String>,
    /// How often the wallet may be asked for a refund: once, and again only when that is safe.
    refund_calls: Cell<i64>,
}

/// The status, payment and stock of an order in the database.
pub type State = (&'static str, &'static str, &'static str);

impl Subject<'_> {
    pub fn key(&self, which: &str) -> String {
        format!("cell-{}-{which}", self.number)
    }

    pub fn cash(&self, quantity: i64) -> Value {
        order_request(&self.product.to_string(), quantity, 9_999.0)
    }

    pub fn online(&self, quantity: i64) -> Value {
        with_field(self.cash(quantity), "paymentMethod", json!("Khalti"))
    }

    pub async fn fill_cart(&self, at: &Instance) {
        let cart = json!({"cartItems": {self.product.to_string(): 3}});
        assert_eq!(at.browser(&self.world.asha).post("/api/cart/update_cart", &cart).await.status, 200);
    }

    pub async fn left_in_cart(&self, at: &Instance) -> Value {
        let cart = at.browser(&self.world.asha).get("/api/cart/get_cart").await.json();
        cart["data"][self.product.to_string()].clone()
    }

    pub async fn place_online_order(&self, at: &Instance, which: &str, quantity: i64) -> TestResponse {
        at.browser(&self.world.asha).place_online_order(Some(&self.key(which)), &self.online(quantity)).await
    }

    /// Places an order, unless the browser has been sent to the wallet already.
    pub async fn go_to_wallet(&mut self, at: &Instance) {
        if self.pidx.is_none() {
            let placed = self.place_online_order(at, "online", 2).await;
            assert_eq!(placed.status, 200, "{}", placed.text);
            self.pidx = Some(pidx(&placed));
        }
    }

    pub async fn act_at_wallet(&self, what: &str) {
        self.world.wallet.simulate(self.pidx.as_ref().unwrap(), what).await;
    }

    pub async fn verify(&self, at: &Instance) -> TestResponse {
        let back = json!({"pidx": self.pidx, "txnId": "t", "purchase_order_id": "o", "purchase_order_name": "n"});
        at.browser(&self.world.asha).post("/api/order/verify_khalti_payment", &back).await
    }

    /// Assigns the order to the rider, who takes it along.
    pub async fn send_out(&self, at: &Instance) {
        let rider: Uuid =
            sqlx::query_scalar("SELECT id FROM sellers WHERE name = 'Hari'").fetch_one(&self.world.db).await.unwrap();
        let assigned = json!({"orderIds": [self.order().await], "riderId": rider});
        let assigned = at.browser(&self.world.sita).put("/api/order/assign_rider", &assigned).await;
        assert_eq!(assigned.status, 200, "{}", assigned.text);
        self.set_status(at, "Out for Delivery").await;
    }

    /// Shows the payment page at the door, unless the shopper has seen it already.
    pub async fn offer_at_door(&mut self, at: &Instance) {
        if self.pidx.is_none() {
            let asked = json!({"orderId": self.order().await});
            let offered = at.browser(&self.world.hari).post("/api/rider/pay_at_door", &asked).await;
            let url =
                offered.json()["data"]["paymentUrl"].as_str().unwrap_or_else(|| panic!("{}", offered.text)).to_owned();
            self.pidx = Some(url.split_once("pidx=").unwrap().1.to_owned());
        }
    }

    pub async fn cash_at_door(&self, at: &Instance) -> Value {
        let asked = json!({"orderId": self.order().await});
        let checked = at.browser(&self.world.hari).post("/api/rider/check_door_payment", &asked).await;
        assert_eq!(checked.status, 200, "{}", checked.text);
        checked.json()["data"]["cashToCollect"].clone()
    }

    /// Places an order, pays it and verifies the payment.
    pub async fn buy(&mut self, at: &Instance) {
        self.go_to_wallet(at).await;
        self.act_at_wallet("pay").await;
        assert_eq!(self.verify(at).await.status, 200);
    }

    /// Returns Asha's newest order of this product.
    pub async fn order(&self) -> Uuid {
        sqlx::query_scalar(
            "SELECT o.id FROM orders o JOIN order_items i ON i.order_id = o.id JOIN users u ON u.id = o.user_id
             WHERE i.product_id = $1 AND u.email = 'asha@example.com' ORDER BY o.id DESC LIMIT 1",
        )
        .bind(self.product)
        .fetch_one(&self.world.db)
        .await
        .unwrap()
    }

    pub async fn status(&self) -> String {
        sqlx::query_scalar("SELECT status FROM orders WHERE id = $1")
            .bind(self.order().await)
            .fetch_one(&self.world.db)
            .await
            .unwrap()
    }

    /// Cancels as the shopper, unless the order is cancelled already.
    pub async fn cancel(&self, at: &Instance) {
        if self.status().await != "Cancelled" {
            let asked = json!({"orderId": self.order().await});
            let cancelled = at.browser(&self.world.asha).post("/api/order/cancel_order", &asked).await;
            assert_eq!(cancelled.status, 200, "{}", cancelled.text);
        }
    }

    /// Sets a status as the seller, unless the order has it already.
    pub async fn set_status(&self, at: &Instance, status: &str) {
        if self.status().await != status {
            let asked = json!({"orderId": self.order().await, "status": status});
            let changed = at.browser(&self.world.sita).put("/api/order/update_order_status", &asked).await;
            assert_eq!(changed.status, 200, "{}", changed.text);
        }
    }

    /// Packs one of two ordered units, as the seller; the other one goes back to stock.
    pub async fn pack_one(&self, at: &Instance) {
        let line = json!({"product": self.product, "packed": 1, "reason": "not_wanted"});
        let report = json!({"orderId": self.order().await, "lines": [line]});
        let packed = at.browser(&self.world.sita).post("/api/packing/finish", &report).await;
        assert_eq!(packed.status, 200, "{}", packed.text);
    }

    /// Returns the state of the refund of Asha's order, and the payment that it belongs to.
    pub async fn refund(&self) -> (String, Uuid) {
        sqlx::query_as(
            "SELECT r.state, p.id FROM refunds r JOIN payments p ON p.id = r.payment_id
             WHERE p.subject_id = $1 AND r.state <> 'withdrawn'",
        )
        .bind(self.order().await)
        .fetch_one(&self.world.db)
        .await
        .unwrap()
    }

    /// Requests a failed refund again, as the seller.
    pub async fn refund_by_hand(&self, at: &Instance) {
        let (state, payment) = self.refund().await;
        if state == "manual" {
            self.allow_refund_call();
            let asked = json!({"paymentId": payment});
            let refunded = at.browser(&self.world.sita).post("/api/order/refund_payment", &asked).await;
            assert_eq!(refunded.status, 200, "{}", refunded.text);
        }
    }

    /// Allows one more refund call, because a person decided so or the wallet has certainly not processed the last one.
    pub fn allow_refund_call(&self) {
        self.refund_calls.set(self.refund_calls.get() + 1);
    }

    /// Does everything until the refund is complete: the worker runs, half an hour passes, and the seller requests it
    /// again.
    pub async fn complete_refund(&self) {
        for _ in 0..4 {
            let at = self.world.start();
            self.run_job(&at, "orders.send_refund").await;
            self.run_job(&at, "orders.check_payment").await;
            if self.refund().await.0 == "sent" {
                self.pass_time(31 * 60).await;
                self.run_job(&at, "orders.check_payment").await;
            }
            self.refund_by_hand(&at).await;
            at.stop().await;
            if self.refund().await.0 == "confirmed" {
                return;
            }
        }
        panic!("the refund is still {}", self.refund().await.0);
    }

    /// Runs the due jobs after making those of one kind due.
    pub async fn run_job(&self, at: &Instance, kind: &str) {
        self.world.make_jobs_due(kind).await;
        at.shop.run_jobs().await;
    }

    /// Runs the job that the scheduler starts every minute.
    pub async fn run_maintenance(&self, at: &Instance) {
        self.world.enqueue_maintenance().await;
        at.shop.run_jobs().await;
    }

    /// Runs maintenance and all jobs, twice.
    pub async fn run_until_idle(&self, at: &Instance) {
        for _ in 0..2 {
            self.world.enqueue_maintenance().await;
            self.run_job(at, "").await;
        }
    }

    /// Moves all times of this subject's orders, payments and refunds into the past.
    pub async fn pass_time(&self, seconds: i64) {
        let (product, step) = (self.product, format!("interval '{seconds} seconds'"));
        let orders = format!("(SELECT order_id FROM order_items WHERE product_id = '{product}')");
        let earlier = |columns: &[&str]| {
            columns.iter().map(|column| format!("{column} = {column} - {step}")).collect::<Vec<_>>().join(", ")
        };
        self.world
            .sql(&format!(
                "UPDATE orders SET {} WHERE id IN {orders}; UPDATE payments SET {} WHERE subject_id IN {orders};
                 UPDATE refunds SET {} WHERE payment_id IN (SELECT id FROM payments WHERE subject_id IN {orders})",
                earlier(&["created_at", "hold_ends_at"]),
                earlier(&["created_at", "started_at", "link_ends_at", "next_check_at", "last_checked_at"]),
                earlier(&["requested_at", "sent_at"]),
            ))
            .await;
    }

    /// Ends the hold of this subject's orders without moving any other time.
    pub async fn expire_hold(&self) {
        self.end_now("hold_ends_at").await;
    }

    /// Ends the time to confirm this subject's orders.
    pub async fn expire_confirmation(&self) {
        self.end_now("confirm_by").await;
    }

    async fn end_now(&self, column: &str) {
        let product = self.product;
        self.world
            .sql(&format!(
                "UPDATE orders SET {column} = now() - interval '1 second'
                 WHERE id IN (SELECT order_id FROM order_items WHERE product_id = '{product}')"
            ))
            .await;
    }

    /// Expires all links of this subject's orders at the wallet, whether the shop knows them or not.
    pub async fn expire_links(&self) {
        for entry in self.ledger().await {
            self.world.wallet.simulate(entry["pidx"].as_str().unwrap(), "expire").await;
        }
    }

    /// Returns the wallet's ledger entries for this subject's orders.
    async fn ledger(&self) -> Vec<Value> {
        let codes: Vec<String> = sqlx::query_scalar(
            "SELECT o.code FROM orders o JOIN order_items i ON i.order_id = o.id WHERE i.product_id = $1",
        )
        .bind(self.product)
        .fetch_all(&self.world.db)
        .await
        .unwrap();
        let mut entries = self.world.wallet.ledger().await;
        entries.retain(|entry| {
            let number = entry["purchase_order_id"].as_str().unwrap();
            number.rsplit_once('-').is_some_and(|(code, _)| codes.iter().any(|known| known == code))
        });
        entries
    }

    fn file_name(&self) -> String {
        format!("goods-{}.csv", self.number)
    }

    fn added_name(&self) -> String {
        format!("Salt {}", self.number)
    }

    /// Returns id and state of the file if the seller's page lists it.
    pub async fn import(&self, at: &Instance) -> Option<(Value, String)> {
        let listed = at.browser(&self.world.sita).get("/api/product/get_imports").await.json();
        let listed = listed["data"].as_array().unwrap();
        let mut mine = listed.iter().filter(|import| import["fileName"] == self.file_name());
        let found = mine.next().map(|import| (import["_id"].clone(), import["state"].as_str().unwrap().to_owned()));
        assert!(mine.next().is_none(), "a file was stored twice");
        found
    }

    pub async fn import_state(&self, at: &Instance) -> String {
        self.import(at).await.map(|(_, state)| state).unwrap_or_default()
    }

    /// Uploads the file, unless it is listed already.
    pub async fn upload(&self, at: &Instance) {
        if self.import(at).await.is_none() {
            let (slug, name, added) = (&self.slug, &self.name, self.added_name());
            let table = format!(
                "slug,name,category,price,stock,image\r\n{slug},{name},Staples,600,15,\r\n,{added},Staples,5,1,a.png\r\n"
            );
            let file = zip(&[("goods.csv", table.as_bytes()), ("a.png", &photo(300))]);
            let (texts, files) = ([("name", self.file_name())], [("file", file.as_slice())]);
            let texts = texts.each_ref().map(|(name, text)| (*name, text.as_str()));
            let seller = at.browser(&self.world.sita);
            let sent = seller.send_form_with(Method::POST, "/api/product/import_products", &texts, &files).await;
            assert_eq!(sent.status, 200, "{}", sent.text);
        }
    }

    /// Presses a button of the file (`apply_import`, `cancel_import`) if it is in this state.
    pub async fn press(&self, at: &Instance, button: &str, while_in: &str) {
        let (id, state) = self.import(at).await.unwrap();
        if state == while_in {
            let asked = json!({"importId": id});
            let pressed = at.browser(&self.world.sita).post(&format!("/api/product/{button}"), &asked).await;
            assert_eq!(pressed.status, 200, "{}", pressed.text);
        }
    }

    pub async fn set_price(&self, at: &Instance, rupees: &str) {
        let path = format!("/api/product/update_product/{}", self.slug);
        let changed = at.browser(&self.world.sita).send_form(Method::PUT, &path, &[("price", rupees)], None).await;
        assert_eq!(changed.status, 200, "{}", changed.text);
    }

    /// Returns the price and stock of the product that the file changes, the number of products that it added with their
    /// picture, and the number of audit entries which say that it was applied.
    pub async fn imported(&self) -> (i64, i32, i64, i64) {
        sqlx::query_as(
            "SELECT price_paisa / 100, stock, (SELECT count(*) FROM products WHERE name = $2 AND picture_key IS NOT NULL),
                    (SELECT count(*) FROM audit_log WHERE action = 'product.import' AND about = $3 AND after = 'applied')
             FROM products WHERE id = $1",
        )
        .bind(self.product)
        .bind(self.added_name())
        .bind(self.file_name())
        .fetch_one(&self.world.db)
        .await
        .unwrap()
    }

    /// Counts the bills and the credit notes of Asha's order.
    pub async fn bills_and_credit_notes(&self) -> (i64, i64) {
        sqlx::query_as(
            "SELECT count(DISTINCT b.id), count(c.id) FROM bills b LEFT JOIN credit_notes c ON c.bill_id = b.id
             WHERE b.order_id = $1",
        )
        .bind(self.order().await)
        .fetch_one(&self.world.db)
        .await
        .unwrap()
    }

    /// Checks what must be true after every crash, once everything has been repeated. `expected` are the orders, oldest
    /// first.
    pub async fn assert_invariants_hold(&self, cell: &str, expected: &[State]) {
        let db = &self.world.db;
        let broken = invariants::find_violations(db).await.unwrap();
        assert!(broken.is_empty(), "{cell}: {broken:?}");
        let orders: Vec<(String, String, String, i32, i64)> = sqlx::query_as(
            "SELECT o.status, o.payment, o.stock, coalesce(a.quantity_after, i.quantity), coalesce(o.amount_due_paisa, o.total_paisa)
             FROM orders o JOIN order_items i ON i.order_id = o.id
             LEFT JOIN order_adjustments a ON a.order_id = o.id AND a.product_id = i.product_id WHERE i.product_id = $1 ORDER BY o.id",
        )
        .bind(self.product)
        .fetch_all(db)
        .await
        .unwrap();
        let states: Vec<(&str, &str, &str)> =
            orders.iter().map(|order| (order.0.as_str(), order.1.as_str(), order.2.as_str())).collect();
        assert_eq!(states, expected, "{cell}: no order is lost, and none is doubled");

        let owned: i32 = orders.iter().filter(|order| ["held", "taken"].contains(&order.2.as_str())).map(|o| o.3).sum();
        let stock: i32 = sqlx::query_scalar("SELECT stock FROM products WHERE id = $1")
            .bind(self.product)
            .fetch_one(db)
            .await
            .unwrap();
        if !orders.is_empty() {
            assert_eq!(stock + owned, self.stock, "{cell}: every unit is in stock or belongs to an order");
        }

        let ledger = self.ledger().await;
        let money = |entry: &Value, field: &str| entry[field].as_i64().unwrap();
        let held: i64 = ledger.iter().map(|entry| money(entry, "taken") - money(entry, "given_back")).sum();
        let paid: i64 = orders.iter().filter(|order| order.1 == "paid").map(|order| order.4).sum();
        assert_eq!(held, paid, "{cell}: what the wallet holds is what was paid for: {ledger:?}");
        let asked = ledger.iter().map(|entry| money(entry, "refunds")).max().unwrap_or_default();
        assert!(asked <= self.refund_calls.get(), "{cell}: the wallet was asked for one refund {asked} times");

        let mut stuck: Vec<String> = sqlx::query_scalar(
            "SELECT format('%s: %s', task_identifier, last_error) FROM graphile_worker.jobs
             WHERE locked_at IS NOT NULL OR attempts >= max_attempts OR last_error IS NOT NULL",
        )
        .fetch_all(db)
        .await
        .unwrap();
        stuck.extend(queue::locked_queues(db).await);
        assert!(stuck.is_empty(), "{cell}: no job is stuck: {stuck:?}");

        let mut emails = BTreeSet::new();
        for payload in queue::payloads(db, "orders.send_email").await {
            let email = ["order", "status", "money_back"].map(|field| payload[field].to_string());
            assert!(emails.insert(email), "{cell}: what happened once is told once: {payload}");
        }
        let repeated: Vec<String> = sqlx::query_scalar(
            "SELECT format('timeline %s', status) FROM (
                 SELECT status, lag(status) OVER (PARTITION BY order_id ORDER BY id) AS previous FROM order_events WHERE NOT internal
             ) line WHERE status = previous",
        )
        .fetch_all(db)
        .await
        .unwrap();
        assert!(repeated.is_empty(), "{cell}: what happened once is told once: {repeated:?}");
    }

    /// Deletes the emails about earlier steps, which do not belong to the scenario.
    pub async fn delete_emails(&self) {
        queue::delete_jobs(&self.world.db, "orders.send_email").await;
    }
}

/// Returns the wallet's id of the payment that a response leads to.
pub fn pidx(answer: &TestResponse) -> String {
    let url = answer.json()["data"]["payment_url"].as_str().unwrap_or_else(|| panic!("{}", answer.text)).to_owned();
    url.split_once("pidx=").unwrap().1.to_owned()
}
