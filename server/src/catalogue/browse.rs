//! What a shopper reads: pages of products, one product, the categories.

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use uuid::Uuid;

use super::model::{self, Category, Cursor, Product, Sort};
use super::store::NamePart;
use super::{CatalogueError, search_words, store};
use crate::platform::answers::Change;
use crate::platform::db;
use crate::platform::state::App;

/// The contract's call without parameters answers this many at once, with a cursor to the rest.
pub const MAX_PAGE: u16 = 500;
/// A search is counted this far; beyond it the shop says 'more than'.
const COUNT_CAP: i64 = 1_000;
const SIMILAR_SHOWN: usize = 12;
/// Ranked in memory, so bounded; the index hands them over without sorting.
const SIMILAR_CANDIDATES: i64 = 300;
const RELATED_SHOWN: usize = 8;
const MAX_WORDS: usize = 4;
/// Trigrams cannot tell a text of this many letters or fewer.
pub const SHORT: usize = 2;

#[derive(Debug, Clone, Default)]
pub struct Wanted {
    pub search: Option<String>,
    /// Slug or name, in any case.
    pub category: Option<String>,
    pub sort: Sort,
    pub cursor: Option<String>,
    pub limit: Option<u16>,
}

#[derive(Debug)]
pub struct Page {
    pub products: Vec<Product>,
    pub next_cursor: Option<String>,
    pub total: i64,
    pub total_capped: bool,
    pub similar: Vec<Product>,
}

/// All categories with their counts, kept by every copy of the server until something changes.
#[derive(Debug)]
pub struct Facts {
    pub categories: Vec<Category>,
}

impl Facts {
    pub fn products(&self) -> i64 {
        self.categories.iter().map(|category| category.products).sum()
    }

    pub fn category(&self, name: &str) -> Option<&Category> {
        Category::addressed(&self.categories, name)
    }
}

pub async fn facts(app: &App) -> Result<Arc<Facts>, CatalogueError> {
    let make = async || {
        let counts = counts(app).await?;
        let mut categories = store::categories(&app.db.main).await?;
        for category in &mut categories {
            category.products = counts.get(&category.id).copied().unwrap_or(0);
        }
        Ok(Facts { categories })
    };
    app.answers.value("facts", Change::Detail, make).await
}

/// How many products are on sale in each category; counted when one comes or goes.
pub async fn counts(app: &App) -> Result<Arc<HashMap<Uuid, i64>>, CatalogueError> {
    let count = async || store::count_products(&app.db.main).await.map_err(CatalogueError::from);
    app.answers.value("counts", Change::Range, count).await
}

pub async fn page(app: &App, wanted: &Wanted) -> Result<Page, CatalogueError> {
    let limit = wanted.limit.unwrap_or(MAX_PAGE).clamp(1, MAX_PAGE);
    let cursor = match &wanted.cursor {
        Some(text) => Some(Cursor::decode(text, wanted.sort).ok_or(CatalogueError::BadCursor)?),
        None => None,
    };
    let search = db::typed(wanted.search.as_deref().unwrap_or_default());
    let facts = facts(app).await?;
    let category = match &wanted.category {
        Some(name) => match facts.category(name) {
            Some(category) => Some(category),
            None => return Ok(Page::empty()),
        },
        None => None,
    };
    let category_id = category.map(|category| category.id);

    let name = (!search.is_empty()).then(|| NamePart {
        pattern: db::containing(&search),
        short: (search.chars().count() <= SHORT).then(|| search.to_lowercase()),
    });
    let pattern = name.as_ref().map(|name| name.pattern.as_str());
    // Text search plans each query for its own text; see `db.rs`.
    let pool = if pattern.is_some() { &app.db.search } else { &app.db.main };
    // One more than shown tells whether there is a next page.
    let rows = store::page(pool, wanted.sort, cursor.as_ref(), i64::from(limit) + 1, category_id, name.as_ref());
    let mut products = rows.await?;
    let next_cursor = db::cut_page(&mut products, limit).map(|last| Cursor::after(wanted.sort, last).encode());

    let mut page = Page { products, next_cursor, total: 0, total_capped: false, similar: Vec::new() };
    match pattern {
        None => page.total = category.map_or_else(|| facts.products(), |category| category.products),
        Some(_) if cursor.is_none() && page.next_cursor.is_none() => {
            page.total = i64::try_from(page.products.len()).unwrap_or(i64::MAX);
        }
        Some(pattern) => {
            let counted = store::count_matches(&app.db.search, category_id, pattern, COUNT_CAP + 1).await?;
            page.total = counted.min(COUNT_CAP);
            page.total_capped = counted > COUNT_CAP;
        }
    }
    if let Some(pattern) = pattern
        && cursor.is_none()
        && page.next_cursor.is_none()
    {
        page.similar = similar(app, &search, pattern, category_id).await?;
    }
    Ok(page)
}

