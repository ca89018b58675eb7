//! Login, second step and administration of sellers.

use chrono::TimeDelta;
use serde_json::json;
use sqlx::PgPool;
use thunse::platform::permissions::Role;
use thunse::staff;

use crate::support::seller_accounts::{PASSWORD, SITA, is_seller, login, shop_with_sita};
use crate::support::{Browser, TestResponse, TestShop, refusal, weak_hash};

// spec: 4.session.9, 7.load.2, 7.seller.1, 7.seller.2
#[sqlx::test]
async fn a_seller_logs_in_and_out_of_both(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::new(&shop);
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
    // The web app sends its request for the session only if it finds these cookies.
    assert_eq!(browser.cookies.borrow().get("__Host-seller_session").map(String::as_str), Some("1"));
    assert_eq!(browser.cookies.borrow().get("__Host-session").map(String::as_str), Some("shopper"));
    let out = browser.get("/api/seller/logout").await;
    assert_eq!((out.status.as_u16(), &out.json()["message"]), (200, &json!("Logout successful!")));
    assert!(!is_seller(&browser).await);
    assert!(!browser.is_signed_in().await, "the shopper's session ends too");
}

// spec: 6.seller.1
#[sqlx::test]
async fn a_shopper_is_no_seller_and_a_seller_no_shopper(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::new(&shop);
    browser.register(SITA).await;
    assert!(!is_seller(&browser).await);
    let token = browser.session().unwrap();
    browser.cookies.borrow_mut().insert("__Host-ssid".to_owned(), token);
    assert!(!is_seller(&browser).await, "a shopper's token in the seller's cookie opens nothing");

    let other = Browser::new(&shop);
    login(&other, PASSWORD).await;
    assert!(is_seller(&other).await && !other.is_signed_in().await);
}

#[sqlx::test]
async fn a_sellers_session_is_short(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let mut browsers = Vec::new();
    for _ in 0..4 {
        let browser = Browser::new(&shop);
        login(&browser, PASSWORD).await;
        browsers.push(browser);
    }
    assert!(!is_seller(&browsers[0]).await, "three at a time");
    let seller = &browsers[3];
    assert!(is_seller(seller).await);
    shop.app.clock.advance(TimeDelta::minutes(30));
    assert!(!is_seller(seller).await, "half an hour without a call");

    login(seller, PASSWORD).await;
    for number in 0..24 {
        shop.app.clock.advance(TimeDelta::minutes(29));
        assert!(is_seller(seller).await, "{number}");
    }
    shop.app.clock.advance(TimeDelta::minutes(29));
    assert!(!is_seller(seller).await, "twelve hours, used or not");
}

#[sqlx::test]
async fn the_command_line_disables_and_gives_new_passwords(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::new(&shop);
    login(&browser, PASSWORD).await;
    assert!(
        staff::create(&shop.app, "SITA@example.com", "Other", Role::Owner, None).await.is_err(),
        "one seller an address"
    );
    assert!(staff::create(&shop.app, "x@example.com", "X", Role::Owner, Some("short".to_owned())).await.is_err());

    staff::disable(&shop.app, SITA).await.unwrap();
    assert!(!is_seller(&browser).await);
    assert_eq!(login(&browser, PASSWORD).await.status, 401);

    let temporary_password = staff::reset_password(&shop.app, SITA, None).await.unwrap().password.unwrap();
    assert_eq!(login(&browser, PASSWORD).await.status, 401);
    assert_eq!(login(&browser, &temporary_password).await.status, 200);
}

async fn send_code(browser: &Browser<'_>, code: &str) -> TestResponse {
    browser.post("/api/seller/login/code", &json!({"code": code})).await
}

/// Advances the clock to the next half minute and returns the code that is valid during all of it.
fn next_code(shop: &TestShop, codes: &totp_rs::TOTP) -> String {
    let left = 30 - shop.app.clock.now().timestamp() % 30;
    shop.app.clock.advance(TimeDelta::seconds(left));
    codes.generate(u64::try_from(shop.app.clock.now().timestamp()).unwrap())
}

