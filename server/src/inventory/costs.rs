//! What goods cost: a moving average per product. A receipt mixes its units with those in stock, and every sale until the
//! next receipt costs the average. Units that were in stock before the first known cost count with that cost; sales before
//! it have an unknown cost, which reports show as such.

use sqlx::PgConnection;

use super::error::InventoryError;
use super::model::{AverageCost, CostedLine};
use super::store;
use crate::platform::ids::ProductId;

/// Computes the moving average after each line.
pub fn moving_averages(lines: &[CostedLine]) -> Vec<AverageCost> {
    let mut averages: Vec<AverageCost> = Vec::with_capacity(lines.len());
    for line in lines {
        let before = i64::from(line.stock_before.max(0));
        let value_before = match averages.last() {
            Some(last) => last.value.scale(before, last.units),
            None => line.cost.scale(before, 1),
        };
        averages.push(AverageCost {
            line: line.id,
            movement: line.movement,
            since: line.received_at,
            units: before + i64::from(line.quantity),
            value: value_before + line.cost * line.quantity,
        });
    }
    averages
}

/// Computes the averages of a product anew from all its receipts, because a cost may be entered or corrected later. The
/// caller must lock the product first.
pub async fn rebuild(connection: &mut PgConnection, product: ProductId) -> Result<(), InventoryError> {
    let lines = store::list_costed_lines(connection, product).await?;
    store::replace_averages(connection, product, &moving_averages(&lines)).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use chrono::DateTime;
    use uuid::Uuid;

    use super::*;
    use crate::platform::money::Paisa;

    /// A line as (stock before, quantity, cost in rupees).
    type Line = (i32, i32, i64);
    /// An average as (units, value in paisa).
    type Average = (i64, i64);

    fn averages(lines: &[Line]) -> Vec<Average> {
        let line = |(number, (stock_before, quantity, rupees)): (usize, &Line)| CostedLine {
            id: Uuid::nil(),
            movement: i64::try_from(number).unwrap(),
            received_at: DateTime::UNIX_EPOCH,
            quantity: *quantity,
            stock_before: *stock_before,
            cost: Paisa::from_rupees(*rupees),
        };
        let lines: Vec<CostedLine> = lines.iter().enumerate().map(line).collect();
        moving_averages(&lines).into_iter().map(|average| (average.units, average.value.0)).collect()
    }

    #[test]
    fn the_average_weighs_what_is_in_stock() {
        let table: [(&[Line], &[Average]); 6] = [
            // The first cost counts for what was there already.
            (&[(0, 10, 100)], &[(10, 100_000)]),
            (&[(5, 10, 100)], &[(15, 150_000)]),
            // 10 at 100 and 10 at 120 are 110 each.
            (&[(0, 10, 100), (10, 10, 120)], &[(10, 100_000), (20, 220_000)]),
            // Half was sold in between: 5 at 100 and 10 at 120.
            (&[(0, 10, 100), (5, 10, 120)], &[(10, 100_000), (15, 170_000)]),
            // Everything was sold: the old cost is gone.
            (&[(0, 10, 100), (0, 4, 50)], &[(10, 100_000), (4, 20_000)]),
            // Thirds are rounded to the nearest paisa, once per receipt.
            (&[(0, 2, 0), (2, 1, 1), (1, 1, 1)], &[(2, 0), (3, 100), (2, 133)]),
        ];
        for (lines, expected) in table {
            assert_eq!(averages(lines), expected, "{lines:?}");
        }
    }

    #[test]
    fn goods_that_were_free_have_a_known_cost_of_nothing() {
        assert_eq!(averages(&[(0, 3, 0)]), [(3, 0)]);
    }
}
