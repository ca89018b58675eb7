//! Adding, changing and deleting addresses.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Address, AddressError, AddressInput, format_line};
use super::store;
use crate::accounts::{self, DefaultAddressUpdate};
use crate::platform::ids::UserId;
use crate::platform::state::App;
use crate::platform::{contact, numerals, throttle};

const MAX_ADDRESSES: i64 = 20;
const MAX_FIELD_LENGTH: usize = 200;

fn trim_input(input: &AddressInput) -> AddressInput {
    AddressInput {
        address: contact::normalize_whitespace(&input.address),
        phone: contact::normalize_whitespace(&input.phone),
        street: contact::normalize_whitespace(&input.street),
        city: contact::normalize_whitespace(&input.city),
        state: contact::normalize_whitespace(&input.state),
        country: contact::normalize_whitespace(&input.country),
        pincode: numerals::to_latin_digits(&contact::normalize_whitespace(&input.pincode)),
        district: contact::normalize_whitespace(&input.district),
        municipality: contact::normalize_whitespace(&input.municipality),
        ward: numerals::to_latin_digits(&contact::normalize_whitespace(&input.ward)),
        landmark: contact::normalize_whitespace(&input.landmark),
        is_default: input.is_default,
    }
}

/// Returns the input trimmed, or an error unless it is complete and the phone number is valid.
fn validate_input(input: &AddressInput) -> Result<AddressInput, AddressError> {
    let input = trim_input(input);
    let required =
        [&input.address, &input.phone, &input.street, &input.city, &input.state, &input.country, &input.pincode];
    if required.iter().any(|field| field.is_empty()) {
        return Err(AddressError::FieldsMissing);
    }
    let optional = [&input.district, &input.municipality, &input.ward, &input.landmark];
    if required.iter().chain(&optional).any(|field| field.chars().count() > MAX_FIELD_LENGTH) {
        return Err(AddressError::FieldTooLong);
    }
    // The one-line address appears in emails about orders.
    if required.iter().chain(&optional).any(|field| contact::has_link(field)) {
        return Err(AddressError::LinkInText);
    }
    let phone = contact::parse_phone(&input.phone).ok_or(AddressError::PhoneInvalid)?;
    Ok(AddressInput { phone, ..input })
}

/// Returns the address whose one-line form is `line`. If only the street differs, the other parts stay; otherwise the
/// line becomes the street, and the parts that it no longer agrees with are cleared.
fn apply_line(input: &AddressInput, line: &str) -> AddressInput {
    if format_line(input) == line {
        return input.clone();
    }
    let rest = format_line(&AddressInput { street: String::new(), ..input.clone() });
    if let Some(street) = line.strip_suffix(rest.as_str()).and_then(|start| start.strip_suffix(", ")) {
        let moved = AddressInput { street: street.to_owned(), ..input.clone() };
        if format_line(&moved) == line {
            return moved;
        }
    }
    AddressInput {
        address: input.address.clone(),
        phone: input.phone.clone(),
        street: line.to_owned(),
        is_default: input.is_default,
        ..AddressInput::default()
    }
}

async fn throttle_edits(app: &App, user: UserId, now: DateTime<Utc>) -> Result<(), AddressError> {
    let limit = app.config.rate_limits.edits_per_minute;
    Ok(throttle::check_limit(&app.db.main, "edit", &user.to_string(), limit, Duration::from_mins(1), now).await?)
}

pub async fn list_addresses(app: &App, user: UserId) -> Result<Vec<Address>, AddressError> {
    let mut connection = app.db.main.acquire().await?;
    Ok(store::list(&mut connection, user).await?)
}

/// Returns the address with exactly this one-line form, for orders from clients that know only the profile's line.
pub async fn find_address_by_line(
    connection: &mut PgConnection,
    user: UserId,
    line: &str,
) -> sqlx::Result<Option<Address>> {
    let listed = store::list(connection, user).await?;
    Ok(listed.into_iter().find(|address| address.line == line))
}

/// Returns one address of the shopper, for an order to be delivered there.
pub async fn find_address(connection: &mut PgConnection, user: UserId, id: Uuid) -> sqlx::Result<Option<Address>> {
    let listed = store::list(connection, user).await?;
    Ok(listed.into_iter().find(|address| address.id == id))
}

/// Returns the shopper's default address, if there is one.
pub async fn find_default_address(connection: &mut PgConnection, user: UserId) -> sqlx::Result<Option<Address>> {
    let listed = store::list(connection, user).await?;
    Ok(listed.into_iter().find(|address| address.is_default))
}

pub async fn add_address(app: &App, user: UserId, input: AddressInput) -> Result<Address, AddressError> {
    let input = validate_input(&input)?;
    let now = app.clock.now();
    throttle_edits(app, user, now).await?;
    let mut tx = app.db.main.begin().await?;
    // Requests from two tabs take turns, so that there is one default and the limit holds.
    accounts::lock_user(&mut tx, user).await?;
    let count = store::count(&mut tx, user).await?;
    if count >= MAX_ADDRESSES {
        return Err(AddressError::TooMany);
    }
    let is_default = count == 0 || input.is_default != Some(false);
    if is_default {
        store::clear_default(&mut tx, user).await?;
    }
    let id = Uuid::now_v7();
    store::insert(&mut tx, id, user, &input, is_default, now).await?;
    commit_and_find(tx, user, id, now).await
}

