//! The seller dashboard: products and categories.

use chrono::TimeDelta;
use futures_util::future::join_all;
use http::Method;
use image::ImageFormat;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::media::sample_images;
use crate::orders::{asha, order_request, sita};
use crate::support::{Browser, TestResponse, TestShop, queue};

const LIST: &str = "/api/product/get_seller_products";
const ADD: &str = "/api/product/add_product";
const CATEGORIES: &str = "/api/category/get_categories";
const ADD_CATEGORY: &str = "/api/category/add_category";

async fn edit(seller: &Browser<'_>, slug: &str, texts: &[(&str, &str)]) -> TestResponse {
    seller.send_form(Method::PUT, &format!("/api/product/update_product/{slug}"), texts, None).await
}

async fn listed(seller: &Browser<'_>, query: &str) -> Value {
    let answer = seller.get(&format!("{LIST}{query}")).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()
}

fn names(page: &Value) -> Vec<String> {
    crate::support::names(&page["data"])
}

async fn product(seller: &Browser<'_>, slug: &str) -> Value {
    seller.get(&format!("/api/product/get_seller_product/{slug}")).await.json()["data"].clone()
}

async fn audit(shop: &TestShop) -> Vec<(String, String, String, String)> {
    sqlx::query_as("SELECT action, about, before, after FROM audit_log ORDER BY id").fetch_all(&shop.db).await.unwrap()
}

/// A shop that accepts pictures.
async fn shop_with_category(db: PgPool) -> (TestShop, uuid::Uuid) {
    TestShop::with_category_and(db, &[("PICTURE_WORKER", env!("CARGO_BIN_EXE_thunse"))]).await
}

fn png() -> Vec<u8> {
    sample_images::encode(&sample_images::two_halves(300, 200), ImageFormat::Png)
}

// spec: 2.sadd.4, 7.seller.3, 7.seller.4
#[sqlx::test]
async fn a_product_is_added_and_seen_by_everybody(db: PgPool) {
    let (shop, _) = shop_with_category(db).await;
    let sita = sita(&shop).await;
    let texts = [
        ("name", "Jumli Marsi Rice"),
        ("description", "Red rice"),
        ("category", "staples"),
        ("price", "245.50"),
        ("rating", "4.6"),
        ("reviews", "12"),
        ("tags", "red, rice , red"),
        ("stock", "42"),
        ("nameNe", "जुम्ली मार्सी"),
        ("aliases", "marsi"),
        ("unitAmount", "1"),
        ("unitMeasure", "kg"),
        ("taxClass", "exempt"),
    ];

    let added = sita.send_form(Method::POST, ADD, &texts, Some(&png())).await;

    assert_eq!((added.status.as_u16(), &added.json()["message"]), (200, &json!("Product added successfully!")));
    let product = added.json()["data"].clone();
    assert_eq!(product["slug"], "jumli-marsi-rice");
    for (field, value) in [
        ("price", json!(245.5)),
        ("rating", json!(4.6)),
        ("tags", json!(["red", "rice"])),
        ("stock", json!(42)),
        ("taxClass", json!("exempt")),
        ("aliases", json!(["marsi"])),
        ("unit", json!({"amount": 1.0, "measure": "kg", "label": "1 kg", "labelNe": null})),
    ] {
        assert_eq!(product[field], value, "{field}");
    }
    let image = product["image"].as_str().unwrap();
    assert_eq!(shop.get(image).await.status, 200);
    assert_eq!(shop.search("marsi").await.names(), ["Jumli Marsi Rice"]);
    assert_eq!(audit(&shop).await[0].0, "product.add");
    shop.assert_invariants_hold().await;
}

