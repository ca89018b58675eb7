//! Limits of an account that has proved nothing: which of its texts the shop sends to others, and how much stock it can
//! take.

use chrono::TimeDelta;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::addresses::home_address;
use crate::orders::{asha, order_request, set_status, shopper, sita, with_field};
use crate::support::mailbox::Mailbox;
use crate::support::{Browser, TestShop, queue, seller_accounts};

const OWN: &str = "/api/order/get_order";
const ALL: &str = "/api/order/get_orders";

/// Returns the emails to Asha that name an order as text, oldest first.
async fn order_emails(mailbox: &Mailbox, code: &str) -> Vec<String> {
    let emails = mailbox.emails("asha@example.com").await;
    let texts = emails.iter().map(|email| {
        format!(
            "{}\n{}\n{}",
            email["subject"].as_str().unwrap(),
            email["text"].as_str().unwrap(),
            email["html"].as_str().unwrap()
        )
    });
    texts.filter(|text| text.contains(code)).collect()
}

/// Runs the maintenance job of orders, which the scheduler starts every minute.
async fn run_maintenance(shop: &TestShop) {
    queue::add_job(&shop.db, "orders.maintain_payments", &json!({})).await;
    shop.run_jobs().await;
}

async fn half_an_hour_passes(shop: &TestShop) {
    shop.app.clock.advance(TimeDelta::minutes(31));
    run_maintenance(shop).await;
}

async fn order_of(browser: &Browser<'_>) -> Value {
    browser.get(OWN).await.json()["data"][0].clone()
}

