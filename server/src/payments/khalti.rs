//! Khalti's web checkout API: converts its JSON to our types. Nothing specific to Khalti leaves this file.
//!
//! Two ordinary lookup results (expired, cancelled) come with HTTP 400, so the body is read before the status is
//! judged. Amounts are in paisa, sometimes as text. Statuses are spelt in several ways.

use std::time::Duration;

use http::StatusCode;
use reqwest::{Client, Response, Url, redirect};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::provider::{
    NextAction, PaymentLookup, PaymentProvider, PaymentRequest, ProviderFuture, ProviderStatus, StartedPayment,
    WalletError,
};
use crate::platform::config::KhaltiSettings as Settings;
use crate::platform::money::Paisa;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Far more than any response of Khalti needs.
const MAX_RESPONSE_BYTES: usize = 64 * 1024;
const MAX_TEXT_LENGTH: usize = 200;
/// A response with a lifetime outside this range is treated as invalid.
const LINK_LIFETIME_SECONDS: (u64, u64) = (5, 24 * 3600);
/// No payment has this id, so a lookup of it only shows whether Khalti answers.
const PROBE_PIDX: &str = "are-you-there";

pub struct KhaltiProvider {
    http: Client,
    settings: Settings,
}

#[derive(Deserialize)]
struct InitiateResponse {
    pidx: String,
    payment_url: String,
    expires_in: u64,
}

struct KhaltiResponse {
    status: StatusCode,
    body: Vec<u8>,
}

impl KhaltiProvider {
    pub fn new(settings: Settings) -> reqwest::Result<Self> {
        // Redirects are not followed: our key goes to the host in the settings and nowhere else.
        let http = Client::builder().connect_timeout(CONNECT_TIMEOUT).redirect(redirect::Policy::none()).build()?;
        Ok(Self { http, settings })
    }

    async fn post(&self, path: &str, body: &Value) -> Result<KhaltiResponse, WalletError> {
        let request = self
            .http
            .post(format!("{}{path}", self.settings.url))
            .header("authorization", format!("Key {}", self.settings.secret_key.reveal()))
            .json(body);
        let response = request.send().await.map_err(|error| to_wallet_error(&error))?;
        let status = response.status();
        match status {
            StatusCode::UNAUTHORIZED => Err(WalletError::Unauthorized),
            StatusCode::TOO_MANY_REQUESTS => Err(WalletError::RateLimited),
            status if status.is_server_error() => Err(WalletError::ServerError(status.as_u16())),
            status => Ok(KhaltiResponse { status, body: read_body(response).await? }),
        }
    }

    async fn initiate(&self, request: &PaymentRequest) -> Result<StartedPayment, WalletError> {
        let body = json!({
            "return_url": request.return_url, "website_url": request.website_url, "amount": request.amount.0,
            "purchase_order_id": request.reference, "purchase_order_name": request.title,
        });
        let path = "/api/v2/epayment/initiate/";
        let response = match self.post(path, &body).await {
            // The first call did not reach Khalti, so this one cannot create a second payment.
            Err(WalletError::Unreachable(_)) => self.post(path, &body).await?,
            response => response?,
        };
        if response.status == StatusCode::FORBIDDEN {
            return Err(WalletError::Unauthorized);
        }
        if response.status.is_client_error() {
            return Err(WalletError::Rejected(rejected_fields(&response.body)));
        }
        let made: InitiateResponse =
            serde_json::from_slice(&response.body).map_err(|_| WalletError::InvalidResponse)?;
        let plain = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_graphic());
        let lives = (LINK_LIFETIME_SECONDS.0..=LINK_LIFETIME_SECONDS.1).contains(&made.expires_in);
        if !plain(&made.pidx) || made.pidx.len() > MAX_TEXT_LENGTH || !plain(&made.payment_url) || !lives {
            return Err(WalletError::InvalidResponse);
        }
        self.check_page(&made.payment_url)?;
        let (pidx, next_action) = (made.pidx, NextAction::Redirect(made.payment_url));
        Ok(StartedPayment { pidx, next_action, expires_in: Duration::from_secs(made.expires_in) })
    }

    /// Accepts only the wallet's own pages, so that a response cannot send shoppers anywhere else.
    fn check_page(&self, address: &str) -> Result<(), WalletError> {
        let page = Url::parse(address).map_err(|_| WalletError::InvalidResponse)?;
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
            Err(WalletError::UntrustedHost(host.to_owned()))
        }
    }

    async fn lookup_payment(&self, pidx: &str) -> Result<PaymentLookup, WalletError> {
        let response = self.post("/api/v2/epayment/lookup/", &json!({ "pidx": pidx })).await?;
        let body: Map<String, Value> =
            serde_json::from_slice(&response.body).map_err(|_| WalletError::InvalidResponse)?;
        let Some(raw_status) = body.get("status").and_then(Value::as_str) else {
            let detail = body.get("detail").and_then(Value::as_str).unwrap_or_default();
            let unknown = response.status == StatusCode::NOT_FOUND || detail.eq_ignore_ascii_case("not found.");
            return Err(if unknown { WalletError::UnknownPayment } else { WalletError::InvalidResponse });
        };
        // A response about another payment says nothing about this one.
        if body.get("pidx").and_then(Value::as_str).is_some_and(|told| told != pidx) {
            return Err(WalletError::InvalidResponse);
        }
        let transaction = body.get("transaction_id").and_then(Value::as_str).map(sanitize);
        Ok(PaymentLookup {
            status: parse_status(raw_status),
            raw_status: sanitize(raw_status),
            amount: body.get("total_amount").and_then(parse_paisa),
            transaction: transaction.filter(|id| !id.is_empty()),
        })
    }

    async fn refund_transaction(&self, transaction: &str, amount: Option<Paisa>) -> Result<(), WalletError> {
        let safe = transaction.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        if !safe {
            return Err(WalletError::Rejected("invalid transaction id".to_owned()));
        }
        // An empty body requests a full refund.
        let body = amount.map_or_else(|| json!({}), |amount| json!({ "amount": amount.0 }));
        let response = self.post(&format!("/api/merchant-transaction/{transaction}/refund/"), &body).await?;
        match response.status {
            status if status.is_success() => Ok(()),
            status if status.is_client_error() => Err(WalletError::Rejected(rejected_fields(&response.body))),
            status => Err(WalletError::ServerError(status.as_u16())),
        }
    }
}

