//! Instances whose clocks differ by five minutes, and a clock that jumps back: what a time service that has failed, or a
//! person who has set the time by hand, does to the shop. The database's own clock, by which jobs are due, is right.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::concurrency::same_person;
use crate::crash_world::pidx;
use crate::orders::{asha, order_request, shopper, with_field};
use crate::support::wallet::Wallet;
use crate::support::{Browser, GENEROUS_LIMITS, PASSWORD, TestResponse, TestShop, queue};

const WRONG: TimeDelta = TimeDelta::minutes(5);

fn online(product: &str) -> Value {
    with_field(order_request(product, 1, 585.0), "paymentMethod", json!("Khalti"))
}

async fn verify(browser: &Browser<'_>, pidx: &str) -> TestResponse {
    let body = json!({"pidx": pidx, "txnId": "t", "purchase_order_id": "o", "purchase_order_name": "n"});
    browser.post("/api/order/verify_khalti_payment", &body).await
}

/// The statuses of a shopper's orders in alphabetical order: with wrong clocks, the newest may not be listed first.
async fn statuses(browser: &Browser<'_>) -> Vec<String> {
    let orders = browser.get("/api/order/get_order").await.json();
    let orders = orders["data"].as_array().unwrap().iter();
    let mut found: Vec<String> = orders.map(|order| order["status"].as_str().unwrap().to_owned()).collect();
    found.sort();
    found
}

/// Two instances on one database, of which the second is ahead, and a product.
async fn right_and_wrong_shop(db: PgPool, wallet: &Wallet) -> (TestShop, TestShop, String) {
    let settings = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let (right, category) = TestShop::with_category_and(db.clone(), &settings).await;
    let ahead = TestShop::with(db, &settings);
    ahead.app.clock.advance(WRONG);
    let rice = right.add_product(category, "Rice", 500, 5).await;
    (right, ahead, rice)
}

async fn maintain(shop: &TestShop) {
    queue::add_job(&shop.db, "orders.maintain_payments", &json!({})).await;
    shop.run_jobs().await;
}

