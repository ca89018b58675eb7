//! The people who work in the shop.

use axum::extract::State;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::{AssignRiders, ManageStaff, ReadStaff, Role};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, Json, PrivateResponse};
use crate::staff::model::{Invitation, Member};
use crate::staff::{SellerError, members, store};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(list_staff))
        .routes(routes!(list_riders))
        .routes(routes!(change_role))
        .routes(routes!(set_disabled))
        .routes(routes!(reset_second_factor))
}

pub fn parse_role(role: &str) -> Result<Role, SellerError> {
    Role::from_name(role).ok_or(SellerError::RoleInvalid)
}

#[derive(Serialize, utoipa::ToSchema)]
struct StaffList {
    members: Vec<StaffMember>,
    /// Invitations that were not accepted yet.
    invitations: Vec<StaffInvitation>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffMember {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
    email: String,
    /// `owner`, `manager`, `packer` or `rider`.
    role: &'static str,
    second_factor: bool,
    disabled: bool,
    /// Whether this is the caller.
    current: bool,
    created_at: DateTime<Utc>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct StaffInvitation {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
    email: String,
    /// `owner`, `manager`, `packer` or `rider`.
    role: &'static str,
    expires_at: DateTime<Utc>,
}

impl StaffMember {
    fn new(member: Member, caller: Uuid) -> Self {
        Self {
            id: member.id,
            name: member.name,
            email: member.email,
            role: member.role.name(),
            second_factor: member.has_second_step,
            disabled: member.is_disabled,
            current: member.id == caller,
            created_at: member.created_at,
        }
    }
}

impl From<Invitation> for StaffInvitation {
    fn from(invitation: Invitation) -> Self {
        Self {
            id: invitation.id,
            name: invitation.name,
            email: invitation.email,
            role: invitation.role.name(),
            expires_at: invitation.expires_at,
        }
    }
}

/// List the people who work in the shop, and open invitations.
#[utoipa::path(
    get, path = "/api/seller/staff", tag = "seller", security(("seller" = ["staff.read"])),
    responses((status = 200, body = ApiResponse<StaffList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_staff(
    State(app): State<App>,
    Staff(session, _): Staff<ReadStaff>,
) -> Result<PrivateResponse<StaffList>, ApiError> {
    let members = store::list_members(&app.db.main).await.map_err(SellerError::from)?;
    let invitations = store::list_invitations(&app.db.main, app.clock.now()).await.map_err(SellerError::from)?;
    Ok(PrivateResponse::ok(StaffList {
        members: members.into_iter().map(|member| StaffMember::new(member, session.person)).collect(),
        invitations: invitations.into_iter().map(StaffInvitation::from).collect(),
    }))
}

#[derive(Serialize, utoipa::ToSchema)]
struct Rider {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
}

/// List the riders whom an order can be assigned to.
#[utoipa::path(
    get, path = "/api/seller/riders", tag = "seller", security(("seller" = ["orders.assign_rider"])),
    responses((status = 200, body = ApiResponse<Vec<Rider>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn list_riders(
    State(app): State<App>,
    Staff(_session, _): Staff<AssignRiders>,
) -> Result<PrivateResponse<Vec<Rider>>, ApiError> {
    let riders = store::list_active(&app.db.main, Role::Rider).await.map_err(SellerError::from)?;
    Ok(PrivateResponse::ok(riders.into_iter().map(|(id, name)| Rider { id, name }).collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ChangeRoleRequest {
    id: Uuid,
    /// `owner`, `manager`, `packer` or `rider`.
    role: String,
}

/// Change a person's role.
///
/// Their sessions end. A manager can do this for packers and riders only.
#[utoipa::path(
    put, path = "/api/seller/staff/role", tag = "seller", request_body = ChangeRoleRequest, security(("seller" = ["staff.manage"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn change_role(
    State(app): State<App>,
    Staff(session, _): Staff<ManageStaff>,
    Json(body): Json<ChangeRoleRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    members::change_role(&app, &session, body.id, parse_role(&body.role)?).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.staff.role_changed")))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct SetDisabledRequest {
    id: Uuid,
    disabled: bool,
}

/// Disable a person's account, or enable it again.
///
/// Their sessions end.
#[utoipa::path(
    put, path = "/api/seller/staff/disabled", tag = "seller", request_body = SetDisabledRequest, security(("seller" = ["staff.manage"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn set_disabled(
    State(app): State<App>,
    Staff(session, _): Staff<ManageStaff>,
    Json(body): Json<SetDisabledRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    members::set_disabled(&app, &session, body.id, body.disabled).await?;
    let message = if body.disabled { message!("api.staff.disabled") } else { message!("api.staff.enabled") };
    Ok(PrivateResponse::with_message(Empty {}, message))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ResetSecondFactorRequest {
    id: Uuid,
}

/// Remove the second factor of a person who has lost it.
///
/// Their sessions end.
#[utoipa::path(
    post, path = "/api/seller/staff/reset_second_factor", tag = "seller", request_body = ResetSecondFactorRequest, security(("seller" = ["staff.manage"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn reset_second_factor(
    State(app): State<App>,
    Staff(session, _): Staff<ManageStaff>,
    Json(body): Json<ResetSecondFactorRequest>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    members::reset_second_factor(&app, &session, body.id).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.staff.second_factor_reset")))
}
