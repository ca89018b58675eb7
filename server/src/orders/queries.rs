//! Reading orders: a shopper's own, or all of them for the seller.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::error::OrderError;
use super::model::{OrderDetails, OrderRow, OrderSearch, OrderViewer, Rider};
use super::store;
use super::transition::OrderStatus;
use crate::catalogue;
use crate::coupons::{self, CouponUse};
use crate::platform::db;
use crate::platform::ids::{OrderId, UserId};
use crate::platform::numerals;
use crate::platform::state::App;
use crate::staff;

const MAX_PAGE_SIZE: u16 = 100;
const SELLER_PAGE_SIZE: u16 = 50;
/// The trigram index cannot find shorter texts.
const MIN_INDEXED_LENGTH: usize = 3;
/// If a text matches more products than this, the items of the newest orders are searched instead.
const MAX_SEARCHED_PRODUCTS: i64 = 20;
const PHONE_DIGITS: usize = 10;

#[derive(Debug, Default)]
pub struct OrderFilter {
    pub search: Option<String>,
    pub cursor: Option<String>,
    pub limit: Option<u16>,
    pub unpaid: bool,
    /// Only orders with this status; used by the seller's list.
    pub status: Option<OrderStatus>,
}

pub struct OrderPage {
    pub orders: Vec<OrderDetails>,
    pub next_cursor: Option<String>,
}

impl OrderFilter {
    fn search(&self) -> Option<String> {
        Some(db::clean_search(self.search.as_deref().unwrap_or_default())).filter(|text| !text.is_empty())
    }

    /// The order after which the page begins; the first page begins with the newest order.
    fn before(&self) -> Result<OrderId, OrderError> {
        db::parse_cursor(self.cursor.as_deref(), OrderId(Uuid::max())).ok_or(OrderError::BadCursor)
    }

    fn limit(&self, usual: u16) -> u16 {
        self.limit.unwrap_or(usual).clamp(1, MAX_PAGE_SIZE)
    }
}

pub async fn list_own(app: &App, user: UserId, filter: &OrderFilter) -> Result<OrderPage, OrderError> {
    let limit = filter.limit(MAX_PAGE_SIZE);
    let pattern = filter.search().map(|text| db::like_pattern(normalize_code(&text).trim_start_matches('#')));
    let mut connection = app.db.main.acquire().await?;
    let fetch_limit = i64::from(limit) + 1;
    let rows = store::list_by_user(&mut connection, user, pattern.as_deref(), filter.before()?, fetch_limit).await?;
    load_page(&mut connection, rows, limit, OrderViewer::Shopper).await
}

pub async fn list_all(app: &App, filter: &OrderFilter) -> Result<OrderPage, OrderError> {
    let limit = filter.limit(SELLER_PAGE_SIZE);
    let (before, fetch_limit) = (filter.before()?, i64::from(limit) + 1);
    let rows = match filter.search() {
        None => match filter.status {
            None => {
                let mut connection = app.db.main.acquire().await?;
                store::list_all(&mut connection, filter.unpaid, before, fetch_limit).await?
            }
            Some(status) => {
                // Planned for its own status: one plan for all of them would search the whole history for one that few
                // orders have.
                let mut connection = app.db.search.acquire().await?;
                store::list_by_status(&mut connection, status.name(), filter.unpaid, before, fetch_limit).await?
            }
        },
        Some(text) => {
            let lower = text.to_lowercase();
            let statuses =
                OrderStatus::ALL.into_iter().filter(|status| filter.status.is_none_or(|only| only == *status));
            let statuses = statuses
                .filter(|status| status.name().to_lowercase().contains(&lower) || status.nepali().contains(&lower));
            let statuses = statuses.map(|status| status.name().to_owned());
            let statuses: Vec<String> = statuses.collect();
            let code = numerals::to_latin_digits(&text).trim_start_matches('#').to_uppercase();
            let code_pattern = db::like_pattern_exact_case(&code);
            let only = filter.status.map(OrderStatus::name);
            let contact = phone_part(&text).unwrap_or(lower);
            // The search pool plans each query for its own text: rare text is found by an index, common text by a
            // backward scan.
            let mut connection = app.db.search.acquire().await?;
            let is_long = |text: &str| text.chars().count() >= MIN_INDEXED_LENGTH;
            let mut products = if is_long(&text) {
                catalogue::find_by_name(&mut connection, &text, MAX_SEARCHED_PRODUCTS + 1).await?
            } else {
                Vec::new()
            };
            let more_products = i64::try_from(products.len()).unwrap_or(i64::MAX) > MAX_SEARCHED_PRODUCTS;
            if more_products {
                products.clear();
            }
            let search = OrderSearch {
                only,
                statuses: &statuses,
                code: &code,
                code_pattern: &code_pattern,
                contact_pattern: &db::like_pattern_exact_case(&contact),
                contact_is_long: is_long(&contact),
                products: &products,
                more_products,
                product_pattern: &db::like_pattern(&text),
            };
            store::search_all(&mut connection, &search, filter.unpaid, before, fetch_limit).await?
        }
    };
    let mut connection = app.db.main.acquire().await?;
    load_page(&mut connection, rows, limit, OrderViewer::Seller).await
}

