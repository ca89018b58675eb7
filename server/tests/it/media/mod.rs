//! Serving, accepting and refusing pictures.

mod accepted;
mod hostile;
pub mod sample_images;
mod store;
mod upload;

use sqlx::PgPool;

use crate::support::TestShop;

#[sqlx::test]
async fn a_picture_is_served_for_ever_from_its_own_address(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let product = shop.get("/api/product/get_products?limit=1").await.json()["data"][0].clone();
    let address = product["image"].as_str().unwrap();

    let picture = shop.get(address).await;

    assert_eq!((picture.status.as_u16(), picture.header("content-type")), (200, "image/webp"));
    assert_eq!(picture.header("cache-control"), "public, max-age=31536000, immutable");
    for entry in product["imageSet"].as_str().unwrap().split(", ") {
        let address = entry.split(' ').next().unwrap();
        assert_eq!(shop.get(address).await.status, 200, "{address}");
    }
    let known = shop.get_with(address, &[("if-none-match", picture.header("etag"))]).await;
    assert_eq!((known.status.as_u16(), known.text.as_str()), (304, ""));
}

#[sqlx::test]
async fn what_is_served_there_can_do_nothing(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let product = shop.get("/api/product/get_products?limit=1").await.json()["data"][0].clone();

    let picture = shop.get(product["image"].as_str().unwrap()).await;

    assert!(picture.header("content-security-policy").contains("default-src 'none'"));
    assert!(picture.header("content-security-policy").contains("sandbox"));
    assert_eq!(picture.header("x-content-type-options"), "nosniff");
    assert!(picture.header("content-length").parse::<usize>().unwrap() > 100);
}

#[sqlx::test]
async fn a_saved_picture_has_a_name_of_ours(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let product = shop.get("/api/product/get_products?limit=1").await.json()["data"][0].clone();
    let address = product["image"].as_str().unwrap();

    let picture = shop.get(address).await;

    let name = address.strip_prefix("/media/").unwrap().replace('/', "-");
    assert_eq!(picture.header("content-disposition"), format!("inline; filename=\"{name}\""));
}

/// With 128 bits, it is infeasible to make another picture with the key of an existing one.
#[sqlx::test]
async fn the_key_of_a_picture_is_too_long_to_be_found_again(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let product = shop.get("/api/product/get_products?limit=1").await.json()["data"][0].clone();

    let key = product["image"].as_str().unwrap().strip_prefix("/media/").unwrap().split('-').next().unwrap().to_owned();

    assert_eq!(key.len(), 32, "{key}");
}

#[sqlx::test]
async fn nothing_else_is_served_from_there(db: PgPool) {
    let shop = TestShop::new(db);
    for path in ["/media/abc-1/1.webp", "/media/..%2f..%2fetc/passwd", "/media/abc-1/1.svg", "/media/%2e%2e/1.webp"] {
        assert_eq!(shop.get(path).await.status, 404, "{path}");
    }
}
