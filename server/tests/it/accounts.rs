//! Registration, sign-in, the profile, emails and account deletion, and attempts to get in without permission.

use chrono::TimeDelta;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::ids::UserId;
use thunse::platform::jobs;

use crate::serve::{BLOCKED_STATEMENTS, wait_for_count};
use crate::support::mailbox::Mailbox;
use crate::support::{Browser, PASSWORD, SHOP, TestShop, queue, refusal, weak_hash};

const ASHA: &str = "asha@example.com";

// spec: 3.user.1, 7.load.1, 7.shopper.10
#[sqlx::test]
async fn a_new_shopper_is_signed_in_and_gets_an_email(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);

    let registered = browser.register(" Asha@Example.com ").await;

    assert_eq!(registered.status, 200, "{}", registered.text);
    let answer = registered.json();
    assert_eq!(answer["message"], "User registered successfully.");
    let user = &answer["data"];
    assert_eq!(
        (&user["name"], &user["email"], &user["phone"], &user["image"], &user["address"], &user["emailConfirmed"]),
        (&json!("Asha Rai"), &json!("Asha@Example.com"), &json!("9801234567"), &Value::Null, &json!(""), &json!(false)),
    );
    for field in ["_id", "createdAt", "updatedAt"] {
        assert!(user[field].is_string(), "{field}");
    }
    assert_eq!(browser.current_user().await.json()["data"]["_id"], user["_id"]);
    shop.run_jobs().await;
    let emails = mailbox.emails("Asha@Example.com").await;
    let link = format!("{SHOP}/confirm-email#token=");
    assert!(emails.len() == 1 && emails[0]["text"].as_str().unwrap().contains(&link), "{emails:?}");
}

#[sqlx::test]
async fn cookies_are_ours_alone_and_the_database_has_only_their_hash(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    shop.app.passwords.hash_cheaply(false);
    let browser = Browser::new(&shop);

    let registered = browser.register(ASHA).await;

    let set: Vec<&str> = registered.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
    let session = set.iter().find(|cookie| cookie.starts_with("__Host-sid=")).unwrap();
    for attribute in ["; Path=/", "; Secure", "; HttpOnly", "; SameSite=Lax", "; Max-Age=2592000"] {
        assert!(session.contains(attribute), "{attribute} is missing from {session}");
    }
    assert!(!session.contains("Domain"));
    assert_eq!(registered.header("cache-control"), "no-store");
    let token = browser.session().unwrap();
    assert!(token.len() >= 43, "256 bits");
    let stored: Vec<Vec<u8>> = sqlx::query_scalar("SELECT token_hash FROM sessions").fetch_all(&shop.db).await.unwrap();
    assert_eq!(stored.len(), 1);
    assert!(stored[0].len() == 32 && stored[0] != token.as_bytes());
    let hash: String = sqlx::query_scalar("SELECT password_hash FROM users").fetch_one(&shop.db).await.unwrap();
    assert!(hash.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
}

#[sqlx::test]
async fn what_is_missing_or_wrong_is_said(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    let good = [("name", "Asha"), ("email", ASHA), ("password", PASSWORD), ("phone", "9801234567")];
    let cases = [
        ("name", " ", 422, "fields_missing", "Please fill in all fields."),
        ("phone", "", 422, "fields_missing", "Please fill in all fields."),
        ("email", "asha", 422, "email_invalid", "Valid email is required"),
        (
            "phone",
            "12345",
            422,
            "phone_invalid",
            "Please enter a phone number like 9801234567, 01-4412345 or +977 9801234567.",
        ),
        ("password", "short", 422, "password_short", "Please choose a password of at least 8 characters."),
        (
            "password",
            "password123",
            422,
            "password_common",
            "This password is too easy to guess. Please choose another one.",
        ),
        (
            "password",
            "asha@example.com",
            422,
            "password_common",
            "This password is too easy to guess. Please choose another one.",
        ),
    ];
    for (field, value, status, wanted, message) in cases {
        let texts: Vec<(&str, &str)> =
            good.iter().map(|(name, text)| if *name == field { (*name, value) } else { (*name, *text) }).collect();
        let answer = browser.send_form(Method::POST, "/api/user/register", &texts, None).await;
        assert_eq!(answer.refusal(), refusal(status, wanted), "{field}={value}");
        assert_eq!(answer.json()["message"], message);
    }
    let unknown = browser.send_form(Method::POST, "/api/user/register", &[("role", "admin")], None).await;
    assert_eq!(unknown.refusal(), refusal(422, "unknown_field"));
    assert!(!browser.is_signed_in().await);

    assert_eq!(browser.register(ASHA).await.status, 200);
    let again = Browser::new(&shop).register("ASHA@example.com").await;
    assert_eq!(again.refusal(), refusal(409, "email_taken"));
}

// spec: 7.shopper.3, 7.shopper.12
#[sqlx::test]
async fn log_in_log_out(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    Browser::new(&shop).register(ASHA).await;
    let browser = Browser::new(&shop);

    let signed_in = browser.login("Asha@example.com", PASSWORD).await;
    assert_eq!((signed_in.status.as_u16(), &signed_in.json()["message"]), (200, &json!("Logged in successfully.")));
    assert!(browser.is_signed_in().await);
    let thief = browser.copy_cookies();

    let out = browser.get("/api/user/logout").await;
    assert_eq!((out.status.as_u16(), &out.json()["message"]), (200, &json!("Logout successful!")));
    assert_eq!(browser.session(), None);
    assert_eq!(
        thief.current_user().await.refusal(),
        refusal(401, "signed_out"),
        "a stolen cookie ends with the logout"
    );
    assert_eq!(browser.get("/api/user/logout").await.status, 200, "logging out twice is no failure");
}

#[sqlx::test]
async fn unknown_address_and_wrong_password_get_one_answer(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    Browser::new(&shop).register(ASHA).await;

    let wrong = Browser::new(&shop).login(ASHA, "not the password").await;
    let unknown = Browser::new(&shop).login("nobody@example.com", "not the password").await;

    assert_eq!(wrong.refusal(), refusal(401, "wrong_credentials"));
    assert_eq!((wrong.status, &wrong.text), (unknown.status, &unknown.text));
}

/// The test measures CPU time, because load from other processes lengthens wall-clock time. The two cases alternate,
/// and their times are summed.
#[sqlx::test]
async fn unknown_address_and_wrong_password_take_one_time(db: PgPool) {
    let shop = TestShop::with_jobs_and_settings(db, &[("LOGIN_FAILURES_PER_HOUR", "1000")]).await;
    // The hash takes most of the time, as it does in a server.
    shop.app.passwords.hash_cheaply(false);
    Browser::new(&shop).register(ASHA).await;
    let mut spent = [0.0, 0.0];
    for round in 0..12 {
        for (which, email) in [ASHA.to_owned(), format!("nobody{round}@example.com")].into_iter().enumerate() {
            sqlx::query("DELETE FROM login_throttles").execute(&shop.db).await.unwrap();
            let before = cpu_seconds();
            assert_eq!(Browser::new(&shop).login(&email, "not the password").await.status, 401);
            spent[which] += cpu_seconds() - before;
        }
    }
    let ratio = spent[0] / spent[1];

    crate::support::report_figure(&format!("login CPU time, known address / unknown address: {ratio:.2}"));
    assert!((0.7..1.4).contains(&ratio), "{ratio}");
}

/// Returns the CPU time of this process, also of its threads that have ended: hashing runs on its own thread, and
/// nextest runs one test per process.
fn cpu_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap();
    // The name of the program, in parentheses, is the second field; the times are the fields 14 and 15.
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    let ticks = fields.split(' ').skip(11).take(2).map(|ticks| ticks.parse::<f64>().unwrap());
    ticks.sum::<f64>() / TICKS_PER_SECOND
}

