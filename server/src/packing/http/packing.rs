//! What was packed, as the shopper and the staff see it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

use crate::orders::transition::Method;
use crate::packing::model::{AdjustmentRow, PackingDetails, PackingRow, ProposalRow, ProposedLine};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

/// What was ordered against what was packed.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct PackingResponse {
    pub packed_at: DateTime<Utc>,
    /// Only the lines that differ from the order.
    pub adjustments: Vec<AdjustmentResponse>,
    /// What was weighed.
    pub weights: Vec<WeightResponse>,
    #[schema(value_type = f64)]
    pub ordered_total: Paisa,
    #[schema(value_type = f64)]
    pub subtotal: Paisa,
    #[schema(value_type = f64)]
    pub tax: Paisa,
    #[schema(value_type = f64)]
    pub shipping_fee: Paisa,
    /// What the packed goods would cost above the agreed amount, and what the shop does not charge.
    #[schema(value_type = f64)]
    pub discount: Paisa,
    /// What the shopper owes.
    #[schema(value_type = f64)]
    pub total: Paisa,
    /// What goes back to the wallet.
    #[schema(value_type = f64)]
    pub refund: Paisa,
    /// How the shopper agreed to the price: `order`, `link` or `call`.
    pub agreed_by: String,
}

/// What the packed units of a line weigh together, and what they cost.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WeightResponse {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    grams: i32,
    /// What the units that were packed weigh as expected.
    expected_grams: i32,
    #[schema(value_type = f64)]
    amount: Paisa,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct AdjustmentResponse {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    ordered: i32,
    packed: i32,
    /// `not_available`, `damaged` or `not_wanted`.
    reason: String,
    #[schema(required)]
    replacement: Option<ReplacementResponse>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct ReplacementResponse {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    #[schema(required)]
    pack_label: Option<String>,
    #[schema(required)]
    pack_label_ne: Option<String>,
    quantity: i32,
    #[schema(value_type = f64)]
    price: Paisa,
}

/// A question to the shopper about a higher price.
#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct QuestionResponse {
    #[serde(rename = "_id")]
    id: Uuid,
    #[schema(value_type = f64)]
    total: Paisa,
    lines: Vec<QuestionLine>,
    /// `null` until it is answered.
    #[schema(required)]
    accepted: Option<bool>,
}

/// A line that the question is about.
#[derive(Serialize, utoipa::ToSchema)]
struct QuestionLine {
    #[schema(value_type = String, format = Uuid)]
    product: ProductId,
    ordered: i32,
    packed: i32,
    /// The product that is offered instead.
    #[schema(required)]
    replacement: Option<QuestionReplacement>,
}

#[derive(Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
struct QuestionReplacement {
    name: String,
    #[schema(required)]
    name_ne: Option<String>,
    quantity: i32,
    #[schema(value_type = f64)]
    price: Paisa,
}

impl From<&ProposedLine> for QuestionLine {
    fn from(line: &ProposedLine) -> Self {
        let replacement = line.replacement.as_ref().map(|other| QuestionReplacement {
            name: other.name.clone(),
            name_ne: other.name_ne.clone(),
            quantity: other.quantity,
            price: other.price,
        });
        Self { product: line.product, ordered: line.ordered, packed: line.packed, replacement }
    }
}

impl From<&ProposalRow> for QuestionResponse {
    fn from(row: &ProposalRow) -> Self {
        Self {
            id: row.id,
            total: row.total,
            lines: row.lines.iter().map(QuestionLine::from).collect(),
            accepted: row.accepted,
        }
    }
}

impl PackingResponse {
    pub fn new(details: &PackingDetails) -> Option<Self> {
        let row: &PackingRow = details.packing.as_ref()?;
        let adjustments = details.adjustments.iter().filter_map(|adjustment| {
            let item = details.items.iter().find(|item| item.product_id == adjustment.product_id)?;
            Some(AdjustmentResponse {
                product: item.product_id,
                name: item.name.clone(),
                name_ne: item.name_ne.clone(),
                ordered: item.quantity,
                packed: adjustment.quantity_after,
                reason: adjustment.reason.clone(),
                replacement: replacement(adjustment),
            })
        });
        let weights = details.weights.iter().filter_map(|weight| {
            let item = details.items.iter().find(|item| item.product_id == weight.product_id)?;
            let adjustment = details.adjustments.iter().find(|row| row.product_id == weight.product_id);
            let packed = adjustment.map_or(item.quantity, |row| row.quantity_after);
            Some(WeightResponse {
                product: item.product_id,
                name: item.name.clone(),
                name_ne: item.name_ne.clone(),
                grams: weight.grams,
                expected_grams: item.step_grams? * packed,
                amount: weight.amount,
            })
        });
        let is_cash = details.order.method == Method::Cod.name();
        let less = Paisa(details.order.total.0 - row.due.0);
        Some(Self {
            packed_at: row.packed_at,
            adjustments: adjustments.collect(),
            weights: weights.collect(),
            ordered_total: details.order.total,
            subtotal: row.subtotal,
            tax: row.tax,
            shipping_fee: row.shipping,
            discount: Paisa(row.total.0 - row.due.0),
            total: row.due,
            refund: if is_cash { Paisa::ZERO } else { less },
            agreed_by: row.agreed_by.clone(),
        })
    }
}

fn replacement(adjustment: &AdjustmentRow) -> Option<ReplacementResponse> {
    Some(ReplacementResponse {
        product: adjustment.replacement_id?,
        name: adjustment.replacement_name.clone()?,
        name_ne: adjustment.replacement_name_ne.clone(),
        pack_label: adjustment.replacement_pack_label.clone(),
        pack_label_ne: adjustment.replacement_pack_label_ne.clone(),
        quantity: adjustment.replacement_quantity?,
        price: adjustment.replacement_price?,
    })
}
