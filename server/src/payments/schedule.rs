//! When to poll a payment again. The wallet does not notify us, so polling is the only way to learn of a payment. While
//! a link is valid and not cancelled, two polls are at most 80 seconds plus jitter apart, so that a payment is known
//! within 90 seconds even if the browser does not come back. After that a payment is rare but possible, so polls become
//! rare, too.

use chrono::{DateTime, TimeDelta, Utc};

use super::model::{PaymentState, PollState, RefundState};

/// Stock is held this much longer than the link is valid, so that a payment at the last moment still finds it.
pub const HOLD_AFTER_LINK: TimeDelta = TimeDelta::minutes(15);
/// How long stock is held until the wallet has created a payment page; the order cannot be paid before that.
pub const INITIAL_HOLD: TimeDelta = TimeDelta::minutes(2);
/// A refund can be withdrawn for this long, in case the seller cancelled an order by mistake.
pub const REFUND_DELAY: TimeDelta = TimeDelta::minutes(2);
/// A refund that was sent but that the wallet does not show by then becomes a case.
pub const REFUND_CONFIRMATION_TIMEOUT: TimeDelta = TimeDelta::minutes(30);
/// A payment that is still `Pending` this long after its start becomes a case.
pub const PENDING_TOO_LONG: TimeDelta = TimeDelta::minutes(60);
/// An order that is still unpaid by then, and that has no payment that is still polled, is cancelled.
pub const UNPAID_ENDS_AFTER: TimeDelta = TimeDelta::hours(25);
/// A poll that is this late has lost its job.
pub const POLL_OVERDUE_AFTER: TimeDelta = TimeDelta::minutes(1);

/// Returns the time until the next poll; `None` when there is nothing more to learn.
pub fn next_poll_delay(poll_state: &PollState, now: DateTime<Utc>) -> Option<TimeDelta> {
    match poll_state.state {
        PaymentState::Created | PaymentState::Abandoned => None,
        PaymentState::Paid | PaymentState::PaidExtra | PaymentState::Conflict => match poll_state.refund? {
            (RefundState::Sent, since) if now - since < TimeDelta::minutes(2) => Some(TimeDelta::seconds(20)),
            (RefundState::Sent, _) => Some(TimeDelta::minutes(2)),
            // The seller may make the refund in the wallet's own dashboard.
            (RefundState::Manual, since) if now - since < TimeDelta::hours(72) => Some(TimeDelta::minutes(60)),
            (RefundState::Manual | RefundState::Requested | RefundState::Confirmed | RefundState::Withdrawn, _) => None,
        },
        PaymentState::Initiated | PaymentState::Failed => undecided_poll_delay(poll_state, now),
    }
}

fn undecided_poll_delay(poll_state: &PollState, now: DateTime<Utc>) -> Option<TimeDelta> {
    let failed = poll_state.state == PaymentState::Failed;
    let after_link = now - poll_state.link_ends_at;
    if after_link < TimeDelta::minutes(5) {
        // A shopper who has cancelled can still go back and pay, but rarely does.
        return Some(match now - poll_state.started_at {
            _ if failed && !poll_state.undecided => TimeDelta::minutes(5),
            young if young < TimeDelta::minutes(20) => TimeDelta::minutes(1),
            _ => TimeDelta::seconds(80),
        });
    }
    let last = if poll_state.undecided { 72 } else { 24 };
    match after_link {
        late if late < TimeDelta::hours(6) => Some(TimeDelta::minutes(15)),
        late if late < TimeDelta::hours(last) => Some(TimeDelta::minutes(60)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(state: PaymentState, undecided: bool) -> (PollState, DateTime<Utc>) {
        let start = DateTime::UNIX_EPOCH;
        let ends = start + TimeDelta::minutes(60);
        (PollState { state, started_at: start, link_ends_at: ends, undecided, refund: None }, start)
    }

    /// All polls of a payment that never changes, in seconds after its start.
    fn poll_times(state: PaymentState, undecided: bool) -> Vec<i64> {
        let (poll_state, start) = open(state, undecided);
        let mut now = start;
        let mut all = Vec::new();
        while let Some(pause) = next_poll_delay(&poll_state, now) {
            now += pause;
            all.push((now - start).num_seconds());
            assert!(all.len() < 1_000, "it never ends");
        }
        all
    }

    #[test]
    fn while_a_link_lives_no_two_looks_are_more_than_eighty_seconds_apart() {
        let polls = poll_times(PaymentState::Initiated, true);
        let alive: Vec<i64> = polls.iter().copied().take_while(|poll| *poll <= 3_700).collect();

        assert_eq!(alive.first(), Some(&60));
        assert!(alive.windows(2).all(|pair| pair[1] - pair[0] <= 80), "{alive:?}");
        assert!(polls.last().is_some_and(|last| *last >= (60 + 71 * 60) * 60), "{polls:?}");
        assert!(polls.len() < 160, "{} polls", polls.len());
    }

    #[test]
    fn a_cancelled_link_is_watched_for_a_day_because_it_can_still_be_paid() {
        let polls = poll_times(PaymentState::Failed, false);

        assert!(polls.windows(2).all(|pair| pair[1] - pair[0] <= 3_600), "{polls:?}");
        let last = *polls.last().unwrap();
        assert!(((60 + 24 * 60) * 60..(60 + 26 * 60) * 60).contains(&last), "{last}");
    }

    #[test]
    fn one_that_was_cancelled_and_is_pending_now_is_watched_like_an_open_one() {
        assert_eq!(poll_times(PaymentState::Failed, true), poll_times(PaymentState::Initiated, true));
    }

    #[test]
    fn a_settled_payment_is_looked_at_only_for_its_refund() {
        let (mut poll_state, start) = open(PaymentState::Paid, false);
        assert_eq!(next_poll_delay(&poll_state, start), None);
        for (refund, after, expected) in [
            (RefundState::Requested, 0, None),
            (RefundState::Sent, 0, Some(TimeDelta::seconds(20))),
            (RefundState::Sent, 10, Some(TimeDelta::minutes(2))),
            (RefundState::Manual, 10, Some(TimeDelta::minutes(60))),
            (RefundState::Manual, 5_000, None),
            (RefundState::Confirmed, 10, None),
        ] {
            poll_state.refund = Some((refund, start));
            assert_eq!(next_poll_delay(&poll_state, start + TimeDelta::minutes(after)), expected, "{refund:?} {after}");
        }
    }
}
