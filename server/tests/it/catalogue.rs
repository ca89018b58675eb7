//! Browsing: lists, pages, sorting, one product, categories.

use sqlx::PgPool;

use crate::orders::{asha, order_request, sita};
use crate::support::{TestShop, names};

// spec: 7.load.3
#[sqlx::test]
async fn without_parameters_all_products_come_in_the_sellers_order(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let answer = shop.get("/api/product/get_products").await;

    let body = answer.json();
    assert_eq!(body["success"], true);
    assert_eq!(answer.names().len(), 156);
    assert_eq!(answer.names()[0], "Jeera Masino Rice");
    assert_eq!((&body["nextCursor"], &body["total"]), (&serde_json::Value::Null, &156.into()));
    shop.assert_invariants_hold().await;
}

// spec: 3.product.1, 7.load.3
#[sqlx::test]
async fn a_product_has_every_field_of_the_contract(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let product = shop.get("/api/product/get_products?limit=1").await.json()["data"][0].clone();

    for field in
        ["_id", "id", "name", "description", "category", "price", "image", "tags", "rating", "reviews", "stock", "slug"]
    {
        assert!(!product[field].is_null(), "{field}");
    }
    assert_eq!(product["_id"], product["id"]);
    assert_eq!(product["category"], "Rice & Grains");
    assert_eq!(product["price"], 525);
    assert_eq!(product["unitPrice"], serde_json::json!({"price": 105, "per": "kg"}));
}

/// A missing picture is `null` in every response that can contain one.
#[sqlx::test]
async fn a_missing_picture_is_null_everywhere(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    assert_eq!(asha.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await.status, 200);

    for (browser, path, place) in [
        (&asha, "/api/product/get_products", "/data/0/image"),
        (&asha, "/api/category/get_category_public", "/data/0/image"),
        (&asha, "/api/category/get_category_public", "/data/0/icon"),
        (&sita, "/api/category/get_categories", "/data/0/image"),
        (&sita, "/api/product/get_seller_products", "/data/0/image"),
        (&asha, "/api/user/isAuth", "/data/image"),
        (&asha, "/api/order/get_order", "/data/0/items/0/image"),
        (&sita, "/api/order/get_orders", "/data/0/items/0/image"),
    ] {
        let answer = browser.get(path).await.json();
        assert_eq!(answer.pointer(place), Some(&serde_json::Value::Null), "{path} {place}: {answer}");
    }
}

#[sqlx::test]
async fn pages_add_up_to_the_whole_in_every_order(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for sort in ["featured", "name", "price_asc", "price_desc", "rating"] {
        let whole = shop.get(&format!("/api/product/get_products?sort={sort}")).await.json();
        let mut walked = Vec::new();
        let mut cursor = String::new();
        loop {
            let page = shop.get(&format!("/api/product/get_products?sort={sort}&limit=50{cursor}")).await.json();
            walked.extend(page["data"].as_array().unwrap().clone());
            match page["nextCursor"].as_str() {
                Some(next) => cursor = format!("&cursor={next}"),
                None => break,
            }
        }
        assert_eq!(&walked, whole["data"].as_array().unwrap(), "{sort}");
    }
}

#[sqlx::test]
async fn prices_rise_and_fall(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let prices = |list: serde_json::Value| -> Vec<f64> {
        list["data"].as_array().unwrap().iter().map(|product| product["price"].as_f64().unwrap()).collect()
    };

    let rising = prices(shop.get("/api/product/get_products?sort=price_asc").await.json());
    let falling = prices(shop.get("/api/product/get_products?sort=price_desc").await.json());

    assert!(rising.is_sorted());
    assert!(falling.iter().rev().is_sorted());
}

// spec: 5.search.7
#[sqlx::test]
async fn a_category_is_found_by_slug_or_name_in_any_case(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let by_slug = shop.get("/api/product/get_products?category=rice-grains").await.names();

    assert!(!by_slug.is_empty());
    for same in ["RICE-GRAINS", "rice%20%26%20GRAINS"] {
        assert_eq!(shop.get(&format!("/api/product/get_products?category={same}")).await.names(), by_slug);
    }
    assert!(shop.get("/api/product/get_products?category=nope").await.names().is_empty());
}

// spec: 3.category.1, 7.load.4
#[sqlx::test]
async fn categories_come_with_their_counts(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let categories = shop.get("/api/category/get_category_public").await.json();

    let list = categories["data"].as_array().unwrap();
    let total: i64 = list.iter().map(|category| category["totalproducts"].as_i64().unwrap()).sum();
    assert_eq!((list.len(), total), (16, 156));
    for field in ["_id", "name", "slug", "description", "image", "icon"] {
        assert!(list.iter().all(|category| !category[field].is_null()), "{field}");
    }
}

