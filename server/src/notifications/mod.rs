//! What the shop sends to people: the emails' texts in both languages (`templates/`) and their way to the mail server. Owns no
//! table: an email is a job until the mail server has taken it. Whoever has a reason to write calls `send_email` in its own transaction.

mod render;

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::jobs::{self, Job};
use crate::platform::mail::{MailError, MailMessage};
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::shop;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recipient {
    pub email: String,
    pub name: String,
    pub language: Language,
}

/// What an email is about. The shop's own name and contacts are filled in when it is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Email {
    ConfirmEmail {
        link: String,
    },
    EmailChanging {
        new_email: String,
        /// Cancels the change; empty in jobs of an earlier version.
        #[serde(default)]
        link: String,
    },
    EmailChanged,
    ResetPassword {
        link: String,
    },
    PasswordChanged,
    TooManyAttempts,
    AccountDeleted,
    /// `account` is the address at the provider, or empty.
    IdentityLinked {
        account: String,
    },
    IdentityRemoved {
        account: String,
    },
    Order {
        kind: OrderEmailKind,
        summary: OrderSummary,
    },
    /// `device` is the browser in a few words, or empty.
    Security {
        kind: SecurityEmailKind,
        device: String,
    },
}

/// What somebody should know about their own account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecurityEmailKind {
    /// A shopper logged in with a browser that is new to the account.
    NewDevice,
    SellerNewDevice,
    /// Too many wrong passwords.
    SellerLocked,
    /// Too many wrong codes after a right password.
    SellerCodesLocked,
    /// Set on the command line.
    SellerPasswordReset,
    /// By the seller, in the dashboard.
    SellerPasswordChanged,
    /// Switched on or off on the command line.
    SellerSecondStep,
}

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderEmailKind {
    Placed,
    Confirmed,
    Shipped,
    Delivered,
    Cancelled,
    /// Cancelled after it was paid.
    CancelledWithRefund,
    /// Placed, by an account that has to confirm its address first.
    AwaitingConfirmation,
    /// Cancelled, because the address was not confirmed in time.
    NotConfirmed,
}

/// An order in words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OrderSummary {
    pub code: String,
    pub tracking: String,
    pub delivery_date: String,
    /// One line each.
    pub items: String,
    pub total: String,
    /// Where it goes; not for an address that nobody has confirmed, because it is the words of whoever placed the order.
    pub address: Option<String>,
    /// Paid to the rider.
    pub cash: bool,
    /// Paid already.
    pub paid: bool,
    /// The time of the day by which the address has to be confirmed.
    pub confirm_by: Option<String>,
    pub link: String,
}

/// Sends an email when the caller's transaction commits.
pub async fn send_email(connection: &mut PgConnection, to: &Recipient, email: &Email) -> sqlx::Result<()> {
    let job = SendEmail { id: Uuid::now_v7(), to: to.clone(), email: email.clone() };
    jobs::enqueue(connection, &job).await
}

#[derive(Serialize, Deserialize)]
pub struct SendEmail {
    /// Becomes the Message-ID, so that two sendings of one email can be told from two emails.
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

/// Hands an email to the mail server; for jobs, which try again. `id` tells two sendings of one email from two emails.
pub async fn deliver_email(app: &App, id: Uuid, to: &Recipient, email: &Email) -> Result<(), String> {
    let rendered =
        render::render_email(&*shop::load_or_last_known(app).await, to, email).map_err(jobs::permanent_failure)?;
    let host = app.config.public_url.split("://").nth(1).unwrap_or_default();
    let sent = app.mailer.send(MailMessage {
        to: to.email.clone(),
        id: id.to_string(),
        host: host.split(':').next().unwrap_or_default().to_owned(),
        subject: rendered.subject,
        text: rendered.text,
        html: rendered.html,
    });
    sent.await.map_err(|error| match error {
        MailError::RecipientRejected(_) | MailError::Invalid(_) => jobs::permanent_failure(error),
        MailError::NoServer | MailError::Transient(_) => error.to_string(),
    })
}
