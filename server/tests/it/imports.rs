//! Importing products from spreadsheets.

use http::Method;
use serde_json::{Value, json};
use sqlx::PgPool;
use thunse::platform::jobs::Job as _;
use thunse::platform::permissions::Role;

use crate::orders::{asha, order_request, sita};
use crate::support::{Browser, TestShop};

pub const EXPORT: &str = "/api/product/export_products.csv";

async fn upload_file(seller: &Browser<'_>, file: &str) -> Value {
    let path = "/api/product/import_products";
    let answer =
        seller.send_form_with(Method::POST, path, &[("name", "goods.csv")], &[("file", file.as_bytes())]).await;
    assert_eq!(answer.status, 200, "{}", answer.text);
    answer.json()["data"].clone()
}

pub async fn get_import(seller: &Browser<'_>, import: &Value) -> Value {
    let id = import["_id"].as_str().unwrap();
    seller.get(&format!("/api/product/get_import/{id}")).await.json()["data"].clone()
}

pub async fn get_import_rows(seller: &Browser<'_>, import: &Value, kind: &str) -> Vec<Value> {
    let id = import["_id"].as_str().unwrap();
    let answer = seller.get(&format!("/api/product/get_import_rows/{id}?kind={kind}&limit=200")).await;
    answer.json()["data"].as_array().unwrap().clone()
}

/// Uploads a file, runs the check and returns its result.
pub async fn upload_and_check(shop: &TestShop, seller: &Browser<'_>, file: &str) -> Value {
    let import = upload_file(seller, file).await;
    assert_eq!(import["state"], "checking");
    shop.run_jobs().await;
    get_import(seller, &import).await
}

pub async fn apply_import(shop: &TestShop, seller: &Browser<'_>, import: &Value) -> Value {
    let asked = seller.post("/api/product/apply_import", &json!({"importId": import["_id"]})).await;
    assert_eq!(asked.status, 200, "{}", asked.text);
    shop.run_jobs().await;
    get_import(seller, import).await
}

pub fn counts(import: &Value) -> [i64; 4] {
    ["add", "update", "same", "error"].map(|kind| import["counts"][kind].as_i64().unwrap())
}

#[sqlx::test]
async fn what_was_exported_changes_nothing_when_it_comes_back(db: PgPool) {
    let shop = TestShop::demo(db.clone()).await;
    thunse::platform::jobs::migrate(&db).await.unwrap();
    let sita = sita(&shop).await;
    // These values are hard for spreadsheets.
    shop.sql(
        r#"UPDATE products SET name = '=SUM(A1), "quoted"', description = E'two\nlines', tags = '{"a,b","-c"}' WHERE slug IN
           (SELECT slug FROM products LIMIT 1)"#,
    )
    .await;
    let file = sita.get(EXPORT).await;
    assert_eq!(file.header("content-type"), "text/csv; charset=utf-8");
    assert_eq!(file.header("content-disposition"), "attachment; filename=\"products.csv\"");
    assert_eq!(file.header("cache-control"), "no-store");

    let import = upload_and_check(&shop, &sita, &file.text).await;

    assert_eq!((counts(&import), &import["state"]), ([0, 0, 156, 0], &json!("checked")));
    let versions = "SELECT max(updated_at)::text FROM products";
    let before: String = sqlx::query_scalar(versions).fetch_one(&shop.db).await.unwrap();
    assert_eq!(apply_import(&shop, &sita, &import).await["state"], "applied");
    let after: String = sqlx::query_scalar(versions).fetch_one(&shop.db).await.unwrap();
    assert_eq!(before, after);
}

