//! Several clients, instances and workers at the same time. Nothing is left to chance: each test waits until all of
//! them have reached the point it needs. Crashes of a single process are in `crash.rs`; fifty requests with one key are
//! in `orders.rs` and `payments.rs`.

use std::collections::BTreeSet;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::app;
use thunse::platform::serve;
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;

use crate::crash_world::{World, pidx};
use crate::orders::{asha, order_request, shopper, sita, with_field};
use crate::serve::{BLOCKED_STATEMENTS, read_all, wait_for_count};
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, SHOP, TestShop, queue};

pub fn same_person<'a>(at: &'a TestShop, browser: &Browser<'_>) -> Browser<'a> {
    let other = Browser::new(at);
    other.cookies.replace(browser.cookies.borrow().clone());
    other
}

#[sqlx::test]
async fn one_key_at_two_instances_is_one_order(db: PgPool) {
    let (one, category) = TestShop::with_category(db.clone()).await;
    let two = TestShop::with(db, &GENEROUS_LIMITS);
    let rice = one.add_product(category, "Rice", 500, 1).await;
    let here = asha(&one).await;
    let there = same_person(&two, &here);
    let order = order_request(&rice, 1, 585.0);

    let browsers = [&here, &there];
    let answers = join_all((0..20).map(|n| browsers[n % 2].place_order(Some("same"), &order))).await;

    let texts: BTreeSet<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
    assert!(texts.len() == 1 && answers[0].status == 200, "{texts:?}");
    assert_eq!((one.count("orders").await, one.stock(&rice).await), (1, 0));
    one.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_flash_sale_sells_exactly_what_there_is(db: PgPool) {
    let world = World::open(db).await;
    let (one, two) = (world.start(), world.start());
    let rice = world.subject(&one, 4).await;
    let mut people = Vec::new();
    for number in 0..12 {
        let at = if number % 2 == 0 { &one } else { &two };
        people.push(shopper(&at.shop, &format!("p{number}@example.com")).await);
    }
    world.add_addresses().await;
    // The products are locked until all shoppers have sent their orders.
    let mut closed = world.db.begin().await.unwrap();
    sqlx::query("SELECT FROM products FOR UPDATE").execute(&mut *closed).await.unwrap();
    let order = rice.cash(1);
    let sale = join_all(people.iter().map(|person| person.place_order(Some("k"), &order)));
    let opening = async {
        wait_for_count(&world.db, BLOCKED_STATEMENTS, 12).await;
        closed.rollback().await.unwrap();
    };

    let (answers, ()) = futures_util::join!(sale, opening);

    let sold = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.refusal() == (409, "out_of_stock".to_owned())).count();
    assert_eq!((sold, refused), (4, 8));
    rice.assert_invariants_hold("flash sale", &[("Order Placed", "cod_due", "taken"); 4]).await;
}

/// The instance holds locks on a shopper, an order and a product when it dies.
#[sqlx::test]
async fn an_instance_that_dies_holds_nobody_up(db: PgPool) {
    let world = World::open(db).await;
    let (dying, living) = (world.start(), world.start());
    let rice = world.subject(&dying, 10).await;
    assert_eq!(rice.place_online_order(&dying, "first", 1).await.status, 200);
    dying.shop.app.fail_points.arm("orders.place.before_commit", 0);
    let (asha, bina) = (dying.browser(&world.asha), living.browser(&world.bina));
    let (key, order) = (rice.key("cash"), rice.cash(2));
    let mut lost = Box::pin(asha.place_order(Some(&key), &order));
    tokio::select! {
        () = dying.shop.app.fail_points.died() => {}
        answer = &mut lost => panic!("{}", answer.text),
    }

    let kill = async {
        wait_for_count(&world.db, BLOCKED_STATEMENTS, 1).await;
        dying.kill().await;
    };
    let (placed, ()) = futures_util::join!(bina.place_order(Some(&key), &order), kill);

    assert_eq!(placed.status, 200, "{}", placed.text);
    let again = living.browser(&world.asha).place_order(Some(&key), &order).await;
    assert_eq!(again.status, 200, "{}", again.text);
    let taken = ("Order Placed", "cod_due", "taken");
    rice.assert_invariants_hold("an instance died", &[("Cancelled", "awaiting", "returned"), taken, taken]).await;
}

/// Kills its worker when dropped, so that no worker outlives a failed test.
struct Worker(Child);

