//! The cash ledger: what riders collect, hand in and miss.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::permissions::Role;

use crate::orders::{asha, order_request, set_status, sita};
use crate::support::seller_accounts::staff_browser;
use crate::support::{Browser, GENEROUS_LIMITS, TestResponse, TestShop, refusal, report_figure};

const TOTAL: i64 = 58_500;

/// The sum of an account, of one rider or of all.
async fn account(shop: &TestShop, account: &str) -> i64 {
    sqlx::query_scalar("SELECT coalesce(sum(amount_paisa), 0)::bigint FROM cash_entries WHERE account = $1")
        .bind(account)
        .fetch_one(&shop.db)
        .await
        .unwrap()
}

async fn kinds(shop: &TestShop) -> Vec<String> {
    sqlx::query_scalar("SELECT kind FROM cash_transactions ORDER BY id").fetch_all(&shop.db).await.unwrap()
}

async fn place(asha: &Browser<'_>, rice: &str, key: &str) -> Value {
    let placed = asha.place_order(Some(key), &order_request(rice, 1, 585.0)).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    placed.json()["data"]["_id"].clone()
}

async fn rider_id(shop: &TestShop, name: &str) -> Value {
    let id: uuid::Uuid =
        sqlx::query_scalar("SELECT id FROM sellers WHERE name = $1").bind(name).fetch_one(&shop.db).await.unwrap();
    json!(id)
}

async fn assign(seller: &Browser<'_>, order: &Value, rider: &Value) {
    let assigned = seller.put("/api/order/assign_rider", &json!({"orderIds": [order], "riderId": rider})).await;
    assert_eq!(assigned.status, 200, "{}", assigned.text);
}

/// The rider records a delivery with the shopper's code.
async fn record_delivery(shop: &TestShop, rider: &Browser<'_>, order: &Value) -> TestResponse {
    let id = order.as_str().unwrap();
    shop.sql(&format!(
        "INSERT INTO delivery_codes (order_id, code) VALUES ('{id}', '1234') ON CONFLICT (order_id) DO NOTHING"
    ))
    .await;
    let event = json!({"id": uuid::Uuid::now_v7(), "orderId": id, "kind": "delivered", "at": "2026-11-18T06:00:00Z",
                       "code": "1234"});
    rider.post("/api/rider/sync", &json!({"events": [event]})).await
}

async fn deliver(shop: &TestShop, rider: &Browser<'_>, order: &Value) {
    let delivered = record_delivery(shop, rider, order).await;
    assert_eq!(delivered.json()["data"]["results"][0]["ok"], true, "{}", delivered.text);
}

async fn record(seller: &Browser<'_>, rider: &Value, kind: &str, amount: f64, note: &str) -> TestResponse {
    let body = json!({"riderId": rider, "kind": kind, "amount": amount, "note": note});
    seller.post("/api/cash/record", &body).await
}

async fn settle(seller: &Browser<'_>, rider: &Value, expected: f64, counted: f64, note: &str) -> TestResponse {
    let body = json!({"riderId": rider, "expected": expected, "counted": counted, "note": note});
    seller.post("/api/cash/settle", &body).await
}

#[sqlx::test]
async fn cash_of_an_order_without_a_rider_is_in_the_till_until_the_order_goes_back(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = place(&asha, &rice, "k").await;

    for (status, in_till, written) in [
        ("Out for Delivery", 0, 0),
        ("Delivered", TOTAL, 2),
        ("Delivered", TOTAL, 2),
        ("Order Confirmed", 0, 3),
        ("Delivered", TOTAL, 5),
        ("Cancelled", 0, 6),
        ("Cancelled", 0, 6),
        ("Delivered", TOTAL, 8),
    ] {
        assert_eq!(set_status(&sita, &order, status).await.status, 200);
        assert_eq!((account(&shop, "till").await, kinds(&shop).await.len()), (in_till, written), "{status}");
        assert_eq!(account(&shop, "receivable").await, 0, "{status}");
        shop.assert_invariants_hold().await;
    }
    assert_eq!(account(&shop, "rider").await, 0);
    let by: Option<uuid::Uuid> =
        sqlx::query_scalar("SELECT by_id FROM cash_transactions LIMIT 1").fetch_one(&shop.db).await.unwrap();
    assert_eq!(json!(by), rider_id(&shop, "Sita").await, "it says who");
}