#[sqlx::test]
async fn a_session_id_that_somebody_planted_is_not_used(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let attacker = Browser::new(&shop);
    attacker.register("mallory@example.com").await;
    Browser::new(&shop).register(ASHA).await;
    let planted = attacker.session().unwrap();
    let victim = Browser::new(&shop);
    victim.cookies.borrow_mut().insert("__Host-sid".to_owned(), planted.clone());

    victim.login(ASHA, PASSWORD).await;

    assert_ne!(victim.session().unwrap(), planted);
    assert_eq!(victim.current_user().await.json()["data"]["email"], ASHA);
    assert!(!attacker.is_signed_in().await, "the planted session has ended");
    victim.cookies.borrow_mut().insert("__Host-sid".to_owned(), "made-up".to_owned());
    assert_eq!(victim.current_user().await.refusal(), refusal(401, "signed_out"));
}

#[sqlx::test]
async fn another_site_can_neither_log_in_nor_out(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let cookie = format!("__Host-sid={}", browser.session().unwrap());
    let from = |pairs: &[(&'static str, &'static str)]| {
        let mut headers: Vec<(&str, &str)> = vec![("cookie", cookie.as_str())];
        headers.extend(pairs);
        headers
    };
    for pairs in [
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-dest", "image")][..],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "same-origin"), ("sec-fetch-mode", "navigate")],
        &[("sec-fetch-site", "none"), ("sec-fetch-mode", "navigate")],
        &[("referer", "https://evil.example/page")],
        &[("origin", "https://evil.example")],
        &[("referer", "http://shop.test.evil.example/")],
    ] {
        for path in ["/api/user/logout", "/api/seller/logout"] {
            let answer = shop.get_with(path, &from(pairs)).await;
            assert_eq!(answer.refusal(), refusal(403, "cross_site"), "{path} {pairs:?}");
        }
    }
    assert!(browser.is_signed_in().await);
    let forged = json!({"email": ASHA, "password": PASSWORD}).to_string();
    let answer = shop.post_with("/api/user/login", &forged, &[("origin", "https://evil.example")]).await;
    assert_eq!(answer.refusal(), refusal(403, "cross_site"));
    assert_eq!(shop.get_with("/api/user/logout", &from(&[("referer", "http://shop.test/cart")])).await.status, 200);
    assert!(!browser.is_signed_in().await);
}

#[sqlx::test]
async fn sessions_end_when_idle_when_old_and_beyond_ten(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let first = Browser::new(&shop);
    first.register(ASHA).await;

    shop.app.clock.advance(TimeDelta::days(13));
    assert!(first.is_signed_in().await);
    shop.app.clock.advance(TimeDelta::days(13));
    assert!(first.is_signed_in().await, "being used, it starts again");
    shop.app.clock.advance(TimeDelta::days(4));
    assert!(!first.is_signed_in().await, "after 30 days, used or not");
    first.login(ASHA, PASSWORD).await;
    shop.app.clock.advance(TimeDelta::days(14));
    assert!(!first.is_signed_in().await);

    sqlx::query("DELETE FROM sessions").execute(&shop.db).await.unwrap();
    let mut browsers = Vec::new();
    for _ in 0..11 {
        let browser = Browser::new(&shop);
        browser.login(ASHA, PASSWORD).await;
        browsers.push(browser);
    }
    assert!(!browsers[0].is_signed_in().await);
    assert!(browsers[1].is_signed_in().await && browsers[10].is_signed_in().await);
}

#[sqlx::test]
async fn an_old_token_is_changed_and_works_a_moment_longer(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let old = browser.copy_cookies();
    shop.app.clock.advance(TimeDelta::hours(25));

    browser.current_user().await;

    assert_ne!(browser.session(), old.session());
    assert!(old.is_signed_in().await, "a request that was under way");
    shop.app.clock.advance(TimeDelta::seconds(31));
    assert!(!old.is_signed_in().await);
    assert!(browser.is_signed_in().await);
}