impl Page {
    fn empty() -> Self {
        Self { products: Vec::new(), next_cursor: None, total: 0, total_capped: false, similar: Vec::new() }
    }
}

/// What was perhaps meant: other spellings, the other language, a slip of the finger.
async fn similar(
    app: &App,
    search: &str,
    pattern: &str,
    category: Option<Uuid>,
) -> Result<Vec<Product>, CatalogueError> {
    let mut query = search_words::words(search);
    query.truncate(MAX_WORDS);
    let mut groups = Vec::with_capacity(query.len());
    for word in &query {
        groups.push(meant_words(app, word).await?);
    }
    let known: Vec<&[String]> = groups.iter().map(Vec::as_slice).filter(|group| !group.is_empty()).collect();
    let Some(first) = known.first().copied() else {
        return Ok(Vec::new());
    };
    let group = |index: usize| known.get(index).copied().unwrap_or(first);
    let all = [first, group(1), group(2), group(3)];
    let db = &app.db.search;
    let mut found = store::with_words(db, all, category, pattern, SIMILAR_CANDIDATES).await?;
    if found.is_empty() && known.len() > 1 {
        // No product holds every word; one that holds some is better than nothing.
        let any = known.concat();
        found = store::with_words(db, [&any, &any, &any, &any], category, pattern, SIMILAR_CANDIDATES).await?;
    }
    let mut ranked: Vec<(f64, Product)> =
        found.into_iter().map(|product| (model::similarity(&query, &product), product)).collect();
    ranked.retain(|(score, _)| *score > 0.0);
    ranked.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.position.cmp(&y.position)));
    Ok(ranked.into_iter().take(SIMILAR_SHOWN).map(|(_, product)| product).collect())
}

/// The words of the vocabulary that a typed word stands for: those that begin with it or hold it, and only if
/// there are none, those a few edits away.
async fn meant_words(app: &App, word: &str) -> Result<Vec<String>, CatalogueError> {
    // A letter or two is in every other word; taken only as a word of its own.
    let short = word.chars().count() < 3;
    let pattern = if short { word.to_owned() } else { format!("%{word}%") };
    let candidates = store::words_like(&app.db.search, word, &pattern).await?;
    let holds = |candidate: &&String| if short { *candidate == word } else { candidate.contains(word) };
    let holding: BTreeSet<String> = candidates.iter().filter(holds).cloned().collect();
    if !holding.is_empty() {
        return Ok(holding.into_iter().collect());
    }
    let tolerance = search_words::tolerance(word);
    Ok(candidates.into_iter().filter(|candidate| search_words::distance(word, candidate) <= tolerance).collect())
}

pub struct Shown {
    pub product: Product,
    pub related: Vec<Product>,
}

pub async fn product(app: &App, id: &str) -> Result<Shown, CatalogueError> {
    // Anything that is not one of our ids is simply not found.
    let id: Uuid = id.parse().map_err(|_| CatalogueError::ProductNotFound)?;
    let product = store::product(&app.db.main, id).await?.ok_or(CatalogueError::ProductNotFound)?;
    let neighbours = i64::try_from(RELATED_SHOWN + 1).unwrap_or(i64::MAX);
    let mut related =
        store::page(&app.db.main, Sort::Featured, None, neighbours, Some(product.category_id), None).await?;
    related.retain(|other| other.id != product.id);
    related.truncate(RELATED_SHOWN);
    Ok(Shown { product, related })
}

/// Those of `ids` that are on sale, in the order asked for.
pub async fn products(app: &App, ids: &[Uuid]) -> Result<Vec<Product>, CatalogueError> {
    let mut found = store::products(&app.db.main, ids).await?;
    found.sort_by_key(|product| ids.iter().position(|id| *id == product.id));
    Ok(found)
}
