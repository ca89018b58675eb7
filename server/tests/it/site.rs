//! The first view of every page.

use serde_json::Value;
use sqlx::PgPool;

use crate::support::{SHOP, TestResponse, TestShop};

fn between<'a>(text: &'a str, open: &str, close: &str) -> &'a str {
    let from = text.find(open).unwrap_or_else(|| panic!("no {open}")) + open.len();
    &text[from..from + text[from..].find(close).unwrap()]
}

fn first_data(page: &TestResponse) -> Value {
    serde_json::from_str(between(&page.text, "id=\"first-data\">", "</script>")).unwrap()
}

fn structured(page: &TestResponse) -> Vec<Value> {
    page.text
        .split("<script type=\"application/ld+json\">")
        .skip(1)
        .map(|rest| serde_json::from_str(rest.split("</script>").next().unwrap()).unwrap())
        .collect()
}

async fn first_product(shop: &TestShop) -> Value {
    shop.get("/api/product/get_products?limit=1").await.json()["data"][0].clone()
}

#[sqlx::test]
async fn a_product_page_needs_no_second_round_trip(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let product = first_product(&shop).await;
    let id = product["_id"].as_str().unwrap();

    let page = shop.get(&format!("/product/rice-grains/{id}")).await;

    assert_eq!(page.status, 200);
    let data = first_data(&page);
    let call = format!("/api/product/get_product/{id}");
    assert_eq!(data["responses"][&call], shop.get(&call).await.json(), "the first data is the call's own answer");
    assert_eq!(between(&page.text, "<title>", "</title>"), "Jeera Masino Rice – Thunse");
    let canonical = format!("<link rel=\"canonical\" href=\"{SHOP}/product/rice-grains/{id}\">");
    assert!(page.text.contains(&canonical));
    let kinds: Vec<String> = structured(&page).iter().map(|data| data["@type"].as_str().unwrap().to_owned()).collect();
    assert_eq!(kinds, ["Product", "BreadcrumbList"]);
    assert_eq!(structured(&page)[0]["offers"]["priceCurrency"], "NPR");
    assert!(page.text.contains("rel=\"preload\" as=\"image\""));
}

#[sqlx::test]
async fn every_page_opens_with_the_answers_it_would_ask_for(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for (path, calls) in [
        ("/", &["/api/category/get_category_public", "/api/product/get_products?limit=24"][..]),
        ("/products", &["/api/category/get_category_public", "/api/product/get_products?limit=24"]),
        ("/products?sort=name&search=tea+leaf", &["/api/product/get_products?limit=24&search=tea+leaf&sort=name"]),
        ("/categories", &["/api/category/get_category_public"]),
        ("/category/SPICES", &["/api/product/get_products?category=spices&limit=24"]),
    ] {
        let page = shop.get(path).await;
        assert_eq!(page.status, 200, "{path}");
        for call in calls {
            assert_eq!(first_data(&page)["responses"][call], shop.get(call).await.json(), "{path}: {call}");
        }
    }
}

#[sqlx::test]
async fn each_public_page_has_a_title_a_description_and_one_address(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for path in ["/", "/products", "/categories", "/category/spices", "/offers", "/about"] {
        let page = shop.get(path).await;
        assert_eq!((page.status.as_u16(), page.header("content-type")), (200, "text/html; charset=utf-8"), "{path}");
        assert!(between(&page.text, "<title>", "</title>").contains("Thunse"), "{path}");
        assert!(!between(&page.text, "name=\"description\" content=\"", "\"").is_empty(), "{path}");
        assert!(page.text.contains(&format!("rel=\"canonical\" href=\"{SHOP}{path}\"")), "{path}");
        for card in ["og:title", "og:description", "og:image", "og:url"] {
            assert!(page.text.contains(card), "{path}: {card}");
        }
    }
    assert_eq!(structured(&shop.get("/").await)[0]["@type"], "Organization");
}

#[sqlx::test]
async fn what_does_not_exist_is_a_404_page(db: PgPool) {
    let shop = TestShop::demo(db).await;
    for (path, title) in
        [("/category/nope", "Category Not Found – Thunse"), ("/product/x/nope", "Product not found – Thunse")]
    {
        let page = shop.get(path).await;
        assert_eq!((page.status.as_u16(), between(&page.text, "<title>", "</title>")), (404, title));
        assert!(page.text.contains("noindex"), "{path}");
    }
    assert_eq!(shop.get("/nowhere/at/all").await.status, 404);
}

#[sqlx::test]
async fn a_nepali_reader_gets_nepali_at_once(db: PgPool) {
    let shop = TestShop::demo(db).await;
    let id = first_product(&shop).await["_id"].as_str().unwrap().to_owned();

    let page = shop.get_with(&format!("/product/rice-grains/{id}"), &[("cookie", "a=b; lang=ne")]).await;

    assert!(page.text.contains("<html lang=\"ne\">"));
    assert_eq!(between(&page.text, "<title>", "</title>"), "जीरा मसिनो चामल – थुन्से");
    assert_eq!(first_data(&page)["lang"], "ne");
}

