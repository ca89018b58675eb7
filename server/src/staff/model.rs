//! The people who work in the shop, and the entries of the audit log, as they are written and as they are read.

use chrono::{DateTime, Utc};
use uuid::Uuid;

use crate::platform::permissions::Role;

/// What a person who works in the shop sees of their own account.
pub struct Profile {
    pub name: String,
    pub email: String,
    pub role: Role,
    pub has_second_step: bool,
    pub must_change_password: bool,
}

/// A person who works in the shop, as the owner sees them.
pub struct Member {
    pub id: Uuid,
    pub name: String,
    pub email: String,
    pub role: Role,
    pub has_second_step: bool,
    pub is_disabled: bool,
    pub created_at: DateTime<Utc>,
}

/// An invitation that was not accepted yet.
pub struct Invitation {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub role: Role,
    pub invited_by: Uuid,
    pub expires_at: DateTime<Utc>,
}

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
