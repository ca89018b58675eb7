//! Passwords and addresses that need a letter.

use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::{email_change, letters};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Done, Json, Private, Reply};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(forgot_password))
        .routes(routes!(reset_password))
        .routes(routes!(change_password))
        .routes(routes!(prove_password))
        .routes(routes!(confirm_email))
        .routes(routes!(cancel_email_change))
        .routes(routes!(resend_confirmation))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct Forgotten {
    email: String,
}

/// Ask for a letter to choose a new password. Says the same whether there is such an account or not.
#[utoipa::path(
    post, path = "/api/user/password/forgot", tag = "accounts", request_body = Forgotten,
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn forgot_password(
    State(app): State<App>,
    ClientAddress(from): ClientAddress,
    Json(body): Json<Forgotten>,
) -> Result<Private<Done>, ApiError> {
    letters::forgot(&app, &body.email, from).await?;
    Ok(Private::with(Done {}, "If this email has an account, a letter with a link is on its way."))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct Reset {
    token: String,
    #[schema(format = Password)]
    password: String,
}

/// Choose a new password by the link of a letter. Every session ends.
#[utoipa::path(
    post, path = "/api/user/password/reset", tag = "accounts", request_body = Reset,
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn reset_password(State(app): State<App>, Json(body): Json<Reset>) -> Result<Private<Done>, ApiError> {
    letters::reset(&app, &body.token, &body.password).await?;
    Ok(Private::with(Done {}, "Your password has been changed. Please log in."))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct Change {
    #[schema(format = Password)]
    current_password: String,
    #[schema(format = Password)]
    new_password: String,
}

/// Change the password. Every other session ends.
#[utoipa::path(
    post, path = "/api/user/password/change", tag = "accounts", security(("shopper" = [])), request_body = Change,
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn change_password(
    State(app): State<App>,
    Shopper(session): Shopper,
    headers: HeaderMap,
    Json(body): Json<Change>,
) -> Result<Private<Done>, ApiError> {
    let (current, new) = (&body.current_password, &body.new_password);
    let cookies = letters::change_password(&app, &session, current, new, &headers).await?;
    Ok(Private::with(Done {}, "Your password has been changed.").setting(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct PasswordProof {
    #[schema(format = Password)]
    password: String,
}

/// Give the password again, for calls that want a recent login: the session counts as a new one.
#[utoipa::path(
    post, path = "/api/user/password/prove", tag = "accounts", security(("shopper" = [])), request_body = PasswordProof,
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn prove_password(
    State(app): State<App>,
    Shopper(session): Shopper,
    Json(body): Json<PasswordProof>,
) -> Result<Private<Done>, ApiError> {
    let cookies = letters::prove_again(&app, &session, &body.password).await?;
    Ok(Private::ok(Done {}).setting(cookies))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct Confirmation {
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Confirmed {
    email: String,
}

/// Confirm an e-mail address by the link of a letter.
#[utoipa::path(
    post, path = "/api/user/email/confirm", tag = "accounts", request_body = Confirmation,
    responses((status = 200, body = Reply<Confirmed>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn confirm_email(State(app): State<App>, Json(body): Json<Confirmation>) -> Result<Private<Confirmed>, ApiError> {
    let email = letters::confirm(&app, &body.token).await?;
    Ok(Private::with(Confirmed { email }, "Your email address is confirmed."))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct Cancellation {
    token: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Cancelled {
    /// The address that the account has again.
    email: String,
}

/// Cancel a change of the email address by the link that was sent to the former one. Every session ends, identities that
/// were linked since are removed, and the password has to be chosen anew.
#[utoipa::path(
    post, path = "/api/user/email/cancel", tag = "accounts", request_body = Cancellation,
    responses((status = 200, body = Reply<Cancelled>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn cancel_email_change(
    State(app): State<App>,
    Json(body): Json<Cancellation>,
) -> Result<Private<Cancelled>, ApiError> {
    let email = email_change::cancel(&app, &body.token).await?;
    Ok(Private::with(Cancelled { email }, "The change of your email address was cancelled."))
}

/// Send the confirmation letter again.
#[utoipa::path(
    post, path = "/api/user/email/resend", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn resend_confirmation(State(app): State<App>, Shopper(session): Shopper) -> Result<Private<Done>, ApiError> {
    letters::confirm_again(&app, session.person).await?;
    Ok(Private::with(Done {}, "A new letter is on its way."))
}
