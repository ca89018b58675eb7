//! Rows and errors of the cash ledger.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::platform::money::Paisa;

/// What a manager records about a rider's cash.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CashEvent {
    FloatGiven,
    FloatReturned,
    HandedIn,
    /// Cash that is missing, or too much if the amount is negative.
    Difference,
}

impl CashEvent {
    const ALL: [Self; 4] = [Self::FloatGiven, Self::FloatReturned, Self::HandedIn, Self::Difference];

    /// The name in the contract and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::FloatGiven => "float_given",
            Self::FloatReturned => "float_returned",
            Self::HandedIn => "handed_in",
            Self::Difference => "difference",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|event| event.name() == name)
    }

    /// The account that gets the amount, and the one that it comes from.
    pub const fn accounts(self) -> [&'static str; 2] {
        match self {
            Self::FloatGiven => ["float", "till"],
            Self::FloatReturned => ["till", "float"],
            Self::HandedIn => ["till", "rider"],
            Self::Difference => ["differences", "rider"],
        }
    }
}

pub struct NewCashEvent<'a> {
    pub rider: Uuid,
    pub event: CashEvent,
    /// Negative only for a difference: there is too much.
    pub amount: Paisa,
    pub note: &'a str,
    /// The client's idempotency key.
    pub key: Option<Uuid>,
}

pub struct NewSettlement<'a> {
    pub rider: Uuid,
    /// The balance that the manager saw.
    pub expected: Paisa,
    pub counted: Paisa,
    pub note: &'a str,
}

pub struct RiderBalance {
    pub rider: Uuid,
    /// Collected and not handed in.
    pub balance: Paisa,
    pub float: Paisa,
}

/// What a rider carries, with the name and the last closed day.
pub struct RiderCash {
    pub id: Uuid,
    pub name: String,
    pub balance: Paisa,
    pub float: Paisa,
    pub closed_at: Option<DateTime<Utc>>,
}

pub struct TransactionRow {
    pub id: i64,
    pub kind: String,
    pub at: DateTime<Utc>,
    pub note: String,
    pub by_id: Option<Uuid>,
    pub order_code: Option<String>,
    /// What it changed in the cash that the rider carries for orders.
    pub amount: Paisa,
    pub float: Paisa,
    pub difference: Paisa,
}

pub struct SettlementRow {
    pub id: Uuid,
    pub rider_id: Uuid,
    pub day: NaiveDate,
    pub expected: Paisa,
    pub counted: Paisa,
    pub note: String,
    pub closed_by: Uuid,
    pub closed_at: DateTime<Utc>,
}

/// A closed day with the names of the people.
pub struct Settlement {
    pub row: SettlementRow,
    pub rider_name: String,
    pub closed_by_name: String,
}

/// The cash of a rider on a day; without a rider, the cash that went straight into the till.
#[derive(Debug)]
pub struct RiderCashDay {
    pub day: NaiveDate,
    pub rider: Option<Uuid>,
    pub collected: Paisa,
    pub handed_in: Paisa,
    /// Negative if there was too much.
    pub missing: Paisa,
}

#[derive(Debug, thiserror::Error)]
pub enum CashError {
    #[error("unknown rider")]
    RiderUnknown,
    #[error("kind invalid")]
    KindInvalid,
    #[error("amount invalid")]
    AmountInvalid,
    #[error("note needed")]
    NoteNeeded,
    #[error("note too long")]
    NoteTooLong,
    /// The rider has collected or handed in something since.
    #[error("balance changed")]
    BalanceChanged(Paisa),
    #[error("cash database")]
    Db(#[from] sqlx::Error),
}

impl From<CashError> for ApiError {
    fn from(error: CashError) -> Self {
        match error {
            CashError::RiderUnknown => Self::not_found("rider_unknown", message!("api.cash.rider_unknown")),
            CashError::KindInvalid => Self::invalid("kind_invalid", message!("api.cash.kind_invalid")),
            CashError::AmountInvalid => Self::invalid("amount_invalid", message!("api.cash.amount_invalid")),
            CashError::NoteNeeded => Self::invalid("note_needed", message!("api.cash.note_needed")),
            CashError::NoteTooLong => Self::invalid("note_too_long", message!("api.cash.note_too_long")),
            CashError::BalanceChanged(balance) => {
                Self::conflict("balance_changed", message!("api.cash.balance_changed"))
                    .with_data(serde_json::json!({ "balance": balance }))
            }
            CashError::Db(cause) => Self::database(&cause),
        }
    }
}
