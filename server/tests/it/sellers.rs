//! Who may run the shop.

use serde_json::json;
use sqlx::PgPool;
use thunse::seller;

use crate::support::{Answered, Browser, TestShop};

const SITA: &str = "sita@example.com";
const PASSWORD: &str = "a shelf of mustard oil";

async fn shop_with_sita(db: PgPool) -> TestShop {
    let shop = TestShop::with_letters(db).await;
    seller::create(&shop.app, SITA, "Sita", Some(PASSWORD.to_owned())).await.unwrap();
    shop
}

async fn login(browser: &Browser<'_>, password: &str) -> Answered {
    browser.post("/api/seller/login", &json!({"email": SITA, "password": password})).await
}

async fn is_seller(browser: &Browser<'_>) -> bool {
    browser.get("/api/seller/checkSeller").await.status == 200
}

// spec: 4.session.9, 7.load.2, 7.seller.1, 7.seller.2
#[sqlx::test]
async fn a_seller_logs_in_and_out_of_both(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::at(&shop);
    browser.register("asha@example.com").await;
    assert_eq!(browser.get("/api/seller/checkSeller").await.refusal(), (401, "signed_out".to_owned()));

    let wrong = login(&browser, "wrong").await;
    assert_eq!(
        (wrong.refusal(), &wrong.json()["message"]),
        ((401, "wrong_credentials".to_owned()), &json!("Wrong email or password."))
    );
    let signed_in = login(&browser, PASSWORD).await;

    assert_eq!((signed_in.status.as_u16(), &signed_in.json()["success"]), (200, &json!(true)));
    assert_eq!(browser.get("/api/seller/checkSeller").await.json()["data"]["name"], "Sita");
    // What the web app looks for to know that asking makes sense.
    assert_eq!(browser.cookies.borrow().get("seller_session").map(String::as_str), Some("1"));
    assert_eq!(browser.cookies.borrow().get("session").map(String::as_str), Some("shopper"));
    let out = browser.get("/api/seller/logout").await;
    assert_eq!((out.status.as_u16(), &out.json()["message"]), (200, &json!("Logout successful!")));
    assert!(!is_seller(&browser).await);
    assert!(!browser.is_signed_in().await, "the shopper's session ends too");
}

// spec: 6.seller.1
#[sqlx::test]
async fn a_shopper_is_no_seller_and_a_seller_no_shopper(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::at(&shop);
    browser.register(SITA).await;
    assert!(!is_seller(&browser).await);
    let token = browser.session().unwrap();
    browser.cookies.borrow_mut().insert("__Host-ssid".to_owned(), token);
    assert!(!is_seller(&browser).await, "a shopper's token in the seller's cookie opens nothing");

    let other = Browser::at(&shop);
    login(&other, PASSWORD).await;
    assert!(is_seller(&other).await && !other.is_signed_in().await);
}

#[sqlx::test]
async fn a_sellers_session_is_short(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let mut browsers = Vec::new();
    for _ in 0..4 {
        let browser = Browser::at(&shop);
        login(&browser, PASSWORD).await;
        browsers.push(browser);
    }
    assert!(!is_seller(&browsers[0]).await, "three at a time");
    let seller = &browsers[3];
    for (column, span) in [("last_seen_at", "31 minutes"), ("expires_at", "12 hours")] {
        login(seller, PASSWORD).await;
        assert!(is_seller(seller).await);
        let statement = format!("UPDATE sessions SET {column} = {column} - interval '{span}'");
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&shop.db).await.unwrap();
        assert!(!is_seller(seller).await, "{column}");
    }
}

#[sqlx::test]
async fn the_command_line_disables_and_gives_new_passwords(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::at(&shop);
    login(&browser, PASSWORD).await;
    assert!(seller::create(&shop.app, "SITA@example.com", "Other", None).await.is_err(), "one seller an address");
    assert!(seller::create(&shop.app, "x@example.com", "X", Some("short".to_owned())).await.is_err());

    seller::disable(&shop.app, SITA).await.unwrap();
    assert!(!is_seller(&browser).await);
    assert_eq!(login(&browser, PASSWORD).await.status, 401);

    let made_up = seller::reset_password(&shop.app, SITA, None).await.unwrap().password.unwrap();
    assert_eq!(login(&browser, PASSWORD).await.status, 401);
    assert_eq!(login(&browser, &made_up).await.status, 200);
}

#[sqlx::test]
async fn the_second_step_wants_a_code_that_was_not_used(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let address = seller::require_second_step(&shop.app, SITA).await.unwrap();
    let codes = totp_rs::TOTP::from_url(&address).unwrap();
    let browser = Browser::at(&shop);
    let with_code = async |code: &str| {
        browser.post("/api/seller/login", &json!({"email": SITA, "password": PASSWORD, "code": code})).await
    };

    let asked = login(&browser, PASSWORD).await;
    assert_eq!(
        (asked.refusal(), &asked.json()["message"]),
        ((401, "second_step".to_owned()), &json!("Second step needed"))
    );
    assert!(!is_seller(&browser).await);
    assert_eq!(with_code("000000").await.refusal(), (401, "wrong_code".to_owned()));
    let right = codes.generate_current().unwrap();
    assert_eq!(with_code(&right).await.status, 200);
    assert!(is_seller(&browser).await);
    assert_eq!(with_code(&right).await.refusal(), (401, "wrong_code".to_owned()), "a code is good once");

    seller::remove_second_step(&shop.app, SITA).await.unwrap();
    assert_eq!(login(&browser, PASSWORD).await.status, 200);
}

#[sqlx::test]
async fn sellers_are_slowed_like_shoppers_but_counted_apart(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::at(&shop);
    browser.register(SITA).await;
    let attacker = Browser::at(&shop);
    for _ in 0..5 {
        assert_eq!(login(&attacker, "wrong").await.status, 401);
    }
    assert_eq!(login(&attacker, PASSWORD).await.status, 429);
    assert_eq!(attacker.login(SITA, "wrong").await.status, 401);
}
