//! Headers of every response, and behaviour when something fails.

use futures_util::future::join_all;
use serde_json::json;
use sqlx::PgPool;
use thunse::platform::permissions::Role;

use crate::support::{Browser, TestShop};

#[sqlx::test]
async fn every_answer_carries_the_security_headers(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for path in ["/", "/api/product/get_products?limit=1", "/nowhere", "/api/nowhere", "/healthz"] {
        let answer = shop.get(path).await;
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
        assert_eq!(answer.header("x-frame-options"), "DENY", "{path}");
        assert!(answer.header("content-security-policy").starts_with("default-src 'none'"), "{path}");
        assert!(!answer.header("content-security-policy").contains("unsafe"), "{path}");
        assert_eq!(answer.header("x-request-id").len(), 32, "{path}");
        // Only our own pages may use the camera, and nothing may use the microphone.
        assert!(answer.header("permissions-policy").contains("camera=(self), microphone=()"), "{path}");
    }
}

#[sqlx::test]
async fn a_secure_shop_stays_secure(db: PgPool) {
    let plain = TestShop::new(db.clone());
    let secure = TestShop::with(db.clone(), &[("PUBLIC_URL", "https://shop.test")]);
    let preloaded = TestShop::with(db, &[("PUBLIC_URL", "https://shop.test"), ("HSTS_PRELOAD", "true")]);

    assert_eq!(plain.get("/healthz").await.header("strict-transport-security"), "");
    // Other services may run on subdomains, so they are included only if the operator says so.
    assert_eq!(secure.get("/healthz").await.header("strict-transport-security"), "max-age=63072000");
    let policy = preloaded.get("/healthz").await;
    assert_eq!(policy.header("strict-transport-security"), "max-age=63072000; includeSubDomains; preload");
}

#[sqlx::test]
async fn an_unknown_call_is_answered_in_the_envelope(db: PgPool) {
    let shop = TestShop::new(db);

    let unknown = shop.get("/api/nowhere").await;
    let wrong_method = shop.post("/api/product/get_products", &serde_json::json!({})).await;

    assert_eq!((unknown.status.as_u16(), &unknown.json()["code"]), (404, &"unknown_endpoint".into()));
    assert_eq!((wrong_method.status.as_u16(), &wrong_method.json()["code"]), (405, &"method_not_allowed".into()));
}

#[sqlx::test]
async fn a_refusal_is_said_in_the_language_of_whoever_asks(db: PgPool) {
    let shop = TestShop::new(db);
    let gone = "/api/product/get_product/00000000-0000-7000-8000-000000000000";
    let said = async |headers: &[(&str, &str)]| shop.get_with(gone, headers).await.json()["message"].clone();

    assert_eq!(said(&[]).await, "Product not found");
    assert_eq!(said(&[("cookie", "lang=en")]).await, "Product not found");
    assert_eq!(said(&[("cookie", "lang=ne")]).await, "सामान भेटिएन");
    // The middleware refuses this request before any handler runs.
    let forged = [("cookie", "lang=ne"), ("origin", "https://elsewhere.example")];
    let forged = shop.post_with("/api/user/login", "{}", &forged).await;
    assert_eq!(forged.json()["message"], "यो अनुरोध अर्को साइटबाट आएको हुनाले मानिएन।");
}

#[sqlx::test]
async fn a_stopping_server_is_alive_but_not_ready(db: PgPool) {
    let shop = TestShop::new(db);
    assert_eq!(shop.get("/readyz").await.status, 200);

    shop.app.start_shutdown();

    assert_eq!(shop.get("/readyz").await.status, 503);
    let alive = shop.get("/healthz").await;
    assert_eq!((alive.status.as_u16(), alive.header("connection")), (200, "close"));
}

#[sqlx::test]
async fn without_its_database_the_shop_says_later_and_not_why(db: PgPool) {
    let shop = TestShop::new(db);
    shop.db.close().await;

    let answer = shop.get("/api/product/get_products").await;

    assert!(answer.status.is_server_error());
    assert_eq!(answer.json()["message"], "Internal server error. Please try again later.");
    assert_eq!(answer.header("cache-control"), "no-store");
}

#[sqlx::test]
async fn a_large_body_is_cut_off(db: PgPool) {
    let shop = TestShop::new(db);
    let body = format!("{{\"email\": \"{}\"}}", "a".repeat(100_000));

    let answer = shop.post_with("/api/subscriber/add_subscriber", &body, &[("sec-fetch-site", "same-origin")]).await;

    assert!(answer.status.is_client_error(), "{}", answer.status);
    assert_eq!(answer.json()["success"], false);
}

