//! The seller's list of products: searched by name or category, filtered by stock, in several orders.

use std::cmp::Ordering;

use uuid::Uuid;

use crate::catalogue::browse::{self, SHORT_QUERY_LENGTH};
use crate::catalogue::error::CatalogueError;
use crate::catalogue::model::{
    Category, Cursor, CursorKey, LowStockCounts, LowStockCursor, LowStockFilter, NameMatches, NameQuery, Product,
    ProductSort, SellerProductSort,
};
use crate::catalogue::store;
use crate::platform::db;
use crate::platform::hex;
use crate::platform::ids::ProductId;
use crate::platform::state::App;

const MAX_PAGE_SIZE: u16 = 100;
const DEFAULT_PAGE_SIZE: u16 = 50;
/// Search results are counted up to this number.
const COUNT_CAP: i64 = 1_000;
/// The number of products that are scanned in sort order for a common name: the short scan comes first, and the long
/// one when there are more matches than are counted.
const SHORT_SCAN_ROWS: i64 = 5_000;
const LONG_SCAN_ROWS: i64 = 40_000;

/// Selects products by their stock.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum StockFilter {
    #[default]
    All,
    Low,
    Out,
}

#[derive(Debug, Default)]
pub struct SellerProductFilter {
    pub search: String,
    pub stock: StockFilter,
    pub sort: SellerProductSort,
    pub cursor: Option<String>,
    pub limit: Option<u16>,
}

pub struct SellerProductPage {
    pub products: Vec<Product>,
    pub next_cursor: Option<String>,
    pub total: i64,
    pub total_capped: bool,
    pub all: i64,
    pub stock_counts: LowStockCounts,
}

pub async fn list_seller_products(
    app: &App,
    filter: &SellerProductFilter,
) -> Result<SellerProductPage, CatalogueError> {
    let limit = filter.limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let search = db::clean_search(&filter.search);
    let cached = browse::cached_categories(app).await?;
    let search_terms = (!search.is_empty()).then(|| SellerProductSearch::new(&search, &cached.categories));
    let stock_counts = store::count_by_stock_level(&app.db.main).await?;
    let all = cached.products();
    let mut name_matches = 0;
    let (products, next_cursor) = match filter.stock {
        StockFilter::All => list_all_products(app, filter, search_terms.as_ref(), limit, &mut name_matches).await?,
        StockFilter::Low | StockFilter::Out => {
            list_low_stock_products(app, filter, search_terms.as_ref(), limit).await?
        }
    };
    let total = match (&search_terms, filter.stock) {
        (None, StockFilter::All) => all,
        (None, StockFilter::Low) => stock_counts.low,
        (None, StockFilter::Out) => stock_counts.out,
        (Some(_), _) if filter.cursor.is_none() && next_cursor.is_none() => {
            i64::try_from(products.len()).unwrap_or(i64::MAX)
        }
        (Some(search_terms), StockFilter::All) => count_search_results(app, search_terms, name_matches).await?,
        (Some(search_terms), StockFilter::Low | StockFilter::Out) => {
            store::count_low_stock(&app.db.search, &search_terms.low_stock_filter(filter.stock), COUNT_CAP + 1).await?
        }
    };
    let total_capped = search_terms.is_some() && total > COUNT_CAP;
    let total = if total_capped { COUNT_CAP } else { total };
    Ok(SellerProductPage { products, next_cursor, total, total_capped, all, stock_counts })
}

/// A search for part of a product's name or of its category's name.
struct SellerProductSearch {
    name: NameQuery,
    category_ids: Vec<Uuid>,
    in_categories: i64,
}

impl SellerProductSearch {
    fn new(search: &str, categories: &[Category]) -> Self {
        let lower = search.to_lowercase();
        let holds = |name: &str| name.to_lowercase().contains(&lower);
        let meant: Vec<&Category> = categories
            .iter()
            .filter(|category| holds(&category.name) || category.name_ne.as_deref().is_some_and(holds))
            .collect();
        let short = (search.chars().count() <= SHORT_QUERY_LENGTH).then(|| lower.clone());
        Self {
            name: NameQuery { pattern: db::like_pattern(search), short },
            category_ids: meant.iter().map(|category| category.id).collect(),
            in_categories: meant.iter().map(|category| category.products).sum(),
        }
    }

