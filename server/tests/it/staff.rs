//! The people who work in the shop: invitations, roles, second factor, the device at the counter, and riders.

use axum::body::Body;
use chrono::TimeDelta;
use futures_util::future::join;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::permissions::Role;
use thunse::staff;

use crate::orders::{asha, order_request, with_field};
use crate::support::mailbox::Mailbox;
use crate::support::seller_accounts::{PASSWORD, SITA, is_seller, log_in_as, login, shop_with_sita, staff_browser};
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, TestResponse, TestShop, refusal};

const STAFF: &str = "/api/seller/staff";
const INVITE: &str = "/api/seller/staff/invite";
const ACCEPT: &str = "/api/seller/invitation/accept";
const HARI: &str = "hari@example.com";

async fn invite(browser: &Browser<'_>, email: &str, role: &str) -> TestResponse {
    browser.post(INVITE, &json!({"email": email, "name": "Hari", "role": role})).await
}

async fn accept(browser: &Browser<'_>, token: &str) -> TestResponse {
    browser.post(ACCEPT, &json!({"token": token, "name": "Hari Thapa", "password": PASSWORD})).await
}

/// Returns the `_id` of the member or invitation with this address.
async fn id_of(browser: &Browser<'_>, list: &str, email: &str) -> Value {
    let all = browser.get(STAFF).await.json();
    let found = all["data"][list].as_array().unwrap().iter().find(|one| one["email"] == email).cloned();
    found.unwrap_or_else(|| panic!("{email} is not in {all}"))["_id"].clone()
}

/// Returns the actions of the audit log with the name of who did them, oldest first.
async fn audit_log(shop: &TestShop) -> Vec<(String, String)> {
    sqlx::query_as("SELECT a.action, s.name FROM audit_log a JOIN sellers s ON s.id = a.seller ORDER BY a.id")
        .fetch_all(&shop.db)
        .await
        .unwrap()
}

fn entries(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(action, name)| ((*action).to_owned(), (*name).to_owned())).collect()
}

/// Gives the session of everyone a fresh second factor.
async fn prove_second_factors(shop: &TestShop) {
    let now = shop.app.clock.now();
    sqlx::query("UPDATE sessions SET second_factor_at = $1").bind(now).execute(&shop.db).await.unwrap();
}

#[sqlx::test]
async fn an_invitation_makes_one_member_with_the_role_that_the_owner_chose(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = staff_browser(&shop, "Sita", Role::Owner).await;

    assert_eq!(invite(&sita, HARI, "packer").await.status, 200);
    let token = shop.token(&mailbox, HARI, "seller/join").await;
    let emails = mailbox.emails(HARI).await;
    assert!(emails[0]["text"].as_str().unwrap().contains("a packer"), "{}", emails[0]["text"]);

    let hari = Browser::new(&shop);
    let invitation = hari.post("/api/seller/invitation/get", &json!({"token": token})).await.json();
    assert_eq!(invitation["data"], json!({"email": HARI, "name": "Hari", "role": "packer"}));
    let weak = json!({"token": token, "name": "Hari", "password": "short"});
    assert_eq!(hari.post(ACCEPT, &weak).await.refusal(), refusal(422, "password_short"));
    let joined = accept(&hari, &token).await.json();

    assert_eq!((&joined["data"]["role"], &joined["data"]["name"]), (&json!("packer"), &json!("Hari Thapa")));
    assert!(is_seller(&hari).await);
    assert_eq!(hari.get("/api/order/get_orders").await.status, 200);
    assert_eq!(hari.get("/api/shop/get_settings").await.refusal(), refusal(403, "not_allowed"));
    assert_eq!(accept(&Browser::new(&shop), &token).await.refusal(), refusal(404, "invitation_invalid"), "once");
    assert_eq!(invite(&sita, "HARI@example.com", "rider").await.refusal(), refusal(409, "member_exists"));
    let log = audit_log(&shop).await;
    assert_eq!(log, entries(&[("staff.invite", "Sita"), ("staff.join", "Hari Thapa")]));
}

