//! Issuing the bill of an order, and taking it back when the order is cancelled.

use std::collections::BTreeMap;

use sqlx::PgConnection;
use uuid::Uuid;

use super::amounts;
use super::credit;
use super::lines;
use super::model::{Bill, BillKind, BillingError, Buyer, Seller};
use super::numbers::{format_bikram_sambat, take_number};
use super::store;
use crate::orders::transition::OrderStatus;
use crate::orders::{self, IssueBill, LockedOrder};
use crate::platform::clock;
use crate::platform::config::{BillingMoment, Shop};
use crate::platform::fail_point::fail_point;
use crate::platform::ids::OrderId;
use crate::platform::jobs::Job;
use crate::platform::state::App;
use crate::shop;

/// Bills of one outlet wait for each other, so contention is expected.
const MAX_ATTEMPTS: u32 = 5;
/// The reason on the credit note of a cancelled order, in both languages.
const CANCELLED: &str = "Order cancelled / अर्डर रद्द";

impl Job for IssueBill {
    const NAME: &'static str = "orders.issue_bill";

    async fn run(self, app: &App) -> Result<(), String> {
        update_bill(app, self.order).await.map_err(|error| error.to_string())
    }
}

/// Brings the bill of an order up to date. It can be called at any time and any number of times.
pub async fn update_bill(app: &App, order: OrderId) -> Result<(), BillingError> {
    orders::retry_on_contention(MAX_ATTEMPTS, BillingError::is_contention, || try_update(app, order)).await
}

async fn try_update(app: &App, order: OrderId) -> Result<(), BillingError> {
    let shop = shop::load(app).await?;
    let mut tx = app.db.main.begin().await?;
    let Some(locked) = orders::lock(&mut tx, order, &app.clock).await? else { return Ok(()) };
    let standing = store::find_standing_bill(&mut tx, order).await?;
    match standing {
        None if is_due(locked.state.status, shop.billing.issue_at) => {
            issue_bill(app, &mut tx, &shop, &locked).await?;
        }
        Some(bill) if locked.state.status == OrderStatus::Cancelled && !bill.amounts.total.is_zero() => {
            credit_rest(app, &mut tx, &bill, &locked).await?;
        }
        None | Some(_) => return Ok(()),
    }
    fail_point!(app, "billing.issue.before_commit");
    tx.commit().await?;
    fail_point!(app, "billing.issue.committed");
    Ok(())
}

const fn is_due(status: OrderStatus, issue_at: BillingMoment) -> bool {
    match issue_at {
        BillingMoment::Dispatch => status.is_dispatched(),
        BillingMoment::Delivery => matches!(status, OrderStatus::Delivered),
    }
}

async fn issue_bill(
    app: &App,
    connection: &mut PgConnection,
    shop: &Shop,
    locked: &LockedOrder,
) -> Result<(), BillingError> {
    let order = orders::find(connection, locked.id).await?.ok_or(BillingError::NotFound)?;
    let rates = orders::find_rates(connection, locked.id).await?.ok_or(BillingError::NotFound)?;
    let lines = lines::load(connection, locked.id).await?;
    let request = store::find_request(connection, locked.id).await?.unwrap_or_default();
    let delivery = orders::find_delivery_fee(connection, locked.id).await?;
    let amounts = amounts::compute_bill(&lines, &rates, delivery, locked.due);
    let amounts = amounts.ok_or(BillingError::Inconsistent)?;
    let kind = BillKind::choose(&shop.billing, rates.vat_registered, amounts.total, &request.buyer_pan);
    let issue = store::count_bills(connection, locked.id).await? + 1;
    // The counter is locked last, because all other bills wait for it.
    let number = take_number(connection, locked, &shop.billing.outlet, kind.series()).await?;
    fail_point!(app, "billing.issue.number_taken");
    let issued_on = clock::nepal_date(locked.now);
    let bill = Bill {
        id: Uuid::now_v7(),
        order_id: locked.id,
        user_id: locked.user,
        issue,
        kind,
        number,
        issued_at: locked.now,
        issued_on,
        issued_on_bs: format_bikram_sambat(issued_on),
        language: order.language,
        order_code: order.code,
        payment_method: order.method,
        seller: Seller {
            name: shop.brand.clone(),
            name_ne: shop.brand_ne.clone(),
            address: shop.contact.address.clone(),
            address_ne: shop.contact.address_ne.clone(),
            phone: shop.contact.phone.clone(),
            pan: shop.pan_number.clone(),
        },
        buyer: Buyer {
            name: if request.buyer_name.is_empty() { order.recipient } else { request.buyer_name },
            address: order.address,
            phone: order.phone,
            pan: request.buyer_pan,
        },
        vat_registered: rates.vat_registered,
        tax_rate: rates.tax_rate,
        prices_include_tax: rates.prices_include_tax,
        amounts,
    };
    store::insert_bill(connection, &bill, &lines).await?;
    fail_point!(app, "billing.issue.bill_written");
    Ok(())
}

/// Takes back what is left of the bill of a cancelled order.
async fn credit_rest(
    app: &App,
    connection: &mut PgConnection,
    bill: &Bill,
    locked: &LockedOrder,
) -> Result<(), BillingError> {
    let lines = store::list_lines(connection, bill.id).await?;
    let mut left: BTreeMap<i32, i32> = lines.iter().map(|line| (line.position, line.quantity)).collect();
    for credited in store::list_credit_lines(connection, bill.id).await? {
        if let Some(quantity) = left.get_mut(&credited.position) {
            *quantity -= credited.quantity;
        }
    }
    left.retain(|_, quantity| *quantity > 0);
    credit::insert_note(app, connection, bill, locked, &left, CANCELLED, None).await
}
