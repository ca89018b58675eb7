//! Signing in through a real OpenID provider, and every way to pretend.

use serde_json::json;
use sqlx::PgPool;

use crate::support::provider::{Person, Provider};
use crate::support::{Answered, Browser, PASSWORD, SHOP, TestShop};

const ASHA: &str = "asha@example.com";
const PERSON: Person<'_> = Person { email: ASHA, subject: "sub-asha", verified: true };

fn failed() -> (u16, String) {
    (401, "google_failed".to_owned())
}

async fn shop_with(provider: &Provider, db: PgPool) -> TestShop {
    TestShop::with_letters_and(db, &provider.settings()).await
}

/// To the provider and back; returns the address of the callback.
async fn visit_provider(provider: &Provider, browser: &Browser<'_>, person: &Person<'_>) -> String {
    let away = browser.get("/api/user/google/start?return=/cart").await;
    assert_eq!(away.status, 303, "{}", away.text);
    let back = provider.sign_in(away.header("location"), person).await;
    back.strip_prefix(SHOP).expect("back at the shop").to_owned()
}

/// The same, and the callback followed; returns where it leads.
async fn vouched(provider: &Provider, browser: &Browser<'_>, person: &Person<'_>) -> String {
    let callback = visit_provider(provider, browser, person).await;
    browser.get(&callback).await.header("location").to_owned()
}

async fn google_login(browser: &Browser<'_>, email: &str) -> Answered {
    browser.post("/api/user/googleLogin", &json!({"email": email, "name": "Asha", "image": "", "phone": ""})).await
}

// spec: 7.shopper.9
#[sqlx::test]
async fn a_vouched_person_gets_an_account_and_comes_back_to_it(db: PgPool) {
    let provider = Provider::start();
    let shop = shop_with(&provider, db).await;
    let browser = Browser::at(&shop);

    assert_eq!(vouched(&provider, &browser, &PERSON).await, "/cart?google=verified");
    let identity = browser.get("/api/user/google/identity").await.json();
    assert_eq!((&identity["data"]["email"], &identity["data"]["name"]), (&json!(ASHA), &json!("Asha Rai")));
    let first = google_login(&browser, ASHA).await;

    assert_eq!((first.status.as_u16(), &first.json()["message"]), (200, &json!("Google login successful!")));
    let user = first.json()["data"].clone();
    assert_eq!(
        (&user["name"], &user["emailConfirmed"], &user["hasPassword"], &user["google"]),
        (&json!("Asha Rai"), &json!(true), &json!(false), &json!(true)),
    );
    assert_eq!(google_login(&browser, ASHA).await.refusal(), failed(), "what was vouched for is good once");

    // The same person, known by another address at the provider: the same account.
    let other = Browser::at(&shop);
    let moved = Person { email: "asha.new@example.com", ..PERSON };
    vouched(&provider, &other, &moved).await;
    assert_eq!(google_login(&other, "asha.new@example.com").await.json()["data"]["_id"], user["_id"]);
}

#[sqlx::test]
async fn nobody_becomes_somebody_by_saying_so(db: PgPool) {
    let provider = Provider::start();
    let shop = shop_with(&provider, db).await;
    Browser::at(&shop).register(ASHA).await;
    let mallory = Browser::at(&shop);

    // No vouched identity at all.
    assert_eq!(google_login(&mallory, ASHA).await.refusal(), failed());
    assert_eq!(mallory.get("/api/user/google/identity").await.status, 401);
    // One for another address.
    let own = Person { email: "mallory@example.com", subject: "sub-mallory", verified: true };
    vouched(&provider, &mallory, &own).await;
    assert_eq!(google_login(&mallory, ASHA).await.refusal(), failed());
    // One that expired.
    sqlx::query("UPDATE openid_identities SET expires_at = now()").execute(&shop.db).await.unwrap();
    assert_eq!(google_login(&mallory, "mallory@example.com").await.refusal(), failed());
    // One of an address that the provider has not verified.
    let unverified = Person { email: ASHA, subject: "sub-mallory", verified: false };
    assert_eq!(vouched(&provider, &mallory, &unverified).await, "/cart?google=failed");
    assert_eq!(google_login(&mallory, ASHA).await.refusal(), failed());
    assert!(!mallory.is_signed_in().await);
}

#[sqlx::test]
async fn a_password_account_is_connected_once_its_password_was_given(db: PgPool) {
    let provider = Provider::start();
    let shop = shop_with(&provider, db).await;
    // Perhaps Asha herself, perhaps somebody who took her address before she came.
    Browser::at(&shop).register(ASHA).await;
    let browser = Browser::at(&shop);
    vouched(&provider, &browser, &PERSON).await;
    let with = |password: &str| json!({"email": ASHA, "name": "", "image": "", "phone": "", "password": password});

    let asked = google_login(&browser, ASHA).await;
    assert_eq!(asked.refusal(), (409, "link_needed".to_owned()));
    assert!(!browser.is_signed_in().await, "the address alone opens nothing");
    let wrong = browser.post("/api/user/googleLogin", &with("wrong")).await;
    assert_eq!(wrong.refusal(), (401, "wrong_credentials".to_owned()));
    let linked = browser.post("/api/user/googleLogin", &with(PASSWORD)).await;

    assert_eq!(linked.status, 200, "{}", linked.text);
    assert_eq!(linked.json()["data"]["google"], true);
    let again = Browser::at(&shop);
    vouched(&provider, &again, &PERSON).await;
    assert_eq!(google_login(&again, ASHA).await.status, 200, "from now on without it");
}