#[sqlx::test]
async fn order_emails_to_an_unconfirmed_address_carry_no_free_text(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = TestShop::with_category_and(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let order =
        with_field(order_request(&rice, 1, 585.0), "address", json!("URGENT your wallet is locked, call 9800000000"));

    let placed = asha.place_order(Some("k"), &order).await.json()["data"].clone();
    set_status(&sita, &placed["_id"], "Order Shipped").await;
    shop.run_jobs().await;

    let emails = order_emails(&mailbox, placed["orderId"].as_str().unwrap()).await;
    assert_eq!(emails.len(), 2, "{emails:?}");
    for email in &emails {
        for word in ["URGENT", "9800000000", "Asha"] {
            assert!(!email.contains(word), "{word}: {email}");
        }
    }
    assert!(emails.iter().any(|email| email.contains("1 × Rice")) && emails[0].contains("Rs. 585.00"), "{emails:?}");

    // After the address is confirmed, the email contains the name and the delivery address.
    shop.sql("UPDATE users SET email_confirmed_at = now()").await;
    let placed = asha.place_order(Some("l"), &order_request(&rice, 1, 585.0)).await.json()["data"].clone();
    shop.run_jobs().await;
    let emails = order_emails(&mailbox, placed["orderId"].as_str().unwrap()).await;
    assert!(emails[0].contains("Mitra Marg, Kathmandu") && emails[0].contains("Namaste Asha Rai"), "{emails:?}");
}

#[sqlx::test]
async fn a_web_address_is_accepted_neither_in_names_nor_in_addresses(db: PgPool) {
    const LINK: &str = "Ward 5, khalti-help.evil.example/unlock";
    let (shop, category) = TestShop::with_category(db).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let asha = asha(&shop).await;
    let refused = (422, "link_in_text".to_owned());

    for field in ["address", "name"] {
        let order = with_field(order_request(&rice, 1, 585.0), field, json!(LINK));
        assert_eq!(asha.place_order(Some("k"), &order).await.refusal(), refused, "order: {field}");
    }
    for field in ["address", "street", "city", "state", "country", "district", "municipality", "landmark"] {
        let mut entry = home_address();
        entry[field] = json!(LINK);
        assert_eq!(asha.post("/api/address/add_address", &entry).await.refusal(), refused, "address book: {field}");
    }
    for field in ["name", "address"] {
        let mut texts =
            [("name", "Asha Rai"), ("email", "asha@example.com"), ("phone", "9801234567"), ("address", "Patan")];
        for text in texts.iter_mut().filter(|text| text.0 == field) {
            text.1 = "www.evil";
        }
        let saved = asha.send_form(Method::PUT, "/api/user/updateProfile", &texts, None).await;
        assert_eq!(saved.refusal(), refused, "profile: {field}");
    }
    let texts = [
        ("name", "Win at https://evil"),
        ("email", "b@example.com"),
        ("password", "dal-bhat-24-tarkari"),
        ("phone", "9801234567"),
    ];
    let registered = Browser::new(&shop).send_form(Method::POST, "/api/user/register", &texts, None).await;
    assert_eq!(registered.refusal(), refused);

    // People in Nepal write dots like these, and they must be accepted.
    let order = with_field(
        order_request(&rice, 1, 585.0),
        "address",
        json!("St.Xavier School, Ward No.5, P.O.Box 8975, Ka.Ma.Pa.-10"),
    );
    assert_eq!(asha.place_order(Some("k"), &order).await.status, 200);
}

#[sqlx::test]
async fn an_unconfirmed_cash_order_gives_its_stock_back_in_time(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = TestShop::with_category_and(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);

    let placed = asha.place_order(Some("k"), &order_request(&rice, 4, 2500.0)).await;
    assert_eq!((placed.status.as_u16(), &placed.json()["data"]["status"]), (200, &json!("Order Placed")));
    assert_eq!(shop.stock(&rice).await, 6);
    for order in [order_of(&asha).await, sita.get(ALL).await.json()["data"][0].clone()] {
        assert_eq!(order["status"], "Order Placed");
        let by: chrono::DateTime<chrono::Utc> = order["confirmBy"].as_str().unwrap().parse().unwrap();
        let placed_at: chrono::DateTime<chrono::Utc> = order["date"].as_str().unwrap().parse().unwrap();
        assert_eq!((by - placed_at).num_minutes(), 30);
    }
    // The order stays until the time is over.
    run_maintenance(&shop).await;
    assert_eq!(order_of(&asha).await["status"], "Order Placed");
    let code = placed.json()["data"]["orderId"].as_str().unwrap().to_owned();
    let email = order_emails(&mailbox, &code).await.remove(0);
    assert!(email.contains("Please confirm your email") && email.contains("/confirm-email#token="), "{email}");
    shop.assert_invariants_hold().await;
    shop.assert_violation_detected(
        "an unconfirmed order ends in time",
        "UPDATE orders SET confirm_by = now() - interval '6 minutes'",
    )
    .await;
    shop.assert_violation_detected(
        "an order of a confirmed address waits for nothing",
        "ALTER TABLE users DISABLE TRIGGER users_email_confirmed; UPDATE users SET email_confirmed_at = now()",
    )
    .await;

    half_an_hour_passes(&shop).await;

    let order = order_of(&asha).await;
    assert_eq!((&order["status"], order.get("confirmBy")), (&json!("Cancelled"), None));
    assert_eq!(order["timeline"].as_array().unwrap().len(), 2);
    assert_eq!((shop.stock(&rice).await, &order["cashToCollect"]), (10, &json!(0)));
    let actor: String = sqlx::query_scalar("SELECT actor FROM order_events ORDER BY id DESC LIMIT 1")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    assert_eq!(actor, "system");
    shop.run_jobs().await;
    let told = order_emails(&mailbox, &code).await.into_iter().find(|email| email.contains("has been cancelled"));
    assert!(told.is_some_and(|email| email.contains("not confirmed")));
    shop.assert_invariants_hold().await;

    // A second run changes nothing.
    run_maintenance(&shop).await;
    assert_eq!((order_of(&asha).await["timeline"].as_array().unwrap().len(), shop.stock(&rice).await), (2, 10));
    // An order that the seller reopens is not cancelled again.
    seller_accounts::login(&sita, seller_accounts::PASSWORD).await;
    set_status(&sita, &order["_id"], "Order Placed").await;
    half_an_hour_passes(&shop).await;
    assert_eq!((&order_of(&asha).await["status"], shop.stock(&rice).await), (&json!("Order Placed"), 6));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_link_in_the_order_email_keeps_the_order(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = TestShop::with_category_and(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let asha = asha(&shop).await;
    shop.run_jobs().await;
    let placed = asha.place_order(Some("k"), &order_request(&rice, 4, 2500.0)).await.json()["data"].clone();
    assert!(order_of(&asha).await["confirmBy"].is_string());
    shop.run_jobs().await;

    let emails = mailbox.emails("asha@example.com").await;
    let token = |email: &Value| {
        let text = email["text"].as_str().unwrap().to_owned();
        text.split_once("#token=").map(|(_, rest)| rest.split_whitespace().next().unwrap().to_owned())
    };
    let about_order = |email: &&Value| email["subject"].as_str().unwrap().contains(placed["orderId"].as_str().unwrap());
    let of_order = token(emails.iter().find(about_order).unwrap()).unwrap();
    let of_account = token(emails.iter().find(|email| !about_order(email)).unwrap()).unwrap();
    assert_ne!(of_order, of_account);

    let confirmed = asha.post("/api/user/email/confirm", &json!({"token": of_order})).await;
    assert_eq!(confirmed.status, 200, "{}", confirmed.text);
    assert_eq!(order_of(&asha).await.get("confirmBy"), None);
    half_an_hour_passes(&shop).await;
    assert_eq!((&order_of(&asha).await["status"], shop.stock(&rice).await), (&json!("Order Placed"), 6));
    // The next order needs no confirmation.
    asha.place_order(Some("l"), &order_request(&rice, 1, 585.0)).await;
    assert_eq!(order_of(&asha).await.get("confirmBy"), None);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn the_confirmation_email_of_the_account_is_still_good_after_an_order(db: PgPool) {
    let mailbox = Mailbox::open();
    let (shop, category) = TestShop::with_category_and(db, &[("SMTP_URL", &mailbox.smtp_url)]).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let asha = asha(&shop).await;
    shop.run_jobs().await;
    let first = mailbox.emails("asha@example.com").await[0]["text"].as_str().unwrap().to_owned();
    let token = first.split_once("#token=").unwrap().1.split_whitespace().next().unwrap();
    asha.place_order(Some("k"), &order_request(&rice, 4, 2500.0)).await;
    shop.run_jobs().await;

    let confirmed = asha.post("/api/user/email/confirm", &json!({"token": token})).await;

    assert_eq!(confirmed.status, 200, "{}", confirmed.text);
    assert_eq!(order_of(&asha).await.get("confirmBy"), None);
}

#[sqlx::test]
async fn the_seller_confirms_an_order_by_any_status(db: PgPool) {
    let mailbox = Mailbox::open();
    let settings = [("SMTP_URL", mailbox.smtp_url.as_str()), ("OPEN_COD_ORDERS", "9")];
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let rice = shop.add_product(category, "Rice", 500, 10).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    for (key, status) in [("a", "Order Placed"), ("b", "Order Confirmed"), ("c", "Out for Delivery")] {
        let order = asha.place_order(Some(key), &order_request(&rice, 1, 585.0)).await.json()["data"]["_id"].clone();
        assert!(order_of(&asha).await["confirmBy"].is_string());
        let changed = set_status(&sita, &order, status).await.json();
        assert_eq!(changed["data"].get("confirmBy"), None, "{status}");
    }

    half_an_hour_passes(&shop).await;

    let list = asha.get(OWN).await.json();
    let statuses: Vec<&Value> = list["data"].as_array().unwrap().iter().map(|order| &order["status"]).collect();
    assert_eq!(statuses, ["Out for Delivery", "Order Confirmed", "Order Placed"]);
    assert_eq!(shop.stock(&rice).await, 7);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn nothing_waits_for_an_email_where_none_can_be_sent_or_none_is_needed(db: PgPool) {
    let mailbox = Mailbox::open();
    let (without_mail, category) = TestShop::with_category(db.clone()).await;
    let rice = without_mail.add_product(category, "Rice", 500, 50).await;
    let asha = asha(&without_mail).await;
    asha.place_order(Some("k"), &order_request(&rice, 4, 2500.0)).await;
    assert_eq!(order_of(&asha).await.get("confirmBy"), None);

    // The operator may switch confirmation off, and an account with paid orders needs none.
    let off = TestShop::with(db.clone(), &[("SMTP_URL", &mailbox.smtp_url), ("OPEN_COD_CONFIRM_MINUTES", "0")]);
    let bina = shopper(&off, "bina@example.com").await;
    bina.place_order(Some("k"), &order_request(&rice, 4, 2500.0)).await;
    assert_eq!(order_of(&bina).await.get("confirmBy"), None);
    let on = TestShop::with(db, &[("SMTP_URL", &mailbox.smtp_url)]);
    let (bina, sita) = (shopper(&on, "chandra@example.com").await, sita(&on).await);
    let order = bina.place_order(Some("k"), &order_request(&rice, 4, 2500.0)).await.json()["data"]["_id"].clone();
    assert!(order_of(&bina).await["confirmBy"].is_string());
    set_status(&sita, &order, "Delivered").await;
    bina.place_order(Some("l"), &order_request(&rice, 4, 2500.0)).await;
    assert_eq!(order_of(&bina).await.get("confirmBy"), None);
}

#[sqlx::test]
async fn trust_grows_with_delivered_value_and_not_with_one_small_order(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &[("ORDERS_PER_MINUTE", "100")]).await;
    let rice = shop.add_product(category, "Rice", 500, 5000).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let cash_limit = (409, "cash_limit".to_owned());

    let small = asha.place_order(Some("small"), &order_request(&rice, 1, 585.0)).await.json()["data"]["_id"].clone();
    set_status(&sita, &small, "Delivered").await;
    assert_eq!(
        asha.place_order(Some("large"), &order_request(&rice, 50, 30_000.0)).await.refusal(),
        cash_limit,
        "Rs 585 are no proof"
    );

    // After Rs 22,600 were delivered, twice as much may be open.
    let medium =
        asha.place_order(Some("medium"), &order_request(&rice, 40, 22_600.0)).await.json()["data"]["_id"].clone();
    set_status(&sita, &medium, "Delivered").await;
    assert_eq!(asha.place_order(Some("too-large"), &order_request(&rice, 83, 46_895.0)).await.refusal(), cash_limit);
    let large = asha.place_order(Some("large"), &order_request(&rice, 80, 45_200.0)).await;
    assert_eq!(large.status, 200, "{}", large.text);
    assert_eq!(
        asha.place_order(Some("more"), &order_request(&rice, 10, 5_650.0)).await.refusal(),
        cash_limit,
        "what is open counts"
    );
    // A delivered order that is cancelled afterwards no longer counts.
    set_status(&sita, &medium, "Cancelled").await;
    set_status(&sita, &large.json()["data"]["_id"], "Cancelled").await;
    assert_eq!(asha.place_order(Some("again"), &order_request(&rice, 80, 45_200.0)).await.refusal(), cash_limit);
    // The limit has a maximum, however much was delivered.
    shop.sql("UPDATE products SET price_paisa = 200000").await;
    shop.app.clock.advance(TimeDelta::days(2));
    seller_accounts::login(&sita, seller_accounts::PASSWORD).await;
    for n in 0..5 {
        let order = asha.place_order(Some(&format!("n{n}")), &order_request(&rice, 10, 22_600.0)).await.json()["data"]
            ["_id"]
            .clone();
        set_status(&sita, &order, "Delivered").await;
    }
    for n in 0..2 {
        let placed = asha.place_order(Some(&format!("o{n}")), &order_request(&rice, 40, 90_400.0)).await;
        assert_eq!(placed.status, 200, "{}", placed.text);
    }
    assert_eq!(asha.place_order(Some("end"), &order_request(&rice, 10, 22_600.0)).await.refusal(), cash_limit);
}

#[sqlx::test]
async fn throw_away_accounts_of_one_network_share_a_limit(db: PgPool) {
    let settings = [("COD_ORDERS_PER_HOUR", "4"), ("OPEN_COD_PER_PHONE", "100")];
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let sita = sita(&shop).await;
    let regular = shopper(&shop, "regular@example.com").await;
    let paid = regular.place_order(Some("k"), &order_request(&rice, 4, 2500.0)).await.json()["data"]["_id"].clone();
    set_status(&sita, &paid, "Delivered").await;
    for n in 0..3 {
        let stranger = shopper(&shop, &format!("s{n}@example.com")).await;
        assert_eq!(stranger.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await.status, 200);
        assert_eq!(
            stranger.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await.status,
            200,
            "a repeat is no second order"
        );
    }

    let stranger = shopper(&shop, "late@example.com").await;
    let refused = stranger.place_order(Some("k"), &order_request(&rice, 1, 585.0)).await;

    assert_eq!(refused.status, 429, "{}", refused.text);
    assert!(!refused.header("retry-after").is_empty());
    assert_eq!(
        regular.place_order(Some("l"), &order_request(&rice, 1, 585.0)).await.status,
        200,
        "a customer is not a stranger"
    );
    assert_eq!(shop.count("orders").await, 5);
}

#[sqlx::test]
async fn throw_away_accounts_with_one_phone_number_share_a_limit(db: PgPool) {
    let (shop, category) = TestShop::with_category_and(db, &[("OPEN_COD_PER_PHONE", "2")]).await;
    let rice = shop.add_product(category, "Rice", 500, 50).await;
    let sita = sita(&shop).await;
    let order = |phone: &str| with_field(order_request(&rice, 1, 585.0), "phone", json!(phone));
    let mut first = Value::Null;
    for (n, phone) in ["9841234567", "+977 984-1234567"].into_iter().enumerate() {
        let stranger = shopper(&shop, &format!("s{n}@example.com")).await;
        let placed = stranger.place_order(Some("k"), &order(phone)).await;
        assert_eq!(placed.status, 200, "{}", placed.text);
        first = placed.json()["data"]["_id"].clone();
    }

    let stranger = shopper(&shop, "late@example.com").await;
    let refused = stranger.place_order(Some("k"), &order("९८४१२३४५६७")).await;

    assert_eq!(refused.refusal(), (409, "too_many_open_orders".to_owned()));
    assert_eq!(stranger.place_order(Some("k"), &order("9811111111")).await.status, 200);
    // A delivered order no longer counts.
    set_status(&sita, &first, "Delivered").await;
    assert_eq!(stranger.place_order(Some("l"), &order("9841234567")).await.status, 200);
}
