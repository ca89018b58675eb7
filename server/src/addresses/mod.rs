//! A shopper's address book. Owns the table `addresses`. The profile's address line is the default address (decision
//! 048): when one is edited, the other follows in the same transaction.

mod address_book;
mod http;
mod model;
mod store;

pub use address_book::{find_address, find_address_by_line, find_default_address};
pub use http::routes;
pub use model::{Address, AddressError};

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::accounts::{DefaultAddressHook, DefaultAddressUpdate};
use crate::platform::ids::UserId;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// Exports and erases the addresses of a shopper.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "addresses", export, erase };

/// The function that `accounts` calls when a profile is saved.
pub const DEFAULT_ADDRESS_HOOK: DefaultAddressHook = DefaultAddressHook(sync_default_address);

fn sync_default_address<'a>(
    connection: &'a mut PgConnection,
    user: UserId,
    edit: &'a DefaultAddressUpdate<'a>,
) -> DbFuture<'a, ()> {
    Box::pin(address_book::sync_default_address(connection, user, edit))
}

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let addresses = store::list(connection, user).await?.into_iter().map(http::AddressResponse::from);
        Ok(json!(addresses.collect::<Vec<_>>()))
    })
}

fn erase(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async move { store::delete_all(connection, user).await })
}
