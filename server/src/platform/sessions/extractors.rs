//! The callers of the endpoints: a handler states in its signature who may call it, and everyone else is refused before
//! it runs.

use std::marker::PhantomData;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use http::request::Parts;
use serde_json::{Value, json};

use super::lifecycle::{find_session, find_staff_session, signed_out_error};
use super::model::{DeviceState, SecondFactor, Session, StaffSession};
use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::ApiError;
use crate::platform::cookies;
use crate::platform::ids::UserId;
use crate::platform::messages::message;
use crate::platform::permissions::{Permission, RequiredPermission};
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::state::App;

/// A signed-in shopper; without one the call is answered with 401.
pub struct Shopper(pub Session<UserId>);

/// A signed-in person who works in the shop and has the permission `P`. Without a session the call is answered with
/// 401; on a locked device with 423; and with 403 without the permission, while a temporary password has to be changed
/// or while a required second factor is not set up.
pub struct Staff<P>(pub StaffSession, pub PhantomData<P>);

/// The same, but the device may be locked, for calls that show nothing of what the lock protects.
pub struct StaffOrLocked<P>(pub StaffSession, pub PhantomData<P>);

/// A signed-in person who works in the shop and may still have to change a temporary password, for the calls that this
/// requires.
pub struct AnyStaff(pub StaffSession);

/// A signed-in person whose device may be locked, for the call that unlocks it.
pub struct LockedStaff(pub StaffSession);

impl FromRequestParts<App> for Shopper {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let now = app.clock.now();
        if let Some(session) = find_session(&app.db.main, AccountKind::Shopper, &parts.headers, now).await? {
            return Ok(Self(session.into_shopper()));
        }
        // This finds a person who is signed in as the other kind, so that the log names them.
        find_staff_session(&app.db.main, &parts.headers, now).await?;
        Err(refuse_signed_out(app, AccountKind::Shopper, parts).await)
    }
}

impl OptionalFromRequestParts<App> for Shopper {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, ApiError> {
        let found = find_session(&app.db.main, AccountKind::Shopper, &parts.headers, app.clock.now()).await?;
        Ok(found.map(|session| Self(session.into_shopper())))
    }
}

impl<P: RequiredPermission> FromRequestParts<App> for Staff<P> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let AnyStaff(session) = AnyStaff::from_request_parts(parts, app).await?;
        Ok(Self(require_permission(app, parts, session, P::PERMISSION).await?, PhantomData))
    }
}

impl<P: RequiredPermission> FromRequestParts<App> for StaffOrLocked<P> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let LockedStaff(session) = LockedStaff::from_request_parts(parts, app).await?;
        Ok(Self(require_permission(app, parts, session, P::PERMISSION).await?, PhantomData))
    }
}

/// Returns the session if it may do this now; a refusal is recorded.
async fn require_permission(
    app: &App,
    parts: &Parts,
    session: StaffSession,
    permission: Permission,
) -> Result<StaffSession, ApiError> {
    let refusal = if session.must_change_password {
        let message = message!("api.sellers.password_change_needed");
        Some((ApiError::forbidden("password_change_needed", message), "temporary password"))
    } else if must_set_up_second_factor(app, &session) && permission != Permission::SetUpSecondFactor {
        let message = message!("api.staff.second_factor_setup_needed");
        Some((ApiError::forbidden("second_factor_setup_needed", message), "no second factor"))
    } else {
        session.check(permission).err().map(|error| (error, permission.name()))
    };
    match refusal {
        None => Ok(session),
        Some((error, why)) => {
            let details = json!({ "why": why, "role": session.role.name() });
            record_refusal(app, parts, Actor::Seller(session.person), &details).await;
            Err(error)
        }
    }
}

/// Whether the shop requires a second factor that this person has not set up yet.
fn must_set_up_second_factor(app: &App, session: &StaffSession) -> bool {
    app.config.require_second_factor
        && session.role.requires_second_factor()
        && session.second_factor == SecondFactor::Unproved
}

impl FromRequestParts<App> for AnyStaff {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let LockedStaff(session) = LockedStaff::from_request_parts(parts, app).await?;
        if session.device == DeviceState::Locked {
            return Err(ApiError::locked("locked", message!("api.staff.locked")));
        }
        Ok(Self(session))
    }
}

impl FromRequestParts<App> for LockedStaff {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, ApiError> {
        let now = app.clock.now();
        if let Some(session) = find_staff_session(&app.db.main, &parts.headers, now).await? {
            return Ok(Self(session));
        }
        find_session(&app.db.main, AccountKind::Shopper, &parts.headers, now).await?;
        Err(refuse_signed_out(app, AccountKind::Seller, parts).await)
    }
}

/// Records the refusal of a call that requires a session of this kind.
async fn refuse_signed_out(app: &App, kind: AccountKind, parts: &Parts) -> ApiError {
    let details = json!({ "wants": kind.name(), "cookie": cookies::read(&parts.headers, kind.cookie()).is_some() });
    record_refusal(app, parts, Actor::Visitor, &details).await;
    signed_out_error()
}

async fn record_refusal(app: &App, parts: &Parts, who: Actor, details: &Value) {
    let wanted = format!("{} {}", parts.method, parts.uri.path());
    security_log::record_refusal(&app.db.main, SecurityEventKind::AccessDenied, who, &wanted, details).await;
}
