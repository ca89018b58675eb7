//! Newsletter subscriptions.

use serde_json::json;
use sqlx::PgPool;

use crate::support::{SHOP, TestShop};

const CALL: &str = "/api/subscriber/add_subscriber";

// spec: 3.subscriber.1, 7.shopper.4
#[sqlx::test]
async fn an_address_is_taken_once_in_any_case(db: PgPool) {
    let shop = TestShop::new(db);

    let first = shop.post(CALL, &json!({"email": " Asha@Example.com "})).await;
    let again = shop.post(CALL, &json!({"email": "asha@example.COM"})).await;

    assert_eq!((first.status.as_u16(), &first.json()["success"]), (200, &true.into()));
    assert_eq!((again.status.as_u16(), &again.json()["code"]), (409, &"subscriber_exists".into()));
    assert_eq!(again.json()["message"], "Email already exists or invalid email address");
    let stored: i64 = sqlx::query_scalar("SELECT count(*) FROM subscribers").fetch_one(&shop.db).await.unwrap();
    assert_eq!(stored, 1);
}

#[sqlx::test]
async fn a_slip_or_a_broken_body_is_refused_in_the_envelope(db: PgPool) {
    let shop = TestShop::new(db);

    let slip = shop.post(CALL, &json!({"email": "asha"})).await;
    let broken = shop.post_with(CALL, "{", &[("sec-fetch-site", "same-origin")]).await;

    assert_eq!((slip.status.as_u16(), &slip.json()["code"]), (422, &"email_invalid".into()));
    assert_eq!((broken.status.as_u16(), &broken.json()["success"]), (400, &false.into()));
}

#[sqlx::test]
async fn another_site_cannot_sign_anybody_up(db: PgPool) {
    let shop = TestShop::new(db);
    let body = json!({"email": "asha@example.com"}).to_string();
    for headers in [&[("sec-fetch-site", "cross-site")][..], &[("origin", "https://evil.example")], &[]] {
        let answer = shop.post_with(CALL, &body, headers).await;
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (403, &"cross_site".into()), "{headers:?}");
    }
    // The same request is accepted from our own origin, so the address was not the reason for the refusals.
    assert_eq!(shop.post_with(CALL, &body, &[("origin", SHOP)]).await.status, 200);
}

#[sqlx::test]
async fn one_network_address_signs_up_120_times_an_hour_and_no_more(db: PgPool) {
    let shop = TestShop::new(db);
    for number in 0..120 {
        let answer = shop.post(CALL, &json!({"email": format!("a{number}@example.com")})).await;
        assert_eq!(answer.status, 200, "{number}");
    }

    let refused = shop.post(CALL, &json!({"email": "one.more@example.com"})).await;

    assert_eq!((refused.status.as_u16(), &refused.json()["code"]), (429, &"too_many_requests".into()));
    assert!(refused.header("retry-after").parse::<u64>().unwrap() > 3000);
}
