//! The response of a failed call. Each module maps its own error enum to it, once and exhaustively.

use axum::Json;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, StatusCode, header};
use serde::Serialize;
use serde_json::Value;

use super::cache::CreationError;
use super::messages::{self, Message, message};

const DATABASE_UNAVAILABLE: &str = "database_unavailable";

#[derive(Debug, Clone)]
pub struct ApiError {
    status: StatusCode,
    code: &'static str,
    /// Sentences that follow each other.
    message: Vec<Message>,
    retry_after: Option<u64>,
    cause: Option<Box<str>>,
    data: Option<Box<Value>>,
    cookies: Box<[HeaderValue]>,
}

#[derive(Serialize, utoipa::ToSchema)]
pub struct ErrorBody {
    /// Always false.
    pub success: bool,
    /// Stable identifier for programs; never shown to people.
    #[schema(value_type = String)]
    pub code: &'static str,
    /// Message for people, in their language.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    pub message: Vec<Message>,
    /// Details that help the caller to correct the request, if there are any.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub data: Option<Value>,
}

impl ApiError {
    fn new(status: StatusCode, code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self {
            status,
            code,
            message: message.into(),
            retry_after: None,
            cause: None,
            data: None,
            cookies: Box::default(),
        }
    }

    pub fn invalid(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::UNPROCESSABLE_ENTITY, code, message)
    }

    pub fn not_found(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::NOT_FOUND, code, message)
    }

    pub fn conflict(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::CONFLICT, code, message)
    }

    pub fn forbidden(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::FORBIDDEN, code, message)
    }

    pub fn unauthorized(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::UNAUTHORIZED, code, message)
    }

    /// The caller's device is locked.
    pub fn locked(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::LOCKED, code, message)
    }

    pub fn cross_site() -> Self {
        metrics::counter!("csrf_rejected_total").increment(1);
        Self::forbidden("cross_site", message!("api.cross_site"))
    }

    pub fn bad_request(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::BAD_REQUEST, code, message)
    }

    /// The error for a text that contains NUL, which PostgreSQL cannot store.
    pub fn invalid_character() -> Self {
        Self::invalid("text_malformed", message!("api.invalid_character"))
    }

    pub fn too_large() -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "body_too_large", message!("api.body_too_large"))
    }

    pub fn payload_too_large(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, code, message)
    }

    /// A dependency is down or busy; a retry soon may succeed.
    pub fn unavailable(code: &'static str, message: impl Into<Vec<Message>>) -> Self {
        let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, code, message);
        error.retry_after = Some(5);
        error
    }

    /// Returns the message for people.
    pub fn into_message(self) -> Vec<Message> {
        self.message
    }

    /// Adds details that help the caller to correct the request.
    #[must_use]
    pub fn with_data(mut self, data: Value) -> Self {
        self.data = Some(Box::new(data));
        self
    }

    /// Adds cookies that the error response sets.
    #[must_use]
    pub fn with_cookies(mut self, cookies: Vec<HeaderValue>) -> Self {
        self.cookies = cookies.into();
        self
    }

    /// Adds the cause, for the log.
    #[must_use]
    pub fn with_cause(mut self, cause: &dyn std::error::Error) -> Self {
        self.cause = Some(error_chain(cause).into());
        self
    }

    pub fn method_not_allowed() -> Self {
        Self::new(StatusCode::METHOD_NOT_ALLOWED, "method_not_allowed", message!("api.method_not_allowed"))
    }

    pub fn method_unknown() -> Self {
        Self::new(StatusCode::NOT_IMPLEMENTED, "method_unknown", message!("api.method_unknown"))
    }

    pub fn rate_limited(retry_after_seconds: u64) -> Self {
        let mut error =
            Self::new(StatusCode::TOO_MANY_REQUESTS, "too_many_requests", message!("api.too_many_requests"));
        error.retry_after = Some(retry_after_seconds);
        error
    }

    /// The caller may be guessing passwords.
    pub fn too_many_attempts(retry_after_seconds: u64) -> Self {
        let mut error = Self::rate_limited(retry_after_seconds);
        error.message = message!("api.too_many_attempts", seconds = retry_after_seconds).into();
        error
    }

    /// There is more concurrent work than this machine should take on.
    pub fn busy() -> Self {
        let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "busy", message!("api.busy"));
        error.retry_after = Some(2);
        error
    }

    pub fn code(&self) -> &'static str {
        self.code
    }

    /// The handler did not finish in time; its work goes on, so the caller must not assume either outcome.
    pub fn timed_out() -> Self {
        let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, "timed_out", message!("api.timed_out"));
        error.retry_after = Some(2);
        error
    }

    /// The error for a fault of ours. The middleware logs the cause with the request's id.
    pub fn internal(cause: &dyn std::error::Error) -> Self {
        let mut error = Self::internal_silent();
        error.cause = Some(error_chain(cause).into());
        error
    }

    pub fn internal_silent() -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "internal", message!("api.internal"))
    }

    /// A database failure: contention, a statement that takes too long and an unavailable database are answered with
    /// 503, anything else is a bug and answered with 500.
    pub fn database(cause: &sqlx::Error) -> Self {
        if super::db::is_contention(cause) || super::db::is_statement_timeout(cause) {
            return Self::busy().with_cause(cause);
        }
        if !super::db::is_unavailable(cause) {
            return Self::internal(cause);
        }
        let mut error = Self::new(StatusCode::SERVICE_UNAVAILABLE, DATABASE_UNAVAILABLE, message!("api.internal"));
        error.retry_after = Some(2);
        error.with_cause(cause)
    }
}

impl CreationError for ApiError {
    fn is_database_unavailable(&self) -> bool {
        self.code == DATABASE_UNAVAILABLE
    }
}

/// Formats an error and its causes on one line.
fn error_chain(error: &dyn std::error::Error) -> String {
    let mut chain = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        chain.push_str(": ");
        chain.push_str(&cause.to_string());
        source = cause.source();
    }
    chain
}

/// The cause of a failed response, for the log and never for the client.
#[derive(Clone)]
pub struct Cause(pub String);

/// The code of an error response, for the security log.
#[derive(Clone, Copy)]
pub struct ErrorCode(pub &'static str);

impl IntoResponse for ApiError {
    fn into_response(self) -> Response {
        let body =
            ErrorBody { success: false, code: self.code, message: self.message, data: self.data.map(|data| *data) };
        let mut response = (self.status, Json(body)).into_response();
        response.headers_mut().insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
        response.extensions_mut().insert(ErrorCode(self.code));
        if let Some(cause) = self.cause {
            response.extensions_mut().insert(Cause(cause.into()));
        }
        for cookie in self.cookies.into_vec() {
            response.headers_mut().append(header::SET_COOKIE, cookie);
        }
        if let Some(seconds) = self.retry_after {
            response.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        response
    }
}
