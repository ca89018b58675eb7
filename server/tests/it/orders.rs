//! Placing an order, listing orders and changing them.

use std::collections::BTreeSet;
use std::time::Duration;

use axum::body::Body;
use chrono::TimeDelta;
use futures_util::future::join_all;
use http::Method;
use http_body_util::BodyExt;
use image::ImageFormat;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::language::Language;
use thunse::platform::numerals::localize_digits;
use thunse::platform::permissions::Role;
use thunse::staff;

use crate::addresses::home_address;
use crate::media::sample_images;
use crate::serve::{BLOCKED_STATEMENTS, wait_for_count};
use crate::support::mailbox::Mailbox;
use crate::support::{Browser, TestResponse, TestShop};

const OWN: &str = "/api/order/get_order";
const ALL: &str = "/api/order/get_orders";
const CANCEL: &str = "/api/order/cancel_order";
const STATUS: &str = "/api/order/update_order_status";

/// The request of the checkout page for one product; the total is the one that the shopper saw.
pub fn order_request(product: &str, quantity: i64, total: f64) -> Value {
    json!({"items": [{"id": product, "quantity": quantity}], "address": "Mitra Marg, Kathmandu", "totalAmount": total,
           "shippingFee": 20, "tax": 0, "paymentMethod": "COD", "name": "Asha Rai", "email": "asha@example.com",
           "phone": "9801234567"})
}

pub fn with_field(mut request: Value, name: &str, value: Value) -> Value {
    request[name] = value;
    request
}

pub async fn asha(shop: &TestShop) -> Browser<'_> {
    shopper(shop, "asha@example.com").await
}

pub async fn shopper<'a>(shop: &'a TestShop, email: &str) -> Browser<'a> {
    let browser = Browser::new(shop);
    assert_eq!(browser.register(email).await.status, 200);
    browser
}

pub async fn sita(shop: &TestShop) -> Browser<'_> {
    const PASSWORD: &str = "a shelf of mustard oil";
    staff::create(&shop.app, "sita@example.com", "Sita", Role::Owner, Some(PASSWORD.to_owned())).await.unwrap();
    let browser = Browser::new(shop);
    let login = browser.post("/api/seller/login", &json!({"email": "sita@example.com", "password": PASSWORD})).await;
    assert_eq!(login.status, 200);
    browser
}

pub async fn set_status(seller: &Browser<'_>, order: &Value, status: &str) -> TestResponse {
    seller.put(STATUS, &json!({"orderId": order, "status": status})).await
}

// spec: 3.order.1, 4.cart.11, 7.shopper.5, 7.shopper.6
#[sqlx::test]
async fn an_order_is_placed_with_all_that_belongs_to_it(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 250, 10).await, shop.add_product(category, "Oil", 501, 4).await);
    let asha = asha(&shop).await;
    asha.post("/api/cart/update_cart", &json!({"cartItems": {&rice: 5, &oil: 1}})).await;

    let mut order = order_request(&rice, 2, 1131.13);
    order["items"] = json!([{"id": rice, "quantity": 2}, {"id": oil, "quantity": 1}]);
    let placed = asha.place_order(Some("k-1"), &order).await;

    assert_eq!(placed.status, 200, "{}", placed.text);
    let answer = placed.json();
    assert_eq!(answer["message"], "Order placed successfully!");
    let receipt = &answer["data"];
    let figures = ["subtotal", "tax", "shippingFee", "total"].map(|name| receipt[name].to_string());
    assert_eq!(figures, ["1001", "130.13", "0", "1131.13"]);
    assert_eq!((shop.stock(&rice).await, shop.stock(&oil).await), (8, 3));
    let cart = asha.get("/api/cart/get_cart").await.json();
    assert_eq!(cart["data"], json!({&rice: 3}), "what was ordered has left the cart, the rest has not");

    let listed = asha.get(OWN).await.json();
    let order = &listed["data"][0];
    for field in ["_id", "orderId", "trackingNumber", "deliveryDate", "status", "paymentMethod", "total"] {
        assert_eq!(order[field], receipt[field], "{field}");
    }
    assert_eq!((&order["status"], &order["paymentMethod"]), (&json!("Order Placed"), &json!("COD")));
    assert_eq!(order["userId"]["address"], "Mitra Marg, Kathmandu");
    assert_eq!(
        order["items"][0],
        json!({"_id": rice, "name": "Rice", "nameNe": null, "image": null, "imageSet": null,
                                          "price": 250, "quantity": 2})
    );
    assert_eq!(order["timeline"][0]["status"], "Order Placed");
    assert_eq!((order["canCancel"].as_bool(), &order["attention"]), (Some(true), &json!([])));
    let code = order["orderId"].as_str().unwrap();
    assert!(code.len() == 10 && !code.contains(['0', 'O', '1', 'I', 'L', 'U']), "{code}");
    shop.assert_invariants_hold().await;
}

// spec: 3.order.1, 3.order.2, 3.order.3, 3.order.4, 7.shopper.5, 7.seller.7
#[sqlx::test]
async fn shopper_and_seller_read_every_field_of_an_order(db: PgPool) {
    let worker = ("PICTURE_WORKER", env!("CARGO_BIN_EXE_thunse"));
    let (shop, category) = TestShop::with_category_and(db, &[worker]).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let photo = sample_images::encode(&sample_images::two_halves(300, 200), ImageFormat::Png);
    sita.send_form(Method::PUT, "/api/product/update_product/rice", &[], Some(&photo)).await;
    asha.place_order(Some("k"), &order_request(&rice, 2, 1150.0)).await;

    for list in [asha.get(OWN).await.json(), sita.get(ALL).await.json()] {
        assert_eq!(list["success"], true);
        let order = &list["data"][0];
        for field in ["_id", "orderId", "date", "status", "paymentMethod", "trackingNumber", "deliveryDate"] {
            assert!(order[field].as_str().is_some_and(|text| !text.is_empty()), "{field}: {}", order[field]);
        }
        assert_eq!(order["total"], 1150);
        let whom = &order["userId"];
        assert_eq!(
            (&whom["name"], &whom["email"], &whom["address"]),
            (&json!("Asha Rai"), &json!("asha@example.com"), &json!("Mitra Marg, Kathmandu"))
        );
        let item = &order["items"][0];
        assert_eq!((&item["_id"], &item["name"]), (&json!(rice), &json!("Rice")));
        assert_eq!((&item["price"], &item["quantity"]), (&json!(500), &json!(2)));
        assert_eq!(shop.get(item["image"].as_str().unwrap()).await.status, 200);
        for field in ["_id", "status", "date"] {
            assert!(order["timeline"][0][field].is_string(), "timeline: {field}");
        }
    }
}

