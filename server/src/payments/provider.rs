//! What a wallet can do, in our own types. Another provider is another implementation of `PaymentProvider`; no caller
//! knows the API of any of them.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::platform::money::Paisa;

pub type ProviderFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, WalletError>> + Send + 'a>>;

pub trait PaymentProvider: Send + Sync {
    /// Creates a payment that the shopper can make. Two calls create two payments.
    fn start<'a>(&'a self, request: &'a PaymentRequest) -> ProviderFuture<'a, StartedPayment>;

    /// Returns the current status of a payment; the call may be repeated at will.
    fn lookup<'a>(&'a self, pidx: &'a str) -> ProviderFuture<'a, PaymentLookup>;

    /// Refunds this amount of a payment, or all of it. It is not documented whether a second call would refund twice, so
    /// it is never repeated.
    fn refund<'a>(&'a self, transaction: &'a str, amount: Option<Paisa>) -> ProviderFuture<'a, ()>;

    /// Checks whether the wallet answers at all.
    fn ping(&self) -> ProviderFuture<'_, ()>;
}

/// A payment to be made. It holds no personal data, because the wallet knows its own customer.
#[derive(Debug, Clone)]
pub struct PaymentRequest {
    pub amount: Paisa,
    /// Our reference, a different one for every attempt.
    pub reference: String,
    pub title: String,
    /// The page to which the wallet sends the browser back.
    pub return_url: String,
    pub website_url: String,
}

#[derive(Debug, Clone)]
pub struct StartedPayment {
    pub pidx: String,
    pub next_action: NextAction,
    /// How long the link can be paid.
    pub expires_in: Duration,
}

/// How the browser gets to the wallet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NextAction {
    Redirect(String),
    /// Some wallets expect the browser to submit a form.
    Form {
        action: String,
        fields: BTreeMap<String, String>,
    },
}

/// What the wallet reports about a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentLookup {
    pub status: ProviderStatus,
    /// The status as the wallet spells it.
    pub raw_status: String,
    pub amount: Option<Paisa>,
    pub transaction: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderStatus {
    Completed,
    /// The shopper may be paying right now.
    Pending,
    /// The shopper has not paid yet.
    Initiated,
    /// Expired, cancelled by the payer, or failed.
    Over,
    Refunded,
    PartlyRefunded,
    /// A status that we do not know.
    Unclear,
}

impl ProviderStatus {
    const ALL: [Self; 7] = [
        Self::Completed,
        Self::Pending,
        Self::Initiated,
        Self::Over,
        Self::Refunded,
        Self::PartlyRefunded,
        Self::Unclear,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Pending => "pending",
            Self::Initiated => "initiated",
            Self::Over => "over",
            Self::Refunded => "refunded",
            Self::PartlyRefunded => "partly_refunded",
            Self::Unclear => "unclear",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }
}

#[derive(Debug, thiserror::Error)]
pub enum WalletError {
    #[error("no wallet is configured")]
    NotConfigured,
    #[error("the wallet's circuit breaker is open")]
    CircuitOpen,
    #[error("the wallet is unreachable: {0}")]
    Unreachable(String),
    #[error("the wallet timed out")]
    Timeout,
    #[error("the wallet responded with status {0}")]
    ServerError(u16),
    #[error("the wallet's response could not be parsed")]
    InvalidResponse,
    #[error("the wallet rejected our key")]
    Unauthorized,
    #[error("the wallet's rate limit was exceeded")]
    RateLimited,
    #[error("the wallet refused: {0}")]
    Rejected(String),
    #[error("the wallet does not recognise this payment")]
    UnknownPayment,
    #[error("the payment page is on a host that is not allowed: {0}")]
    UntrustedHost(String),
}

impl WalletError {
    /// Returns whether the wallet is in trouble, as opposed to a wallet that understood the call and refused it.
    pub const fn is_outage(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::Timeout
            | Self::ServerError(_)
            | Self::InvalidResponse
            | Self::Unauthorized
            | Self::RateLimited => true,
            Self::NotConfigured
            | Self::CircuitOpen
            | Self::Rejected(_)
            | Self::UnknownPayment
            | Self::UntrustedHost(_) => false,
        }
    }

    /// The label for metrics.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::NotConfigured => "not_configured",
            Self::CircuitOpen => "circuit_open",
            Self::Unreachable(_) => "unreachable",
            Self::Timeout => "timeout",
            Self::ServerError(_) => "server_error",
            Self::InvalidResponse => "invalid_response",
            Self::Unauthorized => "unauthorized",
            Self::RateLimited => "rate_limited",
            Self::Rejected(_) => "rejected",
            Self::UnknownPayment => "unknown_payment",
            Self::UntrustedHost(_) => "untrusted_host",
        }
    }
}
