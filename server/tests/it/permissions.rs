//! Permissions: every operation of the contract is called by people who may not use it.

use std::collections::BTreeSet;

use axum::body::Body;
use http::Method;
use serde_json::Value;
use sqlx::PgPool;

use crate::orders::{asha, sita};
use crate::support::{Browser, TestShop};

/// Operations that need no session. A new public operation must be added here; all others name the session that they
/// require.
const PUBLIC_OPERATIONS: [&str; 23] = [
    "GET /api/category/get_category_public",
    "GET /api/product/get_product/{id}",
    "GET /api/product/get_products",
    "GET /api/product/get_products_by_ids",
    "GET /api/seller/logout",
    "GET /api/shop/get_rules",
    "GET /api/user/google/callback",
    "GET /api/user/google/identity",
    "GET /api/user/google/start",
    "GET /api/user/logout",
    "POST /api/order/verify_khalti_payment",
    "POST /api/seller/login",
    "POST /api/seller/login/code",
    "POST /api/seller/logout",
    "POST /api/subscriber/add_subscriber",
    "POST /api/user/email/cancel",
    "POST /api/user/email/confirm",
    "POST /api/user/googleLogin",
    "POST /api/user/login",
    "POST /api/user/logout",
    "POST /api/user/password/forgot",
    "POST /api/user/password/reset",
    "POST /api/user/register",
];

struct Operation {
    method: Method,
    path: String,
    required_session: String,
    content_type: &'static str,
}

fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(include_str!("../../../api/openapi.json")).unwrap();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let required_session =
                operation["security"][0].as_object().and_then(|wanted| wanted.keys().next().cloned());
            let content = &operation["requestBody"]["content"];
            let content_type = if content["multipart/form-data"].is_object() {
                "multipart/form-data; boundary=cut"
            } else if content["application/json"].is_object() {
                "application/json"
            } else {
                ""
            };
            found.push(Operation {
                method: method.to_uppercase().parse().unwrap(),
                path: path.clone(),
                required_session: required_session.unwrap_or_default(),
                content_type,
            });
        }
    }
    found
}

async fn call(browser: &Browser<'_>, operation: &Operation) -> u16 {
    let path = operation.path.replace("{slug}", "rice").replace("{id}", "0190a0a0-0000-7000-8000-000000000000");
    let body = match operation.content_type {
        "application/json" => "{}",
        "" => "",
        _ => "--cut--\r\n",
    };
    browser.send(operation.method.clone(), &path, operation.content_type, Body::from(body)).await.status.as_u16()
}

#[test]
fn every_operation_says_whom_it_is_for() {
    let open: BTreeSet<String> = operations()
        .iter()
        .filter(|operation| operation.required_session.is_empty())
        .map(|operation| format!("{} {}", operation.method, operation.path))
        .collect();

    assert_eq!(open, PUBLIC_OPERATIONS.iter().map(|name| (*name).to_owned()).collect());
}

// spec: 6.visitor.1
#[sqlx::test]
async fn a_visitor_may_call_what_is_for_everybody(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.add_product_by_slug(category, "Rice", 100, 5).await;
    let visitor = Browser::new(&shop);

    for path in ["get_products", "get_products?search=rice"] {
        let products = visitor.get(&format!("/api/product/{path}")).await;
        assert_eq!((products.status.as_u16(), products.names()), (200, vec!["Rice".to_owned()]), "{path}");
    }
    assert_eq!(visitor.get("/api/category/get_category_public").await.json()["data"].as_array().unwrap().len(), 1);
    let reader = visitor.post("/api/subscriber/add_subscriber", &serde_json::json!({"email": "a@example.com"})).await;
    assert_eq!(reader.status, 200);
}

