//! The bill that is attached to the email about a delivered order.

use thunse_pdf::Paper;
use uuid::Uuid;

use super::issue::update_bill;
use super::model::{BillingError, PrintedFor};
use super::pdf::print_document;
use super::store;
use crate::orders::AttachmentFuture;
use crate::platform::ids::OrderId;
use crate::platform::mail::MailAttachment;
use crate::platform::state::App;

/// Attaches the bill of an order. The email may be sent before the job that issues the bill has run, so the bill is
/// issued here if it is due.
pub fn attach_bill(app: &App, order: OrderId, email: Uuid) -> AttachmentFuture<'_> {
    Box::pin(async move { try_attach(app, order, email).await.map_err(|error| error.to_string()) })
}

async fn try_attach(app: &App, order: OrderId, email: Uuid) -> Result<Option<MailAttachment>, BillingError> {
    update_bill(app, order).await?;
    let mut connection = app.db.main.acquire().await?;
    let Some(bill) = store::find_standing_bill(&mut connection, order).await? else { return Ok(None) };
    drop(connection);
    let file = print_document(app, bill.id, Paper::A4, PrintedFor::Email(email)).await?;
    Ok(Some(MailAttachment { name: file.name, content_type: "application/pdf", content: file.content }))
}
