//! A shop of its own for each test, with people and goods instead of fixtures.

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::BodyExt;
use object_store::memory::InMemory;
use serde_json::Value;
use sqlx::PgPool;
use thunse::app;
use thunse::catalogue::{self, Draft};
use thunse::platform::config::Config;
use thunse::platform::db::Pools;
use thunse::platform::money::Paisa;
use thunse::platform::state::App;
use tower::ServiceExt;
use uuid::Uuid;

pub const SHOP: &str = "http://shop.test";

pub struct TestShop {
    pub app: App,
    pub db: PgPool,
    router: Router,
}

pub struct Answered {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub text: String,
}

impl Answered {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or_else(|error| panic!("{error}: {}", self.text))
    }

    /// The names in `data`, in order.
    pub fn names(&self) -> Vec<String> {
        names(&self.json()["data"])
    }

    pub fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

pub fn names(list: &Value) -> Vec<String> {
    list.as_array().unwrap().iter().map(|item| item["name"].as_str().unwrap().to_owned()).collect()
}

impl TestShop {
    pub fn new(db: PgPool) -> Self {
        Self::with(db, &[])
    }

    pub fn with(db: PgPool, settings: &[(&str, &str)]) -> Self {
        let mut vars: BTreeMap<String, String> = BTreeMap::from(
            [("DATABASE_URL", "postgres://unused"), ("PUBLIC_URL", SHOP), ("MEDIA_DIR", "unused")]
                .map(|(name, value)| (name.to_owned(), value.to_owned())),
        );
        vars.extend(settings.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
        let config = Config::from_vars(vars).unwrap();
        let app = App::new(config, Pools::single(db.clone()), Arc::new(InMemory::new()));
        Self { router: app::router(app.clone()), app, db }
    }

    /// The demo shop of the repository.
    pub async fn demo(db: PgPool) -> Self {
        let shop = Self::new(db);
        catalogue::load_demo(&shop.db, &*shop.app.pictures).await.unwrap();
        shop
    }

    pub async fn category(&self, name: &str) -> Uuid {
        let slug = name.to_lowercase().replace([' ', '&'], "-").replace("---", "-");
        sqlx::query_scalar("INSERT INTO categories (id, slug, name) VALUES ($1, $2, $3) RETURNING id")
            .bind(Uuid::now_v7())
            .bind(slug)
            .bind(name)
            .fetch_one(&self.db)
            .await
            .unwrap()
    }

    pub async fn product(&self, category: Uuid, name: &str, rupees: i64, stock: i32) -> String {
        let draft =
            Draft { category, name: name.to_owned(), price: Paisa::from_rupees(rupees), stock, ..Draft::default() };
        catalogue::add_product(&self.db, &draft).await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Answered {
        self.get_with(path, &[]).await
    }

    pub async fn get_with(&self, path: &str, headers: &[(&str, &str)]) -> Answered {
        let mut request = Request::get(path);
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::empty()).unwrap()).await
    }

    /// As our own page sends it.
    pub async fn post(&self, path: &str, body: &Value) -> Answered {
        self.post_with(path, &body.to_string(), &[("sec-fetch-site", "same-origin")]).await
    }

    pub async fn post_with(&self, path: &str, body: &str, headers: &[(&str, &str)]) -> Answered {
        let mut request = Request::post(path).header("content-type", "application/json");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        self.send(request.body(Body::from(body.to_owned())).unwrap()).await
    }

    pub async fn send(&self, mut request: Request<Body>) -> Answered {
        request.extensions_mut().insert(ConnectInfo(SocketAddr::from(([127, 0, 0, 1], 4000))));
        let response = self.router.clone().oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.unwrap().to_bytes();
        Answered { status: parts.status, headers: parts.headers, text: String::from_utf8_lossy(&bytes).into_owned() }
    }

    pub async fn search(&self, text: &str) -> Answered {
        let query = serde_urlencoded::to_string([("search", text)]).unwrap();
        self.get(&format!("/api/product/get_products?{query}")).await
    }

    /// The truths that hold after everything.
    pub async fn assert_sound(&self) {
        assert_eq!(catalogue::broken_ledgers(&self.db).await.unwrap(), 0, "stock and ledger disagree");
    }
}

/// A measured figure: printed, and kept for the gate's closing list when it asks for one.
pub fn figure(line: &str) {
    println!("{line}");
    if let Ok(file) = std::env::var("FIGURES") {
        let mut file = std::fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
        std::io::Write::write_all(&mut file, format!("{line}\n").as_bytes()).unwrap();
    }
}
