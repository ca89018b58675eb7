//! The address book.

use serde_json::{Value, json};
use sqlx::PgPool;

use crate::support::{Browser, TestShop};

const ADD: &str = "/api/address/add_address";
const LIST: &str = "/api/address/get_addresses";

pub fn home() -> Value {
    json!({"address": "Home", "phone": "9801234567", "street": "Mitra Marg", "city": "Kathmandu", "state": "Bagmati",
           "country": "Nepal", "pincode": "44600"})
}

fn with(mut entry: Value, changes: Value) -> Value {
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
    let shop = TestShop::with_letters(db).await;
    let browser = Browser::at(&shop);
    browser.register("asha@example.com").await;

    let entry = with(home(), json!({"municipality": "Kathmandu", "ward": "10", "landmark": "near the temple"}));
    let added = browser.post(ADD, &entry).await;

    assert_eq!((added.status.as_u16(), &added.json()["message"]), (200, &json!("Address added successfully!")));
    let line = "Mitra Marg, Ward 10, near the temple, Kathmandu, Bagmati 44600, Nepal";
    assert_eq!(added.json()["data"]["line"], line);
    assert_eq!(browser.who().await.json()["data"]["address"], line);
}

// spec: 3.address.1, 5.address.1
#[sqlx::test]
async fn each_of_the_seven_fields_is_required(db: PgPool) {
    let shop = TestShop::with_letters(db).await;
    let browser = Browser::at(&shop);
    browser.register("asha@example.com").await;
    for field in ["address", "phone", "street", "city", "state", "country", "pincode"] {
        let mut entry = home();
        entry.as_object_mut().unwrap().remove(field);
        for gap in [entry, with(home(), json!({ field: "  " }))] {
            let answer = browser.post(ADD, &gap).await;
            assert_eq!(
                (answer.status.as_u16(), &answer.json()["message"]),
                (422, &json!("Please fill in all fields."))
            );
        }
    }
    assert_eq!(Browser::at(&shop).post(ADD, &home()).await.status, 401);
    assert!(labels(&browser.get(LIST).await.json()).is_empty());
}

#[sqlx::test]
async fn there_is_one_default_and_the_profile_follows_it(db: PgPool) {
    let shop = TestShop::with_letters(db).await;
    let browser = Browser::at(&shop);
    browser.register("asha@example.com").await;
    let first = browser.post(ADD, &home()).await.json()["data"]["_id"].as_str().unwrap().to_owned();
    let work = with(home(), json!({"address": "Work", "street": "Durbar Marg"}));
    let second = browser.post(ADD, &work).await.json()["data"]["_id"].as_str().unwrap().to_owned();
    let quiet = with(home(), json!({"address": "Aama", "isDefault": false}));
    browser.post(ADD, &quiet).await;
    assert_eq!(labels(&browser.get(LIST).await.json())[0], "Work");

    let path = format!("/api/address/update_address/{first}");
    let changed = browser.put(&path, &with(home(), json!({"street": "New Road", "isDefault": true}))).await;

    assert_eq!(changed.json()["data"]["isDefault"], true);
    assert!(browser.who().await.json()["data"]["address"].as_str().unwrap().starts_with("New Road"));
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
    let shop = TestShop::with_letters(db).await;
    let (asha, mallory) = (Browser::at(&shop), Browser::at(&shop));
    asha.register("asha@example.com").await;
    mallory.register("mallory@example.com").await;
    let id = asha.post(ADD, &home()).await.json()["data"]["_id"].as_str().unwrap().to_owned();

    let seen = mallory.get(LIST).await.json();
    let changed = mallory.put(&format!("/api/address/update_address/{id}"), &home()).await;
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
    let shop = TestShop::with_letters(db).await;
    let browser = Browser::at(&shop);
    browser.register("asha@example.com").await;
    let home = home();
    let answers = futures_util::future::join_all((0..24).map(|_| browser.post(ADD, &home))).await;

    assert_eq!(answers.iter().filter(|answer| answer.status == 200).count(), 20);
    let defaults: i64 =
        sqlx::query_scalar("SELECT count(*) FROM addresses WHERE is_default").fetch_one(&shop.db).await.unwrap();
    assert_eq!(defaults, 1);
}
