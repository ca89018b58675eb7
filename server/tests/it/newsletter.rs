//! Newsletter subscriptions.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;
use uuid::Uuid;

use crate::orders::sita;
use crate::support::mailbox::Mailbox;
use crate::support::queue;
use crate::support::{Browser, SHOP, TestResponse, TestShop, refusal};

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

const SAVE: &str = "/api/newsletter/save_newsletter";
const CHANGE: &str = "/api/newsletter/change_newsletter";

fn draft(subject: &str) -> Value {
    json!({"subject": subject, "subjectNe": format!("{subject} ने"), "body": "**Rice** is cheap.", "bodyNe": "**चामल** सस्तो छ।"})
}

async fn save_draft(seller: &Browser<'_>, subject: &str) -> String {
    let saved = seller.post(SAVE, &draft(subject)).await;
    assert_eq!(saved.status, 200, "{}", saved.text);
    saved.json()["data"]["_id"].as_str().unwrap().to_owned()
}

async fn change(seller: &Browser<'_>, id: &str, action: &str) -> TestResponse {
    seller.post(CHANGE, &json!({"_id": id, "action": action})).await
}

/// The progress of the newest newsletter.
async fn progress(seller: &Browser<'_>) -> (String, [i64; 4]) {
    let listed = seller.get("/api/newsletter/get_newsletters").await.json();
    let newest = &listed["data"]["newsletters"][0];
    let count = |name: &str| newest[name].as_i64().unwrap();
    let counts = [count("queued"), count("sent"), count("failed"), count("unsubscribed")];
    (newest["state"].as_str().unwrap().to_owned(), counts)
}

/// Sita logs in again, because a seller's session ends after half an hour.
async fn sita_again(shop: &TestShop) -> Browser<'_> {
    let browser = Browser::new(shop);
    let login = json!({"email": "sita@example.com", "password": "a shelf of mustard oil"});
    assert_eq!(browser.post("/api/seller/login", &login).await.status, 200);
    browser
}

/// Runs what the worker runs every night.
pub async fn run_daily_cleanup(shop: &TestShop) {
    queue::add_job(&shop.db, "maintenance.delete_expired", &json!({})).await;
    shop.run_jobs().await;
}

async fn add_confirmed(shop: &TestShop, count: usize) {
    for number in 0..count {
        let email = format!("reader{number}@example.com");
        sqlx::query("INSERT INTO subscribers (id, email, language, confirmed_at) VALUES ($1, $2, $3, now())")
            .bind(Uuid::now_v7())
            .bind(email)
            .bind(if number % 2 == 0 { "en" } else { "ne" })
            .execute(&shop.db)
            .await
            .unwrap();
    }
}

#[sqlx::test]
async fn a_subscription_counts_only_once_the_mailbox_s_owner_confirms_it(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = sita(&shop).await;
    shop.post(CALL, &json!({"email": "asha@example.com"})).await;
    shop.post(CALL, &json!({"email": "bina@example.com"})).await;
    let token = shop.token(&mailbox, "asha@example.com", "newsletter/confirm").await;

    assert_eq!(
        shop.post("/api/subscriber/confirm", &json!({"token": "wrong"})).await.refusal(),
        refusal(404, "link_invalid")
    );
    for _ in 0..2 {
        assert_eq!(shop.post("/api/subscriber/confirm", &json!({"token": token})).await.status, 200);
    }

    let listed = sita.get("/api/newsletter/get_newsletters").await.json();
    assert_eq!(listed["data"]["confirmed"], 1);
    save_draft(&sita, "Dashain").await;
    let id = save_draft(&sita, "Tihar").await;
    assert_eq!(change(&sita, &id, "send").await.status, 200);
    shop.run_jobs().await;
    assert_eq!(mailbox.emails("bina@example.com").await.len(), 1, "only the question");
    assert_eq!(mailbox.emails("asha@example.com").await.len(), 2);

    shop.app.clock.advance(TimeDelta::days(31));
    run_daily_cleanup(&shop).await;
    let left: Vec<String> = sqlx::query_scalar("SELECT email FROM subscribers").fetch_all(&shop.db).await.unwrap();
    assert_eq!(left, ["asha@example.com"], "what was never confirmed is deleted");
}

#[sqlx::test]
async fn a_lost_question_is_asked_again_once_a_day_and_the_answer_stays_the_same(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    shop.post(CALL, &json!({"email": "asha@example.com"})).await;

    for hours in [1, 1, 24] {
        shop.app.clock.advance(TimeDelta::hours(hours));
        let again = shop.post(CALL, &json!({"email": "asha@example.com"})).await;
        assert_eq!(again.refusal(), refusal(409, "subscriber_exists"));
        assert_eq!(again.json()["message"], "Email already exists or invalid email address");
    }

    shop.run_jobs().await;
    assert_eq!(mailbox.emails("asha@example.com").await.len(), 2);
}

