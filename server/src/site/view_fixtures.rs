//! Renders every first view from fixed data into `web/src/test/first-view`. A test of the web app renders its pages from
//! the same data and compares them, so that the templates cannot drift from React.

use std::collections::BTreeMap;
use std::env;
use std::fs;
use std::path::Path;

use serde_json::{Map, Value, json};
use uuid::Uuid;

use super::view::{self, ViewContext};
use crate::platform::config::{Config, Shop};
use crate::platform::language::Language;
use crate::platform::messages;
use crate::seasons::{Season, SeasonResponse, SeasonTexts, Theme};

const CATEGORIES: &str = "/api/category/get_category_public";
const OFFERS: &str = "/api/product/get_products?discounted=true&limit=24";
const COUPONS: &str = "/api/coupon/get_public_coupons";
const PRODUCTS: &str = "/api/product/get_products?limit=24";

fn shop() -> Shop {
    let vars = [
        ("DATABASE_URL", "postgres://127.0.0.1/shop"),
        ("PUBLIC_URL", "https://thunse.example"),
        ("MEDIA_DIR", "/srv/media"),
        ("SHOP_PHONE", "+977 1-4000000"),
        ("SHOP_EMAIL", "hello@thunse.example"),
        ("SHOP_ADDRESS", "Baneshwor, Kathmandu"),
        ("SHOP_ADDRESS_NE", "बानेश्वर, काठमाडौँ"),
        ("SHOP_SOCIAL", "Facebook=https://facebook.example/thunse"),
    ];
    let vars: BTreeMap<String, String> = vars.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
    // Another limit than the default one shows whether a template has its own.
    Shop { low_stock: 5, ..Config::from_vars(vars).unwrap().shop }
}

/// A page: its name, template, path, data for the template and API responses.
struct Fixture {
    name: &'static str,
    template: &'static str,
    path: &'static str,
    data: Value,
    responses: Map<String, Value>,
    season: Option<SeasonResponse>,
}

/// A season that lasts long enough for the tests of the web app.
fn tihar() -> SeasonResponse {
    let day = |text: &str| text.parse().unwrap();
    let (starts_on, ends_on) = (day("2026-11-07"), day("2126-11-11"));
    let texts = SeasonTexts::default();
    SeasonResponse::from(&Season { id: Uuid::nil(), theme: Theme::Tihar, starts_on, ends_on, texts, version: 1 })
}

