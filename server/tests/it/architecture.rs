//! Checks the imports of the server against `modules.json`. A module may use only the modules that it lists, and every
//! folder must be listed; the compiler keeps a module's private items private. Inside a module, no file imports itself
//! through others. Only the store of a module contains SQL, and each table belongs to one module; another module may at
//! most read it, if it says so in `modules.json`. Only the `http` files of a module define what clients send and get.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use serde::Deserialize;

#[derive(Deserialize)]
struct Modules {
    modules: BTreeMap<String, Module>,
}

#[derive(Deserialize)]
struct Module {
    uses: Vec<String>,
    /// The tables of other modules that its store reads.
    #[serde(default)]
    reads: BTreeSet<String>,
}

/// These files are above the modules and may use all of them; `platform` is below and may use none.
const ABOVE: [&str; 7] = ["app", "doctor", "lib", "main", "permission_table", "site", "worker"];

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

/// Returns the migrations that hold the functions, triggers and views, with their paths. Dated migrations are never
/// edited, so no rule checks them.
fn repeatable_migrations() -> Vec<(String, String)> {
    let entries = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap();
    let paths = entries.map(|entry| entry.unwrap().path());
    let named = paths.map(|path| (format!("migrations/{}", path.file_name().unwrap().to_string_lossy()), path));
    let repeatable = named.filter(|(name, _)| name.starts_with("migrations/999999999999"));
    repeatable.map(|(name, path)| (name, std::fs::read_to_string(path).unwrap())).collect()
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
fn imports_between_modules_point_one_way() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);

    assert!(files.len() > 20, "the sources were not found");
    assert_eq!(violations(&files, &modules()), Vec::<String>::new());
}

#[test]
fn modules_have_no_cycle() {
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
            let is_store = path.ends_with("/store.rs") || path.contains("/store/");
            text.contains("sqlx::query") && !is_store && path != "platform/jobs.rs"
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
        ("payments/mod.rs", "fn f() { crate::settlement::settle() }"),
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

/// Returns a source without its comments and without its unit tests, which are at the end and may import anything.
fn code(text: &str) -> String {
    let code = text.split("#[cfg(test)]\nmod ").next().unwrap_or_default();
    code.lines().map(|line| line.split("//").next().unwrap_or_default()).collect::<Vec<_>>().join("\n")
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// Reads the path or the tree of paths at the start of `text` (`a::b`, `a::{b, c::{self, D}}`) into `found` and returns
/// the rest of the text.
fn paths_at<'a>(text: &'a str, before: &[String], found: &mut Vec<Vec<String>>) -> &'a str {
    let text = text.trim_start();
    if let Some(mut rest) = text.strip_prefix('{') {
        loop {
            rest = rest.trim_start();
            if rest.is_empty() {
                return rest;
            }
            if let Some(end) = rest.strip_prefix('}') {
                return end;
            }
            rest = paths_at(rest, before, found);
            // A renamed import (`a as b`) counts under its first name.
            let next = rest.find([',', '}']).unwrap_or(rest.len());
            rest = rest[next..].strip_prefix(',').unwrap_or(&rest[next..]);
        }
    }
    let end = text.find(|c| !is_word(c)).unwrap_or(text.len());
    let (name, rest) = text.split_at(end);
    let mut path = before.to_vec();
    if !name.is_empty() && name != "self" {
        path.push(name.to_owned());
    }
    match rest.strip_prefix("::") {
        Some(next) if !name.is_empty() => paths_at(next, &path, found),
        _ => {
            found.push(path);
            // A `*` is skipped, because the reader must always move on.
            if name.is_empty() { rest.strip_prefix('*').unwrap_or(rest) } else { rest }
        }
    }
}

/// Returns every path in `code` that begins with `root`, without the root.
fn paths_from(code: &str, root: &str) -> Vec<Vec<String>> {
    let mut found = Vec::new();
    let start = format!("{root}::");
    for (at, _) in code.match_indices(&start) {
        if !code[..at].ends_with(|c| is_word(c) || c == ':') {
            paths_at(&code[at + start.len()..], &[], &mut found);
        }
    }
    found
}

