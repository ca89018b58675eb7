//! The transition of an order: a pure and total function of its state and an event. It uses no clock and no database,
//! so that millions of histories can be tested in a second; `change.rs` writes the effects in one transaction.
//!
//! An order has three states side by side: the status that people see (the seller may set any, at any time), the
//! payment and the stock. Payment and stock follow by rule, and only once; what the rules cannot resolve opens a case.

mod state;

use std::fmt;

pub use state::{FinancialStatus, Method, OrderStatus, Refund, State, Stock};

/// What the wallet reported about a payment attempt.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum LookupResult {
    /// Paid with exactly the amount of the attempt.
    Completed,
    CompletedOtherAmount,
    /// Paid by a transaction that already paid something else.
    CompletedReusedTransaction,
    /// Paid and refunded.
    Refunded,
    /// Expired, cancelled by the payer, or failed.
    Over,
    /// Not decided: initiated, pending, unclear, or completed without proof.
    Open,
}

impl LookupResult {
    pub const ALL: [Self; 6] = [
        Self::Completed,
        Self::CompletedOtherAmount,
        Self::CompletedReusedTransaction,
        Self::Refunded,
        Self::Over,
        Self::Open,
    ];
}

/// The state of the attempt that a lookup is about, beside the other attempts of the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptState {
    /// Not settled; no attempt of this order has paid, and no other one is open.
    Open,
    /// Not settled; no attempt has paid, but another one is open and may be paid right now.
    OpenBesideOpen,
    /// Not settled; another attempt has paid.
    OpenBesidePaid,
    /// Settled before: paid, paid in addition to another attempt, or in conflict.
    Settled,
}

impl AttemptState {
    pub const ALL: [Self; 4] = [Self::Open, Self::OpenBesideOpen, Self::OpenBesidePaid, Self::Settled];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    SellerSetStatus(OrderStatus),
    ShopperCancelled,
    WalletReported(LookupResult, AttemptState),
    /// The time for which stock is held is over.
    HoldExpired,
    /// The wallet created no payment page, so the order cannot be paid.
    InitiationFailed,
    /// The shopper asks for a payment page, be it the first or another one.
    PaymentRetried,
    /// A payment is no longer expected.
    PaymentAbandoned,
    /// The shopper did not confirm the email address for a cash order in time.
    ConfirmationExpired,
    /// The wallet shows the refund of the attempt that paid.
    RefundConfirmed,
    /// The wallet shows the refund of an attempt in conflict.
    ConflictRefunded,
}

impl Event {
    /// Every possible event, for tests.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = OrderStatus::ALL.into_iter().map(Self::SellerSetStatus).collect();
        all.extend([
            Self::ShopperCancelled,
            Self::HoldExpired,
            Self::InitiationFailed,
            Self::PaymentRetried,
            Self::PaymentAbandoned,
            Self::ConfirmationExpired,
            Self::RefundConfirmed,
            Self::ConflictRefunded,
        ]);
        for lookup in LookupResult::ALL {
            for attempt in AttemptState::ALL {
                all.push(Self::WalletReported(lookup, attempt));
            }
        }
        all
    }
}

/// Why a person must look at an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum CaseKind {
    CancelledAfterDispatch,
    ReopenedWithoutStock,
    ReopenedAfterRefund,
    ReopenedUnpaid,
    ShippedUnpaid,
    AmountMismatch,
    TransactionReused,
    PaidTwice,
    LatePayment,
    RefundedOutside,
    /// This and the next five are opened outside `transition`, when a payment is polled, a refund is sent or a
    /// rider returns.
    PendingLong,
    WalletUnclear,
    WalletUnknownPayment,
    RefundFailed,
    /// A rider brought goods back from the door.
    ReturnedAtDoor,
    /// A rider collected cash for an order that the wallet had paid.
    CashAndWallet,
}

impl CaseKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::CancelledAfterDispatch => "cancelled_after_dispatch",
            Self::ReopenedWithoutStock => "reopened_without_stock",
            Self::ReopenedAfterRefund => "reopened_after_refund",
            Self::ReopenedUnpaid => "reopened_unpaid",
            Self::ShippedUnpaid => "shipped_unpaid",
            Self::AmountMismatch => "amount_mismatch",
            Self::TransactionReused => "transaction_reused",
            Self::PaidTwice => "paid_twice",
            Self::LatePayment => "late_payment",
            Self::RefundedOutside => "refunded_outside",
            Self::PendingLong => "payment_pending_long",
            Self::WalletUnclear => "wallet_unclear",
            Self::WalletUnknownPayment => "wallet_unknown_payment",
            Self::RefundFailed => "refund_failed",
            Self::ReturnedAtDoor => "returned_at_door",
            Self::CashAndWallet => "cash_and_wallet",
        }
    }
}

