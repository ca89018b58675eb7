//! Money is stored as integer paisa. The contract's JSON has rupees with at most two decimals.

use std::iter::Sum;
use std::ops::{Add, Mul};

use serde::{Deserialize, Deserializer, Serialize, Serializer};

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, sqlx::Type)]
#[sqlx(transparent)]
pub struct Paisa(pub i64);

impl Paisa {
    pub const ZERO: Self = Self(0);

    pub const fn from_rupees(rupees: i64) -> Self {
        Self(rupees * 100)
    }

    pub const fn is_zero(&self) -> bool {
        self.0 == 0
    }

    /// Converts rupees from JSON to the nearest paisa; `None` if the number is not an amount of money.
    pub fn from_json(rupees: f64) -> Option<Self> {
        let paisa = (rupees * 100.0).round();
        // Above this a double cannot tell one paisa from the next.
        if !(0.0..=9e15).contains(&paisa) {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "whole and in range, see above")]
        Some(Self(paisa as i64))
    }

    /// Formats rupees for people: `1131.10`.
    pub fn two_decimals(self) -> String {
        format!("{}.{:02}", self.0 / 100, self.0 % 100)
    }

    /// Formats rupees that may be negative: `-20.50`.
    pub fn signed_decimals(self) -> String {
        let sign = if self.0 < 0 { "-" } else { "" };
        format!("{sign}{}", Self(self.0.abs()).two_decimals())
    }

    /// Formats rupees for people, without decimals if they are zero: `25000`, `1131.10`.
    pub fn short(self) -> String {
        if self.0 % 100 == 0 { (self.0 / 100).to_string() } else { self.two_decimals() }
    }

    /// Computes `self × numerator / denominator` and rounds halves up; the intermediate values cannot overflow.
    #[must_use]
    pub fn scale(self, numerator: i64, denominator: i64) -> Self {
        let (numerator, denominator) = (i128::from(numerator), i128::from(denominator));
        let doubled = i128::from(self.0) * numerator * 2 + denominator;
        Self(i64::try_from(doubled.div_euclid(denominator * 2)).unwrap_or(i64::MAX))
    }
}

impl Add for Paisa {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Mul<i32> for Paisa {
    type Output = Self;

    fn mul(self, quantity: i32) -> Self {
        Self(self.0 * i64::from(quantity))
    }
}

impl Sum for Paisa {
    fn sum<I: Iterator<Item = Self>>(amounts: I) -> Self {
        amounts.fold(Self::ZERO, Add::add)
    }
}

/// Writes rupees as a JSON number: `525`, `525.5`, `1131.13`.
impl Serialize for Paisa {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0 % 100 == 0 {
            return serializer.serialize_i64(self.0 / 100);
        }
        // Exact for every amount below 2^53 paisa: the nearest double of x/100 prints as x/100.
        #[expect(clippy::cast_precision_loss, clippy::as_conversions, reason = "amounts are far below 2^53 paisa")]
        serializer.serialize_f64(self.0 as f64 / 100.0)
    }
}

/// Reads the rupees that a client sends.
impl<'de> Deserialize<'de> for Paisa {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let rupees = f64::deserialize(deserializer)?;
        Self::from_json(rupees).ok_or_else(|| serde::de::Error::custom("not an amount of money"))
    }
}

/// A rate in hundredths of a per cent: 13 % is `Percent(1300)`. JSON carries per cent with at most two decimals.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Percent(pub i32);

impl Percent {
    /// A hundred per cent, in the unit of `Percent`.
    pub const WHOLE: i64 = 10_000;

    pub const fn from_whole(percent: i32) -> Self {
        Self(percent * 100)
    }

    /// Computes this share of an amount and rounds half a paisa up.
    pub fn of(self, amount: Paisa) -> Paisa {
        amount.scale(i64::from(self.0), Self::WHOLE)
    }

    /// Computes the part of an amount that was added to it at this rate, and rounds half a paisa up.
    pub fn inside(self, amount: Paisa) -> Paisa {
        amount.scale(i64::from(self.0), Self::WHOLE + i64::from(self.0))
    }
}

impl Serialize for Percent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        Paisa(i64::from(self.0)).serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Percent {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let hundredths = Paisa::deserialize(deserializer)?.0;
        i32::try_from(hundredths).map(Self).map_err(|_| serde::de::Error::custom("not a rate"))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn rupees_are_written_with_at_most_two_decimals() {
        for (paisa, json) in [(52_500, "525"), (52_550, "525.5"), (113_113, "1131.13"), (1, "0.01"), (0, "0")] {
            assert_eq!(serde_json::to_string(&Paisa(paisa)).unwrap(), json);
        }
    }

    #[test]
    fn thirteen_percent_rounds_half_up() {
        assert_eq!(Paisa(33_333).scale(13, 100), Paisa(4_333));
        assert_eq!(Paisa(50).scale(13, 100), Paisa(7)); // 6.5
    }

    #[test]
    fn a_rate_is_written_in_per_cent_and_read_back() {
        for (rate, json) in [(Percent(1_300), "13"), (Percent(1_250), "12.5"), (Percent(1), "0.01"), (Percent(0), "0")]
        {
            assert_eq!(serde_json::to_string(&rate).unwrap(), json);
            assert_eq!(serde_json::from_str::<Percent>(json).unwrap(), rate);
        }
        assert!(serde_json::from_str::<Percent>("-1").is_err());
        assert_eq!(Percent(1_250).of(Paisa(10_004)), Paisa(1_251)); // 1250.5
        assert_eq!(Percent(1_300).inside(Paisa(113_000)), Paisa(13_000));
    }

    #[test]
    fn what_is_no_sum_of_money_is_refused() {
        for odd in [-0.01, f64::NAN, f64::INFINITY, 1e300] {
            assert_eq!(Paisa::from_json(odd), None);
        }
        assert_eq!(Paisa::from_json(1131.13), Some(Paisa(113_113)));
    }

    proptest! {
        #[test]
        fn json_keeps_every_paisa(paisa in 0_i64..100_000_000_000) {
            let text = serde_json::to_string(&Paisa(paisa)).unwrap();
            let (rupees, rest) = text.split_once('.').unwrap_or((&text, ""));
            prop_assert!(rest.len() <= 2);
            let back: i64 = format!("{rupees}{rest:0<2}").parse().unwrap();
            prop_assert_eq!(back, paisa);
        }
    }
}
