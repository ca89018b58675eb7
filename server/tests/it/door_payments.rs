//! Paying a cash order with the wallet at the door.

use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

use crate::orders::set_status;
use crate::riders::Round;
use crate::support::wallet::Wallet;
use crate::support::{GENEROUS_LIMITS, TestResponse, TestShop, queue, refusal};

const PAY: &str = "/api/rider/pay_at_door";
const CHECK: &str = "/api/rider/check_door_payment";

async fn shop_with_wallet(db: PgPool, wallet: &Wallet) -> (TestShop, Uuid) {
    let settings: Vec<(&str, &str)> = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    TestShop::with_category_and(db, &settings).await
}

async fn call(round: &Round<'_>, path: &str) -> TestResponse {
    round.hari.post(path, &json!({"orderId": round.orders[0]})).await
}

/// Returns the wallet's id of the payment that the rider shows.
async fn offer(round: &Round<'_>) -> String {
    let offered = call(round, PAY).await;
    let url = offered.json()["data"]["paymentUrl"].as_str().unwrap_or_else(|| panic!("{}", offered.text)).to_owned();
    url.split_once("pidx=").unwrap().1.to_owned()
}

async fn cash_to_collect(round: &Round<'_>) -> Value {
    let checked = call(round, CHECK).await;
    assert_eq!(checked.status, 200, "{}", checked.text);
    checked.json()["data"]["cashToCollect"].clone()
}

async fn deliver(round: &Round<'_>, collected: Option<f64>) -> String {
    let code = round.code(0).await.json()["data"]["code"].clone();
    let mut event = json!({"kind": "delivered", "code": code});
    if let Some(collected) = collected {
        event["collected"] = json!(collected);
    }
    round.send(event).await
}

async fn seen_order(round: &Round<'_>) -> Value {
    round.sita.get("/api/order/get_orders").await.json()["data"][0].clone()
}

