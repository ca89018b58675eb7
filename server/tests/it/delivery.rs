//! Delivery zones, windows and closed days, and the orders that are placed for them.

use chrono::{Days, NaiveDate, TimeDelta};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::clock;
use thunse::platform::tokens;
use uuid::Uuid;

use crate::addresses::home_address;
use crate::orders::{asha, order_request, set_status, sita, with_field};
use crate::support::mailbox::Mailbox;
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, TestResponse, TestShop, queue, refusal};

const OPTIONS: &str = "/api/delivery/options";
const ADD_ZONE: &str = "/api/delivery/add_zone";
const RULES: &str = "/api/delivery/get_delivery_rules";

/// A window on all days from midnight to midnight, for which orders are accepted until it begins.
fn window(capacity: i32) -> Value {
    json!({"weekdays": [0, 1, 2, 3, 4, 5, 6], "starts": "00:00", "ends": "23:59", "cutoffMinutes": 0, "capacity": capacity})
}

/// Kathmandu without its wards from 20 on, for 50 rupees; orders start at 300 rupees.
fn city(windows: &[Value]) -> Value {
    let wards: Vec<i32> = (1..20).collect();
    json!({"name": "City", "nameNe": "सहर", "fee": 50, "freeAbove": 2000, "minimum": 300, "isActive": true,
           "areas": [{"district": "Kathmandu", "municipality": "Kathmandu", "wards": wards}], "windows": windows})
}

/// All of Lalitpur, for 80 rupees, which is never free.
fn ring() -> Value {
    json!({"name": "Ring", "fee": 80, "minimum": 0, "isActive": true, "windows": [],
           "areas": [{"district": "Lalitpur", "municipality": "Lalitpur"}]})
}

async fn add_zone(seller: &Browser<'_>, zone: &Value) -> Value {
    let added = seller.post(ADD_ZONE, zone).await;
    assert_eq!(added.status, 200, "{}", added.text);
    added.json()["data"].clone()
}

/// Adds an address and returns its id.
async fn add_address(shopper: &Browser<'_>, district: &str, municipality: &str, ward: &str) -> String {
    let mut address = home_address();
    address["district"] = json!(district);
    address["municipality"] = json!(municipality);
    address["ward"] = json!(ward);
    let added = shopper.post("/api/address/add_address", &address).await;
    added.json()["data"]["_id"].as_str().unwrap().to_owned()
}

fn order_to(address: &str, product: &str, quantity: i64, total: f64) -> Value {
    with_field(order_request(product, quantity, total), "addressId", json!(address))
}

fn today(shop: &TestShop) -> NaiveDate {
    clock::nepal_date(shop.app.clock.now())
}

fn slots(answer: &TestResponse) -> Vec<(String, i64)> {
    let options = answer.json();
    let days = options["data"]["days"].as_array().unwrap().clone();
    let all = days.iter().flat_map(|day| {
        let windows = day["windows"].as_array().unwrap().clone();
        windows
            .into_iter()
            .map(move |window| (day["day"].as_str().unwrap().to_owned(), window["left"].as_i64().unwrap()))
    });
    all.collect()
}

