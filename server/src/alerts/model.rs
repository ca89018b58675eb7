//! The kinds of alerts, channels and preferences, and the errors of this module.

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::platform::account_kind::AccountKind;
use crate::platform::api_error::ApiError;
use crate::platform::ids::ProductId;
use crate::platform::language::Language;
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::permissions::Permission;

#[derive(Debug, thiserror::Error)]
pub enum AlertError {
    #[error("web push is off")]
    PushDisabled,
    #[error("subscription invalid")]
    SubscriptionInvalid,
    #[error("phone invalid")]
    PhoneInvalid,
    #[error("message not found")]
    MessageNotFound,
    #[error("unsubscribe link invalid")]
    LinkInvalid,
    #[error("refused below")]
    Refused(ApiError),
    #[error("alerts database")]
    Db(#[from] sqlx::Error),
}

impl From<ApiError> for AlertError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<AlertError> for ApiError {
    fn from(error: AlertError) -> Self {
        match error {
            AlertError::PushDisabled => Self::not_found("push_disabled", message!("api.alerts.push_disabled")),
            AlertError::SubscriptionInvalid => {
                Self::invalid("subscription_invalid", message!("api.alerts.subscription_invalid"))
            }
            AlertError::PhoneInvalid => Self::invalid("phone_invalid", message!("api.accounts.phone_invalid")),
            AlertError::MessageNotFound => {
                Self::not_found("message_not_found", message!("api.alerts.message_not_found"))
            }
            AlertError::LinkInvalid => Self::not_found("link_invalid", message!("api.alerts.unsubscribe_invalid")),
            AlertError::Refused(refusal) => refusal,
            AlertError::Db(cause) => Self::database(&cause),
        }
    }
}

/// A message. It is stored until it is delivered, so it names no person.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Alert {
    /// To the staff: an order came in.
    NewOrder { code: String, total: Paisa },
    /// To the staff: nobody has opened the order.
    OrderNotOpened { code: String, total: Paisa },
    /// To the shopper: the status of an order has changed.
    OrderChanged { code: String, change: OrderAlert },
    /// To the shopper: the rider met nobody, and this is the next attempt.
    NotMet {
        code: String,
        reason: NotMetReason,
        day: NaiveDate,
        /// The hours of the window, if the order has one.
        hours: Option<(NaiveTime, NaiveTime)>,
    },
    /// To a shopper who has asked for it: a product is in stock again.
    BackInStock {
        product: ProductId,
        /// The slug of its category.
        category: String,
        name: String,
        name_ne: Option<String>,
    },
    /// To those who buy the goods, by email only: these products are low in stock, and so many more.
    LowStock { lines: Vec<LowStockLine>, more: i64 },
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LowStockLine {
    pub name: String,
    pub name_ne: Option<String>,
    pub stock: i32,
}

/// The changes of an order that its shopper is told about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderAlert {
    Confirmed,
    Shipped,
    OutForDelivery,
    Delivered,
    Cancelled,
    /// Something was packed differently from the order.
    Packed,
    /// The shopper is asked whether to pay more than agreed.
    PackingQuestion,
}

/// Why the rider did not meet the shopper.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NotMetReason {
    NobodyHome,
    NoAnswer,
    WrongAddress,
    Refused,
    Other,
}

impl NotMetReason {
    const ALL: [Self; 5] = [Self::NobodyHome, Self::NoAnswer, Self::WrongAddress, Self::Refused, Self::Other];

    pub const fn name(self) -> &'static str {
        match self {
            Self::NobodyHome => "nobody_home",
            Self::NoAnswer => "no_answer",
            Self::WrongAddress => "wrong_address",
            Self::Refused => "refused",
            Self::Other => "other",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|reason| reason.name() == name)
    }
}

/// What a preference is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreferenceKind {
    NewOrder,
    OrderUpdates,
    BackInStock,
    LowStock,
}

impl PreferenceKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::NewOrder => "new_order",
            Self::OrderUpdates => "order_updates",
            Self::BackInStock => "back_in_stock",
            Self::LowStock => "low_stock",
        }
    }
}

impl Alert {
    pub const fn preference(&self) -> PreferenceKind {
        match self {
            Self::NewOrder { .. } | Self::OrderNotOpened { .. } => PreferenceKind::NewOrder,
            Self::OrderChanged { .. } | Self::NotMet { .. } => PreferenceKind::OrderUpdates,
            Self::BackInStock { .. } => PreferenceKind::BackInStock,
            Self::LowStock { .. } => PreferenceKind::LowStock,
        }
    }

    /// The number of the order that the alert is about; empty if it is not about an order.
    pub fn order_code(&self) -> &str {
        match self {
            Self::NewOrder { code, .. }
            | Self::OrderNotOpened { code, .. }
            | Self::OrderChanged { code, .. }
            | Self::NotMet { code, .. } => code,
            Self::BackInStock { .. } | Self::LowStock { .. } => "",
        }
    }

