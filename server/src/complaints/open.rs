//! A shopper reports a problem with an order.

use std::time::Duration;

use bytes::Bytes;
use chrono::TimeDelta;
use sqlx::PgConnection;
use uuid::Uuid;

use super::emails::{self, ComplaintEvent};
use super::model::{ComplaintError, ComplaintItem, ComplaintRow, Reason, RequestedRemedy, check_text};
use super::{photos, store};
use crate::orders::transition::OrderStatus;
use crate::orders::{self, OrderDetails, OrderViewer};
use crate::platform::api_error::ApiError;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::state::App;
use crate::platform::{throttle, tokens};

/// The law gives the shop seven days to pay a refund.
const DECIDE_WITHIN: TimeDelta = TimeDelta::days(7);
const MAX_PER_ORDER: i64 = 5;
const MAX_PER_DAY: u32 = 10;
const CODE_LENGTH: usize = 8;

pub struct NewComplaint {
    pub order: OrderId,
    pub reason: Reason,
    pub remedy: RequestedRemedy,
    pub text: String,
    /// Products of the order, and how many of each.
    pub items: Vec<(ProductId, i32)>,
    pub photos: Vec<Bytes>,
}

/// Returns the id of the new complaint.
pub async fn open_complaint(app: &App, user: UserId, new: NewComplaint) -> Result<Uuid, ComplaintError> {
    let now = app.clock.now();
    let text = check_text(&new.text)?;
    let mut connection = app.db.main.acquire().await?;
    let order = load_own_order(&mut connection, user, new.order).await?;
    let id = Uuid::now_v7();
    let items = choose_items(id, &order, &new)?;
    if store::count_of_order(&mut connection, new.order).await? >= MAX_PER_ORDER {
        return Err(ComplaintError::TooMany);
    }
    drop(connection);
    // The count is in the database, so that several instances count together; decoding photos is expensive.
    let day = Duration::from_hours(24);
    throttle::check_limit(&app.db.main, "complaint", &user.to_string(), MAX_PER_DAY, day, now).await?;
    let pictures = photos::store_photos(app, new.photos).await?;

    let row = ComplaintRow {
        id,
        code: tokens::generate_code(CODE_LENGTH)?,
        order_id: new.order,
        user_id: user,
        reason: new.reason.name().to_owned(),
        remedy: new.remedy.name().to_owned(),
        text: text.to_owned(),
        state: "open".to_owned(),
        outcome_text: String::new(),
        created_at: now,
        due_at: now + DECIDE_WITHIN,
        decided_at: None,
    };
    let mut tx = app.db.main.begin().await?;
    store::insert(&mut tx, &row, &items, &pictures).await?;
    for event in [ComplaintEvent::OpenedForShop, ComplaintEvent::OpenedForShopper] {
        emails::enqueue(&mut tx, id, None, event).await?;
    }
    tx.commit().await?;
    Ok(id)
}

/// An order of another shopper does not exist for this one.
async fn load_own_order(
    connection: &mut PgConnection,
    user: UserId,
    order: OrderId,
) -> Result<OrderDetails, ComplaintError> {
    if orders::find(connection, order).await?.is_none_or(|found| found.user_id != user) {
        return Err(ComplaintError::OrderNotFound);
    }
    let order = orders::load_order(connection, order, OrderViewer::Shopper).await.map_err(ApiError::from)?;
    if order.row.status == OrderStatus::Cancelled.name() {
        return Err(ComplaintError::OrderCancelled);
    }
    Ok(order)
}

/// Checks the chosen products against those of the order and keeps their names.
fn choose_items(id: Uuid, order: &OrderDetails, new: &NewComplaint) -> Result<Vec<ComplaintItem>, ComplaintError> {
    if new.items.is_empty() && new.reason.is_about_products() {
        return Err(ComplaintError::ItemsMissing);
    }
    let mut chosen: Vec<ComplaintItem> = Vec::new();
    for (product, quantity) in &new.items {
        let item = order.items.iter().find(|item| item.product_id == *product).ok_or(ComplaintError::ItemsInvalid)?;
        let repeated = chosen.iter().any(|item| item.product_id == *product);
        if repeated || !(1..=item.quantity).contains(quantity) {
            return Err(ComplaintError::ItemsInvalid);
        }
        chosen.push(ComplaintItem {
            complaint_id: id,
            product_id: *product,
            name: item.name.clone(),
            name_ne: item.name_ne.clone(),
            quantity: *quantity,
        });
    }
    Ok(chosen)
}
