//! A session as the rest of the server sees it.

use uuid::Uuid;

use crate::platform::ids::UserId;

/// `Person` is the type of the account's id: `UserId` for a shopper.
#[derive(Debug, Clone)]
pub struct Session<Person = Uuid> {
    pub id: Uuid,
    pub person: Person,
    /// The person logged in a moment ago, as sensitive calls require.
    pub is_fresh: bool,
    /// The token is old enough to be rotated.
    pub rotation_due: bool,
    /// The session began with a temporary password and may only be used to change it.
    pub must_change_password: bool,
}

impl Session {
    pub(super) fn into_shopper(self) -> Session<UserId> {
        let Self { id, person, is_fresh, rotation_due, must_change_password } = self;
        Session { id, person: UserId(person), is_fresh, rotation_due, must_change_password }
    }
}
