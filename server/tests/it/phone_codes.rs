//! Codes by SMS: they confirm a phone number, log in, and are hard to guess.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::orders::{asha, order_request, shopper};
use crate::support::sms_gateway::SmsGateway;
use crate::support::{Browser, TestResponse, TestShop, queue, refusal};

const SEND: &str = "/api/user/phone/send_code";
const CONFIRM: &str = "/api/user/phone/confirm";
const SEND_LOGIN: &str = "/api/user/phone/send_login_code";
const LOGIN: &str = "/api/user/phone/login";
const PHONE: &str = "9841234567";

async fn shop_with_gateway(db: PgPool, gateway: &SmsGateway, more: &[(&str, &str)]) -> TestShop {
    TestShop::with_jobs_and_settings(db, &[gateway.settings().as_slice(), more].concat()).await
}

/// Requests a code and returns the secret that belongs to it.
async fn request(browser: &Browser<'_>, path: &str, phone: &str) -> String {
    let answer = browser.post(path, &json!({"phone": phone})).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["data"]["token"].as_str().unwrap().to_owned()
}

/// Runs the jobs and returns the newest code that was sent to this number.
async fn newest_code(shop: &TestShop, gateway: &SmsGateway, phone: &str) -> Option<String> {
    shop.run_jobs().await;
    let text = gateway.texts(phone).await.pop()?;
    let digits: String = text.chars().filter(char::is_ascii_digit).collect();
    digits.get(..6).map(str::to_owned)
}

async fn answer(browser: &Browser<'_>, path: &str, token: &str, code: &str) -> TestResponse {
    browser.post(path, &json!({"token": token, "code": code})).await
}

/// Asha has confirmed her number.
async fn confirmed_asha<'a>(shop: &'a TestShop, gateway: &SmsGateway) -> Browser<'a> {
    let asha = asha(shop).await;
    let token = request(&asha, SEND, PHONE).await;
    let code = newest_code(shop, gateway, PHONE).await.unwrap();
    assert_eq!(answer(&asha, CONFIRM, &token, &code).await.status, 200);
    asha
}

fn another(code: &str) -> String {
    let first = if code.starts_with('9') { '0' } else { '9' };
    format!("{first}{}", &code[1..])
}

#[sqlx::test]
async fn a_code_confirms_the_number_that_it_was_sent_to(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let shop = shop_with_gateway(db, &gateway, &[]).await;
    let asha = asha(&shop).await;
    assert_eq!(asha.current_user().await.json()["data"]["phoneVerified"], false);

    let token = request(&asha, SEND, "+977 984-1234567").await;
    assert!(!queue::payloads(&shop.db, "accounts.send_phone_code").await[0].to_string().contains(PHONE));
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    let stored: String = sqlx::query_scalar("SELECT code_hash FROM phone_codes").fetch_one(&shop.db).await.unwrap();
    assert!(stored.starts_with("$argon2id$") && !stored.contains(&code));
    // Nepali digits are as good.
    let nepali: String = code.chars().map(|c| char::from_u32(0x966 + c.to_digit(10).unwrap()).unwrap()).collect();
    let confirmed = answer(&asha, CONFIRM, &token, &nepali).await;

    assert_eq!(confirmed.status, 200, "{}", confirmed.text);
    let user = asha.current_user().await.json()["data"].clone();
    assert_eq!((&user["phone"], &user["phoneVerified"]), (&json!(PHONE), &json!(true)));
    assert_eq!(answer(&asha, CONFIRM, &token, &code).await.refusal(), refusal(403, "wrong_code"), "it works once");
}

