//! The seller dashboard without products: bulk updates of orders, the delivery sheet, the overview, settings,
//! subscribers and the audit log.

use chrono::{DateTime, TimeDelta, Timelike, Utc};
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::clock::{nepal_date, to_nepal_time};

use crate::orders::{asha, order_request, set_status, shopper, sita, with_field};
use crate::support::{Browser, TestShop};

const SETTINGS: &str = "/api/shop/get_settings";
const SAVE: &str = "/api/shop/update_settings";

async fn get_data(seller: &Browser<'_>, path: &str) -> Value {
    let answer = seller.get(path).await;
    assert_eq!(answer.status, 200, "{path}: {}", answer.text);
    answer.json()["data"].clone()
}

/// Places three orders of rice, by three shoppers at three addresses.
async fn three_orders(shop: &TestShop, category: uuid::Uuid) -> Vec<Value> {
    let rice = shop.add_product(category, "Rice", 100, 50).await;
    let mut orders = Vec::new();
    for (number, who) in ["asha", "bina", "chandra"].into_iter().enumerate() {
        let buyer = shopper(shop, &format!("{who}@example.com")).await;
        let quantity = i32::try_from(number).unwrap() + 1;
        let total = f64::from(quantity) * 113.0 + 20.0;
        let placed = buyer.place_order(Some("k"), &order_request(&rice, i64::from(quantity), total)).await;
        assert_eq!(placed.status, 200, "{}", placed.text);
        orders.push(placed.json()["data"].clone());
    }
    orders
}

#[sqlx::test]
async fn chips_count_and_filter_orders_by_status(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let orders = three_orders(&shop, category).await;
    set_status(&sita, &orders[0]["_id"], "Delivered").await;

    let counts = get_data(&sita, "/api/order/get_order_counts").await;

    assert_eq!(counts["all"], json!({"count": 3, "capped": false}));
    let shown: Vec<(String, i64)> = counts["counts"]
        .as_array()
        .unwrap()
        .iter()
        .map(|one| (one["status"].as_str().unwrap().to_owned(), one["count"].as_i64().unwrap()))
        .collect();
    assert_eq!(shown[0], ("Order Placed".to_owned(), 2));
    assert_eq!(shown[4], ("Delivered".to_owned(), 1));
    assert_eq!(shown.len(), 6);
    let list =
        async |query: &str| get_data(&sita, &format!("/api/order/get_orders?{query}")).await.as_array().unwrap().len();
    assert_eq!(list("status=Order%20Placed").await, 2);
    assert_eq!(list("status=Delivered").await, 1);
    assert_eq!(list("status=Cancelled").await, 0);
    let code = orders[1]["orderId"].as_str().unwrap();
    assert_eq!(list(&format!("status=Order%20Placed&search={code}")).await, 1);
    assert_eq!(list(&format!("status=Delivered&search={code}")).await, 0);
    assert_eq!(list("status=Delivered&search=deliv").await, 1);
    assert_eq!(list("status=Order%20Placed&search=deliv").await, 0);
    assert_eq!(list("status=Order%20Placed&limit=1").await, 1);
    let wrong = sita.get("/api/order/get_orders?status=Lost").await;
    assert_eq!(wrong.refusal(), (422, "status_invalid".to_owned()));
}

