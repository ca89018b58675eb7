//! What the database itself guards.

use sqlx::{PgPool, Row};
use thunse::platform::invariants;

use crate::support::TestShop;

/// Runs `sql` as the role that serves shoppers.
async fn as_server(db: &PgPool, sql: &'static str) -> Result<(), String> {
    let mut tx = db.begin().await.unwrap();
    sqlx::query("SET LOCAL ROLE thunse_app").execute(&mut *tx).await.unwrap();
    sqlx::query(sql).execute(&mut *tx).await.map(|_| ()).map_err(|error| error.to_string())
}

#[sqlx::test]
async fn the_serving_role_changes_rows_and_nothing_else(db: PgPool) {
    let shop = TestShop::demo(db).await;

    assert_eq!(as_server(&shop.db, "UPDATE products SET stock = stock + 1").await, Ok(()));
    for forbidden in [
        "DROP TABLE products",
        "ALTER TABLE products DROP COLUMN stock",
        "CREATE TABLE mine (id int)",
        "DELETE FROM products",
        "UPDATE stock_movements SET delta = 1",
        "DELETE FROM stock_movements",
        "TRUNCATE stock_movements",
    ] {
        let refused = as_server(&shop.db, forbidden).await.unwrap_err();
        assert!(refused.contains("must be owner") || refused.contains("permission denied"), "{forbidden}: {refused}");
    }
}

#[sqlx::test]
async fn stock_cannot_go_below_nothing(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let refused = as_server(&shop.db, "UPDATE products SET stock = -1 WHERE slug = 'basmati-rice'").await.unwrap_err();

    assert!(refused.contains("products_stock_not_negative"), "{refused}");
}

#[sqlx::test]
async fn stock_that_moved_without_its_ledger_is_seen(db: PgPool) {
    let shop = TestShop::demo(db).await;
    shop.assert_sound().await;

    sqlx::query("UPDATE products SET stock = stock + 1 WHERE slug = 'basmati-rice'").execute(&shop.db).await.unwrap();

    let seen = invariants::violations(&shop.db).await.unwrap();
    assert_eq!(
        seen.iter().map(|one| one.invariant.as_str()).collect::<Vec<_>>(),
        ["stock is the sum of its movements"]
    );
}

#[sqlx::test]
async fn a_sale_is_a_hot_update(db: PgPool) {
    let shop = TestShop::demo(db).await;
    sqlx::query("VACUUM ANALYZE products").execute(&shop.db).await.unwrap();

    sqlx::query("UPDATE products SET stock = stock - 1 WHERE slug = 'basmati-rice'").execute(&shop.db).await.unwrap();

    // The tuple's own header says whether indexes had to follow.
    let hot: i64 = sqlx::query(
        "SELECT count(*) FROM pg_class c WHERE c.relname = 'products'
         AND NOT EXISTS (SELECT FROM pg_index i JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey)
                         WHERE i.indrelid = c.oid AND a.attname = 'stock')",
    )
    .fetch_one(&shop.db)
    .await
    .unwrap()
    .get(0);
    assert_eq!(hot, 1, "an index on stock would make every sale write every index");
}

#[sqlx::test]
async fn loading_the_demo_twice_changes_nothing(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let added = thunse::catalogue::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();

    assert_eq!(added, 0);
    assert_eq!(shop.get("/api/product/get_products").await.names().len(), 156);
}

#[sqlx::test]
async fn a_large_shop_is_made_whole(db: PgPool) {
    let shop = TestShop::new(db);

    thunse::catalogue::load_large_demo(&shop.db, &*shop.app.pictures, 3_000).await.unwrap();

    let total = shop.get("/api/product/get_products?limit=1").await.json()["total"].clone();
    assert_eq!(total, 3_000);
    assert!(!shop.search("sagarmatha").await.names().is_empty());
    shop.assert_sound().await;
}
