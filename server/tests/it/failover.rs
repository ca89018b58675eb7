//! What the shop does while the database is away, silent or read-only, and afterwards.

use serde_json::json;
use sqlx::PgPool;

use crate::orders::shopper;
use crate::support::relay::Relay;
use crate::support::{TestShop, wait_until};

const LIST: &str = "/api/product/get_products?limit=24";
const PAGES: [&str; 4] = ["/", "/products", "/categories", LIST];

/// Waits until the shop is ready: one check of the database has little time for a new connection on a busy machine.
async fn wait_until_ready(shop: &TestShop) {
    wait_until("the shop is ready", async || shop.get("/readyz").await.status == 200).await;
}

/// A shop that has answered its pages once, behind a relay to its database.
async fn browsed_shop(db: &PgPool, relay: &Relay) -> TestShop {
    let shop = TestShop::demo(relay.pool(db)).await;
    for page in PAGES {
        assert_eq!(shop.get(page).await.status, 200, "{page}");
    }
    shop
}

#[sqlx::test]
async fn pages_in_memory_are_served_while_the_database_is_away(db: PgPool) {
    let relay = Relay::to(&db).await;
    let shop = browsed_shop(&db, &relay).await;
    let list = shop.get(LIST).await.json();

    relay.refuse();
    // Nothing may be served as fresh, whatever the time since the first answer is.
    shop.app.cache.invalidate_all(thunse::platform::cache::CatalogueChange::Listing);
    for page in PAGES {
        assert_eq!(shop.get(page).await.status, 200, "{page}, before the loss was noticed");
    }
    assert!(!shop.app.database.check().await);
    for page in PAGES {
        assert_eq!(shop.get(page).await.status, 200, "{page}, after the loss was noticed");
    }
    assert_eq!(shop.get(LIST).await.json(), list);
    assert_eq!(shop.get("/readyz").await.status, 503);
    let unknown = shop.get("/api/product/get_products?search=chamal").await;
    assert_eq!((unknown.status.as_u16(), &unknown.json()["code"]), (503, &json!("database_unavailable")));
    assert_eq!(unknown.header("retry-after"), "2");

    relay.forward();
    wait_until_ready(&shop).await;
    shop.sql("UPDATE products SET price_paisa = 53075 WHERE slug = 'jeera-masino-rice'").await;
    assert_eq!(shop.get(LIST).await.json()["data"][0]["price"], 530.75, "nothing stale is served any more");
}

#[sqlx::test]
async fn a_silent_database_is_no_database(db: PgPool) {
    let relay = Relay::to(&db).await;
    let shop = browsed_shop(&db, &relay).await;
    wait_until_ready(&shop).await;

    relay.fall_silent();
    assert_eq!(shop.get("/readyz").await.status, 503);
    shop.app.cache.invalidate_all(thunse::platform::cache::CatalogueChange::Listing);
    for page in PAGES {
        assert_eq!(shop.get(page).await.status, 200, "{page}");
    }

    // The silent connection is dropped.
    relay.forward();
    wait_until_ready(&shop).await;
}

#[sqlx::test]
async fn a_read_only_database_is_not_ready(db: PgPool) {
    let shop = TestShop::new(db);
    let name: String = sqlx::query_scalar("SELECT current_database()").fetch_one(&shop.db).await.unwrap();

    shop.sql(&format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = on")).await;

    assert_eq!(shop.get("/readyz").await.status, 503);
}

#[sqlx::test]
async fn a_full_disk_is_answered_like_a_database_that_is_away(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let asha = shopper(&shop, "asha@example.com").await;
    shop.sql(
        "CREATE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = 'disk_full'; END $$;
         CREATE TRIGGER fail BEFORE INSERT OR UPDATE ON carts FOR EACH ROW EXECUTE FUNCTION fail()",
    )
    .await;

    let saved = asha.post("/api/cart/update_cart", &json!({"cartItems": {}})).await;

    assert_eq!((saved.status.as_u16(), &saved.json()["code"]), (503, &json!("database_unavailable")));
}

/// All connections of the first pool may be held by orders that wait for a slow disk.
#[sqlx::test]
async fn readers_find_a_connection_while_all_writers_wait(db: PgPool) {
    let shop = TestShop::with_own_pools(&db, None);
    thunse::demo::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();
    let list = shop.get(LIST).await.json();
    let product = list["data"][0]["_id"].as_str().unwrap();

    let mut writers = Vec::new();
    while let Some(connection) = shop.db.try_acquire() {
        writers.push(connection);
    }
    // The listener has one of the five.
    while writers.len() < 4 {
        writers.push(shop.db.acquire().await.unwrap());
    }
    assert!(shop.db.try_acquire().is_none());

    // None of them was asked for before.
    for page in ["/products?limit=7", "/category/rice-grains", "/api/category/get_category_public"] {
        assert_eq!(shop.get(page).await.status, 200, "{page}");
    }
    assert_eq!(shop.get("/api/product/get_products?limit=7").await.status, 200);
    assert_eq!(shop.get(&format!("/api/product/get_product/{product}")).await.status, 200);
}