#[sqlx::test]
async fn an_order_keeps_its_own_copy_of_what_was_bought(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let asha = asha(&shop).await;
    asha.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await;

    shop.sql("UPDATE products SET name = 'Dearer rice', price_paisa = 99900, archived_at = now()").await;

    let order = asha.get(OWN).await.json()["data"][0].clone();
    assert_eq!((&order["items"][0]["name"], &order["items"][0]["price"]), (&json!("Rice"), &json!(500)));
    assert_eq!(order["total"], 585);
}

/// The person who packs the order must know whether it is the 1 kg or the 5 kg pack.
#[sqlx::test]
async fn an_order_line_keeps_the_pack_size_it_was_bought_in(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = TestShop::with_category_and(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let (flour, salt) =
        (shop.add_product(category, "Flour", 500, 50).await, shop.add_product(category, "Salt", 50, 50).await);
    shop.sql(
        "UPDATE products SET pack_milli = 5000, pack_measure = 'kg', pack_label = '5 kg sack', pack_label_ne = '५ केजी बोरा'
         WHERE name = 'Flour'",
    )
    .await;
    let mut asha = asha(&shop).await;
    let sita = sita(&shop).await;
    let both = json!([{"id": flour, "quantity": 2}, {"id": salt, "quantity": 1}]);
    asha.place_order(Some("en"), &with_field(order_request(&flour, 1, 2000.0), "items", both.clone())).await;
    asha.language = "ne";
    asha.place_order(Some("ne"), &with_field(order_request(&flour, 1, 2000.0), "items", both)).await;

    shop.sql("UPDATE products SET pack_label = '1 kg', pack_label_ne = '१ केजी' WHERE name = 'Flour'").await;

    for list in [asha.get(OWN).await.json(), sita.get(ALL).await.json()] {
        let items = &list["data"][0]["items"];
        assert_eq!(
            (&items[0]["packLabel"], &items[0]["packLabelNe"]),
            (&json!("5 kg sack"), &json!("५ केजी बोरा")),
            "{items}"
        );
        assert!(items[1].get("packLabel").is_none() && items[1].get("packLabelNe").is_none(), "{items}");
    }
    shop.run_jobs().await;
    let emails: Vec<String> = mailbox
        .emails("asha@example.com")
        .await
        .iter()
        .map(|email| format!("{} {}", email["text"].as_str().unwrap(), email["html"].as_str().unwrap()))
        .collect();
    for line in ["2 × Flour (5 kg sack): Rs. 1000.00", "1 × Salt: Rs. 50.00", "२ × Flour (५ केजी बोरा)"]
    {
        assert!(emails.iter().any(|email| email.contains(line)), "{line}: {emails:?}");
    }
}

#[sqlx::test]
async fn one_key_is_one_order_however_often_it_is_sent(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    // There is enough for one order only, and the repeated requests must not be answered with sold out.
    let rice = shop.add_product(category, "Rice", 500, 1).await;
    let asha = asha(&shop).await;
    let order = order_request(&rice, 1, 585.0);

    let answers = join_all((0..50).map(|_| asha.place_order(Some("same"), &order))).await;

    let texts: BTreeSet<&str> = answers.iter().map(|answer| answer.text.as_str()).collect();
    assert!(texts.len() == 1 && answers[0].status == 200, "{texts:?}");
    assert_eq!((shop.count("orders").await, shop.stock(&rice).await), (1, 0));
    let other = asha.place_order(Some("same"), &with_field(order.clone(), "name", json!("Somebody else"))).await;
    assert_eq!(other.refusal(), (422, "key_reused".to_owned()));
    let asked = async |browser: &Browser<'_>, key: &str| {
        let request = browser.request(Method::GET, "/api/order/get_order_placement").header("idempotency-key", key);
        shop.send(request.body(Body::empty()).unwrap()).await.json()["data"]["receipt"].clone()
    };
    assert_eq!(asked(&asha, "same").await, answers[0].json()["data"], "whoever lost the answer may ask for it");
    assert_eq!(asked(&asha, "never-sent").await, json!(null));
    // The same key of another shopper is a different key.
    let bina = shopper(&shop, "bina@example.com").await;
    assert_eq!(bina.place_order(Some("same"), &order).await.refusal().1, "out_of_stock");
    assert_eq!(asked(&bina, "same").await, json!(null));
    assert_eq!(shop.count("orders").await, 1, "asking places nothing");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn whoever_asks_while_the_order_is_being_committed_waits_for_it(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let asha = asha(&shop).await;
    let mut committing = shop.db.begin().await.unwrap();
    sqlx::query(
        r#"INSERT INTO idempotency_keys (user_id, key, request_hash, order_id, response, created_at)
           SELECT id, 'k', '', id, '{"orderId": "UNDERWAY"}', now() FROM users WHERE email = 'asha@example.com'"#,
    )
    .execute(&mut *committing)
    .await
    .unwrap();

    let request = asha.request(Method::GET, "/api/order/get_order_placement").header("idempotency-key", "k");
    let mut asking = Box::pin(shop.send(request.body(Body::empty()).unwrap()));
    tokio::select! {
        _ = &mut asking => panic!("it was answered before the order was committed"),
        () = wait_for_count(&shop.db, BLOCKED_STATEMENTS, 1) => {}
    }
    committing.commit().await.unwrap();

    assert_eq!(asking.await.json()["data"]["receipt"]["orderId"], "UNDERWAY");
}

#[sqlx::test]
async fn who_has_left_places_nothing(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;

    // This simulates that the account is deleted after the session was checked.
    shop.sql("UPDATE users SET deleted_at = now()").await;
    let answer = asha.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await;

    assert_eq!((answer.status.as_u16(), shop.count("orders").await, shop.stock(&rice).await), (503, 0, 5));
}

#[sqlx::test]
async fn without_a_key_the_same_order_within_ten_seconds_is_the_same(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let asha = asha(&shop).await;
    let order = order_request(&rice, 1, 585.0);

    let answers = join_all((0..8).map(|_| asha.place_order(None, &order))).await;
    assert!(answers.iter().all(|answer| answer.text == answers[0].text && answer.status == 200));
    assert_eq!(shop.count("orders").await, 1);

    shop.sql("UPDATE idempotency_keys SET created_at = created_at - interval '11 seconds'").await;
    let later = asha.place_order(None, &order).await;
    assert!(later.status == 200 && later.text != answers[0].text);
    assert_eq!((shop.count("orders").await, shop.stock(&rice).await), (2, 8));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_hundred_buyers_for_ten_units(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 100, 10).await, shop.add_product(category, "Oil", 100, 1000).await);
    let asha = asha(&shop).await;
    let order = |n: usize| {
        // Half of the orders list the products in reverse, which would deadlock if locks were taken in that order.
        let mut items = vec![json!({"id": rice, "quantity": 1}), json!({"id": oil, "quantity": 1})];
        if n.is_multiple_of(2) {
            items.reverse();
        }
        with_field(order_request(&rice, 1, 246.0), "items", json!(items))
    };

    let keys: Vec<String> = (0..100).map(|n| format!("k{n}")).collect();
    let orders: Vec<Value> = (0..100).map(order).collect();
    let answers = join_all(keys.iter().zip(&orders).map(|(key, order)| asha.place_order(Some(key), order))).await;

    let placed = answers.iter().filter(|answer| answer.status == 200).count();
    let refused = answers.iter().filter(|answer| answer.refusal() == (409, "out_of_stock".to_owned())).count();
    let busy = answers.iter().filter(|answer| answer.status == 503).count();
    assert_eq!(placed + refused + busy, 100);
    // A hundred orders of one shopper at the same time may block each other, but no unit is sold twice.
    assert_eq!(i64::try_from(placed).unwrap(), shop.count("orders").await);
    assert_eq!(shop.stock(&rice).await, 10 - i32::try_from(placed).unwrap());
    assert!(placed > 0 && placed <= 10);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_changed_between_cart_and_order_has_its_answer(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    let order = order_request(&rice, 1, 585.0);

    // If the price has risen, the order is refused with the new total.
    shop.sql("UPDATE products SET price_paisa = 60000").await;
    let dearer = asha.place_order(Some("k"), &order).await;
    assert_eq!(dearer.refusal(), (409, "price_changed".to_owned()));
    assert_eq!(dearer.json()["data"]["quote"], json!({"subtotal": 600, "tax": 78, "shippingFee": 20, "total": 698}));
    assert_eq!(dearer.json()["message"], "The price has changed. Please check the new total and order again.");
    // A total that the client made up is refused in the same way.
    assert_eq!(asha.place_order(Some("k"), &order_request(&rice, 1, 1.0)).await.refusal().1, "price_changed");
    // If the price has fallen, the order is placed at the shop's total, whatever the client says about tax and
    // shipping.
    shop.sql("UPDATE products SET price_paisa = 40000").await;
    let cheaper = with_field(with_field(order.clone(), "tax", json!(0)), "shippingFee", json!(-20));
    assert_eq!(asha.place_order(Some("cheaper"), &cheaper).await.json()["data"]["total"], 472);

    shop.sql("UPDATE products SET price_paisa = 50000").await;
    let five = asha.place_order(Some("k"), &order_request(&rice, 5, 5000.0)).await;
    assert_eq!(five.refusal(), (409, "out_of_stock".to_owned()));
    assert_eq!(five.json()["message"], "Only 4 left of Rice.");
    assert_eq!(five.json()["data"]["products"][0]["available"], 4);
    // The same product on two lines is counted together, although each line alone would fit.
    let twice = json!([{"id": rice, "quantity": 3}, {"id": rice, "quantity": 2}]);
    assert_eq!(
        asha.place_order(Some("k"), &with_field(order_request(&rice, 1, 5000.0), "items", twice)).await.refusal().1,
        "out_of_stock"
    );

    for odd in [json!(0), json!(-1), json!(100), json!(1.5), json!("2"), json!(1e9), json!(null)] {
        let forged = with_field(order.clone(), "items", json!([{"id": rice, "quantity": odd}]));
        let answer = asha.place_order(Some("k"), &forged).await;
        assert!(matches!(answer.status.as_u16(), 400 | 422), "{odd}: {}", answer.text);
    }
    assert_eq!(
        asha.place_order(Some("k"), &with_field(order.clone(), "totalAmount", json!(-1))).await.refusal().1,
        "total_invalid"
    );
    assert_eq!(
        asha.place_order(Some("k"), &with_field(order.clone(), "address", json!("  "))).await.refusal(),
        (422, "address_required".to_owned())
    );
    assert_eq!(
        asha.place_order(Some("k"), &with_field(order.clone(), "paymentMethod", json!("Khalti"))).await.refusal().1,
        "method_invalid"
    );
    assert_eq!(
        asha.place_order(Some("k"), &with_field(order.clone(), "address", json!("x".repeat(601)))).await.refusal().1,
        "field_too_long"
    );

    shop.sql("UPDATE products SET archived_at = now()").await;
    let gone = asha.place_order(Some("k"), &order).await;
    assert_eq!(
        (gone.refusal().1.as_str(), &gone.json()["message"]),
        ("product_gone", &json!("Rice is no longer sold."))
    );
    let unknown = order_request("019a0000-0000-7000-8000-000000000001", 1, 585.0);
    assert_eq!(asha.place_order(Some("k"), &unknown).await.refusal(), (409, "product_gone".to_owned()));

    asha.get("/api/user/logout").await;
    assert_eq!(asha.place_order(Some("k"), &order).await.refusal(), (401, "signed_out".to_owned()));
    assert_eq!(shop.count("orders").await, 1);
    assert_eq!(shop.count("idempotency_keys").await, 1, "a refusal leaves nothing behind");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_goes_to_an_address_of_ones_own(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let (asha, bina) = (asha(&shop).await, shopper(&shop, "bina@example.com").await);
    let mut entry = home_address();
    entry["landmark"] = json!("near the temple");
    entry["phone"] = json!("9811111111");
    let hers = bina.post("/api/address/add_address", &entry).await.json()["data"]["_id"].clone();

    let order = with_field(with_field(order_request(&rice, 1, 585.0), "addressId", hers), "address", json!(""));
    assert_eq!(asha.place_order(Some("k"), &order).await.refusal(), (404, "address_not_found".to_owned()));
    assert_eq!(bina.place_order(Some("k"), &order).await.status, 200);

    let delivered_to = bina.get(OWN).await.json()["data"][0]["userId"].clone();
    assert_eq!(delivered_to["address"], "Mitra Marg, near the temple, Kathmandu, Bagmati 44600, Nepal");
    assert_eq!(delivered_to["phone"], "9811111111");
    assert_eq!((shop.count("orders").await, asha.get(OWN).await.json()["data"].as_array().unwrap().len()), (1, 0));
}

#[sqlx::test]
async fn an_order_with_a_contact_that_is_none_gets_the_accounts(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    let contacts = [
        ("<script>alert(1)</script>", "call me maybe", "asha@example.com", "9801234567"),
        ("", "", "asha@example.com", "9801234567"),
        (" other@example.com ", "+977 1-4412345", "other@example.com", "014412345"),
    ];
    for (number, (email, phone, ..)) in contacts.iter().enumerate() {
        let order =
            with_field(with_field(order_request(&rice, 1, 585.0), "email", json!(email)), "phone", json!(phone));
        assert_eq!(asha.place_order(Some(&format!("key-{number}")), &order).await.status, 200, "{email}");
    }

    let stored: Vec<(String, String)> =
        sqlx::query_as("SELECT email, phone FROM orders ORDER BY created_at").fetch_all(&shop.db).await.unwrap();
    assert_eq!(stored, contacts.map(|(_, _, email, phone)| (email.to_owned(), phone.to_owned())));
}

#[sqlx::test]
async fn the_profiles_line_and_the_default_entry_are_one_place(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    let mut entry = home_address();
    entry["ward"] = json!("10");
    asha.post("/api/address/add_address", &entry).await;
    let line = asha.current_user().await.json()["data"]["address"].as_str().unwrap().replace("Mitra Marg", "Boudha 6");
    let texts = [("name", "Asha"), ("email", "asha@example.com"), ("phone", "9801234567"), ("address", line.as_str())];
    asha.send_form(http::Method::PUT, "/api/user/updateProfile", &texts, None).await;
    let default = asha.get("/api/address/get_addresses").await.json()["data"][0]["_id"].clone();

    let by_line = with_field(order_request(&rice, 1, 585.0), "address", json!(line));
    let by_entry =
        with_field(with_field(order_request(&rice, 1, 585.0), "addressId", default), "address", json!("an older line"));
    assert_eq!(asha.place_order(Some("line"), &by_line).await.status, 200);
    assert_eq!(asha.place_order(Some("entry"), &by_entry).await.status, 200);

    let places: Vec<(String, String)> =
        sqlx::query_as("SELECT address, ward FROM orders").fetch_all(&shop.db).await.unwrap();
    assert_eq!(places, vec![(line, "10".to_owned()); 2]);
}

#[sqlx::test]
async fn a_product_that_is_exempt_is_not_taxed(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, soap) =
        (shop.add_product(category, "Rice", 500, 5).await, shop.add_product(category, "Soap", 100, 5).await);
    shop.sql("UPDATE products SET tax_class = 'exempt' WHERE name = 'Rice'").await;
    let asha = asha(&shop).await;

    let both = json!([{"id": rice, "quantity": 1}, {"id": soap, "quantity": 1}]);
    let placed = asha.place_order(Some("k"), &with_field(order_request(&rice, 1, 633.0), "items", both)).await.json();

    assert_eq!((&placed["data"]["tax"], &placed["data"]["total"]), (&json!(13), &json!(633)));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_stranger_is_limited(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &[("ORDERS_PER_MINUTE", "100")]).await;
    let rice = shop.add_product(category, "Rice", 500, 500).await;
    let asha = asha(&shop).await;
    let order = order_request(&rice, 1, 585.0);

    // Ten orders are placed at the same time, each with its own key.
    let keys: Vec<String> = (0..10).map(|n| format!("k{n}")).collect();
    let answers = join_all(keys.iter().map(|key| asha.place_order(Some(key), &order))).await;

    assert_eq!(
        answers.iter().filter(|answer| answer.status == 200).count(),
        3,
        "three are open, and no fourth slips in"
    );
    assert_eq!(asha.place_order(Some("more"), &order).await.refusal(), (409, "too_many_open_orders".to_owned()));
    let orders = asha.get(OWN).await.json();
    asha.post(CANCEL, &json!({"orderId": orders["data"][0]["_id"]})).await;
    asha.post(CANCEL, &json!({"orderId": orders["data"][1]["_id"]})).await;
    assert_eq!(
        asha.place_order(Some("large"), &order_request(&rice, 50, 30_000.0)).await.refusal(),
        (409, "cash_limit".to_owned())
    );
    shop.sql("UPDATE products SET price_paisa = 500000").await;
    assert_eq!(
        asha.place_order(Some("lorry"), &order_request(&rice, 99, 1e9)).await.refusal(),
        (422, "order_too_large".to_owned())
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn orders_a_minute_and_a_day_are_limited(db: PgPool) {
    let wide = [("OPEN_COD_ORDERS", "100"), ("OPEN_COD_RUPEES", "100000000")];
    let (shop, category) = TestShop::with_category_and(db, &wide).await;
    let rice = shop.add_product(category, "Rice", 500, 500).await;
    let asha = asha(&shop).await;
    let order = order_request(&rice, 1, 585.0);

    for n in 0..5 {
        assert_eq!(asha.place_order(Some(&format!("k{n}")), &order).await.status, 200);
    }
    let sixth = asha.place_order(Some("k5"), &order).await;
    assert_eq!((sixth.status.as_u16(), sixth.header("retry-after")), (429, "60"));
    assert_eq!(asha.place_order(Some("k4"), &order).await.status, 200, "an answer is repeated all the same");
    for round in 1..6 {
        shop.sql("UPDATE orders SET created_at = created_at - interval '2 minutes'").await;
        for n in 0..5 {
            assert_eq!(asha.place_order(Some(&format!("r{round}-{n}")), &order).await.status, 200);
        }
    }
    shop.sql("UPDATE orders SET created_at = created_at - interval '2 minutes'").await;
    assert_eq!(asha.place_order(Some("thirty-first"), &order).await.status, 429);
}

#[sqlx::test]
async fn a_shopper_cancels_what_was_not_sent(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let (asha, bina, sita) = (asha(&shop).await, shopper(&shop, "bina@example.com").await, sita(&shop).await);
    for key in ["one", "two"] {
        asha.place_order(Some(key), &order_request(&rice, 2, 2000.0)).await;
    }
    let orders = asha.get(OWN).await.json();
    let (newer, older) = (&orders["data"][0]["_id"], &orders["data"][1]["_id"]);

    assert_eq!(bina.post(CANCEL, &json!({"orderId": older})).await.refusal(), (404, "order_not_found".to_owned()));
    assert_eq!(asha.post(CANCEL, &json!({"orderId": "nonsense"})).await.refusal(), (404, "order_not_found".to_owned()));
    let cancelled = asha.post(CANCEL, &json!({"orderId": older})).await.json();

    assert_eq!(
        (&cancelled["message"], &cancelled["data"]["status"]),
        (&json!("Order cancelled."), &json!("Cancelled"))
    );
    assert_eq!((cancelled["data"]["canCancel"].as_bool(), shop.stock(&rice).await), (Some(false), 3));
    assert_eq!(asha.post(CANCEL, &json!({"orderId": older})).await.refusal(), (409, "too_late_to_cancel".to_owned()));
    set_status(&sita, newer, "Order Shipped").await;
    let late = asha.post(CANCEL, &json!({"orderId": newer})).await;
    assert_eq!(late.json()["message"], "This order can no longer be cancelled.");
    assert_eq!(shop.stock(&rice).await, 3);
    shop.assert_invariants_hold().await;
}

// spec: 4.status.4, 7.seller.8
#[sqlx::test]
async fn the_seller_sets_any_status_and_money_and_goods_follow(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 2).await;
    let (asha, bina, sita) = (asha(&shop).await, shopper(&shop, "bina@example.com").await, sita(&shop).await);
    let order = asha.place_order(Some("k"), &order_request(&rice, 2, 2000.0)).await.json()["data"]["_id"].clone();

    for status in ["Delivered", "Order Placed", "Out for Delivery", "Order Confirmed", "Order Shipped", "Order Shipped"]
    {
        let answer = set_status(&sita, &order, status).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["data"]["status"]), (200, &json!(status)));
        assert_eq!(answer.json()["message"], "Order status updated successfully!");
        assert_eq!((answer.json()["warning"].as_str(), shop.stock(&rice).await), (Some(""), 0), "{status}");
    }
    // Goods of an order that is cancelled after dispatch are not back in stock.
    let on_the_road = set_status(&sita, &order, "Cancelled").await.json();
    assert_eq!((shop.stock(&rice).await, &on_the_road["data"]["attention"]), (0, &json!(["cancelled_after_dispatch"])));
    assert!(on_the_road["warning"].as_str().unwrap().contains("has already shipped"));
    set_status(&sita, &order, "Order Confirmed").await;
    assert_eq!(set_status(&sita, &order, "Cancelled").await.json()["data"]["paymentState"], "cod_void");
    assert_eq!(shop.stock(&rice).await, 2);
    // Bina buys from the last units, so reopening the order finds too few.
    assert_eq!(bina.place_order(Some("k"), &order_request(&rice, 1, 2000.0)).await.status, 200);
    let reopened = set_status(&sita, &order, "Order Placed").await.json();
    assert_eq!(reopened["warning"], "There is no longer enough stock for this order.");
    assert_eq!((shop.stock(&rice).await, &reopened["data"]["paymentState"]), (1, &json!("cod_due")));
    shop.assert_invariants_hold().await;
    set_status(&sita, &order, "Cancelled").await;
    shop.sql("UPDATE products SET stock = stock + 5; INSERT INTO stock_movements (product_id, delta, reason) SELECT id, 5, 'new goods' FROM products").await;
    set_status(&sita, &order, "Order Confirmed").await;
    assert_eq!(shop.stock(&rice).await, 4, "there now, so taken");

    let timeline = asha.get(OWN).await.json()["data"][0]["timeline"].as_array().unwrap().len();
    assert_eq!(
        (timeline, shop.count("audit_log").await),
        (13, 12),
        "a line for each change, the first is the order itself"
    );
    assert_eq!(set_status(&sita, &order, "Lost").await.refusal(), (422, "status_invalid".to_owned()));
    assert_eq!(set_status(&sita, &json!("nonsense"), "Delivered").await.refusal(), (404, "order_not_found".to_owned()));
    assert_eq!(set_status(&asha, &order, "Delivered").await.status, 401, "a shopper is no seller");
    let dated = json!({"orderId": order, "deliveryDate": "2027-01-02"});
    let dated = sita.put(STATUS, &dated).await.json();
    assert_eq!(dated["data"]["deliveryDate"], "2027-01-02");
    assert_eq!(dated["data"]["timeline"].as_array().unwrap().len(), 13, "a new date is no news of the status");
    shop.assert_invariants_hold().await;
}

