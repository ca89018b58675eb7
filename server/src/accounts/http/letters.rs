//! Passwords and addresses that need a letter.

use axum::extract::State;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::letters;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::sessions::Shopper;
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Done, Json, Private, Reply};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(forgot_password))
        .routes(routes!(reset_password))
        .routes(routes!(change_password))
        .routes(routes!(confirm_email))
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
    Json(body): Json<Change>,
) -> Result<Private<Done>, ApiError> {
    let cookies = letters::change_password(&app, &session, &body.current_password, &body.new_password).await?;
    Ok(Private::with(Done {}, "Your password has been changed.").setting(cookies))
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

/// Send the confirmation letter again.
#[utoipa::path(
    post, path = "/api/user/email/resend", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn resend_confirmation(State(app): State<App>, Shopper(session): Shopper) -> Result<Private<Done>, ApiError> {
    letters::confirm_again(&app, session.person).await?;
    Ok(Private::with(Done {}, "A new letter is on its way."))
}
