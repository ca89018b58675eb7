//! Sales: a lower price for some days, with the true price before it.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::catalogue::ApplySalePrices;
use thunse::platform::cache::CatalogueChange;
use thunse::platform::jobs::Job as _;

use crate::orders::{asha, order_request, sita};
use crate::support::{Browser, TestResponse, TestShop, queue};

const JOB: &str = "catalogue.apply_sale_prices";

fn minutes(count: i64) -> TimeDelta {
    TimeDelta::minutes(count)
}

/// Plans a sale from and until this many minutes from now.
async fn add_sale(
    seller: &Browser<'_>,
    shop: &TestShop,
    slug: &str,
    price: f64,
    from: i64,
    until: i64,
) -> TestResponse {
    let now = shop.app.clock.now();
    let sale = json!({"price": price, "startsAt": now + minutes(from), "endsAt": now + minutes(until)});
    seller.post(&format!("/api/product/add_sale/{slug}"), &sale).await
}

async fn end_sale(seller: &Browser<'_>, sale: &Value) -> TestResponse {
    seller.post("/api/product/end_sale", &json!({"saleId": sale["_id"]})).await
}

async fn set_price(seller: &Browser<'_>, slug: &str, price: &str) -> TestResponse {
    seller.send_form(Method::PUT, &format!("/api/product/update_product/{slug}"), &[("price", price)], None).await
}

/// Returns the state of each sale of a product, the latest first.
async fn states(seller: &Browser<'_>, slug: &str) -> Vec<String> {
    let answer = seller.get(&format!("/api/product/get_sales/{slug}")).await;
    let sales = answer.json()["data"].as_array().unwrap().clone();
    sales.iter().map(|sale| sale["state"].as_str().unwrap().to_owned()).collect()
}

type Prices = (f64, Option<f64>);

/// Returns the price that a shopper sees and the one before the sale.
async fn prices(shop: &TestShop, product: &str) -> Prices {
    let answer = shop.get(&format!("/api/product/get_products_by_ids?ids={product}")).await;
    let product = answer.json()["data"][0].clone();
    assert_eq!(product["wasPrice"].is_null(), product["saleEndsAt"].is_null());
    (product["price"].as_f64().unwrap(), product["wasPrice"].as_f64())
}

/// Gets a page or a list as an instance does that has been told of the change.
async fn get_current(shop: &TestShop, path: &str) -> TestResponse {
    shop.app.cache.invalidate_all(CatalogueChange::Listing);
    shop.get(path).await
}

async fn offers(shop: &TestShop) -> Vec<String> {
    get_current(shop, "/api/product/get_products?discounted=true").await.names()
}

fn regular(rupees: f64) -> Prices {
    (rupees, None)
}

fn reduced(rupees: f64, was: f64) -> Prices {
    (rupees, Some(was))
}

