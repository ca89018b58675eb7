//! What a wallet can do for us, in our words. Another provider is another implementation of `Provider`; nothing above
//! this file knows how any of them speaks.

use std::collections::BTreeMap;
use std::pin::Pin;
use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::platform::money::Paisa;

pub type Asked<'a, T> = Pin<Box<dyn Future<Output = Result<T, WalletError>> + Send + 'a>>;

pub trait Provider: Send + Sync {
    /// Makes a payment that somebody can pay. Two calls make two payments.
    fn start<'a>(&'a self, bill: &'a Bill) -> Asked<'a, Started>;

    /// What became of a payment. May be asked as often as one likes.
    fn confirm<'a>(&'a self, pidx: &'a str) -> Asked<'a, Said>;

    /// Gives all of a payment back. Whether a second call would pay twice is nowhere written: there is one call.
    fn refund<'a>(&'a self, transaction: &'a str) -> Asked<'a, ()>;

    /// Whether it answers at all.
    fn is_there(&self) -> Asked<'_, ()>;
}

/// What somebody is asked to pay. Nothing in it is about the person: the wallet knows its own customer.
#[derive(Debug, Clone)]
pub struct Bill {
    pub amount: Paisa,
    /// Ours, one for every try.
    pub number: String,
    pub title: String,
    /// Where the browser comes back to.
    pub return_to: String,
    pub shop: String,
}

#[derive(Debug, Clone)]
pub struct Started {
    pub pidx: String,
    pub onward: Onward,
    /// How long it can be paid.
    pub lasts: Duration,
}

/// How the browser gets to the wallet.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Onward {
    Redirect(String),
    /// Some wallets want the fields of a form, sent by the browser.
    Form {
        action: String,
        fields: BTreeMap<String, String>,
    },
}

/// What the wallet says about a payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Said {
    pub status: Status,
    /// As it was written.
    pub words: String,
    pub amount: Option<Paisa>,
    pub transaction: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Status {
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

impl Status {
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
    #[error("no wallet is set up")]
    None,
    #[error("the wallet is not asked for a while")]
    Resting,
    #[error("the wallet cannot be reached: {0}")]
    Unreachable(String),
    #[error("the wallet did not answer in time")]
    Slow,
    #[error("the wallet answered {0}")]
    Broken(u16),
    #[error("the wallet's answer makes no sense")]
    Nonsense,
    #[error("the wallet does not accept our key")]
    KeyRefused,
    #[error("the wallet is asked too often")]
    TooOften,
    #[error("the wallet refused: {0}")]
    Refused(String),
    #[error("the wallet does not know this payment")]
    Unknown,
    #[error("the wallet's page is on a host that is not ours to send people to: {0}")]
    Elsewhere(String),
}

impl WalletError {
    /// The wallet is not well, as opposed to one that has understood and said no.
    pub const fn is_trouble(&self) -> bool {
        match self {
            Self::Unreachable(_)
            | Self::Slow
            | Self::Broken(_)
            | Self::Nonsense
            | Self::KeyRefused
            | Self::TooOften => true,
            Self::None | Self::Resting | Self::Refused(_) | Self::Unknown | Self::Elsewhere(_) => false,
        }
    }

    /// For metrics.
    pub const fn name(&self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Resting => "resting",
            Self::Unreachable(_) => "unreachable",
            Self::Slow => "slow",
            Self::Broken(_) => "broken",
            Self::Nonsense => "nonsense",
            Self::KeyRefused => "key_refused",
            Self::TooOften => "too_often",
            Self::Refused(_) => "refused",
            Self::Unknown => "unknown",
            Self::Elsewhere(_) => "elsewhere",
        }
    }
}
