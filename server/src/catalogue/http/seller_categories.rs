//! The seller's endpoints for categories.

use axum::extract::{Path, Request, State};
use serde::Serialize;
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::responses::CategoryResponse;
use crate::catalogue::model::Category;
use crate::catalogue::seller::categories;
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Form, FormFields};
use crate::platform::messages::message;
use crate::platform::permissions::{EditCategories, ReadProducts};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_categories))
        .routes(routes!(add_category))
        .routes(routes!(update_category))
        .routes(routes!(delete_category))
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SellerCategory {
    #[serde(flatten)]
    category: CategoryResponse,
    /// Changes with every edit.
    version: String,
}

impl From<&Category> for SellerCategory {
    fn from(category: &Category) -> Self {
        Self { version: category.version(), category: category.into() }
    }
}

/// The current category, for a seller who edited an older version.
pub fn current_category_json(category: &Category) -> Value {
    serde_json::to_value(SellerCategory::from(category)).unwrap_or_default()
}

/// List all categories for the seller.
#[utoipa::path(
    get, path = "/api/category/get_categories", tag = "catalogue", security(("seller" = ["products.read"])),
    responses((status = 200, body = ApiResponse<Vec<SellerCategory>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_categories(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadProducts>,
) -> Result<PrivateResponse<Vec<SellerCategory>>, ApiError> {
    let categories = categories::list_categories(&app).await?;
    Ok(PrivateResponse::ok(categories.iter().map(SellerCategory::from).collect()))
}

#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the form in the contract; the parts are read by name")]
struct CategoryForm {
    name: Option<String>,
    description: Option<String>,
    #[schema(value_type = Option<String>, format = Binary)]
    image: Option<Vec<u8>>,
    #[schema(value_type = Option<String>, format = Binary)]
    icon: Option<Vec<u8>>,
    name_ne: Option<String>,
    description_ne: Option<String>,
    /// In an edit: the version that the seller saw; an outdated one is refused.
    version: Option<String>,
}

const CATEGORY_FORM: FormFields =
    FormFields { texts: &["name", "description", "nameNe", "descriptionNe", "version"], files: &["image", "icon"] };

fn read_category_form(form: &mut Form) -> categories::CategoryInput {
    let given = |form: &Form, name: &str| form.get(name).map(str::to_owned);
    categories::CategoryInput {
        name: given(form, "name"),
        name_ne: given(form, "nameNe"),
        description: given(form, "description"),
        description_ne: given(form, "descriptionNe"),
        version: given(form, "version"),
        image: form.take_file("image"),
        icon: form.take_file("icon"),
    }
}

/// Add a category.
#[utoipa::path(
    post, path = "/api/category/add_category", tag = "catalogue", security(("seller" = ["categories.edit"])),
    request_body(content = CategoryForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<SellerCategory>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_category(
    State(app): State<App>,
    Staff(session, _): Staff<EditCategories>,
    request: Request,
) -> Result<PrivateResponse<SellerCategory>, ApiError> {
    let mut form = Form::read(request, &CATEGORY_FORM).await?;
    let input = read_category_form(&mut form);
    let added = categories::add_category(&app, session.person, input).await?;
    Ok(PrivateResponse::with_message((&added).into(), message!("api.categories.added")))
}

/// Update a category.
///
/// Fields that the form leaves out are not changed.
#[utoipa::path(
    put, path = "/api/category/update_category/{slug}", tag = "catalogue", params(("slug" = String, Path)), security(("seller" = ["categories.edit"])),
    request_body(content = CategoryForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<SellerCategory>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_category(
    State(app): State<App>,
    Staff(session, _): Staff<EditCategories>,
    Path(slug): Path<String>,
    request: Request,
) -> Result<PrivateResponse<SellerCategory>, ApiError> {
    let mut form = Form::read(request, &CATEGORY_FORM).await?;
    let input = read_category_form(&mut form);
    let edited = categories::update_category(&app, session.person, &slug, input).await?;
    Ok(PrivateResponse::with_message((&edited).into(), message!("api.categories.updated")))
}

/// Delete a category without products on sale.
#[utoipa::path(
    delete, path = "/api/category/delete_category/{slug}", tag = "catalogue", params(("slug" = String, Path)), security(("seller" = ["categories.edit"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_category(
    State(app): State<App>,
    Staff(session, _): Staff<EditCategories>,
    Path(slug): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    categories::delete_category(&app, session.person, &slug).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.categories.deleted")))
}
