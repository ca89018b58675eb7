//! Reading complaints, the messages of both sides, and the shop's decision.

use std::collections::HashMap;
use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use super::emails::{self, ComplaintEvent};
use super::model::{Complaint, ComplaintError, ComplaintMessage, ComplaintOrder, ComplaintRow, Outcome, check_text};
use super::store;
use crate::orders;
use crate::platform::db;
use crate::platform::ids::{OrderId, UserId};
use crate::platform::state::App;
use crate::platform::throttle;
use crate::staff::{self, NewAuditEntry};

const MAX_PAGE_SIZE: u16 = 100;
const DEFAULT_PAGE_SIZE: u16 = 30;
/// The complaints that an order page or an export lists.
const MAX_OWN: i64 = 1_000;
const MESSAGES_PER_HOUR: u32 = 30;

pub struct ComplaintPage {
    pub complaints: Vec<Complaint>,
    pub next_cursor: Option<String>,
    /// The number of all open complaints, for the badge.
    pub open: i64,
}

/// Lists the complaints of a shopper about one order, newest first.
pub async fn list_of_order(app: &App, user: UserId, order: OrderId) -> Result<Vec<Complaint>, ComplaintError> {
    let mut connection = app.db.main.acquire().await?;
    let rows = store::list_of_user(&mut connection, user, Some(order), MAX_OWN).await?;
    Ok(load(&mut connection, rows).await?)
}

pub async fn list_of_user(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Vec<Complaint>> {
    let rows = store::list_of_user(connection, user, None, MAX_OWN).await?;
    load(connection, rows).await
}

/// Lists open complaints, the most urgent first, or decided ones, the newest first.
pub async fn list_all(
    app: &App,
    closed: bool,
    cursor: Option<&str>,
    limit: Option<u16>,
) -> Result<ComplaintPage, ComplaintError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let fetched = i64::from(limit) + 1;
    let mut connection = app.db.main.acquire().await?;
    // Ids are time-ordered and every complaint has the same period, so the order of ids is that of the deadlines.
    let mut rows = if closed {
        let before = db::parse_cursor(cursor, Uuid::max()).ok_or(ComplaintError::BadCursor)?;
        store::list_decided(&mut connection, before, fetched).await?
    } else {
        let after = db::parse_cursor(cursor, Uuid::nil()).ok_or(ComplaintError::BadCursor)?;
        store::list_open(&mut connection, after, fetched).await?
    };
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.id.to_string());
    let open = store::count_open(&mut connection).await?;
    Ok(ComplaintPage { complaints: load(&mut connection, rows).await?, next_cursor, open })
}

/// Finds a complaint for its owner, or for the staff if there is no `owner`.
pub async fn find(app: &App, owner: Option<UserId>, id: Uuid) -> Result<Complaint, ComplaintError> {
    let mut connection = app.db.main.acquire().await?;
    let row = find_row(&mut connection, owner, id).await?;
    load(&mut connection, vec![row]).await?.pop().ok_or(ComplaintError::NotFound)
}

/// The complaint of another shopper does not exist for this one.
async fn find_row(
    connection: &mut PgConnection,
    owner: Option<UserId>,
    id: Uuid,
) -> Result<ComplaintRow, ComplaintError> {
    let row = store::find(connection, id).await?.ok_or(ComplaintError::NotFound)?;
    if owner.is_some_and(|owner| owner != row.user_id) { Err(ComplaintError::NotFound) } else { Ok(row) }
}

async fn load(connection: &mut PgConnection, rows: Vec<ComplaintRow>) -> sqlx::Result<Vec<Complaint>> {
    let ids: Vec<Uuid> = rows.iter().map(|row| row.id).collect();
    let mut items = group(store::list_items(connection, &ids).await?, |item| item.complaint_id);
    let mut photos = group(store::list_photos(connection, &ids).await?, |photo| photo.complaint_id);
    let mut messages = group(store::list_messages(connection, &ids).await?, |message| message.complaint_id);
    let mut complaints = Vec::new();
    for row in rows {
        let order = orders::find(connection, row.order_id).await?;
        let order = order.map(|order| ComplaintOrder {
            code: order.code,
            status: order.status,
            customer: order.recipient,
            phone: order.phone,
        });
        complaints.push(Complaint {
            items: items.remove(&row.id).unwrap_or_default(),
            photos: photos.remove(&row.id).unwrap_or_default(),
            messages: messages.remove(&row.id).unwrap_or_default(),
            order: order.unwrap_or_default(),
            row,
        });
    }
    Ok(complaints)
}

fn group<T>(rows: Vec<T>, complaint_of: impl Fn(&T) -> Uuid) -> HashMap<Uuid, Vec<T>> {
    let mut found: HashMap<Uuid, Vec<T>> = HashMap::new();
    for row in rows {
        found.entry(complaint_of(&row)).or_default().push(row);
    }
    found
}

/// The shopper writes to the shop.
pub async fn add_shopper_message(app: &App, user: UserId, id: Uuid, text: &str) -> Result<(), ComplaintError> {
    let (text, now) = (check_text(text)?, app.clock.now());
    let hour = Duration::from_hours(1);
    let whom = user.to_string();
    throttle::check_limit(&app.db.main, "complaint_message", &whom, MESSAGES_PER_HOUR, hour, now).await?;
    let mut tx = app.db.main.begin().await?;
    find_row(&mut tx, Some(user), id).await?;
    let message =
        ComplaintMessage { id: Uuid::now_v7(), complaint_id: id, seller: None, text: text.to_owned(), created_at: now };
    store::insert_message(&mut tx, &message).await?;
    emails::enqueue(&mut tx, id, Some(message.id), ComplaintEvent::MessageForShop).await?;
    tx.commit().await?;
    Ok(())
}

/// The shop writes to the shopper.
pub async fn add_shop_message(app: &App, seller: Uuid, id: Uuid, text: &str) -> Result<(), ComplaintError> {
    let text = check_text(text)?;
    let mut tx = app.db.main.begin().await?;
    let row = find_row(&mut tx, None, id).await?;
    let message = ComplaintMessage {
        id: Uuid::now_v7(),
        complaint_id: id,
        seller: Some(seller),
        text: text.to_owned(),
        created_at: app.clock.now(),
    };
    store::insert_message(&mut tx, &message).await?;
    record(&mut tx, seller, "complaint.answer", &row, "", text).await?;
    emails::enqueue(&mut tx, id, Some(message.id), ComplaintEvent::MessageForShopper).await?;
    tx.commit().await?;
    Ok(())
}

/// The shop decides, once.
pub async fn decide(app: &App, seller: Uuid, id: Uuid, outcome: Outcome, text: &str) -> Result<(), ComplaintError> {
    let text = check_text(text)?;
    let mut tx = app.db.main.begin().await?;
    let row = find_row(&mut tx, None, id).await?;
    if !store::decide(&mut tx, id, outcome.name(), text, seller, app.clock.now()).await? {
        return Err(ComplaintError::AlreadyDecided);
    }
    record(&mut tx, seller, "complaint.decide", &row, "open", outcome.name()).await?;
    emails::enqueue(&mut tx, id, None, ComplaintEvent::Decided).await?;
    tx.commit().await?;
    Ok(())
}

async fn record(
    connection: &mut PgConnection,
    seller: Uuid,
    action: &str,
    row: &ComplaintRow,
    before: &str,
    after: &str,
) -> sqlx::Result<()> {
    let object = row.id.to_string();
    let audit_entry = NewAuditEntry { seller, action, object: &object, about: &row.code, before, after };
    staff::record_audit_entry(connection, &audit_entry).await
}
