//! Importing products with their pictures, from a zip file.

use std::io::Write;

use chrono::TimeDelta;
use flate2::Compression;
use flate2::write::DeflateEncoder;
use http::Method;
use image::ImageFormat;
use rawzip::path::EntryPath;
use rawzip::{CompressionMethod, ZipArchiveWriter};
use serde_json::{Value, json};
use sqlx::PgPool;

use crate::imports::{EXPORT, apply_import, counts, get_import, get_import_rows, upload_and_check};
use crate::media::sample_images;
use crate::orders::sita;
use crate::support::{Browser, TestResponse, TestShop, queue};

const IMPORT: &str = "/api/product/import_products";
/// With this, a record of a zip file's directory begins.
const RECORD: [u8; 4] = *b"PK\x01\x02";

/// A zip file with these files.
pub fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut output = Vec::new();
    let mut archive = ZipArchiveWriter::new(&mut output);
    for (name, content) in files {
        let file = archive.new_file(EntryPath::verbatim(name.as_bytes()));
        let (mut entry, config) = file.compression_method(CompressionMethod::DEFLATE).start().unwrap();
        let mut writer = config.wrap(DeflateEncoder::new(&mut entry, Compression::fast()));
        writer.write_all(content).unwrap();
        let (encoder, descriptor) = writer.finish().unwrap();
        encoder.finish().unwrap();
        entry.finish(descriptor).unwrap();
    }
    archive.finish().unwrap();
    output
}

/// Changes bytes of each record of the directory.
fn with_changed_records(mut file: Vec<u8>, at: usize, bytes: &[u8]) -> Vec<u8> {
    let starts: Vec<usize> = (0..file.len() - 4).filter(|start| file[*start..].starts_with(&RECORD)).collect();
    for start in starts {
        file[start + at..start + at + bytes.len()].copy_from_slice(bytes);
    }
    file
}

/// Pictures of different widths are different pictures.
pub fn photo(width: u32) -> Vec<u8> {
    sample_images::encode(&sample_images::two_halves(width, 200), ImageFormat::Png)
}

/// A shop that can decode pictures.
async fn open_shop(db: PgPool) -> (TestShop, uuid::Uuid) {
    TestShop::with_category_and(db, &[("PICTURE_WORKER", env!("CARGO_BIN_EXE_thunse"))]).await
}

async fn upload(seller: &Browser<'_>, file: &[u8]) -> TestResponse {
    seller.send_form_with(Method::POST, IMPORT, &[("name", "goods.zip")], &[("file", file)]).await
}

async fn check(shop: &TestShop, seller: &Browser<'_>, files: &[(&str, &[u8])]) -> Value {
    let sent = upload(seller, &zip(files)).await;
    assert_eq!(sent.status, 200, "{}", sent.text);
    shop.run_jobs().await;
    get_import(seller, &sent.json()["data"]).await
}

async fn product(seller: &Browser<'_>, slug: &str) -> Value {
    seller.get(&format!("/api/product/get_seller_product/{slug}")).await.json()["data"].clone()
}

/// The names of the files beside the spreadsheet, with their state and message.
async fn pictures(seller: &Browser<'_>, import: &Value) -> Vec<(String, String, String)> {
    let path = format!("/api/product/get_import_pictures/{}", import["_id"].as_str().unwrap());
    let listed = seller.get(&path).await.json();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let listed = listed["data"].as_array().unwrap();
    listed.iter().map(|one| (text(&one["name"]), text(&one["state"]), text(&one["message"]))).collect()
}

async fn stored_content(shop: &TestShop) -> i64 {
    let sum = "SELECT COALESCE(sum(length(content)), 0)::bigint FROM import_pictures";
    sqlx::query_scalar(sum).fetch_one(&shop.db).await.unwrap()
}

