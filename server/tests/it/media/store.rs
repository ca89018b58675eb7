//! Pictures in a real S3 server, and the behaviour without one.

use std::sync::Arc;

use chrono::Days;
use image::ImageFormat;
use object_store::{Attribute, ObjectStore, ObjectStoreExt};
use sqlx::PgPool;
use thunse::media;
use thunse::platform::config::{PictureStore, Secret};

use super::sample_images;
use super::upload::{UploadServer, WORKER};
use crate::support::TestShop;
use crate::support::s3::S3;

/// Opens a bucket at an endpoint where there is no S3 server.
fn bucket(endpoint: &str) -> Arc<dyn ObjectStore> {
    media::open_store(&PictureStore::S3 {
        bucket: "pictures".to_owned(),
        region: "us-east-1".to_owned(),
        endpoint: Some(endpoint.to_owned()),
        access_key: "test".to_owned(),
        secret_key: Secret::new("testtest".to_owned()),
    })
    .unwrap()
}

fn server(db: PgPool, pictures: Arc<dyn ObjectStore>) -> UploadServer {
    UploadServer::of(TestShop::with_pictures(db, &[("PICTURE_WORKER", WORKER)], pictures).app)
}

#[sqlx::test]
async fn a_picture_is_kept_in_s3_served_from_there_and_swept_when_nobody_refers_to_it(db: PgPool) {
    let s3 = S3::start();
    let server = server(db, s3.bucket());

    let key = server.send(&sample_images::encode(&sample_images::two_halves(700, 400), ImageFormat::Png)).await.text;

    let path = object_store::path::Path::from(format!("{key}/640.webp"));
    let found = server.app.pictures.get(&path).await.unwrap();
    assert_eq!(found.attributes.get(&Attribute::ContentType).unwrap().as_ref(), "image/webp");
    assert!(found.attributes.get(&Attribute::CacheControl).unwrap().as_ref().contains("immutable"));
    let shop = thunse::app::router(server.app.clone());
    let request = http::Request::get(format!("/media/{key}/640.webp")).body(axum::body::Body::empty()).unwrap();
    assert_eq!(tower::ServiceExt::oneshot(shop, request).await.unwrap().status(), 200);

    let store = &*server.app.pictures;
    let now = server.app.clock.now();
    let (yesterday, tomorrow) = (now - Days::new(1), now + Days::new(1));
    assert_eq!(media::sweep_pictures(store, yesterday, async |_| Ok(vec![])).await.unwrap(), 0, "it is young");
    assert_eq!(media::sweep_pictures(store, tomorrow, async |keys| Ok(keys)).await.unwrap(), 0, "it is in use");
    assert_eq!(media::sweep_pictures(store, tomorrow, async |_| Ok(vec![])).await.unwrap(), 1);
    assert!(server.app.pictures.head(&path).await.is_err());
}

#[sqlx::test]
async fn without_a_store_a_picture_is_refused_soon_and_the_shop_goes_on(db: PgPool) {
    let server = server(db, bucket("http://127.0.0.1:1"));

    let refused = server.send(&sample_images::encode(&sample_images::two_halves(30, 20), ImageFormat::Png)).await;

    assert_eq!(refused.refusal(), (503, "pictures_unavailable".to_owned()));
    assert!(!refused.header("retry-after").is_empty());
    let shop = thunse::app::router(server.app.clone());
    let request = http::Request::get("/healthz").body(axum::body::Body::empty()).unwrap();
    assert_eq!(tower::ServiceExt::oneshot(shop, request).await.unwrap().status(), 200);
}

#[sqlx::test]
async fn a_store_that_takes_calls_and_never_answers_does_not_hold_anybody_for_long(db: PgPool) {
    let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let server = server(db, bucket(&format!("http://{}", silent.local_addr().unwrap())));

    let refused = server.send(&sample_images::encode(&sample_images::two_halves(30, 20), ImageFormat::Png)).await;

    assert_eq!(refused.refusal(), (503, "pictures_unavailable".to_owned()));
}
