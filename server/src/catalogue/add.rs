//! Putting a new product on sale.

use sqlx::PgPool;
use uuid::Uuid;

use super::store::{self, NewProduct};
use super::{CatalogueError, model, search_words};
use crate::platform::money::Paisa;

/// Twins of one name before giving up: `rice`, `rice-2`, … `rice-1000`.
const MAX_TWINS: u32 = 1_000;

/// What a new product is, in the seller's words.
#[derive(Debug, Clone, Default)]
pub struct Draft {
    pub category: Uuid,
    pub name: String,
    pub name_ne: Option<String>,
    pub description: String,
    pub description_ne: Option<String>,
    pub aliases: Vec<String>,
    pub tags: Vec<String>,
    pub price: Paisa,
    pub stock: i32,
}

/// Adds the product under a slug of its own and returns that slug. The slug never changes afterwards.
pub async fn add_product(db: &PgPool, draft: &Draft) -> Result<String, CatalogueError> {
    let texts = [Some(draft.name.as_str()), draft.name_ne.as_deref()];
    let lists = draft.aliases.iter().chain(&draft.tags).map(String::as_str);
    let words = search_words::index_words(texts.into_iter().flatten().chain(lists));
    let fallback = Uuid::now_v7();
    let mut tx = db.begin().await?;
    for nth in 1..=MAX_TWINS {
        let slug = model::slug(&draft.name, fallback, nth);
        let added = store::insert_product(
            &mut tx,
            &NewProduct {
                category: draft.category,
                slug: &slug,
                name: &draft.name,
                name_ne: draft.name_ne.as_deref(),
                description: &draft.description,
                description_ne: draft.description_ne.as_deref(),
                aliases: &draft.aliases,
                tags: &draft.tags,
                tags_ne: &[],
                price: draft.price,
                stock: draft.stock,
                rating_tenths: 0,
                reviews: 0,
                pack_milli: None,
                pack_measure: None,
                pack_label: None,
                pack_label_ne: None,
                picture_key: None,
                search_words: &words,
            },
        )
        .await?;
        if added.is_some() {
            tx.commit().await?;
            return Ok(slug);
        }
    }
    Err(CatalogueError::TooManyTwins)
}
