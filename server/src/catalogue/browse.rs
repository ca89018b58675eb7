//! What a shopper reads: pages of products, one product, the categories.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use uuid::Uuid;

use super::model::{self, Category, Cursor, Product, Sort};
use super::store::NamePart;
use super::{CatalogueError, search_words, store};
use crate::platform::answers::Change;
use crate::platform::state::App;
use crate::platform::{db, hex};

/// The contract's call without parameters answers this many at once, with a cursor to the rest.
pub const MAX_PAGE: u16 = 500;
/// A search is counted this far; beyond it the shop says 'more than'.
const COUNT_CAP: i64 = 1_000;
const SIMILAR_SHOWN: usize = 12;
/// Ranked in memory, so bounded; the index hands them over without sorting.
const RANKED: usize = 300;
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

#[derive(Debug, Default)]
pub struct Page {
    pub products: Vec<Product>,
    pub next_cursor: Option<String>,
    /// Of `products` and `matches`, over all pages.
    pub total: i64,
    pub total_capped: bool,
    /// Found by another name: the Nepali one, an alias, a tag or a Romanised spelling.
    pub matches: Vec<Product>,
    /// Found only by taking the text for a slip of the finger, or by some of its words.
    pub similar: Vec<Product>,
}

/// Where a page begins: after a product whose name holds the text, or, when those are through, at a match by another name.
enum Start {
    Name(Option<Cursor>),
    Match(usize),
}

impl Start {
    /// What the cursor of a match begins with; no sort is called so.
    const MATCH: &str = "match\n";

    fn read(text: Option<&str>, sort: Sort) -> Option<Self> {
        let Some(text) = text else { return Some(Self::Name(None)) };
        let plain = hex::decode(text).and_then(|bytes| String::from_utf8(bytes).ok());
        match plain.as_deref().and_then(|plain| plain.strip_prefix(Self::MATCH)) {
            Some(place) => place.parse().ok().map(Self::Match),
            None => Cursor::decode(text, sort).map(|cursor| Self::Name(Some(cursor))),
        }
    }

    fn match_cursor(place: usize) -> String {
        hex::encode(format!("{}{place}", Self::MATCH).bytes())
    }
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
    let start = Start::read(wanted.cursor.as_deref(), wanted.sort).ok_or(CatalogueError::BadCursor)?;
    let search = db::typed(wanted.search.as_deref().unwrap_or_default());
    let facts = facts(app).await?;
    let category = match &wanted.category {
        Some(name) => match facts.category(name) {
            Some(category) => Some(category),
            None => return Ok(Page::default()),
        },
        None => None,
    };
    let category_id = category.map(|category| category.id);

    let name = (!search.is_empty()).then(|| NamePart {
        pattern: db::containing(&search),
        short: (search.chars().count() <= SHORT).then(|| search.to_lowercase()),
    });
    let pattern = name.as_ref().map(|name| name.pattern.as_str());
    let mut page = Page::default();
    if let Start::Name(cursor) = &start {
        // Text search plans each query for its own text; see `db.rs`.
        let pool = if pattern.is_some() { &app.db.search } else { &app.db.main };
        // One more than shown tells whether there is a next page.
        let rows = store::page(pool, wanted.sort, cursor.as_ref(), i64::from(limit) + 1, category_id, name.as_ref());
        page.products = rows.await?;
        page.next_cursor =
            db::cut_page(&mut page.products, limit).map(|last| Cursor::after(wanted.sort, last).encode());
    }
    let Some(pattern) = pattern else {
        page.total = category.map_or_else(|| facts.products(), |category| category.products);
        return Ok(page);
    };
    let whole = matches!(start, Start::Name(None)) && page.next_cursor.is_none();
    let counted = if whole {
        i64::try_from(page.products.len()).unwrap_or(i64::MAX)
    } else {
        store::count_matches(&app.db.search, category_id, pattern, COUNT_CAP + 1).await?
    };
    page.total = counted.min(COUNT_CAP);
    page.total_capped = counted > COUNT_CAP;
    // Among so many products called so nobody misses those called otherwise, and telling them apart would be slow.
    if !page.total_capped {
        let others = other_names(app, &search, pattern, category_id, wanted.sort).await?;
        page.total += i64::try_from(others.matches.len()).unwrap_or(i64::MAX);
        page.total_capped = others.capped;
        if whole {
            page.similar = others.similar;
        }
        if page.next_cursor.is_none() {
            let from = if let Start::Match(place) = start { place } else { 0 };
            let room = usize::from(limit).saturating_sub(page.products.len());
            let end = from.saturating_add(room);
            page.next_cursor = (others.matches.len() > end).then(|| Start::match_cursor(end));
            page.matches = others.matches.into_iter().skip(from).take(room).collect();
        }
    }
    Ok(page)
}