#[sqlx::test]
async fn without_a_zone_the_fee_of_the_shop_applies_everywhere(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.start_at_noon();
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let asha = asha(&shop).await;

    let options = asha.get(&format!("{OPTIONS}?municipality=Pokhara")).await.json()["data"].clone();
    assert_eq!(options["coverage"], "everywhere");
    assert_eq!((&options["fee"], &options["freeAbove"], &options["minimum"]), (&json!(20), &json!(1000), &json!(0)));
    assert_eq!((&options["days"], &options["next"]), (&json!([]), &Value::Null));

    let placed = asha.place_order(None, &order_request(&rice, 1, 133.0)).await.json()["data"].clone();
    assert_eq!((&placed["total"], placed.get("deliveryWindow")), (&json!(133), None));
    assert_eq!(placed["deliveryDate"], json!(today(&shop) + Days::new(2)));
    // A window of a page that was opened while there were zones is not ignored silently.
    let stale = with_field(order_request(&rice, 1, 133.0), "deliveryWindow", json!(Uuid::now_v7()));
    let stale = with_field(stale, "deliveryDay", json!(today(&shop)));
    assert_eq!(asha.place_order(Some("stale"), &stale).await.refusal(), refusal(409, "delivery_closed"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_zone_of_the_address_decides_about_fee_and_minimum(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 100, 1000).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add_zone(&sita, &city(&[])).await;
    add_zone(&sita, &ring()).await;

    for (district, municipality, ward, quantity, expected) in [
        ("Kathmandu", "Kathmandu", "10", 3, Ok((50, 389.0))),
        ("Kathmandu", "Kathmandu", "10", 20, Ok((50, 2310.0))),
        ("Kathmandu", "Kathmandu", "10", 21, Ok((0, 2373.0))),
        ("Kathmandu", "Kathmandu", "10", 2, Err((409, "below_minimum"))),
        ("Lalitpur", "Lalitpur", "", 1, Ok((80, 193.0))),
        ("ललितपुर", "ललितपुर", "३", 90, Ok((80, 10_250.0))),
        ("Kathmandu", "Kathmandu", "25", 5, Err((409, "outside_zones"))),
        ("Kaski", "Pokhara", "6", 5, Err((409, "outside_zones"))),
        ("Kathmandu", "Kathmandu", "", 5, Err((422, "address_incomplete"))),
        ("", "", "", 5, Err((422, "address_incomplete"))),
    ] {
        let case = format!("{municipality}-{ward} × {quantity}");
        let address = add_address(&asha, district, municipality, ward).await;
        let answer = asha.place_order(None, &order_to(&address, &rice, quantity, 99_999.0)).await;
        match expected {
            Ok((fee, total)) => {
                assert_eq!(answer.status, 200, "{case}: {}", answer.text);
                let receipt = answer.json()["data"].clone();
                assert_eq!(
                    (receipt["shippingFee"].as_i64(), receipt["total"].as_f64()),
                    (Some(fee), Some(total)),
                    "{case}"
                );
            }
            Err((status, code)) => assert_eq!(answer.refusal(), refusal(status, code), "{case}"),
        }
        assert_eq!(asha.delete(&format!("/api/address/delete_address/{address}")).await.status, 200);
    }
    // A plain line says nothing about the zone.
    let line = asha.place_order(None, &order_request(&rice, 5, 9999.0)).await;
    assert_eq!(line.refusal(), refusal(422, "address_incomplete"));
    assert_eq!(
        line.json()["message"],
        "Please complete your delivery address: choose its municipality and ward from the list."
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_refusal_says_where_the_shop_delivers_and_what_is_missing(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 100, 1000).await;
    let (mut asha, sita) = (asha(&shop).await, sita(&shop).await);
    add_zone(&sita, &city(&[])).await;
    add_zone(&sita, &ring()).await;
    let pokhara = add_address(&asha, "Kaski", "Pokhara", "6").await;
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;

    let far = asha.place_order(None, &order_to(&pokhara, &rice, 5, 9999.0)).await;
    assert_eq!(far.json()["message"], "We do not deliver to this address. We deliver to: City, Ring.");
    assert_eq!(far.json()["data"]["delivery"]["zones"][0], json!({"name": "City", "nameNe": "सहर"}));
    let small = asha.place_order(None, &order_to(&home, &rice, 1, 9999.0)).await;
    assert_eq!(
        small.json()["message"],
        "Orders to this address start at 300 rupees. Please add goods worth 200 rupees."
    );
    asha.language = "ne";
    let far = asha.place_order(None, &order_to(&pokhara, &rice, 5, 9999.0)).await;
    assert_eq!(far.json()["message"], "यस ठेगानामा हामी डेलिभरी गर्दैनौँ। हामी डेलिभरी गर्ने ठाउँ: सहर, Ring।");
    // A total without the zone's fee is refused with the new one.
    let cheap = asha.place_order(None, &order_to(&home, &rice, 5, 585.0)).await;
    assert_eq!(cheap.refusal(), refusal(409, "price_changed"));
    assert_eq!(cheap.json()["data"]["quote"], json!({"subtotal": 500, "tax": 65, "shippingFee": 50, "total": 615}));
}

#[sqlx::test]
async fn the_cart_shows_the_fee_of_the_default_address(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 100, 1000).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut cart = json!({ "cartItems": {} });
    cart["cartItems"][&rice] = json!(2);
    let quote = async || asha.post("/api/cart/update_cart", &cart).await.json()["quote"].clone();
    let specified = json!({"subtotal": 200, "tax": 26, "shippingFee": 20, "total": 246});

    assert_eq!(quote().await, specified);
    add_zone(&sita, &city(&[])).await;
    assert_eq!(quote().await, specified);
    add_address(&asha, "Kathmandu", "Kathmandu", "10").await;

    let expected = json!({"subtotal": 200, "tax": 26, "shippingFee": 50, "total": 276, "minimumMissing": 100});
    assert_eq!(quote().await, expected);
    assert_eq!(asha.get("/api/cart/get_cart").await.json()["quote"], expected);
}

#[sqlx::test]
async fn the_shopper_chooses_a_window_or_gets_the_next_free_one(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.start_at_noon();
    let rice = shop.add_product(category, "Rice", 100, 1000).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let zone = add_zone(&sita, &city(&[window(2)])).await;
    let window_id = zone["windows"][0]["_id"].clone();
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;
    let options = async || asha.get(&format!("{OPTIONS}?addressId={home}")).await;
    let (tomorrow, day_after) = (today(&shop) + Days::new(1), today(&shop) + Days::new(2));

    let before = options().await;
    assert_eq!(before.json()["data"]["zone"], json!({"name": "City", "nameNe": "सहर"}));
    assert_eq!(before.json()["data"]["next"], json!({"day": tomorrow, "window": window_id}));
    assert_eq!(slots(&before)[..2], [(tomorrow.to_string(), 2), (day_after.to_string(), 2)]);

    let order = order_to(&home, &rice, 3, 389.0);
    let chosen =
        with_field(with_field(order.clone(), "deliveryWindow", window_id.clone()), "deliveryDay", json!(day_after));
    let placed = asha.place_order(Some("a"), &chosen).await.json()["data"].clone();
    assert_eq!(placed["deliveryDate"], json!(day_after));
    assert_eq!(placed["deliveryWindow"], json!({"starts": "00:00", "ends": "23:59", "hasPlace": true}));
    for key in ["b", "c"] {
        let next = asha.place_order(Some(key), &order).await.json()["data"].clone();
        assert_eq!(next["deliveryDate"], json!(tomorrow));
    }
    // Tomorrow is full now.
    assert_eq!(slots(&options().await)[0], (day_after.to_string(), 1));
    let next = asha.place_order(Some("d"), &order).await.json()["data"].clone();
    assert_eq!(next["deliveryDate"], json!(day_after));
    let late = with_field(chosen.clone(), "deliveryDay", json!(tomorrow));
    let full = asha.place_order(Some("e"), &late).await;
    assert_eq!(full.refusal(), refusal(409, "delivery_full"));
    assert_eq!(full.json()["data"]["delivery"]["next"]["day"], json!(today(&shop) + Days::new(3)));
    // The same key with another window is another order.
    assert_eq!(asha.place_order(Some("a"), &late).await.refusal().1, "key_reused");
    assert_eq!(asha.place_order(Some("a"), &chosen).await.json()["data"]["orderId"], placed["orderId"]);

    let own = asha.get("/api/order/get_order").await.json()["data"].clone();
    assert_eq!(own.as_array().unwrap().len(), 4);
    assert_eq!(own[3]["deliveryWindow"]["starts"], "00:00");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_window_ends_at_its_cutoff_and_closed_days_move_the_offer(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.start_at_noon();
    let rice = shop.add_product(category, "Rice", 100, 1000).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut early = window(50);
    early["cutoffMinutes"] = json!(24 * 60);
    let zone = add_zone(&sita, &city(&[early])).await;
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;
    let first = async || slots(&asha.get(&format!("{OPTIONS}?addressId={home}")).await)[0].0.clone();
    let day = |days| (today(&shop) + Days::new(days)).to_string();

    assert_eq!(first().await, day(2));
    let chosen = with_field(order_to(&home, &rice, 3, 389.0), "deliveryWindow", zone["windows"][0]["_id"].clone());
    for past in [0, 1, 61] {
        let late = with_field(chosen.clone(), "deliveryDay", json!(day(past)));
        assert_eq!(asha.place_order(None, &late).await.refusal(), refusal(409, "delivery_closed"), "{past}");
    }
    let closed = sita.post("/api/delivery/add_closed_day", &json!({"day": day(2), "reason": "Tihar"})).await;
    assert_eq!(closed.status, 200, "{}", closed.text);
    assert_eq!(first().await, day(3));
    let on_closed = with_field(chosen.clone(), "deliveryDay", json!(day(2)));
    assert_eq!(asha.place_order(None, &on_closed).await.refusal(), refusal(409, "delivery_closed"));
    let again = sita.post("/api/delivery/add_closed_day", &json!({"day": day(2)})).await;
    assert_eq!(again.refusal(), refusal(409, "already_closed"));
    let id = closed.json()["data"]["_id"].as_str().unwrap().to_owned();
    assert_eq!(sita.delete(&format!("/api/delivery/delete_closed_day/{id}")).await.status, 200);
    assert_eq!(first().await, day(2));

    // "Closed today" is a closed day like any other, and shoppers are told.
    sita.post("/api/delivery/add_closed_day", &json!({"day": day(0), "reason": "Stocktaking"})).await;
    let options = asha.get(&format!("{OPTIONS}?addressId={home}")).await.json()["data"].clone();
    assert_eq!(options["closedToday"], json!({"reason": "Stocktaking", "reasonNe": ""}));
    for weekday in 0..7 {
        sita.post("/api/delivery/add_closed_day", &json!({ "weekday": weekday })).await;
    }
    let never = asha.place_order(None, &order_to(&home, &rice, 3, 389.0)).await;
    assert_eq!(never.refusal(), refusal(409, "delivery_full"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_cancelled_order_gives_its_place_back_and_takes_it_again_if_there_is_one(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.start_at_noon();
    let rice = shop.add_product(category, "Rice", 100, 1000).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add_zone(&sita, &city(&[window(1)])).await;
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;
    let order = order_to(&home, &rice, 3, 389.0);
    let tomorrow = json!(today(&shop) + Days::new(1));
    let place = async |key| asha.place_order(Some(key), &order).await.json()["data"].clone();

    let first = place("a").await;
    asha.post("/api/order/cancel_order", &json!({"orderId": first["_id"]})).await;
    shop.assert_invariants_hold().await;
    let second = place("b").await;
    assert_eq!((&first["deliveryDate"], &second["deliveryDate"]), (&tomorrow, &tomorrow));

    // The seller reopens the first order: the window is full, so it keeps its day without a place.
    let reopened = set_status(&sita, &first["_id"], "Order Confirmed").await.json()["data"].clone();
    assert_eq!((&reopened["deliveryDate"], &reopened["deliveryWindow"]["hasPlace"]), (&tomorrow, &json!(false)));
    set_status(&sita, &second["_id"], "Cancelled").await;
    set_status(&sita, &first["_id"], "Cancelled").await;
    let reopened = set_status(&sita, &first["_id"], "Order Confirmed").await.json()["data"].clone();
    assert_eq!(reopened["deliveryWindow"]["hasPlace"], true);

    // Another day is another place; a full one is the seller's decision.
    let third = place("c").await;
    let day_after = json!(today(&shop) + Days::new(2));
    assert_eq!(third["deliveryDate"], day_after);
    let body = |date: &Value| json!({"orderId": first["_id"], "deliveryDate": date});
    let moved = sita.put("/api/order/update_order_status", &body(&day_after)).await.json()["data"].clone();
    assert_eq!((&moved["deliveryDate"], &moved["deliveryWindow"]["hasPlace"]), (&day_after, &json!(false)));
    let back = sita.put("/api/order/update_order_status", &body(&tomorrow)).await.json()["data"].clone();
    assert_eq!(back["deliveryWindow"]["hasPlace"], true);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_unpaid_order_loses_its_place_with_its_stock(db: PgPool) {
    let wallet = Wallet::start();
    let settings = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    // The windows of the next day are others.
    shop.start_at_noon();
    let rice = shop.add_product(category, "Rice", 100, 1000).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    add_zone(&sita, &city(&[window(1)])).await;
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;
    let online = with_field(order_to(&home, &rice, 3, 389.0), "paymentMethod", json!("Khalti"));

    let unpaid = asha.place_online_order(Some("a"), &online).await.json()["data"].clone();
    let booked: i32 = sqlx::query_scalar("SELECT booked FROM delivery_slots").fetch_one(&shop.db).await.unwrap();
    assert_eq!(booked, 1);
    // A hold lasts for the hour of the link and a quarter of an hour more.
    shop.app.clock.advance(TimeDelta::minutes(76));
    queue::add_job(&shop.db, "orders.maintain_payments", &json!({})).await;
    shop.run_jobs().await;
    shop.assert_invariants_hold().await;
    let order = asha.get("/api/order/get_order").await.json()["data"][0].clone();
    assert_eq!(order["deliveryWindow"]["hasPlace"], false);

    // Bina takes the place, so the order can no longer be paid for that window.
    let bina = Browser::new(&shop);
    bina.register("bina@example.com").await;
    let hers = add_address(&bina, "Kathmandu", "Kathmandu", "10").await;
    let chosen = with_field(order_to(&hers, &rice, 3, 389.0), "deliveryDay", unpaid["deliveryDate"].clone());
    let window = asha.get(&format!("{OPTIONS}?addressId={home}")).await.json()["data"]["next"]["window"].clone();
    assert_eq!(bina.place_order(None, &with_field(chosen, "deliveryWindow", window)).await.status, 200);
    let again = asha.post("/api/order/pay_order", &json!({"orderId": unpaid["_id"]})).await;
    assert_eq!(again.refusal(), refusal(409, "delivery_full"), "{}", again.text);
    shop.assert_invariants_hold().await;
}

/// Copies of Asha with an address each, and the tokens of their sessions.
async fn add_shoppers(shop: &TestShop, count: usize) -> Vec<(String, Uuid)> {
    let mut people = Vec::new();
    for number in 0..count {
        let (token, address) = (tokens::generate().unwrap(), Uuid::now_v7());
        sqlx::query(
            "WITH person AS (
                 INSERT INTO users (id, email, name, phone) SELECT gen_random_uuid(), 'shopper' || $1 || '@example.com', name, phone
                 FROM users WHERE email = 'asha@example.com' RETURNING id
             ), signed_in AS (
                 INSERT INTO sessions (id, kind, person, token_hash, expires_at, device, authenticated_at, must_change_password,
                                       ip, created_at, rotated_at, last_seen_at)
                 SELECT gen_random_uuid(), s.kind, person.id, $2, s.expires_at, s.device, s.authenticated_at,
                        s.must_change_password, s.ip, s.created_at, s.rotated_at, s.last_seen_at
                 FROM person, sessions s JOIN users u ON u.id = s.person WHERE u.email = 'asha@example.com'
             )
             INSERT INTO addresses (id, user_id, label, phone, street, city, state, country, pincode, district, municipality, ward, is_default)
             SELECT $3, person.id, a.label, a.phone, a.street, a.city, a.state, a.country, a.pincode, a.district, a.municipality, a.ward, true
             FROM person, addresses a JOIN users u ON u.id = a.user_id WHERE u.email = 'asha@example.com'",
        )
        .bind(i32::try_from(number).unwrap())
        .bind(tokens::hash(&token))
        .bind(address)
        .execute(&shop.db)
        .await
        .unwrap();
        people.push((token, address));
    }
    people
}

#[sqlx::test]
async fn two_hundred_shoppers_for_the_last_twenty_places_of_a_window(db: PgPool) {
    let (one, category) = TestShop::with_category(db.clone()).await;
    let two = TestShop::with(db, &GENEROUS_LIMITS);
    let rice = one.add_product(category, "Rice", 100, 10_000).await;
    let (asha, sita) = (asha(&one).await, sita(&one).await);
    let zone = add_zone(&sita, &city(&[window(25)])).await;
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;
    let chosen = |address: &str| {
        let order = with_field(order_to(address, &rice, 3, 389.0), "deliveryWindow", zone["windows"][0]["_id"].clone());
        with_field(order, "deliveryDay", json!(today(&one) + Days::new(1)))
    };
    for key in ["a", "b", "c", "d", "e"] {
        assert_eq!(asha.place_order(Some(key), &chosen(&home)).await.status, 200);
    }

    let people = add_shoppers(&one, 200).await;
    let browsers: Vec<Browser<'_>> = people
        .iter()
        .enumerate()
        .map(|(number, (token, _))| {
            let browser = Browser::new(if number.is_multiple_of(2) { &one } else { &two });
            browser.cookies.borrow_mut().insert("__Host-sid".to_owned(), token.clone());
            browser
        })
        .collect();
    let orders: Vec<Value> = people.iter().map(|(_, address)| chosen(&address.to_string())).collect();
    let answers =
        join_all(browsers.iter().zip(&orders).map(|(browser, order)| browser.place_order(Some("k"), order))).await;

    let placed = answers.iter().filter(|answer| answer.status == 200).count();
    let full = answers.iter().filter(|answer| answer.refusal() == refusal(409, "delivery_full")).count();
    assert_eq!((placed, full), (20, 180));
    let booked: i32 = sqlx::query_scalar("SELECT booked FROM delivery_slots").fetch_one(&one.db).await.unwrap();
    assert_eq!((booked, one.count("orders").await), (25, 25));
    assert_eq!(one.stock(&rice).await, 10_000 - 25 * 3);
    one.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_seller_edits_zones_and_every_change_is_in_the_audit_log(db: PgPool) {
    let (shop, _) = TestShop::with_category(db.clone()).await;
    let elsewhere = TestShop::with(db, &[]);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;
    let zone = add_zone(&sita, &city(&[window(5)])).await;
    let path = format!("/api/delivery/update_zone/{}", zone["_id"].as_str().unwrap());

    let mut dearer = zone.clone();
    dearer["fee"] = json!(60.5);
    dearer["areas"] = json!([{"district": "Kathmandu", "municipality": "Kathmandu"}]);
    let updated = sita.put(&path, &dearer).await;
    assert_eq!(updated.status, 200, "{}", updated.text);
    let updated = updated.json()["data"].clone();
    assert_eq!((&updated["fee"], &updated["areas"][0]["wards"]), (&json!(60.5), &Value::Null));
    assert_eq!(updated["windows"], zone["windows"]);
    let options = asha.get(&format!("{OPTIONS}?addressId={home}")).await.json()["data"].clone();
    assert_eq!(options["fee"], 60.5);
    // An edit of the older version is refused with the current one.
    let stale = sita.put(&path, &dearer).await;
    assert_eq!((stale.refusal(), &stale.json()["data"]), (refusal(409, "zone_changed"), &updated));

    // A ward belongs to one zone.
    let mut other = ring();
    other["areas"] = json!([{"district": "Kathmandu", "municipality": "Kathmandu", "wards": [10, 11]}]);
    let taken = sita.post(ADD_ZONE, &other).await;
    assert_eq!(taken.refusal(), refusal(409, "area_taken"));
    assert_eq!(taken.json()["message"], "Ward 10 of Kathmandu is already in the zone “City”.");
    other["areas"] = json!([{"district": "Kathmandu", "municipality": "Springfield"}]);
    assert_eq!(sita.post(ADD_ZONE, &other).await.refusal(), refusal(422, "field_invalid"));

    let gone = format!("/api/delivery/delete_zone/{}", zone["_id"].as_str().unwrap());
    assert_eq!(sita.delete(&gone).await.status, 200);
    assert_eq!(sita.delete(&gone).await.refusal(), refusal(404, "zone_not_found"));
    assert_eq!(sita.get(RULES).await.json()["data"]["zones"], json!([]));
    sita.post("/api/delivery/add_closed_day", &json!({"weekday": 6, "reason": "Saturday"})).await;
    for odd in
        [json!({}), json!({"weekday": 7}), json!({"day": "2026-11-17", "weekday": 1}), json!({"day": "9999-01-01"})]
    {
        assert_eq!(
            sita.post("/api/delivery/add_closed_day", &odd).await.refusal(),
            refusal(422, "field_invalid"),
            "{odd}"
        );
    }

    let log: Vec<(String, String, String)> =
        sqlx::query_as("SELECT action, before, after FROM audit_log WHERE action LIKE 'delivery.%' ORDER BY id")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    let actions: Vec<&str> = log.iter().map(|(action, _, _)| action.as_str()).collect();
    assert_eq!(actions, ["delivery.zone_add", "delivery.zone_update", "delivery.zone_delete", "delivery.closed_add"]);
    assert!(log[1].1.starts_with("deliveryFee: 50; zoneAreas: Kathmandu 1 2 3"), "{}", log[1].1);
    assert!(log[1].2.starts_with("deliveryFee: 60.50; zoneAreas: Kathmandu 1 2 3"), "{}", log[1].2);
    // Another instance reads what was written, too.
    assert_eq!(elsewhere.count("delivery_closed_days").await, 1);
}

#[sqlx::test]
async fn notes_and_wishes_are_shown_to_the_shop_and_the_rider(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let category = shop.add_category("Staples").await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 100, 1000).await, shop.add_product(category, "Oil", 100, 1000).await);
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut morning = window(5);
    (morning["starts"], morning["ends"]) = (json!("07:00"), json!("09:30"));
    add_zone(&sita, &city(&[morning])).await;
    let home = add_address(&asha, "Kathmandu", "Kathmandu", "10").await;
    let mut order = order_to(&home, &rice, 2, 502.0);
    order["items"] = json!([{"id": rice, "quantity": 2, "ifUnavailable": "call"}, {"id": oil, "quantity": 2}]);
    order["noteShop"] = json!("  ripe\nmangoes ");
    order["noteRider"] = json!("blue gate");
    order["ifUnavailable"] = json!("leave_out");

    let placed = asha.place_order(None, &order).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    let own = asha.get("/api/order/get_order").await.json()["data"][0].clone();
    assert_eq!((&own["noteShop"], &own["noteRider"]), (&json!("ripe mangoes"), &json!("blue gate")));
    assert_eq!((&own["ifUnavailable"], &own["items"][0]["ifUnavailable"]), (&json!("leave_out"), &json!("call")));
    assert_eq!(own["items"][1].get("ifUnavailable"), None);
    assert_eq!(sita.get("/api/order/get_orders").await.json()["data"][0]["noteShop"], "ripe mangoes");
    let day = own["deliveryDate"].as_str().unwrap();
    let sheet =
        sita.get(&format!("/api/order/get_delivery_sheet?date={day}&status=Order Placed").replace(' ', "%20")).await;
    let stop = sheet.json()["data"]["stops"][0]["orders"][0].clone();
    assert_eq!((&stop["deliveryHours"], &stop["noteRider"]), (&json!("07:00–09:30"), &json!("blue gate")));
    shop.run_jobs().await;
    let emails = mailbox.emails("asha@example.com").await;
    assert!(emails.iter().any(|email| email.to_string().contains("07:00–09:30")), "{emails:?}");

    for (field, value, code) in [
        ("noteShop", json!("न".repeat(301)), "note_invalid"),
        ("noteRider", json!("see www.example.com"), "link_in_text"),
        ("ifUnavailable", json!("burn"), "choice_invalid"),
    ] {
        let answer = asha.place_order(Some("odd"), &with_field(order.clone(), field, value)).await;
        assert_eq!(answer.refusal(), refusal(422, code), "{field}");
    }
    // A finished order of a deleted account loses its notes.
    set_status(&sita, &own["_id"], "Delivered").await;
    shop.sql("UPDATE orders SET buyer_deleted = true").await;
    set_status(&sita, &own["_id"], "Delivered").await;
    let order = sita.get("/api/order/get_orders").await.json()["data"][0].clone();
    assert_eq!((order.get("noteShop"), order.get("noteRider")), (None, None));
    shop.assert_invariants_hold().await;
}
