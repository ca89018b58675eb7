//! Favourites, products to buy again, and messages about products that are in stock again.

use chrono::TimeDelta;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::cache::CatalogueChange;

use crate::orders::{asha, order_request, set_status, shopper, sita};
use crate::serve::{BLOCKED_STATEMENTS, wait_for_count};
use crate::support::mailbox::Mailbox;
use crate::support::push_service::PushService;
use crate::support::queue::add_job;
use crate::support::{Browser, GENEROUS_LIMITS, PASSWORD, TestShop, refusal};

const WISHLIST: &str = "/api/wishlist";
const BUY_AGAIN: &str = "/api/wishlist/buy_again";
const ASHA: &str = "asha@example.com";

async fn add_favourite(browser: &Browser<'_>, product: &str) -> (u16, String) {
    let answer = browser.put(&format!("{WISHLIST}/favourites/{product}"), &json!({})).await;
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

async fn request_notice(browser: &Browser<'_>, product: &str) -> (u16, String) {
    let answer = browser.put(&format!("{WISHLIST}/stock_notices/{product}"), &json!({})).await;
    (answer.status.as_u16(), answer.json()["code"].as_str().unwrap_or_default().to_owned())
}

fn accepted() -> (u16, String) {
    (200, String::new())
}

async fn restock(seller: &Browser<'_>, slug: &str, was: &str, stock: &str) {
    let path = format!("/api/product/update_product/{slug}");
    let answer = seller.send_form(Method::PUT, &path, &[("stock", stock), ("stockWas", was)], None).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
}

/// Runs the due jobs, and then those that they have queued.
async fn run_jobs(shop: &TestShop) {
    for _ in 0..3 {
        shop.run_jobs().await;
    }
}

/// A shop that sends emails, with a category.
async fn shop_with(db: PgPool, settings: &[(&str, &str)]) -> (TestShop, uuid::Uuid) {
    let mut all = vec![("OPEN_COD_CONFIRM_MINUTES", "0")];
    all.extend(GENEROUS_LIMITS);
    all.extend(settings);
    let shop = TestShop::with_jobs_and_settings(db, &all).await;
    let category = shop.add_category("Staples").await;
    (shop, category)
}

/// The emails about products that are back, by subject.
async fn notices(mailbox: &Mailbox, to: &str) -> Vec<Value> {
    let emails = mailbox.emails(to).await;
    let is_notice = |subject: &str| subject.contains("back in stock") || subject.contains("फेरि उपलब्ध छ");
    emails.into_iter().filter(|email| is_notice(email["subject"].as_str().unwrap())).collect()
}

#[sqlx::test]
async fn favourites_are_listed_newest_first_while_they_are_on_sale(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 250, 10).await;
    let oil = shop.add_product(category, "Oil", 320, 0).await;
    let asha = asha(&shop).await;

    assert_eq!(add_favourite(&asha, &rice).await, accepted());
    shop.app.clock.advance(TimeDelta::minutes(1));
    assert_eq!(add_favourite(&asha, &oil).await, accepted());
    assert_eq!(add_favourite(&asha, &rice).await, accepted(), "twice is once");

    let listed = asha.get(WISHLIST).await;
    assert_eq!(listed.json()["data"], json!({"favourites": [oil, rice], "stockNotices": []}));
    assert_eq!(listed.header("cache-control"), "no-store");
    let other = shopper(&shop, "bina@example.com").await;
    assert_eq!(other.get(WISHLIST).await.json()["data"]["favourites"], json!([]));
    assert_eq!(Browser::new(&shop).get(WISHLIST).await.status, 401);

    shop.sql("UPDATE products SET archived_at = now() WHERE name = 'Oil'").await;
    assert_eq!(asha.get(WISHLIST).await.json()["data"]["favourites"], json!([rice]));
    assert_eq!(add_favourite(&asha, &oil).await, refusal(404, "product_not_found"));
    assert_eq!(add_favourite(&asha, "nothing").await, refusal(404, "product_not_found"));
    for _ in 0..2 {
        assert_eq!(asha.delete(&format!("{WISHLIST}/favourites/{rice}")).await.status, 200);
    }
    assert_eq!(asha.get(WISHLIST).await.json()["data"]["favourites"], json!([]));
}