// spec: 5.search.3, 5.search.4, 5.search.6, 6.rules.1, 6.shopper.5, 7.seller.7, 7.shopper.5
#[sqlx::test]
async fn orders_are_listed_searched_and_paged(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) = (
        shop.add_product(category, "Basmati 50%_rice", 500, 50).await,
        shop.add_product(category, "Oil", 500, 50).await,
    );
    shop.sql("UPDATE products SET name_ne = 'बासमती चामल' WHERE name LIKE 'Bas%'").await;
    let (asha, bina, sita) = (asha(&shop).await, shopper(&shop, "bina@example.com").await, sita(&shop).await);
    for n in 0..5 {
        asha.place_order(Some(&format!("k{n}")), &order_request(if n == 2 { &rice } else { &oil }, 1, 585.0)).await;
    }
    bina.place_order(Some("k"), &order_request(&oil, 1, 585.0)).await;
    let found = async |browser: &Browser<'_>, path: &str, search: &str| {
        let query = serde_urlencoded::to_string([("search", search)]).unwrap();
        let list = browser.get(&format!("{path}?{query}")).await.json();
        list["data"]
            .as_array()
            .unwrap()
            .iter()
            .map(|order| order["orderId"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    let mine = found(&asha, OWN, "").await;
    assert_eq!(mine.len(), 5);

    let rice_order = vec![mine[2].clone()];
    for search in ["basmati", "50%_R", "चामल", &mine[2].to_lowercase(), &mine[2][3..8], &format!("#{}", mine[2])]
    {
        assert_eq!(found(&asha, OWN, search).await, rice_order, "{search}");
    }
    assert!(found(&asha, OWN, "no such thing").await.is_empty());
    assert!(found(&bina, OWN, &mine[0]).await.is_empty(), "another's order is not found");

    let first = asha.get(&format!("{OWN}?limit=2")).await.json();
    let second = asha.get(&format!("{OWN}?limit=2&cursor={}", first["nextCursor"].as_str().unwrap())).await.json();
    let third = asha.get(&format!("{OWN}?limit=2&cursor={}", second["nextCursor"].as_str().unwrap())).await.json();
    let paged: Vec<String> = [first, second, third.clone()]
        .iter()
        .flat_map(|page| {
            page["data"]
                .as_array()
                .unwrap()
                .iter()
                .map(|order| order["orderId"].as_str().unwrap().to_owned())
                .collect::<Vec<_>>()
        })
        .collect();
    assert_eq!((&paged, &third["nextCursor"]), (&mine, &json!(null)));
    assert_eq!(asha.get(&format!("{OWN}?cursor=x")).await.refusal(), (422, "cursor_invalid".to_owned()));
    assert_eq!(Browser::new(&shop).get(OWN).await.status, 401);

    let all = found(&sita, ALL, "").await;
    assert_eq!((all.len(), &all[1..]), (6, &mine[..]), "newest first");
    for search in [&mine[2][..4], &mine[2][3..8], &format!("#{}", mine[2].to_lowercase())] {
        assert_eq!(found(&sita, ALL, search).await, rice_order, "{search}");
    }
    let first_order = sita.get(&format!("{ALL}?limit=1")).await.json()["data"][0]["_id"].clone();
    set_status(&sita, &first_order, "Out for Delivery").await;
    assert_eq!(found(&sita, ALL, "for deliv").await, vec![all[0].clone()]);
    assert_eq!(found(&sita, ALL, "PLACED").await, mine);
    // The status can be searched in Nepali, and the order number in Devanagari digits.
    assert_eq!(found(&sita, ALL, "निस्कियो").await, vec![all[0].clone()]);
    let typed = localize_digits(Language::Nepali, &mine[2]);
    assert_eq!((found(&sita, ALL, &typed).await, found(&asha, OWN, &typed).await), (rice_order.clone(), rice_order));
    assert_eq!(asha.get(ALL).await.status, 401);
    // An unpaid online order is visible to the shopper, and to the seller only on request.
    shop.sql("UPDATE orders SET method = 'Khalti', payment = 'awaiting' WHERE user_id = (SELECT id FROM users WHERE email = 'asha@example.com')").await;
    assert_eq!((found(&sita, ALL, "").await.len(), found(&sita, ALL, "placed").await.len()), (1, 0));
    assert_eq!(sita.get(&format!("{ALL}?unpaid=true")).await.json()["data"].as_array().unwrap().len(), 6);
    assert_eq!(asha.get(OWN).await.json()["data"][0]["status"], "Payment Pending");
}

/// Customers who call the shop give their name and phone number, not the order number.
#[sqlx::test]
async fn the_seller_finds_orders_by_customer_phone_and_product(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Basmati Rice", 500, 50).await, shop.add_product(category, "Oil", 500, 50).await);
    shop.sql("UPDATE products SET search_words = '{basmati,rais,camal}' WHERE name LIKE 'Bas%'").await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut placed = Vec::new();
    for (key, product, name, phone) in [
        ("a", &rice, "Gita Shrestha", "+977 984-1234567"),
        ("b", &oil, "Hari Bahadur 50%_off", "९८०७६५४३२१"),
        ("c", &oil, "गीता श्रेष्ठ", "01-4412345"),
    ] {
        let order =
            with_field(with_field(order_request(product, 1, 585.0), "name", json!(name)), "phone", json!(phone));
        placed.push(asha.place_order(Some(key), &order).await.json()["data"]["orderId"].as_str().unwrap().to_owned());
    }
    let [gita, hari, nepali] = placed.as_slice() else { panic!("{placed:?}") };
    let found = async |query: &[(&str, &str)]| {
        let query = serde_urlencoded::to_string(query).unwrap();
        let list = sita.get(&format!("{ALL}?{query}")).await.json();
        let list = list["data"].as_array().unwrap().clone();
        list.iter().map(|order| order["orderId"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };

    for (search, expected) in [
        ("gita", vec![gita]),
        ("SHRESTHA", vec![gita]),
        ("it", vec![gita]),
        ("50%_OFF", vec![hari]),
        ("5_%", vec![]),
        ("श्रेष्ठ", vec![nepali]),
        ("9841234567", vec![gita]),
        ("+977-9841234567", vec![gita]),
        ("984 123", vec![gita]),
        ("9807654321", vec![hari]),
        ("९८०७६५", vec![hari]),
        ("4412345", vec![nepali]),
        ("basmati", vec![gita]),
        ("चामल", vec![gita]),
        ("no such thing", vec![]),
    ] {
        assert_eq!(found(&[("search", search)]).await.iter().collect::<Vec<_>>(), expected, "{search}");
    }
    assert_eq!(found(&[("search", "oil")]).await, [nepali.clone(), hari.clone()], "newest first");
    // An order is still found by a product that is archived.
    shop.sql("UPDATE products SET archived_at = now()").await;
    assert_eq!(found(&[("search", "basmati")]).await, std::slice::from_ref(gita));
    // The status filter applies to every kind of search.
    let id = sita.get(&format!("{ALL}?search={hari}")).await.json()["data"][0]["_id"].clone();
    set_status(&sita, &id, "Delivered").await;
    for search in ["hari", "9807654321", "oil"] {
        assert_eq!(found(&[("search", search), ("status", "Delivered")]).await, std::slice::from_ref(hari), "{search}");
    }
    // The pages of a search have no gaps.
    let first = sita.get(&format!("{ALL}?search=oil&limit=1")).await.json();
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = sita.get(&format!("{ALL}?search=oil&limit=1&cursor={cursor}")).await.json();
    let codes = [&first, &second].map(|page| page["data"][0]["orderId"].as_str().unwrap().to_owned());
    assert_eq!((codes, &second["nextCursor"]), ([nepali.clone(), hari.clone()], &json!(null)));
}

#[sqlx::test]
async fn each_change_is_told_by_one_email_in_the_language_of_the_order(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = TestShop::with_category_and(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let mut asha = asha(&shop).await;
    let sita = sita(&shop).await;
    shop.run_jobs().await;
    let before = mailbox.emails("asha@example.com").await.len();

    let english = asha.place_order(Some("en"), &order_request(&rice, 1, 585.0)).await.json()["data"].clone();
    asha.language = "ne";
    let nepali = asha
        .place_order(Some("ne"), &with_field(order_request(&rice, 1, 585.0), "email", json!("other@example.com")))
        .await
        .json()["data"]
        .clone();
    asha.place_order(Some("ne"), &with_field(order_request(&rice, 1, 585.0), "email", json!("other@example.com")))
        .await;
    for status in ["Order Confirmed", "Order Confirmed", "Order Shipped", "Out for Delivery", "Delivered"] {
        set_status(&sita, &english["_id"], status).await;
    }
    asha.post(CANCEL, &json!({"orderId": nepali["_id"]})).await;
    shop.run_jobs().await;

    let emails = mailbox.emails("asha@example.com").await;
    let strangers = mailbox.emails("other@example.com").await;
    assert!(strangers.is_empty(), "to the account, never to an address in the order");
    let mut got: Vec<String> =
        emails.iter().skip(before).map(|message| message["subject"].as_str().unwrap().to_owned()).collect();
    let (en, ne) = (english["orderId"].as_str().unwrap(), nepali["orderId"].as_str().unwrap());
    let mut expected = vec![
        format!("Order {en} received"),
        format!("Your order {en} is confirmed"),
        format!("Your order {en} is on its way"),
        format!("Your order {en} has been delivered"),
        format!("तपाईंको अर्डर {ne} प्राप्त भयो"),
        format!("तपाईंको अर्डर {ne} रद्द भयो"),
    ];
    expected.sort();
    got.sort();
    assert_eq!(got, expected);
    let placed = emails.iter().find(|message| message["subject"] == format!("तपाईंको अर्डर {ne} प्राप्त भयो")).unwrap();
    let text = placed["text"].as_str().unwrap();
    assert!(text.contains("१ × ") && text.contains("रु. ५८५.००"), "in the reader's digits: {text}");
    let day: chrono::NaiveDate = nepali["deliveryDate"].as_str().unwrap().parse().unwrap();
    let day = thunse::platform::bikram_sambat::format_date(Language::Nepali, day);
    assert!(text.contains(&format!("{day} सम्म")), "{text}");
}

#[sqlx::test]
async fn news_reach_a_watcher_on_another_copy(db: PgPool) {
    let (here, category) = TestShop::with_category(db.clone()).await;
    let there = TestShop::new(db);
    let rice = here.add_product(category, "Rice", 500, 50).await;
    let asha = asha(&here).await;
    let sita = sita(&here).await;
    let watch = async |browser: &Browser<'_>, path: &str| {
        let response = there.open(browser.request(Method::GET, path).body(Body::empty()).unwrap()).await;
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        assert_eq!(response.headers()["x-accel-buffering"], "no");
        response.into_body()
    };
    let mut own = watch(&asha, "/api/order/live").await;
    let mut all = watch(&sita, "/api/order/live_all").await;
    // The first event tells the client to reload; later changes are sent as events.
    for body in [&mut own, &mut all] {
        assert!(next_event(body).await.contains("event: reload"));
    }

    let order = asha.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await.json()["data"].clone();
    for (body, _) in [(&mut own, "own"), (&mut all, "all")] {
        let told = next_order_event(body).await;
        assert_eq!(
            (&told["_id"], &told["placed"], &told["status"]),
            (&order["_id"], &json!(true), &json!("Order Placed"))
        );
    }
    set_status(&sita, &order["_id"], "Order Shipped").await;
    let shipped = next_order_event(&mut own).await;
    assert_eq!((&shipped["status"], &shipped["placed"]), (&json!("Order Shipped"), &json!(false)));

    // An order of another shopper is not sent to Asha.
    let bina = shopper(&here, "bina@example.com").await;
    bina.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await;
    next_order_event(&mut all).await;
    set_status(&sita, &order["_id"], "Delivered").await;
    assert_eq!(
        next_order_event(&mut own).await["status"],
        "Delivered",
        "the next event of this stream is about the own order"
    );
    assert_eq!(Browser::new(&there).get("/api/order/live").await.status, 401);
    assert_eq!(asha.get("/api/order/live_all").await.status, 401);
}

#[sqlx::test]
async fn a_session_has_at_most_five_streams(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (shopper(&shop, "asha@example.com").await, sita(&shop).await);
    let mut open = Vec::new();
    for (browser, path) in [(&asha, "/api/order/live"), (&sita, "/api/order/live_all")] {
        let watch = async || shop.open(browser.request(Method::GET, path).body(Body::empty()).unwrap()).await;
        for _ in 0..5 {
            let stream = watch().await;
            assert_eq!(stream.status(), 200);
            open.push(stream);
        }
        assert_eq!(watch().await.status(), 429, "{path}");
        open.pop();
        assert_eq!(watch().await.status(), 200, "one that ended makes room");
    }
}

#[sqlx::test]
async fn a_stream_ends_with_its_session(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (shopper(&shop, "asha@example.com").await, sita(&shop).await);
    let watch = async |browser: &Browser<'_>, path: &str| {
        let response = shop.open(browser.request(Method::GET, path).body(Body::empty()).unwrap()).await;
        response.into_body()
    };
    let (own, all) = (watch(&asha, "/api/order/live").await, watch(&sita, "/api/order/live_all").await);

    assert_eq!(asha.get("/api/user/logout").await.status, 200);
    thunse::staff::disable(&shop.app, "sita@example.com").await.unwrap();
    shop.app.clock.advance(TimeDelta::seconds(30));

    for stream in [own, all] {
        let ended = tokio::time::timeout(Duration::from_mins(1), stream.collect()).await;
        ended.expect("the stream outlives its session").unwrap();
    }
}

/// Returns the next event of a stream as text.
async fn next_event(body: &mut Body) -> String {
    loop {
        let frame = body.frame().await.expect("the stream ended").unwrap();
        let text = String::from_utf8(frame.into_data().unwrap().to_vec()).unwrap();
        if text.contains("event:") {
            return text;
        }
    }
}

/// Returns the data of the next event.
async fn next_order_event(body: &mut Body) -> Value {
    let text = next_event(body).await;
    let data = text.lines().find_map(|line| line.strip_prefix("data: "));
    serde_json::from_str(data.unwrap_or_else(|| panic!("{text}"))).unwrap()
}

#[sqlx::test]
async fn who_leaves_takes_name_and_address_out_of_finished_orders(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let done = asha.place_order(Some("done"), &order_request(&rice, 1, 585.0)).await.json()["data"]["_id"].clone();
    let open = asha.place_order(Some("open"), &order_request(&rice, 1, 585.0)).await.json()["data"]["_id"].clone();
    set_status(&sita, &done, "Delivered").await;
    let taken_along = asha.get("/api/user/export").await;
    assert!(taken_along.text.contains("Mitra Marg"), "{}", taken_along.text);

    let left = asha.post("/api/user/delete", &json!({"password": crate::support::PASSWORD})).await;
    assert_eq!(left.status, 200, "{}", left.text);

    let address = async |order: &Value| {
        let all = sita.get(ALL).await.json();
        let all = all["data"].as_array().unwrap().clone();
        all.into_iter().find(|one| one["_id"] == *order).unwrap()["userId"]["address"].clone()
    };
    assert_eq!(address(&done).await, "");
    assert_eq!(address(&open).await, "Mitra Marg, Kathmandu", "the rider must find it");
    set_status(&sita, &open, "Delivered").await;
    assert_eq!(address(&open).await, "");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn without_a_wallet_nothing_is_held_for_one(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let asha = asha(&shop).await;

    let answer = asha
        .post(
            "/api/order/place_order_online",
            &with_field(order_request(&rice, 1, 585.0), "paymentMethod", json!("Khalti")),
        )
        .await;

    assert_eq!(answer.refusal(), (503, "online_payment_unavailable".to_owned()));
    assert_eq!((shop.count("orders").await, shop.stock(&rice).await), (0, 50));
}

/// Each invariant is broken on purpose and must be reported, because a check that cannot fail is worthless.
#[sqlx::test]
async fn every_invariant_sees_what_breaks_it(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let asha = asha(&shop).await;
    asha.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await;
    asha.place_order(Some("l"), &order_request(&rice, 1, 585.0)).await;
    shop.assert_invariants_hold().await;
    let views: String =
        sqlx::query_scalar("SELECT pg_get_viewdef('order_violations')").fetch_one(&shop.db).await.unwrap();
    let free =
        "ALTER TABLE orders DROP CONSTRAINT orders_total, DROP CONSTRAINT orders_tax, DROP CONSTRAINT orders_shipping,
                DROP CONSTRAINT orders_hold_has_an_end, DROP CONSTRAINT orders_money_fits_method;
                ALTER TABLE products DROP CONSTRAINT products_stock_not_negative;";
    let newest = "(SELECT max(id::text)::uuid FROM orders)";
    let book = "INSERT INTO delivery_zones (id, name, fee_paisa, created_at, updated_at) VALUES (gen_random_uuid(), 'City', 0, now(), now());
                INSERT INTO delivery_windows (id, zone_id, weekdays, starts, ends, cutoff_minutes, capacity)
                SELECT gen_random_uuid(), id, '{0}', '07:00', '09:00', 0, 9 FROM delivery_zones;";
    let breakages = [
        ("stock is the sum of its movements", "UPDATE products SET stock = stock - 1".to_owned()),
        ("stock is not negative", "UPDATE products SET stock = -1".to_owned()),
        (
            "an order has the units that its state says",
            format!("UPDATE orders SET stock = 'returned' WHERE id = {newest}"),
        ),
        (
            "a movement belongs to a line of its order",
            "INSERT INTO stock_movements (product_id, order_id, delta, reason) SELECT id, gen_random_uuid(), -1, 'x' FROM products".to_owned(),
        ),
        ("the lines add up to the subtotal", "UPDATE order_items SET price_paisa = price_paisa - 1".to_owned()),
        ("tax, shipping and total follow the rules", "UPDATE orders SET total_paisa = total_paisa - 1".to_owned()),
        (
            "the last line of the timeline is the status",
            "INSERT INTO order_events (order_id, status, actor) SELECT id, 'Delivered', 'system' FROM orders".to_owned(),
        ),
        ("cash follows the status", "UPDATE orders SET payment = 'cod_collected'".to_owned()),
        ("a cancelled order keeps no money", "UPDATE orders SET status = 'Cancelled', payment = 'paid'".to_owned()),
        (
            "a cancelled order that was not sent has no units",
            "UPDATE orders SET status = 'Cancelled', payment = 'cod_void'".to_owned(),
        ),
        (
            "a hold ends in time",
            "UPDATE orders SET stock = 'held', hold_ends_at = now() - interval '6 minutes'".to_owned(),
        ),
        ("an order promised without goods has a case", "UPDATE orders SET stock = 'short'".to_owned()),
        ("an idempotency key has its order", "UPDATE idempotency_keys SET order_id = gen_random_uuid()".to_owned()),
        ("no buyer has placed more orders than were counted", "UPDATE buyers SET placed = 1".to_owned()),
        ("an order of a deleted account is anonymized", "UPDATE users SET deleted_at = now()".to_owned()),
        ("what a seller did is in the audit log", "UPDATE order_events SET actor = 'seller'".to_owned()),
        (
            "an unconfirmed order ends in time",
            "UPDATE orders SET confirm_by = now() - interval '6 minutes'".to_owned(),
        ),
        (
            "an order of a confirmed address waits for nothing",
            "UPDATE orders SET confirm_by = now() + interval '1 hour'; ALTER TABLE users DISABLE TRIGGER USER; \
             UPDATE users SET email_confirmed_at = now()"
                .to_owned(),
        ),
        ("a slot is booked by as many orders as it counts", format!("{book} INSERT INTO delivery_slots SELECT id, '2026-11-17', 1 FROM delivery_windows")),
        (
            "an order without goods or cancelled has no delivery place",
            format!("{book} UPDATE orders SET delivery_window_id = (SELECT id FROM delivery_windows), delivery_starts = '07:00', \
                     delivery_ends = '09:00', has_delivery_place = true, status = 'Cancelled', payment = 'cod_void'"),
        ),
    ];
    assert_eq!(views.matches("UNION ALL").count() + 1, breakages.len(), "a new invariant wants its line here");
    for (invariant, statement) in breakages {
        shop.assert_violation_detected(invariant, &format!("{free} {statement}")).await;
    }
    shop.assert_invariants_hold().await;
}
