//! A session as the rest of the server sees it.

use uuid::Uuid;

#[derive(Debug, Clone)]
pub struct Session {
    pub id: Uuid,
    pub person: Uuid,
    /// The person logged in a moment ago, as sensitive calls require.
    pub is_fresh: bool,
    /// The token is old enough to be rotated.
    pub rotation_due: bool,
    /// The session began with a temporary password and may only be used to change it.
    pub must_change_password: bool,
}
