//! Bills: one for every delivered order, numbered without gaps, never changed, corrected by credit notes.

use std::collections::VecDeque;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::{AssertSqlSafe, PgPool};
use thunse::billing;
use thunse::platform::ids::OrderId;
use thunse::platform::state::App;
use tokio::sync::Mutex;
use uuid::Uuid;

use crate::fees::update_settings;
use crate::orders::{asha, order_request, set_status, shopper, sita};
use crate::support::mailbox::Mailbox;
use crate::support::{Browser, GENEROUS_LIMITS, PASSWORD, TestResponse, TestShop, refusal};

const BILLS: &str = "/api/billing/get_order_bills";
const SELLER_BILLS: &str = "/api/billing/get_seller_order_bills";
const BUYER: &str = "/api/billing/set_bill_buyer";
const CREDIT: &str = "/api/billing/credit_bill";
const REGISTER: &str = "/api/billing/get_bill_register";

/// Two packets of rice and one of salt, which is exempt from VAT: 1,000 + 130 VAT + 25 = 1,155, and no delivery fee.
async fn buy(shop: &TestShop, browser: &Browser<'_>, key: &str) -> String {
    let category = shop.add_category(&format!("Staples {key}")).await;
    let rice = shop.add_product(category, &format!("Rice {key}"), 500, 10).await;
    let salt = shop.add_product(category, &format!("Salt {key}"), 25, 10).await;
    shop.sql(&format!("UPDATE products SET tax_class = 'exempt' WHERE id = '{salt}'")).await;
    let mut order = order_request(&rice, 2, 1155.0);
    order["items"] = json!([{"id": rice, "quantity": 2}, {"id": salt, "quantity": 1}]);
    let placed = browser.place_order(Some(key), &order).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    placed.json()["data"]["_id"].as_str().unwrap().to_owned()
}

async fn set(shop: &TestShop, seller: &Browser<'_>, order: &str, status: &str) {
    let changed = set_status(seller, &json!(order), status).await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    shop.run_jobs().await;
}

async fn documents(browser: &Browser<'_>, path: &str, order: &str) -> Vec<Value> {
    let response = browser.get(&format!("{path}?orderId={order}")).await;
    assert_eq!(response.status, 200, "{}", response.text);
    response.json()["data"]["documents"].as_array().unwrap().clone()
}

fn kinds(documents: &[Value]) -> Vec<&str> {
    documents.iter().map(|document| document["kind"].as_str().unwrap()).collect()
}

async fn bill_settings(seller: &Browser<'_>, billing: Value) -> TestResponse {
    let billing = json!({"billing": billing, "panNumber": "301234567"});
    update_settings(seller, billing).await
}

async fn amounts(shop: &TestShop, table: &str) -> Vec<Vec<i64>> {
    let rows: Vec<(i64, i64, i64, i64, i64, i64)> = sqlx::query_as(AssertSqlSafe(format!(
        "SELECT exempt_paisa, taxable_paisa, tax_paisa, delivery_paisa, discount_paisa, total_paisa FROM {table} ORDER BY id"
    )))
    .fetch_all(&shop.db)
    .await
    .unwrap();
    rows.into_iter().map(|(a, b, c, d, e, f)| vec![a, b, c, d, e, f]).collect()
}