// spec: 2.product.6
#[sqlx::test]
async fn one_product_comes_with_others_of_its_category(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let first = shop.get("/api/product/get_products?limit=1").await.json()["data"][0].clone();

    let shown = shop.get(&format!("/api/product/get_product/{}", first["_id"].as_str().unwrap())).await.json();

    assert_eq!(shown["data"]["product"], first);
    let related = shown["data"]["related"].as_array().unwrap();
    assert_eq!(related.len(), 8);
    assert!(related.iter().all(|other| other["category"] == first["category"] && other["_id"] != first["_id"]));
}

#[sqlx::test]
async fn an_unknown_product_is_not_found_and_not_an_error(db: PgPool) {
    let shop = TestShop::new(db);
    for id in ["nope", "01890000-0000-7000-8000-000000000000", "%27%3B--"] {
        let answer = shop.get(&format!("/api/product/get_product/{id}")).await;
        assert_eq!(answer.status, 404, "{id}");
        assert_eq!(answer.json()["code"], "product_not_found");
        assert_eq!(answer.json()["message"], "Product not found");
    }
}

#[sqlx::test]
async fn a_cart_gets_its_products_and_no_archived_one(db: PgPool) {
    let shop = TestShop::new(db);
    let spices = shop.add_category("Spices").await;
    for name in ["Turmeric", "Cumin", "Cardamom"] {
        shop.add_product_by_slug(spices, name, 100, 5).await;
    }
    sqlx::query("UPDATE products SET archived_at = now() WHERE name = 'Cumin'").execute(&shop.db).await.unwrap();
    let ids: Vec<String> =
        sqlx::query_scalar("SELECT id::text FROM products ORDER BY name DESC").fetch_all(&shop.db).await.unwrap();

    let answer = shop.get(&format!("/api/product/get_products_by_ids?ids={},junk", ids.join(","))).await;

    assert_eq!(answer.names(), ["Turmeric", "Cardamom"]);
    let many = vec![ids[0].as_str(); 101].join(",");
    assert_eq!(shop.get(&format!("/api/product/get_products_by_ids?ids={many}")).await.status, 422);
}

#[sqlx::test]
async fn a_foreign_cursor_or_an_unknown_order_is_refused_in_the_envelope(db: PgPool) {
    let shop = TestShop::new(db);

    let cursor = shop.get("/api/product/get_products?cursor=abcd").await;
    let sort = shop.get("/api/product/get_products?sort=random").await;

    assert_eq!((cursor.status.as_u16(), &cursor.json()["code"]), (422, &"cursor_invalid".into()));
    assert_eq!((sort.status.as_u16(), &sort.json()["success"]), (400, &false.into()));
}

#[sqlx::test]
async fn twins_get_slugs_of_their_own_and_nepali_names_readable_ones(db: PgPool) {
    let shop = TestShop::new(db);
    let rice = shop.add_category("Rice").await;

    let slugs = [
        shop.add_product_by_slug(rice, "Basmati Rice", 185, 1).await,
        shop.add_product_by_slug(rice, "Basmati  RICE!", 190, 0).await,
        shop.add_product_by_slug(rice, "जुम्ली मार्सी चामल", 320, 1).await,
    ];

    assert_eq!(slugs, ["basmati-rice", "basmati-rice-2", "jumli-marsi-chamal"]);
    let odd = shop.add_product_by_slug(rice, "🍚", 1, 1).await;
    assert!(odd.starts_with("item-"), "{odd}");
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_same_answer_is_not_sent_twice(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let first = shop.get("/api/product/get_products?limit=24").await;
    let tag = first.header("etag");

    let again = shop.get_with("/api/product/get_products?limit=24", &[("if-none-match", tag)]).await;

    assert!(tag.starts_with('"'), "a strong tag");
    assert_eq!((again.status.as_u16(), again.text.as_str()), (304, ""));
}

#[sqlx::test]
async fn a_sold_out_search_still_names_the_product(db: PgPool) {
    let shop = TestShop::new(db);
    let tea = shop.add_category("Tea").await;
    shop.add_product_by_slug(tea, "Ilam Tea", 250, 0).await;

    assert_eq!(names(&shop.search("ilam").await.json()["data"]), ["Ilam Tea"]);
}
