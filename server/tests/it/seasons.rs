//! Seasons: who plans them, what they may be, and that the home page changes at midnight in Nepal.

use chrono::{Days, NaiveDate, TimeDelta};
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::cache::CatalogueChange;
use thunse::platform::clock::{nepal_date, start_of_nepal_day};

use crate::orders::sita;
use crate::support::{Browser, TestShop, refusal};

const LIST: &str = "/api/season/get_seasons";
const ADD: &str = "/api/season/add_season";
const UPDATE: &str = "/api/season/update_season";
const DELETE: &str = "/api/season/delete_season";

fn day(shop: &TestShop, offset: u64) -> NaiveDate {
    nepal_date(shop.app.clock.now()) + Days::new(offset)
}

fn season(theme: &str, starts_on: NaiveDate, ends_on: NaiveDate) -> Value {
    json!({"theme": theme, "startsOn": starts_on, "endsOn": ends_on})
}

/// The hero of the home page and the settings in its first data, as an instance sends them that was told of changes.
async fn home(shop: &TestShop, language: &'static str) -> (String, String) {
    let mut visitor = Browser::new(shop);
    visitor.language = language;
    let page = visitor.get("/").await.text;
    let (view, data) = page.split_once("id=\"first-data\"").unwrap();
    let hero = view.split_once("<section class=\"hero\"").unwrap().1;
    (hero.split_once("</section>").unwrap().0.to_owned(), data.to_owned())
}

#[sqlx::test]
async fn the_home_page_changes_at_midnight_in_nepal_and_back(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.app.cache.set_listening(true);
    let plain = home(&shop, "en").await;
    assert!(plain.0.contains("hero-art") && !plain.1.contains("\"season\""), "{}", plain.0);

    let mut tihar = season("tihar", day(&shop, 1), day(&shop, 2));
    tihar["text"] = json!("  Sel roti   for everybody. ");
    assert_eq!(sita.post(ADD, &tihar).await.status, 200);
    shop.app.cache.invalidate_all(CatalogueChange::Detail);
    assert_eq!(home(&shop, "en").await, plain, "it is planned for tomorrow");
    let midnight = start_of_nepal_day(day(&shop, 1));
    shop.app.clock.advance(midnight - shop.app.clock.now() + TimeDelta::seconds(1));

    let (hero, data) = home(&shop, "en").await;
    assert!(hero.contains("data-season=\"tihar\"") && hero.contains("/seasons/tihar.svg"), "{hero}");
    assert!(hero.contains("Welcome to Thunse") && hero.contains("Happy Tihar!"), "{hero}");
    assert!(hero.contains("Sel roti for everybody."), "{hero}");
    assert!(data.contains("\"theme\":\"tihar\""));
    let (nepali, _) = home(&shop, "ne").await;
    assert!(nepali.contains("तिहारको शुभकामना!") && nepali.contains("Sel roti for everybody."), "{nepali}");
    shop.app.clock.advance(TimeDelta::days(2));
    assert_eq!(home(&shop, "en").await, plain);
}

#[sqlx::test]
async fn a_seller_plans_changes_and_deletes_and_the_log_says_so(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let monsoon = season("monsoon", day(&shop, 0), day(&shop, 90));
    assert_eq!(sita.post(ADD, &monsoon).await.status, 200);

    let added = sita.post(ADD, &season("teej", day(&shop, 0), day(&shop, 2))).await.json()["data"].clone();

    let states: Vec<(&Value, &Value)> =
        added["seasons"].as_array().unwrap().iter().map(|one| (&one["theme"], &one["state"])).collect();
    assert_eq!(states, [(&json!("teej"), &json!("shown")), (&json!("monsoon"), &json!("covered"))]);
    assert_eq!(added["themes"].as_array().unwrap().len(), 8);
    assert_eq!(added["themes"][0]["title"], "Happy Dashain!");
    let teej = added["seasons"][0].clone();
    let mut later = season("teej", day(&shop, 3), day(&shop, 5));
    later["seasonId"] = teej["_id"].clone();
    later["version"] = json!(1);
    let changed = sita.put(UPDATE, &later).await.json()["data"]["seasons"].clone();
    assert_eq!((&changed[0]["state"], &changed[0]["version"]), (&json!("planned"), &json!(2)));
    assert_eq!(changed[1]["state"], "shown", "the longer season is shown again");
    assert_eq!(sita.put(UPDATE, &later).await.refusal(), refusal(409, "season_changed"));
    let gone = json!({"seasonId": teej["_id"]});
    let left = sita.post(DELETE, &gone).await.json()["data"]["seasons"].clone();
    assert_eq!(left.as_array().unwrap().len(), 1);
    assert_eq!(sita.post(DELETE, &gone).await.refusal(), refusal(404, "season_not_found"));
    let log = sita.get("/api/seller/get_audit").await.json()["data"].clone();
    let actions: Vec<&str> =
        log.as_array().unwrap().iter().map(|entry| entry["action"].as_str().unwrap()).take(4).collect();
    assert_eq!(actions, ["season.delete", "season.update", "season.add", "season.add"]);
}

#[sqlx::test]
async fn what_is_no_season_is_refused(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let with = |field: &str, value: Value| {
        let mut request = season("dashain", day(&shop, 1), day(&shop, 10));
        request[field] = value;
        request
    };

    for (request, field) in [
        (with("endsOn", json!(day(&shop, 0))), "endsOn"),
        (with("endsOn", json!(day(&shop, 184))), "endsOn"),
        (with("title", json!("x".repeat(41))), "title"),
        (with("textNe", json!("अ".repeat(91))), "textNe"),
    ] {
        let answer = sita.post(ADD, &request).await;
        assert_eq!(answer.refusal(), refusal(422, "field_invalid"), "{request}");
        assert_eq!(answer.json()["data"]["field"], field);
    }
    assert_eq!(sita.post(ADD, &with("theme", json!("christmas"))).await.status, 400);
    assert_eq!(sita.get(LIST).await.json()["data"]["seasons"], json!([]));
}
