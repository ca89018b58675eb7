//! One try to pay something.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::provider::{NextAction, ProviderStatus};
use super::schedule::PollState;
use crate::platform::money::Paisa;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentState {
    /// Written down; the wallet is being asked for a page. Nobody can pay it yet.
    Created,
    Initiated,
    Paid,
    /// Paid, after another try had already paid for the same thing.
    PaidExtra,
    /// Expired or cancelled. Its link may still be paid, so it is watched for a while.
    Failed,
    /// The wallet's words do not fit ours: another amount, or somebody else's transaction.
    Conflict,
    /// No page was ever made, so nobody can ever pay it.
    Abandoned,
}

impl PaymentState {
    const ALL: [Self; 7] =
        [Self::Created, Self::Initiated, Self::Paid, Self::PaidExtra, Self::Failed, Self::Conflict, Self::Abandoned];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Created => "created",
            Self::Initiated => "initiated",
            Self::Paid => "paid",
            Self::PaidExtra => "paid_extra",
            Self::Failed => "failed",
            Self::Conflict => "conflict",
            Self::Abandoned => "abandoned",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }

    /// The wallet has said the last word about the money.
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Paid | Self::PaidExtra | Self::Conflict)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundState {
    /// Written down, not yet asked for: can be taken back.
    Requested,
    /// Asked for, or about to be: never asked for again by itself.
    Sent,
    Confirmed,
    Withdrawn,
    /// A person must see to it.
    Manual,
}

impl RefundState {
    const ALL: [Self; 5] = [Self::Requested, Self::Sent, Self::Confirmed, Self::Withdrawn, Self::Manual];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Requested => "requested",
            Self::Sent => "sent",
            Self::Confirmed => "confirmed",
            Self::Withdrawn => "withdrawn",
            Self::Manual => "manual",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.name() == name)
    }
}

#[derive(Debug, Clone)]
pub struct Payment {
    pub id: Uuid,
    /// What it pays for; this room does not know what that is.
    pub subject_id: Uuid,
    pub number: i16,
    pub amount: Paisa,
    pub received: Option<Paisa>,
    pub state: PaymentState,
    pub pidx: Option<String>,
    pub transaction: Option<String>,
    pub next_action: Option<NextAction>,
    pub link_ends_at: Option<DateTime<Utc>>,
    pub next_check_at: Option<DateTime<Utc>>,
    /// The wallet's last words, what they mean, and when it was asked for them.
    pub raw_status: Option<String>,
    pub provider_status: Option<ProviderStatus>,
    pub last_checked_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub settled_at: Option<DateTime<Utc>>,
    /// The one that counts: not withdrawn.
    pub refund: Option<RefundState>,
    pub refund_since: Option<DateTime<Utc>>,
}

impl Payment {
    /// Somebody can pay it now, and has at least `left` to do so.
    pub fn is_payable(&self, left: TimeDelta, now: DateTime<Utc>) -> bool {
        self.state == PaymentState::Initiated && self.link_ends_at.is_some_and(|ends| ends - now >= left)
    }

    /// The wallet's last words were neither yes nor no.
    pub fn is_undecided(&self) -> bool {
        match self.provider_status {
            Some(ProviderStatus::Pending | ProviderStatus::Unclear) => true,
            Some(ProviderStatus::Completed | ProviderStatus::Over | ProviderStatus::Refunded) => false,
            Some(ProviderStatus::Initiated) | None => self.state == PaymentState::Initiated,
        }
    }

    pub(super) fn poll_state(&self) -> Option<PollState> {
        Some(PollState {
            state: self.state,
            started_at: self.started_at?,
            link_ends_at: self.link_ends_at?,
            undecided: self.is_undecided(),
            refund: self.refund.zip(self.refund_since),
        })
    }
}