    /// Identifies what the alert is about: a newer notification with the same tag replaces this one on a device.
    pub fn tag(&self) -> String {
        match self {
            Self::NewOrder { code, .. }
            | Self::OrderNotOpened { code, .. }
            | Self::OrderChanged { code, .. }
            | Self::NotMet { code, .. } => code.clone(),
            Self::BackInStock { product, .. } => product.to_string(),
            Self::LowStock { .. } => self.name().to_owned(),
        }
    }

    /// What a member of staff must be allowed to do to get the alert.
    pub const fn permission(&self) -> Permission {
        match self {
            Self::NewOrder { .. }
            | Self::OrderNotOpened { .. }
            | Self::OrderChanged { .. }
            | Self::NotMet { .. }
            | Self::BackInStock { .. } => Permission::ReadOrders,
            Self::LowStock { .. } => Permission::ReadCosts,
        }
    }

    /// The channels over which the staff can get the alert.
    pub const fn staff_channels(&self) -> &'static [Channel] {
        match self {
            Self::NewOrder { .. }
            | Self::OrderNotOpened { .. }
            | Self::OrderChanged { .. }
            | Self::NotMet { .. }
            | Self::BackInStock { .. } => &[Channel::Push, Channel::Email, Channel::Sms],
            Self::LowStock { .. } => &[Channel::Email],
        }
    }

    /// The page that the alert opens.
    pub fn path(&self) -> String {
        match self {
            Self::NewOrder { code, .. } | Self::OrderNotOpened { code, .. } => format!("/seller/orders#{code}"),
            Self::OrderChanged { code, .. } | Self::NotMet { code, .. } => format!("/orders#{code}"),
            Self::BackInStock { product, category, .. } => format!("/product/{category}/{product}"),
            Self::LowStock { .. } => "/seller?stock=low".to_owned(),
        }
    }

    pub const fn name(&self) -> &'static str {
        match self {
            Self::NewOrder { .. } => "new_order",
            Self::OrderNotOpened { .. } => "order_not_opened",
            Self::OrderChanged { .. } => "order_changed",
            Self::NotMet { .. } => "not_met",
            Self::BackInStock { .. } => "back_in_stock",
            Self::LowStock { .. } => "low_stock",
        }
    }
}

/// The name of a product in a reader's language.
pub fn product_name<'a>(name: &'a str, name_ne: Option<&'a str>, language: Language) -> &'a str {
    match language {
        Language::English => name,
        Language::Nepali => name_ne.unwrap_or(name),
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Channel {
    Push,
    Email,
    Sms,
}

impl Channel {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Email => "email",
            Self::Sms => "sms",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Push, Self::Email, Self::Sms].into_iter().find(|channel| channel.name() == name)
    }
}

/// The channels that a person wants for a kind of message.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Preference {
    pub push: bool,
    pub email: bool,
    pub sms: bool,
    /// Where text messages go; empty for shoppers, who get none.
    pub phone: String,
}

impl Default for Preference {
    /// Web push reaches only browsers that were subscribed by hand, so it is on.
    fn default() -> Self {
        Self { push: true, email: true, sms: false, phone: String::new() }
    }
}

impl Preference {
    pub const fn wants(&self, channel: Channel) -> bool {
        match channel {
            Channel::Push => self.push,
            Channel::Email => self.email,
            Channel::Sms => self.sms && !self.phone.is_empty(),
        }
    }
}

pub struct PreferenceRow {
    pub person: Uuid,
    pub kind: String,
    pub push: bool,
    pub email: bool,
    pub sms: bool,
    pub phone: String,
}

pub struct Subscription {
    pub id: Uuid,
    pub person: Uuid,
    pub endpoint: String,
    pub p256dh: String,
    pub auth: String,
    pub device: String,
    pub created_at: DateTime<Utc>,
    pub last_success_at: Option<DateTime<Utc>>,
}

pub struct NewDelivery<'a> {
    pub event: &'a str,
    pub kind: AccountKind,
    pub person: Uuid,
    pub channel: Channel,
    /// The nil id, except for a push message.
    pub subscription: Uuid,
}

pub struct Delivery {
    pub id: Uuid,
    pub kind: AccountKind,
    pub person: Uuid,
    pub channel: Channel,
    pub subscription: Uuid,
    pub alert: Alert,
    pub is_waiting: bool,
    pub retry_at: Option<DateTime<Utc>>,
}

/// A message that could not be delivered.
pub struct FailedDelivery {
    pub id: Uuid,
    pub kind: AccountKind,
    pub person: Uuid,
    pub channel: Channel,
    pub alert: Alert,
    pub problem: String,
    pub failed_at: DateTime<Utc>,
}

/// How the recipient of an email can turn off emails of its kind.
pub struct Unsubscribe {
    /// Mail programs post to it (RFC 8058).
    pub one_click: String,
    /// A page with a button, for people.
    pub page: String,
}
