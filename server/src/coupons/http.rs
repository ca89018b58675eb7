//! The endpoints under `/api/coupon/`.

use axum::extract::State;
use axum::response::Response;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::edit;
use super::error::CouponError;
use super::model::{Coupon, CouponState, CouponTerms, Discount, PublicCoupons, UsedCoupon};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::cache::CachedResponse;
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{EditProducts, ReadProducts};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};

/// The call whose response is in the first data of the page of offers.
pub const PUBLIC_COUPONS: &str = "/api/coupon/get_public_coupons";

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_public_coupons))
        .routes(routes!(get_coupons))
        .routes(routes!(add_coupon))
        .routes(routes!(update_coupon))
}

/// A coupon that every shopper may use.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PublicCoupon {
    code: String,
    /// A share of the goods, or null if the coupon is an amount.
    #[schema(required)]
    percent: Option<i32>,
    /// The most that the share comes to, in rupees.
    #[schema(required, value_type = Option<f64>)]
    max_discount: Option<Paisa>,
    /// Rupees, or null if the coupon is a share.
    #[schema(required, value_type = Option<f64>)]
    amount: Option<Paisa>,
    /// The least value of the goods, in rupees.
    #[schema(value_type = f64)]
    minimum: Paisa,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    uses_per_customer: i32,
    /// A sentence about it; may be empty.
    about: String,
    about_ne: String,
}

impl From<Coupon> for PublicCoupon {
    fn from(coupon: Coupon) -> Self {
        let terms = coupon.terms;
        let (percent, max_discount, amount) = match terms.discount {
            Discount::Percent { percent, most } => (Some(percent), most, None),
            Discount::Amount(amount) => (None, None, Some(amount)),
        };
        Self {
            code: coupon.code,
            percent,
            max_discount,
            amount,
            minimum: terms.minimum,
            starts_at: terms.starts_at,
            ends_at: terms.ends_at,
            uses_per_customer: terms.uses_per_customer,
            about: terms.about,
            about_ne: terms.about_ne,
        }
    }
}

/// A coupon as the seller sees it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Coupon)]
struct CouponResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    #[serde(flatten)]
    terms: PublicCoupon,
    #[schema(required)]
    total_uses: Option<i32>,
    active: bool,
    public: bool,
    /// To be sent with a change; the change is refused if somebody else has changed the coupon in the meantime.
    version: i32,
    #[schema(inline)]
    state: CouponStateResponse,
    /// The orders that used it, without cancelled ones.
    uses: i64,
    /// What these orders saved, in rupees.
    #[schema(value_type = f64)]
    given: Paisa,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
enum CouponStateResponse {
    Planned,
    Running,
    Ended,
    /// A seller has turned it off.
    Inactive,
    UsedUp,
}

fn to_responses(app: &App, coupons: Vec<UsedCoupon>) -> Vec<CouponResponse> {
    let now = app.clock.now();
    let to_response = |used: UsedCoupon| CouponResponse {
        id: used.coupon.id,
        total_uses: used.coupon.terms.total_uses,
        active: used.coupon.terms.active,
        public: used.coupon.terms.public,
        version: used.coupon.version,
        state: match used.state(now) {
            CouponState::Planned => CouponStateResponse::Planned,
            CouponState::Running => CouponStateResponse::Running,
            CouponState::Ended => CouponStateResponse::Ended,
            CouponState::Inactive => CouponStateResponse::Inactive,
            CouponState::UsedUp => CouponStateResponse::UsedUp,
        },
        uses: used.uses,
        given: used.given,
        terms: PublicCoupon::from(used.coupon),
    };
    coupons.into_iter().map(to_response).collect()
}

/// List the coupons that every shopper may use now.
#[utoipa::path(
    get, path = "/api/coupon/get_public_coupons", tag = "coupons",
    responses((status = 200, body = ApiResponse<Vec<PublicCoupon>>), (status = "5XX", body = ErrorBody)),
)]
async fn get_public_coupons(State(app): State<App>, headers: HeaderMap) -> Result<Response, ApiError> {
    let make = || async {
        let (coupons, valid_until) = load_public_coupons(&app).await.map_err(CouponError::from)?;
        let response = CachedResponse::json(PUBLIC_COUPONS, &coupons).map_err(|error| ApiError::internal(&error))?;
        Ok::<_, ApiError>(response.valid_until(valid_until))
    };
    let answer = app.cache.get(PUBLIC_COUPONS, make).await?;
    Ok(answer.respond(&headers).await)
}