impl fmt::Display for CaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptOutcome {
    Paid,
    PaidExtra,
    Failed,
    Conflict,
    Abandoned,
}

/// What `change.rs` writes, in this order, in one transaction with the new state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Adds an entry to the timeline.
    AddTimelineEntry(OrderStatus),
    /// Returns the units to stock.
    ReleaseStock,
    /// Takes the units from stock again; used only when they are in stock.
    RetakeStock,
    /// Records the cash of a delivered order in the cash ledger.
    CollectCash,
    /// Takes back what the cash ledger says about the order.
    ReverseCash,
    EndAttempt(AttemptOutcome),
    RequestRefund,
    WithdrawRefund,
    OpenCase(CaseKind),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub state: State,
    pub effects: Vec<Effect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum TransitionError {
    #[error("too late to cancel")]
    TooLateToCancel,
    #[error("not payable")]
    NotPayable,
    #[error("out of stock")]
    OutOfStock,
}

/// Returns what `event` does to `state`. `in_stock` says whether the units of the order are in stock, checked under
/// lock; it is used only where units would be taken again.
pub fn transition(state: State, event: Event, in_stock: bool) -> Result<Outcome, TransitionError> {
    match event {
        Event::SellerSetStatus(status) => Ok(set_status(state, status, in_stock)),
        Event::ShopperCancelled => match state.status {
            OrderStatus::Placed | OrderStatus::Confirmed if !state.dispatched => {
                Ok(set_status(state, OrderStatus::Cancelled, in_stock))
            }
            OrderStatus::Placed
            | OrderStatus::Confirmed
            | OrderStatus::Shipped
            | OrderStatus::OutForDelivery
            | OrderStatus::Delivered
            | OrderStatus::Cancelled => Err(TransitionError::TooLateToCancel),
        },
        Event::WalletReported(lookup, attempt) => Ok(apply_lookup(state, lookup, attempt, in_stock)),
        Event::HoldExpired => Ok(expire_hold(state)),
        Event::InitiationFailed => {
            let mut outcome = expire_hold(state);
            if state.payment == FinancialStatus::Awaiting {
                outcome.state.payment = FinancialStatus::Failed;
                outcome.effects.push(Effect::EndAttempt(AttemptOutcome::Abandoned));
            }
            Ok(outcome)
        }
        Event::PaymentRetried => retry_payment(state, in_stock),
        Event::PaymentAbandoned => Ok(abandon_payment(state)),
        Event::ConfirmationExpired => Ok(expire_confirmation(state)),
        Event::RefundConfirmed => Ok(confirm_refund(state)),
        Event::ConflictRefunded => {
            // The payment in conflict was refunded, and no other one is expected.
            let payment =
                if state.payment == FinancialStatus::Conflict { FinancialStatus::Failed } else { state.payment };
            Ok(Outcome { state: State { payment, ..state }, effects: Vec::new() })
        }
    }
}

/// Sets any status; it never fails and always adds a timeline entry.
fn set_status(before: State, status: OrderStatus, in_stock: bool) -> Outcome {
    let mut state = before;
    let mut effects = vec![Effect::AddTimelineEntry(status)];
    let was_cancelled = before.status == OrderStatus::Cancelled;
    let is_cancelled = status == OrderStatus::Cancelled;
    if is_cancelled && !was_cancelled {
        cancel(&mut state, &mut effects);
    } else if was_cancelled && !is_cancelled {
        reopen(&mut state, &mut effects, in_stock);
    }
    if state.method == Method::Cod && !is_cancelled {
        state.payment =
            if status == OrderStatus::Delivered { FinancialStatus::CodCollected } else { FinancialStatus::CodDue };
    }
    if status.is_dispatched() {
        if matches!(before.payment, FinancialStatus::Awaiting | FinancialStatus::Failed | FinancialStatus::Conflict) {
            effects.push(Effect::OpenCase(CaseKind::ShippedUnpaid));
        }
        match state.stock {
            Stock::Held => state.stock = Stock::Taken,
            // Dispatched units leave the stock, paid or not.
            Stock::Returned | Stock::Short if !was_cancelled && in_stock => {
                effects.push(Effect::RetakeStock);
                state.stock = Stock::Taken;
            }
            Stock::Returned if !was_cancelled => {
                effects.push(Effect::OpenCase(CaseKind::ReopenedWithoutStock));
                state.stock = Stock::Short;
            }
            Stock::Returned | Stock::Short | Stock::Taken => {}
        }
    }
    let is_collected = |state: State| state.payment == FinancialStatus::CodCollected;
    if is_collected(before) != is_collected(state) {
        effects.push(if is_collected(state) { Effect::CollectCash } else { Effect::ReverseCash });
    }
    state.status = status;
    state.dispatched = status.is_dispatched() || (before.dispatched && is_cancelled);
    Outcome { state, effects }
}

