//! What riders record at the door.

use chrono::{Days, NaiveDate};
use futures_util::future::join_all;
use http::Method;
use image::ImageFormat;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::clock;
use thunse::platform::permissions::Role;
use uuid::Uuid;

use crate::addresses::home_address;
use crate::media::sample_images;
use crate::orders::{asha, order_request, set_status, shopper, sita, with_field};
use crate::support::mailbox::Mailbox;
use crate::support::push_service::PushService;
use crate::support::seller_accounts::staff_browser;
use crate::support::{Browser, GENEROUS_LIMITS, TestResponse, TestShop, refusal, report_figure};

const SYNC: &str = "/api/rider/sync";

/// A shop with a rider, Hari, and orders of Asha that are assigned to him.
pub struct Round<'a> {
    pub asha: Browser<'a>,
    pub sita: Browser<'a>,
    pub hari: Browser<'a>,
    pub orders: Vec<Value>,
    pub rice: String,
}

impl<'a> Round<'a> {
    pub async fn new(shop: &'a TestShop, category: Uuid, orders: usize) -> Self {
        let rice = shop.add_product(category, "Rice", 250, 500).await;
        let (asha, sita) = (asha(shop).await, sita(shop).await);
        let hari = staff_browser(shop, "Hari", Role::Rider).await;
        let mut round = Self { asha, sita, hari, orders: Vec::new(), rice };
        for n in 0..orders {
            let placed = round.asha.place_order(Some(&format!("k-{n}")), &order_request(&round.rice, 2, 585.0)).await;
            assert_eq!(placed.status, 200, "{}", placed.text);
            round.orders.push(placed.json()["data"]["_id"].clone());
        }
        if orders > 0 {
            round.assign(shop, "Hari").await;
        }
        round
    }

    pub async fn assign(&self, shop: &TestShop, name: &str) {
        let id: Uuid =
            sqlx::query_scalar("SELECT id FROM sellers WHERE name = $1").bind(name).fetch_one(&shop.db).await.unwrap();
        let assigned = self.sita.put("/api/order/assign_rider", &json!({"orderIds": self.orders, "riderId": id})).await;
        assert_eq!(assigned.status, 200, "{}", assigned.text);
    }

    pub async fn code(&self, order: usize) -> TestResponse {
        self.asha.get(&format!("/api/rider/delivery_code/{}", self.orders[order].as_str().unwrap())).await
    }

    /// Sends one event of the first order and returns why it was refused, or nothing.
    pub async fn send(&self, event: Value) -> String {
        let event = complete(&self.orders[0], event);
        result_of(&sync(&self.hari, &[event]).await)
    }

    pub async fn out(&self) {
        assert_eq!(self.send(json!({"kind": "out"})).await, "");
    }
}

fn complete(order: &Value, mut event: Value) -> Value {
    event["orderId"] = order.clone();
    event["at"] = json!("2026-11-18T06:00:00Z");
    if event["id"].is_null() {
        event["id"] = json!(Uuid::now_v7());
    }
    event
}

async fn sync(rider: &Browser<'_>, events: &[Value]) -> TestResponse {
    rider.post(SYNC, &json!({ "events": events })).await
}

fn result_of(answer: &TestResponse) -> String {
    assert_eq!(answer.status, 200, "{}", answer.text);
    let result = answer.json()["data"]["results"][0].clone();
    assert_eq!(result["ok"].as_bool().unwrap(), result["code"] == "");
    assert_eq!(result["message"] == "", result["code"] == "", "a refusal says why: {result}");
    result["code"].as_str().unwrap().to_owned()
}

async fn account(shop: &TestShop, account: &str) -> i64 {
    sqlx::query_scalar("SELECT coalesce(sum(amount_paisa), 0)::bigint FROM cash_entries WHERE account = $1")
        .bind(account)
        .fetch_one(&shop.db)
        .await
        .unwrap()
}

async fn delivered(shop: &TestShop) -> i64 {
    shop.count("orders WHERE status = 'Delivered'").await
}

/// `SplitMix64`, as in `oracle.rs`.
struct Rng(u64);

impl Rng {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (z ^ (z >> 31)) % n
    }
}

