//! Checks the imports of the server against `modules.json`. A module may use only the modules that it lists, and every
//! folder must be listed; the compiler keeps a module's private items private.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
struct Modules {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    uses: Vec<String>,
}

/// These files are above the modules and may use all of them; `platform` is below and may use none.
const ABOVE: [&str; 5] = ["app", "lib", "main", "site", "worker"];

/// Returns every forbidden import in `files`, which are pairs of a path below `src` and its text.
fn violations(files: &[(String, String)], modules: &Modules) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        let home = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        if ABOVE.contains(&home) {
            continue;
        }
        let allowed: &[String] = match (home, modules.modules.get(home)) {
            ("platform", _) => &[],
            (_, Some(module)) => &module.uses,
            (_, None) => {
                found.push(format!("{path}: '{home}' is not in modules.json"));
                continue;
            }
        };
        for used in roots(text) {
            let fine = used == home
                || used == "platform"
                || allowed.contains(&used)
                || !(modules.modules.contains_key(&used) || ABOVE.contains(&used.as_str()));
            if !fine {
                found.push(format!("{path}: '{home}' may not use '{used}'"));
            }
        }
        if text.contains("super::super") {
            found.push(format!("{path}: climbs out of its module with super::super"));
        }
    }
    found
}

/// Returns the first name after every `crate::`, including names inside braces: `use crate::{cart, orders::place}`.
fn roots(text: &str) -> Vec<String> {
    let code: String =
        text.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join(" ");
    let mut found = Vec::new();
    for (at, _) in code.match_indices("crate::") {
        let rest = code[at + "crate::".len()..].trim_start();
        if let Some(list) = rest.strip_prefix('{') {
            let mut depth = 0_i32;
            let mut name = String::new();
            let mut reading = true;
            for c in list.chars() {
                match c {
                    '{' => depth += 1,
                    '}' if depth == 0 => break,
                    '}' => depth -= 1,
                    ',' if depth == 0 => {
                        found.push(std::mem::take(&mut name));
                        reading = true;
                    }
                    c if depth == 0 && reading && (c.is_alphanumeric() || c == '_') => name.push(c),
                    ' ' => {}
                    _ => reading = false,
                }
            }
            found.push(name);
        } else {
            found.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    found.retain(|name: &String| !name.is_empty());
    found
}

fn modules() -> Modules {
    serde_json::from_str(include_str!("../../../modules.json")).unwrap()
}

pub fn sources(folder: &Path, below: &str, found: &mut Vec<(String, String)>) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        let name = format!("{below}{}", path.file_name().unwrap().to_string_lossy());
        if path.is_dir() {
            sources(&path, &format!("{name}/"), found);
        } else if name.ends_with(".rs") {
            found.push((name, std::fs::read_to_string(&path).unwrap()));
        }
    }
}

#[test]
fn arrows_between_rooms_point_one_way() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);

    assert!(files.len() > 20, "the sources were not found");
    assert_eq!(violations(&files, &modules()), Vec::<String>::new());
}

#[test]
fn the_rooms_themselves_have_no_circle() {
    let modules = modules().modules;
    let mut done: Vec<&String> = Vec::new();
    while done.len() < modules.len() {
        let next = modules
            .iter()
            .find(|(name, module)| !done.contains(name) && module.uses.iter().all(|used| done.contains(&used)))
            .map(|(name, _)| name);
        done.push(next.expect("a circle, or a module that is not listed"));
    }
}

#[test]
fn only_a_store_speaks_sql() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);
    let speaking: Vec<&String> = files
        .iter()
        .filter(|(path, text)| {
            text.contains("sqlx::query") && !path.ends_with("/store.rs") && path != "platform/jobs.rs"
        })
        .map(|(path, _)| path)
        .collect();

    assert_eq!(speaking, Vec::<&String>::new());
}

