//! What shoppers browse: pages of products, single products and categories.

use std::cmp::Reverse;
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use sqlx::PgPool;
use uuid::Uuid;

use super::error::CatalogueError;
use super::model::{self, Category, Cursor, NameQuery, OfferFilter, Product, ProductSort};
use super::{search_words, store};
use crate::platform::cache::CatalogueChange;
use crate::platform::db::ServerPools;
use crate::platform::ids::ProductId;
use crate::platform::state::App;
use crate::platform::{db, hex};

/// The contract's call without parameters returns this many products at once, with a cursor for the rest.
pub const MAX_PAGE_SIZE: u16 = 500;
/// Search results are counted up to this number; beyond it the shop says 'more than'.
const COUNT_CAP: i64 = 1_000;
const MAX_SIMILAR: usize = 12;
/// Matches are ranked in memory, so their number is limited; the index returns them unsorted.
const MAX_RANKED: usize = 300;
const MAX_RELATED: usize = 8;
const MAX_QUERY_WORDS: usize = 4;
/// Trigrams cannot find a text of this many letters or fewer.
pub const SHORT_QUERY_LENGTH: usize = 2;

#[derive(Debug, Clone, Default)]
pub struct ProductFilter {
    pub search: Option<String>,
    /// Slug or name; case-insensitive.
    pub category: Option<String>,
    pub offer: OfferFilter,
    pub sort: ProductSort,
    pub cursor: Option<String>,
    pub limit: Option<u16>,
}

#[derive(Debug, Default)]
pub struct ProductPage {
    pub products: Vec<Product>,
    pub next_cursor: Option<String>,
    /// The number of `products` and `matches` over all pages.
    pub total: i64,
    pub total_capped: bool,
    /// Products found by another name: the Nepali one, an alias, a tag or a Romanised spelling.
    pub matches: Vec<Product>,
    /// Products found only by assuming a typing error, or by some of the words.
    pub similar: Vec<Product>,
}

/// Where a page begins: after a product whose name contains the text, or, after all of those, at a match by another
/// name.
enum PageStart {
    Name(Option<Cursor>),
    Match(usize),
}

impl PageStart {
    /// The beginning of a match's cursor; no sort order has this name.
    const MATCH: &str = "match\n";

    fn decode(text: Option<&str>, sort: ProductSort) -> Option<Self> {
        let Some(text) = text else { return Some(Self::Name(None)) };
        let plain = hex::decode(text).and_then(|bytes| String::from_utf8(bytes).ok());
        match plain.as_deref().and_then(|plain| plain.strip_prefix(Self::MATCH)) {
            Some(place) => place.parse().ok().map(Self::Match),
            None => Cursor::decode(text, sort).map(|cursor| Self::Name(Some(cursor))),
        }
    }

    fn encode_match(place: usize) -> String {
        hex::encode(format!("{}{place}", Self::MATCH).bytes())
    }
}

/// All categories with their counts, cached by every instance until something changes.
#[derive(Debug)]
pub struct CachedCategories {
    pub categories: Vec<Category>,
}

impl CachedCategories {
    pub fn products(&self) -> i64 {
        self.categories.iter().map(|category| category.products).sum()
    }

    pub fn category(&self, name: &str) -> Option<&Category> {
        Category::find_by_slug_or_name(&self.categories, name)
    }
}

pub async fn cached_categories(app: &App) -> Result<Arc<CachedCategories>, CatalogueError> {
    let make = async || {
        let counts = count_products_by_category(app).await?;
        let mut categories = app.db.read(|db| async move { store::list_categories(&db.main).await }).await?;
        for category in &mut categories {
            category.products = counts.get(&category.id).copied().unwrap_or(0);
        }
        Ok(CachedCategories { categories })
    };
    app.cache.get_value("categories", CatalogueChange::Detail, make).await
}

/// Returns the number of products on sale in each category, which is cached until a product is added or removed.
pub async fn count_products_by_category(app: &App) -> Result<Arc<HashMap<Uuid, i64>>, CatalogueError> {
    let count = async || {
        let count = |db: ServerPools| async move { store::count_products(&db.main).await };
        app.db.read(count).await.map_err(CatalogueError::from)
    };
    app.cache.get_value("counts", CatalogueChange::Listing, count).await
}

pub async fn list_products(app: &App, filter: &ProductFilter) -> Result<ProductPage, CatalogueError> {
    let cached = cached_categories(app).await?;
    let cached = cached.as_ref();
    app.db.read(|db| async move { list_products_of(&db, cached, filter).await }).await
}

