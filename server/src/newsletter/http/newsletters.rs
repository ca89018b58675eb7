//! The endpoints under `/api/newsletter/`: writing and sending newsletters.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::newsletter::compose::{self, Draft, NewsletterOverview};
use crate::newsletter::model::{Newsletter, NewsletterError};
use crate::newsletter::send::{self, NewsletterAction};
use crate::newsletter::subscribe;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::language::Language;
use crate::platform::messages::message;
use crate::platform::permissions::{ReadSubscribers, SendNewsletters};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_newsletters))
        .routes(routes!(save_newsletter))
        .routes(routes!(delete_newsletter))
        .routes(routes!(preview_newsletter))
        .routes(routes!(send_test_newsletter))
        .routes(routes!(change_newsletter))
        .routes(routes!(ask_unconfirmed))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Newsletter)]
struct NewsletterResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `draft`, `sending`, `paused`, `sent` or `cancelled`.
    state: String,
    subject: String,
    subject_ne: String,
    /// Markdown.
    body: String,
    body_ne: String,
    created_at: DateTime<Utc>,
    updated_at: DateTime<Utc>,
    #[schema(required)]
    started_at: Option<DateTime<Utc>>,
    #[schema(required)]
    finished_at: Option<DateTime<Utc>>,
    queued: i64,
    sent: i64,
    failed: i64,
    unsubscribed: i64,
}