#[sqlx::test]
async fn devices_are_listed_and_signed_out(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (phone, laptop) = (Browser::new(&shop), Browser::new(&shop));
    phone.register(ASHA).await;
    laptop.login(ASHA, PASSWORD).await;
    let stranger = Browser::new(&shop);
    stranger.register("bina@example.com").await;

    let listed = laptop.get("/api/user/sessions").await.json()["data"].clone();
    assert_eq!(listed.as_array().unwrap().len(), 2);
    assert_eq!((&listed[0]["current"], &listed[0]["device"]), (&json!(true), &json!("Firefox on Android")));
    let other = listed[1]["id"].as_str().unwrap();
    assert_eq!(
        stranger.delete(&format!("/api/user/sessions/{other}")).await.refusal(),
        refusal(404, "session_not_found")
    );
    assert_eq!(laptop.delete(&format!("/api/user/sessions/{other}")).await.status, 200);
    assert!(!phone.is_signed_in().await);

    phone.login(ASHA, PASSWORD).await;
    let thief = phone.copy_cookies();
    assert_eq!(laptop.post("/api/user/sessions/end_all", &json!({})).await.status, 200);
    for browser in [&laptop, &phone, &thief] {
        assert!(!browser.is_signed_in().await);
    }
    assert!(stranger.is_signed_in().await);
}

#[sqlx::test]
async fn ending_another_session_needs_the_password_or_a_recent_login(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (phone, laptop) = (Browser::new(&shop), Browser::new(&shop));
    phone.register(ASHA).await;
    laptop.login(ASHA, PASSWORD).await;
    shop.app.clock.advance(TimeDelta::minutes(11));
    let listed = laptop.get("/api/user/sessions").await.json()["data"].clone();
    let [own, other] = [0, 1].map(|place| format!("/api/user/sessions/{}", listed[place]["id"].as_str().unwrap()));
    let thief = laptop.copy_cookies();

    assert_eq!(thief.delete(&other).await.refusal(), refusal(403, "password_needed"));
    let everywhere = thief.post("/api/user/sessions/end_all", &json!({})).await;
    assert_eq!(everywhere.refusal(), refusal(403, "password_needed"));
    let prove = async |browser: &Browser<'_>, password: &str| {
        browser.post("/api/user/password/verify", &json!({"password": password})).await
    };
    assert_eq!(prove(&thief, "a guess").await.refusal(), refusal(403, "wrong_password"));
    assert!(phone.is_signed_in().await);

    assert_eq!(prove(&laptop, PASSWORD).await.status, 200);
    assert!(!thief.is_signed_in().await, "the token is a new one");
    assert_eq!(laptop.delete(&other).await.status, 200);
    assert!(!phone.is_signed_in().await);
    shop.app.clock.advance(TimeDelta::minutes(11));
    assert_eq!(laptop.delete(&own).await.status, 200, "the own session can always be ended");
    assert!(!laptop.is_signed_in().await);
}

/// Counts the queued emails to this address about a new browser.
async fn count_new_device_emails(shop: &TestShop, email: &str) -> usize {
    let emails = queue::payloads(&shop.db, "notifications.send_email").await;
    emails.iter().filter(|message| message["to"]["email"] == email && message["email"]["kind"] == "new_device").count()
}

#[sqlx::test]
async fn a_shopper_hears_of_a_new_browser_once(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    browser.login(ASHA, PASSWORD).await;
    assert_eq!(count_new_device_emails(&shop, ASHA).await, 0, "the account was made with this browser");

    let other = Browser::new(&shop);
    for _ in 0..2 {
        assert_eq!(other.login(ASHA, PASSWORD).await.status, 200);
        assert_eq!(count_new_device_emails(&shop, ASHA).await, 1);
    }
    assert_eq!(other.login(ASHA, "wrong").await.status, 401);
    let emails = queue::payloads(&shop.db, "notifications.send_email").await;
    assert_eq!(emails[0]["email"]["device"], "Firefox on Android");
    // Anyone can register another person's address and log in again and again, so the emails are limited.
    for _ in 0..5 {
        assert_eq!(Browser::new(&shop).login(ASHA, PASSWORD).await.status, 200);
    }
    assert_eq!(count_new_device_emails(&shop, ASHA).await, 3, "an hour");
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(Browser::new(&shop).login(ASHA, PASSWORD).await.status, 200);
    assert_eq!(count_new_device_emails(&shop, ASHA).await, 4);
}

#[sqlx::test]
async fn the_browser_that_changed_the_password_is_no_new_one(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let new = "new mountains every day";
    let change = json!({"currentPassword": PASSWORD, "newPassword": new});
    assert_eq!(browser.post("/api/user/password/change", &change).await.status, 200);
    browser.get("/api/user/logout").await;

    assert_eq!(browser.login(ASHA, new).await.status, 200);
    assert_eq!(count_new_device_emails(&shop, ASHA).await, 0);
    assert_eq!(Browser::new(&shop).login(ASHA, new).await.status, 200);
    assert_eq!(count_new_device_emails(&shop, ASHA).await, 1);
}

