//! The seller can change fees, tax and limits, and each order keeps those it was placed with.

use serde_json::{Map, Value, json};
use sqlx::PgPool;

use crate::orders::{asha, order_request, sita, with_field};
use crate::support::{Browser, TestResponse, TestShop};

const SETTINGS: &str = "/api/shop/get_settings";
const SAVE: &str = "/api/shop/update_settings";
const RULES: &str = "/api/shop/get_rules";
const CART: &str = "/api/cart/get_cart";
const SAVE_CART: &str = "/api/cart/update_cart";
const OWN: &str = "/api/order/get_order";

/// Changes some settings as the seller dashboard does.
pub async fn update_settings(seller: &Browser<'_>, changes: Value) -> TestResponse {
    let mut settings = seller.get(SETTINGS).await.json()["data"].clone();
    for (name, value) in changes.as_object().unwrap() {
        settings[name] = value.clone();
    }
    seller.put(SAVE, &settings).await
}

/// Changes settings and requires that they are accepted.
async fn must_update_settings(seller: &Browser<'_>, changes: Value) {
    let saved = update_settings(seller, changes).await;
    assert_eq!(saved.status, 200, "{}", saved.text);
}

#[sqlx::test]
async fn a_changed_fee_counts_at_once_and_old_orders_keep_theirs(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    asha.post(SAVE_CART, &json!({"cartItems": {&rice: 1}})).await;
    assert_eq!(shop.get(RULES).await.json()["data"]["rates"]["shippingFee"], 20);
    assert_eq!(asha.place_order(Some("before"), &order_request(&rice, 1, 585.0)).await.status, 200);
    asha.post(SAVE_CART, &json!({"cartItems": {&rice: 1}})).await;

    must_update_settings(&sita, json!({"shippingFee": 50})).await;

    let rules = shop.get(RULES).await.json()["data"].clone();
    assert_eq!(
        rules["rates"],
        json!({"shippingFee": 50, "freeShippingAbove": 1000, "taxRate": 13, "vatRegistered": true})
    );
    let quote = json!({"subtotal": 500, "tax": 65, "shippingFee": 50, "total": 615});
    assert_eq!(asha.get(CART).await.json()["quote"], quote);
    let older = asha.place_order(Some("after"), &order_request(&rice, 1, 585.0)).await;
    assert_eq!(older.refusal(), (409, "price_changed".to_owned()), "more than was seen is not charged");
    assert_eq!(older.json()["data"]["quote"], quote);
    assert_eq!(asha.place_order(Some("after"), &order_request(&rice, 1, 615.0)).await.status, 200);
    let fees: Vec<Value> = asha.get(OWN).await.json()["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|order| json!([order["shippingFee"], order["total"]]))
        .collect();
    assert_eq!(fees, [json!([50, 615]), json!([20, 585])]);
    shop.assert_invariants_hold().await;

    let log = sita.get("/api/seller/get_audit?search=shop.settings").await.json();
    assert_eq!(
        (&log["data"][0]["before"], &log["data"][0]["after"]),
        (&json!("shippingFee: 20"), &json!("shippingFee: 50"))
    );
}

#[sqlx::test]
async fn threshold_and_rate_are_settings_too(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);

    must_update_settings(&sita, json!({"freeShippingAbove": 499.99, "taxRate": 12.5})).await;
    let placed = asha.place_order(Some("k"), &order_request(&rice, 1, 562.5)).await.json();

    let sums = json!([placed["data"]["tax"], placed["data"]["shippingFee"], placed["data"]["total"]]);
    assert_eq!(sums, json!([62.5, 0, 562.5]));
    shop.assert_invariants_hold().await;
    let stored: (i64, i64, i32, bool) =
        sqlx::query_as("SELECT fee_paisa, free_above_paisa, tax_rate_bp, vat_registered FROM orders")
            .fetch_one(&shop.db)
            .await
            .unwrap();
    assert_eq!(stored, (2_000, 49_999, 1_250, true));
}

