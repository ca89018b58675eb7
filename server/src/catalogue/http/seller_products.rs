//! The seller's endpoints for products.

use axum::extract::{Path, Request, State};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::parameters::{SellerSortParameter, StockParameter};
use super::responses::{PictureResponse, ProductResponse};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::Product;
use crate::catalogue::seller::add;
use crate::catalogue::seller::edit::{self, ProductPictureChange};
use crate::catalogue::seller::pictures;
use crate::catalogue::seller::product_field::{ProductField, RawProduct};
use crate::catalogue::seller::product_list::{self, SellerProductFilter};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::form::{Form, FormFields};
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{EditProducts, ReadProducts};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Empty, NoStore, PrivateResponse, Query};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_seller_products))
        .routes(routes!(get_seller_product))
        .routes(routes!(add_product))
        .routes(routes!(update_product))
        .routes(routes!(delete_product))
        .routes(routes!(upload_picture))
}

/// A product as the seller edits it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct SellerProduct {
    #[serde(flatten)]
    product: ProductResponse,
    /// Other names by which search finds the product.
    aliases: Vec<String>,
    #[schema(required)]
    barcode: Option<String>,
    /// While a sale runs: the price that comes back at its end, and the one that the form edits. Absent without a sale.
    #[serde(rename = "regularPrice", skip_serializing_if = "Option::is_none")]
    #[schema(value_type = f64, required = false)]
    regular_price: Option<Paisa>,
    /// Changes with every edit, not with sales.
    version: String,
}

impl From<Product> for SellerProduct {
    fn from(mut product: Product) -> Self {
        let aliases = std::mem::take(&mut product.aliases);
        let barcode = product.barcode.take();
        let regular_price = product.regular_price;
        let version = product.version();
        let more_images = PictureResponse::list(&product.more_picture_keys);
        let product = ProductResponse { more_images, ..product.into() };
        Self { product, aliases, barcode, regular_price, version }
    }
}

