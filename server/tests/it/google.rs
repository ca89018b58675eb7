//! Signing in through a real OpenID provider, and attempts to impersonate others.

use chrono::TimeDelta;
use serde_json::json;
use sqlx::PgPool;

use crate::support::identity_provider::{IdentityProvider, Person};
use crate::support::mailbox::Mailbox;
use crate::support::{Browser, PASSWORD, SHOP, TestResponse, TestShop};

const ASHA: &str = "asha@example.com";
pub const PERSON: Person<'_> = Person { email: ASHA, subject: "sub-asha", verified: true };

fn failed() -> (u16, String) {
    (401, "google_failed".to_owned())
}

async fn shop_with_provider(provider: &IdentityProvider, db: PgPool) -> TestShop {
    TestShop::with_jobs_and_settings(db, &provider.settings()).await
}

pub async fn shop_with_provider_and_mailbox(provider: &IdentityProvider, mailbox: &Mailbox, db: PgPool) -> TestShop {
    let mut settings = provider.settings().to_vec();
    settings.push(("SMTP_URL", &mailbox.smtp_url));
    TestShop::with_jobs_and_settings(db, &settings).await
}

/// Signs in at the provider and returns the callback URL.
async fn visit_provider(provider: &IdentityProvider, browser: &Browser<'_>, person: &Person<'_>) -> String {
    visit_provider_from(provider, browser, person, "/api/user/google/start?return=/cart").await
}

async fn visit_provider_from(
    provider: &IdentityProvider,
    browser: &Browser<'_>,
    person: &Person<'_>,
    start: &str,
) -> String {
    let away = browser.get(start).await;
    assert_eq!(away.status, 303, "{}", away.text);
    let back = provider.sign_in(away.header("location"), person).await;
    back.strip_prefix(SHOP).expect("back at the shop").to_owned()
}

/// Signs in at the provider, follows the callback and returns where it redirects to.
pub async fn sign_in_at_provider(provider: &IdentityProvider, browser: &Browser<'_>, person: &Person<'_>) -> String {
    let callback = visit_provider(provider, browser, person).await;
    browser.get(&callback).await.header("location").to_owned()
}

pub async fn google_login(browser: &Browser<'_>, email: &str) -> TestResponse {
    browser.post("/api/user/googleLogin", &json!({"email": email, "name": "Asha", "image": "", "phone": ""})).await
}

// spec: 7.shopper.9
#[sqlx::test]
async fn a_vouched_person_gets_an_account_and_comes_back_to_it(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    let browser = Browser::new(&shop);

    assert_eq!(sign_in_at_provider(&provider, &browser, &PERSON).await, "/cart?google=verified");
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
    let agreed = "policy_consents WHERE page IN ('privacy', 'terms')";
    assert_eq!(shop.count(agreed).await, 2, "a sign-up through the provider is a sign-up");

    // The same person with another address at the provider gets the same account.
    let other = Browser::new(&shop);
    let moved = Person { email: "asha.new@example.com", ..PERSON };
    sign_in_at_provider(&provider, &other, &moved).await;
    assert_eq!(google_login(&other, "asha.new@example.com").await.json()["data"]["_id"], user["_id"]);
}

#[sqlx::test]
async fn nobody_becomes_somebody_by_saying_so(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    Browser::new(&shop).register(ASHA).await;
    let mallory = Browser::new(&shop);

    // The browser has no verified identity.
    assert_eq!(google_login(&mallory, ASHA).await.refusal(), failed());
    assert_eq!(mallory.get("/api/user/google/identity").await.status, 401);
    // The verified identity has another address.
    let own = Person { email: "mallory@example.com", subject: "sub-mallory", verified: true };
    sign_in_at_provider(&provider, &mallory, &own).await;
    assert_eq!(google_login(&mallory, ASHA).await.refusal(), failed());
    // The verified identity has expired.
    shop.app.clock.advance(TimeDelta::minutes(5));
    assert_eq!(google_login(&mallory, "mallory@example.com").await.refusal(), failed());
    // The provider has not verified the address of the identity.
    let unverified = Person { email: ASHA, subject: "sub-mallory", verified: false };
    assert_eq!(sign_in_at_provider(&provider, &mallory, &unverified).await, "/cart?google=failed");
    assert_eq!(google_login(&mallory, ASHA).await.refusal(), failed());
    assert!(!mallory.is_signed_in().await);
}

#[sqlx::test]
async fn a_password_account_is_connected_once_its_password_was_given(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    // The account may be Asha's, or belong to someone who registered her address first.
    Browser::new(&shop).register(ASHA).await;
    let browser = Browser::new(&shop);
    sign_in_at_provider(&provider, &browser, &PERSON).await;
    let with = |password: &str| json!({"email": ASHA, "name": "", "image": "", "phone": "", "password": password});

    let asked = google_login(&browser, ASHA).await;
    assert_eq!(asked.refusal(), (409, "link_needed".to_owned()));
    assert!(!browser.is_signed_in().await, "the address alone opens nothing");
    let wrong = browser.post("/api/user/googleLogin", &with("wrong")).await;
    assert_eq!(wrong.refusal(), (401, "wrong_credentials".to_owned()));
    let linked = browser.post("/api/user/googleLogin", &with(PASSWORD)).await;

    assert_eq!(linked.status, 200, "{}", linked.text);
    assert_eq!(linked.json()["data"]["google"], true);
    let again = Browser::new(&shop);
    sign_in_at_provider(&provider, &again, &PERSON).await;
    assert_eq!(google_login(&again, ASHA).await.status, 200, "from now on without it");
}

