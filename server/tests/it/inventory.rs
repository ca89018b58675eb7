//! Goods in, waste and stock-taking: the stock ledger, what goods cost, and the morning's email.

use chrono::{Days, TimeDelta};
use futures_util::future::join_all;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::clock;
use thunse::platform::permissions::Role;
use thunse::staff;
use uuid::Uuid;

use crate::orders::{asha, order_request, set_status, sita};
use crate::support::mailbox::Mailbox;
use crate::support::seller_accounts::{PASSWORD, staff_browser};
use crate::support::{Browser, GENEROUS_LIMITS, TestShop, queue, refusal};

const RECEIVE: &str = "/api/inventory/receive_goods";
const RECEIPTS: &str = "/api/inventory/get_receipts";
const WASTE: &str = "/api/inventory/record_waste";
const BATCHES: &str = "/api/inventory/get_expiring_batches";
const START: &str = "/api/inventory/start_count";
const MARGIN: &str = "/api/order/margin_report";
const ALERTS: &str = "/api/seller/alerts/preferences";

fn new_id() -> String {
    Uuid::now_v7().to_string()
}

/// The request for one batch, with the cost of a unit in rupees.
fn goods(product: &str, quantity: i32, cost: Option<f64>) -> Value {
    json!({"_id": new_id(), "lines": [{"product": product, "quantity": quantity, "cost": cost}]})
}

fn waste(product: &str, quantity: i32, reason: &str) -> Value {
    json!({"_id": new_id(), "product": product, "quantity": quantity, "reason": reason})
}

async fn receive(seller: &Browser<'_>, request: &Value) -> Value {
    let answer = seller.post(RECEIVE, request).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["data"].clone()
}

async fn start_count(seller: &Browser<'_>) -> String {
    let id = new_id();
    assert_eq!(seller.post(START, &json!({"_id": id})).await.status, 200);
    id
}

async fn count(seller: &Browser<'_>, id: &str, product: &str, counted: i32) -> Value {
    let entry = json!({"_id": new_id(), "product": product, "counted": counted});
    let answer = seller.post(&format!("/api/inventory/record_count/{id}"), &entry).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["data"].clone()
}

async fn apply(seller: &Browser<'_>, id: &str) -> Value {
    let answer = seller.post(&format!("/api/inventory/apply_count/{id}"), &json!({})).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["data"].clone()
}

/// Asha buys units of a product that costs 250 rupees and gets the order.
async fn buy(shop: &TestShop, asha: &Browser<'_>, product: &str, quantity: i64) -> Value {
    let subtotal = 250.0 * f64::from(i32::try_from(quantity).unwrap());
    let fee = if subtotal > 1000.0 { 0.0 } else { 20.0 };
    let total = subtotal * 1.13 + fee;
    let placed = asha.place_order(Some(&new_id()), &order_request(product, quantity, total)).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    shop.app.clock.advance(TimeDelta::milliseconds(5));
    placed.json()["data"]["_id"].clone()
}

async fn audit_actions(shop: &TestShop) -> Vec<String> {
    sqlx::query_scalar("SELECT action FROM audit_log WHERE action LIKE 'inventory.%' ORDER BY id")
        .fetch_all(&shop.db)
        .await
        .unwrap()
}

