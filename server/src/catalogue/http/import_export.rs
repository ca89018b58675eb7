//! The endpoints for the export and import of products.

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::IntoResponse;
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use crate::catalogue::import::{self, Import, ImportRowKind};
use crate::catalogue::model::ImportRow;
use crate::catalogue::{CatalogueError, products_csv, store};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::csv_format;
use crate::platform::form::{Form, FormFields};
use crate::platform::messages::message;
use crate::platform::sessions::Seller;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, NoStore, PrivateResponse, Query, csv_headers};
use crate::seller::{self, NewAuditEntry};

/// The number of products that are read at a time.
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

/// Export all products as a CSV file.
#[utoipa::path(
    get, path = "/api/product/export_products.csv", tag = "catalogue", security(("seller" = [])),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn export_products(State(app): State<App>, Seller(session): Seller) -> Result<impl IntoResponse, ApiError> {
    let mut connection = app.db.main.acquire().await.map_err(CatalogueError::from)?;
    let audit_entry = NewAuditEntry {
        seller: session.person,
        action: "products.export",
        object: "",
        about: "",
        before: "",
        after: "",
    };
    seller::record_audit_entry(&mut connection, &audit_entry).await.map_err(CatalogueError::from)?;
    drop(connection);
    let read = move |after| {
        let app = app.clone();
        async move { store::list_products_after(&app.db.main, after, CHUNK).await }
    };
    let lines = csv_format::stream_file(
        products_csv::format_header(),
        0,
        read,
        |product| product.position,
        products_csv::format_product,
    );
    Ok((csv_headers("products.csv"), Body::from_stream(lines)))
}

#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form in the contract; the parts are read by name")]
struct ImportForm {
    #[schema(value_type = String, format = Binary)]
    file: Vec<u8>,
    /// The name of the file.
    name: Option<String>,
}

const IMPORT_FORM: FormFields = FormFields { texts: &["name"], files: &["file"] };

/// Upload a file of products.
///
/// The file is checked in the background; nothing changes until it is applied.
#[utoipa::path(
    post, path = "/api/product/import_products", tag = "catalogue", security(("seller" = [])),
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn import_products(
    State(app): State<App>,
    Seller(session): Seller,
    request: Request,
) -> Result<PrivateResponse<Import>, ApiError> {
    let mut form = Form::read(request, &IMPORT_FORM).await?;
    let file =
        form.take_file("file").ok_or_else(|| CatalogueError::Field("file", message!("imports.file_required")))?;
    let name = form.get("name").filter(|name| !name.is_empty()).unwrap_or("products.csv");
    Ok(PrivateResponse::ok(import::create_import(&app, session.person, name, file).await?))
}

fn parse_import_id(text: &str) -> Result<Uuid, CatalogueError> {
    text.parse().map_err(|_| CatalogueError::ImportNotFound)
}

/// Get the state and progress of an import.
#[utoipa::path(
    get, path = "/api/product/get_import/{id}", tag = "catalogue", params(("id" = String, Path)), security(("seller" = [])),
    responses((status = 200, body = ApiResponse<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_import(
    State(app): State<App>,
    Seller(_session): Seller,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Import>, ApiError> {
    Ok(PrivateResponse::ok(import::find_import(&app, parse_import_id(&id)?).await?))
}

/// List the newest imports, at most 20.
#[utoipa::path(
    get, path = "/api/product/get_imports", tag = "catalogue", security(("seller" = [])),
    responses((status = 200, body = ApiResponse<Vec<Import>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_imports(
    State(app): State<App>,
    Seller(_session): Seller,
) -> Result<PrivateResponse<Vec<Import>>, ApiError> {
    Ok(PrivateResponse::ok(import::list_imports(&app).await?))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ImportRowsQuery {
    /// Only rows of this kind; the default is all rows.
    #[param(inline)]
    kind: Option<ImportRowKind>,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 200; the default is 50.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportRowList {
    success: bool,
    message: &'static str,
    data: Vec<ImportRow>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// List what each row of an import would do, or what is wrong with it.
#[utoipa::path(
    get, path = "/api/product/get_import_rows/{id}", tag = "catalogue", params(("id" = String, Path), ImportRowsQuery), security(("seller" = [])),
    responses((status = 200, body = ImportRowList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_import_rows(
    State(app): State<App>,
    Seller(_session): Seller,
    Path(id): Path<String>,
    Query(query): Query<ImportRowsQuery>,
) -> Result<NoStore<ImportRowList>, ApiError> {
    let page =
        import::list_import_rows(&app, parse_import_id(&id)?, query.kind, query.cursor.as_deref(), query.limit).await?;
    Ok(NoStore(ImportRowList { success: true, message: "", data: page.rows, next_cursor: page.next_cursor }))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportIdRequest {
    import_id: String,
}

/// Apply a checked import without errors, completely or not at all.
#[utoipa::path(
    post, path = "/api/product/apply_import", tag = "catalogue", request_body = ImportIdRequest, security(("seller" = [])),
    responses((status = 200, body = ApiResponse<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn apply_import(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<ImportIdRequest>,
) -> Result<PrivateResponse<Import>, ApiError> {
    Ok(PrivateResponse::ok(import::request_apply(&app, session.person, parse_import_id(&body.import_id)?).await?))
}

/// Cancel an import.
#[utoipa::path(
    post, path = "/api/product/cancel_import", tag = "catalogue", request_body = ImportIdRequest, security(("seller" = [])),
    responses((status = 200, body = ApiResponse<Import>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn cancel_import(
    State(app): State<App>,
    Seller(session): Seller,
    Json(body): Json<ImportIdRequest>,
) -> Result<PrivateResponse<Import>, ApiError> {
    Ok(PrivateResponse::ok(import::cancel_import(&app, session.person, parse_import_id(&body.import_id)?).await?))
}
