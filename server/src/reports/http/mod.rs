//! The endpoints under `/api/order/` that are about reports.

mod delivery_sheet;
mod margin_report;
mod money_report;
mod overview;

use utoipa_axum::router::OpenApiRouter;

use crate::platform::state::App;

pub fn routes() -> OpenApiRouter<App> {
    delivery_sheet::routes().merge(margin_report::routes()).merge(money_report::routes()).merge(overview::routes())
}
