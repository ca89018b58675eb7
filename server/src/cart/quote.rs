//! The quote of a cart: one function, used by the cart, the order, the wallet and the bill. All amounts are whole
//! paisa.
//!
//! `web/src/features/cart/quote.ts` computes the same for instant feedback; both are tested with the vectors in
//! `data/quote-vectors.json`.

use serde::Serialize;

use crate::catalogue::TaxClass;
use crate::coupons::{self, Coupon};
use crate::delivery::DeliveryFees;
use crate::platform::config::Rates;
use crate::platform::money::Paisa;

#[derive(Debug, Clone, Copy)]
pub struct QuoteLine {
    pub price: Paisa,
    pub quantity: i32,
    pub tax: TaxClass,
}

/// The parts always add up: `total = subtotal + tax + shipping_fee`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Quote {
    /// Without the tax, also if the prices include it.
    #[schema(value_type = f64)]
    pub subtotal: Paisa,
    /// The taxed part of the subtotal.
    #[serde(skip)]
    pub taxable: Paisa,
    #[schema(value_type = f64)]
    pub tax: Paisa,
    #[schema(value_type = f64)]
    pub shipping_fee: Paisa,
    #[schema(value_type = f64)]
    pub total: Paisa,
    /// What the subtotal lacks until the least order of the delivery zone; absent if it lacks nothing.
    #[serde(skip_serializing_if = "Paisa::is_zero")]
    #[schema(value_type = f64, required = false)]
    pub minimum_missing: Paisa,
    /// What a coupon has taken off the prices, which the other figures contain already; absent without one.
    #[serde(skip_serializing_if = "Paisa::is_zero")]
    #[schema(value_type = f64, required = false)]
    pub discount: Paisa,
}

/// Computes the quote with a coupon, if there is one. Returns the lines with the prices that are charged as well.
pub fn quote_with_coupon(
    lines: &[QuoteLine],
    coupon: Option<&Coupon>,
    rates: &Rates,
    fees: &DeliveryFees,
) -> (Vec<QuoteLine>, Quote) {
    let mut charged = lines.to_vec();
    let mut discount = Paisa::ZERO;
    if let Some(coupon) = coupon {
        let listed: Vec<(Paisa, i32)> = lines.iter().map(|line| (line.price, line.quantity)).collect();
        let prices = coupons::discounted_prices(coupon.terms.discount, &listed);
        for (line, price) in charged.iter_mut().zip(prices) {
            discount = discount + Paisa(line.price.0 - price.0) * line.quantity;
            line.price = price;
        }
    }
    let quote = Quote { discount, ..quote(&charged, rates, fees) };
    (charged, quote)
}

