//! Guarantees of the database itself.

use sqlx::{PgPool, Row};
use thunse::platform::permissions::Role;
use thunse::platform::{db, invariants, jobs};

use crate::support::TestShop;

/// Runs `sql` as the role of the server.
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
        "INSERT INTO cash_transactions (kind, at) VALUES ('collected', now())",
        "UPDATE cash_entries SET amount_paisa = 1",
        "DELETE FROM cash_entries",
        "UPDATE cash_settlements SET counted_paisa = 1",
        "UPDATE door_returns SET value_paisa = 1",
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
    shop.assert_invariants_hold().await;

    sqlx::query("UPDATE products SET stock = stock + 1 WHERE slug = 'basmati-rice'").execute(&shop.db).await.unwrap();

    let seen = invariants::find_violations(&shop.db).await.unwrap();
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

    // An update can be HOT only if no index covers the changed column.
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

    let added = thunse::demo::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();

    assert_eq!(added, 0);
    assert_eq!(shop.get("/api/product/get_products").await.names().len(), 156);
}

#[sqlx::test]
async fn a_large_shop_is_made_whole(db: PgPool) {
    let shop = TestShop::new(db);

    thunse::demo::load_large_demo(&shop.db, &*shop.app.pictures, 3_000).await.unwrap();

    let total = shop.get("/api/product/get_products?limit=1").await.json()["total"].clone();
    assert_eq!(total, 3_000);
    assert!(!shop.search("sagarmatha").await.names().is_empty());
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_serving_role_changes_no_figure_and_no_name_of_a_seller(db: PgPool) {
    // A test database is a copy of a migrated one and has the default privileges of a new one.
    db::restrict_updates(&db).await.unwrap();
    for forbidden in [
        "UPDATE orders SET total_paisa = 0",
        "UPDATE orders SET tax_percent = 0",
        "UPDATE orders SET tax_rate_bp = 0",
        "UPDATE orders SET vat_registered = false",
        "UPDATE orders SET user_id = gen_random_uuid()",
        "UPDATE payments SET amount_paisa = 1",
        "UPDATE payments SET subject_id = gen_random_uuid()",
        "UPDATE refunds SET amount_paisa = 1",
        "UPDATE refunds SET payment_id = gen_random_uuid()",
        "UPDATE refunds SET is_partial = true",
        "UPDATE order_adjustments SET quantity_after = 0",
        "DELETE FROM order_adjustments",
        "UPDATE order_packings SET due_paisa = 0",
        "DELETE FROM order_packings",
        "UPDATE packing_proposals SET total_paisa = 1",
        "UPDATE sellers SET email = 'x@example.com'",
        "UPDATE sellers SET name = 'X'",
        "UPDATE sellers SET created_at = now()",
        "DELETE FROM sellers",
        "UPDATE seller_backup_codes SET code_hash = ''",
        "SELECT restrict_updates()",
        "CREATE TEMP TABLE mine (id int)",
    ] {
        let refused = as_server(&db, forbidden).await.unwrap_err();
        assert!(refused.contains("permission denied"), "{forbidden}: {refused}");
    }
    for allowed in [
        "UPDATE orders SET status = status, payment = payment, updated_at = now()",
        "UPDATE payments SET state = state, received_paisa = received_paisa",
        "UPDATE refunds SET state = state",
        "UPDATE sellers SET language = 'ne', totp_last_step = 1, password_hash = password_hash",
        "UPDATE sellers SET role = 'packer', disabled_at = now(), totp_secret = NULL, totp_pending_secret = NULL",
        "INSERT INTO sellers (id, email, name, password_hash) VALUES (gen_random_uuid(), 'x@example.com', 'X', '')",
        "DELETE FROM seller_backup_codes",
        "UPDATE orders SET rider_id = NULL",
        "UPDATE orders SET amount_due_paisa = amount_due_paisa",
        "UPDATE order_packings SET agreed_name = agreed_name",
        "UPDATE seller_backup_codes SET used_at = now()",
    ] {
        assert_eq!(as_server(&db, allowed).await, Ok(()), "{allowed}");
    }
}

#[sqlx::test]
async fn a_new_column_of_an_order_may_be_changed_after_the_next_migrate(db: PgPool) {
    sqlx::query("ALTER TABLE orders ADD COLUMN note text, ADD COLUMN extra_paisa bigint").execute(&db).await.unwrap();
    db::restrict_updates(&db).await.unwrap();

    assert_eq!(as_server(&db, "UPDATE orders SET note = ''").await, Ok(()));
    assert!(as_server(&db, "UPDATE orders SET extra_paisa = 0").await.is_err());
}

/// Sellers are managed with a database role of their own, which may do what the command line needs.
#[sqlx::test]
async fn the_administering_role_makes_and_changes_sellers(db: PgPool) {
    jobs::migrate(&db).await.unwrap();
    let options = db.connect_options().as_ref().clone().username("thunse_admin").password("thunse_admin");
    let admin = TestShop::new(PgPool::connect_with(options).await.unwrap());
    let email = "sita@example.com";

    thunse::staff::create(&admin.app, email, "Sita", Role::Owner, None).await.unwrap();
    thunse::staff::require_second_step(&admin.app, email).await.unwrap();
    thunse::staff::rotate_keys(&admin.app).await.unwrap();
    thunse::staff::reset_password(&admin.app, email, None).await.unwrap();
    thunse::staff::unlock(&admin.app, email).await.unwrap();
    thunse::staff::remove_second_step(&admin.app, email).await.unwrap();
    thunse::staff::disable(&admin.app, email).await.unwrap();

    let refused = sqlx::query("UPDATE orders SET total_paisa = 0").execute(&admin.db).await.unwrap_err();
    assert!(refused.to_string().contains("permission denied"), "{refused}");
}

/// Returns the functions, triggers and views that the database has.
async fn definitions(db: &PgPool) -> Vec<(String, String)> {
    sqlx::query_as(
        "SELECT p.proname::text, pg_get_functiondef(p.oid) FROM pg_proc p
         WHERE p.pronamespace = 'public'::regnamespace AND NOT EXISTS (
             SELECT FROM pg_depend d WHERE d.objid = p.oid AND d.deptype = 'e')
         UNION ALL
         SELECT t.tgname::text, pg_get_triggerdef(t.oid) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
         WHERE NOT t.tgisinternal AND c.relnamespace = 'public'::regnamespace
         UNION ALL
         SELECT c.relname::text, pg_get_viewdef(c.oid) FROM pg_class c
         WHERE c.relkind IN ('v', 'm') AND c.relnamespace = 'public'::regnamespace
         ORDER BY 1, 2",
    )
    .fetch_all(db)
    .await
    .unwrap()
}

#[sqlx::test]
async fn the_database_has_the_functions_triggers_and_views_of_the_repeatable_migrations(db: PgPool) {
    let before = definitions(&db).await;
    let files: Vec<String> = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.file_name().unwrap().to_str().unwrap().starts_with("999999999999"))
        .map(|path| std::fs::read_to_string(path).unwrap())
        .collect();
    let text = files.join("\n");

    assert!(before.len() > 25, "{before:?}");
    for (name, definition) in &before {
        assert!(
            ["FUNCTION", "TRIGGER", "VIEW"]
                .iter()
                .any(|kind| text.contains(&format!("CREATE OR REPLACE {kind} {name}"))),
            "no repeatable migration defines {definition}"
        );
    }
    for _ in 0..2 {
        db::migrate(&db).await.unwrap();
        assert_eq!(definitions(&db).await, before);
        sqlx::query("UPDATE _sqlx_migrations SET checksum = '' WHERE version >= 99999999999900")
            .execute(&db)
            .await
            .unwrap();
    }
}

