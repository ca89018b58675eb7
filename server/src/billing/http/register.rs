//! The seller's endpoints for the register of bills.

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use http::header;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::billing::model::{BillingError, RegisterRow};
use crate::billing::register::{self, RegisterRequest};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;
use crate::platform::permissions::{ExportMoneyReports, ReadMoneyReports};
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{NoStore, Query, csv_headers};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_bill_register))
        .routes(routes!(bill_register_csv))
        .routes(routes!(bill_register_cbms))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct RegisterQuery {
    /// The first day in Kathmandu; the default is 30 days before the last.
    from: Option<NaiveDate>,
    /// The last day; the default is today. The range may have at most 400 days.
    to: Option<NaiveDate>,
    /// The number of a bill or credit note, or the whole number as it is printed.
    number: Option<String>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100; the default is 50.
    limit: Option<u16>,
}

impl From<RegisterQuery> for RegisterRequest {
    fn from(query: RegisterQuery) -> Self {
        Self { from: query.from, to: query.to, number: query.number, cursor: query.cursor, limit: query.limit }
    }
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct BillRegister {
    success: bool,
    message: &'static str,
    from: NaiveDate,
    to: NaiveDate,
    /// The newest first.
    data: Vec<RegisterEntry>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// A bill or a credit note.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct RegisterEntry {
    #[serde(rename = "_id")]
    id: Uuid,
    /// `order_receipt`, `pan_bill`, `tax_invoice`, `abbreviated_tax_invoice` or `credit_note`.
    kind: &'static str,
    number: String,
    date: NaiveDate,
    date_bs: String,
    #[schema(value_type = String, format = Uuid)]
    order_id: OrderId,
    order_code: String,
    buyer_name: String,
    buyer_pan: String,
    #[schema(value_type = f64)]
    exempt: Paisa,
    #[schema(value_type = f64)]
    taxable: Paisa,
    #[schema(value_type = f64)]
    tax: Paisa,
    #[schema(value_type = f64)]
    delivery: Paisa,
    #[schema(value_type = f64)]
    discount: Paisa,
    #[schema(value_type = f64)]
    total: Paisa,
    /// The number of the bill that a credit note corrects; empty for a bill.
    corrects: String,
    reason: String,
    copies: i64,
}

impl From<RegisterRow> for RegisterEntry {
    fn from(row: RegisterRow) -> Self {
        Self {
            kind: if row.is_credit_note { "credit_note" } else { row.kind.name() },
            number: row.number_text(),
            corrects: row.corrected_text(),
            id: row.id,
            date: row.issued_on,
            date_bs: row.issued_on_bs,
            order_id: row.order_id,
            order_code: row.order_code,
            buyer_name: row.buyer_name,
            buyer_pan: row.buyer_pan,
            exempt: row.exempt,
            taxable: row.taxable,
            tax: row.tax,
            delivery: row.delivery,
            discount: row.discount,
            total: row.total,
            reason: row.reason,
            copies: row.prints,
        }
    }
}

/// List bills and credit notes, the newest first.
#[utoipa::path(
    get, path = "/api/billing/get_bill_register", tag = "billing", security(("seller" = ["reports.money"])), params(RegisterQuery),
    responses((status = 200, body = BillRegister), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_bill_register(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadMoneyReports>,
    Query(query): Query<RegisterQuery>,
) -> Result<NoStore<BillRegister>, ApiError> {
    let page = register::list(&app, &query.into()).await?;
    Ok(NoStore(BillRegister {
        success: true,
        message: "",
        from: page.from,
        to: page.to,
        data: page.rows.into_iter().map(RegisterEntry::from).collect(),
        next_cursor: page.next_cursor,
    }))
}

/// Download the register as a CSV file for the accountant.
#[utoipa::path(
    get, path = "/api/billing/bill_register.csv", tag = "billing", security(("seller" = ["reports.export"])), params(RegisterQuery),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn bill_register_csv(
    State(app): State<App>,
    Staff(session, _): Staff<ExportMoneyReports>,
    Query(query): Query<RegisterQuery>,
) -> Result<Response, ApiError> {
    let (name, file) = register::export_csv(&app, &query.into()).await?;
    record_export(&app, session.person, "bill_register.csv").await?;
    Ok((csv_headers(&name), file).into_response())
}

/// Download the fields that the tax office's central billing system takes, as a JSON file.
#[utoipa::path(
    get, path = "/api/billing/bill_register_cbms.json", tag = "billing", security(("seller" = ["reports.export"])), params(RegisterQuery),
    responses((status = 200, content_type = "application/json", body = Object), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn bill_register_cbms(
    State(app): State<App>,
    Staff(session, _): Staff<ExportMoneyReports>,
    Query(query): Query<RegisterQuery>,
) -> Result<Response, ApiError> {
    let (name, content) = register::export_cbms(&app, &query.into()).await?;
    record_export(&app, session.person, "bill_register_cbms.json").await?;
    let headers = [
        (header::CACHE_CONTROL, "no-store".to_owned()),
        (header::CONTENT_TYPE, "application/json".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")),
    ];
    Ok((headers, content.to_string()).into_response())
}

async fn record_export(app: &App, seller: Uuid, file: &str) -> Result<(), BillingError> {
    let who = Actor::Seller(seller);
    Ok(security_log::record_now(&app.db.main, SecurityEventKind::Exported, who, file, &Value::Null).await?)
}