#[sqlx::test]
async fn received_goods_raise_the_stock_through_the_ledger(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 4).await;
    let sita = sita(&shop).await;
    let supplier = new_id();
    let saved = sita
        .put(
            &format!("/api/inventory/save_supplier/{supplier}"),
            &json!({"name": "Kalimati Traders", "pan": "301234567"}),
        )
        .await;
    assert_eq!(saved.status, 200, "{}", saved.text);

    // Two batches of the same product, with different expiry dates and costs.
    let request = json!({"_id": new_id(), "supplier": supplier, "invoice": "A-17", "lines": [
        {"product": rice, "quantity": 10, "cost": 180, "expiresOn": "2027-01-31"},
        {"product": rice, "quantity": 5, "cost": 190.5, "expiresOn": "2027-03-31"}]});
    let receipt = receive(&sita, &request).await;

    assert_eq!(shop.stock(&rice).await, 19);
    assert_eq!(
        (&receipt["supplier"], &receipt["invoice"], &receipt["receivedBy"]),
        (&json!("Kalimati Traders"), &json!("A-17"), &json!("Sita"))
    );
    assert_eq!(receipt["lines"][1]["cost"], 190.5);
    assert_eq!(receipt["lines"][0]["product"]["name"], "Rice");
    let ledger: Vec<(i32, String)> =
        sqlx::query_as("SELECT delta, reason FROM stock_movements ORDER BY id").fetch_all(&shop.db).await.unwrap();
    let received = |units: i32| (units, "received".to_owned());
    assert_eq!(ledger[1..], [received(10), received(5)]);
    let before: Vec<i32> = sqlx::query_scalar("SELECT stock_before FROM goods_receipt_lines ORDER BY movement_id")
        .fetch_all(&shop.db)
        .await
        .unwrap();
    assert_eq!(before, [4, 14]);
    assert_eq!(audit_actions(&shop).await, ["inventory.supplier", "inventory.receive", "inventory.receive"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_repeated_receipt_is_recorded_once_also_at_the_same_moment(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let sita = sita(&shop).await;
    let request = goods(&rice, 7, Some(180.0));

    let answers = join_all((0..5).map(|_| sita.post(RECEIVE, &request))).await;

    assert!(
        answers.iter().all(|answer| answer.status == 200),
        "{:?}",
        answers.iter().map(|one| &one.text).collect::<Vec<_>>()
    );
    let ids: Vec<Value> = answers.iter().map(|answer| answer.json()["data"]["lines"][0]["_id"].clone()).collect();
    assert!(ids.iter().all(|id| *id == ids[0]));
    assert_eq!((shop.stock(&rice).await, shop.count("goods_receipts").await), (7, 1));
    // The same id with other goods is not the same request.
    let mut other = request.clone();
    other["lines"][0]["quantity"] = json!(8);
    assert_eq!(sita.post(RECEIVE, &other).await.refusal(), refusal(409, "id_reused"));
    assert_eq!(audit_actions(&shop).await, ["inventory.receive"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_receipt_with_a_mistake_changes_nothing(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 1).await;
    let sita = sita(&shop).await;
    let line = |line: Value| json!({"_id": new_id(), "lines": [{"product": rice, "quantity": 3}, line]});

    let refused = [
        (json!({"_id": new_id(), "lines": []}), refusal(422, "field_invalid")),
        (line(json!({"product": rice, "quantity": 0})), refusal(422, "field_invalid")),
        (line(json!({"product": rice, "quantity": 100_001})), refusal(422, "field_invalid")),
        (line(json!({"product": new_id(), "quantity": 1})), refusal(404, "product_not_found")),
        (line(json!({"product": rice, "quantity": 1, "cost": 1_000_001})), refusal(422, "field_invalid")),
        (line(json!({"product": rice, "quantity": 1, "cost": -1})), refusal(400, "body_malformed")),
        (line(json!({"product": rice, "quantity": 1, "expiresOn": "1026-01-01"})), refusal(422, "field_invalid")),
    ];
    for (request, expected) in refused {
        let answer = sita.post(RECEIVE, &request).await;
        assert_eq!(answer.refusal(), expected, "{request}: {}", answer.text);
    }
    let mut unknown = goods(&rice, 1, None);
    unknown["supplier"] = json!(new_id());
    assert_eq!(sita.post(RECEIVE, &unknown).await.refusal(), refusal(404, "supplier_not_found"));

    assert_eq!((shop.stock(&rice).await, shop.count("goods_receipts").await), (1, 0));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_packer_receives_without_seeing_costs_and_the_owner_enters_them_later(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let sita = sita(&shop).await;
    let hari = staff_browser(&shop, "Hari", Role::Packer).await;

    assert_eq!(hari.post(RECEIVE, &goods(&rice, 5, Some(180.0))).await.refusal(), refusal(403, "not_allowed"));
    let receipt = receive(&hari, &goods(&rice, 5, None)).await;
    let path = format!("/api/inventory/set_receipt_costs/{}", receipt["_id"].as_str().unwrap());
    let costs = json!({"costs": [{"line": receipt["lines"][0]["_id"], "cost": 180}]});
    assert_eq!(hari.put(&path, &costs).await.refusal(), refusal(403, "not_allowed"));
    let saved = sita.put(&path, &costs).await;

    assert_eq!(saved.json()["data"]["lines"][0]["cost"], 180, "{}", saved.text);
    let seen = |answer: Value| answer["data"]["receipts"][0]["lines"][0]["cost"].clone();
    assert_eq!(seen(sita.get(RECEIPTS).await.json()), 180);
    assert_eq!(seen(hari.get(RECEIPTS).await.json()), Value::Null);
    // The same cost again is no change.
    assert_eq!(sita.put(&path, &costs).await.status, 200);
    assert_eq!(audit_actions(&shop).await, ["inventory.receive", "inventory.cost"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_list_of_receipts_goes_on_where_the_page_ended(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let sita = sita(&shop).await;
    for units in 1..=22 {
        receive(&sita, &goods(&rice, units, None)).await;
        shop.app.clock.advance(TimeDelta::seconds(1));
    }

    let first = sita.get(RECEIPTS).await.json()["data"].clone();
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = sita.get(&format!("{RECEIPTS}?cursor={cursor}")).await.json()["data"].clone();

    let units = |page: &Value| -> Vec<i64> {
        page["receipts"].as_array().unwrap().iter().map(|one| one["lines"][0]["quantity"].as_i64().unwrap()).collect()
    };
    assert_eq!(units(&first), (3..=22).rev().collect::<Vec<_>>());
    assert_eq!((units(&second), &second["nextCursor"]), (vec![2, 1], &Value::Null));
    assert_eq!(sita.get(&format!("{RECEIPTS}?cursor=x")).await.refusal(), refusal(422, "cursor_invalid"));
}

#[sqlx::test]
async fn waste_lowers_the_stock_once_and_never_below_nothing(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let curd = shop.add_product(category, "Curd", 100, 5).await;
    let hari = staff_browser(&shop, "Hari", Role::Packer).await;

    let request = waste(&curd, 2, "spoiled");
    let answers = join_all((0..4).map(|_| hari.post(WASTE, &request))).await;
    assert!(answers.iter().all(|answer| answer.status == 200), "{}", answers[0].text);
    assert_eq!(answers[0].json()["data"]["recordedBy"], "Hari");
    assert_eq!(shop.stock(&curd).await, 3);

    let too_much = hari.post(WASTE, &waste(&curd, 4, "damaged")).await;
    assert_eq!(too_much.refusal(), refusal(409, "not_enough_stock"));
    assert_eq!(too_much.json()["data"]["left"], 3);
    let mut other = request.clone();
    other["quantity"] = json!(1);
    assert_eq!(hari.post(WASTE, &other).await.refusal(), refusal(409, "id_reused"));
    assert_eq!(hari.post(WASTE, &waste(&curd, 1, "eaten")).await.refusal(), refusal(422, "field_invalid"));
    // 'Other' has to say what it was.
    assert_eq!(hari.post(WASTE, &waste(&curd, 1, "other")).await.refusal(), refusal(422, "field_invalid"));

    assert_eq!((shop.stock(&curd).await, shop.count("waste_records").await), (3, 1));
    let listed = hari.get("/api/inventory/get_waste").await.json()["data"]["records"].clone();
    assert_eq!((&listed[0]["reason"], &listed[0]["quantity"]), (&json!("spoiled"), &json!(2)));
    assert_eq!(audit_actions(&shop).await, ["inventory.waste"]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn batches_that_expire_are_listed_until_they_are_sold_or_written_off(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    shop.start_at_noon();
    let curd = shop.add_product(category, "Curd", 250, 0).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;
    let today = clock::nepal_date(shop.app.clock.now());
    let batch = |quantity: i32, days: u64| json!({"_id": new_id(), "lines": [{"product": curd, "quantity": quantity, "expiresOn": today + Days::new(days)}]});
    receive(&sita, &batch(6, 0)).await;
    receive(&sita, &batch(4, 3)).await;
    receive(&sita, &batch(5, 40)).await;

    let listed = async |path: &str| -> Vec<(i64, i64)> {
        let batches = sita.get(path).await.json()["data"]["batches"].as_array().unwrap().clone();
        batches.iter().map(|one| (one["daysLeft"].as_i64().unwrap(), one["left"].as_i64().unwrap())).collect()
    };
    assert_eq!(listed(BATCHES).await, [(0, 6), (3, 4)]);
    assert_eq!(listed(&format!("{BATCHES}?days=60")).await, [(0, 6), (3, 4), (40, 5)]);

    // What expires first is sold first.
    buy(&shop, &asha, &curd, 2).await;
    assert_eq!(listed(BATCHES).await, [(0, 4), (3, 4)]);
    let first = sita.get(BATCHES).await.json()["data"]["batches"][0]["_id"].clone();
    let write_off = |quantity: i32| json!({"_id": new_id(), "product": curd, "quantity": quantity, "reason": "expired", "batch": first});
    assert_eq!(sita.post(WASTE, &write_off(7)).await.refusal(), refusal(409, "not_enough_stock"));
    let done = sita.post(WASTE, &write_off(4)).await;
    assert_eq!(done.status, 200, "{}", done.text);
    assert_eq!(listed(BATCHES).await, [(3, 4)]);

    // Four days later the next one has expired.
    shop.app.clock.advance(TimeDelta::days(4));
    let sita = crate::support::seller_accounts::log_in_as(&shop, "sita@example.com").await;
    let later = sita.get(BATCHES).await.json()["data"]["batches"].clone();
    assert_eq!((&later[0]["daysLeft"], &later[0]["left"]), (&json!(-1), &json!(4)));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn sales_while_counting_do_not_change_the_difference(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;
    let id = start_count(&sita).await;

    // Eight are there; then three are sold before the count is applied.
    let line = count(&sita, &id, &rice, 8).await;
    assert_eq!((&line["expected"], &line["difference"], &line["applied"]), (&json!(10), &json!(-2), &Value::Null));
    buy(&shop, &asha, &rice, 3).await;
    let applied = apply(&sita, &id).await;

    assert_eq!(shop.stock(&rice).await, 5);
    assert_eq!((&applied["lines"][0]["difference"], &applied["lines"][0]["applied"]), (&json!(-2), &json!(-2)));
    assert_eq!((&applied["count"]["state"], &applied["count"]["counted"]), (&json!("applied"), &json!(1)));
    // A second call changes nothing.
    apply(&sita, &id).await;
    assert_eq!(shop.stock(&rice).await, 5);
    assert_eq!(
        audit_actions(&shop).await,
        ["inventory.count_start", "inventory.count_difference", "inventory.count_apply"]
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_lies_ready_for_orders_counts_as_there_until_it_leaves(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;
    let order = buy(&shop, &asha, &rice, 4).await;
    let id = start_count(&sita).await;

    // The four units of the order are still in the shop.
    let line = count(&sita, &id, &rice, 10).await;
    assert_eq!((&line["expected"], &line["reserved"], &line["difference"]), (&json!(10), &json!(4), &json!(0)));
    for status in ["Order Confirmed", "Order Shipped"] {
        assert_eq!(set_status(&sita, &order, status).await.status, 200);
    }
    let line = count(&sita, &id, &rice, 6).await;
    assert_eq!((&line["expected"], &line["reserved"], &line["difference"]), (&json!(6), &json!(0), &json!(0)));

    apply(&sita, &id).await;
    assert_eq!((shop.stock(&rice).await, shop.count("stock_count_adjustments").await), (6, 1));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_repeated_entry_keeps_the_moment_at_which_it_was_counted(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;
    let id = start_count(&sita).await;
    let path = format!("/api/inventory/record_count/{id}");
    let entry = json!({"_id": new_id(), "product": rice, "counted": 10});
    assert_eq!(sita.post(&path, &entry).await.json()["data"]["difference"], 0);
    let order = buy(&shop, &asha, &rice, 3).await;
    for status in ["Order Confirmed", "Order Shipped"] {
        set_status(&sita, &order, status).await;
    }

    // The phone got no response and repeats the request after the goods have left.
    assert_eq!(sita.post(&path, &entry).await.json()["data"]["difference"], 0);
    // Someone counts again, and the first request arrives once more.
    assert_eq!(count(&sita, &id, &rice, 6).await["difference"], -1);
    assert_eq!(sita.post(&path, &entry).await.json()["data"]["counted"], 6);
    let mut other = entry.clone();
    other["counted"] = json!(9);
    assert_eq!(sita.post(&path, &other).await.refusal(), refusal(409, "id_reused"));

    apply(&sita, &id).await;
    assert_eq!(shop.stock(&rice).await, 6);
    assert_eq!(
        sita.post(&path, &json!({"_id": new_id(), "product": rice, "counted": 1})).await.refusal(),
        refusal(409, "count_finished")
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_count_takes_no_more_than_is_left_and_says_so(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;
    let id = start_count(&sita).await;
    count(&sita, &id, &rice, 3).await;
    // Eight are sold although only three are there.
    buy(&shop, &asha, &rice, 8).await;

    let applied = apply(&sita, &id).await;

    assert_eq!((&applied["lines"][0]["difference"], &applied["lines"][0]["applied"]), (&json!(-7), &json!(-2)));
    assert_eq!(shop.stock(&rice).await, 0);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_discarded_count_changes_nothing(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let sita = sita(&shop).await;
    let id = start_count(&sita).await;
    assert_eq!(
        sita.post(&format!("/api/inventory/apply_count/{id}"), &json!({})).await.refusal(),
        refusal(409, "count_empty")
    );
    count(&sita, &id, &rice, 1).await;

    let discarded = sita.post(&format!("/api/inventory/discard_count/{id}"), &json!({})).await;

    assert_eq!(discarded.json()["data"]["count"]["state"], "discarded", "{}", discarded.text);
    assert_eq!(
        sita.post(&format!("/api/inventory/apply_count/{id}"), &json!({})).await.refusal(),
        refusal(409, "count_finished")
    );
    assert_eq!(shop.stock(&rice).await, 10);
    let listed = sita.get("/api/inventory/get_counts").await.json()["data"]["counts"].clone();
    assert_eq!((&listed[0]["state"], &listed[0]["startedBy"]), (&json!("discarded"), &json!("Sita")));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_margin_counts_only_sales_whose_cost_is_known(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;

    // Sold before any cost was known.
    buy(&shop, &asha, &rice, 1).await;
    let unknown = sita.get(MARGIN).await.json()["data"]["total"].clone();
    assert_eq!(
        (&unknown["revenue"], &unknown["margin"], &unknown["revenueWithoutCost"]),
        (&json!(250), &Value::Null, &json!(250))
    );

    // The nine in stock count with the first cost, 180. Then sixteen at 180 and sixteen at 200 cost 190 each.
    receive(&sita, &goods(&rice, 9, Some(180.0))).await;
    shop.app.clock.advance(TimeDelta::seconds(1));
    buy(&shop, &asha, &rice, 2).await;
    receive(&sita, &goods(&rice, 16, Some(200.0))).await;
    shop.app.clock.advance(TimeDelta::seconds(1));
    buy(&shop, &asha, &rice, 1).await;
    let cancelled = buy(&shop, &asha, &rice, 1).await;
    set_status(&sita, &cancelled, "Cancelled").await;

    let report = sita.get(MARGIN).await.json()["data"].clone();
    let total = &report["total"];
    assert_eq!((&total["quantity"], &total["revenue"], &total["cost"]), (&json!(4), &json!(1000), &json!(550)));
    assert_eq!((&total["margin"], &total["quantityWithoutCost"]), (&json!(200), &json!(1)));
    // 200 of 750 is 26.66 %.
    assert_eq!(total["marginPercent"], 26.66);
    assert_eq!(report["days"].as_array().unwrap().len(), 7);
    assert_eq!(report["days"][6]["margin"], 200);
    assert_eq!((&report["products"][0]["name"], &report["products"][0]["margin"]), (&json!("Rice"), &json!(200)));
    let file = sita.get(&format!("{MARGIN}.csv")).await;
    assert!(file.text.contains("\"Rice\",\"4\",\"1000.00\",\"550.00\",\"200.00\",\"1\",\"250.00\""), "{}", file.text);
    assert_eq!(
        sita.get(&format!("{MARGIN}?from=2026-01-01&to=2026-02-01")).await.refusal(),
        refusal(422, "days_invalid")
    );
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_cost_that_is_entered_later_counts_since_the_goods_came_in(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let sita = sita(&shop).await;
    let asha = asha(&shop).await;
    let first = receive(&sita, &goods(&rice, 10, None)).await;
    shop.app.clock.advance(TimeDelta::seconds(1));
    buy(&shop, &asha, &rice, 2).await;
    receive(&sita, &goods(&rice, 8, Some(200.0))).await;
    shop.app.clock.advance(TimeDelta::seconds(1));
    buy(&shop, &asha, &rice, 1).await;
    let margin = async || {
        let total = sita.get(MARGIN).await.json()["data"]["total"].clone();
        (total["margin"].as_f64().unwrap(), total["quantityWithoutCost"].as_i64().unwrap())
    };
    assert_eq!(margin().await, (50.0, 2));

    // Eight at 100 and eight at 200 cost 150 each.
    let path = format!("/api/inventory/set_receipt_costs/{}", first["_id"].as_str().unwrap());
    let costs = json!({"costs": [{"line": first["lines"][0]["_id"], "cost": 100}]});
    assert_eq!(sita.put(&path, &costs).await.status, 200);

    assert_eq!(margin().await, (400.0, 0));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn every_invariant_of_goods_sees_what_breaks_it(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let sita = sita(&shop).await;
    let today = clock::nepal_date(shop.app.clock.now());
    let batch = json!({"_id": new_id(), "lines": [{"product": rice, "quantity": 5, "cost": 100, "expiresOn": today}]});
    let receipt = receive(&sita, &batch).await;
    receive(&sita, &goods(&rice, 5, Some(120.0))).await;
    let mut written_off = waste(&rice, 2, "expired");
    written_off["batch"] = receipt["lines"][0]["_id"].clone();
    assert_eq!(sita.post(WASTE, &written_off).await.status, 200);
    let id = start_count(&sita).await;
    count(&sita, &id, &rice, 17).await;
    apply(&sita, &id).await;
    shop.assert_invariants_hold().await;

    let views: String =
        sqlx::query_scalar("SELECT pg_get_viewdef('inventory_violations')").fetch_one(&shop.db).await.unwrap();
    let breakages = [
        ("a receipt line agrees with the stock ledger", "UPDATE goods_receipt_lines SET quantity = quantity + 1"),
        ("waste agrees with the stock ledger", "UPDATE waste_records SET quantity = 1"),
        (
            "a counted difference agrees with the stock ledger",
            "UPDATE stock_count_adjustments SET difference = -2, applied = -2",
        ),
        (
            "a movement of goods has its document",
            "INSERT INTO stock_movements (product_id, delta, reason) SELECT id, 1, 'received' FROM products",
        ),
        ("an applied count has the differences that were counted", "UPDATE stock_count_entries SET counted = 18"),
        ("only an applied count changes stock", "UPDATE stock_counts SET state = 'discarded'"),
        ("no batch is written off twice", "UPDATE waste_records SET quantity = 6"),
        ("the average cost follows from the receipts", "UPDATE product_costs SET value_paisa = value_paisa + 1"),
        ("an average cost belongs to a known cost", "UPDATE goods_receipt_lines SET cost_paisa = NULL"),
    ];
    assert_eq!(views.matches("UNION ALL").count() + 1, breakages.len(), "a new invariant wants its line here");
    for (invariant, statement) in breakages {
        shop.assert_violation_detected(invariant, statement).await;
    }
    shop.assert_invariants_hold().await;
}

async fn run_low_stock_job(shop: &TestShop) {
    queue::add_job(&shop.db, "inventory.low_stock_email", &json!({})).await;
    for _ in 0..3 {
        shop.run_jobs().await;
    }
}

async fn low_stock_emails(mailbox: &Mailbox, to: &str) -> Vec<Value> {
    let emails = mailbox.emails(to).await;
    emails.into_iter().filter(|email| email["subject"].as_str().unwrap().starts_with("Low stock")).collect()
}

#[sqlx::test]
async fn the_morning_email_names_what_is_low_once_a_day(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let category = shop.add_category("Staples").await;
    let sita = sita(&shop).await;
    for (name, role) in [("ram", Role::Manager), ("hari", Role::Packer)] {
        staff::create(&shop.app, &format!("{name}@example.com"), name, role, Some(PASSWORD.to_owned())).await.unwrap();
    }

    // Nothing is low, so nothing is sent.
    let rice = shop.add_product(category, "Rice", 250, 100).await;
    run_low_stock_job(&shop).await;
    assert_eq!(low_stock_emails(&mailbox, "sita@example.com").await.len(), 0);

    assert_eq!(sita.post(WASTE, &waste(&rice, 98, "damaged")).await.status, 200);
    shop.add_product(category, "Salt", 30, 0).await;
    run_low_stock_job(&shop).await;
    // A second worker starts it too.
    run_low_stock_job(&shop).await;

    let emails = low_stock_emails(&mailbox, "sita@example.com").await;
    assert_eq!(emails.len(), 1, "{emails:?}");
    let text = emails[0]["text"].as_str().unwrap();
    assert!(text.contains("Rice: 2 left") && text.contains("Salt: sold out"), "{text}");
    assert!(text.contains("/unsubscribe#token="), "{text}");
    // Managers get it too; packers do not buy the goods.
    assert_eq!(low_stock_emails(&mailbox, "ram@example.com").await.len(), 1);
    assert_eq!(low_stock_emails(&mailbox, "hari@example.com").await.len(), 0);

    // Whoever turns it off gets no more; the choice of other alerts stays.
    let wanted = json!({"push": true, "email": true, "sms": false, "phone": "", "lowStockEmail": false});
    assert_eq!(sita.put(ALERTS, &wanted).await.json()["data"]["lowStockEmail"], false);
    shop.app.clock.advance(TimeDelta::days(1));
    run_low_stock_job(&shop).await;
    assert_eq!(low_stock_emails(&mailbox, "sita@example.com").await.len(), 1);
    assert_eq!(low_stock_emails(&mailbox, "ram@example.com").await.len(), 2);
}

#[sqlx::test]
async fn the_choice_of_the_morning_email_is_left_alone_by_older_pages(db: PgPool) {
    let (shop, _) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let sita = sita(&shop).await;
    let channels = json!({"push": false, "email": false, "sms": false, "phone": ""});

    assert_eq!(sita.put(ALERTS, &channels).await.json()["data"]["lowStockEmail"], true);

    let settings = sita.get(ALERTS).await.json()["data"]["channels"].clone();
    assert_eq!((&settings["email"], &settings["lowStockEmail"]), (&json!(false), &json!(true)));
}

#[sqlx::test]
async fn a_supplier_has_one_name_and_can_be_archived(db: PgPool) {
    let (shop, _) = TestShop::with_category_and(db, &GENEROUS_LIMITS).await;
    let sita = sita(&shop).await;
    let save =
        async |id: &str, supplier: Value| sita.put(&format!("/api/inventory/save_supplier/{id}"), &supplier).await;
    let (first, second) = (new_id(), new_id());

    assert_eq!(
        save(&first, json!({"name": "Kalimati  Traders ", "phone": "01-4271234"})).await.json()["data"]["name"],
        "Kalimati Traders"
    );
    assert_eq!(save(&second, json!({"name": "kalimati traders"})).await.refusal(), refusal(409, "supplier_name_taken"));
    for wrong in [json!({"name": " "}), json!({"name": "A", "pan": "12"}), json!({"name": "A", "phone": "x"})] {
        assert_eq!(save(&second, wrong.clone()).await.refusal(), refusal(422, "field_invalid"), "{wrong}");
    }
    assert_eq!(save(&first, json!({"name": "Kalimati Traders", "isArchived": true})).await.status, 200);
    assert_eq!(save(&second, json!({"name": "Kalimati Traders"})).await.status, 200);

    let listed = sita.get("/api/inventory/get_suppliers").await.json()["data"].clone();
    assert_eq!((&listed[0]["isArchived"], &listed[1]["isArchived"]), (&json!(false), &json!(true)));
}