#[sqlx::test]
async fn a_code_is_good_for_five_minutes_five_guesses_and_one_account(db: PgPool) {
    let gateway = SmsGateway::start("aakash");
    let shop = shop_with_gateway(db, &gateway, &[]).await;
    let wrong = refusal(403, "wrong_code");
    for (case, guesses, minutes, accepted) in [
        ("at once", 0, 0, true),
        ("late", 0, 4, true),
        ("too late", 0, 5, false),
        ("the fifth guess", 4, 0, true),
        ("the sixth guess", 5, 0, false),
    ] {
        let phone = format!("98412345{:02}", guesses * 10 + minutes);
        let buyer = shopper(&shop, &format!("{}@example.com", case.replace(' ', "."))).await;
        let token = request(&buyer, SEND, &phone).await;
        let code = newest_code(&shop, &gateway, &phone).await.unwrap();
        for _ in 0..guesses {
            assert_eq!(answer(&buyer, CONFIRM, &token, &another(&code)).await.refusal(), wrong, "{case}");
        }
        shop.app.clock.advance(TimeDelta::minutes(minutes) + TimeDelta::milliseconds(i64::from(minutes == 5)));
        let done = answer(&buyer, CONFIRM, &token, &code).await;
        assert_eq!(done.status == 200, accepted, "{case}: {}", done.text);
        shop.app.clock.advance(TimeDelta::hours(1));
    }

    let (asha, binod) = (asha(&shop).await, shopper(&shop, "binod@example.com").await);
    let token = request(&asha, SEND, PHONE).await;
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    assert_eq!(answer(&binod, CONFIRM, &token, &code).await.refusal(), wrong, "another account");
    assert_eq!(answer(&Browser::new(&shop), LOGIN, &token, &code).await.refusal(), wrong, "another purpose");
    assert_eq!(answer(&asha, CONFIRM, "no such token", &code).await.refusal(), wrong);
    assert_eq!(answer(&asha, CONFIRM, &token, &code).await.status, 200);
}

#[sqlx::test]
async fn codes_are_limited_by_number_device_and_network_address(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let shop = shop_with_gateway(db, &gateway, &[("PHONE_CODES_PER_HOUR", "14")]).await;
    let visitor = Browser::new(&shop);
    let send = async |browser: &Browser<'_>, phone: &str| {
        browser.post(SEND_LOGIN, &json!({"phone": phone})).await.status.as_u16()
    };

    // Three for a number in a quarter of an hour.
    let mut answers = Vec::new();
    for _ in 0..4 {
        answers.push(send(&visitor, PHONE).await);
    }
    assert_eq!(answers, [200, 200, 200, 429]);
    shop.app.clock.advance(TimeDelta::minutes(16));
    assert_eq!(send(&visitor, PHONE).await, 200);
    // Five from a known browser, whatever the numbers.
    let asha = asha(&shop).await;
    let mut answers = Vec::new();
    for number in 0..6 {
        answers.push(send(&asha, &format!("984000000{number}")).await);
    }
    assert_eq!(answers, [200, 200, 200, 200, 200, 429]);
    // Fourteen from a network address in an hour: eleven were counted so far.
    let mut answers = Vec::new();
    for number in 0..4 {
        answers.push(send(&visitor, &format!("985000000{number}")).await);
    }
    assert_eq!(answers, [200, 200, 200, 429]);
    for bad in ["", "01-4412345", "9501234567", "+91 9812345678"] {
        assert_eq!(asha.post(SEND, &json!({"phone": bad})).await.refusal(), refusal(422, "phone_invalid"), "{bad}");
    }
}

#[sqlx::test]
async fn ten_codes_a_day_go_to_one_number(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let shop = shop_with_gateway(db, &gateway, &[]).await;
    let visitor = Browser::new(&shop);
    let mut sent = 0;
    for _ in 0..15 {
        sent += i32::from(visitor.post(SEND_LOGIN, &json!({"phone": PHONE})).await.status == 200);
        shop.app.clock.advance(TimeDelta::minutes(16));
    }
    assert_eq!(sent, 10);
}

#[sqlx::test]
async fn a_confirmed_number_logs_in_and_an_unknown_one_is_not_told_apart(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let shop = shop_with_gateway(db, &gateway, &[]).await;
    let asha = confirmed_asha(&shop, &gateway).await;
    let binod = shopper(&shop, "binod@example.com").await;
    let texts = gateway.texts(PHONE).await.len();

    // Binod has typed his number but never confirmed it, and the last number is nobody's.
    for unknown in ["9801234567", "9811111111"] {
        let visitor = Browser::new(&shop);
        let token = request(&visitor, SEND_LOGIN, unknown).await;
        assert_eq!(newest_code(&shop, &gateway, unknown).await, None);
        assert_eq!(answer(&visitor, LOGIN, &token, "123456").await.refusal(), refusal(403, "wrong_code"));
    }
    let phone = Browser::new(&shop);
    let token = request(&phone, SEND_LOGIN, PHONE).await;
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    assert_eq!(gateway.texts(PHONE).await.len(), texts + 1);
    assert_eq!(answer(&phone, LOGIN, &token, &another(&code)).await.refusal(), refusal(403, "wrong_code"));
    assert!(!phone.is_signed_in().await);
    assert_eq!(answer(&phone, LOGIN, &token, &code).await.status, 200);

    assert_eq!(phone.current_user().await.json()["data"]["email"], "asha@example.com");
    // A number can be taken over, so it opens nothing that a recent login opens.
    assert_eq!(phone.get("/api/user/export").await.status, 403);
    // The number moves to Binod, who can prove that it is his now.
    shop.app.clock.advance(TimeDelta::hours(1));
    let token = request(&binod, SEND, PHONE).await;
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    assert_eq!(answer(&binod, CONFIRM, &token, &code).await.status, 200);
    assert_eq!(asha.current_user().await.json()["data"]["phoneVerified"], false);
    let token = request(&phone, SEND_LOGIN, PHONE).await;
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    assert_eq!(answer(&Browser::new(&shop), LOGIN, &token, &code).await.json()["data"]["email"], "binod@example.com");
}