/// A squatter who registered the address first loses access when its owner proves it by email.
#[sqlx::test]
async fn the_owner_of_an_address_throws_the_squatter_out(db: PgPool) {
    let provider = IdentityProvider::start();
    let mailbox = Mailbox::open();
    let shop = shop_with_provider_and_mailbox(&provider, &mailbox, db).await;
    let squatter = Browser::new(&shop);
    squatter.register(ASHA).await;
    let owner = Browser::new(&shop);
    owner.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    owner.post("/api/user/password/reset", &json!({"token": token, "password": "new mountains every day"})).await;
    sign_in_at_provider(&provider, &owner, &PERSON).await;

    let body = json!({"email": ASHA, "name": "", "image": "", "phone": "", "password": "new mountains every day"});
    assert_eq!(owner.post("/api/user/googleLogin", &body).await.status, 200);

    assert!(!squatter.is_signed_in().await);
    assert_eq!(squatter.login(ASHA, PASSWORD).await.status, 401);
}

#[sqlx::test]
async fn a_callback_counts_once_and_in_its_own_browser(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    let (asha, mallory) = (Browser::new(&shop), Browser::new(&shop));
    let callback = visit_provider(&provider, &asha, &PERSON).await;

    // Another browser cannot use the callback, neither without a flow of its own nor with one.
    for _ in 0..2 {
        assert_eq!(mallory.get(&callback).await.header("location"), "/?google=failed");
        mallory.get("/api/user/google/start").await;
    }
    let wrong_state = callback.replace("state=", "state=x");
    assert_eq!(asha.get(&wrong_state).await.header("location"), "/?google=failed");
    assert_eq!(asha.get(&callback).await.header("location"), "/cart?google=verified");
    assert_eq!(asha.get(&callback).await.header("location"), "/?google=failed", "a replay");

    // If the victim's browser accepted the attacker's code, the victim would be signed in to the attacker's account.
    let own = Person { email: "mallory@example.com", subject: "sub-mallory", verified: true };
    let planted = visit_provider(&provider, &mallory, &own).await;
    let victim = Browser::new(&shop);
    victim.get("/api/user/google/start").await;
    assert_eq!(victim.get(&planted).await.header("location"), "/?google=failed");
}

#[sqlx::test]
async fn a_token_that_is_not_right_in_every_way_is_refused(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    let browser = Browser::new(&shop);
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
    // A correct sign-in still works, so the refusals above had no other reason.
    assert_eq!(sign_in_at_provider(&provider, &browser, &PERSON).await, "/cart?google=verified");
}

#[sqlx::test]
async fn a_provider_that_changed_its_key_is_asked_again(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    let browser = Browser::new(&shop);
    let callback = visit_provider(&provider, &browser, &PERSON).await;
    provider.misbehave("rotated-key").await;

    assert_eq!(browser.get(&callback).await.header("location"), "/cart?google=verified");
}

#[sqlx::test]
async fn without_a_provider_there_is_no_such_sign_in_and_a_dead_one_is_said(db: PgPool) {
    let shop = TestShop::new(db.clone());
    assert_eq!(Browser::new(&shop).get("/api/user/google/start").await.status, 404);
    assert!(!shop.app.config.shop.google_sign_in);

    let settings =
        [("OPENID_ISSUER", "http://127.0.0.1:1"), ("OPENID_CLIENT_ID", "shop"), ("OPENID_CLIENT_SECRET", "secret")];
    let shop = TestShop::with(db, &settings);
    assert_eq!(Browser::new(&shop).get("/api/user/google/start").await.header("location"), "/?google=failed");
}

/// Logs in again at the provider, as the web app requests it before sensitive actions; returns where the callback
/// redirects to.
async fn log_in_again(provider: &IdentityProvider, browser: &Browser<'_>) -> String {
    let callback =
        visit_provider_from(provider, browser, &PERSON, "/api/user/google/start?return=/profile&fresh=true").await;
    browser.get(&callback).await.header("location").to_owned()
}

