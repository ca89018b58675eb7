//! Where to deliver: a shopper's address book. Owns the table `addresses`. The profile's address line and the default
//! entry are one (decision 048): whichever is edited, the other follows in the same transaction.

mod book;
mod http;
mod store;

pub use book::{Address, AddressError, find, find_by_line};
pub use http::routes;

use serde_json::{Value, json};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::accounts::{AddressBook, ProfileEdit};
use crate::platform::personal::{Share, Work};

/// What the address book knows of a person.
pub const PERSONAL: Share = Share { name: "addresses", read, forget };

/// Called by `accounts` when the profile is saved.
pub const BOOK: AddressBook = AddressBook(follow);

fn follow<'a>(connection: &'a mut PgConnection, user: Uuid, edit: &'a ProfileEdit<'a>) -> Work<'a, ()> {
    Box::pin(book::follow_profile(connection, user, edit))
}

fn read(connection: &mut PgConnection, user: Uuid) -> Work<'_, Value> {
    Box::pin(async move { Ok(json!(store::list(connection, user).await?)) })
}

fn forget(connection: &mut PgConnection, user: Uuid) -> Work<'_, ()> {
    Box::pin(async move { store::delete_all(connection, user).await })
}
