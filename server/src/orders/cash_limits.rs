//! Limits on cash-on-delivery orders. They grow with what the account has paid so far, so one small order earns little.

use crate::platform::config::CodLimits;
use crate::platform::money::Paisa;

/// What an account has paid for among its newest orders: cash that was collected and online payments that were not
/// refunded.
#[derive(Debug, Clone, Copy, Default)]
pub struct PurchaseHistory {
    pub orders: i64,
    pub worth: Paisa,
}

impl PurchaseHistory {
    /// Returns whether the account has paid enough to be exempt from the limits on throw-away accounts.
    pub fn is_proven(self, limits: &CodLimits) -> bool {
        self.worth >= limits.trusted_after
    }

    /// Returns whether a cash order needs no further proof that its shopper exists: the account has paid enough, or its
    /// phone number was confirmed, which costs more to fake than an email address.
    pub fn is_exempt(self, limits: &CodLimits, phone_is_verified: bool) -> bool {
        phone_is_verified || self.is_proven(limits)
    }

    /// The number of cash orders that may be open at once; each paid order allows one more.
    pub fn open_orders(self, base: u32) -> i64 {
        i64::from(base) + self.orders
    }

    /// The total value of the cash orders that may be open at once.
    pub fn open_worth(self, base: Paisa, limits: &CodLimits) -> Paisa {
        let earned = Paisa(self.worth.0.saturating_mul(i64::from(limits.factor)));
        earned.min(limits.max_value).max(base)
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn what_may_be_open_grows_with_what_was_paid_up_to_an_end() {
        let limits = CodLimits {
            per_hour: 60,
            per_phone: 6,
            confirm_within: Duration::ZERO,
            trusted_after: Paisa::from_rupees(2_000),
            factor: 2,
            max_value: Paisa::from_rupees(200_000),
        };
        let base = Paisa::from_rupees(25_000);
        for (paid, open, proven) in [
            (0, 25_000, false),
            (585, 25_000, false),
            (2_000, 25_000, true),
            (12_500, 25_000, true),
            (20_000, 40_000, true),
            (100_000, 200_000, true),
            (5_000_000, 200_000, true),
        ] {
            let history = PurchaseHistory { orders: 1, worth: Paisa::from_rupees(paid) };
            assert_eq!(history.open_worth(base, &limits), Paisa::from_rupees(open), "{paid}");
            assert_eq!(history.is_proven(&limits), proven, "{paid}");
            assert_eq!((history.is_exempt(&limits, false), history.is_exempt(&limits, true)), (proven, true), "{paid}");
        }
        // A base limit above `max_value` is never reduced.
        let wide = Paisa::from_rupees(1_000_000);
        assert_eq!(PurchaseHistory { orders: 1, worth: Paisa::from_rupees(5_000_000) }.open_worth(wide, &limits), wide);
        assert_eq!(
            (PurchaseHistory::default().open_orders(3), PurchaseHistory { orders: 4, worth: base }.open_orders(3)),
            (3, 7)
        );
    }
}
