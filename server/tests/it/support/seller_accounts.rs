//! A shop with one seller, Sita.

use serde_json::json;
use sqlx::PgPool;
use thunse::platform::permissions::Role;
use thunse::staff;

use super::{Browser, TestResponse, TestShop};

pub const SITA: &str = "sita@example.com";
pub const PASSWORD: &str = "a shelf of mustard oil";

pub async fn shop_with_sita(db: PgPool) -> TestShop {
    let shop = TestShop::with_jobs(db).await;
    staff::create(&shop.app, SITA, "Sita", Role::Owner, Some(PASSWORD.to_owned())).await.unwrap();
    shop
}

pub async fn login(browser: &Browser<'_>, password: &str) -> TestResponse {
    browser.post("/api/seller/login", &json!({"email": SITA, "password": password})).await
}

/// Logs in a member of staff who has the password `PASSWORD` and no second factor.
pub async fn log_in_as<'a>(shop: &'a TestShop, email: &str) -> Browser<'a> {
    let browser = Browser::new(shop);
    let answer = browser.post("/api/seller/login", &json!({"email": email, "password": PASSWORD})).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    browser
}

/// Creates a member of staff with the password `PASSWORD` and logs them in.
pub async fn staff_browser<'a>(shop: &'a TestShop, name: &str, role: Role) -> Browser<'a> {
    let email = format!("{}@example.com", name.to_lowercase());
    staff::create(&shop.app, &email, name, role, Some(PASSWORD.to_owned())).await.unwrap();
    log_in_as(shop, &email).await
}

pub async fn is_seller(browser: &Browser<'_>) -> bool {
    browser.get("/api/seller/checkSeller").await.status == 200
}
