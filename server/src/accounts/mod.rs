//! Who a shopper is: registering, signing in (by password or through an identity provider), the profile, letters with
//! links, leaving. Owns the tables `users`, `user_identities`, `one_time_links`, `openid_flows`, `openid_identities`.
//!
//! A session itself is the platform's (`platform/sessions`): it knows a person's id and nothing else.

mod google;
mod http;
mod leave;
mod letters;
mod model;
mod profile;
mod register;
mod sign_in;
mod store;

use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

pub use http::routes;
pub use leave::Shares;
pub use model::{AccountError, User};

use crate::platform::sessions::{self, Kind};

/// The one-line address of the profile follows the default of the address book.
pub async fn set_address(connection: &mut PgConnection, user: Uuid, line: &str) -> sqlx::Result<()> {
    store::set_address(connection, user, line).await
}

/// Who a shopper is to other rooms.
pub struct Person {
    pub name: String,
    pub email: String,
    pub phone: String,
}

pub async fn person(connection: &mut PgConnection, user: Uuid) -> sqlx::Result<Option<Person>> {
    let found = store::find(connection, user).await?;
    Ok(found.map(|row| Person { name: row.name, email: row.email, phone: row.phone }))
}

/// Which of these pictures are somebody's photo.
pub async fn pictures_in_use(db: &PgPool, keys: &[String]) -> sqlx::Result<Vec<String>> {
    store::pictures_in_use(db, keys).await
}

/// Deletes links and sign-ins whose time is over.
pub async fn tidy(db: &PgPool) -> sqlx::Result<u64> {
    store::tidy(db).await
}

/// The user as the contract shows it.
async fn load(connection: &mut PgConnection, id: Uuid) -> Result<User, AccountError> {
    // A session whose account is gone is no session.
    store::find(connection, id).await?.map(User::from).ok_or(AccountError::SignedOut)
}

/// Ends every session of a person but one.
async fn end_sessions(connection: &mut PgConnection, user: Uuid, keep: Option<Uuid>) -> sqlx::Result<()> {
    sessions::end_all(connection, Kind::Shopper, user, keep).await
}
