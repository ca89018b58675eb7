//! The response cache: what invalidates it, and what does not.

use std::time::Duration;

use chrono::TimeDelta;
use http::StatusCode;
use sqlx::PgPool;
use sqlx::postgres::PgListener;
use thunse::platform::api_error::ApiError;
use thunse::platform::cache::CachedResponse;
use thunse::platform::cache_invalidation;

use crate::support::{TestShop, wait_until};

const LIST: &str = "/api/product/get_products?limit=24";

/// Starts a demo shop that listens for notifications from its database.
async fn listening_shop(db: PgPool) -> TestShop {
    let shop = TestShop::demo(db).await;
    tokio::spawn(cache_invalidation::listen(shop.app.db.clone(), shop.app.cache.clone()));
    wait_until("the shop listens to its database", async || shop.app.cache.is_listening()).await;
    shop
}

async fn first_product(shop: &TestShop) -> serde_json::Value {
    shop.get(LIST).await.json()["data"][0].clone()
}

/// Makes a change and returns the list as soon as the shop has been notified, which is long before a cached list
/// expires.
async fn list_after(shop: &TestShop, change: &str) -> serde_json::Value {
    let before = shop.app.cache.change_count();
    shop.sql(change).await;
    wait_until(change, async || shop.app.cache.change_count() > before).await;
    shop.get(LIST).await.json()
}

#[sqlx::test]
async fn a_changed_price_shows_at_once(db: PgPool) {
    let shop = listening_shop(db).await;
    assert_eq!(first_product(&shop).await["price"], 525);

    let list = list_after(&shop, "UPDATE products SET price_paisa = 53075 WHERE slug = 'jeera-masino-rice'").await;

    assert_eq!(list["data"][0]["price"], 530.75);
}

#[sqlx::test]
async fn another_picture_of_a_product_shows_at_once(db: PgPool) {
    let shop = listening_shop(db).await;
    let product = format!("/api/product/get_product/{}", first_product(&shop).await["_id"].as_str().unwrap());
    assert_eq!(shop.get(&product).await.json()["data"]["product"].get("moreImages"), None);

    let change = "UPDATE products SET more_picture_keys = ARRAY['0123456789abcdef0123456789abcdef-320'] \
                  WHERE slug = 'jeera-masino-rice'";
    list_after(&shop, change).await;

    let shown = shop.get(&product).await.json();
    assert_eq!(shown["data"]["product"]["moreImages"].as_array().unwrap().len(), 1);
}

#[sqlx::test]
async fn an_archived_product_and_its_count_go_at_once(db: PgPool) {
    let shop = listening_shop(db).await;
    assert_eq!(shop.get(LIST).await.json()["total"], 156);

    let list = list_after(&shop, "UPDATE products SET archived_at = now() WHERE slug = 'jeera-masino-rice'").await;

    assert_eq!(list["total"], 155);
    assert_ne!(list["data"][0]["slug"], "jeera-masino-rice");
}

#[sqlx::test]
async fn a_renamed_category_shows_at_once(db: PgPool) {
    let shop = listening_shop(db).await;
    shop.get(LIST).await;

    let list = list_after(&shop, "UPDATE categories SET name = 'Rice and more' WHERE slug = 'rice-grains'").await;

    assert_eq!(list["data"][0]["category"], "Rice and more");
}

#[sqlx::test]
async fn what_changes_by_the_clock_is_made_again_at_that_moment(db: PgPool) {
    let shop = TestShop::new(db);
    let (cache, clock) = (&shop.app.cache, &shop.app.clock);
    cache.set_listening(true);
    let text = |body: &'static str| CachedResponse::new("/p", StatusCode::OK, "text/plain", body);
    let midnight = clock.now() + TimeDelta::hours(3);
    let today = || async { Ok::<_, ApiError>(text("today").valid_until(Some(midnight))) };
    let tomorrow = || async { Ok::<_, ApiError>(text("tomorrow")) };

    cache.get("/p", today).await.unwrap();
    clock.advance(TimeDelta::hours(2));
    let before = cache.get("/p", tomorrow).await.unwrap();
    clock.advance(TimeDelta::hours(1));
    let at_once = cache.get_now("/p");
    let after = cache.get("/p", tomorrow).await.unwrap();

    assert_eq!((before.body().as_ref(), after.body().as_ref()), (&b"today"[..], &b"tomorrow"[..]));
    assert!(at_once.is_none());
}

