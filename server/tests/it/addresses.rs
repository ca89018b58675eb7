//! The address book of a shopper.

use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{Browser, TestShop};

const ADD: &str = "/api/address/add_address";
const LIST: &str = "/api/address/get_addresses";

pub fn home_address() -> Value {
    json!({"address": "Home", "phone": "9801234567", "street": "Mitra Marg", "city": "Kathmandu", "state": "Bagmati",
           "country": "Nepal", "pincode": "44600"})
}

fn with_changes(mut entry: Value, changes: Value) -> Value {
    for (name, value) in changes.as_object().unwrap() {
        entry[name] = value.clone();
    }
    entry
}

fn labels(list: &Value) -> Vec<&str> {
    list["data"].as_array().unwrap().iter().map(|one| one["address"].as_str().unwrap()).collect()
}

// spec: 7.shopper.14
#[sqlx::test]
async fn an_address_is_added_and_stands_in_the_profile(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;

    let entry =
        with_changes(home_address(), json!({"municipality": "Kathmandu", "ward": "10", "landmark": "near the temple"}));
    let added = browser.post(ADD, &entry).await;

    assert_eq!((added.status.as_u16(), &added.json()["message"]), (200, &json!("Address added successfully!")));
    let line = "Mitra Marg, Ward 10, near the temple, Kathmandu, Bagmati 44600, Nepal";
    assert_eq!(added.json()["data"]["line"], line);
    assert_eq!(browser.current_user().await.json()["data"]["address"], line);
}

// spec: 3.address.1, 5.address.1
#[sqlx::test]
async fn each_of_the_seven_fields_is_required(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    for field in ["address", "phone", "street", "city", "state", "country", "pincode"] {
        let mut entry = home_address();
        entry.as_object_mut().unwrap().remove(field);
        for gap in [entry, with_changes(home_address(), json!({ field: "  " }))] {
            let answer = browser.post(ADD, &gap).await;
            assert_eq!(
                (answer.status.as_u16(), &answer.json()["message"]),
                (422, &json!("Please fill in all fields."))
            );
        }
    }
    assert_eq!(Browser::new(&shop).post(ADD, &home_address()).await.status, 401);
    assert!(labels(&browser.get(LIST).await.json()).is_empty());
}

#[sqlx::test]
async fn a_landline_is_a_delivery_phone_and_stored_in_one_form(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;

    for written in ["01-4412345", "+977 1 4412345", "(01) 4412345", "०१-४४१२३४५"] {
        let added = browser.post(ADD, &with_changes(home_address(), json!({"phone": written}))).await;
        assert_eq!((added.status.as_u16(), &added.json()["data"]["phone"]), (200, &json!("014412345")), "{written}");
    }
    let refused = browser.post(ADD, &with_changes(home_address(), json!({"phone": "4412"}))).await;
    assert_eq!(refused.refusal(), (422, "phone_invalid".to_owned()));
}

#[sqlx::test]
async fn there_is_one_default_and_the_profile_follows_it(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    let first = browser.post(ADD, &home_address()).await.json()["data"]["_id"].as_str().unwrap().to_owned();
    let work = with_changes(home_address(), json!({"address": "Work", "street": "Durbar Marg"}));
    let second = browser.post(ADD, &work).await.json()["data"]["_id"].as_str().unwrap().to_owned();
    let quiet = with_changes(home_address(), json!({"address": "Aama", "isDefault": false}));
    browser.post(ADD, &quiet).await;
    assert_eq!(labels(&browser.get(LIST).await.json())[0], "Work");

    let path = format!("/api/address/update_address/{first}");
    let changed =
        browser.put(&path, &with_changes(home_address(), json!({"street": "New Road", "isDefault": true}))).await;

    assert_eq!(changed.json()["data"]["isDefault"], true);
    assert!(browser.current_user().await.json()["data"]["address"].as_str().unwrap().starts_with("New Road"));
    assert_eq!(browser.delete(&format!("/api/address/delete_address/{first}")).await.status, 200);
    let left = browser.get(LIST).await.json();
    assert_eq!(
        (labels(&left).len(), &left["data"][0]["isDefault"], &left["data"][1]["isDefault"]),
        (2, &json!(true), &json!(false))
    );
    assert_eq!(browser.delete(&format!("/api/address/delete_address/{second}")).await.status, 200);
}

