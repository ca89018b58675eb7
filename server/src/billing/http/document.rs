//! Bills and credit notes in responses.

use axum::response::{IntoResponse, Response};
use chrono::NaiveDate;
use http::header;
use serde::{Deserialize, Serialize};
use thunse_pdf::Paper;
use uuid::Uuid;

use crate::billing::model::{Bill, BillRequest, CreditNote};
use crate::billing::order_bills::OrderBills;
use crate::billing::pdf::PdfFile;
use crate::catalogue::TaxClass;
use crate::platform::money::Paisa;

/// A bill or credit note of an order.
#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BillDocument {
    #[serde(rename = "_id")]
    pub id: Uuid,
    /// `order_receipt`, `pan_bill`, `tax_invoice`, `abbreviated_tax_invoice` or `credit_note`.
    pub kind: &'static str,
    pub number: String,
    pub date: NaiveDate,
    /// The same day in Bikram Sambat, `2083.08.01`; empty if it is not in the calendar.
    pub date_bs: String,
    #[schema(value_type = f64)]
    pub total: Paisa,
    /// How many copies were made, the original included.
    pub copies: i64,
    /// The number of the bill that a credit note corrects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub corrects: Option<String>,
    /// The lines of a bill, for the seller only.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub lines: Vec<BillDocumentLine>,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BillDocumentLine {
    pub position: i32,
    pub name: String,
    #[schema(required)]
    pub name_ne: Option<String>,
    pub quantity: i32,
    /// What credit notes have taken back.
    pub credited: i32,
    #[schema(value_type = f64)]
    pub amount: Paisa,
    pub exempt: bool,
}

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct OrderBillsResponse {
    documents: Vec<BillDocument>,
    /// What the shopper wants on the bill.
    buyer_name: String,
    buyer_pan: String,
    /// Whether the name and the PAN can still be changed.
    can_change_buyer: bool,
}

impl OrderBillsResponse {
    pub fn for_shopper(bills: OrderBills) -> Self {
        Self::new(bills, false)
    }

    pub fn for_seller(bills: OrderBills) -> Self {
        Self::new(bills, true)
    }

    fn new(bills: OrderBills, with_lines: bool) -> Self {
        let BillRequest { buyer_name, buyer_pan } = bills.request;
        let mut documents = Vec::new();
        for entry in bills.bills {
            let number = entry.bill.number.to_string();
            let lines = entry.lines.into_iter().filter(|_| with_lines).map(|(line, credited)| BillDocumentLine {
                position: line.position,
                name: line.name,
                name_ne: line.name_ne,
                quantity: line.quantity,
                credited,
                amount: line.amount,
                exempt: line.tax_class == TaxClass::Exempt,
            });
            documents
                .push(BillDocument { lines: lines.collect(), ..BillDocument::from_bill(&entry.bill, entry.copies) });
            documents.extend(entry.notes.iter().map(|(note, copies)| BillDocument::from_note(note, *copies, &number)));
        }
        Self { documents, buyer_name, buyer_pan, can_change_buyer: bills.can_change_buyer }
    }
}

impl BillDocument {
    pub fn from_bill(bill: &Bill, copies: i64) -> Self {
        Self {
            id: bill.id,
            kind: bill.kind.name(),
            number: bill.number.to_string(),
            date: bill.issued_on,
            date_bs: bill.issued_on_bs.clone(),
            total: bill.amounts.total,
            copies,
            corrects: None,
            lines: Vec::new(),
        }
    }

    fn from_note(note: &CreditNote, copies: i64, corrects: &str) -> Self {
        Self {
            id: note.id,
            kind: "credit_note",
            number: note.number.to_string(),
            date: note.issued_on,
            date_bs: note.issued_on_bs.clone(),
            total: note.amounts.total,
            copies,
            corrects: Some(corrects.to_owned()),
            lines: Vec::new(),
        }
    }
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(rename_all = "camelCase")]
pub struct OrderBillsQuery {
    /// The order's `_id`.
    pub order_id: String,
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
pub struct PaperQuery {
    /// `a4`, which is the default, or `roll` for a receipt printer of 80 mm.
    paper: Option<String>,
}

impl PaperQuery {
    pub fn paper(&self) -> Paper {
        if self.paper.as_deref() == Some("roll") { Paper::Roll } else { Paper::A4 }
    }
}

pub fn pdf_response(file: PdfFile) -> Response {
    let headers = [
        (header::CONTENT_TYPE, "application/pdf".to_owned()),
        (header::CACHE_CONTROL, "private, no-store".to_owned()),
        (header::CONTENT_DISPOSITION, format!("inline; filename=\"{}\"", file.name)),
    ];
    (headers, file.content).into_response()
}
