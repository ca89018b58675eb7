//! When to look at a payment again. The wallet tells nobody that somebody has paid: looking is the only way to know.
//! While a link lives, two looks are at most 80 seconds apart, so that a payment is known within 90 seconds whether its
//! browser comes back or not; afterwards money is rare, but not impossible, and looks get rare too.

use chrono::{DateTime, TimeDelta, Utc};

use super::model::{PaymentState, RefundState};

/// All that matters for the plan.
#[derive(Debug, Clone, Copy)]
pub struct Situation {
    pub state: PaymentState,
    pub started_at: DateTime<Utc>,
    pub link_ends_at: DateTime<Utc>,
    /// The wallet's last words were neither yes nor no.
    pub undecided: bool,
    /// Of this payment, and since when.
    pub refund: Option<(RefundState, DateTime<Utc>)>,
}

/// The goods are held longer than the link lives: money that comes at the last moment finds them.
pub const HOLD_AFTER_LINK: TimeDelta = TimeDelta::minutes(15);
/// Until a wallet has been asked for a payment page. Nobody can pay before that.
pub const HOLD_AT_FIRST: TimeDelta = TimeDelta::minutes(2);
/// A refund can be taken back for so long: a seller who pressed the wrong button presses the right one.
pub const REFUND_WAITS: TimeDelta = TimeDelta::minutes(2);
/// A refund that the wallet was asked for and does not show by then is a person's work.
pub const REFUND_SHOWS_WITHIN: TimeDelta = TimeDelta::minutes(30);
/// `Pending` for longer than this is worth a call to the wallet.
pub const PENDING_IS_LONG: TimeDelta = TimeDelta::minutes(60);
/// An order that nobody has paid by then, and of whose payments none is watched, is over.
pub const UNPAID_ENDS_AFTER: TimeDelta = TimeDelta::hours(25);
/// A look that is so much too late has lost its job.
pub const FORGOTTEN_AFTER: TimeDelta = TimeDelta::minutes(1);

/// How long until the next look; `None` when there is nothing more to learn.
pub fn next_look(situation: &Situation, now: DateTime<Utc>) -> Option<TimeDelta> {
    match situation.state {
        PaymentState::Created | PaymentState::Abandoned => None,
        PaymentState::Paid | PaymentState::PaidExtra | PaymentState::Conflict => match situation.refund? {
            (RefundState::Sent, since) if now - since < TimeDelta::minutes(2) => Some(TimeDelta::seconds(20)),
            (RefundState::Sent, _) => Some(TimeDelta::minutes(2)),
            // Somebody may give it back at the wallet's own desk.
            (RefundState::Manual, since) if now - since < TimeDelta::hours(72) => Some(TimeDelta::minutes(60)),
            (RefundState::Manual | RefundState::Requested | RefundState::Confirmed | RefundState::Withdrawn, _) => None,
        },
        PaymentState::Initiated | PaymentState::Failed => until_decided(situation, now),
    }
}

fn until_decided(situation: &Situation, now: DateTime<Utc>) -> Option<TimeDelta> {
    let failed = situation.state == PaymentState::Failed;
    let after_link = now - situation.link_ends_at;
    if after_link < TimeDelta::minutes(5) {
        // One who has cancelled can go back and pay all the same, but seldom does.
        return Some(match now - situation.started_at {
            _ if failed && !situation.undecided => TimeDelta::minutes(5),
            young if young < TimeDelta::minutes(20) => TimeDelta::minutes(1),
            _ => TimeDelta::seconds(80),
        });
    }
    let last = if situation.undecided { 72 } else { 24 };
    match after_link {
        late if late < TimeDelta::hours(6) => Some(TimeDelta::minutes(15)),
        late if late < TimeDelta::hours(last) => Some(TimeDelta::minutes(60)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn open(state: PaymentState, undecided: bool) -> (Situation, DateTime<Utc>) {
        let start = DateTime::UNIX_EPOCH;
        let ends = start + TimeDelta::minutes(60);
        (Situation { state, started_at: start, link_ends_at: ends, undecided, refund: None }, start)
    }

    /// All looks at a payment that never changes, as seconds after its beginning.
    fn looks(state: PaymentState, undecided: bool) -> Vec<i64> {
        let (situation, start) = open(state, undecided);
        let mut now = start;
        let mut all = Vec::new();
        while let Some(pause) = next_look(&situation, now) {
            now += pause;
            all.push((now - start).num_seconds());
            assert!(all.len() < 1_000, "it never ends");
        }
        all
    }

    #[test]
    fn while_a_link_lives_no_two_looks_are_more_than_eighty_seconds_apart() {
        let looks = looks(PaymentState::Initiated, true);
        let alive: Vec<i64> = looks.iter().copied().take_while(|look| *look <= 3_700).collect();

        assert_eq!(alive.first(), Some(&60));
        assert!(alive.windows(2).all(|pair| pair[1] - pair[0] <= 80), "{alive:?}");
        assert!(looks.last().is_some_and(|last| *last >= (60 + 71 * 60) * 60), "{looks:?}");
        assert!(looks.len() < 160, "{} looks", looks.len());
    }

    #[test]
    fn a_cancelled_link_is_watched_for_a_day_because_it_can_still_be_paid() {
        let looks = looks(PaymentState::Failed, false);

        assert!(looks.windows(2).all(|pair| pair[1] - pair[0] <= 3_600), "{looks:?}");
        let last = *looks.last().unwrap();
        assert!(((60 + 24 * 60) * 60..(60 + 26 * 60) * 60).contains(&last), "{last}");
    }

    #[test]
    fn one_that_was_cancelled_and_is_pending_now_is_watched_like_an_open_one() {
        assert_eq!(looks(PaymentState::Failed, true), looks(PaymentState::Initiated, true));
    }

    #[test]
    fn a_settled_payment_is_looked_at_only_for_its_refund() {
        let (mut situation, start) = open(PaymentState::Paid, false);
        assert_eq!(next_look(&situation, start), None);
        for (refund, after, expected) in [
            (RefundState::Requested, 0, None),
            (RefundState::Sent, 0, Some(TimeDelta::seconds(20))),
            (RefundState::Sent, 10, Some(TimeDelta::minutes(2))),
            (RefundState::Manual, 10, Some(TimeDelta::minutes(60))),
            (RefundState::Manual, 5_000, None),
            (RefundState::Confirmed, 10, None),
        ] {
            situation.refund = Some((refund, start));
            assert_eq!(next_look(&situation, start + TimeDelta::minutes(after)), expected, "{refund:?} {after}");
        }
    }
}
