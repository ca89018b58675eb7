//! Attempts to take an account over by changing its email address, and the defences against them.

use chrono::TimeDelta;
use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::mailbox::Mailbox;
use crate::support::{Browser, PASSWORD, TestResponse, TestShop, refusal};

const ASHA: &str = "asha@example.com";
const EVIL: &str = "mallory@evil.example";
const NEW_PASSWORD: &str = "new mountains every day";

pub async fn save_email(browser: &Browser<'_>, email: &str) -> TestResponse {
    save_email_with(browser, email, None).await
}

async fn save_email_with(browser: &Browser<'_>, email: &str, password: Option<&str>) -> TestResponse {
    let mut texts = vec![("name", "Asha"), ("email", email), ("phone", "9801234567"), ("address", "Bhaktapur")];
    texts.extend(password.map(|password| ("currentPassword", password)));
    browser.send_form(Method::PUT, "/api/user/updateProfile", &texts, None).await
}

pub async fn open_link(shop: &TestShop, page: &str, token: &str) -> TestResponse {
    Browser::new(shop).post(&format!("/api/user/email/{page}"), &json!({"token": token})).await
}

/// Does what the owner can do against an intruder.
async fn remedy(shop: &TestShop, mailbox: &Mailbox, victim: &str, variant: &str) {
    let browser = Browser::new(shop);
    if variant == "reset" {
        browser.post("/api/user/password/forgot", &json!({"email": victim})).await;
        let token = shop.token(mailbox, victim, "reset-password").await;
        let body = json!({"token": token, "password": NEW_PASSWORD});
        assert_eq!(browser.post("/api/user/password/reset", &body).await.status, 200);
        return;
    }
    assert_eq!(browser.login(victim, PASSWORD).await.status, 200);
    let done = match variant {
        "saved own address again" => save_email(&browser, victim).await,
        "password changed" => {
            let body = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
            browser.post("/api/user/password/change", &body).await
        }
        "sign out everywhere" => browser.post("/api/user/sessions/end_all", &json!({})).await,
        "account deleted" => browser.post("/api/user/delete", &json!({"password": PASSWORD})).await,
        other => panic!("{other}"),
    };
    assert_eq!(done.status, 200, "{variant}: {}", done.text);
}

/// An attacker who registered the victim's address first, or had the session for a moment, requests a change of the
/// address and opens the link after the owner has locked the attacker out.
#[sqlx::test]
async fn account_takeover_by_a_surviving_email_change_link_fails_after_each_of_five_remedies(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let variants = ["reset", "saved own address again", "password changed", "sign out everywhere", "account deleted"];
    for (number, variant) in variants.into_iter().enumerate() {
        let (victim, evil) = (format!("asha{number}@example.com"), format!("mallory{number}@evil.example"));
        let attacker = Browser::new(&shop);
        attacker.register(&victim).await;
        assert_eq!(save_email(&attacker, &evil).await.status, 200);
        let token = shop.token(&mailbox, &evil, "confirm-email").await;

        remedy(&shop, &mailbox, &victim, variant).await;
        let opened = open_link(&shop, "confirm", &token).await;

        assert_eq!(opened.refusal(), refusal(422, "link_invalid"), "{variant}");
        let taken: Vec<(String, Option<String>)> =
            sqlx::query_as("SELECT email, pending_email FROM users WHERE $1 IN (email, pending_email)")
                .bind(&evil)
                .fetch_all(&shop.db)
                .await
                .unwrap();
        assert_eq!(taken, [], "{variant}");
        let links: i64 = sqlx::query_scalar("SELECT count(*) FROM one_time_links WHERE email = $1")
            .bind(&evil)
            .fetch_one(&shop.db)
            .await
            .unwrap();
        assert_eq!(links, 0, "{variant}");
    }
}