#[sqlx::test]
async fn another_number_in_the_profile_is_not_confirmed(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let shop = shop_with_gateway(db, &gateway, &[]).await;
    let asha = confirmed_asha(&shop, &gateway).await;
    let save = async |phone: &str| {
        let texts = [("name", "Asha Rai"), ("email", "asha@example.com"), ("phone", phone), ("address", "Mitra Marg")];
        asha.send_form(http::Method::PUT, "/api/user/updateProfile", &texts, None).await.json()["data"]["phoneVerified"]
            .clone()
    };

    assert_eq!(save(PHONE).await, json!(true));
    assert_eq!(save("9800000009").await, json!(false));
    assert_eq!(save(PHONE).await, json!(false));
}

#[sqlx::test]
async fn a_gateway_that_fails_for_a_moment_is_tried_again_until_the_code_has_expired(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let shop = shop_with_gateway(db, &gateway, &[]).await;
    let asha = asha(&shop).await;
    gateway.misbehave("error", 1).await;
    let token = request(&asha, SEND, PHONE).await;
    assert_eq!(newest_code(&shop, &gateway, PHONE).await, None);
    shop.advance_time(TimeDelta::seconds(10)).await;
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    assert_eq!(answer(&asha, CONFIRM, &token, &code).await.status, 200);

    gateway.misbehave("error", 1).await;
    request(&asha, SEND, "9841234568").await;
    shop.run_jobs().await;
    shop.advance_time(TimeDelta::minutes(6)).await;
    assert_eq!(gateway.texts("9841234568").await.len(), 0, "a late code would only confuse");
}

#[sqlx::test]
async fn without_a_provider_there_are_no_codes(db: PgPool) {
    let shop = TestShop::new(db);
    let asha = asha(&shop).await;
    for path in [SEND, SEND_LOGIN] {
        let off = asha.post(path, &json!({"phone": PHONE})).await;
        assert_eq!(off.refusal(), refusal(404, "phone_disabled"), "{path}");
    }
}

#[sqlx::test]
async fn a_confirmed_number_lifts_the_limits_of_new_accounts_on_cash_orders(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let settings = [("COD_ORDERS_PER_HOUR", "1"), ("OPEN_COD_CONFIRM_MINUTES", "30")];
    let shop = shop_with_gateway(db, &gateway, &settings).await;
    let category = shop.add_category("Staples").await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let asha = asha(&shop).await;
    let order = async |key: &str| asha.place_order(Some(key), &order_request(&rice, 1, 302.5)).await;
    assert_eq!(order("k-0").await.status, 200);
    assert_eq!(order("k-1").await.status, 429, "this network address has had its share");

    let token = request(&asha, SEND, PHONE).await;
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    answer(&asha, CONFIRM, &token, &code).await;

    let placed = order("k-2").await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    assert_eq!(asha.get("/api/order/get_order").await.json()["data"][0]["confirmBy"], Value::Null);
}

#[sqlx::test]
async fn an_order_that_waits_for_a_confirmation_stays_when_the_number_is_confirmed(db: PgPool) {
    let gateway = SmsGateway::start("sparrow");
    let shop = shop_with_gateway(db, &gateway, &[("OPEN_COD_CONFIRM_MINUTES", "30")]).await;
    let category = shop.add_category("Staples").await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let asha = asha(&shop).await;
    assert_eq!(asha.place_order(Some("k-1"), &order_request(&rice, 1, 302.5)).await.status, 200);
    let waits = async || asha.get("/api/order/get_order").await.json()["data"][0]["confirmBy"].clone();
    assert_ne!(waits().await, Value::Null);

    let token = request(&asha, SEND, PHONE).await;
    let code = newest_code(&shop, &gateway, PHONE).await.unwrap();
    answer(&asha, CONFIRM, &token, &code).await;

    assert_eq!(waits().await, Value::Null);
    shop.assert_invariants_hold().await;
}