/// A file of the server, its place in the tree of Rust modules, and the names that it re-exports (`pub use child::Name`).
struct SourceFile {
    path: String,
    place: Vec<String>,
    code: String,
    exports: BTreeMap<String, Vec<String>>,
}

impl SourceFile {
    fn new(path: &str, text: &str) -> Self {
        let mut place: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
        if place.last().is_some_and(|name| name == "mod") {
            place.pop();
        }
        let all = format!("\n{}", code(text));
        let mut parts = all.split("\npub use ");
        let mut own = parts.next().unwrap_or_default().to_owned();
        let mut exports = BTreeMap::new();
        for part in parts {
            let (tree, rest) = part.split_once(';').unwrap_or((part, ""));
            if tree.starts_with("crate::") || tree.starts_with("super::") {
                own.extend(["\nuse ", tree, ";"]);
            } else {
                // A re-export is not an import: a file that uses the name imports the file behind it.
                let mut paths = Vec::new();
                paths_at(tree.strip_prefix("self::").unwrap_or(tree), &[], &mut paths);
                exports.extend(paths.into_iter().filter_map(|path| Some((path.last()?.clone(), path))));
            }
            own.push_str(rest);
        }
        Self { path: path.to_owned(), place, code: own, exports }
    }
}

/// Returns the file that a path from the root of the crate leads to, through re-exports.
fn file_behind<'a>(files: &'a [SourceFile], path: &[String]) -> Option<&'a SourceFile> {
    let file = files.iter().filter(|file| path.starts_with(&file.place)).max_by_key(|file| file.place.len())?;
    match path.get(file.place.len()).and_then(|name| file.exports.get(name)) {
        Some(export) => file_behind(files, &[file.place.clone(), export.clone()].concat()).or(Some(file)),
        None => Some(file),
    }
}

/// Returns, for each file, the files of the same module that it imports.
fn imports(files: &[SourceFile]) -> BTreeMap<&str, BTreeSet<&str>> {
    let mut found = BTreeMap::new();
    for file in files {
        let parent = &file.place[..file.place.len() - 1];
        let mut paths = paths_from(&file.code, "crate");
        paths.extend(paths_from(&file.code, "super").into_iter().map(|path| [parent.to_vec(), path].concat()));
        let is_below =
            |other: &&SourceFile| other.place.len() > 1 && other.place[..other.place.len() - 1] == file.place;
        let children = files.iter().filter(is_below).filter_map(|child| child.place.last());
        for root in children {
            let below = paths_from(&file.code, root);
            paths.extend(below.into_iter().map(|path| [file.place.clone(), vec![root.clone()], path].concat()));
        }
        for path in paths_from(&file.code, "self") {
            paths.push([file.place.clone(), path].concat());
        }
        // A file can use the names that it re-exports without another import.
        for (name, export) in &file.exports {
            if file.code.split(|c| !is_word(c)).any(|word| word == name) {
                paths.push([file.place.clone(), export.clone()].concat());
            }
        }
        let used = paths.iter().filter_map(|path| file_behind(files, path));
        let inside = used.filter(|used| used.place[0] == file.place[0] && used.path != file.path);
        found.insert(file.path.as_str(), inside.map(|used| used.path.as_str()).collect::<BTreeSet<_>>());
    }
    found
}

/// Returns every group of files that import each other, directly or through others of the group.
fn import_cycles(files: &[(String, String)]) -> Vec<String> {
    let files: Vec<SourceFile> =
        files.iter().filter(|(path, _)| path.contains('/')).map(|(path, text)| SourceFile::new(path, text)).collect();
    let imports = imports(&files);
    let reached: BTreeMap<&str, BTreeSet<&str>> = imports
        .keys()
        .map(|start| {
            let (mut reached, mut next) = (BTreeSet::new(), vec![*start]);
            while let Some(file) = next.pop() {
                next.extend(imports[file].iter().copied().filter(|used| reached.insert(*used)));
            }
            (*start, reached)
        })
        .collect();
    let cycle_of = |file: &str| {
        let together = reached[file].iter().filter(|other| reached[**other].contains(file));
        together.copied().collect::<Vec<_>>().join(" ")
    };
    let cycles: BTreeSet<String> =
        reached.keys().map(|file| cycle_of(file)).filter(|cycle| !cycle.is_empty()).collect();
    cycles.into_iter().collect()
}

