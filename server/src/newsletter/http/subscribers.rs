//! The endpoints under `/api/subscriber/`: those of subscribers, and the seller's list.

use axum::body::Body;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Redirect};
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::newsletter::model::Subscriber;
use crate::newsletter::{subscribe, subscribers};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::language::Language;
use crate::platform::messages::message;
use crate::platform::permissions::{ExportSubscribers, ReadSubscribers};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Empty, Json, NoStore, PrivateResponse, Query, csv_headers};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(add_subscriber))
        .routes(routes!(confirm_subscription))
        .routes(routes!(unsubscribe_newsletter, open_newsletter_unsubscribe_page))
        .routes(routes!(get_subscribers))
        .routes(routes!(export_subscribers))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SubscribeRequest {
    email: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct SubscribeResponse {
    email: String,
}

/// Subscribe to the newsletter.
#[utoipa::path(
    post, path = "/api/subscriber/add_subscriber", tag = "newsletter", request_body = SubscribeRequest,
    responses((status = 200, body = ApiResponse<SubscribeResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_subscriber(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    headers: HeaderMap,
    Json(body): Json<SubscribeRequest>,
) -> Result<ApiResponse<SubscribeResponse>, ApiError> {
    app.limits.newsletter.check(address)?;
    let email = subscribe::subscribe(&app, &body.email, Language::from_headers(&headers)).await?;
    Ok(ApiResponse::with_message(SubscribeResponse { email }, message!("api.newsletter.subscribed")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ConfirmSubscriptionRequest {
    /// From the link in the email.
    token: String,
}

/// Confirm a subscription.
#[utoipa::path(
    post, path = "/api/subscriber/confirm", tag = "newsletter", request_body = ConfirmSubscriptionRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn confirm_subscription(
    State(app): State<App>,
    ClientIp(address): ClientIp,
    Json(body): Json<ConfirmSubscriptionRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    app.limits.newsletter.check(address)?;
    subscribe::confirm(&app, &body.token).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.newsletter.confirmed")))
}

/// End a subscription.
///
/// Mail programs call this without a session and without a page, as RFC 8058 says, so it does not have to come from our
/// own pages. The token is the permission.
#[utoipa::path(
    post, path = "/api/subscriber/unsubscribe/{id}", tag = "newsletter", params(("id" = String, Path, description = "Token from the email")),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn unsubscribe_newsletter(
    State(app): State<App>,
    Path(token): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    subscribe::unsubscribe(&app, &token).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.newsletter.unsubscribed")))
}

/// Open the page that ends a subscription.
///
/// Mail programs that do not know RFC 8058 open the address in a browser. That alone must not end the subscription,
/// because programs that check links open it too.
#[utoipa::path(
    get, path = "/api/subscriber/unsubscribe/{id}", tag = "newsletter", params(("id" = String, Path, description = "Token from the email")),
    responses((status = 303, description = "To the page"), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn open_newsletter_unsubscribe_page(Path(token): Path<String>) -> Redirect {
    // A token that is not one must not become a part of a URL.
    let token: Uuid = token.parse().unwrap_or_default();
    Redirect::to(&format!("/newsletter/unsubscribe#token={token}"))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct SubscribersQuery {
    /// Any part of an email address; case does not matter.
    search: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100; the default is 50.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Subscriber)]
struct SubscriberResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    email: String,
    language: String,
    created_at: DateTime<Utc>,
    /// `null` until the subscriber has opened the link in the email.
    #[schema(required)]
    confirmed_at: Option<DateTime<Utc>>,
}

impl From<Subscriber> for SubscriberResponse {
    fn from(row: Subscriber) -> Self {
        Self {
            id: row.id,
            email: row.email,
            language: row.language,
            created_at: row.created_at,
            confirmed_at: row.confirmed_at,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SubscriberList {
    success: bool,
    message: &'static str,
    data: Vec<SubscriberResponse>,
    /// Cursor of the next page; `null` on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// Number of all subscribers, regardless of the search.
    total: i64,
}

/// List the subscribers of the newsletter, newest first.
#[utoipa::path(
    get, path = "/api/subscriber/get_subscribers", tag = "newsletter", params(SubscribersQuery), security(("seller" = ["newsletter.read"])),
    responses((status = 200, body = SubscriberList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_subscribers(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadSubscribers>,
    Query(query): Query<SubscribersQuery>,
) -> Result<NoStore<SubscriberList>, ApiError> {
    let search = query.search.unwrap_or_default();
    let page = subscribers::list_subscribers(&app, &search, query.cursor.as_deref(), query.limit).await?;
    let subscribers::SubscriberPage { subscribers, next_cursor, total } = page;
    let data = subscribers.into_iter().map(SubscriberResponse::from).collect();
    Ok(NoStore(SubscriberList { success: true, message: "", data, next_cursor, total }))
}

/// Export all subscribers as a CSV file.
#[utoipa::path(
    get, path = "/api/subscriber/export_subscribers.csv", tag = "newsletter", security(("seller" = ["newsletter.export"])),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn export_subscribers(
    State(app): State<App>,
    Staff(session, _): Staff<ExportSubscribers>,
) -> Result<impl IntoResponse, ApiError> {
    let lines = subscribers::export_subscribers(app, session.person).await?;
    Ok((csv_headers("subscribers.csv"), Body::from_stream(lines)))
}
