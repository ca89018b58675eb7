//! Random histories of orders from a seed: `transition` is compared with an independent implementation in SQL
//! (`oracle.sql`), and a model is checked after every step. `HISTORIES` and `SEED` choose how many and which; CI runs
//! few.

use std::collections::BTreeMap;

use sqlx::PgPool;
use thunse::orders::transition::{
    AttemptOutcome, AttemptState, CaseKind, Effect, Event, FinancialStatus, LookupResult, Method, OrderStatus, Outcome,
    Refund, State, Stock, transition,
};

use crate::support::report_figure;

const EVENTS: u64 = 60;

/// `SplitMix64` gives the same numbers for the same seed on every machine.
pub struct Rng(pub u64);

impl Rng {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    pub fn one_of<T: Copy>(&mut self, all: &[T]) -> T {
        let n = u64::try_from(all.len()).unwrap();
        all[usize::try_from(self.below(n)).unwrap()]
    }
}

/// The rows that the database would have beside the state.
struct OrderModel {
    state: State,
    /// Units that were taken from the stock for this order.
    owned: i32,
    in_stock: i32,
    /// The units that the order needs: as ordered, or as packed.
    wanted: i32,
    is_packed: bool,
    /// The money of units that were not packed goes back on its own.
    partial_refunds: i32,
    attempts: Vec<Option<AttemptOutcome>>,
    refunds: i32,
    /// How often the cash is in the ledger.
    cash: i32,
    timeline: OrderStatus,
}

const WANTED: i32 = 3;

impl OrderModel {
    fn open(method: Method) -> Self {
        let attempts = if method == Method::Online { vec![None] } else { Vec::new() };
        let state = State::placed(method);
        Self {
            state,
            owned: WANTED,
            in_stock: 4,
            wanted: WANTED,
            is_packed: false,
            partial_refunds: 0,
            attempts,
            refunds: 0,
            cash: 0,
            timeline: OrderStatus::Placed,
        }
    }

    fn event(&mut self, rng: &mut Rng) -> (Event, Option<usize>) {
        match rng.below(11) {
            0..=3 => (Event::SellerSetStatus(rng.one_of(&OrderStatus::ALL)), None),
            4 => (Event::ShopperCancelled, None),
            5 => (Event::HoldExpired, None),
            6 if self.state.refund == Refund::Requested && self.state.payment == FinancialStatus::RefundDue => {
                (Event::RefundConfirmed, None)
            }
            // A further payment link is refused if the goods are sold, and then no attempt is added.
            7 if self.attempts.len() < 4 && self.state.method == Method::Online => {
                if transition(self.state, Event::PaymentRetried, self.in_stock >= self.wanted).is_ok() {
                    self.attempts.push(None);
                }
                (Event::PaymentRetried, None)
            }
            // A rider offers the wallet at the door.
            7 if self.attempts.len() < 4 && self.state.payment == FinancialStatus::CodDue => {
                self.attempts.push(None);
                (Event::SellerSetStatus(OrderStatus::OutForDelivery), None)
            }
            8 if rng.below(3) == 0 => (Event::PaymentAbandoned, None),
            10 => (Event::ConfirmationExpired, None),
            _ if !self.attempts.is_empty() => {
                let which = usize::try_from(rng.below(u64::try_from(self.attempts.len()).unwrap())).unwrap();
                let settled =
                    [Some(AttemptOutcome::Paid), Some(AttemptOutcome::PaidExtra), Some(AttemptOutcome::Conflict)];
                let attempt = if settled.contains(&self.attempts[which]) {
                    AttemptState::Settled
                } else if self.attempts.contains(&Some(AttemptOutcome::Paid)) {
                    AttemptState::OpenBesidePaid
                } else if self.attempts.iter().enumerate().any(|(place, end)| place != which && end.is_none()) {
                    AttemptState::OpenBesideOpen
                } else {
                    AttemptState::Open
                };
                let lookup = if rng.below(4) == 0 { LookupResult::Completed } else { rng.one_of(&LookupResult::ALL) };
                (Event::WalletReported(lookup, attempt), Some(which))
            }
            _ => (Event::SellerSetStatus(rng.one_of(&OrderStatus::ALL)), None),
        }
    }