// spec: 5.product.1, 5.product.2, 9.const.17
#[sqlx::test]
async fn a_form_says_which_field_is_wrong_and_adds_nothing(db: PgPool) {
    let (shop, _) = shop_with_category(db).await;
    let sita = sita(&shop).await;
    let fine = [("name", "Rice"), ("description", "x"), ("category", "Staples"), ("price", "5")];
    for (field, text, message) in [
        ("name", "", "Product name is required"),
        ("description", " ", "Description is required"),
        ("category", "", "Category is required"),
        ("category", "Shoes", "There is no category 'Shoes'."),
        ("price", "", "Price is required"),
        ("price", "12.345", "Enter the price in rupees, for example 120 or 120.50."),
        ("rating", "0.9", "The rating must be between 1 and 5, in steps of 0.1."),
        ("rating", "5.1", "The rating must be between 1 and 5, in steps of 0.1."),
        ("rating", "4.65", "The rating must be between 1 and 5, in steps of 0.1."),
        ("stock", "-1", "The stock must be a whole number, 0 or more."),
    ] {
        let mut texts: Vec<(&str, &str)> = fine.iter().filter(|(name, _)| *name != field).copied().collect();
        texts.push((field, text));
        let refused = sita.send_form(Method::POST, ADD, &texts, None).await;
        assert_eq!(refused.refusal(), (422, "field_invalid".to_owned()), "{field} '{text}'");
        let body = refused.json();
        assert_eq!((&body["data"]["field"], &body["message"]), (&json!(field), &json!(message)));
    }
    let no_picture = sita.send_form(Method::POST, ADD, &fine, Some(b"%PDF-1.7")).await;
    assert_eq!(no_picture.refusal(), (422, "image_type".to_owned()));
    let unknown = sita.send_form(Method::POST, ADD, &[("colour", "red")], None).await;
    assert_eq!(unknown.refusal(), (422, "unknown_field".to_owned()));
    assert_eq!((shop.count("products").await, shop.count("audit_log").await), (0, 0));
}

// spec: 7.seller.5, 9.const.18
#[sqlx::test]
async fn an_edit_changes_what_it_names_and_nothing_else(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product_by_slug(category, "Rice", 100, 5).await;
    let before = product(&sita, "rice").await;

    let saved = edit(&sita, "rice", &[("price", "120.5"), ("rating", "0"), ("nameNe", "चामल")]).await;

    assert_eq!((saved.status.as_u16(), &saved.json()["message"]), (200, &json!("Product updated successfully!")));
    let after = product(&sita, "rice").await;
    assert_eq!((&after["price"], &after["nameNe"], &after["stock"]), (&json!(120.5), &json!("चामल"), &json!(5)));
    assert_ne!(after["version"], before["version"]);
    assert_eq!(after, saved.json()["data"]);
    assert_eq!(
        audit(&shop).await,
        vec![(
            "product.update".to_owned(),
            "Rice".to_owned(),
            "name_ne: ; price: 100.00".to_owned(),
            "name_ne: चामल; price: 120.50".to_owned()
        )]
    );
    // Saving unchanged values is no change.
    edit(&sita, "rice", &[("price", "120.50"), ("stock", "5"), ("stockWas", "5")]).await;
    assert_eq!(product(&sita, "rice").await["version"], after["version"]);
    assert_eq!(shop.count("audit_log").await, 1);
    for (rating, status) in [("-0.1", 422), ("5.1", 422), ("4.65", 422), ("5", 200), ("4.6", 200), ("0", 200)] {
        assert_eq!(edit(&sita, "rice", &[("rating", rating)]).await.status.as_u16(), status, "{rating}");
    }
    assert_eq!(edit(&sita, "salt", &[("price", "1")]).await.refusal(), (404, "product_not_found".to_owned()));
    assert_eq!(edit(&sita, "rice", &[("name", "")]).await.refusal().0, 422);
}

