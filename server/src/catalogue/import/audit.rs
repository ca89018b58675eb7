//! The entries of imports in the audit log.

use sqlx::PgConnection;
use uuid::Uuid;

use crate::catalogue::model::ImportState;
use crate::staff::{self, NewAuditEntry};

/// Records that an import changed its state; a new import had none before.
pub async fn record_import_change(
    connection: &mut PgConnection,
    seller: Uuid,
    import: Uuid,
    file_name: &str,
    before: Option<ImportState>,
    after: ImportState,
) -> sqlx::Result<()> {
    let audit_entry = NewAuditEntry {
        seller,
        action: "product.import",
        object: &import.to_string(),
        about: file_name,
        before: before.map_or("", ImportState::name),
        after: after.name(),
    };
    staff::record_audit_entry(connection, &audit_entry).await
}
