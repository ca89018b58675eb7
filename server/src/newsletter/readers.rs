//! Who reads the newsletter, as the seller sees it.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use futures_util::Stream;
use serde::Serialize;
use uuid::Uuid;

use super::{NewsletterError, store};
use crate::platform::db;
use crate::platform::spreadsheet::{self, line};
use crate::platform::state::App;
use crate::seller::{self, Deed};

const MOST: u16 = 100;
const USUAL: u16 = 50;
/// Addresses read at a time for a file.
const CHUNK: i64 = 2_000;

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = NewsletterReader)]
pub struct Reader {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub email: String,
    pub language: String,
    pub created_at: DateTime<Utc>,
}

pub struct Page {
    pub readers: Vec<Reader>,
    pub next_cursor: Option<String>,
    pub total: i64,
}

pub async fn list(app: &App, search: &str, cursor: Option<&str>, limit: Option<u16>) -> Result<Page, NewsletterError> {
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let before = db::page_start(cursor, Uuid::max()).ok_or(NewsletterError::BadCursor)?;
    let search = db::typed(search);
    let wanted = i64::from(limit) + 1;
    let mut readers = if search.is_empty() {
        store::list(&app.db.main, before, wanted).await?
    } else {
        store::search(&app.db.search, &db::containing(&search), before, wanted).await?
    };
    let next_cursor = db::cut_page(&mut readers, limit).map(|last| last.id.to_string());
    Ok(Page { readers, next_cursor, total: store::count(&app.db.main).await? })
}

/// All addresses leave the shop here, so the log says who took them.
pub async fn export(app: App, seller: Uuid) -> Result<impl Stream<Item = sqlx::Result<Bytes>>, NewsletterError> {
    let total = store::count(&app.db.main).await?;
    let after = format!("{total} addresses");
    let deed = Deed { seller, action: "newsletter.export", object: "", about: "", before: "", after: &after };
    let mut connection = app.db.main.acquire().await?;
    seller::note(&mut connection, &deed).await?;
    drop(connection);
    let read = move |before| {
        let app = app.clone();
        async move { store::list(&app.db.main, before, CHUNK).await }
    };
    let header = line(["email", "language", "subscribed at"]);
    Ok(spreadsheet::file(
        header,
        Uuid::max(),
        read,
        |reader| reader.id,
        |Reader { email, language, created_at, .. }| line([email.as_str(), language, &created_at.to_rfc3339()]),
    ))
}