impl Worker {
    async fn start(shop: &TestShop, settings: &[(&str, &str)]) -> Self {
        let mut command: Command = shop.command(&["worker"], settings).await;
        Self(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Kills the worker with SIGKILL.
    fn kill(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

#[sqlx::test]
async fn the_job_of_a_killed_worker_is_taken_over(db: PgPool) {
    let wallet = Wallet::start();
    let settings = wallet.settings();
    let (shop, category) = TestShop::with_category_and(db, &[&GENEROUS_LIMITS[..], &settings[..]].concat()).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let placed = asha(&shop)
        .await
        .place_online_order(Some("k"), &with_field(order_request(&rice, 1, 585.0), "paymentMethod", json!("Khalti")))
        .await;
    wallet.simulate(&pidx(&placed), "pay").await;
    // The wallet does not answer the first worker, which is killed while it waits.
    wallet.misbehave("lookup", "hang", 1).await;
    queue::make_due(&shop.db, "").await;
    let mut first = Worker::start(&shop, &settings).await;
    let asked = async {
        while wallet.get("/calls").await["lookup"]["calls"] != 1 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), asked).await.expect("the first worker has asked nothing");

    first.kill();
    queue::age_heartbeats(&shop.db).await;
    let _second = Worker::start(&shop, &settings).await;

    let paid = async {
        while shop.count("orders WHERE payment = 'paid'").await == 0 {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    tokio::time::timeout(Duration::from_mins(1), paid).await.expect("nobody took the job over");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_same_file_sent_twice_at_once_is_applied_once(db: PgPool) {
    let (one, _) = TestShop::with_category(db.clone()).await;
    let two = TestShop::with(db, &GENEROUS_LIMITS);
    let here = sita(&one).await;
    let there = same_person(&two, &here);
    // A row that changes a product would notice the other file by its version; a row that adds a product cannot.
    let file = b"slug,name,category,price,stock\r\n,Salt,Staples,5,1\r\n";
    let send = async |seller: &Browser<'_>| {
        let (texts, files) = ([("name", "goods.csv")], [("file", &file[..])]);
        seller.send_form_with(http::Method::POST, "/api/product/import_products", &texts, &files).await.json()["data"]["_id"]
            .clone()
    };
    let apply = async |seller: &Browser<'_>, import: &Value| {
        let asked = seller.post("/api/product/apply_import", &json!({"importId": import})).await;
        assert_eq!(asked.status, 200, "{}", asked.text);
    };

    let (first, second) = futures_util::join!(send(&here), send(&there));
    futures_util::join!(one.run_jobs(), two.run_jobs());
    futures_util::join!(apply(&here, &first), apply(&there, &second));
    futures_util::join!(one.run_jobs(), two.run_jobs());

    let states: Vec<String> =
        sqlx::query_scalar("SELECT state FROM imports ORDER BY state").fetch_all(&one.db).await.unwrap();
    assert_eq!(states, ["applied", "failed"]);
    assert_eq!(one.count("products").await, 1);
    one.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_stopping_server_finishes_the_order_that_it_began(db: PgPool) {
    let settings = [&GENEROUS_LIMITS[..], &[("DRAIN_MS", "50")]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let (stop, stopped) = oneshot::channel::<()>();
    let process = shop.app.clone();
    let ended = tokio::spawn(async move {
        serve::serve(process.clone(), listener, app::router(process), async {
            let _ = stopped.await;
        })
        .await;
    });
    let mut closed = shop.db.begin().await.unwrap();
    sqlx::query("SELECT FROM products FOR UPDATE").execute(&mut *closed).await.unwrap();
    let body = order_request(&rice, 1, 585.0).to_string();
    let request = format!(
        "POST /api/order/place_order_COD HTTP/1.1\r\nhost: shop\r\norigin: {SHOP}\r\ncookie: __Host-sid={}\r\n\
         idempotency-key: k\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        asha.session().unwrap(),
        body.len(),
    );
    let mut connection = TcpStream::connect(address).await.unwrap();
    connection.write_all(request.as_bytes()).await.unwrap();
    wait_for_count(&shop.db, BLOCKED_STATEMENTS, 1).await;

    stop.send(()).unwrap();
    while TcpStream::connect(address).await.is_ok() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    closed.rollback().await.unwrap();

    let answer = read_all(connection).await;
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    tokio::time::timeout(Duration::from_mins(1), ended).await.expect("it ends").unwrap();
    assert_eq!((shop.count("orders").await, shop.stock(&rice).await), (1, 4));
    shop.assert_invariants_hold().await;
}
