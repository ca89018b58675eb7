//! `GET /media/{key}/{file}`.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::header;
use object_store::ObjectStoreExt;

use crate::platform::api_error::ApiError;
use crate::platform::state::App;

pub fn routes() -> Router<App> {
    Router::new().route("/media/{key}/{file}", get(picture))
}

async fn picture(State(app): State<App>, Path((key, file)): Path<(String, String)>) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found("picture_not_found", "Picture not found");
    // Only the shape that we write ourselves; nothing that could mean another folder.
    let well_formed = key.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && file.strip_suffix(".webp").is_some_and(|width| width.parse::<u32>().is_ok());
    if !well_formed {
        return Err(missing());
    }
    let path = object_store::path::Path::from(format!("{key}/{file}"));
    let found = app.pictures.get(&path).await;
    let bytes = match found {
        Ok(found) => found.bytes().await.map_err(|error| ApiError::internal(&error))?,
        Err(object_store::Error::NotFound { .. }) => return Err(missing()),
        Err(error) => return Err(ApiError::internal(&error)),
    };
    let headers =
        [(header::CONTENT_TYPE, "image/webp"), (header::CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, bytes).into_response())
}
