//! The profile: what a shopper may change about himself.

use std::time::Duration;

use bytes::Bytes;
use http::HeaderMap;
use uuid::Uuid;

use super::register::LONGEST_NAME;
use super::store::Picture;
use super::{AccountError, User, letters, load, store};
use crate::media::{self, Shape};
use crate::notifications::{self, Letter, Recipient};
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::platform::{contact, guard};

const LONGEST_ADDRESS: usize = 300;

pub struct Edit<'a> {
    pub name: &'a str,
    pub email: &'a str,
    pub phone: &'a str,
    pub address: &'a str,
    pub photo: Option<Bytes>,
    pub remove_photo: bool,
}

/// Saves the profile. A new e-mail address takes effect when the link sent to it is opened; until then the old one stays
/// the key to the account, and hears that somebody wants to change it.
pub async fn update(app: &App, user: Uuid, edit: Edit<'_>, headers: &HeaderMap) -> Result<User, AccountError> {
    let name = edit.name.trim();
    let address = edit.address.trim();
    if name.is_empty() {
        return Err(AccountError::NameRequired);
    }
    let email = contact::email(edit.email).ok_or(AccountError::EmailInvalid)?;
    let phone = contact::phone(edit.phone).ok_or(AccountError::PhoneInvalid)?;
    if address.is_empty() {
        return Err(AccountError::AddressRequired);
    }
    if name.chars().count() > LONGEST_NAME || address.chars().count() > LONGEST_ADDRESS {
        return Err(AccountError::FieldTooLong);
    }
    let limits = &app.config.rate;
    guard::count(&app.db.main, "edit", &user.to_string(), limits.edits_per_minute, Duration::from_mins(1)).await?;
    let known = store::credentials_of(&app.db.main, user).await?.ok_or(AccountError::SignedOut)?;
    let changes_email = !known.email.eq_ignore_ascii_case(&email);
    if changes_email && store::email_taken(&app.db.main, &email, Some(user)).await? {
        return Err(AccountError::EmailTaken);
    }
    let photo = match edit.photo {
        Some(photo) => {
            let day = Duration::from_hours(24);
            guard::count(&app.db.main, "picture", &user.to_string(), limits.pictures_per_day, day).await?;
            Some(media::accept(app, photo, Shape::Avatar).await?)
        }
        None => None,
    };
    let language = Language::of(headers);

    let mut tx = app.db.main.begin().await?;
    let before = load(&mut tx, user).await?;
    let asks_again = before.pending_email.as_deref().is_some_and(|pending| pending.eq_ignore_ascii_case(&email));
    let profile = store::Profile {
        name,
        phone: &phone,
        address,
        pending_email: changes_email.then_some(email.as_str()),
        picture: match (&photo, edit.remove_photo) {
            (Some(key), _) => Picture::Replace(key),
            (None, true) => Picture::Remove,
            (None, false) => Picture::Keep,
        },
        language: language.code(),
    };
    store::update_profile(&mut tx, user, &profile).await?;
    if changes_email && !asks_again {
        letters::ask_to_confirm(app, &mut tx, user, &email, name, language).await?;
        let old = Recipient { email: known.email, name: name.to_owned(), language };
        notifications::send(&mut tx, &old, &Letter::EmailChanging { new_email: email }).await?;
    }
    let saved = load(&mut tx, user).await?;
    tx.commit().await?;
    Ok(saved)
}
