//! What a seller does with seasons.

use chrono::{Days, NaiveDate};
use uuid::Uuid;

use super::error::SeasonError;
use super::model::{Season, SeasonTerms, SeasonTexts};
use super::store;
use crate::platform::clock::nepal_date;
use crate::platform::contact;
use crate::platform::messages::message;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_DAYS: i64 = 183;
/// The title stands in one or two lines beside the button on a phone.
const MAX_TITLE_LENGTH: usize = 40;
const MAX_TEXT_LENGTH: usize = 90;
/// Seasons that are listed: what is planned, and what ended within this time.
const LISTED_DAYS: Days = Days::new(400);
const MAX_SEASONS: usize = 100;

pub async fn list(app: &App) -> Result<Vec<Season>, SeasonError> {
    Ok(store::list(&mut *app.db.main.acquire().await?, listed_since(app)).await?)
}

fn listed_since(app: &App) -> NaiveDate {
    let today = nepal_date(app.clock.now());
    today.checked_sub_days(LISTED_DAYS).unwrap_or(today)
}

/// Adds a season and returns all of them.
pub async fn add(app: &App, seller: Uuid, terms: SeasonTerms) -> Result<Vec<Season>, SeasonError> {
    let terms = check_terms(terms)?;
    let id = Uuid::now_v7();
    let mut tx = app.db.main.begin().await?;
    store::insert(&mut tx, id, &terms, seller, app.clock.now()).await?;
    let seasons = store::list(&mut tx, listed_since(app)).await?;
    if seasons.len() > MAX_SEASONS {
        return Err(SeasonError::TooMany);
    }
    let audit_entry = NewAuditEntry {
        seller,
        action: "season.add",
        object: &id.to_string(),
        about: terms.theme.name(),
        before: "",
        after: &describe(&terms),
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    tx.commit().await?;
    Ok(seasons)
}

/// Changes a season that still has this version, and returns all of them.
pub async fn update(
    app: &App,
    seller: Uuid,
    id: Uuid,
    version: i32,
    terms: SeasonTerms,
) -> Result<Vec<Season>, SeasonError> {
    let terms = check_terms(terms)?;
    let mut tx = app.db.main.begin().await?;
    let season = store::lock(&mut tx, id).await?.ok_or(SeasonError::NotFound)?;
    if season.version != version {
        return Err(SeasonError::Changed);
    }
    let before = SeasonTerms::from(season);
    if before != terms {
        store::update(&mut tx, id, &terms, app.clock.now()).await?;
        let audit_entry = NewAuditEntry {
            seller,
            action: "season.update",
            object: &id.to_string(),
            about: terms.theme.name(),
            before: &describe(&before),
            after: &describe(&terms),
        };
        staff::record_audit_entry(&mut tx, &audit_entry).await?;
    }
    let seasons = store::list(&mut tx, listed_since(app)).await?;
    tx.commit().await?;
    Ok(seasons)
}

/// Deletes a season and returns the others.
pub async fn delete(app: &App, seller: Uuid, id: Uuid) -> Result<Vec<Season>, SeasonError> {
    let mut tx = app.db.main.begin().await?;
    let terms = SeasonTerms::from(store::lock(&mut tx, id).await?.ok_or(SeasonError::NotFound)?);
    store::delete(&mut tx, id).await?;
    let audit_entry = NewAuditEntry {
        seller,
        action: "season.delete",
        object: &id.to_string(),
        about: terms.theme.name(),
        before: &describe(&terms),
        after: "",
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    let seasons = store::list(&mut tx, listed_since(app)).await?;
    tx.commit().await?;
    Ok(seasons)
}

impl From<Season> for SeasonTerms {
    fn from(season: Season) -> Self {
        Self { theme: season.theme, starts_on: season.starts_on, ends_on: season.ends_on, texts: season.texts }
    }
}

/// Returns the terms with tidy texts, or says which field cannot be accepted.
fn check_terms(terms: SeasonTerms) -> Result<SeasonTerms, SeasonError> {
    if !(0..MAX_DAYS).contains(&terms.ends_on.signed_duration_since(terms.starts_on).num_days()) {
        return Err(SeasonError::Field("endsOn", message!("api.seasons.end_invalid", days = MAX_DAYS)));
    }
    let tidy = |field: &'static str, text: &str, longest: usize| {
        let text = contact::normalize_whitespace(text);
        let is_short = text.chars().count() <= longest;
        if is_short {
            Ok(text)
        } else {
            Err(SeasonError::Field(field, message!("api.text_too_long", longest = longest)))
        }
    };
    let texts = SeasonTexts {
        title: tidy("title", &terms.texts.title, MAX_TITLE_LENGTH)?,
        title_ne: tidy("titleNe", &terms.texts.title_ne, MAX_TITLE_LENGTH)?,
        text: tidy("text", &terms.texts.text, MAX_TEXT_LENGTH)?,
        text_ne: tidy("textNe", &terms.texts.text_ne, MAX_TEXT_LENGTH)?,
    };
    Ok(SeasonTerms { texts, ..terms })
}

/// The terms as the audit log shows them.
fn describe(terms: &SeasonTerms) -> String {
    let SeasonTexts { title, title_ne, text, text_ne } = &terms.texts;
    format!(
        "seasonDates: {} – {}; seasonTitle: {title}; seasonTitleNe: {title_ne}; seasonText: {text}; seasonTextNe: {text_ne}",
        terms.starts_on, terms.ends_on
    )
}