#[sqlx::test]
async fn a_sale_begins_and_ends_at_its_time(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    shop.add_product(category, "Salt", 20, 10).await;

    let added = add_sale(&sita, &shop, "rice", 85.5, 10, 30).await;

    assert_eq!((added.status.as_u16(), &added.json()["message"]), (200, &json!("Sale saved.")));
    assert_eq!(added.json()["data"][0]["state"], "planned");
    assert_eq!((prices(&shop, &rice).await, offers(&shop).await.len()), (regular(100.0), 0));
    shop.advance_time(minutes(10)).await;
    assert_eq!((prices(&shop, &rice).await, offers(&shop).await), (reduced(85.5, 100.0), vec!["Rice".to_owned()]));
    assert_eq!(states(&sita, "rice").await, ["running"]);
    let page = get_current(&shop, &format!("/product/staples/{rice}")).await;
    assert!(page.text.contains("\"priceValidUntil\""), "search engines learn how long the price is valid");
    assert!(get_current(&shop, "/offers").await.text.contains("Rice"));
    shop.assert_invariants_hold().await;
    shop.advance_time(minutes(20)).await;
    assert_eq!((prices(&shop, &rice).await, offers(&shop).await.len()), (regular(100.0), 0));
    assert_eq!(states(&sita, "rice").await, ["ended"]);
    let page = get_current(&shop, "/offers").await.text;
    assert!(page.contains("Mega Offer Are Coming Soon!") && !page.contains("Rice"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn late_and_repeated_jobs_are_harmless(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let salt = shop.add_product(category, "Salt", 20, 10).await;
    add_sale(&sita, &shop, "rice", 80.0, 10, 20).await;
    add_sale(&sita, &shop, "rice", 70.0, 20, 40).await;
    add_sale(&sita, &shop, "salt", 15.0, 10, 20).await;
    // All jobs are lost; only the schedule is left, and it comes late.
    queue::delete_jobs(&shop.db, JOB).await;

    shop.app.clock.advance(minutes(15));
    for _ in 0..3 {
        ApplySalePrices {}.run(&shop.app).await.unwrap();
        assert_eq!(prices(&shop, &rice).await, reduced(80.0, 100.0));
    }
    shop.app.clock.advance(minutes(10));
    join_all((0..4).map(|_| ApplySalePrices {}.run(&shop.app))).await.into_iter().for_each(Result::unwrap);

    // One sale follows the other, and the price before both is the regular one.
    assert_eq!((prices(&shop, &rice).await, prices(&shop, &salt).await), (reduced(70.0, 100.0), regular(20.0)));
    assert_eq!(states(&sita, "rice").await, ["running", "ended"]);
    shop.app.clock.advance(TimeDelta::hours(1));
    ApplySalePrices {}.run(&shop.app).await.unwrap();
    assert_eq!(prices(&shop, &rice).await, regular(100.0));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_sale_whose_whole_time_was_missed_never_begins(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    add_sale(&sita, &shop, "rice", 80.0, 5, 10).await;

    shop.app.clock.advance(minutes(20));
    ApplySalePrices {}.run(&shop.app).await.unwrap();

    assert_eq!((prices(&shop, &rice).await, states(&sita, "rice").await), (regular(100.0), vec!["skipped".to_owned()]));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_seller_ends_a_sale_early_or_cancels_it(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let now = add_sale(&sita, &shop, "rice", 80.0, -60, 20).await.json()["data"][0].clone();
    assert_eq!((prices(&shop, &rice).await, &now["state"]), (reduced(80.0, 100.0), &json!("running")));
    let later = add_sale(&sita, &shop, "rice", 70.0, 20, 40).await.json()["data"][0].clone();

    for sale in [&now, &later, &later] {
        assert_eq!(end_sale(&sita, sale).await.status, 200);
    }

    assert_eq!(prices(&shop, &rice).await, regular(100.0));
    assert_eq!(states(&sita, "rice").await, ["cancelled", "ended"]);
    shop.advance_time(minutes(25)).await;
    assert_eq!(prices(&shop, &rice).await, regular(100.0), "a cancelled sale does not begin");
    let actions: Vec<(String, String, String)> =
        sqlx::query_as("SELECT action, before, after FROM audit_log WHERE action LIKE 'product.sale%' ORDER BY id")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    let names: Vec<&str> = actions.iter().map(|(action, ..)| action.as_str()).collect();
    assert_eq!(names, ["product.sale_add", "product.sale_add", "product.sale_end", "product.sale_end"]);
    assert!(actions[0].1 == "price: 100.00" && actions[0].2.starts_with("price: 80.00, "), "{actions:?}");
    let unknown = end_sale(&sita, &json!({"_id": uuid::Uuid::nil()})).await;
    assert_eq!(unknown.refusal(), (404, "sale_not_found".to_owned()));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_is_no_sale_is_refused(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product(category, "Rice", 100, 10).await;
    let field = |answer: &TestResponse| answer.json()["data"]["field"].clone();

    for price in [100.0, 120.0, 0.0] {
        assert_eq!(field(&add_sale(&sita, &shop, "rice", price, 0, 10).await), "price", "{price}");
    }
    for (from, until) in [(10, 10), (20, 10), (0, 61 * 24 * 60), (-20, -10)] {
        assert_eq!(field(&add_sale(&sita, &shop, "rice", 80.0, from, until).await), "endsAt", "{from} {until}");
    }
    let next_year = 400 * 24 * 60;
    assert_eq!(field(&add_sale(&sita, &shop, "rice", 80.0, next_year, next_year + 1).await), "startsAt");
    assert_eq!(add_sale(&sita, &shop, "none", 80.0, 0, 10).await.refusal(), (404, "product_not_found".to_owned()));
    assert_eq!(add_sale(&sita, &shop, "rice", 80.0, 10, 20).await.status, 200);
    for (from, until) in [(0, 11), (19, 30), (12, 15), (0, 60)] {
        let refused = add_sale(&sita, &shop, "rice", 70.0, from, until).await;
        assert_eq!(refused.refusal(), (409, "sale_overlaps".to_owned()), "{from} {until}");
    }
    // Of sales that are planned at the same moment, one is accepted.
    let answers = join_all((0..5).map(|_| add_sale(&sita, &shop, "rice", 60.0, 30, 40))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(shop.count("sale_prices").await, 2);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_edit_during_a_sale_changes_the_regular_price(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let running = add_sale(&sita, &shop, "rice", 80.0, 0, 30).await.json()["data"][0].clone();

    let raised = set_price(&sita, "rice", "150").await;

    assert_eq!((&raised.json()["data"]["price"], &raised.json()["data"]["regularPrice"]), (&json!(80), &json!(150)));
    assert_eq!(prices(&shop, &rice).await, reduced(80.0, 100.0), "150 was never charged before the sale");
    assert_eq!(set_price(&sita, "rice", "95").await.status, 200);
    assert_eq!(prices(&shop, &rice).await, reduced(80.0, 95.0));
    for price in ["80", "70"] {
        let refused = set_price(&sita, "rice", price).await;
        assert_eq!(refused.refusal(), (422, "field_invalid".to_owned()));
        assert_eq!(refused.json()["data"]["field"], "price");
        assert!(refused.json()["message"].as_str().unwrap().contains("80.00"), "{}", refused.text);
    }
    shop.assert_invariants_hold().await;
    end_sale(&sita, &running).await;
    assert_eq!(prices(&shop, &rice).await, regular(95.0));
    // A sale that is planned and no longer lower does not begin.
    add_sale(&sita, &shop, "rice", 90.0, 10, 20).await;
    assert_eq!(set_price(&sita, "rice", "90").await.status, 200);
    shop.advance_time(minutes(10)).await;
    assert_eq!(prices(&shop, &rice).await, regular(90.0));
    assert_eq!(states(&sita, "rice").await[0], "skipped");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_spreadsheet_during_a_sale_has_the_regular_price(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    add_sale(&sita, &shop, "rice", 80.0, 0, 30).await;
    let import = async |file: &str| {
        let file = [("file", file.as_bytes())];
        let path = "/api/product/import_products";
        let id = sita.send_form_with(Method::POST, path, &[("name", "goods.csv")], &file).await.json()["data"]["_id"]
            .clone();
        shop.run_jobs().await;
        let path = format!("/api/product/get_import/{}", id.as_str().unwrap());
        let checked = sita.get(&path).await.json()["data"].clone();
        sita.post("/api/product/apply_import", &json!({"importId": id})).await;
        shop.run_jobs().await;
        (checked["counts"].clone(), sita.get(&path).await.json()["data"]["state"].clone())
    };

    let exported = sita.get("/api/product/export_products.csv").await.text;
    assert!(exported.contains("\"100.00\"") && !exported.contains("\"80.00\""), "{exported}");
    let (counts, state) = import(&exported).await;
    assert_eq!((counts["same"].clone(), state), (json!(1), json!("applied")), "what was exported changes nothing");
    let (counts, state) = import("slug,price\r\nrice,110\r\n").await;
    assert_eq!((counts["update"].clone(), state), (json!(1), json!("applied")));
    assert_eq!(prices(&shop, &rice).await, reduced(80.0, 100.0));
    let (counts, _) = import("slug,price\r\nrice,75\r\n").await;
    assert_eq!(counts["error"], json!(1), "the regular price must stay above the sale price");
    shop.assert_invariants_hold().await;
    shop.advance_time(minutes(30)).await;
    assert_eq!(prices(&shop, &rice).await, regular(110.0));
}

#[sqlx::test]
async fn nobody_pays_more_than_the_price_that_was_shown(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let shown = |total| order_request(&rice, 2, total);
    // Two for 100 or 80 each, with 13 % tax and 20 for shipping.
    let (full, lower) = (246.0, 200.8);
    add_sale(&sita, &shop, "rice", 80.0, 10, 20).await;

    shop.advance_time(minutes(10)).await;
    let cheaper = asha.place_order(Some("a"), &shown(full)).await;
    shop.advance_time(minutes(10)).await;
    let dearer = asha.place_order(Some("b"), &shown(lower)).await;

    assert_eq!(cheaper.json()["data"]["total"], json!(lower), "{}", cheaper.text);
    assert_eq!(dearer.refusal(), (409, "price_changed".to_owned()));
    assert_eq!(dearer.json()["data"]["quote"]["total"], json!(246));
    let paid: Vec<i64> = sqlx::query_scalar("SELECT price_paisa FROM order_items").fetch_all(&shop.db).await.unwrap();
    assert_eq!(paid, [8_000], "the order keeps the price that it was placed with");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn orders_and_the_end_of_a_sale_do_not_disturb_each_other(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 100, 50).await;
    add_sale(&sita, &shop, "rice", 80.0, 0, 10).await;
    shop.app.clock.advance(minutes(10));
    let keys: Vec<String> = (0..10).map(|key| key.to_string()).collect();

    let order = order_request(&rice, 1, 133.0);
    let orders = join_all(keys.iter().map(|key| asha.place_order(Some(key), &order)));
    let (orders, ended) = tokio::join!(orders, ApplySalePrices {}.run(&shop.app));

    ended.unwrap();
    // Those who have seen the higher price are never refused because of the price.
    for order in &orders {
        assert!(order.status == 200 || order.refusal().1 != "price_changed", "{}", order.text);
    }
    let sold = i32::try_from(orders.iter().filter(|order| order.status == 200).count()).unwrap();
    assert_eq!((shop.stock(&rice).await, prices(&shop, &rice).await), (50 - sold, regular(100.0)));
    assert!(sold > 0);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_deleted_product_ends_its_sales(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product(category, "Rice", 100, 10).await;
    add_sale(&sita, &shop, "rice", 80.0, 0, 10).await;
    add_sale(&sita, &shop, "rice", 70.0, 20, 30).await;

    assert_eq!(sita.delete("/api/product/delete_product/rice").await.status, 200);

    shop.advance_time(minutes(25)).await;
    let open: i64 = sqlx::query_scalar("SELECT count(*) FROM sale_prices WHERE ended_at IS NULL")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    let price: i64 = sqlx::query_scalar("SELECT price_paisa FROM products").fetch_one(&shop.db).await.unwrap();
    assert_eq!((open, price, offers(&shop).await.len()), (0, 10_000, 0));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn discounted_products_are_filtered_and_sorted_like_all_others(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    for (name, rupees) in [("Basmati Rice", 200), ("Brown Rice", 120), ("Salt", 20), ("Ghee", 900)] {
        shop.add_product(category, name, rupees, 10).await;
    }
    for (slug, price) in [("basmati-rice", 150.0), ("brown-rice", 100.0), ("salt", 15.0)] {
        assert_eq!(add_sale(&sita, &shop, slug, price, 0, 10).await.status, 200);
    }
    let list = async |query: &str| shop.get(&format!("/api/product/get_products?discounted=true{query}")).await;

    assert_eq!(list("&sort=price_asc").await.names(), ["Salt", "Brown Rice", "Basmati Rice"]);
    assert_eq!(list("&search=rice&maxPrice=110").await.names(), ["Brown Rice"]);
    let first = list("&limit=2").await.json();
    assert_eq!((&first["total"], first["data"].as_array().unwrap().len()), (&json!(3), 2));
    let cursor = first["nextCursor"].as_str().unwrap();
    assert_eq!(list(&format!("&limit=2&cursor={cursor}")).await.names(), ["Salt"]);
    let until: DateTime<Utc> = first["data"][0]["saleEndsAt"].as_str().unwrap().parse().unwrap();
    assert!(until > shop.app.clock.now());
}

#[sqlx::test]
async fn every_invariant_of_sales_sees_what_breaks_it(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product(category, "Rice", 100, 10).await;
    add_sale(&sita, &shop, "rice", 80.0, 0, 10).await;
    add_sale(&sita, &shop, "rice", 70.0, 20, 30).await;
    shop.assert_invariants_hold().await;

    let shown = "a product has a former price exactly while a sale runs";
    for (invariant, breakage) in [
        (shown, "UPDATE sale_prices SET ended_at = now() WHERE started_at IS NOT NULL"),
        (shown, "UPDATE products SET price_paisa = 100, regular_price_paisa = NULL, was_price_paisa = NULL"),
        (shown, "UPDATE products SET price_paisa = 7900"),
        (shown, "UPDATE products SET was_price_paisa = 12000, regular_price_paisa = 12000"),
        (shown, "UPDATE products SET archived_at = now()"),
        ("sales of a product do not overlap", "UPDATE sale_prices SET starts_at = now() WHERE started_at IS NULL"),
    ] {
        shop.assert_violation_detected(invariant, breakage).await;
    }
}