#[sqlx::test]
async fn thirty_stops_recorded_offline_are_applied_once_though_half_of_the_connections_fail(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let round = Round::new(&shop, category, 30).await;
    // In the morning there is a connection.
    let out: Vec<Value> = round.orders.iter().map(|order| complete(order, json!({"kind": "out"}))).collect();
    assert_eq!(sync(&round.hari, &out).await.status, 200);
    // Then every stop is recorded on the phone; one shopper had 85 rupees too little.
    let mut waiting = Vec::new();
    for (n, order) in round.orders.iter().enumerate() {
        let code = round.code(n).await.json()["data"]["code"].clone();
        let collected = if n == 3 { 500 } else { 585 };
        waiting.push(complete(order, json!({"kind": "delivered", "code": code, "collected": collected})));
    }

    let (mut rng, mut requests, mut lost) = (Rng(20_261_118), 0, 0);
    while !waiting.is_empty() {
        requests += 1;
        assert!(requests < 200, "{} are still waiting", waiting.len());
        let batch = &waiting[..waiting.len().min(4)];
        match rng.below(4) {
            0 => lost += 1,
            1 => {
                // The server applies it, and the phone never learns.
                sync(&round.hari, batch).await;
                lost += 1;
            }
            _ => {
                let answer = sync(&round.hari, batch).await.json();
                let results = answer["data"]["results"].as_array().unwrap().clone();
                assert!(results.iter().all(|result| result["ok"] == true), "{answer}");
                waiting.drain(..results.len());
            }
        }
    }

    assert_eq!(delivered(&shop).await, 30);
    assert_eq!(shop.count("stop_events WHERE is_applied").await, 60);
    assert_eq!(shop.count("cash_transactions WHERE kind = 'collected'").await, 30);
    assert_eq!((account(&shop, "rider").await, account(&shop, "differences").await), (30 * 58_500 - 8_500, 8_500));
    assert_eq!(round.hari.get("/api/cash/get_my_cash").await.json()["data"]["balance"], 17_465);
    shop.assert_invariants_hold().await;
    report_figure(&format!(
        "an offline rider's day: 30 stops, {requests} requests, {lost} of them lost, each applied once"
    ));
}

