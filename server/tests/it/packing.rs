//! Packing an order: what is in the bag, what it costs, where the goods are, and the money that goes back.

use std::collections::BTreeSet;

use chrono::TimeDelta;
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::permissions::Role;
use uuid::Uuid;

use crate::fees::update_settings;
use crate::oracle::{Rng, number};
use crate::orders::{order_request, set_status, shopper, sita, with_field};
use crate::riders::Round;
use crate::support::mailbox::Mailbox;
use crate::support::seller_accounts::staff_browser;
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, TestResponse, TestShop, queue, refusal, report_figure};

const FINISH: &str = "/api/packing/finish";
const ASK: &str = "/api/packing/ask_question";
const ANSWER: &str = "/api/packing/answer_question";

fn line(product: &str, packed: i32) -> Value {
    json!({"product": product, "packed": packed, "reason": "not_available"})
}

fn not_wanted(product: &str, packed: i32) -> Value {
    json!({"product": product, "packed": packed, "reason": "not_wanted"})
}

fn replaced(product: &str, by: &str, quantity: i32) -> Value {
    json!({"product": product, "packed": 0, "reason": "not_available", "replacement": {"product": by, "quantity": quantity}})
}

fn report(order: &Value, lines: &[Value]) -> Value {
    json!({"orderId": order, "lines": lines})
}

fn weighed(product: &str, packed: i32, grams: i32) -> Value {
    json!({"product": product, "packed": packed, "grams": grams})
}

/// Potatoes at 65 rupees a kilogram, sold in steps of 500 g.
async fn add_potatoes(shop: &TestShop, category: Uuid) -> String {
    let potatoes = shop.add_product(category, "Potatoes", 0, 20).await;
    shop.sql(&format!(
        "UPDATE products SET price_paisa = 3250, tax_class = 'exempt', pack_milli = 500000, pack_measure = 'g',
                             pack_label = '500 g', sold_by_weight = true WHERE id = '{potatoes}'"
    ))
    .await;
    potatoes
}

async fn finish(packer: &Browser<'_>, order: &Value, lines: &[Value]) -> TestResponse {
    packer.post(FINISH, &report(order, lines)).await
}

async fn newest_order(shopper: &Browser<'_>) -> Value {
    shopper.get("/api/order/get_order").await.json()["data"][0].clone()
}

async fn packing(shopper: &Browser<'_>, order: &Value) -> Value {
    let path = format!("/api/packing/get_packing/{}", order.as_str().unwrap());
    shopper.get(&path).await.json()["data"].clone()
}

/// Places a cash order and returns its id.
async fn place(shopper: &Browser<'_>, items: &[(&str, i64)], total: f64) -> Value {
    let items: Vec<Value> = items.iter().map(|(id, quantity)| json!({"id": id, "quantity": quantity})).collect();
    let order = with_field(order_request("", 1, total), "items", json!(items));
    // The same order again is meant as another one.
    let placed = shopper.place_order(Some(&Uuid::now_v7().to_string()), &order).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    placed.json()["data"]["_id"].clone()
}

/// Places an online order, pays it and returns its id and the wallet's id of the payment.
async fn buy(shopper: &Browser<'_>, wallet: &Wallet, product: &str, quantity: i64, total: f64) -> (Value, String) {
    let order = with_field(order_request(product, quantity, total), "paymentMethod", json!("Khalti"));
    let placed = shopper.place_online_order(Some(&Uuid::now_v7().to_string()), &order).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    let data = placed.json()["data"].clone();
    let pidx = data["payment_url"].as_str().unwrap().split_once("pidx=").unwrap().1.to_owned();
    wallet.simulate(&pidx, "pay").await;
    let back = json!({"pidx": pidx, "txnId": "t", "purchase_order_id": "o", "purchase_order_name": "n"});
    assert_eq!(shopper.post("/api/order/verify_khalti_payment", &back).await.status, 200);
    let order = newest_order(shopper).await;
    (order["_id"].clone(), pidx)
}

/// A shopper whose email address is confirmed, so that no order waits for that.
async fn asha(shop: &TestShop) -> Browser<'_> {
    let asha = shopper(shop, "asha@example.com").await;
    shop.sql("UPDATE users SET email_confirmed_at = now()").await;
    asha
}

async fn shop_with_wallet(db: PgPool, wallet: &Wallet) -> (TestShop, Uuid) {
    let settings = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    TestShop::with_category_and(db, &settings).await
}

async fn refunds(shop: &TestShop) -> Vec<(String, bool, i64)> {
    sqlx::query_as("SELECT state, is_partial, amount_paisa FROM refunds ORDER BY requested_at, id")
        .fetch_all(&shop.db)
        .await
        .unwrap()
}

