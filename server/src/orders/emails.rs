//! Emails to the shopper about changes to an order. The job holds only the order's id and what happened; the recipient
//! and the contents are loaded when the email is sent, so that the queue holds no personal data.

use std::pin::Pin;
use std::sync::OnceLock;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::store;
use super::transition::{Event, FinancialStatus, Method, OrderStatus, State};
use crate::accounts;
use crate::alerts;
use crate::coupons;
use crate::notifications::{self, CouponLine, Email, OrderEmailKind, OrderSummary, Recipient};
use crate::platform::config::Config;
use crate::platform::ids::OrderId;
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::mail::MailAttachment;
use crate::platform::state::{App, AppComponent};
use crate::platform::{bikram_sambat, money_format, numerals};

#[derive(Serialize, Deserialize)]
pub struct SendOrderEmail {
    /// Becomes the Message-ID, so that it is the same email however often the job runs.
    id: Uuid,
    order: OrderId,
    status: String,
    /// The order was paid and is being refunded.
    #[serde(default)]
    money_back: bool,
    /// The order was cancelled because the shopper did not confirm the email address in time.
    #[serde(default)]
    not_confirmed: bool,
}

impl SendOrderEmail {
    pub fn placed(order: OrderId) -> Self {
        Self {
            id: Uuid::now_v7(),
            order,
            status: OrderStatus::Placed.name().to_owned(),
            money_back: false,
            not_confirmed: false,
        }
    }

    /// Returns the email about a change, if there is one to send. The cancellation of an unpaid online order sends
    /// none, because no email announced the order.
    pub fn for_change(order: OrderId, event: Event, before: State, after: State) -> Option<Self> {
        let money_back = before.payment != FinancialStatus::RefundDue && after.payment == FinancialStatus::RefundDue;
        let unpaid = after.status == OrderStatus::Cancelled
            && matches!(after.payment, FinancialStatus::Awaiting | FinancialStatus::Failed);
        let is_sent = (after.status != before.status && email_kind(after.status).is_some() && !unpaid) || money_back;
        let not_confirmed = event == Event::ConfirmationExpired;
        is_sent.then(|| Self {
            id: Uuid::now_v7(),
            order,
            status: after.status.name().to_owned(),
            money_back,
            not_confirmed,
        })
    }
}

/// The kind of email for a status. 'Out for Delivery' has none, because the rider contacts the shopper.
pub const fn email_kind(status: OrderStatus) -> Option<OrderEmailKind> {
    match status {
        OrderStatus::Placed => Some(OrderEmailKind::Placed),
        OrderStatus::Confirmed => Some(OrderEmailKind::Confirmed),
        OrderStatus::Shipped => Some(OrderEmailKind::Shipped),
        OrderStatus::OutForDelivery => None,
        OrderStatus::Delivered => Some(OrderEmailKind::Delivered),
        OrderStatus::Cancelled => Some(OrderEmailKind::Cancelled),
    }
}

pub type AttachmentFuture<'a> = Pin<Box<dyn Future<Output = Result<Option<MailAttachment>, String>> + Send + 'a>>;

/// Makes the file that is attached to the email about a delivered order. The module `billing`, which is above this one,
/// provides it.
pub type AttachmentHook = for<'a> fn(&'a App, OrderId, Uuid) -> AttachmentFuture<'a>;

struct DeliveredAttachment(OnceLock<AttachmentHook>);

impl AppComponent for DeliveredAttachment {
    fn new(_config: &Config) -> Self {
        Self(OnceLock::new())
    }
}

/// Sets what makes the attachment; the worker does that once for its app.
pub fn set_attachment_hook(app: &App, hook: AttachmentHook) {
    let _ = app.component::<DeliveredAttachment>().0.set(hook);
}

/// An email is sent without its attachment rather than not at all; the order page links to the same file.
async fn attach(app: &App, order: OrderId, email: Uuid) -> Option<MailAttachment> {
    let hook = *app.component::<DeliveredAttachment>().0.get()?;
    hook(app, order, email).await.unwrap_or_else(|error| {
        tracing::error!(error, "an email is sent without its bill");
        None
    })
}

impl Job for SendOrderEmail {
    const NAME: &'static str = "orders.send_email";