#[sqlx::test]
async fn a_new_coupon_shows_on_the_page_of_offers_at_once(db: PgPool) {
    let shop = listening_shop(db).await;
    assert!(!shop.get("/offers").await.text.contains("NAMASTE"));

    list_after(
        &shop,
        "INSERT INTO coupons (id, code, amount_paisa, minimum_paisa, starts_at, ends_at, uses_per_customer, active, public,
                              about, about_ne, version, created_by, created_at, updated_at)
         VALUES (gen_random_uuid(), 'NAMASTE', 5000, 0, now() - interval '1 hour', now() + interval '1 hour', 1, true, true,
                 '', '', 1, gen_random_uuid(), now(), now())",
    )
    .await;

    assert!(shop.get("/offers").await.text.contains("NAMASTE"));
}

#[sqlx::test]
async fn a_sale_drops_nothing_but_selling_out_does(db: PgPool) {
    let shop = listening_shop(db).await;
    let before = first_product(&shop).await["stock"].as_i64().unwrap();
    assert!(before > 1);

    let mut told = PgListener::connect_with(&shop.db).await.unwrap();
    told.listen("catalogue").await.unwrap();
    shop.sql("UPDATE products SET stock = stock - 1 WHERE slug = 'jeera-masino-rice'").await;
    let list = list_after(&shop, "UPDATE products SET stock = 0 WHERE slug = 'jeera-masino-rice'").await;

    assert_eq!(list["data"][0]["stock"], 0);
    shop.sql("NOTIFY catalogue, 'the last one'").await;
    told.recv().await.unwrap();
    assert_eq!(told.recv().await.unwrap().payload(), "the last one", "the sale was told, too");
}

/// Otherwise any visitor could bypass the cache with unknown parameters.
#[sqlx::test]
async fn parameters_that_a_call_does_not_know_share_one_cached_answer(db: PgPool) {
    let shop = listening_shop(db).await;
    let stock = async |query: &str| {
        let list = shop.get(&format!("/api/product/get_products{query}")).await.json();
        list["data"][0]["stock"].as_i64().unwrap()
    };
    let (all, few) = (stock("?x=1").await, stock("?limit=24&x=1").await);

    // A sale does not invalidate cached responses, so a new stock figure shows that the response is new.
    sqlx::query("UPDATE products SET stock = stock - 1 WHERE slug = 'jeera-masino-rice'")
        .execute(&shop.db)
        .await
        .unwrap();

    for query in ["", "?x=2", "?sort=featured", "?limit=500&x=", "?search=&category=+", "?x=%26&y&&"] {
        assert_eq!(stock(query).await, all, "{query}");
    }
    for query in ["?limit=24", "?x=2&limit=24", "?limit=%32%34", "?limit=24&sort=featured"] {
        assert_eq!(stock(query).await, few, "{query}");
    }
    assert_eq!(stock("?limit=23").await, few - 1, "another question has another answer");
}

/// A search text must never be served the cached response of another request.
#[sqlx::test]
async fn no_search_text_passes_for_two_parameters(db: PgPool) {
    let shop = listening_shop(db).await;

    let odd = shop.get("/api/product/get_products?search=rice%26limit%3D1").await.json();
    let plain = shop.get("/api/product/get_products?search=rice&limit=1").await.json();

    assert_eq!(odd["total"], 0);
    assert_eq!(plain["data"].as_array().unwrap().len(), 1);
}

#[sqlx::test]
async fn sitemaps_are_cached(db: PgPool) {
    let shop = listening_shop(db).await;
    for file in ["/sitemap.xml", "/sitemaps/pages.xml", "/sitemaps/products-0.xml"] {
        assert!(shop.app.cache.get_now(file).is_none());

        let answer = shop.get(&format!("{file}?x=1")).await;

        assert_eq!((answer.status.as_u16(), answer.header("content-type")), (200, "application/xml; charset=utf-8"));
        assert!(shop.app.cache.get_now(file).is_some(), "{file}");
    }
    assert_eq!(shop.get("/sitemaps/products-x.xml").await.status, 404);
}

#[test]
fn stock_is_never_older_than_fifteen_seconds() {
    assert!(thunse::platform::cache::MAX_AGE <= Duration::from_secs(15));
}