#[sqlx::test]
async fn a_file_adds_and_changes_all_at_once(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    shop.add_product_by_slug(category, "Salt", 20, 30).await;
    let file = "slug,name,category,price,stock,tags\r\n\
                rice,Rice,Staples,110,15,red | long\r\n\
                salt,,Staples,20,30,\r\n";
    let import = upload_and_check(&shop, &sita, file).await;
    assert_eq!(counts(&import), [0, 1, 0, 1], "an empty name is no name");
    let file = "slug,name,category,price,stock,tags\r\n\
                rice,Rice,Staples,110,15,red | long\r\n\
                salt,Salt,staples,20,30,\r\n\
                ,Jumla Beans,Staples,95.5,7,\r\n\
                my-own-slug,Ghee,Staples,900,,\r\n";
    let import = upload_and_check(&shop, &sita, file).await;
    assert_eq!((counts(&import), &import["total"]), ([2, 1, 1, 0], &json!(4)));
    assert_eq!(
        get_import_rows(&sita, &import, "update").await[0],
        json!({"row": 2, "slug": "rice", "name": "Rice", "kind": "update", "errors": [], "changes": [
            {"column": "price", "before": "100.00", "after": "110.00"},
            {"column": "stock", "before": "10", "after": "15"},
            {"column": "tags", "before": "", "after": "red | long"},
        ]})
    );
    assert_eq!(shop.count("products").await, 2, "looking changes nothing");
    // Units that are sold between the check and the import stay sold.
    asha.place_order(Some("a"), &order_request(&rice, 4, 472.0)).await;

    let applied = apply_import(&shop, &sita, &import).await;

    assert_eq!((&applied["state"], &applied["by"]), (&json!("applied"), &json!("Sita")));
    assert_eq!((shop.stock(&rice).await, shop.count("products").await), (11, 4));
    let slugs: Vec<String> =
        sqlx::query_scalar("SELECT slug FROM products ORDER BY position").fetch_all(&shop.db).await.unwrap();
    assert_eq!(slugs, ["rice", "salt", "my-own-slug", "jumla-beans"]);
    assert_eq!(shop.search("jumla").await.names(), ["Jumla Beans"]);
    let actions: Vec<(String, String)> =
        sqlx::query_as("SELECT action, about FROM audit_log ORDER BY id").fetch_all(&shop.db).await.unwrap();
    let wrote: Vec<&str> = actions.iter().filter(|row| row.0 != "product.import").map(|row| row.1.as_str()).collect();
    assert_eq!(wrote, ["Ghee", "Jumla Beans", "Rice"]);
    // A file can be applied only once.
    let again = sita.post("/api/product/apply_import", &json!({"importId": import["_id"]})).await;
    assert_eq!(again.refusal(), (409, "import_not_ready".to_owned()));
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn an_exported_file_keeps_what_was_sold_since(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let (sita, asha) = (sita(&shop).await, asha(&shop).await);
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let file = sita.get(EXPORT).await.text;
    asha.place_order(Some("a"), &order_request(&rice, 4, 472.0)).await;

    // The unchanged file changes nothing, although only 6 units are left.
    assert_eq!(counts(&upload_and_check(&shop, &sita, &file).await), [0, 0, 1, 0]);
    // The file adds five units.
    let import =
        upload_and_check(&shop, &sita, &file.replace(r#","100.00","10","10","#, r#","100.00","15","10","#)).await;
    assert_eq!(apply_import(&shop, &sita, &import).await["state"], "applied");
    assert_eq!(shop.stock(&rice).await, 11);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn every_bad_row_is_named_with_its_column(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product_by_slug(category, "Rice", 100, 5).await;
    let header = "slug,name,category,price,stock,rating,reviews,tax_class,unit_amount,unit_measure,version";
    let bad = [
        ("Bad Slug!,X,Staples,1,1,,,,,,", "slug"),
        (",,Staples,1,1,,,,,,", "name"),
        (",X,Shoes,1,1,,,,,,", "category"),
        (",X,Staples,1.234,1,,,,,,", "price"),
        (",X,Staples,-5,1,,,,,,", "price"),
        (",X,Staples,free,1,,,,,,", "price"),
        (",X,Staples,1,2.5,,,,,,", "stock"),
        (",X,Staples,1,1,5.1,,,,,", "rating"),
        (",X,Staples,1,1,,many,,,,", "reviews"),
        (",X,Staples,1,1,,,none,,,", "tax_class"),
        (",X,Staples,1,1,,,,0,kg,", "unit_amount"),
        (",X,Staples,1,1,,,,1,stone,", "unit_measure"),
        (",X,Staples,1,1,,,,,,yesterday", "version"),
        ("rice,Other,Staples,1,1,,,,,,v1", "version"),
        ("twice,X,Staples,1,1,,,,,,", ""),
        ("twice,X,Staples,1,1,,,,,,", "slug"),
        (",X,Staples,1,1,,,,,,,too,many", "slug"),
    ];
    let lines: Vec<&str> = bad.iter().map(|(line, _)| *line).collect();

    let import = upload_and_check(&shop, &sita, &format!("{header}\r\n{}\r\n", lines.join("\r\n"))).await;

    let errors = get_import_rows(&sita, &import, "error").await;
    let expected: Vec<(i64, &str)> =
        (2..).zip(bad).filter(|(_, (_, column))| !column.is_empty()).map(|(row, (_, column))| (row, column)).collect();
    let found: Vec<(i64, &str)> =
        errors.iter().map(|row| (row["row"].as_i64().unwrap(), row["errors"][0]["column"].as_str().unwrap())).collect();
    assert_eq!(found, expected);
    assert!(errors.iter().all(|row| !row["errors"][0]["message"].as_str().unwrap().is_empty()));
    let refused = sita.post("/api/product/apply_import", &json!({"importId": import["_id"]})).await;
    assert_eq!(refused.refusal(), (409, "import_not_ready".to_owned()));
    assert_eq!(shop.count("products").await, 1);
    // The job stored the reasons without a language, so each reader gets them in their own.
    let mut reader = sita.copy_cookies();
    reader.language = "ne";
    let nepali = |text: &Value| text.as_str().unwrap().chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c));
    let told = get_import_rows(&reader, &import, "error").await;
    assert!(told.iter().all(|row| nepali(&row["errors"][0]["message"])), "{told:?}");
}

#[sqlx::test]
async fn a_file_that_is_none_is_refused_with_a_reason(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let import = upload_and_check(&shop, &sita, "slug,colour\r\na,b\r\n").await;
    assert_eq!((&import["state"], &import["message"]), (&json!("refused"), &json!("Unknown column 'colour'.")));
    let none = sita.send_form_with(Method::POST, "/api/product/import_products", &[], &[]).await;
    assert_eq!(none.refusal(), (422, "field_invalid".to_owned()));
    assert_eq!(sita.get("/api/product/get_import/x").await.refusal(), (404, "import_not_found".to_owned()));
    assert_eq!(sita.get("/api/product/get_imports").await.json()["data"].as_array().unwrap().len(), 1);
}

#[sqlx::test]
async fn a_stored_problem_is_read_in_either_language_and_an_old_text_as_it_is(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let mut reader = sita.copy_cookies();
    reader.language = "ne";
    let refused = upload_and_check(&shop, &sita, "slug,colour\r\na,b\r\n").await;
    assert_eq!(refused["message"], "Unknown column 'colour'.");
    assert_eq!(get_import(&reader, &refused).await["message"], "‘colour’ स्तम्भ चिनिएन।");
    let stored: Value = sqlx::query_scalar("SELECT problem FROM imports").fetch_one(&shop.db).await.unwrap();
    assert_eq!(stored, json!({ "id": "imports.unknown_column", "args": { "column": "colour" } }));

    let checked = upload_and_check(&shop, &sita, "slug,name,category,price\r\n,Rice,Shoes,1\r\n").await;
    let problem = async |browser: &Browser<'_>| {
        get_import_rows(browser, &checked, "error").await[0]["errors"][0]["message"].as_str().unwrap().to_owned()
    };
    assert_eq!(problem(&sita).await, "There is no category 'Shoes'.");
    assert_eq!(problem(&reader).await, "‘Shoes’ नामको वर्ग छैन।");

    // As the release before stored them.
    shop.sql("UPDATE imports SET problem = NULL, message = 'The column ''colour'' is not known.'").await;
    shop.sql(r#"UPDATE import_rows SET errors = '[{"column": "name", "message": "This is too long."}]'"#).await;
    assert_eq!(get_import(&reader, &refused).await["message"], "The column 'colour' is not known.");
    assert_eq!(problem(&reader).await, "This is too long.");
}

/// A product is edited between the check and the import: nothing is applied, and the result names the row.
#[sqlx::test]
async fn nothing_is_written_when_one_row_no_longer_fits(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product_by_slug(category, "Rice", 100, 5).await;
    shop.add_product_by_slug(category, "Salt", 20, 5).await;
    let file = sita.get(EXPORT).await.text.replace("\"100.00\"", "\"101.00\"").replace("\"20.00\"", "\"21.00\"");
    let import = upload_and_check(&shop, &sita, &file).await;
    assert_eq!(counts(&import), [0, 2, 0, 0]);
    sita.send_form(Method::PUT, "/api/product/update_product/salt", &[("price", "50")], None).await;

    let failed = apply_import(&shop, &sita, &import).await;

    assert_eq!((&failed["state"], counts(&failed)), (&json!("failed"), [0, 1, 0, 1]));
    let errors = get_import_rows(&sita, &import, "error").await;
    assert_eq!((&errors[0]["slug"], &errors[0]["errors"][0]["column"]), (&json!("salt"), &json!("version")));
    let prices: Vec<i64> =
        sqlx::query_scalar("SELECT price_paisa FROM products ORDER BY position").fetch_all(&shop.db).await.unwrap();
    assert_eq!(prices, [10_000, 5_000]);
}

#[sqlx::test]
async fn a_file_can_be_called_off(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let import = upload_and_check(&shop, &sita, "name,category,price\r\nRice,Staples,5\r\n").await;
    let cancel = async || sita.post("/api/product/cancel_import", &json!({"importId": import["_id"]})).await;
    assert_eq!(cancel().await.json()["data"]["state"], "cancelled");
    assert_eq!(cancel().await.refusal(), (409, "import_not_ready".to_owned()));
    let refused = sita.post("/api/product/apply_import", &json!({"importId": import["_id"]})).await;
    assert_eq!(refused.refusal(), (409, "import_not_ready".to_owned()));
    // A file that is cancelled before its check is not checked.
    let early = upload_file(&sita, "name,category,price\r\nRice,Staples,5\r\n").await;
    sita.post("/api/product/cancel_import", &json!({"importId": early["_id"]})).await;
    shop.run_jobs().await;
    assert_eq!(get_import(&sita, &early).await["state"], "cancelled");
    assert_eq!(shop.count("products").await, 0);
}

/// A worker that was taken for dead continues beside the one that took over, and the file is applied once.
#[sqlx::test]
async fn two_workers_apply_one_file_once(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let import = upload_and_check(
        &shop,
        &sita,
        "slug,name,category,price,stock\r\nrice,Rice,Staples,100,15\r\n,Salt,Staples,5,1\r\n",
    )
    .await;
    sita.post("/api/product/apply_import", &json!({"importId": import["_id"]})).await;
    let about = json!({"import": import["_id"], "seller": "0190a0a0-0000-7000-8000-000000000000"});
    let job = || serde_json::from_value::<thunse::catalogue::ApplyImport>(about.clone()).unwrap();

    let (one, two) = tokio::join!(job().run(&shop.app), job().run(&shop.app));

    assert_eq!((one, two), (Ok(()), Ok(())));
    assert_eq!((shop.stock(&rice).await, shop.count("products").await), (15, 2));
    assert_eq!(get_import(&sita, &import).await["state"], "applied");
    shop.assert_invariants_hold().await;
}

/// An import does exactly what the check showed, or fails if the data has changed since.
#[sqlx::test]
async fn a_row_does_what_was_shown_or_the_file_waits(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    for name in ["Rice", "Salt", "Oil"] {
        shop.add_product_by_slug(category, name, 20, 5).await;
    }
    // The file has no versions, so only the check knows the previous state.
    let file = "slug,name,category,price,stock\r\n\
                rice,Rice,Staples,21,5\r\n\
                salt,Salt,Staples,20,5\r\n\
                oil,Oil,Staples,22,5\r\n\
                ghee,Ghee,Staples,900,3\r\n";
    let import = upload_and_check(&shop, &sita, file).await;
    assert_eq!(counts(&import), [1, 2, 1, 0]);
    sita.send_form(Method::PUT, "/api/product/update_product/salt", &[("price", "50")], None).await;
    sita.delete("/api/product/delete_product/oil").await;
    shop.add_product_by_slug(category, "Ghee", 850, 40).await;

    let failed = apply_import(&shop, &sita, &import).await;

    assert_eq!(failed["state"], "failed");
    let errors: Vec<String> = get_import_rows(&sita, &import, "error")
        .await
        .iter()
        .map(|row| row["slug"].as_str().unwrap().to_owned())
        .collect();
    assert_eq!(errors, ["salt", "oil", "ghee"], "the row that still fits is not among them");
    let prices: Vec<i64> =
        sqlx::query_scalar("SELECT price_paisa FROM products WHERE archived_at IS NULL ORDER BY position")
            .fetch_all(&shop.db)
            .await
            .unwrap();
    assert_eq!(prices, [2_000, 5_000, 85_000]);
    shop.assert_invariants_hold().await;
}

#[sqlx::test]
async fn a_file_is_applied_once_and_by_whom_is_written_down(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let file = sita.get(EXPORT).await.text.replace(r#","100.00","10","10","#, r#","100.00","15","10","#);
    let import = upload_and_check(&shop, &sita, &file).await;
    let hari = Browser::new(&shop);
    thunse::staff::create(
        &shop.app,
        "hari@example.com",
        "Hari",
        Role::Owner,
        Some("a shelf of mustard oil".to_owned()),
    )
    .await
    .unwrap();
    hari.post("/api/seller/login", &json!({"email": "hari@example.com", "password": "a shelf of mustard oil"})).await;

    apply_import(&shop, &hari, &import).await;

    assert_eq!(shop.stock(&rice).await, 15);
    let log = sita.get("/api/seller/get_audit").await.json();
    let log: Vec<(&str, &str, &str)> = log["data"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| (row["seller"].as_str().unwrap(), row["action"].as_str().unwrap(), row["after"].as_str().unwrap()))
        .collect();
    assert_eq!(
        log[..3],
        [
            ("Hari", "product.import", "applied"),
            ("Hari", "product.update", "stock: 15"),
            ("Hari", "product.import", "applying")
        ]
    );
    // Applying the same file again would add five more units.
    let again = upload_and_check(&shop, &sita, &file).await;
    assert_eq!(again["state"], "refused");
    assert!(again["message"].as_str().unwrap().starts_with("This file has already been applied."));
}

#[sqlx::test]
async fn slugs_of_ones_own_come_first(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.add_product_by_slug(category, "Salt", 20, 5).await;
    let file = "slug,name,category,price\r\n,Rice,Staples,5\r\n,Rice,Staples,6\r\nrice,Brown rice,Staples,7\r\n,Salt,Staples,8\r\n";
    let import = upload_and_check(&shop, &sita, file).await;
    assert_eq!(apply_import(&shop, &sita, &import).await["state"], "applied");
    let mut slugs: Vec<(String, i64)> =
        sqlx::query_as("SELECT slug, price_paisa FROM products").fetch_all(&shop.db).await.unwrap();
    slugs.sort();
    let expected = [("rice", 700), ("rice-2", 600), ("rice-3", 500), ("salt", 2_000), ("salt-2", 800)];
    assert_eq!(slugs, expected.map(|(slug, price)| (slug.to_owned(), price)));
    shop.assert_invariants_hold().await;
}

/// A category gives up its name and another one takes it; rows refer to categories by name.
#[sqlx::test]
async fn a_category_that_took_anothers_name_is_the_one_that_is_meant(db: PgPool) {
    let (shop, staples) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    shop.sql("UPDATE categories SET name = 'Dry goods'").await;
    shop.sql("INSERT INTO categories (id, slug, name) VALUES (gen_random_uuid(), 'staples-2', 'Staples')").await;
    shop.add_product_by_slug(staples, "Rice", 100, 5).await;
    sita.send_form(Method::PUT, "/api/product/update_product/rice", &[("category", "Staples")], None).await;
    let file = sita.get(EXPORT).await.text;
    assert_eq!(counts(&upload_and_check(&shop, &sita, &file).await), [0, 0, 1, 0]);
}

/// An import that is cancelled or killed at any step has written nothing or everything.
#[sqlx::test]
async fn an_apply_that_ends_anywhere_leaves_nothing_half_done(db: PgPool) {
    let (shop, category) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let rice = shop.add_product(category, "Rice", 100, 10).await;
    let import = upload_and_check(
        &shop,
        &sita,
        "slug,name,category,price,stock\r\nrice,Rice,Staples,110,15\r\n,Salt,Staples,5,1\r\n",
    )
    .await;
    sita.post("/api/product/apply_import", &json!({"importId": import["_id"]})).await;
    let about = json!({"import": import["_id"], "seller": "0190a0a0-0000-7000-8000-000000000000"});
    for polls in 1..40 {
        let job = serde_json::from_value::<thunse::catalogue::ApplyImport>(about.clone()).unwrap();
        // The future is dropped after this many polls, as if the worker died there.
        let mut run = Box::pin(job.run(&shop.app));
        let mut left = polls;
        let ended = std::future::poll_fn(|context| {
            left -= 1;
            match run.as_mut().poll(context) {
                std::task::Poll::Ready(done) => std::task::Poll::Ready(Some(done)),
                std::task::Poll::Pending if left == 0 => std::task::Poll::Ready(None),
                std::task::Poll::Pending => std::task::Poll::Pending,
            }
        })
        .await;
        drop(run);
        let state = get_import(&sita, &import).await["state"].clone();
        let (stock, products) = (shop.stock(&rice).await, shop.count("products").await);
        let whole = if state == "applied" { (15, 2) } else { (10, 1) };
        assert_eq!((stock, products), whole, "after {polls} waits, {state}");
        if ended.is_some() {
            break;
        }
    }
    shop.assert_invariants_hold().await;
    let import = upload_and_check(&shop, &sita, "slug,name,category,price\r\nrice,Rice,Staples,120\r\n").await;
    sita.post("/api/product/apply_import", &json!({"importId": import["_id"]})).await;
    let called_off = sita.post("/api/product/cancel_import", &json!({"importId": import["_id"]})).await;
    assert_eq!(called_off.json()["data"]["state"], "cancelled");
    shop.run_jobs().await;
    assert_eq!(get_import(&sita, &import).await["state"], "cancelled");
}

/// Runs the import's job as often as it is tried, although it would wait between two attempts.
async fn run_all_attempts(shop: &TestShop, seller: &Browser<'_>, import: &Value, state: &str) {
    for attempt in 1..=6 {
        assert_eq!(get_import(seller, import).await["state"], state, "before attempt {attempt}");
        shop.run_all_jobs().await;
    }
}

/// Every attempt fails for a reason that may pass: the seller is told after the last one, and can start again.
#[sqlx::test]
async fn an_import_whose_attempts_all_fail_does_not_stay_open(db: PgPool) {
    let (shop, _) = TestShop::with_category(db).await;
    let sita = sita(&shop).await;
    let mut reader = sita.copy_cookies();
    reader.language = "ne";
    shop.sql(
        "CREATE FUNCTION report_full_disk() RETURNS trigger LANGUAGE plpgsql AS
         $$ BEGIN RAISE EXCEPTION 'no space' USING ERRCODE = 'disk_full'; END $$",
    )
    .await;
    let file = "name,category,price\r\nRice,Staples,5\r\n";

    shop.sql("CREATE TRIGGER no_space BEFORE INSERT ON import_rows EXECUTE FUNCTION report_full_disk()").await;
    let unchecked = upload_file(&sita, file).await;
    run_all_attempts(&shop, &sita, &unchecked, "checking").await;
    shop.sql("DROP TRIGGER no_space ON import_rows").await;
    let failed = get_import(&sita, &unchecked).await;
    let busy = "The shop was too busy to finish this import. Please try again later.";
    assert_eq!((&failed["state"], &failed["message"]), (&json!("failed"), &json!(busy)));
    assert!(failed["finishedAt"].is_string());
    let told = get_import(&reader, &unchecked).await["message"].clone();
    assert_eq!(told, "पसल धेरै व्यस्त भएकाले यो आयात पूरा भएन। केही बेरपछि फेरि प्रयास गर्नुहोस्।");

    let checked = upload_and_check(&shop, &sita, file).await;
    shop.sql("CREATE TRIGGER no_space BEFORE INSERT ON products EXECUTE FUNCTION report_full_disk()").await;
    sita.post("/api/product/apply_import", &json!({"importId": checked["_id"]})).await;
    run_all_attempts(&shop, &sita, &checked, "applying").await;
    shop.sql("DROP TRIGGER no_space ON products").await;
    let failed = get_import(&sita, &checked).await;
    assert_eq!((&failed["state"], &failed["message"]), (&json!("failed"), &json!(busy)));
    assert_eq!(shop.count("products").await, 0);

    // What failed is over: the same file is checked and applied as a new import.
    let again = upload_and_check(&shop, &sita, file).await;
    assert_eq!(apply_import(&shop, &sita, &again).await["state"], "applied");
    assert_eq!(get_import(&sita, &checked).await["state"], "failed");
    assert_eq!(shop.count("products").await, 1);
}