impl PaymentProvider for KhaltiProvider {
    fn start<'a>(&'a self, request: &'a PaymentRequest) -> ProviderFuture<'a, StartedPayment> {
        Box::pin(self.initiate(request))
    }

    fn lookup<'a>(&'a self, pidx: &'a str) -> ProviderFuture<'a, PaymentLookup> {
        Box::pin(self.lookup_payment(pidx))
    }

    fn refund<'a>(&'a self, transaction: &'a str, amount: Option<Paisa>) -> ProviderFuture<'a, ()> {
        Box::pin(self.refund_transaction(transaction, amount))
    }

    fn ping(&self) -> ProviderFuture<'_, ()> {
        Box::pin(async {
            // Any well-formed answer about an unknown payment shows that Khalti is up and accepts our key.
            let response = self.post("/api/v2/epayment/lookup/", &json!({ "pidx": PROBE_PIDX })).await?;
            let sense = serde_json::from_slice::<Map<String, Value>>(&response.body).is_ok();
            if sense && response.status != StatusCode::FORBIDDEN { Ok(()) } else { Err(WalletError::InvalidResponse) }
        })
    }
}

fn to_wallet_error(error: &reqwest::Error) -> WalletError {
    if error.is_connect() {
        WalletError::Unreachable("no connection".to_owned())
    } else if error.is_timeout() {
        WalletError::Timeout
    } else {
        // The error text may contain the URL, and the URL may contain a transaction id.
        WalletError::ServerError(0)
    }
}

async fn read_body(mut response: Response) -> Result<Vec<u8>, WalletError> {
    let mut body = Vec::new();
    while let Some(part) = response.chunk().await.map_err(|error| to_wallet_error(&error))? {
        if body.len() + part.len() > MAX_RESPONSE_BYTES {
            return Err(WalletError::InvalidResponse);
        }
        body.extend_from_slice(&part);
    }
    Ok(body)
}

/// Shortens a text from Khalti and removes control characters before it is stored.
fn sanitize(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(MAX_TEXT_LENGTH).collect()
}

fn parse_status(raw_status: &str) -> ProviderStatus {
    match raw_status.to_ascii_lowercase().as_str() {
        "completed" => ProviderStatus::Completed,
        "pending" => ProviderStatus::Pending,
        "initiated" => ProviderStatus::Initiated,
        "expired" | "user canceled" | "user cancelled" | "canceled" | "cancelled" | "failed" => ProviderStatus::Over,
        "refunded" => ProviderStatus::Refunded,
        "partially refunded" => ProviderStatus::PartlyRefunded,
        _ => ProviderStatus::Unclear,
    }
}

/// Parses whole paisa, given as a number or as text.
fn parse_paisa(value: &Value) -> Option<Paisa> {
    let amount = match value {
        Value::Number(number) => number.as_i64().or_else(|| parse_whole(number.as_f64()?)),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    };
    amount.map(Paisa)
}

/// Accepts a whole number that is written with a fraction, such as `113000.0`.
fn parse_whole(number: f64) -> Option<i64> {
    let text = format!("{number:.1}");
    text.strip_suffix(".0").filter(|_| number.fract() == 0.0)?.parse().ok()
}

/// Returns the names of the rejected fields; their messages must not be logged.
fn rejected_fields(body: &[u8]) -> String {
    match serde_json::from_slice::<Map<String, Value>>(body) {
        Ok(fields) => fields.keys().take(8).map(String::as_str).collect::<Vec<_>>().join(", "),
        Err(_) => "no reason given".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::config::Secret;

    fn khalti(url: &str) -> KhaltiProvider {
        let settings = Settings {
            url: url.to_owned(),
            secret_key: Secret::new("key".to_owned()),
            page_hosts: vec!["pay.khalti.com".to_owned(), "test-pay.khalti.com".to_owned()],
            probe_interval: Duration::MAX,
        };
        KhaltiProvider::new(settings).unwrap()
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
        for (raw_status, meant) in [
            ("Completed", ProviderStatus::Completed),
            ("COMPLETED", ProviderStatus::Completed),
            ("User canceled", ProviderStatus::Over),
            ("Canceled", ProviderStatus::Over),
            ("Expired", ProviderStatus::Over),
            ("Partially refunded", ProviderStatus::PartlyRefunded),
            ("Partially Refunded", ProviderStatus::PartlyRefunded),
            ("Refunded", ProviderStatus::Refunded),
            ("Completed?", ProviderStatus::Unclear),
            ("", ProviderStatus::Unclear),
        ] {
            assert_eq!(parse_status(raw_status), meant, "{raw_status}");
        }
    }

    #[test]
    fn characters_that_no_text_column_can_hold_are_removed() {
        assert_eq!(sanitize("Comp\u{0}leted\n"), "Completed");
        assert_eq!(sanitize(&"x".repeat(1_000)).len(), MAX_TEXT_LENGTH);
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
            assert_eq!(parse_paisa(&value), meant.map(Paisa), "{value}");
        }
    }
}
