//! The transition of an order: a pure and total function of its state and an event. It uses no clock and no database,
//! so that millions of histories can be tested in a second; `change.rs` writes the effects in one transaction.
//!
//! An order has three states side by side: the status that people see (the seller may set any, at any time), the
//! payment and the stock. Payment and stock follow by rule, and only once; what the rules cannot resolve opens a case.

use std::fmt;

/// The six statuses of the seller's selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OrderStatus {
    Placed,
    Confirmed,
    Shipped,
    OutForDelivery,
    Delivered,
    Cancelled,
}

impl OrderStatus {
    pub const ALL: [Self; 6] =
        [Self::Placed, Self::Confirmed, Self::Shipped, Self::OutForDelivery, Self::Delivered, Self::Cancelled];

    /// The name in the contract and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Placed => "Order Placed",
            Self::Confirmed => "Order Confirmed",
            Self::Shipped => "Order Shipped",
            Self::OutForDelivery => "Out for Delivery",
            Self::Delivered => "Delivered",
            Self::Cancelled => "Cancelled",
        }
    }

    /// The name that a seller who works in Nepali sees on the screen and types into the search.
    pub const fn nepali(self) -> &'static str {
        match self {
            Self::Placed => "अर्डर भयो",
            Self::Confirmed => "अर्डर पक्का भयो",
            Self::Shipped => "सामान पठाइयो",
            Self::OutForDelivery => "डेलिभरीमा निस्कियो",
            Self::Delivered => "पुर्‍याइयो",
            Self::Cancelled => "रद्द भयो",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns whether the goods have left the shop.
    pub const fn is_dispatched(self) -> bool {
        matches!(self, Self::Shipped | Self::OutForDelivery | Self::Delivered)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    Cod,
    Online,
}

impl Method {
    /// The name in the contract and in the database; Khalti is the only wallet.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cod => "COD",
            Self::Online => "Khalti",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Cod, Self::Online].into_iter().find(|method| method.name() == name)
    }
}

/// The state of the payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FinancialStatus {
    CodDue,
    CodCollected,
    CodVoid,
    Awaiting,
    Paid,
    Failed,
    /// The wallet reports another amount, or a transaction that paid something else.
    Conflict,
    RefundDue,
    Refunded,
}

impl FinancialStatus {
    pub const ALL: [Self; 9] = [
        Self::CodDue,
        Self::CodCollected,
        Self::CodVoid,
        Self::Awaiting,
        Self::Paid,
        Self::Failed,
        Self::Conflict,
        Self::RefundDue,
        Self::Refunded,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::CodDue => "cod_due",
            Self::CodCollected => "cod_collected",
            Self::CodVoid => "cod_void",
            Self::Awaiting => "awaiting",
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Conflict => "conflict",
            Self::RefundDue => "refund_due",
            Self::Refunded => "refunded",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|payment| payment.name() == name)
    }

    /// Returns whether this status can occur with a payment method.
    pub const fn fits(self, method: Method) -> bool {
        matches!(self, Self::CodDue | Self::CodCollected | Self::CodVoid) == matches!(method, Method::Cod)
    }
}

/// The state of the order's units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stock {
    /// Taken from stock until the payment is settled.
    Held,
    Taken,
    /// Returned to stock.
    Returned,
    /// Needed again, but out of stock.
    Short,
}

impl Stock {
    pub const ALL: [Self; 4] = [Self::Held, Self::Taken, Self::Returned, Self::Short];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Taken => "taken",
            Self::Returned => "returned",
            Self::Short => "short",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stock| stock.name() == name)
    }

    /// Returns whether the order has units that were taken from stock.
    pub const fn owns_units(self) -> bool {
        matches!(self, Self::Held | Self::Taken)
    }
}

/// The refund of the attempt that paid the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refund {
    None,
    /// Recorded but not yet sent to the wallet, so it can be withdrawn.
    Requested,
    Sent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub status: OrderStatus,
    pub method: Method,
    pub payment: FinancialStatus,
    pub stock: Stock,
    pub dispatched: bool,
    pub refund: Refund,
}

