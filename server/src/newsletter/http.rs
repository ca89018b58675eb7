//! `POST /api/subscriber/add_subscriber`.

use axum::extract::State;
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::state::App;
use crate::platform::web::{ClientAddress, Json, Language, Reply};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(add_subscriber))
}

#[derive(Deserialize, utoipa::ToSchema)]
struct NewSubscriber {
    email: String,
}

#[derive(Serialize, utoipa::ToSchema)]
struct Subscriber {
    email: String,
}

/// Sign up for the newsletter.
#[utoipa::path(
    post, path = "/api/subscriber/add_subscriber", tag = "newsletter", request_body = NewSubscriber,
    responses((status = 200, body = Reply<Subscriber>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_subscriber(
    State(app): State<App>,
    ClientAddress(address): ClientAddress,
    headers: HeaderMap,
    Json(body): Json<NewSubscriber>,
) -> Result<Reply<Subscriber>, ApiError> {
    app.limits.newsletter.check(address)?;
    let email = super::subscribe(&app.db.main, &body.email, Language::of(&headers)).await?;
    Ok(Reply::with(Subscriber { email }, "Subscribed successfully!"))
}
