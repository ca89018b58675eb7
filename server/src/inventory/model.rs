//! Suppliers, goods receipts, waste and stock counts: what is sent, what is stored, and the rules for both.

use chrono::{DateTime, NaiveDate, Utc};
use serde::Serialize;
use sha2::{Digest, Sha256};
use uuid::Uuid;

use super::error::InventoryError;
use crate::platform::ids::ProductId;
use crate::platform::messages::message;
use crate::platform::money::Paisa;

/// More units or more money in one line are a typing mistake.
const MAX_QUANTITY: i32 = 100_000;
const MAX_COST: Paisa = Paisa::from_rupees(1_000_000);
/// The longest name, and the longest note.
pub const MAX_NAME: usize = 100;
pub const MAX_NOTE: usize = 300;

/// Trims a text and checks its length; control characters are dropped.
pub fn clean_text(field: &'static str, text: &str, longest: usize) -> Result<String, InventoryError> {
    let text: String = text.trim().chars().filter(|c| !c.is_control() || *c == '\n').collect();
    if text.chars().count() > longest {
        let most = i64::try_from(longest).unwrap_or(i64::MAX);
        return Err(InventoryError::Field(field, message!("api.inventory.text_long", most = most)));
    }
    Ok(text)
}

pub fn check_quantity(quantity: i32, least: i32) -> Result<(), InventoryError> {
    if (least..=MAX_QUANTITY).contains(&quantity) {
        return Ok(());
    }
    Err(InventoryError::Field("quantity", message!("api.inventory.quantity_invalid")))
}

pub fn check_cost(cost: Option<Paisa>) -> Result<(), InventoryError> {
    if cost.is_none_or(|cost| (Paisa::ZERO..=MAX_COST).contains(&cost)) {
        return Ok(());
    }
    Err(InventoryError::Field("cost", message!("api.inventory.cost_invalid")))
}

/// Returns what tells a repeated request from another one with the same id.
pub fn request_hash(request: &impl Serialize) -> Result<Vec<u8>, InventoryError> {
    Ok(Sha256::digest(serde_json::to_vec(request)?).to_vec())
}

pub struct Supplier {
    pub id: Uuid,
    pub name: String,
    pub phone: String,
    pub pan: String,
    pub note: String,
    pub is_archived: bool,
}

#[derive(Serialize)]
pub struct ReceiptInput {
    pub supplier: Option<Uuid>,
    pub invoice: String,
    pub note: String,
    pub lines: Vec<ReceiptLineInput>,
}

#[derive(Serialize)]
pub struct ReceiptLineInput {
    pub product: ProductId,
    pub quantity: i32,
    pub cost: Option<Paisa>,
    pub expires_on: Option<NaiveDate>,
}

pub struct Receipt {
    pub id: Uuid,
    pub supplier: Option<String>,
    pub invoice: String,
    pub note: String,
    pub received_by: Uuid,
    pub received_at: DateTime<Utc>,
    pub lines: Vec<ReceiptLine>,
}

pub struct ReceiptLine {
    pub id: Uuid,
    pub receipt_id: Uuid,
    pub product_id: ProductId,
    pub quantity: i32,
    pub cost: Option<Paisa>,
    pub expires_on: Option<NaiveDate>,
}

/// A line to be stored.
pub struct NewReceiptLine {
    pub id: Uuid,
    pub product: ProductId,
    pub quantity: i32,
    pub cost: Option<Paisa>,
    pub expires_on: Option<NaiveDate>,
    pub stock_before: i32,
    pub movement: i64,
}

/// A received batch whose cost is known, in the order of the ledger.
#[derive(Debug, Clone)]
pub struct CostedLine {
    pub id: Uuid,
    pub movement: i64,
    pub received_at: DateTime<Utc>,
    pub quantity: i32,
    pub stock_before: i32,
    pub cost: Paisa,
}

/// The average after a line: `value` for `units`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AverageCost {
    pub line: Uuid,
    pub movement: i64,
    pub since: DateTime<Utc>,
    pub units: i64,
    pub value: Paisa,
}

/// The names of a product, for lists.
#[derive(Clone)]
pub struct ProductName {
    pub name: String,
    pub name_ne: Option<String>,
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
}

/// Why goods were written off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum WasteReason {
    Expired,
    Spoiled,
    Damaged,
    Lost,
    OwnUse,
    /// Needs a note.
    Other,
}

