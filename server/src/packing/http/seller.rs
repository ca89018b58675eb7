//! The endpoints of the staff.

use axum::extract::{Path, State};
use chrono::{DateTime, NaiveDate, Utc};
use serde::{Deserialize, Serialize};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::packing::{PackingResponse, QuestionResponse};
use crate::catalogue::{Offer, ProductPlace};
use crate::media;
use crate::orders::{DeliveryHours, OrderError, OrderItemRow, OrderRow};
use crate::packing::model::{PackingDetails, PackingReport};
use crate::packing::plan::{LineDecision, PlanError, Reason, ReplacementChoice};
use crate::packing::queries::OrderToPack;
use crate::packing::{finish, model::PackingError, proposal, queries};
use crate::platform::api_error::{ApiError, ErrorBody};
use crate::platform::ids::{OrderId, ProductId};
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::{ChangeOrders, ReadOrders};
use crate::platform::sessions::Staff;
use crate::platform::state::App;
use crate::platform::web::{ApiResponse, Json, PrivateResponse};

pub fn routes() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(get_orders_to_pack))
        .routes(routes!(get_order_to_pack))
        .routes(routes!(get_replacements))
        .routes(routes!(finish_packing))
        .routes(routes!(ask_packing_question))
}

/// An order in the list of those to pack.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct OrderToPackResponse {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: OrderId,
    /// The order number.
    order_id: String,
    date: DateTime<Utc>,
    delivery_date: NaiveDate,
    #[schema(required)]
    delivery_window: Option<DeliveryHours>,
    customer: String,
    /// Number of different products.
    lines: usize,
    /// Number of units.
    units: i32,
    has_note: bool,
}

fn delivery_hours(order: &OrderRow) -> Option<DeliveryHours> {
    let hours = order.delivery_starts.zip(order.delivery_ends);
    hours.map(|(starts, ends)| DeliveryHours::new(starts, ends, order.has_delivery_place))
}

impl From<OrderToPack> for OrderToPackResponse {
    fn from(entry: OrderToPack) -> Self {
        let OrderToPack { order, lines, units } = entry;
        Self {
            id: order.id,
            date: order.created_at,
            delivery_date: order.delivery_date,
            delivery_window: delivery_hours(&order),
            lines,
            units,
            has_note: !order.note_shop.is_empty(),
            customer: order.recipient,
            order_id: order.code,
        }
    }
}