#[sqlx::test]
async fn the_operator_ends_the_sessions_of_one_address_or_of_all(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (asha, bina) = (Browser::new(&shop), Browser::new(&shop));
    asha.register(ASHA).await;
    bina.register("bina@example.com").await;
    let sita = crate::orders::sita(&shop).await;
    let is_seller = async || sita.get("/api/seller/checkSeller").await.status == 200;

    assert_eq!(shop.output(&["sessions", "end", "--email", "Asha@Example.com"]).await, "sessions ended: 1\n");
    assert!(!asha.is_signed_in().await && bina.is_signed_in().await && is_seller().await);
    assert_eq!(shop.output(&["sessions", "end", "--email", "sita@example.com"]).await, "sessions ended: 1\n");
    assert!(!is_seller().await && bina.is_signed_in().await);
    let unknown = shop.command(&["sessions", "end", "--email", "nobody@example.com"], &[]).await.output().unwrap();
    assert!(!unknown.status.success(), "a mistyped address is said");
    let nothing = shop.command(&["sessions", "end"], &[]).await.output().unwrap();
    assert!(!nothing.status.success() && bina.is_signed_in().await, "all only if one says so");
    asha.login(ASHA, PASSWORD).await;
    assert_eq!(shop.output(&["sessions", "end", "--all"]).await, "sessions ended: 2\n");
    assert!(!asha.is_signed_in().await && !bina.is_signed_in().await);

    let recorded: i64 = sqlx::query_scalar(
        "SELECT count(*) FROM security_events WHERE kind = 'session.all_ended' AND actor_kind = 'operator'",
    )
    .fetch_one(&shop.db)
    .await
    .unwrap();
    assert_eq!(recorded, 3);
}

#[sqlx::test]
async fn a_forgotten_password_is_replaced_by_an_email(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;

    let asked = browser.post("/api/user/password/forgot", &json!({"email": "ASHA@example.com"})).await;
    let nobody = browser.post("/api/user/password/forgot", &json!({"email": "nobody@example.com"})).await;
    assert_eq!((asked.status.as_u16(), &asked.text), (200, &nobody.text), "the same answer for a stranger");
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    let reset = |password: &'static str| json!({"token": token, "password": password});

    assert_eq!(
        browser.post("/api/user/password/reset", &reset("password1")).await.refusal(),
        refusal(422, "password_common")
    );
    let done = browser.post("/api/user/password/reset", &reset("new mountains every day")).await;
    assert_eq!(done.status, 200, "the refusal before did not use the link up: {}", done.text);
    assert!(!browser.is_signed_in().await, "every session ends");
    assert_eq!(
        browser.post("/api/user/password/reset", &reset("another long one here")).await.refusal(),
        refusal(422, "link_invalid")
    );
    assert_eq!(browser.login(ASHA, PASSWORD).await.status, 401);
    let back = browser.login(ASHA, "new mountains every day").await;
    assert_eq!((back.status.as_u16(), &back.json()["data"]["emailConfirmed"]), (200, &json!(true)));

    browser.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    shop.app.clock.advance(TimeDelta::minutes(30));
    let late = browser.post("/api/user/password/reset", &json!({"token": token, "password": "a third good one"})).await;
    assert_eq!(late.refusal(), refusal(422, "link_invalid"));
    browser.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let fourth = browser.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    assert_eq!(fourth.refusal(), refusal(429, "too_many_requests"), "three emails an hour");
}

#[sqlx::test]
async fn changing_the_password_ends_the_other_sessions(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (browser, other) = (Browser::new(&shop), Browser::new(&shop));
    browser.register(ASHA).await;
    other.login(ASHA, PASSWORD).await;
    let thief = browser.copy_cookies();
    let change = |current: &str| json!({"currentPassword": current, "newPassword": "new mountains every day"});

    assert_eq!(
        browser.post("/api/user/password/change", &change("wrong")).await.refusal(),
        refusal(403, "wrong_password")
    );
    let changed = browser.post("/api/user/password/change", &change(PASSWORD)).await;

    assert_eq!(changed.status, 200, "{}", changed.text);
    assert!(browser.is_signed_in().await);
    assert!(!other.is_signed_in().await && !thief.is_signed_in().await);
}

#[sqlx::test]
async fn an_address_is_confirmed_by_its_email(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let token = shop.token(&mailbox, ASHA, "confirm-email").await;

    let confirmed = Browser::new(&shop).post("/api/user/email/confirm", &json!({"token": token})).await;

    assert_eq!((confirmed.status.as_u16(), &confirmed.json()["data"]["email"]), (200, &json!(ASHA)));
    assert_eq!(browser.current_user().await.json()["data"]["emailConfirmed"], true);
    let again = browser.post("/api/user/email/confirm", &json!({"token": token})).await;
    assert_eq!(again.refusal(), refusal(422, "link_invalid"));
}

#[sqlx::test]
async fn signing_up_takes_a_landline_and_the_profile_wants_ten_digits(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    let texts = [("name", "Asha"), ("email", ASHA), ("password", PASSWORD), ("phone", "+977-1-4412345")];

    let registered = browser.send_form(Method::POST, "/api/user/register", &texts, None).await;

    assert_eq!(registered.json()["data"]["phone"], "014412345");
    let refused = browser.send_form(Method::PUT, PROFILE, &profile("Asha", ASHA, "014412345", "Boudha 6"), None).await;
    assert_eq!(refused.json()["message"], "Valid 10-digit phone number is required");
}

fn profile<'a>(name: &'a str, email: &'a str, phone: &'a str, address: &'a str) -> [(&'a str, &'a str); 4] {
    [("name", name), ("email", email), ("phone", phone), ("address", address)]
}

const PROFILE: &str = "/api/user/updateProfile";