fn owned(files: &[(&str, &str)]) -> Vec<(String, String)> {
    files.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect()
}

#[test]
fn the_files_of_a_module_have_no_import_cycle() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);

    assert_eq!(import_cycles(&files), Vec::<String>::new());
}

/// This tests the check itself: a cycle must be found however its imports are written.
#[test]
fn a_cycle_is_caught() {
    let cycles: [(&[(&str, &str)], &str); 7] = [
        (
            &[("cart/mod.rs", ""), ("cart/a.rs", "use super::b::B;"), ("cart/b.rs", "use super::{a, c};")],
            "cart/a.rs cart/b.rs",
        ),
        (
            &[
                ("cart/a.rs", "use super::{\n    b::{self, B as Other},\n    d::*,\n};"),
                ("cart/b.rs", "use crate::{platform::web, cart::c::{C, D}};"),
                ("cart/c.rs", "fn f() {\n    super::a::g()\n}"),
                ("cart/d.rs", ""),
            ],
            "cart/a.rs cart/b.rs cart/c.rs",
        ),
        (
            &[
                ("cart/mod.rs", "mod a;\nmod b;\n\npub use a::{A, f};\npub use b::B;"),
                ("cart/a.rs", "use super::B;"),
                ("cart/b.rs", "use crate::cart::f;"),
            ],
            "cart/a.rs cart/b.rs",
        ),
        (
            &[("cart/mod.rs", "mod a;\npub struct S;\nfn f() { a::g() }"), ("cart/a.rs", "use super::S;")],
            "cart/a.rs cart/mod.rs",
        ),
        (
            &[("cart/mod.rs", "pub use a::g;\npub struct S;\nfn f() { g() }"), ("cart/a.rs", "use super::S;")],
            "cart/a.rs cart/mod.rs",
        ),
        (
            &[
                ("cart/http/mod.rs", "use self::a::A;\npub struct S;"),
                ("cart/http/a.rs", "use super::S;"),
                ("cart/store.rs", "use super::http::S;"),
            ],
            "cart/http/a.rs cart/http/mod.rs",
        ),
        (
            &[("cart/http/a.rs", "use crate::cart::store::load;"), ("cart/store.rs", "use super::http::a::A;")],
            "cart/http/a.rs cart/store.rs",
        ),
    ];
    for (files, cycle) in cycles {
        assert_eq!(import_cycles(&owned(files)), [cycle]);
    }
    let without = [
        ("cart/mod.rs", "mod a;\npub use a::A;\npub struct S;"),
        ("cart/a.rs", "use super::S; // super::b\n\n#[cfg(test)]\nmod tests {\n    use super::super::b::B;\n}"),
        ("cart/b.rs", "use super::a::A;"),
        ("shop/a.rs", "use super::b::B;\nuse crate::cart::b;"),
        ("shop/b.rs", "use crate::cart::a;"),
    ];
    assert_eq!(import_cycles(&owned(&without)), Vec::<String>::new());
}

/// The tables that a second module names, with the reason.
const SHARED_TABLES: [(&str, &str, &str); 1] =
    [("log_seals", "staff", "a chained log looks for its own unsealed rows (`ChainedLog`), which is a join")];

/// Returns the names after each of these keywords in `text`. Keywords are upper case and separate words.
fn names_after<'a>(text: &'a str, keywords: &[&str]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for keyword in keywords {
        for (at, _) in text.match_indices(keyword) {
            let rest = &text[at + keyword.len()..];
            let name = rest.trim_start().split(|c| !is_word(c)).next().unwrap_or_default();
            if rest.starts_with(char::is_whitespace) && !text[..at].ends_with(is_word) && !name.is_empty() {
                found.insert(name);
            }
        }
    }
    found
}

