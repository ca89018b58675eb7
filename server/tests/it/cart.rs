//! The cart of a signed-in shopper.

use serde_json::json;
use sqlx::PgPool;

use crate::support::{Browser, TestShop};

const GET: &str = "/api/cart/get_cart";
const SAVE: &str = "/api/cart/update_cart";

// spec: 3.cart.1, 6.shopper.3, 7.shopper.1, 7.shopper.2, 9.const.2, 9.const.3, 9.const.4, 9.const.5
#[sqlx::test]
async fn a_cart_is_kept_and_priced(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 250, 10).await, shop.add_product(category, "Oil", 500, 10).await);
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    assert_eq!(browser.get(GET).await.json()["data"], json!({}), "nothing yet");

    let saved = browser.post(SAVE, &json!({"cartItems": {&rice: 2, &oil: 1, "gone": 0}})).await;

    let expected = json!({"subtotal": 1000, "tax": 130, "shippingFee": 20, "total": 1150});
    assert_eq!((saved.status.as_u16(), &saved.json()["quote"]), (200, &expected));
    let loaded = Browser::new(&shop);
    loaded.login("asha@example.com", crate::support::PASSWORD).await;
    let loaded = loaded.get(GET).await;
    assert_eq!(loaded.json()["data"], json!({&rice: 2, &oil: 1}));
    assert_eq!(loaded.json()["quote"], expected);
    assert_eq!(loaded.header("cache-control"), "no-store");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_is_no_longer_sold_is_left_out_and_named(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (rice, oil) =
        (shop.add_product(category, "Rice", 250, 10).await, shop.add_product(category, "Oil", 500, 10).await);
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    browser.post(SAVE, &json!({"cartItems": {&rice: 2, &oil: 1}})).await;

    shop.sql("UPDATE products SET archived_at = now() WHERE name = 'Oil'").await;

    for _ in 0..2 {
        let cart = browser.get(GET).await.json();
        assert_eq!(
            (&cart["data"], &cart["dropped"][0]["name"]),
            (&json!({&rice: 2}), &json!("Oil")),
            "reading changes nothing"
        );
        assert_eq!(cart["quote"]["subtotal"], 500);
    }
    let unknown = "019a0000-0000-7000-8000-000000000001";
    let saved = browser.post(SAVE, &json!({"cartItems": {&rice: 2, unknown: 1, "no id": 4}})).await.json();
    assert_eq!((&saved["data"], saved["dropped"].as_array().unwrap().len()), (&json!({&rice: 2}), 2));
    assert_eq!(browser.get(GET).await.json()["dropped"], json!([]), "saved without it");
}

#[sqlx::test]
async fn quantities_that_make_no_sense_are_refused(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    browser.post(SAVE, &json!({"cartItems": {&rice: 2}})).await;

    for odd in [json!(-1), json!(100), json!(1.5), json!("2"), json!(1e12), json!(null)] {
        let answer = browser.post(SAVE, &json!({"cartItems": {&rice: odd}})).await;
        assert!(matches!(answer.status.as_u16(), 400 | 422), "{odd}: {}", answer.text);
    }
    let many: serde_json::Map<String, serde_json::Value> =
        (0..101).map(|n| (uuid::Uuid::from_u128(n).to_string(), json!(1))).collect();
    assert_eq!(browser.post(SAVE, &json!({"cartItems": many})).await.refusal(), (422, "cart_invalid".to_owned()));
    assert_eq!(browser.get(GET).await.json()["data"], json!({&rice: 2}), "the last good one stands");
    assert_eq!(Browser::new(&shop).get(GET).await.status, 401);
}

#[sqlx::test]
async fn saving_is_limited_for_one_shopper(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &[("CARTS_PER_MINUTE", "2")]).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let (asha, bina) = (Browser::new(&shop), Browser::new(&shop));
    asha.register("asha@example.com").await;
    bina.register("bina@example.com").await;
    let body = json!({"cartItems": {&rice: 2}});

    assert_eq!(asha.post(SAVE, &body).await.status, 200);
    assert_eq!(asha.post(SAVE, &body).await.status, 200);
    assert_eq!(asha.post(SAVE, &body).await.status, 429);
    assert_eq!(bina.post(SAVE, &body).await.status, 200);
}
