//! A real mail server for one test, whose letters can be read.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};

use serde_json::{Value, json};

pub struct Mailbox {
    /// For `SMTP_URL`.
    pub smtp_url: String,
    http: String,
    server: Child,
}

impl Mailbox {
    pub fn open() -> Self {
        let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tools/mailbox/mailbox.py");
        let python = super::tool("PYTHON", "python3");
        let mut server = Command::new(&python)
            .args([script, "--with-parent"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap_or_else(|error| panic!("{python} does not start: {error} (scripts/setup brings it)"));
        let mut lines = BufReader::new(server.stdout.take().unwrap()).lines();
        let mut port = |name: &str| {
            let line = lines.next().expect("the mailbox ended at once").unwrap();
            line.strip_prefix(name).unwrap_or_else(|| panic!("{line}")).to_owned()
        };
        let smtp_url = format!("smtp://127.0.0.1:{}", port("SMTP_PORT="));
        let http = format!("http://127.0.0.1:{}", port("HTTP_PORT="));
        Self { smtp_url, http, server }
    }

    /// Letters to this address, oldest first.
    pub async fn letters(&self, to: &str) -> Vec<Value> {
        let query = serde_urlencoded::to_string([("to", to)]).unwrap();
        reqwest::get(format!("{}/letters?{query}", self.http)).await.unwrap().json().await.unwrap()
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

impl Drop for Mailbox {
    fn drop(&mut self) {
        let _ = self.server.kill();
        let _ = self.server.wait();
    }
}