#[sqlx::test]
async fn a_delivered_order_has_one_receipt_with_exempt_and_taxable_goods_apart(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = buy(&shop, &asha, "a").await;
    set(&shop, &sita, &order, "Order Shipped").await;
    assert_eq!(documents(&asha, BILLS, &order).await, Vec::<Value>::new(), "it is issued at delivery");

    set(&shop, &sita, &order, "Delivered").await;
    set(&shop, &sita, &order, "Out for Delivery").await;
    set(&shop, &sita, &order, "Delivered").await;

    let bills = documents(&asha, BILLS, &order).await;
    assert_eq!(kinds(&bills), ["order_receipt"]);
    assert_eq!(bills[0]["total"], 1155);
    let number = bills[0]["number"].as_str().unwrap();
    assert!(number.starts_with("R-01-20") && number.ends_with("-000001"), "{number}");
    assert_eq!(amounts(&shop, "bills").await, [[2_500, 100_000, 13_000, 0, 0, 115_500]]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_kind_and_the_moment_of_a_bill_are_settings(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let without_pan = update_settings(&sita, json!({"billing": {"document": "bill"}})).await;
    assert_eq!(without_pan.refusal(), refusal(422, "field_invalid"));
    let bad_outlet = bill_settings(&sita, json!({"document": "bill", "outlet": "a b"})).await;
    assert_eq!(bad_outlet.refusal(), refusal(422, "field_invalid"));

    let mut seen = Vec::new();
    for (key, billing) in [
        ("a", json!({"document": "bill", "issueAt": "dispatch", "outlet": "KTM"})),
        ("b", json!({"document": "bill", "issueAt": "dispatch", "outlet": "KTM", "abbreviatedPermitted": true})),
        ("c", json!({"document": "bill", "issueAt": "dispatch", "outlet": "PKR"})),
    ] {
        let saved = bill_settings(&sita, billing).await;
        assert_eq!(saved.status, 200, "{}", saved.text);
        let order = buy(&shop, &asha, key).await;
        set(&shop, &sita, &order, "Order Shipped").await;
        let bills = documents(&asha, BILLS, &order).await;
        let number = bills[0]["number"].as_str().unwrap();
        seen.push((bills[0]["kind"].clone(), number[..3].to_owned(), number[number.len() - 6..].to_owned()));
    }
    update_settings(&sita, json!({"vatRegistered": false})).await;
    let category = shop.add_category("Oil").await;
    let oil = shop.add_product(category, "Oil", 500, 10).await;
    let placed = asha.place_order(Some("d"), &order_request(&oil, 1, 520.0)).await;
    let order = placed.json()["data"]["_id"].as_str().unwrap().to_owned();
    set(&shop, &sita, &order, "Delivered").await;

    assert_eq!(
        seen,
        [
            (json!("tax_invoice"), "KTM".to_owned(), "000001".to_owned()),
            (json!("abbreviated_tax_invoice"), "KTM".to_owned(), "000002".to_owned()),
            (json!("tax_invoice"), "PKR".to_owned(), "000001".to_owned()),
        ]
    );
    assert_eq!(kinds(&documents(&asha, BILLS, &order).await), ["pan_bill"]);
    assert_eq!(amounts(&shop, "bills").await[3], [50_000, 0, 0, 2_000, 0, 52_000]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_buyer_gives_a_name_and_a_pan_until_the_bill_is_issued(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let bina = shopper(&shop, "bina@example.com").await;
    let billing = json!({"document": "bill", "abbreviatedPermitted": true});
    assert_eq!(bill_settings(&sita, billing).await.status, 200);
    let order = buy(&shop, &asha, "a").await;
    let request = json!({"orderId": order, "name": "Himal Traders", "pan": "६०१२३४५६७"});

    assert_eq!(bina.post(BUYER, &request).await.refusal(), refusal(404, "bill_not_found"));
    let wrong = asha.post(BUYER, &json!({"orderId": order, "pan": "12"})).await;
    assert_eq!(wrong.refusal(), refusal(422, "pan_invalid"));
    let saved = asha.post(BUYER, &request).await;
    assert_eq!(saved.status, 200, "{}", saved.text);
    assert_eq!(saved.json()["data"]["buyerPan"], "601234567");
    set(&shop, &sita, &order, "Delivered").await;

    let buyer: (String, String, String) =
        sqlx::query_as("SELECT kind, buyer_name, buyer_pan FROM bills").fetch_one(&shop.db).await.unwrap();
    assert_eq!(
        buyer,
        ("tax_invoice".into(), "Himal Traders".into(), "601234567".into()),
        "a PAN asks for the full one"
    );
    assert_eq!(asha.post(BUYER, &request).await.refusal(), refusal(409, "bill_issued"));
}

#[sqlx::test]
async fn a_cancelled_order_has_a_credit_note_and_sold_again_another_bill(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = buy(&shop, &asha, "a").await;
    set(&shop, &sita, &order, "Delivered").await;

    set(&shop, &sita, &order, "Cancelled").await;
    shop.run_all_jobs().await;
    assert_eq!(kinds(&documents(&asha, BILLS, &order).await), ["order_receipt", "credit_note"]);
    assert_eq!(amounts(&shop, "credit_notes").await, amounts(&shop, "bills").await);
    set(&shop, &sita, &order, "Delivered").await;

    let all = documents(&asha, BILLS, &order).await;
    assert_eq!(kinds(&all), ["order_receipt", "credit_note", "order_receipt"]);
    assert_eq!(all[1]["corrects"], all[0]["number"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_credit_note_takes_back_lines_and_never_more_than_was_billed(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = buy(&shop, &asha, "a").await;
    set(&shop, &sita, &order, "Delivered").await;
    let bill = documents(&sita, SELLER_BILLS, &order).await[0].clone();
    assert_eq!(bill["lines"][1]["exempt"], true);
    let credit = |position: i32, quantity: i32, reason: &str| json!({"billId": bill["_id"], "lines": [{"position": position, "quantity": quantity}], "reason": reason});

    for (request, code) in [
        (credit(1, 3, "torn"), "credit_invalid"),
        // Less than the bill, but more units than it has.
        (credit(2, 2, "torn"), "credit_invalid"),
        (credit(1, 0, "torn"), "credit_invalid"),
        (credit(9, 1, "torn"), "credit_invalid"),
        (credit(1, 1, " "), "reason_missing"),
    ] {
        assert_eq!(sita.post(CREDIT, &request).await.refusal(), refusal(422, code));
    }
    let first = sita.post(CREDIT, &credit(1, 1, "The bag was torn")).await;
    assert_eq!(first.status, 200, "{}", first.text);
    assert_eq!(sita.post(CREDIT, &credit(1, 2, "torn")).await.refusal(), refusal(422, "credit_invalid"));
    set(&shop, &sita, &order, "Cancelled").await;

    assert_eq!(
        amounts(&shop, "credit_notes").await,
        [[0, 50_000, 6_500, 0, 0, 56_500], [2_500, 50_000, 6_500, 0, 0, 59_000]]
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_was_issued_is_never_changed_or_deleted_by_anybody(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = buy(&shop, &asha, "a").await;
    set(&shop, &sita, &order, "Delivered").await;
    set(&shop, &sita, &order, "Cancelled").await;

    for table in ["bills", "bill_lines", "credit_notes", "credit_note_lines"] {
        assert!(shop.count(table).await > 0, "{table}");
        for statement in [format!("DELETE FROM {table}"), format!("TRUNCATE {table} CASCADE")] {
            let refused = sqlx::raw_sql(AssertSqlSafe(statement.clone())).execute(&shop.db).await.unwrap_err();
            assert!(refused.to_string().contains("never changed or deleted"), "{statement}: {refused}");
        }
        let granted: Vec<String> = sqlx::query_scalar(
            "SELECT privilege_type::text FROM information_schema.role_table_grants
             WHERE grantee = 'thunse_app' AND table_name = $1 ORDER BY 1",
        )
        .bind(table)
        .fetch_all(&shop.db)
        .await
        .unwrap();
        assert_eq!(granted, ["INSERT", "SELECT"], "{table}");
    }
    let changed = sqlx::query("UPDATE bills SET total_paisa = 0").execute(&shop.db).await.unwrap_err();
    assert!(changed.to_string().contains("never changed"), "{changed}");
    for statement in [
        "UPDATE bill_counters SET last_number = last_number + 2",
        "UPDATE bill_counters SET last_number = last_number - 1",
        "INSERT INTO bill_counters VALUES ('2082/83', '09', 'bill', 7)",
    ] {
        let refused = sqlx::query(statement).execute(&shop.db).await.unwrap_err();
        assert!(refused.to_string().contains("left out"), "{statement}: {refused}");
    }
}

#[sqlx::test]
async fn every_billing_invariant_sees_what_breaks_it(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    for key in ["a", "b"] {
        let order = buy(&shop, &asha, key).await;
        set(&shop, &sita, &order, "Delivered").await;
    }
    let gone = buy(&shop, &asha, "c").await;
    set(&shop, &sita, &gone, "Delivered").await;
    set(&shop, &sita, &gone, "Cancelled").await;
    shop.assert_invariants_hold().await;
    let free = "ALTER TABLE bills DISABLE TRIGGER USER; ALTER TABLE bill_lines DISABLE TRIGGER USER; \
                ALTER TABLE credit_note_lines DISABLE TRIGGER USER; \
                ALTER TABLE credit_notes DISABLE TRIGGER USER; ALTER TABLE bill_counters DISABLE TRIGGER USER; \
                ALTER TABLE bills DROP CONSTRAINT bills_issue_unique; ALTER TABLE credit_notes DROP CONSTRAINT credit_notes_total;";
    for (invariant, breakage) in [
        ("bill numbers have no gap", "UPDATE bill_counters SET last_number = last_number + 1"),
        ("bill numbers have no gap", "UPDATE bills SET number = number + 1 WHERE number = 3"),
        ("the lines of a bill add up", "UPDATE bill_lines SET amount_paisa = amount_paisa + 1"),
        ("no more is credited than was billed", "UPDATE credit_notes SET total_paisa = total_paisa + 1"),
        ("no more units are credited than were billed", "UPDATE credit_note_lines SET quantity = quantity + 1"),
        ("an order has one bill that counts", "UPDATE bills SET order_id = (SELECT order_id FROM bills LIMIT 1)"),
    ] {
        shop.assert_violation_detected(invariant, &format!("{free} {breakage}")).await;
    }
}

/// Bills an order as its job does, which is tried again when it fails. The test cuts about a hundred connections, so a
/// thousand failures have another cause.
async fn bill_in_the_end(app: &App, order: Uuid) {
    for _ in 0..1_000 {
        if billing::update_bill(app, OrderId(order)).await.is_ok() {
            return;
        }
    }
    panic!("order {order} cannot be billed");
}

/// Cuts two connections at most of those that do something with bills and are in this state. Returns how many.
async fn cut_connections(db: &PgPool, state: &str) -> usize {
    let sql = format!(
        "SELECT pg_terminate_backend(pid) FROM (
             SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
             AND query LIKE '%bill%' AND {state} LIMIT 2) busy"
    );
    let cut: Vec<bool> = sqlx::query_scalar(AssertSqlSafe(sql)).fetch_all(db).await.unwrap_or_default();
    cut.into_iter().filter(|cut| *cut).count()
}

/// Fifty writers over two instances issue a thousand bills. Meanwhile processes die with a number in hand, and the
/// database cuts connections.
#[sqlx::test]
async fn a_thousand_bills_by_fifty_writers_have_no_gap_and_no_number_twice(db: PgPool) {
    const BILLS: usize = 1_000;
    const WRITERS: usize = 50;
    const DEATHS: usize = 40;
    const BILLS_PER_CUT: usize = 20;
    let (shop, _) = TestShop::with_category(db.clone()).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let first = buy(&shop, &asha, "a").await;
    let changed = set_status(&sita, &json!(first), "Delivered").await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    shop.sql(&format!(
        "CREATE TEMP TABLE copies AS SELECT gen_random_uuid() AS id, n FROM generate_series(1, {}) n;
         INSERT INTO orders SELECT (jsonb_populate_record(o, jsonb_build_object('id', c.id, 'code', 'TH-COPY-' || c.n, 'tracking', 'T' || c.n))).*
         FROM orders o CROSS JOIN copies c;
         INSERT INTO order_items SELECT (jsonb_populate_record(i, jsonb_build_object('order_id', c.id))).*
         FROM order_items i CROSS JOIN copies c;",
        BILLS - 1
    ))
    .await;
    let orders: Vec<Uuid> = sqlx::query_scalar("SELECT id FROM orders").fetch_all(&shop.db).await.unwrap();
    assert_eq!(orders.len(), BILLS);
    let pool =
        || sqlx::postgres::PgPoolOptions::new().max_connections(12).connect_with((*db.connect_options()).clone());
    let (one, two) = (
        TestShop::with(pool().await.unwrap(), &GENEROUS_LIMITS),
        TestShop::with(pool().await.unwrap(), &GENEROUS_LIMITS),
    );
    // No writer takes these orders before a process has died with them.
    let (deadly, others) = orders.split_at(DEATHS);
    let waiting = Arc::new(Mutex::new(others.iter().copied().collect::<VecDeque<_>>()));
    let (done, issued) = (AtomicBool::new(false), &AtomicUsize::new(0));
    // Nobody gets a number while the test holds the counters.
    let mut counters = shop.db.begin().await.unwrap();
    sqlx::query("LOCK TABLE bill_counters IN EXCLUSIVE MODE").execute(&mut *counters).await.unwrap();

    let writers = (0..WRITERS).map(|writer| {
        let (waiting, app) = (waiting.clone(), if writer % 2 == 0 { &one.app } else { &two.app });
        async move {
            while let Some(order) = { waiting.lock().await.pop_front() } {
                bill_in_the_end(app, order).await;
                issued.fetch_add(1, Ordering::Relaxed);
            }
        }
    });
    let dying = async {
        let points = [
            "billing.issue.number_taken",
            "billing.issue.bill_written",
            "billing.issue.before_commit",
            "billing.issue.committed",
        ];
        let mut deaths = 0;
        for (round, order) in deadly.iter().enumerate() {
            let point = points[round % points.len()];
            // A process whose connection is cut before it gets there is started again.
            loop {
                let process = TestShop::with(shop.db.clone(), &GENEROUS_LIMITS);
                process.app.fail_points.arm(point, 0);
                tokio::select! {
                    () = process.app.fail_points.died() => {
                        deaths += 1;
                        break;
                    }
                    updated = billing::update_bill(&process.app, OrderId(*order)) => if updated.is_ok() { break },
                }
            }
            waiting.lock().await.push_front(*order);
        }
        deaths
    };
    let cutting = async {
        let mut cuts = 0;
        while cuts == 0 && !done.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
            cuts += cut_connections(&shop.db, "wait_event_type = 'Lock'").await;
        }
        counters.rollback().await.unwrap();
        // How often connections are cut depends on the work and not on the time, so that a slow machine gets on too.
        let mut due = BILLS_PER_CUT;
        while !done.load(Ordering::Relaxed) {
            tokio::time::sleep(Duration::from_millis(5)).await;
            if issued.load(Ordering::Relaxed) >= due {
                cuts += cut_connections(&shop.db, "state <> 'idle'").await;
                due += BILLS_PER_CUT;
            }
        }
        cuts
    };
    let working = async {
        let (_, deaths) = futures_util::join!(join_all(writers), dying);
        // Orders that dead processes gave back last may be left.
        for order in &orders {
            bill_in_the_end(&one.app, *order).await;
        }
        done.store(true, Ordering::Relaxed);
        deaths
    };
    let (deaths, cuts) = futures_util::join!(working, cutting);

    let numbers: Vec<i32> =
        sqlx::query_scalar("SELECT number FROM bills ORDER BY number").fetch_all(&shop.db).await.unwrap();
    assert_eq!(numbers, (1..=1_000).collect::<Vec<i32>>(), "none missing, none twice");
    let orders_billed: i64 =
        sqlx::query_scalar("SELECT count(DISTINCT order_id) FROM bills").fetch_one(&shop.db).await.unwrap();
    assert_eq!(orders_billed, 1_000);
    assert!(deaths > 0, "processes have died");
    assert!(cuts > 0, "connections were cut");
    let broken: Vec<String> =
        sqlx::query_scalar("SELECT invariant FROM billing_violations").fetch_all(&shop.db).await.unwrap();
    assert_eq!(broken, Vec::<String>::new());
}

#[sqlx::test]
async fn numbers_begin_anew_with_the_fiscal_year_and_stop_where_it_is_not_known(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut orders = Vec::new();
    for key in ["a", "b", "c"] {
        let order = buy(&shop, &asha, key).await;
        let changed = set_status(&sita, &json!(order), "Delivered").await;
        assert_eq!(changed.status, 200, "{}", changed.text);
        orders.push(order);
    }
    let last_start: DateTime<Utc> = "2028-07-15T18:15:00Z".parse().unwrap();

    let mut numbers = Vec::new();
    for (order, minutes) in [(&orders[0], -2), (&orders[1], -1), (&orders[2], 1)] {
        shop.app.clock.advance(last_start + TimeDelta::minutes(minutes) - shop.app.clock.now());
        billing::update_bill(&shop.app, OrderId(order.parse().unwrap())).await.unwrap();
        numbers.push(documents_by_sql(&shop, order).await);
    }
    shop.app.clock.advance(TimeDelta::days(365));
    let next = copy_of_order(&shop, &orders[0]).await;
    let refused = billing::update_bill(&shop.app, OrderId(next)).await.unwrap_err();

    assert_eq!(numbers, [("2084/85".to_owned(), 1), ("2084/85".to_owned(), 2), ("2085/86".to_owned(), 1)]);
    assert!(refused.to_string().contains("fiscal year"), "{refused}");
    shop.sql("INSERT INTO fiscal_years VALUES ('2086/87', '2029-07-16')").await;
    billing::update_bill(&shop.app, OrderId(next)).await.unwrap();
    assert_eq!(documents_by_sql(&shop, &next.to_string()).await, ("2086/87".to_owned(), 1));
}

async fn documents_by_sql(shop: &TestShop, order: &str) -> (String, i32) {
    sqlx::query_as("SELECT fiscal_year, number FROM bills WHERE order_id = $1::uuid")
        .bind(order)
        .fetch_one(&shop.db)
        .await
        .unwrap()
}

async fn copy_of_order(shop: &TestShop, order: &str) -> Uuid {
    let id = Uuid::now_v7();
    shop.sql(&format!(
        "INSERT INTO orders SELECT (jsonb_populate_record(o, '{{\"id\": \"{id}\", \"code\": \"TH-COPY\", \"tracking\": \"T\"}}')).* FROM orders o WHERE id = '{order}';
         INSERT INTO order_items SELECT (jsonb_populate_record(i, '{{\"order_id\": \"{id}\"}}')).* FROM order_items i WHERE order_id = '{order}'"
    ))
    .await;
    id
}

#[sqlx::test]
async fn the_first_file_is_the_original_and_the_others_are_counted_copies(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let bina = shopper(&shop, "bina@example.com").await;
    let order = buy(&shop, &asha, "a").await;
    set(&shop, &sita, &order, "Delivered").await;
    let bill = documents(&asha, BILLS, &order).await[0]["_id"].as_str().unwrap().to_owned();
    let (own, seller) =
        (format!("/api/billing/get_bill_pdf/{bill}"), format!("/api/billing/get_seller_bill_pdf/{bill}?paper=roll"));

    assert_eq!(bina.get(&own).await.refusal(), refusal(404, "bill_not_found"));
    let original = asha.get(&own).await;
    assert_eq!(original.header("content-type"), "application/pdf");
    assert!(original.text.starts_with("%PDF-"), "{}", original.text);
    assert_eq!(original.header("cache-control"), "private, no-store");
    assert!(sita.get(&seller).await.text.starts_with("%PDF-"));
    asha.get(&own).await;

    assert_eq!(documents(&sita, SELLER_BILLS, &order).await[0]["copies"], 3);
    let prints: Vec<(i32, String)> =
        sqlx::query_as("SELECT ordinal, via FROM bill_prints ORDER BY ordinal").fetch_all(&shop.db).await.unwrap();
    assert_eq!(prints, [(1, "shopper".to_owned()), (2, "seller".to_owned()), (3, "shopper".to_owned())]);
}

#[sqlx::test]
async fn the_bill_is_attached_to_the_email_and_a_missing_one_does_not_stop_it(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    shop.sql("UPDATE users SET email_confirmed_at = now()").await;
    let order = buy(&shop, &asha, "a").await;
    set(&shop, &sita, &order, "Delivered").await;
    let sent = emails_about_delivery(&mailbox).await;
    assert_eq!(sent.len(), 1);
    let files = sent[0]["attachments"].as_array().unwrap();
    assert_eq!(files.len(), 1, "{}", sent[0]);
    assert!(files[0]["name"].as_str().unwrap().ends_with("-000001.pdf"), "{files:?}");
    assert_eq!(files[0]["type"], "application/pdf");
    assert_eq!(shop.count("bills").await, 1);

    let later = buy(&shop, &asha, "b").await;
    let changed = set_status(&sita, &json!(later), "Delivered").await;
    assert_eq!(changed.status, 200, "{}", changed.text);
    shop.sql("DELETE FROM fiscal_years WHERE name NOT IN (SELECT fiscal_year FROM bill_counters)").await;
    shop.app.clock.advance(TimeDelta::days(800));
    shop.run_jobs().await;

    let sent = emails_about_delivery(&mailbox).await;
    let attached: Vec<usize> = sent.iter().map(|email| email["attachments"].as_array().unwrap().len()).collect();
    assert_eq!(attached, [1, 0], "the fiscal year of the second is not known");
}

async fn emails_about_delivery(mailbox: &Mailbox) -> Vec<Value> {
    let mut emails = mailbox.emails("asha@example.com").await;
    emails.retain(|email| email["subject"].as_str().unwrap().contains("delivered"));
    emails
}

#[sqlx::test]
async fn the_register_finds_by_day_and_number_and_exports_for_accountant_and_tax_office(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let receipt = buy(&shop, &asha, "r").await;
    set(&shop, &sita, &receipt, "Delivered").await;
    assert_eq!(bill_settings(&sita, json!({"document": "bill"})).await.status, 200);
    let order = buy(&shop, &asha, "a").await;
    set(&shop, &sita, &order, "Delivered").await;
    set(&shop, &sita, &order, "Cancelled").await;

    let all = sita.get(REGISTER).await.json();
    let found: Vec<&str> = all["data"].as_array().unwrap().iter().map(|row| row["kind"].as_str().unwrap()).collect();
    assert_eq!(found, ["credit_note", "tax_invoice", "order_receipt"]);
    let page = sita.get(&format!("{REGISTER}?limit=1")).await.json();
    let next = sita.get(&format!("{REGISTER}?limit=1&cursor={}", page["nextCursor"].as_str().unwrap())).await.json();
    assert_eq!(next["data"][0]["kind"], "tax_invoice");
    assert_eq!(sita.get(&format!("{REGISTER}?number=2")).await.json()["data"], json!([]));
    assert_eq!(sita.get(&format!("{REGISTER}?to=2026-01-01")).await.json()["data"], json!([]));
    let long = sita.get(&format!("{REGISTER}?from=2020-01-01")).await;
    assert_eq!(long.refusal(), refusal(422, "range_invalid"));

    let csv = sita.get("/api/billing/bill_register.csv").await.text;
    let lines: Vec<&str> = csv.lines().collect();
    assert_eq!(lines.len(), 4, "{csv}");
    assert!(lines[2].contains("\"tax_invoice\"") && lines[2].contains("\"1000.00\",\"130.00\""), "{csv}");
    let cbms = sita.get("/api/billing/bill_register_cbms.json").await.json();
    assert_eq!((cbms["bills"].as_array().unwrap().len(), cbms["returns"].as_array().unwrap().len()), (1, 1));
    let bill = &cbms["bills"][0];
    assert_eq!(
        (
            &bill["total_sales"],
            &bill["taxable_sales_vat"],
            &bill["vat"],
            &bill["tax_exempted_sales"],
            &bill["seller_pan"]
        ),
        (&json!(1155), &json!(1000), &json!(130), &json!(25), &json!("301234567"))
    );
    assert_eq!(cbms["returns"][0]["ref_invoice_number"], bill["invoice_number"]);
}

#[sqlx::test]
async fn bills_stay_when_the_account_is_deleted_and_wishes_go(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order = buy(&shop, &asha, "a").await;
    let request = json!({"orderId": order, "name": "Himal Traders", "pan": "601234567"});
    assert_eq!(asha.post(BUYER, &request).await.status, 200);
    set(&shop, &sita, &order, "Delivered").await;
    let export = asha.get("/api/user/export").await.json();
    assert_eq!(export["bills"]["bills"][0]["buyerPan"], "601234567", "{export}");

    let deleted = asha.post("/api/user/delete", &json!({"password": PASSWORD})).await;

    assert_eq!(deleted.status, 200, "{}", deleted.text);
    assert_eq!((shop.count("bills").await, shop.count("bill_requests").await), (1, 0));
    shop.assert_invariants_hold().await;
}
