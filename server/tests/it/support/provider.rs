//! A real identity provider (`tools/identity`), and a person signing in at it.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use reqwest::{Client, Response, redirect};
use serde_json::json;

use super::SHOP;

pub struct Provider {
    process: Child,
    pub issuer: String,
    pub client_id: String,
    pub client_secret: String,
    http: Client,
}

pub struct Person<'a> {
    pub email: &'a str,
    pub subject: &'a str,
    pub verified: bool,
}

impl Provider {
    pub fn start() -> Self {
        let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/.."));
        let own = root.join(".tools/node/node_modules/node/bin/node");
        let node = if own.exists() { own } else { "node".into() };
        let mut process = Command::new(node)
            .arg(root.join("tools/identity/provider.mjs"))
            .args(["--with-parent", "--redirect-uri", &format!("{SHOP}/api/user/google/callback")])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("node: run scripts/setup first");
        let mut said = BTreeMap::new();
        let lines = BufReader::new(process.stdout.take().unwrap()).lines();
        for line in lines {
            let line = line.unwrap();
            if let Some((name, value)) = line.split_once('=') {
                said.insert(name.to_owned(), value.to_owned());
            }
            if said.len() == 3 {
                break;
            }
        }
        let mut take = |name: &str| said.remove(name).unwrap_or_else(|| panic!("the provider did not say {name}"));
        Self {
            issuer: take("OPENID_ISSUER"),
            client_id: take("OPENID_CLIENT_ID"),
            client_secret: take("OPENID_CLIENT_SECRET"),
            process,
            http: Client::builder().redirect(redirect::Policy::none()).build().unwrap(),
        }
    }

    pub fn settings(&self) -> [(&str, &str); 3] {
        [
            ("OPENID_ISSUER", &self.issuer),
            ("OPENID_CLIENT_ID", &self.client_id),
            ("OPENID_CLIENT_SECRET", &self.client_secret),
        ]
    }

    pub async fn misbehave(&self, way: &str) {
        let asked = self.http.post(format!("{}/misbehave", self.issuer)).json(&json!({"idToken": way})).send().await;
        assert!(asked.unwrap().status().is_success());
    }

    /// Signs a person in at the address that the shop sent the browser to; returns where the browser is sent back to.
    pub async fn sign_in(&self, address: &str, person: &Person<'_>) -> String {
        let mut jar = BTreeMap::new();
        let page = self.walk(&mut jar, address).await;
        let form = [
            ("email", person.email),
            ("name", "Asha Rai"),
            ("sub", person.subject),
            ("picture", ""),
            ("action", "login"),
        ];
        let mut fields: Vec<(&str, &str)> = form.to_vec();
        if person.verified {
            fields.push(("email_verified", "on"));
        }
        let answer = self.http.post(&page).header("cookie", cookies(&jar)).form(&fields).send().await.unwrap();
        keep(&mut jar, &answer);
        let next = location(&self.issuer, &answer).expect("the provider refused the sign-in");
        self.walk(&mut jar, &next).await
    }

    /// Follows redirects until they lead to a page of the provider's, or back to the shop.
    async fn walk(&self, jar: &mut BTreeMap<String, String>, address: &str) -> String {
        let mut address = address.to_owned();
        for _ in 0..10 {
            if address.starts_with(SHOP) {
                return address;
            }
            let answer = self.http.get(&address).header("cookie", cookies(jar)).send().await.unwrap();
            keep(jar, &answer);
            match location(&self.issuer, &answer) {
                Some(next) => address = next,
                None => return address,
            }
        }
        panic!("the provider leads in circles");
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn cookies(jar: &BTreeMap<String, String>) -> String {
    jar.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

fn keep(jar: &mut BTreeMap<String, String>, answer: &Response) {
    for set in answer.headers().get_all("set-cookie") {
        let cookie = set.to_str().unwrap().split(';').next().unwrap();
        let (name, value) = cookie.split_once('=').unwrap();
        jar.insert(name.to_owned(), value.to_owned());
    }
}

fn location(issuer: &str, answer: &Response) -> Option<String> {
    let next = answer.headers().get("location")?.to_str().unwrap();
    Some(if next.starts_with('/') { format!("{issuer}{next}") } else { next.to_owned() })
}