/// This tests the check itself: each kind of forbidden import must be found.
#[test]
fn a_wrong_arrow_is_caught() {
    let wrong = [
        ("catalogue/store.rs", "use crate::orders::place;"),
        ("catalogue/http.rs", "use crate::{media, orders};"),
        ("media/mod.rs", "use crate::{\n    platform::web,\n    catalogue::{Product, ProductSort},\n};"),
        ("payments/mod.rs", "fn f() { crate::orders::settle() }"),
        ("platform/web.rs", "use crate::catalogue::Product;"),
        ("platform/web.rs", "use crate::app;"),
        ("newsletter/mod.rs", "use crate::site::head;"),
        ("parking/mod.rs", "fn f() {}"),
        ("cart/mod.rs", "use super::super::orders;"),
    ];
    for (path, text) in wrong {
        let found = violations(&[(path.to_owned(), text.to_owned())], &modules());
        assert_eq!(found.len(), 1, "{path}: {text} gave {found:?}");
    }
    let right = [
        ("catalogue/http.rs", "use crate::{media, platform::web::ApiResponse};"),
        ("orders/place.rs", "use crate::catalogue::take_stock; // crate::nowhere"),
        ("app.rs", "use crate::orders;"),
    ];
    for (path, text) in right {
        let found = violations(&[(path.to_owned(), text.to_owned())], &modules());
        assert_eq!(found, Vec::<String>::new(), "{path}");
    }
}

/// The files whose SQL may ask the database for the time, with the number of calls and the reason (decision 057).
/// Business rules take the time as a parameter.
const BY_THE_DATABASE: [(&str, usize, &str); 6] = [
    ("catalogue/store.rs", 5, "the version of a product or category, which changes with each write"),
    ("orders/store.rs", 2, "the age of events, which the database stamps"),
    ("platform/jobs.rs", 5, "the job engine goes by the database's clock"),
    ("platform/security_log/store.rs", 1, "the age of entries, which the database stamps"),
    ("seller/store.rs", 1, "the age of entries, which the database stamps"),
    ("shop/store.rs", 1, "the version of the settings"),
];

/// Counts how often SQL asks for the time in this source; calls in Rust have a `.` or `::` before the name.
fn questions_for_the_time(text: &str) -> usize {
    let text = text.to_lowercase();
    let calls = ["now()", "clock_timestamp()", "statement_timestamp()", "transaction_timestamp()", "current_timestamp"];
    let calls = calls.iter().chain(&["current_date", "localtimestamp"]);
    let own = |before: &str| !before.ends_with(|c: char| c == '.' || c == ':' || c == '_' || c.is_alphanumeric());
    calls.map(|call| text.match_indices(call).filter(|(at, _)| own(&text[..*at])).count()).sum()
}

#[test]
fn no_rule_asks_the_database_for_the_time() {
    assert_eq!(questions_for_the_time("WHERE at < now() - $1 AND day = CURRENT_DATE; clock.now(); Instant::now()"), 2);
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);

    for (path, text) in &files {
        let allowed = BY_THE_DATABASE.iter().find(|(known, ..)| known == path).map_or(0, |(_, count, _)| *count);
        assert_eq!(questions_for_the_time(text), allowed, "{path}");
    }
    for (path, _, why) in BY_THE_DATABASE {
        assert!(files.iter().any(|(known, _)| known == path), "{path} is gone: {why}");
    }
}

/// Columns that rules compare with the application's clock. An insert must set them, because their defaults use the
/// database's clock.
const READ_BY_RULES: [(&str, &[&str]); 13] = [
    ("cases", &["opened_at"]),
    ("email_changes", &["requested_at"]),
    ("imports", &["created_at"]),
    ("known_devices", &["last_used_at"]),
    ("one_time_links", &["expires_at"]),
    ("openid_flows", &["started_at", "expires_at"]),
    ("orders", &["created_at"]),
    ("payment_lookups", &["at"]),
    ("payments", &["created_at"]),
    ("idempotency_keys", &["created_at"]),
    ("refunds", &["requested_at"]),
    ("sessions", &["rotated_at", "authenticated_at", "created_at", "last_seen_at"]),
    ("user_identities", &["created_at"]),
];

#[test]
fn rows_are_written_with_the_times_that_rules_read() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);

    for (table, columns) in READ_BY_RULES {
        let mut written = 0;
        for (path, text) in &files {
            for (_, rest) in
                text.split(&format!("INSERT INTO {table} ")).skip(1).map(|rest| rest.split_once('(').unwrap())
            {
                written += 1;
                let named: Vec<&str> = rest.split(')').next().unwrap_or_default().split(',').map(str::trim).collect();
                for column in columns {
                    assert!(named.contains(column), "{path}: a row of {table} without {column}: {named:?}");
                }
            }
        }
        assert!(written > 0, "nobody writes {table}");
    }
}

#[test]
fn only_tests_move_the_clock() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);
    let moving: Vec<&String> = files
        .iter()
        .filter(|(_, text)| text.split("#[cfg(test)]").next().unwrap_or_default().contains("clock.advance("))
        .map(|(path, _)| path)
        .collect();

    assert_eq!(moving, Vec::<&String>::new());
}
