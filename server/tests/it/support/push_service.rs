//! A real push service process (`tools/push`), which checks the shop's signature and decrypts its messages.

use std::process::{Command, Stdio};

use reqwest::Client;
use serde_json::{Value, json};

use super::TestShop;
use super::helper_process::{HelperProcess, find_program, repository_path};

pub struct PushService {
    server: HelperProcess,
    http: Client,
}

/// A browser at the push service.
pub struct PushBrowser {
    pub id: String,
    /// What the browser sends to the shop.
    pub subscription: Value,
}

impl PushService {
    pub fn start() -> Self {
        let mut command = Command::new(find_program("NODE", "node"));
        command.arg(repository_path("tools/push/push.mjs")).arg("--with-parent").stderr(Stdio::null());
        Self { server: HelperProcess::start(&mut command, "PUSH_SERVICES"), http: Client::new() }
    }

    pub fn settings(&self) -> [(&str, &str); 3] {
        ["VAPID_PRIVATE_KEY", "VAPID_SUBJECT", "PUSH_SERVICES"].map(|name| (name, self.server.setting(name)))
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        let url = format!("{}{path}", self.server.setting("PUSH_SERVICES"));
        self.http.post(url).body(body.to_string()).send().await.unwrap().json().await.unwrap()
    }

    async fn get(&self, path: &str) -> Value {
        let url = format!("{}{path}", self.server.setting("PUSH_SERVICES"));
        self.http.get(url).send().await.unwrap().json().await.unwrap()
    }

    /// A browser subscribes to the messages of this shop.
    pub async fn add_browser(&self, shop: &TestShop) -> PushBrowser {
        let key = &shop.app.config.push.as_ref().unwrap().key.public;
        let made = self.post("/subscriptions", &json!({"applicationServerKey": key})).await;
        let subscription = json!({"endpoint": made["endpoint"], "keys": made["keys"]});
        PushBrowser { id: made["id"].as_str().unwrap().to_owned(), subscription }
    }

    /// Returns the messages that a browser has received, oldest first.
    pub async fn received(&self, browser: &PushBrowser) -> Vec<Value> {
        let seen = self.get(&format!("/subscriptions/{}", browser.id)).await;
        let texts = seen["received"].as_array().unwrap().iter();
        texts.map(|message| serde_json::from_str(message["text"].as_str().unwrap()).unwrap()).collect()
    }

    pub async fn attempts(&self, browser: &PushBrowser) -> i64 {
        self.get(&format!("/subscriptions/{}", browser.id)).await["attempts"].as_i64().unwrap()
    }

    /// Returns why messages were refused.
    pub async fn refused(&self) -> Value {
        self.get("/refused").await
    }

    /// Makes the next `times` messages fail in this way; zero ends it.
    pub async fn misbehave(&self, way: &str, times: u32) {
        self.post("/behave", &json!({"way": way, "times": times})).await;
    }
}
