//! A session as the rest of the server sees it.

use uuid::Uuid;

use crate::platform::api_error::ApiError;
use crate::platform::ids::UserId;
use crate::platform::permissions::{Permission, Role};

/// `Person` is the type of the account's id: `UserId` for a shopper.
#[derive(Debug, Clone)]
pub struct Session<Person = Uuid> {
    pub id: Uuid,
    pub person: Person,
    /// The person logged in a moment ago, as sensitive calls require.
    pub is_fresh: bool,
    /// The token is old enough to be rotated.
    pub rotation_due: bool,
}

impl Session {
    pub(super) fn into_shopper(self) -> Session<UserId> {
        let Self { id, person, is_fresh, rotation_due } = self;
        Session { id, person: UserId(person), is_fresh, rotation_due }
    }
}

/// The session of a person who works in the shop.
#[derive(Debug, Clone)]
pub struct StaffSession {
    pub session: Session,
    pub role: Role,
    /// The session began with a temporary password and may only be used to change it.
    pub must_change_password: bool,
    pub second_factor: SecondFactor,
    pub device: DeviceState,
}

/// Whether a session has proved the second factor.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecondFactor {
    Unproved,
    /// At the login or later.
    Proved,
    /// A moment ago, as sensitive calls require.
    Fresh,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DeviceState {
    Ordinary,
    /// The device is remembered and locks itself with a PIN.
    Remembered,
    /// The device is remembered and locked now.
    Locked,
}

impl StaffSession {
    /// Refuses what the role does not allow, or allows only with a fresh second factor.
    pub fn check(&self, permission: Permission) -> Result<(), ApiError> {
        permission.check(self.role, self.has_fresh_second_factor())
    }

    pub fn has_fresh_second_factor(&self) -> bool {
        self.second_factor == SecondFactor::Fresh
    }

    pub fn is_remembered(&self) -> bool {
        self.device != DeviceState::Ordinary
    }
}

impl std::ops::Deref for StaffSession {
    type Target = Session;

    fn deref(&self) -> &Session {
        &self.session
    }
}