#[sqlx::test]
async fn an_edit_of_stock_never_undoes_sales(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    asha.place_order(Some("a"), &order_request(&rice, 4, 472.0)).await;

    // The seller saw 10 and counted 13, and 4 were sold in between.
    assert_eq!(edit(&sita, "rice", &[("stock", "13"), ("stockWas", "10")]).await.json()["data"]["stock"], 9);
    let too_few = edit(&sita, "rice", &[("stock", "1"), ("stockWas", "11")]).await;
    assert_eq!(too_few.refusal(), (409, "stock_changed".to_owned()));
    assert_eq!(too_few.json()["data"]["stock"], 9, "the answer shows what is there");
    assert_eq!(edit(&sita, "rice", &[("stock", "0"), ("stockWas", "12")]).await.json()["data"]["stock"], 0);
    assert_eq!(edit(&sita, "rice", &[("stock", "7")]).await.json()["data"]["stock"], 7, "without it: what it says");
    let moved: Vec<(i32, String)> =
        sqlx::query_as("SELECT delta, reason FROM stock_movements WHERE reason = 'seller' ORDER BY id")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    assert_eq!(moved.iter().map(|(delta, _)| *delta).collect::<Vec<_>>(), vec![3, -9, 7]);
    assert!(audit(&shop).await.iter().all(|(action, ..)| action == "product.stock"));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_second_of_two_who_edit_is_told(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let seen = product(&sita, "rice").await["version"].as_str().unwrap().to_owned();
    // A sale does not change the version of a product.
    asha.place_order(Some("a"), &order_request(&rice, 1, 133.0)).await;
    edit(&sita, "rice", &[("price", "110"), ("version", &seen)]).await;

    let late = edit(&sita, "rice", &[("name", "Brown rice"), ("version", &seen)]).await;

    assert_eq!(late.refusal(), (409, "product_changed".to_owned()));
    let now = late.json()["data"].clone();
    assert_eq!((&now["price"], &now["name"]), (&json!(110), &json!("Rice")));
    let again = edit(&sita, "rice", &[("name", "Brown rice"), ("version", now["version"].as_str().unwrap())]).await;
    assert_eq!((again.status.as_u16(), &again.json()["data"]["slug"]), (200, &json!("rice")), "the slug stays");
    assert_eq!(edit(&sita, "rice", &[("version", "yesterday")]).await.refusal().0, 422);

    // Of many updates with the same version, exactly one succeeds.
    let seen = product(&sita, "rice").await["version"].as_str().unwrap().to_owned();
    let prices: Vec<String> = (1..=12).map(|price| price.to_string()).collect();
    let answers = join_all(prices.iter().map(|price| edit_as(&sita, price, &seen))).await;
    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 1);
    assert_eq!(answers.iter().filter(|answer| answer.status == 409).count(), 11);
}

async fn edit_as(seller: &Browser<'_>, price: &str, version: &str) -> TestResponse {
    edit(seller, "rice", &[("price", price), ("version", version)]).await
}

// spec: 7.seller.6
#[sqlx::test]
async fn a_deleted_product_is_gone_and_its_orders_stay(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    asha.place_order(Some("a"), &order_request(&rice, 1, 133.0)).await;

    let gone = sita.delete("/api/product/delete_product/rice").await;

    assert_eq!((gone.status.as_u16(), &gone.json()["message"]), (200, &json!("Product deleted successfully!")));
    assert_eq!(sita.delete("/api/product/delete_product/rice").await.refusal(), (404, "product_not_found".to_owned()));
    assert_eq!(names(&listed(&sita, "").await), Vec::<String>::new());
    assert_eq!(shop.get(&format!("/api/product/get_product/{rice}")).await.status, 404);
    assert_eq!(asha.get("/api/order/get_order").await.json()["data"][0]["items"][0]["name"], "Rice");
    // The slug can be used again.
    assert_eq!(shop.add_product_by_slug(category, "Rice", 90, 1).await, "rice");
    shop.assert_invariants_hold().await;
}

