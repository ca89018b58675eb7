//! The errors of this module.

use serde_json::json;

use crate::platform::api_error::ApiError;
use crate::platform::db;
use crate::platform::messages::{Message, message};

#[derive(Debug, thiserror::Error)]
pub enum InventoryError {
    /// The name of a form field and what is wrong with it.
    #[error("invalid field {0}")]
    Field(&'static str, Message),
    #[error("product not found")]
    ProductNotFound,
    #[error("supplier not found")]
    SupplierNotFound,
    #[error("supplier name taken")]
    SupplierNameTaken,
    #[error("receipt not found")]
    ReceiptNotFound,
    #[error("count not found")]
    CountNotFound,
    #[error("count finished")]
    CountFinished,
    #[error("count empty")]
    CountEmpty,
    #[error("batch not found")]
    BatchNotFound,
    /// More was to be written off than there is.
    #[error("not enough stock")]
    NotEnoughStock { left: i32 },
    /// The id of an earlier, different request was used again.
    #[error("id used before")]
    IdReused,
    #[error("bad cursor")]
    BadCursor,
    #[error("refused below")]
    Refused(ApiError),
    #[error("inventory request")]
    Json(#[from] serde_json::Error),
    #[error("inventory database")]
    Db(#[from] sqlx::Error),
}

impl InventoryError {
    /// Returns whether the error was caused by lock contention, so that a retry may succeed.
    pub fn is_contention(&self) -> bool {
        matches!(self, Self::Db(error) if db::is_contention(error))
    }
}

impl From<ApiError> for InventoryError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<InventoryError> for ApiError {
    fn from(error: InventoryError) -> Self {
        match error {
            InventoryError::Field(field, message) => {
                Self::invalid("field_invalid", message).with_data(json!({ "field": field }))
            }
            InventoryError::ProductNotFound => Self::not_found("product_not_found", message!("api.products.not_found")),
            InventoryError::SupplierNotFound => {
                Self::not_found("supplier_not_found", message!("api.inventory.supplier_not_found"))
            }
            InventoryError::SupplierNameTaken => {
                Self::conflict("supplier_name_taken", message!("api.inventory.supplier_name_taken"))
                    .with_data(json!({ "field": "name" }))
            }
            InventoryError::ReceiptNotFound => {
                Self::not_found("receipt_not_found", message!("api.inventory.receipt_not_found"))
            }
            InventoryError::CountNotFound => {
                Self::not_found("count_not_found", message!("api.inventory.count_not_found"))
            }
            InventoryError::CountFinished => Self::conflict("count_finished", message!("api.inventory.count_finished")),
            InventoryError::CountEmpty => Self::conflict("count_empty", message!("api.inventory.count_empty")),
            InventoryError::BatchNotFound => {
                Self::not_found("batch_not_found", message!("api.inventory.batch_not_found"))
            }
            InventoryError::NotEnoughStock { left } => {
                Self::conflict("not_enough_stock", message!("api.inventory.not_enough_stock", left = left))
                    .with_data(json!({ "field": "quantity", "left": left }))
            }
            InventoryError::IdReused => Self::conflict("id_reused", message!("api.inventory.id_reused")),
            InventoryError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            InventoryError::Refused(refusal) => refusal,
            InventoryError::Json(cause) => Self::internal(&cause),
            InventoryError::Db(cause) => Self::database(&cause),
        }
    }
}
