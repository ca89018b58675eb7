//! The rows and errors of packing.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::plan::{LineDecision, PlanError};
use crate::orders::{OrderError, OrderItemRow, OrderRow};
use crate::platform::api_error::ApiError;
use crate::platform::db;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::messages::message;
use crate::platform::money::Paisa;

/// What a packer reports about an order.
#[derive(Debug)]
pub struct PackingReport {
    pub order: OrderId,
    pub lines: Vec<LineDecision>,
    /// Whom the packer spoke to, if the shopper agreed to the price on the phone.
    pub agreed_on_phone_with: Option<String>,
}

pub struct PackingRow {
    pub packed_at: DateTime<Utc>,
    pub subtotal: Paisa,
    pub tax: Paisa,
    pub shipping: Paisa,
    pub total: Paisa,
    pub agreed_by: String,
    pub due: Paisa,
}

pub struct NewPacking<'a> {
    pub order: OrderId,
    pub user: UserId,
    pub seller: Uuid,
    pub agreed_name: &'a str,
    pub at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AdjustmentRow {
    pub product_id: ProductId,
    pub quantity_after: i32,
    pub replacement_id: Option<ProductId>,
    pub replacement_name: Option<String>,
    pub replacement_name_ne: Option<String>,
    pub replacement_pack_label: Option<String>,
    pub replacement_pack_label_ne: Option<String>,
    pub replacement_price: Option<Paisa>,
    pub replacement_tax_class: Option<String>,
    pub replacement_quantity: Option<i32>,
    pub reason: String,
}

/// What the packed units of a line weigh together.
pub struct WeightRow {
    pub product_id: ProductId,
    pub grams: i32,
    pub amount: Paisa,
}

/// A price above the agreed one that the shopper is asked about.
pub struct ProposalRow {
    pub id: Uuid,
    pub order_id: OrderId,
    pub user_id: UserId,
    pub total: Paisa,
    pub lines: Vec<ProposedLine>,
    pub accepted: Option<bool>,
}

/// A line of a proposal, as it is stored.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProposedLine {
    pub product: ProductId,
    pub ordered: i32,
    pub packed: i32,
    pub replacement: Option<ProposedReplacement>,
}

/// The product that is offered instead.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ProposedReplacement {
    pub name: String,
    pub name_ne: Option<String>,
    pub quantity: i32,
    pub price: Paisa,
}

/// An order with everything about its packing.
pub struct PackingDetails {
    pub order: OrderRow,
    pub items: Vec<OrderItemRow>,
    pub packing: Option<PackingRow>,
    pub adjustments: Vec<AdjustmentRow>,
    pub weights: Vec<WeightRow>,
    pub proposal: Option<ProposalRow>,
}

#[derive(Debug, thiserror::Error)]
pub enum PackingError {
    #[error("already packed")]
    AlreadyPacked,
    #[error("not packable")]
    NotPackable,
    #[error("replacement not in stock")]
    ReplacementGone(String),
    #[error("name missing")]
    NameMissing,
    #[error("not dearer than agreed")]
    NotDearer,
    #[error("paid online")]
    PaidOnline,
    #[error("question closed")]
    QuestionClosed,
    #[error("the report does not fit")]
    Plan(#[from] PlanError),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error("refused below")]
    Refused(ApiError),
    #[error("packing database")]
    Db(#[from] sqlx::Error),
}

impl PackingError {
    pub fn is_contention(&self) -> bool {
        match self {
            Self::Db(error) => db::is_contention(error),
            Self::Order(error) => error.is_contention(),
            _ => false,
        }
    }
}

impl From<ApiError> for PackingError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<PackingError> for ApiError {
    fn from(error: PackingError) -> Self {
        match error {
            PackingError::AlreadyPacked => Self::conflict("already_packed", message!("api.packing.already_packed")),
            PackingError::NotPackable => Self::conflict("not_packable", message!("api.packing.not_packable")),
            PackingError::ReplacementGone(name) => {
                Self::conflict("replacement_gone", message!("api.packing.replacement_gone", name = name))
            }
            PackingError::NameMissing => Self::invalid("name_missing", message!("api.packing.name_missing")),
            PackingError::NotDearer => Self::conflict("not_dearer", message!("api.packing.not_dearer")),
            PackingError::PaidOnline => Self::conflict("paid_online", message!("api.packing.not_asked")),
            PackingError::QuestionClosed => Self::conflict("question_closed", message!("api.packing.question_closed")),
            PackingError::Plan(PlanError::LinesInvalid) => {
                Self::invalid("lines_invalid", message!("api.packing.lines_invalid"))
            }
            PackingError::Plan(PlanError::ReasonMissing) => {
                Self::invalid("reason_missing", message!("api.packing.reason_missing"))
            }
            PackingError::Plan(PlanError::WeightMissing) => {
                Self::invalid("weight_missing", message!("api.packing.weight_missing"))
            }
            PackingError::Plan(PlanError::NothingPacked) => {
                Self::conflict("nothing_packed", message!("api.packing.nothing_packed"))
            }
            PackingError::Plan(PlanError::ReplacementGone(product)) => {
                let name = product.to_string();
                Self::conflict("replacement_gone", message!("api.packing.replacement_gone", name = name))
            }
            PackingError::Order(refusal) => refusal.into(),
            PackingError::Refused(refusal) => refusal,
            PackingError::Db(cause) => Self::database(&cause),
        }
    }
}
