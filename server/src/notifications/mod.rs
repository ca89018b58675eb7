//! Emails: their texts in both languages (`templates/`) and their delivery to the mail server. Owns no table, because
//! an email is a job until the mail server has accepted it. Other modules call `send_email` in their own transaction.

mod model;
mod render;
mod template;

pub use model::{
    ComplaintEmailKind, ComplaintSummary, CouponLine, Email, OrderEmailKind, OrderSummary, PackingEmailKind,
    PackingSummary, Recipient, SecurityEmailKind, StaffEmailKind,
};
pub use render::{RenderedNewsletter, preview_newsletter};

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::jobs::{self, Job};
use crate::platform::mail::{MailAttachment, MailError, MailMessage};
use crate::platform::state::App;
use crate::shop;

/// Sends an email when the caller's transaction commits.
pub async fn send_email(connection: &mut PgConnection, to: &Recipient, email: &Email) -> sqlx::Result<()> {
    let job = SendEmail { id: Uuid::now_v7(), to: to.clone(), email: email.clone() };
    jobs::enqueue(connection, &job).await
}

#[derive(Serialize, Deserialize)]
pub struct SendEmail {
    /// Used as the Message-ID, so that a repeated delivery can be told from a second email.
    id: Uuid,
    to: Recipient,
    email: Email,
}

impl Job for SendEmail {
    const NAME: &'static str = "notifications.send_email";

    async fn run(self, app: &App) -> Result<(), String> {
        deliver_email(app, self.id, &self.to, &self.email).await
    }
}

/// Hands an email to the mail server. It is called by jobs, which retry it. `id` is used as the Message-ID.
pub async fn deliver_email(app: &App, id: Uuid, to: &Recipient, email: &Email) -> Result<(), String> {
    deliver(app, id, to, email, None, None).await
}

/// Like `deliver_email`, with a file, and with links that turn off further emails of this kind: one that mail programs
/// post to, and a page for people.
pub async fn deliver_optional_email(
    app: &App,
    id: Uuid,
    to: &Recipient,
    email: &Email,
    one_click: &str,
    page: &str,
    attachment: Option<MailAttachment>,
) -> Result<(), String> {
    deliver(app, id, to, email, Some((one_click, page)), attachment).await
}

async fn deliver(
    app: &App,
    id: Uuid,
    to: &Recipient,
    email: &Email,
    unsubscribe: Option<(&str, &str)>,
    attachment: Option<MailAttachment>,
) -> Result<(), String> {
    let shop = shop::load_or_last_known(app).await;
    let (one_click, page) = unsubscribe.unzip();
    // The link of a newsletter belongs to its subscriber and comes with it.
    let one_click = one_click.or_else(|| email.unsubscribe_url());
    let rendered = render::render_email(&shop, to, email, page).map_err(jobs::permanent_failure)?;
    let host = app.config.public_url.split("://").nth(1).unwrap_or_default();
    let sent = app.mailer.send(MailMessage {
        to: to.email.clone(),
        id: id.to_string(),
        host: host.split(':').next().unwrap_or_default().to_owned(),
        subject: rendered.subject,
        text: rendered.text,
        html: rendered.html,
        unsubscribe_url: one_click.map(str::to_owned),
        attachment,
    });
    sent.await.map_err(|error| match error {
        MailError::RecipientRejected(_) | MailError::Invalid(_) => jobs::permanent_failure(error),
        MailError::NoServer | MailError::Transient(_) => error.to_string(),
    })
}