#[sqlx::test]
async fn a_delivery_needs_the_shoppers_code_or_a_photo(db: PgPool) {
    let settings = [&GENEROUS_LIMITS[..], &[("PICTURE_WORKER", env!("CARGO_BIN_EXE_thunse"))]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let round = Round::new(&shop, category, 1).await;
    assert_eq!(round.code(0).await.refusal(), refusal(404, "no_code"), "not on its way yet");
    round.out().await;
    let code = round.code(0).await.json()["data"]["code"].as_str().unwrap().to_owned();
    assert_eq!(code.len(), 4);
    assert_eq!(round.code(0).await.json()["data"]["code"], code.as_str(), "it stays the same");
    let path = format!("/api/rider/delivery_code/{}", round.orders[0].as_str().unwrap());
    let bina = shopper(&shop, "bina@example.com").await;
    assert_eq!(bina.get(&path).await.refusal(), refusal(404, "order_not_found"), "of another shopper");
    let bare = complete(&round.orders[0], json!({"kind": "delivered"}));
    assert_eq!(sync(&round.hari, &[bare]).await.refusal(), refusal(422, "event_malformed"));

    let wrong = if code == "0000" { "0001" } else { "0000" };
    for _ in 0..5 {
        assert_eq!(round.send(json!({"kind": "delivered", "code": wrong})).await, "code_wrong");
    }
    assert_eq!(round.send(json!({"kind": "delivered", "code": code})).await, "code_locked", "five attempts are enough");
    assert_eq!(delivered(&shop).await, 0);

    let photo = Uuid::now_v7().to_string();
    assert_eq!(round.send(json!({"kind": "delivered", "photo": photo})).await, "photo_missing");
    let jpeg = sample_images::encode(&sample_images::two_halves(1500, 900), ImageFormat::Jpeg);
    let texts = [("id", photo.as_str()), ("order", round.orders[0].as_str().unwrap())];
    for _ in 0..2 {
        let added = round.hari.send_form_with(Method::POST, "/api/rider/add_photo", &texts, &[("photo", &jpeg)]).await;
        assert_eq!(added.status, 200, "{}", added.text);
    }
    assert_eq!(shop.count("stop_photos").await, 1);
    assert_eq!(round.send(json!({"kind": "delivered", "photo": photo})).await, "");
    assert_eq!(delivered(&shop).await, 1);
    let seen = round.sita.get(&format!("/api/rider/photo/{photo}")).await;
    assert_eq!((seen.status.as_u16(), seen.header("content-type")), (200, "image/webp"));
    assert_eq!(seen.header("cache-control"), "private, no-store");
    let stops = format!("/api/rider/order_stops/{}", round.orders[0].as_str().unwrap());
    let recorded = round.sita.get(&stops).await.json()["data"].clone();
    let kinds: Vec<_> = recorded.as_array().unwrap().iter().map(|stop| stop["kind"].clone()).collect();
    assert_eq!(kinds, ["out", "delivered"], "refused events are not shown");
    assert_eq!((&recorded[1]["proof"], &recorded[1]["photo"]), (&json!("photo"), &json!(photo)));
    for path in [stops, format!("/api/rider/photo/{photo}")] {
        assert_eq!(round.hari.get(&path).await.status, 403, "a rider may not read orders");
        assert_eq!(round.asha.get(&path).await.status, 401, "nor a shopper");
    }
    assert_eq!(round.send(json!({"kind": "delivered", "photo": photo})).await, "already_delivered");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_same_event_is_applied_once_and_an_id_has_one_meaning(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let code = round.code(0).await.json()["data"]["code"].clone();
    let event = complete(&round.orders[0], json!({"kind": "delivered", "code": code, "collected": 585}));

    let answers = join_all((0..6).map(|_| sync(&round.hari, std::slice::from_ref(&event)))).await;
    for answer in &answers {
        assert_eq!(result_of(answer), "");
    }
    assert_eq!(account(&shop, "rider").await, 58_500);
    // The shop takes the delivery back; the phone that sends its event again gets the same answer and changes nothing.
    set_status(&round.sita, &round.orders[0], "Out for Delivery").await;
    assert_eq!(result_of(&sync(&round.hari, std::slice::from_ref(&event)).await), "");
    assert_eq!((delivered(&shop).await, account(&shop, "rider").await), (0, 0));
    let other = with_field(event.clone(), "collected", json!(1));
    assert_eq!(result_of(&sync(&round.hari, &[other]).await), "id_reused");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_that_is_no_longer_the_riders_is_refused_for_good(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let round = Round::new(&shop, category, 2).await;
    staff_browser(&shop, "Rita", Role::Rider).await;
    round.out().await;
    let code = round.code(0).await.json()["data"]["code"].clone();
    round.assign(&shop, "Rita").await;
    let event = complete(&round.orders[0], json!({"kind": "delivered", "code": code}));

    assert_eq!(result_of(&sync(&round.hari, std::slice::from_ref(&event)).await), "not_yours");
    round.assign(&shop, "Hari").await;
    assert_eq!(result_of(&sync(&round.hari, &[event]).await), "not_yours", "the stored result");
    let stranger = complete(&json!(Uuid::now_v7()), json!({"kind": "out"}));
    assert_eq!(result_of(&sync(&round.hari, &[stranger]).await), "not_yours");
    set_status(&round.sita, &round.orders[0], "Cancelled").await;
    assert_eq!(round.send(json!({"kind": "out"})).await, "cancelled");
    assert_eq!(account(&shop, "rider").await, 0);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_comes_back_at_the_door_is_not_collected(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let back = |quantity: i32| json!({"kind": "returned", "items": [{"product": round.rice, "quantity": quantity}]});

    for (event, code) in [
        (back(3), "items_invalid"),
        (back(0), "items_invalid"),
        (json!({"kind": "returned", "items": []}), "items_invalid"),
        (json!({"kind": "returned", "items": [{"product": Uuid::now_v7(), "quantity": 1}]}), "items_invalid"),
        (back(1), ""),
        (back(2), "items_invalid"),
    ] {
        assert_eq!(round.send(event.clone()).await, code, "{event}");
    }
    // One of two packets of 250 rupees with 13 % tax came back.
    let stop = round.hari.get("/api/order/get_my_deliveries").await.json()["data"][0].clone();
    assert_eq!(stop["cashToCollect"], 302.5);
    let code = round.code(0).await.json()["data"]["code"].clone();
    assert_eq!(round.send(json!({"kind": "delivered", "code": code})).await, "");

    assert_eq!((account(&shop, "rider").await, account(&shop, "sales").await), (30_250, -30_250));
    let orders = round.sita.get("/api/order/get_orders").await.json();
    assert_eq!(orders["data"][0]["attention"], json!(["returned_at_door"]));
    shop.assert_invariants_hold().await;
    set_status(&round.sita, &round.orders[0], "Order Confirmed").await;
    assert_eq!((account(&shop, "rider").await, account(&shop, "sales").await), (0, 0));
    shop.assert_invariants_hold().await;
}

fn today(shop: &TestShop) -> NaiveDate {
    clock::nepal_date(shop.app.clock.now())
}

#[sqlx::test]
async fn a_shopper_who_was_not_met_gets_the_next_free_window(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    shop.start_at_noon();
    let mut round = Round::new(&shop, category, 0).await;
    let window = json!({"weekdays": [0, 1, 2, 3, 4, 5, 6], "starts": "00:00", "ends": "23:59", "cutoffMinutes": 0, "capacity": 1});
    let zone = json!({"name": "City", "fee": 50, "minimum": 0, "isActive": true, "windows": [window],
                      "areas": [{"district": "Kathmandu", "municipality": "Kathmandu"}]});
    assert_eq!(round.sita.post("/api/delivery/add_zone", &zone).await.status, 200);
    let mut address = home_address();
    address["district"] = json!("Kathmandu");
    address["municipality"] = json!("Kathmandu");
    address["ward"] = json!("5");
    let added = round.asha.post("/api/address/add_address", &address).await;
    let to = added.json()["data"]["_id"].clone();
    for n in 0..3 {
        let order = with_field(order_request(&round.rice, 2, 615.0), "addressId", to.clone());
        let placed = round.asha.place_order(Some(&format!("w-{n}")), &order).await;
        assert_eq!(placed.status, 200, "{}", placed.text);
        round.orders.push(placed.json()["data"]["_id"].clone());
    }
    round.assign(&shop, "Hari").await;
    let day = async |order: &Value| -> NaiveDate {
        let id: Uuid = order.as_str().unwrap().parse().unwrap();
        sqlx::query_scalar("SELECT delivery_date FROM orders WHERE id = $1").bind(id).fetch_one(&shop.db).await.unwrap()
    };
    // One order a day: tomorrow, and the two days after it.
    let first = day(&round.orders[0]).await;
    assert_eq!(first, today(&shop) + Days::new(1));

    assert_eq!(round.send(json!({"kind": "not_met", "reason": "nobody_home"})).await, "");

    assert_eq!(day(&round.orders[0]).await, first + Days::new(3), "the days between are full");
    shop.assert_invariants_hold().await;
    let later = first + Days::new(6);
    assert_eq!(round.send(json!({"kind": "not_met", "reason": "no_answer", "day": later})).await, "");
    assert_eq!(day(&round.orders[0]).await, later);
    assert_eq!(shop.count("stop_events WHERE reason IS NOT NULL").await, 2);
    let unclear = complete(&round.orders[0], json!({"kind": "not_met", "reason": "rain"}));
    assert_eq!(sync(&round.hari, &[unclear]).await.refusal(), refusal(422, "event_malformed"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn without_windows_a_shopper_who_was_not_met_is_visited_tomorrow(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    shop.start_at_noon();
    let round = Round::new(&shop, category, 1).await;
    round.out().await;

    assert_eq!(round.send(json!({"kind": "not_met", "reason": "other", "note": "road closed"})).await, "");

    let stop = round.hari.get("/api/order/get_my_deliveries").await.json()["data"][0].clone();
    assert_eq!(stop["deliveryDate"], json!(today(&shop) + Days::new(1)));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_shopper_who_was_not_met_gets_one_message_with_the_reason_and_the_next_time(db: PgPool) {
    let (mailbox, push) = (Mailbox::open(), PushService::start());
    let mut settings = vec![("SMTP_URL", mailbox.smtp_url.as_str()), ("OPEN_COD_CONFIRM_MINUTES", "0")];
    settings.extend(GENEROUS_LIMITS);
    settings.extend(push.settings());
    let shop = TestShop::with_jobs_and_settings(db, &settings).await;
    shop.start_at_noon();
    let category = shop.add_category("Staples").await;
    let round = Round::new(&shop, category, 1).await;
    round.out().await;
    let messages = async || {
        for _ in 0..3 {
            shop.run_jobs().await;
        }
        let emails = mailbox.emails("asha@example.com").await;
        let is_about_it = |subject: &str| subject.contains("could not deliver");
        emails.into_iter().filter(|email| is_about_it(email["subject"].as_str().unwrap())).collect::<Vec<_>>()
    };
    messages().await;

    let not_met = complete(&round.orders[0], json!({"kind": "not_met", "reason": "no_answer"}));
    for _ in 0..2 {
        assert_eq!(result_of(&sync(&round.hari, std::slice::from_ref(&not_met)).await), "");
    }

    let emails = messages().await;
    assert_eq!(emails.len(), 1, "one message, though the phone sent the event twice");
    let text = emails[0].to_string();
    let day = (today(&shop) + Days::new(1)).format("%-d %b %Y").to_string();
    assert!(text.contains("Nobody answered the phone.") && text.contains(&day), "{day}: {text}");

    // A shopper whose browser gets notifications is told there, and not by email as well.
    let device = push.add_browser(&shop).await;
    assert_eq!(round.asha.post("/api/alerts/subscribe", &device.subscription).await.status, 200);
    assert_eq!(round.send(json!({"kind": "not_met", "reason": "nobody_home"})).await, "");
    assert_eq!(messages().await.len(), 1);
    let told = push.received(&device).await;
    assert!(told.iter().any(|message| message.to_string().contains("Nobody was at the address.")), "{told:?}");
}
