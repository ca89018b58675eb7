//! Sales: a lower price of one product for some days.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

#[derive(Debug, Clone)]
pub struct SalePrice {
    pub id: Uuid,
    pub price: Paisa,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    /// The price before the sale, once it has begun.
    pub was_price: Option<Paisa>,
    pub ended_at: Option<DateTime<Utc>>,
    pub ended_by: Option<Uuid>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SaleState {
    Planned,
    Running,
    Ended,
    /// A seller ended it before it began.
    Cancelled,
    /// It could not begin, because the regular price was no longer above it or the worker did not run.
    Skipped,
}

impl SalePrice {
    pub const fn state(&self) -> SaleState {
        match (self.started_at, self.ended_at, self.ended_by) {
            (None, None, _) => SaleState::Planned,
            (Some(_), None, _) => SaleState::Running,
            (Some(_), Some(_), _) => SaleState::Ended,
            (None, Some(_), Some(_)) => SaleState::Cancelled,
            (None, Some(_), None) => SaleState::Skipped,
        }
    }
}

pub struct NewSalePrice {
    pub id: Uuid,
    pub product: ProductId,
    pub price: Paisa,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub created_by: Uuid,
    pub created_at: DateTime<Utc>,
}
