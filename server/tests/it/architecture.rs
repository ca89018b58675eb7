//! `rooms.json` held against the imports of the server. A room may use only the rooms it names, may not reach
//! past another room's front door (the compiler sees to that), and no folder may go unlisted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
struct Rooms {
    rooms: BTreeMap<String, Room>,
}

#[derive(Deserialize)]
struct Room {
    uses: Vec<String>,
}

/// Above the rooms: may use all of them. Below: `platform`, which may use none.
const ABOVE: [&str; 5] = ["app", "lib", "main", "site", "worker"];

/// Every wrong arrow among `files` (path below `src`, text).
fn violations(files: &[(String, String)], rooms: &Rooms) -> Vec<String> {
    let mut found = Vec::new();
    for (path, text) in files {
        let home = path.split('/').next().unwrap_or_default().trim_end_matches(".rs");
        if ABOVE.contains(&home) {
            continue;
        }
        let allowed: &[String] = match (home, rooms.rooms.get(home)) {
            ("platform", _) => &[],
            (_, Some(room)) => &room.uses,
            (_, None) => {
                found.push(format!("{path}: '{home}' is not in rooms.json"));
                continue;
            }
        };
        for used in roots(text) {
            let fine = used == home
                || used == "platform"
                || allowed.contains(&used)
                || !(rooms.rooms.contains_key(&used) || ABOVE.contains(&used.as_str()));
            if !fine {
                found.push(format!("{path}: '{home}' may not use '{used}'"));
            }
        }
        if text.contains("super::super") {
            found.push(format!("{path}: climbs out of its room with super::super"));
        }
    }
    found
}

/// The first name after every `crate::`, also inside braces: `use crate::{cart, orders::place}`.
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

fn rooms() -> Rooms {
    serde_json::from_str(include_str!("../../../rooms.json")).unwrap()
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
    assert_eq!(violations(&files, &rooms()), Vec::<String>::new());
}

#[test]
fn the_rooms_themselves_have_no_circle() {
    let rooms = rooms().rooms;
    let mut done: Vec<&String> = Vec::new();
    while done.len() < rooms.len() {
        let next = rooms
            .iter()
            .find(|(name, room)| !done.contains(name) && room.uses.iter().all(|used| done.contains(&used)))
            .map(|(name, _)| name);
        done.push(next.expect("a circle, or a room that is not listed"));
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

/// The test of the test: each kind of wrong arrow is seen.
#[test]
fn a_wrong_arrow_is_caught() {
    let wrong = [
        ("catalogue/store.rs", "use crate::orders::place;"),
        ("catalogue/http.rs", "use crate::{media, orders};"),
        ("media/mod.rs", "use crate::{\n    platform::web,\n    catalogue::{Product, Sort},\n};"),
        ("payments/mod.rs", "fn f() { crate::orders::settle() }"),
        ("platform/web.rs", "use crate::catalogue::Product;"),
        ("platform/web.rs", "use crate::app;"),
        ("newsletter/mod.rs", "use crate::site::head;"),
        ("parking/mod.rs", "fn f() {}"),
        ("cart/mod.rs", "use super::super::orders;"),
    ];
    for (path, text) in wrong {
        let found = violations(&[(path.to_owned(), text.to_owned())], &rooms());
        assert_eq!(found.len(), 1, "{path}: {text} gave {found:?}");
    }
    let right = [
        ("catalogue/http.rs", "use crate::{media, platform::web::Reply};"),
        ("orders/place.rs", "use crate::catalogue::take_stock; // crate::nowhere"),
        ("app.rs", "use crate::orders;"),
    ];
    for (path, text) in right {
        let found = violations(&[(path.to_owned(), text.to_owned())], &rooms());
        assert_eq!(found, Vec::<String>::new(), "{path}");
    }
}
