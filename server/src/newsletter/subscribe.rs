//! A subscription from the form to its end: the form asks for it, a link in an email confirms it, and another ends it.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::NewsletterError;
use super::store;
use crate::notifications::{self, Email, Recipient};
use crate::platform::contact;
use crate::platform::jobs::Job;
use crate::platform::language::Language;
use crate::platform::state::App;

/// An address that has not confirmed is asked again at most this often, however often the form is sent.
const ASK_AGAIN_AFTER: Duration = Duration::from_hours(24);
/// A subscription that is not confirmed within this time is deleted.
const CONFIRM_WITHIN: Duration = Duration::from_hours(30 * 24);

/// Adds a subscriber, stores the language of the page for later emails, and asks by email whether the address is the
/// subscriber's own.
pub async fn subscribe(app: &App, email: &str, language: Language) -> Result<String, NewsletterError> {
    let email = contact::parse_email(email).ok_or(NewsletterError::Invalid)?;
    let now = app.clock.now();
    let id = Uuid::now_v7();
    let mut tx = app.db.main.begin().await?;
    let added = store::insert(&mut tx, id, &email, language.code(), now).await?;
    if added {
        enqueue_confirmation(&mut tx, id).await?;
    } else if let Some(known) = store::mark_asked_again(&mut tx, &email, now - ASK_AGAIN_AFTER, now).await? {
        // The first email may have been lost. The response stays the same.
        enqueue_confirmation(&mut tx, known).await?;
    }
    tx.commit().await?;
    if added { Ok(email) } else { Err(NewsletterError::Exists) }
}

/// Asks the subscribers from the time before confirmations. Returns how many.
pub async fn ask_unconfirmed(app: &App) -> Result<usize, NewsletterError> {
    let mut tx = app.db.main.begin().await?;
    let ids = store::list_unasked(&mut tx).await?;
    store::mark_asked(&mut tx, &ids, app.clock.now()).await?;
    for id in &ids {
        enqueue_confirmation(&mut tx, *id).await?;
    }
    tx.commit().await?;
    Ok(ids.len())
}

pub async fn confirm(app: &App, token: &str) -> Result<(), NewsletterError> {
    let token: Uuid = token.parse().map_err(|_| NewsletterError::LinkInvalid)?;
    let confirmed = store::confirm(&app.db.main, token, app.clock.now()).await?;
    if confirmed { Ok(()) } else { Err(NewsletterError::LinkInvalid) }
}

/// Ends a subscription. A link that is used again succeeds, because mail programs repeat requests.
pub async fn unsubscribe(app: &App, token: &str) -> Result<(), NewsletterError> {
    let token: Uuid = token.parse().map_err(|_| NewsletterError::LinkInvalid)?;
    let mut tx = app.db.main.begin().await?;
    store::unsubscribe(&mut tx, token, app.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

pub async fn delete_unconfirmed(db: &PgPool, now: DateTime<Utc>) -> sqlx::Result<u64> {
    store::delete_unconfirmed(db, now - CONFIRM_WITHIN).await
}

/// The job goes through the outbox, so that a flood of sign-ups does not wake the worker for each.
async fn enqueue_confirmation(connection: &mut PgConnection, subscriber: Uuid) -> sqlx::Result<()> {
    let job = SendConfirmation { id: Uuid::now_v7(), subscriber };
    let payload = serde_json::to_value(&job).unwrap_or_default();
    store::enqueue_confirmation(connection, SendConfirmation::NAME, &payload, SendConfirmation::ATTEMPTS).await
}

/// Asks a subscriber to confirm. The queue holds no address.
#[derive(Serialize, Deserialize)]
pub struct SendConfirmation {
    /// Becomes the Message-ID, so that it is the same on every run of the job.
    id: Uuid,
    subscriber: Uuid,
}

impl Job for SendConfirmation {
    const NAME: &'static str = "newsletter.send_confirmation";

    async fn run(self, app: &App) -> Result<(), String> {
        let found = store::find_mailing(&app.db.main, self.subscriber).await.map_err(|error| error.to_string())?;
        // The subscription may have ended or been confirmed since the job was queued.
        let Some(subscriber) = found.filter(|found| !found.is_confirmed) else { return Ok(()) };
        let link = format!("{}/newsletter/confirm#token={}", app.config.public_url, subscriber.token);
        let to = Recipient {
            email: subscriber.email,
            name: String::new(),
            language: Language::from_code(&subscriber.language),
        };
        notifications::deliver_email(app, self.id, &to, &Email::ConfirmNewsletter { link }).await
    }
}
