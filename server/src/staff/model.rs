//! The entries of the audit log, as they are written and as they are read.

use chrono::{DateTime, Utc};
use uuid::Uuid;

/// A seller's action: `action` is a dotted name such as `product.update`, `object` the id of the changed thing, and
/// `about` its readable name.
pub struct NewAuditEntry<'a> {
    pub seller: Uuid,
    pub action: &'a str,
    pub object: &'a str,
    pub about: &'a str,
    pub before: &'a str,
    pub after: &'a str,
}

/// A stored entry with the name of its seller.
pub struct AuditEntry {
    pub id: String,
    pub at: DateTime<Utc>,
    pub seller: String,
    pub action: String,
    pub object: String,
    pub about: String,
    pub before: String,
    pub after: String,
}