// spec: 5.search.5
#[sqlx::test]
async fn the_list_is_searched_filtered_and_ordered(db: PgPool) {
    let (shop, staples) = TestShop::with_category(db).await;
    let grains = shop.add_category("Grains").await;
    let sita = sita(&shop).await;
    for (category, name, price, stock) in [
        (staples, "Mustard Oil", 300, 42),
        (staples, "Salt", 25, 11),
        (grains, "Jumli Rice", 240, 10),
        (grains, "Basmati", 180, 1),
        (grains, "Oil seeds", 90, 0),
    ] {
        shop.add_product_by_slug(category, name, price, stock).await;
    }

    let all = listed(&sita, "").await;
    assert_eq!(names(&all), ["Oil seeds", "Basmati", "Jumli Rice", "Salt", "Mustard Oil"], "newest first");
    assert_eq!((&all["counts"], &all["total"]), (&json!({"all": 5, "low": 2, "out": 1}), &json!(5)));
    assert_eq!(names(&listed(&sita, "?search=OIL").await), ["Oil seeds", "Mustard Oil"]);
    let grain = listed(&sita, "?search=grain&sort=name").await;
    assert_eq!(
        (names(&grain), &grain["total"]),
        (vec!["Basmati".into(), "Jumli Rice".into(), "Oil seeds".into()], &json!(3))
    );
    assert_eq!(
        names(&listed(&sita, "?search=l&sort=price_asc").await),
        ["Salt", "Oil seeds", "Jumli Rice", "Mustard Oil"]
    );
    assert_eq!(names(&listed(&sita, "?stock=low&sort=stock").await), ["Basmati", "Jumli Rice"]);
    assert_eq!(names(&listed(&sita, "?stock=low&sort=price_desc").await), ["Jumli Rice", "Basmati"]);
    assert_eq!(names(&listed(&sita, "?stock=out").await), ["Oil seeds"]);
    let low = listed(&sita, "?stock=low&search=rice").await;
    assert_eq!((names(&low), &low["total"]), (vec!["Jumli Rice".to_owned()], &json!(1)));
    assert_eq!(names(&listed(&sita, "?search=zzz").await), Vec::<String>::new());
    assert_eq!(sita.get(&format!("{LIST}?sort=stock")).await.refusal(), (422, "sort_invalid".to_owned()));
    assert_eq!(sita.get(&format!("{LIST}?cursor=zz")).await.refusal(), (422, "cursor_invalid".to_owned()));
}

/// If more products match than are counted, the list is read in order and filtered; it must be complete even where
/// matches are rare.
#[sqlx::test]
async fn a_name_that_thousands_have_is_paged_like_any_other(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    // The expensive products do not match, so that reading from the most expensive one finds nothing for long.
    shop.sql(
        "INSERT INTO products (id, category_id, slug, name, price_paisa, stock)
         SELECT gen_random_uuid(), (SELECT id FROM categories), 'p-' || n,
                CASE WHEN n <= 1200 THEN 'Rice ' || n ELSE 'Bean ' || n END, CASE WHEN n <= 1200 THEN n % 7 ELSE 1000000 + n END, 0
         FROM generate_series(1, 12500) n;
         ANALYZE products",
    )
    .await;
    for (sort, order) in [
        ("newest", "position DESC, id DESC"),
        ("name", "name_key, id"),
        ("price_asc", "price_paisa, id"),
        ("price_desc", "price_paisa DESC, id DESC"),
    ] {
        for search in ["rice", "ri"] {
            let statement = format!("SELECT name FROM products WHERE name LIKE 'Rice%' ORDER BY {order} LIMIT 100");
            let expected: Vec<String> =
                sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).fetch_all(&shop.db).await.unwrap();
            let first = listed(&sita, &format!("?search={search}&sort={sort}&limit=50")).await;
            assert_eq!((&first["total"], &first["totalCapped"]), (&json!(1000), &json!(true)));
            let next = first["nextCursor"].as_str().unwrap();
            let second = listed(&sita, &format!("?search={search}&sort={sort}&limit=50&cursor={next}")).await;
            assert_eq!([names(&first), names(&second)].concat(), expected, "{search} by {sort}");
        }
    }
}

