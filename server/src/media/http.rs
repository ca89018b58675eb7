//! Serves pictures: `GET /media/{key}/{file}`.

use axum::Router;
use axum::extract::{Path, State};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use http::{HeaderMap, StatusCode, header};
use object_store::ObjectStoreExt;

use super::storage::{CACHE_CONTROL, CONTENT_TYPE};
use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::platform::state::App;

pub fn routes() -> Router<App> {
    Router::new().route("/media/{key}/{file}", get(get_picture))
}

/// The middleware adds a content security policy, so that nothing served from here can run or load anything.
async fn get_picture(
    State(app): State<App>,
    Path((key, file)): Path<(String, String)>,
    headers: HeaderMap,
) -> Result<Response, ApiError> {
    let missing = || ApiError::not_found("picture_not_found", message!("api.media.not_found"));
    // Only names of the form that `store_picture` writes are accepted, so that no path can lead to another folder.
    let well_formed = key.bytes().all(|byte| byte.is_ascii_hexdigit() || byte == b'-')
        && file.strip_suffix(".webp").is_some_and(|width| width.parse::<u32>().is_ok());
    if !well_formed {
        return Err(missing());
    }
    // The URL is derived from the content, so a client that has this tag has the right bytes.
    let tag = format!("\"{key}/{file}\"");
    if headers.get(header::IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        let headers = [(header::ETAG, tag.as_str()), (header::CACHE_CONTROL, CACHE_CONTROL)];
        return Ok((StatusCode::NOT_MODIFIED, headers).into_response());
    }
    let path = object_store::path::Path::from(format!("{key}/{file}"));
    let unavailable = |error: object_store::Error| {
        metrics::counter!("object_store_errors_total").increment(1);
        ApiError::unavailable("pictures_unavailable", message!("api.media.cannot_be_shown")).with_cause(&error)
    };
    let found = match app.pictures.get(&path).await {
        Err(object_store::Error::NotFound { .. }) => return Err(missing()),
        found => found.map_err(unavailable)?,
    };
    let bytes = found.bytes().await.map_err(unavailable)?;
    // Both parts of the name were checked above, so nothing in it needs quoting.
    let name = format!("inline; filename=\"{key}-{file}\"");
    let headers = [
        (header::CONTENT_TYPE, CONTENT_TYPE),
        (header::CONTENT_DISPOSITION, &name),
        (header::CONTENT_LENGTH, &bytes.len().to_string()),
        (header::CACHE_CONTROL, CACHE_CONTROL),
        (header::ETAG, &tag),
    ];
    Ok((headers, bytes).into_response())
}
