//! A real identity provider (`tools/identity`), and a person who signs in there.

use std::collections::BTreeMap;
use std::process::{Command, Stdio};

use reqwest::{Client, Response, redirect};
use serde_json::json;

use super::SHOP;
use super::helper_process::{HelperProcess, find_program, repository_path};

pub struct IdentityProvider {
    server: HelperProcess,
    http: Client,
}

pub struct Person<'a> {
    pub email: &'a str,
    pub subject: &'a str,
    pub verified: bool,
}

impl IdentityProvider {
    pub fn start() -> Self {
        let mut command = Command::new(find_program("NODE", "node"));
        command
            .arg(repository_path("tools/identity/provider.mjs"))
            .args(["--with-parent", "--redirect-uri", &format!("{SHOP}/api/user/google/callback")])
            .stderr(Stdio::null());
        let server = HelperProcess::start(&mut command, "OPENID_CLIENT_SECRET");
        Self { server, http: Client::builder().redirect(redirect::Policy::none()).build().unwrap() }
    }

    fn issuer(&self) -> &str {
        self.server.setting("OPENID_ISSUER")
    }

    pub fn settings(&self) -> [(&str, &str); 3] {
        ["OPENID_ISSUER", "OPENID_CLIENT_ID", "OPENID_CLIENT_SECRET"].map(|name| (name, self.server.setting(name)))
    }

    pub async fn misbehave(&self, way: &str) {
        let asked = self.http.post(format!("{}/misbehave", self.issuer())).json(&json!({"idToken": way})).send().await;
        assert!(asked.unwrap().status().is_success());
    }

    /// Signs a person in at the URL that the shop redirected to; returns the URL that the provider redirects back to.
    pub async fn sign_in(&self, address: &str, person: &Person<'_>) -> String {
        let mut jar = BTreeMap::new();
        let page = self.follow_redirects(&mut jar, address).await;
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
        store_cookies(&mut jar, &answer);
        let next = location(self.issuer(), &answer).expect("the provider refused the sign-in");
        self.follow_redirects(&mut jar, &next).await
    }

    /// Follows redirects until they lead to a page of the provider or back to the shop.
    async fn follow_redirects(&self, jar: &mut BTreeMap<String, String>, address: &str) -> String {
        let mut address = address.to_owned();
        for _ in 0..10 {
            if address.starts_with(SHOP) {
                return address;
            }
            let answer = self.http.get(&address).header("cookie", cookies(jar)).send().await.unwrap();
            store_cookies(jar, &answer);
            match location(self.issuer(), &answer) {
                Some(next) => address = next,
                None => return address,
            }
        }
        panic!("the provider leads in circles");
    }
}

fn cookies(jar: &BTreeMap<String, String>) -> String {
    jar.iter().map(|(name, value)| format!("{name}={value}")).collect::<Vec<_>>().join("; ")
}

fn store_cookies(jar: &mut BTreeMap<String, String>, answer: &Response) {
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
