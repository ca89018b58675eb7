//! Invitations to work in the shop.

use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::members::parse_role;
use super::profile::SellerProfile;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::ManageStaff;
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};
use crate::staff::invitations;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(invite))
        .routes(routes!(resend_invitation))
        .routes(routes!(revoke_invitation))
        .routes(routes!(get_invitation))
        .routes(routes!(accept_invitation))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct InviteRequest {
    email: String,
    name: String,
    /// `owner`, `manager`, `packer` or `rider`.
    role: String,
}

/// Invite a person to work in the shop.
///
/// They get an email with a link that works once and for 72 hours. A manager can invite packers and riders only.
#[utoipa::path(
    post, path = "/api/seller/staff/invite", tag = "seller", request_body = InviteRequest, security(("seller" = ["staff.manage"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn invite(
    State(app): State<App>,
    Staff(session, _): Staff<ManageStaff>,
    headers: HeaderMap,
    Json(body): Json<InviteRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    invitations::invite(&app, &session, &body.email, &body.name, parse_role(&body.role)?, &headers).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.staff.invited")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct InvitationIdRequest {
    id: Uuid,
}

/// Send an invitation again, with a new link.
#[utoipa::path(
    post, path = "/api/seller/staff/resend_invitation", tag = "seller", request_body = InvitationIdRequest, security(("seller" = ["staff.manage"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn resend_invitation(
    State(app): State<App>,
    Staff(session, _): Staff<ManageStaff>,
    Json(body): Json<InvitationIdRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    invitations::resend(&app, &session, body.id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.staff.invited")))
}

/// Revoke an invitation.
#[utoipa::path(
    post, path = "/api/seller/staff/revoke_invitation", tag = "seller", request_body = InvitationIdRequest, security(("seller" = ["staff.manage"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn revoke_invitation(
    State(app): State<App>,
    Staff(session, _): Staff<ManageStaff>,
    Json(body): Json<InvitationIdRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    invitations::revoke(&app, &session, body.id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.staff.invitation_revoked")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct InvitationTokenRequest {
    /// The token of the link in the email.
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct InvitationDetails {
    email: String,
    name: String,
    /// `owner`, `manager`, `packer` or `rider`.
    role: &'static str,
}

/// Get the invitation of a link.
#[utoipa::path(
    post, path = "/api/seller/invitation/get", tag = "seller", request_body = InvitationTokenRequest,
    responses((status = 200, body = ApiResponse<InvitationDetails>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_invitation(
    State(app): State<App>,
    Json(body): Json<InvitationTokenRequest>,
) -> Result<PrivateResponse<InvitationDetails>, ApiError> {
    let found = invitations::find(&app, &body.token).await?;
    let (email, name, role) = (found.email, found.name, found.role.name());
    Ok(PrivateResponse::ok(InvitationDetails { email, name, role }))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct AcceptInvitationRequest {
    /// The token of the link in the email.
    token: String,
    name: String,
    /// At least 12 characters.
    #[schema(format = Password)]
    password: String,
}

/// Accept an invitation with a name and a password, and sign in.
#[utoipa::path(
    post, path = "/api/seller/invitation/accept", tag = "seller", request_body = AcceptInvitationRequest,
    responses((status = 200, body = ApiResponse<SellerProfile>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn accept_invitation(
    State(app): State<App>,
    headers: HeaderMap,
    Json(body): Json<AcceptInvitationRequest>,
) -> Result<PrivateResponse<SellerProfile>, ApiError> {
    let (profile, cookies) = invitations::accept(&app, &body.token, &body.name, &body.password, &headers).await?;
    let profile = SellerProfile::new(&app, profile);
    Ok(PrivateResponse::with_message(profile, message!("api.logged_in")).with_cookies(cookies))
}
