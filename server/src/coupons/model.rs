//! Coupons as they are stored.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;

/// What a coupon takes off.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Discount {
    /// A share of the goods, at most this much.
    Percent {
        percent: i32,
        most: Option<Paisa>,
    },
    Amount(Paisa),
}

impl Discount {
    /// A coupon has either a percentage, with or without a maximum, or an amount.
    pub const fn from_parts(percent: Option<i32>, most: Option<Paisa>, amount: Option<Paisa>) -> Option<Self> {
        match (percent, amount) {
            (Some(percent), None) => Some(Self::Percent { percent, most }),
            (None, Some(amount)) => Some(Self::Amount(amount)),
            _ => None,
        }
    }
}

/// What the seller decides about a coupon.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CouponTerms {
    pub discount: Discount,
    /// The least value of the goods, at the prices before the coupon.
    pub minimum: Paisa,
    pub starts_at: DateTime<Utc>,
    pub ends_at: DateTime<Utc>,
    pub uses_per_customer: i32,
    pub total_uses: Option<i32>,
    pub active: bool,
    /// Whether `/offers` shows it.
    pub public: bool,
    pub about: String,
    pub about_ne: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coupon {
    pub id: Uuid,
    pub code: String,
    pub terms: CouponTerms,
    /// Changes with every edit.
    pub version: i32,
}

/// A coupon with the orders that used it and were not cancelled.
#[derive(Debug, Clone)]
pub struct UsedCoupon {
    pub coupon: Coupon,
    pub uses: i64,
    /// The uses of one customer, where one was asked for.
    pub own_uses: i64,
    /// What these orders saved.
    pub given: Paisa,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum CouponState {
    Planned,
    Running,
    Ended,
    /// A seller has turned it off.
    Inactive,
    UsedUp,
}

impl UsedCoupon {
    pub fn is_used_up(&self) -> bool {
        self.coupon.terms.total_uses.is_some_and(|most| self.uses >= i64::from(most))
    }

    pub fn state(&self, now: DateTime<Utc>) -> CouponState {
        let terms = &self.coupon.terms;
        if !terms.active {
            CouponState::Inactive
        } else if now >= terms.ends_at {
            CouponState::Ended
        } else if self.is_used_up() {
            CouponState::UsedUp
        } else if now < terms.starts_at {
            CouponState::Planned
        } else {
            CouponState::Running
        }
    }
}

/// The coupons that everybody may see and use at a moment.
#[derive(Debug, Clone)]
pub struct PublicCoupons {
    pub coupons: Vec<Coupon>,
    /// When the next of them ends or another one begins.
    pub valid_until: Option<DateTime<Utc>>,
}

/// The coupon of an order.
#[derive(Debug, Clone)]
pub struct CouponUse {
    pub order: OrderId,
    pub code: String,
    pub discount: Paisa,
}
