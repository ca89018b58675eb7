//! Complaints about orders: the form, the photos, the conversation, the deadline and the retention.

use axum::body::Body;
use chrono::TimeDelta;
use http::Method;
use image::ImageFormat;
use serde_json::json;
use sqlx::PgPool;

use crate::media::sample_images;
use crate::newsletter::run_daily_cleanup;
use crate::orders::{asha, order_request, set_status, shopper, sita};
use crate::support::mailbox::Mailbox;
use crate::support::{Browser, PASSWORD, TestResponse, TestShop, queue, refusal};

const OPEN: &str = "/api/complaint/open_complaint";

async fn shop_with_mailbox(db: PgPool, mailbox: &Mailbox) -> TestShop {
    let worker = env!("CARGO_BIN_EXE_thunse");
    TestShop::with_jobs_and_settings(db, &[("SMTP_URL", &mailbox.smtp_url), ("PICTURE_WORKER", worker)]).await
}

struct Bought {
    order: String,
    rice: String,
}

/// Two packets of rice, ordered.
async fn buy(shop: &TestShop, browser: &Browser<'_>, key: &str) -> Bought {
    let category = shop.add_category(&format!("Grains {key}")).await;
    let rice = shop.add_product(category, &format!("Rice {key}"), 500, 10).await;
    let placed = browser.place_order(Some(key), &order_request(&rice, 2, 1150.0)).await;
    assert_eq!(placed.status, 200, "{}", placed.text);
    Bought { order: placed.json()["data"]["_id"].as_str().unwrap().to_owned(), rice }
}

fn items(product: &str, quantity: i64) -> String {
    json!([{"product": product, "quantity": quantity}]).to_string()
}

async fn complain(browser: &Browser<'_>, bought: &Bought, files: &[(&str, &[u8])]) -> TestResponse {
    let items = items(&bought.rice, 1);
    let texts = [
        ("order", bought.order.as_str()),
        ("reason", "damaged"),
        ("remedy", "refund"),
        ("text", "The bag is torn."),
        ("items", &items),
    ];
    browser.send_form_with(Method::POST, OPEN, &texts, files).await
}

fn id(response: &TestResponse) -> String {
    assert_eq!(response.status, 200, "{}", response.text);
    response.json()["data"]["_id"].as_str().unwrap().to_owned()
}

fn photo() -> Vec<u8> {
    sample_images::encode(&sample_images::two_halves(1500, 900), ImageFormat::Jpeg)
}

#[sqlx::test]
async fn a_problem_is_reported_talked_about_and_decided(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let bought = buy(&shop, &asha, "k1").await;

    let photo = photo();
    let id = id(&complain(&asha, &bought, &[("photo1", &photo), ("photo3", &photo)]).await);
    let own = asha.get(&format!("/api/complaint/get_complaints?order={}", bought.order)).await.json();
    let complaint = &own["data"][0];
    assert_eq!(
        (&complaint["reason"], &complaint["remedy"], &complaint["state"]),
        (&json!("damaged"), &json!("refund"), &json!("open"))
    );
    assert_eq!((&complaint["items"][0]["name"], &complaint["items"][0]["quantity"]), (&json!("Rice k1"), &json!(1)));
    assert_eq!(complaint["photos"].as_array().unwrap().len(), 2);
    let at = |name: &str| complaint[name].as_str().unwrap().parse::<chrono::DateTime<chrono::Utc>>().unwrap();
    assert_eq!(at("dueAt") - at("createdAt"), TimeDelta::days(7), "the law's period for a refund");

    let listed = sita.get("/api/complaint/get_seller_complaints").await.json();
    assert_eq!((&listed["open"], &listed["data"][0]["customer"]), (&json!(1), &json!("Asha Rai")));
    assert!(complaint["customer"].is_null(), "the shopper gets no more than needed");
    let answered = sita.post("/api/complaint/answer", &json!({"_id": id, "text": "Sorry! Could you keep it?"})).await;
    assert_eq!(answered.status, 200, "{}", answered.text);
    let replied = asha.post("/api/complaint/add_message", &json!({"_id": id, "text": "Yes."})).await;
    let messages = replied.json()["data"]["messages"].clone();
    assert_eq!(
        (&messages[0]["from"], &messages[1]["from"], &messages[1]["text"]),
        (&json!("shop"), &json!("shopper"), &json!("Yes."))
    );

    let decide = json!({"_id": id, "outcome": "partly", "text": "We refund one bag."});
    assert_eq!(sita.post("/api/complaint/decide", &decide).await.status, 200);
    assert_eq!(sita.post("/api/complaint/decide", &decide).await.refusal(), refusal(409, "complaint_decided"));
    let decided = asha.get(&format!("/api/complaint/get_complaint/{id}")).await.json();
    assert_eq!(
        (&decided["data"]["state"], &decided["data"]["outcomeText"]),
        (&json!("partly"), &json!("We refund one bag."))
    );
    assert_eq!(sita.get("/api/complaint/get_seller_complaints").await.json()["open"], 0);
    assert_eq!(
        sita.get("/api/complaint/get_seller_complaints?closed=true").await.json()["data"][0]["_id"],
        id.as_str()
    );
    assert_eq!(shop.count("audit_log WHERE action LIKE 'complaint.%'").await, 2);

    shop.run_jobs().await;
    let subjects = async |to: &str| -> Vec<String> {
        let emails = mailbox.emails(to).await;
        let subjects = emails.iter().map(|email| email["subject"].as_str().unwrap().to_owned());
        let mut about: Vec<String> = subjects.filter(|subject| !subject.contains("confirm")).collect();
        about.sort();
        about
    };
    let to_shop = subjects("hello@thunse.example").await;
    assert!(
        to_shop.len() == 2 && to_shop[0].starts_with("Complaint about order") && to_shop[1].starts_with("New message"),
        "{to_shop:?}"
    );
    let to_asha = subjects("asha@example.com").await;
    for start in ["Our answer about order", "We received your complaint", "Your complaint about order"] {
        assert!(to_asha.iter().any(|subject| subject.starts_with(start)), "{start}: {to_asha:?}");
    }
    let answer = mailbox.emails("asha@example.com").await;
    assert!(answer.iter().any(|email| email["text"].as_str().unwrap().contains(&format!("/complaints/{id}"))));
}

