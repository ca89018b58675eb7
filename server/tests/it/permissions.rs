//! Permissions: every operation of the contract is called by people who may not use it.

use std::collections::BTreeSet;

use axum::body::Body;
use http::Method;
use serde_json::Value;
use sqlx::PgPool;
use thunse::permission_table;
use thunse::platform::permissions::{Access, Permission, Role};
use thunse::staff;

use crate::orders::{asha, sita};
use crate::support::seller_accounts::{PASSWORD, log_in_as};
use crate::support::{Browser, TestResponse, TestShop, report_figure};

/// Operations that need no session. A new public operation must be added here; all others name the session that they
/// require.
const PUBLIC_OPERATIONS: [&str; 37] = [
    "GET /api/alerts/unsubscribe",
    "GET /api/category/get_category_public",
    "GET /api/coupon/get_public_coupons",
    "GET /api/policy/get_policy/{id}",
    "GET /api/product/get_product/{id}",
    "GET /api/product/get_products",
    "GET /api/product/get_products_by_ids",
    "GET /api/seller/logout",
    "GET /api/shop/get_rules",
    "GET /api/subscriber/unsubscribe/{id}",
    "GET /api/user/google/callback",
    "GET /api/user/google/identity",
    "GET /api/user/google/start",
    "GET /api/user/logout",
    "GET /api/wishlist/popular",
    "POST /api/alerts/renew_subscription",
    "POST /api/alerts/unsubscribe",
    "POST /api/alerts/unsubscribe_device",
    "POST /api/order/verify_khalti_payment",
    "POST /api/seller/invitation/accept",
    "POST /api/seller/invitation/get",
    "POST /api/seller/login",
    "POST /api/seller/login/code",
    "POST /api/seller/logout",
    "POST /api/subscriber/add_subscriber",
    "POST /api/subscriber/confirm",
    "POST /api/subscriber/unsubscribe/{id}",
    "POST /api/user/email/cancel",
    "POST /api/user/email/confirm",
    "POST /api/user/googleLogin",
    "POST /api/user/login",
    "POST /api/user/logout",
    "POST /api/user/password/forgot",
    "POST /api/user/password/reset",
    "POST /api/user/phone/login",
    "POST /api/user/phone/send_login_code",
    "POST /api/user/register",
];

struct Operation {
    method: Method,
    path: String,
    required_session: String,
    /// What the session is required to allow.
    scopes: Vec<String>,
    content_type: &'static str,
}

fn operations() -> Vec<Operation> {
    let document: Value = serde_json::from_str(include_str!("../../../api/openapi.json")).unwrap();
    let mut found = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let required_session =
                operation["security"][0].as_object().and_then(|wanted| wanted.keys().next().cloned());
            let scopes = required_session.as_ref().map(|kind| operation["security"][0][kind].clone());
            let scopes = scopes.map(|scopes| serde_json::from_value(scopes).unwrap()).unwrap_or_default();
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
                scopes,
                content_type,
            });
        }
    }
    found
}

async fn call(browser: &Browser<'_>, operation: &Operation) -> u16 {
    respond(browser, operation).await.status.as_u16()
}

async fn respond(browser: &Browser<'_>, operation: &Operation) -> TestResponse {
    let path = operation.path.replace("{slug}", "rice").replace("{id}", "0190a0a0-0000-7000-8000-000000000000");
    let body = match operation.content_type {
        "application/json" => "{}",
        "" => "",
        _ => "--cut--\r\n",
    };
    browser.send(operation.method.clone(), &path, operation.content_type, Body::from(body)).await
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
    staff::disable(&shop.app, "sita@example.com").await.unwrap();
    for operation in operations().iter().filter(|operation| operation.required_session == "seller") {
        assert_eq!(call(&sita, operation).await, 401, "{} {}", operation.method, operation.path);
    }
}

/// The operations that a seller with a temporary password may call.
const ALLOWED_BEFORE_PASSWORD_CHANGE: [&str; 3] =
    ["GET /api/seller/checkSeller", "POST /api/seller/device/unlock", "POST /api/seller/password/change"];

#[sqlx::test]
async fn a_temporary_password_opens_nothing_but_changing_it(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let temporary_password =
        staff::create(&shop.app, "sita@example.com", "Sita", Role::Owner, None).await.unwrap().password.unwrap();
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

#[test]
fn every_endpoint_of_the_staff_states_its_permission() {
    let unnamed: Vec<String> = permission_table::staff_endpoints()
        .into_iter()
        .filter(|endpoint| endpoint.permission.is_none())
        .map(|endpoint| endpoint.name)
        .collect();

    assert_eq!(unnamed, Vec::<String>::new(), "use the extractor `Staff<…>` and name its permission in `security`");
}

#[test]
fn the_permission_table_is_the_codes_table() {
    let committed = include_str!("../../../docs/permissions.md");

    assert!(committed == permission_table::render(), "run `just gen` and commit docs/permissions.md");
}

/// The codes by which a call is refused before its handler runs.
const REFUSALS: [&str; 6] = [
    "signed_out",
    "locked",
    "password_change_needed",
    "second_factor_setup_needed",
    "not_allowed",
    "second_factor_needed",
];

/// Calls every endpoint of the staff in every role, and as a visitor and a shopper, and compares each response with the
/// table in `platform/permissions.rs`.
#[sqlx::test]
async fn every_endpoint_is_open_to_exactly_the_roles_that_the_table_names(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (visitor, asha) = (Browser::new(&shop), asha(&shop).await);
    let mut staff_browsers = Vec::new();
    for role in Role::ALL {
        let email = format!("{}@example.com", role.name());
        staff::create(&shop.app, &email, role.name(), role, Some(PASSWORD.to_owned())).await.unwrap();
        staff_browsers.push((role, log_in_as(&shop, &email).await));
    }
    let endpoints: Vec<Operation> =
        operations().into_iter().filter(|operation| operation.required_session == "seller").collect();
    let mut cells = 0;
    for operation in &endpoints {
        let name = format!("{} {}", operation.method, operation.path);
        let permission = Permission::from_name(&operation.scopes[0]).unwrap();
        for browser in [&visitor, &asha] {
            assert_eq!(respond(browser, operation).await.refusal(), (401, "signed_out".to_owned()), "{name}");
            cells += 1;
        }
        for (role, browser) in &staff_browsers {
            for is_fresh in [false, true] {
                let proved_at = if is_fresh { "now()" } else { "NULL" };
                shop.sql(&format!("UPDATE sessions SET second_factor_at = {proved_at} WHERE kind = 'seller'")).await;
                let expected = match permission.access(*role) {
                    Access::Denied => Some("not_allowed"),
                    Access::WithSecondFactor if !is_fresh => Some("second_factor_needed"),
                    Access::WithSecondFactor | Access::Allowed => None,
                };
                // A stream has no end, so only its refusals are called.
                if expected.is_none() && operation.path.contains("live") {
                    continue;
                }
                let response = respond(browser, operation).await;
                let about = format!("{name} by {} with{} code", role.name(), if is_fresh { "" } else { "out" });
                cells += 1;
                if let Some(code) = expected {
                    assert_eq!(response.refusal(), (403, code.to_owned()), "{about}");
                    assert_eq!(response.json()["data"]["permission"], permission.name(), "{about}");
                } else if !response.status.is_success() {
                    let (_, code) = response.refusal();
                    assert!(!REFUSALS.contains(&code.as_str()), "{about}: {code}");
                }
            }
        }
    }
    assert!(cells > 400, "{cells}");
    report_figure(&format!("authorization matrix: {cells} cells of {} endpoints called", endpoints.len()));
}