/// Computes the quote for an address with these fees. An empty cart costs nothing, not even shipping.
pub fn quote(lines: &[QuoteLine], rates: &Rates, fees: &DeliveryFees) -> Quote {
    let worth = |line: &QuoteLine| line.price * line.quantity;
    // As the prices say, which may include the tax.
    let goods: Paisa = lines.iter().map(worth).sum();
    let taxed: Paisa = if rates.vat_registered {
        lines.iter().filter(|line| line.tax == TaxClass::Standard).map(worth).sum()
    } else {
        Paisa::ZERO
    };
    let includes_tax = rates.prices_include_tax;
    let tax = if includes_tax { rates.tax_rate.inside(taxed) } else { rates.tax_rate.of(taxed) };
    let included = if includes_tax { tax } else { Paisa::ZERO };
    let subtotal = Paisa(goods.0 - included.0);
    let taxable = Paisa(taxed.0 - included.0);
    let is_free = lines.is_empty() || fees.free_above.is_some_and(|above| goods > above);
    let shipping_fee = if is_free { Paisa::ZERO } else { fees.fee };
    let missing = if lines.is_empty() { 0 } else { (fees.minimum.0 - goods.0).max(0) };
    Quote {
        subtotal,
        taxable,
        tax,
        shipping_fee,
        total: subtotal + tax + shipping_fee,
        minimum_missing: Paisa(missing),
        discount: Paisa::ZERO,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde::Deserialize;

    use super::*;
    use crate::platform::money::Percent;

    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Vector {
        lines: Vec<(i64, i32, String)>,
        vat_registered: bool,
        #[serde(default)]
        prices_include_tax: bool,
        /// A vector without rates uses those of the specification.
        rates: Option<VectorRates>,
        subtotal: i64,
        tax: i64,
        shipping_fee: i64,
        total: i64,
        #[serde(default)]
        minimum_missing: i64,
    }

    /// Amounts are in paisa, and the tax rate is in hundredths of a per cent. Shipping without a limit is never free.
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct VectorRates {
        shipping_fee: i64,
        free_shipping_above: Option<i64>,
        tax_rate: i32,
        #[serde(default)]
        minimum: i64,
    }

    // spec: 9.const.2, 9.const.3, 9.const.4, 9.const.5
    #[test]
    fn the_vectors_that_the_web_app_is_held_to() {
        let vectors: Vec<Vector> = serde_json::from_str(include_str!("../../../data/quote-vectors.json")).unwrap();
        assert!(vectors.len() >= 10);
        for vector in vectors {
            let lines: Vec<QuoteLine> = vector
                .lines
                .iter()
                .map(|(price, quantity, tax)| QuoteLine {
                    price: Paisa(*price),
                    quantity: *quantity,
                    tax: TaxClass::from(tax.clone()),
                })
                .collect();
            let mut rates = Rates {
                vat_registered: vector.vat_registered,
                prices_include_tax: vector.prices_include_tax,
                ..Rates::default()
            };
            let mut fees = DeliveryFees::from(&rates);
            if let Some(other) = vector.rates {
                fees.fee = Paisa(other.shipping_fee);
                fees.free_above = other.free_shipping_above.map(Paisa);
                fees.minimum = Paisa(other.minimum);
                rates.tax_rate = Percent(other.tax_rate);
            }
            let quote = quote(&lines, &rates, &fees);
            let expected = Quote {
                subtotal: Paisa(vector.subtotal),
                taxable: quote.taxable,
                tax: Paisa(vector.tax),
                shipping_fee: Paisa(vector.shipping_fee),
                total: Paisa(vector.total),
                minimum_missing: Paisa(vector.minimum_missing),
                discount: Paisa::ZERO,
            };
            assert_eq!(quote, expected, "{:?}", vector.lines);
        }
    }

    fn line() -> impl Strategy<Value = QuoteLine> {
        (0_i64..5_000_000, 1_i32..100, any::<bool>()).prop_map(|(price, quantity, exempt)| QuoteLine {
            price: Paisa(price),
            quantity,
            tax: if exempt { TaxClass::Exempt } else { TaxClass::Standard },
        })
    }

    fn rates() -> impl Strategy<Value = Rates> {
        (0_i64..=1_000_000, 0_i64..=100_000_000, 0_i32..=3_000, any::<bool>(), any::<bool>()).prop_map(
            |(fee, above, tax_rate, vat_registered, prices_include_tax)| Rates {
                shipping_fee: Paisa(fee),
                free_shipping_above: Paisa(above),
                tax_rate: Percent(tax_rate),
                vat_registered,
                prices_include_tax,
                ..Rates::default()
            },
        )
    }

    fn fees() -> impl Strategy<Value = DeliveryFees> {
        (0_i64..=1_000_000, prop::option::of(0_i64..=100_000_000), 0_i64..=1_000_000).prop_map(
            |(fee, above, minimum)| DeliveryFees {
                fee: Paisa(fee),
                free_above: above.map(Paisa),
                minimum: Paisa(minimum),
            },
        )
    }

    proptest! {
        #[test]
        fn the_parts_add_up_and_follow_the_rules(
            lines in prop::collection::vec(line(), 0..50),
            rates in rates(),
            fees in fees(),
        ) {
            let quote = quote(&lines, &rates, &fees);
            prop_assert_eq!(quote.total, quote.subtotal + quote.tax + quote.shipping_fee);
            prop_assert!(quote.taxable <= quote.subtotal);
            // Tax is rounded half up, so it is never more than half a paisa from the exact figure.
            let rate = i128::from(rates.tax_rate.0);
            let (base, whole) = if rates.prices_include_tax {
                (quote.taxable + quote.tax, 10_000 + rate)
            } else {
                (quote.taxable, 10_000)
            };
            let off = (i128::from(base.0) * rate - i128::from(quote.tax.0) * whole) * 2;
            prop_assert!((-whole..whole).contains(&off), "{off}");
            let goods: Paisa = lines.iter().map(|line| line.price * line.quantity).sum();
            let priced = if rates.prices_include_tax { quote.subtotal + quote.tax } else { quote.subtotal };
            prop_assert_eq!(priced, goods);
            let free = lines.is_empty() || fees.free_above.is_some_and(|above| goods > above);
            prop_assert_eq!(quote.shipping_fee, if free { Paisa::ZERO } else { fees.fee });
            let fits = lines.is_empty() || goods >= fees.minimum;
            prop_assert_eq!(fits, quote.minimum_missing == Paisa::ZERO);
            prop_assert!(rates.vat_registered || quote.tax == Paisa::ZERO);
        }

        #[test]
        fn the_order_of_lines_does_not_matter(mut lines in prop::collection::vec(line(), 0..20)) {
            let (rates, fees) = (Rates::default(), DeliveryFees::from(&Rates::default()));
            let before = quote(&lines, &rates, &fees);
            lines.reverse();
            prop_assert_eq!(before, quote(&lines, &rates, &fees));
        }
    }
}