#[sqlx::test]
async fn only_the_order_s_owner_and_the_staff_see_a_complaint_and_its_photos(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    let (asha, bina, sita) = (asha(&shop).await, shopper(&shop, "bina@example.com").await, sita(&shop).await);
    let visitor = Browser::new(&shop);
    let bought = buy(&shop, &asha, "k1").await;
    let photo = photo();
    assert_eq!(complain(&bina, &bought, &[]).await.refusal(), refusal(404, "order_not_found"));

    let id = id(&complain(&asha, &bought, &[("photo1", &photo)]).await);
    let own = asha.get(&format!("/api/complaint/get_complaint/{id}")).await.json();
    let url = own["data"]["photos"][0].as_str().unwrap().to_owned();
    let for_seller = sita.get(&format!("/api/complaint/get_seller_complaint/{id}")).await.json();
    let seller_url = for_seller["data"]["photos"][0].as_str().unwrap().to_owned();

    for (browser, path) in [(&asha, &url), (&sita, &seller_url)] {
        let found = open_photo(&shop, browser, path).await;
        assert_eq!((found.0, found.1.as_str(), found.2.as_str()), (200, "image/webp", "private, no-store"), "{path}");
    }
    assert_eq!(bina.get(&url).await.refusal(), refusal(404, "picture_not_found"));
    assert_eq!(visitor.get(&url).await.status, 401);
    assert_eq!(asha.get(&seller_url).await.status, 401);
    assert_eq!(
        bina.get(&format!("/api/complaint/get_complaint/{id}")).await.refusal(),
        refusal(404, "complaint_not_found")
    );
    let intruding = bina.post("/api/complaint/add_message", &json!({"_id": id, "text": "Hello"})).await;
    assert_eq!(intruding.refusal(), refusal(404, "complaint_not_found"));
    let others = bina.get(&format!("/api/complaint/get_complaints?order={}", bought.order)).await.json();
    assert_eq!(others["data"], json!([]));

    // The key itself opens nothing under the public address of pictures.
    let key: String = sqlx::query_scalar("SELECT picture FROM complaint_photos").fetch_one(&shop.db).await.unwrap();
    for width in key.split('-').skip(2) {
        assert_eq!(visitor.get(&format!("/media/{key}/{width}.webp")).await.status, 404, "{key}");
    }
    assert!(key.split('-').count() > 2, "{key}");
}

#[sqlx::test]
async fn a_complaint_must_fit_its_order(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let bought = buy(&shop, &asha, "k1").await;
    let other = buy(&shop, &asha, "k2").await;
    let send = async |reason: &str, text: &str, items: &str| {
        let texts = [
            ("order", bought.order.as_str()),
            ("reason", reason),
            ("remedy", "answer"),
            ("text", text),
            ("items", items),
        ];
        asha.send_form_with(Method::POST, OPEN, &texts, &[]).await.refusal()
    };

    assert_eq!(send("bored", "x", "").await, refusal(422, "complaint_invalid"));
    assert_eq!(send("damaged", " ", &items(&bought.rice, 1)).await, refusal(422, "complaint_text_missing"));
    assert_eq!(send("damaged", &"a".repeat(2_001), &items(&bought.rice, 1)).await.1, "complaint_text_too_long");
    assert_eq!(send("damaged", "x", "[]").await, refusal(422, "complaint_items_missing"));
    assert_eq!(
        send("damaged", "x", &items(&bought.rice, 3)).await,
        refusal(422, "complaint_items_invalid"),
        "too many"
    );
    assert_eq!(
        send("damaged", "x", &items(&other.rice, 1)).await,
        refusal(422, "complaint_items_invalid"),
        "another order's"
    );
    assert_eq!(send("damaged", "x", "nonsense").await, refusal(422, "complaint_items_invalid"));
    let no_picture = complain(&asha, &bought, &[("photo1", b"<svg onload=alert(1)>")]).await;
    assert_eq!(no_picture.refusal(), refusal(422, "image_type"));
    assert_eq!(shop.count("complaints").await, 0);
    let late = [
        ("order", bought.order.as_str()),
        ("reason", "late"),
        ("remedy", "answer"),
        ("text", "Where is it?"),
        ("items", ""),
    ];
    assert_eq!(asha.send_form_with(Method::POST, OPEN, &late, &[]).await.status, 200, "about the order as a whole");

    set_status(&sita, &json!(other.order), "Cancelled").await;
    assert_eq!(complain(&asha, &other, &[]).await.refusal(), refusal(409, "order_cancelled"));
}

