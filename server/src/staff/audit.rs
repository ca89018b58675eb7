//! The audit log: every action of a seller adds an entry in the action's own transaction. Owns the table `audit_log`.

use serde_json::json;
use sqlx::PgConnection;

use super::model::{AuditEntry, NewAuditEntry};
use super::{SellerError, store};
use crate::platform::db;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::state::App;

const MAX_PAGE_SIZE: u16 = 100;
const DEFAULT_PAGE_SIZE: u16 = 50;

pub async fn record_audit_entry(connection: &mut PgConnection, audit_entry: &NewAuditEntry<'_>) -> sqlx::Result<()> {
    record_audit_entries(connection, std::slice::from_ref(audit_entry)).await
}

pub async fn record_audit_entries(
    connection: &mut PgConnection,
    audit_entries: &[NewAuditEntry<'_>],
) -> sqlx::Result<()> {
    store::insert_audit_entries(connection, audit_entries).await?;
    for audit_entry in audit_entries {
        if let Some(what) = security_event_for(audit_entry.action) {
            let details = json!({ "action": audit_entry.action });
            security_log::record(connection, what, Actor::Seller(audit_entry.seller), audit_entry.object, &details)
                .await?;
        }
    }
    Ok(())
}

/// Maps the actions that also belong in the security log to their event kind.
fn security_event_for(action: &str) -> Option<SecurityEventKind> {
    match action {
        "payment.refund" => Some(SecurityEventKind::Refunded),
        "shop.settings" => Some(SecurityEventKind::SettingsChanged),
        action if action.ends_with(".export") => Some(SecurityEventKind::Exported),
        _ => None,
    }
}

pub struct AuditPage {
    pub rows: Vec<AuditEntry>,
    pub next_cursor: Option<String>,
}

/// Lists entries, newest first; `search` matches part of the seller, the action or the object.
pub async fn list_audit_entries(
    app: &App,
    search: &str,
    cursor: Option<&str>,
    limit: Option<u16>,
) -> Result<AuditPage, SellerError> {
    let limit = limit.unwrap_or(DEFAULT_PAGE_SIZE).clamp(1, MAX_PAGE_SIZE);
    let before = db::parse_cursor(cursor, i64::MAX).ok_or(SellerError::BadCursor)?;
    let search = db::clean_search(search);
    let rows_to_fetch = i64::from(limit) + 1;
    let mut rows = if search.is_empty() {
        store::list_audit_entries(&app.db.main, before, rows_to_fetch).await?
    } else {
        let pattern = db::like_pattern(search.trim_start_matches('#'));
        let who = store::find_sellers_matching(&app.db.main, &pattern).await?;
        store::search_audit_entries(&app.db.search, &pattern, &who, before, rows_to_fetch).await?
    };
    let next_cursor = db::truncate_page(&mut rows, limit).map(|last| last.id.clone());
    Ok(AuditPage { rows, next_cursor })
}
