//! The seller's list of products: searched by name or category, filtered by stock, in several orders.

use std::cmp::Ordering;

use uuid::Uuid;

use super::CatalogueError;
use super::browse::{self, SHORT};
use super::model::{Category, Cursor, CursorKey, Product, Sort};
use super::store::{self, NamePart, Named, ScarceCounts, ScarceStart, ScarceWanted};
use crate::platform::db;
use crate::platform::hex;
use crate::platform::state::App;

const MOST: u16 = 100;
const USUAL: u16 = 50;
/// Finds are counted this far.
const COUNT_CAP: i64 = 1_000;
/// Products looked at in their order, hoping to meet those with a common name: at first, and once it is known that more have it than
/// are counted.
const NEAR: i64 = 5_000;
const FAR: i64 = 40_000;

/// Which products, by what is left of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StockFilter {
    #[default]
    All,
    Low,
    Out,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, serde::Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum DeskSort {
    #[default]
    Newest,
    Name,
    PriceAsc,
    PriceDesc,
    /// The fewest first; among the scarce only.
    Stock,
}

impl DeskSort {
    /// The same order in the whole shop, where there is one.
    pub const fn shop(self) -> Option<Sort> {
        match self {
            Self::Newest => Some(Sort::Newest),
            Self::Name => Some(Sort::Name),
            Self::PriceAsc => Some(Sort::PriceAsc),
            Self::PriceDesc => Some(Sort::PriceDesc),
            Self::Stock => None,
        }
    }
}

#[derive(Debug, Default)]
pub struct Wanted {
    pub search: String,
    pub stock: StockFilter,
    pub sort: DeskSort,
    pub cursor: Option<String>,
    pub limit: Option<u16>,
}

pub struct Page {
    pub products: Vec<Product>,
    pub next_cursor: Option<String>,
    pub total: i64,
    pub total_capped: bool,
    pub all: i64,
    pub scarce: ScarceCounts,
}

pub async fn page(app: &App, wanted: &Wanted) -> Result<Page, CatalogueError> {
    let limit = wanted.limit.unwrap_or(USUAL).clamp(1, MOST);
    let search = db::typed(&wanted.search);
    let facts = browse::facts(app).await?;
    let sought = (!search.is_empty()).then(|| Sought::new(&search, &facts.categories));
    let scarce = store::scarce_counts(&app.db.main).await?;
    let all = facts.products();
    let mut named = 0;
    let (products, next_cursor) = match wanted.stock {
        StockFilter::All => whole_shop(app, wanted, sought.as_ref(), limit, &mut named).await?,
        StockFilter::Low | StockFilter::Out => among_scarce(app, wanted, sought.as_ref(), limit).await?,
    };
    let total = match (&sought, wanted.stock) {
        (None, StockFilter::All) => all,
        (None, StockFilter::Low) => scarce.low,
        (None, StockFilter::Out) => scarce.out,
        (Some(_), _) if wanted.cursor.is_none() && next_cursor.is_none() => {
            i64::try_from(products.len()).unwrap_or(i64::MAX)
        }
        (Some(sought), StockFilter::All) => found_in_shop(app, sought, named).await?,
        (Some(sought), StockFilter::Low | StockFilter::Out) => {
            store::count_scarce(&app.db.search, &sought.among(wanted.stock), COUNT_CAP + 1).await?
        }
    };
    let total_capped = sought.is_some() && total > COUNT_CAP;
    let total = if total_capped { COUNT_CAP } else { total };
    Ok(Page { products, next_cursor, total, total_capped, all, scarce })
}

/// What the seller typed: part of a name, or of a category's name.
struct Sought {
    name: NamePart,
    ids: Vec<Uuid>,
    in_categories: i64,
}

impl Sought {
    fn new(search: &str, categories: &[Category]) -> Self {
        let lower = search.to_lowercase();
        let holds = |name: &str| name.to_lowercase().contains(&lower);
        let meant: Vec<&Category> = categories
            .iter()
            .filter(|category| holds(&category.name) || category.name_ne.as_deref().is_some_and(holds))
            .collect();
        let short = (search.chars().count() <= SHORT).then(|| lower.clone());
        Self {
            name: NamePart { pattern: db::containing(search), short },
            ids: meant.iter().map(|category| category.id).collect(),
            in_categories: meant.iter().map(|category| category.products).sum(),
        }
    }

    fn among(&self, stock: StockFilter) -> ScarceWanted<'_> {
        let (least, most) = bounds(stock);
        ScarceWanted { least, most, pattern: Some(&self.name.pattern), categories: &self.ids }
    }
}

const fn bounds(stock: StockFilter) -> (i32, i32) {
    match stock {
        // The list holds nothing above the shop's limit.
        StockFilter::All | StockFilter::Low => (1, i32::MAX),
        StockFilter::Out => (0, 0),
    }
}

type Cut = (Vec<Product>, Option<String>);

/// With those in the categories that fit.
async fn found_in_shop(app: &App, sought: &Sought, named: i64) -> Result<i64, CatalogueError> {
    let inside = sought.in_categories;
    if sought.ids.is_empty() {
        return Ok(named);
    }
    if inside > COUNT_CAP || named > COUNT_CAP {
        return Ok(inside.max(named));
    }
    let outside = store::count_named_outside(&app.db.search, &sought.name, &sought.ids, COUNT_CAP + 1).await?;
    Ok(inside + outside)
}

