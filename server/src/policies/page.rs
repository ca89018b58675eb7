//! The current texts of a page: those of its newest version, or the template.

use super::model::{PolicyKind, PolicyPage, VersionRow};
use super::{store, template};
use crate::platform::config::Shop;
use crate::platform::language::Language;
use crate::platform::state::App;
use crate::shop;

pub async fn load(app: &App, kind: PolicyKind) -> sqlx::Result<PolicyPage> {
    let shop = shop::load_or_last_known(app).await;
    let stored = store::find_current(&app.db.main, kind.name()).await?;
    Ok(from_version(kind, stored.as_ref(), &shop))
}

/// The texts of a version; without one, or after a reset, those of the template.
pub fn from_version(kind: PolicyKind, stored: Option<&VersionRow>, shop: &Shop) -> PolicyPage {
    let own = stored.and_then(|row| row.text.clone().zip(row.text_ne.clone()));
    let is_template = own.is_none();
    let (text, text_ne) = own.unwrap_or_else(|| {
        (template::fill(kind, Language::English, shop), template::fill(kind, Language::Nepali, shop))
    });
    PolicyPage {
        kind,
        version: stored.map_or(0, |row| row.version),
        updated_at: stored.map(|row| row.created_at),
        is_template,
        text,
        text_ne,
    }
}