#[sqlx::test]
async fn nobody_reaches_another_persons_address(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let (asha, mallory) = (Browser::new(&shop), Browser::new(&shop));
    asha.register("asha@example.com").await;
    mallory.register("mallory@example.com").await;
    let id = asha.post(ADD, &home_address()).await.json()["data"]["_id"].as_str().unwrap().to_owned();

    let seen = mallory.get(LIST).await.json();
    let changed = mallory.put(&format!("/api/address/update_address/{id}"), &home_address()).await;
    let deleted = mallory.delete(&format!("/api/address/delete_address/{id}")).await;
    let nonsense = mallory.delete("/api/address/delete_address/1%20OR%201=1").await;

    assert!(labels(&seen).is_empty());
    for answer in [changed, deleted, nonsense] {
        assert_eq!((answer.status.as_u16(), &answer.json()["code"]), (404, &json!("address_not_found")));
    }
    assert_eq!(labels(&asha.get(LIST).await.json()), ["Home"]);
}

#[sqlx::test]
async fn ten_tabs_at_once_leave_one_default_and_no_more_than_twenty(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    let home = home_address();
    let answers = futures_util::future::join_all((0..24).map(|_| browser.post(ADD, &home))).await;

    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 20);
    let defaults: i64 =
        sqlx::query_scalar("SELECT count(*) FROM addresses WHERE is_default").fetch_one(&shop.db).await.unwrap();
    assert_eq!(defaults, 1);
}

const PROFILE: &str = "/api/user/updateProfile";

async fn save_profile(browser: &Browser<'_>, phone: &str, address: &str) -> Value {
    let texts = [("name", "Asha"), ("email", "asha@example.com"), ("phone", phone), ("address", address)];
    let saved = browser.send_form(Method::PUT, PROFILE, &texts, None).await;
    assert_eq!(saved.status, 200, "{}", saved.json());
    saved.json()["data"].clone()
}

// spec: 2.cart.7
#[sqlx::test]
async fn the_line_of_the_profile_is_the_default_entry(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;

    let saved = save_profile(&browser, "9801234567", " Boudha 6,\n Kathmandu ").await;

    assert_eq!(saved["address"], "Boudha 6, Kathmandu");
    let book = browser.get(LIST).await.json();
    assert_eq!(book["data"].as_array().unwrap().len(), 1);
    assert_eq!((&book["data"][0]["line"], &book["data"][0]["isDefault"]), (&saved["address"], &json!(true)));
    assert_eq!((&book["data"][0]["address"], &book["data"][0]["city"]), (&json!(""), &json!("")));

    let entry = with_changes(home_address(), json!({"municipality": "Kathmandu", "ward": "10"}));
    browser.post(ADD, &entry).await;
    let line = browser.current_user().await.json()["data"]["address"].as_str().unwrap().to_owned();
    let edited = line.replace("Mitra Marg", "Mitra Marg 12");
    save_profile(&browser, "9801234567", &edited).await;
    let book = browser.get(LIST).await.json();
    let first = &book["data"][0];
    assert_eq!(
        (&first["line"], &first["street"], &first["ward"], &first["address"]),
        (&json!(edited), &json!("Mitra Marg 12"), &json!("10"), &json!("Home"))
    );

    save_profile(&browser, "9801234567", "Lakeside 6, Pokhara").await;
    let book = browser.get(LIST).await.json();
    let first = &book["data"][0];
    assert_eq!((&first["line"], &first["address"]), (&json!("Lakeside 6, Pokhara"), &json!("Home")));
    for cleared in ["city", "state", "country", "pincode", "municipality", "ward"] {
        assert_eq!(first[cleared], "", "{cleared}");
    }
    assert_eq!(labels(&book).len(), 2, "no edit of the line adds an entry");
}