/// Returns every table that was ever created, under its last name and its former ones.
fn tables(migrations: &[String]) -> BTreeSet<&str> {
    let statements = migrations.iter().flat_map(|text| text.split(';'));
    statements
        .flat_map(|statement| {
            let renamed = statement.contains("ALTER TABLE").then(|| names_after(statement, &["RENAME TO"]));
            names_after(statement, &["CREATE TABLE"]).into_iter().chain(renamed.unwrap_or_default())
        })
        .collect()
}

/// Returns the modules whose sources name each table in SQL.
fn modules_by_table<'a>(
    files: &'a [(String, String)],
    tables: &BTreeSet<&'a str>,
) -> BTreeMap<&'a str, BTreeSet<&'a str>> {
    let mut found: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    for (path, text) in files {
        let module = path.split('/').next().unwrap_or_default();
        let code = code(text);
        for name in names_after(&code, &["FROM", "JOIN", "INTO", "UPDATE", "USING", "ONLY"]) {
            if let Some(table) = tables.get(name) {
                found.entry(table).or_default().insert(module);
            }
        }
    }
    found
}

/// Returns the declared readings that do not hold: a table that is not read, or that is written or locked.
fn wrong_readings(files: &[(String, String)], modules: &Modules) -> Vec<String> {
    let mut wrong = Vec::new();
    for (name, module) in &modules.modules {
        let own = files.iter().filter(|(path, _)| path.split('/').next() == Some(name));
        let code: String = own.map(|(_, text)| code(text) + "\n").collect();
        let read = names_after(&code, &["FROM", "JOIN"]);
        let written = names_after(&code, &["INTO", "UPDATE", "DELETE FROM", "USING", "TRUNCATE"]);
        for table in module.reads.iter().map(String::as_str) {
            if !read.contains(table) {
                wrong.push(format!("'{name}' does not read '{table}'"));
            }
            if written.contains(table) {
                wrong.push(format!("'{name}' writes '{table}'"));
            }
        }
        let locks = ["FOR UPDATE", "FOR NO KEY UPDATE", "FOR SHARE", "FOR KEY SHARE"];
        if !module.reads.is_empty() && locks.iter().any(|lock| code.contains(lock)) {
            wrong.push(format!("'{name}' locks rows"));
        }
    }
    wrong
}

#[test]
fn a_table_is_named_by_one_module_only() {
    let (mut files, mut migrations) = (Vec::new(), Vec::new());
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations")).unwrap() {
        migrations.push(std::fs::read_to_string(entry.unwrap().path()).unwrap());
    }
    let tables = tables(&migrations);
    let mut found = modules_by_table(&files, &tables);

    assert_eq!(found["orders"], BTreeSet::from(["cash", "coupons", "orders", "reports"]));
    assert_eq!(found["idempotency_keys"], BTreeSet::from(["orders"]));
    assert!(found.len() > 30, "the tables were not found: {found:?}");
    for (table, module, why) in SHARED_TABLES {
        assert!(found.get_mut(table).unwrap().remove(module), "{module} no longer names {table}: {why}");
    }
    let modules = modules();
    for (name, module) in &modules.modules {
        for table in &module.reads {
            found.get_mut(table.as_str()).unwrap().remove(name.as_str());
        }
    }
    assert_eq!(wrong_readings(&files, &modules), Vec::<String>::new());
    found.retain(|_, modules| modules.len() > 1);
    assert_eq!(found, BTreeMap::new());
}