fn fixtures(language: Language) -> Vec<Fixture> {
    let responses: Map<String, Value> = serde_json::from_str(include_str!("view_fixtures.json")).unwrap();
    let (categories, list) = (&responses[CATEGORIES], &responses[PRODUCTS]);
    let lists = view::list_data(categories, list);
    let mut of_category = lists.clone();
    of_category["category"] = categories["data"][0].clone();
    let product = &list["data"][0];
    let of_product = json!({ "success": true, "message": "", "data": { "product": product, "related": list["data"] } });
    let both = || responses.clone();
    let and = |call: &str, response: &Value| {
        let mut all = both();
        all.insert(call.to_owned(), response.clone());
        all
    };
    let page = |name, path, data: &Value, responses| Fixture {
        name,
        template: name,
        path,
        data: data.clone(),
        responses,
        season: None,
    };
    let none = json!({});
    let mut reduced = product.clone();
    reduced["wasPrice"] = json!(1500);
    reduced["saleEndsAt"] = json!("2026-11-30T18:15:00Z");
    let of_reduced = json!({ "success": true, "message": "", "data": { "product": reduced, "related": [] } });
    let offer_list = |products: Value, total: i64| {
        json!({ "success": true, "message": "", "data": products, "nextCursor": null, "total": total,
                "totalCapped": false, "matches": [], "similar": [] })
    };
    let (no_offers, on_sale) = (offer_list(json!([]), 0), offer_list(json!([reduced]), 1));
    let no_coupons = json!({ "success": true, "message": "", "data": [] });
    let coupons = json!({ "success": true, "message": "", "data": [
        { "code": "DASHAIN-10", "percent": 10, "maxDiscount": 200, "amount": null, "minimum": 500,
          "startsAt": "2026-11-17T18:15:00Z", "endsAt": "2026-11-30T18:15:00Z", "usesPerCustomer": 1,
          "about": "For the festival", "aboutNe": "चाडका लागि" },
        { "code": "NAMASTE", "percent": null, "maxDiscount": null, "amount": 50, "minimum": 0,
          "startsAt": "2026-11-17T18:15:00Z", "endsAt": "2026-12-15T05:30:00Z", "usesPerCustomer": 3,
          "about": "", "aboutNe": "" },
        { "code": "HALF", "percent": 50, "maxDiscount": null, "amount": null, "minimum": 99.5,
          "startsAt": "2026-11-17T18:15:00Z", "endsAt": "2026-12-31T18:15:00Z", "usesPerCustomer": 1,
          "about": "", "aboutNe": "" },
    ]});
    let offers = |list: &Value, coupons: &Value| {
        Map::from_iter([(OFFERS.to_owned(), list.clone()), (COUPONS.to_owned(), coupons.clone())])
    };
    let policy = |page: &str| {
        json!({ "success": true, "message": "", "data": {
            "page": page, "version": 0, "updatedAt": null,
            "html": "<h2>Our rules</h2>\n<p>We answer <strong>within 7 days</strong>.</p>\n",
            "htmlNe": "<h2>हाम्रा नियम</h2>\n<p>हामी <strong>७ दिनभित्र</strong> जवाफ दिन्छौँ।</p>\n",
        }})
    };
    let policy_data = |page: &str, title: &'static str| {
        let field = if language == Language::Nepali { "htmlNe" } else { "html" };
        json!({ "title": messages::text_by_id(language, title), "html": policy(page)["data"][field] })
    };
    let heading = json!({ "heading": messages::text_by_id(language, "seller.nav.orders"), "place": "/seller/orders" });
    let login = json!({ "heading": messages::text_by_id(language, "seller.login.title") });
    vec![
        page("home", "/", &lists, both()),
        Fixture { template: "home", season: Some(tihar()), ..page("home-season", "/", &lists, both()) },
        page("products", "/products", &lists, both()),
        page("categories", "/categories", &lists, both()),
        page(
            "category",
            "/category/spices",
            &of_category,
            and("/api/product/get_products?category=spices&limit=24", list),
        ),
        page(
            "product",
            "/product/spices/p-turmeric",
            &json!({ "product": product }),
            and("/api/product/get_product/p-turmeric", &of_product),
        ),
        page("offers", "/offers", &none, offers(&no_offers, &no_coupons)),
        Fixture {
            template: "offers",
            ..page("offers-sale", "/offers", &json!({ "products": on_sale["data"] }), offers(&on_sale, &no_coupons))
        },
        Fixture {
            template: "offers",
            ..page("offers-coupons", "/offers", &json!({ "coupons": coupons["data"] }), offers(&no_offers, &coupons))
        },
        Fixture {
            template: "offers",
            ..page(
                "offers-both",
                "/offers",
                &json!({ "products": on_sale["data"], "coupons": coupons["data"] }),
                offers(&on_sale, &coupons),
            )
        },
        Fixture {
            template: "product",
            ..page(
                "product-sale",
                "/product/spices/p-turmeric",
                &json!({ "product": reduced }),
                and("/api/product/get_product/p-turmeric", &of_reduced),
            )
        },
        page(
            "about",
            "/about",
            &policy_data("about", "footer.about"),
            and("/api/policy/get_policy/about", &policy("about")),
        ),
        page(
            "policy",
            "/returns",
            &policy_data("returns", "policies.returns"),
            and("/api/policy/get_policy/returns", &policy("returns")),
        ),
        page("not-found", "/nowhere", &none, Map::new()),
        page("plain", "/cart", &none, Map::new()),
        page("seller-login", "/seller", &login, Map::new()),
        page("seller", "/seller/orders", &heading, Map::new()),
        Fixture { template: "category", ..page("unknown-category", "/category/nowhere", &none, both()) },
    ]
}

fn render(fixture: &Fixture, language: Language, shop: &Shop) -> String {
    let season = fixture.season.as_ref();
    let context = ViewContext { language, shop, season, search: "", sort: "featured", category: "", save_data: false };
    let view = view::render(fixture.template, &context, &fixture.data);
    let data =
        json!({ "lang": language.code(), "settings": view::settings(shop, season), "responses": fixture.responses });
    let data = super::head::script_json(&data);
    let path = fixture.path;
    format!(
        "<div id=\"root\" data-path=\"{path}\">{view}</div>\n\
         <script type=\"application/json\" id=\"first-data\">{data}</script>\n"
    )
}

#[test]
fn the_web_app_compares_its_pages_with_the_current_first_views() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../web/src/test/first-view");
    let shop = shop();
    for language in [Language::English, Language::Nepali] {
        for fixture in fixtures(language) {
            let file = folder.join(format!("{}.{}.html", fixture.name, language.code()));
            let rendered = render(&fixture, language, &shop);
            if env::var_os("UPDATE_FIRST_VIEWS").is_some() {
                fs::create_dir_all(&folder).unwrap();
                fs::write(&file, &rendered).unwrap();
            }
            let committed = fs::read_to_string(&file).unwrap_or_default();
            assert!(
                committed == rendered,
                "{} is out of date: UPDATE_FIRST_VIEWS=1 cargo nextest run -E 'test(current_first_views)'",
                file.display()
            );
        }
    }
}