#[sqlx::test]
async fn a_shopper_has_at_most_500_favourites_and_waits_for_at_most_50_products(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let asha = asha(&shop).await;
    let last = shop.add_product(category, "Last", 10, 0).await;
    shop.sql(
        "INSERT INTO products (id, category_id, slug, name, description, price_paisa, stock, updated_at)
         SELECT gen_random_uuid(), category_id, 'p-' || n, 'P' || n, '', 100, 0, now()
         FROM products, generate_series(1, 500) n WHERE slug = 'last'",
    )
    .await;
    shop.sql(
        "INSERT INTO favourites (user_id, product_id, created_at)
         SELECT u.id, p.id, now() FROM users u, products p WHERE p.slug LIKE 'p-%' LIMIT 499",
    )
    .await;
    shop.sql(
        "INSERT INTO stock_notices (id, user_id, product_id, created_at)
         SELECT gen_random_uuid(), u.id, p.id, now() FROM users u, products p WHERE p.slug LIKE 'p-%' LIMIT 49",
    )
    .await;

    assert_eq!(add_favourite(&asha, &last).await, accepted());
    assert_eq!(request_notice(&asha, &last).await, accepted());
    assert_eq!((add_favourite(&asha, &last).await, request_notice(&asha, &last).await), (accepted(), accepted()));

    let more = shop.add_product(category, "More", 10, 0).await;
    assert_eq!(add_favourite(&asha, &more).await, refusal(409, "too_many_favourites"));
    assert_eq!(request_notice(&asha, &more).await, refusal(409, "too_many_notices"));
    let listed = asha.get(WISHLIST).await.json();
    assert_eq!(listed["data"]["favourites"].as_array().unwrap().len(), 500);
    assert_eq!(listed["data"]["stockNotices"].as_array().unwrap().len(), 50);
}

#[sqlx::test]
async fn what_was_bought_most_often_comes_first_and_cancelled_orders_do_not_count(db: PgPool) {
    let (shop, category) = shop_with(db, &[]).await;
    let mut products = Vec::new();
    for name in ["Rice", "Oil", "Salt", "Dal", "Tea"] {
        products.push(shop.add_product(category, name, 100, 10).await);
    }
    let [rice, oil, salt, dal, tea] = products.as_slice() else { panic!("five products") };
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    assert_eq!(asha.get(BUY_AGAIN).await.json()["data"], json!([]));

    let orders = [
        (rice, "Delivered"),
        (oil, "Order Confirmed"),
        (rice, "Out for Delivery"),
        (salt, "Cancelled"),
        (dal, "Order Shipped"),
        (tea, ""),
    ];
    for (number, (product, status)) in orders.into_iter().enumerate() {
        shop.app.clock.advance(TimeDelta::seconds(1));
        let placed = asha.place_order(Some(&format!("k-{number}")), &order_request(product, 1, 133.0)).await;
        assert_eq!(placed.status, 200, "{}", placed.text);
        if !status.is_empty() {
            assert_eq!(set_status(&sita, &placed.json()["data"]["_id"], status).await.status, 200, "{status}");
        }
    }

    let listed = asha.get(BUY_AGAIN).await;
    assert_eq!(listed.names(), ["Rice", "Dal", "Oil"]);
    assert_eq!(listed.header("cache-control"), "no-store");
    assert_eq!(listed.json()["data"][0]["price"], 100);

    shop.sql("UPDATE products SET archived_at = now() WHERE name = 'Oil'").await;
    shop.sql("UPDATE products SET stock = 0 WHERE name = 'Rice'").await;
    assert_eq!(asha.get(BUY_AGAIN).await.names(), ["Dal", "Rice"], "what is sold out comes last");
    assert_eq!(shopper(&shop, "bina@example.com").await.get(BUY_AGAIN).await.json()["data"], json!([]));
}

