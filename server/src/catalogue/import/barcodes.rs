//! Barcodes that a file gives to two products, or that another product has.

use std::collections::HashMap;

use sqlx::PgConnection;

use super::examine::{ExaminedRow, RowOutcome, cell_error};
use crate::catalogue::seller::product_field::ProductField;
use crate::catalogue::store;
use crate::platform::ids::ProductId;
use crate::platform::messages::message;

/// The barcode that a row gives to its product, which is new if it has no id.
fn new_barcode(outcome: &RowOutcome) -> Option<(&str, Option<ProductId>)> {
    match outcome {
        RowOutcome::Add { details, .. } => Some((details.barcode.as_deref()?, None)),
        RowOutcome::Update { product, details, .. } => Some((details.barcode.as_deref()?, Some(product.id))),
        RowOutcome::Same { .. } | RowOutcome::Errors(_) => None,
    }
}

/// Turns rows into errors whose barcode belongs to an earlier row or to another product. `first` collects the rows of
/// the barcodes over the whole file.
pub async fn refuse_taken_barcodes(
    connection: &mut PgConnection,
    examined: &mut [ExaminedRow],
    first: &mut HashMap<String, i32>,
) -> sqlx::Result<()> {
    let barcodes: Vec<String> =
        examined.iter().filter_map(|row| new_barcode(&row.outcome)).map(|(barcode, _)| barcode.to_owned()).collect();
    if barcodes.is_empty() {
        return Ok(());
    }
    let owners: HashMap<String, ProductId> =
        store::find_barcode_owners(connection, &barcodes).await?.into_iter().collect();
    for row in examined {
        let Some((barcode, product)) = new_barcode(&row.outcome) else { continue };
        let number = *first.entry(barcode.to_owned()).or_insert(row.number);
        let message = if number != row.number {
            message!("imports.barcode_duplicate", row = number)
        } else if owners.get(barcode).is_some_and(|owner| Some(*owner) != product) {
            message!("api.products.barcode_taken")
        } else {
            continue;
        };
        row.outcome = RowOutcome::Errors(vec![cell_error(ProductField::Barcode, message)]);
    }
    Ok(())
}