/// Who took the address first cannot be in the account after its owner has proven it by a letter.
#[sqlx::test]
async fn the_owner_of_an_address_throws_the_squatter_out(db: PgPool) {
    let provider = Provider::start();
    let shop = shop_with(&provider, db).await;
    let squatter = Browser::at(&shop);
    squatter.register(ASHA).await;
    let owner = Browser::at(&shop);
    owner.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token_for("reset_password").await;
    owner.post("/api/user/password/reset", &json!({"token": token, "password": "new mountains every day"})).await;
    vouched(&provider, &owner, &PERSON).await;

    let body = json!({"email": ASHA, "name": "", "image": "", "phone": "", "password": "new mountains every day"});
    assert_eq!(owner.post("/api/user/googleLogin", &body).await.status, 200);

    assert!(!squatter.is_signed_in().await);
    assert_eq!(squatter.login(ASHA, PASSWORD).await.status, 401);
}

#[sqlx::test]
async fn a_callback_counts_once_and_in_its_own_browser(db: PgPool) {
    let provider = Provider::start();
    let shop = shop_with(&provider, db).await;
    let (asha, mallory) = (Browser::at(&shop), Browser::at(&shop));
    let callback = visit_provider(&provider, &asha, &PERSON).await;

    // Somebody else's browser: with no flow of its own, and with one.
    for _ in 0..2 {
        assert_eq!(mallory.get(&callback).await.header("location"), "/?google=failed");
        mallory.get("/api/user/google/start").await;
    }
    let wrong_state = callback.replace("state=", "state=x");
    assert_eq!(asha.get(&wrong_state).await.header("location"), "/?google=failed");
    assert_eq!(asha.get(&callback).await.header("location"), "/cart?google=verified");
    assert_eq!(asha.get(&callback).await.header("location"), "/?google=failed", "a replay");

    // The attacker's own code in the victim's browser: the victim must not end up in the attacker's account.
    let own = Person { email: "mallory@example.com", subject: "sub-mallory", verified: true };
    let planted = visit_provider(&provider, &mallory, &own).await;
    let victim = Browser::at(&shop);
    victim.get("/api/user/google/start").await;
    assert_eq!(victim.get(&planted).await.header("location"), "/?google=failed");
}

#[sqlx::test]
async fn a_token_that_is_not_right_in_every_way_is_refused(db: PgPool) {
    let provider = Provider::start();
    let shop = shop_with(&provider, db).await;
    let browser = Browser::at(&shop);
    for way in [
        "wrong-nonce",
        "no-nonce",
        "wrong-audience",
        "wrong-issuer",
        "expired",
        "not-yet",
        "unsigned",
        "symmetric",
        "other-key",
        "unknown-key",
        "missing",
        "server-error",
    ] {
        let callback = visit_provider(&provider, &browser, &PERSON).await;
        provider.misbehave(way).await;
        assert_eq!(browser.get(&callback).await.header("location"), "/cart?google=failed", "{way}");
        assert_eq!(google_login(&browser, ASHA).await.refusal(), failed(), "{way}");
    }
    // Nothing above was refused for another reason.
    assert_eq!(vouched(&provider, &browser, &PERSON).await, "/cart?google=verified");
}

#[sqlx::test]
async fn a_provider_that_changed_its_key_is_asked_again(db: PgPool) {
    let provider = Provider::start();
    let shop = shop_with(&provider, db).await;
    let browser = Browser::at(&shop);
    let callback = visit_provider(&provider, &browser, &PERSON).await;
    provider.misbehave("rotated-key").await;

    assert_eq!(browser.get(&callback).await.header("location"), "/cart?google=verified");
}

#[sqlx::test]
async fn without_a_provider_there_is_no_such_sign_in_and_a_dead_one_is_said(db: PgPool) {
    let shop = TestShop::new(db.clone());
    assert_eq!(Browser::at(&shop).get("/api/user/google/start").await.status, 404);
    assert!(!shop.app.config.shop.google_sign_in);

    let settings =
        [("OPENID_ISSUER", "http://127.0.0.1:1"), ("OPENID_CLIENT_ID", "shop"), ("OPENID_CLIENT_SECRET", "secret")];
    let shop = TestShop::with(db, &settings);
    assert_eq!(Browser::at(&shop).get("/api/user/google/start").await.header("location"), "/?google=failed");
}
