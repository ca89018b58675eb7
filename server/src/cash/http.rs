//! The endpoints under `/api/cash/`.

use axum::extract::State;
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::ledger::{self, NamedTransaction};
use super::model::{CashError, CashEvent, NewCashEvent, NewSettlement, RiderCash, Settlement};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{DeliverOwnOrders, ManageCash};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_cash_riders))
        .routes(routes!(get_cash_ledger))
        .routes(routes!(get_settlements))
        .routes(routes!(get_my_cash))
        .routes(routes!(record_cash))
        .routes(routes!(settle_rider))
}

/// What a rider carries.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = RiderCash)]
struct RiderCashResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    name: String,
    /// Collected and not handed in; negative if the shop owes the rider.
    #[schema(value_type = f64)]
    balance: Paisa,
    /// The change that the rider was given.
    #[schema(value_type = f64)]
    float: Paisa,
    /// When the rider's day was closed last.
    #[schema(required)]
    closed_at: Option<DateTime<Utc>>,
}

impl From<RiderCash> for RiderCashResponse {
    fn from(rider: RiderCash) -> Self {
        let RiderCash { id, name, balance, float, closed_at } = rider;
        Self { id, name, balance, float, closed_at }
    }
}

/// List the riders with what they carry.
#[utoipa::path(
    get, path = "/api/cash/get_riders", tag = "cash", security(("seller" = ["cash.manage"])),
    responses((status = 200, body = ApiResponse<Vec<RiderCashResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_cash_riders(
    State(app): State<App>,
    Staff(_session, _): Staff<ManageCash>,
) -> Result<PrivateResponse<Vec<RiderCashResponse>>, ApiError> {
    let riders = ledger::list_riders(&app).await?;
    Ok(PrivateResponse::ok(riders.into_iter().map(RiderCashResponse::from).collect()))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct CashLedgerQuery {
    /// The rider's `_id`.
    rider: Uuid,
    /// Only transactions before this one.
    before: Option<i64>,
}

/// A movement of a rider's cash.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CashTransaction {
    #[serde(rename = "_id")]
    id: i64,
    /// `collected`, `reversed`, `float_given`, `float_returned`, `handed_in`, `difference` or `settled`.
    kind: String,
    at: DateTime<Utc>,
    note: String,
    /// Who recorded it; empty for the system.
    by: String,
    #[schema(required)]
    order_id: Option<String>,
    /// What it changed in the cash that the rider carries for orders.
    #[schema(value_type = f64)]
    amount: Paisa,
    #[schema(value_type = f64)]
    float: Paisa,
    /// What is missing; negative if there was too much.
    #[schema(value_type = f64)]
    difference: Paisa,
}

impl From<NamedTransaction> for CashTransaction {
    fn from(transaction: NamedTransaction) -> Self {
        let NamedTransaction { row, by_name } = transaction;
        Self {
            id: row.id,
            kind: row.kind,
            at: row.at,
            note: row.note,
            by: by_name,
            order_id: row.order_code,
            amount: row.amount,
            float: row.float,
            difference: row.difference,
        }
    }
}

/// List the movements of a rider's cash, newest first, at most 50.
#[utoipa::path(
    get, path = "/api/cash/get_ledger", tag = "cash", security(("seller" = ["cash.manage"])), params(CashLedgerQuery),
    responses((status = 200, body = ApiResponse<Vec<CashTransaction>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_cash_ledger(
    State(app): State<App>,
    Staff(_session, _): Staff<ManageCash>,
    Query(query): Query<CashLedgerQuery>,
) -> Result<PrivateResponse<Vec<CashTransaction>>, ApiError> {
    let found = ledger::list_transactions(&app, query.rider, query.before).await?;
    Ok(PrivateResponse::ok(found.into_iter().map(CashTransaction::from).collect()))
}

/// A rider's day that a manager has closed.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct CashSettlement {
    #[serde(rename = "_id")]
    id: Uuid,
    rider: String,
    day: NaiveDate,
    #[schema(value_type = f64)]
    expected: Paisa,
    #[schema(value_type = f64)]
    counted: Paisa,
    note: String,
    closed_by: String,
    closed_at: DateTime<Utc>,
}

impl From<Settlement> for CashSettlement {
    fn from(settlement: Settlement) -> Self {
        let Settlement { row, rider_name, closed_by_name } = settlement;
        Self {
            id: row.id,
            rider: rider_name,
            day: row.day,
            expected: row.expected,
            counted: row.counted,
            note: row.note,
            closed_by: closed_by_name,
            closed_at: row.closed_at,
        }
    }
}

/// List the days that were closed, newest first, at most 50.
#[utoipa::path(
    get, path = "/api/cash/get_settlements", tag = "cash", security(("seller" = ["cash.manage"])),
    responses((status = 200, body = ApiResponse<Vec<CashSettlement>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_settlements(
    State(app): State<App>,
    Staff(_session, _): Staff<ManageCash>,
) -> Result<PrivateResponse<Vec<CashSettlement>>, ApiError> {
    let found = ledger::list_settlements(&app).await?;
    Ok(PrivateResponse::ok(found.into_iter().map(CashSettlement::from).collect()))
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OwnCash {
    /// Collected and not handed in.
    #[schema(value_type = f64)]
    balance: Paisa,
    #[schema(value_type = f64)]
    float: Paisa,
    #[schema(required)]
    closed_at: Option<DateTime<Utc>>,
}

/// Get what the rider carries.
#[utoipa::path(
    get, path = "/api/cash/get_my_cash", tag = "cash", security(("seller" = ["deliveries.own"])),
    responses((status = 200, body = ApiResponse<OwnCash>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_my_cash(
    State(app): State<App>,
    Staff(session, _): Staff<DeliverOwnOrders>,
) -> Result<PrivateResponse<OwnCash>, ApiError> {
    let RiderCash { balance, float, closed_at, .. } = ledger::find_own(&app, session.person).await?;
    Ok(PrivateResponse::ok(OwnCash { balance, float, closed_at }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RecordCashRequest {
    /// The rider's `_id`.
    rider_id: Uuid,
    /// `float_given`, `float_returned`, `handed_in` or `difference`.
    kind: String,
    /// Rupees; negative only for a difference, if there is too much.
    amount: f64,
    /// Required for a difference.
    #[serde(default)]
    note: String,
    /// Made by the client, so that a repeated request records nothing twice.
    key: Option<Uuid>,
}

fn parse_amount(rupees: f64) -> Result<Paisa, CashError> {
    let amount = Paisa::from_json(rupees.abs()).ok_or(CashError::AmountInvalid)?;
    Ok(if rupees < 0.0 { Paisa(-amount.0) } else { amount })
}

/// Record a float, cash that a rider handed in, or a difference.
#[utoipa::path(
    post, path = "/api/cash/record", tag = "cash", security(("seller" = ["cash.manage"])), request_body = RecordCashRequest,
    responses((status = 200, body = ApiResponse<RiderCashResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn record_cash(
    State(app): State<App>,
    Staff(session, _): Staff<ManageCash>,
    Json(body): Json<RecordCashRequest>,
) -> Result<PrivateResponse<RiderCashResponse>, ApiError> {
    let event = CashEvent::from_name(&body.kind).ok_or(CashError::KindInvalid)?;
    let amount = parse_amount(body.amount)?;
    let new = NewCashEvent { rider: body.rider_id, event, amount, note: &body.note, key: body.key };
    let rider = ledger::record_event(&app, session.person, &new).await?;
    Ok(PrivateResponse::with_message(rider.into(), message!("api.cash.recorded")))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SettleRiderRequest {
    /// The rider's `_id`.
    rider_id: Uuid,
    /// The balance that the manager saw; if it has changed since, nothing is closed.
    expected: f64,
    /// The cash that was counted, without the float.
    counted: f64,
    /// Required if the counted cash is not the expected one.
    #[serde(default)]
    note: String,
}

/// Close the day of a rider.
#[utoipa::path(
    post, path = "/api/cash/settle", tag = "cash", security(("seller" = ["cash.manage"])), request_body = SettleRiderRequest,
    responses((status = 200, body = ApiResponse<RiderCashResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn settle_rider(
    State(app): State<App>,
    Staff(session, _): Staff<ManageCash>,
    Json(body): Json<SettleRiderRequest>,
) -> Result<PrivateResponse<RiderCashResponse>, ApiError> {
    let (expected, counted) = (parse_amount(body.expected)?, parse_amount(body.counted)?);
    let new = NewSettlement { rider: body.rider_id, expected, counted, note: &body.note };
    let rider = ledger::settle(&app, session.person, &new).await?;
    Ok(PrivateResponse::with_message(rider.into(), message!("api.cash.settled")))
}
