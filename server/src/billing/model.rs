//! Bills and credit notes as they are stored, and the errors of this module.

use chrono::{DateTime, NaiveDate, Utc};
use uuid::Uuid;

use crate::catalogue::TaxClass;
use crate::orders::OrderError;
use crate::platform::api_error::ApiError;
use crate::platform::config::{BillingDocument, BillingSettings};
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::messages::message;
use crate::platform::money::{Paisa, Percent};
use crate::shop::ShopError;

/// The law allows an abbreviated tax invoice up to this total.
pub const MAX_ABBREVIATED: Paisa = Paisa::from_rupees(10_000);
/// Nepal's PAN has nine digits.
pub const PAN_DIGITS: usize = 9;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BillKind {
    OrderReceipt,
    PanBill,
    TaxInvoice,
    AbbreviatedTaxInvoice,
}

impl BillKind {
    pub const ALL: [Self; 4] = [Self::OrderReceipt, Self::PanBill, Self::TaxInvoice, Self::AbbreviatedTaxInvoice];

    pub const fn name(self) -> &'static str {
        match self {
            Self::OrderReceipt => "order_receipt",
            Self::PanBill => "pan_bill",
            Self::TaxInvoice => "tax_invoice",
            Self::AbbreviatedTaxInvoice => "abbreviated_tax_invoice",
        }
    }

    /// Chooses the kind of a bill. A buyer who gives a PAN gets the full tax invoice, because an abbreviated one is not
    /// enough for deducting the tax.
    pub fn choose(settings: &BillingSettings, vat_registered: bool, total: Paisa, buyer_pan: &str) -> Self {
        match settings.document {
            BillingDocument::OrderReceipt => Self::OrderReceipt,
            BillingDocument::Bill if !vat_registered => Self::PanBill,
            BillingDocument::Bill
                if settings.abbreviated_permitted && total <= MAX_ABBREVIATED && buyer_pan.is_empty() =>
            {
                Self::AbbreviatedTaxInvoice
            }
            BillingDocument::Bill => Self::TaxInvoice,
        }
    }

    pub const fn series(self) -> Series {
        match self {
            Self::OrderReceipt => Series::OrderReceipt,
            Self::PanBill | Self::TaxInvoice | Self::AbbreviatedTaxInvoice => Series::Bill,
        }
    }
}

/// An unknown name counts as an order receipt, which claims the least.
impl From<String> for BillKind {
    fn from(name: String) -> Self {
        Self::ALL.into_iter().find(|kind| kind.name() == name).unwrap_or(Self::OrderReceipt)
    }
}

/// Numbers are counted from 1 in each series, fiscal year and outlet. Order receipts are not bills, so they have numbers
/// of their own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Series {
    Bill,
    CreditNote,
    OrderReceipt,
    ReceiptCorrection,
}

impl Series {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bill => "bill",
            Self::CreditNote => "credit_note",
            Self::OrderReceipt => "order_receipt",
            Self::ReceiptCorrection => "receipt_correction",
        }
    }

    const fn prefix(self) -> &'static str {
        match self {
            Self::Bill => "",
            Self::CreditNote => "CN-",
            Self::OrderReceipt => "R-",
            Self::ReceiptCorrection => "RC-",
        }
    }

    /// The series of the credit notes for documents of this one.
    pub const fn of_corrections(self) -> Self {
        match self {
            Self::Bill | Self::CreditNote => Self::CreditNote,
            Self::OrderReceipt | Self::ReceiptCorrection => Self::ReceiptCorrection,
        }
    }
}

impl From<String> for Series {
    fn from(name: String) -> Self {
        [Self::Bill, Self::CreditNote, Self::ReceiptCorrection]
            .into_iter()
            .find(|series| series.name() == name)
            .unwrap_or(Self::OrderReceipt)
    }
}

/// A number with everything that makes it unique.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DocumentNumber {
    pub fiscal_year: String,
    pub outlet: String,
    pub series: Series,
    pub number: i32,
}

/// As it is printed: `01-2083/84-000012`.
impl std::fmt::Display for DocumentNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}{}-{}-{:06}", self.series.prefix(), self.outlet, self.fiscal_year, self.number)
    }
}

/// `total = exempt + taxable + tax + delivery - discount`, and none is negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Amounts {
    pub exempt: Paisa,
    /// Without the tax.
    pub taxable: Paisa,
    pub tax: Paisa,
    pub delivery: Paisa,
    pub discount: Paisa,
    pub total: Paisa,
}

