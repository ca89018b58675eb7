//! The seller's categories: adding, changing and removing them.

use bytes::Bytes;
use uuid::Uuid;

use super::browse;
use super::model::Category;
use super::store::{self, NewCategory};
use super::{CatalogueError, model, patiently};
use crate::media::{self, Shape};
use crate::platform::db;
use crate::platform::state::App;
use crate::seller::{self, Deed};

const LONGEST_NAME: usize = 60;
const LONGEST_DESCRIPTION: usize = 500;
const MAX_TWINS: u32 = 100;
/// The sentences of the contract.
const NO_NAME: &str = "Category name is required";
const NO_DESCRIPTION: &str = "Description is required";
const NO_IMAGE: &str = "Category image is required";
const NO_ICON: &str = "Category icon is required";

/// What a form says of a category; what is absent is not spoken of.
#[derive(Default)]
pub struct Written {
    pub name: Option<String>,
    pub name_ne: Option<String>,
    pub description: Option<String>,
    pub description_ne: Option<String>,
    pub image: Option<Bytes>,
    pub icon: Option<Bytes>,
    pub version: Option<String>,
}

/// A text of the form, trimmed; empty only where it may be.
fn text(
    said: Option<&str>,
    field: &'static str,
    longest: usize,
    missing: Option<&'static str>,
) -> Result<Option<String>, CatalogueError> {
    let Some(said) = said.map(str::trim) else { return Ok(None) };
    if let Some(missing) = missing.filter(|_| said.is_empty()) {
        return Err(CatalogueError::field(field, missing));
    }
    if said.chars().count() > longest || said.chars().any(|c| c.is_control() && c != '\n' && c != '\r') {
        let message = format!("Please use at most {longest} characters of plain text.");
        return Err(CatalogueError::field(field, &message));
    }
    Ok(Some(said.to_owned()))
}

struct Texts {
    name: Option<String>,
    name_ne: Option<String>,
    description: Option<String>,
    description_ne: Option<String>,
}

fn texts(written: &Written) -> Result<Texts, CatalogueError> {
    Ok(Texts {
        name: text(written.name.as_deref(), "name", LONGEST_NAME, Some(NO_NAME))?,
        name_ne: text(written.name_ne.as_deref(), "nameNe", LONGEST_NAME, None)?,
        description: text(written.description.as_deref(), "description", LONGEST_DESCRIPTION, Some(NO_DESCRIPTION))?,
        description_ne: text(written.description_ne.as_deref(), "descriptionNe", LONGEST_DESCRIPTION, None)?,
    })
}