/// The response with the coupons that every shopper may use now, and until when it is right.
pub async fn load_public_coupons(app: &App) -> sqlx::Result<(ApiResponse<Vec<PublicCoupon>>, Option<DateTime<Utc>>)> {
    let PublicCoupons { coupons, valid_until } = edit::list_public(app).await?;
    Ok((ApiResponse::ok(coupons.into_iter().map(PublicCoupon::from).collect()), valid_until))
}

/// List all coupons, the newest first.
#[utoipa::path(
    get, path = "/api/coupon/get_coupons", tag = "coupons", security(("seller" = ["products.read"])),
    responses((status = 200, body = ApiResponse<Vec<CouponResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_coupons(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadProducts>,
) -> Result<PrivateResponse<Vec<CouponResponse>>, ApiError> {
    let coupons = edit::list(&app).await?;
    Ok(PrivateResponse::ok(to_responses(&app, coupons)))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CouponTermsRequest {
    /// 1 to 90; either this or `amount`.
    percent: Option<i32>,
    /// The most that the share comes to, in rupees.
    #[schema(value_type = Option<f64>)]
    max_discount: Option<Paisa>,
    /// Rupees; either this or `percent`.
    #[schema(value_type = Option<f64>)]
    amount: Option<Paisa>,
    /// The least value of the goods, in rupees; absent means none.
    #[serde(default)]
    #[schema(value_type = f64, required = false)]
    minimum: Paisa,
    /// Absent: now.
    starts_at: Option<DateTime<Utc>>,
    /// At most 366 days after the start.
    ends_at: DateTime<Utc>,
    /// Absent: 1.
    uses_per_customer: Option<i32>,
    /// Absent: as many as are wanted.
    total_uses: Option<i32>,
    /// Absent: true.
    active: Option<bool>,
    /// Whether the page of offers shows it.
    #[serde(default)]
    public: bool,
    /// At most 200 characters.
    #[serde(default)]
    about: String,
    #[serde(default)]
    about_ne: String,
}

impl CouponTermsRequest {
    fn into_terms(self, app: &App) -> Result<CouponTerms, CouponError> {
        Ok(CouponTerms {
            discount: Discount::from_parts(self.percent, self.max_discount, self.amount)
                .ok_or_else(CouponError::invalid_amount)?,
            minimum: self.minimum,
            starts_at: self.starts_at.unwrap_or_else(|| app.clock.now()),
            ends_at: self.ends_at,
            uses_per_customer: self.uses_per_customer.unwrap_or(1),
            total_uses: self.total_uses,
            active: self.active.unwrap_or(true),
            public: self.public,
            about: self.about,
            about_ne: self.about_ne,
        })
    }
}

#[derive(Deserialize, utoipa::ToSchema)]
struct AddCouponRequest {
    /// 3 to 20 of A to Z, 0 to 9 and -; small letters count as large ones.
    code: String,
    #[serde(flatten)]
    terms: CouponTermsRequest,
}

/// Add a coupon.
///
/// Returns all coupons.
#[utoipa::path(
    post, path = "/api/coupon/add_coupon", tag = "coupons", security(("seller" = ["products.edit"])),
    request_body = AddCouponRequest,
    responses((status = 200, body = ApiResponse<Vec<CouponResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_coupon(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Json(request): Json<AddCouponRequest>,
) -> Result<PrivateResponse<Vec<CouponResponse>>, ApiError> {
    let coupons = edit::add(&app, session.person, &request.code, request.terms.into_terms(&app)?).await?;
    Ok(PrivateResponse::with_message(to_responses(&app, coupons), message!("api.coupons.saved")))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct UpdateCouponRequest {
    coupon_id: Uuid,
    /// The version that was shown.
    version: i32,
    #[serde(flatten)]
    terms: CouponTermsRequest,
}

/// Change a coupon, for orders that are placed from now on.
///
/// Returns all coupons. The code cannot be changed.
#[utoipa::path(
    put, path = "/api/coupon/update_coupon", tag = "coupons", security(("seller" = ["products.edit"])),
    request_body = UpdateCouponRequest,
    responses((status = 200, body = ApiResponse<Vec<CouponResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_coupon(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Json(request): Json<UpdateCouponRequest>,
) -> Result<PrivateResponse<Vec<CouponResponse>>, ApiError> {
    let terms = request.terms.into_terms(&app)?;
    let coupons = edit::update(&app, session.person, request.coupon_id, request.version, terms).await?;
    Ok(PrivateResponse::with_message(to_responses(&app, coupons), message!("api.coupons.saved")))
}