#[derive(Debug, Clone)]
pub struct Bill {
    pub id: Uuid,
    pub order_id: OrderId,
    pub user_id: UserId,
    pub issue: i32,
    pub kind: BillKind,
    pub number: DocumentNumber,
    pub issued_at: DateTime<Utc>,
    pub issued_on: NaiveDate,
    /// `2083.08.01`; empty if the calendar does not contain the day.
    pub issued_on_bs: String,
    pub language: String,
    pub order_code: String,
    pub payment_method: String,
    pub seller: Seller,
    pub buyer: Buyer,
    pub vat_registered: bool,
    pub tax_rate: Percent,
    pub prices_include_tax: bool,
    pub amounts: Amounts,
}

/// The shop as it was when the bill was issued.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seller {
    pub name: String,
    pub name_ne: String,
    pub address: String,
    pub address_ne: String,
    pub phone: String,
    pub pan: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Buyer {
    pub name: String,
    pub address: String,
    pub phone: String,
    pub pan: String,
}

#[derive(Debug, Clone)]
pub struct BillLine {
    pub position: i32,
    pub product_id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub pack_label: Option<String>,
    pub pack_label_ne: Option<String>,
    pub quantity: i32,
    pub price: Paisa,
    pub amount: Paisa,
    pub tax_class: TaxClass,
}

#[derive(Debug, Clone)]
pub struct CreditNote {
    pub id: Uuid,
    pub bill_id: Uuid,
    pub number: DocumentNumber,
    pub issued_at: DateTime<Utc>,
    pub issued_on: NaiveDate,
    pub issued_on_bs: String,
    pub reason: String,
    /// `None` if the cancellation of the order caused it.
    pub issued_by: Option<Uuid>,
    pub amounts: Amounts,
}

/// How many units of a line of a bill a credit note takes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CreditLine {
    pub position: i32,
    pub quantity: i32,
    pub amount: Paisa,
}

/// What the shopper wants on the bill.
#[derive(Debug, Clone, Default)]
pub struct BillRequest {
    pub buyer_name: String,
    pub buyer_pan: String,
}

/// Who gets a copy of a bill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PrintedFor {
    Shopper(UserId),
    Seller(Uuid),
    /// The id of the email that it is attached to.
    Email(Uuid),
}

/// Which bills and credit notes the register shows.
#[derive(Debug, Clone)]
pub struct RegisterFilter {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub number: Option<i32>,
    /// Only documents that were issued before this one.
    pub before: Uuid,
}

/// A bill or a credit note in the register.
#[derive(Debug, Clone)]
pub struct RegisterRow {
    pub id: Uuid,
    pub is_credit_note: bool,
    /// The kind of the bill, also of the one that a credit note corrects.
    pub kind: BillKind,
    pub order_id: OrderId,
    pub order_code: String,
    pub fiscal_year: String,
    pub outlet: String,
    pub series: Series,
    pub number: i32,
    pub issued_at: DateTime<Utc>,
    pub issued_on: NaiveDate,
    pub issued_on_bs: String,
    pub buyer_name: String,
    pub buyer_pan: String,
    pub seller_pan: String,
    pub reason: String,
    /// The fiscal year and the number of the bill that a credit note corrects.
    pub corrected_year: Option<String>,
    pub corrected_number: Option<i32>,
    pub exempt: Paisa,
    pub taxable: Paisa,
    pub tax: Paisa,
    pub delivery: Paisa,
    pub discount: Paisa,
    pub total: Paisa,
    pub prints: i64,
}

impl RegisterRow {
    pub fn number_text(&self) -> String {
        self.written(self.series, &self.fiscal_year, self.number)
    }

    /// The number of the bill that a credit note corrects; empty for a bill.
    pub fn corrected_text(&self) -> String {
        let corrected = self.corrected_year.as_ref().zip(self.corrected_number);
        corrected.map(|(year, number)| self.written(self.kind.series(), year, number)).unwrap_or_default()
    }

    fn written(&self, series: Series, fiscal_year: &str, number: i32) -> String {
        let (fiscal_year, outlet) = (fiscal_year.to_owned(), self.outlet.clone());
        DocumentNumber { fiscal_year, outlet, series, number }.to_string()
    }
}