#[sqlx::test]
async fn many_orders_get_one_status_each_by_itself(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let orders = three_orders(&shop, category).await;
    let path = "/api/order/update_order_statuses";
    let ids = json!([orders[0]["_id"], "0190a0a0-0000-7000-8000-000000000000", orders[2]["_id"], "nonsense"]);

    let answer = sita.put(path, &json!({"orderIds": ids, "status": "Order Confirmed"})).await;

    assert_eq!(answer.status, 200, "{}", answer.text);
    let results = answer.json()["data"]["results"].clone();
    let ok: Vec<bool> = results.as_array().unwrap().iter().map(|one| one["ok"].as_bool().unwrap()).collect();
    assert_eq!(ok, [true, false, true, false]);
    assert_eq!(results[1]["message"], "Order not found");
    assert_eq!(get_data(&sita, "/api/order/get_orders?status=Order%20Confirmed").await.as_array().unwrap().len(), 2);
    // Repeating the update, with one order listed twice, changes nothing.
    let again = json!([orders[0]["_id"], orders[0]["_id"]]);
    let answer = sita.put(path, &json!({"orderIds": again, "status": "Order Confirmed"})).await;
    assert_eq!(answer.json()["data"]["results"].as_array().unwrap().len(), 1);
    assert_eq!(shop.count("order_events").await, 5);
    let none = sita.put(path, &json!({"orderIds": [], "status": "Order Confirmed"})).await;
    assert_eq!(none.refusal(), (422, "too_many_orders".to_owned()));
    let odd = sita.put(path, &json!({"orderIds": ids, "status": "Lost"})).await;
    assert_eq!(odd.refusal(), (422, "status_invalid".to_owned()));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_riders_sheet_goes_by_municipality_and_ward(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.start_at_noon();
    let sita = sita(&shop).await;
    let orders = three_orders(&shop, category).await;
    for (order, place) in orders.iter().zip(["('Lalitpur', '10')", "('Lalitpur', '2')", "('Bhaktapur', '3')"]) {
        shop.sql(&format!(
            "UPDATE orders SET (municipality, ward) = {place}, landmark = 'Blue gate',
                 delivery_date = '{}' WHERE id = '{}'",
            nepal_date(shop.app.clock.now()),
            order["_id"].as_str().unwrap()
        ))
        .await;
        set_status(&sita, &order["_id"], "Out for Delivery").await;
    }
    let sheet = get_data(&sita, "/api/order/get_delivery_sheet").await;
    let stops: Vec<(String, String, f64)> = sheet["stops"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stop| {
            let text = |name: &str| stop[name].as_str().unwrap().to_owned();
            (text("municipality"), text("ward"), stop["cash"].as_f64().unwrap())
        })
        .collect();
    let expected = [("Bhaktapur", "3", 359.0), ("Lalitpur", "2", 246.0), ("Lalitpur", "10", 133.0)];
    assert_eq!(stops, expected.map(|(town, ward, cash)| (town.to_owned(), ward.to_owned(), cash)));
    assert_eq!((&sheet["orders"], &sheet["cash"], &sheet["capped"]), (&json!(3), &json!(738), &json!(false)));
    let first = &sheet["stops"][0]["orders"][0];
    assert_eq!(
        (&first["items"], &first["landmark"], &first["cashToCollect"]),
        (&json!(3), &json!("Blue gate"), &json!(359))
    );
    let listed = get_data(&sita, "/api/order/get_orders?limit=1").await[0].clone();
    assert_eq!((&listed["userId"]["ward"], &listed["cashToCollect"]), (&json!("3"), &json!(359)));

    // Delivered orders leave the sheet. Late orders stay on it unless they are excluded.
    set_status(&sita, &orders[0]["_id"], "Delivered").await;
    assert_eq!(get_data(&sita, "/api/order/get_delivery_sheet").await["orders"], 2);
    shop.sql("UPDATE orders SET delivery_date = delivery_date - 3").await;
    assert_eq!(get_data(&sita, "/api/order/get_delivery_sheet").await["orders"], 2);
    assert_eq!(get_data(&sita, "/api/order/get_delivery_sheet?late=false").await["orders"], 0);
    assert_eq!(get_data(&sita, "/api/order/get_delivery_sheet?status=Order%20Placed").await["orders"], 0);
    let odd = sita.get("/api/order/get_delivery_sheet?status=Delivered").await;
    assert_eq!(odd.refusal(), (422, "status_invalid".to_owned()));
}

fn sum_hours(overview: &Value, field: &str) -> i64 {
    overview["hours"].as_array().unwrap().iter().map(|hour| hour[field].as_i64().unwrap()).sum()
}

#[sqlx::test]
async fn the_hours_of_today_are_compared_with_the_same_day_a_week_ago(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.start_at_noon();
    let orders = three_orders(&shop, category).await;
    let placed_at: DateTime<Utc> = orders[0]["date"].as_str().unwrap().parse().unwrap();
    let hour = usize::try_from(to_nepal_time(placed_at).hour()).unwrap();
    shop.app.clock.advance(TimeDelta::days(7));
    let sita = sita(&shop).await;

    let today = get_data(&sita, "/api/order/get_overview?days=1").await;

    assert_eq!((sum_hours(&today, "orders"), sum_hours(&today, "ordersLastWeek")), (0, 3));
    assert_eq!(today["hours"][hour], json!({"hour": hour, "orders": 0, "ordersLastWeek": 3}));
}

#[sqlx::test]
async fn the_overview_adds_up(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    shop.start_at_noon();
    let sita = sita(&shop).await;
    let orders = three_orders(&shop, category).await;
    set_status(&sita, &orders[0]["_id"], "Delivered").await;
    set_status(&sita, &orders[1]["_id"], "Cancelled").await;

    let today = get_data(&sita, "/api/order/get_overview?days=1").await;

    assert_eq!(
        today["figures"],
        json!({"orders": 2, "revenue": 492, "averageBasket": 246, "cashToCollect": 359, "paidOnline": 0, "cancelled": 1})
    );
    assert_eq!(today["days"].as_array().unwrap().len(), 1);
    assert_eq!(sum_hours(&today, "orders"), 2);
    assert_eq!((sum_hours(&today, "ordersLastWeek"), today["hours"].as_array().unwrap().len()), (0, 24));
    let month = get_data(&sita, "/api/order/get_overview?days=30").await;
    assert_eq!(month["days"].as_array().unwrap().len(), 30);
    assert_eq!(month["days"][29], json!({"date": month["to"], "orders": 2, "revenue": 492}));
    assert_eq!(month["figures"], today["figures"]);
    assert_eq!(month["hours"], json!([]));
    let top = get_data(&sita, "/api/order/get_top_products?days=7").await;
    assert_eq!((&top[0]["name"], &top[0]["quantity"], &top[0]["revenue"]), (&json!("Rice"), &json!(4), &json!(400)));
    for days in ["0", "2", "365"] {
        let odd = sita.get(&format!("/api/order/get_overview?days={days}")).await;
        assert_eq!(odd.refusal(), (422, "days_invalid".to_owned()));
    }
}

#[sqlx::test]
async fn the_seller_says_what_the_shop_says_of_itself(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let mut settings = get_data(&sita, SETTINGS).await;
    assert_eq!((&settings["brand"], &settings["banners"]), (&json!("Thunse"), &json!([])));
    settings["brand"] = json!("Kirana");
    settings["panNumber"] = json!("301234567");
    settings["banners"] =
        json!([{"title": "Dashain", "titleNe": "दसैँ", "text": "10 % off", "textNe": "", "href": "/offers"}]);

    let saved = sita.put(SAVE, &settings).await;

    assert_eq!((saved.status.as_u16(), &saved.json()["message"]), (200, &json!("Settings saved.")));
    let page = shop.get("/about").await.text;
    assert!(
        page.contains("Kirana") && page.contains("301234567") && page.contains("Dashain"),
        "every page carries them"
    );
    let late = sita.put(SAVE, &settings).await;
    assert_eq!(late.refusal(), (409, "settings_changed".to_owned()));
    assert_eq!(late.json()["data"]["brand"], "Kirana");

    let fresh = get_data(&sita, SETTINGS).await;
    for (field, value) in [
        ("brand", json!("")),
        ("email", json!("nobody")),
        ("phone", json!("call me")),
        ("social", json!([{"name": "Evil", "url": "javascript:alert(1)"}])),
        ("banners", json!([{"title": "x", "titleNe": "", "text": "", "textNe": "", "href": "//evil.example"}])),
        ("tagline", json!("x".repeat(301))),
    ] {
        let refused = sita.put(SAVE, &with_field(fresh.clone(), field, value)).await;
        assert_eq!(refused.refusal(), (422, "field_invalid".to_owned()), "{field}");
        assert!(refused.json()["data"]["field"].as_str().unwrap().starts_with(field));
    }
    let log = get_data(&sita, "/api/seller/get_audit?search=shop.settings").await;
    assert_eq!(log.as_array().unwrap().len(), 1);
    assert!(log[0]["before"].as_str().unwrap().contains("brand: Thunse"));
    // Emails and the wallet use the new name, too.
    assert_eq!(thunse::shop::load_or_last_known(&shop.app).await.brand, "Kirana");
}

#[sqlx::test]
async fn the_newsletters_readers_are_listed_and_exported(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    for email in ["asha@example.com", "=bina@example.com", "chandra@example.np"] {
        let added = shop.post("/api/subscriber/add_subscriber", &json!({"email": email})).await;
        assert_eq!(added.status, 200, "{email}");
    }
    let path = "/api/subscriber/get_subscribers";
    let page = sita.get(&format!("{path}?limit=2")).await.json();
    assert_eq!((&page["total"], page["data"].as_array().unwrap().len()), (&json!(3), 2));
    assert_eq!(page["data"][0]["email"], "chandra@example.np");
    let rest = sita.get(&format!("{path}?cursor={}", page["nextCursor"].as_str().unwrap())).await.json();
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["nextCursor"]), (1, &Value::Null));
    assert_eq!(get_data(&sita, &format!("{path}?search=NP")).await.as_array().unwrap().len(), 1);
    let file = sita.get("/api/subscriber/export_subscribers.csv").await;
    assert_eq!(file.text.lines().count(), 4);
    assert!(file.text.contains("\r\n\"'=bina@example.com\","), "no formula: {}", file.text);
    assert_eq!(get_data(&sita, "/api/seller/get_audit").await[0]["action"], "newsletter.export");
}

