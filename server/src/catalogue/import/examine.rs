//! What a row of a file would do: it is compared with the product that has its slug now.

use std::collections::HashMap;

use sqlx::PgConnection;

use super::parse::CsvRow;
use super::pictures::{ImportPictures, name_picture_changes, set_pictures};
use crate::catalogue::model::{
    Category, CellChange, CellError, ImportRowKind, ImportSnapshot, NewImportRow, Product, ProductDetails,
};
use crate::catalogue::seller::add::initial_stock;
use crate::catalogue::seller::changes::diff_products;
use crate::catalogue::seller::product_field::ProductField;
use crate::catalogue::seller::product_input::{self, ProductDraft, Source};
use crate::catalogue::seller::stock_edit::StockEdit;
use crate::catalogue::store;
use crate::platform::messages::{Message, message};

/// What a row would do.
#[derive(Debug)]
pub enum RowOutcome {
    Add { details: Box<ProductDetails>, stock: i32, changes: Vec<CellChange> },
    Update { product: Box<Product>, details: Box<ProductDetails>, difference: i32, changes: Vec<CellChange> },
    Same { snapshot: ImportSnapshot },
    Errors(Vec<CellError>),
}

pub struct ExaminedRow {
    pub number: i32,
    pub slug: String,
    pub name: String,
    pub outcome: RowOutcome,
}

pub fn cell_error(field: ProductField, message: Message) -> CellError {
    CellError { column: field.column().to_owned(), message: message.into() }
}

/// Compares a row with the product that has its slug now. `checked_stock` is the stock when the file was checked.
pub fn examine_row(
    row: &CsvRow,
    product: Option<&Product>,
    categories: &[Category],
    pictures: &ImportPictures,
    checked_stock: Option<i32>,
    duplicate_of: Option<i32>,
) -> ExaminedRow {
    let before = product.map(ProductDetails::from_product);
    let mut errors = Vec::new();
    if let Some(message) = row.length_error.clone() {
        errors.push(cell_error(ProductField::Slug, message));
    }
    if !row.slug.is_empty() && product.is_none() && !product_input::is_slug(&row.slug) {
        errors.push(cell_error(ProductField::Slug, message!("imports.slug_invalid")));
    }
    if let Some(first) = duplicate_of {
        errors.push(cell_error(ProductField::Slug, message!("imports.slug_duplicate", row = first)));
    }
    let mut outcome = None;
    match product_input::parse_product(&row.raw, before.as_ref(), categories, Source::Spreadsheet) {
        Err(field_errors) => errors
            .extend(field_errors.into_iter().map(|field_error| cell_error(field_error.field, field_error.message))),
        Ok(mut draft) => {
            errors.extend(set_pictures(row, pictures, &mut draft.details));
            match decide_outcome(draft, product, before, categories, checked_stock) {
                Ok(decided) => outcome = Some(decided),
                Err(error) => errors.push(error),
            }
        }
    }
    if let Some(RowOutcome::Add { details, changes, .. } | RowOutcome::Update { details, changes, .. }) = &mut outcome {
        name_picture_changes(row, details, changes);
    }
    let name = row.raw.get(ProductField::Name).map(str::to_owned);
    let name = name.or_else(|| product.map(|product| product.name.clone())).unwrap_or_default();
    let outcome = outcome.filter(|_| errors.is_empty()).unwrap_or(RowOutcome::Errors(errors));
    ExaminedRow { number: row.number, slug: row.slug.clone(), name: name.chars().take(200).collect(), outcome }
}

fn decide_outcome(
    draft: ProductDraft,
    product: Option<&Product>,
    before: Option<ProductDetails>,
    categories: &[Category],
    checked_stock: Option<i32>,
) -> Result<RowOutcome, CellError> {
    let (Some(product), Some(before)) = (product, before) else {
        if draft.version.is_some() {
            return Err(cell_error(ProductField::Version, message!("imports.product_deleted_before")));
        }
        let stock = initial_stock(draft.stock);
        let changes = diff_products(&ProductDetails::default(), 0, &draft.details, stock, categories);
        return Ok(RowOutcome::Add { stock, details: Box::new(draft.details), changes });
    };
    let difference = match draft.stock {
        None => 0,
        Some(stock) => {
            let stock = StockEdit { last_seen: stock.last_seen.or(checked_stock), ..stock };
            let too_few = || message!("imports.stock_changed", left = product.stock);
            stock.difference(product.stock).map_err(|_| cell_error(ProductField::Stock, too_few()))?
        }
    };
    let changes = diff_products(&before, product.stock, &draft.details, product.stock + difference, categories);
    if changes.is_empty() {
        return Ok(RowOutcome::Same { snapshot: snapshot_of(product) });
    }
    if draft.details != before && draft.version.is_some_and(|version| version != product.updated_at) {
        return Err(cell_error(ProductField::Version, message!("imports.changed_since_export")));
    }
    let (product, details) = (Box::new(product.clone()), Box::new(draft.details));
    Ok(RowOutcome::Update { product, details, difference, changes })
}

/// Maps each row whose slug occurs in an earlier row to that row.
pub fn find_duplicate_slugs(rows: &[CsvRow]) -> HashMap<i32, i32> {
    let mut first: HashMap<&str, i32> = HashMap::new();
    let mut duplicates = HashMap::new();
    for row in rows.iter().filter(|row| !row.slug.is_empty()) {
        let known = *first.entry(&row.slug).or_insert(row.number);
        if known != row.number {
            duplicates.insert(row.number, known);
        }
    }
    duplicates
}

pub async fn find_products_of_rows(
    connection: &mut PgConnection,
    rows: &[CsvRow],
) -> sqlx::Result<HashMap<String, Product>> {
    let slugs: Vec<String> = rows.iter().map(|row| row.slug.clone()).filter(|slug| !slug.is_empty()).collect();
    let found = store::find_products_by_slugs(connection, &slugs).await?;
    Ok(found.into_iter().map(|product| (product.slug.clone(), product)).collect())
}

fn snapshot_of(product: &Product) -> ImportSnapshot {
    ImportSnapshot { product: product.id, version: product.updated_at, stock: product.stock }
}

/// The row as it is stored.
pub fn to_new_row(examined: ExaminedRow) -> NewImportRow {
    let ExaminedRow { number, slug, name, outcome } = examined;
    let (kind, changes, errors, snapshot) = match outcome {
        RowOutcome::Add { changes, .. } => (ImportRowKind::Add, changes, Vec::new(), None),
        RowOutcome::Update { product, changes, .. } => {
            (ImportRowKind::Update, changes, Vec::new(), Some(snapshot_of(&product)))
        }
        RowOutcome::Same { snapshot } => (ImportRowKind::Same, Vec::new(), Vec::new(), Some(snapshot)),
        RowOutcome::Errors(errors) => (ImportRowKind::Error, Vec::new(), errors, None),
    };
    NewImportRow { row: number, kind, slug, name, changes, errors, snapshot }
}