/// The current product, for a seller who edited an older version.
pub fn current_product_json(product: &Product) -> Value {
    serde_json::to_value(SellerProduct::from(product.clone())).unwrap_or_default()
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct SellerProductQuery {
    /// Any part of a product's name or of its category's name; case-insensitive.
    search: Option<String>,
    /// `low`: in stock, but not above the shop's low-stock threshold; `out`: out of stock.
    #[serde(default)]
    #[param(inline)]
    stock: StockParameter,
    /// `stock` is allowed only with the filter `low` or `out`.
    #[serde(default)]
    #[param(inline)]
    sort: SellerSortParameter,
    /// `nextCursor` of the previous page.
    cursor: Option<String>,
    /// At most 100; the default is 50.
    limit: Option<u16>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct SellerProductList {
    success: bool,
    message: &'static str,
    data: Vec<SellerProduct>,
    /// The cursor of the next page; null on the last page.
    #[schema(required)]
    next_cursor: Option<String>,
    /// The number of products that match the search and the filter.
    total: i64,
    /// True when there are more than `total`.
    total_capped: bool,
    counts: StockCounts,
}

/// The numbers of products in the whole shop.
#[derive(Serialize, utoipa::ToSchema)]
struct StockCounts {
    all: i64,
    low: i64,
    out: i64,
}

/// List or search products for the seller.
#[utoipa::path(
    get, path = "/api/product/get_seller_products", tag = "catalogue", params(SellerProductQuery), security(("seller" = ["products.read"])),
    responses((status = 200, body = SellerProductList), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seller_products(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadProducts>,
    Query(query): Query<SellerProductQuery>,
) -> Result<NoStore<SellerProductList>, ApiError> {
    let filter = SellerProductFilter {
        search: query.search.unwrap_or_default(),
        stock: query.stock.into(),
        sort: query.sort.into(),
        cursor: query.cursor.filter(|cursor| !cursor.is_empty()),
        limit: query.limit,
    };
    let page = product_list::list_seller_products(&app, &filter).await?;
    Ok(NoStore(SellerProductList {
        success: true,
        message: "",
        data: page.products.into_iter().map(SellerProduct::from).collect(),
        next_cursor: page.next_cursor,
        total: page.total,
        total_capped: page.total_capped,
        counts: StockCounts { all: page.all, low: page.stock_counts.low, out: page.stock_counts.out },
    }))
}

/// Get a product for editing.
#[utoipa::path(
    get, path = "/api/product/get_seller_product/{slug}", tag = "catalogue", params(("slug" = String, Path)), security(("seller" = ["products.read"])),
    responses((status = 200, body = ApiResponse<SellerProduct>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_seller_product(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadProducts>,
    Path(slug): Path<String>,
) -> Result<PrivateResponse<SellerProduct>, ApiError> {
    Ok(PrivateResponse::ok(edit::find_product(&app.db.main, &slug).await?.into()))
}

/// The contract's fields and additional ones. All but the image are text, as in any form.
#[derive(utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[expect(dead_code, reason = "describes the form in the contract; the parts are read by name")]
struct ProductForm {
    name: Option<String>,
    description: Option<String>,
    /// Name or slug of a category.
    category: Option<String>,
    /// Rupees, at most two decimals. The regular price, also while a sale runs; it must stay above the sale price.
    price: Option<String>,
    /// 1 to 5 (0 to 5 in an edit), with at most one decimal; empty means 0.
    rating: Option<String>,
    reviews: Option<String>,
    /// Separated by commas.
    tags: Option<String>,
    stock: Option<String>,
    #[schema(value_type = Option<String>, format = Binary)]
    image: Option<Vec<u8>>,
    name_ne: Option<String>,
    description_ne: Option<String>,
    tags_ne: Option<String>,
    /// Other names, separated by commas.
    aliases: Option<String>,
    unit_amount: Option<String>,
    /// `kg`, `g`, `l`, `ml`, `piece`, `dozen`, `bunch` or `box`.
    unit_measure: Option<String>,
    unit_label: Option<String>,
    unit_label_ne: Option<String>,
    /// `standard` or `exempt`.
    tax_class: Option<String>,
    /// EAN-8, UPC-A or EAN-13, with its check digit; empty removes it.
    barcode: Option<String>,
    /// `yes` or `no`; needs a pack of 50 g to 1 kg.
    sold_by_weight: Option<String>,
    /// In an edit: the stock that the seller saw; the difference is applied.
    stock_was: Option<String>,
    /// In an edit: the version that the seller saw; an outdated one is refused.
    version: Option<String>,
    /// In an edit: `true` removes the picture.
    remove_image: Option<String>,
    /// The keys of all further pictures in their order, separated by commas: at most seven, each uploaded by
    /// `upload_picture` within the last hours or already one of the product's. Empty removes all.
    more_images: Option<String>,
}

const PRODUCT_FORM: FormFields = FormFields {
    texts: &[
        "name",
        "description",
        "category",
        "price",
        "rating",
        "reviews",
        "tags",
        "stock",
        "nameNe",
        "descriptionNe",
        "tagsNe",
        "aliases",
        "unitAmount",
        "unitMeasure",
        "unitLabel",
        "unitLabelNe",
        "taxClass",
        "barcode",
        "soldByWeight",
        "stockWas",
        "version",
        "removeImage",
        "moreImages",
    ],
    files: &["image"],
};

fn read_product_form(form: &Form) -> RawProduct {
    let mut input = RawProduct::default();
    for field in ProductField::ALL {
        if let Some(text) = form.get(field.form_name()) {
            input.set(field, text);
        }
    }
    input
}

/// Add a product.
#[utoipa::path(
    post, path = "/api/product/add_product", tag = "catalogue", security(("seller" = ["products.edit"])),
    request_body(content = ProductForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<SellerProduct>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn add_product(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    request: Request,
) -> Result<PrivateResponse<SellerProduct>, ApiError> {
    let mut form = Form::read(request, &PRODUCT_FORM).await?;
    let picture = form.take_file("image");
    let added =
        add::add_product(&app, session.person, &read_product_form(&form), picture, form.get("moreImages")).await?;
    Ok(PrivateResponse::with_message(added.into(), message!("api.products.added")))
}

/// Update a product.
///
/// Fields that the form leaves out are not changed.
#[utoipa::path(
    put, path = "/api/product/update_product/{slug}", tag = "catalogue", params(("slug" = String, Path)), security(("seller" = ["products.edit"])),
    request_body(content = ProductForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<SellerProduct>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn update_product(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Path(slug): Path<String>,
    request: Request,
) -> Result<PrivateResponse<SellerProduct>, ApiError> {
    let mut form = Form::read(request, &PRODUCT_FORM).await?;
    let picture = match form.take_file("image") {
        Some(file) => ProductPictureChange::Replace(file),
        None if form.text("removeImage") == "true" => ProductPictureChange::Remove,
        None => ProductPictureChange::Keep,
    };
    let raw = read_product_form(&form);
    let edited = edit::update_product(&app, session.person, &slug, &raw, picture, form.get("moreImages")).await?;
    Ok(PrivateResponse::with_message(edited.into(), message!("api.products.updated")))
}

/// Remove a product from the shop.
#[utoipa::path(
    delete, path = "/api/product/delete_product/{slug}", tag = "catalogue", params(("slug" = String, Path)), security(("seller" = ["products.edit"])),
    responses((status = 200, body = ApiResponse<Empty>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn delete_product(
    State(app): State<App>,
    Staff(session, _): Staff<EditProducts>,
    Path(slug): Path<String>,
) -> Result<PrivateResponse<Empty>, ApiError> {
    edit::delete_product(&app, session.person, &slug).await?;
    Ok(PrivateResponse::with_message(Empty {}, message!("api.products.deleted")))
}

/// The form of a single picture.
#[derive(utoipa::ToSchema)]
#[expect(dead_code, reason = "describes the form in the contract; the part is read by name")]
struct PictureForm {
    #[schema(value_type = String, format = Binary)]
    image: Vec<u8>,
}

const PICTURE_FORM: FormFields = FormFields { texts: &[], files: &["image"] };

/// Upload a further picture for a product.
///
/// `moreImages` of `add_product` or `update_product` then names its key.
#[utoipa::path(
    post, path = "/api/product/upload_picture", tag = "catalogue", security(("seller" = ["products.edit"])),
    request_body(content = PictureForm, content_type = "multipart/form-data"),
    responses((status = 200, body = ApiResponse<PictureResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn upload_picture(
    State(app): State<App>,
    Staff(_session, _): Staff<EditProducts>,
    request: Request,
) -> Result<PrivateResponse<PictureResponse>, ApiError> {
    let mut form = Form::read(request, &PICTURE_FORM).await?;
    let key = pictures::upload_picture(&app, form.take_file("image")).await?;
    let uploaded =
        PictureResponse::new(&key).ok_or_else(|| CatalogueError::Field("image", message!("api.media.type_invalid")))?;
    Ok(PrivateResponse::ok(uploaded))
}
