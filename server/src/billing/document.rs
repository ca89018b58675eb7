//! A bill or credit note as text for its PDF file, in the language of the order.

use chrono::NaiveDate;
use thunse_pdf::{Document, Fact, Headings, Line, Sum};

use super::model::{Amounts, Bill, BillKind, BillLine, CreditLine, CreditNote, Series};
use super::words::write_amount;
use crate::catalogue::TaxClass;
use crate::orders::transition::Method;
use crate::platform::bikram_sambat;
use crate::platform::language::Language;
use crate::platform::messages::{Message, Render, message};
use crate::platform::money::{Paisa, Percent};
use crate::platform::money_format::format_rupees;
use crate::platform::numerals::{format_count, localize_digits};

/// What one file shows: a bill, or a credit note with the bill that it corrects.
pub struct Printout {
    pub bill: Bill,
    pub lines: Vec<BillLine>,
    pub credit: Option<(CreditNote, Vec<CreditLine>)>,
}

impl Printout {
    /// Writes the document. `ordinal` counts the copies: 1 is the original.
    pub fn to_document(&self, ordinal: i32) -> Document {
        let language = Language::from_code(&self.bill.language);
        let other = match language {
            Language::English => Language::Nepali,
            Language::Nepali => Language::English,
        };
        let text = |message: Message| message.render(language);
        let copy = if ordinal > 1 { text(message!("bill.copy", number = ordinal - 1)) } else { String::new() };
        let amounts = self.credit.as_ref().map_or(&self.bill.amounts, |(note, _)| &note.amounts);
        Document {
            language: language.code(),
            number: self.number(),
            title: self.title().render(language),
            second_title: self.title().render(other),
            copy,
            seller: self.seller_name(language),
            seller_details: self.seller_details(language),
            facts: self.facts(language),
            buyer_title: text(message!("bill.buyer")),
            buyer: self.buyer(language),
            headings: Headings {
                number: text(message!("bill.heading.number")),
                item: text(message!("bill.heading.item")),
                tax: if self.bill.vat_registered { text(message!("bill.heading.tax")) } else { String::new() },
                quantity: text(message!("bill.heading.quantity")),
                price: text(message!("bill.heading.price")),
                amount: text(message!("bill.heading.amount")),
            },
            lines: self.printed_lines(language),
            sums: self.sums(language, amounts),
            words: [language, other]
                .map(|language| Fact {
                    label: message!("bill.in_words").render(language),
                    value: write_amount(language, amounts.total),
                })
                .to_vec(),
            notes: self.notes(language),
            page: text(message!("bill.page")),
        }
    }

    pub fn number(&self) -> String {
        self.credit.as_ref().map_or(&self.bill.number, |(note, _)| &note.number).to_string()
    }

    fn title(&self) -> Message {
        match (&self.credit, self.bill.kind) {
            (Some((note, _)), _) if note.number.series == Series::ReceiptCorrection => {
                message!("bill.title.receipt_correction")
            }
            (Some(_), _) => message!("bill.title.credit_note"),
            (None, BillKind::OrderReceipt) => message!("bill.title.order_receipt"),
            (None, BillKind::PanBill) => message!("bill.title.pan_bill"),
            (None, BillKind::TaxInvoice) => message!("bill.title.tax_invoice"),
            (None, BillKind::AbbreviatedTaxInvoice) => message!("bill.title.abbreviated_tax_invoice"),
        }
    }

    fn seller_name(&self, language: Language) -> String {
        let seller = &self.bill.seller;
        pick(language, &seller.name, &seller.name_ne).to_owned()
    }

    fn seller_details(&self, language: Language) -> Vec<String> {
        let seller = &self.bill.seller;
        let mut details = vec![pick(language, &seller.address, &seller.address_ne).to_owned()];
        if !seller.phone.is_empty() {
            details.push(message!("bill.seller_phone", phone = seller.phone.as_str()).render(language));
        }
        if !seller.pan.is_empty() {
            let pan = localize_digits(language, &seller.pan);
            details.push(message!("bill.seller_pan", pan = pan).render(language));
        }
        details.retain(|detail| !detail.is_empty());
        details
    }

    fn facts(&self, language: Language) -> Vec<Fact> {
        let bill = &self.bill;
        let (day, day_bs) = match &self.credit {
            Some((note, _)) => (note.issued_on, &note.issued_on_bs),
            None => (bill.issued_on, &bill.issued_on_bs),
        };
        let year = self.credit.as_ref().map_or(&bill.number.fiscal_year, |(note, _)| &note.number.fiscal_year);
        let payment = match Method::from_name(&bill.payment_method) {
            Some(Method::Online) => message!("bill.paid_by_wallet"),
            Some(Method::Cod) | None => message!("bill.paid_in_cash"),
        };
        let mut facts = vec![
            fact(language, message!("bill.number"), self.number()),
            fact(language, message!("bill.date"), format_day(language, day, day_bs)),
            fact(language, message!("bill.fiscal_year"), localize_digits(language, year)),
        ];
        if let Some((note, _)) = &self.credit {
            let corrected = format_day(language, bill.issued_on, &bill.issued_on_bs);
            facts.push(fact(language, message!("bill.corrects"), bill.number.to_string()));
            facts.push(fact(language, message!("bill.corrects_date"), corrected));
            facts.push(fact(language, message!("bill.reason"), note.reason.clone()));
        }
        facts.push(fact(language, message!("bill.order"), bill.order_code.clone()));
        facts.push(fact(language, message!("bill.payment"), payment.render(language)));
        facts
    }