#[sqlx::test]
async fn a_zip_file_brings_products_with_their_pictures(db: PgPool) {
    let (shop, category) = open_shop(db).await;
    let sita = sita(&shop).await;
    shop.add_product(category, "Rice", 100, 5).await;
    let table = "slug,name,category,price,image,more_images\r\n\
                 rice,Rice,Staples,100,rice.png,\r\n\
                 ,Tea,Staples,50,Photos/TEA.png,tea-back.png | tea-side.png\r\n";
    let (rice, tea, back, side) = (photo(301), photo(302), photo(303), photo(304));
    let files: [(&str, &[u8]); 7] = [
        ("shop/goods.csv", table.as_bytes()),
        ("shop/photos/Rice.PNG", &rice),
        ("shop/photos/tea.png", &tea),
        ("shop/photos/tea-back.png", &back),
        ("shop/photos/tea-side.png", &side),
        ("shop/photos/old.png", b"nobody looks at it"),
        ("__MACOSX/shop/._goods.csv", b"x"),
    ];

    let checked = check(&shop, &sita, &files).await;

    assert_eq!((&checked["state"], counts(&checked)), (&json!("checked"), [1, 1, 0, 0]), "{checked}");
    assert_eq!((&checked["pictures"], &checked["total"]), (&json!(5), &json!(2)));
    let unused = ("old.png".to_owned(), "unused".to_owned(), String::new());
    let listed = pictures(&sita, &checked).await;
    assert_eq!((listed.len(), &listed[0]), (5, &unused));
    assert!(listed[1..].iter().all(|(_, state, _)| state == "used"), "{listed:?}");
    let change = &get_import_rows(&sita, &checked, "update").await[0]["changes"][0];
    assert_eq!(
        (&change["column"], &change["before"], &change["after"]),
        (&json!("image"), &json!(""), &json!("rice.png"))
    );
    let preview = change["pictures"][0]["image"].as_str().unwrap();
    assert_eq!(shop.get(preview).await.status, 200, "the preview shows the picture");
    assert_eq!(product(&sita, "rice").await["image"], Value::Null, "nothing changes before it is applied");
    assert_eq!(stored_content(&shop).await, 0, "the content is not needed any more");

    // It waits for longer than it takes until an unused picture is deleted.
    shop.app.clock.advance(TimeDelta::days(2));
    queue::add_job(&shop.db, "media.delete_orphans", &json!({})).await;
    shop.run_jobs().await;
    let login = json!({"email": "sita@example.com", "password": "a shelf of mustard oil"});
    assert_eq!(sita.post("/api/seller/login", &login).await.status, 200);
    assert_eq!(apply_import(&shop, &sita, &checked).await["state"], "applied");

    let (rice, tea) = (product(&sita, "rice").await, product(&sita, "tea").await);
    assert_eq!(rice["image"], preview);
    assert_eq!(tea["moreImages"].as_array().unwrap().len(), 2);
    for image in [&rice["image"], &tea["image"], &tea["moreImages"][0]["image"], &tea["moreImages"][1]["image"]] {
        assert_eq!(shop.get(image.as_str().unwrap()).await.status, 200);
    }
    shop.assert_invariants_hold().await;
    // The export has the columns, and their empty cells change nothing.
    let exported = sita.get(EXPORT).await.text;
    assert!(exported.contains("\"image\",\"more_images\""), "{exported}");
    assert_eq!(counts(&upload_and_check(&shop, &sita, &exported).await), [0, 0, 2, 0]);
    // The same pictures under other names are the same pictures.
    let (again, photo) = ("slug,image\r\nrice,other.png\r\n", photo(301));
    let same = check(&shop, &sita, &[("goods.csv", again.as_bytes()), ("other.png", &photo)]).await;
    assert_eq!(counts(&same), [0, 0, 1, 0]);
}

