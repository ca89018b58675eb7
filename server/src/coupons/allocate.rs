//! Allocates the discount of a coupon to the lines of an order, as whole paisa of their unit prices. What the lines give
//! is the discount: never less than the coupon says, and more only by what one more paisa on one line makes.

use super::model::Discount;
use crate::platform::money::Paisa;

/// A unit price never goes below this.
const LEAST_PRICE: i64 = 1;

/// Returns the unit price of each line with the discount. A line has its unit price and its quantity.
pub fn discounted_prices(discount: Discount, lines: &[(Paisa, i32)]) -> Vec<Paisa> {
    let goods: i64 = lines.iter().map(|(price, quantity)| price.0 * i64::from(*quantity)).sum();
    // By how much each unit price can fall.
    let most: Vec<i64> = lines.iter().map(|(price, _)| (price.0 - LEAST_PRICE).max(0)).collect();
    let possible = lines.iter().zip(&most).map(|((_, quantity), most)| most * i64::from(*quantity)).sum();
    let target = wanted(discount, goods).min(possible);
    if target <= 0 {
        return lines.iter().map(|(price, _)| *price).collect();
    }
    // Each line gets its share, rounded down, so that the lines of a small discount stay in proportion.
    let share = |price: Paisa| i64::try_from(i128::from(price.0) * i128::from(target) / i128::from(goods));
    let mut less: Vec<i64> = lines.iter().map(|(price, _)| share(*price).unwrap_or_default()).collect();
    let given: i64 = lines.iter().zip(&less).map(|((_, quantity), less)| less * i64::from(*quantity)).sum();
    add_rest(target - given, lines, &most, &mut less);
    lines.iter().zip(less).map(|((price, _), less)| Paisa(price.0 - less)).collect()
}

/// The discount before it is rounded to the lines, itself rounded up.
fn wanted(discount: Discount, goods: i64) -> i64 {
    match discount {
        Discount::Amount(amount) => amount.0,
        Discount::Percent { percent, most } => {
            let share = (i128::from(goods) * i128::from(percent) + 99) / 100;
            let share = i64::try_from(share).unwrap_or(i64::MAX);
            most.map_or(share, |most| share.min(most.0))
        }
    }
}

/// Lowers more prices by a paisa each until the rest is given: first the lines whose quantity fits into it, the largest
/// first, and then the one with the smallest quantity.
fn add_rest(mut rest: i64, lines: &[(Paisa, i32)], most: &[i64], less: &mut [i64]) {
    let mut order: Vec<usize> = (0..lines.len()).collect();
    let quantity = |line: usize| lines.get(line).map_or(0, |(_, quantity)| i64::from(*quantity));
    order.sort_by_key(|line| std::cmp::Reverse(quantity(*line)));
    while rest > 0 {
        let mut last = None;
        let before = rest;
        for line in &order {
            let (Some(less), Some(most)) = (less.get_mut(*line), most.get(*line)) else { continue };
            if *less >= *most {
                continue;
            }
            last = Some(*line);
            if quantity(*line) <= rest {
                *less += 1;
                rest -= quantity(*line);
            }
        }
        let Some(last) = last else { return };
        if rest == before {
            if let Some(less) = less.get_mut(last) {
                *less += 1;
            }
            return;
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn prices(discount: Discount, lines: &[(i64, i32)]) -> Vec<i64> {
        let lines: Vec<(Paisa, i32)> = lines.iter().map(|(price, quantity)| (Paisa(*price), *quantity)).collect();
        discounted_prices(discount, &lines).into_iter().map(|price| price.0).collect()
    }

    const fn percent(percent: i32) -> Discount {
        Discount::Percent { percent, most: None }
    }

    #[test]
    fn a_discount_is_allocated_to_the_lines_in_proportion() {
        assert_eq!(prices(percent(10), &[(50_000, 2), (20_000, 1)]), [45_000, 18_000]);
        assert_eq!(prices(Discount::Amount(Paisa(10_000)), &[(30_000, 1), (10_000, 1)]), [22_500, 7_500]);
        let capped = Discount::Percent { percent: 50, most: Some(Paisa(1_000)) };
        assert_eq!(prices(capped, &[(10_000, 1)]), [9_000]);
        assert_eq!(prices(percent(10), &[]), Vec::<i64>::new());
    }

    #[test]
    fn what_cannot_be_divided_is_rounded_in_favour_of_the_shopper() {
        // A third of 100 rupees is 33.34 for each of the three, which is 100.02.
        assert_eq!(prices(Discount::Amount(Paisa(10_000)), &[(50_000, 3)]), [46_666]);
        // A line with one unit takes exactly the rest.
        assert_eq!(prices(Discount::Amount(Paisa(10_000)), &[(50_000, 3), (10_000, 1)]), [46_875, 9_375]);
        assert_eq!(prices(percent(10), &[(3_333, 3)]), [2_999]);
    }

    #[test]
    fn nothing_costs_less_than_a_paisa() {
        assert_eq!(prices(Discount::Amount(Paisa(1_000_000)), &[(500, 3), (1, 5), (0, 1)]), [1, 1, 0]);
    }

    fn discount() -> impl Strategy<Value = Discount> {
        prop_oneof![
            (1_i64..200_000).prop_map(|amount| Discount::Amount(Paisa(amount))),
            (1_i32..=90, prop::option::of(1_i64..50_000))
                .prop_map(|(percent, most)| Discount::Percent { percent, most: most.map(Paisa) }),
        ]
    }

    proptest! {
        #[test]
        fn the_lines_give_the_discount_and_at_most_one_step_more(
            discount in discount(),
            lines in prop::collection::vec((1_i64..100_000, 1_i32..100), 1..20),
        ) {
            let charged = prices(discount, &lines);
            let goods: i64 = lines.iter().map(|(price, quantity)| price * i64::from(*quantity)).sum();
            let possible: i64 = lines.iter().map(|(price, quantity)| (price - 1) * i64::from(*quantity)).sum();
            let given: i64 =
                lines.iter().zip(&charged).map(|((price, quantity), charged)| (price - charged) * i64::from(*quantity)).sum();
            let target = wanted(discount, goods).min(possible);
            prop_assert!(given >= target);
            // A line that can fall no further cannot take the rest.
            let could_take = lines.iter().zip(&charged).filter(|(_, charged)| **charged >= 1);
            let largest = could_take.map(|((_, quantity), _)| i64::from(*quantity)).max().unwrap_or(0);
            prop_assert!(given < target + largest.max(1));
            for ((price, _), charged) in lines.iter().zip(&charged) {
                prop_assert!((1..=*price).contains(charged));
            }
        }
    }
}
