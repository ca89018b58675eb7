//! The events of a stop, and why one is refused.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::alerts::NotMetReason;
use crate::delivery::DeliveryError;
use crate::media::MediaError;
use crate::orders::OrderError;
use crate::platform::api_error::ApiError;
use crate::platform::ids::{OrderId, ProductId};
use crate::platform::messages::{Message, message};
use crate::platform::money::Paisa;
use crate::settlement::SettlementError;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Proof {
    /// The four digits of the shopper.
    Code(String),
    Photo(Uuid),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StopAction {
    /// The rider is on the way.
    Out,
    /// `collected` is the cash that the rider took; `None` is the amount to collect.
    Delivered { proof: Proof, collected: Option<Paisa> },
    /// The next free window from `day` on is booked.
    NotMet { reason: NotMetReason, day: Option<NaiveDate> },
    /// These goods came back; it is recorded before the delivery.
    Returned { items: Vec<(ProductId, i32)> },
}

impl StopAction {
    pub const fn name(&self) -> &'static str {
        match self {
            Self::Out => "out",
            Self::Delivered { .. } => "delivered",
            Self::NotMet { .. } => "not_met",
            Self::Returned { .. } => "returned",
        }
    }
}

/// An event as the phone recorded it.
#[derive(Debug, Clone)]
pub struct StopEvent {
    pub id: Uuid,
    pub order: OrderId,
    pub action: StopAction,
    /// By the clock of the phone.
    pub happened_at: DateTime<Utc>,
    pub note: String,
}

/// Why an event was not applied; the phone shows it, and the rider records a new event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StopRefusal {
    NotYours,
    Cancelled,
    AlreadyDelivered,
    CodeWrong,
    CodeLocked,
    PhotoMissing,
    AmountInvalid,
    ItemsInvalid,
    WindowFull,
    IdReused,
}

impl StopRefusal {
    const ALL: [Self; 10] = [
        Self::NotYours,
        Self::Cancelled,
        Self::AlreadyDelivered,
        Self::CodeWrong,
        Self::CodeLocked,
        Self::PhotoMissing,
        Self::AmountInvalid,
        Self::ItemsInvalid,
        Self::WindowFull,
        Self::IdReused,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::NotYours => "not_yours",
            Self::Cancelled => "cancelled",
            Self::AlreadyDelivered => "already_delivered",
            Self::CodeWrong => "code_wrong",
            Self::CodeLocked => "code_locked",
            Self::PhotoMissing => "photo_missing",
            Self::AmountInvalid => "amount_invalid",
            Self::ItemsInvalid => "items_invalid",
            Self::WindowFull => "window_full",
            Self::IdReused => "id_reused",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|refusal| refusal.name() == name)
    }

    pub const fn message(self) -> Message {
        match self {
            Self::NotYours => message!("api.riders.not_yours"),
            Self::Cancelled => message!("api.riders.cancelled"),
            Self::AlreadyDelivered => message!("api.riders.already_delivered"),
            Self::CodeWrong => message!("api.riders.code_wrong"),
            Self::CodeLocked => message!("api.riders.code_locked"),
            Self::PhotoMissing => message!("api.riders.photo_missing"),
            Self::AmountInvalid => message!("api.riders.amount_invalid"),
            Self::ItemsInvalid => message!("api.riders.items_invalid"),
            Self::WindowFull => message!("api.riders.window_full"),
            Self::IdReused => message!("api.riders.id_reused"),
        }
    }
}

/// An applied event of an order, as the staff see it.
pub struct OrderStop {
    pub id: Uuid,
    pub kind: String,
    pub happened_at: DateTime<Utc>,
    pub reason: Option<String>,
    pub note: String,
    pub proof: Option<String>,
    /// The photo, as long as it is stored.
    pub photo: Option<Uuid>,
}

/// What became of an event: `None` if it was applied.
pub type StopOutcome = Option<StopRefusal>;

/// An event that arrived before.
pub struct StoredEvent {
    pub rider: Uuid,
    pub request_hash: Vec<u8>,
    pub refusal: String,
}

#[derive(Debug, thiserror::Error)]
pub enum RiderError {
    #[error("too many events")]
    TooManyEvents,
    #[error("event malformed")]
    EventMalformed,
    #[error("order not found")]
    OrderNotFound,
    #[error("no code yet")]
    NoCode,
    #[error("photo needed")]
    PhotoNeeded,
    #[error("photo not found")]
    PhotoNotFound,
    /// The same event is being applied by another request.
    #[error("raced")]
    Raced,
    #[error("order")]
    Order(#[from] OrderError),
    #[error("settlement")]
    Settlement(#[from] SettlementError),
    #[error("delivery")]
    Delivery(#[from] DeliveryError),
    #[error("picture")]
    Media(#[from] MediaError),
    #[error("riders database")]
    Db(#[from] sqlx::Error),
}

impl RiderError {
    /// Returns whether a retry may succeed.
    pub fn is_contention(&self) -> bool {
        match self {
            Self::Raced => true,
            Self::Order(error) => error.is_contention(),
            Self::Settlement(error) => error.is_contention(),
            Self::Delivery(error) => error.is_contention(),
            Self::Db(error) => crate::platform::db::is_contention(error),
            _ => false,
        }
    }
}

impl From<RiderError> for ApiError {
    fn from(error: RiderError) -> Self {
        match error {
            RiderError::TooManyEvents => Self::invalid("too_many_events", message!("api.riders.too_many_events")),
            RiderError::EventMalformed => Self::invalid("event_malformed", message!("api.riders.event_malformed")),
            RiderError::OrderNotFound => Self::not_found("order_not_found", message!("api.riders.order_not_found")),
            RiderError::NoCode => Self::not_found("no_code", message!("api.riders.no_code")),
            RiderError::PhotoNeeded => Self::invalid("photo_needed", message!("api.riders.photo_missing")),
            RiderError::PhotoNotFound => Self::not_found("photo_not_found", message!("api.riders.photo_not_found")),
            RiderError::Raced => Self::unavailable("busy", message!("api.riders.busy")),
            RiderError::Order(error) => error.into(),
            RiderError::Settlement(error) => error.into(),
            RiderError::Delivery(error) => error.into(),
            RiderError::Media(error) => error.into(),
            RiderError::Db(cause) => Self::database(&cause),
        }
    }
}
