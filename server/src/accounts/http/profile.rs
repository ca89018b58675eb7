//! The profile, and leaving.

use axum::Extension;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::header;
use serde::Deserialize;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::accounts::profile::{Edit, update};
use crate::accounts::{AddressBook, Shares, User, leave};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Fields, Form};
use crate::platform::sessions::{self, Kind, Shopper};
use crate::platform::state::App;
use crate::platform::web::{Done, Json, Private, Reply};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(update_profile)).routes(routes!(export)).routes(routes!(delete))
}

/// Only for the document: the form is read as it streams in.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the form")]
struct Profile {
    name: String,
    email: String,
    phone: String,
    address: String,
    #[schema(value_type = Option<String>, format = Binary)]
    image: Option<Vec<u8>>,
    /// 'true' takes the photo away.
    remove_image: Option<String>,
    /// Wanted for a new email address, unless the login was within the last ten minutes.
    #[schema(format = Password)]
    current_password: Option<String>,
}

const PROFILE: Fields =
    Fields { texts: &["name", "email", "phone", "address", "removeImage", "currentPassword"], files: &["image"] };

/// Change the profile; the address is the default entry of the address book. A new e-mail address takes effect once the link sent to it has been opened.
#[utoipa::path(
    put, path = "/api/user/updateProfile", tag = "accounts", security(("shopper" = [])),
    request_body(content = Profile, content_type = "multipart/form-data"),
    responses((status = 200, body = Reply<User>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_profile(
    State(app): State<App>,
    Shopper(session): Shopper,
    Extension(book): Extension<AddressBook>,
    request: Request,
) -> Result<Private<User>, ApiError> {
    let headers = request.headers().clone();
    let mut form = Form::read(request, &PROFILE).await?;
    let photo = form.file("image");
    let edit = Edit {
        name: form.text("name"),
        email: form.text("email"),
        phone: form.text("phone"),
        address: form.text("address"),
        photo,
        remove_photo: form.text("removeImage") == "true",
        current_password: form.text("currentPassword"),
    };
    let user = update(&app, &session, edit, book, &headers).await?;
    Ok(Private::with(user, "Profile updated successfully!"))
}

/// Everything the shop knows about the person, as a file. Wants a recent login.
#[utoipa::path(
    get, path = "/api/user/export", tag = "accounts", security(("shopper" = [])),
    responses((status = 200, body = Object), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn export(
    State(app): State<App>,
    Shopper(session): Shopper,
    Extension(shares): Extension<Shares>,
) -> Result<Response, ApiError> {
    let document = leave::export(&app, &session, shares).await?;
    let headers = [
        (header::CONTENT_DISPOSITION, "attachment; filename=\"thunse-account.json\""),
        (header::CACHE_CONTROL, "no-store"),
    ];
    Ok((headers, axum::Json(document)).into_response())
}

#[derive(Deserialize, utoipa::ToSchema)]
struct Farewell {
    /// Of the account, if it has one.
    #[schema(format = Password)]
    password: Option<String>,
}

/// Delete the account. Orders stay, without the person.
#[utoipa::path(
    post, path = "/api/user/delete", tag = "accounts", security(("shopper" = [])), request_body = Farewell,
    responses((status = 200, body = Reply<Done>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete(
    State(app): State<App>,
    Shopper(session): Shopper,
    Extension(shares): Extension<Shares>,
    Json(body): Json<Farewell>,
) -> Result<Private<Done>, ApiError> {
    leave::delete(&app, &session, body.password.as_deref(), shares).await?;
    Ok(Private::with(Done {}, "Your account has been deleted.").setting(sessions::forget(Kind::Shopper)))
}
