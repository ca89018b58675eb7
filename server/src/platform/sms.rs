//! Sends text messages through a gateway in Nepal: Sparrow SMS or Aakash SMS.

use std::time::Duration;

use http::StatusCode;
use reqwest::{Client, Response, redirect};
use serde_json::Value;

use super::config::{SmsProvider, SmsSettings};

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const REQUEST_TIMEOUT: Duration = Duration::from_secs(10);
/// Far more than any response of a gateway needs.
const MAX_RESPONSE_BYTES: usize = 16 * 1024;
/// Sparrow's codes for a receiver that no message can reach (1007 and 1011); the other codes concern the shop's account.
const SPARROW_RECEIVER_CODES: [i64; 2] = [1007, 1011];

/// The texts never name the recipient, because they end up in logs and in the list of failed jobs.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub enum SmsError {
    #[error("no SMS provider is configured (SMS_PROVIDER)")]
    NotConfigured,
    #[error("the SMS gateway rejected the recipient ({0})")]
    RecipientRejected(i64),
    #[error("the SMS gateway did not accept the message: {0}")]
    Transient(String),
}

#[derive(Clone)]
pub struct SmsClient {
    http: Option<Client>,
    settings: Option<SmsSettings>,
}

impl SmsClient {
    pub fn new(settings: Option<SmsSettings>) -> Self {
        // Redirects are not followed: our token goes to the host in the settings and nowhere else.
        let http = settings.as_ref().and_then(|_| {
            Client::builder()
                .connect_timeout(CONNECT_TIMEOUT)
                .timeout(REQUEST_TIMEOUT)
                .redirect(redirect::Policy::none())
                .build()
                .inspect_err(|error| tracing::error!(%error, "text messages are off"))
                .ok()
        });
        Self { http, settings }
    }

    pub fn is_configured(&self) -> bool {
        self.http.is_some()
    }

    /// Sends `text` to a mobile number of ten digits. A message with Nepali letters has 70 characters per part, one
    /// without has 160.
    pub async fn send(&self, to: &str, text: &str) -> Result<(), SmsError> {
        let (Some(http), Some(settings)) = (&self.http, &self.settings) else { return Err(SmsError::NotConfigured) };
        let token = settings.token.reveal();
        let request = match settings.provider {
            SmsProvider::Sparrow => http.post(format!("{}/v2/sms/", settings.url)).form(&[
                ("token", token),
                ("from", &settings.sender),
                ("to", to),
                ("text", text),
            ]),
            SmsProvider::Aakash => http.post(format!("{}/sms/v3/send", settings.url)).form(&[
                ("auth_token", token),
                ("to", to),
                ("text", text),
            ]),
        };
        let response = request.send().await.map_err(|error| {
            SmsError::Transient(if error.is_timeout() { "timed out" } else { "no connection" }.to_owned())
        })?;
        let (status, body) = (response.status(), read_json(response).await);
        match settings.provider {
            SmsProvider::Sparrow => read_sparrow(status, body.as_ref()),
            SmsProvider::Aakash => read_aakash(status, body.as_ref()),
        }
    }
}

/// Sparrow answers `{"count", "response_code", "response"}`, refusals with status 403 and a code from 1000 to 1013.
fn read_sparrow(status: StatusCode, body: Option<&Value>) -> Result<(), SmsError> {
    let code = body.and_then(|body| body.get("response_code")?.as_i64());
    match code {
        Some(200) if status.is_success() => Ok(()),
        Some(code) if SPARROW_RECEIVER_CODES.contains(&code) => Err(SmsError::RecipientRejected(code)),
        Some(code) => Err(SmsError::Transient(code.to_string())),
        None => Err(SmsError::Transient(status.as_u16().to_string())),
    }
}

/// Aakash answers `{"error", "message"}`; its text is not reported, because it may repeat the recipient.
fn read_aakash(status: StatusCode, body: Option<&Value>) -> Result<(), SmsError> {
    match body.and_then(|body| body.get("error")?.as_bool()) {
        Some(false) if status.is_success() => Ok(()),
        _ => Err(SmsError::Transient(status.as_u16().to_string())),
    }
}

async fn read_json(mut response: Response) -> Option<Value> {
    let mut body = Vec::new();
    while let Ok(Some(part)) = response.chunk().await {
        body.extend_from_slice(&part);
        if body.len() > MAX_RESPONSE_BYTES {
            return None;
        }
    }
    serde_json::from_slice(&body).ok()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn only_a_documented_success_counts_as_sent() {
        let transient = |text: &str| Err(SmsError::Transient(text.to_owned()));
        for (status, body, expected) in [
            (200, Some(json!({"count": 1, "response_code": 200, "response": "1 mesages has been queued"})), Ok(())),
            (403, Some(json!({"response_code": 1001, "response": "Invalid IP"})), transient("1001")),
            (403, Some(json!({"response_code": 1007})), Err(SmsError::RecipientRejected(1007))),
            (403, Some(json!({"response_code": 1011})), Err(SmsError::RecipientRejected(1011))),
            (403, Some(json!({"response_code": 1013})), transient("1013")),
            (200, Some(json!({"response": "ok"})), transient("200")),
            (502, None, transient("502")),
        ] {
            assert_eq!(read_sparrow(StatusCode::from_u16(status).unwrap(), body.as_ref()), expected, "{body:?}");
        }
        for (status, body, expected) in [
            (200, Some(json!({"error": false, "message": "1 messages has been queued"})), Ok(())),
            (200, Some(json!({"error": true, "message": "Insufficient credit"})), transient("200")),
            (500, None, transient("500")),
        ] {
            assert_eq!(read_aakash(StatusCode::from_u16(status).unwrap(), body.as_ref()), expected, "{body:?}");
        }
    }
}
