//! Payments through a real wallet process (`tools/wallet`), which keeps its own ledger, over a real connection.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use axum::body::Body;
use chrono::TimeDelta;
use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::payments::WalletClient;
use thunse::platform::jobs;
use uuid::Uuid;

use crate::orders::{asha, order_request, set_status, shopper, sita, with_field};
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, TestResponse, TestShop, queue, wait_until};

const OWN: &str = "/api/order/get_order";
const ALL: &str = "/api/order/get_orders";
const PAY: &str = "/api/order/pay_order";
const VERIFY: &str = "/api/order/verify_khalti_payment";
const CASES: &str = "/api/order/get_cases";
const REPORT: &str = "/api/order/money_report";

async fn shop_with_category(db: PgPool, wallet: &Wallet) -> (TestShop, Uuid) {
    shop_with_category_and(db, wallet, &[]).await
}

async fn shop_with_category_and(db: PgPool, wallet: &Wallet, more: &[(&str, &str)]) -> (TestShop, Uuid) {
    let settings: Vec<(&str, &str)> = [&GENEROUS_LIMITS[..], &wallet.settings()[..], more].concat();
    TestShop::with_category_and(db, &settings).await
}

fn online(product: &str, quantity: i64, total: f64) -> Value {
    with_field(order_request(product, quantity, total), "paymentMethod", json!("Khalti"))
}

/// Returns the wallet's id of the payment that a response leads to.
fn pidx(answer: &TestResponse) -> String {
    let url = answer.json()["data"]["payment_url"].as_str().unwrap_or_else(|| panic!("{}", answer.text)).to_owned();
    url.split_once("pidx=").unwrap().1.to_owned()
}

async fn verify(browser: &Browser<'_>, pidx: &str) -> TestResponse {
    browser
        .post(VERIFY, &json!({"pidx": pidx, "txnId": "t", "purchase_order_id": "o", "purchase_order_name": "n"}))
        .await
}

async fn only_order(browser: &Browser<'_>) -> Value {
    browser.get(OWN).await.json()["data"][0].clone()
}

async fn open_case_kinds(seller: &Browser<'_>) -> Vec<String> {
    let cases = seller.get(CASES).await.json();
    cases["data"].as_array().unwrap().iter().map(|case| case["kind"].as_str().unwrap().to_owned()).collect()
}

/// Adds a product with `stock` units and places Asha's unpaid order for one of them.
async fn place_unpaid(shop: &TestShop, category: Uuid, stock: i32) -> (Browser<'_>, String, String) {
    let rice = shop.add_product(category, "Rice", 500, stock).await;
    let asha = asha(shop).await;
    let placed = asha.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    (asha, rice, pidx(&placed))
}

/// Does the same, and pays the order.
async fn place_paid<'a>(
    shop: &'a TestShop,
    wallet: &Wallet,
    category: Uuid,
    stock: i32,
) -> (Browser<'a>, String, String) {
    let (asha, rice, pidx) = place_unpaid(shop, category, stock).await;
    wallet.simulate(&pidx, "pay").await;
    assert_eq!(verify(&asha, &pidx).await.status, 200);
    (asha, rice, pidx)
}

/// Runs the maintenance job, which the scheduler starts every minute.
async fn run_maintenance(shop: &TestShop) {
    queue::add_job(&shop.db, "orders.maintain_payments", &json!({})).await;
    shop.run_jobs().await;
}