/// Returns the digits of a text that can only be part of a phone number: at most the last ten, which drops a country
/// code.
fn phone_part(text: &str) -> Option<String> {
    let latin = numerals::to_latin_digits(text);
    if latin.contains(|c: char| !(c.is_ascii_digit() || c.is_whitespace() || "+-().".contains(c))) {
        return None;
    }
    let digits: String = latin.chars().filter(char::is_ascii_digit).collect();
    let from = digits.len().saturating_sub(PHONE_DIGITS);
    digits.get(from..).filter(|part| !part.is_empty()).map(str::to_owned)
}

/// Converts Nepali digits in an order number to Latin ones. Text with other non-ASCII characters stays as it was typed,
/// because names are written in both scripts.
fn normalize_code(text: &str) -> String {
    let latin = numerals::to_latin_digits(text);
    if latin.is_ascii() { latin } else { text.to_owned() }
}

async fn load_page(
    connection: &mut PgConnection,
    mut rows: Vec<OrderRow>,
    limit: u16,
    viewer: OrderViewer,
) -> Result<OrderPage, OrderError> {
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.id.to_string());
    Ok(OrderPage { orders: load_orders(connection, rows, viewer).await?, next_cursor })
}

/// Loads the items and timelines of orders, and for the seller also their open cases.
pub async fn load_orders(
    connection: &mut PgConnection,
    rows: Vec<OrderRow>,
    viewer: OrderViewer,
) -> sqlx::Result<Vec<OrderDetails>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<OrderId> = rows.iter().map(|row| row.id).collect();
    let items = match viewer {
        OrderViewer::Shopper | OrderViewer::Seller => store::list_items(connection, &ids).await?,
        OrderViewer::Rider => store::list_packed_items(connection, &ids).await?,
    };
    let with_coupon = items.iter().filter(|item| item.price_before_coupon.is_some()).map(|item| item.order_id);
    let mut coupons = load_coupons(connection, with_coupon.collect()).await?;
    let mut items = group_by_order(items, |item| item.order_id);
    let mut timelines = group_by_order(store::list_timeline(connection, &ids).await?, |entry| entry.order_id);
    let mut cases = match viewer {
        OrderViewer::Shopper | OrderViewer::Rider => HashMap::new(),
        OrderViewer::Seller => group_by_order(store::list_open_cases(connection, &ids).await?, |(order, _)| *order),
    };
    let mut riders = match viewer {
        OrderViewer::Shopper | OrderViewer::Rider => HashMap::new(),
        OrderViewer::Seller => load_riders(connection, &ids).await?,
    };
    let orders = rows.into_iter().map(|row| {
        let id = row.id;
        let attention = cases.remove(&id).unwrap_or_default().into_iter().map(|(_, kind)| kind).collect();
        let (items, timeline) = (items.remove(&id).unwrap_or_default(), timelines.remove(&id).unwrap_or_default());
        let rider = riders.remove(&id);
        let coupon = coupons.remove(&id);
        OrderDetails { row, items, timeline, coupon, attention, rider, viewer }
    });
    Ok(orders.collect())
}

async fn load_coupons(
    connection: &mut PgConnection,
    orders: Vec<OrderId>,
) -> sqlx::Result<HashMap<OrderId, CouponUse>> {
    if orders.is_empty() {
        return Ok(HashMap::new());
    }
    let used = coupons::list_uses(connection, &orders).await?;
    Ok(used.into_iter().map(|used| (used.order, used)).collect())
}

async fn load_riders(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<HashMap<OrderId, Rider>> {
    let assigned = store::list_riders(connection, orders).await?;
    if assigned.is_empty() {
        return Ok(HashMap::new());
    }
    let ids: Vec<Uuid> = assigned.iter().map(|(_, rider)| *rider).collect();
    let names = staff::find_names(&mut *connection, &ids).await?;
    let named = |id: Uuid| Rider { id, name: names.get(&id).cloned().unwrap_or_default() };
    Ok(assigned.into_iter().map(|(order, rider)| (order, named(rider))).collect())
}

pub fn group_by_order<T>(rows: Vec<T>, order_of: impl Fn(&T) -> OrderId) -> HashMap<OrderId, Vec<T>> {
    let mut found: HashMap<OrderId, Vec<T>> = HashMap::new();
    for row in rows {
        found.entry(order_of(&row)).or_default().push(row);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_phone_number_is_told_from_a_name() {
        for (typed, part) in [
            ("980123", Some("980123")),
            ("980-123 4567", Some("9801234567")),
            ("+977 9801234567", Some("9801234567")),
            ("९८०१२३", Some("980123")),
            ("01-4412345", Some("014412345")),
            ("Sita", None),
            ("K7M2Q9", None),
            ("-", None),
        ] {
            assert_eq!(phone_part(typed).as_deref(), part, "{typed}");
        }
    }
}
