//! The security log, and the hash chains over it and the audit log.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::permissions::Role;
use thunse::platform::security_log::{self, Actor, SecurityEventKind, SecurityEvents, hash_chain};
use thunse::staff::AuditLog;

use crate::account_takeover::{open_link, save_email};
use crate::google::{PERSON, google_login, shop_with_provider_and_mailbox, sign_in_at_provider};
use crate::orders::{asha, sita};
use crate::support::identity_provider::IdentityProvider;
use crate::support::mailbox::Mailbox;
use crate::support::{Browser, PASSWORD, TestShop};

const ASHA: &str = "asha@example.com";
const NEW_PASSWORD: &str = "new mountains every day";

/// Returns every row of the security log, oldest first.
async fn list_events(shop: &TestShop) -> Vec<Value> {
    sqlx::query_scalar(
        "SELECT jsonb_build_object('kind', kind, 'actor', actor_kind, 'id', actor_id, 'subject', subject, 'ip', ip, 'device', device,
             'request', request_id <> '', 'details', details) FROM security_events ORDER BY id",
    )
    .fetch_all(&shop.db)
    .await
    .unwrap()
}

async fn event_kinds(shop: &TestShop) -> Vec<String> {
    list_events(shop).await.iter().map(|event| event["kind"].as_str().unwrap().to_owned()).collect()
}

async fn seal(shop: &TestShop) {
    hash_chain::seal::<SecurityEvents>(&shop.db).await.unwrap();
    hash_chain::seal::<AuditLog>(&shop.db).await.unwrap();
}

async fn find_fault(shop: &TestShop) -> Option<String> {
    hash_chain::verify::<SecurityEvents>(&shop.db, &[]).await.unwrap().fault
}

async fn write_three_rows(shop: &TestShop) {
    for subject in ["one", "two", "three"] {
        security_log::record_now(&shop.db, SecurityEventKind::Exported, Actor::System, subject, &json!({}))
            .await
            .unwrap();
    }
    seal(shop).await;
    assert_eq!(find_fault(shop).await, None);
}

#[sqlx::test]
async fn a_changed_row_is_found(db: PgPool) {
    let shop = TestShop::new(db);
    write_three_rows(&shop).await;

    for change in
        ["subject = 'other'", "at = at + interval '1 microsecond'", "details = '{\"a\": 1}'", "ip = '10.0.0.1'"]
    {
        shop.sql("CREATE TABLE before AS SELECT * FROM security_events").await;
        shop.sql(&format!("UPDATE security_events SET {change} WHERE id = 2")).await;
        assert_eq!(find_fault(&shop).await.as_deref(), Some("row 2 was changed"), "{change}");
        let back = "UPDATE security_events e SET subject = b.subject, at = b.at, details = b.details, ip = b.ip FROM before b WHERE b.id = e.id";
        shop.sql(&format!("{back}; DROP TABLE before")).await;
        assert_eq!(find_fault(&shop).await, None);
    }
}

#[sqlx::test]
async fn a_removed_row_is_found(db: PgPool) {
    let shop = TestShop::new(db);
    write_three_rows(&shop).await;
    let heads = [hash_chain::verify::<SecurityEvents>(&shop.db, &[]).await.unwrap().head];

    shop.sql("DELETE FROM security_events WHERE id = 3; DELETE FROM log_seals WHERE row_id = 3").await;
    assert_eq!(find_fault(&shop).await, None, "the end of a log is known to whoever noted its head");
    assert!(!hash_chain::verify::<SecurityEvents>(&shop.db, &heads).await.unwrap().has(&heads[0]));
    shop.sql("DELETE FROM security_events WHERE id = 1").await;
    assert_eq!(find_fault(&shop).await.as_deref(), Some("row 1 was removed"));
    shop.sql("DELETE FROM log_seals WHERE row_id = 1").await;
    assert_eq!(find_fault(&shop).await.as_deref(), Some("the seal before row 2 is missing"));
    shop.sql("UPDATE log_seals SET seq = 1 WHERE row_id = 2").await;
    assert_eq!(find_fault(&shop).await.as_deref(), Some("row 2 was changed"));
}