#[sqlx::test]
async fn the_profile_is_checked_and_saved(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    for (texts, wanted, message) in [
        (profile(" ", ASHA, "9801234567", "x"), "name_required", "Name is required"),
        (profile("A", "asha@", "9801234567", "x"), "email_invalid", "Valid email is required"),
        (profile("A", ASHA, "980123456", "x"), "phone_invalid", "Valid 10-digit phone number is required"),
        (profile("A", ASHA, "9801234567", " "), "address_required", "Address is required"),
    ] {
        let answer = browser.send_form(Method::PUT, PROFILE, &texts, None).await;
        assert_eq!(answer.refusal(), refusal(422, wanted));
        assert_eq!(answer.json()["message"], message);
    }

    let texts = profile("आशा राई", ASHA, "९८०-७६५४३२१", "Bhaktapur, Ward 4");
    let saved = browser.send_form(Method::PUT, PROFILE, &texts, None).await;

    assert_eq!((saved.status.as_u16(), &saved.json()["message"]), (200, &json!("Profile updated successfully!")));
    let user = browser.current_user().await.json()["data"].clone();
    assert_eq!(
        (&user["name"], &user["phone"], &user["address"], &user["email"], &user["pendingEmail"]),
        (&json!("आशा राई"), &json!("9807654321"), &json!("Bhaktapur, Ward 4"), &json!(ASHA), &Value::Null),
    );
    let stranger = Browser::new(&shop).send_form(Method::PUT, PROFILE, &texts, None).await;
    assert_eq!(stranger.refusal(), refusal(401, "signed_out"));
}

#[sqlx::test]
async fn a_new_address_counts_once_its_email_was_opened(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    Browser::new(&shop).register("bina@example.com").await;
    // Jobs run in any order, and the link of the registration must not replace the one of the change.
    shop.run_jobs().await;
    let taken =
        browser.send_form(Method::PUT, PROFILE, &profile("A", "Bina@example.com", "9801234567", "x"), None).await;
    assert_eq!(taken.refusal(), refusal(409, "email_taken"));

    let saved =
        browser.send_form(Method::PUT, PROFILE, &profile("A", "new@example.com", "9801234567", "x"), None).await;

    let user = &saved.json()["data"];
    assert_eq!((&user["email"], &user["pendingEmail"]), (&json!(ASHA), &json!("new@example.com")));
    shop.run_jobs().await;
    let told = mailbox.emails(ASHA).await;
    let notice = told.iter().find(|email| email["text"].as_str().unwrap().contains("new@example.com"));
    assert!(notice.is_some(), "the old address hears of it: {told:?}");
    let token = mailbox.token("new@example.com", "confirm-email").await;
    assert_eq!(browser.post("/api/user/email/confirm", &json!({"token": token})).await.status, 200);
    assert_eq!(browser.current_user().await.json()["data"]["email"], "new@example.com");
    assert_eq!(Browser::new(&shop).login("new@example.com", PASSWORD).await.status, 200);
    assert_eq!(Browser::new(&shop).login(ASHA, PASSWORD).await.status, 401);
}

/// The export has read the profile and waits for the addresses, which change meanwhile.
#[sqlx::test]
async fn an_export_shows_one_moment(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    browser.post("/api/address/add_address", &crate::addresses::home_address()).await;
    let mut change = shop.db.begin().await.unwrap();
    sqlx::query("LOCK TABLE addresses IN ACCESS EXCLUSIVE MODE").execute(&mut *change).await.unwrap();

    let changing = async {
        wait_for_count(&shop.db, BLOCKED_STATEMENTS, 1).await;
        sqlx::query("UPDATE addresses SET street = 'New Road'").execute(&mut *change).await.unwrap();
        change.commit().await.unwrap();
    };
    let (export, ()) = tokio::join!(browser.get("/api/user/export"), changing);

    assert_eq!(export.json()["addresses"][0]["street"], "Mitra Marg");
    assert_eq!(browser.get("/api/user/export").await.json()["addresses"][0]["street"], "New Road");
    assert_eq!(shop.count("security_events WHERE kind = 'data.exported'").await, 2);
}

#[sqlx::test]
async fn one_takes_ones_data_along_and_leaves(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    browser.post("/api/address/add_address", &crate::addresses::home_address()).await;

    let export = browser.get("/api/user/export").await;
    assert!(export.header("content-disposition").starts_with("attachment"));
    let document = export.json();
    assert_eq!(
        (&document["profile"]["email"], &document["addresses"][0]["street"]),
        (&json!(ASHA), &json!("Mitra Marg"))
    );
    assert!(!export.text.contains("argon2") && !export.text.contains(&browser.session().unwrap()));
    shop.app.clock.advance(TimeDelta::minutes(11));
    assert_eq!(browser.get("/api/user/export").await.refusal(), refusal(403, "fresh_login_needed"));

    assert_eq!(
        browser.post("/api/user/delete", &json!({"password": "wrong"})).await.refusal(),
        refusal(403, "wrong_password")
    );
    assert_eq!(browser.post("/api/user/delete", &json!({"password": PASSWORD})).await.status, 200);

    assert!(!browser.is_signed_in().await);
    assert_eq!(browser.login(ASHA, PASSWORD).await.status, 401);
    let left: Value = sqlx::query_scalar("SELECT to_jsonb(users) FROM users").fetch_one(&shop.db).await.unwrap();
    let personal = ["email", "name", "phone", "address"].map(|field| left[field].as_str().unwrap().to_owned());
    assert_eq!(personal, ["", "", "", ""], "{left}");
    assert!(left["password_hash"].is_null() && left["picture"].is_null() && left["pending_email"].is_null(), "{left}");
    let addresses: i64 = sqlx::query_scalar("SELECT count(*) FROM addresses").fetch_one(&shop.db).await.unwrap();
    assert_eq!(addresses, 0);
    assert_eq!(browser.register(ASHA).await.status, 200, "the address is free again");
}