/// What a search finds beside the names that hold the text.
#[derive(Default)]
struct OtherNames {
    matches: Vec<Product>,
    /// There are more matches than were ranked.
    capped: bool,
    similar: Vec<Product>,
}

/// Products known under other spellings or in the other language; failing those, what a slip of the finger may have meant.
async fn other_names(
    app: &App,
    search: &str,
    pattern: &str,
    category: Option<Uuid>,
    sort: Sort,
) -> Result<OtherNames, CatalogueError> {
    let mut query = search_words::words(search);
    query.truncate(MAX_WORDS);
    let mut groups = Vec::with_capacity(query.len());
    let mut slip = false;
    for word in &query {
        let meant = meant_words(app, word).await?;
        slip |= !meant.held;
        groups.push(meant.words);
    }
    let known: Vec<&[String]> = groups.iter().map(Vec::as_slice).filter(|group| !group.is_empty()).collect();
    let Some(first) = known.first().copied() else {
        return Ok(OtherNames::default());
    };
    let group = |index: usize| known.get(index).copied().unwrap_or(first);
    let all = [first, group(1), group(2), group(3)];
    let db = &app.db.search;
    let most = i64::try_from(RANKED + 1).unwrap_or(i64::MAX);
    let mut found = store::with_words(db, all, category, pattern, most).await?;
    if found.is_empty() && known.len() > 1 {
        // No product holds every word; one that holds some is better than nothing, but it is not what was asked for.
        slip = true;
        let any = known.concat();
        found = store::with_words(db, [&any, &any, &any, &any], category, pattern, most).await?;
    }
    let capped = found.len() > RANKED;
    found.truncate(RANKED);
    let mut ranked: Vec<(f64, Product)> =
        found.into_iter().map(|product| (model::similarity(&query, &product), product)).collect();
    ranked.retain(|(score, _)| *score > 0.0);
    ranked.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.position.cmp(&y.position)));
    let mut ranked: Vec<Product> = ranked.into_iter().map(|(_, product)| product).collect();
    if slip {
        ranked.truncate(SIMILAR_SHOWN);
        return Ok(OtherNames { similar: ranked, ..OtherNames::default() });
    }
    // The best match first is what 'featured' means in a search; any other order was asked for.
    match sort {
        Sort::Featured => {}
        Sort::Newest => ranked.sort_by_key(|product| Reverse(product.position)),
        Sort::Name => ranked.sort_by(|x, y| x.name_key.cmp(&y.name_key)),
        Sort::PriceAsc => ranked.sort_by_key(|product| product.price.0),
        Sort::PriceDesc => ranked.sort_by_key(|product| Reverse(product.price.0)),
        Sort::Rating => ranked.sort_by_key(|product| Reverse(product.rank)),
    }
    Ok(OtherNames { matches: ranked, capped, similar: Vec::new() })
}

/// What a typed word stands for.
struct MeantWords {
    words: Vec<String>,
    /// They hold what was typed; otherwise they are only a few edits away.
    held: bool,
}

/// The words of the vocabulary that a typed word stands for: those that begin with it or hold it, and only if
/// there are none, those a few edits away.
async fn meant_words(app: &App, word: &str) -> Result<MeantWords, CatalogueError> {
    // A letter or two is in every other word; taken only as a word of its own.
    let short = word.chars().count() < 3;
    let pattern = if short { word.to_owned() } else { format!("%{word}%") };
    let candidates = store::words_like(&app.db.search, word, &pattern).await?;
    let holds = |candidate: &&String| if short { *candidate == word } else { candidate.contains(word) };
    let mut holding: BTreeSet<String> = candidates.iter().filter(holds).cloned().collect();
    // Whoever types 'oil' means no broiler.
    if holding.iter().any(|candidate| candidate.starts_with(word)) {
        holding.retain(|candidate| candidate.starts_with(word));
    }
    if !holding.is_empty() {
        return Ok(MeantWords { words: holding.into_iter().collect(), held: true });
    }
    let tolerance = search_words::tolerance(word);
    let near = candidates.into_iter().filter(|candidate| search_words::distance(word, candidate) <= tolerance);
    Ok(MeantWords { words: near.collect(), held: false })
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