#[sqlx::test]
async fn a_row_that_was_never_sealed_is_found(db: PgPool) {
    let shop = TestShop::new(db);
    security_log::record_now(&shop.db, SecurityEventKind::Exported, Actor::System, "one", &json!({})).await.unwrap();
    assert_eq!(find_fault(&shop).await, None, "the worker has a day");

    shop.sql("UPDATE security_events SET at = at - interval '2 days'").await;

    assert_eq!(find_fault(&shop).await.as_deref(), Some("row 1 was never sealed"));
}

#[sqlx::test]
async fn the_audit_log_is_chained_too(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = sita(&shop).await;
    let settings = sita.get("/api/shop/get_settings").await.json()["data"].clone();
    let mut changed = settings.clone();
    changed["tagline"] = json!("Rice and more");
    assert_eq!(sita.put("/api/shop/update_settings", &changed).await.status, 200);
    shop.run_jobs().await;
    seal(&shop).await;
    let verdict = hash_chain::verify::<AuditLog>(&shop.db, &[]).await.unwrap();
    assert_eq!((verdict.sealed, verdict.fault), (1, None));

    shop.sql("UPDATE audit_log SET after = 'nothing'").await;

    let found = hash_chain::verify::<AuditLog>(&shop.db, &[]).await.unwrap().fault;
    assert_eq!(found.as_deref(), Some("row 1 was changed"));
    assert!(event_kinds(&shop).await.contains(&"settings.changed".to_owned()));
}

/// Runs the command as an operator does; returns whether it succeeded, and its output.
async fn audit_verify(shop: &TestShop, arguments: &[&str]) -> (bool, String) {
    let run = shop.command(&[&["audit", "verify"], arguments].concat(), &[]).await.output().unwrap();
    let said = [run.stdout, run.stderr].map(|text| String::from_utf8_lossy(&text).into_owned());
    (run.status.success(), said.concat())
}

#[sqlx::test]
async fn the_command_audit_verify_fails_and_names_the_row(db: PgPool) {
    let shop = TestShop::new(db);
    write_three_rows(&shop).await;
    let head = hash_chain::verify::<SecurityEvents>(&shop.db, &[]).await.unwrap().head;
    let (fine, said) = audit_verify(&shop, &["--head", &head]).await;
    assert!(fine && said.contains(&format!("security_events\t3 rows\thead {head}")), "{said}");
    let (fine, said) = audit_verify(&shop, &["--head", "ab12"]).await;
    assert!(!fine && said.contains("ab12 is in neither chain"), "{said}");

    shop.sql("UPDATE security_events SET subject = 'other' WHERE id = 2").await;

    let (fine, said) = audit_verify(&shop, &[]).await;
    assert!(!fine && said.contains("security_events: row 2 was changed"), "{said}");
}

#[sqlx::test]
async fn rows_written_and_sealed_at_once_make_one_chain(db: PgPool) {
    let shop = TestShop::new(db);
    let writing = (0..40).map(async |number: i32| {
        let subject = number.to_string();
        security_log::record_now(&shop.db, SecurityEventKind::LoginFailed, Actor::Visitor, &subject, &json!({}))
            .await
            .unwrap();
        if number % 5 == 0 {
            seal(&shop).await;
        }
    });
    futures_util::future::join_all(writing).await;
    seal(&shop).await;

    let verdict = hash_chain::verify::<SecurityEvents>(&shop.db, &[]).await.unwrap();
    assert_eq!((verdict.sealed, verdict.fault), (40, None));
}

#[sqlx::test]
async fn the_serving_role_adds_to_the_log_and_changes_nothing_in_it(db: PgPool) {
    for forbidden in [
        "UPDATE security_events SET subject = ''",
        "DELETE FROM security_events",
        "UPDATE log_seals SET h = ''",
        "DELETE FROM log_seals",
        "UPDATE audit_log SET after = ''",
        "TRUNCATE security_events",
    ] {
        let mut tx = db.begin().await.unwrap();
        sqlx::query("SET LOCAL ROLE thunse_app").execute(&mut *tx).await.unwrap();
        let refused = sqlx::query(forbidden).execute(&mut *tx).await.unwrap_err().to_string();
        assert!(refused.contains("permission denied"), "{forbidden}: {refused}");
    }
}