#[sqlx::test]
async fn the_second_step_wants_a_code_that_was_not_used(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let made = staff::require_second_step(&shop.app, SITA).await.unwrap();
    let codes = totp_rs::TOTP::from_url(&made.otpauth_url).unwrap();
    let browser = Browser::new(&shop);

    let early = next_code(&shop, &codes);
    assert_eq!(send_code(&browser, &early).await.refusal(), refusal(401, "no_pending_login"));
    let asked = login(&browser, PASSWORD).await;
    assert_eq!(
        (asked.refusal(), &asked.json()["message"]),
        (refusal(401, "second_step"), &json!("Second step needed"))
    );
    assert!(!is_seller(&browser).await);
    assert_eq!(send_code(&browser, "000000").await.refusal(), refusal(401, "wrong_code"));
    assert_eq!(send_code(&Browser::new(&shop), &early).await.refusal(), refusal(401, "no_pending_login"));
    let other_tab = browser.copy_cookies();
    let right = next_code(&shop, &codes);
    assert_eq!(send_code(&browser, &right).await.status, 200);
    assert!(is_seller(&browser).await);
    assert_eq!(send_code(&other_tab, &made.backup_codes[0]).await.refusal(), refusal(401, "no_pending_login"));
    assert_eq!(
        send_code(&browser, &right).await.refusal(),
        refusal(401, "no_pending_login"),
        "a password is good once"
    );
    login(&browser, PASSWORD).await;
    assert_eq!(send_code(&browser, &right).await.refusal(), refusal(401, "wrong_code"), "a code is good once");
    assert_eq!(send_code(&browser, &next_code(&shop, &codes)).await.status, 200);

    staff::remove_second_step(&shop.app, SITA).await.unwrap();
    assert_eq!(login(&browser, PASSWORD).await.status, 200);
}

#[sqlx::test]
async fn a_backup_code_stands_in_for_the_phone_once(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let made = staff::require_second_step(&shop.app, SITA).await.unwrap();
    assert_eq!(made.backup_codes.len(), 10);
    let browser = Browser::new(&shop);
    login(&browser, PASSWORD).await;
    let code = made.backup_codes[0].to_lowercase();
    assert_eq!(send_code(&browser, &code).await.status, 200);

    login(&browser, PASSWORD).await;
    assert_eq!(send_code(&browser, &code).await.refusal(), refusal(401, "wrong_code"));
    let again = staff::require_second_step(&shop.app, SITA).await.unwrap();
    login(&browser, PASSWORD).await;
    assert_eq!(send_code(&browser, &made.backup_codes[1]).await.refusal(), refusal(401, "wrong_code"), "made anew");
    assert_eq!(send_code(&browser, &again.backup_codes[1]).await.status, 200);
    let stored: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT code_hash FROM seller_backup_codes").fetch_all(&shop.db).await.unwrap();
    assert!(stored.len() == 10 && stored.iter().all(|hash| hash.len() == 32));
}

#[sqlx::test]
async fn a_pending_login_ends_after_five_minutes_and_with_a_new_password(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let made = staff::require_second_step(&shop.app, SITA).await.unwrap();
    let browser = Browser::new(&shop);
    login(&browser, PASSWORD).await;
    shop.app.clock.advance(TimeDelta::minutes(5));
    assert_eq!(send_code(&browser, &made.backup_codes[0]).await.refusal(), refusal(401, "no_pending_login"));

    login(&browser, PASSWORD).await;
    staff::reset_password(&shop.app, SITA, None).await.unwrap();
    assert_eq!(send_code(&browser, &made.backup_codes[0]).await.refusal(), refusal(401, "no_pending_login"));
}

#[sqlx::test]
async fn fifty_wrong_codes_close_the_second_step_and_the_seller_is_told(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let made = staff::require_second_step(&shop.app, SITA).await.unwrap();
    let attacker = Browser::new(&shop);
    login(&attacker, PASSWORD).await;
    for number in 0..5 {
        assert_eq!(send_code(&attacker, &format!("{number:06}")).await.status, 401);
    }
    shop.lengthen_login_waits().await;
    assert_eq!(send_code(&attacker, &made.backup_codes[0]).await.status, 429, "five are free");
    shop.sql("UPDATE login_throttles SET failures = 49, allowed_at = last_attempt_at WHERE failures >= 5").await;
    assert_eq!(send_code(&attacker, "000000").await.status, 401);

    let waits = send_code(&attacker, &made.backup_codes[0]).await;
    assert_eq!(waits.status, 429);
    assert!(waits.header("retry-after").parse::<u64>().unwrap() > 3_500, "one an hour");
    assert_eq!(count_queued_emails(&shop, "seller_codes_locked").await, 1);
    staff::unlock(&shop.app, SITA).await.unwrap();
    login(&attacker, PASSWORD).await;
    assert_eq!(send_code(&attacker, &made.backup_codes[0]).await.status, 200);
}

