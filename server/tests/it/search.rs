//! The contract's search, and the results that follow its own.

use serde::Deserialize;
use sqlx::PgPool;

use crate::support::{TestShop, names, report_figure};

#[derive(Deserialize)]
struct Pair {
    query: String,
    kind: String,
    expect: Vec<String>,
}

/// At least this percentage of the pairs must be found among the first five results.
const MIN_FOUND_PERCENT: usize = 95;

#[sqlx::test]
async fn shoppers_find_it_however_they_spell_it(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let pairs: Vec<Pair> = serde_json::from_str(include_str!("../../seed/search-pairs.json")).unwrap();
    let mut missed = Vec::new();
    for pair in &pairs {
        let answer = shop.search(&pair.query).await.json();
        let lists = [&answer["data"], &answer["matches"], &answer["similar"]];
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
    report_figure(&format!("search pairs found in the first five: {found} of {}", pairs.len()));

    assert!(pairs.len() >= 60);
    assert!(found * 100 >= pairs.len() * MIN_FOUND_PERCENT, "missed:\n{}", missed.join("\n"));
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
        let other_names = names(&answer.json()["matches"]);
        assert_eq!(answer.json()["total"], wanted.len() + other_names.len(), "{text}");
    }
}

// spec: 5.search.2
#[sqlx::test]
async fn an_empty_search_shows_all(db: PgPool) {
    let shop = TestShop::demo(db).await;

    assert_eq!(shop.search("   ").await.names().len(), 156);
}

#[sqlx::test]
async fn other_names_do_not_repeat_the_plain_set(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let answer = shop.search("dal").await.json();

    let (plain, others) = (names(&answer["data"]), names(&answer["matches"]));
    assert!(!plain.is_empty() && !others.is_empty(), "{plain:?} {others:?}");
    assert!(others.iter().all(|name| !plain.contains(name)), "{plain:?} {others:?}");
}

#[sqlx::test]
async fn a_nepali_name_an_alias_and_a_romanised_spelling_are_counted_results(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for text in ["चामल", "chamal", "chaamal", "जुम्ली मार्सी", "eggplant"] {
        let answer = shop.search(text).await.json();

        let found = names(&answer["matches"]);
        assert!(!found.is_empty(), "{text}");
        assert_eq!(answer["total"], names(&answer["data"]).len() + found.len(), "{text}");
        assert_eq!(names(&answer["similar"]), Vec::<String>::new(), "{text}");
    }
}

#[sqlx::test]
async fn a_barcode_finds_its_product(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    for name in ["Rice A", "Rice B"] {
        shop.add_product(category, name, 90, 5).await;
    }
    sqlx::query("UPDATE products SET barcode = '4006381333931' WHERE name = 'Rice B'").execute(&shop.db).await.unwrap();

    let found = shop.search("4006381333931").await.json();
    let unknown = shop.search("5901234123457").await.json();

    assert_eq!(names(&found["matches"]), ["Rice B"]);
    assert_eq!(found["total"], 1);
    assert_eq!(names(&unknown["matches"]), Vec::<String>::new());
    assert_eq!(unknown["total"], 0);
}

#[sqlx::test]
async fn rice_is_found_first_in_either_language_and_with_a_slip(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let mut first_three = Vec::new();
    for text in ["rice", "चामल", "chamal", "chamel"] {
        let answer = shop.search(text).await.json();
        let mut found = names(&answer["data"]);
        found.extend(names(&answer["matches"]));
        found.extend(names(&answer["similar"]));
        found.truncate(3);
        first_three.push(found);
    }

    assert_eq!(first_three[0], ["Jeera Masino Rice", "Sona Mansuli Rice", "Basmati Rice"]);
    for other in &first_three[1..] {
        assert_eq!(*other, first_three[0]);
    }
}