/// This tests the check itself.
#[test]
fn a_table_of_another_module_is_caught() {
    let migrations = [
        "CREATE TABLE users (id uuid);\nCREATE TABLE replays (id uuid);".to_owned(),
        "ALTER TABLE replays RENAME TO keys;\nALTER INDEX users_age RENAME TO ages;".to_owned(),
    ];
    let tables = tables(&migrations);
    assert_eq!(tables, BTreeSet::from(["keys", "replays", "users"]));

    for wrong in [
        "SELECT id FROM users WHERE id = $1 FOR UPDATE",
        "DELETE FROM carts c USING users u",
        "SELECT FROM carts\n JOIN\n  users u ON true",
        "INSERT INTO users (id) VALUES ($1)",
        "UPDATE users SET id = $1",
    ] {
        let files = owned(&[("accounts/store.rs", "INSERT INTO users (id)"), ("addresses/store.rs", wrong)]);
        let found = modules_by_table(&files, &tables);
        assert_eq!(found["users"], BTreeSet::from(["accounts", "addresses"]), "{wrong}");
    }
    let right = owned(&[
        ("accounts/store.rs", "SELECT FROM users"),
        ("addresses/store.rs", "SELECT users FROM addresses, FROM usersx; // FROM users"),
    ]);
    assert_eq!(modules_by_table(&right, &tables), BTreeMap::from([("users", BTreeSet::from(["accounts"]))]));
}

/// This tests the check itself.
#[test]
fn a_reader_that_writes_is_caught() {
    let reads = BTreeSet::from(["users".to_owned()]);
    let modules = Modules { modules: BTreeMap::from([("reports".to_owned(), Module { uses: Vec::new(), reads })]) };
    for (text, expected) in [
        ("SELECT FROM users", None),
        ("SELECT FROM orders JOIN users", None),
        ("SELECT FROM orders", Some("'reports' does not read 'users'")),
        ("SELECT FROM users; UPDATE users SET id = $1", Some("'reports' writes 'users'")),
        ("DELETE FROM users", Some("'reports' writes 'users'")),
        ("SELECT FROM users; INSERT INTO users (id)", Some("'reports' writes 'users'")),
        ("SELECT FROM users WHERE id = $1 FOR UPDATE", Some("'reports' locks rows")),
    ] {
        let files = owned(&[("reports/store.rs", text), ("accounts/store.rs", "UPDATE users SET id = $1")]);
        assert_eq!(wrong_readings(&files, &modules), expected.into_iter().collect::<Vec<_>>(), "{text}");
    }
}

/// Types outside `http` that are read or written in another form than the API's, with the reason. A job's payload
/// needs no reason.
const SERIALIZED_ELSEWHERE: [(&str, &[&str], &str); 13] = [
    ("accounts", &["LinkRequest"], "part of a job's payload"),
    ("alerts", &["Alert", "LowStockLine", "NotMetReason", "OrderAlert"], "stored with its delivery"),
    (
        "catalogue",
        &["CellChange", "CellError", "ImportRowKind", "ImportSnapshot", "NewImportRow"],
        "rows of an import, which are stored as JSON",
    ),
    ("catalogue", &["ProductRow"], "rows are passed to the database as JSON"),
    ("complaints", &["ComplaintEvent"], "part of a job's payload"),
    ("demo", &["DemoCategory", "DemoProduct", "DemoUnit"], "the file with the products of the demo shop"),
    (
        "inventory",
        &["ReceiptInput", "ReceiptLineInput", "WasteInput", "WasteReason"],
        "hashed, so that a repeated request is recognised",
    ),
    (
        "notifications",
        &[
            "ComplaintEmailKind",
            "ComplaintSummary",
            "CouponLine",
            "Email",
            "OrderEmailKind",
            "OrderSummary",
            "PackingEmailKind",
            "PackingSummary",
            "Recipient",
            "SecurityEmailKind",
            "StaffEmailKind",
        ],
        "part of a job's payload",
    ),
    ("notifications", &["Paragraph", "Row"], "what a template is filled with"),
    ("orders", &["NewOrderRow"], "a new order is passed to the database as JSON"),
    ("packing", &["ProposedLine", "ProposedReplacement"], "stored with the question to the shopper"),
    ("payments", &["InitiateResponse"], "what the wallet answers"),
    ("payments", &["NextAction"], "stored with the payment"),
];

/// Types of the API that are not in an `http` file yet, by module. The list only gets shorter.
const NOT_IN_HTTP_YET: [(&str, &[&str]); 2] = [("cart", &["Quote"]), ("shop", &["ShopSettings"])];

