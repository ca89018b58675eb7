//! What the shop sends to people: the letters' texts in both languages (`letters/`) and their way to the mail server. Owns no
//! table: a letter is a job until the mail server has taken it. Whoever has a reason to write calls `send` in its own transaction.

mod letters;

use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::platform::jobs::{self, Job};
use crate::platform::mail::{Envelope, MailError};
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::shop;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recipient {
    pub email: String,
    pub name: String,
    pub language: Language,
}

/// What a letter is about. The shop's own name and contacts are filled in when it is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "about", rename_all = "snake_case")]
pub enum Letter {
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
        news: OrderNews,
        facts: OrderFacts,
    },
    /// `device` is the browser in a few words, or empty.
    Security {
        news: SecurityNews,
        device: String,
    },
}

/// What somebody should know about their own account.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecurityNews {
    /// A shopper logged in with a browser that is new to the account.
    NewDevice,
    SellerNewDevice,
    /// Too many wrong passwords.
    SellerClosed,
    /// Too many wrong codes after a right password.
    SellerCodesClosed,
    /// Set on the command line.
    SellerPassword,
    /// By the seller, in the dashboard.
    SellerPasswordChanged,
    /// Switched on or off on the command line.
    SellerSecondStep,
}

/// What became of an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderNews {
    Placed,
    Confirmed,
    Shipped,
    Delivered,
    Cancelled,
    /// Cancelled after it was paid.
    MoneyBack,
    /// Placed, by an account that has to confirm its address first.
    ToConfirm,
    /// Cancelled, because the address was not confirmed in time.
    NotConfirmed,
}

/// An order in words.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OrderFacts {
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

/// Sends a letter when the caller's transaction commits.
pub async fn send(connection: &mut PgConnection, to: &Recipient, letter: &Letter) -> sqlx::Result<()> {
    let job = SendLetter { id: Uuid::now_v7(), to: to.clone(), letter: letter.clone() };
    jobs::enqueue(connection, &job).await
}

#[derive(Serialize, Deserialize)]
pub struct SendLetter {
    /// Becomes the Message-ID, so that two sendings of one letter can be told from two letters.
    id: Uuid,
    to: Recipient,
    letter: Letter,
}

impl Job for SendLetter {
    const NAME: &'static str = "notifications.send_letter";

    async fn run(self, app: &App) -> Result<(), String> {
        deliver(app, self.id, &self.to, &self.letter).await
    }
}

/// Hands a letter to the mail server; for jobs, which try again. `id` tells two sendings of one letter from two letters.
pub async fn deliver(app: &App, id: Uuid, to: &Recipient, letter: &Letter) -> Result<(), String> {
    let written = letters::write(&*shop::current(app).await, to, letter).map_err(jobs::give_up)?;
    let host = app.config.public_url.split("://").nth(1).unwrap_or_default();
    let sent = app.mailer.send(Envelope {
        to: to.email.clone(),
        id: id.to_string(),
        host: host.split(':').next().unwrap_or_default().to_owned(),
        subject: written.subject,
        text: written.text,
        html: written.html,
    });
    sent.await.map_err(|error| match error {
        MailError::Refused(_) | MailError::Unwritable(_) => jobs::give_up(error),
        MailError::NoServer | MailError::Later(_) => error.to_string(),
    })
}