#[sqlx::test]
async fn a_search_can_be_limited_to_a_price_range_and_to_what_is_in_stock(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    for (name, rupees, stock) in
        [("Rice A", 90, 5), ("Rice B", 100, 0), ("Rice C", 200, 5), ("Rice D", 201, 5), ("Oil", 150, 1)]
    {
        shop.add_product(category, name, rupees, stock).await;
    }
    for (query, wanted) in [
        ("minPrice=100&maxPrice=200", vec!["Rice B", "Rice C", "Oil"]),
        ("maxPrice=100&inStock=true", vec!["Rice A"]),
        ("search=rice&inStock=true&sort=price_desc", vec!["Rice D", "Rice C", "Rice A"]),
        ("minPrice=500", vec![]),
    ] {
        let answer = shop.get(&format!("/api/product/get_products?{query}")).await;

        assert_eq!(answer.names(), wanted, "{query}");
        assert_eq!(answer.json()["total"], wanted.len(), "{query}");
    }

    let first = shop.get("/api/product/get_products?inStock=true&limit=2").await.json();
    assert_eq!((names(&first["data"]).len(), &first["total"]), (2, &serde_json::json!(4)));
    let cursor = first["nextCursor"].as_str().unwrap();
    let second = shop.get(&format!("/api/product/get_products?inStock=true&limit=2&cursor={cursor}")).await.json();
    assert_eq!(names(&second["data"]), ["Rice D", "Oil"]);
    assert_eq!(shop.get("/api/product/get_products?minPrice=-1").await.status, 400);
}

#[sqlx::test]
async fn a_word_that_begins_so_is_meant_before_one_that_merely_holds_the_text(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let answer = shop.search("oil").await.json();

    // The words 'broiler' and 'boiled' contain the letters 'oil'.
    let found = names(&answer["matches"]);
    assert!(!found.iter().any(|name| name.contains("Chicken") || name.contains("Rice")), "{found:?}");
}

#[sqlx::test]
async fn a_slip_is_no_result_but_shows_what_was_meant(db: PgPool) {
    let shop = TestShop::demo(db).await;
    // The texts have a wrong letter, two letters swapped, and an unknown word beside a known one.
    for text in ["ricw", "onoin", "zzyzx rice"] {
        let answer = shop.search(text).await.json();

        assert_eq!(answer["total"], 0, "{text}");
        assert_eq!(names(&answer["matches"]), Vec::<String>::new(), "{text}");
        assert!(!names(&answer["similar"]).is_empty(), "{text}");
    }
}

#[sqlx::test]
async fn matches_by_other_names_follow_page_by_page_after_the_plain_set(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for (text, sort) in [("dal", "featured"), ("chamal", "price_asc")] {
        let whole = shop.get(&format!("/api/product/get_products?search={text}&sort={sort}")).await.json();
        let wanted = [names(&whole["data"]), names(&whole["matches"])].concat();
        assert!(wanted.len() > 6, "{wanted:?}");

        let (mut seen, mut cursor) = (Vec::new(), String::new());
        loop {
            let path = format!("/api/product/get_products?search={text}&sort={sort}&limit=3&cursor={cursor}");
            let page = shop.get(&path).await.json();
            let shown = [names(&page["data"]), names(&page["matches"])].concat();
            assert!((1..=3).contains(&shown.len()), "{shown:?}");
            assert_eq!(page["total"], wanted.len());
            seen.extend(shown);
            let Some(next) = page["nextCursor"].as_str() else { break };
            next.clone_into(&mut cursor);
        }

        assert_eq!(seen, wanted, "{text}");
    }
    let far = hex("match\n99999999999999999999");
    let answer = shop.get(&format!("/api/product/get_products?search=rice&cursor={far}")).await;
    assert_eq!(answer.status, 422);
    let beyond = hex("match\n1000000");
    let answer = shop.get(&format!("/api/product/get_products?search=rice&cursor={beyond}")).await.json();
    assert_eq!(answer["nextCursor"], serde_json::Value::Null);
}

fn hex(text: &str) -> String {
    text.bytes().fold(String::new(), |hex, byte| hex + &format!("{byte:02x}"))
}

#[sqlx::test]
async fn nonsense_finds_nothing_similar(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for text in ["zzzz", "xyzzy", "q", "qqqqqqqq"] {
        let answer = shop.search(text).await.json();
        assert_eq!(names(&answer["similar"]), Vec::<String>::new(), "{text}");
        assert_eq!(names(&answer["matches"]), Vec::<String>::new(), "{text}");
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
