//! What every answer carries, and what happens when something goes wrong.

use serde_json::json;
use sqlx::PgPool;

use crate::support::{Browser, TestShop};

#[sqlx::test]
async fn every_answer_carries_the_security_headers(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for path in ["/", "/api/product/get_products?limit=1", "/nowhere", "/api/nowhere", "/healthz"] {
        let answer = shop.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"), "{path}");
        assert!(!answer.header("content-security-policy").contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-request-id").len(), 32, "{path}");
    }
}

#[sqlx::test]
async fn a_secure_shop_stays_secure(db: PgPool) {
    let plain = TestShop::new(db.clone());
    let secure = TestShop::with(db, &[("PUBLIC_URL", "https://shop.test")]);

    assert_eq!(plain.get("/healthz").await.header("strict-transport-security"), "");
    assert!(secure.get("/healthz").await.header("strict-transport-security").contains("max-age=63072000"));
}

#[sqlx::test]
async fn an_unknown_call_is_answered_in_the_envelope(db: PgPool) {
    let shop = TestShop::new(db);

    let unknown = shop.get("/api/nowhere").await;
    let wrong_method = shop.post("/api/product/get_products", &serde_json::json!({})).await;

    assert_eq!((unknown.status.as_u16(), &unknown.json()["code"]), (404, &"no_such_call".into()));
    assert_eq!((wrong_method.status.as_u16(), &wrong_method.json()["code"]), (405, &"method_not_allowed".into()));
}

#[sqlx::test]
async fn a_refusal_is_said_in_the_language_of_whoever_asks(db: PgPool) {
    let shop = TestShop::new(db);
    let gone = "/api/product/get_product/00000000-0000-7000-8000-000000000000";
    let said = async |headers: &[(&str, &str)]| shop.get_with(gone, headers).await.json()["message"].clone();

    assert_eq!(said(&[]).await, "Product not found");
    assert_eq!(said(&[("cookie", "lang=en")]).await, "Product not found");
    assert_eq!(said(&[("cookie", "lang=ne")]).await, "सामान भेटिएन");
    // What the edge says by itself, before any room is asked.
    let forged = [("cookie", "lang=ne"), ("origin", "https://elsewhere.example")];
    let forged = shop.post_with("/api/user/login", "{}", &forged).await;
    assert_eq!(forged.json()["message"], "यो अनुरोध अर्को साइटबाट आएको हुनाले मानिएन।");
}

#[sqlx::test]
async fn a_stopping_server_is_alive_but_not_ready(db: PgPool) {
    let shop = TestShop::new(db);
    assert_eq!(shop.get("/readyz").await.status, 200);

    shop.app.say_stopping();

    assert_eq!(shop.get("/readyz").await.status, 503);
    let alive = shop.get("/healthz").await;
    assert_eq!((alive.status.as_u16(), alive.header("connection")), (200, "close"));
}

#[sqlx::test]
async fn without_its_database_the_shop_says_later_and_not_why(db: PgPool) {
    let shop = TestShop::new(db);
    shop.db.close().await;

    let answer = shop.get("/api/product/get_products").await;

    assert!(answer.status.is_server_error());
    assert_eq!(answer.json()["message"], "Internal server error. Please try again later.");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[sqlx::test]
async fn a_large_body_is_cut_off(db: PgPool) {
    let shop = TestShop::new(db);
    let body = format!("{{\"email\": \"{}\"}}", "a".repeat(100_000));

    let answer = shop.post_with("/api/subscriber/add_subscriber", &body, &[("sec-fetch-site", "same-origin")]).await;

    assert!(answer.status.is_client_error(), "{}", answer.status);
    assert_eq!(answer.json()["success"], false);
}

/// PostgreSQL keeps no NUL in a text; nobody types one, so a form or a call with one is refused before any room sees it, and an
/// address with one finds nothing.
#[sqlx::test]
async fn a_character_that_is_no_text_is_refused_everywhere(db: PgPool) {
    let shop = TestShop::with_letters(db).await;
    let browser = Browser::at(&shop);
    browser.register("asha@example.com").await;
    let odd = "a\0b@example.com";
    for (path, body) in [
        ("/api/user/login", json!({"email": odd, "password": "x"})),
        ("/api/seller/login", json!({"email": odd, "password": "x"})),
        ("/api/subscriber/add_subscriber", json!({"email": odd})),
        ("/api/address/add_address", json!({"address": odd})),
        ("/api/user/password/reset", json!({"token": odd, "password": odd})),
    ] {
        assert_eq!(browser.post(path, &body).await.json()["code"], "text_malformed", "{path}");
    }
    let form = browser.form(http::Method::POST, "/api/user/register", &[("name", odd)], None).await;
    assert_eq!((form.status.as_u16(), &form.json()["code"]), (422, &json!("text_malformed")));
    for address in ["/products?search=%00", "/api/product/get_products?search=a%00", "/category/%00", "/product/x/%00"]
    {
        assert!(!shop.get(address).await.status.is_server_error(), "{address}");
    }
}