// spec: 6.seller.1, 6.seller.2, 6.seller.3, 6.seller.4
#[sqlx::test]
async fn a_call_of_the_sellers_is_refused_to_everybody_else(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (visitor, asha, sita) = (Browser::new(&shop), asha(&shop).await, sita(&shop).await);
    // The impostor is a shopper who sends her own token in the seller's cookie.
    let impostor = asha.copy_cookies();
    let token = impostor.session().unwrap();
    impostor.cookies.borrow_mut().insert("__Host-ssid".to_owned(), token);

    let sellers: Vec<Operation> =
        operations().into_iter().filter(|operation| operation.required_session == "seller").collect();
    assert!(sellers.len() > 30, "{}", sellers.len());
    for operation in &sellers {
        let name = format!("{} {}", operation.method, operation.path);
        for (who, browser) in [("visitor", &visitor), ("a shopper", &asha), ("an impostor", &impostor)] {
            assert_eq!(call(browser, operation).await, 401, "{name} by {who}");
        }
        // The same call with a seller's session is not refused, which shows that the check above means something.
        if !operation.path.contains("live") {
            assert_ne!(call(&sita, operation).await, 401, "{name} by the seller");
        }
    }
}

// spec: 6.rules.1, 6.seller.1, 6.shopper.1, 6.shopper.2, 6.shopper.3, 6.shopper.4, 6.shopper.5, 6.shopper.6
#[sqlx::test]
async fn a_call_of_a_shoppers_is_refused_to_visitors_and_sellers(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (visitor, sita) = (Browser::new(&shop), sita(&shop).await);
    let shoppers: Vec<Operation> =
        operations().into_iter().filter(|operation| operation.required_session == "shopper").collect();
    assert!(shoppers.len() > 15, "{}", shoppers.len());
    for operation in &shoppers {
        let name = format!("{} {}", operation.method, operation.path);
        assert_eq!(call(&visitor, operation).await, 401, "{name} by visitor");
        assert_eq!(call(&sita, operation).await, 401, "{name} by the seller");
    }
}

#[sqlx::test]
async fn a_disabled_seller_is_nobody(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = sita(&shop).await;
    thunse::staff::disable(&shop.app, "sita@example.com").await.unwrap();
    for operation in operations().iter().filter(|operation| operation.required_session == "seller") {
        assert_eq!(call(&sita, operation).await, 401, "{} {}", operation.method, operation.path);
    }
}

/// The operations that a seller with a temporary password may call.
const ALLOWED_BEFORE_PASSWORD_CHANGE: [&str; 2] = ["GET /api/seller/checkSeller", "POST /api/seller/password/change"];

#[sqlx::test]
async fn a_temporary_password_opens_nothing_but_changing_it(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let temporary_password =
        thunse::staff::create(&shop.app, "sita@example.com", "Sita", None).await.unwrap().password.unwrap();
    let sita = Browser::new(&shop);
    let login = serde_json::json!({"email": "sita@example.com", "password": temporary_password});
    let signed_in = sita.post("/api/seller/login", &login).await;
    assert_eq!((signed_in.status.as_u16(), &signed_in.json()["data"]["passwordChangeNeeded"]), (200, &true.into()));

    let sellers: Vec<Operation> =
        operations().into_iter().filter(|operation| operation.required_session == "seller").collect();
    assert!(sellers.len() > 30, "{}", sellers.len());
    let mut open = BTreeSet::new();
    for operation in &sellers {
        let name = format!("{} {}", operation.method, operation.path);
        match call(&sita, operation).await {
            403 => {}
            _ => {
                open.insert(name);
            }
        }
    }
    assert_eq!(open, ALLOWED_BEFORE_PASSWORD_CHANGE.iter().map(|name| (*name).to_owned()).collect());
    assert_eq!(sita.get("/api/shop/get_settings").await.refusal(), (403, "password_change_needed".to_owned()));

    let change = |new: &str| serde_json::json!({"currentPassword": temporary_password, "newPassword": new});
    let same = sita.post("/api/seller/password/change", &change(&temporary_password)).await;
    assert_eq!(same.refusal(), (422, "password_same".to_owned()));
    let done = sita.post("/api/seller/password/change", &change("a shelf of mustard oil")).await;
    assert_eq!(done.status, 200);
    assert_eq!(sita.get("/api/shop/get_settings").await.status, 200);
    assert!(sita.get("/api/seller/checkSeller").await.json()["data"]["passwordChangeNeeded"].is_null());
}
