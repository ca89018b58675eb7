//! Coupons: what they take off, who may use them how often, and that every amount after placement follows the lines.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::coupons::{Discount, discounted_prices};
use thunse::platform::cache::CatalogueChange;
use thunse::platform::money::Paisa;
use thunse::platform::permissions::Role;
use uuid::Uuid;

use crate::oracle::{Rng, number};
use crate::orders::{asha, order_request, set_status, shopper, sita, with_field};
use crate::riders::Round;
use crate::serve::{BLOCKED_STATEMENTS, wait_for_count};
use crate::support::mailbox::Mailbox;
use crate::support::seller_accounts::staff_browser;
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, PASSWORD, TestResponse, TestShop, refusal, report_figure};

const QUOTE: &str = "/api/cart/quote_coupon";
const LIST: &str = "/api/coupon/get_coupons";
const PUBLIC: &str = "/api/coupon/get_public_coupons";
const ADD: &str = "/api/coupon/add_coupon";
const UPDATE: &str = "/api/coupon/update_coupon";
const CANCEL: &str = "/api/order/cancel_order";

/// A coupon of these terms, which begins now and ends in ten days unless they say otherwise.
fn coupon(shop: &TestShop, code: &str, terms: &Value) -> Value {
    let mut coupon = json!({"code": code, "endsAt": shop.app.clock.now() + TimeDelta::days(10)});
    for (name, value) in terms.as_object().unwrap() {
        coupon[name] = value.clone();
    }
    coupon
}

async fn add(seller: &Browser<'_>, shop: &TestShop, code: &str, terms: Value) -> Value {
    let added = seller.post(ADD, &coupon(shop, code, &terms)).await;
    assert_eq!(added.status, 200, "{}", added.text);
    added.json()["data"][0].clone()
}

async fn quote(shopper: &Browser<'_>, code: &str, items: Value) -> TestResponse {
    shopper.post(QUOTE, &json!({"code": code, "cartItems": items})).await
}

fn with_coupon(product: &str, quantity: i64, total: f64, code: &str) -> Value {
    with_field(order_request(product, quantity, total), "coupon", json!(code))
}

async fn place(shopper: &Browser<'_>, order: &Value) -> TestResponse {
    shopper.place_order(Some(&Uuid::now_v7().to_string()), order).await
}

async fn newest_order(shopper: &Browser<'_>) -> Value {
    shopper.get("/api/order/get_order").await.json()["data"][0].clone()
}

async fn states(seller: &Browser<'_>) -> Vec<(String, String, i64)> {
    let list = seller.get(LIST).await.json()["data"].as_array().unwrap().clone();
    let text = |coupon: &Value, name: &str| coupon[name].as_str().unwrap().to_owned();
    list.iter().map(|one| (text(one, "code"), text(one, "state"), one["uses"].as_i64().unwrap())).collect()
}

async fn public_codes(shop: &TestShop) -> Vec<String> {
    let list = shop.get(PUBLIC).await.json()["data"].as_array().unwrap().clone();
    list.iter().map(|one| one["code"].as_str().unwrap().to_owned()).collect()
}

