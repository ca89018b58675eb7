//! What becomes of an order: a pure and total function of its state and of what happened. No clock, no database; the
//! store applies the effects in the same transaction. Millions of histories can be tried in a second.
//!
//! Three states live side by side: the label that people see (the seller may set any, at any time), where the money is,
//! and where the goods are. Money and goods follow by rule, and only once; what the rules cannot mend opens a case.

use std::fmt;

/// The six labels of the seller's selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Label {
    Placed,
    Confirmed,
    Shipped,
    OutForDelivery,
    Delivered,
    Cancelled,
}

impl Label {
    pub const ALL: [Self; 6] =
        [Self::Placed, Self::Confirmed, Self::Shipped, Self::OutForDelivery, Self::Delivered, Self::Cancelled];

    /// As the contract and the table spell it.
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

    /// As a seller who works in Nepali reads it on the screen and types it into the search.
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
        Self::ALL.into_iter().find(|label| label.name() == name)
    }

    /// The goods have left the shop.
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
    /// As the contract and the table spell it; there is one wallet.
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

/// Where the money is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Payment {
    CodDue,
    CodCollected,
    CodVoid,
    Awaiting,
    Paid,
    Failed,
    /// The wallet speaks of another amount.
    Conflict,
    RefundDue,
    Refunded,
}

impl Payment {
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

    /// A payment belongs to a method.
    pub const fn fits(self, method: Method) -> bool {
        matches!(self, Self::CodDue | Self::CodCollected | Self::CodVoid) == matches!(method, Method::Cod)
    }
}

/// Where the goods are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stock {
    /// Out of the shelf until the payment is settled.
    Held,
    Taken,
    /// Back on the shelf.
    Returned,
    /// Promised again, but the shelf was empty.
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

    /// The order has units that the shelf has not.
    pub const fn owns_units(self) -> bool {
        matches!(self, Self::Held | Self::Taken)
    }
}

/// Of the attempt that paid the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refund {
    None,
    /// Written down, not yet asked for at the wallet: can be taken back.
    Requested,
    Sent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub label: Label,
    pub method: Method,
    pub payment: Payment,
    pub stock: Stock,
    pub dispatched: bool,
    pub refund: Refund,
}

impl State {
    /// A new order: cash orders have their goods at once, the others hold them until they are paid.
    pub const fn placed(method: Method) -> Self {
        let (payment, stock) = match method {
            Method::Cod => (Payment::CodDue, Stock::Taken),
            Method::Online => (Payment::Awaiting, Stock::Held),
        };
        Self { label: Label::Placed, method, payment, stock, dispatched: false, refund: Refund::None }
    }
}

/// What the wallet said about one attempt to pay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Lookup {
    /// Paid, exactly the amount of the attempt.
    Completed,
    CompletedOtherAmount,
    /// Paid, by a transaction that already paid something else.
    CompletedTwin,
    /// Paid and given back before we saw it.
    GivenBack,
    /// Expired, cancelled by the payer, or failed.
    Over,
    /// Pending, unknown, unreadable: nothing is known.
    Open,
}

impl Lookup {
    pub const ALL: [Self; 6] =
        [Self::Completed, Self::CompletedOtherAmount, Self::CompletedTwin, Self::GivenBack, Self::Over, Self::Open];
}

/// What is known of the attempt that a lookup is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Attempt {
    /// Not settled; no attempt of this order has paid, and nobody can pay another one.
    Open,
    /// Not settled; none has paid, but there is another link that somebody may be paying at this moment.
    OpenBesideOpen,
    /// Not settled; another attempt has paid.
    OpenBesidePaid,
    /// Settled before: paid, paid too much, or in conflict.
    Settled,
}