#[sqlx::test]
async fn a_mail_program_unsubscribes_with_one_request_and_a_link_check_does_not(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = sita(&shop).await;
    add_confirmed(&shop, 2).await;
    let id = save_draft(&sita, "Tihar").await;
    change(&sita, &id, "send").await;
    shop.run_jobs().await;

    let email = mailbox.emails("reader0@example.com").await.pop().unwrap();
    let headers = &email["headers"];
    assert_eq!(headers["list-unsubscribe-post"], "List-Unsubscribe=One-Click", "{headers}");
    let url = headers["list-unsubscribe"].as_str().unwrap().trim_matches(['<', '>']).to_owned();
    let path = url.strip_prefix(SHOP).unwrap();
    assert!(email["html"].as_str().unwrap().contains("<strong>Rice</strong>"), "{email}");
    let nepali = mailbox.emails("reader1@example.com").await.pop().unwrap();
    assert_eq!(nepali["subject"], "Tihar ने");

    let opened = shop.get(path).await;
    assert_eq!(opened.status, 303);
    assert!(opened.header("location").starts_with("/newsletter/unsubscribe#token="));
    assert_eq!(shop.count("subscribers").await, 2, "opening the link changes nothing");

    // RFC 8058: neither a cookie nor a header says where the request comes from.
    for _ in 0..2 {
        let left = shop
            .post_with(path, "List-Unsubscribe=One-Click", &[("content-type", "application/x-www-form-urlencoded")])
            .await;
        assert_eq!(left.status, 200, "{}", left.text);
    }
    assert_eq!(shop.count("subscribers").await, 1);
    assert_eq!(progress(&sita).await, ("sent".to_owned(), [0, 2, 0, 1]));
    assert_eq!(
        shop.post(CALL, &json!({"email": "reader0@example.com"})).await.status,
        200,
        "the address is free again"
    );
}

#[sqlx::test]
async fn a_newsletter_is_sent_in_batches_and_can_be_paused_and_cancelled(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = sita(&shop).await;
    add_confirmed(&shop, 60).await;
    let id = save_draft(&sita, "Tihar").await;

    let started = change(&sita, &id, "send").await;
    assert_eq!((started.status.as_u16(), &started.json()["message"]), (200, &json!("Sending to 60 subscribers.")));
    assert_eq!(change(&sita, &id, "send").await.refusal(), refusal(409, "newsletter_state"), "not twice");
    assert_eq!(change(&sita, &id, "pause").await.status, 200);
    shop.run_jobs().await;
    assert_eq!(progress(&sita).await, ("paused".to_owned(), [60, 0, 0, 0]), "nothing is sent while it is paused");

    // One of those who wait unsubscribes; the subscription ends at once.
    let token: Uuid = sqlx::query_scalar("SELECT token FROM subscribers WHERE email = 'reader7@example.com'")
        .fetch_one(&shop.db)
        .await
        .unwrap();
    shop.post(&format!("/api/subscriber/unsubscribe/{token}"), &json!({})).await;
    assert_eq!(change(&sita, &id, "resume").await.status, 200);
    shop.run_jobs().await;
    shop.run_jobs().await;

    assert_eq!(progress(&sita).await, ("sent".to_owned(), [0, 59, 0, 1]));
    assert!(mailbox.emails("reader7@example.com").await.is_empty());
    assert_eq!(mailbox.emails("reader8@example.com").await.len(), 1);
    assert_eq!(shop.count("audit_log WHERE action LIKE 'newsletter.%'").await, 3);

    shop.app.clock.advance(TimeDelta::days(8));
    let sita = sita_again(&shop).await;
    let next = save_draft(&sita, "Chhath").await;
    change(&sita, &next, "send").await;
    assert_eq!(change(&sita, &next, "cancel").await.status, 200);
    shop.run_jobs().await;
    assert_eq!(progress(&sita).await, ("cancelled".to_owned(), [0, 0, 0, 0]));
    assert_eq!(mailbox.emails("reader8@example.com").await.len(), 1);
}

/// The worker died after it handed an email to the mail server and before it recorded that.
#[sqlx::test]
async fn nobody_gets_a_newsletter_twice_after_a_crash(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = sita(&shop).await;
    add_confirmed(&shop, 3).await;
    let id = save_draft(&sita, "Tihar").await;
    change(&sita, &id, "send").await;
    shop.sql(
        "UPDATE newsletter_sends SET state = 'sending', claimed_at = now()
              WHERE subscriber_id = (SELECT id FROM subscribers WHERE email = 'reader1@example.com')",
    )
    .await;

    shop.run_jobs().await;
    // The job runs again, as it does when its worker dies before the job is deleted.
    let job = json!({"newsletter": id});
    for _ in 0..2 {
        queue::add_job(&shop.db, "newsletter.send_batch", &job).await;
        shop.run_jobs().await;
    }

    assert_eq!(progress(&sita).await, ("sent".to_owned(), [0, 2, 1, 0]), "what may have been sent is not sent again");
    for (reader, count) in [("reader0", 1), ("reader1", 0), ("reader2", 1)] {
        assert_eq!(mailbox.emails(&format!("{reader}@example.com")).await.len(), count, "{reader}");
    }
}

