//! Who changed what. Every action of a seller writes a row in its own transaction. Owns the table `audit_log`.

use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::json;
use sqlx::PgConnection;
use uuid::Uuid;

use super::{SellerError, store};
use crate::platform::db;
use crate::platform::security_log::{self, Actor, What};
use crate::platform::state::App;

const MOST: u16 = 100;
const USUAL: u16 = 50;

/// What a seller did to a thing: `action` is `room.what`, `object` the thing's id, `about` what people call it.
pub struct Deed<'a> {
    pub seller: Uuid,
    pub action: &'a str,
    pub object: &'a str,
    pub about: &'a str,
    pub before: &'a str,
    pub after: &'a str,
}

pub async fn note(connection: &mut PgConnection, deed: &Deed<'_>) -> sqlx::Result<()> {
    note_all(connection, std::slice::from_ref(deed)).await
}

/// Several at once.
pub async fn note_all(connection: &mut PgConnection, deeds: &[Deed<'_>]) -> sqlx::Result<()> {
    store::note(connection, deeds).await?;
    for deed in deeds {
        if let Some(what) = delicate(deed.action) {
            let details = json!({ "action": deed.action });
            security_log::record(connection, what, Actor::Seller(deed.seller), deed.object, &details).await?;
        }
    }
    Ok(())
}

/// What the security log wants to know too.
fn delicate(action: &str) -> Option<What> {
    match action {
        "payment.refund" => Some(What::Refunded),
        "shop.settings" => Some(What::SettingsChanged),
        action if action.ends_with(".export") => Some(What::Exported),
        _ => None,
    }
}

/// A row of the log, as the desk shows it.
#[derive(Debug, Serialize, utoipa::ToSchema)]
pub struct Noted {
    #[serde(rename = "_id")]
    pub id: String,
    pub at: DateTime<Utc>,
    /// The name of who did it.
    pub seller: String,
    pub action: String,
    pub object: String,
    pub about: String,
    pub before: String,
    pub after: String,
}

pub struct Page {
    pub rows: Vec<Noted>,
    pub next_cursor: Option<String>,
}

/// Newest first; `search` is part of who, what, or of the thing.
pub async fn list(app: &App, search: &str, cursor: Option<&str>, limit: Option<u16>) -> Result<Page, SellerError> {
    let limit = limit.unwrap_or(USUAL).clamp(1, MOST);
    let before = db::page_start(cursor, i64::MAX).ok_or(SellerError::BadCursor)?;
    let search = db::typed(search);
    let wanted = i64::from(limit) + 1;
    let mut rows = if search.is_empty() {
        store::audit(&app.db.main, before, wanted).await?
    } else {
        let pattern = db::containing(search.trim_start_matches('#'));
        let who = store::named_like(&app.db.main, &pattern).await?;
        store::search_audit(&app.db.search, &pattern, &who, before, wanted).await?
    };
    let next_cursor = db::cut_page(&mut rows, limit).map(|last| last.id.clone());
    Ok(Page { rows, next_cursor })
}