/// Returns the types of a source that derive one of these traits.
fn types_deriving<'a>(code: &'a str, traits: &[&str]) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    for (at, _) in code.match_indices("#[derive(") {
        let (derived, rest) = code[at + "#[derive(".len()..].split_once(")]").unwrap_or_default();
        let wanted = derived.split(|c| !is_word(c)).any(|word| traits.contains(&word));
        let mut words = rest.split(|c| !is_word(c)).skip_while(|word| !["enum", "struct"].contains(word));
        if let (true, Some(name)) = (wanted, words.nth(1)) {
            found.insert(name);
        }
    }
    found
}

/// Returns the types outside `http` files that a client could send or get, with their modules.
fn wire_types_outside_http(files: &[(String, String)], modules: &Modules) -> BTreeSet<(String, String)> {
    let jobs: BTreeSet<&str> = files.iter().flat_map(|(_, text)| names_after(text, &["impl Job for"])).collect();
    let mut found = BTreeSet::new();
    for (path, text) in files {
        let home = path.split('/').next().unwrap_or_default();
        if !modules.modules.contains_key(home) || path.ends_with("/http.rs") || path.contains("/http/") {
            continue;
        }
        let code = code(text);
        let mut types = types_deriving(&code, &["Deserialize", "Serialize"]);
        types.retain(|name| !jobs.contains(name));
        types.extend(types_deriving(&code, &["IntoParams", "ToResponse", "ToSchema"]));
        found.extend(types.into_iter().map(|name| (home.to_owned(), name.to_owned())));
    }
    found
}

#[test]
fn what_clients_send_and_get_is_defined_in_http_files() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);
    let mut found = wire_types_outside_http(&files, &modules());

    let known = SERIALIZED_ELSEWHERE.iter().map(|(module, types, _)| (module, types));
    for (module, types) in known.chain(NOT_IN_HTTP_YET.iter().map(|(module, types)| (module, types))) {
        for name in *types {
            let was_found = found.remove(&((*module).to_owned(), (*name).to_owned()));
            assert!(was_found, "{name} of {module} need not be listed any more");
        }
    }
    assert_eq!(found, BTreeSet::new());
}

/// This tests the check itself.
#[test]
fn a_wire_type_outside_http_is_caught() {
    let check = |path: &str, text: &str| {
        let files = owned(&[(path, text), ("cart/send.rs", "impl Job for SendCart {")]);
        let found = wire_types_outside_http(&files, &modules());
        found.into_iter().map(|(_, name)| name).collect::<Vec<String>>()
    };
    for text in [
        "#[derive(Debug, Serialize, utoipa::ToSchema)]\n#[serde(rename_all = \"camelCase\")]\npub struct Line {",
        "#[derive(utoipa::IntoParams)]\nstruct Line {",
        "#[derive(Deserialize)]\n/// One line.\npub(crate) enum Line {",
        "#[derive(\n    Debug,\n    serde::Serialize,\n)]\nstruct Line;",
        "#[derive(Debug)]\nstruct Other;\n#[derive(Serialize)]\nstruct Line<'a> {",
        "#[derive(Serialize)]\nstruct SendCart {\n}\n#[derive(Serialize)]\nstruct Line {",
    ] {
        assert_eq!(check("cart/model.rs", text), ["Line"], "{text}");
    }
    assert_eq!(check("cart/model.rs", "#[derive(Serialize, ToSchema)]\nstruct SendCart {"), ["SendCart"]);
    for (path, text) in [
        ("cart/http.rs", "#[derive(Serialize, ToSchema)]\nstruct Line {"),
        ("cart/http/lines.rs", "#[derive(Deserialize)]\nstruct Line {"),
        ("cart/model.rs", "#[derive(Debug, Clone)]\nstruct Serialize {"),
        ("cart/model.rs", "#[derive(Serialize, Deserialize)]\nstruct SendCart {"),
        (
            "cart/model.rs",
            "// #[derive(Serialize)]\nstruct Line {\n}\n\n#[cfg(test)]\nmod tests {\n#[derive(Serialize)]\nstruct A;",
        ),
        ("platform/web.rs", "#[derive(Serialize, ToSchema)]\nstruct Line {"),
    ] {
        assert_eq!(check(path, text), Vec::<String>::new(), "{path}: {text}");
    }
}