/// Every sort order and filter, read page by page, returns each product once and in order.
#[sqlx::test]
async fn pages_lose_and_repeat_nothing(db: PgPool) {
    let (shop, staples) = TestShop::with_category(db).await;
    let rice = shop.add_category("Rice and grain").await;
    let sita = sita(&shop).await;
    for number in 0..23 {
        let category = if number % 3 == 0 { rice } else { staples };
        let name = if number % 2 == 0 { format!("Rice {}", number % 5) } else { format!("Bean {}", number % 4) };
        shop.add_product_by_slug(category, &name, 100 + i64::from(number % 4), number % 13).await;
    }
    for filter in
        ["stock=all", "stock=low", "stock=out", "stock=all&search=rice", "stock=low&search=rice", "stock=all&search=r"]
    {
        for sort in ["newest", "name", "price_asc", "price_desc", "stock"] {
            if sort == "stock" && filter.starts_with("stock=all") {
                continue;
            }
            let whole = listed(&sita, &format!("?{filter}&sort={sort}")).await;
            let order = match sort {
                "newest" => "position DESC, id DESC",
                "name" => "name_key, id",
                "price_asc" => "price_paisa, id",
                "price_desc" => "price_paisa DESC, id DESC",
                _ => "stock, position, id",
            };
            let stock = match filter.split('&').next().unwrap() {
                "stock=low" => "stock BETWEEN 1 AND 10",
                "stock=out" => "stock = 0",
                _ => "true",
            };
            let sought = match filter.split_once("search=") {
                None => "true".to_owned(),
                Some((_, text)) => format!(
                    "(lower(name) LIKE '%{text}%' OR category_id IN (SELECT id FROM categories WHERE lower(name) LIKE '%{text}%'))"
                ),
            };
            let statement = format!("SELECT id::text FROM products WHERE {stock} AND {sought} ORDER BY {order}");
            let expected: Vec<String> =
                sqlx::query_scalar(sqlx::AssertSqlSafe(statement)).fetch_all(&shop.db).await.unwrap();
            let expected: Vec<Value> = expected.into_iter().map(Value::from).collect();
            assert_eq!(whole["total"], json!(expected.len()), "{filter} {sort}");
            let (mut found, mut cursor) = (Vec::new(), String::new());
            loop {
                let page = listed(&sita, &format!("?{filter}&sort={sort}&limit=4&cursor={cursor}")).await;
                assert_eq!(page["total"], json!(expected.len()), "{filter} {sort}");
                found.extend(page["data"].as_array().unwrap().iter().map(|one| one["_id"].clone()));
                let Some(next) = page["nextCursor"].as_str() else { break };
                next.clone_into(&mut cursor);
            }
            assert_eq!(found, expected, "{filter} {sort}");
        }
    }
}

#[sqlx::test]
async fn what_is_scarce_is_always_known(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 10, 12).await;
    let counts = async || {
        let counts = listed(&sita, "").await["counts"].clone();
        (counts["low"].as_i64().unwrap(), counts["out"].as_i64().unwrap())
    };
    assert_eq!(counts().await, (0, 0));
    asha.place_order(Some("a"), &order_request(&rice, 2, 42.6)).await;
    assert_eq!(counts().await, (1, 0));
    let order = asha.place_order(Some("b"), &order_request(&rice, 10, 133.0)).await.json()["data"]["_id"].clone();
    assert_eq!(counts().await, (0, 1));
    asha.post("/api/order/cancel_order", &json!({"orderId": order})).await;
    assert_eq!(counts().await, (1, 0));
    edit(&sita, "rice", &[("stock", "30")]).await;
    assert_eq!(counts().await, (0, 0));
    edit(&sita, "rice", &[("stock", "3")]).await;
    sita.delete("/api/product/delete_product/rice").await;
    assert_eq!(counts().await, (0, 0));
    shop.assert_invariants_hold().await;
    shop.add_product_by_slug(category, "Salt", 10, 3).await;
    shop.assert_violation_detected("low-stock products are listed as such", "DELETE FROM low_stock_products").await;
    shop.assert_violation_detected("low-stock products are listed as such", "UPDATE low_stock_products SET stock = 4")
        .await;
}

async fn add_category(seller: &Browser<'_>, texts: &[(&str, &str)], files: &[(&str, &[u8])]) -> TestResponse {
    seller.send_form_with(Method::POST, ADD_CATEGORY, texts, files).await
}