#[sqlx::test]
async fn the_rider_collects_what_was_packed_and_the_lines_stay_as_ordered(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Oil", 200, 10).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 2), (&oil, 1)], 1356.0).await;
    queue::delete_jobs(&shop.db, "").await;

    let packed = finish(&sita, &order, &[line(&rice, 1), line(&oil, 0)]).await;

    assert_eq!(packed.status, 200, "{}", packed.text);
    let data = packed.json()["data"].clone();
    assert_eq!((&data["total"], &data["orderedTotal"], &data["refund"]), (&json!(565), &json!(1356), &json!(0)));
    let known = newest_order(&asha).await;
    assert_eq!(
        (&known["total"], &known["amountDue"], &known["cashToCollect"]),
        (&json!(1356), &json!(565), &json!(565))
    );
    assert_eq!((&known["items"][0]["quantity"], known["items"].as_array().unwrap().len()), (&json!(2), 2));
    assert_eq!(packing(&asha, &order).await["packing"], data, "the shopper sees the same");
    let kinds: Vec<(String, i32, i32)> =
        sqlx::query_as("SELECT kind, quantity_before, quantity_after FROM order_adjustments ORDER BY quantity_before")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    assert_eq!(kinds, [("none".to_owned(), 1, 0), ("fewer".to_owned(), 2, 1)]);
    assert_eq!(queue::payloads(&shop.db, "packing.send_message").await.len(), 1, "one message");
    let sheet: i64 = sqlx::query_scalar("SELECT count(*) FROM audit_log WHERE action = 'order.pack'")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    assert_eq!(sheet, 1);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_that_is_packed_as_ordered_costs_the_same_and_needs_no_message(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 2)], 1150.0).await;
    queue::delete_jobs(&shop.db, "").await;
    let listed = sita.get("/api/packing/get_orders").await.json();
    assert_eq!(listed["data"][0]["_id"], order);

    let packed = finish(&sita, &order, &[json!({"product": rice, "packed": 2})]).await;

    assert_eq!(packed.json()["data"]["total"], json!(1150), "{}", packed.text);
    assert_eq!(shop.count("order_adjustments").await, 0);
    assert!(queue::payloads(&shop.db, "packing.send_message").await.is_empty());
    assert_eq!(sita.get("/api/packing/get_orders").await.json()["data"], json!([]), "it is packed");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_waived_delivery_fee_stays_waived_when_the_subtotal_falls(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 3)], 1695.0).await;

    let packed = finish(&sita, &order, &[line(&rice, 1)]).await.json();

    assert_eq!((&packed["data"]["shippingFee"], &packed["data"]["total"]), (&json!(0), &json!(565)));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn goods_that_nobody_found_do_not_go_back_on_sale(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Oil", 200, 10).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 4), (&oil, 4)], 9_999.0).await;

    finish(&sita, &order, &[line(&rice, 1), not_wanted(&oil, 1)]).await;

    assert_eq!((shop.stock(&rice).await, shop.stock(&oil).await), (6, 9), "three of each were not packed");
    shop.assert_invariants_hold().await;
    // Cancelling returns what was packed, and reopening takes no more than that.
    assert_eq!(set_status(&sita, &order, "Cancelled").await.status, 200);
    assert_eq!((shop.stock(&rice).await, shop.stock(&oil).await), (7, 10));
    shop.assert_invariants_hold().await;
    assert_eq!(set_status(&sita, &order, "Order Confirmed").await.status, 200);
    assert_eq!((shop.stock(&rice).await, shop.stock(&oil).await), (6, 9));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_replacement_costs_no_more_than_what_it_replaces_unless_the_shopper_agrees(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let (rice, basmati) =
        (shop.add_product(category, "Rice", 500, 20).await, shop.add_product(category, "Basmati", 600, 5).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let swap = [replaced(&rice, &basmati, 1)];

    // Nobody was asked: the shop bears the difference.
    let order = place(&asha, &[(&rice, 1)], 585.0).await;
    let packed = finish(&sita, &order, &swap).await.json()["data"].clone();
    assert_eq!((&packed["total"], &packed["agreedBy"]), (&json!(585), &json!("order")));
    assert_eq!(packed["adjustments"][0]["replacement"]["price"], json!(500));
    assert_eq!(shop.stock(&basmati).await, 4);

    // The shopper agreed on the phone.
    let order = place(&asha, &[(&rice, 1)], 585.0).await;
    let nameless = with_field(report(&order, &swap), "agreedOnPhoneWith", json!("  "));
    assert_eq!(sita.post(FINISH, &nameless).await.refusal(), (422, "name_missing".to_owned()));
    let called = with_field(report(&order, &swap), "agreedOnPhoneWith", json!("Asha"));
    let packed = sita.post(FINISH, &called).await.json()["data"].clone();
    assert_eq!((&packed["total"], &packed["agreedBy"]), (&json!(698), &json!("call")));

    // The shopper answers on the order page.
    let order = place(&asha, &[(&rice, 1)], 585.0).await;
    let cheaper = sita.post(ASK, &report(&order, &[line(&rice, 0), line(&basmati, 0)])).await;
    assert_eq!(cheaper.refusal(), (422, "lines_invalid".to_owned()));
    let asked = sita.post(ASK, &report(&order, &swap)).await;
    assert_eq!(asked.json()["data"]["total"], json!(698), "{}", asked.text);
    let question = packing(&asha, &order).await["question"].clone();
    assert_eq!((&question["total"], &question["lines"][0]["replacement"]["name"]), (&json!(698), &json!("Basmati")));
    let bina = shopper(&shop, "bina@example.com").await;
    let answer = json!({"orderId": order, "questionId": question["_id"], "accepted": true});
    assert_eq!(bina.post(ANSWER, &answer).await.refusal(), (404, "order_not_found".to_owned()));
    assert_eq!(asha.post(ANSWER, &answer).await.status, 200);
    assert_eq!(asha.post(ANSWER, &answer).await.refusal(), (409, "question_closed".to_owned()));
    let packed = finish(&sita, &order, &swap).await.json()["data"].clone();
    assert_eq!((&packed["total"], &packed["agreedBy"]), (&json!(698), &json!("link")));

    // A shopper who declines pays what was agreed.
    let order = place(&asha, &[(&rice, 1)], 585.0).await;
    sita.post(ASK, &report(&order, &swap)).await;
    let question = packing(&asha, &order).await["question"].clone();
    let answer = json!({"orderId": order, "questionId": question["_id"], "accepted": false});
    assert_eq!(asha.post(ANSWER, &answer).await.status, 200);
    let packed = finish(&sita, &order, &swap).await.json()["data"].clone();
    assert_eq!((&packed["total"], &packed["agreedBy"]), (&json!(585), &json!("order")));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_packing_report_that_does_not_fit_changes_nothing(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Oil", 200, 1).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 2)], 1150.0).await;

    for (lines, expected) in [
        (vec![], "lines_invalid"),
        (vec![line(&oil, 1)], "lines_invalid"),
        (vec![line(&rice, 2), line(&oil, 1)], "lines_invalid"),
        (vec![line(&rice, 3)], "lines_invalid"),
        (vec![line(&rice, -1)], "lines_invalid"),
        (vec![json!({"product": rice, "packed": 1})], "reason_missing"),
        (vec![json!({"product": rice, "packed": 1, "reason": "tired"})], "reason_missing"),
        (vec![replaced(&rice, &rice, 1)], "lines_invalid"),
        (vec![replaced(&rice, &oil, 0)], "lines_invalid"),
        (vec![replaced(&rice, &oil, 2)], "replacement_gone"),
        (vec![line(&rice, 0)], "nothing_packed"),
    ] {
        let refused = finish(&sita, &order, &lines).await;
        assert_eq!(refused.refusal().1, expected, "{lines:?}");
    }
    assert_eq!(finish(&sita, &json!(Uuid::nil()), &[]).await.refusal(), (404, "order_not_found".to_owned()));
    set_status(&sita, &order, "Order Shipped").await;
    assert_eq!(finish(&sita, &order, &[line(&rice, 1)]).await.refusal(), (409, "not_packable".to_owned()));
    assert_eq!((shop.count("order_packings").await, shop.stock(&rice).await), (0, 8));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn ten_packers_finish_one_order_once(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 3)], 1695.0).await;

    let (one, two) = ([line(&rice, 1)], [line(&rice, 2)]);
    let answers =
        join_all((0..10).map(|packer| finish(&sita, &order, if packer % 2 == 0 { &one } else { &two }))).await;

    let texts: BTreeSet<&str> =
        answers.iter().filter(|answer| answer.status == 200).map(|answer| answer.text.as_str()).collect();
    assert_eq!(texts.len(), 1, "all who were right got the same answer: {texts:?}");
    let refused = answers.iter().filter(|answer| answer.status != 200);
    assert!(refused.into_iter().all(|answer| answer.refusal() == (409, "already_packed".to_owned())));
    assert_eq!((shop.count("order_packings").await, shop.count("order_adjustments").await), (1, 1));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_was_paid_online_and_is_no_longer_owed_goes_back_once(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let (order, pidx) = buy(&asha, &wallet, &rice, 2, 1150.0).await;

    let packed = finish(&sita, &order, &[line(&rice, 1)]).await;

    assert_eq!(packed.json()["data"]["refund"], json!(565), "{}", packed.text);
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;
    let at_wallet = wallet.payment(&pidx).await;
    assert_eq!((&at_wallet["given_back"], &at_wallet["refunds"]), (&json!(56_500), &json!(1)));
    assert_eq!(refunds(&shop).await, [("confirmed".to_owned(), true, 56_500)]);
    let known = newest_order(&asha).await;
    assert_eq!((&known["paymentState"], &known["amountDue"]), (&json!("paid"), &json!(585)));
    shop.assert_invariants_hold().await;

    // The nightly comparison finds nothing to complain about.
    assert_eq!(sita.get("/api/order/get_cases").await.json()["data"], json!([]));

    // The order is cancelled after that, so the rest goes back too.
    assert_eq!(set_status(&sita, &order, "Cancelled").await.status, 200);
    shop.advance_time(TimeDelta::minutes(3)).await;
    shop.run_all_jobs().await;
    let at_wallet = wallet.payment(&pidx).await;
    assert_eq!((&at_wallet["given_back"], &at_wallet["refunds"]), (&json!(115_000), &json!(2)));
    assert_eq!(refunds(&shop).await, [("confirmed".to_owned(), true, 56_500), ("confirmed".to_owned(), false, 58_500)]);
    assert_eq!(newest_order(&asha).await["paymentState"], json!("refunded"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_rest_waits_until_the_part_is_back(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let (order, pidx) = buy(&asha, &wallet, &rice, 2, 1150.0).await;

    // Both are requested before either is sent.
    finish(&sita, &order, &[line(&rice, 1)]).await;
    set_status(&sita, &order, "Cancelled").await;
    assert_eq!(refunds(&shop).await.len(), 2);
    for _ in 0..6 {
        shop.advance_time(TimeDelta::minutes(3)).await;
        shop.run_all_jobs().await;
    }

    let at_wallet = wallet.payment(&pidx).await;
    assert_eq!((&at_wallet["given_back"], &at_wallet["refunds"]), (&json!(115_000), &json!(2)));
    assert!(refunds(&shop).await.iter().all(|(state, ..)| state == "confirmed"), "{:?}", refunds(&shop).await);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_part_that_never_reached_the_wallet_goes_back_with_the_rest(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let (order, pidx) = buy(&asha, &wallet, &rice, 2, 1150.0).await;
    wallet.misbehave("refund", "refused", 1).await;
    finish(&sita, &order, &[line(&rice, 1)]).await;
    shop.run_all_jobs().await;
    assert_eq!(refunds(&shop).await, [("manual".to_owned(), true, 56_500)]);

    assert_eq!(set_status(&sita, &order, "Cancelled").await.status, 200);
    for _ in 0..2 {
        shop.advance_time(TimeDelta::minutes(3)).await;
        shop.run_all_jobs().await;
    }

    assert_eq!(wallet.payment(&pidx).await["given_back"], json!(115_000));
    assert_eq!(refunds(&shop).await, [("confirmed".to_owned(), true, 56_500), ("confirmed".to_owned(), false, 58_500)]);
    assert_eq!(newest_order(&asha).await["paymentState"], json!("refunded"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_partial_refund_without_an_answer_is_not_sent_again(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    for way in ["lost", "cut", "slow", "half", "nonsense"] {
        let (order, pidx) = buy(&asha, &wallet, &rice, 2, 1150.0).await;
        wallet.misbehave("refund", way, 1).await;

        finish(&sita, &order, &[line(&rice, 1)]).await;
        for _ in 0..3 {
            shop.advance_time(TimeDelta::minutes(1)).await;
        }

        let at_wallet = wallet.payment(&pidx).await;
        assert_eq!(at_wallet["refunds"], json!(1), "{way}: the wallet is asked once");
        let state: String = sqlx::query_scalar("SELECT state FROM refunds ORDER BY requested_at DESC LIMIT 1")
            .fetch_one(&shop.db)
            .await
            .unwrap();
        let given_back = at_wallet["given_back"] == json!(56_500);
        assert_eq!(state, if given_back { "confirmed" } else { "sent" }, "{way}");
        shop.assert_invariants_hold().await;
        shop.sql("UPDATE refunds SET state = 'confirmed', ended_at = now() WHERE state = 'sent'").await;
        queue::delete_jobs(&shop.db, "").await;
    }
}

#[sqlx::test]
async fn a_refused_partial_refund_is_a_case_and_can_be_sent_again(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let (order, pidx) = buy(&asha, &wallet, &rice, 2, 1150.0).await;
    wallet.misbehave("refund", "refused", 1).await;

    finish(&sita, &order, &[line(&rice, 1)]).await;
    shop.run_all_jobs().await;

    let cases = sita.get("/api/order/get_cases").await.json();
    assert_eq!(cases["data"][0]["kind"], json!("refund_failed"));
    assert_eq!(wallet.payment(&pidx).await["given_back"], json!(0));
    let payment: Uuid = sqlx::query_scalar("SELECT id FROM payments").fetch_one(&shop.db).await.unwrap();
    let again = sita.post("/api/order/refund_payment", &json!({"paymentId": payment})).await;
    assert_eq!(again.status, 200, "{}", again.text);
    shop.run_all_jobs().await;
    assert_eq!(wallet.payment(&pidx).await["given_back"], json!(56_500), "the part, not all of it");
    assert_eq!(refunds(&shop).await, [("confirmed".to_owned(), true, 56_500)]);
    assert_eq!(newest_order(&asha).await["paymentState"], json!("paid"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn money_that_somebody_refunded_elsewhere_is_not_refunded_again(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let (order, pidx) = buy(&asha, &wallet, &rice, 2, 1150.0).await;
    finish(&sita, &order, &[line(&rice, 1)]).await;
    wallet.refund_part(&pidx, 10_000).await;

    shop.run_all_jobs().await;

    assert_eq!(wallet.payment(&pidx).await["refunds"], json!(0), "the shop did not ask");
    assert_eq!(sita.get("/api/order/get_cases").await.json()["data"][0]["kind"], json!("refund_failed"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_large_difference_needs_the_permission_to_refund_it(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let saffron = shop.add_product(category, "Saffron", 6_000, 10).await;
    let asha = asha(&shop).await;
    let (packer, owner) =
        (staff_browser(&shop, "padma", Role::Packer).await, staff_browser(&shop, "omkar", Role::Owner).await);
    let (order, _) = buy(&asha, &wallet, &saffron, 2, 13_560.0).await;

    let refused = finish(&packer, &order, &[line(&saffron, 1)]).await;

    assert_eq!(refused.status, 403, "{}", refused.text);
    assert_eq!(finish(&owner, &order, &[line(&saffron, 1)]).await.status, 200);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_shopper_gets_one_email_that_shows_ordered_against_packed(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let category = shop.add_category("Staples").await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Oil", 400, 10).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 2)], 1150.0).await;
    shop.run_all_jobs().await;
    let before = mailbox.emails("asha@example.com").await.len();
    let swap =
        json!({"product": rice, "packed": 1, "reason": "damaged", "replacement": {"product": oil, "quantity": 1}});

    let packed = finish(&sita, &order, &[swap]).await;
    assert_eq!(packed.status, 200, "{}", packed.text);
    shop.run_all_jobs().await;

    let emails = mailbox.emails("asha@example.com").await;
    assert_eq!(emails.len(), before + 1, "one message");
    let text = emails.iter().map(Value::to_string).find(|email| email.contains("is packed, with changes")).unwrap();
    assert!(text.contains("Rice: 1 of 2 packed; instead 1 × Oil for Rs. 400"), "{text}");
    assert!(text.contains("1037"), "{text}");
}

/// What the bills and the margin report say, in rupees: taxable, exempt, tax, delivery, discount, total; revenue and cost.
async fn bill_and_margin(shop: &TestShop, seller: &Browser<'_>) -> (Vec<i64>, Value, Value) {
    let bill: (i64, i64, i64, i64, i64, i64) = sqlx::query_as(
        "SELECT taxable_paisa, exempt_paisa, tax_paisa, delivery_paisa, discount_paisa, total_paisa FROM bills",
    )
    .fetch_one(&shop.db)
    .await
    .unwrap();
    let total = seller.get("/api/order/margin_report").await.json()["data"]["total"].clone();
    (vec![bill.0, bill.1, bill.2, bill.3, bill.4, bill.5], total["revenue"].clone(), total["cost"].clone())
}

async fn set_cost(seller: &Browser<'_>, product: &str, cost: i32) {
    let goods =
        json!({"_id": Uuid::now_v7(), "lines": [{"product": product, "quantity": 10, "cost": f64::from(cost)}]});
    let received = seller.post("/api/inventory/receive_goods", &goods).await;
    assert_eq!(received.status, 200, "{}", received.text);
}

#[sqlx::test]
async fn the_bill_the_cash_and_the_margin_follow_what_was_packed(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 0).await, shop.add_product(category, "Oil", 200, 0).await);
    let ghee = shop.add_product(category, "Ghee", 300, 0).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    for (product, cost) in [(&rice, 400), (&oil, 150), (&ghee, 180)] {
        set_cost(&sita, product, cost).await;
    }
    shop.app.clock.advance(TimeDelta::seconds(1));
    let order = place(&asha, &[(&rice, 2), (&oil, 1)], 1356.0).await;
    let hari = staff_browser(&shop, "Hari", Role::Rider).await;
    let rider: Uuid =
        sqlx::query_scalar("SELECT id FROM sellers WHERE name = 'Hari'").fetch_one(&shop.db).await.unwrap();
    sita.put("/api/order/assign_rider", &json!({"orderIds": [order], "riderId": rider})).await;

    // One packet of rice is left, and ghee instead of oil at the price of the oil.
    assert_eq!(finish(&sita, &order, &[line(&rice, 1), replaced(&oil, &ghee, 1)]).await.status, 200);
    set_status(&sita, &order, "Out for Delivery").await;

    let stop = hari.get("/api/order/get_my_deliveries").await.json()["data"][0].clone();
    let names: Vec<(&str, i64)> = stop["items"]
        .as_array()
        .unwrap()
        .iter()
        .map(|item| (item["name"].as_str().unwrap(), item["quantity"].as_i64().unwrap()))
        .collect();
    assert_eq!(names, [("Rice", 1), ("Ghee", 1)]);
    assert_eq!(stop["cashToCollect"], 791);
    let round = Round { asha, sita, hari, orders: vec![order], rice };
    let code = round.code(0).await.json()["data"]["code"].clone();
    assert_eq!(round.send(json!({"kind": "delivered", "code": code, "collected": 791.0})).await, "");
    shop.run_jobs().await;

    let carried: i64 = sqlx::query_scalar("SELECT sum(amount_paisa)::bigint FROM cash_entries WHERE account = 'rider'")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    assert_eq!(carried, 79_100);
    let (bill, revenue, cost) = bill_and_margin(&shop, &round.sita).await;
    assert_eq!(bill, [70_000, 0, 9_100, 0, 0, 79_100]);
    assert_eq!((revenue, cost), (json!(700), json!(580)));
    let billed: Vec<(String, i32, i64)> =
        sqlx::query_as("SELECT name, quantity, amount_paisa FROM bill_lines ORDER BY position")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    assert_eq!(billed, [("Rice".to_owned(), 1, 50_000), ("Ghee".to_owned(), 1, 20_000)]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn prices_that_include_vat_still_do_after_packing(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 565, 0).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    set_cost(&sita, &rice, 400).await;
    assert_eq!(update_settings(&sita, json!({"pricesIncludeTax": true})).await.status, 200);
    shop.app.clock.advance(TimeDelta::seconds(1));
    let order = place(&asha, &[(&rice, 2)], 1130.0).await;

    assert_eq!(finish(&sita, &order, &[line(&rice, 1)]).await.status, 200);
    let due = newest_order(&asha).await;
    set_status(&sita, &order, "Delivered").await;
    shop.run_jobs().await;

    assert_eq!((&due["total"], &due["amountDue"]), (&json!(1130), &json!(565)));
    let (bill, revenue, cost) = bill_and_margin(&shop, &sita).await;
    assert_eq!(bill, [50_000, 0, 6_500, 0, 0, 56_500]);
    assert_eq!((revenue, cost), (json!(500), json!(400)));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_bill_names_the_discount_if_the_shop_bears_a_difference(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, ghee) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Ghee", 500, 10).await);
    shop.sql(&format!("UPDATE products SET tax_class = 'exempt' WHERE id = '{rice}'")).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&rice, 1)], 520.0).await;

    assert_eq!(finish(&sita, &order, &[replaced(&rice, &ghee, 1)]).await.status, 200);
    set_status(&sita, &order, "Delivered").await;
    shop.run_jobs().await;

    let (bill, ..) = bill_and_margin(&shop, &sita).await;
    assert_eq!(bill, [50_000, 0, 6_500, 2_000, 6_500, 52_000]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn weighed_goods_cost_what_they_weigh_up_to_the_tolerance(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let potatoes = add_potatoes(&shop, category).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    // Grams of three steps, and what is due with the delivery fee: 1.5 kg are estimated at 97.50 rupees.
    for (grams, due) in [(1_500, 117.5), (1_460, 114.9), (1_620, 125.3), (1_650, 127.25), (2_400, 127.25), (900, 78.5)]
    {
        let order = place(&asha, &[(&potatoes, 3)], 117.5).await;
        let packed = finish(&sita, &order, &[weighed(&potatoes, 3, grams)]).await;
        assert_eq!(packed.status, 200, "{}", packed.text);
        let known = newest_order(&asha).await;
        assert_eq!((&known["cashToCollect"], &known["items"][0]["quantity"]), (&json!(due), &json!(3)), "{grams} g");
        let again = finish(&sita, &order, &[weighed(&potatoes, 3, grams)]).await;
        assert_eq!(again.status, 200);
        assert_eq!(again.json()["data"], packed.json()["data"]);
        assert_eq!(
            finish(&sita, &order, &[weighed(&potatoes, 3, grams + 1)]).await.refusal(),
            refusal(409, "already_packed")
        );
        assert_eq!(set_status(&sita, &order, "Delivered").await.status, 200);
        shop.run_jobs().await;
        shop.assert_invariants_hold().await;
    }
    assert_eq!(shop.stock(&potatoes).await, 2, "stock is in steps");
    let label: (String, i32, i64) = sqlx::query_as(
        "SELECT pack_label, quantity, amount_paisa FROM bill_lines l JOIN bills b ON b.id = l.bill_id
         ORDER BY b.number LIMIT 1 OFFSET 2",
    )
    .fetch_one(&shop.db)
    .await
    .unwrap();
    assert_eq!(label, ("1.62 kg at 65.00 per kg".to_owned(), 1, 10_530));
}

#[sqlx::test]
async fn a_report_without_a_weight_or_with_a_needless_one_changes_nothing(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let potatoes = add_potatoes(&shop, category).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &[(&potatoes, 2), (&rice, 1)], 650.0).await;
    for (lines, code) in [
        ([weighed(&potatoes, 2, 0), line(&rice, 1)], "weight_missing"),
        ([line(&potatoes, 2), line(&rice, 1)], "weight_missing"),
        ([weighed(&potatoes, 2, 1_000), weighed(&rice, 1, 1_000)], "lines_invalid"),
    ] {
        assert_eq!(finish(&sita, &order, &lines).await.refusal(), refusal(422, code), "{lines:?}");
    }

    // Of two steps one was found.
    let mut found = weighed(&potatoes, 1, 520);
    found["reason"] = json!("not_available");
    let packed = finish(&sita, &order, &[found, line(&rice, 1)]).await;

    assert_eq!(packed.status, 200, "{}", packed.text);
    assert_eq!(packed.json()["data"]["weights"][0]["amount"], 33.8);
    assert_eq!(packed.json()["data"]["weights"][0]["expectedGrams"], 500);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn weighed_goods_that_were_paid_online_never_cost_more(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let potatoes = add_potatoes(&shop, category).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let (heavy, _) = buy(&asha, &wallet, &potatoes, 2, 85.0).await;
    assert_eq!(finish(&sita, &heavy, &[weighed(&potatoes, 2, 1_090)]).await.status, 200);
    assert_eq!(newest_order(&asha).await["amountDue"], 85);
    let (light, _) = buy(&asha, &wallet, &potatoes, 2, 85.0).await;

    assert_eq!(finish(&sita, &light, &[weighed(&potatoes, 2, 900)]).await.status, 200);

    assert_eq!(newest_order(&asha).await["amountDue"], 78.5);
    assert_eq!(refunds(&shop).await, [("requested".to_owned(), true, 650)]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_weighed_line_that_comes_back_takes_its_whole_price_back(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let mut round = Round::new(&shop, category, 0).await;
    let potatoes = add_potatoes(&shop, category).await;
    let order = place(&round.asha, &[(&potatoes, 3), (&round.rice, 1)], 400.0).await;
    round.orders.push(order.clone());
    // Three steps cost 65 rupees together.
    let packed = finish(&round.sita, &order, &[weighed(&potatoes, 3, 1_000), line(&round.rice, 1)]).await;
    assert_eq!(packed.json()["data"]["total"], json!(367.5), "{}", packed.text);
    round.assign(&shop, "Hari").await;
    round.out().await;

    for (quantity, cash) in [(1, 345.84), (2, 302.5)] {
        let items = json!([{"product": potatoes, "quantity": quantity}]);
        assert_eq!(round.send(json!({"kind": "returned", "items": items})).await, "");
        assert_eq!(newest_order(&round.asha).await["cashToCollect"], json!(cash));
    }
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_tax_of_what_comes_back_is_rounded_once(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let mut round = Round::new(&shop, category, 0).await;
    let (salt, sugar) =
        (shop.add_product(category, "Salt", 10, 10).await, shop.add_product(category, "Sugar", 10, 10).await);
    // 13 % of 10.04 rupees are 1.3052, of twice that 2.6104.
    shop.sql("UPDATE products SET price_paisa = 1004 WHERE name IN ('Salt', 'Sugar')").await;
    let order = place(&round.asha, &[(&salt, 1), (&sugar, 1), (&round.rice, 1)], 325.19).await;
    round.orders.push(order.clone());
    round.assign(&shop, "Hari").await;
    round.out().await;

    for product in [&salt, &sugar] {
        let items = json!([{"product": product, "quantity": 1}]);
        assert_eq!(round.send(json!({"kind": "returned", "items": items})).await, "");
    }

    let values: Vec<i64> =
        sqlx::query_scalar("SELECT value_paisa FROM door_returns ORDER BY id").fetch_all(&shop.db).await.unwrap();
    assert_eq!(values, [1_135, 1_134], "together what a credit note for both says");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn every_packing_invariant_sees_what_breaks_it(db: PgPool) {
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 20).await, shop.add_product(category, "Oil", 400, 20).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let cash = place(&asha, &[(&rice, 2)], 1150.0).await;
    finish(&sita, &cash, &[replaced(&rice, &oil, 2)]).await;
    let (paid, _) = buy(&asha, &wallet, &rice, 2, 1150.0).await;
    finish(&sita, &paid, &[line(&rice, 1)]).await;
    shop.assert_invariants_hold().await;
    let potatoes = add_potatoes(&shop, category).await;
    let heavy = place(&asha, &[(&potatoes, 1)], 52.5).await;
    assert_eq!(finish(&sita, &heavy, &[weighed(&potatoes, 1, 510)]).await.status, 200);
    shop.assert_invariants_hold().await;
    let view: String =
        sqlx::query_scalar("SELECT pg_get_viewdef('packing_violations')").fetch_one(&shop.db).await.unwrap();
    let free = "ALTER TABLE order_packings DROP CONSTRAINT order_packings_due;";
    let breakages = [
        ("the amount due follows what was packed", "UPDATE orders SET amount_due_paisa = amount_due_paisa - 1"),
        (
            "nobody pays more than was agreed",
            "UPDATE orders SET amount_due_paisa = total_paisa + 1 WHERE amount_due_paisa IS NOT NULL",
        ),
        (
            "a replacement costs no more than what it replaces",
            "UPDATE order_adjustments SET replacement_price_paisa = 60000 WHERE replacement_id IS NOT NULL",
        ),
        ("an adjustment belongs to a line of a packed order", "UPDATE order_adjustments SET quantity_before = 9"),
        (
            "a weighed line costs what it weighs, and no more than was agreed",
            "UPDATE packed_weights SET amount_paisa = amount_paisa + 1",
        ),
        ("a packed line that is sold by weight has a weight", "DELETE FROM packed_weights"),
        ("an order with an amount due is packed", "UPDATE orders SET amount_due_paisa = NULL"),
        ("what was paid and is no longer owed is given back once", "DELETE FROM refunds"),
        ("only a paid order gets a part back", "UPDATE payments SET state = 'conflict'"),
        (
            "a cancelled order gets all of its money back",
            "UPDATE orders SET payment = 'refund_due' WHERE payment = 'paid'",
        ),
    ];
    // One more stands inside of the first.
    assert_eq!(view.matches("UNION ALL").count(), breakages.len(), "a new invariant wants its line here");
    for (invariant, statement) in breakages {
        shop.assert_violation_detected(invariant, &format!("{free} {statement}")).await;
    }
    shop.assert_violation_detected("an order has the units that its state says", "DELETE FROM order_adjustments").await;
    shop.assert_invariants_hold().await;
}

/// Random lives of orders through the API: place, pay, pack, cancel, reopen, deliver and refund, with a wallet that
/// misbehaves. Every paisa and every unit must be where the invariants say, and the wallet's own ledger must agree.
#[sqlx::test]
async fn random_lives_of_packed_orders_keep_every_paisa_and_unit(db: PgPool) {
    let (lives, seed) = (number("LIVES", 24), number("SEED", 20_261_118));
    let wallet = Wallet::start();
    let (shop, category) = shop_with_wallet(db, &wallet).await;
    let mut products = Vec::new();
    for (name, rupees) in [("Rice", 500), ("Oil", 333), ("Salt", 25), ("Saffron", 1_900)] {
        products.push(shop.add_product(category, name, rupees, 500).await);
    }
    // Oil is sold by weight in this shop.
    shop.sql("UPDATE products SET pack_milli = 1000, pack_measure = 'kg', pack_label = '1 kg', sold_by_weight = name = 'Oil'").await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut rng = Rng(seed);
    let mut packed = 0;
    for life in 0..lives {
        let first = usize::try_from(rng.below(3)).unwrap();
        let (one, two) = (products[first].clone(), products[first + 1].clone());
        let quantity = 1 + i64::try_from(rng.below(3)).unwrap();
        let is_online = rng.below(2) == 0;
        let (order, lines) = if is_online {
            (buy(&asha, &wallet, &one, quantity, 99_999.0).await.0, vec![one.clone()])
        } else {
            let order = place(&asha, &[(&one, quantity), (&two, quantity)], 99_999.0).await;
            (order, vec![one.clone(), two.clone()])
        };
        for _ in 0..=rng.below(6) {
            match rng.below(6) {
                0 | 1 => {
                    let reason = rng.one_of(&["not_available", "damaged", "not_wanted"]);
                    let decisions: Vec<Value> = lines
                        .iter()
                        .map(|product| {
                            let units = i64::try_from(rng.below(u64::try_from(quantity).unwrap() + 1)).unwrap();
                            let mut decision = json!({"product": product, "packed": units, "reason": reason});
                            if *product == products[1] && units > 0 {
                                decision["grams"] = json!(units * 1_000 + i64::try_from(rng.below(400)).unwrap() - 200);
                            }
                            if units < quantity && rng.below(2) == 0 {
                                let other = rng.one_of(&[0, 1, 2, 3]);
                                decision["replacement"] =
                                    json!({"product": products[other], "quantity": 1 + rng.below(2)});
                            }
                            decision
                        })
                        .collect();
                    packed += u32::from(finish(&sita, &order, &decisions).await.status == 200);
                }
                2 => {
                    let way = rng.one_of(&["lost", "error", "refused", "cut"]);
                    wallet.misbehave("refund", way, u32::try_from(rng.below(2)).unwrap()).await;
                }
                3 => {
                    let status = rng.one_of(&["Cancelled", "Order Confirmed", "Order Shipped", "Delivered"]);
                    assert_eq!(set_status(&sita, &order, status).await.status, 200);
                }
                4 => shop.advance_time(TimeDelta::minutes(3)).await,
                _ => shop.run_all_jobs().await,
            }
        }
        let broken = thunse::platform::invariants::find_violations(&shop.db).await.unwrap();
        assert!(broken.is_empty(), "seed {seed}, life {life}: {broken:?}");
    }
    shop.run_all_jobs().await;
    // The wallet's ledger and ours agree: what it gave back is what we call confirmed, sent or to be checked by hand.
    let ledger = wallet.ledger().await;
    let given_back: i64 = ledger.iter().map(|entry| entry["given_back"].as_i64().unwrap()).sum();
    let (confirmed, out): (i64, i64) = sqlx::query_as(
        "SELECT coalesce(sum(amount_paisa) FILTER (WHERE state = 'confirmed'), 0)::bigint,
                coalesce(sum(amount_paisa) FILTER (WHERE state IN ('sent', 'manual')), 0)::bigint FROM refunds",
    )
    .fetch_one(&shop.db)
    .await
    .unwrap();
    assert!((confirmed..=confirmed + out).contains(&given_back), "{given_back}, {confirmed} and {out}");
    assert!(packed > 0);
    shop.assert_invariants_hold().await;
    report_figure(&format!(
        "packing: {lives} random lives, {packed} orders packed, seed {seed}: every paisa and unit agrees"
    ));
}
