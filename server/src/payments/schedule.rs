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

/// A plan in minutes that can be made shorter for trials.
#[derive(Debug, Clone, Copy)]
pub struct Clock {
    pub minute: TimeDelta,
}

impl Clock {
    fn minutes(self, count: i32) -> TimeDelta {
        self.minute * count
    }

    /// The goods are held longer than the link lives: money that comes at the last moment finds them.
    pub fn hold_after_link(self) -> TimeDelta {
        self.minutes(15)
    }

    /// Until a wallet has been asked for a payment page. Nobody can pay before that.
    pub fn hold_at_first(self) -> TimeDelta {
        self.minutes(2).max(TimeDelta::seconds(30))
    }

    /// A refund can be taken back for so long: a seller who pressed the wrong button presses the right one.
    pub fn refund_waits(self) -> TimeDelta {
        self.minutes(2)
    }

    /// A refund that the wallet was asked for and does not show by then is a person's work.
    pub fn refund_shows_within(self) -> TimeDelta {
        self.minutes(30)
    }

    /// `Pending` for longer than this is worth a call to the wallet.
    pub fn pending_is_long(self) -> TimeDelta {
        self.minutes(60)
    }

    /// An order that nobody has paid by then, and of whose payments none is watched, is over.
    pub fn unpaid_ends_after(self) -> TimeDelta {
        self.minutes(25 * 60)
    }

    /// A look that is so much too late has lost its alarm clock.
    pub fn forgotten_after(self) -> TimeDelta {
        self.minutes(1).max(TimeDelta::seconds(2))
    }

    /// How long until the next look; `None` when there is nothing more to learn.
    pub fn next_look(self, situation: &Situation, now: DateTime<Utc>) -> Option<TimeDelta> {
        match situation.state {
            PaymentState::Created | PaymentState::Abandoned => None,
            PaymentState::Paid | PaymentState::PaidExtra | PaymentState::Conflict => match situation.refund? {
                (RefundState::Sent, since) if now - since < self.minutes(2) => Some(self.minute / 3),
                (RefundState::Sent, _) => Some(self.minutes(2)),
                // Somebody may give it back at the wallet's own desk.
                (RefundState::Manual, since) if now - since < self.minutes(72 * 60) => Some(self.minutes(60)),
                (RefundState::Manual | RefundState::Requested | RefundState::Confirmed | RefundState::Withdrawn, _) => {
                    None
                }
            },
            PaymentState::Initiated | PaymentState::Failed => self.until_decided(situation, now),
        }
    }

    fn until_decided(self, situation: &Situation, now: DateTime<Utc>) -> Option<TimeDelta> {
        let failed = situation.state == PaymentState::Failed;
        let after_link = now - situation.link_ends_at;
        if after_link < self.minutes(5) {
            // One who has cancelled can go back and pay all the same, but seldom does.
            return Some(match now - situation.started_at {
                _ if failed && !situation.undecided => self.minutes(5),
                young if young < self.minutes(20) => self.minute,
                _ => self.minute * 4 / 3,
            });
        }
        let last = if situation.undecided { 72 } else { 24 };
        match after_link {
            late if late < self.minutes(6 * 60) => Some(self.minutes(15)),
            late if late < self.minutes(last * 60) => Some(self.minutes(60)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLOCK: Clock = Clock { minute: TimeDelta::minutes(1) };

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
        while let Some(pause) = CLOCK.next_look(&situation, now) {
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
        assert_eq!(CLOCK.next_look(&situation, start), None);
        for (refund, after, expected) in [
            (RefundState::Requested, 0, None),
            (RefundState::Sent, 0, Some(TimeDelta::seconds(20))),
            (RefundState::Sent, 10, Some(TimeDelta::minutes(2))),
            (RefundState::Manual, 10, Some(TimeDelta::minutes(60))),
            (RefundState::Manual, 5_000, None),
            (RefundState::Confirmed, 10, None),
        ] {
            situation.refund = Some((refund, start));
            assert_eq!(CLOCK.next_look(&situation, start + TimeDelta::minutes(after)), expected, "{refund:?} {after}");
        }
    }
}