    async fn run(self, app: &App) -> Result<(), String> {
        let unreadable = |error: sqlx::Error| error.to_string();
        let kind = match (self.money_back, self.not_confirmed) {
            (true, _) => Some(OrderEmailKind::CancelledWithRefund),
            (false, true) => Some(OrderEmailKind::NotConfirmed),
            (false, false) => OrderStatus::from_name(&self.status).and_then(email_kind),
        };
        let Some(mut kind) = kind else {
            return Err(jobs::permanent_failure("there is no email for this status"));
        };
        let mut connection = app.db.main.acquire().await.map_err(unreadable)?;
        let order = store::find(&mut connection, self.order).await.map_err(unreadable)?;
        let Some(order) = order else { return Err(jobs::permanent_failure("the order does not exist")) };
        // A shopper who has deleted the account gets no more emails.
        let Some(person) = accounts::find_contact(&mut connection, order.user_id).await.map_err(unreadable)? else {
            return Ok(());
        };
        let items = store::list_items(&mut connection, &[order.id]).await.map_err(unreadable)?;
        let coupon = coupons::list_uses(&mut connection, &[order.id]).await.map_err(unreadable)?.pop();
        let language = Language::from_code(&order.language);
        let mut link = format!("{}/orders#{}", app.config.public_url, order.code);
        let confirm_by = order.confirm_by.filter(|_| kind == OrderEmailKind::Placed && !person.email_confirmed);
        if confirm_by.is_some() {
            let made =
                accounts::create_confirm_link(app, &mut connection, order.user_id, &person.email, app.clock.now())
                    .await;
            link = made.map_err(|error| error.to_string())?;
            kind = OrderEmailKind::AwaitingConfirmation;
        }
        // Only these are optional; the others are about what was agreed, or about money.
        let is_optional =
            matches!(kind, OrderEmailKind::Confirmed | OrderEmailKind::Shipped | OrderEmailKind::Delivered);
        let mut unsubscribe = None;
        if is_optional {
            unsubscribe =
                alerts::unsubscribe_for_order_updates(app, &mut connection, order.user_id).await.map_err(unreadable)?;
            if unsubscribe.is_none() {
                return Ok(());
            }
        }
        drop(connection);
        let lines = items.iter().map(|item| {
            let (name, pack) = match language {
                Language::Nepali => (
                    item.name_ne.as_ref().unwrap_or(&item.name),
                    item.pack_label_ne.as_ref().or(item.pack_label.as_ref()),
                ),
                Language::English => (&item.name, item.pack_label.as_ref()),
            };
            let pack = pack.map(|pack| format!(" ({pack})")).unwrap_or_default();
            let quantity = numerals::format_count(language, i64::from(item.quantity));
            format!("{quantity} × {name}{pack}: {}", money_format::format_rupees(language, item.price * item.quantity))
        });
        let summary = OrderSummary {
            delivery_date: bikram_sambat::format_delivery_time(
                language,
                order.delivery_date,
                order.delivery_starts.zip(order.delivery_ends),
            ),
            code: order.code.clone(),
            tracking: order.tracking,
            items: lines.collect::<Vec<_>>().join("\n"),
            coupon: coupon.map(|used| CouponLine {
                code: used.code,
                discount: money_format::format_rupees(language, used.discount),
            }),
            subtotal: money_format::format_rupees(language, order.subtotal),
            shipping_fee: money_format::format_rupees(language, order.shipping),
            tax: order.vat_registered.then(|| money_format::format_rupees(language, order.tax)),
            total: money_format::format_rupees(language, order.total),
            due: order.amount_due.map(|due| money_format::format_rupees(language, due)),
            address: person.email_confirmed.then_some(order.address),
            cash: order.method == Method::Cod.name(),
            paid: order.payment == FinancialStatus::Paid.name(),
            confirm_by: confirm_by.map(|by| bikram_sambat::format_time(language, by)),
            link,
        };
        // The bill has the name and address that the account chose.
        let mut attachment = None;
        if kind == OrderEmailKind::Delivered && person.email_confirmed {
            attachment = attach(app, order.id, self.id).await;
        }
        // A visitor can register with another person's address, so an unconfirmed address never gets text that the
        // account chose.
        let name = if person.email_confirmed { person.name } else { String::new() };
        let to = Recipient { email: person.email, name, language };
        let email = Email::Order { kind, summary: Box::new(summary) };
        match unsubscribe {
            Some(links) => {
                let (one_click, page) = (&links.one_click, &links.page);
                notifications::deliver_optional_email(app, self.id, &to, &email, one_click, page, attachment).await
            }
            None => notifications::deliver_email(app, self.id, &to, &email).await,
        }
    }
}
