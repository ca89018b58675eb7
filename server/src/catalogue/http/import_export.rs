//! The endpoints for the export and import of products.

use axum::body::Body;
use axum::extract::{Path, Request, State};
use axum::response::IntoResponse;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use uuid::Uuid;

use super::parameters::RowKindParameter;
use super::responses::PictureResponse;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::import::{self, SellerImport};
use crate::catalogue::model::{CellChange, CellError, ImportPicture, ImportRow};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Form, FormFields};
use crate::platform::messages::{self, StoredMessage, message};
use crate::platform::permissions::{ExportProducts, ImportProducts};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, NoStore, PrivateResponse, Query, csv_headers};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(export_products))
        .routes(routes!(import_products))
        .routes(routes!(get_import))
        .routes(routes!(get_imports))
        .routes(routes!(get_import_rows))
        .routes(routes!(get_import_pictures))
        .routes(routes!(apply_import))
        .routes(routes!(cancel_import))
}

/// An import as the seller sees it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Import)]
struct ImportResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    file_name: String,
    /// `checking`, `checked`, `refused`, `applying`, `applied`, `failed` or `cancelled`.
    state: &'static str,
    done: i32,
    /// The number of rows; 0 until they have been counted.
    total: i32,
    counts: ImportCounts,
    /// The number of files beside the CSV file, if a zip file was uploaded.
    pictures: i64,
    /// Why the import was refused or failed, for people to read.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    message: Option<StoredMessage>,
    created_at: DateTime<Utc>,
    #[schema(required)]
    finished_at: Option<DateTime<Utc>>,
    /// The name of the seller who uploaded the file.
    by: String,
}

impl From<SellerImport> for ImportResponse {
    fn from(SellerImport { record, by }: SellerImport) -> Self {
        Self {
            id: record.id,
            file_name: record.file_name,
            state: record.state.name(),
            done: record.done,
            total: record.total,
            counts: ImportCounts {
                add: record.adds,
                update: record.updates,
                same: record.unchanged,
                error: record.errors,
            },
            pictures: record.pictures,
            message: record.problem.map(|problem| problem.0),
            created_at: record.created_at,
            finished_at: record.finished_at,
            by,
        }
    }
}

/// The number of rows of each kind.
#[derive(Debug, Serialize, utoipa::ToSchema)]
struct ImportCounts {
    add: i32,
    update: i32,
    same: i32,
    error: i32,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ImportRow)]
struct ImportRowResponse {
    /// The row number in a spreadsheet; the header is row 1.
    row: i32,
    slug: String,
    name: String,
    /// `add`, `update`, `same` or `error`.
    kind: &'static str,
    changes: Vec<CellChangeResponse>,
    errors: Vec<CellErrorResponse>,
}

/// One difference between two states of a product, as a spreadsheet shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = CellChange)]
struct CellChangeResponse {
    column: String,
    before: String,
    after: String,
    /// The pictures that the product gets; absent in other columns than `image` and `more_images`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pictures: Vec<PictureResponse>,
}

/// What is wrong with a cell.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = CellError)]
struct CellErrorResponse {
    column: String,
    /// In the language of the reader.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    message: StoredMessage,
}

impl From<ImportRow> for ImportRowResponse {
    fn from(row: ImportRow) -> Self {
        Self {
            row: row.row,
            slug: row.slug,
            name: row.name,
            kind: row.kind.name(),
            changes: row.changes.0.into_iter().map(CellChangeResponse::from).collect(),
            errors: row.errors.0.into_iter().map(CellErrorResponse::from).collect(),
        }
    }
}

impl From<CellChange> for CellChangeResponse {
    fn from(CellChange { column, before, after, pictures }: CellChange) -> Self {
        Self { column, before, after, pictures: PictureResponse::list(&pictures) }
    }
}

impl From<CellError> for CellErrorResponse {
    fn from(CellError { column, message }: CellError) -> Self {
        Self { column, message }
    }
}