    fn buyer(&self, language: Language) -> Vec<Fact> {
        let buyer = &self.bill.buyer;
        let mut facts = vec![
            fact(language, message!("bill.buyer_name"), buyer.name.clone()),
            fact(language, message!("bill.buyer_address"), buyer.address.clone()),
            fact(language, message!("bill.buyer_phone"), buyer.phone.clone()),
            fact(language, message!("bill.buyer_pan"), localize_digits(language, &buyer.pan)),
        ];
        facts.retain(|fact| !fact.value.is_empty());
        facts
    }

    fn printed_lines(&self, language: Language) -> Vec<Line> {
        let taken: Vec<(&BillLine, i32, Paisa)> = match &self.credit {
            None => self.lines.iter().map(|line| (line, line.quantity, line.amount)).collect(),
            Some((_, credited)) => credited
                .iter()
                .filter_map(|credit| {
                    let line = self.lines.iter().find(|line| line.position == credit.position)?;
                    Some((line, credit.quantity, credit.amount))
                })
                .collect(),
        };
        (1..)
            .zip(taken)
            .map(|(number, (line, quantity, amount))| {
                let pack = pick_optional(language, line.pack_label.as_deref(), line.pack_label_ne.as_deref());
                Line {
                    number: format_count(language, number),
                    item: pick_optional(language, Some(&line.name), line.name_ne.as_deref())
                        .unwrap_or_default()
                        .to_owned(),
                    detail: pack.unwrap_or_default().to_owned(),
                    tax: self.tax_of(language, line),
                    quantity: format_count(language, i64::from(quantity)),
                    price: format_amount(language, line.price),
                    amount: format_amount(language, amount),
                }
            })
            .collect()
    }

    fn tax_of(&self, language: Language, line: &BillLine) -> String {
        match line.tax_class {
            _ if !self.bill.vat_registered => String::new(),
            TaxClass::Standard => format_percent(language, self.bill.tax_rate),
            TaxClass::Exempt => message!("bill.exempt_short").render(language),
        }
    }

    fn sums(&self, language: Language, amounts: &Amounts) -> Vec<Sum> {
        let sum = |label: Message, amount: Paisa| Sum {
            label: label.render(language),
            amount: format_amount(language, amount),
            is_total: false,
        };
        let mut sums = Vec::new();
        if self.bill.vat_registered {
            let rate = format_percent(language, self.bill.tax_rate);
            sums.push(sum(message!("bill.sum.exempt"), amounts.exempt));
            sums.push(sum(message!("bill.sum.taxable"), amounts.taxable));
            sums.push(sum(message!("bill.sum.tax", rate = rate), amounts.tax));
        } else {
            sums.push(sum(message!("bill.sum.goods"), amounts.exempt));
        }
        if !amounts.delivery.is_zero() {
            sums.push(sum(message!("bill.sum.delivery"), amounts.delivery));
        }
        if !amounts.discount.is_zero() {
            sums.push(sum(message!("bill.sum.discount"), amounts.discount));
        }
        sums.push(Sum {
            label: message!("bill.sum.total").render(language),
            amount: format_rupees(language, amounts.total),
            is_total: true,
        });
        sums
    }

    fn notes(&self, language: Language) -> Vec<String> {
        let mut notes = Vec::new();
        match self.bill.kind {
            BillKind::OrderReceipt => notes.push(message!("bill.note.order_receipt")),
            BillKind::AbbreviatedTaxInvoice => notes.push(message!("bill.note.abbreviated")),
            BillKind::PanBill | BillKind::TaxInvoice => {}
        }
        if self.bill.prices_include_tax && self.bill.vat_registered {
            notes.push(message!("bill.note.prices_include_tax"));
        }
        notes.into_iter().map(|note| note.render(language)).collect()
    }
}

fn fact(language: Language, label: Message, value: String) -> Fact {
    Fact { label: label.render(language), value }
}

fn pick<'a>(language: Language, english: &'a str, nepali: &'a str) -> &'a str {
    if language == Language::Nepali && !nepali.is_empty() { nepali } else { english }
}

fn pick_optional<'a>(language: Language, english: Option<&'a str>, nepali: Option<&'a str>) -> Option<&'a str> {
    if language == Language::Nepali { nepali.or(english) } else { english }
}

/// Both calendars: 2083.08.02 (18 Nov 2026); २ मंसिर २०८३ (१८ नोभेम्बर २०२६).
fn format_day(language: Language, day: NaiveDate, bikram_sambat_day: &str) -> String {
    let written = bikram_sambat::format_date(language, day);
    match language {
        Language::English if !bikram_sambat_day.is_empty() => format!("{bikram_sambat_day} BS ({written})"),
        Language::English | Language::Nepali => written,
    }
}

/// An amount without the currency, which the heading and the total have: 1,23,456.70.
fn format_amount(language: Language, amount: Paisa) -> String {
    let paisa = localize_digits(language, &format!("{:02}", amount.0 % 100));
    format!("{}.{paisa}", format_count(language, amount.0 / 100))
}

fn format_percent(language: Language, rate: Percent) -> String {
    localize_digits(language, &format!("{}%", Paisa(i64::from(rate.0)).short()))
}