    fn apply(&mut self, outcome: &Outcome, which: Option<usize>) {
        for effect in &outcome.effects {
            match effect {
                Effect::AddTimelineEntry(status) => self.timeline = *status,
                Effect::ReleaseStock => {
                    self.in_stock += self.owned;
                    self.owned = 0;
                }
                Effect::RetakeStock => {
                    self.in_stock -= self.wanted;
                    self.owned += self.wanted;
                }
                Effect::EndAttempt(end) => {
                    if let Some(which) = which {
                        self.attempts[which] = Some(*end);
                    }
                }
                Effect::CollectCash => self.cash += 1,
                Effect::ReverseCash => self.cash -= 1,
                Effect::RequestRefund => self.refunds += 1,
                Effect::WithdrawRefund => self.refunds -= 1,
                Effect::OpenCase(_) => {}
            }
        }
        self.state = outcome.state;
    }

    /// Packs fewer units than were ordered; those that are missing do not go back to stock.
    fn pack_sometimes(&mut self, rng: &mut Rng) {
        if self.is_packed || !self.state.is_packable() || rng.below(6) > 0 {
            return;
        }
        let packed = 1 + i32::try_from(rng.below(3)).unwrap();
        let fewer = self.wanted - packed;
        if rng.below(2) == 0 {
            self.in_stock += fewer;
        }
        self.owned -= fewer;
        self.wanted = packed;
        self.is_packed = true;
        self.partial_refunds += i32::from(fewer > 0 && self.state.payment == FinancialStatus::Paid);
    }

    /// Checks the invariants of the database on this model.
    fn check(&self) -> Result<(), String> {
        let State { status, payment, stock, dispatched, .. } = self.state;
        let paid = self.attempts.iter().filter(|end| **end == Some(AttemptOutcome::Paid)).count();
        let extra = self.attempts.iter().filter(|end| **end == Some(AttemptOutcome::PaidExtra)).count();
        let money_came =
            matches!(payment, FinancialStatus::Paid | FinancialStatus::RefundDue | FinancialStatus::Refunded);
        let due = i32::from(matches!(payment, FinancialStatus::RefundDue | FinancialStatus::Refunded));
        for (holds, rule) in [
            (self.in_stock >= 0, "stock is not negative"),
            (self.owned == if stock.owns_units() { self.wanted } else { 0 }, "units are where the state says"),
            (status == self.timeline, "the timeline's last line is the status"),
            (paid <= 1, "paid at most once"),
            (money_came == (paid == 1), "paid exactly when an attempt paid"),
            (self.refunds == due + i32::try_from(extra).unwrap_or(i32::MAX), "each sum is given back once"),
            (
                !(status == OrderStatus::Cancelled && payment == FinancialStatus::Paid),
                "a cancelled order keeps no money",
            ),
            (
                !(status == OrderStatus::Cancelled && !dispatched && stock.owns_units()),
                "a cancelled order has no units",
            ),
            (payment.fits(self.state.method), "money fits the method"),
            (
                self.cash == i32::from(payment == FinancialStatus::CodCollected),
                "cash is in the ledger once, exactly while it is collected",
            ),
            (self.partial_refunds == 0 || money_came, "only what came goes back in part"),
            (self.partial_refunds <= i32::from(self.is_packed), "a part goes back once"),
        ] {
            if !holds {
                return Err(format!("{rule}: {:?}", self.state));
            }
        }
        Ok(())
    }
}

type Cell = (State, Event, bool);

pub fn number(name: &str, usual: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(usual)
}

