//! The envelope of the contract and the extractors that answer in it.

use std::net::{IpAddr, SocketAddr};

use axum::extract::{ConnectInfo, FromRequest, FromRequestParts, Request};
use axum::response::{IntoResponse, Response};
use http::request::Parts;
use http_body_util::{BodyExt, LengthLimitError, Limited};
use serde::Serialize;
use serde::de::DeserializeOwned;

use super::api_error::ApiError;
use super::state::App;

/// `{success, message, data}`: what every successful call answers. `data` is always there.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Reply<T> {
    pub success: bool,
    pub message: String,
    pub data: T,
}

impl<T: Serialize> Reply<T> {
    pub fn ok(data: T) -> Self {
        Self::with(data, "")
    }

    pub fn with(data: T, message: &str) -> Self {
        Self { success: true, message: message.to_owned(), data }
    }
}

impl<T: Serialize> IntoResponse for Reply<T> {
    fn into_response(self) -> Response {
        axum::Json(self).into_response()
    }
}

/// A JSON body of a reasonable size; a malformed one is answered in the envelope too.
pub struct Json<T>(pub T);

/// No call of the contract carries more than a page of text as JSON; pictures come as multipart.
const MAX_JSON: usize = 64 * 1024;

impl<T: DeserializeOwned> FromRequest<App> for Json<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _app: &App) -> Result<Self, ApiError> {
        let kind = request.headers().get(http::header::CONTENT_TYPE);
        if !kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/json")) {
            return Err(ApiError::bad_request("body_malformed", "This call wants JSON."));
        }
        let body = Limited::new(request.into_body(), MAX_JSON).collect().await.map_err(|error| {
            if error.is::<LengthLimitError>() {
                ApiError::too_large()
            } else {
                ApiError::bad_request("body_malformed", "The request ended too early.")
            }
        })?;
        let value = serde_json::from_slice(&body.to_bytes());
        value.map(Self).map_err(|error| ApiError::bad_request("body_malformed", error))
    }
}

/// A query string; likewise.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<App> for Query<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let axum::extract::Query(value) = axum::extract::Query::from_request_parts(parts, app)
            .await
            .map_err(|rejection| ApiError::bad_request("query_malformed", rejection.body_text()))?;
        Ok(Self(value))
    }
}

/// The address a call came from, for limits only.
pub struct ClientAddress(pub IpAddr);

impl FromRequestParts<App> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let forwarded = app
            .config
            .rate
            .trust_forwarded_for
            .then(|| parts.headers.get("x-forwarded-for"))
            .flatten()
            // The last entry is the one our own proxy wrote; those before it are the client's word.
            .and_then(|value| value.to_str().ok()?.rsplit(',').next()?.trim().parse().ok());
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip());
        forwarded.or(peer).map(Self).ok_or_else(ApiError::internal_silent)
    }
}

/// The language the shopper chose, from the `lang` cookie; English unless it says Nepali.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Language {
    English,
    Nepali,
}

impl Language {
    pub const fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Nepali => "ne",
        }
    }

    pub fn of(headers: &http::HeaderMap) -> Self {
        let nepali = headers
            .get_all(http::header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .any(|cookie| cookie.trim() == "lang=ne");
        if nepali { Self::Nepali } else { Self::English }
    }
}