impl Attempt {
    pub const ALL: [Self; 4] = [Self::Open, Self::OpenBesideOpen, Self::OpenBesidePaid, Self::Settled];
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Event {
    SellerSets(Label),
    ShopperCancels,
    WalletSays(Lookup, Attempt),
    /// The time for which goods are held is over.
    HoldEnded,
    /// The wallet could not be asked for a payment page: nobody can pay this order.
    NotInitiated,
    /// The shopper asks for another payment page.
    PaysAgain,
    /// Nobody will pay this any more.
    GivenUp,
    /// The buyer of a cash order did not confirm the email address in time.
    NotConfirmed,
    /// Of the attempt that paid.
    RefundConfirmed,
    /// Of an attempt in conflict.
    ConflictReturned,
}

impl Event {
    /// Every event there is, for tests of all of them.
    pub fn all() -> Vec<Self> {
        let mut all: Vec<Self> = Label::ALL.into_iter().map(Self::SellerSets).collect();
        all.extend([
            Self::ShopperCancels,
            Self::HoldEnded,
            Self::NotInitiated,
            Self::PaysAgain,
            Self::GivenUp,
            Self::NotConfirmed,
            Self::RefundConfirmed,
            Self::ConflictReturned,
        ]);
        for lookup in Lookup::ALL {
            for attempt in Attempt::ALL {
                all.push(Self::WalletSays(lookup, attempt));
            }
        }
        all
    }
}

/// Something a person must look at.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Case {
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
    /// These four are the wallet's or its answers'; they change no state.
    PendingLong,
    WalletUnclear,
    WalletUnknownPayment,
    RefundFailed,
}