impl WasteReason {
    const ALL: [Self; 6] = [Self::Expired, Self::Spoiled, Self::Damaged, Self::Lost, Self::OwnUse, Self::Other];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Expired => "expired",
            Self::Spoiled => "spoiled",
            Self::Damaged => "damaged",
            Self::Lost => "lost",
            Self::OwnUse => "own_use",
            Self::Other => "other",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

#[derive(Serialize)]
pub struct WasteInput {
    pub product: ProductId,
    pub quantity: i32,
    pub reason: WasteReason,
    pub note: String,
    pub batch: Option<Uuid>,
}

pub struct WasteRecord {
    pub id: Uuid,
    pub product_id: ProductId,
    pub quantity: i32,
    pub reason: String,
    pub note: String,
    pub recorded_by: Uuid,
    pub recorded_at: DateTime<Utc>,
}

/// A received batch, and how much of it was not written off.
#[derive(Debug, Clone)]
pub struct BatchRow {
    pub id: Uuid,
    pub product_id: ProductId,
    pub quantity: i32,
    pub left: i32,
    pub expires_on: NaiveDate,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CountState {
    Open,
    Applied,
    Discarded,
}

impl CountState {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Applied => "applied",
            Self::Discarded => "discarded",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Open, Self::Applied, Self::Discarded].into_iter().find(|state| state.name() == name)
    }
}

pub struct StockCount {
    pub id: Uuid,
    pub category_id: Option<Uuid>,
    pub state: CountState,
    pub started_by: Uuid,
    pub started_at: DateTime<Utc>,
    pub finished_at: Option<DateTime<Utc>>,
    /// How many products were counted.
    pub counted: i64,
}

/// The latest entry of a product in a count.
#[derive(Debug, Clone)]
pub struct CountLine {
    pub entry_id: Uuid,
    pub product_id: ProductId,
    pub counted: i32,
    /// The units that could be ordered, when it was counted.
    pub stock: i32,
    /// The units of orders that had not left the shop then.
    pub reserved: i32,
    pub counted_by: Uuid,
    pub counted_at: DateTime<Utc>,
    /// What was applied to the stock; absent until then.
    pub applied: Option<i32>,
}

impl CountLine {
    pub const fn expected(&self) -> i32 {
        self.stock + self.reserved
    }

    pub const fn difference(&self) -> i32 {
        self.counted - self.expected()
    }
}

pub struct CountEntry {
    pub id: Uuid,
    pub count: Uuid,
    pub product: ProductId,
    pub counted: i32,
    pub stock: i32,
    pub reserved: i32,
}

pub struct CountAdjustment {
    pub product: ProductId,
    pub entry: Uuid,
    pub difference: i32,
    pub applied: i32,
    pub movement: Option<i64>,
}

/// Returns how much of a difference can be applied: stock that was sold meanwhile cannot be taken away again.
pub fn applicable(difference: i32, stock: i32) -> i32 {
    difference.max(-stock)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_never_takes_more_than_there_is() {
        for (difference, stock, applied) in [(0, 5, 0), (3, 0, 3), (-3, 5, -3), (-5, 5, -5), (-7, 5, -5), (-1, 0, 0)] {
            assert_eq!(applicable(difference, stock), applied, "{difference} of {stock}");
        }
    }

    #[test]
    fn the_difference_is_that_of_the_moment_of_counting() {
        let line = CountLine {
            entry_id: Uuid::nil(),
            product_id: ProductId(Uuid::nil()),
            counted: 9,
            stock: 7,
            reserved: 3,
            counted_by: Uuid::nil(),
            counted_at: DateTime::UNIX_EPOCH,
            applied: None,
        };
        assert_eq!((line.expected(), line.difference()), (10, -1));
    }

    #[test]
    fn every_reason_is_found_by_its_name() {
        for reason in WasteReason::ALL {
            assert_eq!(WasteReason::from_name(reason.name()), Some(reason));
            assert_eq!(serde_json::to_value(reason).unwrap(), reason.name());
        }
    }

    #[test]
    fn a_line_has_a_plausible_quantity_and_cost() {
        assert!(check_quantity(1, 1).is_ok() && check_quantity(0, 0).is_ok() && check_cost(None).is_ok());
        assert!(check_quantity(0, 1).is_err() && check_quantity(100_001, 1).is_err());
        assert!(check_cost(Some(Paisa(0))).is_ok() && check_cost(Some(Paisa::from_rupees(1_000_001))).is_err());
    }
}
