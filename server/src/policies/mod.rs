//! The shop's policy pages (privacy, terms, returns, delivery) and the text of the about page, with all their versions,
//! and which versions a shopper agreed to at sign-up. Owns the tables `policy_versions` and `policy_consents`.
//!
//! A page that nobody has edited shows its template, filled with the shop's settings (decision 075).

mod edit;
mod http;
mod model;
mod page;
mod store;
mod template;

pub use http::{PolicyPageResponse, routes};
pub use model::PolicyKind;

use chrono::{DateTime, Utc};
use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::accounts::ConsentHook;
use crate::platform::ids::UserId;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};
use crate::platform::state::App;

/// Exports the policies that a shopper agreed to. They stay when the account is deleted, as evidence; the account's row
/// then names nobody.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "policyConsents", export, erase };

/// The function that `accounts` calls when an account is created.
pub const CONSENT_HOOK: ConsentHook = ConsentHook(record_consent);

/// Loads a page as its readers see it.
pub async fn load_page(app: &App, kind: PolicyKind) -> sqlx::Result<PolicyPageResponse> {
    Ok(page::load(app, kind).await?.into())
}

fn record_consent(connection: &mut PgConnection, user: UserId, now: DateTime<Utc>) -> DbFuture<'_, ()> {
    let agreed = PolicyKind::AGREED_TO.map(|kind| kind.name().to_owned());
    Box::pin(async move { store::insert_consents(connection, user, &agreed, now).await })
}

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let consents = store::list_consents(connection, user).await?;
        Ok(json!(consents.into_iter().map(http::ConsentResponse::from).collect::<Vec<_>>()))
    })
}

fn erase(_connection: &mut PgConnection, _user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async { Ok(()) })
}