/// PostgreSQL cannot store NUL in text, and no one types it. A form or JSON body that contains it is refused before any
/// module sees it, and a URL that contains it finds nothing.
#[sqlx::test]
async fn a_character_that_is_no_text_is_refused_everywhere(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    let odd = "a\0b@example.com";
    for (path, body) in [
        ("/api/user/login", json!({"email": odd, "password": "x"})),
        ("/api/seller/login", json!({"email": odd, "password": "x"})),
        ("/api/subscriber/add_subscriber", json!({"email": odd})),
        ("/api/address/add_address", json!({"address": odd})),
        ("/api/user/password/reset", json!({"token": odd, "password": odd})),
    ] {
        assert_eq!(browser.post(path, &body).await.json()["code"], "text_malformed", "{path}");
    }
    let form = browser.send_form(http::Method::POST, "/api/user/register", &[("name", odd)], None).await;
    assert_eq!((form.status.as_u16(), &form.json()["code"]), (422, &json!("text_malformed")));
    for address in ["/products?search=%00", "/api/product/get_products?search=a%00", "/category/%00", "/product/x/%00"]
    {
        assert!(!shop.get(address).await.status.is_server_error(), "{address}");
    }
}

#[sqlx::test]
async fn an_address_may_not_read_without_end(db: PgPool) {
    let settings = [("READS_PER_SECOND", "1"), ("READS_BURST", "10"), ("TRUST_FORWARDED_FOR", "true")];
    let shop = TestShop::with(db, &settings);
    let search = async |number: u32, from: &str| {
        let path = format!("/api/product/get_products?search=word{number}");
        shop.get_with(&path, &[("x-forwarded-for", from)]).await
    };
    // All are counted before the first is answered, so nothing flows back in between.
    let answers = join_all((0..30).map(|number| search(number, "2001:db8:1:2::1"))).await;

    let (refused, served): (Vec<_>, Vec<_>) = answers.into_iter().partition(|answer| answer.status == 429);
    assert!(served.len() >= 10 && served.iter().all(|answer| answer.status == 200), "{}", served.len());
    let refused = refused.first().expect("never refused");
    assert_eq!(refused.json()["code"], "too_many_requests");
    assert!(refused.header("retry-after").parse::<u32>().unwrap() >= 1);
    // Cheap requests and requests from other addresses are not counted.
    for free in ["/healthz", "/assets/x.js", "/media/x.webp", "/api/user/isAuth"] {
        assert_ne!(shop.get_with(free, &[("x-forwarded-for", "2001:db8:1:2::1")]).await.status, 429, "{free}");
    }
    assert_eq!(search(2_000, "2001:db8:1:3::1").await.status, 200);
}

/// A carrier may put a whole town behind one IP address. The limits are those of production.
#[sqlx::test]
async fn a_town_behind_one_address_can_shop(db: PgPool) {
    let shop = TestShop::with(db, &[("READS_PER_SECOND", ""), ("READS_BURST", "")]);
    assert_eq!((shop.app.config.rate_limits.reads_per_second, shop.app.config.rate_limits.reads_burst), (20, 40));
    shop.app.cache.set_listening(true);
    for _ in 0..100 {
        for path in ["/", "/products", "/api/category/get_category_public", "/api/product/get_products?limit=24"] {
            assert_eq!(shop.get(path).await.status, 200, "{path}");
        }
    }
}

/// With the `__Host-` prefix, a browser accepts a cookie only from this host, over TLS and for the whole site.
#[sqlx::test]
async fn every_cookie_has_the_host_prefix(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    let joined = browser.register("asha@example.com").await;
    thunse::staff::create(
        &shop.app,
        "sita@example.com",
        "Sita",
        Role::Owner,
        Some("a shelf of mustard oil".to_owned()),
    )
    .await
    .unwrap();
    let login = json!({"email": "sita@example.com", "password": "a shelf of mustard oil"});
    let seller = Browser::new(&shop).post("/api/seller/login", &login).await;

    for answer in [joined, seller] {
        assert_eq!(answer.status, 200, "{}", answer.text);
        let set: Vec<_> = answer.headers.get_all("set-cookie").iter().map(|value| value.to_str().unwrap()).collect();
        assert!(set.len() >= 3, "{set:?}");
        for cookie in set {
            assert!(
                cookie.starts_with("__Host-") && cookie.contains("; Secure") && cookie.contains("Path=/;"),
                "{cookie}"
            );
        }
    }
}