#[sqlx::test]
async fn logins_and_refusals_are_recorded_with_where_they_came_from(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let asha = asha(&shop).await;
    let visitor = Browser::new(&shop);
    for _ in 0..5 {
        visitor.login("asha@example.com", "wrong").await;
    }
    shop.lengthen_login_waits().await;
    visitor.login("asha@example.com", "wrong").await;
    visitor.get("/api/seller/checkSeller").await;
    asha.get("/api/user/logout").await;

    let events = list_events(&shop).await;
    let found = |kind: &str| events.iter().filter(|event| event["kind"] == kind).collect::<Vec<_>>();
    assert_eq!((found("login.failed").len(), found("login.throttled").len()), (5, 1), "{events:?}");
    let failed = found("login.failed")[0];
    assert_eq!(
        (&failed["ip"], &failed["device"], &failed["request"]),
        (&json!("127.0.0.1"), &json!("Firefox on Android"), &json!(true))
    );
    let signed_in = found("login.succeeded")[0];
    assert_eq!(signed_in["actor"], "shopper");
    assert_eq!(failed["subject"], signed_in["id"], "the account that was guessed at");
    assert_eq!(found("access.denied")[0]["subject"], "GET /api/seller/checkSeller");
    assert_eq!(found("session.ended")[0]["id"], signed_in["id"]);
    assert!(!format!("{events:?}").contains(PASSWORD) && !format!("{events:?}").contains("asha@"));
}

#[sqlx::test]
async fn what_the_command_line_does_to_sellers_is_recorded(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let email = "sita@example.com";
    thunse::staff::create(&shop.app, email, "Sita", Role::Owner, None).await.unwrap();
    thunse::staff::require_second_step(&shop.app, email).await.unwrap();
    thunse::staff::remove_second_step(&shop.app, email).await.unwrap();
    thunse::staff::reset_password(&shop.app, email, None).await.unwrap();
    thunse::staff::unlock(&shop.app, email).await.unwrap();
    thunse::staff::disable(&shop.app, email).await.unwrap();

    let kinds = event_kinds(&shop).await;
    for kind in [
        "seller.created",
        "second_step.on",
        "second_step.off",
        "password.changed",
        "seller.unlocked",
        "seller.disabled",
    ] {
        assert_eq!(kinds.iter().filter(|found| *found == kind).count(), 1, "{kind}: {kinds:?}");
    }
    let by_operator = list_events(&shop).await.iter().filter(|event| event["actor"] == "operator").count();
    assert_eq!(by_operator, 6);
    let told: Vec<Value> = shop.queued_emails().await.iter().map(|message| message["email"]["kind"].clone()).collect();
    assert_eq!(told, [json!("seller_second_step"), json!("seller_second_step"), json!("seller_password_reset")]);
}

#[sqlx::test]
async fn a_flood_of_refusals_writes_a_bounded_number_of_rows(db: PgPool) {
    let shop = TestShop::new(db);
    let visitor = Browser::new(&shop);
    for _ in 0..100 {
        assert_eq!(visitor.get("/api/seller/checkSeller").await.status, 401);
    }

    assert_eq!(shop.count("security_events").await, 60);
}

/// Returns kind and actor of the rows about this account, oldest first, without its logins.
async fn events_of_account(shop: &TestShop, account: &Value) -> Vec<(String, String)> {
    let events = list_events(shop).await.into_iter().filter(|event| event["subject"] == *account);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    events
        .map(|event| (text(&event["kind"]), text(&event["actor"])))
        .filter(|(kind, _)| kind != "login.succeeded")
        .collect()
}

fn expected_events(rows: &[(&str, &str)]) -> Vec<(String, String)> {
    rows.iter().map(|(kind, actor)| ((*kind).to_owned(), (*actor).to_owned())).collect()
}

