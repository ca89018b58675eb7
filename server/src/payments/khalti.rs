//! Khalti's web checkout: its JSON in, our types out. Nothing of it leaves this file.
//!
//! Worth knowing: two ordinary answers of a lookup (expired, cancelled) come with HTTP 400, so a body is read before its
//! status is judged; amounts are paisa, sometimes as text; statuses are spelt in several ways.

use std::time::Duration;

use http::StatusCode;
use reqwest::{Client, Response, Url, redirect};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::provider::{Asked, Bill, Onward, Provider, Said, Started, Status, WalletError};
use crate::platform::config::Khalti as Settings;
use crate::platform::money::Paisa;

const CONNECT: Duration = Duration::from_secs(2);
/// Far more than any of its answers.
const LARGEST_ANSWER: usize = 64 * 1024;
const LONGEST_TEXT: usize = 200;
/// A link that lives longer or shorter than this is a misunderstanding.
const LINK_LIVES: (u64, u64) = (5, 24 * 3600);
/// No payment has this name.
const NOBODYS: &str = "are-you-there";

pub struct Khalti {
    http: Client,
    settings: Settings,
}

#[derive(Deserialize)]
struct Initiated {
    pidx: String,
    payment_url: String,
    expires_in: u64,
}

struct Answer {
    status: StatusCode,
    body: Vec<u8>,
}

impl Khalti {
    pub fn new(settings: Settings) -> reqwest::Result<Self> {
        // Redirects are not followed: our key goes to the host in the settings and nowhere else.
        let http = Client::builder().connect_timeout(CONNECT).redirect(redirect::Policy::none()).build()?;
        Ok(Self { http, settings })
    }

    async fn post(&self, path: &str, body: &Value) -> Result<Answer, WalletError> {
        let request = self
            .http
            .post(format!("{}{path}", self.settings.url))
            .header("authorization", format!("Key {}", self.settings.secret_key.reveal()))
            .json(body);
        let response = request.send().await.map_err(|error| trouble(&error))?;
        let status = response.status();
        match status {
            StatusCode::UNAUTHORIZED => Err(WalletError::KeyRefused),
            StatusCode::TOO_MANY_REQUESTS => Err(WalletError::TooOften),
            status if status.is_server_error() => Err(WalletError::Broken(status.as_u16())),
            status => Ok(Answer { status, body: read(response).await? }),
        }
    }

    async fn initiate(&self, bill: &Bill) -> Result<Started, WalletError> {
        let body = json!({
            "return_url": bill.return_to, "website_url": bill.shop, "amount": bill.amount.0,
            "purchase_order_id": bill.number, "purchase_order_name": bill.title,
        });
        let path = "/api/v2/epayment/initiate/";
        let answer = match self.post(path, &body).await {
            // Nobody heard the first call, so this is not a second one.
            Err(WalletError::Unreachable(_)) => self.post(path, &body).await?,
            answered => answered?,
        };
        if answer.status == StatusCode::FORBIDDEN {
            return Err(WalletError::KeyRefused);
        }
        if answer.status.is_client_error() {
            return Err(WalletError::Refused(refusal(&answer.body)));
        }
        let made: Initiated = serde_json::from_slice(&answer.body).map_err(|_| WalletError::Nonsense)?;
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let lives = (LINK_LIVES.0..=LINK_LIVES.1).contains(&made.expires_in);
        if !plain(&made.pidx) || made.pidx.len() > LONGEST_TEXT || !plain(&made.payment_url) || !lives {
            return Err(WalletError::Nonsense);
        }
        self.check_page(&made.payment_url)?;
        let (pidx, onward) = (made.pidx, Onward::Redirect(made.payment_url));
        Ok(Started { pidx, onward, lasts: Duration::from_secs(made.expires_in) })
    }