async fn list_products_of(
    db: &ServerPools,
    cached: &CachedCategories,
    filter: &ProductFilter,
) -> Result<ProductPage, CatalogueError> {
    let limit = filter.limit.unwrap_or(MAX_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let start = PageStart::decode(filter.cursor.as_deref(), filter.sort).ok_or(CatalogueError::BadCursor)?;
    let search = db::clean_search(filter.search.as_deref().unwrap_or_default());
    let category = match &filter.category {
        Some(name) => match cached.category(name) {
            Some(category) => Some(category),
            None => return Ok(ProductPage::default()),
        },
        None => None,
    };
    let category_id = category.map(|category| category.id);

    let name = (!search.is_empty()).then(|| NameQuery {
        pattern: db::like_pattern(&search),
        short: (search.chars().count() <= SHORT_QUERY_LENGTH).then(|| search.to_lowercase()),
    });
    let pattern = name.as_ref().map(|name| name.pattern.as_str());
    let mut page = ProductPage::default();
    if let PageStart::Name(cursor) = &start {
        // One more than shown tells whether there is a next page.
        let rows = i64::from(limit) + 1;
        // The search pool plans each query for its own text and limits; see `platform/db/mod.rs`.
        page.products = if filter.offer.is_set() {
            let offer = &filter.offer;
            store::list_filtered_products(&db.search, filter.sort, cursor.as_ref(), rows, category_id, pattern, offer)
                .await?
        } else {
            let pool = if pattern.is_some() { &db.search } else { &db.main };
            store::list_products(pool, filter.sort, cursor.as_ref(), rows, category_id, name.as_ref()).await?
        };
        page.next_cursor =
            db::truncate_page(&mut page.products, limit).map(|last| Cursor::after(filter.sort, last).encode());
    }
    let whole = matches!(start, PageStart::Name(None)) && page.next_cursor.is_none();
    if pattern.is_none() && !filter.offer.is_set() {
        page.total = category.map_or_else(|| cached.products(), |category| category.products);
        return Ok(page);
    }
    let counted = if whole {
        i64::try_from(page.products.len()).unwrap_or(i64::MAX)
    } else if filter.offer.is_set() {
        store::count_filtered_products(&db.search, category_id, pattern, &filter.offer, COUNT_CAP + 1).await?
    } else if let Some(pattern) = pattern {
        store::count_name_matches(&db.search, category_id, pattern, COUNT_CAP + 1).await?
    } else {
        0
    };
    page.total = counted.min(COUNT_CAP);
    page.total_capped = counted > COUNT_CAP;
    // With this many name matches no shopper misses the matches by other names, and finding them would be slow.
    if let Some(pattern) = pattern
        && !page.total_capped
    {
        let mut others = find_alternate_matches(&db.search, &search, pattern, category_id, filter.sort).await?;
        others.matches.retain(|product| filter.offer.allows(product));
        others.similar.retain(|product| filter.offer.allows(product));
        page.total += i64::try_from(others.matches.len()).unwrap_or(i64::MAX);
        page.total_capped = others.capped;
        if whole {
            page.similar = others.similar;
        }
        if page.next_cursor.is_none() {
            let from = if let PageStart::Match(place) = start { place } else { 0 };
            let left = usize::from(limit).saturating_sub(page.products.len());
            let end = from.saturating_add(left);
            page.next_cursor = (others.matches.len() > end).then(|| PageStart::encode_match(end));
            page.matches = others.matches.into_iter().skip(from).take(left).collect();
        }
    }
    Ok(page)
}

/// What a search finds besides the products whose name contains the text.
#[derive(Default)]
struct AlternateMatches {
    matches: Vec<Product>,
    /// There are more matches than were ranked.
    capped: bool,
    similar: Vec<Product>,
}

/// Finds products by other spellings or in the other language; failing those, products that a typing error may have
/// meant.
async fn find_alternate_matches(
    db: &PgPool,
    search: &str,
    pattern: &str,
    category: Option<Uuid>,
    sort: ProductSort,
) -> Result<AlternateMatches, CatalogueError> {
    if let Some(product) = find_by_barcode(db, search, category).await? {
        return Ok(AlternateMatches { matches: vec![product], ..AlternateMatches::default() });
    }
    let mut query = search_words::fold_words(search);
    query.truncate(MAX_QUERY_WORDS);
    let mut groups = Vec::with_capacity(query.len());
    let mut typo = false;
    for word in &query {
        let vocabulary = match_vocabulary(db, word).await?;
        typo |= !vocabulary.is_contained;
        groups.push(vocabulary.words);
    }
    let known: Vec<&[String]> = groups.iter().map(Vec::as_slice).filter(|group| !group.is_empty()).collect();
    let Some(first) = known.first().copied() else {
        return Ok(AlternateMatches::default());
    };
    let group = |index: usize| known.get(index).copied().unwrap_or(first);
    let all = [first, group(1), group(2), group(3)];
    let most = i64::try_from(MAX_RANKED + 1).unwrap_or(i64::MAX);
    let mut found = store::find_products_by_words(db, all, category, pattern, most).await?;
    if found.is_empty() && known.len() > 1 {
        // No product has every word; a product with some of them is better than nothing, but it is not what was
        // searched for.
        typo = true;
        let any = known.concat();
        found = store::find_products_by_words(db, [&any, &any, &any, &any], category, pattern, most).await?;
    }
    let capped = found.len() > MAX_RANKED;
    found.truncate(MAX_RANKED);
    let mut ranked: Vec<(f64, Product)> =
        found.into_iter().map(|product| (model::similarity(&query, &product), product)).collect();
    ranked.retain(|(score, _)| *score > 0.0);
    ranked.sort_by(|(a, x), (b, y)| b.total_cmp(a).then(x.position.cmp(&y.position)));
    let mut ranked: Vec<Product> = ranked.into_iter().map(|(_, product)| product).collect();
    if typo {
        ranked.truncate(MAX_SIMILAR);
        return Ok(AlternateMatches { similar: ranked, ..AlternateMatches::default() });
    }
    // In a search 'featured' means the best match first; any other order was requested.
    match sort {
        ProductSort::Featured => {}
        ProductSort::Newest => ranked.sort_by_key(|product| Reverse(product.position)),
        ProductSort::Name => ranked.sort_by(|x, y| x.name_key.cmp(&y.name_key)),
        ProductSort::PriceAsc => ranked.sort_by_key(|product| product.price.0),
        ProductSort::PriceDesc => ranked.sort_by_key(|product| Reverse(product.price.0)),
        ProductSort::Rating => ranked.sort_by_key(|product| Reverse(product.rank)),
    }
    Ok(AlternateMatches { matches: ranked, capped, similar: Vec::new() })
}

/// Finds the product with this barcode, which a camera or a scanner has read, unless its name contains the text.
async fn find_by_barcode(db: &PgPool, search: &str, category: Option<Uuid>) -> Result<Option<Product>, CatalogueError> {
    if !model::is_valid_barcode(search) {
        return Ok(None);
    }
    let owners = store::find_barcode_owners(&mut *db.acquire().await?, &[search.to_owned()]).await?;
    let ids: Vec<ProductId> = owners.into_iter().map(|(_, id)| id).collect();
    let found = store::find_products(db, &ids).await?;
    Ok(found.into_iter().find(|product| {
        !product.name.contains(search) && category.is_none_or(|category| product.category_id == category)
    }))
}

/// The indexed words that a typed word stands for.
struct VocabularyMatch {
    words: Vec<String>,
    /// The words contain what was typed; otherwise they are only a few edits away.
    is_contained: bool,
}

/// Finds the words of the vocabulary that begin with a typed word; failing those, the words that contain it; failing
/// those, the words a few edits away.
async fn match_vocabulary(db: &PgPool, word: &str) -> Result<VocabularyMatch, CatalogueError> {
    // One or two letters occur in every other word, so they match only a whole word.
    let short = word.chars().count() < 3;
    let pattern = if short { word.to_owned() } else { format!("%{word}%") };
    let candidates = store::find_similar_words(db, word, &pattern).await?;
    let holds = |candidate: &&String| if short { *candidate == word } else { candidate.contains(word) };
    let mut holding: BTreeSet<String> = candidates.iter().filter(holds).cloned().collect();
    // A shopper who types 'oil' does not mean 'broiler'.
    if holding.iter().any(|candidate| candidate.starts_with(word)) {
        holding.retain(|candidate| candidate.starts_with(word));
    }
    if !holding.is_empty() {
        return Ok(VocabularyMatch { words: holding.into_iter().collect(), is_contained: true });
    }
    let tolerance = search_words::max_edits(word);
    let near = candidates.into_iter().filter(|candidate| search_words::edit_distance(word, candidate) <= tolerance);
    Ok(VocabularyMatch { words: near.collect(), is_contained: false })
}

pub struct ProductWithRelated {
    pub product: Product,
    pub related: Vec<Product>,
}

pub async fn get_product(app: &App, id: &str) -> Result<ProductWithRelated, CatalogueError> {
    // Anything that is not one of our ids is simply not found.
    let id: ProductId = id.parse().map_err(|_| CatalogueError::ProductNotFound)?;
    app.db.read(|db| async move { get_product_of(&db.main, id).await }).await
}

async fn get_product_of(db: &PgPool, id: ProductId) -> Result<ProductWithRelated, CatalogueError> {
    let product = store::find_product(db, id).await?.ok_or(CatalogueError::ProductNotFound)?;
    let neighbours = i64::try_from(MAX_RELATED + 1).unwrap_or(i64::MAX);
    let mut related =
        store::list_products(db, ProductSort::Featured, None, neighbours, Some(product.category_id), None).await?;
    related.retain(|other| other.id != product.id);
    related.truncate(MAX_RELATED);
    Ok(ProductWithRelated { product, related })
}

/// Returns the products of `ids` that are on sale, in the order of `ids`.
pub async fn find_products(app: &App, ids: &[ProductId]) -> Result<Vec<Product>, CatalogueError> {
    let mut found = store::find_products(&app.db.browse, ids).await?;
    found.sort_by_key(|product| ids.iter().position(|id| *id == product.id));
    Ok(found)
}
