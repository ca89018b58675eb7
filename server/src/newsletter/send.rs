//! Sending a newsletter: it is queued for every confirmed subscriber at once, and a job sends it in batches. A row for
//! each subscriber makes sure that none gets it twice, also after a crash; the promise on the form, at most once a week,
//! is enforced by `next_allowed`.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::{Newsletter, NewsletterError, Promise};
use super::store;
use crate::notifications::{self, Email, Recipient};
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

/// The promise on the form (`newsletter.text`): 'at most once a week'.
const PROMISED_PAUSE: TimeDelta = TimeDelta::days(7);
/// How many emails one run of the job sends; other jobs get their turn in between.
const BATCH: usize = 50;

/// What the staff can do with a newsletter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum NewsletterAction {
    Send,
    Pause,
    Resume,
    Cancel,
}

impl NewsletterAction {
    pub fn from_name(name: &str) -> Option<Self> {
        match name {
            "send" => Some(Self::Send),
            "pause" => Some(Self::Pause),
            "resume" => Some(Self::Resume),
            "cancel" => Some(Self::Cancel),
            _ => None,
        }
    }

    /// The state that the newsletter gets, if it may be changed from this one.
    fn next_state(self, state: &str) -> Option<&'static str> {
        match (self, state) {
            (Self::Send, "draft") | (Self::Resume, "paused") => Some("sending"),
            (Self::Pause, "sending") => Some("paused"),
            (Self::Cancel, "sending" | "paused") => Some("cancelled"),
            _ => None,
        }
    }

    const fn audit_action(self) -> &'static str {
        match self {
            Self::Send => "newsletter.send",
            Self::Pause => "newsletter.pause",
            Self::Resume => "newsletter.resume",
            Self::Cancel => "newsletter.cancel",
        }
    }
}

/// The moment from which the next newsletter may be sent; `None` if none was sent before.
pub fn next_allowed(promise: &Promise) -> Option<DateTime<Utc>> {
    promise.last_sent_at.map(|last| last + PROMISED_PAUSE)
}