#[sqlx::test]
async fn an_invitation_ends_after_72_hours_when_it_is_revoked_and_when_it_is_sent_again(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = staff_browser(&shop, "Sita", Role::Owner).await;
    invite(&sita, HARI, "rider").await;
    let first = shop.token(&mailbox, HARI, "seller/join").await;
    let id = id_of(&sita, "invitations", HARI).await;

    assert_eq!(sita.post("/api/seller/staff/resend_invitation", &json!({"id": id})).await.status, 200);
    let second = shop.token(&mailbox, HARI, "seller/join").await;
    assert_ne!(first, second);
    assert_eq!(accept(&Browser::new(&shop), &first).await.refusal(), refusal(404, "invitation_invalid"));
    shop.app.clock.advance(TimeDelta::hours(72));
    assert_eq!(accept(&Browser::new(&shop), &second).await.refusal(), refusal(404, "invitation_invalid"));

    let sita = log_in_as(&shop, SITA).await;
    invite(&sita, HARI, "rider").await;
    let third = shop.token(&mailbox, HARI, "seller/join").await;
    let id = id_of(&sita, "invitations", HARI).await;
    assert_eq!(sita.post("/api/seller/staff/revoke_invitation", &json!({"id": id})).await.status, 200);
    assert_eq!(accept(&Browser::new(&shop), &third).await.refusal(), refusal(404, "invitation_invalid"));
    assert_eq!(sita.get(STAFF).await.json()["data"]["invitations"], json!([]));
    assert_eq!(shop.count("sellers").await, 1);
}

#[sqlx::test]
async fn one_link_makes_one_member_even_if_it_is_used_twice_at_once(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = staff_browser(&shop, "Sita", Role::Owner).await;
    invite(&sita, HARI, "packer").await;
    let token = shop.token(&mailbox, HARI, "seller/join").await;

    let (one, two) = (Browser::new(&shop), Browser::new(&shop));
    let (one, two) = join(accept(&one, &token), accept(&two, &token)).await;

    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 404]);
}

#[sqlx::test]
async fn a_manager_manages_packers_and_riders_only_and_with_a_code(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = staff_browser(&shop, "Sita", Role::Owner).await;
    let gita = staff_browser(&shop, "Gita", Role::Manager).await;
    let hari = staff_browser(&shop, "Hari", Role::Packer).await;
    let hari_id = id_of(&sita, "members", HARI).await;
    let sita_id = id_of(&sita, "members", SITA).await;

    assert_eq!(invite(&gita, "x@example.com", "packer").await.refusal(), refusal(403, "second_factor_needed"));
    prove_second_factors(&shop).await;
    assert_eq!(invite(&gita, "x@example.com", "packer").await.status, 200);
    for role in ["owner", "manager"] {
        assert_eq!(invite(&gita, "y@example.com", role).await.refusal(), refusal(403, "not_allowed"), "{role}");
        let change = json!({"id": hari_id, "role": role});
        assert_eq!(gita.put("/api/seller/staff/role", &change).await.refusal(), refusal(403, "not_allowed"));
    }
    let disable = json!({"id": sita_id, "disabled": true});
    assert_eq!(gita.put("/api/seller/staff/disabled", &disable).await.refusal(), refusal(403, "not_allowed"));

    assert_eq!(gita.put("/api/seller/staff/role", &json!({"id": hari_id, "role": "rider"})).await.status, 200);
    assert!(!is_seller(&hari).await, "a change of the role ends the sessions");
    let hari = log_in_as(&shop, HARI).await;
    assert_eq!(hari.get("/api/order/get_my_deliveries").await.status, 200);
    assert_eq!(gita.put("/api/seller/staff/disabled", &json!({"id": hari_id, "disabled": true})).await.status, 200);
    assert!(!is_seller(&hari).await);
    let answer = hari.post("/api/seller/login", &json!({"email": HARI, "password": PASSWORD})).await;
    assert_eq!(answer.refusal(), refusal(401, "wrong_credentials"));
    sita.put("/api/seller/staff/disabled", &json!({"id": hari_id, "disabled": false})).await;
    log_in_as(&shop, HARI).await;
    let log = audit_log(&shop).await;
    assert_eq!(
        log,
        entries(&[
            ("staff.invite", "Gita"),
            ("staff.role", "Gita"),
            ("staff.disable", "Gita"),
            ("staff.enable", "Sita")
        ])
    );
}

