//! The amounts of bills and credit notes. They come from the same quote as the cart and the order.

use std::collections::BTreeMap;

use super::model::{Amounts, Bill, BillLine, CreditLine, CreditNote};
use crate::cart::{self, QuoteLine};
use crate::delivery::DeliveryFees;
use crate::platform::config::Rates;
use crate::platform::money::Paisa;

/// Computes what a bill says about these lines. `due` is what the buyer owes; if it is less than the quote, the
/// difference is a discount. `None` if it is more, because then the lines are not what was sold.
pub fn compute_bill(lines: &[BillLine], rates: &Rates, delivery: Paisa, due: Paisa) -> Option<Amounts> {
    let units: Vec<(&BillLine, i32)> = lines.iter().map(|line| (line, line.quantity)).collect();
    let goods = compute_goods(&units, rates);
    let total = goods.exempt + goods.taxable + goods.tax + delivery;
    let discount = Paisa(total.0 - due.0);
    (discount.0 >= 0).then_some(Amounts { delivery, discount, total: due, ..goods })
}

/// Computes the amounts of some units of these lines, without delivery.
fn compute_goods(units: &[(&BillLine, i32)], rates: &Rates) -> Amounts {
    let lines: Vec<QuoteLine> = units
        .iter()
        .map(|(line, quantity)| QuoteLine { price: line.price, quantity: *quantity, tax: line.tax_class })
        .collect();
    let free = DeliveryFees { fee: Paisa::ZERO, free_above: None, minimum: Paisa::ZERO };
    let quote = cart::quote(&lines, rates, &free);
    let exempt = Paisa(quote.subtotal.0 - quote.taxable.0);
    Amounts {
        exempt,
        taxable: quote.taxable,
        tax: quote.tax,
        total: exempt + quote.taxable + quote.tax,
        ..Amounts::default()
    }
}

/// What is left of a bill after its credit notes.
pub fn remaining(bill: &Amounts, credited: &[CreditNote]) -> Amounts {
    credited.iter().fold(*bill, |left, note| subtract(&left, &note.amounts))
}

fn subtract(from: &Amounts, taken: &Amounts) -> Amounts {
    let minus = |a: Paisa, b: Paisa| Paisa(a.0 - b.0);
    Amounts {
        exempt: minus(from.exempt, taken.exempt),
        taxable: minus(from.taxable, taken.taxable),
        tax: minus(from.tax, taken.tax),
        delivery: minus(from.delivery, taken.delivery),
        discount: minus(from.discount, taken.discount),
        total: minus(from.total, taken.total),
    }
}

/// Computes a credit note for these units of a bill. The tax is that of everything credited so far, less what earlier
/// notes have credited, so that rounding never adds up. A note that takes the last unit back takes back the rest of the
/// bill, with the delivery fee. `None` if there is nothing to credit or more than was billed.
pub fn compute_credit(
    bill: &Bill,
    lines: &[BillLine],
    earlier: &[CreditNote],
    earlier_lines: &[CreditLine],
    wanted: &BTreeMap<i32, i32>,
) -> Option<(Amounts, Vec<CreditLine>)> {
    let rates = Rates {
        tax_rate: bill.tax_rate,
        vat_registered: bill.vat_registered,
        prices_include_tax: bill.prices_include_tax,
        ..Rates::default()
    };
    let mut credited: BTreeMap<i32, i32> = BTreeMap::new();
    for line in earlier_lines {
        *credited.entry(line.position).or_default() += line.quantity;
    }
    let mut taken = Vec::new();
    for (position, quantity) in wanted {
        let line = lines.iter().find(|line| line.position == *position)?;
        let sum = credited.entry(*position).or_default();
        *sum = sum.checked_add(*quantity)?;
        if *quantity <= 0 || *sum > line.quantity {
            return None;
        }
        taken.push(CreditLine { position: *position, quantity: *quantity, amount: line.price * *quantity });
    }
    let rest = remaining(&bill.amounts, earlier);
    let is_last = lines.iter().all(|line| credited.get(&line.position) == Some(&line.quantity));
    let amounts = if is_last {
        rest
    } else {
        let units: Vec<(&BillLine, i32)> =
            lines.iter().filter_map(|line| credited.get(&line.position).map(|quantity| (line, *quantity))).collect();
        let so_far = compute_goods(&units, &rates);
        let before = subtract(&bill.amounts, &rest);
        subtract(&so_far, &Amounts { delivery: Paisa::ZERO, discount: Paisa::ZERO, ..before })
    };
    let is_possible = !taken.is_empty() && amounts.total.0 > 0 && amounts.total <= rest.total;
    is_possible.then_some((amounts, taken))
}