fn cancel(state: &mut State, effects: &mut Vec<Effect>) {
    if state.dispatched {
        // Dispatched units are not back in stock.
        effects.push(Effect::OpenCase(CaseKind::CancelledAfterDispatch));
    } else if state.stock.owns_units() {
        effects.push(Effect::ReleaseStock);
        state.stock = Stock::Returned;
    }
    match state.payment {
        FinancialStatus::Paid => {
            effects.push(Effect::RequestRefund);
            state.payment = FinancialStatus::RefundDue;
            state.refund = Refund::Requested;
        }
        FinancialStatus::CodDue | FinancialStatus::CodCollected => state.payment = FinancialStatus::CodVoid,
        // An order that awaits payment can still be paid, so it is still polled; a payment that arrives is refunded.
        FinancialStatus::Awaiting
        | FinancialStatus::CodVoid
        | FinancialStatus::Failed
        | FinancialStatus::Conflict
        | FinancialStatus::RefundDue
        | FinancialStatus::Refunded => {}
    }
}

fn reopen(state: &mut State, effects: &mut Vec<Effect>, in_stock: bool) {
    match state.stock {
        Stock::Returned | Stock::Short if in_stock => {
            effects.push(Effect::RetakeStock);
            state.stock = Stock::Taken;
        }
        Stock::Returned | Stock::Short => {
            state.stock = Stock::Short;
            effects.push(Effect::OpenCase(CaseKind::ReopenedWithoutStock));
        }
        Stock::Held | Stock::Taken => {}
    }
    match (state.payment, state.refund) {
        (FinancialStatus::RefundDue, Refund::Requested) => {
            effects.push(Effect::WithdrawRefund);
            state.payment = FinancialStatus::Paid;
            state.refund = Refund::None;
        }
        (FinancialStatus::RefundDue | FinancialStatus::Refunded, _) => {
            effects.push(Effect::OpenCase(CaseKind::ReopenedAfterRefund));
        }
        (FinancialStatus::Awaiting | FinancialStatus::Failed | FinancialStatus::Conflict, _) => {
            effects.push(Effect::OpenCase(CaseKind::ReopenedUnpaid));
        }
        // The caller sets the payment of a cash order by its status.
        (
            FinancialStatus::Paid | FinancialStatus::CodDue | FinancialStatus::CodCollected | FinancialStatus::CodVoid,
            _,
        ) => {}
    }
}

fn apply_lookup(before: State, lookup: LookupResult, attempt: AttemptState, in_stock: bool) -> Outcome {
    let mut state = before;
    let mut effects = Vec::new();
    let is_paid_already = attempt == AttemptState::OpenBesidePaid || state.payment == FinancialStatus::CodCollected;
    match (lookup, attempt) {
        // The report was applied before, or it decides nothing.
        (_, AttemptState::Settled) | (LookupResult::Open, _) => {}
        (LookupResult::CompletedOtherAmount | LookupResult::CompletedReusedTransaction, _) => {
            effects.push(Effect::EndAttempt(AttemptOutcome::Conflict));
            let reused = lookup == LookupResult::CompletedReusedTransaction;
            effects.push(Effect::OpenCase(if reused { CaseKind::TransactionReused } else { CaseKind::AmountMismatch }));
            if matches!(state.payment, FinancialStatus::Awaiting | FinancialStatus::Failed) {
                state.payment = FinancialStatus::Conflict;
            }
        }
        (LookupResult::Completed, _) if is_paid_already => {
            effects.push(Effect::EndAttempt(AttemptOutcome::PaidExtra));
            effects.push(Effect::RequestRefund);
            effects.push(Effect::OpenCase(CaseKind::PaidTwice));
        }
        (LookupResult::Completed, _) => {
            // A cash order that is paid with the wallet at the door becomes an online order.
            state.method = Method::Online;
            mark_paid(&mut state, &mut effects, in_stock);
        }
        (LookupResult::Over | LookupResult::Refunded, _) => {
            effects.push(Effect::EndAttempt(AttemptOutcome::Failed));
            if lookup == LookupResult::Refunded {
                effects.push(Effect::OpenCase(CaseKind::RefundedOutside));
            }
            if state.payment == FinancialStatus::Awaiting && attempt == AttemptState::Open {
                state.payment = FinancialStatus::Failed;
                if state.stock == Stock::Held {
                    effects.push(Effect::ReleaseStock);
                    state.stock = Stock::Returned;
                }
            }
        }
    }
    Outcome { state, effects }
}

