//! The list of subscribers for the seller.

use bytes::Bytes;
use futures_util::Stream;
use uuid::Uuid;

use super::model::Subscriber;
use super::{NewsletterError, store};
use crate::platform::csv_format::{self, format_row};
use crate::platform::db;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_PAGE_SIZE: u16 = 100;
const DEFAULT_PAGE_SIZE: u16 = 50;
/// The number of rows that the export reads at a time.
const CHUNK: i64 = 2_000;

pub struct SubscriberPage {
    pub subscribers: Vec<Subscriber>,
    pub next_cursor: Option<String>,
    pub total: i64,
}

pub async fn list_subscribers(
    app: &App,
    search: &str,
    cursor: Option<&str>,
    limit: Option<u16>,
) -> Result<SubscriberPage, NewsletterError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let before = db::parse_cursor(cursor, Uuid::max()).ok_or(NewsletterError::BadCursor)?;
    let search = db::clean_search(search);
    let fetched = i64::from(limit) + 1;
    let mut subscribers = if search.is_empty() {
        store::list(&app.db.main, before, fetched).await?
    } else {
        store::search(&app.db.search, &db::like_pattern(&search), before, fetched).await?
    };
    let next_cursor = db::truncate_page(&mut subscribers, limit).map(|last| last.id.to_string());
    Ok(SubscriberPage { subscribers, next_cursor, total: store::count(&app.db.main).await? })
}

/// Streams all subscribers as CSV. The export is recorded in the audit log, because it takes personal data out of the
/// shop.
pub async fn export_subscribers(
    app: App,
    seller: Uuid,
) -> Result<impl Stream<Item = sqlx::Result<Bytes>>, NewsletterError> {
    let total = store::count(&app.db.main).await?;
    let after = format!("{total} addresses");
    let audit_entry =
        NewAuditEntry { seller, action: "newsletter.export", object: "", about: "", before: "", after: &after };
    let mut connection = app.db.main.acquire().await?;
    staff::record_audit_entry(&mut connection, &audit_entry).await?;
    drop(connection);
    let read = move |before| {
        let app = app.clone();
        async move { store::list(&app.db.main, before, CHUNK).await }
    };
    let header = format_row(["email", "language", "subscribed at", "confirmed at"]);
    Ok(csv_format::stream_file(
        header,
        Uuid::max(),
        read,
        |subscriber| subscriber.id,
        |Subscriber { email, language, created_at, confirmed_at, .. }| {
            let confirmed_at = confirmed_at.map(|at| at.to_rfc3339()).unwrap_or_default();
            format_row([email.as_str(), language, &created_at.to_rfc3339(), &confirmed_at])
        },
    ))
}