#[sqlx::test]
async fn complaints_and_messages_are_limited(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    let asha = asha(&shop).await;
    let bought = buy(&shop, &asha, "k1").await;
    let mut last = String::new();
    for _ in 0..5 {
        last = id(&complain(&asha, &bought, &[]).await);
    }
    assert_eq!(complain(&asha, &bought, &[]).await.refusal(), refusal(409, "too_many_complaints"));

    let message = json!({"_id": last, "text": "Hello?"});
    for _ in 0..30 {
        assert_eq!(asha.post("/api/complaint/add_message", &message).await.status, 200);
    }
    assert_eq!(asha.post("/api/complaint/add_message", &message).await.refusal(), refusal(429, "too_many_requests"));
    shop.app.clock.advance(TimeDelta::hours(1));
    assert_eq!(asha.post("/api/complaint/add_message", &message).await.status, 200);
}

#[sqlx::test]
async fn a_complaint_outlives_the_account_and_is_deleted_after_five_years(db: PgPool) {
    let mailbox = Mailbox::open();
    let shop = shop_with_mailbox(db, &mailbox).await;
    let (asha, sita) = (asha(&shop).await, sita(&shop).await);
    let bought = buy(&shop, &asha, "k1").await;
    let photo = photo();
    let decided = id(&complain(&asha, &bought, &[("photo1", &photo)]).await);
    let open = id(&complain(&asha, &bought, &[]).await);
    let export = asha.get("/api/user/export").await.json();
    assert_eq!(export["complaints"].as_array().unwrap().len(), 2);
    sita.post("/api/complaint/decide", &json!({"_id": decided, "outcome": "refused", "text": "No."})).await;
    set_status(&sita, &json!(bought.order), "Delivered").await;
    shop.run_jobs().await;

    assert_eq!(asha.post("/api/user/delete", &json!({"password": PASSWORD})).await.status, 200);
    let emails = mailbox.emails("asha@example.com").await.len();
    let found = sita.get(&format!("/api/complaint/get_seller_complaint/{open}")).await.json();
    assert_eq!((&found["data"]["text"], &found["data"]["customer"]), (&json!("The bag is torn."), &json!("")));
    sita.post("/api/complaint/answer", &json!({"_id": open, "text": "Hello?"})).await;
    shop.run_jobs().await;
    let after = mailbox.emails("asha@example.com").await;
    assert!(after[emails..].iter().all(|email| !email["subject"].as_str().unwrap().contains("answer")), "{after:?}");

    shop.app.clock.advance(TimeDelta::days(5 * 365));
    run_daily_cleanup(&shop).await;
    assert_eq!(shop.count("complaints").await, 2, "a day or two before the five years are over");
    shop.app.clock.advance(TimeDelta::days(3));
    run_daily_cleanup(&shop).await;
    let left: Vec<String> = sqlx::query_scalar("SELECT id::text FROM complaints").fetch_all(&shop.db).await.unwrap();
    assert_eq!(left, [open], "what is not decided stays");
    assert_eq!(shop.count("complaint_photos").await, 0);
    queue::add_job(&shop.db, "media.delete_orphans", &json!({})).await;
    shop.run_jobs().await;
    let stored = shop.app.pictures.list_with_delimiter(None).await.unwrap().common_prefixes;
    assert!(stored.is_empty(), "its photo is gone too: {stored:?}");
}

/// Returns status, type and cache header of a picture.
async fn open_photo(shop: &TestShop, browser: &Browser<'_>, path: &str) -> (u16, String, String) {
    let request = browser.request(Method::GET, path).body(Body::empty()).unwrap();
    let found = shop.open(request).await;
    let header = |name: &str| found.headers().get(name).map_or("", |value| value.to_str().unwrap()).to_owned();
    (found.status().as_u16(), header("content-type"), header("cache-control"))
}