impl Case {
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

impl fmt::Display for Case {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AttemptEnds {
    Paid,
    PaidExtra,
    Failed,
    Conflict,
    Abandoned,
}

/// What the store writes, in this order, in one transaction with the new state.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Effect {
    /// A row of the timeline.
    Note(Label),
    /// The units go back to the shelf.
    GiveBack,
    /// The units leave the shelf again; asked for only when they are there.
    TakeAgain,
    EndAttempt(AttemptEnds),
    RequestRefund,
    WithdrawRefund,
    Open(Case),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Outcome {
    pub state: State,
    pub effects: Vec<Effect>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("This order can no longer be cancelled.")]
    TooLateToCancel,
    #[error("This order cannot be paid any more.")]
    NotPayable,
    #[error("What you ordered has been sold meanwhile.")]
    GoodsGone,
}

/// What happens to `state` when `event` is seen. `goods_there` says whether the shelf has what the order wants, looked at
/// under lock; it is consulted only where units would be taken again.
pub fn transition(state: State, event: Event, goods_there: bool) -> Result<Outcome, Refusal> {
    match event {
        Event::SellerSets(label) => Ok(set_label(state, label, goods_there)),
        Event::ShopperCancels => match state.label {
            Label::Placed | Label::Confirmed if !state.dispatched => {
                Ok(set_label(state, Label::Cancelled, goods_there))
            }
            Label::Placed
            | Label::Confirmed
            | Label::Shipped
            | Label::OutForDelivery
            | Label::Delivered
            | Label::Cancelled => Err(Refusal::TooLateToCancel),
        },
        Event::WalletSays(lookup, attempt) => Ok(wallet_says(state, lookup, attempt, goods_there)),
        Event::HoldEnded => Ok(hold_ended(state)),
        Event::NotInitiated => {
            let mut outcome = hold_ended(state);
            if state.payment == Payment::Awaiting {
                outcome.state.payment = Payment::Failed;
                outcome.effects.push(Effect::EndAttempt(AttemptEnds::Abandoned));
            }
            Ok(outcome)
        }
        Event::PaysAgain => pays_again(state, goods_there),
        Event::GivenUp => Ok(given_up(state)),
        Event::NotConfirmed => Ok(not_confirmed(state)),
        Event::RefundConfirmed => Ok(refund_confirmed(state)),
        Event::ConflictReturned => {
            // No money is here, and none is expected.
            let payment = if state.payment == Payment::Conflict { Payment::Failed } else { state.payment };
            Ok(Outcome { state: State { payment, ..state }, effects: Vec::new() })
        }
    }
}

/// Never refused; always a row in the timeline.
fn set_label(before: State, label: Label, goods_there: bool) -> Outcome {
    let mut state = before;
    let mut effects = vec![Effect::Note(label)];
    let was_cancelled = before.label == Label::Cancelled;
    let is_cancelled = label == Label::Cancelled;
    if is_cancelled && !was_cancelled {
        cancel(&mut state, &mut effects);
    } else if was_cancelled && !is_cancelled {
        reopen(&mut state, &mut effects, goods_there);
    }
    if state.method == Method::Cod && !is_cancelled {
        state.payment = if label == Label::Delivered { Payment::CodCollected } else { Payment::CodDue };
    }
    if label.is_dispatched() {
        if matches!(before.payment, Payment::Awaiting | Payment::Failed | Payment::Conflict) {
            effects.push(Effect::Open(Case::ShippedUnpaid));
        }
        match state.stock {
            Stock::Held => state.stock = Stock::Taken,
            // What leaves the shop leaves the shelf, paid or not.
            Stock::Returned | Stock::Short if !was_cancelled && goods_there => {
                effects.push(Effect::TakeAgain);
                state.stock = Stock::Taken;
            }
            Stock::Returned if !was_cancelled => {
                effects.push(Effect::Open(Case::ReopenedWithoutStock));
                state.stock = Stock::Short;
            }
            Stock::Returned | Stock::Short | Stock::Taken => {}
        }
    }
    state.label = label;
    state.dispatched = label.is_dispatched() || (before.dispatched && is_cancelled);
    Outcome { state, effects }
}

fn cancel(state: &mut State, effects: &mut Vec<Effect>) {
    if state.dispatched {
        // What is on the road is not on the shelf.
        effects.push(Effect::Open(Case::CancelledAfterDispatch));
    } else if state.stock.owns_units() {
        effects.push(Effect::GiveBack);
        state.stock = Stock::Returned;
    }
    match state.payment {
        Payment::Paid => {
            effects.push(Effect::RequestRefund);
            state.payment = Payment::RefundDue;
            state.refund = Refund::Requested;
        }
        Payment::CodDue | Payment::CodCollected => state.payment = Payment::CodVoid,
        // One that awaits its money is still payable, so still looked at; money that comes is given back.
        Payment::Awaiting
        | Payment::CodVoid
        | Payment::Failed
        | Payment::Conflict
        | Payment::RefundDue
        | Payment::Refunded => {}
    }
}

fn reopen(state: &mut State, effects: &mut Vec<Effect>, goods_there: bool) {
    match state.stock {
        Stock::Returned | Stock::Short if goods_there => {
            effects.push(Effect::TakeAgain);
            state.stock = Stock::Taken;
        }
        Stock::Returned | Stock::Short => {
            state.stock = Stock::Short;
            effects.push(Effect::Open(Case::ReopenedWithoutStock));
        }
        Stock::Held | Stock::Taken => {}
    }
    match (state.payment, state.refund) {
        (Payment::RefundDue, Refund::Requested) => {
            effects.push(Effect::WithdrawRefund);
            state.payment = Payment::Paid;
            state.refund = Refund::None;
        }
        (Payment::RefundDue | Payment::Refunded, _) => effects.push(Effect::Open(Case::ReopenedAfterRefund)),
        (Payment::Awaiting | Payment::Failed | Payment::Conflict, _) => {
            effects.push(Effect::Open(Case::ReopenedUnpaid));
        }
        // Cash is due again: the caller sets it by the label.
        (Payment::Paid | Payment::CodDue | Payment::CodCollected | Payment::CodVoid, _) => {}
    }
}

fn wallet_says(before: State, lookup: Lookup, attempt: Attempt, goods_there: bool) -> Outcome {
    let mut state = before;
    let mut effects = Vec::new();
    if state.method == Method::Cod {
        // No wallet knows of it.
        return Outcome { state, effects };
    }
    match (lookup, attempt) {
        // Said before, or nothing said.
        (_, Attempt::Settled) | (Lookup::Open, _) => {}
        (Lookup::CompletedOtherAmount | Lookup::CompletedTwin, _) => {
            effects.push(Effect::EndAttempt(AttemptEnds::Conflict));
            let twin = lookup == Lookup::CompletedTwin;
            effects.push(Effect::Open(if twin { Case::TransactionReused } else { Case::AmountMismatch }));
            if matches!(state.payment, Payment::Awaiting | Payment::Failed) {
                state.payment = Payment::Conflict;
            }
        }
        (Lookup::Completed, Attempt::OpenBesidePaid) => {
            effects.push(Effect::EndAttempt(AttemptEnds::PaidExtra));
            effects.push(Effect::RequestRefund);
            effects.push(Effect::Open(Case::PaidTwice));
        }
        (Lookup::Completed, Attempt::Open | Attempt::OpenBesideOpen) => paid(&mut state, &mut effects, goods_there),
        (Lookup::Over | Lookup::GivenBack, _) => {
            effects.push(Effect::EndAttempt(AttemptEnds::Failed));
            if lookup == Lookup::GivenBack {
                effects.push(Effect::Open(Case::RefundedOutside));
            }
            if state.payment == Payment::Awaiting && attempt == Attempt::Open {
                state.payment = Payment::Failed;
                if state.stock == Stock::Held {
                    effects.push(Effect::GiveBack);
                    state.stock = Stock::Returned;
                }
            }
        }
    }
    Outcome { state, effects }
}

/// Money that comes late takes the goods again if they are still there, and is given back otherwise.
fn paid(state: &mut State, effects: &mut Vec<Effect>, goods_there: bool) {
    effects.push(Effect::EndAttempt(AttemptEnds::Paid));
    let gone = state.stock == Stock::Returned && !goods_there && !state.dispatched;
    if state.label == Label::Cancelled || gone {
        effects.push(Effect::RequestRefund);
        effects.push(Effect::Note(Label::Cancelled));
        state.payment = Payment::RefundDue;
        state.refund = Refund::Requested;
        state.label = Label::Cancelled;
        effects.push(Effect::Open(Case::LatePayment));
        return;
    }
    match state.stock {
        Stock::Returned if goods_there => {
            effects.push(Effect::TakeAgain);
            state.stock = Stock::Taken;
        }
        Stock::Held => state.stock = Stock::Taken,
        // On its way already.
        Stock::Returned => state.stock = Stock::Short,
        // Promised without goods: paid for now, and a person already looks at it.
        Stock::Taken | Stock::Short => {}
    }
    state.payment = Payment::Paid;
    if state.label == Label::Placed {
        state.label = Label::Confirmed;
        effects.push(Effect::Note(Label::Confirmed));
    }
}

fn hold_ended(before: State) -> Outcome {
    let mut state = before;
    let mut effects = Vec::new();
    if state.stock == Stock::Held {
        effects.push(Effect::GiveBack);
        state.stock = Stock::Returned;
        if state.payment == Payment::Awaiting {
            state.payment = Payment::Failed;
        }
    }
    Outcome { state, effects }
}

/// Another try to pay: goods that went back to the shelf are held again, if they are there.
fn pays_again(before: State, goods_there: bool) -> Result<Outcome, Refusal> {
    let mut state = before;
    let mut effects = Vec::new();
    let wanted = matches!(state.label, Label::Placed | Label::Confirmed);
    if !wanted || !matches!(state.payment, Payment::Awaiting | Payment::Failed) {
        return Err(Refusal::NotPayable);
    }
    match state.stock {
        Stock::Returned | Stock::Short if goods_there => {
            effects.push(Effect::TakeAgain);
            state.stock = Stock::Held;
        }
        Stock::Returned | Stock::Short => return Err(Refusal::GoodsGone),
        Stock::Held | Stock::Taken => {}
    }
    state.payment = Payment::Awaiting;
    Ok(Outcome { state, effects })
}

/// An order that was never paid ends as cancelled. One that the seller has touched is his.
fn given_up(before: State) -> Outcome {
    let untouched = before.label == Label::Placed && before.stock == Stock::Returned;
    if before.payment == Payment::Failed && untouched {
        return Outcome {
            state: State { label: Label::Cancelled, ..before },
            effects: vec![Effect::Note(Label::Cancelled)],
        };
    }
    Outcome { state: before, effects: Vec::new() }
}

/// Ends as cancelled, with its units back in stock. One that the seller has touched is the seller's.
fn not_confirmed(before: State) -> Outcome {
    if before.method == Method::Cod && before.label == Label::Placed && !before.dispatched {
        return set_label(before, Label::Cancelled, false);
    }
    Outcome { state: before, effects: Vec::new() }
}

fn refund_confirmed(before: State) -> Outcome {
    let mut state = before;
    if state.payment == Payment::RefundDue {
        state.payment = Payment::Refunded;
        state.refund = Refund::Sent;
    }
    Outcome { state, effects: Vec::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The page and the search speak of the same thing by the same word.
    #[test]
    fn a_label_is_called_in_nepali_as_the_page_calls_it() {
        let page = include_str!("../../../web/src/locales/ne.json");
        let page: std::collections::HashMap<String, String> = serde_json::from_str(page).unwrap();
        for (label, id) in
            Label::ALL.into_iter().zip(["placed", "confirmed", "shipped", "out", "delivered", "cancelled"])
        {
            assert_eq!(page[&format!("status.{id}")], label.nepali());
        }
    }

    fn states() -> Vec<State> {
        let mut all = Vec::new();
        for label in Label::ALL {
            for method in [Method::Cod, Method::Online] {
                for payment in Payment::ALL.into_iter().filter(|payment| payment.fits(method)) {
                    for stock in Stock::ALL {
                        for dispatched in [false, true] {
                            for refund in [Refund::None, Refund::Requested, Refund::Sent] {
                                all.push(State { label, method, payment, stock, dispatched, refund });
                            }
                        }
                    }
                }
            }
        }
        all
    }

    /// An attempt is open beside no paid one exactly as long as no money has come.
    fn is_possible(state: State, event: Event) -> bool {
        let money_came = matches!(state.payment, Payment::Paid | Payment::RefundDue | Payment::Refunded);
        match event {
            Event::WalletSays(_, Attempt::Open | Attempt::OpenBesideOpen) => !money_came,
            Event::WalletSays(_, Attempt::OpenBesidePaid) => money_came,
            _ => true,
        }
    }

    /// What one step may never do, from any state whatever.
    #[test]
    fn every_step_from_every_state_keeps_the_books() {
        for before in states() {
            for event in Event::all().into_iter().filter(|event| is_possible(before, *event)) {
                for goods_there in [false, true] {
                    let Ok(Outcome { state, effects }) = transition(before, event, goods_there) else { continue };
                    let tag = format!("{before:?} {event:?} {goods_there} -> {state:?} {effects:?}");
                    let count = |wanted: Effect| effects.iter().filter(|effect| **effect == wanted).count();
                    // Units move exactly when the state says so.
                    let owned = |stock: Stock| i32::from(stock.owns_units());
                    let moved = i32::try_from(count(Effect::TakeAgain)).unwrap()
                        - i32::try_from(count(Effect::GiveBack)).unwrap();
                    assert_eq!(owned(state.stock) - owned(before.stock), moved, "{tag}");
                    assert!(count(Effect::TakeAgain) == 0 || goods_there, "{tag}");
                    // Money stays with its method, and is given back at most once a step.
                    assert!(state.payment.fits(before.method), "{tag}");
                    assert!(count(Effect::RequestRefund) <= 1 && count(Effect::WithdrawRefund) <= 1, "{tag}");
                    let extra = effects.contains(&Effect::EndAttempt(AttemptEnds::PaidExtra));
                    let newly_due = before.payment != Payment::RefundDue && state.payment == Payment::RefundDue;
                    assert_eq!(count(Effect::RequestRefund) == 1, newly_due || extra, "{tag}");
                    // A cancelled order is never left paid without a refund by a step that made it so.
                    let bad = |state: State| state.label == Label::Cancelled && state.payment == Payment::Paid;
                    assert!(!bad(state) || bad(before), "{tag}");
                    // The timeline's last row is the label.
                    let last = effects.iter().rev().find_map(|effect| match effect {
                        Effect::Note(label) => Some(*label),
                        _ => None,
                    });
                    assert_eq!(last.unwrap_or(before.label), state.label, "{tag}");
                }
            }
        }
    }

    fn cod() -> State {
        State::placed(Method::Cod)
    }

    #[test]
    fn cash_follows_the_label() {
        let delivered = transition(cod(), Event::SellerSets(Label::Delivered), true).unwrap().state;
        assert_eq!((delivered.payment, delivered.dispatched), (Payment::CodCollected, true));
        let back = transition(delivered, Event::SellerSets(Label::Confirmed), true).unwrap().state;
        assert_eq!((back.payment, back.dispatched), (Payment::CodDue, false));
        let cancelled = transition(back, Event::SellerSets(Label::Cancelled), true).unwrap();
        assert_eq!((cancelled.state.payment, cancelled.state.stock), (Payment::CodVoid, Stock::Returned));
        assert!(cancelled.effects.contains(&Effect::GiveBack));
    }

    #[test]
    fn a_cash_order_that_nobody_confirms_gives_its_units_back_once() {
        let ended = transition(cod(), Event::NotConfirmed, false).unwrap();
        let State { label, payment, stock, .. } = ended.state;
        assert_eq!((label, payment, stock), (Label::Cancelled, Payment::CodVoid, Stock::Returned));
        assert_eq!(ended.effects, [Effect::Note(Label::Cancelled), Effect::GiveBack]);
        let again = transition(ended.state, Event::NotConfirmed, true).unwrap();
        assert_eq!(again, Outcome { state: ended.state, effects: Vec::new() });
        // What the seller has touched, and what is paid online, has another fate.
        for label in [Label::Confirmed, Label::Shipped, Label::OutForDelivery, Label::Delivered] {
            let touched = transition(cod(), Event::SellerSets(label), true).unwrap().state;
            assert_eq!(transition(touched, Event::NotConfirmed, true).unwrap().state, touched);
        }
        let online = State::placed(Method::Online);
        assert_eq!(transition(online, Event::NotConfirmed, true).unwrap().state, online);
    }

    #[test]
    fn what_was_sent_is_not_put_back_on_the_shelf_by_a_label() {
        let shipped = transition(cod(), Event::SellerSets(Label::Shipped), true).unwrap().state;
        let cancelled = transition(shipped, Event::SellerSets(Label::Cancelled), true).unwrap();
        assert_eq!(cancelled.state.stock, Stock::Taken);
        assert!(cancelled.effects.contains(&Effect::Open(Case::CancelledAfterDispatch)));
        assert_eq!(transition(shipped, Event::ShopperCancels, true), Err(Refusal::TooLateToCancel));
    }

    #[test]
    fn reopening_takes_the_goods_again_or_says_that_they_are_gone() {
        let cancelled = transition(cod(), Event::ShopperCancels, true).unwrap().state;
        let there = transition(cancelled, Event::SellerSets(Label::Confirmed), true).unwrap();
        assert_eq!((there.state.stock, there.state.payment), (Stock::Taken, Payment::CodDue));
        let gone = transition(cancelled, Event::SellerSets(Label::Confirmed), false).unwrap();
        assert_eq!(gone.state.stock, Stock::Short);
        assert!(gone.effects.contains(&Effect::Open(Case::ReopenedWithoutStock)));
    }

    #[test]
    fn a_link_that_ends_beside_a_living_one_takes_nothing_away() {
        let awaiting = State::placed(Method::Online);
        let over = |attempt| transition(awaiting, Event::WalletSays(Lookup::Over, attempt), true).unwrap().state;
        assert_eq!(over(Attempt::OpenBesideOpen), awaiting);
        assert_eq!((over(Attempt::Open).payment, over(Attempt::Open).stock), (Payment::Failed, Stock::Returned));
    }

    #[test]
    fn late_money_finds_its_goods_or_goes_back() {
        let failed = transition(State::placed(Method::Online), Event::HoldEnded, true).unwrap().state;
        let paid = |goods| transition(failed, Event::WalletSays(Lookup::Completed, Attempt::Open), goods).unwrap();
        assert_eq!((paid(true).state.payment, paid(true).state.stock), (Payment::Paid, Stock::Taken));
        let gone = paid(false);
        assert_eq!((gone.state.payment, gone.state.label), (Payment::RefundDue, Label::Cancelled));
        assert!(
            gone.effects.contains(&Effect::RequestRefund) && gone.effects.contains(&Effect::Open(Case::LatePayment))
        );
    }

    #[test]
    fn what_is_sent_unpaid_leaves_the_shelf_all_the_same() {
        let failed = transition(State::placed(Method::Online), Event::HoldEnded, true).unwrap().state;
        let shipped = transition(failed, Event::SellerSets(Label::Shipped), true).unwrap();
        assert_eq!(shipped.state.stock, Stock::Taken);
        assert!(shipped.effects.contains(&Effect::TakeAgain));
        let paid = Event::WalletSays(Lookup::Completed, Attempt::Open);
        assert_eq!(transition(shipped.state, paid, false).unwrap().state.payment, Payment::Paid);
        let none = transition(failed, Event::SellerSets(Label::Shipped), false).unwrap();
        assert!(none.effects.contains(&Effect::Open(Case::ReopenedWithoutStock)) && none.state.stock == Stock::Short);
        let paid = transition(none.state, paid, false).unwrap().state;
        assert_eq!(
            (paid.payment, paid.label),
            (Payment::Paid, Label::Shipped),
            "no money goes back for goods on the road"
        );
    }

    #[test]
    fn paying_again_holds_the_goods_again() {
        let failed = transition(State::placed(Method::Online), Event::HoldEnded, true).unwrap().state;
        let again = transition(failed, Event::PaysAgain, true).unwrap();
        assert_eq!((again.state.payment, again.state.stock), (Payment::Awaiting, Stock::Held));
        assert_eq!(transition(failed, Event::PaysAgain, false), Err(Refusal::GoodsGone));
        let cancelled = transition(failed, Event::GivenUp, true).unwrap().state;
        assert_eq!(cancelled.label, Label::Cancelled);
        assert_eq!(transition(cancelled, Event::PaysAgain, true), Err(Refusal::NotPayable));
    }

    #[test]
    fn the_same_answer_of_the_wallet_twice_changes_nothing() {
        let awaiting = State::placed(Method::Online);
        let paid = transition(awaiting, Event::WalletSays(Lookup::Completed, Attempt::Open), true).unwrap();
        assert_eq!(
            (paid.state.payment, paid.state.stock, paid.state.label),
            (Payment::Paid, Stock::Taken, Label::Confirmed)
        );
        let again = transition(paid.state, Event::WalletSays(Lookup::Completed, Attempt::Settled), true).unwrap();
        assert_eq!(again, Outcome { state: paid.state, effects: Vec::new() });
    }
}