#[sqlx::test]
async fn a_cash_order_that_is_paid_at_the_door_is_collected_by_nobody(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let round = Round::new(&shop, category, 1).await;
    assert_eq!(call(&round, PAY).await.refusal(), refusal(409, "not_payable"), "not on its way yet");
    round.out().await;
    shop.run_jobs().await;
    let alerts = queue::payloads(&shop.db, "orders.alert_staff").await.len();
    // What the shopper has put into the cart since the order stays there.
    round.asha.post("/api/cart/update_cart", &json!({"cartItems": {&round.rice: 3}})).await;

    let pidx = offer(&round).await;

    assert_eq!(offer(&round).await, pidx, "the same page");
    assert_eq!(wallet.payment(&pidx).await["amount"], 58_500);
    assert_eq!(cash_to_collect(&round).await, 585);
    assert_eq!(seen_order(&round).await["paymentMethod"], "COD", "until the wallet has paid");
    shop.assert_invariants_hold().await;
    wallet.simulate(&pidx, "pay").await;
    assert_eq!(cash_to_collect(&round).await, 0);
    let paid = call(&round, PAY).await.json()["data"].clone();
    assert_eq!((&paid["cashToCollect"], &paid["paymentUrl"]), (&json!(0), &Value::Null));
    let stop = round.hari.get("/api/order/get_my_deliveries").await.json()["data"][0].clone();
    assert_eq!((&stop["cashToCollect"], &stop["status"]), (&json!(0), &json!("Out for Delivery")));
    assert_eq!(round.asha.get("/api/cart/get_cart").await.json()["data"], json!({&round.rice: 3}));
    assert_eq!(queue::payloads(&shop.db, "orders.alert_staff").await.len(), alerts, "it is not a new order");
    shop.assert_invariants_hold().await;

    assert_eq!(deliver(&round, None).await, "");
    shop.run_jobs().await;

    let order = seen_order(&round).await;
    assert_eq!((&order["paymentMethod"], &order["paymentState"]), (&json!("Khalti"), &json!("paid")));
    assert_eq!((&order["status"], &order["attention"]), (&json!("Delivered"), &json!([])));
    assert_eq!(shop.count("cash_transactions").await, 0, "no cash was collected");
    assert_eq!(shop.count("bills WHERE payment_method = 'Khalti' AND total_paisa = 58500").await, 1);
    let total = round.sita.get("/api/order/money_report").await.json()["data"]["total"].clone();
    let figures = ["paid", "cashToCollect", "cashCollected"].map(|name| total[name].to_string());
    assert_eq!(figures, ["585", "0", "0"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_was_packed_is_paid_at_the_door(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let round = Round::new(&shop, category, 1).await;
    let oil = shop.add_product(category, "Oil", 300, 10).await;
    let replaced = json!({"product": &round.rice, "packed": 0, "reason": "not_available",
        "replacement": {"product": oil, "quantity": 1}});
    let packed =
        round.sita.post("/api/packing/finish", &json!({"orderId": round.orders[0], "lines": [replaced]})).await;
    assert_eq!(packed.status, 200, "{}", packed.text);
    round.out().await;

    let pidx = offer(&round).await;

    assert_eq!(wallet.payment(&pidx).await["amount"], 35_900);
    wallet.simulate(&pidx, "pay").await;
    assert_eq!(cash_to_collect(&round).await, 0);
    shop.assert_invariants_hold().await;
    assert_eq!(deliver(&round, None).await, "");
    shop.run_jobs().await;
    assert_eq!(shop.count("bills WHERE payment_method = 'Khalti' AND total_paisa = 35900").await, 1);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_wallet_is_asked_before_cash_is_recorded(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let pidx = offer(&round).await;
    wallet.simulate(&pidx, "pay").await;

    // The phone has not heard of the payment, and the rider says that there was cash.
    assert_eq!(deliver(&round, Some(585.0)).await, "");

    let order = seen_order(&round).await;
    assert_eq!((&order["paymentState"], &order["attention"]), (&json!("paid"), &json!(["cash_and_wallet"])));
    assert_eq!(shop.count("cash_transactions").await, 0);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_the_wallet_pays_after_the_cash_is_given_back(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let pidx = offer(&round).await;
    assert_eq!(deliver(&round, None).await, "");
    assert_eq!(shop.count("cash_transactions WHERE kind = 'collected'").await, 1);

    wallet.simulate(&pidx, "pay").await;
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;

    assert_eq!(wallet.payment(&pidx).await["given_back"], 58_500);
    let order = seen_order(&round).await;
    assert_eq!((&order["paymentMethod"], &order["paymentState"]), (&json!("COD"), &json!("cod_collected")));
    assert_eq!(order["attention"], json!(["paid_twice"]));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_that_was_paid_at_the_door_and_is_cancelled_is_refunded(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let pidx = offer(&round).await;
    wallet.simulate(&pidx, "pay").await;
    assert_eq!(cash_to_collect(&round).await, 0);
    assert_eq!(deliver(&round, None).await, "");

    assert_eq!(set_status(&round.sita, &round.orders[0], "Cancelled").await.status, 200);
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;

    assert_eq!(wallet.payment(&pidx).await["given_back"], 58_500);
    assert_eq!(seen_order(&round).await["paymentState"], "refunded");
    assert_eq!(shop.count("cash_transactions").await, 0);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_link_that_is_paid_after_the_order_was_cancelled_is_refunded(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let pidx = offer(&round).await;
    set_status(&round.sita, &round.orders[0], "Cancelled").await;
    assert_eq!(call(&round, PAY).await.refusal(), refusal(409, "not_payable"));

    wallet.simulate(&pidx, "pay").await;
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;

    assert_eq!(wallet.payment(&pidx).await["given_back"], 58_500);
    let order = seen_order(&round).await;
    assert_eq!((&order["status"], &order["paymentState"]), (&json!("Cancelled"), &json!("refunded")));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn goods_that_came_back_before_are_not_paid_at_the_door(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let first = offer(&round).await;
    let back = json!({"kind": "returned", "items": [{"product": round.rice, "quantity": 1}]});
    assert_eq!(round.send(back).await, "");

    let second = offer(&round).await;

    assert_ne!(first, second, "the amount has changed");
    assert_eq!(wallet.payment(&second).await["amount"], 30_250);
    wallet.simulate(&second, "pay").await;
    assert_eq!(cash_to_collect(&round).await, 0);
    assert_eq!(deliver(&round, None).await, "");
    shop.assert_invariants_hold().await;
    // The first page can still be paid at the wallet; that money is one payment too many.
    wallet.simulate(&first, "pay").await;
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;
    assert_eq!(wallet.payment(&first).await["given_back"], 58_500);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn only_the_orders_rider_offers_the_wallet_and_only_if_there_is_one(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    assert_eq!(call(&round, PAY).await.refusal(), refusal(503, "online_payment_unavailable"), "no wallet");
    assert_eq!(shop.count("payments").await, 0);
    let removed = round.sita.put("/api/order/assign_rider", &json!({"orderIds": round.orders})).await;
    assert_eq!(removed.status, 200, "{}", removed.text);
    for path in [PAY, CHECK] {
        assert_eq!(call(&round, path).await.refusal(), refusal(404, "order_not_found"));
    }
}

/// The serving role may not change the method of an order by itself.
#[sqlx::test]
async fn the_database_changes_the_method_only_of_a_cash_order_that_the_wallet_has_paid(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let round = Round::new(&shop, category, 1).await;
    let id: Uuid = round.orders[0].as_str().unwrap().parse().unwrap();
    let change = sqlx::query("SELECT pay_cash_order_online($1, 'paid')").bind(id).execute(&shop.db).await;
    let refused = change.unwrap_err();
    assert_eq!(refused.as_database_error().and_then(sqlx::error::DatabaseError::code).as_deref(), Some("TS004"));
    shop.assert_invariants_hold().await;
}
