//! The seller's categories: adding, changing and removing them.

use bytes::Bytes;
use uuid::Uuid;

use crate::catalogue::error::{CatalogueError, retry_on_contention};
use crate::catalogue::model::{self, Category, NewCategory};
use crate::catalogue::{browse, store};
use crate::media::{self, PicturePurpose};
use crate::platform::db;
use crate::platform::messages::{Message, message};
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_NAME_LENGTH: usize = 60;
const MAX_DESCRIPTION_LENGTH: usize = 500;
const MAX_DUPLICATE_NAMES: u32 = 100;
/// These messages are part of the contract.
const NAME_REQUIRED: Message = message!("api.categories.name_required");
const DESCRIPTION_REQUIRED: Message = message!("api.description_required");
const IMAGE_REQUIRED: Message = message!("api.categories.image_required");
const ICON_REQUIRED: Message = message!("api.categories.icon_required");

/// The fields of a category form; an absent field is not changed.
#[derive(Default)]
pub struct CategoryInput {
    pub name: Option<String>,
    pub name_ne: Option<String>,
    pub description: Option<String>,
    pub description_ne: Option<String>,
    pub image: Option<Bytes>,
    pub icon: Option<Bytes>,
    pub version: Option<String>,
}

/// Trims and checks a text of the form; `missing` is the error for an empty one, unless it may be empty.
fn validate_text(
    value: Option<&str>,
    field: &'static str,
    longest: usize,
    missing: Option<Message>,
) -> Result<Option<String>, CatalogueError> {
    let Some(value) = value.map(str::trim) else { return Ok(None) };
    if let Some(missing) = missing.filter(|_| value.is_empty()) {
        return Err(CatalogueError::Field(field, missing));
    }
    if value.chars().count() > longest || value.chars().any(|c| c.is_control() && c != '\n' && c != '\r') {
        return Err(CatalogueError::Field(field, message!("api.text_too_long", longest = longest)));
    }
    Ok(Some(value.to_owned()))
}

struct CategoryTexts {
    name: Option<String>,
    name_ne: Option<String>,
    description: Option<String>,
    description_ne: Option<String>,
}

fn validate_texts(input: &CategoryInput) -> Result<CategoryTexts, CatalogueError> {
    Ok(CategoryTexts {
        name: validate_text(input.name.as_deref(), "name", MAX_NAME_LENGTH, Some(NAME_REQUIRED))?,
        name_ne: validate_text(input.name_ne.as_deref(), "nameNe", MAX_NAME_LENGTH, None)?,
        description: validate_text(
            input.description.as_deref(),
            "description",
            MAX_DESCRIPTION_LENGTH,
            Some(DESCRIPTION_REQUIRED),
        )?,
        description_ne: validate_text(input.description_ne.as_deref(), "descriptionNe", MAX_DESCRIPTION_LENGTH, None)?,
    })
}

fn non_empty(text: Option<String>) -> Option<String> {
    text.filter(|text| !text.is_empty())
}

pub async fn add_category(app: &App, seller: Uuid, input: CategoryInput) -> Result<Category, CatalogueError> {
    let texts = validate_texts(&input)?;
    let name = texts.name.ok_or_else(|| CatalogueError::Field("name", NAME_REQUIRED))?;
    let description = texts.description.ok_or_else(|| CatalogueError::Field("description", DESCRIPTION_REQUIRED))?;
    let image = input.image.ok_or_else(|| CatalogueError::Field("image", IMAGE_REQUIRED))?;
    let icon = input.icon.ok_or_else(|| CatalogueError::Field("icon", ICON_REQUIRED))?;
    let picture_key = media::accept_upload(app, image, PicturePurpose::Category).await?;
    let icon_key = media::accept_upload(app, icon, PicturePurpose::Category).await?;
    let new = NewCategory {
        name: &name,
        name_ne: texts.name_ne.as_deref().filter(|text| !text.is_empty()),
        description: &description,
        description_ne: texts.description_ne.as_deref().filter(|text| !text.is_empty()),
        picture_key: Some(&picture_key),
        icon_key: Some(&icon_key),
    };
    retry_on_contention(|| try_add(app, seller, &new)).await
}