#[sqlx::test]
async fn a_mail_server_that_is_down_delays_a_newsletter_and_loses_nothing(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = sita(&shop).await;
    add_confirmed(&shop, 3).await;
    let id = save_draft(&sita, "Tihar").await;
    change(&sita, &id, "send").await;
    mailbox.accept(false).await;

    shop.run_jobs().await;
    assert_eq!(progress(&sita).await, ("sending".to_owned(), [3, 0, 0, 0]));
    mailbox.accept(true).await;
    shop.run_all_jobs().await;

    assert_eq!(progress(&sita).await, ("sent".to_owned(), [0, 3, 0, 0]));
    for number in 0..3 {
        assert_eq!(mailbox.emails(&format!("reader{number}@example.com")).await.len(), 1);
    }
}

#[sqlx::test]
async fn the_promise_of_at_most_one_a_week_is_kept(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = sita(&shop).await;
    add_confirmed(&shop, 2).await;
    let (first, second) = (save_draft(&sita, "First").await, save_draft(&sita, "Second").await);
    change(&sita, &first, "send").await;
    assert_eq!(change(&sita, &second, "send").await.refusal(), refusal(409, "newsletter_open"));
    shop.run_jobs().await;

    shop.app.clock.advance(TimeDelta::days(6));
    let sita = sita_again(&shop).await;
    let too_soon = change(&sita, &second, "send").await;
    assert_eq!(too_soon.refusal(), refusal(409, "newsletter_too_soon"));
    assert!(
        too_soon.json()["message"].as_str().unwrap().starts_with("The form promises at most one newsletter a week.")
    );
    assert!(sita.get("/api/newsletter/get_newsletters").await.json()["data"]["nextAt"].is_string());
    assert_eq!(mailbox.emails("reader0@example.com").await.len(), 1);

    shop.app.clock.advance(TimeDelta::days(1) + TimeDelta::minutes(1));
    let sita = sita_again(&shop).await;
    assert_eq!(change(&sita, &second, "send").await.status, 200);
    shop.run_jobs().await;
    assert_eq!(mailbox.emails("reader0@example.com").await.len(), 2);
}

#[sqlx::test]
async fn a_newsletter_is_written_previewed_and_tried_out_before_it_is_sent(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    let sita = sita(&shop).await;

    let mut half = draft("Tihar");
    half["bodyNe"] = json!(" ");
    assert_eq!(sita.post(SAVE, &half).await.refusal(), refusal(422, "newsletter_text_missing"));
    let id = save_draft(&sita, "Tihar").await;
    let mut changed = draft("Tihar offers");
    changed["_id"] = json!(id);
    assert_eq!(sita.post(SAVE, &changed).await.status, 200);
    assert_eq!(change(&sita, &id, "send").await.refusal(), refusal(409, "no_subscribers"));

    let preview = json!({"subject": "Tihar", "body": "**Rice** <script>alert(1)</script>", "language": "ne"});
    let preview = sita.post("/api/newsletter/preview", &preview).await.json();
    let html = preview["data"]["html"].as_str().unwrap();
    assert!(html.contains("<strong>Rice</strong>") && !html.contains("<script"), "{html}");
    assert_eq!(preview["data"]["unsubscribe"], "सदस्यता छोड्नुहोस्");
    let tried = sita.post("/api/newsletter/send_test", &json!({"_id": id, "language": "en"})).await;
    assert_eq!(tried.json()["message"], "Test email sent to sita@example.com.");
    shop.run_jobs().await;
    let emails = mailbox.emails("sita@example.com").await;
    assert!(emails.iter().any(|email| email["subject"] == "Tihar offers"), "{emails:?}");

    assert_eq!(sita.post("/api/newsletter/delete_newsletter", &json!({"_id": id})).await.status, 200);
    assert_eq!(shop.count("newsletters").await, 0);
}

#[sqlx::test]
async fn subscribers_from_before_confirmations_are_asked_when_the_seller_says_so(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = TestShop::with_mailbox(db, &mailbox).await;
    drop(sita(&shop).await);
    shop.sql("INSERT INTO subscribers (id, email) VALUES (gen_random_uuid(), 'old@example.com')").await;
    shop.app.clock.advance(TimeDelta::days(90));
    run_daily_cleanup(&shop).await;
    let sita = sita_again(&shop).await;
    assert_eq!(sita.get("/api/newsletter/get_newsletters").await.json()["data"]["unasked"], 1, "not deleted unasked");

    let asked = sita.post("/api/newsletter/ask_unconfirmed", &json!({})).await;

    assert_eq!(asked.json()["message"], "We asked 1 subscriber to confirm.");
    shop.run_jobs().await;
    assert_eq!(mailbox.emails("old@example.com").await.len(), 1);
}