#[sqlx::test]
async fn a_shop_never_loses_its_last_owner(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = staff_browser(&shop, "Sita", Role::Owner).await;
    let gita = staff_browser(&shop, "Gita", Role::Owner).await;
    let (sita_id, gita_id) = (id_of(&sita, "members", SITA).await, id_of(&sita, "members", "gita@example.com").await);
    let demote = |id: &Value| json!({"id": id, "role": "packer"});

    let own = sita.put("/api/seller/staff/role", &demote(&sita_id)).await;
    assert_eq!(own.refusal(), refusal(409, "own_account"));
    let (one, two) = (demote(&gita_id), demote(&sita_id));
    let (one, two) = join(sita.put("/api/seller/staff/role", &one), gita.put("/api/seller/staff/role", &two)).await;
    let mut statuses = [one.status.as_u16(), two.status.as_u16()];
    statuses.sort_unstable();

    assert_eq!(statuses[0], 200);
    assert!([401, 409].contains(&statuses[1]), "{statuses:?}");
    let owners: i64 = sqlx::query_scalar("SELECT count(*) FROM sellers WHERE role = 'owner' AND disabled_at IS NULL")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    assert_eq!(owners, 1);
}

/// Advances the clock to the next half minute and returns the code that is valid during all of it.
fn next_code(shop: &TestShop, codes: &totp_rs::TOTP) -> String {
    let left = 30 - shop.app.clock.now().timestamp() % 30;
    shop.app.clock.advance(TimeDelta::seconds(left));
    codes.generate(u64::try_from(shop.app.clock.now().timestamp()).unwrap())
}

async fn set_up_second_factor(shop: &TestShop, browser: &Browser<'_>) -> (totp_rs::TOTP, Vec<String>) {
    let started = browser.post("/api/seller/second_factor/start", &json!({})).await;
    assert_eq!(started.status, 200, "{}", started.text);
    let codes = totp_rs::TOTP::from_url(started.json()["data"]["otpauthUrl"].as_str().unwrap()).unwrap();
    let code = next_code(shop, &codes);
    let done = browser.post("/api/seller/second_factor/set_up", &json!({"code": code})).await;
    assert_eq!(done.status, 200, "{}", done.text);
    (codes, serde_json::from_value(done.json()["data"]["backupCodes"].clone()).unwrap())
}

async fn confirm(browser: &Browser<'_>, code: &str) -> TestResponse {
    browser.post("/api/seller/second_factor/confirm", &json!({"code": code})).await
}

#[sqlx::test]
async fn a_manager_sets_up_a_second_factor_and_proves_it_again_after_ten_minutes(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let gita = staff_browser(&shop, "Gita", Role::Manager).await;
    let other = log_in_as(&shop, "gita@example.com").await;
    let export = "/api/product/export_products.csv";
    assert_eq!(gita.get(export).await.refusal(), refusal(403, "second_factor_needed"));
    assert_eq!(confirm(&gita, "123456").await.refusal(), refusal(409, "second_factor_missing"));
    let set_up = "/api/seller/second_factor/set_up";
    assert_eq!(gita.post(set_up, &json!({"code": "123456"})).await.refusal(), refusal(409, "no_pending_secret"));

    let (codes, backup_codes) = set_up_second_factor(&shop, &gita).await;

    assert!(!is_seller(&other).await, "the other sessions end");
    assert_eq!(backup_codes.len(), 10);
    assert_eq!(gita.get("/api/seller/checkSeller").await.json()["data"]["secondFactor"], true);
    assert_eq!(gita.get(export).await.status, 200);
    shop.app.clock.advance(TimeDelta::minutes(10));
    assert_eq!(gita.get(export).await.refusal(), refusal(403, "second_factor_needed"));
    let start = "/api/seller/second_factor/start";
    assert_eq!(gita.post(start, &json!({})).await.refusal(), refusal(403, "second_factor_needed"), "not replaced");
    assert_eq!(confirm(&gita, "000000").await.refusal(), refusal(401, "wrong_code"));
    let code = next_code(&shop, &codes);
    assert_eq!(confirm(&gita, &code).await.status, 200);
    assert_eq!(confirm(&gita, &code).await.refusal(), refusal(401, "wrong_code"), "a code is good once");
    assert_eq!(gita.get(export).await.status, 200);
    shop.app.clock.advance(TimeDelta::minutes(10));
    assert_eq!(confirm(&gita, &backup_codes[0]).await.status, 200);
    assert_eq!(gita.get(export).await.status, 200);

    let again = Browser::new(&shop);
    let login = json!({"email": "gita@example.com", "password": PASSWORD});
    assert_eq!(again.post("/api/seller/login", &login).await.refusal(), refusal(401, "second_step"));
    let code = json!({"code": next_code(&shop, &codes)});
    assert_eq!(again.post("/api/seller/login/code", &code).await.status, 200);
    assert_eq!(again.get(export).await.status, 200, "the code of the login counts");
}