#[sqlx::test]
async fn a_new_email_address_needs_the_password_or_a_recent_login(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    shop.app.clock.advance(TimeDelta::minutes(11));
    let thief = browser.copy_cookies();

    assert_eq!(save_email(&thief, EVIL).await.refusal(), refusal(403, "password_needed"));
    assert_eq!(save_email_with(&thief, EVIL, Some("a guess")).await.refusal(), refusal(403, "wrong_password"));
    assert_eq!(browser.current_user().await.json()["data"]["pendingEmail"], Value::Null);
    assert_eq!(save_email(&browser, ASHA).await.status, 200, "everything else is saved without it");
    let asked = save_email_with(&browser, "new@example.com", Some(PASSWORD)).await;
    assert_eq!(asked.json()["data"]["pendingEmail"], "new@example.com");
    assert_eq!(save_email(&browser, "new@example.com").await.status, 200, "the pending address may be sent again");

    // Guessing the password is throttled here as it is at the login.
    for number in 0..5 {
        assert_eq!(save_email_with(&thief, EVIL, Some("a guess")).await.status, 403, "{number}");
    }
    shop.lengthen_login_waits().await;
    assert_eq!(save_email_with(&thief, EVIL, Some("a guess")).await.status, 429);
}

#[sqlx::test]
async fn a_link_confirms_only_the_address_that_is_still_pending(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    save_email(&browser, "first@example.com").await;
    let first = shop.token(&mailbox, "first@example.com", "confirm-email").await;
    // The jobs have not run yet, so the second link has not replaced the first.
    save_email(&browser, "second@example.com").await;

    assert_eq!(open_link(&shop, "confirm", &first).await.refusal(), refusal(422, "link_invalid"));
    let second = shop.token(&mailbox, "second@example.com", "confirm-email").await;
    shop.sql("UPDATE users SET pending_email = 'third@example.com'").await;
    assert_eq!(open_link(&shop, "confirm", &second).await.refusal(), refusal(422, "link_invalid"));
    shop.sql("UPDATE users SET pending_email = 'Second@example.com'").await;
    assert_eq!(open_link(&shop, "confirm", &second).await.status, 200);
    assert_eq!(browser.current_user().await.json()["data"]["email"], "second@example.com");
}

/// The intruder has confirmed the new address, set a new password and linked an identity before the owner reads the
/// email.
#[sqlx::test]
async fn this_was_not_me_undoes_the_change_even_after_it_was_confirmed(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let intruder = Browser::new(&shop);
    intruder.register(ASHA).await;
    // Jobs run in any order, and the link of the registration must not replace the one of the change.
    shop.run_jobs().await;
    shop.sql(
        "INSERT INTO user_identities (issuer, subject, user_id, email, created_at)
              SELECT 'https://provider.example', 'owner', id, email, now() - interval '1 day' FROM users",
    )
    .await;
    save_email(&intruder, EVIL).await;
    let confirm = shop.token(&mailbox, EVIL, "confirm-email").await;
    let not_me = mailbox.token(ASHA, "cancel-email-change").await;
    assert_eq!(open_link(&shop, "confirm", &confirm).await.status, 200);
    let body = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
    assert_eq!(intruder.post("/api/user/password/change", &body).await.status, 200);
    shop.sql(
        "INSERT INTO user_identities (issuer, subject, user_id, email, created_at)
              SELECT 'https://provider.example', 'intruder', id, email, now() FROM users",
    )
    .await;
    assert_eq!(
        Browser::new(&shop).register(ASHA).await.refusal(),
        refusal(409, "email_taken"),
        "the former address is reserved while it can be restored"
    );
    // The intruder moves on to a second address and cancels that change, in order to invalidate the owner's link.
    save_email(&intruder, "second@evil.example").await;
    let second = shop.token(&mailbox, "second@evil.example", "confirm-email").await;
    assert_eq!(open_link(&shop, "confirm", &second).await.status, 200);
    let his_own = mailbox.token(EVIL, "cancel-email-change").await;
    assert_eq!(open_link(&shop, "cancel", &his_own).await.status, 200);
    let reset_at_evil = shop.token(&mailbox, EVIL, "reset-password").await;

    let undone = open_link(&shop, "cancel", &not_me).await;

    assert_eq!((undone.status.as_u16(), &undone.json()["data"]["email"]), (200, &json!(ASHA)));
    assert!(!intruder.is_signed_in().await);
    let left: Vec<String> =
        sqlx::query_scalar("SELECT subject FROM user_identities").fetch_all(&shop.db).await.unwrap();
    assert_eq!(left, ["owner"], "identities linked since the change are gone");
    for password in [PASSWORD, NEW_PASSWORD] {
        assert_eq!(Browser::new(&shop).login(ASHA, password).await.status, 401);
    }
    let late = json!({"token": reset_at_evil, "password": "the intruder's last try"});
    assert_eq!(intruder.post("/api/user/password/reset", &late).await.refusal(), refusal(422, "link_invalid"));
    assert_eq!(open_link(&shop, "cancel", &not_me).await.refusal(), refusal(422, "link_invalid"), "it works once");

    let owner = Browser::new(&shop);
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    let body = json!({"token": token, "password": "the owner's own secret"});
    assert_eq!(owner.post("/api/user/password/reset", &body).await.status, 200);
    assert_eq!(owner.login(ASHA, "the owner's own secret").await.status, 200);
}

