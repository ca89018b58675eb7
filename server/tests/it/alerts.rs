//! Alerts: staff hear of new orders, shoppers of changes, over the channels that they have chosen.

use axum::body::Body;
use chrono::TimeDelta;
use http::{Method, Request};
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::permissions::Role;
use thunse::platform::push::{PushError, PushMessage, PushTarget};
use thunse::platform::sms::SmsError;
use thunse::staff;
use uuid::Uuid;

use crate::orders::{asha, order_request, set_status, sita};
use crate::support::mailbox::Mailbox;
use crate::support::push_service::{PushBrowser, PushService};
use crate::support::sms_gateway::SmsGateway;
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, TestShop, refusal};

const STAFF: &str = "/api/seller/alerts/preferences";
const SHOPPER: &str = "/api/alerts/preferences";
const UNDELIVERED: &str = "/api/seller/alerts/undelivered";
const NOT_OPENED: &str = "/api/order/get_not_opened";
const SITA_PHONE: &str = "9841234567";

/// A mail server, a push service and an SMS gateway.
struct Services {
    mailbox: Mailbox,
    push: PushService,
    sms: SmsGateway,
}

impl Services {
    fn start() -> Self {
        Self { mailbox: Mailbox::open(), push: PushService::start(), sms: SmsGateway::start("sparrow") }
    }

    async fn shop(&self, db: PgPool, more: &[(&str, &str)]) -> TestShop {
        let mut settings = vec![("SMTP_URL", self.mailbox.smtp_url.as_str()), ("OPEN_COD_CONFIRM_MINUTES", "0")];
        settings.extend(self.push.settings());
        settings.extend(self.sms.settings());
        settings.extend(GENEROUS_LIMITS);
        settings.extend(more);
        TestShop::with_jobs_and_settings(db, &settings).await
    }

    /// The emails to Sita about orders, by subject.
    async fn emails_to_sita(&self) -> Vec<String> {
        let emails = self.mailbox.emails("sita@example.com").await;
        let subjects = emails.iter().map(|email| email["subject"].as_str().unwrap().to_owned());
        subjects.filter(|subject| subject.contains("rder")).collect()
    }
}

async fn subscribe(browser: &Browser<'_>, path: &str, device: &PushBrowser) {
    let answer = browser.post(path, &device.subscription).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// Sita wants everything, and her phone is subscribed.
async fn reachable_sita<'a>(shop: &'a TestShop, services: &Services) -> (Browser<'a>, PushBrowser) {
    let sita = sita(shop).await;
    let device = services.push.add_browser(shop).await;
    subscribe(&sita, "/api/seller/alerts/subscribe", &device).await;
    let wanted = json!({"push": true, "email": true, "sms": true, "phone": "+977 984-1234567"});
    assert_eq!(sita.put(STAFF, &wanted).await.json()["data"]["phone"], SITA_PHONE);
    (sita, device)
}

async fn place(shop: &TestShop, buyer: &Browser<'_>, key: &str) -> Value {
    let category: Uuid = sqlx::query_scalar("SELECT id FROM categories LIMIT 1")
        .fetch_optional(&shop.db)
        .await
        .unwrap()
        .unwrap_or(Uuid::nil());
    let category = if category.is_nil() { shop.add_category("Staples").await } else { category };
    let rice = shop.add_product(category, &format!("Rice {key}"), 250, 10).await;
    let placed = buyer.place_order(Some(key), &order_request(&rice, 1, 302.5)).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    placed.json()["data"].clone()
}

/// Runs the due jobs, and then those that they have queued.
async fn run_jobs(shop: &TestShop) {
    for _ in 0..3 {
        shop.run_jobs().await;
    }
}

async fn advance(shop: &TestShop, time: TimeDelta) {
    shop.advance_time(time).await;
    run_jobs(shop).await;
}

/// Sita logs in again: her session has ended while the clock was moved.
async fn sita_again(shop: &TestShop) -> Browser<'_> {
    let browser = Browser::new(shop);
    let login = json!({"email": "sita@example.com", "password": "a shelf of mustard oil"});
    assert_eq!(browser.post("/api/seller/login", &login).await.status, 200);
    browser
}

