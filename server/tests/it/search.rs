//! The contract's search, and what comes after it.

use serde::Deserialize;
use sqlx::PgPool;

use crate::support::{TestShop, figure, names};

#[derive(Deserialize)]
struct Pair {
    query: String,
    kind: String,
    expect: Vec<String>,
}

/// At least this share of the pairs must be found among the first five.
const WANTED_PERCENT: usize = 95;

#[sqlx::test]
async fn shoppers_find_it_however_they_spell_it(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let pairs: Vec<Pair> = serde_json::from_str(include_str!("../../seed/search-pairs.json")).unwrap();
    let mut missed = Vec::new();
    for pair in &pairs {
        let answer = shop.search(&pair.query).await.json();
        let lists = [&answer["data"], &answer["similar"]];
        let first_five: Vec<&str> = lists
            .iter()
            .flat_map(|list| list.as_array().unwrap())
            .take(5)
            .map(|product| product["slug"].as_str().unwrap())
            .collect();
        if !pair.expect.iter().any(|slug| first_five.contains(&slug.as_str())) {
            missed.push(format!("{} ({}): {first_five:?}, wanted {:?}", pair.query, pair.kind, pair.expect));
        }
    }
    let found = pairs.len() - missed.len();
    figure(&format!("search pairs found in the first five: {found} of {}", pairs.len()));

    assert!(pairs.len() >= 60);
    assert!(found * 100 >= pairs.len() * WANTED_PERCENT, "missed:\n{}", missed.join("\n"));
}

// spec: 5.search.1
#[sqlx::test]
async fn the_plain_set_is_exactly_the_names_that_hold_the_text(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let all = shop.get("/api/product/get_products").await.names();
    for text in ["RICE", "oil", "o", "ea", "Milk ", "(", "zzz", "%", "_", "masala"] {
        let wanted: Vec<&String> =
            all.iter().filter(|name| name.to_lowercase().contains(&text.trim().to_lowercase())).collect();

        let answer = shop.search(text).await;

        assert_eq!(answer.names().iter().collect::<Vec<_>>(), wanted, "{text}");
        assert_eq!(answer.json()["total"], wanted.len(), "{text}");
    }
}

// spec: 5.search.2
#[sqlx::test]
async fn an_empty_search_shows_all(db: PgPool) {
    let shop = TestShop::demo(db).await;

    assert_eq!(shop.search("   ").await.names().len(), 156);
}

#[sqlx::test]
async fn similar_products_do_not_repeat_the_plain_set(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let answer = shop.search("rice").await.json();

    let (plain, similar) = (names(&answer["data"]), names(&answer["similar"]));
    assert!(similar.iter().all(|name| !plain.contains(name)), "{plain:?} {similar:?}");
}

#[sqlx::test]
async fn nonsense_finds_nothing_similar(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for text in ["zzzz", "xyzzy", "q", "qqqqqqqq"] {
        let answer = shop.search(text).await.json();
        assert_eq!(names(&answer["similar"]), Vec::<String>::new(), "{text}");
    }
}

#[sqlx::test]
async fn a_search_can_stay_within_a_category(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let answer = shop.get("/api/product/get_products?search=a&category=spices").await;

    let body = answer.json();
    assert!(!answer.names().is_empty());
    assert!(body["data"].as_array().unwrap().iter().all(|product| product["categorySlug"] == "spices"));
}

#[sqlx::test]
async fn a_strange_search_is_only_a_search(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for text in ["'; DROP TABLE products; --", "\u{0}", "🍚🍚", "\\", &"x".repeat(5000), "ॐ", "  \t\n "] {
        let answer = shop.search(text).await;
        assert!(answer.status.is_success(), "{text:?}: {} {}", answer.status, answer.text);
    }
}