#[sqlx::test]
async fn a_repeatable_migration_whose_text_has_changed_runs_again(db: PgPool) {
    sqlx::query("CREATE OR REPLACE VIEW catalogue_violations AS SELECT ''::text AS invariant, ''::text AS what, ''::text AS detail")
        .execute(&db)
        .await
        .unwrap();
    let broken = definitions(&db).await;

    db::migrate(&db).await.unwrap();
    assert_eq!(definitions(&db).await, broken, "its text has not changed");

    sqlx::query("UPDATE _sqlx_migrations SET checksum = '' WHERE version = 99999999999910").execute(&db).await.unwrap();
    db::migrate(&db).await.unwrap();
    assert_ne!(definitions(&db).await, broken);
}

/// The last check against overselling, without the earlier one that an order makes before it is written.
#[sqlx::test]
async fn taking_more_than_there_is_takes_nothing(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    shop.sql("ALTER TABLE products DROP CONSTRAINT products_stock_not_negative").await;
    let take = async |quantity: i32| {
        sqlx::query("SELECT take_stock(gen_random_uuid(), ARRAY[$1::uuid], ARRAY[$2], NULL, 'test')")
            .bind(rice.parse::<uuid::Uuid>().unwrap())
            .bind(quantity)
            .execute(&shop.db)
            .await
            .map_err(|error| error.as_database_error().unwrap().code().unwrap().into_owned())
            .map(|_| ())
    };

    assert_eq!(take(6).await, Err("TS001".to_owned()));
    assert_eq!(shop.stock(&rice).await, 5);
    assert_eq!(take(5).await, Ok(()));
    assert_eq!(take(1).await, Err("TS001".to_owned()));
    assert_eq!(shop.stock(&rice).await, 0);
}