#[sqlx::test]
async fn a_row_says_what_is_wrong_with_its_pictures_and_nothing_is_applied(db: PgPool) {
    let (shop, _) = open_shop(db).await;
    let sita = sita(&shop).await;
    let table = "name,category,price,image,more_images\r\n\
                 Rice,Staples,1,no.png,\r\n\
                 Tea,Staples,1,same.png,\r\n\
                 Oil,Staples,1,text.png,\r\n\
                 Ghee,Staples,1,huge.png,\r\n\
                 Salt,Staples,1,,gone.png | a.png\r\n\
                 Dal,Staples,1,a.png,1.png|2.png|3.png|4.png|5.png|6.png|7.png|8.png\r\n\
                 Milk,Staples,1,pixels.png,\r\n\
                 Soap,Staples,1,a.png,\r\n";
    let (huge, small) = (vec![0; 10_485_761], photo(301));
    let pixels = sample_images::png(8_000, 8_000, &[]);
    let numbered: Vec<(String, Vec<u8>)> = (1..=8).map(|n| (format!("{n}.png"), photo(400 + n))).collect();
    let mut files: Vec<(&str, &[u8])> = vec![
        ("goods.csv", table.as_bytes()),
        ("a/same.png", &small),
        ("b/same.png", &small),
        ("a.png", &small),
        ("text.png", b"not a picture"),
        ("huge.png", &huge),
        ("pixels.png", &pixels),
    ];
    files.extend(numbered.iter().map(|(name, content)| (name.as_str(), content.as_slice())));

    let checked = check(&shop, &sita, &files).await;

    assert_eq!((&checked["state"], counts(&checked)), (&json!("checked"), [1, 0, 0, 7]), "{checked}");
    let rows = get_import_rows(&sita, &checked, "error").await;
    let errors: Vec<(&str, &str)> = rows
        .iter()
        .map(|row| (row["errors"][0]["column"].as_str().unwrap(), row["errors"][0]["message"].as_str().unwrap()))
        .collect();
    let too_large = "This image is too large. The limits are 10 MB and 40 million pixels.";
    assert_eq!(
        errors,
        [
            ("image", "The zip file has no image ‘no.png’."),
            ("image", "The zip file has two images with this name."),
            ("image", "This file is not an image that can be read. Use JPEG, PNG, GIF or WebP."),
            ("image", too_large),
            ("more_images", "The zip file has no image ‘gone.png’."),
            ("more_images", "A product can have at most 8 pictures."),
            ("image", too_large),
        ]
    );
    let listed = pictures(&sita, &checked).await;
    let wrong: Vec<&str> =
        listed.iter().filter(|(_, state, _)| state == "error").map(|(name, ..)| name.as_str()).collect();
    assert_eq!(wrong, ["huge.png", "pixels.png", "same.png", "text.png"]);
    let asked = sita.post("/api/product/apply_import", &json!({"importId": checked["_id"]})).await;
    assert_eq!(asked.refusal(), (409, "import_not_ready".to_owned()));
    assert_eq!(shop.count("products").await, 0);

    let without = upload_and_check(&shop, &sita, "name,category,price,image\r\nGhee,Staples,1,ghee.png\r\n").await;
    assert_eq!((counts(&without), &without["pictures"]), ([0, 0, 0, 1], &json!(0)), "a CSV file brings no pictures");
    // What no product got is deleted once the import has ended.
    assert_eq!(sita.post("/api/product/cancel_import", &json!({"importId": checked["_id"]})).await.status, 200);
    let key = "SELECT picture_key FROM import_pictures WHERE name_key = 'a.png'";
    let key: String = sqlx::query_scalar(key).fetch_one(&shop.db).await.unwrap();
    let path = format!("/media/{key}/{}.webp", key.rsplit('-').next().unwrap());
    assert_eq!(shop.get(&path).await.status, 200);
    shop.app.clock.advance(TimeDelta::days(2));
    queue::add_job(&shop.db, "media.delete_orphans", &json!({})).await;
    shop.run_jobs().await;
    assert_eq!(shop.get(&path).await.status, 404);
}

