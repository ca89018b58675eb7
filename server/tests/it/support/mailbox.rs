//! A real mail server for one test, whose letters can be read.

use std::process::Command;

use serde_json::{Value, json};

use super::SHOP;
use super::helper::{Helper, ours, program};

pub struct Mailbox {
    /// For `SMTP_URL`.
    pub smtp_url: String,
    http: String,
    /// Runs for as long as this does.
    _server: Helper,
}

impl Mailbox {
    pub fn open() -> Self {
        let mut command = Command::new(program("PYTHON", "python3"));
        let server = Helper::start(command.arg(ours("tools/mailbox/mailbox.py")).arg("--with-parent"), "HTTP_PORT");
        Self {
            smtp_url: format!("smtp://127.0.0.1:{}", server.said("SMTP_PORT")),
            http: format!("http://127.0.0.1:{}", server.said("HTTP_PORT")),
            _server: server,
        }
    }

    /// Letters to this address, oldest first.
    pub async fn letters(&self, to: &str) -> Vec<Value> {
        let query = serde_urlencoded::to_string([("to", to)]).unwrap();
        reqwest::get(format!("{}/letters?{query}", self.http)).await.unwrap().json().await.unwrap()
    }

    /// The secret of the newest link to this page of the shop, sent to this address.
    pub async fn token(&self, to: &str, page: &str) -> String {
        let start = format!("{SHOP}/{page}#token=");
        let letters = self.letters(to).await;
        let found = letters.iter().rev().find_map(|letter| {
            let (_, rest) = letter["text"].as_str().unwrap().split_once(&start)?;
            rest.split_whitespace().next().map(str::to_owned)
        });
        found.unwrap_or_else(|| panic!("no link to {page} in {letters:?}"))
    }

    pub async fn accept(&self, accept: bool) {
        self.set(&json!({"accept": accept})).await;
    }

    /// Takes so long for each letter.
    pub async fn delay(&self, millis: u64) {
        self.set(&json!({"delayMs": millis})).await;
    }

    async fn set(&self, mode: &Value) {
        let sent = reqwest::Client::new().post(format!("{}/mode", self.http)).json(mode).send().await.unwrap();
        assert!(sent.status().is_success());
    }
}
