//! Pictures that are accepted, and what is stored of them.

use image::{DynamicImage, ImageFormat, ImageReader, Rgba};
use sqlx::PgPool;

use super::sample_images::{self, BLUE, RED};
use super::upload::{self, UploadServer};

fn read(webp: &[u8]) -> DynamicImage {
    ImageReader::with_format(std::io::Cursor::new(webp), ImageFormat::WebP).decode().unwrap()
}

fn is_near(pixel: Rgba<u8>, wanted: [u8; 3]) -> bool {
    pixel.0.iter().zip(wanted).all(|(a, b)| a.abs_diff(b) < 40)
}

// spec: 9.const.15
#[sqlx::test]
async fn every_kind_of_picture_is_kept_as_webp_in_our_widths(db: PgPool) {
    let server = UploadServer::new(db);
    let picture = sample_images::two_halves(1500, 300);
    for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::Gif, ImageFormat::WebP] {
        let stored = server.upload_and_read(&sample_images::encode(&picture, format), "product").await;

        let sizes: Vec<_> = stored.iter().map(|(_, webp)| (read(webp).width(), read(webp).height())).collect();
        assert_eq!(sizes, [(320, 64), (640, 128), (1280, 256)], "{format:?}");
        let widest = read(&stored[2].1).into_rgba8();
        assert!(is_near(*widest.get_pixel(100, 100), RED) && is_near(*widest.get_pixel(1200, 100), BLUE), "{format:?}");
    }
}

#[sqlx::test]
async fn a_small_picture_is_not_enlarged_and_an_avatar_is_square(db: PgPool) {
    let server = UploadServer::new(db);

    let small = server
        .upload_and_read(&sample_images::encode(&sample_images::two_halves(500, 100), ImageFormat::Png), "product")
        .await;
    let avatar = server
        .upload_and_read(&sample_images::encode(&sample_images::two_halves(900, 500), ImageFormat::Png), "avatar")
        .await;
    let tiny = server
        .upload_and_read(&sample_images::encode(&sample_images::two_halves(1, 1), ImageFormat::Png), "avatar")
        .await;

    let sizes = |stored: &[(u32, bytes::Bytes)]| -> Vec<(u32, u32)> {
        stored.iter().map(|(_, webp)| (read(webp).width(), read(webp).height())).collect()
    };
    assert_eq!(sizes(&small), [(320, 64), (500, 100)]);
    assert_eq!(sizes(&avatar), [(96, 96), (256, 256)]);
    assert_eq!(sizes(&tiny), [(1, 1)]);
    // The avatar is cut from the middle of the picture: it shows as much of the left half as of the right.
    let middle = read(&avatar[1].1).into_rgba8();
    assert!(is_near(*middle.get_pixel(100, 128), RED) && is_near(*middle.get_pixel(156, 128), BLUE));
}

#[sqlx::test]
async fn a_phone_photo_comes_out_upright_and_does_not_say_where_it_was_taken(db: PgPool) {
    let server = UploadServer::new(db);
    let photo = sample_images::phone_photo(&sample_images::two_halves(400, 200));
    assert!(photo.windows(9).any(|part| part == b"Kathmandu"), "the place must be in the photo to begin with");

    let stored = server.upload_and_read(&photo, "product").await;

    let (width, webp) = stored.last().unwrap();
    let upright = read(webp).into_rgba8();
    assert_eq!((*width, upright.dimensions()), (200, (200, 400)));
    assert!(is_near(*upright.get_pixel(100, 50), RED) && is_near(*upright.get_pixel(100, 350), BLUE));
    for (_, webp) in &stored {
        for trace in [&b"Kathmandu"[..], b"Exif", b"EXIF", b"XMP ", b"ICCP"] {
            assert!(!webp.windows(trace.len()).any(|part| part == trace), "{}", String::from_utf8_lossy(trace));
        }
    }
}

#[sqlx::test]
async fn what_is_transparent_stays_transparent(db: PgPool) {
    let server = UploadServer::new(db);
    for format in [ImageFormat::Png, ImageFormat::WebP, ImageFormat::Gif] {
        let stored = server.upload_and_read(&sample_images::encode(&sample_images::disc(400), format), "product").await;

        let widest = read(&stored.last().unwrap().1).into_rgba8();
        assert_eq!(widest.get_pixel(2, 2)[3], 0, "{format:?}");
        assert!(is_near_opaque(*widest.get_pixel(200, 200)), "{format:?}");
    }
}

fn is_near_opaque(pixel: Rgba<u8>) -> bool {
    pixel[3] == 255 && pixel[0].abs_diff(200) < 40
}

#[sqlx::test]
async fn the_same_picture_has_the_same_key(db: PgPool) {
    let server = UploadServer::new(db);
    let picture = sample_images::encode(&sample_images::two_halves(700, 300), ImageFormat::Png);

    let (first, second) = (server.send(&picture).await, server.send(&picture).await);

    assert_eq!((first.status.as_u16(), first.text), (200, second.text));
}

#[sqlx::test]
async fn an_input_that_nobody_touched_is_no_picture(db: PgPool) {
    let server = UploadServer::new(db);
    let form = [upload::text_part("name", " Asha "), upload::file_part(), upload::end()].concat();

    let answer = server.send_body(form.into()).await;

    assert_eq!((answer.status.as_u16(), answer.text.as_str()), (200, "no picture,  Asha "));
}

#[sqlx::test]
async fn a_form_is_what_it_says_and_no_more(db: PgPool) {
    let server = UploadServer::new(db);
    let part = |name: &str, text: &str| upload::text_part(name, text);

    let unknown = server.send_body([part("role", "seller"), upload::end()].concat().into()).await;
    let many = server.send_body([part("name", "Asha").repeat(31), upload::end()].concat().into()).await;
    let long = server.send_body([part("name", &"a".repeat(64 * 1024 + 1)), upload::end()].concat().into()).await;
    let broken = server.send_body(part("name", "Asha").into()).await;
    let binary =
        [upload::file_part().replace("\"image\"", "\"name\"").as_bytes(), b"\xff\xfe", upload::end().as_bytes()]
            .concat();
    let binary = server.send_body(binary.into()).await;
    let plain = axum::extract::Request::post("/upload").header("content-type", "application/json");
    let plain = server.send_request(plain.body("{}".into()).unwrap()).await;

    assert_eq!(unknown.refusal(), (422, "unknown_field".to_owned()));
    assert_eq!(many.refusal(), (413, "body_too_large".to_owned()));
    assert_eq!(long.refusal(), (413, "body_too_large".to_owned()));
    for answer in [broken, binary, plain] {
        assert_eq!(answer.refusal(), (400, "body_malformed".to_owned()));
    }
}