/// Counts the queued emails of this kind to the seller.
async fn count_queued_emails(shop: &TestShop, kind: &str) -> usize {
    let emails = shop.queued_emails().await;
    emails.iter().filter(|message| message["to"]["email"] == SITA && message["email"]["kind"] == kind).count()
}

#[sqlx::test]
async fn a_seller_hears_of_a_new_browser_once(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::new(&shop);
    for _ in 0..2 {
        login(&browser, PASSWORD).await;
    }
    assert_eq!(count_queued_emails(&shop, "seller_new_device").await, 1);
    login(&Browser::new(&shop), PASSWORD).await;
    assert_eq!(count_queued_emails(&shop, "seller_new_device").await, 2);
    let emails = shop.queued_emails().await;
    assert_eq!(emails[0]["email"]["device"], "Firefox on Android");
}

#[sqlx::test]
async fn sellers_are_slowed_like_shoppers_but_counted_apart(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::new(&shop);
    browser.register(SITA).await;
    let attacker = Browser::new(&shop);
    for _ in 0..5 {
        assert_eq!(login(&attacker, "wrong").await.status, 401);
    }
    shop.lengthen_login_waits().await;
    assert_eq!(login(&attacker, PASSWORD).await.status, 429);
    assert_eq!(attacker.login(SITA, "wrong").await.status, 401);
}

/// An attacker who knows the password alternates wrong codes with logins.
#[sqlx::test]
async fn fifty_alternating_guesses_of_the_code_meet_a_429(db: PgPool) {
    let shop = shop_with_sita(db).await;
    staff::require_second_step(&shop.app, SITA).await.unwrap();
    let attacker = Browser::new(&shop);
    let (mut passwords, mut codes) = (Vec::new(), Vec::new());
    for number in 0..25 {
        passwords.push(login(&attacker, PASSWORD).await.status.as_u16());
        codes.push(send_code(&attacker, &format!("{number:06}")).await.status.as_u16());
    }

    assert!(passwords.contains(&429) && codes.contains(&429), "{passwords:?} {codes:?}");
}

/// Simulates the hundred failures that an attacker can cause in a day.
async fn lock_out(shop: &TestShop) {
    let attacker = Browser::new(shop);
    login(&attacker, "wrong").await;
    shop.sql("UPDATE login_throttles SET failures = 99").await;
    assert_eq!(login(&attacker, "wrong").await.status, 401);
    assert_eq!(login(&attacker, PASSWORD).await.status, 429);
}

#[sqlx::test]
async fn a_seller_who_was_locked_out_logs_in_after_a_reset(db: PgPool) {
    let shop = shop_with_sita(db).await;
    lock_out(&shop).await;

    let password = staff::reset_password(&shop.app, SITA, None).await.unwrap().password.unwrap();

    assert_eq!(login(&Browser::new(&shop), &password).await.status, 200);
}

#[sqlx::test]
async fn a_seller_who_was_locked_out_logs_in_after_unlock(db: PgPool) {
    let shop = shop_with_sita(db).await;
    lock_out(&shop).await;

    staff::unlock(&shop.app, SITA).await.unwrap();

    assert_eq!(login(&Browser::new(&shop), PASSWORD).await.status, 200);
    assert!(staff::unlock(&shop.app, "nobody@example.com").await.is_err());
}

#[sqlx::test]
async fn a_closed_account_gets_a_try_after_an_hour(db: PgPool) {
    let shop = shop_with_sita(db).await;
    lock_out(&shop).await;
    let attacker = Browser::new(&shop);

    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(login(&attacker, "wrong").await.status, 401, "one try");
    assert_eq!(login(&attacker, PASSWORD).await.status, 429, "and no second one");
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(login(&Browser::new(&shop), PASSWORD).await.status, 200);
}

#[sqlx::test]
async fn the_seller_is_told_when_the_account_is_closed(db: PgPool) {
    let shop = shop_with_sita(db).await;
    lock_out(&shop).await;

    assert_eq!(count_queued_emails(&shop, "seller_locked").await, 1);
}