#[sqlx::test]
async fn people_whom_a_restored_backup_brought_back_are_deleted_again(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (asha, bikash) = (Browser::new(&shop), Browser::new(&shop));
    for (browser, email) in [(&asha, ASHA), (&bikash, "bikash@example.com")] {
        browser.register(email).await;
        browser.post("/api/address/add_address", &crate::addresses::home_address()).await;
    }
    let gone: UserId =
        sqlx::query_scalar("SELECT id FROM users WHERE email = $1").bind(ASHA).fetch_one(&shop.db).await.unwrap();
    let emails = queue::payloads(&shop.db, "notifications.send_email").await;

    let (first, second) = (repeat(&shop, gone).await, repeat(&shop, gone).await);

    assert_eq!((first, second), (1, 0));
    assert!(!asha.is_signed_in().await && bikash.is_signed_in().await);
    assert_eq!(asha.login(ASHA, PASSWORD).await.status, 401);
    let left: Vec<String> =
        sqlx::query_scalar("SELECT email FROM users ORDER BY email").fetch_all(&shop.db).await.unwrap();
    assert_eq!(left, ["", "bikash@example.com"]);
    let addresses: i64 = sqlx::query_scalar("SELECT count(*) FROM addresses").fetch_one(&shop.db).await.unwrap();
    assert_eq!(addresses, 1, "only those of the person who has left");
    assert_eq!(queue::payloads(&shop.db, "notifications.send_email").await, emails, "they were told when they left");
    let by: String = sqlx::query_scalar("SELECT actor_kind FROM security_events WHERE kind = 'account.deleted'")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    assert_eq!(by, "operator");
}

async fn repeat(shop: &TestShop, user: UserId) -> usize {
    let unknown = UserId(uuid::Uuid::new_v4());
    thunse::accounts::repeat_deletions(&shop.app, &[user, unknown], thunse::app::PERSONAL_DATA).await.unwrap()
}

#[sqlx::test]
async fn wrong_passwords_are_slowed_by_account(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let owner = Browser::new(&shop);
    owner.register(ASHA).await;
    let attacker = Browser::new(&shop);
    for number in 0..5 {
        assert_eq!(attacker.login(ASHA, "wrong").await.status, 401, "{number}");
    }
    let wait = async || {
        let statement = "SELECT extract(epoch FROM max(allowed_at - last_attempt_at))::bigint FROM login_throttles";
        sqlx::query_scalar::<_, i64>(statement).fetch_one(&shop.db).await.unwrap()
    };
    assert_eq!(wait().await, 1);
    shop.lengthen_login_waits().await;

    let sixth = attacker.login(ASHA, "wrong").await;

    assert_eq!(sixth.refusal(), refusal(429, "too_many_requests"));
    let seconds: u32 = sixth.header("retry-after").parse().unwrap();
    assert!((3_000..=3_601).contains(&seconds), "{seconds}");
    assert_eq!(sixth.json()["message"], format!("Too many attempts. Please try again in {seconds} seconds."));
    assert_eq!(attacker.login(ASHA, PASSWORD).await.status, 429, "the right password does not get past it");
    assert_eq!(owner.login(ASHA, PASSWORD).await.status, 200, "a browser that has logged in before does");

    let mut waits = Vec::new();
    for _ in 0..12 {
        shop.app.clock.advance(TimeDelta::seconds(wait().await));
        assert_eq!(attacker.login(ASHA, "wrong").await.status, 401);
        waits.push(wait().await);
    }
    assert_eq!(waits, [2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900]);
}

#[sqlx::test]
async fn a_hundred_failures_close_the_account_until_its_owner_opens_it(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let owner = Browser::new(&shop);
    owner.register(ASHA).await;
    let attacker = Browser::new(&shop);
    attacker.login(ASHA, "wrong").await;
    shop.sql("UPDATE login_throttles SET failures = 99").await;

    assert_eq!(attacker.login(ASHA, "wrong").await.status, 401);

    assert_eq!(attacker.login(ASHA, PASSWORD).await.status, 429);
    shop.app.clock.advance(TimeDelta::days(3));
    assert_eq!(attacker.login(ASHA, "wrong").await.status, 401, "one try");
    assert_eq!(attacker.login(ASHA, PASSWORD).await.status, 429, "three days are not enough to forget it");
    let warned = queue::payloads(&shop.db, "notifications.send_email")
        .await
        .iter()
        .filter(|message| message["email"]["type"] == "too_many_attempts")
        .count();
    assert_eq!(warned, 1);
    assert_eq!(owner.login(ASHA, PASSWORD).await.status, 200);
    owner.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    owner.post("/api/user/password/reset", &json!({"token": token, "password": "new mountains every day"})).await;
    assert_eq!(Browser::new(&shop).login(ASHA, "new mountains every day").await.status, 200);
}

#[sqlx::test]
async fn two_copies_count_together_and_at_once(db: PgPool) {
    let shop = TestShop::with_jobs(db.clone()).await;
    let copy = TestShop::new(db);
    Browser::new(&shop).register(ASHA).await;
    let (one, two) = (Browser::new(&shop), Browser::new(&copy));
    one.login(ASHA, "wrong").await;
    // The next failure causes a wait of more than a minute, which is longer than the test can take on any machine.
    shop.sql("UPDATE login_throttles SET failures = 10").await;
    let tries = (0..10).map(async |number| {
        let browser = if number % 2 == 0 { &one } else { &two };
        browser.login(ASHA, "wrong").await.status.as_u16()
    });

    let answers = futures_util::future::join_all(tries).await;

    assert_eq!(answers.iter().filter(|status| **status == 401).count(), 1, "{answers:?}");
    assert_eq!(answers.iter().filter(|status| **status == 429).count(), 9, "{answers:?}");
}

#[sqlx::test]
async fn one_network_address_fails_so_often_and_no_more(db: PgPool) {
    let shop = TestShop::with_jobs_and_settings(db, &[("LOGIN_FAILURES_PER_HOUR", "6")]).await;
    let owner = Browser::new(&shop);
    owner.register(ASHA).await;
    let attacker = Browser::new(&shop);
    for number in 0..6 {
        assert_eq!(attacker.login(&format!("a{number}@example.com"), "wrong").await.status, 401);
    }

    assert_eq!(attacker.login("a7@example.com", "wrong").await.refusal(), refusal(429, "too_many_requests"));
    assert_eq!(owner.login(ASHA, PASSWORD).await.status, 200, "a browser that has logged in before gets in");
}