#[derive(Debug, thiserror::Error)]
pub enum BillingError {
    #[error("bill not found")]
    NotFound,
    #[error("the bill is already issued")]
    AlreadyIssued,
    #[error("the PAN is not valid")]
    PanInvalid,
    #[error("the name is too long")]
    NameTooLong,
    #[error("a reason is missing")]
    ReasonMissing,
    #[error("nothing or too much to credit")]
    CreditInvalid,
    #[error("the cursor is not valid")]
    BadCursor,
    #[error("the range of days is not valid")]
    RangeInvalid,
    /// The first day of the next fiscal year must be added before bills can be issued.
    #[error("the fiscal year of {0} is not known")]
    FiscalYearUnknown(NaiveDate),
    #[error("the amounts of the order do not add up")]
    Inconsistent,
    #[error("too many PDF files are being made")]
    Busy,
    #[error("the PDF could not be made: {0}")]
    Pdf(String),
    #[error(transparent)]
    Order(#[from] OrderError),
    #[error("shop settings")]
    Shop(#[from] ShopError),
    #[error("billing database")]
    Db(#[from] sqlx::Error),
}

impl BillingError {
    pub fn is_contention(&self) -> bool {
        match self {
            Self::Db(error) => crate::platform::db::is_contention(error),
            Self::Order(error) => error.is_contention(),
            _ => false,
        }
    }
}

/// The longest name of a buyer and the longest reason of a credit note.
pub const MAX_TEXT_LENGTH: usize = 200;

impl From<BillingError> for ApiError {
    fn from(error: BillingError) -> Self {
        match error {
            BillingError::NotFound => Self::not_found("bill_not_found", message!("api.billing.not_found")),
            BillingError::AlreadyIssued => Self::conflict("bill_issued", message!("api.billing.already_issued")),
            BillingError::PanInvalid => Self::invalid("pan_invalid", message!("api.billing.pan_invalid")),
            BillingError::NameTooLong => {
                Self::invalid("text_too_long", message!("api.text_too_long", longest = MAX_TEXT_LENGTH))
            }
            BillingError::ReasonMissing => Self::invalid("reason_missing", message!("api.billing.reason_missing")),
            BillingError::CreditInvalid => Self::invalid("credit_invalid", message!("api.billing.credit_invalid")),
            BillingError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            BillingError::RangeInvalid => Self::invalid("range_invalid", message!("api.billing.range_invalid")),
            BillingError::Busy => Self::unavailable("pdf_busy", message!("api.billing.busy")),
            BillingError::FiscalYearUnknown(_) | BillingError::Inconsistent | BillingError::Pdf(_) => {
                Self::internal(&error)
            }
            BillingError::Order(error) => error.into(),
            BillingError::Shop(error) => error.into(),
            BillingError::Db(cause) => Self::database(&cause),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_kind_of_a_bill_follows_the_settings_the_total_and_the_buyer() {
        let receipt = BillingSettings::default();
        let bill = BillingSettings { document: BillingDocument::Bill, ..receipt.clone() };
        let permitted = BillingSettings { abbreviated_permitted: true, ..bill.clone() };
        let (most, more) = (MAX_ABBREVIATED, Paisa(MAX_ABBREVIATED.0 + 1));

        assert_eq!(BillKind::choose(&receipt, true, most, "301234567"), BillKind::OrderReceipt);
        assert_eq!(BillKind::choose(&bill, false, most, ""), BillKind::PanBill);
        assert_eq!(BillKind::choose(&bill, true, most, ""), BillKind::TaxInvoice);
        assert_eq!(BillKind::choose(&permitted, true, most, ""), BillKind::AbbreviatedTaxInvoice);
        assert_eq!(BillKind::choose(&permitted, true, more, ""), BillKind::TaxInvoice);
        assert_eq!(BillKind::choose(&permitted, true, most, "301234567"), BillKind::TaxInvoice);
    }

    #[test]
    fn a_number_names_its_outlet_year_and_series() {
        let number =
            |series| DocumentNumber { fiscal_year: "2083/84".to_owned(), outlet: "01".to_owned(), series, number: 12 };
        assert_eq!(number(Series::Bill).to_string(), "01-2083/84-000012");
        assert_eq!(number(Series::OrderReceipt).to_string(), "R-01-2083/84-000012");
        assert_eq!(number(Series::CreditNote).to_string(), "CN-01-2083/84-000012");
    }
}