pub async fn update_address(app: &App, user: UserId, id: Uuid, input: AddressInput) -> Result<Address, AddressError> {
    let now = app.clock.now();
    throttle_edits(app, user, now).await?;
    let mut tx = app.db.main.begin().await?;
    accounts::lock_user(&mut tx, user).await?;
    let stored = find_address(&mut tx, user, id).await?.ok_or(AddressError::NotFound)?;
    // An address that was created from the profile's line is incomplete; it can still become the default unchanged.
    let unchanged = AddressInput { is_default: None, ..trim_input(&input) } == stored.to_input();
    let input = if unchanged { input } else { validate_input(&input)? };
    if input.is_default == Some(true) {
        store::clear_default(&mut tx, user).await?;
    }
    store::update(&mut tx, id, user, &input, now).await?;
    commit_and_find(tx, user, id, now).await
}

pub async fn delete_address(app: &App, user: UserId, id: Uuid) -> Result<(), AddressError> {
    let mut tx = app.db.main.begin().await?;
    accounts::lock_user(&mut tx, user).await?;
    if !store::delete(&mut tx, id, user).await? {
        return Err(AddressError::NotFound);
    }
    store::ensure_default(&mut tx, user).await?;
    sync_profile_line(&mut tx, user, app.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

async fn commit_and_find(
    mut tx: sqlx::PgTransaction<'_>,
    user: UserId,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<Address, AddressError> {
    let listed = sync_profile_line(&mut tx, user, now).await?;
    tx.commit().await?;
    listed.into_iter().find(|address| address.id == id).ok_or(AddressError::NotFound)
}

/// Sets the profile's address line to the default address, or clears it if the address book is empty.
async fn sync_profile_line(
    connection: &mut PgConnection,
    user: UserId,
    now: DateTime<Utc>,
) -> Result<Vec<Address>, AddressError> {
    let listed = store::list(connection, user).await?;
    let default = listed.iter().find(|address| address.is_default);
    accounts::set_address(connection, user, default.map_or("", |address| &address.line), now).await?;
    Ok(listed)
}

/// Writes the line of a saved profile into the default address, in the same transaction. If that address has the old
/// phone number of the profile, it gets the new one, so that the rider does not call a number that the shopper no
/// longer has.
pub async fn sync_default_address(
    connection: &mut PgConnection,
    user: UserId,
    edit: &DefaultAddressUpdate<'_>,
) -> sqlx::Result<()> {
    accounts::lock_user(connection, user).await?;
    store::ensure_default(connection, user).await?;
    let default = store::list(connection, user).await?.into_iter().find(|address| address.is_default);
    let Some(default) = default else {
        let input = AddressInput { street: edit.line.to_owned(), ..AddressInput::default() };
        return store::insert(connection, Uuid::now_v7(), user, &input, true, edit.now).await;
    };
    let before = default.to_input();
    let mut input = apply_line(&before, edit.line);
    if input.phone == edit.old_phone {
        edit.phone.clone_into(&mut input.phone);
    }
    if input != before {
        store::update(connection, default.id, user, &input, edit.now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sample_input() -> AddressInput {
        AddressInput {
            address: "Home".to_owned(),
            phone: "९८०-१२३४५६७".to_owned(),
            street: " Mitra  Marg ".to_owned(),
            city: "Kathmandu".to_owned(),
            state: "Bagmati".to_owned(),
            country: "Nepal".to_owned(),
            pincode: "४४६००".to_owned(),
            municipality: "kathmandu".to_owned(),
            ward: "१०".to_owned(),
            ..AddressInput::default()
        }
    }

    #[test]
    fn the_line_says_everything_once() {
        let input = validate_input(&sample_input()).unwrap();

        assert_eq!(format_line(&input), "Mitra Marg, Ward 10, kathmandu, Bagmati 44600, Nepal");
        assert_eq!(input.phone, "9801234567");
    }

    #[test]
    fn a_place_in_two_spellings_is_named_once() {
        let input = AddressInput {
            street: "मित्र मार्ग".to_owned(),
            city: "काठमाडौं".to_owned(),
            state: "बागमती".to_owned(),
            municipality: "काठमाडौँ".to_owned(),
            district: "काठमाडौं".to_owned(),
            ..validate_input(&sample_input()).unwrap()
        };

        assert_eq!(format_line(&input), "मित्र मार्ग, Ward 10, काठमाडौँ, बागमती 44600, Nepal");
    }

    #[test]
    fn an_edited_street_keeps_the_other_parts() {
        let input = AddressInput { municipality: String::new(), ..validate_input(&sample_input()).unwrap() };

        let moved = apply_line(&input, "Mitra Marg 12, blue gate, Ward 10, Kathmandu, Bagmati 44600, Nepal");

        assert_eq!(moved, AddressInput { street: "Mitra Marg 12, blue gate".to_owned(), ..input });
    }

    #[test]
    fn an_edited_place_clears_the_parts_that_no_longer_agree() {
        let input = validate_input(&sample_input()).unwrap();

        for line in ["Lakeside 6, Pokhara", "Ward 10, kathmandu, Bagmati 44600, Nepal", "Mitra Marg"] {
            let moved = apply_line(&input, line);
            let phone = input.phone.clone();
            assert_eq!(
                moved,
                AddressInput { address: "Home".to_owned(), phone, street: line.to_owned(), ..AddressInput::default() },
                "{line}"
            );
            assert_eq!(format_line(&moved), line);
        }
    }

    #[test]
    fn each_of_the_seven_is_wanted() {
        type Field = fn(&mut AddressInput) -> &mut String;
        let fields: [Field; 7] = [
            |e| &mut e.address,
            |e| &mut e.phone,
            |e| &mut e.street,
            |e| &mut e.city,
            |e| &mut e.state,
            |e| &mut e.country,
            |e| &mut e.pincode,
        ];
        for field in fields {
            let mut gap = sample_input();
            "  ".clone_into(field(&mut gap));
            assert!(matches!(validate_input(&gap), Err(AddressError::FieldsMissing)));
        }
    }
}