#[sqlx::test]
async fn a_provider_that_remembers_somebody_is_asked_again_before_export_and_delete(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    let browser = Browser::new(&shop);
    sign_in_at_provider(&provider, &browser, &PERSON).await;
    google_login(&browser, ASHA).await;
    let needed = (403, "fresh_login_needed".to_owned());

    assert_eq!(browser.get("/api/user/export").await.refusal(), needed);
    assert_eq!(browser.post("/api/user/delete", &json!({})).await.refusal(), needed);
    // The provider does not say when the person logged in, or says that it was long ago.
    for way in ["no-auth-time", "old-auth-time"] {
        provider.misbehave(way).await;
        assert_eq!(log_in_again(&provider, &browser).await, "/profile?google=not_fresh", "{way}");
        assert_eq!(browser.get("/api/user/export").await.refusal(), needed, "{way}");
    }

    assert_eq!(log_in_again(&provider, &browser).await, "/profile?google=verified");
    assert_eq!(google_login(&browser, ASHA).await.status, 200);
    assert_eq!(browser.get("/api/user/export").await.status, 200);
    assert_eq!(browser.post("/api/user/delete", &json!({})).await.status, 200);
}

#[sqlx::test]
async fn a_login_through_the_provider_with_a_new_browser_is_told_once(db: PgPool) {
    let provider = IdentityProvider::start();
    let shop = shop_with_provider(&provider, db).await;
    let (first, second) = (Browser::new(&shop), Browser::new(&shop));
    let told = async || {
        let emails = shop.queued_emails().await;
        emails.iter().filter(|message| message["email"]["kind"] == "new_device").count()
    };
    for expected in [0, 0] {
        sign_in_at_provider(&provider, &first, &PERSON).await;
        assert_eq!(google_login(&first, ASHA).await.status, 200);
        assert_eq!(told().await, expected, "the account was made with this browser");
    }
    for expected in [1, 1] {
        sign_in_at_provider(&provider, &second, &PERSON).await;
        assert_eq!(google_login(&second, ASHA).await.status, 200);
        assert_eq!(told().await, expected);
    }
}

#[sqlx::test]
async fn a_linked_identity_is_listed_noticed_and_removed_but_not_the_only_way_in(db: PgPool) {
    let provider = IdentityProvider::start();
    let mailbox = Mailbox::open();
    let shop = shop_with_provider_and_mailbox(&provider, &mailbox, db).await;
    let (owner, other) = (Browser::new(&shop), Browser::new(&shop));
    owner.register(ASHA).await;
    sign_in_at_provider(&provider, &other, &PERSON).await;
    let body = json!({"email": ASHA, "name": "", "image": "", "phone": "", "password": PASSWORD});
    assert_eq!(other.post("/api/user/googleLogin", &body).await.status, 200);
    shop.run_jobs().await;
    let subject = |email: &serde_json::Value| email["subject"].as_str().unwrap().to_owned();
    let told: Vec<String> = mailbox.emails(ASHA).await.iter().map(subject).collect();
    assert!(told.contains(&"A Google account was linked to your account".to_owned()), "{told:?}");

    let listed = owner.get("/api/user/identities").await.json()["data"].clone();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["email"]), (1, &json!(ASHA)));
    let path = format!("/api/user/identities/{}", listed[0]["id"].as_str().unwrap());
    let stranger = Browser::new(&shop);
    stranger.register("bina@example.com").await;
    assert_eq!(stranger.delete(&path).await.refusal(), (404, "identity_not_found".to_owned()));
    assert_eq!(owner.delete(&path).await.status, 200);

    assert!(owner.is_signed_in().await && !other.is_signed_in().await, "the session that it began has ended");
    assert_eq!(owner.get("/api/user/identities").await.json()["data"], json!([]));
    sign_in_at_provider(&provider, &other, &PERSON).await;
    assert_eq!(google_login(&other, ASHA).await.refusal(), (409, "link_needed".to_owned()));

    // An account without a password cannot lose its only identity.
    let maya = Person { email: "maya@example.com", subject: "sub-maya", verified: true };
    let browser = Browser::new(&shop);
    sign_in_at_provider(&provider, &browser, &maya).await;
    google_login(&browser, "maya@example.com").await;
    let listed = browser.get("/api/user/identities").await.json()["data"].clone();
    let path = format!("/api/user/identities/{}", listed[0]["id"].as_str().unwrap());
    assert_eq!(browser.delete(&path).await.refusal(), (409, "last_login_method".to_owned()));
}

/// An identity that was linked under another address may belong to an intruder.
#[sqlx::test]
async fn a_reset_removes_identities_of_another_address(db: PgPool) {
    let provider = IdentityProvider::start();
    let mailbox = Mailbox::open();
    let shop = shop_with_provider_and_mailbox(&provider, &mailbox, db).await;
    let squatter = Browser::new(&shop);
    let mallory = Person { email: "mallory@example.com", subject: "sub-mallory", verified: true };
    sign_in_at_provider(&provider, &squatter, &mallory).await;
    google_login(&squatter, "mallory@example.com").await;
    // This simulates that Asha has opened a confirmation link which the squatter sent to her.
    shop.sql("UPDATE users SET email = 'asha@example.com'").await;
    let owner = Browser::new(&shop);
    owner.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    owner.post("/api/user/password/reset", &json!({"token": token, "password": "new mountains every day"})).await;

    sign_in_at_provider(&provider, &squatter, &mallory).await;
    let back = google_login(&squatter, "mallory@example.com").await;

    assert_eq!(back.status, 200);
    assert_ne!(back.json()["data"]["email"], ASHA, "an account of his own, not hers");
}