impl From<Newsletter> for NewsletterResponse {
    fn from(row: Newsletter) -> Self {
        Self {
            id: row.id,
            state: row.state,
            subject: row.subject,
            subject_ne: row.subject_ne,
            body: row.body,
            body_ne: row.body_ne,
            created_at: row.created_at,
            updated_at: row.updated_at,
            started_at: row.started_at,
            finished_at: row.finished_at,
            queued: row.queued,
            sent: row.sent,
            failed: row.failed,
            unsubscribed: row.unsubscribed,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct NewsletterList {
    newsletters: Vec<NewsletterResponse>,
    /// How many subscribers would get the next one.
    confirmed: i64,
    /// How many subscribed before confirmations existed and have not been asked to confirm.
    unasked: i64,
    /// When the next one may be sent; `null` is now.
    #[schema(required)]
    next_at: Option<DateTime<Utc>>,
}

impl From<NewsletterOverview> for NewsletterList {
    fn from(overview: NewsletterOverview) -> Self {
        Self {
            newsletters: overview.newsletters.into_iter().map(NewsletterResponse::from).collect(),
            confirmed: overview.confirmed,
            unasked: overview.unasked,
            next_at: overview.next_at,
        }
    }
}

/// List the newsletters with their progress, newest first.
#[utoipa::path(
    get, path = "/api/newsletter/get_newsletters", tag = "newsletter", security(("seller" = ["newsletter.read"])),
    responses((status = 200, body = ApiResponse<NewsletterList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_newsletters(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadSubscribers>,
) -> Result<PrivateResponse<NewsletterList>, ApiError> {
    Ok(PrivateResponse::ok(compose::list(&app).await?.into()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SaveNewsletterRequest {
    /// The draft that is changed; without it, a new one is created.
    #[serde(rename = "_id")]
    id: Option<Uuid>,
    subject: String,
    subject_ne: String,
    /// Markdown.
    body: String,
    body_ne: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct SavedNewsletter {
    #[serde(rename = "_id")]
    id: Uuid,
}

/// Save a draft of a newsletter.
#[utoipa::path(
    post, path = "/api/newsletter/save_newsletter", tag = "newsletter", security(("seller" = ["newsletter.send"])), request_body = SaveNewsletterRequest,
    responses((status = 200, body = ApiResponse<SavedNewsletter>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn save_newsletter(
    State(app): State<App>,
    Staff(session, _): Staff<SendNewsletters>,
    Json(body): Json<SaveNewsletterRequest>,
) -> Result<PrivateResponse<SavedNewsletter>, ApiError> {
    let draft = Draft { subject: body.subject, subject_ne: body.subject_ne, body: body.body, body_ne: body.body_ne };
    let id = compose::save_draft(&app, session.person, body.id, draft).await?;
    Ok(PrivateResponse::with_message(SavedNewsletter { id }, message!("api.newsletter.saved")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct NewsletterIdRequest {
    #[serde(rename = "_id")]
    id: Uuid,
}

/// Delete a draft.
#[utoipa::path(
    post, path = "/api/newsletter/delete_newsletter", tag = "newsletter", security(("seller" = ["newsletter.send"])), request_body = NewsletterIdRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_newsletter(
    State(app): State<App>,
    Staff(session, _): Staff<SendNewsletters>,
    Json(body): Json<NewsletterIdRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    compose::delete_draft(&app, session.person, body.id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.newsletter.deleted")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct PreviewNewsletterRequest {
    subject: String,
    /// Markdown.
    body: String,
    /// `en` or `ne`.
    language: String,
}

/// The parts of the email that a reader would get.
#[derive(Serialize, utoipa::ToSchema)]
struct NewsletterPreview {
    brand: String,
    subject: String,
    greeting: String,
    /// Sanitised HTML.
    html: String,
    closing: String,
    /// Why the reader gets it, and how to unsubscribe.
    note: String,
    unsubscribe: String,
}

/// Render a newsletter as the email that its readers would get.
#[utoipa::path(
    post, path = "/api/newsletter/preview", tag = "newsletter", security(("seller" = ["newsletter.send"])), request_body = PreviewNewsletterRequest,
    responses((status = 200, body = ApiResponse<NewsletterPreview>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn preview_newsletter(
    State(app): State<App>,
    Staff(_session, _): Staff<SendNewsletters>,
    Json(body): Json<PreviewNewsletterRequest>,
) -> Result<PrivateResponse<NewsletterPreview>, ApiError> {
    let shown = compose::preview(&app, &body.subject, &body.body, Language::from_code(&body.language)).await?;
    Ok(PrivateResponse::ok(NewsletterPreview {
        brand: shown.brand,
        subject: shown.subject,
        greeting: shown.greeting,
        html: shown.html,
        closing: shown.closing,
        note: shown.note,
        unsubscribe: shown.unsubscribe,
    }))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct TestNewsletterRequest {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `en` or `ne`.
    language: String,
}

/// Send a newsletter to oneself only.
#[utoipa::path(
    post, path = "/api/newsletter/send_test", tag = "newsletter", security(("seller" = ["newsletter.send"])), request_body = TestNewsletterRequest,
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn send_test_newsletter(
    State(app): State<App>,
    Staff(session, _): Staff<SendNewsletters>,
    Json(body): Json<TestNewsletterRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let email = compose::send_test(&app, session.person, body.id, Language::from_code(&body.language)).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.newsletter.test_sent", email = email)))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ChangeNewsletterRequest {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `send`, `pause`, `resume` or `cancel`.
    action: String,
}

/// Send a newsletter to all confirmed subscribers, or pause, resume or cancel it.
#[utoipa::path(
    post, path = "/api/newsletter/change_newsletter", tag = "newsletter", security(("seller" = ["newsletter.send"])), request_body = ChangeNewsletterRequest,
    responses((status = 200, body = ApiResponse<NewsletterResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn change_newsletter(
    State(app): State<App>,
    Staff(session, _): Staff<SendNewsletters>,
    Json(body): Json<ChangeNewsletterRequest>,
) -> Result<PrivateResponse<NewsletterResponse>, ApiError> {
    let action = NewsletterAction::from_name(&body.action).ok_or(NewsletterError::WrongState)?;
    let newsletter = send::change_state(&app, session.person, body.id, action).await?;
    let said = match action {
        NewsletterAction::Send => message!("api.newsletter.started", n = newsletter.queued),
        NewsletterAction::Pause => message!("api.newsletter.paused"),
        NewsletterAction::Resume => message!("api.newsletter.resumed"),
        NewsletterAction::Cancel => message!("api.newsletter.cancelled"),
    };
    Ok(PrivateResponse::with_message(newsletter.into(), said))
}

/// Ask the subscribers to confirm who subscribed before confirmations existed.
#[utoipa::path(
    post, path = "/api/newsletter/ask_unconfirmed", tag = "newsletter", security(("seller" = ["newsletter.send"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn ask_unconfirmed(
    State(app): State<App>,
    Staff(_session, _): Staff<SendNewsletters>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    let asked = subscribe::ask_unconfirmed(&app).await?;
    let asked = i64::try_from(asked).unwrap_or(i64::MAX);
    Ok(PrivateResponse::with_message(Empty {}, message!("api.newsletter.asked", n = asked)))
}