    fn low_stock_filter(&self, stock: StockFilter) -> LowStockFilter<'_> {
        let (min_stock, max_stock) = stock_bounds(stock);
        LowStockFilter { min_stock, max_stock, pattern: Some(&self.name.pattern), categories: &self.category_ids }
    }
}

const fn stock_bounds(stock: StockFilter) -> (i32, i32) {
    match stock {
        // The low-stock list holds no product above the shop's threshold.
        StockFilter::All | StockFilter::Low => (1, i32::MAX),
        StockFilter::Out => (0, 0),
    }
}

type ProductsAndCursor = (Vec<Product>, Option<String>);

/// Counts the name matches together with the products in matching categories.
async fn count_search_results(
    app: &App,
    search_terms: &SellerProductSearch,
    name_matches: i64,
) -> Result<i64, CatalogueError> {
    let inside = search_terms.in_categories;
    if search_terms.category_ids.is_empty() {
        return Ok(name_matches);
    }
    if inside > COUNT_CAP || name_matches > COUNT_CAP {
        return Ok(inside.max(name_matches));
    }
    let outside = store::count_name_matches_outside(
        &app.db.search,
        &search_terms.name,
        &search_terms.category_ids,
        COUNT_CAP + 1,
    )
    .await?;
    Ok(inside + outside)
}

/// In a search, `total` becomes the number of name matches, counted up to the cap.
async fn list_all_products(
    app: &App,
    filter: &SellerProductFilter,
    search_terms: Option<&SellerProductSearch>,
    limit: u16,
    total: &mut i64,
) -> Result<ProductsAndCursor, CatalogueError> {
    let sort = filter.sort.storefront_sort().ok_or(CatalogueError::SortInvalid)?;
    let cursor = decode_cursor(filter, sort)?;
    let enough = i64::from(limit) + 1;
    let mut products = match search_terms {
        None => store::list_products(&app.db.main, sort, cursor.as_ref(), enough, None, None).await?,
        Some(search_terms) => {
            // The first products of the page are among the first of each part.
            let named = find_name_matches(app, sort, cursor.as_ref(), enough, &search_terms.name).await?;
            *total = named.total;
            let mut found = browse::find_products(app, &named.ids).await?;
            for category in &search_terms.category_ids {
                found.extend(
                    store::list_products(&app.db.search, sort, cursor.as_ref(), enough, Some(*category), None).await?,
                );
            }
            found.sort_by(|a, b| compare_products(sort, a, b));
            found.dedup_by_key(|product| product.id);
            found
        }
    };
    let next = db::truncate_page(&mut products, limit).map(|last| Cursor::after(sort, last).encode());
    // The products are loaded again with their aliases, which only the seller's pages need.
    let ids: Vec<ProductId> = products.iter().map(|product| product.id).collect();
    Ok((browse::find_products(app, &ids).await?, next))
}

/// Finds a page of products whose name contains the text, in any order and however rare the text is.
async fn find_name_matches(
    app: &App,
    sort: ProductSort,
    cursor: Option<&Cursor>,
    enough: i64,
    name: &NameQuery,
) -> Result<NameMatches, CatalogueError> {
    let db = &app.db.search;
    let is_full = |ids: &[ProductId]| i64::try_from(ids.len()).is_ok_and(|met| met >= enough);
    // A short scan finds a very common name at once, and reading the index for it would be a waste.
    let ids = store::scan_name_matches(db, sort, cursor, enough, name, SHORT_SCAN_ROWS).await?;
    if is_full(&ids) {
        let total = store::count_name_matches(db, None, &name.pattern, COUNT_CAP + 1).await?;
        return Ok(NameMatches { total, ids });
    }
    let found = store::list_name_matches(db, sort, cursor, enough, name, Some(COUNT_CAP + 1)).await?;
    if found.total <= COUNT_CAP {
        return Ok(found);
    }
    let ids = store::scan_name_matches(db, sort, cursor, enough, name, LONG_SCAN_ROWS).await?;
    if is_full(&ids) {
        return Ok(NameMatches { ids, ..found });
    }
    Ok(store::list_name_matches(db, sort, cursor, enough, name, None).await?)
}