#[sqlx::test]
async fn a_new_order_reaches_the_staff_by_push_email_and_sms(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (_sita, device) = reachable_sita(&shop, &services).await;
    let asha = asha(&shop).await;

    let order = place(&shop, &asha, "k-1").await;
    run_jobs(&shop).await;

    let code = order["orderId"].as_str().unwrap();
    let messages = services.push.received(&device).await;
    assert_eq!(messages.len(), 1, "{:?}", services.push.refused().await);
    assert_eq!(messages[0]["title"], format!("New order {code}"));
    assert_eq!(messages[0]["url"], format!("/seller/orders#{code}"));
    assert_eq!(services.emails_to_sita().await, [format!("New order {code}")]);
    let texts = services.sms.texts(SITA_PHONE).await;
    assert!(texts.len() == 1 && texts[0].contains(code), "{texts:?}");

    // The same event again tells nobody twice.
    let again = json!({"order": order["_id"]});
    crate::support::queue::add_job(&shop.db, "orders.alert_staff", &again).await;
    run_jobs(&shop).await;
    assert_eq!(services.push.received(&device).await.len(), 1);
    assert_eq!((services.emails_to_sita().await.len(), services.sms.texts(SITA_PHONE).await.len()), (1, 1));
}

#[sqlx::test]
async fn each_member_of_staff_chooses_channels_and_a_disabled_one_gets_nothing(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (sita, device) = reachable_sita(&shop, &services).await;
    for name in ["ram", "gita"] {
        staff::create(
            &shop.app,
            &format!("{name}@example.com"),
            name,
            Role::Packer,
            Some("a shelf of mustard oil".to_owned()),
        )
        .await
        .unwrap();
    }
    staff::disable(&shop.app, "gita@example.com").await.unwrap();
    let asha = asha(&shop).await;
    sita.put(STAFF, &json!({"push": false, "email": false, "sms": true, "phone": SITA_PHONE})).await;

    place(&shop, &asha, "k-1").await;
    run_jobs(&shop).await;

    assert_eq!(services.push.received(&device).await.len(), 0);
    assert_eq!((services.emails_to_sita().await.len(), services.sms.texts(SITA_PHONE).await.len()), (0, 1));
    let about_orders = |emails: Vec<Value>| {
        emails.iter().filter(|one| one["subject"].as_str().unwrap().starts_with("New order")).count()
    };
    assert_eq!(about_orders(services.mailbox.emails("ram@example.com").await), 1, "email is on until it is turned off");
    assert_eq!(about_orders(services.mailbox.emails("gita@example.com").await), 0);
    assert_eq!(
        sita.put(STAFF, &json!({"push": true, "email": true, "sms": true, "phone": ""})).await.refusal(),
        refusal(422, "phone_invalid")
    );
    assert_eq!(
        sita.put(STAFF, &json!({"push": true, "email": true, "sms": true, "phone": "01-4412345"})).await.refusal(),
        refusal(422, "phone_invalid")
    );
}

#[sqlx::test]
async fn an_online_order_is_new_when_it_is_paid(db: PgPool) {
    let services = Services::start();
    let wallet = Wallet::start();
    let shop = services.shop(db, &wallet.settings()).await;
    let (_sita, device) = reachable_sita(&shop, &services).await;
    let asha = asha(&shop).await;
    let category = shop.add_category("Staples").await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let mut request = order_request(&rice, 1, 302.5);
    request["paymentMethod"] = json!("Khalti");
    let placed = asha.place_online_order(Some("k-1"), &request).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    run_jobs(&shop).await;
    assert_eq!(services.push.received(&device).await.len(), 0);

    let pidx = wallet.ledger().await[0]["pidx"].as_str().unwrap().to_owned();
    wallet.simulate(&pidx, "pay").await;
    asha.post("/api/order/verify_khalti_payment", &json!({"pidx": pidx})).await;
    run_jobs(&shop).await;

    assert_eq!(services.push.received(&device).await.len(), 1);
}