#[sqlx::test]
async fn an_instance_that_is_five_minutes_ahead_ends_no_session_and_no_hold_that_can_still_be_paid(db: PgPool) {
    let wallet = Wallet::start();
    let (right, ahead, rice) = right_and_wrong_shop(db, &wallet).await;
    let here = asha(&right).await;
    let there = same_person(&ahead, &here);
    let back = Browser::new(&ahead);
    back.login("asha@example.com", PASSWORD).await;
    assert!(there.is_signed_in().await && back.is_signed_in().await);
    assert!(same_person(&right, &back).is_signed_in().await, "a session that begins in the future is one");

    // One order, whichever instance is asked first.
    let order = order_request(&rice, 1, 585.0);
    let (first, second) = (there.place_order(Some("k"), &order).await, here.place_order(Some("k"), &order).await);
    assert_eq!((first.status.as_u16(), &first.text), (200, &second.text));

    // Nobody pays for 59 minutes. The wallet's page lives for 60, and the worker is the one whose clock is wrong.
    let unpaid = pidx(&here.place_online_order(Some("l"), &online(&rice)).await);
    for shop in [&right, &ahead] {
        shop.app.clock.advance(TimeDelta::minutes(59));
    }
    queue::make_due(&ahead.db, "").await;
    maintain(&ahead).await;
    assert_eq!(
        (statuses(&here).await, right.stock(&rice).await),
        (["Order Placed", "Payment Pending"].map(str::to_owned).to_vec(), 3)
    );

    wallet.simulate(&unpaid, "pay").await;
    assert_eq!(verify(&there, &unpaid).await.status, 200);
    assert_eq!(statuses(&here).await, ["Order Confirmed", "Order Placed"]);

    // An order of the instance that is ahead is settled by a worker that is not.
    let paid = pidx(&there.place_online_order(Some("m"), &online(&rice)).await);
    wallet.simulate(&paid, "pay").await;
    queue::make_due(&right.db, "orders.check_payment").await;
    right.run_jobs().await;
    assert_eq!(statuses(&here).await, ["Order Confirmed", "Order Confirmed", "Order Placed"]);
    assert_eq!(right.stock(&rice).await, 2);
    right.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_clock_that_jumps_back_loses_no_session_no_order_and_no_payment(db: PgPool) {
    let wallet = Wallet::start();
    let settings = [&GENEROUS_LIMITS[..], &wallet.settings()[..]].concat();
    let (shop, category) = TestShop::with_category_and(db, &settings).await;
    shop.app.clock.advance(WRONG);
    let rice = shop.add_product(category, "Rice", 500, 5).await;
    let asha = asha(&shop).await;
    let order = order_request(&rice, 1, 585.0);
    let placed = asha.place_order(Some("k"), &order).await;
    let paid = pidx(&asha.place_online_order(Some("l"), &online(&rice)).await);
    let bina = shopper(&shop, "bina@example.com").await;
    let unpaid = pidx(&bina.place_online_order(Some("m"), &online(&rice)).await);

    shop.app.clock.advance(-WRONG);

    assert!(asha.is_signed_in().await);
    assert_eq!(asha.place_order(Some("k"), &order).await.text, placed.text, "a repeated order is still the same one");
    wallet.simulate(&paid, "pay").await;
    // The job engine asks the database for the time, so the poll comes when it was promised or up to five minutes later.
    queue::make_due(&shop.db, "").await;
    shop.run_jobs().await;
    maintain(&shop).await;
    assert_eq!(statuses(&asha).await, ["Order Confirmed", "Order Placed"]);
    assert_eq!(statuses(&bina).await, ["Payment Pending"]);

    // The other hold ends, and its goods come back.
    wallet.simulate(&unpaid, "expire").await;
    for _ in 0..40 {
        shop.advance_time(TimeDelta::minutes(60)).await;
        maintain(&shop).await;
    }
    assert_eq!(shop.stock(&rice).await, 3);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_worker_that_is_ahead_may_end_the_hold_of_an_order_whose_payment_page_is_being_made(db: PgPool) {
    let wallet = Wallet::start();
    let (right, ahead, rice) = right_and_wrong_shop(db, &wallet).await;
    let asha = asha(&right).await;
    wallet.misbehave("initiate", "slow", 1).await;
    let order = online(&rice);

    let maintaining = async {
        while right.count("orders").await == 0 {
            tokio::task::yield_now().await;
        }
        maintain(&ahead).await;
    };
    let (placed, ()) = futures_util::join!(asha.place_online_order(Some("k"), &order), maintaining);

    // Whoever was first: the shopper can pay for what is held, or is told that it does not work and nothing is held.
    let status = statuses(&asha).await[0].clone();
    match placed.status.as_u16() {
        200 => assert_eq!((status.as_str(), right.stock(&rice).await), ("Payment Pending", 4)),
        _ => assert_eq!((status.as_str(), right.stock(&rice).await), ("Payment Failed", 5), "{}", placed.text),
    }
    right.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_hold_and_the_payment_whose_page_is_being_made_end_in_one_step(db: PgPool) {
    let wallet = Wallet::start();
    let (right, ahead, rice) = right_and_wrong_shop(db, &wallet).await;
    let asha = asha(&right).await;
    let order = online(&rice);
    right.app.fail_points.arm("settlement.pay.claimed", 0);
    tokio::select! {
        biased;
        () = right.app.fail_points.died() => {}
        placed = asha.place_online_order(Some("k"), &order) => panic!("the page was made: {}", placed.text),
    }

    ahead.app.fail_points.record();
    maintain(&ahead).await;

    let passed = ahead.app.fail_points.passed();
    assert!(passed.contains(&"settlement.maintenance.abandoned"), "{passed:?}");
    assert!(!passed.contains(&"settlement.maintenance.hold_ended"), "{passed:?}");
    let there = same_person(&ahead, &asha);
    assert_eq!((statuses(&there).await, ahead.stock(&rice).await), (vec!["Payment Failed".to_owned()], 5));
    ahead.assert_invariants_hold().await;
}
