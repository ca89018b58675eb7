//! Policy pages, their versions, and the consent at sign-up.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::orders::sita;
use crate::support::{Browser, TestShop, refusal};

const SAVE: &str = "/api/policy/save_policy";

fn save(page: &str, version: i32, text: &str) -> Value {
    json!({"page": page, "version": version, "text": text, "textNe": format!("{text} (ने)")})
}

#[sqlx::test]
async fn every_policy_can_be_read_without_javascript_and_is_found_by_search_engines(db: PgPool) {
    let shop = TestShop::new(db);
    for (path, title, said) in [
        ("/privacy", "Privacy policy", "five years"),
        ("/terms", "Terms of use", "E-Commerce Act 2081"),
        ("/returns", "Returns and refunds", "Within 15 days"),
        ("/delivery-policy", "Delivery policy", "The rider calls you"),
        ("/about", "About Thunse", "Returns and refunds"),
    ] {
        let page = shop.get(path).await;

        assert_eq!(page.status, 200, "{path}");
        let view = page.text.split("id=\"first-data\"").next().unwrap();
        assert!(view.contains(&format!("<title>{title} – Thunse</title>")), "{path}: {view}");
        assert!(view.contains(&format!("<link rel=\"canonical\" href=\"http://shop.test{path}\">")), "{path}");
        assert!(view.contains(said), "{path}: {view}");
        assert!(view.contains("href=\"/privacy\"") && view.contains("href=\"/delivery-policy\""), "{path}: footer");
        assert!(shop.get("/sitemaps/pages.xml").await.text.contains(&format!("<loc>http://shop.test{path}</loc>")));
    }
    let nepali = shop.get_with("/returns", &[("cookie", "lang=ne")]).await;
    assert!(nepali.text.contains("१५ दिनभित्र") && nepali.text.contains("<html lang=\"ne\""));
}

#[sqlx::test]
async fn a_saved_text_is_shown_at_once_and_every_version_stays(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = sita(&shop).await;
    assert!(shop.get("/terms").await.text.contains("E-Commerce Act"), "the template");

    let first = sita.put(SAVE, &save("terms", 0, "# Ours\n\nBe **kind**.")).await;
    assert_eq!((first.status.as_u16(), &first.json()["data"]["version"]), (200, &json!(1)), "{}", first.text);
    assert!(shop.get("/terms").await.text.contains("<strong>kind</strong>"));
    let second = sita.put(SAVE, &save("terms", 1, "Shorter.")).await;
    assert_eq!(second.json()["data"]["version"], 2);
    let stale = sita.put(SAVE, &save("terms", 1, "Lost?")).await;
    assert_eq!(stale.refusal(), refusal(409, "policy_changed"));
    let reset = sita.post("/api/policy/reset_policy", &json!({"page": "terms", "version": 2})).await;
    assert_eq!(reset.json()["data"]["version"], 3);

    assert!(shop.get("/terms").await.text.contains("E-Commerce Act"), "the template again");
    let versions = sita.get("/api/policy/get_versions/terms").await.json();
    let stored: Vec<(i64, Option<&str>, &str)> = versions["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["version"].as_i64().unwrap(), row["text"].as_str(), row["author"].as_str().unwrap()))
        .collect();
    assert_eq!(stored, [(3, None, "Sita"), (2, Some("Shorter."), "Sita"), (1, Some("# Ours\n\nBe **kind**."), "Sita")]);
    assert_eq!(shop.count("audit_log WHERE action IN ('policy.save', 'policy.reset')").await, 3);
    let pages = sita.get("/api/policy/get_policies").await.json();
    assert_eq!((&pages["data"][1]["page"], &pages["data"][1]["isTemplate"]), (&json!("terms"), &json!(true)));
}

#[sqlx::test]
async fn a_text_cannot_run_anything_in_a_readers_browser(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = sita(&shop).await;
    let hostile = "<script>alert(1)</script> [a](javascript:alert(1)) ![b](https://evil.example/x.png) <img src=x onerror=alert(2)>";

    assert_eq!(sita.put(SAVE, &save("privacy", 0, hostile)).await.status, 200);

    let read = shop.get("/api/policy/get_policy/privacy").await.json();
    let preview = sita.post("/api/policy/preview", &json!({"text": hostile})).await.json();
    let page = shop.get("/privacy").await.text;
    let view = page.split("<div class=\"policy-text\">").nth(1).unwrap().split("</div>").next().unwrap();
    for html in [read["data"]["html"].as_str().unwrap(), preview["data"]["html"].as_str().unwrap(), view] {
        assert!(html.contains("&lt;script&gt;"), "the text is shown as text: {html}");
        for never in ["<script", "<img", "javascript:alert(1)\"", "src="] {
            assert!(!html.replace("&lt;img src=x", "").contains(never), "{never}: {html}");
        }
    }
}

#[sqlx::test]
async fn a_policy_needs_both_languages_and_a_bearable_length(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = sita(&shop).await;

    let half = json!({"page": "terms", "version": 0, "text": "Terms", "textNe": " "});
    assert_eq!(sita.put(SAVE, &half).await.refusal(), refusal(422, "policy_text_missing"));
    assert_eq!(sita.put(SAVE, &save("terms", 0, &"a".repeat(10_001))).await.refusal().1, "policy_text_too_long");
    assert_eq!(sita.put(SAVE, &save("cookies", 0, "x")).await.refusal(), refusal(404, "policy_not_found"));
    assert_eq!(shop.get("/api/policy/get_policy/cookies").await.refusal(), refusal(404, "policy_not_found"));
    let empty_about = json!({"page": "about", "version": 0, "text": "", "textNe": ""});
    assert_eq!(sita.put(SAVE, &empty_about).await.status, 200, "the about page has texts of its own");
}

#[sqlx::test]
async fn signing_up_records_which_versions_were_agreed_to_and_when(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let sita = sita(&shop).await;
    let early = Browser::new(&shop);
    assert_eq!(early.register("early@example.com").await.status, 200, "the contract's form has no field for it");
    sita.put(SAVE, &save("terms", 0, "New terms.")).await;
    shop.app.clock.advance(TimeDelta::days(3));
    let late = Browser::new(&shop);
    late.register("late@example.com").await;

    let consents = |export: Value| -> Vec<(String, i64)> {
        let rows = export["policyConsents"].as_array().unwrap().clone();
        rows.iter().map(|row| (row["page"].as_str().unwrap().to_owned(), row["version"].as_i64().unwrap())).collect()
    };
    let of_late = late.get("/api/user/export").await.json();
    let agreed_at: chrono::DateTime<chrono::Utc> =
        of_late["policyConsents"][0]["agreedAt"].as_str().unwrap().parse().unwrap();
    assert!((shop.app.clock.now() - agreed_at).num_minutes() < 5, "the shop's clock");
    assert_eq!(consents(of_late), [("privacy".to_owned(), 0), ("terms".to_owned(), 1)]);
    let again = Browser::new(&shop);
    again.login("early@example.com", crate::support::PASSWORD).await;
    assert_eq!(
        consents(again.get("/api/user/export").await.json()),
        [("privacy".to_owned(), 0), ("terms".to_owned(), 0)]
    );

    late.post("/api/user/delete", &json!({"password": crate::support::PASSWORD})).await;
    assert_eq!(shop.count("policy_consents").await, 4, "evidence stays, without a name");
}
