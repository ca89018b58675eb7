//! Registration of a shopper.

use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use sqlx::PgConnection;

use super::links::{self, LinkRequest};
use super::model::UserRow;
use super::{AccountError, load_user, record, store};
use crate::media::{self, PicturePurpose};
use crate::platform::account_kind::AccountKind;
use crate::platform::contact;
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::personal_data::DbFuture;
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::sessions::{self, LoginKind};
use crate::platform::state::App;

pub const MAX_NAME_LENGTH: usize = 100;

/// Records that a new shopper agreed to the shop's policies, which the forms say beside the button. The module
/// `policies` depends on this one, so `app.rs` passes its function in.
#[derive(Clone, Copy)]
pub struct ConsentHook(pub for<'a> fn(&'a mut PgConnection, UserId, DateTime<Utc>) -> DbFuture<'a, ()>);

pub struct NewShopper<'a> {
    pub name: &'a str,
    pub email: &'a str,
    pub phone: &'a str,
    pub password: &'a str,
    pub photo: Option<Bytes>,
}

/// Registers a shopper and signs in. The address is confirmed later by an email; the account can be used at once.
pub async fn register(
    app: &App,
    new: NewShopper<'_>,
    consent_hook: ConsentHook,
    headers: &HeaderMap,
) -> Result<(UserRow, Vec<HeaderValue>), AccountError> {
    let name = new.name.trim();
    if name.is_empty() || new.email.trim().is_empty() || new.phone.trim().is_empty() || new.password.is_empty() {
        return Err(AccountError::FieldsMissing);
    }
    if name.chars().count() > MAX_NAME_LENGTH {
        return Err(AccountError::FieldTooLong);
    }
    if contact::has_link(name) {
        return Err(AccountError::LinkInText);
    }
    let email = contact::parse_email(new.email).ok_or(AccountError::EmailInvalid)?;
    let phone = contact::parse_phone(new.phone).ok_or(AccountError::PhoneUnusable)?;
    let now = app.clock.now();
    // This check avoids the expensive steps below; the insert decides.
    if store::is_email_taken(&app.db.main, &email, None, now).await? {
        return Err(AccountError::EmailTaken);
    }
    let hash = app.passwords.hash_new(new.password, &[name, &email, &phone]).await?;
    let picture = match new.photo {
        Some(photo) => Some(media::accept_upload(app, photo, PicturePurpose::Avatar).await?),
        None => None,
    };
    let language = Language::from_headers(headers);
    let id = UserId::generate();

    let mut tx = app.db.main.begin().await?;
    let user = store::NewUser {
        id,
        email: &email,
        email_confirmed: false,
        name,
        phone: &phone,
        picture: picture.as_deref(),
        password_hash: Some(&hash),
        language: language.code(),
        now,
    };
    if !store::insert(&mut tx, &user).await? {
        return Err(AccountError::EmailTaken);
    }
    (consent_hook.0)(&mut tx, id, now).await?;
    record(&mut tx, SecurityEventKind::AccountCreated, Actor::Shopper(id), id).await?;
    let cookies = sessions::begin(&mut tx, AccountKind::Shopper, id.0, headers, LoginKind::Fresh, now).await?;
    links::send_link(&mut tx, LinkRequest::ConfirmEmail { user: id, email }).await?;
    let user = load_user(&mut tx, id).await?;
    tx.commit().await?;
    Ok((user, cookies))
}