/// Export all products as a CSV file.
#[utoipa::path(
    get, path = "/api/product/export_products.csv", tag = "catalogue", security(("seller" = ["products.export"])),
    responses((status = 200, content_type = "text/csv", body = String), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn export_products(
    State(app): State<App>,
    Staff(session, _): Staff<ExportProducts>,
) -> Result<impl IntoResponse, ApiError> {
    let lines = import::export_products(app, session.person).await?;
    Ok((csv_headers("products.csv"), Body::from_stream(lines)))
}

#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form in the contract; the parts are read by name")]
struct ImportForm {
    /// A CSV file of at most 10 MB, or a zip file of at most 40 MB with one CSV file and the pictures that its columns
    /// `image` and `more_images` name.
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
    post, path = "/api/product/import_products", tag = "catalogue", security(("seller" = ["products.import"])),
    request_body(content = ImportForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<ImportResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn import_products(
    State(app): State<App>,
    Staff(session, _): Staff<ImportProducts>,
    request: Request,
) -> Result<PrivateResponse<ImportResponse>, ApiError> {
    let mut form = Form::read_large(request, &IMPORT_FORM, import::MAX_ARCHIVE).await?;
    let file =
        form.take_file("file").ok_or_else(|| CatalogueError::Field("file", message!("imports.file_required")))?;
    let name = form.get("name").filter(|name| !name.is_empty()).unwrap_or("products.csv");
    Ok(PrivateResponse::ok(import::create_import(&app, session.person, name, file).await?.into()))
}

fn parse_import_id(text: &str) -> Result<Uuid, CatalogueError> {
    text.parse().map_err(|_| CatalogueError::ImportNotFound)
}

/// Get the state and progress of an import.
#[utoipa::path(
    get, path = "/api/product/get_import/{id}", tag = "catalogue", params(("id" = String, Path)), security(("seller" = ["products.import"])),
    responses((status = 200, body = ApiResponse<ImportResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_import(
    State(app): State<App>,
    Staff(_session, _): Staff<ImportProducts>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<ImportResponse>, ApiError> {
    Ok(PrivateResponse::ok(import::find_import(&app, parse_import_id(&id)?).await?.into()))
}

/// List the newest imports, at most 20.
#[utoipa::path(
    get, path = "/api/product/get_imports", tag = "catalogue", security(("seller" = ["products.import"])),
    responses((status = 200, body = ApiResponse<Vec<ImportResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_imports(
    State(app): State<App>,
    Staff(_session, _): Staff<ImportProducts>,
) -> Result<PrivateResponse<Vec<ImportResponse>>, ApiError> {
    let imports = import::list_imports(&app).await?;
    Ok(PrivateResponse::ok(imports.into_iter().map(ImportResponse::from).collect()))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct ImportRowsQuery {
    /// Only rows of this kind; the default is all rows.
    #[param(inline)]
    kind: Option<RowKindParameter>,
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
    data: Vec<ImportRowResponse>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
}

/// List what each row of an import would do, or what is wrong with it.
#[utoipa::path(
    get, path = "/api/product/get_import_rows/{id}", tag = "catalogue", params(("id" = String, Path), ImportRowsQuery), security(("seller" = ["products.import"])),
    responses((status = 200, body = ImportRowList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_import_rows(
    State(app): State<App>,
    Staff(_session, _): Staff<ImportProducts>,
    Path(id): Path<String>,
    Query(query): Query<ImportRowsQuery>,
) -> Result<NoStore<ImportRowList>, ApiError> {
    let (id, kind) = (parse_import_id(&id)?, query.kind.map(Into::into));
    let page = import::list_import_rows(&app, id, kind, query.cursor.as_deref(), query.limit).await?;
    let data = page.rows.into_iter().map(ImportRowResponse::from).collect();
    Ok(NoStore(ImportRowList { success: true, message: "", data, next_cursor: page.next_cursor }))
}

/// A file that was beside the CSV file in a zip file.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[schema(as = ImportPicture)]
struct ImportPictureResponse {
    /// The name of the file without folders.
    name: String,
    /// `used`, `unused` (no row names it) or `error`.
    state: &'static str,
    /// Why it cannot be used, for people to read.
    #[serde(serialize_with = "messages::serialize_rendered")]
    #[schema(value_type = String)]
    message: Option<StoredMessage>,
}

impl From<ImportPicture> for ImportPictureResponse {
    fn from(picture: ImportPicture) -> Self {
        let state = match (picture.is_used, &picture.problem) {
            (_, Some(_)) => "error",
            (true, None) => "used",
            (false, None) => "unused",
        };
        Self { name: picture.file_name, state, message: picture.problem.map(|problem| problem.0) }
    }
}

/// List the files beside the CSV file of an import, at most 500.
///
/// Which of them are used is known once the import has been checked.
#[utoipa::path(
    get, path = "/api/product/get_import_pictures/{id}", tag = "catalogue", params(("id" = String, Path)), security(("seller" = ["products.import"])),
    responses((status = 200, body = ApiResponse<Vec<ImportPictureResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_import_pictures(
    State(app): State<App>,
    Staff(_session, _): Staff<ImportProducts>,
    Path(id): Path<String>,
) -> Result<PrivateResponse<Vec<ImportPictureResponse>>, ApiError> {
    let pictures = import::list_import_pictures(&app, parse_import_id(&id)?).await?;
    Ok(PrivateResponse::ok(pictures.into_iter().map(ImportPictureResponse::from).collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ImportIdRequest {
    import_id: String,
}

/// Apply a checked import without errors, completely or not at all.
#[utoipa::path(
    post, path = "/api/product/apply_import", tag = "catalogue", request_body = ImportIdRequest, security(("seller" = ["products.import"])),
    responses((status = 200, body = ApiResponse<ImportResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn apply_import(
    State(app): State<App>,
    Staff(session, _): Staff<ImportProducts>,
    Json(body): Json<ImportIdRequest>,
) -> Result<PrivateResponse<ImportResponse>, ApiError> {
    let import = import::request_apply(&app, session.person, parse_import_id(&body.import_id)?).await?;
    Ok(PrivateResponse::ok(import.into()))
}

/// Cancel an import.
#[utoipa::path(
    post, path = "/api/product/cancel_import", tag = "catalogue", request_body = ImportIdRequest, security(("seller" = ["products.import"])),
    responses((status = 200, body = ApiResponse<ImportResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn cancel_import(
    State(app): State<App>,
    Staff(session, _): Staff<ImportProducts>,
    Json(body): Json<ImportIdRequest>,
) -> Result<PrivateResponse<ImportResponse>, ApiError> {
    let import = import::cancel_import(&app, session.person, parse_import_id(&body.import_id)?).await?;
    Ok(PrivateResponse::ok(import.into()))
}
