//! Writing a newsletter: drafts, the preview, and a test email to oneself.

use std::time::Duration;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::model::{MAX_BODY_LENGTH, MAX_SUBJECT_LENGTH, Newsletter, NewsletterError};
use super::{send, store};
use crate::notifications::{self, Recipient, RenderedNewsletter};
use crate::platform::language::Language;
use crate::platform::state::App;
use crate::platform::throttle;
use crate::shop;
use crate::staff::{self, NewAuditEntry};

/// The newsletters that the dashboard lists.
const MAX_LISTED: i64 = 100;
const TEST_EMAILS_PER_HOUR: u32 = 20;

/// A newsletter in both languages, as it is written.
pub struct Draft {
    pub subject: String,
    pub subject_ne: String,
    pub body: String,
    pub body_ne: String,
}

impl Draft {
    fn validate(mut self) -> Result<Self, NewsletterError> {
        for text in [&mut self.subject, &mut self.subject_ne, &mut self.body, &mut self.body_ne] {
            *text = text.trim().to_owned();
        }
        let Self { subject, subject_ne, body, body_ne } = &self;
        if [subject, subject_ne, body, body_ne].iter().any(|text| text.is_empty()) {
            return Err(NewsletterError::TextMissing);
        }
        let odd = |subject: &String| subject.chars().count() > MAX_SUBJECT_LENGTH || subject.contains(char::is_control);
        if odd(subject) || odd(subject_ne) {
            return Err(NewsletterError::SubjectTooLong);
        }
        if [body, body_ne].iter().any(|text| text.chars().count() > MAX_BODY_LENGTH) {
            return Err(NewsletterError::BodyTooLong);
        }
        Ok(self)
    }
}

/// The newsletters, newest first, with what the composer shows beside them.
pub struct NewsletterOverview {
    pub newsletters: Vec<Newsletter>,
    /// How many would get the next one.
    pub confirmed: i64,
    /// How many subscribed before confirmations existed and have not been asked.
    pub unasked: i64,
    /// When the next one may be sent; `None` is now.
    pub next_at: Option<DateTime<Utc>>,
}

pub async fn list(app: &App) -> Result<NewsletterOverview, NewsletterError> {
    let newsletters = store::list_newsletters(&app.db.main, MAX_LISTED).await?;
    let confirmed = store::count_confirmed(&app.db.main).await?;
    let unasked = store::count_unasked(&app.db.main).await?;
    let mut connection = app.db.main.acquire().await?;
    let promise = store::find_promise(&mut connection, Uuid::nil()).await?;
    let next_at = send::next_allowed(&promise).filter(|next| *next > app.clock.now());
    Ok(NewsletterOverview { newsletters, confirmed, unasked, next_at })
}

/// Saves a new draft or changes one. Returns its id.
pub async fn save_draft(app: &App, seller: Uuid, id: Option<Uuid>, draft: Draft) -> Result<Uuid, NewsletterError> {
    let draft = draft.validate()?;
    let new = store::NewNewsletter {
        subject: &draft.subject,
        subject_ne: &draft.subject_ne,
        body: &draft.body,
        body_ne: &draft.body_ne,
    };
    let now = app.clock.now();
    let mut tx = app.db.main.begin().await?;
    let id = match id {
        Some(id) if store::update_draft(&mut tx, id, &new, now).await? => id,
        Some(_) => return Err(NewsletterError::WrongState),
        None => {
            let id = Uuid::now_v7();
            store::insert_draft(&mut tx, id, seller, &new, now).await?;
            id
        }
    };
    tx.commit().await?;
    Ok(id)
}

pub async fn delete_draft(app: &App, seller: Uuid, id: Uuid) -> Result<(), NewsletterError> {
    let mut tx = app.db.main.begin().await?;
    let found = store::find(&mut tx, id).await?.ok_or(NewsletterError::NotFound)?;
    if !store::delete_draft(&mut tx, id).await? {
        return Err(NewsletterError::WrongState);
    }
    let object = id.to_string();
    let audit_entry = NewAuditEntry {
        seller,
        action: "newsletter.delete",
        object: &object,
        about: &found.subject,
        before: "draft",
        after: "",
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    tx.commit().await?;
    Ok(())
}

/// Renders a text as the email that its readers would get.
pub async fn preview(
    app: &App,
    subject: &str,
    body: &str,
    language: Language,
) -> Result<RenderedNewsletter, NewsletterError> {
    if body.chars().count() > MAX_BODY_LENGTH {
        return Err(NewsletterError::BodyTooLong);
    }
    let shop = shop::load_or_last_known(app).await;
    Ok(notifications::preview_newsletter(&shop, subject, body, language))
}

/// Sends a newsletter, whatever its state, to the member of staff who asks for it.
pub async fn send_test(app: &App, seller: Uuid, id: Uuid, language: Language) -> Result<String, NewsletterError> {
    let hour = Duration::from_hours(1);
    let whom = seller.to_string();
    throttle::check_limit(&app.db.main, "newsletter_test", &whom, TEST_EMAILS_PER_HOUR, hour, app.clock.now()).await?;
    let mut tx = app.db.main.begin().await?;
    let newsletter = store::find(&mut tx, id).await?.ok_or(NewsletterError::NotFound)?;
    let found = staff::find_recipient(&mut tx, seller).await?.ok_or(NewsletterError::NotFound)?;
    let to = Recipient { language, ..found };
    // The link of a test email ends no subscription.
    let email = send::to_email(app, &newsletter, language, Uuid::nil());
    notifications::send_email(&mut tx, &to, &email).await?;
    tx.commit().await?;
    Ok(to.email)
}
