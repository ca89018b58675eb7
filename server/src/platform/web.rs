//! The response envelope of the contract, and extractors whose errors use it.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http::{HeaderName, HeaderValue, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::api_error::ApiError;
use super::messages::{self, Message, message};
use super::state::App;

/// `{success, message, data}`: the body of every successful response. `data` is always present.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct ApiResponse<T> {
    pub success: bool,
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    pub message: Option<Message>,
    pub data: T,
}

impl<T: Serialize> ApiResponse<T> {
    pub fn ok(data: T) -> Self {
        Self { success: true, message: None, data }
    }

    pub fn with_message(data: T, message: Message) -> Self {
        Self { success: true, message: Some(message), data }
    }
}

impl<T: Serialize> IntoResponse for ApiResponse<T> {
    fn into_response(self) -> Response {
        axum::Json(self).into_response()
    }
}

/// A response about one person, of any shape, which no cache may store.
pub struct NoStore<T>(pub T);

impl<T: Serialize> IntoResponse for NoStore<T> {
    fn into_response(self) -> Response {
        ([(header::CACHE_CONTROL, HeaderValue::from_static("no-store"))], axum::Json(self.0)).into_response()
    }
}

/// A response about one person, with the cookies that it sets.
pub struct PrivateResponse<T> {
    reply: ApiResponse<T>,
    cookies: Vec<HeaderValue>,
}

impl<T: Serialize> PrivateResponse<T> {
    pub fn ok(data: T) -> Self {
        Self { reply: ApiResponse::ok(data), cookies: Vec::new() }
    }

    pub fn with_message(data: T, message: Message) -> Self {
        Self { reply: ApiResponse::with_message(data, message), cookies: Vec::new() }
    }

    #[must_use]
    pub fn with_cookies(mut self, cookies: Vec<HeaderValue>) -> Self {
        self.cookies = cookies;
        self
    }
}

impl<T: Serialize> IntoResponse for PrivateResponse<T> {
    fn into_response(self) -> Response {
        let mut response = NoStore(self.reply).into_response();
        for cookie in self.cookies {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        response
    }
}

/// The headers of a CSV file that the browser saves under this name and that no cache may store.
pub fn csv_headers(name: &str) -> [(HeaderName, String); 3] {
    [
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ]
}

/// An empty object: the call returns no data.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Empty {}

/// A JSON body of limited size; a malformed one is answered with an error in the envelope.
pub struct Json<T>(pub T);

/// No call of the contract needs more than a page of text as JSON; pictures come as multipart.
const MAX_JSON: usize = 64 * 1024;

/// NUL as JSON escapes it; PostgreSQL cannot store it in a text.
const NUL: &[u8] = b"\\u0000";

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _app: &App) -> Result<Self, ApiError> {
        let kind = request.headers().get(http::header::CONTENT_TYPE);
        if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
            return Err(ApiError::bad_request("body_malformed", message!("api.json_expected")));
        }
        let body = Limited::new(request.into_body(), MAX_JSON).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                ApiError::too_large()
            } else {
                ApiError::bad_request("body_malformed", message!("api.body_incomplete"))
            }
        })?;
        let body = body.to_bytes();
        if body.windows(NUL.len()).any(|part| part == NUL) {
            return Err(ApiError::invalid_character());
        }
        let value = serde_json::from_slice(&body);
        value.map(Self).map_err(|error| {
            ApiError::bad_request("body_malformed", message!("api.request_invalid", detail = error.to_string()))
        })
    }
}

/// A query string; a malformed one is answered with an error in the envelope.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let axum::extract::Query(value) =
            axum::extract::Query::from_request_parts(parts, app).await.map_err(|rejection| {
                ApiError::bad_request(
                    "query_malformed",
                    message!("api.request_invalid", detail = rejection.body_text()),
                )
            })?;
        Ok(Self(value))
    }
}

/// Refuses a GET that changes something if another site, or a link on any page, made the browser send it, such as a
/// logout by an image tag. Browsers say where a request comes from; a caller that does not is not a browser, and has no
/// cookies of another person.
pub struct SameOrigin;

impl FromRequestParts<App> for SameOrigin {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let said = |name: &str| parts.headers.get(name).and_then(|value| value.to_str().ok());
        let ours = if let Some(site) = said("sec-fetch-site") {
            site == "same-origin" && said("sec-fetch-mode") != Some("navigate")
        } else {
            let url = app.config.public_url.as_str();
            let from_us = |text: &str| text == url || text.strip_prefix(url).is_some_and(|rest| rest.starts_with('/'));
            said("origin").or_else(|| said("referer")).is_none_or(from_us)
        };
        if ours { Ok(Self) } else { Err(ApiError::cross_site()) }
    }
}

/// The network address of the client, for limits only.
pub struct ClientIp(pub IpAddr);

impl FromRequestParts<App> for ClientIp {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        client_ip(app, &parts.headers, peer).map(Self).ok_or_else(ApiError::internal_silent)
    }
}

/// The network address of the client, as our proxy or the connection reports it.
pub fn client_ip(app: &App, headers: &http::HeaderMap, peer: Option<IpAddr>) -> Option<IpAddr> {
    let forwarded = app
        .config
        .rate_limits
        .trust_forwarded_for
        .then(|| headers.get("x-forwarded-for"))
        .flatten()
        // Our own proxy wrote the last entry; the client may have invented those before it.
        .and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
    forwarded.or(peer)
}