#[sqlx::test]
async fn a_zip_file_that_cannot_be_used_is_refused_with_a_reason(db: PgPool) {
    let (shop, _) = open_shop(db).await;
    let mut sita = sita(&shop).await;
    let table: (&str, &[u8]) = ("goods.csv", b"name,category,price\r\nRice,Staples,1\r\n");
    let numbered: Vec<String> = (0..=500).map(|number| format!("{number}.png")).collect();
    let mut many: Vec<(&str, &[u8])> = numbered.iter().map(|name| (name.as_str(), &b"x"[..])).collect();
    many.push(table);
    let zeros = vec![0; 10_000_000];
    let mut bomb: Vec<(&str, &[u8])> = numbered.iter().take(9).map(|name| (name.as_str(), &zeros[..])).collect();
    bomb.push(table);
    let mut zip64 = zip(&[table]);
    // The record of the directory gets another extra field, with the number of zip64.
    let directory = zip64.windows(4).position(|bytes| bytes == RECORD).unwrap();
    zip64[directory + 30] += 4;
    let end = directory + 46 + table.0.len();
    zip64.splice(end..end, [1, 0, 0, 0]);
    let size = zip64.len() - 22 + 12;
    zip64[size] += 4;
    let cut = zip(&[table, ("a.png", &photo(300))]);
    let refusals: [(Vec<u8>, &str); 10] = [
        (b"PK\x03\x04 and nothing else".to_vec(), "The zip file is damaged or incomplete. Create it again."),
        (cut[..cut.len() - 40].to_vec(), "The zip file is damaged or incomplete. Create it again."),
        (zip(&[("a.png", b"x")]), "The zip file contains no CSV file."),
        (zip(&[table, ("other.csv", b"x")]), "The zip file contains more than one CSV file."),
        (zip(&[table, ("../a.png", b"x")]), "The zip file contains a file name that is not allowed: ‘../a.png’."),
        (zip(&[table, ("/etc/passwd", b"x")]), "The zip file contains a file name that is not allowed: ‘/etc/passwd’."),
        (
            with_changed_records(zip(&[table]), 8, &[1]),
            "The zip file is protected by a password. Create it again without one.",
        ),
        (zip64, "The zip file is in the format for very large files (zip64). Create a regular zip file."),
        (zip(&many), "The zip file contains more than 500 images. Import the products in several files."),
        (zip(&bomb), "Unpacked, the zip file is larger than 80 MB. Import the products in several files."),
    ];
    for (file, message) in refusals {
        let refused = upload(&sita, &file).await;
        assert_eq!(refused.refusal(), (422, "field_invalid".to_owned()), "{message}: {}", refused.text);
        assert_eq!((&refused.json()["message"], &refused.json()["data"]["field"]), (&json!(message), &json!("file")));
    }
    sita.language = "ne";
    let refused = upload(&sita, &zip(&[("a.png", b"x")])).await;
    assert_eq!(refused.json()["message"], "ZIP फाइलभित्र CSV फाइल छैन।");
    sita.language = "en";

    let refused = upload(&sita, &vec![0; 4 * 10_485_760 + 1]).await;
    assert_eq!(refused.refusal(), (413, "file_size".to_owned()));
    assert_eq!(refused.json()["message"], "File is too large. Maximum size is 40MB.");
    let large = vec![b' '; 10_485_761];
    let files: [(&str, &[u8]); 1] = [("file", &large)];
    let refused = sita.send_form_with(Method::POST, IMPORT, &[("name", "goods.csv")], &files).await;
    assert_eq!(refused.refusal(), (413, "image_size".to_owned()), "a spreadsheet has its own limit");
    assert_eq!((shop.count("imports").await, shop.count("import_pictures").await), (0, 0));
}

#[sqlx::test]
async fn an_unreadable_table_and_a_cancelled_import_leave_no_content(db: PgPool) {
    let (shop, _) = open_shop(db).await;
    let sita = sita(&shop).await;
    let photo = photo(300);
    let refused = check(&shop, &sita, &[("goods.csv", b"colour\r\nred\r\n"), ("a.png", &photo)]).await;
    assert_eq!((&refused["state"], &refused["message"]), (&json!("refused"), &json!("Unknown column 'colour'.")));
    assert_eq!(stored_content(&shop).await, 0);

    let sent = upload(&sita, &zip(&[("goods.csv", b"name,image\r\nRice,a.png\r\n"), ("a.png", &photo)])).await;
    assert!(stored_content(&shop).await > 0, "it waits for the check");
    let import = sent.json()["data"]["_id"].clone();
    assert_eq!(sita.post("/api/product/cancel_import", &json!({"importId": import})).await.status, 200);
    assert_eq!(stored_content(&shop).await, 0);
    shop.run_jobs().await;
    assert_eq!(get_import(&sita, &sent.json()["data"]).await["state"], "cancelled");
}

#[sqlx::test]
async fn the_same_table_with_other_pictures_is_new_unless_it_changes_stock(db: PgPool) {
    let (shop, category) = open_shop(db).await;
    let sita = sita(&shop).await;
    shop.add_product(category, "Rice", 100, 5).await;
    for (table, again) in
        [("slug,image\r\nrice,a.png\r\n", "checked"), ("slug,stock,image\r\nrice,7,a.png\r\n", "refused")]
    {
        let (first, second) = (photo(301), photo(302));
        let import = check(&shop, &sita, &[("goods.csv", table.as_bytes()), ("a.png", &first)]).await;
        assert_eq!(apply_import(&shop, &sita, &import).await["state"], "applied");
        let import = check(&shop, &sita, &[("goods.csv", table.as_bytes()), ("a.png", &second)]).await;
        assert_eq!(import["state"], again, "{table}");
    }
    shop.assert_invariants_hold().await;
}
