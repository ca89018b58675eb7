//! The endpoints under `/api/policy/`.

use axum::extract::{Path, State};
use axum::response::Response;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::edit::{self, EditablePage, NamedVersion};
use super::model::{Consent, MAX_TEXT_LENGTH, PolicyError, PolicyKind, PolicyPage};
use super::page;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::cache::CachedResponse;
use crate::platform::markdown;
use crate::platform::messages::message;
use crate::platform::permissions::{EditSettings, ReadSettings};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};
use crate::shop::ShopError;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_policy))
        .routes(routes!(get_policies))
        .routes(routes!(get_policy_versions))
        .routes(routes!(save_policy))
        .routes(routes!(reset_policy))
        .routes(routes!(preview_text))
}

/// A page as its readers see it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = PolicyPage)]
pub struct PolicyPageResponse {
    /// `privacy`, `terms`, `returns`, `delivery` or `about`.
    pub page: &'static str,
    /// Zero until the page is edited for the first time.
    pub version: i32,
    /// `null` for the template.
    #[schema(required)]
    pub updated_at: Option<DateTime<Utc>>,
    /// Sanitised HTML.
    pub html: String,
    pub html_ne: String,
}

impl From<PolicyPage> for PolicyPageResponse {
    fn from(page: PolicyPage) -> Self {
        Self {
            page: page.kind.name(),
            version: page.version,
            updated_at: page.updated_at,
            html: markdown::to_html(&page.text),
            html_ne: markdown::to_html(&page.text_ne),
        }
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ConsentResponse {
    page: String,
    version: i32,
    agreed_at: DateTime<Utc>,
}

impl From<Consent> for ConsentResponse {
    fn from(consent: Consent) -> Self {
        Self { page: consent.page, version: consent.version, agreed_at: consent.agreed_at }
    }
}

fn parse_kind(name: &str) -> Result<PolicyKind, PolicyError> {
    PolicyKind::from_name(name).ok_or(PolicyError::NotFound)
}

/// Get a policy page.
#[utoipa::path(
    get, path = "/api/policy/get_policy/{id}", tag = "policies", params(("id" = String, Path, description = "Name of the page")),
    responses((status = 200, body = ApiResponse<PolicyPageResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_policy(
    State(app): State<App>,
    Path(page): Path<String>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let kind = parse_kind(&page)?;
    let key = format!("/api/policy/get_policy/{}", kind.name());
    let make = async || {
        let page = PolicyPageResponse::from(page::load(&app, kind).await?);
        CachedResponse::json("/api/policy/get_policy/{id}", &ApiResponse::ok(page)).map_err(|_| ShopError::Unreadable)
    };
    Ok(app.cache.get(&key, make).await?.respond(&headers).await)
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct EditablePolicy {
    page: &'static str,
    version: i32,
    #[schema(required)]
    updated_at: Option<DateTime<Utc>>,
    /// Whether the page shows its template.
    is_template: bool,
    /// Markdown.
    text: String,
    text_ne: String,
    /// The template, filled with the shop's settings.
    template: String,
    template_ne: String,
}

impl From<EditablePage> for EditablePolicy {
    fn from(found: EditablePage) -> Self {
        let EditablePage { page, template, template_ne } = found;
        Self {
            page: page.kind.name(),
            version: page.version,
            updated_at: page.updated_at,
            is_template: page.is_template,
            text: page.text,
            text_ne: page.text_ne,
            template,
            template_ne,
        }
    }
}

/// List the policy pages with their texts, to edit them.
#[utoipa::path(
    get, path = "/api/policy/get_policies", tag = "policies", security(("seller" = ["settings.read"])),
    responses((status = 200, body = ApiResponse<Vec<EditablePolicy>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_policies(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadSettings>,
) -> Result<PrivateResponse<Vec<EditablePolicy>>, ApiError> {
    let pages = edit::list_pages(&app).await?;
    Ok(PrivateResponse::ok(pages.into_iter().map(EditablePolicy::from).collect()))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct PolicyVersion {
    version: i32,
    author: String,
    created_at: DateTime<Utc>,
    /// `null` if this version is a reset to the template.
    #[schema(required)]
    text: Option<String>,
    #[schema(required)]
    text_ne: Option<String>,
}

impl From<NamedVersion> for PolicyVersion {
    fn from(NamedVersion { row, author }: NamedVersion) -> Self {
        Self { version: row.version, author, created_at: row.created_at, text: row.text, text_ne: row.text_ne }
    }
}

/// List the saved versions of a policy page, newest first.
#[utoipa::path(
    get, path = "/api/policy/get_versions/{id}", tag = "policies", security(("seller" = ["settings.read"])),
    params(("id" = String, Path, description = "Name of the page")),
    responses((status = 200, body = ApiResponse<Vec<PolicyVersion>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_policy_versions(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadSettings>,
    Path(page): Path<String>,
) -> Result<PrivateResponse<Vec<PolicyVersion>>, ApiError> {
    let versions = edit::list_versions(&app, parse_kind(&page)?).await?;
    Ok(PrivateResponse::ok(versions.into_iter().map(PolicyVersion::from).collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SavePolicyRequest {
    page: String,
    /// The version that the editor has seen.
    version: i32,
    /// Markdown.
    text: String,
    text_ne: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct SavedPolicy {
    version: i32,
}

/// Save a new version of a policy page.
#[utoipa::path(
    put, path = "/api/policy/save_policy", tag = "policies", security(("seller" = ["settings.edit"])), request_body = SavePolicyRequest,
    responses((status = 200, body = ApiResponse<SavedPolicy>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn save_policy(
    State(app): State<App>,
    Staff(session, _): Staff<EditSettings>,
    Json(body): Json<SavePolicyRequest>,
) -> Result<PrivateResponse<SavedPolicy>, ApiError> {
    let kind = parse_kind(&body.page)?;
    let texts = Some((body.text, body.text_ne));
    let version = edit::save_version(&app, session.person, kind, body.version, texts).await?;
    Ok(PrivateResponse::with_message(SavedPolicy { version }, message!("api.policies.saved")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ResetPolicyRequest {
    page: String,
    /// The version that the editor has seen.
    version: i32,
}

/// Reset a policy page to its template; the versions before stay.
#[utoipa::path(
    post, path = "/api/policy/reset_policy", tag = "policies", security(("seller" = ["settings.edit"])), request_body = ResetPolicyRequest,
    responses((status = 200, body = ApiResponse<SavedPolicy>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn reset_policy(
    State(app): State<App>,
    Staff(session, _): Staff<EditSettings>,
    Json(body): Json<ResetPolicyRequest>,
) -> Result<PrivateResponse<SavedPolicy>, ApiError> {
    let kind = parse_kind(&body.page)?;
    let version = edit::save_version(&app, session.person, kind, body.version, None).await?;
    Ok(PrivateResponse::with_message(SavedPolicy { version }, message!("api.policies.reset")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct PreviewRequest {
    /// Markdown.
    text: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct TextPreview {
    /// Sanitised HTML.
    html: String,
}

/// Render a text as its readers will see it.
#[utoipa::path(
    post, path = "/api/policy/preview", tag = "policies", security(("seller" = ["settings.read"])), request_body = PreviewRequest,
    responses((status = 200, body = ApiResponse<TextPreview>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn preview_text(
    Staff(_session, _): Staff<ReadSettings>,
    Json(body): Json<PreviewRequest>,
) -> Result<PrivateResponse<TextPreview>, ApiError> {
    if body.text.chars().count() > MAX_TEXT_LENGTH {
        return Err(PolicyError::TextTooLong.into());
    }
    Ok(PrivateResponse::ok(TextPreview { html: markdown::to_html(&body.text) }))
}
