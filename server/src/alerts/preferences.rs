//! The channels that people choose, and the links that turn emails off.

use std::time::Duration;

use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{AlertError, Preference, PreferenceKind, Unsubscribe};
use super::store;
use crate::platform::account_kind::AccountKind;
use crate::platform::contact;
use crate::platform::ids::UserId;
use crate::platform::state::App;
use crate::platform::throttle;

const A_MINUTE: Duration = Duration::from_mins(1);

pub async fn load_preference(
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    about: PreferenceKind,
) -> sqlx::Result<Preference> {
    let rows = store::list_preferences(connection, kind, &[person]).await?;
    let found = rows.into_iter().find(|row| row.kind == about.name());
    Ok(found.map_or_else(Preference::default, |row| Preference {
        push: row.push,
        email: row.email,
        sms: row.sms,
        phone: row.phone,
    }))
}

/// Saves what a person has chosen. A phone number must be a mobile number; an empty one turns text messages off.
pub async fn save_preference(
    app: &App,
    kind: AccountKind,
    person: Uuid,
    about: PreferenceKind,
    mut wanted: Preference,
) -> Result<Preference, AlertError> {
    let (limit, now) = (app.config.rate_limits.edits_per_minute, app.clock.now());
    throttle::check_limit(&app.db.main, "edit", &person.to_string(), limit, A_MINUTE, now).await?;
    if !wanted.phone.trim().is_empty() {
        wanted.phone = contact::parse_nepali_mobile(&wanted.phone).ok_or(AlertError::PhoneInvalid)?;
    } else if wanted.sms {
        return Err(AlertError::PhoneInvalid);
    }
    let mut connection = app.db.main.acquire().await?;
    store::save_preference(&mut connection, kind, person, about, &wanted).await?;
    Ok(wanted)
}

/// The links of an email that turn off further ones of its kind.
pub async fn load_unsubscribe(
    app: &App,
    connection: &mut PgConnection,
    kind: AccountKind,
    person: Uuid,
    about: PreferenceKind,
) -> sqlx::Result<Unsubscribe> {
    let token = store::load_unsubscribe_token(connection, kind, person, about, &Preference::default()).await?;
    let public_url = &app.config.public_url;
    Ok(Unsubscribe {
        one_click: format!("{public_url}/api/alerts/unsubscribe?token={token}"),
        page: format!("{public_url}/unsubscribe#token={token}"),
    })
}

/// Returns the links for an email about a change of an order, or `None` if the shopper does not want such emails.
pub async fn unsubscribe_for_order_updates(
    app: &App,
    connection: &mut PgConnection,
    user: UserId,
) -> sqlx::Result<Option<Unsubscribe>> {
    let about = PreferenceKind::OrderUpdates;
    let preference = load_preference(connection, AccountKind::Shopper, user.0, about).await?;
    if !preference.email {
        return Ok(None);
    }
    load_unsubscribe(app, connection, AccountKind::Shopper, user.0, about).await.map(Some)
}

/// Turns the messages about products in stock again on for a shopper who asks for one, and may have turned them off.
pub async fn allow_back_in_stock(connection: &mut PgConnection, user: UserId) -> sqlx::Result<()> {
    store::allow(connection, AccountKind::Shopper, user.0, PreferenceKind::BackInStock).await
}

/// Turns off the emails that a link belongs to. It works without a login and any number of times.
pub async fn unsubscribe(app: &App, token: &str) -> Result<(), AlertError> {
    let token: Uuid = token.parse().map_err(|_| AlertError::LinkInvalid)?;
    let found = store::turn_off_emails(&app.db.main, token).await?;
    if found { Ok(()) } else { Err(AlertError::LinkInvalid) }
}