// spec: 3.payment.1, 4.cart.12, 6.shopper.6, 7.shopper.7, 7.shopper.8
#[sqlx::test]
async fn an_online_order_holds_its_goods_and_is_confirmed_when_it_is_paid(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    asha.post("/api/cart/update_cart", &json!({"cartItems": {&rice: 3}})).await;

    let placed = asha.place_online_order(Some("k"), &online(&rice, 2, 1150.0)).await;
    let pidx = pidx(&placed);

    assert_eq!((&placed.json()["data"]["status"], shop.stock(&rice).await), (&json!("Payment Pending"), 8));
    assert_eq!(asha.get("/api/cart/get_cart").await.json()["data"], json!({&rice: 3}), "not before it is paid");
    let order = only_order(&asha).await;
    assert_eq!((&order["status"], &order["canPay"]), (&json!("Payment Pending"), &json!(true)));
    assert_eq!(sita.get(ALL).await.json()["data"], json!([]), "not the seller's yet");
    assert_eq!(verify(&asha, &pidx).await.refusal(), (503, "payment_pending".to_owned()));
    assert!(queue::payloads(&shop.db, "orders.send_email").await.is_empty(), "there is nothing to tell yet");

    wallet.simulate(&pidx, "pay").await;
    let verified = verify(&asha, &pidx).await;

    assert_eq!(verified.status, 200, "{}", verified.text);
    let data = &verified.json()["data"];
    assert_eq!((data["amount"].to_string(), &data["amountPaisa"]), ("1150".to_owned(), &json!(115_000)));
    assert_eq!((&data["orderId"], &data["paymentMethod"]), (&order["orderId"], &json!("Khalti")));
    assert_eq!(data["trackingNumber"], order["trackingNumber"]);
    let order = only_order(&asha).await;
    assert_eq!((&order["status"], &order["paymentState"]), (&json!("Order Confirmed"), &json!("paid")));
    assert_eq!((&order["canPay"], shop.stock(&rice).await), (&json!(false), 8));
    assert_eq!(asha.get("/api/cart/get_cart").await.json()["data"], json!({&rice: 1}), "what was bought left the cart");
    assert_eq!(sita.get(ALL).await.json()["data"][0]["_id"], order["_id"]);
    // A later reload gets the same response without another call to the wallet.
    let asked = wallet.get("/calls").await;
    assert_eq!(verify(&asha, &pidx).await.text, verified.text);
    assert_eq!(wallet.get("/calls").await, asked);
    let bill = wallet.payment(&pidx).await;
    assert_eq!(bill["purchase_order_id"], format!("{}-1", order["orderId"].as_str().unwrap()));
    assert!(!bill.to_string().contains("9801234567") && !bill.to_string().contains("asha@"), "{bill}");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn fifty_verifies_and_the_worker_settle_once(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, pidx) = place_unpaid(&shop, category, 3).await;
    wallet.simulate(&pidx, "pay").await;

    let (answers, ()) = futures_util::join!(join_all((0..50).map(|_| verify(&asha, &pidx))), shop.run_all_jobs());

    let texts: BTreeSet<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
    assert!(texts.len() == 1 && answers[0].status == 200, "{texts:?}");
    assert_eq!((shop.count("payment_lookups").await, shop.stock(&rice).await), (1, 2));
    assert_eq!(only_order(&asha).await["timeline"].as_array().unwrap().len(), 2);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_worker_finds_out_when_no_browser_comes_back(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_unpaid(&shop, category, 3).await;
    let planned: f64 =
        sqlx::query_scalar("SELECT extract(epoch FROM next_check_at - started_at)::float8 FROM payments")
            .fetch_one(&shop.db)
            .await
            .unwrap();
    assert!((59.0..=64.0).contains(&planned), "the first look after a minute, not after {planned} s");
    wallet.simulate(&pidx, "pay").await;

    shop.run_all_jobs().await;

    assert_eq!(only_order(&asha).await["paymentState"], "paid");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_a_browser_says_about_a_payment_is_nobodys_word(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (cheap, dear) =
        (shop.add_product(category, "Salt", 10, 9).await, shop.add_product(category, "Saffron", 900, 9).await);
    let (asha, bina) = (asha(&shop).await, shopper(&shop, "bina@example.com").await);
    let paid = pidx(&asha.place_online_order(Some("cheap"), &online(&cheap, 1, 31.3)).await);
    let expensive = asha.place_online_order(Some("dear"), &online(&dear, 1, 1037.0)).await;
    let expensive_code = expensive.json()["data"]["orderId"].clone();
    wallet.simulate(&paid, "pay").await;
    // Another shopper presents the payment for an order of her own, which would make her the owner of both.
    let hers = bina.place_online_order(Some("hers"), &online(&cheap, 1, 31.3)).await;
    let stolen = json!({"pidx": paid, "purchase_order_id": hers.json()["data"]["_id"]});
    assert_eq!(bina.post(VERIFY, &stolen).await.refusal(), (404, "payment_not_found".to_owned()));

    // The payment of the cheap order is presented for the expensive one.
    let forged = json!({"pidx": paid, "txnId": "forged", "purchase_order_id": format!("{}-1", expensive_code.as_str().unwrap()),
                        "purchase_order_name": "Saffron", "amount": 103_700, "status": "Completed"});
    let answer = asha.post(VERIFY, &forged).await.json();
    assert_ne!(answer["data"]["orderId"], expensive_code);
    assert_eq!(answer["data"]["amountPaisa"], 3_130);
    assert_eq!(verify(&asha, &pidx(&expensive)).await.refusal(), (503, "payment_pending".to_owned()));
    // The wallet is not called for another shopper's payment or an unknown one.
    let asked = wallet.get("/calls").await["lookup"].clone();
    assert_eq!(verify(&bina, &pidx(&expensive)).await.refusal(), (404, "payment_not_found".to_owned()));
    for unknown in ["", "never-made", &"x".repeat(300), "' OR 1=1", "\u{0}"] {
        let refused = verify(&asha, unknown).await;
        assert!([404, 422].contains(&refused.status.as_u16()), "{unknown}: {}", refused.text);
    }
    assert_eq!(wallet.get("/calls").await["lookup"], asked);
    // A shopper who returns in another browser learns that the order is paid, and nothing more.
    let visitor = verify(&Browser::new(&shop), &paid).await;
    assert_eq!((visitor.status.as_u16(), &visitor.json()["data"]), (200, &json!(null)));
    assert_eq!(asha.post(VERIFY, &json!({})).await.status, 400);
    assert_eq!(
        bina.post(PAY, &json!({"orderId": expensive.json()["data"]["_id"]})).await.refusal().1,
        "order_not_found"
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_cancelled_payment_gives_the_goods_back_and_can_be_tried_again(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, first) = place_unpaid(&shop, category, 1).await;
    let sita = sita(&shop).await;
    wallet.simulate(&first, "cancel").await;

    assert_eq!(verify(&asha, &first).await.refusal(), (409, "payment_not_completed".to_owned()));

    let order = only_order(&asha).await;
    assert_eq!(
        (&order["status"], &order["canPay"], shop.stock(&rice).await),
        (&json!("Payment Failed"), &json!(true), 1)
    );
    // The goods are sold to Bina in the meantime, so the order can no longer be paid.
    let bina = shopper(&shop, "bina@example.com").await;
    let sold = bina.place_order(Some("b"), &order_request(&rice, 1, 585.0)).await.json()["data"]["_id"].clone();
    let gone = asha.post(PAY, &json!({"orderId": order["_id"]})).await;
    assert_eq!(gone.refusal(), (409, "out_of_stock".to_owned()));
    assert_eq!(gone.json()["data"]["products"][0]["name"], "Rice");
    bina.post("/api/order/cancel_order", &json!({"orderId": sold})).await;
    // A second attempt holds the goods again and is paid; then the first link is paid as well.
    let second = pidx(&asha.post(PAY, &json!({"orderId": order["_id"]})).await);
    assert_eq!((shop.stock(&rice).await, first == second), (0, false));
    wallet.simulate(&second, "pay").await;
    assert_eq!(verify(&asha, &second).await.status, 200);
    wallet.simulate(&first, "pay").await;
    assert_eq!(verify(&asha, &first).await.refusal(), (409, "payment_returned".to_owned()));
    assert_eq!(open_case_kinds(&sita).await, ["paid_twice"]);
    shop.assert_invariants_hold().await;

    shop.run_all_jobs().await;

    let (first, second) = (wallet.payment(&first).await, wallet.payment(&second).await);
    assert_eq!((&first["given_back"], &second["given_back"]), (&json!(58_500), &json!(0)));
    assert_eq!(only_order(&asha).await["paymentState"], "paid");
    assert_eq!(asha.post(PAY, &json!({"orderId": order["_id"]})).await.refusal().1, "not_payable");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn another_amount_is_never_enough(db: PgPool) {
    for way in ["less", "more"] {
        let wallet = Wallet::start();
        let db = db.clone();
        let shop = TestShop::with_jobs_and_settings(db, &[&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat()).await;
        let category = shop.add_category(&format!("Category {way}")).await;
        let rice = shop.add_product(category, &format!("Rice {way}"), 500, 5).await;
        let asha = shopper(&shop, &format!("{way}@example.com")).await;
        let pidx = pidx(&asha.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await);
        wallet.simulate(&pidx, "pay").await;
        wallet.misbehave("lookup", way, 1).await;

        assert_eq!(verify(&asha, &pidx).await.refusal(), (409, "payment_conflict".to_owned()));
        // A conflict stays a case for a person, whatever the wallet answers later.
        assert_eq!(verify(&asha, &pidx).await.refusal().1, "payment_conflict");
        let order = only_order(&asha).await;
        assert_eq!((&order["paymentState"], &order["status"]), (&json!("conflict"), &json!("Order Placed")));
        shop.assert_invariants_hold().await;
    }
}

#[sqlx::test]
async fn the_seller_gives_back_what_no_rule_could_place(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, pidx) = place_unpaid(&shop, category, 5).await;
    let sita = sita(&shop).await;
    wallet.simulate(&pidx, "pay").await;
    wallet.misbehave("lookup", "less", 1).await;
    verify(&asha, &pidx).await;

    let cases = sita.get(CASES).await.json();
    let case = &cases["data"][0];
    assert_eq!((&case["kind"], &cases["open"]), (&json!("amount_mismatch"), &json!(1)));
    assert_eq!(case["actions"], json!(["check", "refund", "close"]));
    let payment = &case["payments"][0];
    assert_eq!((payment["amount"].to_string(), payment["received"].to_string()), ("585".into(), "584.99".into()));
    assert_eq!(
        (&payment["state"], &payment["walletStatus"], &payment["pidx"]),
        (&json!("conflict"), &json!("Completed"), &json!(pidx))
    );
    let different = sita.get(REPORT).await.json();
    assert_eq!(different["data"]["differences"][0]["ours"], "conflict");
    assert_eq!(asha.get(CASES).await.status, 401);

    let refunded = sita.post("/api/order/refund_payment", &json!({"paymentId": payment["_id"]})).await;
    assert_eq!(refunded.json()["data"]["status"], "Cancelled", "{}", refunded.text);
    assert_eq!(
        sita.post("/api/order/refund_payment", &json!({"paymentId": payment["_id"]})).await.refusal().1,
        "not_refundable"
    );
    shop.run_all_jobs().await;

    assert_eq!(wallet.payment(&pidx).await["given_back"], 58_500);
    assert_eq!((only_order(&asha).await["paymentState"].clone(), shop.stock(&rice).await), (json!("failed"), 5));
    let closed = sita.post("/api/order/close_case", &json!({"caseId": case["_id"]})).await;
    assert_eq!(closed.json()["message"], "Marked as handled.");
    assert_eq!(sita.post("/api/order/close_case", &json!({"caseId": case["_id"]})).await.refusal().1, "case_not_found");
    assert_eq!(open_case_kinds(&sita).await, Vec::<String>::new());
    assert_eq!(sita.get("/api/order/get_cases?closed=true").await.json()["data"][0]["_id"], case["_id"]);
    let audit_entries: Vec<String> =
        sqlx::query_scalar("SELECT action FROM audit_log ORDER BY id").fetch_all(&shop.db).await.unwrap();
    assert_eq!(audit_entries, ["payment.refund", "order.status", "case.close"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn late_money_finds_its_goods_or_goes_back(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 1).await;
    let (asha, bina) = (asha(&shop).await, shopper(&shop, "bina@example.com").await);
    let in_time = pidx(&asha.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await);
    // A hold lasts for the hour of the link and a quarter of an hour more.
    let end_holds = async || {
        shop.app.clock.advance(TimeDelta::minutes(76));
        run_maintenance(&shop).await;
    };
    end_holds().await;
    assert_eq!((shop.stock(&rice).await, only_order(&asha).await["status"].clone()), (1, json!("Payment Failed")));

    // The first late payment finds its goods in stock.
    wallet.simulate(&in_time, "pay").await;
    assert_eq!(verify(&asha, &in_time).await.status, 200);
    assert_eq!(shop.stock(&rice).await, 0);

    // The second late payment comes after its goods were sold.
    shop.sql("UPDATE products SET stock = stock + 1; INSERT INTO stock_movements (product_id, delta, reason) SELECT id, 1, 'came' FROM products").await;
    let too_late = pidx(&bina.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await);
    end_holds().await;
    assert_eq!(asha.place_order(Some("sold"), &order_request(&rice, 1, 585.0)).await.status, 200);
    wallet.simulate(&too_late, "pay").await;
    let told = verify(&bina, &too_late).await;
    assert_eq!(told.refusal(), (409, "payment_returned".to_owned()));
    let order = only_order(&bina).await;
    assert_eq!((&order["status"], &order["paymentState"]), (&json!("Cancelled"), &json!("refund_due")));
    assert_eq!(open_case_kinds(&sita(&shop).await).await, ["late_payment"]);
    shop.run_all_jobs().await;
    assert_eq!(only_order(&bina).await["paymentState"], "refunded");
    assert_eq!(wallet.payment(&too_late).await["given_back"], 58_500);
    shop.assert_invariants_hold().await;
}

/// If the wallet creates no payment page for any reason, the order fails at once and holds nothing.
#[sqlx::test]
async fn a_wallet_that_makes_no_page_costs_nobody_anything(db: PgPool) {
    let wallet = Wallet::start();
    let ways = ["error", "html", "cut", "half", "nonsense", "key", "elsewhere", "lost"];
    let mut shop = shop_with_category(db.clone(), &wallet).await.0;
    let category = shop.add_category("Oils").await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    for way in ways {
        // Each case gets a new process, because several failures in a row would open the circuit breaker.
        shop = TestShop::with(db.clone(), &[&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat());
        let asha = shopper(&shop, &format!("{way}@example.com")).await;
        wallet.misbehave("initiate", way, 1).await;

        let refused = asha.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await;

        assert_eq!(refused.refusal(), (503, "online_payment_unavailable".to_owned()), "{way}");
        assert_eq!(
            (shop.stock(&rice).await, only_order(&asha).await["status"].clone()),
            (5, json!("Payment Failed")),
            "{way}"
        );
        let open: i64 = sqlx::query_scalar("SELECT count(*) FROM payments WHERE state <> 'abandoned'")
            .fetch_one(&shop.db)
            .await
            .unwrap();
        assert_eq!(open, 0, "{way}");
        if way != "key" {
            // Repeating the request uses the same order, and this time it succeeds.
            let again = asha.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await;
            assert_eq!((again.status.as_u16(), shop.stock(&rice).await), (200, 4), "{way}: {}", again.text);
            let order = only_order(&asha).await;
            assert_eq!(asha.get(OWN).await.json()["data"].as_array().unwrap().len(), 1);
            asha.post("/api/order/cancel_order", &json!({"orderId": order["_id"]})).await;
            shop.sql("UPDATE payments SET state = 'abandoned', next_check_at = NULL WHERE state <> 'abandoned'").await;
        }
    }
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_wallet_that_answers_badly_is_asked_again_later(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_unpaid(&shop, category, 5).await;
    let sita = sita(&shop).await;
    wallet.simulate(&pidx, "pay").await;
    for way in ["error", "half", "pending", "unknown"] {
        wallet.misbehave("lookup", way, 1).await;
        assert_eq!(verify(&asha, &pidx).await.refusal(), (503, "payment_pending".to_owned()), "{way}");
    }
    wallet.misbehave("lookup", "text", 1).await;
    assert_eq!(verify(&asha, &pidx).await.status, 200, "an amount may be written as text");
    assert_eq!(open_case_kinds(&sita).await, Vec::<String>::new(), "what was unclear is clear now");
    assert_eq!(sita.get("/api/order/get_cases?closed=true").await.json()["data"][0]["kind"], "wallet_unclear");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn one_transaction_pays_once(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 5).await, shop.add_product(category, "Oil", 500, 5).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let first = pidx(&asha.place_online_order(Some("a"), &online(&rice, 1, 585.0)).await);
    let second = pidx(&asha.place_online_order(Some("b"), &online(&oil, 1, 585.0)).await);
    wallet.simulate(&first, "pay").await;
    assert_eq!(verify(&asha, &first).await.status, 200);
    wallet.simulate(&second, "pay").await;
    wallet.misbehave("lookup", "twin", 1).await;

    assert_eq!(verify(&asha, &second).await.refusal().1, "payment_conflict");

    assert_eq!(open_case_kinds(&sita).await, ["transaction_reused"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_new_order_takes_the_place_of_an_unpaid_one(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    // The first order holds the only unit, and the same shopper can still order it.
    let (asha, rice, unpaid) = place_unpaid(&shop, category, 1).await;
    let salt = shop.add_product(category, "Salt", 100, 5).await;

    // Ordering online again returns the same order and payment page.
    let again = asha.place_online_order(Some("other-key"), &online(&rice, 1, 585.0)).await;
    assert_eq!((pidx(&again), shop.count("orders").await), (unpaid.clone(), 1));
    let asked = asha.request(Method::GET, "/api/order/get_order_placement").header("idempotency-key", "other-key");
    let asked = shop.send(asked.body(Body::empty()).unwrap()).await.json()["data"]["receipt"].clone();
    assert_eq!(asked, again.json()["data"], "that key, too, is this order");
    // An order of another product leaves the unpaid one alone.
    assert_eq!(asha.place_order(Some("salt"), &order_request(&salt, 1, 133.0)).await.status, 200);
    assert_eq!(asha.get(OWN).await.json()["data"][1]["status"], "Payment Pending");

    let cash = asha.place_order(Some("cash"), &order_request(&rice, 1, 585.0)).await;

    assert_eq!((cash.status.as_u16(), shop.stock(&rice).await), (200, 0), "{}", cash.text);
    let orders = asha.get(OWN).await.json();
    assert_eq!(
        (&orders["data"][0]["status"], &orders["data"][2]["status"]),
        (&json!("Order Placed"), &json!("Cancelled"))
    );
    assert_eq!(
        sita(&shop).await.get(ALL).await.json()["data"].as_array().unwrap().len(),
        2,
        "not the seller's business"
    );
    shop.assert_invariants_hold().await;
    let asked = asha.request(Method::GET, "/api/order/get_order_placement").header("idempotency-key", "k");
    let asked = shop.send(asked.body(Body::empty()).unwrap()).await.json()["data"]["receipt"].clone();
    assert_eq!(
        (asked["orderId"].is_string(), &asked["payment_url"]),
        (true, &json!(null)),
        "nobody is sent to pay for it"
    );
    // The shopper pays on the old page, which was still open in another tab.
    wallet.simulate(&unpaid, "pay").await;
    assert_eq!(verify(&asha, &unpaid).await.refusal(), (409, "payment_returned".to_owned()));
    shop.run_all_jobs().await;
    assert_eq!(wallet.payment(&unpaid).await["given_back"], 58_500);
    assert_eq!(shop.stock(&rice).await, 0, "the cash order keeps its goods");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_that_is_refused_takes_nobodys_place(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, _) = place_unpaid(&shop, category, 1).await;

    assert_eq!(asha.place_order(Some("two"), &order_request(&rice, 2, 9_999.0)).await.refusal().1, "out_of_stock");
    assert_eq!(asha.place_order(Some("dear"), &order_request(&rice, 1, 1.0)).await.refusal().1, "price_changed");

    assert_eq!((only_order(&asha).await["status"].clone(), shop.stock(&rice).await), (json!("Payment Pending"), 0));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_cancelled_order_gives_its_money_back_once(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, pidx) = place_paid(&shop, &wallet, category, 5).await;
    let sita = sita(&shop).await;
    let order = only_order(&asha).await["_id"].clone();

    // The seller cancels by mistake and undoes it before the refund is sent.
    assert_eq!(set_status(&sita, &order, "Cancelled").await.json()["data"]["paymentState"], "refund_due");
    assert_eq!(set_status(&sita, &order, "Order Confirmed").await.json()["data"]["paymentState"], "paid");
    shop.run_all_jobs().await;
    assert_eq!((wallet.payment(&pidx).await["given_back"].clone(), shop.stock(&rice).await), (json!(0), 4));
    shop.assert_invariants_hold().await;

    // The wallet's response to the refund is lost, so the payment is looked up and the refund is not requested again.
    wallet.misbehave("refund", "lost", 1).await;
    set_status(&sita, &order, "Cancelled").await;
    assert_eq!(verify(&asha, &pidx).await.refusal(), (409, "payment_returned".to_owned()));
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;
    let paid = wallet.payment(&pidx).await;
    assert_eq!((&paid["given_back"], &paid["refunds"]), (&json!(58_500), &json!(1)));
    assert_eq!((only_order(&asha).await["paymentState"].clone(), shop.stock(&rice).await), (json!("refunded"), 5));
    // Live clients also get events about money only; the timeline shows changes of the status.
    assert!(shop.count("order_events WHERE internal").await >= 1);
    let lines = only_order(&asha).await["timeline"].as_array().unwrap().len();
    assert_eq!(lines, 5, "placed, confirmed, cancelled, confirmed, cancelled");
    // An order that is reopened after the refund becomes a case.
    assert_eq!(
        set_status(&sita, &order, "Order Confirmed").await.json()["warning"],
        "The payment has been refunded, or the refund is on its way. See Needs attention."
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_refund_that_the_wallet_refuses_is_a_persons_work(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_paid(&shop, &wallet, category, 5).await;
    let sita = sita(&shop).await;
    let order = only_order(&asha).await["_id"].clone();
    wallet.misbehave("refund", "refused", 1).await;
    asha.post("/api/order/cancel_order", &json!({"orderId": order})).await;
    shop.run_all_jobs().await;

    let case = sita.get(CASES).await.json()["data"][0].clone();
    assert_eq!((&case["kind"], &case["payments"][0]["refund"]), (&json!("refund_failed"), &json!("manual")));
    shop.run_all_jobs().await;
    assert_eq!(wallet.payment(&pidx).await["refunds"], 1, "never asked for again by itself");
    sita.post("/api/order/refund_payment", &json!({"paymentId": case["payments"][0]["_id"]})).await;
    shop.run_all_jobs().await;
    assert_eq!(only_order(&asha).await["paymentState"], "refunded");
    shop.assert_invariants_hold().await;
}

/// The worker died after it had marked the refund as sent: it is never sent again automatically, and becomes a case.
#[sqlx::test]
async fn a_refund_that_was_marked_and_perhaps_sent_is_not_sent_again(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_paid(&shop, &wallet, category, 5).await;
    let order = only_order(&asha).await["_id"].clone();
    asha.post("/api/order/cancel_order", &json!({"orderId": order})).await;
    shop.sql("UPDATE refunds SET state = 'sent', sent_at = requested_at").await;

    // The job that sends refunds runs again, and polling gives up later.
    shop.advance_time(TimeDelta::minutes(3)).await;
    assert_eq!(wallet.payment(&pidx).await["given_back"], 0);
    shop.advance_time(TimeDelta::minutes(28)).await;
    let sita = sita(&shop).await;
    assert_eq!(wallet.payment(&pidx).await["given_back"], 0);
    sita.post("/api/order/check_payment", &json!({"orderId": order})).await;

    assert_eq!(open_case_kinds(&sita).await, ["refund_failed"]);
    // The seller refunds the payment in the wallet's own dashboard.
    wallet.simulate(&pidx, "refund").await;
    sita.post("/api/order/check_payment", &json!({"orderId": order})).await;
    assert_eq!(only_order(&asha).await["paymentState"], "refunded");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn money_given_back_behind_our_back_is_noticed(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (_asha, _, pidx) = place_paid(&shop, &wallet, category, 5).await;
    let sita = sita(&shop).await;
    wallet.simulate(&pidx, "refund").await;

    // This job runs every night.
    queue::add_job(&shop.db, "orders.reconcile_payments", &json!({})).await;
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;

    assert_eq!(open_case_kinds(&sita).await, ["refunded_outside"]);
    let report = sita.get(REPORT).await.json();
    let different = &report["data"]["differences"][0];
    assert_eq!((&different["ours"], &different["wallet"]), (&json!("paid"), &json!("Refunded")));
}

#[sqlx::test]
async fn a_copy_that_died_while_asking_for_a_page_leaves_nothing_held(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, pidx) = place_unpaid(&shop, category, 5).await;
    // This is the state after an instance died between its two commits.
    shop.sql(
        "UPDATE payments SET state = 'created', pidx = NULL, next_action = NULL, started_at = NULL, link_ends_at = NULL,
                     next_check_at = NULL;
              UPDATE orders SET hold_ends_at = created_at + interval '2 minutes'",
    )
    .await;
    shop.app.clock.advance(TimeDelta::minutes(3));
    let order = only_order(&asha).await["_id"].clone();

    run_maintenance(&shop).await;

    assert_eq!((shop.stock(&rice).await, only_order(&asha).await["status"].clone()), (5, json!("Payment Failed")));
    assert_eq!(verify(&asha, &pidx).await.refusal().0, 404, "nobody ever saw that page");
    // The shopper tries to pay again.
    assert_eq!(asha.post(PAY, &json!({"orderId": order})).await.status, 200);
    assert_eq!(shop.stock(&rice).await, 4);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn one_key_is_one_online_order_with_one_page(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 1).await;
    let asha = asha(&shop).await;
    wallet.misbehave("initiate", "slow", 1).await;

    let order = online(&rice, 1, 585.0);
    // All of them wait for the first one's link, which they may do for six seconds only.
    let answers = join_all((0..6).map(|_| asha.place_online_order(Some("same"), &order))).await;

    let texts: BTreeSet<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
    assert!(texts.len() == 1 && answers[0].status == 200, "{texts:?}");
    assert_eq!((wallet.ledger().await.len(), shop.count("payments").await), (1, 1));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_page_that_is_about_to_end_is_not_given_out_again(db: PgPool) {
    let wallet = Wallet::with_link_lifetime(120);
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, first) = place_unpaid(&shop, category, 1).await;
    let order = only_order(&asha).await["_id"].clone();
    let second = pidx(&asha.post(PAY, &json!({"orderId": order})).await);
    assert_ne!(first, second);
    // The first link expires while the second can still be paid, so the goods stay held.
    wallet.simulate(&first, "expire").await;
    assert_eq!(verify(&asha, &first).await.refusal().1, "payment_not_completed");
    assert_eq!((shop.stock(&rice).await, only_order(&asha).await["status"].clone()), (0, json!("Payment Pending")));
    wallet.simulate(&second, "pay").await;
    assert_eq!(verify(&asha, &second).await.status, 200);
    // Returning with the first link shows that the order is paid.
    assert_eq!(verify(&asha, &first).await.status, 200);
    shop.assert_invariants_hold().await;
}

/// A shop that probes a wallet in trouble at this interval, and whose circuit breaker five failures have opened; and a
/// product.
async fn shop_with_open_breaker(db: PgPool, wallet: &Wallet, probe_interval: Duration) -> (TestShop, String) {
    jobs::migrate(&db).await.unwrap();
    let settings: Vec<(&str, &str)> = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let shop = TestShop::with_config(db, &settings, |config| {
        config.khalti.as_mut().unwrap().probe_interval = probe_interval;
    });
    let category = shop.add_category("Staples").await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    wallet.misbehave("initiate", "error", 5).await;
    wallet.misbehave("lookup", "error", 1).await;
    let asha = asha(&shop).await;
    for _ in 0..5 {
        assert_eq!(asha.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await.status, 503);
    }
    drop(asha);
    (shop, rice)
}

#[sqlx::test]
async fn a_wallet_in_trouble_is_left_alone(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, rice) = shop_with_open_breaker(db, &wallet, Duration::from_hours(1)).await;
    let bina = shopper(&shop, "bina@example.com").await;
    let asked = wallet.get("/calls").await["initiate"].clone();

    let refused = bina.place_online_order(Some("other"), &online(&rice, 2, 9_999.0)).await;
    assert_eq!(refused.refusal(), (503, "online_payment_unavailable".to_owned()));
    let calls = wallet.get("/calls").await["initiate"].clone();
    assert_eq!((calls, shop.count("orders").await), (asked, 1), "nobody waits for a wallet that is down");
    assert_eq!(bina.place_order(Some("cash"), &order_request(&rice, 1, 585.0)).await.status, 200, "cash goes on");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_wallet_that_is_back_is_used_again_without_a_shopper_s_order_as_the_probe(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, rice) = shop_with_open_breaker(db, &wallet, Duration::from_millis(50)).await;
    let bina = shopper(&shop, "bina@example.com").await;
    let asked = wallet.get("/calls").await["initiate"].clone();

    wait_until("the wallet is back", async || shop.app.component::<WalletClient>().is_available()).await;

    let calls = wallet.get("/calls").await;
    assert_eq!(calls["initiate"], asked);
    assert_eq!(calls["lookup"]["spoiled"], 1, "the first probe failed");
    assert_eq!(bina.place_online_order(Some("back"), &online(&rice, 1, 585.0)).await.status, 200);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_stranger_cannot_hold_all_stock_with_orders_that_he_never_pays(db: PgPool) {
    let wallet = Wallet::start();
    let settings: Vec<(&str, &str)> = [&wallet.settings()[..], &[("ORDERS_PER_MINUTE", "100")]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let asha = asha(&shop).await;
    let mut goods = Vec::new();
    for name in ["Rice", "Oil", "Salt"] {
        goods.push(shop.add_product(category, name, 100, 99).await);
    }

    assert_eq!(
        asha.place_online_order(Some("much"), &online(&goods[0], 21, 9_999.0)).await.refusal(),
        (409, "hold_limit".to_owned())
    );
    assert_eq!(asha.place_online_order(Some("0"), &online(&goods[0], 20, 9_999.0)).await.status, 200);
    assert_eq!(asha.place_online_order(Some("1"), &online(&goods[1], 1, 9_999.0)).await.status, 200);
    let third = asha.place_online_order(Some("2"), &online(&goods[2], 1, 9_999.0)).await;

    assert_eq!(third.refusal(), (409, "too_many_unpaid".to_owned()));
    assert_eq!(asha.place_order(Some("cash"), &order_request(&goods[2], 1, 9_999.0)).await.status, 200);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_money_report_adds_up(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    shop.start_at_noon();
    let mut goods = Vec::new();
    for name in ["Rice", "Oil", "Salt", "Dal", "Tea"] {
        goods.push(shop.add_product(category, name, 500, 50).await);
    }
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    // One order is paid, one is paid and refunded, one is unpaid, and two are cash orders, one of them collected.
    let mut pidxs = Vec::new();
    for (place, product) in goods[..3].iter().enumerate() {
        pidxs.push(pidx(&asha.place_online_order(Some(&format!("o{place}")), &online(product, 1, 585.0)).await));
    }
    for paid in &pidxs[..2] {
        wallet.simulate(paid, "pay").await;
        verify(&asha, paid).await;
    }
    let ids: Vec<Value> =
        asha.get(OWN).await.json()["data"].as_array().unwrap().iter().map(|order| order["_id"].clone()).collect();
    set_status(&sita, &ids[1], "Cancelled").await;
    shop.run_all_jobs().await;
    for (place, product) in goods[3..].iter().enumerate() {
        asha.place_order(Some(&format!("c{place}")), &order_request(product, 1, 585.0)).await;
    }
    let cash = only_order(&asha).await["_id"].clone();
    set_status(&sita, &cash, "Delivered").await;

    let report = sita.get(REPORT).await.json()["data"].clone();

    assert_eq!(report["days"].as_array().unwrap().len(), 7);
    let total = &report["total"];
    let figures =
        ["paid", "refunded", "awaiting", "cashToCollect", "cashCollected"].map(|name| total[name].to_string());
    assert_eq!(figures, ["1170", "585", "585", "585", "585"]);
    assert_eq!(report["days"][6]["paid"].to_string(), "1170", "today is the last day");
    assert_eq!(report["differences"], json!([]));
    let day = report["to"].as_str().unwrap();
    let csv = sita.get(&format!("{REPORT}.csv?from={day}&to={day}")).await;
    assert_eq!(csv.header("content-type"), "text/csv; charset=utf-8");
    assert!(
        csv.text.contains(&format!(
            "\"{day}\",\"1170.00\",\"585.00\",\"585.00\",\"585.00\",\"585.00\"\r\n\"total\",\"1170.00\""
        )),
        "{}",
        csv.text
    );
    for odd in [
        "from=2026-02-01&to=2026-01-01",
        "from=2020-01-01&to=2026-01-01",
        "from=2200-12-15&to=2201-01-15",
        "to=0001-01-01",
        "to=-262143-01-01",
        "to=%2B262142-12-31",
    ] {
        assert_eq!(sita.get(&format!("{REPORT}?{odd}")).await.refusal(), (422, "days_invalid".to_owned()), "{odd}");
    }
    assert_eq!(asha.get(REPORT).await.status, 401);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_that_nobody_pays_ends_by_itself(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, pidx) = place_unpaid(&shop, category, 5).await;
    wallet.simulate(&pidx, "expire").await;
    shop.run_all_jobs().await;
    assert_eq!((only_order(&asha).await["status"].clone(), shop.stock(&rice).await), (json!("Payment Failed"), 5));
    // A day later the order is cancelled and its payment is no longer polled.
    shop.advance_time(TimeDelta::hours(26)).await;

    assert_eq!(only_order(&asha).await["status"], "Cancelled");
    let watched: i64 = sqlx::query_scalar("SELECT count(*) FROM payments WHERE next_check_at IS NOT NULL")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    assert_eq!(watched, 0);
    shop.assert_invariants_hold().await;
}

/// The job that polls the payment was lost, and maintenance creates it again.
#[sqlx::test]
async fn a_look_that_was_forgotten_is_made_up_for(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_unpaid(&shop, category, 5).await;
    wallet.simulate(&pidx, "pay").await;
    queue::delete_jobs(&shop.db, "").await;
    shop.app.clock.advance(TimeDelta::minutes(5));

    run_maintenance(&shop).await;
    shop.run_jobs().await;

    assert_eq!(only_order(&asha).await["paymentState"], "paid");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn every_invariant_of_payments_sees_what_breaks_it(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, paid) = place_unpaid(&shop, category, 5).await;
    let oil = shop.add_product(category, "Oil", 300, 5).await;
    asha.place_online_order(Some("l"), &online(&oil, 1, 359.0)).await;
    wallet.simulate(&paid, "pay").await;
    verify(&asha, &paid).await;
    shop.assert_invariants_hold().await;
    let views: String =
        sqlx::query_scalar("SELECT pg_get_viewdef('payment_violations')").fetch_one(&shop.db).await.unwrap();
    let free = "ALTER TABLE payments DROP CONSTRAINT payments_paid;
                ALTER TABLE orders DROP CONSTRAINT orders_money_fits_method, DROP CONSTRAINT orders_hold_has_an_end;";
    let refund = "INSERT INTO refunds (id, payment_id, amount_paisa, state, requested_at)
                  SELECT gen_random_uuid(), id, 58501, 'requested', now() - interval '2 days' FROM payments WHERE state = 'paid'";
    let breakages = [
        (
            "a paid payment was said to be completed, with this amount and transaction",
            "UPDATE payment_lookups SET amount_paisa = 1",
        ),
        ("a paid order has exactly one payment of what it cost", "UPDATE orders SET payment = 'paid'"),
        ("no payment is lost", "UPDATE orders SET payment = 'failed'"),
        (
            "what the wallet calls completed is settled",
            "UPDATE payments SET state = 'failed'; UPDATE payment_lookups SET at = now() - interval '11 minutes'",
        ),
        ("money to be given back has a refund", "UPDATE orders SET payment = 'refund_due' WHERE payment = 'paid'"),
        ("what was paid twice is given back", "UPDATE payments SET state = 'paid_extra' WHERE state = 'paid'"),
        ("no more is given back than came", refund),
        ("cash is not paid by the wallet", "UPDATE orders SET method = 'COD'"),
        ("an open payment is polled", "UPDATE payments SET next_check_at = NULL"),
        (
            "a payment that nobody can pay does not stay open",
            "UPDATE payments SET state = 'created', created_at = now() - interval '11 minutes'",
        ),
        ("another amount has a case", "UPDATE payments SET state = 'conflict'"),
        ("what is sent unpaid has a case", "UPDATE orders SET dispatched = true, payment = 'failed'"),
        (
            "all idempotency keys of one order have the same request",
            "UPDATE idempotency_keys SET request_hash = key::bytea, order_id = (SELECT max(id::text)::uuid FROM orders)",
        ),
        ("a refund is sent in time", refund),
    ];
    assert_eq!(views.matches("UNION ALL").count() + 1, breakages.len(), "a new invariant wants its line here");
    for (invariant, statement) in breakages {
        shop.assert_violation_detected(invariant, &format!("{free} {statement}")).await;
    }
    shop.assert_invariants_hold().await;
}

/// The seller refunded the payment in the wallet's own dashboard and then cancelled the order, so it is not refunded
/// again.
#[sqlx::test]
async fn what_was_given_back_elsewhere_is_not_given_back_again(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_paid(&shop, &wallet, category, 5).await;
    let sita = sita(&shop).await;
    let order = only_order(&asha).await["_id"].clone();
    wallet.simulate(&pidx, "refund").await;
    set_status(&sita, &order, "Cancelled").await;

    shop.run_all_jobs().await;
    shop.run_all_jobs().await;

    assert_eq!(only_order(&asha).await["paymentState"], "refunded");
    assert_eq!(wallet.get("/calls").await["refund"]["calls"].as_u64().unwrap_or(0), 0, "the wallet was not even asked");
    shop.assert_invariants_hold().await;
}

/// A refund is not requested until the wallet has answered the lookup of its payment.
#[sqlx::test]
async fn a_refund_waits_for_a_wallet_that_answers(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_paid(&shop, &wallet, category, 5).await;
    let order = only_order(&asha).await["_id"].clone();
    wallet.misbehave("lookup", "error", 1).await;
    asha.post("/api/order/cancel_order", &json!({"orderId": order})).await;

    shop.run_all_jobs().await;
    assert_eq!(wallet.payment(&pidx).await["given_back"], 0);
    shop.run_all_jobs().await;

    assert_eq!(
        (wallet.payment(&pidx).await["given_back"].clone(), only_order(&asha).await["paymentState"].clone()),
        (json!(58_500), json!("refunded"))
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn only_the_wallets_own_no_is_a_no(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, _, pidx) = place_unpaid(&shop, category, 5).await;
    let sita = sita(&shop).await;
    wallet.simulate(&pidx, "cancel").await;
    assert_eq!(verify(&asha, &pidx).await.refusal().1, "payment_not_completed");
    // The shopper goes back and pays after all; the wallet does not report it at once.
    for way in ["error", "pending"] {
        wallet.misbehave("lookup", way, 1).await;
        wallet.simulate(&pidx, "pay").await;
        assert_eq!(verify(&asha, &pidx).await.refusal(), (503, "payment_pending".to_owned()), "{way}");
    }
    // For a moment the wallet does not even know its own payment.
    wallet.misbehave("lookup", "missing", 2).await;
    for _ in 0..2 {
        assert_eq!(verify(&asha, &pidx).await.refusal().0, 503);
    }
    let case = sita.get(CASES).await.json()["data"][0].clone();
    assert_eq!(case["kind"], "wallet_unknown_payment");
    sita.post("/api/order/close_case", &json!({"caseId": case["_id"]})).await;
    wallet.misbehave("lookup", "missing", 1).await;
    verify(&asha, &pidx).await;
    assert_eq!(open_case_kinds(&sita).await, Vec::<String>::new(), "what was seen to does not come back");
    assert_eq!(verify(&asha, &pidx).await.status, 200);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_is_sent_unpaid_leaves_the_stock_and_keeps_its_money_when_it_comes(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (asha, rice, pidx) = place_unpaid(&shop, category, 1).await;
    let sita = sita(&shop).await;
    wallet.simulate(&pidx, "cancel").await;
    verify(&asha, &pidx).await;
    assert_eq!(shop.stock(&rice).await, 1);
    let order = only_order(&asha).await["_id"].clone();

    set_status(&sita, &order, "Order Shipped").await;

    assert_eq!((shop.stock(&rice).await, open_case_kinds(&sita).await), (0, vec!["shipped_unpaid".to_owned()]));
    wallet.simulate(&pidx, "pay").await;
    assert_eq!(verify(&asha, &pidx).await.status, 200);
    let order = only_order(&asha).await;
    assert_eq!((&order["status"], &order["paymentState"]), (&json!("Order Shipped"), &json!("paid")));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn paying_again_counts_like_a_new_order(db: PgPool) {
    let wallet = Wallet::start();
    let more = [("ORDERS_PER_MINUTE", "100"), ("PAYMENT_LINKS_PER_MINUTE", "7")];
    let settings: Vec<(&str, &str)> = [&wallet.settings()[..], &more[..]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let asha = asha(&shop).await;
    let mut orders = Vec::new();
    for name in ["Rice", "Oil", "Salt"] {
        let product = shop.add_product(category, name, 100, 9).await;
        let placed = asha.place_online_order(Some(name), &online(&product, 1, 133.0)).await;
        wallet.simulate(&pidx(&placed), "cancel").await;
        verify(&asha, &pidx(&placed)).await;
        orders.push(placed.json()["data"]["_id"].clone());
    }

    let mut answers = Vec::new();
    for order in &orders {
        answers.push(asha.post(PAY, &json!({"orderId": order})).await);
    }

    assert_eq!((answers[0].status.as_u16(), answers[1].status.as_u16()), (200, 200));
    assert_eq!(answers[2].refusal(), (409, "too_many_unpaid".to_owned()));
    // The number of payment links is limited as well.
    assert_eq!(asha.post(PAY, &json!({"orderId": orders[0]})).await.status, 200, "the seventh");
    assert_eq!(asha.post(PAY, &json!({"orderId": orders[0]})).await.status, 429);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_for_which_no_page_was_made_ends_by_itself(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    wallet.misbehave("initiate", "error", 1).await;
    assert_eq!(asha.place_online_order(Some("k"), &online(&rice, 1, 585.0)).await.status, 503);
    run_maintenance(&shop).await;
    assert_eq!(only_order(&asha).await["canPay"], true);

    shop.app.clock.advance(TimeDelta::hours(26));
    run_maintenance(&shop).await;

    assert_eq!(only_order(&asha).await["status"], "Cancelled");
    shop.assert_invariants_hold().await;
}

/// Orders that replace an unpaid one, and other orders of the same products at the same time, must not deadlock.
#[sqlx::test]
async fn taking_the_place_of_an_order_never_stands_in_a_circle(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_category(db, &wallet).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 100, 500).await, shop.add_product(category, "Oil", 100, 500).await);
    let both = |method: &str| {
        let items = json!([{"id": rice, "quantity": 1}, {"id": oil, "quantity": 1}]);
        with_field(with_field(order_request(&rice, 1, 9_999.0), "items", items), "paymentMethod", json!(method))
    };
    let mut people = Vec::new();
    for number in 0..6 {
        people.push(shopper(&shop, &format!("p{number}@example.com")).await);
    }
    let began = Instant::now();
    for round in 0..5 {
        let work = people.iter().enumerate().map(async |(number, person)| {
            if number % 2 == 0 {
                let unpaid = person.place_online_order(Some(&format!("u{round}")), &online(&oil, 1, 9_999.0)).await;
                assert_eq!(unpaid.status, 200, "{}", unpaid.text);
            }
            let placed = person.place_order(Some(&format!("c{round}")), &both("COD")).await;
            assert_eq!(placed.status, 200, "{}", placed.text);
        });
        join_all(work).await;
    }
    let deadlocks: i64 =
        sqlx::query_scalar("SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()")
            .fetch_one(&shop.db)
            .await
            .unwrap();
    assert_eq!(deadlocks, 0, "after {:?}", began.elapsed());
    assert_eq!((shop.stock(&rice).await, shop.stock(&oil).await), (470, 470));
    shop.assert_invariants_hold().await;
}
