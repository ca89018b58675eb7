//! The register of all bills and credit notes, for the accountant and for the tax office.

use chrono::{Days, NaiveDate};
use serde_json::{Value, json};
use uuid::Uuid;

use super::model::{BillKind, BillingError, RegisterFilter, RegisterRow};
use super::store;
use crate::platform::csv_format::{BOM, format_row};
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::platform::{clock, db, numerals};

const MAX_PAGE_SIZE: u16 = 100;
const DEFAULT_PAGE_SIZE: u16 = 50;
/// A fiscal year and a month.
const MAX_DAYS: i64 = 400;
const DEFAULT_DAYS: u64 = 30;
/// More documents than this do not fit into one file.
const MAX_EXPORTED: i64 = 100_000;

pub struct RegisterPage {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub rows: Vec<RegisterRow>,
    pub next_cursor: Option<String>,
}

#[derive(Debug, Default)]
pub struct RegisterRequest {
    pub from: Option<NaiveDate>,
    pub to: Option<NaiveDate>,
    /// A number, or a whole one as it is printed.
    pub number: Option<String>,
    pub cursor: Option<String>,
    pub limit: Option<u16>,
}

impl RegisterRequest {
    fn to_filter(&self, app: &App) -> Result<RegisterFilter, BillingError> {
        let to = self.to.unwrap_or_else(|| clock::nepal_date(app.clock.now()));
        let from = self.from.or_else(|| to.checked_sub_days(Days::new(DEFAULT_DAYS)));
        let from = from.ok_or(BillingError::RangeInvalid)?;
        if !(0..=MAX_DAYS).contains(&to.signed_duration_since(from).num_days()) {
            return Err(BillingError::RangeInvalid);
        }
        let before = db::parse_cursor(self.cursor.as_deref(), Uuid::max()).ok_or(BillingError::BadCursor)?;
        Ok(RegisterFilter { from, to, number: self.number.as_deref().and_then(parse_number), before })
    }
}

/// Reads the digits at the end of a number, in either script. A text without any finds nothing.
fn parse_number(text: &str) -> Option<i32> {
    let text = numerals::to_latin_digits(text.trim());
    if text.is_empty() {
        return None;
    }
    let digits = text.rsplit(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    Some(digits.parse().unwrap_or_default())
}

pub async fn list(app: &App, request: &RegisterRequest) -> Result<RegisterPage, BillingError> {
    let filter = request.to_filter(app)?;
    let limit = request.limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let mut connection = app.db.main.acquire().await?;
    let mut rows = store::list_documents(&mut connection, &filter, i64::from(limit) + 1).await?;
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.id.to_string());
    Ok(RegisterPage { from: filter.from, to: filter.to, rows, next_cursor })
}

async fn list_all(app: &App, request: &RegisterRequest) -> Result<RegisterPage, BillingError> {
    let filter = request.to_filter(app)?;
    let mut connection = app.db.main.acquire().await?;
    let mut rows = store::list_documents(&mut connection, &filter, MAX_EXPORTED).await?;
    // An accountant reads from the first number on.
    rows.reverse();
    Ok(RegisterPage { from: filter.from, to: filter.to, rows, next_cursor: None })
}

const CSV_HEADER: [&str; 18] = [
    "document",
    "number",
    "fiscal_year",
    "outlet",
    "date",
    "date_bs",
    "buyer",
    "buyer_pan",
    "order",
    "exempt",
    "taxable",
    "vat",
    "delivery",
    "discount",
    "total",
    "corrects",
    "reason",
    "copies",
];

/// Writes the register for the accountant. The amounts of credit notes are positive; the first column says what a row is.
pub async fn export_csv(app: &App, request: &RegisterRequest) -> Result<(String, String), BillingError> {
    let page = list_all(app, request).await?;
    let mut file = format!("{BOM}{}", format_row(CSV_HEADER));
    for row in &page.rows {
        let kind = if row.is_credit_note { "credit_note" } else { row.kind.name() };
        let amount = |paisa: Paisa| paisa.two_decimals();
        let cells = [
            kind.to_owned(),
            row.number_text(),
            row.fiscal_year.clone(),
            row.outlet.clone(),
            row.issued_on.to_string(),
            row.issued_on_bs.clone(),
            row.buyer_name.clone(),
            row.buyer_pan.clone(),
            row.order_code.clone(),
            amount(row.exempt),
            amount(row.taxable),
            amount(row.tax),
            amount(row.delivery),
            amount(row.discount),
            amount(row.total),
            row.corrected_text(),
            row.reason.clone(),
            row.prints.to_string(),
        ];
        file.push_str(&format_row(cells.iter().map(String::as_str)));
    }
    Ok((format!("bills-{}-{}.csv", page.from, page.to), file))
}

/// Writes the fields that the tax office's central billing system (CBMS) takes, without the login. Order receipts are
/// not bills and are left out.
pub async fn export_cbms(app: &App, request: &RegisterRequest) -> Result<(String, Value), BillingError> {
    let page = list_all(app, request).await?;
    let of = |is_credit_note: bool| -> Vec<Value> {
        let rows = page.rows.iter().filter(|row| row.kind != BillKind::OrderReceipt);
        rows.filter(|row| row.is_credit_note == is_credit_note).map(to_cbms).collect()
    };
    Ok((format!("cbms-{}-{}.json", page.from, page.to), json!({ "bills": of(false), "returns": of(true) })))
}

/// The names are those of the interface; what groceries do not have is zero.
fn to_cbms(row: &RegisterRow) -> Value {
    // A discount is taken off what is exempt first, so that the sums stay those of the bill.
    let exempted = row.exempt.0 + row.delivery.0 - row.discount.0;
    let mut fields = json!({
        "seller_pan": row.seller_pan,
        "buyer_pan": row.buyer_pan,
        "buyer_name": row.buyer_name,
        "fiscal_year": cbms_year(&row.fiscal_year),
        "total_sales": row.total,
        "taxable_sales_vat": row.taxable,
        "vat": row.tax,
        "excisable_amount": 0,
        "excise": 0,
        "taxable_sales_hst": 0,
        "hst": 0,
        "amount_for_esf": 0,
        "esf": 0,
        "export_sales": 0,
        "tax_exempted_sales": Paisa(exempted.max(0)),
        "isrealtime": false,
        "datetimeclient": clock::to_nepal_time(row.issued_at).to_rfc3339(),
    });
    let own = if row.is_credit_note {
        json!({
            "ref_invoice_number": row.corrected_text(),
            "credit_note_number": row.number_text(),
            "credit_note_date": row.issued_on_bs,
            "reason_for_return": row.reason,
        })
    } else {
        json!({ "invoice_number": row.number_text(), "invoice_date": row.issued_on_bs })
    };
    if let (Some(fields), Value::Object(own)) = (fields.as_object_mut(), own) {
        fields.extend(own);
    }
    fields
}

/// `2083/84` is `2083.084` there.
fn cbms_year(fiscal_year: &str) -> String {
    fiscal_year.replace('/', ".0")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_found_by_its_digits_or_as_it_is_printed() {
        assert_eq!(parse_number("12"), Some(12));
        assert_eq!(parse_number("R-01-2083/84-000012"), Some(12));
        assert_eq!(parse_number("१२"), Some(12));
        assert_eq!(parse_number(" "), None);
        assert_eq!(parse_number("rice"), Some(0), "no document has this number");
    }

    #[test]
    fn the_tax_office_writes_the_fiscal_year_with_a_dot() {
        assert_eq!(cbms_year("2082/83"), "2082.083");
    }
}