/// The engine may change its private tables with any release (decision 065).
#[test]
fn only_test_support_names_the_private_tables_of_the_job_engine() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut files = Vec::new();
    sources(&root.join("src"), "src/", &mut files);
    sources(&root.join("tests"), "tests/", &mut files);
    files.extend(repeatable_migrations());
    let private = concat!("graphile_worker.", "_private_");
    let naming: Vec<&String> = files.iter().filter(|(_, text)| text.contains(private)).map(|(path, _)| path).collect();

    assert_eq!(naming, ["tests/it/support/queue.rs"]);
}

/// The files whose SQL may ask the database for the time, with the number of calls and the reason (decision 057).
/// Business rules take the time as a parameter.
const BY_THE_DATABASE: [(&str, usize, &str); 9] = [
    ("catalogue/store/categories.rs", 2, "the version of a category, which changes with each write"),
    ("catalogue/store/products.rs", 3, "the version of a product, which changes with each write"),
    ("doctor/store.rs", 1, "compared with the clock of this machine"),
    (
        "migrations/99999999999920_orders.sql",
        7,
        "six in invariants, which do not trust the clock of the server that they check; one in the last change of a cart, \
         which no rule reads",
    ),
    ("orders/store/events.rs", 2, "the age of events, which the database stamps"),
    ("platform/jobs.rs", 5, "the job engine goes by the database's clock"),
    ("platform/security_log/store.rs", 1, "the age of entries, which the database stamps"),
    ("staff/store/audit.rs", 1, "the age of entries, which the database stamps"),
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
    let mut files = repeatable_migrations();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);

    for (path, text) in &files {
        let allowed = BY_THE_DATABASE.iter().find(|(known, ..)| known == path).map_or(0, |(_, count, _)| *count);
        assert_eq!(questions_for_the_time(text), allowed, "{path}");
    }
    for (path, _, why) in BY_THE_DATABASE {
        assert!(files.iter().any(|(known, _)| known == path), "{path} is gone: {why}");
    }
}

/// The files that may measure with the clock of the process, with the number of calls and the reason. That clock
/// measures a duration or an age within one process; a rule takes the time of the application's clock.
const MEASURED_IN_THE_PROCESS: [(&str, usize, &str); 11] = [
    ("doctor/database_checks.rs", 1, "how long this command has waited for the standby"),
    ("media/mod.rs", 1, "how long the picture store took"),
    ("media/worker_process.rs", 1, "how long the picture worker took"),
    ("orders/seller_orders.rs", 1, "how long this request has worked, so that it ends before its limit"),
    (
        "payments/wallet_client.rs",
        3,
        "how long a call took, and the age of the calls that this process counts to see whether the wallet is down",
    ),
    ("platform/cache/mod.rs", 1, "the age of a value in this process's cache"),
    ("platform/cache/response.rs", 1, "the age of a response in this process's cache"),
    ("platform/middleware.rs", 1, "how long a request took"),
    ("platform/openid.rs", 2, "the age of the provider's keys in this process's cache"),
    ("settlement/pay.rs", 1, "how long this request has waited for the one that creates the link"),
    ("worker.rs", 2, "how long the check of the invariants took and when it ended, so that a slow one runs less often"),
];

#[test]
fn no_rule_goes_by_the_clock_of_the_process() {
    let mut files = Vec::new();
    sources(Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/src")), "", &mut files);

    for (path, text) in &files {
        let allowed =
            MEASURED_IN_THE_PROCESS.iter().find(|(known, ..)| known == path).map_or(0, |(_, count, _)| *count);
        assert_eq!(code(text).matches("Instant::now").count(), allowed, "{path}");
    }
    for (path, _, why) in MEASURED_IN_THE_PROCESS {
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