#[sqlx::test]
async fn a_shop_without_vat_says_nothing_of_tax(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    asha.place_order(Some("with"), &order_request(&rice, 1, 585.0)).await;
    let said = |page: &str, word: &str| page.split("id=\"first-data\"").next().unwrap().to_lowercase().contains(word);
    assert!(shop.get("/about").await.text.contains(r#""vatRegistered":true"#));

    must_update_settings(&sita, json!({"vatRegistered": false})).await;

    for path in ["/", "/about"] {
        let page = shop.get(path).await.text;
        assert!(!said(&page, "tax") && page.contains(r#""vatRegistered":false"#), "{path}");
        let nepali = shop.get_with(path, &[("cookie", "lang=ne")]).await.text;
        assert!(!said(&nepali, "% कर") && !said(&nepali, "कर उप") && !said(&nepali, "१३%"), "{path}");
    }
    assert_eq!(asha.place_order(Some("without"), &order_request(&rice, 1, 520.0)).await.status, 200);
    let orders = asha.get(OWN).await.json();
    let told = |n: usize| json!([orders["data"][n]["vatRegistered"], orders["data"][n]["tax"]]);
    assert_eq!((told(0), told(1)), (json!([false, 0]), json!([true, 65])));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn figures_that_make_no_sense_are_refused(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    for (field, value) in [
        ("shippingFee", json!(10_000.01)),
        ("freeShippingAbove", json!(1_000_001)),
        ("taxRate", json!(30.01)),
        ("lowStock", json!(101)),
        ("deliveryDays", json!(61)),
        ("cartLines", json!(0)),
        ("cartLines", json!(101)),
        ("largestOrder", json!(0)),
        ("openCashWorth", json!(0.5)),
        ("ordersPerMinute", json!(0)),
        ("ordersPerDay", json!(0)),
        ("openCashOrders", json!(0)),
        ("unpaidOrders", json!(0)),
        ("heldPerProduct", json!(100)),
    ] {
        let refused = update_settings(&sita, json!({field: value})).await;
        assert_eq!(refused.refusal(), (422, "field_invalid".to_owned()), "{field}: {}", refused.text);
        assert_eq!(refused.json()["data"]["field"], field);
    }
    for (field, value) in [("shippingFee", json!(-1)), ("taxRate", json!(-1)), ("cartLines", json!(1.5))] {
        let refused = update_settings(&sita, json!({field: value})).await;
        assert!(matches!(refused.status.as_u16(), 400 | 422), "{field}: {}", refused.text);
    }
    assert_eq!(shop.count("shop_settings").await, 0);
}

#[sqlx::test]
async fn a_cart_and_an_order_take_a_hundred_products_or_as_many_as_the_shop_says(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut goods = Vec::new();
    for n in 0..101 {
        goods.push(shop.add_product(category, &format!("Thing {n}"), 1, 9).await);
    }
    let cart =
        |many: usize| -> Value { goods[..many].iter().map(|id| (id.clone(), json!(1))).collect::<Map<_, _>>().into() };
    let order = |many: usize| {
        let items: Vec<Value> = goods[..many].iter().map(|id| json!({"id": id, "quantity": 1})).collect();
        with_field(order_request(&goods[0], 1, 133.0), "items", json!(items))
    };

    let saved = asha.post(SAVE_CART, &json!({"cartItems": cart(100)})).await;
    assert_eq!(saved.json()["data"].as_object().map(Map::len), Some(100), "{}", saved.text);
    let refused = asha.post(SAVE_CART, &json!({"cartItems": cart(101)})).await;
    assert_eq!(refused.json()["message"], "A cart can hold up to 100 products, 99 of each.");
    assert_eq!(asha.place_order(Some("a"), &order(101)).await.refusal(), (422, "items_invalid".to_owned()));
    let placed = asha.place_order(Some("b"), &order(100)).await;
    assert_eq!(placed.status, 200, "{}", placed.text);

    must_update_settings(&sita, json!({"cartLines": 3})).await;
    assert_eq!(asha.post(SAVE_CART, &json!({"cartItems": cart(4)})).await.refusal(), (422, "cart_invalid".to_owned()));
    assert_eq!(asha.place_order(Some("c"), &order(4)).await.refusal(), (422, "items_invalid".to_owned()));
    assert_eq!(asha.place_order(Some("d"), &order(3)).await.status, 200);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_refused_order_names_the_limit_and_the_phone(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &[]).await;
    let rice = shop.add_product(category, "Rice", 500, 500).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    must_update_settings(&sita, json!({"phone": "+977 1-4567890"})).await;
    for n in 1..=3 {
        assert_eq!(asha.place_order(Some(&n.to_string()), &order_request(&rice, 1, 585.0)).await.status, 200);
    }

    let fourth = asha.place_order(Some("4"), &order_request(&rice, 1, 585.0)).await;

    assert_eq!(fourth.refusal(), (409, "too_many_open_orders".to_owned()));
    let (told, data) = (fourth.json()["message"].clone(), fourth.json()["data"].clone());
    assert_eq!(
        told,
        "For now, you can have up to 3 open cash orders. Please wait until one is delivered. You can also call us on +977 1-4567890."
    );
    assert_eq!(data, json!({"most": 3, "phone": "+977 1-4567890"}));
    must_update_settings(&sita, json!({"openCashOrders": 4, "openCashWorth": 2000, "phone": ""})).await;
    let worth = asha.place_order(Some("5"), &order_request(&rice, 1, 585.0)).await;
    assert_eq!(
        worth.json()["message"],
        "For now, your open cash orders can total up to 2000 rupees. Please order less."
    );
    must_update_settings(&sita, json!({"openCashWorth": 25_000})).await;
    assert_eq!(
        asha.place_order(Some("6"), &order_request(&rice, 1, 585.0)).await.status,
        200,
        "the limit is the seller's to change"
    );
    must_update_settings(&sita, json!({"largestOrder": 500})).await;
    let large = asha.place_order(Some("7"), &order_request(&rice, 1, 585.0)).await;
    assert_eq!(large.refusal(), (422, "order_too_large".to_owned()));
    assert_eq!(large.json()["data"]["most"], 500);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_database_holds_an_order_to_the_rates_it_stored(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let asha = asha(&shop).await;
    asha.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await;

    for (change, constraint) in [
        ("fee_paisa = 5000", "orders_shipping"),
        ("free_above_paisa = 40000", "orders_shipping"),
        ("tax_rate_bp = 1200", "orders_tax"),
        ("vat_registered = false", "orders_taxable"),
        ("fee_paisa = -1, shipping_paisa = -1, total_paisa = 56499", "orders_rates"),
    ] {
        let refused = sqlx::query(sqlx::AssertSqlSafe(format!("UPDATE orders SET {change}"))).execute(&shop.db).await;
        let error = refused.unwrap_err();
        let named = error.as_database_error().and_then(|error| error.constraint().map(str::to_owned));
        assert_eq!(named.as_deref(), Some(constraint), "{change}");
    }
    // The invariant check, which runs every five minutes, would find the same if the constraints were dropped.
    shop.sql("ALTER TABLE orders DROP CONSTRAINT orders_shipping, DROP CONSTRAINT orders_taxable").await;
    for change in ["fee_paisa = 5000", "free_above_paisa = 40000", "vat_registered = false"] {
        let mut tx = shop.db.begin().await.unwrap();
        sqlx::query(sqlx::AssertSqlSafe(format!("UPDATE orders SET {change}"))).execute(&mut *tx).await.unwrap();
        let found: i64 =
            sqlx::query_scalar("SELECT count(*) FROM invariant_violations").fetch_one(&mut *tx).await.unwrap();
        assert_eq!(found, 1, "{change}");
        tx.rollback().await.unwrap();
    }
}

#[sqlx::test]
async fn what_counts_as_low_in_stock_is_the_shops_to_say(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    for (name, stock) in [("Rice", 0), ("Oil", 3), ("Salt", 10), ("Tea", 11), ("Sugar", 40)] {
        shop.add_product(category, name, 100, stock).await;
    }
    let sita = sita(&shop).await;
    let low = async || {
        let list = sita.get("/api/product/get_seller_products?stock=low&sort=stock").await;
        (list.names(), list.json()["counts"]["low"].as_i64().unwrap())
    };
    let listed = |names: &[&str]| {
        (names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>(), i64::try_from(names.len()).unwrap())
    };
    assert_eq!(low().await, listed(&["Oil", "Salt"]));

    must_update_settings(&sita, json!({"lowStock": 11})).await;
    assert_eq!(low().await, listed(&["Oil", "Salt", "Tea"]));
    shop.assert_invariants_hold().await;
    // Later stock changes are compared with the new limit.
    let units = "INSERT INTO stock_movements (product_id, delta, reason) SELECT id, 20 - stock, 'test' FROM products WHERE name = 'Salt'";
    shop.sql(units).await;
    shop.sql("UPDATE products SET stock = 20 WHERE name = 'Salt'").await;
    assert_eq!(low().await, listed(&["Oil", "Tea"]));
    shop.assert_invariants_hold().await;
    assert_eq!(shop.get(RULES).await.json()["data"]["lowStock"], 11);

    must_update_settings(&sita, json!({"lowStock": 0})).await;
    assert_eq!(low().await, listed(&[]));
    shop.assert_invariants_hold().await;
}