// spec: 5.category.1, 5.category.2, 5.category.3, 5.category.4, 5.category.5, 5.category.6, 7.seller.9
// spec: 7.seller.10, 9.const.14
#[sqlx::test]
async fn a_category_needs_its_four_parts_and_fitting_pictures(db: PgPool) {
    let (shop, _) = shop_with_category(db).await;
    let sita = sita(&shop).await;
    let picture = png();
    let (name, description) = (("name", "Spices"), ("description", "Hot"));
    let image = ("image", picture.as_slice());
    let icon = ("icon", picture.as_slice());
    for (texts, files, message) in [
        (vec![description], vec![image, icon], "Category name is required"),
        (vec![("name", " "), description], vec![image, icon], "Category name is required"),
        (vec![name], vec![image, icon], "Description is required"),
        (vec![name, description], vec![icon], "Category image is required"),
        (vec![name, description], vec![image], "Category icon is required"),
        (
            vec![name, description],
            vec![image, ("icon", b"%PDF-1.7".as_slice())],
            "Invalid file type. Please upload a JPEG, PNG, GIF, or WebP image.",
        ),
    ] {
        let refused = add_category(&sita, &texts, &files).await;
        assert_eq!((refused.status.as_u16(), &refused.json()["message"]), (422, &json!(message)));
    }
    let large = vec![0_u8; 10_485_761];
    let refused = add_category(&sita, &[name, description], &[("image", &large), icon]).await;
    assert_eq!(refused.json()["message"], "File is too large. Maximum size is 10MB.");

    let added = add_category(&sita, &[name, description, ("nameNe", "मसला")], &[image, icon]).await;
    assert_eq!((added.status.as_u16(), &added.json()["message"]), (200, &json!("Category added successfully")));
    let again = add_category(&sita, &[("name", "SPICES"), description], &[image, icon]).await;
    assert_eq!(again.refusal(), (409, "category_name_taken".to_owned()));
    let listed = sita.get(CATEGORIES).await.json();
    let spices = listed["data"].as_array().unwrap().iter().find(|one| one["slug"] == "spices").unwrap().clone();
    assert_eq!((&spices["totalproducts"], &spices["nameNe"]), (&json!(0), &json!("मसला")));
    assert_eq!(shop.get(spices["icon"].as_str().unwrap()).await.status, 200);
    assert_eq!(shop.get("/api/category/get_category_public").await.names(), ["Staples", "Spices"]);
}

// spec: 5.category.7, 7.seller.11, 7.seller.12
#[sqlx::test]
async fn a_category_is_renamed_with_its_products_and_goes_only_when_empty(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product_by_slug(category, "Rice", 100, 5).await;
    let path = "/api/category/update_category/staples";
    let version = sita.get(CATEGORIES).await.json()["data"][0]["version"].as_str().unwrap().to_owned();

    let nothing = sita.send_form(Method::PUT, path, &[], None).await;
    assert_eq!((nothing.status.as_u16(), &nothing.json()["message"]), (200, &json!("Category updated successfully")));
    let renamed = sita.send_form(Method::PUT, path, &[("name", "Basics"), ("version", &version)], None).await;
    assert_eq!(renamed.json()["data"]["name"], "Basics");
    assert_eq!(shop.get("/api/product/get_products").await.json()["data"][0]["category"], "Basics");
    let late = sita.send_form(Method::PUT, path, &[("name", "Things"), ("version", &version)], None).await;
    assert_eq!(late.refusal(), (409, "category_changed".to_owned()));
    assert_eq!(late.json()["data"]["name"], "Basics");
    let edit = async |field: &str, text: &str| sita.send_form(Method::PUT, path, &[(field, text)], None).await;
    for (field, message) in [("name", "Category name is required"), ("description", "Description is required")] {
        let emptied = edit(field, " ").await;
        assert_eq!((emptied.status.as_u16(), &emptied.json()["message"]), (422, &json!(message)), "{field}");
    }
    for field in ["nameNe", "descriptionNe"] {
        assert_eq!(edit(field, "चामल").await.json()["data"][field], "चामल");
        assert_eq!(edit(field, " ").await.json()["data"][field], Value::Null, "emptied, so it is gone: {field}");
    }

    let remove = async || sita.delete("/api/category/delete_category/staples").await;
    let used = remove().await;
    assert_eq!(used.refusal(), (409, "category_in_use".to_owned()));
    assert_eq!(
        (&used.json()["message"], &used.json()["data"]),
        (&json!("1 product uses this category."), &json!({"products": 1}))
    );
    sita.delete("/api/product/delete_product/rice").await;
    let gone = remove().await;
    assert_eq!((gone.status.as_u16(), &gone.json()["message"]), (200, &json!("Category deleted successfully")));
    assert_eq!(remove().await.refusal(), (404, "category_not_found".to_owned()));
    let actions: Vec<String> = audit(&shop).await.into_iter().map(|row| row.0).collect();
    assert_eq!(actions, [["category.update"; 5].as_slice(), &["product.delete", "category.delete"]].concat());
}