impl State {
    /// The state of a new order: a cash order takes its stock at once, an online order holds it until it is paid.
    pub const fn placed(method: Method) -> Self {
        let (payment, stock) = match method {
            Method::Cod => (FinancialStatus::CodDue, Stock::Taken),
            Method::Online => (FinancialStatus::Awaiting, Stock::Held),
        };
        Self { status: OrderStatus::Placed, method, payment, stock, dispatched: false, refund: Refund::None }
    }
}

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
    /// This and the next three are opened outside `transition`, when a payment is polled or a refund is sent.
    PendingLong,
    WalletUnclear,
    WalletUnknownPayment,
    RefundFailed,
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
    if state.method == Method::Cod {
        // The wallet does not know a cash order.
        return Outcome { state, effects };
    }
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
        (LookupResult::Completed, AttemptState::OpenBesidePaid) => {
            effects.push(Effect::EndAttempt(AttemptOutcome::PaidExtra));
            effects.push(Effect::RequestRefund);
            effects.push(Effect::OpenCase(CaseKind::PaidTwice));
        }
        (LookupResult::Completed, AttemptState::Open | AttemptState::OpenBesideOpen) => {
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
mod tests {
    use super::*;

    /// The page and the search must use the same Nepali words.
    #[test]
    fn a_label_is_called_in_nepali_as_the_page_calls_it() {
        let page = include_str!("../../../web/src/locales/ne.json");
        let page: std::collections::HashMap<String, String> = serde_json::from_str(page).unwrap();
        for (status, id) in
            OrderStatus::ALL.into_iter().zip(["placed", "confirmed", "shipped", "out", "delivered", "cancelled"])
        {
            assert_eq!(page[&format!("status.{id}")], status.nepali());
        }
    }

    fn states() -> Vec<State> {
        let mut all = Vec::new();
        for status in OrderStatus::ALL {
            for method in [Method::Cod, Method::Online] {
                for payment in FinancialStatus::ALL.into_iter().filter(|payment| payment.fits(method)) {
                    for stock in Stock::ALL {
                        for dispatched in [false, true] {
                            for refund in [Refund::None, Refund::Requested, Refund::Sent] {
                                all.push(State { status, method, payment, stock, dispatched, refund });
                            }
                        }
                    }
                }
            }
        }
        all
    }

    /// Returns whether the event can happen: an open attempt has a paid one beside it exactly when the order was paid.
    fn is_possible(state: State, event: Event) -> bool {
        let money_came =
            matches!(state.payment, FinancialStatus::Paid | FinancialStatus::RefundDue | FinancialStatus::Refunded);
        match event {
            Event::WalletReported(_, AttemptState::Open | AttemptState::OpenBesideOpen) => !money_came,
            Event::WalletReported(_, AttemptState::OpenBesidePaid) => money_came,
            _ => true,
        }
    }

    /// Checks the rules that no step may break, from any state.
    #[test]
    fn every_step_from_every_state_keeps_the_books() {
        for before in states() {
            for event in Event::all().into_iter().filter(|event| is_possible(before, *event)) {
                for in_stock in [false, true] {
                    let Ok(Outcome { state, effects }) = transition(before, event, in_stock) else { continue };
                    let tag = format!("{before:?} {event:?} {in_stock} -> {state:?} {effects:?}");
                    let count = |wanted: Effect| effects.iter().filter(|effect| **effect == wanted).count();
                    // Units move exactly when the state says so.
                    let owned = |stock: Stock| i32::from(stock.owns_units());
                    let moved = i32::try_from(count(Effect::RetakeStock)).unwrap()
                        - i32::try_from(count(Effect::ReleaseStock)).unwrap();
                    assert_eq!(owned(state.stock) - owned(before.stock), moved, "{tag}");
                    assert!(count(Effect::RetakeStock) == 0 || in_stock, "{tag}");
                    // The payment stays with its method, and a step requests at most one refund.
                    assert!(state.payment.fits(before.method), "{tag}");
                    assert!(count(Effect::RequestRefund) <= 1 && count(Effect::WithdrawRefund) <= 1, "{tag}");
                    let extra = effects.contains(&Effect::EndAttempt(AttemptOutcome::PaidExtra));
                    let newly_due =
                        before.payment != FinancialStatus::RefundDue && state.payment == FinancialStatus::RefundDue;
                    assert_eq!(count(Effect::RequestRefund) == 1, newly_due || extra, "{tag}");
                    // No step makes an order cancelled and paid without requesting a refund.
                    let bad =
                        |state: State| state.status == OrderStatus::Cancelled && state.payment == FinancialStatus::Paid;
                    assert!(!bad(state) || bad(before), "{tag}");
                    // The last timeline entry is the status.
                    let last = effects.iter().rev().find_map(|effect| match effect {
                        Effect::AddTimelineEntry(status) => Some(*status),
                        _ => None,
                    });
                    assert_eq!(last.unwrap_or(before.status), state.status, "{tag}");
                }
            }
        }
    }

    fn cod() -> State {
        State::placed(Method::Cod)
    }

    #[test]
    fn cash_follows_the_label() {
        let delivered = transition(cod(), Event::SellerSetStatus(OrderStatus::Delivered), true).unwrap().state;
        assert_eq!((delivered.payment, delivered.dispatched), (FinancialStatus::CodCollected, true));
        let back = transition(delivered, Event::SellerSetStatus(OrderStatus::Confirmed), true).unwrap().state;
        assert_eq!((back.payment, back.dispatched), (FinancialStatus::CodDue, false));
        let cancelled = transition(back, Event::SellerSetStatus(OrderStatus::Cancelled), true).unwrap();
        assert_eq!((cancelled.state.payment, cancelled.state.stock), (FinancialStatus::CodVoid, Stock::Returned));
        assert!(cancelled.effects.contains(&Effect::ReleaseStock));
    }

    #[test]
    fn a_cash_order_that_nobody_confirms_gives_its_units_back_once() {
        let ended = transition(cod(), Event::ConfirmationExpired, false).unwrap();
        let State { status, payment, stock, .. } = ended.state;
        assert_eq!((status, payment, stock), (OrderStatus::Cancelled, FinancialStatus::CodVoid, Stock::Returned));
        assert_eq!(ended.effects, [Effect::AddTimelineEntry(OrderStatus::Cancelled), Effect::ReleaseStock]);
        let again = transition(ended.state, Event::ConfirmationExpired, true).unwrap();
        assert_eq!(again, Outcome { state: ended.state, effects: Vec::new() });
        // An order that the seller has changed, or that is paid online, is not cancelled.
        for status in
            [OrderStatus::Confirmed, OrderStatus::Shipped, OrderStatus::OutForDelivery, OrderStatus::Delivered]
        {
            let touched = transition(cod(), Event::SellerSetStatus(status), true).unwrap().state;
            assert_eq!(transition(touched, Event::ConfirmationExpired, true).unwrap().state, touched);
        }
        let online = State::placed(Method::Online);
        assert_eq!(transition(online, Event::ConfirmationExpired, true).unwrap().state, online);
    }

    #[test]
    fn what_was_sent_is_not_put_back_into_stock_by_a_status() {
        let shipped = transition(cod(), Event::SellerSetStatus(OrderStatus::Shipped), true).unwrap().state;
        let cancelled = transition(shipped, Event::SellerSetStatus(OrderStatus::Cancelled), true).unwrap();
        assert_eq!(cancelled.state.stock, Stock::Taken);
        assert!(cancelled.effects.contains(&Effect::OpenCase(CaseKind::CancelledAfterDispatch)));
        assert_eq!(transition(shipped, Event::ShopperCancelled, true), Err(TransitionError::TooLateToCancel));
    }

    #[test]
    fn reopening_takes_the_goods_again_or_says_that_they_are_gone() {
        let cancelled = transition(cod(), Event::ShopperCancelled, true).unwrap().state;
        let there = transition(cancelled, Event::SellerSetStatus(OrderStatus::Confirmed), true).unwrap();
        assert_eq!((there.state.stock, there.state.payment), (Stock::Taken, FinancialStatus::CodDue));
        let gone = transition(cancelled, Event::SellerSetStatus(OrderStatus::Confirmed), false).unwrap();
        assert_eq!(gone.state.stock, Stock::Short);
        assert!(gone.effects.contains(&Effect::OpenCase(CaseKind::ReopenedWithoutStock)));
    }

    #[test]
    fn a_link_that_ends_beside_a_living_one_takes_nothing_away() {
        let awaiting = State::placed(Method::Online);
        let over =
            |attempt| transition(awaiting, Event::WalletReported(LookupResult::Over, attempt), true).unwrap().state;
        assert_eq!(over(AttemptState::OpenBesideOpen), awaiting);
        assert_eq!(
            (over(AttemptState::Open).payment, over(AttemptState::Open).stock),
            (FinancialStatus::Failed, Stock::Returned)
        );
    }

    #[test]
    fn late_money_finds_its_goods_or_goes_back() {
        let failed = transition(State::placed(Method::Online), Event::HoldExpired, true).unwrap().state;
        let paid = |goods| {
            transition(failed, Event::WalletReported(LookupResult::Completed, AttemptState::Open), goods).unwrap()
        };
        assert_eq!((paid(true).state.payment, paid(true).state.stock), (FinancialStatus::Paid, Stock::Taken));
        let gone = paid(false);
        assert_eq!((gone.state.payment, gone.state.status), (FinancialStatus::RefundDue, OrderStatus::Cancelled));
        assert!(
            gone.effects.contains(&Effect::RequestRefund)
                && gone.effects.contains(&Effect::OpenCase(CaseKind::LatePayment))
        );
    }

    #[test]
    fn what_is_sent_unpaid_is_taken_from_stock_all_the_same() {
        let failed = transition(State::placed(Method::Online), Event::HoldExpired, true).unwrap().state;
        let shipped = transition(failed, Event::SellerSetStatus(OrderStatus::Shipped), true).unwrap();
        assert_eq!(shipped.state.stock, Stock::Taken);
        assert!(shipped.effects.contains(&Effect::RetakeStock));
        let paid = Event::WalletReported(LookupResult::Completed, AttemptState::Open);
        assert_eq!(transition(shipped.state, paid, false).unwrap().state.payment, FinancialStatus::Paid);
        let none = transition(failed, Event::SellerSetStatus(OrderStatus::Shipped), false).unwrap();
        assert!(
            none.effects.contains(&Effect::OpenCase(CaseKind::ReopenedWithoutStock))
                && none.state.stock == Stock::Short
        );
        let paid = transition(none.state, paid, false).unwrap().state;
        assert_eq!(
            (paid.payment, paid.status),
            (FinancialStatus::Paid, OrderStatus::Shipped),
            "no money goes back for goods on the road"
        );
    }

    #[test]
    fn paying_again_holds_the_goods_again() {
        let failed = transition(State::placed(Method::Online), Event::HoldExpired, true).unwrap().state;
        let again = transition(failed, Event::PaymentRetried, true).unwrap();
        assert_eq!((again.state.payment, again.state.stock), (FinancialStatus::Awaiting, Stock::Held));
        assert_eq!(transition(failed, Event::PaymentRetried, false), Err(TransitionError::OutOfStock));
        let cancelled = transition(failed, Event::PaymentAbandoned, true).unwrap().state;
        assert_eq!(cancelled.status, OrderStatus::Cancelled);
        assert_eq!(transition(cancelled, Event::PaymentRetried, true), Err(TransitionError::NotPayable));
    }

    #[test]
    fn the_same_answer_of_the_wallet_twice_changes_nothing() {
        let awaiting = State::placed(Method::Online);
        let paid =
            transition(awaiting, Event::WalletReported(LookupResult::Completed, AttemptState::Open), true).unwrap();
        assert_eq!(
            (paid.state.payment, paid.state.stock, paid.state.status),
            (FinancialStatus::Paid, Stock::Taken, OrderStatus::Confirmed)
        );
        let again = transition(paid.state, Event::WalletReported(LookupResult::Completed, AttemptState::Settled), true)
            .unwrap();
        assert_eq!(again, Outcome { state: paid.state, effects: Vec::new() });
    }
}
