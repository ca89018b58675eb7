use super::*;

/// The page and the search must use the same Nepali words.
#[test]
fn a_label_is_called_in_nepali_as_the_page_calls_it() {
    let page = include_str!("../../../../data/messages/web/orders.ne.json");
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
                // The payment fits the method, which changes only if the wallet pays a cash order, and a step requests
                // at most one refund.
                assert!(state.payment.fits(state.method), "{tag}");
                let is_paid_at_door =
                    before.method == Method::Cod && effects.contains(&Effect::EndAttempt(AttemptOutcome::Paid));
                assert_eq!(state.method != before.method, is_paid_at_door, "{tag}");
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
    for status in [OrderStatus::Confirmed, OrderStatus::Shipped, OrderStatus::OutForDelivery, OrderStatus::Delivered] {
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
    let over = |attempt| transition(awaiting, Event::WalletReported(LookupResult::Over, attempt), true).unwrap().state;
    assert_eq!(over(AttemptState::OpenBesideOpen), awaiting);
    assert_eq!(
        (over(AttemptState::Open).payment, over(AttemptState::Open).stock),
        (FinancialStatus::Failed, Stock::Returned)
    );
}

#[test]
fn late_money_finds_its_goods_or_goes_back() {
    let failed = transition(State::placed(Method::Online), Event::HoldExpired, true).unwrap().state;
    let paid =
        |goods| transition(failed, Event::WalletReported(LookupResult::Completed, AttemptState::Open), goods).unwrap();
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
        none.effects.contains(&Effect::OpenCase(CaseKind::ReopenedWithoutStock)) && none.state.stock == Stock::Short
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
    let paid = transition(awaiting, Event::WalletReported(LookupResult::Completed, AttemptState::Open), true).unwrap();
    assert_eq!(
        (paid.state.payment, paid.state.stock, paid.state.status),
        (FinancialStatus::Paid, Stock::Taken, OrderStatus::Confirmed)
    );
    let again =
        transition(paid.state, Event::WalletReported(LookupResult::Completed, AttemptState::Settled), true).unwrap();
    assert_eq!(again, Outcome { state: paid.state, effects: Vec::new() });
}

#[test]
fn a_cash_order_that_is_paid_at_the_door_is_an_online_order_from_then_on() {
    let out = transition(cod(), Event::SellerSetStatus(OrderStatus::OutForDelivery), true).unwrap().state;
    let completed = Event::WalletReported(LookupResult::Completed, AttemptState::Open);
    let paid = transition(out, completed, true).unwrap();
    assert_eq!((paid.state.method, paid.state.payment), (Method::Online, FinancialStatus::Paid));
    assert_eq!(
        (paid.state.status, paid.effects),
        (OrderStatus::OutForDelivery, vec![Effect::EndAttempt(AttemptOutcome::Paid)])
    );
    let delivered = transition(paid.state, Event::SellerSetStatus(OrderStatus::Delivered), true).unwrap();
    assert_eq!(delivered.state.payment, FinancialStatus::Paid);
    assert!(!delivered.effects.contains(&Effect::CollectCash));
    let cancelled = transition(delivered.state, Event::SellerSetStatus(OrderStatus::Cancelled), true).unwrap();
    assert!(cancelled.effects.contains(&Effect::RequestRefund));
    assert!(!cancelled.effects.contains(&Effect::ReverseCash));
}

#[test]
fn money_of_the_wallet_for_a_cash_order_that_is_collected_or_cancelled_goes_back() {
    let completed = Event::WalletReported(LookupResult::Completed, AttemptState::Open);
    let delivered = transition(cod(), Event::SellerSetStatus(OrderStatus::Delivered), true).unwrap().state;
    let twice = transition(delivered, completed, true).unwrap();
    assert_eq!(twice.state, delivered, "the cash stays collected");
    let expected =
        [Effect::EndAttempt(AttemptOutcome::PaidExtra), Effect::RequestRefund, Effect::OpenCase(CaseKind::PaidTwice)];
    assert_eq!(twice.effects, expected);
    let cancelled = transition(cod(), Event::ShopperCancelled, true).unwrap().state;
    let late = transition(cancelled, completed, true).unwrap();
    assert_eq!((late.state.method, late.state.payment), (Method::Online, FinancialStatus::RefundDue));
    assert!(late.effects.contains(&Effect::RequestRefund));
}

#[test]
fn a_link_at_the_door_that_is_not_paid_leaves_the_cash_due() {
    let out = transition(cod(), Event::SellerSetStatus(OrderStatus::OutForDelivery), true).unwrap().state;
    for lookup in [LookupResult::Over, LookupResult::CompletedOtherAmount, LookupResult::CompletedReusedTransaction] {
        let ended = transition(out, Event::WalletReported(lookup, AttemptState::Open), true).unwrap();
        assert_eq!(ended.state, out, "{lookup:?}");
    }
}
