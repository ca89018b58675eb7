//! A real mail server for one test, whose emails can be read.

use std::process::Command;

use serde_json::{Value, json};

use super::SHOP;
use super::helper_process::{HelperProcess, find_program, repository_path};

pub struct Mailbox {
    /// The value for `SMTP_URL`.
    pub smtp_url: String,
    http: String,
    /// The server runs until this is dropped.
    _server: HelperProcess,
}

impl Mailbox {
    pub fn open() -> Self {
        let mut command = Command::new(find_program("PYTHON", "python3"));
        let server = HelperProcess::start(
            command.arg(repository_path("tools/mailbox/mailbox.py")).arg("--with-parent"),
            "HTTP_PORT",
        );
        Self {
            smtp_url: format!("smtp://127.0.0.1:{}", server.setting("SMTP_PORT")),
            http: format!("http://127.0.0.1:{}", server.setting("HTTP_PORT")),
            _server: server,
        }
    }

    /// Returns the emails to this address, oldest first.
    pub async fn emails(&self, to: &str) -> Vec<Value> {
        let query = serde_urlencoded::to_string([("to", to)]).unwrap();
        reqwest::get(format!("{}/emails?{query}", self.http)).await.unwrap().json().await.unwrap()
    }

    /// Returns the token of the newest link to this page that was sent to this address.
    pub async fn token(&self, to: &str, page: &str) -> String {
        let start = format!("{SHOP}/{page}#token=");
        let emails = self.emails(to).await;
        let found = emails.iter().rev().find_map(|email| {
            let (_, rest) = email["text"].as_str().unwrap().split_once(&start)?;
            rest.split_whitespace().next().map(str::to_owned)
        });
        found.unwrap_or_else(|| panic!("no link to {page} in {emails:?}"))
    }

    pub async fn accept(&self, accept: bool) {
        self.set(&json!({"accept": accept})).await;
    }

    /// Delays the acceptance of each email.
    pub async fn delay(&self, millis: u64) {
        self.set(&json!({"delayMs": millis})).await;
    }

    async fn set(&self, mode: &Value) {
        let sent = reqwest::Client::new().post(format!("{}/mode", self.http)).json(mode).send().await.unwrap();
        assert!(sent.status().is_success());
    }
}
