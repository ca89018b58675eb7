//! A payment: one attempt to pay for something.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::provider::{NextAction, ProviderStatus};
use crate::platform::ids::PaymentId;
use crate::platform::money::Paisa;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PaymentState {
    /// Recorded while the wallet is asked for a payment page; it cannot be paid yet.
    Created,
    Initiated,
    Paid,
    /// Paid after another attempt had already paid for the same thing.
    PaidExtra,
    /// Expired or cancelled. Its link may still be paid, so it is polled for a while.
    Failed,
    /// The wallet's report does not match our record: another amount, or the transaction of another payment.
    Conflict,
    /// No payment page was ever given out, so it can never be paid.
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

    /// Returns whether the wallet's report about the money is final.
    pub const fn is_settled(self) -> bool {
        matches!(self, Self::Paid | Self::PaidExtra | Self::Conflict)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RefundState {
    /// Recorded but not yet sent to the wallet, so it can be withdrawn.
    Requested,
    /// Sent to the wallet, or about to be; never sent again automatically.
    Sent,
    Confirmed,
    Withdrawn,
    /// The seller must handle it.
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

/// A refund gives all of a payment back, or what a partial refund has left of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefundKind {
    Full,
    Partial,
}

/// One refund of a payment.
#[derive(Debug, Clone)]
pub struct Refund {
    pub payment: PaymentId,
    pub kind: RefundKind,
    pub amount: Paisa,
}

/// The refund of a part of a payment; it is never withdrawn.
#[derive(Debug, Clone, Copy)]
pub struct PartialRefund {
    pub state: RefundState,
    pub amount: Paisa,
    /// When it was sent, or else requested.
    pub since: DateTime<Utc>,
}

#[derive(Debug, Clone)]
pub struct Payment {
    pub id: PaymentId,
    /// What the payment is for; this module does not know what that is.
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
    /// The latest status as the wallet spells it; the next two fields are its meaning and when the wallet was asked.
    pub raw_status: Option<String>,
    pub provider_status: Option<ProviderStatus>,
    pub last_checked_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
    pub started_at: Option<DateTime<Utc>>,
    pub settled_at: Option<DateTime<Utc>>,
    /// The state of the full refund; `None` if it was withdrawn.
    pub refund: Option<RefundState>,
    pub refund_since: Option<DateTime<Utc>>,
    pub partial_refund: Option<PartialRefund>,
}

impl Payment {
    /// Returns whether the link can be paid now and for at least `left` longer.
    pub fn is_payable(&self, left: TimeDelta, now: DateTime<Utc>) -> bool {
        self.state == PaymentState::Initiated && self.link_ends_at.is_some_and(|ends| ends - now >= left)
    }

    /// Returns whether the latest status is neither a yes nor a no.
    pub fn is_undecided(&self) -> bool {
        match self.provider_status {
            Some(ProviderStatus::Pending | ProviderStatus::PartlyRefunded | ProviderStatus::Unclear) => true,
            Some(ProviderStatus::Completed | ProviderStatus::Over | ProviderStatus::Refunded) => false,
            Some(ProviderStatus::Initiated) | None => self.state == PaymentState::Initiated,
        }
    }

    pub fn refund_state(&self, kind: RefundKind) -> Option<RefundState> {
        match kind {
            RefundKind::Full => self.refund,
            RefundKind::Partial => self.partial_refund.map(|refund| refund.state),
        }
    }

    /// The refund that the next poll is about: one that was sent, or else one that the seller must handle.
    fn awaited_refund(&self) -> Option<(RefundState, DateTime<Utc>)> {
        let full = self.refund.zip(self.refund_since);
        let partial = self.partial_refund.map(|refund| (refund.state, refund.since));
        let both = || [full, partial].into_iter().flatten();
        let with = |wanted| both().find(|(state, _)| *state == wanted);
        with(RefundState::Sent).or_else(|| with(RefundState::Manual)).or_else(|| both().next())
    }

    pub(super) fn poll_state(&self) -> Option<PollState> {
        Some(PollState {
            state: self.state,
            started_at: self.started_at?,
            link_ends_at: self.link_ends_at?,
            undecided: self.is_undecided(),
            refund: self.awaited_refund(),
        })
    }
}

/// Everything that the schedule depends on.
#[derive(Debug, Clone, Copy)]
pub struct PollState {
    pub state: PaymentState,
    pub started_at: DateTime<Utc>,
    pub link_ends_at: DateTime<Utc>,
    /// The latest status is neither a yes nor a no.
    pub undecided: bool,
    /// The refund of this payment, and when it was sent or else requested.
    pub refund: Option<(RefundState, DateTime<Utc>)>,
}
