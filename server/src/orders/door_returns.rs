//! What a rider brings back from the door: the amount to collect falls, and a case tells the shop to put the goods back
//! and, if they were paid online, to refund them.

use sqlx::PgConnection;

use super::error::OrderError;
use super::model::{LockedOrder, amount_to_collect};
use super::store;
use super::transition::CaseKind;
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;

/// A rate of 10,000 basis points is the whole amount.
const WHOLE: i64 = 10_000;

/// Records the items, each at most as often as it was packed and did not come back before. Nothing is recorded if one
/// of them does not fit.
pub async fn return_at_door(
    connection: &mut PgConnection,
    order: &LockedOrder,
    items: &[(ProductId, i32)],
) -> Result<(), OrderError> {
    let known = store::list_returned(connection, order.id).await?;
    let mut returned: Vec<(ProductId, i32, Paisa)> = Vec::with_capacity(items.len());
    let mut left = amount_to_collect(order.due, order.returned);
    let mut taxed: Paisa = known.iter().filter(|item| item.is_taxed).map(|item| item.price_of(item.returned)).sum();
    for (product, quantity) in items {
        let item = known.iter().find(|item| item.product == *product).ok_or(OrderError::ItemsInvalid(0))?;
        let is_repeated = returned.iter().any(|(other, ..)| other == product);
        if *quantity < 1 || is_repeated || i64::from(*quantity) > i64::from(item.quantity) - item.returned {
            return Err(OrderError::ItemsInvalid(0));
        }
        let price = minus(item.price_of(item.returned + i64::from(*quantity)), item.price_of(item.returned));
        let tax_of = |amount: Paisa| amount.scale(item.tax_rate_bp.into(), WHOLE);
        let mut value = price;
        if item.is_taxed {
            // The tax of everything that came back is rounded once, as on a credit note for all of it.
            value = value + minus(tax_of(taxed + price), tax_of(taxed));
            taxed = taxed + price;
        }
        // What was not charged in full is not given back in full.
        let value = value.min(left);
        left = minus(left, value);
        returned.push((*product, *quantity, value));
    }
    if returned.is_empty() {
        return Err(OrderError::ItemsInvalid(0));
    }
    for (product, quantity, value) in returned {
        store::record_return(connection, order.id, product, quantity, value, order.now).await?;
    }
    store::open_case(connection, order.id, CaseKind::ReturnedAtDoor, order.now).await?;
    Ok(())
}

const fn minus(from: Paisa, taken: Paisa) -> Paisa {
    Paisa(from.0 - taken.0)
}