fn decode_cursor(filter: &SellerProductFilter, sort: ProductSort) -> Result<Option<Cursor>, CatalogueError> {
    let decode = |text: &String| Cursor::decode(text, sort).ok_or(CatalogueError::BadCursor);
    filter.cursor.as_ref().map(decode).transpose()
}

/// Compares products in the order of the database.
fn compare_products(sort: ProductSort, a: &Product, b: &Product) -> Ordering {
    match sort {
        ProductSort::Featured => (a.position, a.id).cmp(&(b.position, b.id)),
        ProductSort::Newest => (b.position, b.id).cmp(&(a.position, a.id)),
        ProductSort::Name => (a.name_key.as_bytes(), a.id).cmp(&(b.name_key.as_bytes(), b.id)),
        ProductSort::PriceAsc => (a.price, a.id).cmp(&(b.price, b.id)),
        ProductSort::PriceDesc => (b.price, b.id).cmp(&(a.price, a.id)),
        ProductSort::Rating => (b.rank, b.id).cmp(&(a.rank, a.id)),
    }
}

async fn list_low_stock_products(
    app: &App,
    filter: &SellerProductFilter,
    search_terms: Option<&SellerProductSearch>,
    limit: u16,
) -> Result<ProductsAndCursor, CatalogueError> {
    let (min_stock, max_stock) = stock_bounds(filter.stock);
    let everything = LowStockFilter { min_stock, max_stock, pattern: None, categories: &[] };
    let which = search_terms.map_or(everything, |search_terms| search_terms.low_stock_filter(filter.stock));
    let (stock, cursor) = match (filter.sort.storefront_sort(), filter.cursor.as_deref()) {
        (Some(sort), _) => (0, decode_cursor(filter, sort)?),
        (None, None) => (-1, None),
        (None, Some(text)) => {
            let (stock, cursor) = decode_stock_cursor(text).ok_or(CatalogueError::BadCursor)?;
            (stock, Some(cursor))
        }
    };
    let start = LowStockCursor { stock, cursor: cursor.as_ref() };
    let mut rows = store::list_low_stock(&app.db.search, filter.sort, &which, &start, i64::from(limit) + 1).await?;
    let next = db::truncate_page(&mut rows, limit).map(|last| {
        let at = |sort, key| Cursor { sort, key, id: last.id }.encode();
        match filter.sort {
            SellerProductSort::Newest => at(ProductSort::Newest, CursorKey::Number(last.position)),
            SellerProductSort::Name => at(ProductSort::Name, CursorKey::Text(last.name_key.clone())),
            SellerProductSort::PriceAsc => at(ProductSort::PriceAsc, CursorKey::Number(last.price_paisa)),
            SellerProductSort::PriceDesc => at(ProductSort::PriceDesc, CursorKey::Number(last.price_paisa)),
            SellerProductSort::Stock => {
                let place = at(ProductSort::Featured, CursorKey::Number(last.position));
                hex::encode(format!("{}\n{place}", last.stock).bytes())
            }
        }
    });
    let ids: Vec<ProductId> = rows.iter().map(|row| row.id).collect();
    Ok((browse::find_products(app, &ids).await?, next))
}

/// Decodes the stock and the position of the last product of the previous page.
fn decode_stock_cursor(text: &str) -> Option<(i32, Cursor)> {
    let plain = String::from_utf8(hex::decode(text)?).ok()?;
    let (stock, place) = plain.split_once('\n')?;
    Some((stock.parse().ok()?, Cursor::decode(place, ProductSort::Featured)?))
}
