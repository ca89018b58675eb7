//! What a wallet can do for us, in our words. Another provider is another implementation of `PaymentProvider`; nothing above
//! this file knows how any of them speaks.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::platform::money::Paisa;

pub type ProviderFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T, WalletError>> + Send + 'a>>;

pub trait PaymentProvider: Send + Sync {
    /// Makes a payment that somebody can pay. Two calls make two payments.
    fn start<'a>(&'a self, request: &'a PaymentRequest) -> ProviderFuture<'a, StartedPayment>;

    /// What became of a payment. May be asked as often as one likes.
    fn lookup<'a>(&'a self, pidx: &'a str) -> ProviderFuture<'a, PaymentLookup>;

    /// Gives all of a payment back. Whether a second call would pay twice is nowhere written: there is one call.
    fn refund<'a>(&'a self, transaction: &'a str) -> ProviderFuture<'a, ()>;

    /// Whether it answers at all.
    fn ping(&self) -> ProviderFuture<'_, ()>;
}

/// What somebody is asked to pay. Nothing in it is about the person: the wallet knows its own customer.
#[derive(Debug, Clone)]
pub struct PaymentRequest {
    pub amount: Paisa,
    /// Ours, one for every try.
    pub reference: String,
    pub title: String,
    /// Where the browser comes back to.
    pub return_url: String,
    pub website_url: String,
}

#[derive(Debug, Clone)]
pub struct StartedPayment {
    pub pidx: String,
    pub next_action: NextAction,
    /// How long it can be paid.
    pub expires_in: Duration,
}

/// How the browser gets to the wallet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NextAction {
    Redirect(String),
    /// Some wallets want the fields of a form, sent by the browser.
    Form {
        action: String,
        fields: BTreeMap<String, String>,
    },
}

/// What the wallet says about a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentLookup {
    pub status: ProviderStatus,
    /// As it was written.
    pub raw_status: String,
    pub amount: Option<Paisa>,
    pub transaction: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderStatus {
    Completed,
    /// Money may be moving.
    Pending,
    /// Nobody has paid yet.
    Initiated,
    /// Expired, cancelled by the payer, or failed.
    Over,
    Refunded,
    /// A part of it was given back, or words that nobody knows.
    Unclear,
}

impl ProviderStatus {
    const ALL: [Self; 6] = [Self::Completed, Self::Pending, Self::Initiated, Self::Over, Self::Refunded, Self::Unclear];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Completed => "completed",
            Self::Pending => "pending",
            Self::Initiated => "initiated",
            Self::Over => "over",
            Self::Refunded => "refunded",
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
    /// The wallet is not well, as opposed to one that has understood and said no.
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

    /// For metrics.
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
