//! Serves `security.txt` (RFC 9116), which says where to report a vulnerability.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Days, SecondsFormat, Utc};
use http::header;

use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::platform::state::App;
use crate::shop;

/// The standard recommends less than a year; a shop that has closed should not get reports for longer.
const VALIDITY: Days = Days::new(180);

pub async fn security_txt(State(app): State<App>) -> Result<Response, ApiError> {
    let contact = match &app.config.security_contact {
        Some(contact) => contact.clone(),
        None => match shop::load_or_last_known(&app).await.contact.email.as_str() {
            "" => return Err(ApiError::not_found("file_not_found", message!("api.file_not_found"))),
            email => format!("mailto:{email}"),
        },
    };
    let text = render(&contact, &app.config.public_url, app.clock.now());
    Ok(([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], text).into_response())
}

fn render(contact: &str, public_url: &str, now: DateTime<Utc>) -> String {
    let expires = now.checked_add_days(VALIDITY).unwrap_or(now).to_rfc3339_opts(SecondsFormat::Secs, true);
    format!(
        "Contact: {contact}\nExpires: {expires}\nPreferred-Languages: en, ne\n\
         Canonical: {public_url}/.well-known/security.txt\n"
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_expires_within_a_year() {
        let now = DateTime::parse_from_rfc3339("2026-11-16T12:00:00Z").unwrap().to_utc();

        let text = render("mailto:a@shop.example", "https://shop.example", now);

        assert_eq!(
            text,
            "Contact: mailto:a@shop.example\nExpires: 2027-05-15T12:00:00Z\nPreferred-Languages: en, ne\n\
             Canonical: https://shop.example/.well-known/security.txt\n"
        );
    }
}
