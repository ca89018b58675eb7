//! Products as files for spreadsheets, and back.

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::catalogue::import::{self, Import, ImportRow, RowKind};
use crate::catalogue::{CatalogueError, sheet, store};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Fields, Form};
use crate::platform::sessions::Seller;
use crate::platform::spreadsheet;
use crate::platform::state::App;
use crate::platform::web::{Json, Personal, Private, Query, Reply, csv_file};
use crate::seller::{self, Deed};

/// Products read at a time.
const CHUNK: i64 = 500;

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(export_products))
        .routes(routes!(import_products))
        .routes(routes!(get_import))
        .routes(routes!(get_imports))
        .routes(routes!(get_import_rows))
        .routes(routes!(apply_import))
        .routes(routes!(cancel_import))
}

/// All products, as a file for a spreadsheet.
#[utoipa::path(
    get, path = "/api/product/export_products.csv", tag = "catalogue", security(("seller" = [])),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn export_products(State(app): State<App>, Seller(session): Seller) -> Result<impl IntoResponse, ApiError> {
    let mut connection = app.db.main.acquire().await.map_err(CatalogueError::from)?;
    let deed = Deed { seller: session.person, action: "products.export", object: "", about: "", before: "", after: "" };
    seller::note(&mut connection, &deed).await.map_err(CatalogueError::from)?;
    drop(connection);
    let read = move |after| {
        let app = app.clone();
        async move { store::after_position(&app.db.main, after, CHUNK).await }
    };
    let lines = spreadsheet::file(sheet::header(), 0, read, |product| product.position, sheet::row);
    Ok((csv_file("products.csv"), Body::from_stream(lines)))
}

#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form in the contract; the parts are read by name")]
struct SheetForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// What the seller calls it.
    name: Option<String>,
}

const SHEET: Fields = Fields { texts: &["name"], files: &["file"] };

/// Send a file of products. It is checked in the background; nothing changes until it is applied.
#[utoipa::path(
    post, path = "/api/product/import_products", tag = "catalogue", security(("seller" = [])),
    request_body(content = SheetForm, content_type = "multipart/form-data"),
    responses((status = 200, body = Reply<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn import_products(
    State(app): State<App>,
    Seller(session): Seller,
    request: Request,
) -> Result<Private<Import>, ApiError> {
    let mut form = Form::read(request, &SHEET).await?;
    let file = form.file("file").ok_or_else(|| CatalogueError::field("file", "Please choose a file."))?;
    let name = form.given("name").filter(|name| !name.is_empty()).unwrap_or("products.csv");
    Ok(Private::ok(import::begin(&app, session.person, name, file).await?))
}

fn import_id(text: &str) -> Result<Uuid, CatalogueError> {
    text.parse().map_err(|_| CatalogueError::ImportNotFound)
}

/// How far a file is.
#[utoipa::path(
    get, path = "/api/product/get_import/{id}", tag = "catalogue", params(("id" = String, Path)), security(("seller" = [])),
    responses((status = 200, body = Reply<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_import(
    State(app): State<App>,
    Seller(_session): Seller,
    Path(id): Path<String>,
) -> Result<Private<Import>, ApiError> {
    Ok(Private::ok(import::find(&app, import_id(&id)?).await?))
}

/// The newest files, twenty at most.
#[utoipa::path(
    get, path = "/api/product/get_imports", tag = "catalogue", security(("seller" = [])),
    responses((status = 200, body = Reply<Vec<Import>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_imports(State(app): State<App>, Seller(_session): Seller) -> Result<Private<Vec<Import>>, ApiError> {
    Ok(Private::ok(import::list(&app).await?))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct RowsQuery {
    /// All without it.
    #[param(inline)]
    kind: Option<RowKind>,
    /// `nextCursor` of the page before.
    cursor: Option<String>,
    /// At most 200; 50 without it.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportRowList {
    success: bool,
    message: &'static str,
    data: Vec<ImportRow>,
    /// For the next page; null on the last.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// What each row of a file would do, or what is wrong with it.
#[utoipa::path(
    get, path = "/api/product/get_import_rows/{id}", tag = "catalogue", params(("id" = String, Path), RowsQuery), security(("seller" = [])),
    responses((status = 200, body = ImportRowList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_import_rows(
    State(app): State<App>,
    Seller(_session): Seller,
    Path(id): Path<String>,
    Query(query): Query<RowsQuery>,
) -> Result<Personal<ImportRowList>, ApiError> {
    let page = import::rows(&app, import_id(&id)?, query.kind, query.cursor.as_deref(), query.limit).await?;
    Ok(Personal(ImportRowList { success: true, message: "", data: page.rows, next_cursor: page.next_cursor }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct WhichImport {
    import_id: String,
}

/// Apply a checked file without errors: all of it, or nothing.
#[utoipa::path(
    post, path = "/api/product/apply_import", tag = "catalogue", request_body = WhichImport, security(("seller" = [])),
    responses((status = 200, body = Reply<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn apply_import(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<WhichImport>,
) -> Result<Private<Import>, ApiError> {
    Ok(Private::ok(import::apply(&app, session.person, import_id(&body.import_id)?).await?))
}

/// Call a file off.
#[utoipa::path(
    post, path = "/api/product/cancel_import", tag = "catalogue", request_body = WhichImport, security(("seller" = [])),
    responses((status = 200, body = Reply<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn cancel_import(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<WhichImport>,
) -> Result<Private<Import>, ApiError> {
    Ok(Private::ok(import::cancel(&app, session.person, import_id(&body.import_id)?).await?))
}