async fn try_add(app: &App, seller: Uuid, new: &NewCategory<'_>) -> Result<Category, CatalogueError> {
    let fallback = Uuid::now_v7();
    let mut tx = app.db.main.begin().await?;
    for nth in 1..=MAX_DUPLICATE_NAMES {
        let slug = model::make_slug(new.name, fallback, nth);
        if let Some(id) = store::insert_category(&mut tx, &slug, new).await.map_err(map_name_taken)? {
            let object = id.to_string();
            let audit_entry = NewAuditEntry {
                seller,
                action: "category.add",
                object: &object,
                about: new.name,
                before: "",
                after: "",
            };
            staff::record_audit_entry(&mut tx, &audit_entry).await?;
            let added = store::lock_category(&mut tx, &slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
            tx.commit().await?;
            return Ok(added);
        }
    }
    Err(CatalogueError::CategoryNameTaken)
}

pub async fn update_category(
    app: &App,
    seller: Uuid,
    slug: &str,
    mut input: CategoryInput,
) -> Result<Category, CatalogueError> {
    validate_texts(&input)?;
    // Everything that can be refused without processing pictures is refused first.
    if !store::list_categories(&app.db.main).await?.iter().any(|category| category.slug == slug) {
        return Err(CatalogueError::CategoryNotFound);
    }
    let mut keys = [None, None];
    for (key, file) in keys.iter_mut().zip([input.image.take(), input.icon.take()]) {
        if let Some(file) = file {
            *key = Some(media::accept_upload(app, file, PicturePurpose::Category).await?);
        }
    }
    retry_on_contention(|| try_update(app, seller, slug, &input, &keys)).await
}

async fn try_update(
    app: &App,
    seller: Uuid,
    slug: &str,
    input: &CategoryInput,
    [picture, icon]: &[Option<String>; 2],
) -> Result<Category, CatalogueError> {
    let texts = validate_texts(input)?;
    let mut tx = app.db.main.begin().await?;
    let before = store::lock_category(&mut tx, slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
    let form_version = input.version.as_deref().filter(|version| !version.is_empty());
    if form_version.is_some_and(|form_version| form_version != before.version()) {
        let mut now = before;
        now.products = store::count_products_in_category(&mut tx, now.id).await?;
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
        after.name_ne = non_empty(texts.name_ne);
    }
    if texts.description_ne.is_some() {
        after.description_ne = non_empty(texts.description_ne);
    }
    after.picture_key = picture.clone().or(after.picture_key);
    after.icon_key = icon.clone().or(after.icon_key);
    let (was, is) = describe_changes(&before, &after);
    if was != is {
        store::update_category(&mut tx, &after).await.map_err(map_name_taken)?;
        let object = before.id.to_string();
        let audit_entry = NewAuditEntry {
            seller,
            action: "category.update",
            object: &object,
            about: &before.name,
            before: &was,
            after: &is,
        };
        staff::record_audit_entry(&mut tx, &audit_entry).await?;
    }
    let mut now = store::lock_category(&mut tx, slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
    now.products = store::count_products_in_category(&mut tx, now.id).await?;
    tx.commit().await?;
    Ok(now)
}

/// Deletes a category; fails while a product in it is on sale.
pub async fn delete_category(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    if slug.contains('\0') {
        return Err(CatalogueError::CategoryNotFound);
    }
    retry_on_contention(|| try_delete(app, seller, slug)).await
}

async fn try_delete(app: &App, seller: Uuid, slug: &str) -> Result<(), CatalogueError> {
    let mut tx = app.db.main.begin().await?;
    let category = store::lock_category(&mut tx, slug).await?.ok_or(CatalogueError::CategoryNotFound)?;
    let products = store::count_products_in_category(&mut tx, category.id).await?;
    if products > 0 {
        return Err(CatalogueError::CategoryInUse(products));
    }
    store::delete_category(&mut tx, category.id).await?;
    let object = category.id.to_string();
    let audit_entry = NewAuditEntry {
        seller,
        action: "category.delete",
        object: &object,
        about: &category.name,
        before: slug,
        after: "",
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    tx.commit().await?;
    Ok(())
}

/// Lists all categories with their cached counts; the texts are read from the database.
pub async fn list_categories(app: &App) -> Result<Vec<Category>, CatalogueError> {
    let counts = browse::count_products_by_category(app).await?;
    let mut categories = store::list_categories(&app.db.main).await?;
    for category in &mut categories {
        category.products = counts.get(&category.id).copied().unwrap_or(0);
    }
    Ok(categories)
}

fn map_name_taken(error: sqlx::Error) -> CatalogueError {
    if db::constraint_name(&error) == Some("categories_name_unique") {
        return CatalogueError::CategoryNameTaken;
    }
    error.into()
}

/// Describes the changed fields before and after the change, for the audit log.
fn describe_changes(before: &Category, after: &Category) -> (String, String) {
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
