//! Updating the shopper's profile.

use std::time::Duration;

use bytes::Bytes;
use chrono::{DateTime, Utc};
use http::HeaderMap;
use sqlx::PgConnection;

use super::links::{self, CONFIRM_EMAIL, LinkRequest};
use super::model::UserRow;
use super::register::MAX_NAME_LENGTH;
use super::store::PictureChange;
use super::{AccountError, load_user, passwords, record, store};
use crate::media::{self, PicturePurpose};
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::personal_data::DbFuture;
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::sessions::Session;
use crate::platform::state::App;
use crate::platform::{contact, throttle};

const MAX_ADDRESS_LENGTH: usize = 300;
/// The record of a change must outlive its link, which is valid for 72 hours from sending and the email may wait in the
/// queue before that.
const EMAIL_CHANGE_LIFETIME: Duration = Duration::from_hours(7 * 24);

pub struct ProfileUpdate<'a> {
    pub name: &'a str,
    pub email: &'a str,
    pub phone: &'a str,
    pub address: &'a str,
    pub photo: Option<Bytes>,
    pub remove_photo: bool,
    /// Required to change the email address, unless the shopper has just logged in.
    pub current_password: &'a str,
}

/// The parts of a saved profile that the address book needs.
pub struct DefaultAddressUpdate<'a> {
    /// The address as one line.
    pub line: &'a str,
    pub old_phone: &'a str,
    pub phone: &'a str,
    pub now: DateTime<Utc>,
}

/// Writes the profile's address line into the default entry of the address book. The module `addresses` depends on this
/// one, so `app.rs` passes its function in.
#[derive(Clone, Copy)]
pub struct DefaultAddressHook(
    pub for<'a> fn(&'a mut PgConnection, UserId, &'a DefaultAddressUpdate<'a>) -> DbFuture<'a, ()>,
);

/// Saves the profile. A new email address takes effect when the link sent to it is opened. Until then the old address
/// stays valid, and its owner gets an email about the change. Saving the old address again cancels the change.
pub async fn update(
    app: &App,
    session: &Session<UserId>,
    edit: ProfileUpdate<'_>,
    address_hook: DefaultAddressHook,
    headers: &HeaderMap,
) -> Result<UserRow, AccountError> {
    let user = session.person;
    let name = edit.name.trim();
    let address = contact::normalize_whitespace(edit.address);
    if name.is_empty() {
        return Err(AccountError::NameRequired);
    }
    let email = contact::parse_email(edit.email).ok_or(AccountError::EmailInvalid)?;
    let phone = contact::parse_mobile(edit.phone).ok_or(AccountError::PhoneInvalid)?;
    if address.is_empty() {
        return Err(AccountError::AddressRequired);
    }
    if name.chars().count() > MAX_NAME_LENGTH {
        return Err(AccountError::FieldTooLong);
    }
    if contact::has_link(name) || contact::has_link(&address) {
        return Err(AccountError::LinkInText);
    }
    let now = app.clock.now();
    let limits = &app.config.rate_limits;
    let a_minute = Duration::from_mins(1);
    throttle::check_limit(&app.db.main, "edit", &user.to_string(), limits.edits_per_minute, a_minute, now).await?;
    let known = store::find_credentials(&app.db.main, user).await?.ok_or(AccountError::SignedOut)?;
    let is_pending = |pending: Option<&str>| pending.is_some_and(|pending| pending.eq_ignore_ascii_case(&email));
    if !known.email.eq_ignore_ascii_case(&email) && !is_pending(known.pending_email.as_deref()) {
        passwords::require_recent_login_or_password(app, session, &known, Some(edit.current_password), now).await?;
        // The limit comes before the check whether the address is taken, so that addresses cannot be probed one after
        // another.
        passwords::check_confirmation_limit(app, user, now).await?;
        if store::is_email_taken(&app.db.main, &email, Some(user), now).await? {
            return Err(AccountError::EmailTaken);
        }
    }
    let photo = match edit.photo {
        Some(photo) => {
            let day = Duration::from_hours(24);
            throttle::check_limit(&app.db.main, "picture", &user.to_string(), limits.pictures_per_day, day, now)
                .await?;
            Some(media::accept_upload(app, photo, PicturePurpose::Avatar).await?)
        }
        None => None,
    };
    let language = Language::from_headers(headers);

    let mut tx = app.db.main.begin().await?;
    let before = store::lock(&mut tx, user).await?.ok_or(AccountError::SignedOut)?;
    if before.email != known.email || before.pending_email != known.pending_email {
        // The address was confirmed or the change cancelled since the checks above, so they no longer apply.
        return Err(AccountError::AccountChanged);
    }
    let changes_email = !before.email.eq_ignore_ascii_case(&email);
    let asks_again = is_pending(before.pending_email.as_deref());
    // The line of an address book entry may be longer than this limit; it is accepted as long as it is unchanged.
    if address != before.address && address.chars().count() > MAX_ADDRESS_LENGTH {
        return Err(AccountError::FieldTooLong);
    }
    let profile = store::ProfileChanges {
        name,
        phone: &phone,
        address: &address,
        pending_email: changes_email.then_some(email.as_str()),
        picture: match (&photo, edit.remove_photo) {
            (Some(key), _) => PictureChange::Replace(key),
            (None, true) => PictureChange::Remove,
            (None, false) => PictureChange::Keep,
        },
        language: language.code(),
        now,
    };
    store::update_profile(&mut tx, user, &profile).await?;
    if before.pending_email.is_some() && !asks_again {
        store::delete_links(&mut tx, user, &[CONFIRM_EMAIL]).await?;
        if !changes_email {
            record(&mut tx, SecurityEventKind::EmailChangeCancelled, Actor::Shopper(user), user).await?;
        }
    }
    let edit = DefaultAddressUpdate { line: &address, old_phone: &before.phone, phone: &phone, now };
    (address_hook.0)(&mut tx, user, &edit).await?;
    if changes_email && !asks_again {
        record(&mut tx, SecurityEventKind::EmailChangeRequested, Actor::Shopper(user), user).await?;
        let change =
            store::insert_email_change(&mut tx, user, &before.email, &email, EMAIL_CHANGE_LIFETIME, now).await?;
        links::send_link(&mut tx, LinkRequest::CancelEmailChange { change }).await?;
        links::send_link(&mut tx, LinkRequest::ConfirmEmail { user, email }).await?;
    }
    let saved = load_user(&mut tx, user).await?;
    tx.commit().await?;
    Ok(saved)
}
