//! Bills as PDF files. A template lays out a `Document`, which it reads as data: nothing that a person has typed is ever
//! part of the markup. Templates see no files, no network and no clock.

mod world;

use serde::Serialize;
use typst::diag::{SourceDiagnostic, Warned};
use typst::foundations::Smart;
use typst_layout::PagedDocument;
use typst_pdf::PdfOptions;

use world::PrintWorld;

/// The paper of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Paper {
    A4,
    /// A roll of 80 mm, as long as it has to be.
    Roll,
}

/// A bill as text, line by line; every amount and label is already written in the reader's language.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Document {
    /// `en` or `ne`; it chooses between the forms that some characters have.
    pub language: &'static str,
    /// Identifies the document in its metadata.
    pub number: String,
    pub title: String,
    /// The title in the other language.
    pub second_title: String,
    /// Marks a copy; empty on the original.
    pub copy: String,
    pub seller: String,
    pub seller_details: Vec<String>,
    /// The number, the dates and the like.
    pub facts: Vec<Fact>,
    pub buyer_title: String,
    pub buyer: Vec<Fact>,
    pub headings: Headings,
    pub lines: Vec<Line>,
    pub sums: Vec<Sum>,
    /// The total in words.
    pub words: Vec<Fact>,
    pub notes: Vec<String>,
    /// Before the number of a page, such as 'Page'.
    pub page: String,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Fact {
    pub label: String,
    pub value: String,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Headings {
    pub number: String,
    pub item: String,
    /// Empty if the document shows no tax.
    pub tax: String,
    pub quantity: String,
    pub price: String,
    pub amount: String,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Line {
    pub number: String,
    pub item: String,
    /// The pack size.
    pub detail: String,
    pub tax: String,
    pub quantity: String,
    pub price: String,
    pub amount: String,
}

#[derive(Debug, Clone, Default, Serialize)]
pub struct Sum {
    pub label: String,
    pub amount: String,
    pub is_total: bool,
}

/// The template did not compile, which only a mistake in it can cause.
#[derive(Debug)]
pub struct PdfError(String);

impl std::fmt::Display for PdfError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for PdfError {}

/// Writes a document as a PDF file. It takes tens of milliseconds of CPU time, so call it on a blocking thread.
pub fn write_pdf(document: &Document, paper: Paper) -> Result<Vec<u8>, PdfError> {
    let options = PdfOptions { ident: Smart::Custom(document.number.clone()), ..PdfOptions::default() };
    let pages = lay_out(document, paper)?;
    let file = typst_pdf::pdf(&pages, &options).map_err(|problems| describe(&problems));
    // Without this, what was laid out stays in memory for the next document, which has another text.
    typst::comemo::evict(0);
    file
}

/// Lays a document out in pages.
pub fn lay_out(document: &Document, paper: Paper) -> Result<PagedDocument, PdfError> {
    let data = serde_json::to_vec(document).map_err(|error| PdfError(error.to_string()))?;
    let Warned { output, .. } = typst::compile(&PrintWorld::new(paper, data));
    output.map_err(|problems| describe(&problems))
}

fn describe(problems: &[SourceDiagnostic]) -> PdfError {
    PdfError(problems.iter().map(|problem| problem.message.as_str()).collect::<Vec<_>>().join("; "))
}