/// A product is moved into a category while the category is deleted: one of the two requests wins.
#[sqlx::test]
async fn a_product_never_loses_its_category(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    for round in 0..10 {
        let name = format!("Round {round}");
        shop.add_category(&name).await;
        let texts = [("name", "Rice"), ("description", "x"), ("category", name.as_str()), ("price", "5")];
        let path = format!("/api/category/delete_category/round-{round}");
        let (added, deleted) = tokio::join!(sita.send_form(Method::POST, ADD, &texts, None), sita.delete(&path));
        let both = (added.status.as_u16(), deleted.status.as_u16());
        assert!([(200, 409), (422, 200)].contains(&both), "{both:?} {} {}", added.text, deleted.text);
    }
    shop.assert_invariants_hold().await;
}

const UPLOAD: &str = "/api/product/upload_picture";

/// A picture that differs from those with another width.
fn photo(width: u32) -> Vec<u8> {
    sample_images::encode(&sample_images::two_halves(width, 200), ImageFormat::Png)
}

/// Uploads a picture and returns its key.
async fn upload(seller: &Browser<'_>, file: &[u8]) -> String {
    let uploaded = seller.send_form(Method::POST, UPLOAD, &[], Some(file)).await;
    assert_eq!(uploaded.status, 200, "{}", uploaded.text);
    uploaded.json()["data"]["key"].as_str().unwrap().to_owned()
}

fn keys(product: &Value) -> Vec<String> {
    let more = product["moreImages"].as_array().cloned().unwrap_or_default();
    more.iter().map(|picture| picture["key"].as_str().unwrap().to_owned()).collect()
}

#[sqlx::test]
async fn further_pictures_are_added_ordered_and_removed(db: PgPool) {
    let (shop, _) = shop_with_category(db).await;
    let sita = sita(&shop).await;
    let [first, second, third] =
        [upload(&sita, &photo(301)).await, upload(&sita, &photo(302)).await, upload(&sita, &photo(303)).await];
    let more = format!("{first}, {second},{first}");
    let texts =
        [("name", "Rice"), ("description", "x"), ("category", "Staples"), ("price", "5"), ("moreImages", &more)];

    let added = sita.send_form(Method::POST, ADD, &texts, Some(&png())).await.json()["data"].clone();

    assert_eq!(keys(&added), [first.clone(), second.clone()], "none twice");
    for picture in added["moreImages"].as_array().unwrap() {
        assert_eq!(shop.get(picture["image"].as_str().unwrap()).await.status, 200);
        assert!(picture["imageSet"].as_str().unwrap().ends_with('w'), "{picture}");
    }
    let id = added["_id"].as_str().unwrap();
    let detail = shop.get(&format!("/api/product/get_product/{id}")).await.json()["data"]["product"].clone();
    assert_eq!(detail["moreImages"], added["moreImages"]);
    assert_eq!(detail["image"], added["image"]);
    let list = shop.get("/api/product/get_products").await.json();
    assert_eq!(list["data"][0].get("moreImages"), None, "a list stays small");
    let page = shop.get(&format!("/product/staples/{id}")).await.text;
    assert!(page.contains(&format!("/media/{second}/")), "search engines see all pictures");

    let ordered = format!("{second},{third},{first}");
    assert_eq!(edit(&sita, "rice", &[("moreImages", &ordered)]).await.status, 200);
    assert_eq!(keys(&product(&sita, "rice").await), [second.clone(), third.clone(), first.clone()]);
    let entry = audit(&shop).await.pop().unwrap();
    assert_eq!(
        (entry.0.as_str(), entry.2, entry.3),
        (
            "product.update",
            format!("pictures: {}, {}", &first[..8], &second[..8]),
            format!("pictures: {}, {}, {}", &second[..8], &third[..8], &first[..8])
        )
    );
    assert_eq!(edit(&sita, "rice", &[("price", "6")]).await.status, 200);
    assert_eq!(keys(&product(&sita, "rice").await).len(), 3, "what the form leaves out stays");

    assert_eq!(edit(&sita, "rice", &[("removeImage", "true")]).await.status, 200);
    let promoted = product(&sita, "rice").await;
    assert!(promoted["image"].as_str().unwrap().contains(&second), "the first one replaces the main one");
    assert_eq!(keys(&promoted), [third, first]);
    assert_eq!(edit(&sita, "rice", &[("moreImages", "")]).await.status, 200);
    assert_eq!(product(&sita, "rice").await.get("moreImages"), None);
}