#[sqlx::test]
async fn random_histories_agree_with_the_second_opinion(db: PgPool) {
    let (histories, seed) = (number("HISTORIES", 20_000), number("SEED", 20_261_115));
    let mut cells: BTreeMap<String, (Cell, String)> = BTreeMap::new();
    let mut steps = 0_u64;
    for history in 0..histories {
        let mut rng = Rng(seed.wrapping_add(history));
        let mut model = OrderModel::open(rng.one_of(&[Method::Cod, Method::Online]));
        for _ in 0..=rng.below(EVENTS) {
            // Other shoppers buy units, and new units arrive.
            model.in_stock = (model.in_stock + i32::try_from(rng.below(5)).unwrap() - 2).max(0);
            model.pack_sometimes(&mut rng);
            let (event, which) = model.event(&mut rng);
            let cell = (model.state, event, model.in_stock >= model.wanted);
            let outcome = transition(cell.0, cell.1, cell.2);
            cells.entry(format!("{cell:?}")).or_insert_with(|| (cell, format_outcome(&outcome)));
            if let Ok(outcome) = outcome {
                model.apply(&outcome, which);
            }
            model.check().unwrap_or_else(|broken| panic!("seed {seed}, history {history}: {broken} after {cell:?}"));
            steps += 1;
        }
    }
    let disagreements = compare_with_oracle(&db, cells.values()).await;
    assert!(disagreements.is_empty(), "{} of {}: {:#?}", disagreements.len(), cells.len(), &disagreements[..1]);
    report_figure(&format!(
        "transition: {histories} histories, {steps} steps, {} different cells, seed {seed}: no disagreement",
        cells.len()
    ));
}

/// Compares every possible cell, whether a history reaches it or not.
#[sqlx::test]
async fn every_cell_agrees_with_the_second_opinion(db: PgPool) {
    let mut cells = Vec::new();
    for status in OrderStatus::ALL {
        for method in [Method::Cod, Method::Online] {
            for payment in FinancialStatus::ALL.into_iter().filter(|payment| payment.fits(method)) {
                for stock in Stock::ALL {
                    for dispatched in [false, true] {
                        for refund in [Refund::None, Refund::Requested, Refund::Sent] {
                            let state = State { status, method, payment, stock, dispatched, refund };
                            for event in Event::all() {
                                for goods in [false, true] {
                                    cells.push((
                                        (state, event, goods),
                                        format_outcome(&transition(state, event, goods)),
                                    ));
                                }
                            }
                        }
                    }
                }
            }
        }
    }

    let disagreements = compare_with_oracle(&db, cells.iter()).await;

    assert!(disagreements.is_empty(), "{} of {}: {:#?}", disagreements.len(), cells.len(), &disagreements[..1]);
    assert!(cells.len() > 50_000);
}

async fn compare_with_oracle<'a>(db: &PgPool, cells: impl Iterator<Item = &'a (Cell, String)>) -> Vec<String> {
    sqlx::raw_sql(include_str!("oracle.sql")).execute(db).await.unwrap();
    let mut asked: [Vec<String>; 6] = std::array::from_fn(|_| Vec::new());
    let (mut dispatched, mut goods, mut ours, mut cells_of) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut methods = Vec::new();
    for ((state, event, there), written) in cells {
        let (name, detail) = describe_event(*event);
        let texts =
            [state.status.name(), state.payment.name(), state.stock.name(), refund(state.refund), name, &detail];
        for (column, text) in asked.iter_mut().zip(texts) {
            column.push(text.to_owned());
        }
        methods.push(state.method.name().to_owned());
        dispatched.push(state.dispatched);
        goods.push(*there);
        ours.push(written.clone());
        cells_of.push(format!("{state:?} {event:?} {there}"));
    }
    let [statuses, payments, stocks, refunds, names, details] = asked;
    let theirs: Vec<String> = sqlx::query_scalar(
        "SELECT oracle(status, method, payment, stock, dispatched, refund, event, detail, goods)
         FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::boolean[], $6::text[], $7::text[], $8::text[],
                     $9::boolean[]) WITH ORDINALITY
              cell (status, method, payment, stock, dispatched, refund, event, detail, goods, place) ORDER BY place",
    )
    .bind(statuses)
    .bind(methods)
    .bind(payments)
    .bind(stocks)
    .bind(dispatched)
    .bind(refunds)
    .bind(names)
    .bind(details)
    .bind(goods)
    .fetch_all(db)
    .await
    .unwrap();
    assert_eq!(theirs.len(), ours.len());
    let both = ours.into_iter().zip(theirs).zip(cells_of);
    both.filter(|((ours, theirs), _)| ours != theirs)
        .map(|((ours, theirs), cell)| format!("{cell}\n  ours   {ours}\n  oracle {theirs}"))
        .collect()
}

