//! The security of a seller's own account: the password, temporary passwords and the list of sessions.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::permissions::Role;
use thunse::staff;

use crate::support::seller_accounts::{PASSWORD, SITA, is_seller, login, shop_with_sita};
use crate::support::{Browser, TestResponse, TestShop, refusal};

const NEW: &str = "three sacks of jumla beans";

async fn log_in_new_browser(shop: &TestShop) -> Browser<'_> {
    let browser = Browser::new(shop);
    assert_eq!(login(&browser, PASSWORD).await.status, 200);
    browser
}

async fn change_password(browser: &Browser<'_>, current: &str, new: &str) -> TestResponse {
    let body = json!({"currentPassword": current, "newPassword": new});
    browser.post("/api/seller/password/change", &body).await
}

/// Counts the rows of this kind about the seller in the security log.
async fn count_events(shop: &TestShop, kind: &str) -> i64 {
    sqlx::query_scalar(
        "SELECT count(*) FROM security_events WHERE kind = $1 AND subject = (SELECT id::text FROM sellers)",
    )
    .bind(kind)
    .fetch_one(&shop.db)
    .await
    .unwrap()
}

async fn count_queued_emails(shop: &TestShop, kind: &str) -> usize {
    let emails = shop.queued_emails().await;
    emails.iter().filter(|message| message["to"]["email"] == SITA && message["email"]["kind"] == kind).count()
}

#[sqlx::test]
async fn a_seller_changes_the_password_and_is_alone_in_the_account(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let (browser, other) = (log_in_new_browser(&shop).await, log_in_new_browser(&shop).await);
    let thief = browser.copy_cookies();

    assert_eq!(change_password(&browser, "wrong", NEW).await.refusal(), refusal(403, "wrong_password"));
    for (weak, code) in [
        ("eleven char", "password_short"),
        ("passwordpassword", "password_common"),
        ("sita@example.com", "password_common"),
        (PASSWORD, "password_same"),
    ] {
        assert_eq!(change_password(&browser, PASSWORD, weak).await.refusal(), refusal(422, code), "{weak}");
    }
    assert!(is_seller(&other).await);
    let done = change_password(&browser, PASSWORD, NEW).await;

    assert_eq!((done.status.as_u16(), &done.json()["message"]), (200, &json!("Your password has been changed.")));
    assert!(is_seller(&browser).await && !is_seller(&other).await);
    assert!(!is_seller(&thief).await, "the token is a new one");
    assert_eq!(login(&other, PASSWORD).await.refusal(), refusal(401, "wrong_credentials"));
    assert_eq!(login(&other, NEW).await.status, 200);
    assert_eq!(count_queued_emails(&shop, "seller_password_changed").await, 1);
    assert_eq!((count_events(&shop, "password.changed").await, count_events(&shop, "login.failed").await), (1, 2));
    assert_eq!(shop.count("audit_log WHERE action = 'account.password'").await, 1);
}

#[sqlx::test]
async fn a_pending_login_ends_with_a_changed_password(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let made = staff::require_second_step(&shop.app, SITA).await.unwrap();
    let send = async |browser: &Browser<'_>, code: &str| {
        browser.post("/api/seller/login/code", &json!({"code": code})).await.status.as_u16()
    };
    let (browser, half_in) = (Browser::new(&shop), Browser::new(&shop));
    login(&browser, PASSWORD).await;
    assert_eq!(send(&browser, &made.backup_codes[0]).await, 200);
    login(&half_in, PASSWORD).await;

    assert_eq!(change_password(&browser, PASSWORD, NEW).await.status, 200);

    assert_eq!(send(&half_in, &made.backup_codes[1]).await, 401);
}