    /// People are sent to the wallet's own page only, whatever an answer says.
    fn check_page(&self, address: &str) -> Result<(), WalletError> {
        let page = Url::parse(address).map_err(|_| WalletError::Nonsense)?;
        let own = Url::parse(&self.settings.url).ok();
        let same = |own: &Url| {
            own.scheme() == page.scheme()
                && own.host_str() == page.host_str()
                && own.port_or_known_default() == page.port_or_known_default()
        };
        let host = page.host_str().unwrap_or_default();
        let listed = page.scheme() == "https"
            && page.port().is_none()
            && self.settings.page_hosts.iter().any(|known| known == host);
        let plain = page.username().is_empty() && page.password().is_none();
        if plain && (listed || own.as_ref().is_some_and(same)) {
            Ok(())
        } else {
            Err(WalletError::Elsewhere(host.to_owned()))
        }
    }

    async fn lookup(&self, pidx: &str) -> Result<Said, WalletError> {
        let answer = self.post("/api/v2/epayment/lookup/", &json!({ "pidx": pidx })).await?;
        let body: Map<String, Value> = serde_json::from_slice(&answer.body).map_err(|_| WalletError::Nonsense)?;
        let Some(words) = body.get("status").and_then(Value::as_str) else {
            let detail = body.get("detail").and_then(Value::as_str).unwrap_or_default();
            let unknown = answer.status == StatusCode::NOT_FOUND || detail.eq_ignore_ascii_case("not found.");
            return Err(if unknown { WalletError::Unknown } else { WalletError::Nonsense });
        };
        // An answer about another payment is none about this one.
        if body.get("pidx").and_then(Value::as_str).is_some_and(|told| told != pidx) {
            return Err(WalletError::Nonsense);
        }
        let transaction = body.get("transaction_id").and_then(Value::as_str).map(written);
        Ok(Said {
            status: status(words),
            words: written(words),
            amount: body.get("total_amount").and_then(paisa),
            transaction: transaction.filter(|id| !id.is_empty()),
        })
    }

    async fn give_back(&self, transaction: &str) -> Result<(), WalletError> {
        let safe = transaction.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        if !safe {
            return Err(WalletError::Refused("an odd transaction id".to_owned()));
        }
        // An empty body: all of it.
        let answer = self.post(&format!("/api/merchant-transaction/{transaction}/refund/"), &json!({})).await?;
        match answer.status {
            status if status.is_success() => Ok(()),
            status if status.is_client_error() => Err(WalletError::Refused(refusal(&answer.body))),
            status => Err(WalletError::Broken(status.as_u16())),
        }
    }
}

impl Provider for Khalti {
    fn start<'a>(&'a self, bill: &'a Bill) -> Asked<'a, Started> {
        Box::pin(self.initiate(bill))
    }

    fn confirm<'a>(&'a self, pidx: &'a str) -> Asked<'a, Said> {
        Box::pin(self.lookup(pidx))
    }

    fn refund<'a>(&'a self, transaction: &'a str) -> Asked<'a, ()> {
        Box::pin(self.give_back(transaction))
    }

    fn is_there(&self) -> Asked<'_, ()> {
        Box::pin(async {
            // Whatever it says about a payment that nobody has: it speaks, and to us.
            let answer = self.post("/api/v2/epayment/lookup/", &json!({ "pidx": NOBODYS })).await?;
            let sense = serde_json::from_slice::<Map<String, Value>>(&answer.body).is_ok();
            if sense && answer.status != StatusCode::FORBIDDEN { Ok(()) } else { Err(WalletError::Nonsense) }
        })
    }
}

fn trouble(error: &reqwest::Error) -> WalletError {
    if error.is_connect() {
        WalletError::Unreachable("no connection".to_owned())
    } else if error.is_timeout() {
        WalletError::Slow
    } else {
        // Its text may hold the address, and the address may hold a transaction.
        WalletError::Broken(0)
    }
}

