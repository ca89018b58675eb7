//! A real SMS gateway process (`tools/sms`), which records the messages.

use std::process::{Command, Stdio};

use reqwest::Client;
use serde_json::{Value, json};

use super::helper_process::{HelperProcess, find_program, repository_path};

pub struct SmsGateway {
    server: HelperProcess,
    http: Client,
}

impl SmsGateway {
    pub fn start(provider: &str) -> Self {
        let mut command = Command::new(find_program("NODE", "node"));
        command
            .arg(repository_path("tools/sms/sms.mjs"))
            .args(["--with-parent", "--provider", provider])
            .stderr(Stdio::null());
        Self { server: HelperProcess::start(&mut command, "SMS_TOKEN"), http: Client::new() }
    }

    pub fn settings(&self) -> [(&str, &str); 4] {
        ["SMS_PROVIDER", "SMS_URL", "SMS_SENDER", "SMS_TOKEN"].map(|name| (name, self.server.setting(name)))
    }

    async fn seen(&self) -> Value {
        let url = format!("{}/messages", self.server.setting("SMS_URL"));
        self.http.get(url).send().await.unwrap().json().await.unwrap()
    }

    /// Returns the texts to this number, oldest first.
    pub async fn texts(&self, to: &str) -> Vec<String> {
        let seen = self.seen().await;
        let messages = seen["messages"].as_array().unwrap().iter().filter(|message| message["to"] == to);
        messages.map(|message| message["text"].as_str().unwrap().to_owned()).collect()
    }

    pub async fn attempts(&self) -> i64 {
        self.seen().await["attempts"].as_i64().unwrap()
    }

    /// Makes the next `times` messages fail in this way; zero ends it.
    pub async fn misbehave(&self, way: &str, times: u32) {
        let url = format!("{}/behave", self.server.setting("SMS_URL"));
        let body = json!({"way": way, "times": times}).to_string();
        assert!(self.http.post(url).body(body).send().await.unwrap().status().is_success());
    }
}