#[sqlx::test]
async fn everyone_who_waits_is_told_once_by_push_and_email_in_their_language(db: PgPool) {
    let (mailbox, push) = (Mailbox::open(), PushService::start());
    let mut settings = vec![("SMTP_URL", mailbox.smtp_url.as_str())];
    settings.extend(push.settings());
    let (shop, category) = shop_with(db, &settings).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    shop.sql("UPDATE products SET name_ne = 'चामल'").await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let mut bina = Browser::new(&shop);
    bina.language = "ne";
    bina.register("bina@example.com").await;
    let device = push.add_browser(&shop).await;
    assert_eq!(bina.post("/api/alerts/subscribe", &device.subscription).await.status, 200);
    for browser in [&asha, &bina, &asha] {
        assert_eq!(request_notice(browser, &rice).await, accepted());
    }
    assert_eq!(asha.get(WISHLIST).await.json()["data"]["stockNotices"], json!([rice]));

    restock(&sita, "rice", "0", "5").await;
    run_jobs(&shop).await;

    let told = notices(&mailbox, ASHA).await;
    assert_eq!(told.len(), 1, "{told:?}");
    assert_eq!(told[0]["subject"], "Rice is back in stock");
    let text = told[0]["text"].as_str().unwrap();
    assert!(text.contains(&format!("/product/staples/{rice}")) && text.contains("/unsubscribe#token="), "{text}");
    assert_eq!(told[0]["headers"]["list-unsubscribe-post"], "List-Unsubscribe=One-Click");
    let told = notices(&mailbox, "bina@example.com").await;
    assert_eq!((told.len(), &told[0]["subject"]), (1, &json!("चामल फेरि उपलब्ध छ")));
    let pushed = push.received(&device).await;
    assert_eq!(pushed.len(), 1, "{pushed:?}");
    assert_eq!(pushed[0]["title"], "चामल फेरि उपलब्ध छ");
    assert_eq!(pushed[0]["url"], format!("/product/staples/{rice}"));
    assert_eq!(shop.count("stock_notices").await, 0);

    // Another job for the same restock, and another restock, tell nobody again.
    add_job(&shop.db, "wishlist.announce_restock", &json!({"product": rice})).await;
    restock(&sita, "rice", "5", "0").await;
    restock(&sita, "rice", "0", "3").await;
    run_jobs(&shop).await;
    assert_eq!((notices(&mailbox, ASHA).await.len(), push.received(&device).await.len()), (1, 1));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn two_workers_with_a_doubled_job_tell_each_shopper_once(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = shop_with(db.clone(), &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let people: Vec<String> = (0..12).map(|n| format!("shopper{n}@example.com")).collect();
    for email in &people {
        assert_eq!(request_notice(&shopper(&shop, email).await, &rice).await, accepted());
    }
    shop.run_jobs().await;
    let mut settings = vec![("SMTP_URL", mailbox.smtp_url.as_str())];
    settings.extend(GENEROUS_LIMITS);
    let other = TestShop::with(db, &settings);

    restock(&sita(&shop).await, "rice", "0", "5").await;
    for _ in 0..4 {
        add_job(&shop.db, "wishlist.announce_restock", &json!({"product": rice})).await;
    }
    for _ in 0..3 {
        futures_util::join!(shop.run_jobs(), other.run_jobs());
    }

    for email in &people {
        assert_eq!(notices(&mailbox, email).await.len(), 1, "{email}");
    }
    assert_eq!(shop.count("stock_notices").await, 0);
}

#[sqlx::test]
async fn a_cancelled_order_is_a_restock_and_a_sold_out_product_is_announced_later(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = shop_with(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 250, 1).await;
    let (asha, bina, sita) = (asha(&shop).await, shopper(&shop, "bina@example.com").await, sita(&shop).await);
    assert_eq!(request_notice(&asha, &rice).await, refusal(409, "product_in_stock"));
    let placed = bina.place_order(Some("k-1"), &order_request(&rice, 1, 302.5)).await.json();
    assert_eq!(request_notice(&asha, &rice).await, accepted());

    // The packet comes back and is sold again before the worker runs: Asha goes on waiting.
    assert_eq!(set_status(&sita, &placed["data"]["_id"], "Cancelled").await.status, 200);
    let again = bina.place_order(Some("k-2"), &order_request(&rice, 1, 302.5)).await.json();
    run_jobs(&shop).await;
    assert_eq!((notices(&mailbox, ASHA).await.len(), shop.count("stock_notices").await), (0, 1));

    assert_eq!(set_status(&sita, &again["data"]["_id"], "Cancelled").await.status, 200);
    run_jobs(&shop).await;
    assert_eq!((notices(&mailbox, ASHA).await.len(), shop.count("stock_notices").await), (1, 0));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn what_others_buy_is_what_three_shoppers_bought_lately_and_names_none_of_them(db: PgPool) {
    let (shop, category) = shop_with(db, &[]).await;
    let mut products = Vec::new();
    for (name, stock) in [("Rice", 50), ("Oil", 50), ("Salt", 50), ("Tea", 3)] {
        products.push(shop.add_product(category, name, 100, stock).await);
    }
    let [rice, oil, salt, tea] = [&products[0], &products[1], &products[2], &products[3]];
    // Tea is sold out afterwards, and of the two who bought salt one did so twice.
    let baskets = [vec![rice, oil, salt, tea], vec![rice, oil, salt, salt, tea], vec![rice, oil, tea], vec![rice]];
    for (number, basket) in baskets.into_iter().enumerate() {
        let buyer = shopper(&shop, &format!("buyer{number}@example.com")).await;
        for (line, product) in basket.into_iter().enumerate() {
            let placed = buyer.place_order(Some(&line.to_string()), &order_request(product, 1, 133.0)).await;
            assert_eq!(placed.status, 200, "{}", placed.text);
        }
    }
    let popular = async || {
        shop.app.cache.invalidate_all(CatalogueChange::Detail);
        shop.get("/api/wishlist/popular").await
    };

    let answer = popular().await;
    assert_eq!(answer.names(), ["Rice", "Oil"]);
    assert!(!answer.text.contains("buyer") && !answer.text.contains("Asha"), "{}", answer.text);

    let sita = sita(&shop).await;
    let order: String =
        sqlx::query_scalar("SELECT order_id::text FROM order_items WHERE name = 'Oil' ORDER BY order_id LIMIT 1")
            .fetch_one(&shop.db)
            .await
            .unwrap();
    assert_eq!(set_status(&sita, &json!(order), "Cancelled").await.status, 200);
    assert_eq!(popular().await.names(), ["Rice"]);

    shop.app.clock.advance(TimeDelta::days(15));
    assert_eq!(popular().await.names(), Vec::<String>::new());
}

/// Either the restock sees the request, or the request sees the restock.
#[sqlx::test]
async fn a_request_at_the_moment_of_a_restock_is_never_lost(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = shop_with(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let oil = shop.add_product(category, "Oil", 250, 0).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);

    // The restock is not yet committed when the request arrives.
    let mut restocking = shop.db.begin().await.unwrap();
    sqlx::query("UPDATE products SET stock = 5 WHERE slug = 'rice'").execute(&mut *restocking).await.unwrap();
    let committing = async {
        wait_for_count(&shop.db, BLOCKED_STATEMENTS, 1).await;
        restocking.commit().await.unwrap();
    };
    let (answer, ()) = tokio::join!(request_notice(&asha, &rice), committing);
    assert_eq!(answer, refusal(409, "product_in_stock"));

    // The request is not yet committed when the restock arrives.
    let mut requesting = shop.db.begin().await.unwrap();
    for statement in [
        "SELECT FROM products WHERE slug = 'oil' FOR NO KEY UPDATE",
        "INSERT INTO stock_notices (id, user_id, product_id, created_at)
         SELECT gen_random_uuid(), u.id, p.id, now() FROM users u, products p WHERE p.slug = 'oil'",
    ] {
        sqlx::query(statement).execute(&mut *requesting).await.unwrap();
    }
    let committing = async {
        wait_for_count(&shop.db, BLOCKED_STATEMENTS, 1).await;
        requesting.commit().await.unwrap();
    };
    tokio::join!(restock(&sita, "oil", "0", "5"), committing);
    run_jobs(&shop).await;
    let told = notices(&mailbox, ASHA).await;
    assert_eq!((told.len(), &told[0]["subject"]), (1, &json!("Oil is back in stock")), "{oil}");
}

#[sqlx::test]
async fn an_unsubscribed_shopper_gets_no_email_until_the_next_request(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = shop_with(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let oil = shop.add_product(category, "Oil", 250, 0).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    request_notice(&asha, &rice).await;
    request_notice(&asha, &oil).await;
    restock(&sita, "rice", "0", "5").await;
    run_jobs(&shop).await;
    let token = mailbox.token(ASHA, "unsubscribe").await;
    let path = format!("/api/alerts/unsubscribe?token={token}");
    assert_eq!(Browser::new(&shop).post(&path, &json!({})).await.status, 200);

    restock(&sita, "oil", "0", "5").await;
    run_jobs(&shop).await;
    assert_eq!(notices(&mailbox, ASHA).await.len(), 1);
    let channels = asha.get("/api/alerts/preferences").await.json();
    assert_eq!(channels["data"]["channels"]["email"], true, "emails about orders stay on");

    restock(&sita, "oil", "5", "0").await;
    request_notice(&asha, &oil).await;
    restock(&sita, "oil", "0", "5").await;
    run_jobs(&shop).await;
    assert_eq!(notices(&mailbox, ASHA).await.len(), 2);
}

#[sqlx::test]
async fn a_request_can_be_withdrawn_and_ends_after_half_a_year(db: PgPool) {
    let (shop, category) = shop_with(db, &[]).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let oil = shop.add_product(category, "Oil", 250, 0).await;
    let asha = asha(&shop).await;
    request_notice(&asha, &rice).await;
    request_notice(&asha, &oil).await;

    for _ in 0..2 {
        assert_eq!(asha.delete(&format!("{WISHLIST}/stock_notices/{rice}")).await.status, 200);
    }
    assert_eq!(asha.get(WISHLIST).await.json()["data"]["stockNotices"], json!([oil]));

    let (db, now) = (&shop.db, shop.app.clock.now());
    assert_eq!(thunse::wishlist::delete_expired(db, now + TimeDelta::days(179)).await.unwrap(), 0);
    assert_eq!(thunse::wishlist::delete_expired(db, now + TimeDelta::days(181)).await.unwrap(), 1);
}

#[sqlx::test]
async fn the_wishlist_is_in_the_export_and_is_deleted_with_the_account(db: PgPool) {
    let (shop, category) = shop_with(db, &[]).await;
    let rice = shop.add_product(category, "Rice", 250, 0).await;
    let asha = asha(&shop).await;
    add_favourite(&asha, &rice).await;
    request_notice(&asha, &rice).await;

    let exported = asha.get("/api/user/export").await.json();
    assert_eq!(exported["wishlist"]["favourites"][0]["product"], json!(rice));
    assert_eq!(exported["wishlist"]["stockNotices"][0]["product"], json!(rice));

    assert_eq!(asha.post("/api/user/delete", &json!({"password": PASSWORD})).await.status, 200);
    assert_eq!((shop.count("favourites").await, shop.count("stock_notices").await), (0, 0));
}