#[sqlx::test]
async fn a_percentage_lowers_the_price_of_every_line(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Oil", 201, 4).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "dashain-10", json!({"percent": 10})).await;

    let quoted = quote(&asha, " Dashain-10 ", json!({&rice: 2, &oil: 1})).await;
    let mut order = with_coupon(&rice, 2, 1221.42, "dashain-10");
    order["items"] = json!([{"id": rice, "quantity": 2}, {"id": oil, "quantity": 1}]);
    let cheaper = place(&asha, &with_field(order.clone(), "totalAmount", json!(1221.41))).await;
    let placed = place(&asha, &order).await;

    let data = quoted.json()["data"].clone();
    assert_eq!((&data["code"], &data["prices"]), (&json!("DASHAIN-10"), &json!({&rice: 450, &oil: 180.9})));
    assert_eq!(cheaper.refusal(), refusal(409, "price_changed"));
    assert_eq!(placed.status, 200, "{}", placed.text);
    let receipt = placed.json()["data"].clone();
    for (field, amount) in
        [("subtotal", 1080.9), ("tax", 140.52), ("shippingFee", 0.0), ("total", 1221.42), ("discount", 120.1)]
    {
        assert_eq!(receipt[field].as_f64(), Some(amount), "{field}");
        assert_eq!(data["quote"][field], receipt[field], "{field}");
    }
    for order in [newest_order(&asha).await, sita.get("/api/order/get_orders").await.json()["data"][0].clone()] {
        assert_eq!(order["coupon"], json!({"code": "DASHAIN-10", "discount": 120.1}));
        let items: Vec<(&Value, &Value)> = order["items"]
            .as_array()
            .unwrap()
            .iter()
            .map(|item| (&item["priceBeforeCoupon"], &item["price"]))
            .collect();
        assert_eq!(items, [(&json!(500), &json!(450)), (&json!(201), &json!(180.9))]);
    }
    let listed = sita.get(LIST).await.json()["data"][0].clone();
    assert_eq!((&listed["uses"], &listed["given"]), (&json!(1), &json!(120.1)));
    shop.assert_invariants_hold().await;

    // An order without a coupon says nothing about one.
    let plain = place(&asha, &order_request(&rice, 1, 585.0)).await;
    assert!(plain.json()["data"].get("discount").is_none(), "{}", plain.text);
    let plain = newest_order(&asha).await;
    assert!(plain.get("coupon").is_none() && plain["items"][0].get("priceBeforeCoupon").is_none());
}

