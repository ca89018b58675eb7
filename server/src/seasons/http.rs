//! The endpoints under `/api/season/`. Shoppers get the season of the moment with every page.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::edit;
use super::model::{Season, SeasonState, SeasonTerms, SeasonTexts, Theme};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::permissions::{EditProducts, ReadProducts};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_seasons))
        .routes(routes!(add_season))
        .routes(routes!(update_season))
        .routes(routes!(delete_season))
}

#[derive(Clone, Copy, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum ThemeName {
    Dashain,
    Tihar,
    Chhath,
    NewYear,
    Holi,
    Teej,
    Losar,
    Monsoon,
}

impl From<Theme> for ThemeName {
    fn from(theme: Theme) -> Self {
        match theme {
            Theme::Dashain => Self::Dashain,
            Theme::Tihar => Self::Tihar,
            Theme::Chhath => Self::Chhath,
            Theme::NewYear => Self::NewYear,
            Theme::Holi => Self::Holi,
            Theme::Teej => Self::Teej,
            Theme::Losar => Self::Losar,
            Theme::Monsoon => Self::Monsoon,
        }
    }
}

impl From<ThemeName> for Theme {
    fn from(name: ThemeName) -> Self {
        match name {
            ThemeName::Dashain => Self::Dashain,
            ThemeName::Tihar => Self::Tihar,
            ThemeName::Chhath => Self::Chhath,
            ThemeName::NewYear => Self::NewYear,
            ThemeName::Holi => Self::Holi,
            ThemeName::Teej => Self::Teej,
            ThemeName::Losar => Self::Losar,
            ThemeName::Monsoon => Self::Monsoon,
        }
    }
}

/// The texts of the hero in both languages.
#[derive(Default, Serialize, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase", default)]
#[schema(as = SeasonTexts)]
struct SeasonTextFields {
    #[schema(required)]
    title: String,
    #[schema(required)]
    title_ne: String,
    #[schema(required)]
    text: String,
    #[schema(required)]
    text_ne: String,
}

impl From<SeasonTexts> for SeasonTextFields {
    fn from(texts: SeasonTexts) -> Self {
        Self { title: texts.title, title_ne: texts.title_ne, text: texts.text, text_ne: texts.text_ne }
    }
}

impl From<SeasonTextFields> for SeasonTexts {
    fn from(fields: SeasonTextFields) -> Self {
        Self { title: fields.title, title_ne: fields.title_ne, text: fields.text, text_ne: fields.text_ne }
    }
}

/// The season of the moment, as the settings of every page name it.
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct SeasonResponse {
    theme: ThemeName,
    #[serde(flatten)]
    texts: SeasonTextFields,
    ends_at: DateTime<Utc>,
}

impl From<&Season> for SeasonResponse {
    fn from(season: &Season) -> Self {
        Self { theme: season.theme.into(), texts: season.shown_texts().into(), ends_at: season.ends_at() }
    }
}

/// A season as the seller sees it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Season)]
struct SellerSeasonResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    #[schema(inline)]
    theme: ThemeName,
    /// The first day in Nepal.
    starts_on: NaiveDate,
    /// The last day in Nepal.
    ends_on: NaiveDate,
    /// What the seller wrote; an empty text stands for the theme's.
    #[serde(flatten)]
    texts: SeasonTextFields,
    #[schema(inline)]
    state: SeasonStateName,
    /// To be sent with a change; the change is refused if somebody else has changed the season in the meantime.
    version: i32,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum SeasonStateName {
    Planned,
    /// The home page shows it.
    Shown,
    /// It is its time, but another season has begun since.
    Covered,
    Ended,
}

/// A theme with the texts that it has if the seller writes none.
#[derive(Serialize, utoipa::ToSchema)]
struct SeasonTheme {
    #[schema(inline)]
    theme: ThemeName,
    #[serde(flatten)]
    texts: SeasonTextFields,
}

#[derive(Serialize, utoipa::ToSchema)]
struct SeasonList {
    /// The latest first.
    seasons: Vec<SellerSeasonResponse>,
    themes: Vec<SeasonTheme>,
}