fn filled(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

pub async fn add(app: &App, seller: Uuid, written: Written) -> Result<Category, CatalogueError> {
    let texts = texts(&written)?;
    let name = texts.name.ok_or_else(|| CatalogueError::field("name", NO_NAME))?;
    let description = texts.description.ok_or_else(|| CatalogueError::field("description", NO_DESCRIPTION))?;
    let image = written.image.ok_or_else(|| CatalogueError::field("image", NO_IMAGE))?;
    let icon = written.icon.ok_or_else(|| CatalogueError::field("icon", NO_ICON))?;
    let picture_key = media::accept(app, image, Shape::Category).await?;
    let icon_key = media::accept(app, icon, Shape::Category).await?;
    let new = NewCategory {
        name: &name,
        name_ne: texts.name_ne.as_deref().filter(|text| !text.is_empty()),
        description: &description,
        description_ne: texts.description_ne.as_deref().filter(|text| !text.is_empty()),
        picture_key: Some(&picture_key),
        icon_key: Some(&icon_key),
    };
    patiently(|| try_add(app, seller, &new)).await
}

async fn try_add(app: &App, seller: Uuid, new: &NewCategory<'_>) -> Result<Category, CatalogueError> {
    let fallback = Uuid::now_v7();
    let mut tx = app.db.main.begin().await?;
    for nth in 1..=MAX_TWINS {
        let slug = model::slug(new.name, fallback, nth);
        if let Some(id) = store::insert_category(&mut tx, &slug, new).await.map_err(name_taken)? {
            let object = id.to_string();
            let deed = Deed { seller, action: "category.add", object: &object, about: new.name, before: "", after: "" };
            seller::note(&mut tx, &deed).await?;
            let added = store::lock_category(&mut tx, &slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
            tx.commit().await?;
            return Ok(added);
        }
    }
    Err(CatalogueError::CategoryNameTaken)
}

pub async fn edit(app: &App, seller: Uuid, slug: &str, mut written: Written) -> Result<Category, CatalogueError> {
    texts(&written)?;
    // What can be refused without looking at pictures is refused first.
    if !store::categories(&app.db.main).await?.iter().any(|category| category.slug == slug) {
        return Err(CatalogueError::CategoryNotFound);
    }
    let mut keys = [None, None];
    for (key, file) in keys.iter_mut().zip([written.image.take(), written.icon.take()]) {
        if let Some(file) = file {
            *key = Some(media::accept(app, file, Shape::Category).await?);
        }
    }
    patiently(|| try_edit(app, seller, slug, &written, &keys)).await
}

async fn try_edit(
    app: &App,
    seller: Uuid,
    slug: &str,
    written: &Written,
    [picture, icon]: &[Option<String>; 2],
) -> Result<Category, CatalogueError> {
    let texts = texts(written)?;
    let mut tx = app.db.main.begin().await?;
    let before = store::lock_category(&mut tx, slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
    let seen = written.version.as_deref().filter(|version| !version.is_empty());
    if seen.is_some_and(|seen| seen != before.version()) {
        let mut now = before;
        now.products = store::count_in_category(&mut tx, now.id).await?;
        return Err(CatalogueError::CategoryChanged(Box::new(now)));
    }
    let mut after = before.clone();
    if let Some(name) = texts.name {
        after.name = name;
    }
    if let Some(description) = texts.description {
        after.description = description;
    }
    if texts.name_ne.is_some() {
        after.name_ne = filled(texts.name_ne);
    }
    if texts.description_ne.is_some() {
        after.description_ne = filled(texts.description_ne);
    }
    after.picture_key = picture.clone().or(after.picture_key);
    after.icon_key = icon.clone().or(after.icon_key);
    let (was, is) = in_words(&before, &after);
    if was != is {
        store::write_category(&mut tx, &after).await.map_err(name_taken)?;
        let object = before.id.to_string();
        let deed =
            Deed { seller, action: "category.update", object: &object, about: &before.name, before: &was, after: &is };
        seller::note(&mut tx, &deed).await?;
    }
    let mut now = store::lock_category(&mut tx, slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
    now.products = store::count_in_category(&mut tx, now.id).await?;
    tx.commit().await?;
    Ok(now)
}

/// Refused while something is sold in it.
pub async fn remove(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    if slug.contains('\0') {
        return Err(CatalogueError::CategoryNotFound);
    }
    patiently(|| try_remove(app, seller, slug)).await
}

async fn try_remove(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let category = store::lock_category(&mut tx, slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
    let products = store::count_in_category(&mut tx, category.id).await?;
    if products > 0 {
        return Err(CatalogueError::CategoryInUse(products));
    }
    store::delete_category(&mut tx, category.id).await?;
    let object = category.id.to_string();
    let deed =
        Deed { seller, action: "category.delete", object: &object, about: &category.name, before: slug, after: "" };
    seller::note(&mut tx, &deed).await?;
    tx.commit().await?;
    Ok(())
}

/// All of them with their counts, the texts as they are at this moment.
pub async fn list(app: &App) -> Result<Vec<Category>, CatalogueError> {
    let counts = browse::counts(app).await?;
    let mut categories = store::categories(&app.db.main).await?;
    for category in &mut categories {
        category.products = counts.get(&category.id).copied().unwrap_or(0);
    }
    Ok(categories)
}

fn name_taken(error: sqlx::Error) -> CatalogueError {
    if db::constraint_of(&error) == Some("categories_name_unique") {
        return CatalogueError::CategoryNameTaken;
    }
    error.into()
}

/// For the audit log.
fn in_words(before: &Category, after: &Category) -> (String, String) {
    let parts = |category: &Category| {
        let text = |value: &Option<String>| value.clone().unwrap_or_default();
        [
            ("name", category.name.clone()),
            ("name_ne", text(&category.name_ne)),
            ("description", category.description.clone()),
            ("description_ne", text(&category.description_ne)),
            ("image", text(&category.picture_key)),
            ("icon", text(&category.icon_key)),
        ]
    };
    let (mut was, mut is) = (Vec::new(), Vec::new());
    for ((field, old), (_, new)) in parts(before).into_iter().zip(parts(after)) {
        if old != new {
            was.push(format!("{field}: {old}"));
            is.push(format!("{field}: {new}"));
        }
    }
    (was.join("; "), is.join("; "))
}