#[sqlx::test]
async fn the_production_limits_are_those_of_the_decision(db: PgPool) {
    let shop = TestShop::new(db);
    let rate = &shop.app.config.rate_limits;

    assert_eq!((rate.register_per_hour, rate.newsletter_per_hour, rate.login_failures_per_hour), (300, 120, 600));
}

fn photo() -> Vec<u8> {
    let mut png = std::io::Cursor::new(Vec::new());
    let square = image::RgbImage::from_pixel(300, 300, image::Rgb([200, 30, 30]));
    square.write_to(&mut png, image::ImageFormat::Png).unwrap();
    png.into_inner()
}

const WORKER: (&str, &str) = ("PICTURE_WORKER", env!("CARGO_BIN_EXE_thunse"));

#[sqlx::test]
async fn a_photo_comes_with_the_registration_and_can_be_taken_away(db: PgPool) {
    let shop = TestShop::with_jobs_and_settings(db, &[WORKER]).await;
    let browser = Browser::new(&shop);
    let texts = [("name", "Asha"), ("email", ASHA), ("password", PASSWORD), ("phone", "9801234567")];

    let registered = browser.send_form(Method::POST, "/api/user/register", &texts, Some(&photo())).await;

    assert_eq!(registered.status, 200, "{}", registered.text);
    let image = registered.json()["data"]["image"].as_str().unwrap().to_owned();
    assert!(registered.json()["data"]["imageSet"].as_str().unwrap().contains(&image));
    let served = shop.get(&image).await;
    assert_eq!((served.status.as_u16(), served.header("content-type")), (200, "image/webp"));
    let texts = profile("Asha", ASHA, "9801234567", "Bhaktapur");
    let stored = browser.send_form(Method::PUT, PROFILE, &texts, None).await;
    assert_eq!(stored.json()["data"]["image"], image.as_str(), "no new photo keeps the old one");
    let mut gone = texts.to_vec();
    gone.push(("removeImage", "true"));
    assert_eq!(browser.send_form(Method::PUT, PROFILE, &gone, None).await.json()["data"]["image"], Value::Null);
}

#[sqlx::test]
async fn what_is_no_picture_is_refused_and_nothing_is_saved(db: PgPool) {
    let shop = TestShop::with_jobs_and_settings(db, &[WORKER]).await;
    let browser = Browser::new(&shop);
    let texts = [("name", "Asha"), ("email", ASHA), ("password", PASSWORD), ("phone", "9801234567")];
    let svg = b"<svg xmlns='http://www.w3.org/2000/svg'><script>alert(1)</script></svg>";

    let refused = browser.send_form(Method::POST, "/api/user/register", &texts, Some(svg)).await;

    assert_eq!(refused.refusal(), refusal(422, "image_type"));
    let wanted = "Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.";
    assert_eq!(refused.json()["message"], wanted);
    let users: i64 = sqlx::query_scalar("SELECT count(*) FROM users").fetch_one(&shop.db).await.unwrap();
    assert_eq!(users, 0);
    assert!(shop.queued_links().await.is_empty());
}

#[sqlx::test]
async fn without_the_picture_store_all_but_pictures_works(db: PgPool) {
    thunse::platform::jobs::migrate(&db).await.unwrap();
    let dead = [
        WORKER,
        ("S3_BUCKET", "shop"),
        ("S3_ENDPOINT", "http://127.0.0.1:1"),
        ("S3_ACCESS_KEY", "key"),
        ("S3_SECRET_KEY", "secret"),
    ];
    let store = thunse::media::open_store(&thunse::platform::config::PictureStore::S3 {
        bucket: "shop".to_owned(),
        region: "us-east-1".to_owned(),
        endpoint: Some("http://127.0.0.1:1".to_owned()),
        access_key: "key".to_owned(),
        secret_key: thunse::platform::config::Secret::new("secret".to_owned()),
    });
    let shop = TestShop::with_pictures(db, &dead, store.unwrap());
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let texts = profile("New name", ASHA, "9801234567", "Bhaktapur");

    let with_photo = browser.send_form(Method::PUT, PROFILE, &texts, Some(&photo())).await;

    assert_eq!(with_photo.refusal(), refusal(503, "pictures_unavailable"));
    assert_eq!(browser.current_user().await.json()["data"]["name"], "Asha Rai", "nothing half-saved");
    assert_eq!(browser.send_form(Method::PUT, PROFILE, &texts, None).await.status, 200);
    assert_eq!(browser.current_user().await.json()["data"]["name"], "New name");
}

#[sqlx::test]
async fn a_shopper_sends_ten_pictures_a_day_and_no_more(db: PgPool) {
    let shop = TestShop::with_jobs_and_settings(db, &[WORKER, ("PICTURES_PER_DAY", "2")]).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let texts = profile("Asha", ASHA, "9801234567", "Bhaktapur");
    for _ in 0..2 {
        assert_eq!(browser.send_form(Method::PUT, PROFILE, &texts, Some(&photo())).await.status, 200);
    }

    let third = browser.send_form(Method::PUT, PROFILE, &texts, Some(&photo())).await;

    assert_eq!(third.refusal(), refusal(429, "too_many_requests"));
    assert_eq!(browser.send_form(Method::PUT, PROFILE, &texts, None).await.status, 200);
    shop.app.clock.advance(TimeDelta::days(1));
    assert_eq!(browser.send_form(Method::PUT, PROFILE, &texts, Some(&photo())).await.status, 200, "the next day");
}