#[sqlx::test]
async fn an_order_that_nobody_opens_is_announced_once_more_after_ten_minutes(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (sita, device) = reachable_sita(&shop, &services).await;
    let asha = asha(&shop).await;
    let (first, second, third) =
        (place(&shop, &asha, "k-1").await, place(&shop, &asha, "k-2").await, place(&shop, &asha, "k-3").await);
    run_jobs(&shop).await;
    let listed = sita.get(NOT_OPENED).await.json();
    assert_eq!((listed["data"]["count"].as_i64(), &listed["data"]["orders"][0]["_id"]), (Some(3), &first["_id"]));

    assert_eq!(sita.post("/api/order/mark_opened", &json!({"orderIds": [second["_id"]]})).await.status, 200);
    set_status(&sita, &third["_id"], "Order Confirmed").await;
    advance(&shop, TimeDelta::minutes(9)).await;
    assert_eq!(services.push.received(&device).await.len(), 3, "not yet");
    advance(&shop, TimeDelta::minutes(2)).await;
    advance(&shop, TimeDelta::minutes(60)).await;

    let messages = services.push.received(&device).await;
    let code = first["orderId"].as_str().unwrap();
    assert_eq!(messages.len(), 4);
    assert_eq!(messages[3]["title"], format!("Order {code} has not been opened yet"));
    let emails = services.emails_to_sita().await;
    assert_eq!(emails.iter().filter(|subject| subject.contains("not been opened")).count(), 1, "{emails:?}");
    let sita = sita_again(&shop).await;
    let listed = sita.get(NOT_OPENED).await.json();
    assert_eq!(listed["data"]["orders"].as_array().unwrap().len(), 1);
    let opened_by: Uuid = sqlx::query_scalar("SELECT first_opened_by FROM orders WHERE id = $1::uuid")
        .bind(second["_id"].as_str().unwrap())
        .fetch_one(&shop.db)
        .await
        .unwrap();
    let person: Uuid = sqlx::query_scalar("SELECT id FROM sellers").fetch_one(&shop.db).await.unwrap();
    assert_eq!(opened_by, person);
}

