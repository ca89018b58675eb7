//! The audit log.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::permissions::ReadAuditLog;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{NoStore, Query};
use crate::staff::audit;
use crate::staff::model::AuditEntry;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(get_audit))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct AuditQuery {
    /// Part of the seller's name or email address, of the action, or of the object's name or id.
    search: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100; the default is 50.
    limit: Option<u16>,
}

/// An entry of the audit log as the seller dashboard shows it.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = AuditEntry)]
struct AuditEntryResponse {
    #[serde(rename = "_id")]
    id: String,
    at: DateTime<Utc>,
    /// Name of the seller.
    seller: String,
    action: String,
    object: String,
    about: String,
    before: String,
    after: String,
}

impl From<AuditEntry> for AuditEntryResponse {
    fn from(row: AuditEntry) -> Self {
        Self {
            id: row.id,
            at: row.at,
            seller: row.seller,
            action: row.action,
            object: row.object,
            about: row.about,
            before: row.before,
            after: row.after,
        }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct AuditList {
    success: bool,
    message: &'static str,
    data: Vec<AuditEntryResponse>,
    /// Cursor of the next page; `null` on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// List audit entries, newest first.
#[utoipa::path(
    get, path = "/api/seller/get_audit", tag = "seller", params(AuditQuery), security(("seller" = ["audit.read"])),
    responses((status = 200, body = AuditList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_audit(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadAuditLog>,
    Query(query): Query<AuditQuery>,
) -> Result<NoStore<AuditList>, ApiError> {
    let search = query.search.unwrap_or_default();
    let page = audit::list_audit_entries(&app, &search, query.cursor.as_deref(), query.limit).await?;
    let data = page.rows.into_iter().map(AuditEntryResponse::from).collect();
    Ok(NoStore(AuditList { success: true, message: "", data, next_cursor: page.next_cursor }))
}