#[sqlx::test]
async fn the_log_is_searched_by_who_what_and_which(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let asha = asha(&shop).await;
    let order = asha.place_order(Some("k"), &order_request(&rice, 1, 133.0)).await.json()["data"].clone();
    set_status(&sita, &order["_id"], "Order Confirmed").await;
    sita.send_form(http::Method::PUT, "/api/product/update_product/rice", &[("price", "9")], None).await;
    sita.delete("/api/product/delete_product/rice").await;

    let search = async |text: &str| {
        let rows = get_data(&sita, &format!("/api/seller/get_audit?search={text}")).await;
        rows.as_array().unwrap().iter().map(|row| row["action"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(search("").await, ["product.delete", "product.update", "order.status"]);
    assert_eq!(search("SITA").await.len(), 3);
    assert_eq!(search("rice").await, ["product.delete", "product.update"]);
    assert_eq!(search("order.st").await, ["order.status"]);
    assert_eq!(search(order["orderId"].as_str().unwrap()).await, ["order.status"]);
    assert_eq!(search("zzz").await, Vec::<String>::new());
    let page = sita.get("/api/seller/get_audit?limit=2").await.json();
    let next = page["nextCursor"].as_str().unwrap();
    let rest = sita.get(&format!("/api/seller/get_audit?cursor={next}")).await.json();
    assert_eq!((rest["data"].as_array().unwrap().len(), &rest["nextCursor"]), (1, &Value::Null));
    let row = &rest["data"][0];
    assert_eq!(
        (&row["seller"], &row["about"], &row["before"], &row["after"]),
        (&json!("Sita"), &order["orderId"], &json!("Order Placed"), &json!("Order Confirmed"))
    );
}