fn describe_event(event: Event) -> (&'static str, String) {
    match event {
        Event::SellerSetStatus(status) => ("seller", status.name().to_owned()),
        Event::ShopperCancelled => ("shopper", String::new()),
        Event::HoldExpired => ("hold over", String::new()),
        Event::InitiationFailed => ("not initiated", String::new()),
        Event::PaymentRetried => ("pays again", String::new()),
        Event::PaymentAbandoned => ("given up", String::new()),
        Event::ConfirmationExpired => ("not confirmed", String::new()),
        Event::RefundConfirmed => ("refunded", String::new()),
        Event::ConflictRefunded => ("conflict returned", String::new()),
        Event::WalletReported(lookup, attempt) => {
            let lookup = match lookup {
                LookupResult::Completed => "completed",
                LookupResult::CompletedOtherAmount => "other",
                LookupResult::CompletedReusedTransaction => "twin",
                LookupResult::Refunded => "given back",
                LookupResult::Over => "over",
                LookupResult::Open => "open",
            };
            let attempt = match attempt {
                AttemptState::Open => "alone",
                AttemptState::OpenBesideOpen => "two",
                AttemptState::OpenBesidePaid => "beside",
                AttemptState::Settled => "settled",
            };
            ("wallet", format!("{lookup}/{attempt}"))
        }
    }
}

const fn refund(refund: Refund) -> &'static str {
    match refund {
        Refund::None => "none",
        Refund::Requested => "requested",
        Refund::Sent => "sent",
    }
}

/// Formats an outcome as the oracle does.
fn format_outcome(outcome: &Result<Outcome, thunse::orders::transition::TransitionError>) -> String {
    let Ok(Outcome { state, effects }) = outcome else { return "refused".to_owned() };
    let (mut timeline, mut units, mut cases, mut money, mut attempt, mut cash) =
        (Vec::new(), 0, Vec::new(), "", "", "");
    for effect in effects {
        match effect {
            Effect::AddTimelineEntry(status) => timeline.push(status.name()),
            Effect::ReleaseStock => units -= 1,
            Effect::RetakeStock => units += 1,
            Effect::OpenCase(case) => cases.push(CaseKind::name(*case)),
            Effect::CollectCash => cash = "collect",
            Effect::ReverseCash => cash = "reverse",
            Effect::RequestRefund => money = "request",
            Effect::WithdrawRefund => money = "withdraw",
            Effect::EndAttempt(end) => {
                attempt = match end {
                    AttemptOutcome::Paid => "paid",
                    AttemptOutcome::PaidExtra => "paid_extra",
                    AttemptOutcome::Failed => "failed",
                    AttemptOutcome::Conflict => "conflict",
                    AttemptOutcome::Abandoned => "abandoned",
                }
            }
        }
    }
    let dispatched = if state.dispatched { "t" } else { "f" };
    [
        state.method.name(),
        state.status.name(),
        state.payment.name(),
        state.stock.name(),
        dispatched,
        refund(state.refund),
        &timeline.join(","),
        &units.to_string(),
        &cases.join(","),
        money,
        attempt,
        cash,
    ]
    .join("|")
}