#[sqlx::test]
async fn an_account_s_life_is_recorded(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let asha = asha(&shop).await;
    let id = asha.current_user().await.json()["data"]["_id"].clone();
    let change = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
    assert_eq!(asha.post("/api/user/password/change", &change).await.status, 200);
    assert_eq!(asha.get("/api/user/export").await.status, 200);
    asha.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    let reset = json!({"token": token, "password": PASSWORD});
    assert_eq!(asha.post("/api/user/password/reset", &reset).await.status, 200);
    asha.login(ASHA, PASSWORD).await;
    let other = Browser::new(&shop);
    other.login(ASHA, PASSWORD).await;
    let sessions = asha.get("/api/user/sessions").await.json()["data"].clone();
    let others = sessions.as_array().unwrap().iter().find(|one| one["current"] == false).unwrap()["id"].clone();
    assert_eq!(asha.delete(&format!("/api/user/sessions/{}", others.as_str().unwrap())).await.status, 200);
    assert_eq!(asha.post("/api/user/delete", &json!({"password": PASSWORD})).await.status, 200);

    let expected = [
        ("account.created", "shopper"),
        ("password.changed", "shopper"),
        ("session.all_ended", "shopper"),
        ("data.exported", "shopper"),
        ("password.changed", "visitor"),
        ("session.all_ended", "visitor"),
        ("session.ended", "shopper"),
        ("session.all_ended", "shopper"),
        ("account.deleted", "shopper"),
    ];
    assert_eq!(events_of_account(&shop, &id).await, expected_events(&expected));
}

#[sqlx::test]
async fn a_change_of_the_email_address_is_recorded_from_asking_to_undoing(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let asha = asha(&shop).await;
    // Jobs run in any order, and the link of the registration must not replace the one of a change.
    shop.run_jobs().await;
    let id = asha.current_user().await.json()["data"]["_id"].clone();
    for email in ["first@example.com", ASHA, "second@example.com"] {
        assert_eq!(save_email(&asha, email).await.status, 200);
    }
    let change = json!({"currentPassword": PASSWORD, "newPassword": NEW_PASSWORD});
    assert_eq!(asha.post("/api/user/password/change", &change).await.status, 200);
    assert_eq!(save_email(&asha, "third@example.com").await.status, 200);
    let token = shop.token(&mailbox, "third@example.com", "confirm-email").await;
    assert_eq!(open_link(&shop, "confirm", &token).await.status, 200);
    let token = mailbox.token(ASHA, "cancel-email-change").await;
    assert_eq!(open_link(&shop, "cancel", &token).await.status, 200);

    let expected = [
        ("account.created", "shopper"),
        ("email.change_requested", "shopper"),
        ("email.change_cancelled", "shopper"),
        ("email.change_requested", "shopper"),
        ("password.changed", "shopper"),
        ("email.change_cancelled", "shopper"),
        ("session.all_ended", "shopper"),
        ("email.change_requested", "shopper"),
        ("email.changed", "visitor"),
        ("email.change_undone", "visitor"),
        ("session.all_ended", "visitor"),
    ];
    assert_eq!(events_of_account(&shop, &id).await, expected_events(&expected));
    assert!(!format!("{:?}", list_events(&shop).await).contains("@example.com"), "no addresses");
}

#[sqlx::test]
async fn linked_and_removed_identities_are_recorded(db: PgPool) {
    let provider = IdentityProvider::start();
    let mailbox = Mailbox::open();
    let shop = shop_with_provider_and_mailbox(&provider, &mailbox, db).await;
    let browser = Browser::new(&shop);
    sign_in_at_provider(&provider, &browser, &PERSON).await;
    assert_eq!(google_login(&browser, ASHA).await.status, 200);
    let id = browser.current_user().await.json()["data"]["_id"].clone();
    browser.post("/api/user/password/forgot", &json!({"email": ASHA})).await;
    let token = shop.token(&mailbox, ASHA, "reset-password").await;
    browser.post("/api/user/password/reset", &json!({"token": token, "password": NEW_PASSWORD})).await;
    browser.login(ASHA, NEW_PASSWORD).await;
    let identity = browser.get("/api/user/identities").await.json()["data"][0]["id"].clone();
    let path = format!("/api/user/identities/{}", identity.as_str().unwrap());
    assert_eq!(browser.delete(&path).await.status, 200);

    let expected = [
        ("account.created", "shopper"),
        ("identity.linked", "shopper"),
        ("password.changed", "visitor"),
        ("session.all_ended", "visitor"),
        ("identity.removed", "shopper"),
        ("session.all_ended", "shopper"),
    ];
    assert_eq!(events_of_account(&shop, &id).await, expected_events(&expected));
}