#[sqlx::test]
async fn this_was_not_me_cancels_a_pending_change_and_expires_after_72_hours(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    save_email(&browser, EVIL).await;
    let confirm = shop.token(&mailbox, EVIL, "confirm-email").await;
    let not_me = mailbox.token(ASHA, "cancel-email-change").await;
    let stored: Vec<Vec<u8>> =
        sqlx::query_scalar("SELECT token_hash FROM one_time_links WHERE purpose = 'cancel_email_change'")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    assert!(stored.len() == 1 && stored[0].len() == 32 && stored[0] != not_me.as_bytes(), "hashed");

    shop.app.clock.advance(TimeDelta::hours(71));
    assert_eq!(open_link(&shop, "cancel", &not_me).await.status, 200);

    assert!(!browser.is_signed_in().await);
    assert_eq!(open_link(&shop, "confirm", &confirm).await.refusal(), refusal(422, "link_invalid"));
    browser.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    browser.post("/api/user/password/reset", &json!({"token": token, "password": NEW_PASSWORD})).await;
    browser.login(ASHA, NEW_PASSWORD).await;
    save_email(&browser, "late@example.com").await;
    let late = shop.token(&mailbox, ASHA, "cancel-email-change").await;
    shop.app.clock.advance(TimeDelta::hours(72));
    assert_eq!(open_link(&shop, "cancel", &late).await.refusal(), refusal(422, "link_invalid"));
}

#[sqlx::test]
async fn a_reset_link_dies_when_the_email_or_the_password_changes(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let forgot = async |email: &str| {
        Browser::new(&shop).post("/api/user/password/forgot", &json!({"email": email})).await;
        shop.token(&mailbox, email, "reset-password").await
    };
    let reset = async |token: &str| {
        let body = json!({"token": token, "password": "chosen by the finder"});
        Browser::new(&shop).post("/api/user/password/reset", &body).await.refusal()
    };

    let before_password = forgot(ASHA).await;
    let body = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
    assert_eq!(browser.post("/api/user/password/change", &body).await.status, 200);
    assert_eq!(reset(&before_password).await, refusal(422, "link_invalid"));

    let before_email = forgot(ASHA).await;
    save_email(&browser, "new@example.com").await;
    let confirm = shop.token(&mailbox, "new@example.com", "confirm-email").await;
    assert_eq!(open_link(&shop, "confirm", &confirm).await.status, 200);
    // The link stays invalid even if the former address is restored.
    shop.sql("UPDATE users SET email = 'asha@example.com'").await;
    assert_eq!(reset(&before_email).await, refusal(422, "link_invalid"));
}

#[sqlx::test]
async fn changing_the_address_again_and_again_sends_three_emails_an_hour(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register(ASHA).await;
    let mut answers = Vec::new();
    for number in 0..4 {
        answers.push(save_email(&browser, &format!("stranger{number}@example.com")).await.status.as_u16());
    }

    assert_eq!(answers, [200, 200, 200, 429]);
    let strangers = shop.queued_links().await.iter().filter(|link| link["purpose"] == "confirm_email").count();
    assert_eq!(strangers, 1 + 3, "one for the registration");
    assert_eq!(browser.post("/api/user/email/resend", &json!({})).await.status, 429, "one limit for both ways");
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(browser.post("/api/user/email/resend", &json!({})).await.status, 200);
}
