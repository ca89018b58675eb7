//! A shop with one seller, Sita.

use serde_json::json;
use sqlx::PgPool;
use thunse::staff;

use super::{Browser, TestResponse, TestShop};

pub const SITA: &str = "sita@example.com";
pub const PASSWORD: &str = "a shelf of mustard oil";

pub async fn shop_with_sita(db: PgPool) -> TestShop {
    let shop = TestShop::with_jobs(db).await;
    staff::create(&shop.app, SITA, "Sita", Some(PASSWORD.to_owned())).await.unwrap();
    shop
}

pub async fn login(browser: &Browser<'_>, password: &str) -> TestResponse {
    browser.post("/api/seller/login", &json!({"email": SITA, "password": password})).await
}

pub async fn is_seller(browser: &Browser<'_>) -> bool {
    browser.get("/api/seller/checkSeller").await.status == 200
}