fn to_list(app: &App, seasons: &[Season]) -> SeasonList {
    let now = app.clock.now();
    let to_response = |season: &Season| SellerSeasonResponse {
        id: season.id,
        theme: season.theme.into(),
        starts_on: season.starts_on,
        ends_on: season.ends_on,
        texts: season.texts.clone().into(),
        state: match season.state(seasons, now) {
            SeasonState::Planned => SeasonStateName::Planned,
            SeasonState::Shown => SeasonStateName::Shown,
            SeasonState::Covered => SeasonStateName::Covered,
            SeasonState::Ended => SeasonStateName::Ended,
        },
        version: season.version,
    };
    SeasonList {
        seasons: seasons.iter().map(to_response).collect(),
        themes: Theme::ALL.map(|theme| SeasonTheme { theme: theme.into(), texts: theme.default_texts().into() }).into(),
    }
}

/// List the seasons of the home page, and the themes that they can have.
#[utoipa::path(
    get, path = "/api/season/get_seasons", tag = "seasons", security(("seller" = ["products.read"])),
    responses((status = 200, body = ApiResponse<SeasonList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seasons(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadProducts>,
) -> Result<PrivateResponse<SeasonList>, ApiError> {
    let seasons = edit::list(&app).await?;
    Ok(PrivateResponse::ok(to_list(&app, &seasons)))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SeasonTermsRequest {
    #[schema(inline)]
    theme: ThemeName,
    /// The first day in Nepal.
    starts_on: NaiveDate,
    /// The last day in Nepal, at most 183 days in all.
    ends_on: NaiveDate,
    /// Titles of up to 40 and texts of up to 90 characters; an empty one stands for the theme's.
    #[serde(flatten)]
    texts: SeasonTextFields,
}

impl From<SeasonTermsRequest> for SeasonTerms {
    fn from(request: SeasonTermsRequest) -> Self {
        Self {
            theme: request.theme.into(),
            starts_on: request.starts_on,
            ends_on: request.ends_on,
            texts: request.texts.into(),
        }
    }
}

/// Plan a season.
///
/// Returns all seasons.
#[utoipa::path(
    post, path = "/api/season/add_season", tag = "seasons", security(("seller" = ["products.edit"])),
    request_body = SeasonTermsRequest,
    responses((status = 200, body = ApiResponse<SeasonList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_season(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Json(request): Json<SeasonTermsRequest>,
) -> Result<PrivateResponse<SeasonList>, ApiError> {
    let seasons = edit::add(&app, session.person, request.into()).await?;
    Ok(PrivateResponse::with_message(to_list(&app, &seasons), message!("api.seasons.saved")))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct UpdateSeasonRequest {
    season_id: Uuid,
    /// The version that was shown.
    version: i32,
    #[serde(flatten)]
    terms: SeasonTermsRequest,
}

/// Change a season.
///
/// Returns all seasons.
#[utoipa::path(
    put, path = "/api/season/update_season", tag = "seasons", security(("seller" = ["products.edit"])),
    request_body = UpdateSeasonRequest,
    responses((status = 200, body = ApiResponse<SeasonList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_season(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Json(request): Json<UpdateSeasonRequest>,
) -> Result<PrivateResponse<SeasonList>, ApiError> {
    let seasons = edit::update(&app, session.person, request.season_id, request.version, request.terms.into()).await?;
    Ok(PrivateResponse::with_message(to_list(&app, &seasons), message!("api.seasons.saved")))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct DeleteSeasonRequest {
    season_id: Uuid,
}

/// Delete a season.
///
/// Returns the others.
#[utoipa::path(
    post, path = "/api/season/delete_season", tag = "seasons", security(("seller" = ["products.edit"])),
    request_body = DeleteSeasonRequest,
    responses((status = 200, body = ApiResponse<SeasonList>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_season(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Json(request): Json<DeleteSeasonRequest>,
) -> Result<PrivateResponse<SeasonList>, ApiError> {
    let seasons = edit::delete(&app, session.person, request.season_id).await?;
    Ok(PrivateResponse::with_message(to_list(&app, &seasons), message!("api.seasons.deleted")))
}
