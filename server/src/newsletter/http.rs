//! The endpoints under `/api/subscriber/`.

use axum::body::Body;
use axum::extract::State;
use axum::response::IntoResponse;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::model::Subscriber;
use super::subscribers;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::language::Language;
use crate::platform::messages::message;
use crate::platform::permissions::{ExportSubscribers, ReadSubscribers};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, ClientIp, Json, NoStore, Query, csv_headers};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(add_subscriber))
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
    let email = super::subscribe(&app.db.main, &body.email, Language::from_headers(&headers)).await?;
    Ok(ApiResponse::with_message(SubscribeResponse { email }, message!("api.newsletter.subscribed")))
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
}

impl From<Subscriber> for SubscriberResponse {
    fn from(row: Subscriber) -> Self {
        Self { id: row.id, email: row.email, language: row.language, created_at: row.created_at }
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
