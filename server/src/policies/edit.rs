//! What the shop's staff do with the policy pages: read, save, reset and preview. Every saved version stays.

use uuid::Uuid;

use super::model::{MAX_TEXT_LENGTH, PolicyError, PolicyKind, PolicyPage, VersionRow};
use super::{page, store, template};
use crate::platform::cache::CatalogueChange;
use crate::platform::language::Language;
use crate::platform::state::App;
use crate::shop;
use crate::staff::{self, NewAuditEntry};

/// The versions of a page that the dashboard lists.
const MAX_VERSIONS: i64 = 200;

/// A page as its editor needs it, with the template to compare and to reset to.
pub struct EditablePage {
    pub page: PolicyPage,
    pub template: String,
    pub template_ne: String,
}

/// The texts of a new version; `None` is a reset to the template.
pub type NewTexts = Option<(String, String)>;

pub async fn list_pages(app: &App) -> Result<Vec<EditablePage>, PolicyError> {
    let shop = shop::load(app).await?;
    let mut pages = Vec::new();
    for kind in PolicyKind::ALL {
        let stored = store::find_current(&app.db.main, kind.name()).await?;
        pages.push(EditablePage {
            page: page::from_version(kind, stored.as_ref(), &shop),
            template: template::fill(kind, Language::English, &shop),
            template_ne: template::fill(kind, Language::Nepali, &shop),
        });
    }
    Ok(pages)
}

/// A version with the name of its author.
pub struct NamedVersion {
    pub row: VersionRow,
    pub author: String,
}

pub async fn list_versions(app: &App, kind: PolicyKind) -> Result<Vec<NamedVersion>, PolicyError> {
    let rows = store::list_versions(&app.db.main, kind.name(), MAX_VERSIONS).await?;
    let authors: Vec<Uuid> = rows.iter().map(|row| row.seller).collect();
    let names = staff::find_names(&app.db.main, &authors).await?;
    let named =
        rows.into_iter().map(|row| NamedVersion { author: names.get(&row.seller).cloned().unwrap_or_default(), row });
    Ok(named.collect())
}

/// Saves a version after `expected_version`, which is the one that the editor has seen. Returns the new number.
pub async fn save_version(
    app: &App,
    seller: Uuid,
    kind: PolicyKind,
    expected_version: i32,
    texts: NewTexts,
) -> Result<i32, PolicyError> {
    let texts = texts.map(|(english, nepali)| (english.trim().to_owned(), nepali.trim().to_owned()));
    if let Some((english, nepali)) = &texts {
        // Only the about page may be without a text of its own.
        if kind != PolicyKind::About && (english.is_empty() || nepali.is_empty()) {
            return Err(PolicyError::TextMissing);
        }
        if [english, nepali].iter().any(|text| text.chars().count() > MAX_TEXT_LENGTH) {
            return Err(PolicyError::TextTooLong);
        }
    }
    let now = app.clock.now();
    let mut tx = app.db.main.begin().await?;
    store::lock(&mut tx, kind.name()).await?;
    let before = store::find_current(&mut *tx, kind.name()).await?;
    let version = before.as_ref().map_or(0, |row| row.version);
    if version != expected_version {
        return Err(PolicyError::Changed);
    }
    let (text, text_ne) = texts.unzip();
    let action = if text.is_some() { "policy.save" } else { "policy.reset" };
    let row = VersionRow { version: version + 1, text, text_ne, seller, created_at: now };
    store::insert_version(&mut tx, kind.name(), &row).await?;
    let (was, is) = (format!("version {version}"), format!("version {}", row.version));
    let audit_entry =
        NewAuditEntry { seller, action, object: kind.name(), about: kind.name(), before: &was, after: &is };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    tx.commit().await?;
    // The database notifies every instance, but this one must not serve an old page until then.
    app.cache.invalidate_all(CatalogueChange::Detail);
    Ok(row.version)
}