#[sqlx::test]
async fn an_hour_without_any_channel_loses_nothing_and_doubles_nothing(db: PgPool) {
    const ORDERS: usize = 5;
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (_sita, device) = reachable_sita(&shop, &services).await;
    let asha = asha(&shop).await;
    services.push.misbehave("error", 10_000).await;
    services.sms.misbehave("error", 10_000).await;
    services.mailbox.accept(false).await;

    let mut codes = Vec::new();
    for number in 0..ORDERS {
        let order = place(&shop, &asha, &format!("k-{number}")).await;
        codes.push(order["orderId"].as_str().unwrap().to_owned());
        advance(&shop, TimeDelta::minutes(1)).await;
    }
    // Every order is opened, so that there is no repetition to count.
    shop.sql("UPDATE orders SET first_opened_at = now()").await;
    for _ in 0..11 {
        advance(&shop, TimeDelta::minutes(5)).await;
    }
    assert_eq!(services.push.received(&device).await.len(), 0);
    assert!(services.push.attempts(&device).await > i64::try_from(ORDERS).unwrap(), "it was tried again");
    assert_eq!((services.emails_to_sita().await.len(), services.sms.texts(SITA_PHONE).await.len()), (0, 0));

    services.push.misbehave("error", 0).await;
    services.sms.misbehave("error", 0).await;
    services.mailbox.accept(true).await;
    for _ in 0..14 {
        advance(&shop, TimeDelta::hours(1)).await;
    }

    let titles = |messages: Vec<Value>| {
        let mut titles: Vec<String> =
            messages.iter().map(|message| message["title"].as_str().unwrap().to_owned()).collect();
        titles.sort();
        titles
    };
    let mut expected: Vec<String> = codes.iter().map(|code| format!("New order {code}")).collect();
    expected.sort();
    assert_eq!(titles(services.push.received(&device).await), expected);
    let mut emails = services.emails_to_sita().await;
    emails.sort();
    assert_eq!(emails, expected);
    let texts = services.sms.texts(SITA_PHONE).await;
    assert_eq!(texts.len(), ORDERS);
    for code in &codes {
        assert_eq!(texts.iter().filter(|text| text.contains(code)).count(), 1, "{code}");
    }
    assert_eq!(shop.count("orders").await, i64::try_from(ORDERS).unwrap());
    assert_eq!(sita_again(&shop).await.get(UNDELIVERED).await.json()["data"], json!([]));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_cannot_be_delivered_is_listed_and_can_be_sent_again(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (_sita, device) = reachable_sita(&shop, &services).await;
    let asha = asha(&shop).await;
    services.push.misbehave("error", 10_000).await;
    let order = place(&shop, &asha, "k-1").await;
    shop.sql("UPDATE orders SET first_opened_at = now()").await;

    for _ in 0..12 {
        advance(&shop, TimeDelta::hours(7)).await;
    }
    let sita = sita_again(&shop).await;
    let listed = sita.get(UNDELIVERED).await.json();
    let failed = &listed["data"][0];
    assert_eq!(listed["data"].as_array().unwrap().len(), 1, "{listed}");
    assert_eq!((&failed["channel"], &failed["recipient"]), (&json!("push"), &json!("Sita")));
    assert_eq!((&failed["order"], &failed["about"]), (&order["orderId"], &json!("new_order")));
    assert!(failed["problem"].as_str().unwrap().contains("500"), "{failed}");

    services.push.misbehave("error", 0).await;
    assert_eq!(sita.post("/api/seller/alerts/retry", &json!({"id": failed["id"]})).await.status, 200);
    run_jobs(&shop).await;

    assert_eq!(services.push.received(&device).await.len(), 1);
    assert_eq!(sita.get(UNDELIVERED).await.json()["data"], json!([]));
    let again = sita.post("/api/seller/alerts/retry", &json!({"id": failed["id"]})).await;
    assert_eq!(again.refusal(), refusal(404, "message_not_found"));
}

#[sqlx::test]
async fn a_browser_that_is_gone_is_forgotten_and_a_busy_service_is_given_time(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (sita, device) = reachable_sita(&shop, &services).await;
    let asha = asha(&shop).await;

    services.push.misbehave("busy", 1).await;
    place(&shop, &asha, "k-1").await;
    run_jobs(&shop).await;
    // The service has asked for a minute, and earlier attempts do not reach it.
    advance(&shop, TimeDelta::seconds(20)).await;
    assert_eq!((services.push.attempts(&device).await, services.push.received(&device).await.len()), (1, 0));
    advance(&shop, TimeDelta::minutes(2)).await;
    assert_eq!(services.push.received(&device).await.len(), 1);

    for way in ["gone", "missing"] {
        subscribe(&sita, "/api/seller/alerts/subscribe", &device).await;
        assert_eq!(shop.count("push_subscriptions").await, 1);
        services.push.misbehave(way, 1).await;
        place(&shop, &asha, way).await;
        run_jobs(&shop).await;
        assert_eq!(shop.count("push_subscriptions").await, 0, "{way}");
    }
    assert_eq!(sita.get(UNDELIVERED).await.json()["data"], json!([]));
}

#[sqlx::test]
async fn a_shopper_hears_of_changes_by_push_and_can_turn_both_channels_off(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;
    shop.sql("UPDATE users SET email_confirmed_at = now()").await;
    let device = services.push.add_browser(&shop).await;
    subscribe(&asha, "/api/alerts/subscribe", &device).await;
    let order = place(&shop, &asha, "k-1").await;
    let code = order["orderId"].as_str().unwrap();

    set_status(&sita, &order["_id"], "Order Confirmed").await;
    set_status(&sita, &order["_id"], "Out for Delivery").await;
    run_jobs(&shop).await;

    let mut titles: Vec<String> =
        services.push.received(&device).await.iter().map(|message| message["title"].to_string()).collect();
    titles.sort();
    assert_eq!(
        titles,
        [format!("\"Your order {code} is confirmed\""), format!("\"Your order {code} is out for delivery\"")]
    );
    let emails = services.mailbox.emails("asha@example.com").await;
    let confirmed = emails.iter().find(|email| email["subject"].as_str().unwrap().contains("confirmed")).unwrap();
    assert_eq!(confirmed["headers"]["list-unsubscribe-post"], "List-Unsubscribe=One-Click", "{confirmed}");
    let link = confirmed["headers"]["list-unsubscribe"].as_str().unwrap().trim_matches(['<', '>']).to_owned();
    assert!(confirmed["text"].as_str().unwrap().contains("/unsubscribe#token="));
    let placed = emails.iter().find(|email| !email["subject"].as_str().unwrap().contains("confirmed"));
    assert_eq!(placed.unwrap()["headers"]["list-unsubscribe"], Value::Null, "this email is not optional");

    // A mail program posts without cookies and without saying where it comes from.
    let path = link.strip_prefix(crate::support::SHOP).unwrap().to_owned();
    let post =
        Request::builder().method(Method::POST).uri(&path).header("content-type", "application/x-www-form-urlencoded");
    let answer = shop.send(post.body(Body::from("List-Unsubscribe=One-Click")).unwrap()).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    assert_eq!(asha.get(SHOPPER).await.json()["data"]["channels"], json!({"push": true, "email": false}));
    set_status(&sita, &order["_id"], "Order Shipped").await;
    run_jobs(&shop).await;
    assert_eq!(services.mailbox.emails("asha@example.com").await.len(), emails.len());
    assert_eq!(services.push.received(&device).await.len(), 3);

    asha.put(SHOPPER, &json!({"push": false, "email": false})).await;
    set_status(&sita, &order["_id"], "Delivered").await;
    run_jobs(&shop).await;
    assert_eq!(services.push.received(&device).await.len(), 3);
    // What concerns the agreement itself is sent all the same.
    let second = place(&shop, &asha, "k-2").await;
    set_status(&sita, &second["_id"], "Cancelled").await;
    run_jobs(&shop).await;
    assert_eq!(services.mailbox.emails("asha@example.com").await.len(), emails.len() + 2);
}

#[sqlx::test]
async fn a_link_that_was_never_sent_turns_nothing_off(db: PgPool) {
    let shop = TestShop::new(db);
    let browser = Browser::new(&shop);
    for token in ["", "x", "0190a5a0-0000-7000-8000-000000000000"] {
        let answer = browser.post(&format!("/api/alerts/unsubscribe?token={token}"), &json!({})).await;
        assert_eq!(answer.refusal(), refusal(404, "link_invalid"), "{token}");
    }
    let page = browser.get("/api/alerts/unsubscribe?token=0190a5a0-0000-7000-8000-000000000000").await;
    assert_eq!(
        (page.status.as_u16(), page.header("location")),
        (303, "/unsubscribe#token=0190a5a0-0000-7000-8000-000000000000")
    );
}

#[sqlx::test]
async fn only_browsers_of_known_services_subscribe_and_each_belongs_to_one_person(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (asha, device) = (asha(&shop).await, services.push.add_browser(&shop).await);
    let keys = &device.subscription["keys"];
    for bad in [
        json!({"endpoint": "http://169.254.169.254/latest", "keys": keys}),
        json!({"endpoint": "https://evil.example/push", "keys": keys}),
        json!({"endpoint": device.subscription["endpoint"], "keys": {"p256dh": "AAAA", "auth": keys["auth"]}}),
        json!({"endpoint": device.subscription["endpoint"], "keys": {"p256dh": keys["p256dh"], "auth": "AAAA"}}),
    ] {
        let answer = asha.post("/api/alerts/subscribe", &bad).await;
        assert_eq!(answer.refusal(), refusal(422, "subscription_invalid"), "{bad}");
    }

    subscribe(&asha, "/api/alerts/subscribe", &device).await;
    subscribe(&asha, "/api/alerts/subscribe", &device).await;
    assert_eq!(shop.count("push_subscriptions").await, 1);
    assert_eq!(asha.get(SHOPPER).await.json()["data"]["devices"][0]["device"], "Firefox on Android");
    // Binod logs in with the same browser: it is his now.
    let binod = crate::orders::shopper(&shop, "binod@example.com").await;
    subscribe(&binod, "/api/alerts/subscribe", &device).await;
    assert_eq!(asha.get(SHOPPER).await.json()["data"]["devices"], json!([]));

    // The push service moves the browser; the service worker says so without a session.
    let moved = services.push.add_browser(&shop).await;
    let visitor = Browser::new(&shop);
    let renewal = |former: &Value| json!({"formerEndpoint": former, "subscription": moved.subscription});
    let unknown =
        visitor.post("/api/alerts/renew_subscription", &renewal(&json!("https://fcm.googleapis.com/x"))).await;
    assert_eq!(unknown.refusal(), refusal(422, "subscription_invalid"));
    let renewed = visitor.post("/api/alerts/renew_subscription", &renewal(&device.subscription["endpoint"])).await;
    assert_eq!(renewed.status, 200);
    // The address is a secret of the browser, so a page may end the subscription also after a logout.
    let end = |endpoint: &Value, staff: bool| json!({"endpoint": endpoint, "staff": staff});
    visitor.post("/api/alerts/unsubscribe_device", &end(&moved.subscription["endpoint"], true)).await;
    visitor.post("/api/alerts/unsubscribe_device", &end(&device.subscription["endpoint"], false)).await;
    assert_eq!(shop.count("push_subscriptions").await, 1, "neither of the two is this one");
    visitor.post("/api/alerts/unsubscribe_device", &end(&moved.subscription["endpoint"], false)).await;
    assert_eq!(shop.count("push_subscriptions").await, 0);
}

#[sqlx::test]
async fn a_shop_without_a_key_has_no_push(db: PgPool) {
    let shop = TestShop::new(db);
    let asha = asha(&shop).await;
    let body = json!({"endpoint": "https://fcm.googleapis.com/x", "keys": {"p256dh": "x", "auth": "y"}});

    assert_eq!(asha.post("/api/alerts/subscribe", &body).await.refusal(), refusal(404, "push_disabled"));
}

#[sqlx::test]
async fn an_export_has_the_devices_and_a_deleted_account_leaves_none(db: PgPool) {
    let services = Services::start();
    let shop = services.shop(db, &[]).await;
    let (asha, device) = (asha(&shop).await, services.push.add_browser(&shop).await);
    subscribe(&asha, "/api/alerts/subscribe", &device).await;
    asha.put(SHOPPER, &json!({"push": true, "email": false})).await;

    let export = asha.get("/api/user/export").await.json();
    assert_eq!(export["alerts"]["devices"][0]["device"], "Firefox on Android");
    assert_eq!(export["alerts"]["preferences"], json!([{"kind": "order_updates", "push": true, "email": false}]));

    let deleted = asha.post("/api/user/delete", &json!({"password": crate::support::PASSWORD})).await;
    assert_eq!(deleted.status, 200);
    assert_eq!((shop.count("push_subscriptions").await, shop.count("alert_preferences").await), (0, 0));
}

#[sqlx::test]
async fn each_fault_of_a_push_service_has_its_error(db: PgPool) {
    let push = PushService::start();
    let shop = TestShop::with(db, &push.settings());
    let browser = push.add_browser(&shop).await;
    let target = PushTarget {
        endpoint: browser.subscription["endpoint"].as_str().unwrap().to_owned(),
        p256dh: browser.subscription["keys"]["p256dh"].as_str().unwrap().to_owned(),
        auth: browser.subscription["keys"]["auth"].as_str().unwrap().to_owned(),
    };
    let message = PushMessage { payload: b"{}", ttl: std::time::Duration::from_mins(1), topic: "order" };
    let send = || shop.app.push.send(&target, &message, shop.app.clock.now());

    for (way, expected) in [
        ("gone", PushError::Gone),
        ("missing", PushError::Gone),
        ("busy", PushError::RateLimited(60)),
        ("error", PushError::Transient("500".to_owned())),
        ("cut", PushError::Transient("no connection".to_owned())),
        // A redirect is not followed: it could lead anywhere.
        ("redirect", PushError::Transient("307".to_owned())),
    ] {
        push.misbehave(way, 1).await;
        assert_eq!(send().await, Err(expected), "{way}");
    }
    assert_eq!(send().await, Ok(()));
    let too_long = PushMessage { payload: &[b'x'; 4_000], ..message };
    assert_eq!(
        shop.app.push.send(&target, &too_long, shop.app.clock.now()).await,
        Err(PushError::Invalid("it is too long"))
    );
    drop(push);
    assert_eq!(send().await, Err(PushError::Transient("no connection".to_owned())));
}

#[sqlx::test]
async fn both_providers_of_text_messages_are_understood(db: PgPool) {
    for provider in ["sparrow", "aakash"] {
        let gateway = SmsGateway::start(provider);
        let shop = TestShop::with(db.clone(), &gateway.settings());
        let send = |to: &'static str| shop.app.sms.send(to, "Hello");

        assert_eq!(send("9801234567").await, Ok(()), "{provider}");
        assert_eq!(gateway.texts("9801234567").await, ["Hello"]);
        let rejected = send("014412345").await.unwrap_err();
        assert_eq!(matches!(rejected, SmsError::RecipientRejected(_)), provider == "sparrow", "{rejected}");
        for way in ["error", "html", "cut", "credit", "ip"] {
            gateway.misbehave(way, 1).await;
            assert!(matches!(send("9801234567").await, Err(SmsError::Transient(_))), "{provider} {way}");
        }
        assert_eq!(gateway.attempts().await, 7);
        let wrong = TestShop::with(db.clone(), &[gateway.settings().as_slice(), &[("SMS_TOKEN", "stolen")]].concat());
        assert!(wrong.app.sms.send("9801234567", "Hello").await.is_err());
    }
}