#[sqlx::test]
async fn other_spellings_of_an_address_are_no_more_guesses(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let email = "iiii@mail.example";
    Browser::new(&shop).register(email).await;
    let attacker = Browser::new(&shop);
    let guess = async |email: &str, password: &str| {
        let shopper = attacker.login(email, password).await.status.as_u16();
        let body = json!({"email": email.replace("iiii@mail.example", SITA), "password": password});
        (shopper, attacker.post("/api/seller/login", &body).await.status.as_u16())
    };
    for _ in 0..5 {
        guess(email, "wrong").await;
    }
    shop.lengthen_login_waits().await;
    assert_eq!(guess(email, crate::support::PASSWORD).await, (429, 429));

    for spelling in ["İiii@mail.example", "iİii@mail.example", "İİİİ@MAİL.example", "ıiii@mail.example"] {
        assert_eq!(guess(spelling, crate::support::PASSWORD).await, (401, 401), "{spelling}");
    }
    assert_eq!(attacker.login("IIII@Mail.Example", crate::support::PASSWORD).await.status, 429);
    assert_eq!(
        attacker.post("/api/seller/login", &json!({"email": "SİTA@example.com", "password": PASSWORD})).await.status,
        401
    );
    assert_eq!(
        attacker.post("/api/seller/login", &json!({"email": "SITA@Example.com", "password": PASSWORD})).await.status,
        429
    );
}

/// The seller is disabled between the check of the password and the start of the session.
#[sqlx::test]
async fn a_seller_who_is_disabled_while_logging_in_gets_no_session(db: PgPool) {
    let shop = shop_with_sita(db).await;
    let browser = Browser::new(&shop);
    let mut disabling = shop.db.begin().await.unwrap();
    sqlx::query("UPDATE sellers SET disabled_at = now()").execute(&mut *disabling).await.unwrap();
    let waiting = async {
        // This waits until the login is blocked by the row, or has created its session without reading it again.
        loop {
            let waits: bool = sqlx::query_scalar(
                "SELECT EXISTS (SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock')
                     OR EXISTS (SELECT FROM sessions)",
            )
            .fetch_one(&shop.db)
            .await
            .unwrap();
            if waits {
                break;
            }
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
        disabling.commit().await.unwrap();
    };

    let (answer, ()) = futures_util::future::join(login(&browser, PASSWORD), waiting).await;

    assert_eq!(answer.refusal(), (401, "wrong_credentials".to_owned()));
    assert_eq!(shop.count("sessions").await, 0);
}

#[sqlx::test]
async fn the_seed_of_the_second_step_is_encrypted_and_its_key_can_be_replaced(db: PgPool) {
    let shop = shop_with_sita(db.clone()).await;
    let made = staff::require_second_step(&shop.app, SITA).await.unwrap();
    let codes = totp_rs::TOTP::from_url(&made.otpauth_url).unwrap();
    let stored = async || {
        let stored: String = sqlx::query_scalar("SELECT totp_secret FROM sellers").fetch_one(&shop.db).await.unwrap();
        stored
    };
    let seed = codes.get_secret_base32();
    assert!(stored().await.starts_with("k1:") && !stored().await.contains(&seed));

    let keys = format!("k2:AgICAgICAgICAgICAgICAgICAgICAgICAgICAgICAgI=,{}", crate::support::TOTP_KEYS);
    let later = TestShop::with(db, &[("TOTP_KEYS", &keys)]);
    assert_eq!(staff::rotate_keys(&later.app).await.unwrap(), 1);
    assert!(stored().await.starts_with("k2:"));
    assert_eq!(staff::rotate_keys(&later.app).await.unwrap(), 0);
    let browser = Browser::new(&later);
    login(&browser, PASSWORD).await;
    assert_eq!(send_code(&browser, &next_code(&later, &codes)).await.status, 200);
    let without = Browser::new(&shop);
    login(&without, PASSWORD).await;
    assert_eq!(send_code(&without, "000000").await.status, 500, "the key is missing");
}

#[sqlx::test]
async fn a_sellers_password_is_hashed_again_at_the_next_login(db: PgPool) {
    let shop = shop_with_sita(db).await;
    shop.app.passwords.hash_cheaply(false);
    let hash = weak_hash(PASSWORD);
    sqlx::query("UPDATE sellers SET password_hash = $1").bind(&hash).execute(&shop.db).await.unwrap();
    let browser = Browser::new(&shop);
    let stored = async || -> String {
        sqlx::query_scalar("SELECT password_hash FROM sellers").fetch_one(&shop.db).await.unwrap()
    };

    assert_eq!(login(&browser, "not the password").await.status, 401);
    assert_eq!(stored().await, hash);
    assert_eq!(login(&browser, PASSWORD).await.status, 200);
    assert!(stored().await.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"));
    assert_eq!(login(&browser, PASSWORD).await.status, 200);
}