#[sqlx::test]
async fn an_entry_that_is_only_a_line_can_be_made_the_default_and_completed(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    save_profile(&browser, "9801234567", "Boudha 6").await;
    let line = browser.get(LIST).await.json()["data"][0].clone();
    browser.post(ADD, &home_address()).await;
    let path = format!("/api/address/update_address/{}", line["_id"].as_str().unwrap());

    let chosen = browser.put(&path, &with_changes(line.clone(), json!({"isDefault": true}))).await;
    assert_eq!((chosen.status.as_u16(), &chosen.json()["data"]["line"]), (200, &json!("Boudha 6")));
    assert_eq!(browser.current_user().await.json()["data"]["address"], "Boudha 6");

    let half = browser.put(&path, &with_changes(line, json!({"city": "Kathmandu"}))).await;
    assert_eq!(half.refusal(), (422, "fields_missing".to_owned()));
    let whole = browser.put(&path, &with_changes(home_address(), json!({"street": "Boudha 6"}))).await;
    assert_eq!(whole.json()["data"]["line"], "Boudha 6, Kathmandu, Bagmati 44600, Nepal");
    assert_eq!(browser.current_user().await.json()["data"]["address"], whole.json()["data"]["line"]);
}

#[sqlx::test]
async fn deleting_the_last_entry_empties_the_profiles_line(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    let id = browser.post(ADD, &home_address()).await.json()["data"]["_id"].as_str().unwrap().to_owned();

    browser.delete(&format!("/api/address/delete_address/{id}")).await;

    assert_eq!(browser.current_user().await.json()["data"]["address"], "");
}

#[sqlx::test]
async fn a_new_phone_number_replaces_the_old_one_in_the_default_entry(db: PgPool) {
    let shop = TestShop::with_jobs(db).await;
    let browser = Browser::new(&shop);
    browser.register("asha@example.com").await;
    browser.post(ADD, &home_address()).await;
    let line = browser.current_user().await.json()["data"]["address"].as_str().unwrap().to_owned();
    let phone = async || browser.get(LIST).await.json()["data"][0]["phone"].clone();

    save_profile(&browser, "9801234567", &line).await;
    save_profile(&browser, "9812345678", &line).await;
    assert_eq!(phone().await, "9812345678");

    let id = browser.get(LIST).await.json()["data"][0]["_id"].as_str().unwrap().to_owned();
    browser
        .put(
            &format!("/api/address/update_address/{id}"),
            &with_changes(home_address(), json!({"phone": "9800000001"})),
        )
        .await;
    save_profile(&browser, "9812345679", &line).await;
    assert_eq!(phone().await, "9800000001", "a number of its own stays");
}

#[sqlx::test]
async fn the_migration_makes_the_newer_line_the_default_entry(db: PgPool) {
    const MIGRATION: &str = include_str!("../../migrations/20261116000500_one_address.sql");
    let shop = TestShop::with_jobs(db).await;
    let (asha, bina, chandra) = (Browser::new(&shop), Browser::new(&shop), Browser::new(&shop));
    for (browser, email) in
        [(&asha, "asha@example.com"), (&bina, "bina@example.com"), (&chandra, "chandra@example.com")]
    {
        browser.register(email).await;
    }
    let entry = with_changes(
        home_address(),
        json!({"municipality": "KATHMANDU", "ward": "10", "landmark": "near the temple", "district": "Kathmandu"}),
    );
    asha.post(ADD, &entry).await;
    bina.post(ADD, &entry).await;
    shop.sql("UPDATE users SET address = ' Boudha  6 ' WHERE email IN ('bina@example.com', 'chandra@example.com')")
        .await;

    for _ in 0..2 {
        sqlx::raw_sql(MIGRATION).execute(&shop.db).await.unwrap();

        let lines = async |browser: &Browser<'_>| {
            let book = browser.get(LIST).await.json()["data"].as_array().unwrap().clone();
            book.iter().map(|one| one["line"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
        };
        let long = "Mitra Marg, Ward 10, near the temple, KATHMANDU, Bagmati 44600, Nepal";
        assert_eq!(lines(&asha).await, [long]);
        assert_eq!(lines(&bina).await, ["Boudha 6", long]);
        assert_eq!(lines(&chandra).await, ["Boudha 6"]);
    }
}