#[sqlx::test]
async fn a_rider_carries_the_cash_until_a_manager_closes_the_day(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let hari = staff_browser(&shop, "Hari", Role::Rider).await;
    let hari_id = rider_id(&shop, "Hari").await;
    for key in ["k-1", "k-2"] {
        let order = place(&asha, &rice, key).await;
        assign(&sita, &order, &hari_id).await;
        deliver(&shop, &hari, &order).await;
    }
    // The till has none of it yet.
    assert_eq!((account(&shop, "rider").await, account(&shop, "till").await), (2 * TOTAL, 0));

    assert_eq!(record(&sita, &hari_id, "float_given", 1000.0, "").await.json()["data"]["float"], 1000);
    assert_eq!(record(&sita, &hari_id, "handed_in", 500.0, "").await.json()["data"]["balance"], 670);
    for (kind, amount, note, code) in [
        ("given_away", 5.0, "", "kind_invalid"),
        ("handed_in", 0.0, "", "amount_invalid"),
        ("handed_in", -5.0, "", "amount_invalid"),
        ("difference", 5.0, " ", "note_needed"),
    ] {
        assert_eq!(record(&sita, &hari_id, kind, amount, note).await.refusal(), refusal(422, code), "{kind} {amount}");
    }
    let stranger = json!("0190a0a0-0000-7000-8000-000000000000");
    assert_eq!(record(&sita, &stranger, "handed_in", 5.0, "").await.refusal(), refusal(404, "rider_unknown"));
    let own = hari.get("/api/cash/get_my_cash").await.json();
    assert_eq!((&own["data"]["balance"], &own["data"]["float"]), (&json!(670), &json!(1000)));

    assert_eq!(settle(&sita, &hari_id, 670.0, 650.0, "").await.refusal(), refusal(422, "note_needed"));
    assert_eq!(settle(&sita, &hari_id, 600.0, 600.0, "").await.refusal(), refusal(409, "balance_changed"));
    let closed = settle(&sita, &hari_id, 670.0, 650.0, "a torn note").await;
    assert_eq!((closed.status.as_u16(), &closed.json()["data"]["balance"]), (200, &json!(0)));

    let rider = &sita.get("/api/cash/get_riders").await.json()["data"][0];
    assert_eq!((&rider["name"], &rider["balance"], &rider["float"]), (&json!("Hari"), &json!(0), &json!(1000)));
    assert!(rider["closedAt"].is_string());
    let settled = &sita.get("/api/cash/get_settlements").await.json()["data"][0];
    assert_eq!((&settled["rider"], &settled["closedBy"]), (&json!("Hari"), &json!("Sita")));
    assert_eq!(
        (&settled["expected"], &settled["counted"], &settled["note"]),
        (&json!(670), &json!(650), &json!("a torn note"))
    );
    let ledger = sita.get(&format!("/api/cash/get_ledger?rider={}", hari_id.as_str().unwrap())).await.json();
    let lines: Vec<(&str, i64)> = ledger["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["kind"].as_str().unwrap(), line["amount"].as_i64().unwrap()))
        .collect();
    assert_eq!(
        lines,
        [("settled", -670), ("handed_in", -500), ("float_given", 0), ("collected", 585), ("collected", 585)]
    );
    let report = sita.get("/api/order/money_report").await.json();
    let line = &report["data"]["riders"][0];
    assert_eq!((&line["rider"], &line["collected"]), (&json!("Hari"), &json!(1170)));
    assert_eq!((&line["handedIn"], &line["missing"]), (&json!(1150), &json!(20)));
    let csv = sita.get("/api/order/money_report.csv").await.text;
    assert!(csv.contains(r#""Hari","1170.00","1150.00","20.00""#), "{csv}");
    let audit: i64 = sqlx::query_scalar("SELECT count(*) FROM audit_log WHERE action LIKE 'cash.%'")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    assert_eq!(audit, 3);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_order_that_goes_back_takes_its_cash_from_whoever_has_it(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let hari = staff_browser(&shop, "Hari", Role::Rider).await;
    let hari_id = rider_id(&shop, "Hari").await;
    let order = place(&asha, &rice, "k").await;
    assign(&sita, &order, &hari_id).await;

    // The rider still carries it.
    deliver(&shop, &hari, &order).await;
    set_status(&sita, &order, "Out for Delivery").await;
    assert_eq!((account(&shop, "rider").await, account(&shop, "till").await), (0, 0));

    // The day was closed, so it is in the till.
    deliver(&shop, &hari, &order).await;
    assert_eq!(settle(&sita, &hari_id, 585.0, 585.0, "").await.status, 200);
    set_status(&sita, &order, "Cancelled").await;
    assert_eq!((account(&shop, "rider").await, account(&shop, "till").await), (0, 0));
    shop.assert_invariants_hold().await;

    // It was handed in before a day was closed with nothing.
    set_status(&sita, &order, "Delivered").await;
    record(&sita, &hari_id, "handed_in", 585.0, "").await;
    assert_eq!(settle(&sita, &hari_id, 0.0, 0.0, "").await.status, 200);
    set_status(&sita, &order, "Order Confirmed").await;
    assert_eq!((account(&shop, "rider").await, account(&shop, "till").await), (0, 0));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_repeated_request_records_cash_once(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = sita(&shop).await;
    staff_browser(&shop, "Hari", Role::Rider).await;
    let body = json!({"riderId": rider_id(&shop, "Hari").await, "kind": "float_given", "amount": 500,
                      "key": "0190a0a0-0000-7000-8000-000000000001"});

    for _ in 0..2 {
        assert_eq!(sita.post("/api/cash/record", &body).await.json()["data"]["float"], 500);
    }
    assert_eq!(kinds(&shop).await, ["float_given"]);
}

#[sqlx::test]
async fn entries_that_do_not_add_up_are_refused_by_the_database(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let post = async |amounts: [i64; 2]| {
        sqlx::query("SELECT post_cash('handed_in', NULL, NULL, NULL, now(), '', NULL, '{till,sales}', $1)")
            .bind(amounts.to_vec())
            .execute(&shop.db)
            .await
            .map_err(|error| error.as_database_error().unwrap().code().unwrap().into_owned())
            .map(|_| ())
    };

    assert_eq!(post([5, -4]).await, Err("TS003".to_owned()));
    assert_eq!(shop.count("cash_transactions").await, 0);
    assert_eq!(post([5, -5]).await, Ok(()));
    assert_eq!(shop.count("cash_entries").await, 2);
}

#[sqlx::test]
async fn every_cash_invariant_sees_what_breaks_it(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let hari = staff_browser(&shop, "Hari", Role::Rider).await;
    let hari_id = rider_id(&shop, "Hari").await;
    let order = place(&asha, &rice, "k").await;
    assign(&sita, &order, &hari_id).await;
    deliver(&shop, &hari, &order).await;
    settle(&sita, &hari_id, 585.0, 585.0, "").await;
    shop.assert_invariants_hold().await;
    let views: String =
        sqlx::query_scalar("SELECT pg_get_viewdef('cash_violations')").fetch_one(&shop.db).await.unwrap();
    let breakages = [
        (
            "a cash transaction adds up to zero",
            "UPDATE cash_entries SET amount_paisa = amount_paisa + 1 WHERE account = 'sales'",
        ),
        ("a cash transaction has entries", "INSERT INTO cash_transactions (kind, at) VALUES ('collected', now())"),
        ("cash of an order follows its payment", "UPDATE cash_transactions SET order_id = NULL WHERE kind = 'sold'"),
        (
            "a rider carries what was collected and not handed in",
            "UPDATE cash_transactions SET kind = 'sold' WHERE kind = 'collected'",
        ),
        ("a closed day is what was counted", "UPDATE cash_settlements SET counted_paisa = 1, note = 'x'"),
    ];
    assert_eq!(views.matches("UNION ALL").count() + 1, breakages.len(), "a new invariant wants its line here");
    for (invariant, statement) in breakages {
        shop.assert_violation_detected(invariant, statement).await;
    }
    shop.assert_invariants_hold().await;
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

    fn one_of<T: Clone>(&mut self, all: &[T]) -> T {
        let n = u64::try_from(all.len()).unwrap();
        all[usize::try_from(self.below(n)).unwrap()].clone()
    }
}

/// What the ledger must say, counted without double entry.
#[derive(Default)]
struct Model {
    till: i64,
    missing: i64,
    carried: BTreeMap<String, i64>,
    floats: BTreeMap<String, i64>,
    /// Who has the cash of a delivered order: a rider, or nobody for the till.
    holders: BTreeMap<String, Option<String>>,
    riders: BTreeMap<String, Option<String>>,
}

impl Model {
    fn set_delivered(&mut self, order: &str, is_delivered: bool) {
        match (self.holders.contains_key(order), is_delivered) {
            (false, true) => {
                let holder = self.riders.get(order).cloned().flatten();
                *self.purse(holder.as_ref()) += TOTAL;
                self.holders.insert(order.to_owned(), holder);
            }
            (true, false) => {
                let holder = self.holders.remove(order).flatten();
                *self.purse(holder.as_ref()) -= TOTAL;
            }
            _ => {}
        }
    }

    fn purse(&mut self, holder: Option<&String>) -> &mut i64 {
        match holder {
            Some(rider) => self.carried.entry(rider.clone()).or_default(),
            None => &mut self.till,
        }
    }
}

#[sqlx::test]
async fn random_days_of_cash_agree_with_a_simple_count(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 500, 500).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut people = Vec::new();
    for name in ["Hari", "Rita"] {
        let browser = staff_browser(&shop, name, Role::Rider).await;
        people.push((rider_id(&shop, name).await, browser));
    }
    let seed = std::env::var("SEED").ok().and_then(|text| text.parse().ok()).unwrap_or(20_261_118);
    let (mut rng, mut model) = (Rng(seed), Model::default());
    let mut orders: Vec<Value> = Vec::new();
    for n in 0..5 {
        orders.push(place(&asha, &rice, &format!("k-{n}")).await);
    }
    for step in 0..150 {
        let order = rng.one_of(&orders);
        let name = order.as_str().unwrap().to_owned();
        let place = usize::try_from(rng.below(2)).unwrap();
        let (rider, browser) = (people[place].0.clone(), &people[place].1);
        let rider_name = rider.as_str().unwrap().to_owned();
        let rupees = i64::try_from(rng.below(300)).unwrap() + 1;
        #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "small amounts")]
        let as_rupees = |paisa: i64| paisa as f64 / 100.0;
        match rng.below(8) {
            0 | 1 => {
                let nobody = rng.below(4) == 0;
                assign(&sita, &order, if nobody { &Value::Null } else { &rider }).await;
                model.riders.insert(name, (!nobody).then_some(rider_name));
            }
            2 | 3 => {
                let status =
                    rng.one_of(&["Order Confirmed", "Out for Delivery", "Delivered", "Delivered", "Cancelled"]);
                assert_eq!(set_status(&sita, &order, status).await.status, 200);
                model.set_delivered(&name, status == "Delivered");
            }
            4 => {
                let delivered = record_delivery(&shop, browser, &order).await.json();
                if delivered["data"]["results"][0]["ok"] == true {
                    model.set_delivered(&name, true);
                }
            }
            5 => {
                let kind = rng.one_of(&["float_given", "float_returned", "handed_in", "difference"]);
                assert_eq!(record(&sita, &rider, kind, as_rupees(rupees * 100), "x").await.status, 200);
                let paisa = rupees * 100;
                let (from, to) = match kind {
                    "float_given" => (&mut model.till, model.floats.entry(rider_name).or_default()),
                    "float_returned" => (model.floats.entry(rider_name).or_default(), &mut model.till),
                    "handed_in" => (model.carried.entry(rider_name).or_default(), &mut model.till),
                    _ => (model.carried.entry(rider_name).or_default(), &mut model.missing),
                };
                *from -= paisa;
                *to += paisa;
            }
            6 => {
                let expected = model.carried.get(&rider_name).copied().unwrap_or_default();
                let counted = (expected - i64::try_from(rng.below(3)).unwrap() * 1_000).max(0);
                let closed = settle(&sita, &rider, as_rupees(expected), as_rupees(counted), "counted").await;
                assert_eq!(closed.status, 200, "step {step}: {}", closed.text);
                model.carried.insert(rider_name.clone(), 0);
                (model.till, model.missing) = (model.till + counted, model.missing + expected - counted);
                for holder in model.holders.values_mut().filter(|holder| holder.as_ref() == Some(&rider_name)) {
                    *holder = None;
                }
            }
            _ => {}
        }
        let carried: i64 = model.carried.values().sum();
        let floats: i64 = model.floats.values().sum();
        let ours = (carried, floats, model.till, model.missing);
        let ledger = (
            account(&shop, "rider").await,
            account(&shop, "float").await,
            account(&shop, "till").await,
            account(&shop, "differences").await,
        );
        assert_eq!(ledger, ours, "seed {seed}, step {step}");
    }
    let riders = sita.get("/api/cash/get_riders").await.json();
    for rider in riders["data"].as_array().unwrap() {
        let carried = model.carried.get(rider["_id"].as_str().unwrap()).copied().unwrap_or_default();
        assert_eq!(rider["balance"].as_i64().unwrap() * 100, carried, "whole rupees");
    }
    shop.assert_invariants_hold().await;
    report_figure(&format!("cash: 150 random steps, {} transactions, seed {seed}", kinds(&shop).await.len()));
}
