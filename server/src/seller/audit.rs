//! Who changed what. Every action of a seller writes a row in its own transaction. Owns the table `audit_log`.

use sqlx::PgConnection;
use uuid::Uuid;

use super::store;

/// What a seller did to a thing: `action` is `room.what`, `object` the thing's id.
pub struct Deed<'a> {
    pub seller: Uuid,
    pub action: &'a str,
    pub object: &'a str,
    pub before: &'a str,
    pub after: &'a str,
}

pub async fn note(connection: &mut PgConnection, deed: &Deed<'_>) -> sqlx::Result<()> {
    store::note(connection, deed).await
}