/// `total` becomes the number of names that hold what is sought, counted as far as counting goes.
async fn whole_shop(
    app: &App,
    wanted: &Wanted,
    sought: Option<&Sought>,
    limit: u16,
    total: &mut i64,
) -> Result<Cut, CatalogueError> {
    let sort = wanted.sort.shop().ok_or(CatalogueError::SortInvalid)?;
    let cursor = cursor(wanted, sort)?;
    let enough = i64::from(limit) + 1;
    let mut products = match sought {
        None => store::page(&app.db.main, sort, cursor.as_ref(), enough, None, None).await?,
        Some(sought) => {
            // The first of all are among the first of each part.
            let named = named(app, sort, cursor.as_ref(), enough, &sought.name).await?;
            *total = named.total;
            let mut found = browse::products(app, &named.ids).await?;
            for category in &sought.ids {
                found.extend(store::page(&app.db.search, sort, cursor.as_ref(), enough, Some(*category), None).await?);
            }
            found.sort_by(|a, b| in_order(sort, a, b));
            found.dedup_by_key(|product| product.id);
            found
        }
    };
    let next = db::cut_page(&mut products, limit).map(|last| Cursor::after(sort, last).encode());
    // The other names of a product are for the desk only, so the shop's own pages do not carry them.
    let ids: Vec<Uuid> = products.iter().map(|product| product.id).collect();
    Ok((browse::products(app, &ids).await?, next))
}

/// A page of those whose name holds it, whatever the order and however rare it is.
async fn named(
    app: &App,
    sort: Sort,
    cursor: Option<&Cursor>,
    enough: i64,
    name: &NamePart,
) -> Result<Named, CatalogueError> {
    let db = &app.db.search;
    let is_full = |ids: &[Uuid]| i64::try_from(ids.len()).is_ok_and(|met| met >= enough);
    // What every other product is called is met at once, and its index would be read in vain.
    let ids = store::walked_page(db, sort, cursor, enough, name, NEAR).await?;
    if is_full(&ids) {
        let total = store::count_matches(db, None, &name.pattern, COUNT_CAP + 1).await?;
        return Ok(Named { total, ids });
    }
    let found = store::named_page(db, sort, cursor, enough, name, Some(COUNT_CAP + 1)).await?;
    if found.total <= COUNT_CAP {
        return Ok(found);
    }
    let ids = store::walked_page(db, sort, cursor, enough, name, FAR).await?;
    if is_full(&ids) {
        return Ok(Named { ids, ..found });
    }
    Ok(store::named_page(db, sort, cursor, enough, name, None).await?)
}

fn cursor(wanted: &Wanted, sort: Sort) -> Result<Option<Cursor>, CatalogueError> {
    let decode = |text: &String| Cursor::decode(text, sort).ok_or(CatalogueError::BadCursor);
    wanted.cursor.as_ref().map(decode).transpose()
}

/// As the database orders them.
fn in_order(sort: Sort, a: &Product, b: &Product) -> Ordering {
    match sort {
        Sort::Featured => (a.position, a.id).cmp(&(b.position, b.id)),
        Sort::Newest => (b.position, b.id).cmp(&(a.position, a.id)),
        Sort::Name => (a.name_key.as_bytes(), a.id).cmp(&(b.name_key.as_bytes(), b.id)),
        Sort::PriceAsc => (a.price, a.id).cmp(&(b.price, b.id)),
        Sort::PriceDesc => (b.price, b.id).cmp(&(a.price, a.id)),
        Sort::Rating => (b.rank, b.id).cmp(&(a.rank, a.id)),
    }
}

async fn among_scarce(app: &App, wanted: &Wanted, sought: Option<&Sought>, limit: u16) -> Result<Cut, CatalogueError> {
    let (least, most) = bounds(wanted.stock);
    let everything = ScarceWanted { least, most, pattern: None, categories: &[] };
    let which = sought.map_or(everything, |sought| sought.among(wanted.stock));
    let (stock, cursor) = match (wanted.sort.shop(), wanted.cursor.as_deref()) {
        (Some(sort), _) => (0, cursor(wanted, sort)?),
        (None, None) => (-1, None),
        (None, Some(text)) => {
            let (stock, cursor) = stock_cursor(text).ok_or(CatalogueError::BadCursor)?;
            (stock, Some(cursor))
        }
    };
    let start = ScarceStart { stock, cursor: cursor.as_ref() };
    let mut rows = store::scarce_page(&app.db.search, wanted.sort, &which, &start, i64::from(limit) + 1).await?;
    let next = db::cut_page(&mut rows, limit).map(|last| {
        let at = |sort, key| Cursor { sort, key, id: last.id }.encode();
        match wanted.sort {
            DeskSort::Newest => at(Sort::Newest, CursorKey::Number(last.position)),
            DeskSort::Name => at(Sort::Name, CursorKey::Text(last.name_key.clone())),
            DeskSort::PriceAsc => at(Sort::PriceAsc, CursorKey::Number(last.price_paisa)),
            DeskSort::PriceDesc => at(Sort::PriceDesc, CursorKey::Number(last.price_paisa)),
            DeskSort::Stock => {
                let place = at(Sort::Featured, CursorKey::Number(last.position));
                hex::encode(format!("{}\n{place}", last.stock).bytes())
            }
        }
    });
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    Ok((browse::products(app, &ids).await?, next))
}

/// The stock of the last product of the page before, and the place of the product.
fn stock_cursor(text: &str) -> Option<(i32, Cursor)> {
    let plain = String::from_utf8(hex::decode(text)?).ok()?;
    let (stock, place) = plain.split_once('\n')?;
    Some((stock.parse().ok()?, Cursor::decode(place, Sort::Featured)?))
}
