//! A product as the cells of a spreadsheet, and the differences between two states of it.

use super::decimal::format_decimal;
use super::product_field::ProductField;
use crate::catalogue::model::{Category, CellChange, ProductDetails};

/// How much of a long text the audit log keeps.
const MAX_AUDIT_TEXT_LENGTH: usize = 200;
const SHORT_KEY_LENGTH: usize = 8;
/// The names of the pictures in a list of changes.
pub const PICTURE_COLUMN: &str = "picture";
pub const MORE_PICTURES_COLUMN: &str = "pictures";

/// Returns the cells of a spreadsheet row, except those that only link the row to its product.
pub fn to_cells(details: &ProductDetails, category: &str, stock: i32) -> Vec<(ProductField, String)> {
    let list = |items: &[String]| items.join(" | ");
    let pack = details.pack.as_ref();
    vec![
        (ProductField::Name, details.name.clone()),
        (ProductField::NameNe, details.name_ne.clone().unwrap_or_default()),
        (ProductField::Category, category.to_owned()),
        (ProductField::Description, details.description.clone()),
        (ProductField::DescriptionNe, details.description_ne.clone().unwrap_or_default()),
        (ProductField::Price, details.price.two_decimals()),
        (ProductField::Stock, stock.to_string()),
        (ProductField::Rating, format_decimal(i64::from(details.rating_tenths), 1)),
        (ProductField::Reviews, details.reviews.to_string()),
        (ProductField::Tags, list(&details.tags)),
        (ProductField::TagsNe, list(&details.tags_ne)),
        (ProductField::Aliases, list(&details.aliases)),
        (ProductField::UnitAmount, pack.map(|pack| format_decimal(i64::from(pack.milli), 3)).unwrap_or_default()),
        (ProductField::UnitMeasure, pack.map(|pack| pack.measure.clone()).unwrap_or_default()),
        (ProductField::UnitLabel, pack.map(|pack| pack.label.clone()).unwrap_or_default()),
        (ProductField::UnitLabelNe, pack.and_then(|pack| pack.label_ne.clone()).unwrap_or_default()),
        (ProductField::TaxClass, details.tax_class.name().to_owned()),
        (ProductField::Barcode, details.barcode.clone().unwrap_or_default()),
        (ProductField::SoldByWeight, if details.sold_by_weight { "yes" } else { "" }.to_owned()),
    ]
}

fn diff_cells(before: &[(ProductField, String)], after: &[(ProductField, String)]) -> Vec<CellChange> {
    let changed = before.iter().zip(after).filter(|(before, after)| before.1 != after.1);
    changed
        .map(|((field, before), (_, after))| CellChange {
            column: field.column().to_owned(),
            before: before.clone(),
            after: after.clone(),
            pictures: Vec::new(),
        })
        .collect()
}

pub fn diff_products(
    before: &ProductDetails,
    stock_before: i32,
    after: &ProductDetails,
    stock_after: i32,
    categories: &[Category],
) -> Vec<CellChange> {
    let name = |details: &ProductDetails| {
        let found = categories.iter().find(|category| category.id == details.category);
        found.map(|category| category.name.clone()).unwrap_or_default()
    };
    let was = to_cells(before, &name(before), stock_before);
    let is = to_cells(after, &name(after), stock_after);
    let mut changes = diff_cells(&was, &is);
    if before.picture_key != after.picture_key {
        let key = |details: &ProductDetails| details.picture_key.clone().unwrap_or_default();
        changes.push(picture_change(PICTURE_COLUMN, key(before), key(after)));
    }
    if before.more_picture_keys != after.more_picture_keys {
        let (before, after) = (short_keys(&before.more_picture_keys), short_keys(&after.more_picture_keys));
        changes.push(picture_change(MORE_PICTURES_COLUMN, before, after));
    }
    changes
}

fn picture_change(column: &str, before: String, after: String) -> CellChange {
    CellChange { column: column.to_owned(), before, after, pictures: Vec::new() }
}

/// The beginnings of the keys, which tell pictures apart; all keys together would be longer than the audit log keeps.
fn short_keys(keys: &[String]) -> String {
    let short = keys.iter().map(|key| key.chars().take(SHORT_KEY_LENGTH).collect::<String>());
    short.collect::<Vec<_>>().join(", ")
}

/// Describes the changed fields before and after the change, for the audit log.
pub fn describe_changes(changes: &[CellChange]) -> (String, String) {
    let side = |text: fn(&CellChange) -> &str| {
        let parts = changes.iter().map(|change| {
            let excerpt: String = text(change).chars().take(MAX_AUDIT_TEXT_LENGTH).collect();
            format!("{}: {excerpt}", change.column)
        });
        parts.collect::<Vec<_>>().join("; ")
    };
    (side(|change| &change.before), side(|change| &change.after))
}
