//! A real wallet process (`tools/wallet`) that speaks Khalti's API and keeps its own ledger.

use std::process::{Command, Stdio};

use reqwest::Client;
use serde_json::{Value, json};

use super::helper_process::{HelperProcess, find_program, repository_path};

pub struct Wallet {
    server: HelperProcess,
    http: Client,
}

impl Wallet {
    pub fn start() -> Self {
        Self::with_link_lifetime(3_600)
    }

    pub fn with_link_lifetime(seconds: u32) -> Self {
        let mut command = Command::new(find_program("NODE", "node"));
        command
            .arg(repository_path("tools/wallet/wallet.mjs"))
            .args(["--with-parent", "--link-seconds", &seconds.to_string()])
            .stderr(Stdio::null());
        Self { server: HelperProcess::start(&mut command, "KHALTI_SECRET_KEY"), http: Client::new() }
    }

    pub fn settings(&self) -> [(&str, &str); 2] {
        ["KHALTI_URL", "KHALTI_SECRET_KEY"].map(|name| (name, self.server.setting(name)))
    }

    fn at(&self, path: &str) -> String {
        format!("{}{path}", self.server.setting("KHALTI_URL"))
    }

    async fn post(&self, path: &str, body: &Value) -> Value {
        self.http.post(self.at(path)).json(body).send().await.unwrap().json().await.unwrap()
    }

    pub async fn get(&self, path: &str) -> Value {
        self.http.get(self.at(path)).send().await.unwrap().json().await.unwrap()
    }

    /// Simulates what happens to a payment at the wallet: `pay`, `cancel`, `expire`, `pend` or `refund`.
    pub async fn simulate(&self, pidx: &str, what: &str) {
        self.post(&format!("/payments/{pidx}/{what}"), &json!({})).await;
    }

    /// Refunds a part of a payment, as the wallet's staff can do.
    pub async fn refund_part(&self, pidx: &str, amount: i64) {
        self.post(&format!("/payments/{pidx}/refund"), &json!({"amount": amount})).await;
    }

    /// Makes the next `times` calls of this kind fail in this way.
    pub async fn misbehave(&self, call: &str, way: &str, times: u32) {
        self.post("/behave", &json!({"call": call, "way": way, "times": times, "ms": 300})).await;
    }

    pub async fn payment(&self, pidx: &str) -> Value {
        self.get(&format!("/payments/{pidx}")).await
    }

    pub async fn ledger(&self) -> Vec<Value> {
        self.get("/payments").await.as_array().unwrap().clone()
    }
}
