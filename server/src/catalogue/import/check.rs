//! Checking a file: finding out what every row would do, without changing any product.

use std::collections::HashMap;

use uuid::Uuid;

use super::barcodes::refuse_taken_barcodes;
use super::examine::{ExaminedRow, examine_row, find_duplicate_slugs, find_products_of_rows, to_new_row};
use super::parse;
use super::pictures::{find_pictures, store_pictures};
use super::progress::{CHUNK, Progress};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::ImportState;
use crate::catalogue::store;
use crate::platform::fail_point::fail_point;
use crate::platform::messages::{Message, message};
use crate::platform::state::App;

pub async fn check_import(app: &App, import: Uuid) -> Result<(), CatalogueError> {
    let db = &app.db.main;
    let Some(file) = store::find_import_file(db, import, ImportState::Checking).await? else { return Ok(()) };
    let rows = match parse::parse_csv(&file) {
        Ok(rows) => rows,
        Err(unreadable) => return refuse(app, import, unreadable.into()).await,
    };
    if store::was_applied(db, import).await? {
        return refuse(app, import, message!("imports.already_applied")).await;
    }
    fail_point!(app, "catalogue.import.file_read");
    if !store_pictures(app, import, &rows).await? {
        return Ok(());
    }
    let pictures = find_pictures(app, import).await?;
    let mut progress = Progress::new(app, import, ImportState::Checking, &rows);
    let duplicates = find_duplicate_slugs(&rows);
    let mut barcodes = HashMap::new();
    // This is one transaction, so that a check that is interrupted, or made by two workers, leaves no mixture of rows.
    let mut tx = db.begin().await?;
    let categories = store::lock_categories(&mut tx).await?;
    store::delete_import_rows(&mut tx, import).await?;
    fail_point!(app, "catalogue.import.old_rows_deleted");
    for chunk in rows.chunks(CHUNK) {
        let products = find_products_of_rows(&mut tx, chunk).await?;
        let examined = chunk.iter().map(|row| {
            let duplicate_of = duplicates.get(&row.number).copied();
            examine_row(row, products.get(&row.slug), &categories, &pictures, None, duplicate_of)
        });
        let mut examined: Vec<ExaminedRow> = examined.collect();
        refuse_taken_barcodes(&mut tx, &mut examined, &mut barcodes).await?;
        let checked: Vec<_> = examined.into_iter().map(to_new_row).collect();
        store::insert_import_rows(&mut tx, import, &checked).await?;
        fail_point!(app, "catalogue.import.rows_checked");
        if !progress.advance(chunk.len()).await {
            return Ok(());
        }
    }
    store::update_import_counts(&mut tx, import).await?;
    let (from, to) = (ImportState::Checking, ImportState::Checked);
    if store::set_import_state(&mut tx, import, from, to, None, app.clock.now()).await? {
        fail_point!(app, "catalogue.import.before_check_commit");
        tx.commit().await?;
        fail_point!(app, "catalogue.import.check_committed");
    }
    Ok(())
}

async fn refuse(app: &App, import: Uuid, problem: Message) -> Result<(), CatalogueError> {
    let mut connection = app.db.main.acquire().await?;
    let (from, to) = (ImportState::Checking, ImportState::Refused);
    store::set_import_state(&mut connection, import, from, to, Some(problem), app.clock.now()).await?;
    Ok(())
}