#[sqlx::test]
async fn guessing_the_current_password_is_slowed_like_a_login(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = log_in_new_browser(&shop).await;
    for _ in 0..5 {
        assert_eq!(change_password(&browser, "wrong", NEW).await.status, 403);
    }
    shop.lengthen_login_waits().await;
    assert_eq!(change_password(&browser, PASSWORD, NEW).await.status, 429);
    assert_eq!(count_events(&shop, "login.failed").await, 5);

    staff::unlock(&shop.app, SITA).await.unwrap();

    assert_eq!(change_password(&browser, PASSWORD, NEW).await.status, 200);
}

#[sqlx::test]
async fn a_temporary_password_ends_after_a_day_and_a_chosen_one_does_not(db: PgPool) {
    let shop = shop_with_sita(db).await;
    shop.app.clock.advance(TimeDelta::hours(24));
    assert_eq!(login(&Browser::new(&shop), PASSWORD).await.status, 200, "chosen");

    let temporary_password = staff::reset_password(&shop.app, SITA, None).await.unwrap().password.unwrap();
    let browser = Browser::new(&shop);
    shop.app.clock.advance(TimeDelta::hours(23));
    assert_eq!(login(&browser, &temporary_password).await.status, 200);
    // The calls keep the session from expiring.
    for _ in 0..2 {
        shop.app.clock.advance(TimeDelta::minutes(20));
        assert!(is_seller(&browser).await);
    }
    shop.app.clock.advance(TimeDelta::minutes(20));

    assert_eq!(login(&Browser::new(&shop), &temporary_password).await.refusal(), refusal(401, "wrong_credentials"));
    assert_eq!(
        change_password(&browser, &temporary_password, NEW).await.refusal(),
        refusal(403, "wrong_password"),
        "begun before"
    );
    assert_eq!(count_events(&shop, "password.expired").await, 2);
    login(&Browser::new(&shop), "wrong").await;
    assert_eq!(count_events(&shop, "password.expired").await, 2, "a wrong one did not expire");

    staff::reset_password(&shop.app, SITA, Some(PASSWORD.to_owned())).await.unwrap();
    let chosen = login(&browser, PASSWORD).await;
    assert_eq!(chosen.status, 200);
    assert!(chosen.json()["data"]["passwordChangeNeeded"].is_null());
    assert_eq!(browser.get("/api/shop/get_settings").await.status, 200);
}

/// A temporary password must be changed even if the second step is on.
#[sqlx::test]
async fn a_temporary_password_with_a_code_has_to_be_changed_too(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let temporary_password = staff::reset_password(&shop.app, SITA, None).await.unwrap().password.unwrap();
    let made = staff::require_second_step(&shop.app, SITA).await.unwrap();
    let browser = Browser::new(&shop);
    login(&browser, &temporary_password).await;
    let answer = browser.post("/api/seller/login/code", &json!({"code": made.backup_codes[0]})).await;

    assert_eq!((answer.status.as_u16(), &answer.json()["data"]["passwordChangeNeeded"]), (200, &json!(true)));
    assert_eq!(browser.get("/api/shop/get_settings").await.refusal(), refusal(403, "password_change_needed"));
    assert_eq!(change_password(&browser, &temporary_password, NEW).await.status, 200);
    assert_eq!(browser.get("/api/shop/get_settings").await.status, 200);
}

async fn list_sessions(browser: &Browser<'_>) -> Vec<Value> {
    browser.get("/api/seller/sessions").await.json()["data"].as_array().unwrap().clone()
}

async fn end_sessions(browser: &Browser<'_>, body: Value) -> TestResponse {
    browser.post("/api/seller/sessions/end", &body).await
}