/// List the orders that can be packed now, by delivery window.
#[utoipa::path(
    get, path = "/api/packing/get_orders", tag = "packing", security(("seller" = ["orders.read"])),
    responses((status = 200, body = ApiResponse<Vec<OrderToPackResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_orders_to_pack(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
) -> Result<PrivateResponse<Vec<OrderToPackResponse>>, ApiError> {
    let orders = queries::list_to_pack(&app).await?;
    Ok(PrivateResponse::ok(orders.into_iter().map(OrderToPackResponse::from).collect()))
}

/// An order as the packer sees it.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct PackingOrder {
    #[serde(rename = "_id")]
    #[schema(value_type = String, format = Uuid)]
    id: OrderId,
    /// The order number.
    order_id: String,
    status: String,
    payment_method: String,
    delivery_date: NaiveDate,
    #[schema(required)]
    delivery_window: Option<DeliveryHours>,
    customer: String,
    phone: String,
    note_shop: String,
    /// What to do if a product is not available: `call`, `replace` or `leave_out`.
    #[schema(required)]
    if_unavailable: Option<String>,
    #[schema(value_type = f64)]
    total: Paisa,
    /// By the order of the categories, then by name.
    lines: Vec<PackingLine>,
    /// `null` until the order is packed.
    #[schema(required)]
    packing: Option<PackingResponse>,
    /// The newest question to the shopper.
    #[schema(required)]
    question: Option<QuestionResponse>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct PackingLine {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    #[schema(required)]
    pack_label: Option<String>,
    #[schema(required)]
    pack_label_ne: Option<String>,
    #[schema(required)]
    image: Option<String>,
    #[schema(required)]
    image_set: Option<String>,
    quantity: i32,
    /// What a unit weighs as expected, in grams, if the product must be weighed.
    #[schema(required)]
    step_grams: Option<i32>,
    #[schema(value_type = f64)]
    price: Paisa,
    #[schema(required)]
    category: Option<String>,
    #[schema(required)]
    category_ne: Option<String>,
    /// What to do if this product is not available, instead of the order's choice.
    #[schema(required)]
    if_unavailable: Option<String>,
    /// What a scanner types.
    #[schema(required)]
    barcode: Option<String>,
}

/// Get an order for packing.
#[utoipa::path(
    get, path = "/api/packing/get_order/{order}", tag = "packing", security(("seller" = ["orders.read"])), params(("order" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<PackingOrder>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_order_to_pack(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
    Path(order): Path<String>,
) -> Result<PrivateResponse<PackingOrder>, ApiError> {
    let order = order.parse().map_err(|_| OrderError::NotFound)?;
    Ok(PrivateResponse::ok(load_order(&app, order).await?))
}

async fn load_order(app: &App, order: OrderId) -> Result<PackingOrder, PackingError> {
    let mut connection = app.db.main.acquire().await?;
    let details = queries::load_details(&mut connection, order, None).await?;
    let places = queries::find_places(&mut connection, &details.items).await?;
    let packing = PackingResponse::new(&details);
    let PackingDetails { order, mut items, proposal, .. } = details;
    items.sort_by_cached_key(|item| {
        let place = places.get(&item.product_id);
        (place.and_then(|place| place.category_position).unwrap_or(i64::MAX), item.name.clone())
    });
    let lines = items.into_iter().map(|item| {
        let place = places.get(&item.product_id);
        to_line(item, place)
    });
    Ok(PackingOrder {
        id: order.id,
        delivery_window: delivery_hours(&order),
        status: order.status,
        payment_method: order.method,
        delivery_date: order.delivery_date,
        customer: order.recipient,
        phone: order.phone,
        note_shop: order.note_shop,
        if_unavailable: order.if_unavailable,
        total: order.total,
        lines: lines.collect(),
        packing,
        question: proposal.as_ref().map(QuestionResponse::from),
        order_id: order.code,
    })
}

/// The address of a picture, and its set of widths.
fn picture(key: Option<&str>) -> (Option<String>, Option<String>) {
    key.and_then(media::picture_urls).map(|picture| (picture.widest, picture.srcset)).unzip()
}

fn to_line(item: OrderItemRow, place: Option<&ProductPlace>) -> PackingLine {
    let (image, image_set) = picture(item.picture_key.as_deref());
    PackingLine {
        product: item.product_id,
        image,
        image_set,
        name: item.name,
        name_ne: item.name_ne,
        pack_label: item.pack_label,
        pack_label_ne: item.pack_label_ne,
        quantity: item.quantity,
        step_grams: item.step_grams,
        price: item.price,
        category: place.and_then(|place| place.category.clone()),
        category_ne: place.and_then(|place| place.category_ne.clone()),
        barcode: place.and_then(|place| place.barcode.clone()),
        if_unavailable: item.if_unavailable,
    }
}

/// A product that can be packed instead of another.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReplacementOfferResponse {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    #[schema(required)]
    pack_label: Option<String>,
    #[schema(required)]
    pack_label_ne: Option<String>,
    #[schema(required)]
    image: Option<String>,
    #[schema(required)]
    image_set: Option<String>,
    #[schema(value_type = f64)]
    price: Paisa,
    stock: i32,
}

impl From<Offer> for ReplacementOfferResponse {
    fn from(offer: Offer) -> Self {
        let (image, image_set) = picture(offer.picture_key.as_deref());
        Self {
            product: offer.id,
            image,
            image_set,
            name: offer.name,
            name_ne: offer.name_ne,
            pack_label: offer.pack_label,
            pack_label_ne: offer.pack_label_ne,
            price: offer.price,
            stock: offer.stock,
        }
    }
}

/// List similar products in stock, the nearest in price first.
#[utoipa::path(
    get, path = "/api/packing/get_replacements/{product}", tag = "packing", security(("seller" = ["orders.read"])), params(("product" = Uuid, Path)),
    responses((status = 200, body = ApiResponse<Vec<ReplacementOfferResponse>>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn get_replacements(
    State(app): State<App>,
    Staff(_session, _): Staff<ReadOrders>,
    Path(product): Path<String>,
) -> Result<PrivateResponse<Vec<ReplacementOfferResponse>>, ApiError> {
    let product = product.parse().map_err(|_| PackingError::Plan(PlanError::LinesInvalid))?;
    let offers = queries::find_replacements(&app, product).await?;
    Ok(PrivateResponse::ok(offers.into_iter().map(ReplacementOfferResponse::from).collect()))
}

#[derive(Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct FinishPackingRequest {
    /// The order's `_id`.
    order_id: String,
    /// Every line of the order.
    lines: Vec<PackedLineRequest>,
    /// The name of the person who agreed to a higher price on the phone.
    agreed_on_phone_with: Option<String>,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct PackedLineRequest {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    /// The number of units that were packed.
    packed: i32,
    /// What they weigh together, in grams; required if the product is sold by weight.
    grams: Option<i32>,
    /// `not_available`, `damaged` or `not_wanted`; required if fewer units were packed than ordered.
    reason: Option<String>,
    /// Another product that was packed instead.
    replacement: Option<ReplacementRequest>,
}

#[derive(Deserialize, utoipa::ToSchema)]
struct ReplacementRequest {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    quantity: i32,
}

impl FinishPackingRequest {
    fn parse(self) -> Result<PackingReport, PackingError> {
        let order = self.order_id.parse().map_err(|_| OrderError::NotFound)?;
        let lines = self.lines.into_iter().map(|line| {
            let reason =
                line.reason.map(|name| Reason::from_name(&name).ok_or(PlanError::ReasonMissing)).transpose()?;
            let replacement =
                line.replacement.map(|other| ReplacementChoice { product: other.product, quantity: other.quantity });
            Ok(LineDecision { product: line.product, packed: line.packed, grams: line.grams, reason, replacement })
        });
        let lines = lines.collect::<Result<Vec<_>, PlanError>>()?;
        Ok(PackingReport { order, lines, agreed_on_phone_with: self.agreed_on_phone_with })
    }
}

/// Finish packing an order. A repeated request gets the same response.
#[utoipa::path(
    post, path = "/api/packing/finish", tag = "packing", security(("seller" = ["orders.change"])), request_body = FinishPackingRequest,
    responses((status = 200, body = ApiResponse<PackingResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn finish_packing(
    State(app): State<App>,
    Staff(session, _): Staff<ChangeOrders>,
    Json(body): Json<FinishPackingRequest>,
) -> Result<PrivateResponse<Option<PackingResponse>>, ApiError> {
    let details = finish::finish(&app, &session, &body.parse()?).await?;
    Ok(PrivateResponse::with_message(PackingResponse::new(&details), message!("api.packing.finished")))
}

/// Ask the shopper whether to pay more than agreed.
#[utoipa::path(
    post, path = "/api/packing/ask_question", tag = "packing", security(("seller" = ["orders.change"])), request_body = FinishPackingRequest,
    responses((status = 200, body = ApiResponse<QuestionResponse>), (status = "4XX", body = ErrorBody), (status = "5XX", body = ErrorBody)),
)]
async fn ask_packing_question(
    State(app): State<App>,
    Staff(session, _): Staff<ChangeOrders>,
    Json(body): Json<FinishPackingRequest>,
) -> Result<PrivateResponse<Option<QuestionResponse>>, ApiError> {
    let details = proposal::ask(&app, &session, &body.parse()?).await?;
    let question = details.proposal.as_ref().map(QuestionResponse::from);
    Ok(PrivateResponse::with_message(question, message!("api.packing.asked")))
}