#[sqlx::test]
async fn amount_maximum_and_minimum_are_what_the_seller_says(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "HUNDRED", json!({"amount": 100, "minimum": 1000})).await;
    add(&sita, &shop, "HALF", json!({"percent": 50, "maxDiscount": 200})).await;
    add(&sita, &shop, "GIFT", json!({"amount": 5000})).await;
    let discount = async |code: &str, quantity: i32| {
        let quoted = quote(&asha, code, json!({&rice: quantity})).await;
        assert_eq!(quoted.status, 200, "{}", quoted.text);
        quoted.json()["data"]["quote"]["discount"].as_f64().unwrap()
    };

    let below = quote(&asha, "HUNDRED", json!({&rice: 1})).await;
    assert_eq!(below.refusal(), refusal(409, "coupon_minimum"));
    assert_eq!(below.json()["data"], json!({"minimum": 1000, "missing": 500}));
    assert!(below.json()["message"].as_str().unwrap().contains("500 rupees"), "{}", below.text);
    assert_eq!(discount("HUNDRED", 2).await.to_string(), "100");
    assert_eq!(discount("HUNDRED", 3).await.to_string(), "100.02", "rounded in favour of the shopper");
    assert_eq!(discount("HALF", 1).await.to_string(), "200");
    assert_eq!(discount("GIFT", 2).await.to_string(), "999.98", "a unit costs at least a paisa");
    // 1 rupee for two, 13 % of it and the delivery fee.
    let placed = place(&asha, &with_coupon(&rice, 2, 20.02, "gift")).await;
    assert_eq!(placed.json()["data"]["total"], json!(20.02), "{}", placed.text);
    let refused = place(&asha, &with_coupon(&rice, 1, 1000.0, "HUNDRED")).await;
    assert_eq!(refused.refusal(), refusal(409, "coupon_minimum"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_coupon_begins_and_ends_by_the_clock(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    shop.app.cache.set_listening(true);
    let now = shop.app.clock.now();
    let dates = json!({"percent": 10, "public": true, "startsAt": now + TimeDelta::minutes(5), "endsAt": now + TimeDelta::minutes(10)});
    add(&sita, &shop, "TIHAR", dates).await;
    add(&sita, &shop, "SECRET", json!({"percent": 10})).await;
    let order = with_coupon(&rice, 1, 528.5, "TIHAR");
    let state = async || states(&sita).await[1].1.clone();

    let early = place(&asha, &order).await;
    assert_eq!((early.refusal(), state().await), (refusal(409, "coupon_not_begun"), "planned".to_owned()));
    assert!(early.json()["data"]["startsAt"].is_string() && public_codes(&shop).await.is_empty());
    let page = async || shop.get("/offers").await.text;
    let early_page = page().await;
    assert!(early_page.contains("Mega Offer Are Coming Soon!") && !early_page.contains("TIHAR"));
    shop.app.clock.advance(TimeDelta::minutes(5));
    assert_eq!((public_codes(&shop).await, state().await), (vec!["TIHAR".to_owned()], "running".to_owned()));
    let (running, first_data) = {
        let page = page().await;
        let (view, data) = page.split_once("id=\"first-data\"").unwrap();
        (view.to_owned(), data.to_owned())
    };
    assert!(running.contains("<h3>10% off</h3>") && running.contains("TIHAR") && !running.contains("Mega Offer"));
    assert!(first_data.contains(PUBLIC) && first_data.contains("TIHAR"));
    assert!(!running.contains("SECRET") && !first_data.contains("SECRET"));
    assert_eq!(place(&asha, &order).await.status, 200);
    shop.app.clock.advance(TimeDelta::minutes(5));
    let late = place(&asha, &order).await;
    assert_eq!((late.refusal(), state().await), (refusal(409, "coupon_ended"), "ended".to_owned()));
    assert!(public_codes(&shop).await.is_empty());
    assert!(page().await.contains("Mega Offer Are Coming Soon!"), "the page ends with the coupon, not 15 s later");
    assert_eq!((shop.count("orders").await, shop.stock(&rice).await), (1, 49), "a refused order leaves nothing");
}

#[sqlx::test]
async fn a_cancelled_order_gives_the_use_back(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, bikash) = (asha(&shop).await, shopper(&shop, "bikash@example.com").await);
    let sita = sita(&shop).await;
    let added = add(&sita, &shop, "TWICE", json!({"percent": 10, "totalUses": 2, "public": true})).await;
    let order = with_coupon(&rice, 1, 528.5, "TWICE");

    assert_eq!(place(&asha, &order).await.status, 200);
    let first = newest_order(&asha).await["_id"].clone();
    assert_eq!(place(&asha, &order).await.refusal(), refusal(409, "coupon_used"));
    assert_eq!(quote(&asha, "TWICE", json!({&rice: 1})).await.refusal(), refusal(409, "coupon_used"));
    assert_eq!(place(&bikash, &order).await.status, 200);
    let chandra = shopper(&shop, "chandra@example.com").await;
    assert_eq!(place(&chandra, &order).await.refusal(), refusal(409, "coupon_unavailable"));
    assert_eq!(states(&sita).await, [("TWICE".to_owned(), "used_up".to_owned(), 2)]);
    assert!(public_codes(&shop).await.is_empty());

    assert_eq!(asha.post(CANCEL, &json!({"orderId": first})).await.status, 200);
    assert_eq!(states(&sita).await, [("TWICE".to_owned(), "running".to_owned(), 1)]);
    // Uses alone do not empty the cache, which keeps a list for 15 s.
    shop.app.cache.invalidate_all(CatalogueChange::Detail);
    assert_eq!(public_codes(&shop).await, ["TWICE"]);
    assert_eq!(place(&asha, &order).await.status, 200, "the use of the cancelled order is free again");
    // The seller takes the first order up again, which is a decision and breaks no rule.
    assert_eq!(set_status(&sita, &first, "Order Confirmed").await.status, 200);
    shop.assert_invariants_hold().await;
    assert_eq!(place(&asha, &order).await.refusal(), refusal(409, "coupon_used"));

    let off = json!({"couponId": added["_id"], "version": 1, "percent": 10, "totalUses": 9, "active": false,
                     "endsAt": added["endsAt"]});
    assert_eq!(sita.put(UPDATE, &off).await.status, 200);
    assert_eq!(place(&chandra, &order).await.refusal(), refusal(409, "coupon_unavailable"));
    assert_eq!(states(&sita).await[0].1, "inactive");
}

/// All placements wait for the coupon, so that each of them has been checked before the first one is written.
#[sqlx::test]
async fn orders_at_the_same_moment_at_two_instances_keep_to_the_limit(db: PgPool) {
    // The test database has five connections, and two of them are needed here.
    const ORDERS: usize = 3;
    let (one, category) = TestShop::with_category_and(db.clone(), &GENEROUS_LIMITS).await;
    let two = TestShop::with(db, &GENEROUS_LIMITS);
    let sita = sita(&one).await;
    add(&sita, &one, "FEW", json!({"amount": 50, "totalUses": 1})).await;
    let mut orders = Vec::new();
    for n in 0..ORDERS {
        let product = one.add_product(category, &format!("Rice {n}"), 500, 5).await;
        let shop = if n % 2 == 0 { &one } else { &two };
        orders.push((shopper(shop, &format!("s{n}@example.com")).await, with_coupon(&product, 1, 528.5, "FEW")));
    }

    let mut lock = one.db.begin().await.unwrap();
    sqlx::query("SELECT FROM coupons FOR UPDATE").execute(&mut *lock).await.unwrap();
    let placements = join_all(orders.iter().map(|(shopper, order)| place(shopper, order)));
    let releasing = async {
        wait_for_count(&one.db, BLOCKED_STATEMENTS, i64::try_from(ORDERS).unwrap()).await;
        lock.rollback().await.unwrap();
    };
    let (placed, ()) = tokio::join!(placements, releasing);

    one.assert_invariants_hold().await;
    assert_eq!(placed.iter().filter(|answer| answer.status == 200).count(), 1);
    for refused in placed.iter().filter(|answer| answer.status != 200) {
        assert_eq!(refused.refusal(), refusal(409, "coupon_unavailable"), "{}", refused.text);
    }
    assert_eq!((one.count("coupon_uses").await, one.count("orders").await), (1, 1));
}

#[sqlx::test]
async fn a_shopper_uses_a_coupon_once_also_with_many_orders_at_once(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "ONCE", json!({"percent": 10})).await;
    let order = with_coupon(&rice, 1, 528.5, "ONCE");

    let placed = join_all((0..6).map(|_| place(&asha, &order))).await;

    assert_eq!(placed.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(shop.count("coupon_uses").await, 1);
    shop.assert_invariants_hold().await;
}

/// A seller changes the coupon after the shopper has seen the price.
#[sqlx::test]
async fn nobody_pays_more_than_was_shown_when_a_coupon_changes(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let added = add(&sita, &shop, "SAVE", json!({"percent": 20})).await;
    let order = with_coupon(&rice, 1, 472.0, "SAVE");
    let terms = |percent: i32, version: i32| json!({"couponId": added["_id"], "version": version, "percent": percent, "endsAt": added["endsAt"]});

    assert_eq!(sita.put(UPDATE, &terms(10, 1)).await.status, 200);
    let refused = place(&asha, &order).await;
    assert_eq!(refused.refusal(), refusal(409, "price_changed"));
    assert_eq!(refused.json()["data"]["quote"]["discount"], json!(50));
    assert_eq!(sita.put(UPDATE, &terms(30, 1)).await.refusal(), refusal(409, "coupon_changed"));
    assert_eq!(sita.put(UPDATE, &terms(30, 2)).await.status, 200);
    let cheaper = place(&asha, &order).await;
    assert_eq!(cheaper.json()["data"]["total"], json!(415.5), "{}", cheaper.text);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_email_about_an_order_names_its_coupon(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = TestShop::with_category_and(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (mut asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "TIHAR", json!({"percent": 10, "usesPerCustomer": 2})).await;

    assert_eq!(place(&asha, &with_coupon(&rice, 1, 528.5, "TIHAR")).await.status, 200);
    assert_eq!(place(&asha, &order_request(&rice, 1, 585.0)).await.status, 200);
    asha.language = "ne";
    assert_eq!(place(&asha, &with_coupon(&rice, 1, 528.5, "TIHAR")).await.status, 200);
    shop.run_jobs().await;

    let emails = mailbox.emails("asha@example.com").await;
    let texts: Vec<&str> = emails.iter().map(|email| email["text"].as_str().unwrap()).collect();
    let with = |part: &str| texts.iter().filter(|text| text.contains(part)).count();
    assert_eq!(with("Coupon TIHAR, in these prices: −Rs. 50.00"), 1, "{texts:?}");
    assert_eq!(with("कुपन TIHAR, यी मूल्यमा समावेश: −रु. ५०.००"), 1, "{texts:?}");
    assert_eq!((with("TIHAR"), with("Rs. 585.00")), (2, 1), "an order without a coupon says nothing about one");
}

#[sqlx::test]
async fn a_sale_price_and_a_coupon_go_together(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "TEN", json!({"percent": 10})).await;
    let sale = json!({"price": 400, "endsAt": shop.app.clock.now() + TimeDelta::days(1)});
    assert_eq!(sita.post("/api/product/add_sale/rice", &sale).await.status, 200);

    let placed = place(&asha, &with_coupon(&rice, 1, 426.8, "TEN")).await;

    assert_eq!(placed.json()["data"]["total"], json!(426.8), "{}", placed.text);
    let item = newest_order(&asha).await["items"][0].clone();
    assert_eq!((&item["priceBeforeCoupon"], &item["price"]), (&json!(400), &json!(360)));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn packing_bill_and_margin_follow_the_lowered_prices(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let (rice, potatoes) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Potatoes", 0, 20).await);
    shop.sql(&format!(
        "UPDATE products SET price_paisa = 3250, tax_class = 'exempt', pack_milli = 500000, pack_measure = 'g',
                             pack_label = '500 g', sold_by_weight = true WHERE id = '{potatoes}'"
    ))
    .await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    shop.sql("UPDATE users SET email_confirmed_at = now()").await;
    add(&sita, &shop, "TENTH", json!({"percent": 10})).await;
    let mut order = with_coupon(&rice, 2, 1095.5, "TENTH");
    order["items"] = json!([{"id": rice, "quantity": 2}, {"id": potatoes, "quantity": 2}]);
    let placed = place(&asha, &order).await;
    // Rice at 450 with 13 % tax, potatoes at 29.25 for 500 g, and the delivery fee.
    assert_eq!(placed.json()["data"]["total"], json!(1095.5), "{}", placed.text);
    let order = placed.json()["data"]["_id"].clone();

    let report = json!({"orderId": order, "lines": [
        {"product": rice, "packed": 1, "reason": "not_available"}, {"product": potatoes, "packed": 2, "grams": 1050}]});
    let packed = sita.post("/api/packing/finish", &report).await;
    // 450 and its tax of 58.50, and 1050 g at 58.50 a kilogram, which is 61.43.
    assert_eq!(packed.json()["data"]["total"], json!(589.93), "{}", packed.text);
    set_status(&sita, &order, "Delivered").await;
    shop.run_jobs().await;

    let bill: (i64, i64, i64, i64, i64, i64) = sqlx::query_as(
        "SELECT taxable_paisa, exempt_paisa, tax_paisa, delivery_paisa, discount_paisa, total_paisa FROM bills",
    )
    .fetch_one(&shop.db)
    .await
    .unwrap();
    assert_eq!(bill, (45_000, 6_143, 5_850, 2_000, 0, 58_993));
    let lines: Vec<(i64, Option<String>, Option<String>)> =
        sqlx::query_as("SELECT amount_paisa, pack_label, pack_label_ne FROM bill_lines ORDER BY position")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    assert_eq!(lines[0].1.as_deref(), Some("price before the coupon 500.00"));
    assert_eq!(lines[0].2.as_deref(), Some("कुपनअघिको मूल्य ५००.००"));
    assert_eq!(lines[1].1.as_deref(), Some("1.05 kg at 58.50 per kg; price before the coupon 65.00"));
    let revenue = sita.get("/api/order/margin_report").await.json()["data"]["total"]["revenue"].clone();
    assert_eq!(revenue, json!(511.43));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_comes_back_at_the_door_is_worth_what_was_charged(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let mut round = Round::new(&shop, category, 0).await;
    add(&round.sita, &shop, "FIFTY", json!({"amount": 50})).await;
    let placed = place(&round.asha, &with_coupon(&round.rice, 2, 528.5, "FIFTY")).await;
    assert_eq!(placed.json()["data"]["total"], json!(528.5), "{}", placed.text);
    round.orders.push(placed.json()["data"]["_id"].clone());
    round.assign(&shop, "Hari").await;
    round.out().await;

    let back = json!({"kind": "returned", "items": [{"product": round.rice, "quantity": 1}]});
    assert_eq!(round.send(back).await, "");

    // 225 rupees with 13 % tax.
    let stop = round.hari.get("/api/order/get_my_deliveries").await.json()["data"][0].clone();
    assert_eq!(stop["cashToCollect"], json!(274.25));
    let code = round.code(0).await.json()["data"]["code"].clone();
    assert_eq!(round.send(json!({"kind": "delivered", "code": code})).await, "");
    shop.assert_invariants_hold().await;
}

async fn pay(shopper: &Browser<'_>, wallet: &Wallet, placed: &TestResponse) -> String {
    let url = placed.json()["data"]["payment_url"].as_str().unwrap().to_owned();
    let pidx = url.split_once("pidx=").unwrap().1.to_owned();
    wallet.simulate(&pidx, "pay").await;
    let back = json!({"pidx": pidx, "txnId": "t", "purchase_order_id": "o", "purchase_order_name": "n"});
    assert_eq!(shopper.post("/api/order/verify_khalti_payment", &back).await.status, 200);
    pidx
}

#[sqlx::test]
async fn an_online_order_pays_and_gets_back_what_it_was_charged(db: PgPool) {
    let wallet = Wallet::start();
    let settings = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 500, 10).await, shop.add_product(category, "Oil", 600, 10).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    shop.sql("UPDATE users SET email_confirmed_at = now()").await;
    add(&sita, &shop, "TEN", json!({"percent": 10})).await;
    let online = |product: &str, quantity, total| {
        with_field(with_coupon(product, quantity, total, "TEN"), "paymentMethod", json!("Khalti"))
    };

    // The shopper comes back without paying, and the cart still shows the coupon; the next order replaces this one.
    let left = asha.place_online_order(Some("left"), &online(&rice, 1, 528.5)).await;
    assert_eq!(left.status, 200, "{}", left.text);
    assert_eq!(quote(&asha, "TEN", json!({&rice: 2})).await.status, 200);
    assert_eq!(quote(&asha, "TEN", json!({&oil: 2})).await.refusal(), refusal(409, "coupon_used"));
    let other = asha.place_online_order(Some("other"), &online(&oil, 1, 630.2)).await;
    assert_eq!(other.refusal(), refusal(409, "coupon_used"), "the unpaid order can still be paid");
    let placed = asha.place_online_order(Some("paid"), &online(&rice, 2, 1037.0)).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    let pidx = pay(&asha, &wallet, &placed).await;
    let order = newest_order(&asha).await["_id"].clone();
    assert_eq!(wallet.payment(&pidx).await["amount"], json!(103_700));
    shop.assert_invariants_hold().await;

    let report = json!({"orderId": order, "lines": [{"product": rice, "packed": 1, "reason": "not_available"}]});
    let packed = sita.post("/api/packing/finish", &report).await;
    assert_eq!(packed.json()["data"]["refund"], json!(508.5), "{}", packed.text);
    shop.run_all_jobs().await;
    shop.run_all_jobs().await;
    assert_eq!(wallet.payment(&pidx).await["given_back"], json!(50_850));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_copy_of_the_data_names_the_coupon_and_a_deleted_account_leaves_none(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "TEN", json!({"percent": 10})).await;
    place(&asha, &with_coupon(&rice, 1, 528.5, "TEN")).await;

    let export = asha.get("/api/user/export").await.json();
    assert_eq!(export["orders"][0]["coupon"], json!({"code": "TEN", "discount": 50}));
    let order = newest_order(&asha).await["_id"].clone();
    set_status(&sita, &order, "Delivered").await;
    assert_eq!(asha.post("/api/user/delete", &json!({"password": PASSWORD})).await.status, 200);

    assert_eq!(states(&sita).await, [("TEN".to_owned(), "running".to_owned(), 1)], "what was given stays counted");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_seller_enters_what_makes_sense_and_the_log_says_who_did(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (sita, packer) = (sita(&shop).await, staff_browser(&shop, "Puja", Role::Packer).await);
    let now = shop.app.clock.now();
    let long = "क".repeat(201);
    for (field, code, terms) in [
        ("code", "AB", json!({"percent": 10})),
        ("code", "TEN PERCENT", json!({"percent": 10})),
        ("percent", "TEN", json!({"percent": 91})),
        ("percent", "TEN", json!({"percent": 0})),
        ("amount", "TEN", json!({})),
        ("amount", "TEN", json!({"percent": 10, "amount": 10})),
        ("amount", "TEN", json!({"amount": 0})),
        ("maxDiscount", "TEN", json!({"percent": 10, "maxDiscount": 0})),
        ("minimum", "TEN", json!({"percent": 10, "minimum": 1_000_000.01})),
        ("endsAt", "TEN", json!({"percent": 10, "endsAt": now})),
        ("endsAt", "TEN", json!({"percent": 10, "endsAt": now + TimeDelta::days(367)})),
        ("usesPerCustomer", "TEN", json!({"percent": 10, "usesPerCustomer": 0})),
        ("totalUses", "TEN", json!({"percent": 10, "totalUses": 0})),
        ("aboutNe", "TEN", json!({"percent": 10, "aboutNe": long})),
    ] {
        let refused = sita.post(ADD, &coupon(&shop, code, &terms)).await;
        assert_eq!(refused.refusal(), refusal(422, "field_invalid"), "{terms}");
        assert_eq!(refused.json()["data"]["field"], field, "{terms}");
    }
    let added = add(&sita, &shop, "TEN", json!({"percent": 10, "about": " For  you ", "public": true})).await;
    assert_eq!((&added["about"], &added["usesPerCustomer"]), (&json!("For you"), &json!(1)));
    assert_eq!(
        sita.post(ADD, &coupon(&shop, "ten", &json!({"percent": 5}))).await.refusal(),
        refusal(409, "code_taken")
    );
    let unknown = json!({"couponId": Uuid::now_v7(), "version": 1, "percent": 5, "endsAt": added["endsAt"]});
    assert_eq!(sita.put(UPDATE, &unknown).await.refusal(), refusal(404, "coupon_not_found"));
    let changed = json!({"couponId": added["_id"], "version": 1, "amount": 50, "endsAt": added["endsAt"]});
    let changed = sita.put(UPDATE, &changed).await.json()["data"][0].clone();
    assert_eq!((&changed["percent"], &changed["amount"], &changed["version"]), (&Value::Null, &json!(50), &json!(2)));
    assert!(public_codes(&shop).await.is_empty());

    let log: Vec<(String, String)> =
        sqlx::query_as("SELECT action, about FROM audit_log WHERE action LIKE 'coupon%' ORDER BY id")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    assert_eq!(log, [("coupon.add".to_owned(), "TEN".to_owned()), ("coupon.update".to_owned(), "TEN".to_owned())]);
    assert_eq!(packer.get(LIST).await.status, 200);
    assert_eq!(packer.post(ADD, &coupon(&shop, "FIVE", &json!({"percent": 5}))).await.status, 403);
    let ends: DateTime<Utc> = added["endsAt"].as_str().unwrap().parse().unwrap();
    assert!(ends > now);
}

#[sqlx::test]
async fn codes_cannot_be_guessed_for_long(db: PgPool) {
    let more = [("UNKNOWN_COUPONS_PER_HOUR", "3")];
    let (shop, category) = TestShop::with_category_and(db, &more).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "KNOWN", json!({"percent": 10})).await;

    for code in ["GUESS-1", "%"] {
        assert_eq!(quote(&asha, code, json!({&rice: 1})).await.refusal(), refusal(409, "coupon_unknown"), "{code}");
        assert_eq!(quote(&asha, "known", json!({&rice: 1})).await.status, 200, "known codes are not counted");
    }
    let placed = place(&asha, &with_coupon(&rice, 1, 585.0, "GUESS-2")).await;
    assert_eq!(placed.refusal(), refusal(409, "coupon_unknown"));
    assert_eq!(quote(&asha, "KNOWN", json!({&rice: 1})).await.status, 429);
    assert_eq!(place(&asha, &with_coupon(&rice, 1, 528.5, "KNOWN")).await.status, 429);
    assert_eq!(place(&asha, &order_request(&rice, 1, 585.0)).await.status, 200, "orders without a coupon go on");
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(quote(&asha, "KNOWN", json!({&rice: 1})).await.status, 200);
    assert_eq!(Browser::new(&shop).post(QUOTE, &json!({"code": "KNOWN", "cartItems": {}})).await.status, 401);
}

#[sqlx::test]
async fn every_invariant_of_coupons_sees_what_breaks_it(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add(&sita, &shop, "TEN", json!({"percent": 10, "usesPerCustomer": 2, "totalUses": 2})).await;
    for _ in 0..2 {
        assert_eq!(place(&asha, &with_coupon(&rice, 1, 528.5, "TEN")).await.status, 200);
    }
    shop.assert_invariants_hold().await;
    let views: String =
        sqlx::query_scalar("SELECT pg_get_viewdef('coupon_violations')").fetch_one(&shop.db).await.unwrap();
    let free = "ALTER TABLE order_items DROP CONSTRAINT order_items_price_before_coupon;";
    let discount = "the lines of an order give exactly the discount of its coupon";
    let dearer = "no line costs more with a coupon";
    let limits = "a coupon is used within its limits";
    let breakages = [
        (discount, "UPDATE coupon_uses SET discount_paisa = discount_paisa + 1"),
        (discount, "UPDATE order_items SET price_before_coupon_paisa = NULL"),
        (discount, "DELETE FROM coupon_uses"),
        (dearer, "UPDATE order_items SET price_paisa = price_before_coupon_paisa + 1"),
        (dearer, "UPDATE order_items SET price_paisa = 0"),
        (limits, "UPDATE coupon_uses SET total_uses = 1"),
        (limits, "UPDATE coupon_uses SET uses_per_customer = 1"),
        ("a coupon is used by the buyer of the order", "UPDATE coupon_uses SET user_id = gen_random_uuid()"),
    ];
    let names: std::collections::BTreeSet<&str> = breakages.iter().map(|(invariant, _)| *invariant).collect();
    assert_eq!(views.matches("UNION ALL").count() + 1, names.len(), "a new invariant wants its line here");
    for (invariant, statement) in breakages {
        shop.assert_violation_detected(invariant, &format!("{free} {statement}")).await;
    }
    shop.assert_invariants_hold().await;
}

fn random_case(rng: &mut Rng) -> (Value, String) {
    let paisa = |rng: &mut Rng, below: u64| i64::try_from(rng.below(below)).unwrap();
    let most_price = rng.one_of(&[10, 1_000, 60_000]);
    let lines: Vec<(Paisa, i32)> = (0..=rng.below(5))
        .map(|_| (Paisa(paisa(rng, most_price)), 1 + i32::try_from(rng.below(12)).unwrap()))
        .collect();
    let share = Discount::Percent { percent: 1 + i32::try_from(rng.below(90)).unwrap(), most: None };
    let discount = match (rng.below(3), share) {
        (0, _) => Discount::Amount(Paisa(1 + paisa(rng, 50_000))),
        (1, Discount::Percent { percent, .. }) => {
            Discount::Percent { percent, most: Some(Paisa(1 + paisa(rng, 20_000))) }
        }
        _ => share,
    };
    let charged = discounted_prices(discount, &lines);
    let given: i64 =
        lines.iter().zip(&charged).map(|((price, quantity), now)| (price.0 - now.0) * i64::from(*quantity)).sum();
    let prices: Vec<String> = charged.iter().map(|price| price.0.to_string()).collect();
    let terms = match discount {
        Discount::Amount(amount) => json!({"amount": amount.0}),
        Discount::Percent { percent, most } => json!({"percent": percent, "most": most.map(|most| most.0)}),
    };
    let mut told = terms;
    told["lines"] = lines.iter().map(|(price, quantity)| json!({"price": price.0, "q": quantity})).collect();
    (told, format!("{} {given}", prices.join(",")))
}

#[sqlx::test]
async fn random_carts_agree_with_the_second_opinion(db: PgPool) {
    let (cases, seed) = (number("HISTORIES", 20_000) / 10, number("SEED", 20_261_119));
    sqlx::raw_sql(include_str!("coupons.sql")).execute(&db).await.unwrap();
    let mut rng = Rng(seed);
    let cases: Vec<(Value, String)> = (0..cases).map(|_| random_case(&mut rng)).collect();
    let told: Vec<Value> = cases.iter().map(|(told, _)| told.clone()).collect();
    let theirs: Vec<String> = sqlx::query_scalar(
        "SELECT coupon_oracle(told) FROM unnest($1::jsonb[]) WITH ORDINALITY c (told, place) ORDER BY place",
    )
    .bind(&told)
    .fetch_all(&db)
    .await
    .unwrap();
    for ((told, ours), theirs) in cases.iter().zip(&theirs) {
        assert_eq!(ours, theirs, "{told}");
    }
    report_figure(&format!("coupons: {} random carts agree with the second opinion", cases.len()));
}
