//! The pictures of an import: those that its rows name are resized and stored before the rows are checked. Until the import
//! has ended, the cleanup of pictures counts them as used.

use std::collections::{HashMap, HashSet};

use uuid::Uuid;

use super::archive::{EntryError, picture_name};
use super::parse::CsvRow;
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{CellChange, CellError, ImportPicture, ImportState, ProductDetails};
use crate::catalogue::seller::changes::{MORE_PICTURES_COLUMN, PICTURE_COLUMN};
use crate::catalogue::seller::pictures::MAX_PICTURES;
use crate::catalogue::seller::product_field::ProductField;
use crate::catalogue::store;
use crate::media::{self, MediaError, PicturePurpose};
use crate::platform::fail_point::fail_point;
use crate::platform::messages::{Message, StoredMessage, message};
use crate::platform::state::App;

/// How much of a cell an error quotes.
const MAX_QUOTE_LENGTH: usize = 80;

/// By the name of the file: the key of a stored picture, or why the file cannot be used.
pub type ImportPictures = HashMap<String, Result<String, StoredMessage>>;

/// Returns the pictures that can be used, and those that cannot.
pub async fn find_pictures(app: &App, import: Uuid) -> Result<ImportPictures, CatalogueError> {
    let pictures = store::list_import_pictures(&app.db.main, import).await?;
    let outcomes = pictures.into_iter().filter_map(|picture| {
        let outcome = match (picture.picture_key, picture.problem) {
            (Some(key), _) => Ok(key),
            (None, Some(problem)) => Err(problem.0),
            (None, None) => return None,
        };
        Some((picture.name_key, outcome))
    });
    Ok(outcomes.collect())
}

/// Stores the pictures that the rows name, one after the other. What an earlier attempt has stored is not stored again.
/// Returns false when the import was cancelled.
pub async fn store_pictures(app: &App, import: Uuid, rows: &[CsvRow]) -> Result<bool, CatalogueError> {
    let db = &app.db.main;
    let pictures = store::list_import_pictures(db, import).await?;
    if pictures.is_empty() {
        return Ok(true);
    }
    let named: HashSet<String> = rows.iter().flat_map(named_pictures).map(picture_name).collect();
    let used: Vec<ImportPicture> = pictures.into_iter().filter(|picture| named.contains(&picture.name_key)).collect();
    let names: Vec<String> = used.iter().map(|picture| picture.name_key.clone()).collect();
    store::mark_used_pictures(db, import, &names).await?;
    let total = i32::try_from(used.len()).unwrap_or(i32::MAX);
    for (done, picture) in (0..).zip(used) {
        if !store::set_import_progress(db, import, ImportState::Checking, done, total).await? {
            return Ok(false);
        }
        if picture.picture_key.is_some() || picture.problem.is_some() {
            continue;
        }
        // Another worker may have stored it meanwhile.
        let Some(content) = store::find_picture_content(db, import, &picture.name_key).await? else { continue };
        let outcome = store_picture(app, content).await?;
        fail_point!(app, "catalogue.import.picture_stored");
        store::set_picture_outcome(db, import, &picture.name_key, outcome).await?;
        fail_point!(app, "catalogue.import.picture_recorded");
    }
    Ok(true)
}

/// Returns the key, or what is wrong with the file. A failure of ours is neither of them: the job is tried again.
async fn store_picture(app: &App, content: Vec<u8>) -> Result<Result<String, Message>, CatalogueError> {
    match media::accept_upload(app, content.into(), PicturePurpose::Product).await {
        Ok(key) => Ok(Ok(key)),
        Err(MediaError::Type) => Ok(Err(EntryError::Unreadable.into())),
        Err(MediaError::TooLarge | MediaError::TooManyPixels) => Ok(Err(EntryError::TooLarge.into())),
        Err(error @ (MediaError::Busy | MediaError::Unavailable(_) | MediaError::Worker(_))) => {
            tracing::warn!(error = %error, "a picture of an import could not be stored");
            Err(CatalogueError::PicturesUnavailable)
        }
    }
}

/// The names in the row's cells for pictures.
fn named_pictures(row: &CsvRow) -> impl Iterator<Item = &str> {
    let main = row.raw.filled(ProductField::Image).into_iter();
    main.chain(further_pictures(row))
}

fn further_pictures(row: &CsvRow) -> impl Iterator<Item = &str> {
    let cell = row.raw.get(ProductField::MoreImages).unwrap_or_default();
    cell.split('|').map(str::trim).filter(|name| !name.is_empty())
}

/// Gives a product the pictures that its row names; an empty cell changes nothing. Returns what is wrong with the cells.
pub fn set_pictures(row: &CsvRow, pictures: &ImportPictures, details: &mut ProductDetails) -> Vec<CellError> {
    let mut errors = Vec::new();
    if named_pictures(row).next().is_none() {
        return errors;
    }
    let mut find = |field: ProductField, name: &str| match find_picture(name, pictures) {
        Ok(key) => Some(key),
        Err(message) => {
            errors.push(CellError { column: field.column().to_owned(), message });
            None
        }
    };
    if let Some(name) = row.raw.filled(ProductField::Image) {
        details.picture_key = find(ProductField::Image, name);
    }
    let mut further: Vec<String> = Vec::new();
    for name in further_pictures(row) {
        further.extend(find(ProductField::MoreImages, name).filter(|key| !further.contains(key)));
    }
    if further.len() >= MAX_PICTURES {
        let message = message!("api.products.pictures_too_many", most = MAX_PICTURES).into();
        errors.push(CellError { column: ProductField::MoreImages.column().to_owned(), message });
    }
    if !further.is_empty() {
        details.more_picture_keys = further;
    }
    details.arrange_pictures();
    errors
}

fn find_picture(name: &str, pictures: &ImportPictures) -> Result<String, StoredMessage> {
    let missing = || {
        let shown: String = name.chars().take(MAX_QUOTE_LENGTH).collect();
        message!("imports.picture_missing", name = shown).into()
    };
    pictures.get(&picture_name(name)).cloned().unwrap_or_else(|| Err(missing()))
}

/// Shows changed pictures by the names of their files, as the spreadsheet has them, and with their keys.
pub fn name_picture_changes(row: &CsvRow, details: &ProductDetails, changes: &mut [CellChange]) {
    for change in changes {
        let (field, pictures) = match change.column.as_str() {
            PICTURE_COLUMN => (ProductField::Image, details.picture_key.iter().cloned().collect()),
            MORE_PICTURES_COLUMN => (ProductField::MoreImages, details.more_picture_keys.clone()),
            _ => continue,
        };
        let after = row.raw.get(field).unwrap_or_default().to_owned();
        *change = CellChange { column: field.column().to_owned(), before: String::new(), after, pictures };
    }
}