#[sqlx::test]
async fn a_seller_sees_and_ends_sessions(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let (browser, other, third) =
        (log_in_new_browser(&shop).await, log_in_new_browser(&shop).await, log_in_new_browser(&shop).await);
    let listed = list_sessions(&other).await;
    assert_eq!(listed.len(), 3);
    let own: Vec<&Value> = listed.iter().filter(|one| one["current"] == true).collect();
    assert_eq!(own.len(), 1);
    assert_eq!((&own[0]["device"], &own[0]["ip"]), (&json!("Firefox on Android"), &json!("127.0.0.1")));
    assert!(own[0]["lastSeenAt"].is_string() && own[0]["createdAt"].is_string());

    let id = own[0]["id"].clone();
    let ended = end_sessions(&browser, json!({"id": id})).await;
    assert_eq!((ended.status.as_u16(), &ended.json()["message"]), (200, &json!("The device has been logged out.")));
    assert!(!is_seller(&other).await && is_seller(&third).await);
    assert_eq!(end_sessions(&browser, json!({"id": id})).await.refusal(), refusal(404, "session_not_found"));

    assert_eq!(end_sessions(&browser, json!({})).await.status, 200);
    assert!(is_seller(&browser).await && !is_seller(&third).await);
    assert_eq!(list_sessions(&browser).await.len(), 1);
    assert_eq!((count_events(&shop, "session.ended").await, count_events(&shop, "session.all_ended").await), (1, 1));
}

#[sqlx::test]
async fn ending_other_sessions_wants_a_recent_login_or_the_password(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let (browser, other) = (log_in_new_browser(&shop).await, log_in_new_browser(&shop).await);
    shop.app.clock.advance(TimeDelta::minutes(11));
    let id = list_sessions(&other).await.iter().find(|one| one["current"] == true).unwrap()["id"].clone();

    for body in [json!({}), json!({"id": id}), json!({"id": id, "password": ""})] {
        assert_eq!(end_sessions(&browser, body.clone()).await.refusal(), refusal(403, "password_needed"), "{body}");
    }
    let wrong = json!({"id": id, "password": "wrong"});
    assert_eq!(end_sessions(&browser, wrong).await.refusal(), refusal(403, "wrong_password"));
    assert!(is_seller(&other).await);
    assert_eq!(end_sessions(&browser, json!({"id": id, "password": PASSWORD})).await.status, 200);
    assert!(!is_seller(&other).await);

    let own = list_sessions(&browser).await[0]["id"].clone();
    assert_eq!(end_sessions(&browser, json!({"id": own})).await.status, 200, "one's own needs nothing");
    assert!(!is_seller(&browser).await && browser.cookies.borrow().get("__Host-ssid").is_none());
}

#[sqlx::test]
async fn nobody_ends_another_sellers_session(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let sita = log_in_new_browser(&shop).await;
    staff::create(&shop.app, "hari@example.com", "Hari", Role::Owner, Some(NEW.to_owned())).await.unwrap();
    let hari = Browser::new(&shop);
    hari.post("/api/seller/login", &json!({"email": "hari@example.com", "password": NEW})).await;
    let id = list_sessions(&sita).await[0]["id"].clone();

    assert_eq!(end_sessions(&hari, json!({"id": id})).await.refusal(), refusal(404, "session_not_found"));
    assert_eq!(end_sessions(&hari, json!({"id": "nonsense"})).await.status.as_u16() / 100, 4);
    assert_eq!(end_sessions(&hari, json!({})).await.status, 200);
    assert!(is_seller(&sita).await && is_seller(&hari).await);
    assert_eq!(list_sessions(&hari).await.len(), 1);
}

/// A shopper's session does not store its network address.
#[sqlx::test]
async fn the_network_address_is_kept_of_sellers_sessions_only(db: PgPool) {
    let shop = shop_with_sita(db).await;
    Browser::new(&shop).register("asha@example.com").await;
    log_in_new_browser(&shop).await;
    let stored: Vec<(String, String)> =
        sqlx::query_as("SELECT kind, ip FROM sessions ORDER BY kind").fetch_all(&shop.db).await.unwrap();

    let pair = |kind: &str, ip: &str| (kind.to_owned(), ip.to_owned());
    assert_eq!(stored, [pair("seller", "127.0.0.1"), pair("shopper", "")]);
}
