//! What a bill lists.

use sqlx::PgConnection;

use super::model::BillLine;
use crate::orders::{self, SoldLine};
use crate::platform::ids::OrderId;
use crate::platform::language::Language;
use crate::platform::numerals;

/// Loads the lines that are billed: what was packed.
pub async fn load(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<Vec<BillLine>> {
    let sold = orders::list_sold_lines(connection, order).await?;
    Ok((1..).zip(sold).map(|(position, line)| to_bill_line(position, line)).collect())
}

/// Weighed goods are one unit whose label says the weight and the price of a kilogram. With a coupon the label also says
/// what a unit, or a kilogram, cost before it.
fn to_bill_line(position: i32, line: SoldLine) -> BillLine {
    let weight = line.grams.zip(line.step_grams);
    let label = |language| {
        weight.map(|(grams, step)| {
            let kilograms = numerals::format_kilograms(language, grams);
            let price = numerals::localize_digits(language, &line.price.scale(1_000, step.into()).two_decimals());
            match language {
                Language::English => format!("{kilograms} at {price} per kg"),
                Language::Nepali => format!("{kilograms}, प्रति केजी {price}"),
            }
        })
    };
    let with_coupon = |language, label: Option<String>| {
        let Some(before) = line.price_before_coupon else { return label };
        let before = weight.map_or(before, |(_, step)| before.scale(1_000, step.into()));
        let price = numerals::localize_digits(language, &before.two_decimals());
        let text = match language {
            Language::English => format!("price before the coupon {price}"),
            Language::Nepali => format!("कुपनअघिको मूल्य {price}"),
        };
        Some(label.map_or_else(|| text.clone(), |label| format!("{label}; {text}")))
    };
    let pack_label = with_coupon(Language::English, label(Language::English).or(line.pack_label.clone()));
    let pack_label_ne = label(Language::Nepali).or(line.pack_label_ne.clone());
    // Without a Nepali label the English one is printed, unless there is something to say about the coupon.
    let pack_label_ne = match line.price_before_coupon {
        Some(_) => with_coupon(Language::Nepali, pack_label_ne.or(line.pack_label.clone())),
        None => pack_label_ne,
    };
    BillLine {
        position,
        product_id: line.product_id,
        name: line.name,
        name_ne: line.name_ne,
        pack_label,
        pack_label_ne,
        quantity: if weight.is_some() { 1 } else { line.quantity },
        price: if weight.is_some() { line.amount } else { line.price },
        amount: line.amount,
        tax_class: line.tax_class,
    }
}