#[sqlx::test]
async fn an_owner_resets_a_lost_second_factor(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = staff_browser(&shop, "Sita", Role::Owner).await;
    let gita = staff_browser(&shop, "Gita", Role::Manager).await;
    set_up_second_factor(&shop, &gita).await;
    let reset = async |id: Value| {
        let answer = sita.post("/api/seller/staff/reset_second_factor", &json!({"id": id})).await;
        (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
    };

    assert_eq!(reset(id_of(&sita, "members", SITA).await).await, refusal(409, "own_account"));
    assert_eq!(reset(id_of(&sita, "members", "gita@example.com").await).await.0, 200);

    assert!(!is_seller(&gita).await);
    log_in_as(&shop, "gita@example.com").await;
    let log = audit_log(&shop).await;
    assert_eq!(log, entries(&[("account.second_factor", "Gita"), ("staff.reset_second_factor", "Sita")]));
}

#[sqlx::test]
async fn where_a_second_factor_is_required_owners_and_managers_set_it_up_first(db: PgPool) {
    let shop = TestShop::with_jobs_and_settings(db, &[("REQUIRE_SECOND_FACTOR", "true")]).await;
    let sita = staff_browser(&shop, "Sita", Role::Owner).await;
    let hari = staff_browser(&shop, "Hari", Role::Packer).await;

    assert_eq!(sita.get("/api/seller/checkSeller").await.json()["data"]["secondFactorSetupNeeded"], true);
    for path in ["/api/order/get_orders", "/api/seller/sessions", STAFF] {
        assert_eq!(sita.get(path).await.refusal(), refusal(403, "second_factor_setup_needed"), "{path}");
    }
    assert_eq!(hari.get("/api/order/get_orders").await.status, 200);
    set_up_second_factor(&shop, &sita).await;

    assert_eq!(sita.get("/api/order/get_orders").await.status, 200);
    assert!(sita.get("/api/seller/checkSeller").await.json()["data"]["secondFactorSetupNeeded"].is_null());
    shop.app.clock.advance(TimeDelta::minutes(20));
    assert_eq!(sita.get(STAFF).await.status, 200, "an owner needs no fresh one");
}

async fn remember(browser: &Browser<'_>, pin: &str) -> TestResponse {
    browser.post("/api/seller/device/remember", &json!({"pin": pin})).await
}

async fn unlock(browser: &Browser<'_>, pin: &str) -> TestResponse {
    browser.post("/api/seller/device/unlock", &json!({"pin": pin})).await
}

#[sqlx::test]
async fn a_remembered_device_locks_after_ten_minutes_and_lasts_thirty_days(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let sita = Browser::new(&shop);
    login(&sita, PASSWORD).await;
    let other = sita.copy_cookies();
    assert_eq!(remember(&sita, "12a4").await.refusal(), refusal(422, "pin_invalid"));
    assert_eq!(remember(&sita, "4321").await.refusal(), refusal(422, "pin_weak"));
    assert_eq!(unlock(&sita, "2580").await.refusal(), refusal(409, "not_remembered"));

    assert_eq!(remember(&sita, "2580").await.status, 200);
    assert!(!is_seller(&other).await, "the token is a new one");
    assert_eq!(sita.get("/api/seller/checkSeller").await.json()["data"]["deviceRemembered"], true);
    for _ in 0..4 {
        shop.app.clock.advance(TimeDelta::minutes(8));
        assert!(is_seller(&sita).await, "while it is used");
    }
    shop.app.clock.advance(TimeDelta::minutes(10));
    for path in ["/api/seller/checkSeller", "/api/order/get_orders"] {
        assert_eq!(sita.get(path).await.refusal(), refusal(423, "locked"), "{path}");
    }
    assert_eq!(sita.post("/api/seller/device/forget", &json!({})).await.refusal(), refusal(423, "locked"));
    let wrong = unlock(&sita, "0000").await;
    assert_eq!((wrong.refusal(), &wrong.json()["data"]["attemptsLeft"]), (refusal(403, "wrong_pin"), &json!(4)));
    assert_eq!(unlock(&sita, "2580").await.status, 200);
    assert!(is_seller(&sita).await);

    assert_eq!(sita.post("/api/seller/device/lock", &json!({})).await.status, 200);
    assert_eq!(sita.get("/api/order/get_orders").await.refusal(), refusal(423, "locked"), "at once");
    let stream = sita.request(Method::GET, "/api/order/live_all").body(Body::empty()).unwrap();
    assert_eq!(shop.open(stream).await.status(), 200, "a new order is heard at a locked counter");
    shop.app.clock.advance(TimeDelta::days(20));
    assert_eq!(unlock(&sita, "2580").await.status, 200);
    assert!(is_seller(&sita).await, "after three weeks");
    shop.app.clock.advance(TimeDelta::days(10));
    assert_eq!(unlock(&sita, "2580").await.refusal(), refusal(401, "signed_out"), "after a month");
}

#[sqlx::test]
async fn five_wrong_pins_end_the_session(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let sita = Browser::new(&shop);
    login(&sita, PASSWORD).await;
    remember(&sita, "2580").await;
    sita.post("/api/seller/device/lock", &json!({})).await;
    for left in (1..5).rev() {
        assert_eq!(unlock(&sita, "1357").await.json()["data"]["attemptsLeft"], left);
    }

    assert_eq!(unlock(&sita, "1357").await.refusal(), refusal(401, "signed_out"));
    assert_eq!(unlock(&sita, "2580").await.refusal(), refusal(401, "signed_out"));
    assert_eq!(login(&sita, PASSWORD).await.status, 200);
}

#[sqlx::test]
async fn a_device_that_is_forgotten_has_an_ordinary_session_again(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let sita = Browser::new(&shop);
    login(&sita, PASSWORD).await;
    remember(&sita, "2580").await;
    assert_eq!(sita.post("/api/seller/device/forget", &json!({})).await.status, 200);

    shop.app.clock.advance(TimeDelta::minutes(20));
    assert!(is_seller(&sita).await, "it does not lock");
    shop.app.clock.advance(TimeDelta::minutes(30));
    assert!(!is_seller(&sita).await, "it ends");
}

#[sqlx::test]
async fn a_rider_sees_and_changes_only_the_own_deliveries(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let asha = asha(&shop).await;
    let mut orders = Vec::new();
    for key in ["k-1", "k-2"] {
        let placed = asha.place_order(Some(key), &order_request(&rice, 1, 585.0)).await;
        orders.push(placed.json()["data"]["_id"].clone());
    }
    let hari = staff_browser(&shop, "Hari", Role::Rider).await;
    staff_browser(&shop, "Rita", Role::Rider).await;
    let packer = staff_browser(&shop, "Prem", Role::Packer).await;
    let riders = packer.get("/api/seller/riders").await.json();
    assert_eq!(riders["data"].as_array().unwrap().len(), 2);
    let (hari_id, rita_id) = (riders["data"][0]["_id"].clone(), riders["data"][1]["_id"].clone());
    let assign = async |order: &Value, rider: &Value| {
        packer.put("/api/order/assign_rider", &json!({"orderIds": [order], "riderId": rider})).await
    };
    assert_eq!(hari.get("/api/order/get_my_deliveries").await.json()["data"], json!([]));
    assert_eq!(assign(&orders[0], &hari_id).await.status, 200);
    assert_eq!(assign(&orders[1], &rita_id).await.status, 200);
    let stranger = json!("0190a0a0-0000-7000-8000-000000000000");
    assert_eq!(assign(&orders[0], &stranger).await.refusal(), refusal(409, "rider_unknown"));
    assert_eq!(assign(&stranger, &hari_id).await.refusal(), refusal(404, "order_not_found"));

    let list = hari.get("/api/order/get_my_deliveries").await.json();
    let own = &list["data"][0];
    assert_eq!((list["data"].as_array().unwrap().len(), &own["_id"]), (1, &orders[0]));
    assert_eq!((&own["cashToCollect"], &own["phone"]), (&json!(585), &json!("9801234567")));
    assert_eq!(own["items"][0]["name"], "Rice");
    assert!(own["total"].is_null() && own["items"][0]["price"].is_null() && own["email"].is_null());
    let send = async |order: &Value, kind: &str, code: &Value| {
        let event = json!({"id": uuid::Uuid::now_v7(), "orderId": order, "kind": kind, "at": "2026-11-18T06:00:00Z",
                           "code": code});
        let sent = hari.post("/api/rider/sync", &json!({"events": [event]})).await;
        sent.json()["data"]["results"][0]["code"].clone()
    };
    assert_eq!(send(&orders[1], "out", &Value::Null).await, "not_yours");
    assert_eq!(send(&orders[0], "out", &Value::Null).await, "");
    let path = format!("/api/rider/delivery_code/{}", orders[0].as_str().unwrap());
    let code = asha.get(&path).await.json()["data"]["code"].clone();
    assert_eq!(send(&orders[0], "delivered", &code).await, "");
    let seen = packer.get("/api/order/get_orders").await.json();
    let seen = seen["data"].as_array().unwrap().iter().find(|order| order["_id"] == orders[0]).unwrap().clone();
    assert_eq!((&seen["status"], &seen["rider"]["name"]), (&json!("Delivered"), &json!("Hari")));
    assert!(asha.get("/api/order/get_order").await.json()["data"][0]["rider"].is_null(), "not for the shopper");
    shop.advance_time(TimeDelta::hours(12)).await;
    let hari = log_in_as(&shop, HARI).await;
    assert_eq!(hari.get("/api/order/get_my_deliveries").await.json()["data"], json!([]), "delivered yesterday");

    let prem = log_in_as(&shop, "prem@example.com").await;
    let nobody = json!({"orderIds": [orders[1]]});
    assert_eq!(prem.put("/api/order/assign_rider", &nobody).await.status, 200);
    let log = audit_log(&shop).await;
    let of_hari = log.iter().filter(|(action, name)| action == "order.status" && name == "Hari").count();
    let assigned = log.iter().filter(|(action, name)| action == "order.rider" && name == "Prem").count();
    assert_eq!((of_hari, assigned), (2, 3));
    shop.assert_invariants_hold().await;
}

/// Cancelling a paid order refunds it, so it needs the right to refund the amount.
#[sqlx::test]
async fn a_paid_order_is_cancelled_by_those_who_may_refund_it(db: PgPool) {
    let wallet = Wallet::start();
    let settings: Vec<(&str, &str)> = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let asha = asha(&shop).await;
    let mut orders = Vec::new();
    for (name, price, total) in [("Rice", 500, 585.0), ("Ghee", 6_000, 6_780.0)] {
        let product = shop.add_product(category, name, price, 10).await;
        let order = with_field(order_request(&product, 1, total), "paymentMethod", json!("Khalti"));
        let placed = asha.place_online_order(Some(name), &order).await;
        let url = placed.json()["data"]["payment_url"].as_str().unwrap_or_else(|| panic!("{}", placed.text)).to_owned();
        let pidx = url.split_once("pidx=").unwrap().1.to_owned();
        wallet.simulate(&pidx, "pay").await;
        let paid = json!({"pidx": pidx, "txnId": "t", "purchase_order_id": "o", "purchase_order_name": "n"});
        assert_eq!(asha.post("/api/order/verify_khalti_payment", &paid).await.status, 200);
        orders.push(placed.json()["data"]["_id"].clone());
    }
    let packer = staff_browser(&shop, "Prem", Role::Packer).await;
    let gita = staff_browser(&shop, "Gita", Role::Manager).await;
    let cancel = async |browser: &Browser<'_>, order: &Value| {
        let body = json!({"orderId": order, "status": "Cancelled"});
        let answer = browser.put("/api/order/update_order_status", &body).await;
        (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
    };

    assert_eq!(cancel(&packer, &orders[0]).await, refusal(403, "not_allowed"));
    assert_eq!(cancel(&gita, &orders[1]).await, refusal(403, "second_factor_needed"));
    let many = json!({"orderIds": orders, "status": "Cancelled"});
    let results = gita.put("/api/order/update_order_statuses", &many).await.json()["data"]["results"].clone();
    let codes: Vec<&str> = results.as_array().unwrap().iter().map(|one| one["code"].as_str().unwrap()).collect();
    assert_eq!(codes, ["", "second_factor_needed"]);
    prove_second_factors(&shop).await;
    assert_eq!(cancel(&gita, &orders[1]).await.0, 200);
}

#[sqlx::test]
async fn a_role_on_the_command_line_is_optional_and_a_session_without_one_is_over(db: PgPool) {
    let shop = shop_with_sita(db).await;
    staff::create(&shop.app, HARI, "Hari", Role::Rider, Some(PASSWORD.to_owned())).await.unwrap();
    let sita = log_in_as(&shop, SITA).await;
    let profile = sita.get("/api/seller/checkSeller").await.json();
    assert_eq!(profile["data"]["role"], "owner");
    assert!(profile["data"]["permissions"].as_array().unwrap().contains(&json!("staff.manage")));
    assert_eq!(log_in_as(&shop, HARI).await.get("/api/seller/checkSeller").await.json()["data"]["role"], "rider");

    // An earlier version, which knows no roles, began this session.
    shop.sql("UPDATE sessions SET role = NULL").await;
    assert!(!is_seller(&sita).await);
    assert_eq!(sita.get("/api/order/get_orders").await.refusal(), refusal(401, "signed_out"));
}