async fn read(mut response: Response) -> Result<Vec<u8>, WalletError> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|error| trouble(&error))? {
        if body.len() + part.len() > LARGEST_ANSWER {
            return Err(WalletError::Nonsense);
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

/// A text of theirs as we keep it: short, and without what no text holds.
fn written(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(LONGEST_TEXT).collect()
}

fn status(words: &str) -> Status {
    match words.to_ascii_lowercase().as_str() {
        "completed" => Status::Completed,
        "pending" => Status::Pending,
        "initiated" => Status::Initiated,
        "expired" | "user canceled" | "user cancelled" | "canceled" | "cancelled" | "failed" => Status::Over,
        "refunded" => Status::Refunded,
        _ => Status::Unclear,
    }
}

/// Whole paisa, as a number or as text.
fn paisa(value: &Value) -> Option<Paisa> {
    let amount = match value {
        Value::Number(number) => number.as_i64().or_else(|| whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    amount.map(Paisa)
}

/// `113000.0` is a whole number, too.
fn whole(number: f64) -> Option<i64> {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").filter(|_| number.fract() == 0.0)?.parse().ok()
}

/// Which fields it did not like: names only, their texts are for nobody's log.
fn refusal(body: &[u8]) -> String {
    match serde_json::from_slice::<Map<String, Value>>(body) {
        Ok(fields) => fields.keys().take(8).map(String::as_str).collect::<Vec<_>>().join(", "),
        Err(_) => "without a reason".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::Secret;

    fn khalti(url: &str) -> Khalti {
        let settings = Settings {
            url: url.to_owned(),
            secret_key: Secret::new("key".to_owned()),
            page_hosts: vec!["pay.khalti.com".to_owned(), "test-pay.khalti.com".to_owned()],
        };
        Khalti::new(settings).unwrap()
    }

    #[test]
    fn people_are_sent_to_the_wallets_own_page_only() {
        let live = khalti("https://khalti.com");
        for fine in ["https://pay.khalti.com/?pidx=a", "https://test-pay.khalti.com/?pidx=a"] {
            assert!(live.check_page(fine).is_ok(), "{fine}");
        }
        for odd in [
            "http://pay.khalti.com/?pidx=a",
            "https://pay.khalti.com.evil.example/",
            "https://pay.khalti.com:444/",
            "https://somebody@pay.khalti.com/",
            "https://evil.example/?pay.khalti.com",
            "javascript:alert(1)",
            "//pay.khalti.com",
            "",
        ] {
            assert!(live.check_page(odd).is_err(), "{odd}");
        }
        let simulator = khalti("http://127.0.0.1:4100");
        assert!(simulator.check_page("http://127.0.0.1:4100/?pidx=a").is_ok());
        assert!(simulator.check_page("http://127.0.0.1:4101/?pidx=a").is_err());
    }

    #[test]
    fn statuses_are_read_however_they_are_spelt() {
        for (words, meant) in [
            ("Completed", Status::Completed),
            ("COMPLETED", Status::Completed),
            ("User canceled", Status::Over),
            ("Canceled", Status::Over),
            ("Expired", Status::Over),
            ("Partially refunded", Status::Unclear),
            ("Partially Refunded", Status::Unclear),
            ("Refunded", Status::Refunded),
            ("Completed?", Status::Unclear),
            ("", Status::Unclear),
        ] {
            assert_eq!(status(words), meant, "{words}");
        }
    }

    #[test]
    fn what_no_text_holds_is_not_kept() {
        assert_eq!(written("Comp\u{0}leted\n"), "Completed");
        assert_eq!(written(&"x".repeat(1_000)).len(), LONGEST_TEXT);
    }

    #[test]
    fn an_amount_is_whole_paisa_or_nothing() {
        for (value, meant) in [
            (json!(113_000), Some(113_000)),
            (json!("113000"), Some(113_000)),
            (json!(113_000.0), Some(113_000)),
            (json!(1130.5), None),
            (json!("1130.00"), None),
            (json!(null), None),
            (json!([1]), None),
        ] {
            assert_eq!(paisa(&value), meant.map(Paisa), "{value}");
        }
    }
}