/// A payment for an order that lost its units takes them again if they are in stock; otherwise it is refunded, unless
/// the order was dispatched. A payment for a cancelled order is always refunded.
fn mark_paid(state: &mut State, effects: &mut Vec<Effect>, in_stock: bool) {
    effects.push(Effect::EndAttempt(AttemptOutcome::Paid));
    let gone = state.stock == Stock::Returned && !in_stock && !state.dispatched;
    if state.status == OrderStatus::Cancelled || gone {
        effects.push(Effect::RequestRefund);
        effects.push(Effect::AddTimelineEntry(OrderStatus::Cancelled));
        state.payment = FinancialStatus::RefundDue;
        state.refund = Refund::Requested;
        state.status = OrderStatus::Cancelled;
        effects.push(Effect::OpenCase(CaseKind::LatePayment));
        return;
    }
    match state.stock {
        Stock::Returned if in_stock => {
            effects.push(Effect::RetakeStock);
            state.stock = Stock::Taken;
        }
        Stock::Held => state.stock = Stock::Taken,
        // The order was dispatched already.
        Stock::Returned => state.stock = Stock::Short,
        // For an order that is short of units, a case was opened before.
        Stock::Taken | Stock::Short => {}
    }
    state.payment = FinancialStatus::Paid;
    if state.status == OrderStatus::Placed {
        state.status = OrderStatus::Confirmed;
        effects.push(Effect::AddTimelineEntry(OrderStatus::Confirmed));
    }
}

fn expire_hold(before: State) -> Outcome {
    let mut state = before;
    let mut effects = Vec::new();
    if state.stock == Stock::Held {
        effects.push(Effect::ReleaseStock);
        state.stock = Stock::Returned;
        if state.payment == FinancialStatus::Awaiting {
            state.payment = FinancialStatus::Failed;
        }
    }
    Outcome { state, effects }
}

/// Another attempt to pay holds released units again, if they are in stock.
fn retry_payment(before: State, in_stock: bool) -> Result<Outcome, TransitionError> {
    let mut state = before;
    let mut effects = Vec::new();
    let wanted = matches!(state.status, OrderStatus::Placed | OrderStatus::Confirmed);
    if !wanted || !matches!(state.payment, FinancialStatus::Awaiting | FinancialStatus::Failed) {
        return Err(TransitionError::NotPayable);
    }
    match state.stock {
        Stock::Returned | Stock::Short if in_stock => {
            effects.push(Effect::RetakeStock);
            state.stock = Stock::Held;
        }
        Stock::Returned | Stock::Short => return Err(TransitionError::OutOfStock),
        Stock::Held | Stock::Taken => {}
    }
    state.payment = FinancialStatus::Awaiting;
    Ok(Outcome { state, effects })
}

/// Cancels an order that was never paid, unless the seller has changed it.
fn abandon_payment(before: State) -> Outcome {
    let untouched = before.status == OrderStatus::Placed && before.stock == Stock::Returned;
    if before.payment == FinancialStatus::Failed && untouched {
        return Outcome {
            state: State { status: OrderStatus::Cancelled, ..before },
            effects: vec![Effect::AddTimelineEntry(OrderStatus::Cancelled)],
        };
    }
    Outcome { state: before, effects: Vec::new() }
}

/// Cancels a cash order and returns its units to stock, unless the seller has changed it.
fn expire_confirmation(before: State) -> Outcome {
    if before.method == Method::Cod && before.status == OrderStatus::Placed && !before.dispatched {
        return set_status(before, OrderStatus::Cancelled, false);
    }
    Outcome { state: before, effects: Vec::new() }
}

fn confirm_refund(before: State) -> Outcome {
    let mut state = before;
    if state.payment == FinancialStatus::RefundDue {
        state.payment = FinancialStatus::Refunded;
        state.refund = Refund::Sent;
    }
    Outcome { state, effects: Vec::new() }
}

#[cfg(test)]
mod tests;
