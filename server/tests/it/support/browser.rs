//! A browser that keeps cookies and sends the headers by which browsers say where a request comes from.

use std::cell::RefCell;
use std::collections::BTreeMap;

use axum::body::Body;
use http::request::Builder;
use http::{Method, Request};
use serde_json::{Value, json};

use super::{TestResponse, TestShop};

pub struct Browser<'a> {
    shop: &'a TestShop,
    pub cookies: RefCell<BTreeMap<String, String>>,
    pub language: &'static str,
}

impl<'a> Browser<'a> {
    pub fn new(shop: &'a TestShop) -> Self {
        Self { shop, cookies: RefCell::default(), language: "en" }
    }

    /// Returns another browser with the same cookies, as a thief would have it.
    pub fn copy_cookies(&self) -> Self {
        Self { shop: self.shop, cookies: self.cookies.clone(), language: self.language }
    }

    pub async fn get(&self, path: &str) -> TestResponse {
        self.send(Method::GET, path, "", Body::empty()).await
    }

    pub async fn post(&self, path: &str, body: &Value) -> TestResponse {
        self.send(Method::POST, path, "application/json", Body::from(body.to_string())).await
    }

    /// Places a cash order with an idempotency key.
    pub async fn place_order(&self, key: Option<&str>, order: &Value) -> TestResponse {
        self.place_order_at("/api/order/place_order_COD", key, order).await
    }

    /// Places an order to be paid through the wallet.
    pub async fn place_online_order(&self, key: Option<&str>, order: &Value) -> TestResponse {
        self.place_order_at("/api/order/place_order_online", key, order).await
    }

    async fn place_order_at(&self, path: &str, key: Option<&str>, order: &Value) -> TestResponse {
        let mut request = self.request(Method::POST, path).header("content-type", "application/json");
        if let Some(key) = key {
            request = request.header("idempotency-key", key);
        }
        self.shop.send(request.body(Body::from(order.to_string())).unwrap()).await
    }

    pub async fn put(&self, path: &str, body: &Value) -> TestResponse {
        self.send(Method::PUT, path, "application/json", Body::from(body.to_string())).await
    }

    pub async fn delete(&self, path: &str) -> TestResponse {
        self.send(Method::DELETE, path, "", Body::empty()).await
    }

    /// Sends a form with texts and optionally a file named `image`.
    pub async fn send_form(
        &self,
        method: Method,
        path: &str,
        texts: &[(&str, &str)],
        image: Option<&[u8]>,
    ) -> TestResponse {
        let files: Vec<(&str, &[u8])> = image.map(|image| ("image", image)).into_iter().collect();
        self.send_form_with(method, path, texts, &files).await
    }

    pub async fn send_form_with(
        &self,
        method: Method,
        path: &str,
        texts: &[(&str, &str)],
        files: &[(&str, &[u8])],
    ) -> TestResponse {
        let mut body = Vec::new();
        for (name, text) in texts {
            let part = format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n{text}\r\n");
            body.extend(part.as_bytes());
        }
        for (name, file) in files {
            let part = format!("--cut\r\nContent-Disposition: form-data; name=\"{name}\"; filename=\"p.png\"\r\n\r\n");
            body.extend(part.as_bytes());
            body.extend(*file);
            body.extend(b"\r\n");
        }
        body.extend(b"--cut--\r\n");
        self.send(method, path, "multipart/form-data; boundary=cut", Body::from(body)).await
    }

    /// Builds a request with this browser's cookies.
    pub fn request(&self, method: Method, path: &str) -> Builder {
        let mut jar: Vec<String> =
            self.cookies.borrow().iter().map(|(name, value)| format!("{name}={value}")).collect();
        jar.push(format!("lang={}", self.language));
        let request = Request::builder().method(method).uri(path).header("sec-fetch-site", "same-origin");
        request.header("cookie", jar.join("; ")).header("user-agent", "Firefox/150.0 (Android)")
    }

    pub async fn send(&self, method: Method, path: &str, kind: &str, body: Body) -> TestResponse {
        let mut request = self.request(method, path);
        if !kind.is_empty() {
            request = request.header("content-type", kind);
        }
        let answer = self.shop.send(request.body(body).unwrap()).await;
        for set in answer.headers.get_all("set-cookie") {
            let (name, rest) = set.to_str().unwrap().split_once('=').unwrap();
            let value = rest.split(';').next().unwrap();
            if rest.contains("Max-Age=0") {
                self.cookies.borrow_mut().remove(name);
            } else {
                self.cookies.borrow_mut().insert(name.to_owned(), value.to_owned());
            }
        }
        answer
    }

    pub async fn register(&self, email: &str) -> TestResponse {
        let texts = [("name", "Asha Rai"), ("email", email), ("password", PASSWORD), ("phone", "9801234567")];
        self.send_form(Method::POST, "/api/user/register", &texts, None).await
    }

    pub async fn login(&self, email: &str, password: &str) -> TestResponse {
        self.post("/api/user/login", &json!({"email": email, "password": password})).await
    }

    pub async fn current_user(&self) -> TestResponse {
        self.get("/api/user/isAuth").await
    }

    pub async fn is_signed_in(&self) -> bool {
        self.current_user().await.status == 200
    }

    pub fn session(&self) -> Option<String> {
        self.cookies.borrow().get("__Host-sid").cloned()
    }
}

pub const PASSWORD: &str = "dal-bhat-24-tarkari";