#[sqlx::test]
async fn a_name_cannot_break_out_of_the_page(db: PgPool) {
    let shop = TestShop::new(db);
    let category = shop.add_category("Odd").await;
    shop.add_product_by_slug(category, "</script><img src=x onerror=alert(1)>\"'", 10, 1).await;
    let id: String = sqlx::query_scalar("SELECT id::text FROM products").fetch_one(&shop.db).await.unwrap();

    for path in ["/".to_owned(), format!("/product/odd/{id}"), "/products?search=%3Cimg%20src%3Dx%3E".to_owned()] {
        let page = shop.get(&path).await;
        assert_eq!(page.status, 200);
        assert!(!page.text.contains("<img src=x"), "{path}");
    }
}

#[sqlx::test]
async fn search_engines_are_told_what_there_is(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let robots = shop.get("/robots.txt").await;
    let index = shop.get("/sitemap.xml").await;
    let pages = shop.get("/sitemaps/pages.xml").await;
    let products = shop.get("/sitemaps/products-0.xml").await;

    assert!(robots.text.contains(&format!("Sitemap: {SHOP}/sitemap.xml")));
    assert!(index.text.contains(&format!("{SHOP}/sitemaps/products-0.xml")));
    assert_eq!(pages.text.matches("<loc>").count(), 9 + 16);
    assert_eq!(products.text.matches("<loc>").count(), 156);
    assert_eq!(shop.get("/sitemaps/products-x.xml").await.status, 404);
}

#[sqlx::test]
async fn whoever_saves_data_gets_a_lighter_page_and_nobody_else_does(db: PgPool) {
    let shop = TestShop::demo(db).await;

    let saving = shop.get_with("/", &[("save-data", "on")]).await;
    let other = shop.get("/").await;

    assert!(other.text.contains("hero-art") && !saving.text.contains("hero-art"));
    assert!(saving.text.contains("sizes=\"1px\"") && !other.text.contains("sizes=\"1px\""));
    assert_eq!(other.header("vary"), "accept-encoding, cookie, save-data");
}

#[sqlx::test]
async fn the_service_worker_is_asked_for_each_time_and_an_operator_can_end_it(db: PgPool) {
    let shop = TestShop::new(db.clone());
    let ended = TestShop::with(db, &[("SERVICE_WORKER", "false")]);

    let worker = shop.get("/sw.js").await;
    let last = ended.get("/sw.js").await;

    assert_eq!(worker.status, 200, "the web app must be built: just build-web");
    assert_eq!(worker.header("cache-control"), "no-cache");
    assert!(worker.header("content-security-policy").contains("connect-src 'self'"), "it fetches what it keeps");
    assert!(last.text.contains("unregister") && !worker.text.contains("unregister"));
    assert_eq!(last.header("cache-control"), "no-cache");
}

#[sqlx::test]
async fn on_a_home_screen_the_shop_has_its_own_name(db: PgPool) {
    let shop = TestShop::with(db, &[("SHOP_NAME", "Saamal")]);

    let manifest = shop.get("/manifest.webmanifest").await;

    assert_eq!(manifest.status, 200, "the web app must be built: just build-web");
    assert_eq!(manifest.header("content-type"), "application/manifest+json");
    let manifest = manifest.json();
    assert_eq!((manifest["name"].as_str(), manifest["short_name"].as_str()), (Some("Saamal"), Some("Saamal")));
    assert_eq!(manifest["icons"].as_array().map(Vec::len), Some(3));
}

#[sqlx::test]
async fn an_empty_contact_shows_nowhere(db: PgPool) {
    let empty = ["SHOP_PHONE", "SHOP_EMAIL", "SHOP_ADDRESS", "SHOP_ADDRESS_NE", "SHOP_SOCIAL"].map(|name| (name, ""));
    let shop = TestShop::with(db, &empty);
    for path in ["/", "/about"] {
        let page = shop.get(path).await.text;
        for trace in ["tel:", "mailto:", "facebook", "\"telephone\"", "\"sameAs\"", "Contact us</h2>"] {
            assert!(!page.contains(trace), "{path} holds {trace}");
        }
    }
    assert_eq!(shop.get("/.well-known/security.txt").await.status, 404, "nobody to tell");
}

#[sqlx::test]
async fn security_txt_says_whom_to_tell(db: PgPool) {
    let own = TestShop::new(db.clone()).get("/.well-known/security.txt").await;
    let named = [("SECURITY_CONTACT", "https://shop.test/report")];
    let named = TestShop::with(db, &named).get("/.well-known/security.txt").await;

    assert_eq!((own.status.as_u16(), own.header("content-type")), (200, "text/plain; charset=utf-8"));
    assert!(own.text.starts_with("Contact: mailto:hello@thunse.example\nExpires: 2"), "{}", own.text);
    assert!(named.text.starts_with("Contact: https://shop.test/report\n"), "{}", named.text);
}