#[sqlx::test]
async fn a_denied_call_of_somebody_who_is_logged_in_names_them(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let asha = asha(&shop).await;
    let id = asha.current_user().await.json()["data"]["_id"].clone();
    shop.app.clock.advance(TimeDelta::minutes(11));

    assert_eq!(asha.get("/api/seller/checkSeller").await.status, 401);
    assert_eq!(save_email(&asha, "new@example.com").await.status, 403);
    assert_eq!(asha.post("/api/user/delete", &json!({"password": "wrong"})).await.status, 403);
    // This call belongs to no account, because the provider has verified no identity.
    assert_eq!(google_login(&Browser::new(&shop), ASHA).await.status, 401);

    let events = list_events(&shop).await;
    let denied: Vec<(&Value, &Value, &Value)> = events
        .iter()
        .filter(|event| event["kind"] == "access.denied")
        .map(|event| (&event["subject"], &event["id"], &event["details"]["code"]))
        .collect();
    let expected = [
        (json!("GET /api/seller/checkSeller"), id.clone(), Value::Null),
        (json!("PUT /api/user/updateProfile"), id.clone(), json!("password_needed")),
        (json!("POST /api/user/delete"), id.clone(), json!("wrong_password")),
        (json!("POST /api/user/googleLogin"), Value::Null, json!("google_failed")),
    ];
    assert_eq!(denied, expected.iter().map(|(path, id, code)| (path, id, code)).collect::<Vec<_>>());
}

#[sqlx::test]
async fn a_limit_that_is_reached_is_recorded_once(db: PgPool) {
    let limits = [("NEWSLETTER_PER_HOUR", "2"), ("READS_PER_SECOND", "1"), ("READS_BURST", "2")];
    let shop = TestShop::with_jobs_and_settings(db, &limits).await;
    let asha = asha(&shop).await;
    let id = asha.current_user().await.json()["data"]["_id"].clone();
    let visitor = Browser::new(&shop);
    for _ in 0..5 {
        visitor.post("/api/subscriber/add_subscriber", &json!({"email": "reader@example.com"})).await;
        asha.post("/api/user/email/resend", &json!({})).await;
    }
    let paths: Vec<String> = (0..50).map(|number| format!("/api/product/get_products?search={number}")).collect();
    futures_util::future::join_all(paths.iter().map(|path| visitor.get(path))).await;

    let events = list_events(&shop).await;
    let reached: Vec<(&Value, &Value)> = events
        .iter()
        .filter(|event| event["kind"] == "limit.reached")
        .map(|event| (&event["subject"], &event["id"]))
        .collect();
    let expected = [
        (json!("POST /api/subscriber/add_subscriber"), Value::Null),
        (json!("POST /api/user/email/resend"), id),
        (json!("GET /api/product/get_products"), Value::Null),
    ];
    assert_eq!(reached, expected.iter().map(|(path, id)| (path, id)).collect::<Vec<_>>());
}

#[sqlx::test]
async fn input_that_is_refused_is_recorded_once(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let asha = asha(&shop).await;
    for _ in 0..5 {
        let broken = shop.post_with("/api/user/login", "{", &[("sec-fetch-site", "same-origin")]).await;
        assert_eq!(broken.status, 400);
        assert_eq!(asha.post("/api/user/email/confirm", &json!({"token": "guessed"})).await.status, 422);
    }

    let events = list_events(&shop).await;
    let refused: Vec<(&Value, &Value)> = events
        .iter()
        .filter(|event| event["kind"] == "input.refused")
        .map(|event| (&event["subject"], &event["details"]["code"]))
        .collect();
    let expected = [("POST /api/user/login", "body_malformed"), ("POST /api/user/email/confirm", "link_invalid")];
    let expected = expected.map(|(path, code)| (json!(path), json!(code)));
    assert_eq!(refused, expected.iter().map(|(path, code)| (path, code)).collect::<Vec<_>>());
}
