//! Reading orders: a shopper's own, or all of them for the seller.

use std::collections::HashMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Order, OrderError, Reader};
use super::store::{self, Row, Sought};
use super::transition::Label;
use crate::catalogue;
use crate::platform::db;
use crate::platform::numerals;
use crate::platform::state::App;

const MOST: u16 = 100;
const SELLER_PAGE: u16 = 50;
/// The index of the parts of a text finds no shorter ones.
const SHORTEST_INDEXED: usize = 3;
/// Products whose orders are looked up one by one.
const MOST_PRODUCTS: i64 = 20;
const PHONE_DIGITS: usize = 10;

#[derive(Debug, Default)]
pub struct Asked {
    pub search: Option<String>,
    pub cursor: Option<String>,
    pub limit: Option<u16>,
    pub unpaid: bool,
    /// Only those with this label; for the seller.
    pub label: Option<Label>,
}

pub struct Page {
    pub orders: Vec<Order>,
    pub next_cursor: Option<String>,
}

impl Asked {
    fn search(&self) -> Option<String> {
        Some(db::typed(self.search.as_deref().unwrap_or_default())).filter(|text| !text.is_empty())
    }

    /// The order after which the page begins; the newest page begins before everything.
    fn before(&self) -> Result<Uuid, OrderError> {
        db::page_start(self.cursor.as_deref(), Uuid::max()).ok_or(OrderError::BadCursor)
    }

    fn limit(&self, usual: u16) -> u16 {
        self.limit.unwrap_or(usual).clamp(1, MOST)
    }
}

pub async fn own(app: &App, user: Uuid, asked: &Asked) -> Result<Page, OrderError> {
    let limit = asked.limit(MOST);
    let pattern = asked.search().map(|text| db::containing(as_number(&text).trim_start_matches('#')));
    let mut connection = app.db.main.acquire().await?;
    let wanted = i64::from(limit) + 1;
    let rows = store::list_of(&mut connection, user, pattern.as_deref(), asked.before()?, wanted).await?;
    page(&mut connection, rows, limit, Reader::Shopper).await
}

pub async fn all(app: &App, asked: &Asked) -> Result<Page, OrderError> {
    let limit = asked.limit(SELLER_PAGE);
    let (before, wanted) = (asked.before()?, i64::from(limit) + 1);
    let rows = match asked.search() {
        None => {
            let mut connection = app.db.main.acquire().await?;
            match asked.label {
                None => store::list_all(&mut connection, asked.unpaid, before, wanted).await?,
                Some(label) => {
                    store::list_labelled(&mut connection, label.name(), asked.unpaid, before, wanted).await?
                }
            }
        }
        Some(text) => {
            let lower = text.to_lowercase();
            let labels = Label::ALL.into_iter().filter(|label| asked.label.is_none_or(|only| only == *label));
            let labels =
                labels.filter(|label| label.name().to_lowercase().contains(&lower) || label.nepali().contains(&lower));
            let labels = labels.map(|label| label.name().to_owned());
            let labels: Vec<String> = labels.collect();
            let code = numerals::latin(&text).trim_start_matches('#').to_uppercase();
            let code_pattern = db::containing_exactly(&code);
            let only = asked.label.map(Label::name);
            let contact = phone_part(&text).unwrap_or(lower);
            // Planned for its own text: what is rare is found by its index, what is common by walking backwards.
            let mut connection = app.db.search.acquire().await?;
            let is_long = |text: &str| text.chars().count() >= SHORTEST_INDEXED;
            let mut products = if is_long(&text) {
                catalogue::find_by_name(&mut connection, &text, MOST_PRODUCTS + 1).await?
            } else {
                Vec::new()
            };
            let more_products = i64::try_from(products.len()).unwrap_or(i64::MAX) > MOST_PRODUCTS;
            if more_products {
                products.clear();
            }
            let sought = Sought {
                only,
                labels: &labels,
                code: &code,
                code_pattern: &code_pattern,
                contact_pattern: &db::containing_exactly(&contact),
                contact_is_long: is_long(&contact),
                products: &products,
                more_products,
                product_pattern: &db::containing(&text),
            };
            store::search_all(&mut connection, &sought, asked.unpaid, before, wanted).await?
        }
    };
    let mut connection = app.db.main.acquire().await?;
    page(&mut connection, rows, limit, Reader::Seller).await
}

/// The digits of a text that can only be part of a phone number; of a long one the last ten, which leaves out a country code.
fn phone_part(text: &str) -> Option<String> {
    let latin = numerals::latin(text);
    if latin.contains(|c: char| !(c.is_ascii_digit() || c.is_whitespace() || "+-().".contains(c))) {
        return None;
    }
    let digits: String = latin.chars().filter(char::is_ascii_digit).collect();
    let from = digits.len().saturating_sub(PHONE_DIGITS);
    digits.get(from..).filter(|part| !part.is_empty()).map(str::to_owned)
}

/// A number that was typed in Nepali digits; anything else as it was typed, because names are written in both scripts.
fn as_number(text: &str) -> String {
    let latin = numerals::latin(text);
    if latin.is_ascii() { latin } else { text.to_owned() }
}

async fn page(
    connection: &mut PgConnection,
    mut rows: Vec<Row>,
    limit: u16,
    reader: Reader,
) -> Result<Page, OrderError> {
    let next_cursor = db::cut_page(&mut rows, limit).map(|last| last.id.to_string());
    Ok(Page { orders: whole(connection, rows, reader).await?, next_cursor })
}

/// Orders with their lines and timelines.
pub async fn whole(connection: &mut PgConnection, rows: Vec<Row>, reader: Reader) -> sqlx::Result<Vec<Order>> {
    if rows.is_empty() {
        return Ok(Vec::new());
    }
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut items = by_order(store::items_of(connection, &ids).await?, |item| item.order_id);
    let mut timelines = by_order(store::timeline_of(connection, &ids).await?, |happened| happened.order_id);
    let mut cases = match reader {
        Reader::Shopper => HashMap::new(),
        Reader::Seller => by_order(store::open_cases_of(connection, &ids).await?, |(order, _)| *order),
    };
    let orders = rows.into_iter().map(|row| {
        let id = row.id;
        let attention = cases.remove(&id).unwrap_or_default().into_iter().map(|(_, kind)| kind).collect();
        let (items, timeline) = (items.remove(&id).unwrap_or_default(), timelines.remove(&id).unwrap_or_default());
        Order::new(row, items, timeline, attention, reader)
    });
    Ok(orders.collect())
}

pub fn by_order<T>(rows: Vec<T>, order_of: impl Fn(&T) -> Uuid) -> HashMap<Uuid, Vec<T>> {
    let mut found: HashMap<Uuid, Vec<T>> = HashMap::new();
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
