//! The stock of products, and those that are low in stock.

use uuid::Uuid;

use super::sort::Cursor;
use crate::platform::ids::ProductId;

/// A filter for low-stock products.
pub struct LowStockFilter<'a> {
    pub min_stock: i32,
    pub max_stock: i32,
    /// Part of a name; products in one of the categories match as well. `None` matches all products.
    pub pattern: Option<&'a str>,
    pub categories: &'a [Uuid],
}

/// The place after which a page of low-stock products begins.
pub struct LowStockCursor<'a> {
    pub stock: i32,
    pub cursor: Option<&'a Cursor>,
}

/// A row of the table of low-stock products.
pub struct LowStockRow {
    pub id: ProductId,
    pub stock: i32,
    pub position: i64,
    pub name_key: String,
    pub price_paisa: i64,
}

pub struct LowStockCounts {
    pub low: i64,
    pub out: i64,
}

/// Why goods came in or went out, besides orders; the ledger stores the name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StockReason {
    Received,
    Waste,
    Counted,
}

impl StockReason {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Received => "received",
            Self::Waste => "waste",
            Self::Counted => "counted",
        }
    }
}

pub struct StockLevel {
    pub id: ProductId,
    pub stock: i32,
}

pub struct LowStockProduct {
    pub name: String,
    pub name_ne: Option<String>,
    pub stock: i32,
}