/// The request does the same for both; the worker finds out later whether there is an account.
#[sqlx::test]
async fn a_forgotten_password_writes_the_same_for_known_and_unknown_addresses(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    Browser::new(&shop).register(ASHA).await;
    let written = async || {
        let mut counts = Vec::new();
        let tables: Vec<String> = sqlx::query_scalar(
            "SELECT format('%I.%I', schemaname, tablename) FROM pg_tables WHERE schemaname IN ('public', 'graphile_worker')
             ORDER BY 1",
        )
        .fetch_all(&shop.db)
        .await
        .unwrap();
        for table in tables {
            counts.push((shop.count(&table).await, table));
        }
        counts
    };
    let grown = async |email: &str| {
        let before = written().await;
        let answer = Browser::new(&shop).post("/api/user/password/forgot", &json!({"email": email})).await;
        assert_eq!(answer.status, 200, "{}", answer.text);
        let after = written().await;
        let pairs = before.into_iter().zip(after);
        let grown = pairs.map(|((before, table), (after, _))| (table, after - before)).filter(|(_, more)| *more != 0);
        grown.collect::<Vec<_>>()
    };

    let (known, unknown) = (grown(ASHA).await, grown("nobody@example.com").await);

    assert_eq!(known, unknown);
    assert!(known.iter().any(|(table, more)| table.starts_with("graphile_worker.") && *more == 1), "{known:?}");
}

#[sqlx::test]
async fn the_queue_never_holds_a_token_and_a_repeated_job_leaves_the_first_link_good(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    browser.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let texts = profile("A", "new@example.com", "9801234567", "x");
    browser.send_form(Method::PUT, PROFILE, &texts, None).await;
    let queued = [shop.queued_links().await, queue::payloads(&shop.db, "notifications.send_email").await].concat();
    assert_eq!((queued.len(), jobs::list(&shop.db, false).await.unwrap().len()), (4, 4), "{queued:?}");
    let texts: Vec<String> = queued.iter().map(Value::to_string).collect();
    assert!(texts.iter().all(|job| !job.contains("token") && !job.contains("http")), "{texts:?}");
    assert_eq!(shop.count("one_time_links").await, 0, "nothing is made before the email is sent");

    // Every job runs twice, as it does when the worker dies after sending and before it records that.
    let payloads: Vec<Value> = shop.queued_links().await;
    shop.run_jobs().await;
    for payload in &payloads {
        queue::add_job(&shop.db, "accounts.send_link", payload).await;
    }
    let first = mailbox.token(ASHA, "reset-password").await;
    let second = shop.token(&mailbox, ASHA, "reset-password").await;

    assert_ne!(first, second);
    let ids: Vec<Value> = mailbox
        .emails(ASHA)
        .await
        .iter()
        .filter(|email| email["text"].as_str().unwrap().contains("reset-password"))
        .map(|email| email["headers"]["message-id"].clone())
        .collect();
    assert!(ids.len() == 2 && ids[0] == ids[1], "one email, sent twice: {ids:?}");
    let reset = |token: &str| json!({"token": token, "password": "new mountains every day"});
    assert_eq!(browser.post("/api/user/password/reset", &reset(&first)).await.status, 200);
    assert_eq!(
        browser.post("/api/user/password/reset", &reset(&second)).await.refusal(),
        refusal(422, "link_invalid"),
        "one use for both"
    );
}

/// The password is replaced, or the account deleted, after the login has read it and before its session starts.
#[sqlx::test]
async fn a_login_that_is_overtaken_by_a_new_password_gets_no_session(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    for (number, overtaking) in ["password_hash = 'replaced'", "deleted_at = now()"].into_iter().enumerate() {
        let email = format!("asha{number}@example.com");
        Browser::new(&shop).register(&email).await;
        shop.sql("DELETE FROM sessions").await;
        let mut tx = shop.db.begin().await.unwrap();
        let statement = format!("UPDATE users SET {overtaking} WHERE email = '{email}'");
        sqlx::query(sqlx::AssertSqlSafe(statement)).execute(&mut *tx).await.unwrap();

        let browser = Browser::new(&shop);
        let login = browser.login(&email, PASSWORD);
        let overtake = async {
            // This waits until the login is blocked by the row being changed, or has created its session.
            loop {
                let sql = "SELECT count(*) FROM pg_locks WHERE NOT granted
                           AND pid IN (SELECT pid FROM pg_stat_activity WHERE datname = current_database())";
                let waiting: i64 = sqlx::query_scalar(sql).fetch_one(&shop.db).await.unwrap();
                if waiting > 0 || shop.count("sessions").await > 0 {
                    break;
                }
                tokio::time::sleep(std::time::Duration::from_millis(10)).await;
            }
            tx.commit().await.unwrap();
        };
        let (answer, ()) = futures_util::join!(login, overtake);

        assert_eq!(answer.refusal(), refusal(401, "wrong_credentials"), "{overtaking}");
        assert_eq!(shop.count("sessions").await, 0, "{overtaking}");
    }
}

#[sqlx::test]
async fn a_password_kept_with_less_work_is_hashed_again_at_the_next_login(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    shop.app.passwords.hash_cheaply(false);
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let hash = weak_hash(PASSWORD);
    sqlx::query("UPDATE users SET password_hash = $1").bind(&hash).execute(&shop.db).await.unwrap();
    let stored =
        async || -> String { sqlx::query_scalar("SELECT password_hash FROM users").fetch_one(&shop.db).await.unwrap() };

    assert_eq!(browser.login(ASHA, "not the password").await.status, 401);
    assert_eq!(stored().await, hash);
    assert_eq!(browser.login(ASHA, PASSWORD).await.status, 200);
    let renewed = stored().await;
    assert!(renewed.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{renewed}");
    assert_eq!(browser.login(ASHA, PASSWORD).await.status, 200);
    assert_eq!(stored().await, renewed, "once is enough");
}