#[sqlx::test]
async fn a_further_picture_must_have_been_uploaded_a_short_time_ago(db: PgPool) {
    let (shop, category) = shop_with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product(category, "Rice", 100, 5).await;
    let fine = upload(&sita, &photo(301)).await;
    let private = format!("private-{}-320", uuid::Uuid::new_v4().simple());
    for unknown in ["x", "..", "../secret", "0a1b-320", "0123456789abcdef0123456789abcdef-320", "é-1", &private] {
        let refused = edit(&sita, "rice", &[("moreImages", &format!("{fine},{unknown}"))]).await;
        assert_eq!(refused.refusal(), (422, "field_invalid".to_owned()), "{unknown}");
        assert_eq!(refused.json()["data"]["field"], "moreImages");
    }
    let mut many = Vec::new();
    for width in 401..=408 {
        many.push(upload(&sita, &photo(width)).await);
    }
    let refused = edit(&sita, "rice", &[("moreImages", &many.join(","))]).await;
    assert_eq!(refused.json()["message"], "A product can have at most 8 pictures.");
    assert_eq!(edit(&sita, "rice", &[("moreImages", &many[..7].join(","))]).await.status, 200);

    let missing = sita.send_form(Method::POST, UPLOAD, &[], None).await;
    assert_eq!(missing.refusal(), (422, "field_invalid".to_owned()));
    let wrong = sita.send_form(Method::POST, UPLOAD, &[], Some(b"%PDF-1.7")).await;
    assert_eq!(wrong.refusal(), (422, "image_type".to_owned()));

    shop.app.clock.advance(TimeDelta::hours(13));
    let login = json!({"email": "sita@example.com", "password": "a shelf of mustard oil"});
    assert_eq!(sita.post("/api/seller/login", &login).await.status, 200);
    let late = edit(&sita, "rice", &[("moreImages", &fine)]).await;
    assert_eq!(late.refusal(), (422, "field_invalid".to_owned()), "the cleanup may delete it soon");
    let own = format!("{},{}", many[1], many[0]);
    assert_eq!(edit(&sita, "rice", &[("moreImages", &own)]).await.status, 200, "those of the product stay usable");
}

#[sqlx::test]
async fn a_further_picture_is_deleted_when_no_product_shows_it_any_more(db: PgPool) {
    let (shop, category) = shop_with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product(category, "Rice", 100, 5).await;
    let [main, shown, removed, never] = [
        upload(&sita, &photo(301)).await,
        upload(&sita, &photo(302)).await,
        upload(&sita, &photo(303)).await,
        upload(&sita, &photo(304)).await,
    ];
    edit(&sita, "rice", &[("moreImages", &format!("{main},{shown},{removed}"))]).await;
    edit(&sita, "rice", &[("moreImages", &shown)]).await;

    shop.app.clock.advance(TimeDelta::days(2));
    queue::add_job(&shop.db, "media.delete_orphans", &json!({})).await;
    shop.run_jobs().await;

    let stored = shop.app.pictures.list_with_delimiter(None).await.unwrap().common_prefixes;
    let stored: Vec<String> = stored.iter().map(ToString::to_string).collect();
    for (key, there) in [(&main, true), (&shown, true), (&removed, false), (&never, false)] {
        assert_eq!(stored.contains(key), there, "{key} in {stored:?}");
    }
}
