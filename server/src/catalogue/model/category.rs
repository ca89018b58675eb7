//! Categories.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::platform::row_version;

#[derive(Debug, Clone)]
pub struct Category {
    pub id: Uuid,
    pub slug: String,
    pub name: String,
    pub name_ne: Option<String>,
    pub description: String,
    pub description_ne: Option<String>,
    pub picture_key: Option<String>,
    pub icon_key: Option<String>,
    /// The number of products on sale in it; counted, not stored.
    pub products: i64,
    /// When a seller last edited it.
    pub updated_at: DateTime<Utc>,
}

impl Category {
    pub fn version(&self) -> String {
        row_version::encode(self.updated_at)
    }

    /// Finds the category that a seller wrote: by name, which is unique regardless of case, or else by slug. The name
    /// comes first, because a slug outlives renaming, and another category may have taken that name since.
    pub fn find_by_name_or_slug<'a>(categories: &'a [Self], text: &str) -> Option<&'a Self> {
        let needle = text.to_lowercase();
        let by_slug = || categories.iter().find(|category| category.slug == needle);
        categories.iter().find(|category| category.name.to_lowercase() == needle).or_else(by_slug)
    }

    /// Finds the category in a URL: by slug, or else by name, regardless of case, as the contract says.
    pub fn find_by_slug_or_name<'a>(categories: &'a [Self], text: &str) -> Option<&'a Self> {
        let needle = text.to_lowercase();
        let by_name = || categories.iter().find(|category| category.name.to_lowercase() == needle);
        categories.iter().find(|category| category.slug == needle).or_else(by_name)
    }
}

/// A category to be added.
pub struct NewCategory<'a> {
    pub name: &'a str,
    pub name_ne: Option<&'a str>,
    pub description: &'a str,
    pub description_ne: Option<&'a str>,
    pub picture_key: Option<&'a str>,
    pub icon_key: Option<&'a str>,
}
