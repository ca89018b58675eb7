//! The margin by product and by day in Kathmandu: revenue without VAT less the cost of what was sold. Costs are moving
//! averages (decision 085); a sale whose cost is unknown is shown apart and never counts as free.

use std::collections::{BTreeMap, HashMap};

use chrono::{Datelike, Days, NaiveDate};

use super::model::{MarginDay, MarginProduct, MarginReport, MarginSums, ProductDaySales, ReportError, YEARS};
use super::store;
use crate::platform::clock::{self, start_of_nepal_day};
use crate::platform::csv_format::{BOM, format_row};
use crate::platform::ids::ProductId;
use crate::platform::money::Paisa;
use crate::platform::state::App;

/// The file has a line for each product on each day, so the range is shorter than that of the money report.
const MAX_DAYS: i64 = 31;
const DEFAULT_DAYS: u64 = 7;

pub async fn build_report(
    app: &App,
    from: Option<NaiveDate>,
    to: Option<NaiveDate>,
) -> Result<MarginReport, ReportError> {
    let to = to.unwrap_or_else(|| clock::nepal_date(app.clock.now()));
    if !YEARS.contains(&to.year()) {
        return Err(ReportError::MarginDaysInvalid);
    }
    let (from, after) = (from.unwrap_or(to - Days::new(DEFAULT_DAYS - 1)), to + Days::new(1));
    if !YEARS.contains(&from.year()) || !(1..=MAX_DAYS).contains(&(after - from).num_days()) {
        return Err(ReportError::MarginDaysInvalid);
    }
    let mut connection = app.db.main.acquire().await?;
    let sold = store::sum_margins(&mut connection, start_of_nepal_day(from), start_of_nepal_day(after)).await?;
    Ok(add_up(from, to, sold))
}

/// Adds up what was sold by day and by product. Days without sales are included.
fn add_up(from: NaiveDate, to: NaiveDate, sold: Vec<ProductDaySales>) -> MarginReport {
    let mut days: BTreeMap<NaiveDate, MarginSums> =
        from.iter_days().take_while(|day| *day <= to).map(|day| (day, MarginSums::default())).collect();
    let mut products: HashMap<ProductId, MarginProduct> = HashMap::new();
    let mut total = MarginSums::default();
    for row in &sold {
        let sums = MarginSums::of(row);
        *days.entry(row.day).or_default() += sums;
        total += sums;
        let product = products.entry(row.product_id).or_insert_with(|| MarginProduct {
            product_id: row.product_id,
            name: String::new(),
            name_ne: None,
            sums: MarginSums::default(),
        });
        // The rows are in the order of their days, so the newest name stays.
        product.name.clone_from(&row.name);
        product.name_ne.clone_from(&row.name_ne);
        product.sums += sums;
    }
    let mut products: Vec<MarginProduct> = products.into_values().collect();
    products.sort_by_key(|product| (std::cmp::Reverse(product.sums.revenue), product.product_id));
    let days = days.into_iter().map(|(date, sums)| MarginDay { date, sums }).collect();
    MarginReport { from, to, total, days, products, sold }
}

impl MarginReport {
    /// Formats every product on every day, and the total, as CSV. The cost and the margin are empty if no cost is known.
    pub fn to_csv(&self) -> String {
        let mut text = BOM.to_owned();
        text += &format_row([
            "date",
            "product",
            "units",
            "revenue without VAT",
            "cost",
            "margin",
            "units without cost",
            "revenue without cost",
        ]);
        let rows = self.sold.iter().map(|row| (row.day.to_string(), row.name.as_str(), MarginSums::of(row)));
        for (date, product, sums) in rows.chain([("total".to_owned(), "", self.total)]) {
            let margin = sums.margin();
            let cells = [
                date,
                product.to_owned(),
                sums.quantity.to_string(),
                sums.revenue.two_decimals(),
                margin.map(|_| sums.cost.two_decimals()).unwrap_or_default(),
                margin.map(signed).unwrap_or_default(),
                sums.quantity_without_cost.to_string(),
                sums.revenue_without_cost.two_decimals(),
            ];
            text += &format_row(cells.iter().map(String::as_str));
        }
        text
    }
}