pub async fn change_state(
    app: &App,
    seller: Uuid,
    id: Uuid,
    action: NewsletterAction,
) -> Result<Newsletter, NewsletterError> {
    let now = app.clock.now();
    let mut tx = app.db.main.begin().await?;
    store::lock_newsletters(&mut tx).await?;
    let before = store::find(&mut tx, id).await?.ok_or(NewsletterError::NotFound)?;
    let state = action.next_state(&before.state).ok_or(NewsletterError::WrongState)?;
    if state == "sending" {
        let promise = store::find_promise(&mut tx, id).await?;
        if promise.is_another_open {
            return Err(NewsletterError::AnotherOpen);
        }
        if let Some(next) = next_allowed(&promise).filter(|next| *next > now) {
            return Err(NewsletterError::TooSoon(next));
        }
    }
    store::set_state(&mut tx, id, state, now).await?;
    match action {
        NewsletterAction::Send => {
            if store::queue_sends(&mut tx, id).await? == 0 {
                return Err(NewsletterError::NoSubscribers);
            }
            jobs::enqueue(&mut tx, &SendBatch { newsletter: id }).await?;
        }
        NewsletterAction::Resume => jobs::enqueue(&mut tx, &SendBatch { newsletter: id }).await?,
        NewsletterAction::Cancel => store::cancel_waiting(&mut tx, id).await?,
        NewsletterAction::Pause => {}
    }
    let object = id.to_string();
    let audit_entry = NewAuditEntry {
        seller,
        action: action.audit_action(),
        object: &object,
        about: &before.subject,
        before: &before.state,
        after: state,
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    let after = store::find(&mut tx, id).await?.ok_or(NewsletterError::NotFound)?;
    tx.commit().await?;
    Ok(after)
}

/// The email to one subscriber; `token` is the subscriber's.
pub fn to_email(app: &App, newsletter: &Newsletter, language: Language, token: Uuid) -> Email {
    let (subject, body) = match language {
        Language::English => (&newsletter.subject, &newsletter.body),
        Language::Nepali => (&newsletter.subject_ne, &newsletter.body_ne),
    };
    Email::Newsletter {
        subject: subject.clone(),
        body: body.clone(),
        link: format!("{}/newsletter/unsubscribe#token={token}", app.config.public_url),
        one_click: format!("{}/api/subscriber/unsubscribe/{token}", app.config.public_url),
    }
}

/// Sends the next emails of a newsletter and queues itself until none is left.
#[derive(Serialize, Deserialize)]
pub struct SendBatch {
    newsletter: Uuid,
}

impl Job for SendBatch {
    const NAME: &'static str = "newsletter.send_batch";
    /// One batch at a time, so that a row that is being sent when the job begins belongs to a worker that died.
    const QUEUE: Option<&'static str> = Some("newsletter");
    /// An email about an order does not wait behind a thousand newsletters.
    const PRIORITY: i32 = 10;

    async fn run(self, app: &App) -> Result<(), String> {
        let unreadable = |error: sqlx::Error| error.to_string();
        let db = &app.db.main;
        store::fail_interrupted(db, self.newsletter).await.map_err(unreadable)?;
        let mut connection = db.acquire().await.map_err(unreadable)?;
        let found = store::find(&mut connection, self.newsletter).await.map_err(unreadable)?;
        drop(connection);
        let Some(newsletter) = found else { return Err(jobs::permanent_failure("the newsletter does not exist")) };
        for _ in 0..BATCH {
            let claimed = store::claim_next(db, self.newsletter, app.clock.now()).await.map_err(unreadable)?;
            let Some(claimed) = claimed else {
                return store::finish(db, self.newsletter, app.clock.now()).await.map_err(unreadable);
            };
            let subscriber = store::find_mailing(db, claimed.subscriber).await.map_err(unreadable)?;
            let Some(subscriber) = subscriber else {
                store::mark_sent(db, self.newsletter, claimed.subscriber, "skipped").await.map_err(unreadable)?;
                continue;
            };
            let language = Language::from_code(&subscriber.language);
            let to = Recipient { email: subscriber.email, name: String::new(), language };
            let email = to_email(app, &newsletter, language, subscriber.token);
            match notifications::deliver_email(app, claimed.message, &to, &email).await {
                Ok(()) => {
                    store::mark_sent(db, self.newsletter, claimed.subscriber, "sent").await.map_err(unreadable)?;
                }
                Err(failure) if jobs::is_permanent_failure(&failure) => {
                    store::mark_sent(db, self.newsletter, claimed.subscriber, "failed").await.map_err(unreadable)?;
                }
                Err(failure) => {
                    store::release(db, self.newsletter, claimed.subscriber).await.map_err(unreadable)?;
                    return Err(failure);
                }
            }
        }
        let mut connection = db.acquire().await.map_err(unreadable)?;
        jobs::enqueue(&mut connection, &self).await.map_err(unreadable)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_newsletter_goes_from_state_to_state_only_forward() {
        use NewsletterAction::{Cancel, Pause, Resume, Send};
        for (action, from, to) in [
            (Send, "draft", Some("sending")),
            (Send, "sent", None),
            (Send, "sending", None),
            (Pause, "sending", Some("paused")),
            (Pause, "draft", None),
            (Resume, "paused", Some("sending")),
            (Resume, "cancelled", None),
            (Cancel, "sending", Some("cancelled")),
            (Cancel, "paused", Some("cancelled")),
            (Cancel, "sent", None),
        ] {
            assert_eq!(action.next_state(from), to, "{action:?} {from}");
        }
    }

    #[test]
    fn the_next_newsletter_is_allowed_a_week_after_the_last_email() {
        let last = DateTime::UNIX_EPOCH;
        let promise = |last_sent_at| Promise { is_another_open: false, last_sent_at };

        assert_eq!(next_allowed(&promise(None)), None);
        assert_eq!(next_allowed(&promise(Some(last))), Some(last + TimeDelta::days(7)));
    }
}