/// Formats an amount that may be negative.
fn signed(paisa: i64) -> String {
    let sign = if paisa < 0 { "-" } else { "" };
    format!("{sign}{}", Paisa(paisa.abs()).two_decimals())
}

#[cfg(test)]
mod tests {
    use uuid::Uuid;

    use super::*;

    fn day(number: u32) -> NaiveDate {
        NaiveDate::from_ymd_opt(2026, 11, number).unwrap()
    }

    /// A product on a day: units, revenue and cost in rupees, and of these the units and the revenue without a cost.
    fn sold(on: u32, product: u128, units: (i64, i64), revenue: (i64, i64), cost: i64) -> ProductDaySales {
        ProductDaySales {
            day: day(on),
            product_id: ProductId(Uuid::from_u128(product)),
            name: format!("Product {product}"),
            name_ne: None,
            quantity: units.0,
            revenue: Paisa::from_rupees(revenue.0),
            quantity_without_cost: units.1,
            revenue_without_cost: Paisa::from_rupees(revenue.1),
            cost: Paisa::from_rupees(cost),
        }
    }

    #[test]
    fn a_margin_is_that_of_the_sales_whose_cost_is_known() {
        // units (all, without cost), revenue (all, without cost), cost, margin and its rate
        let table = [
            ((2, 0), (200, 0), 150, Some(5_000), Some(2_500)),
            // Sold below its cost.
            ((2, 0), (200, 0), 260, Some(-6_000), Some(-3_000)),
            // Nothing is known: not a margin of the whole revenue.
            ((2, 2), (200, 200), 0, None, None),
            // Half is known.
            ((4, 2), (400, 200), 150, Some(5_000), Some(2_500)),
            // Goods that cost nothing.
            ((1, 0), (100, 0), 0, Some(10_000), Some(10_000)),
            // Given away: there is no rate of nothing.
            ((1, 0), (0, 0), 50, Some(-5_000), None),
            ((0, 0), (0, 0), 0, None, None),
        ];
        for (units, revenue, cost, margin, rate) in table {
            let sums = MarginSums::of(&sold(1, 1, units, revenue, cost));
            assert_eq!((sums.margin(), sums.margin_rate()), (margin, rate), "{units:?} {revenue:?} {cost}");
        }
    }

    #[test]
    fn days_and_products_add_up_to_the_same_total() {
        let rows = vec![
            sold(2, 1, (2, 0), (200, 0), 150),
            sold(2, 2, (1, 1), (500, 500), 0),
            sold(4, 1, (3, 1), (300, 100), 160),
        ];
        let report = add_up(day(1), day(4), rows);

        let dates: Vec<u32> = report.days.iter().map(|one| one.date.day()).collect();
        assert_eq!(dates, [1, 2, 3, 4]);
        let (mut by_day, mut by_product) = (MarginSums::default(), MarginSums::default());
        report.days.iter().for_each(|one| by_day += one.sums);
        report.products.iter().for_each(|one| by_product += one.sums);
        assert_eq!((by_day, by_product), (report.total, report.total));
        assert_eq!((report.total.quantity, report.total.quantity_without_cost), (6, 2));
        assert_eq!(report.total.margin(), Some(9_000));
        let names: Vec<&str> = report.products.iter().map(|one| one.name.as_str()).collect();
        assert_eq!(names, ["Product 1", "Product 2"]);
    }

    #[test]
    fn the_file_leaves_an_unknown_cost_empty() {
        let rows = vec![sold(2, 1, (2, 0), (200, 0), 260), sold(2, 2, (1, 1), (500, 500), 0)];
        let text = add_up(day(2), day(2), rows).to_csv();

        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines[1..],
            [
                r#""2026-11-02","Product 1","2","200.00","260.00","-60.00","0","0.00""#,
                r#""2026-11-02","Product 2","1","500.00","","","1","500.00""#,
                r#""total","","3","700.00","260.00","-60.00","1","500.00""#,
            ]
        );
    }
}
