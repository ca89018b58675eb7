//! Adding, changing and removing addresses.

use std::time::Duration;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::store;
use crate::accounts::{self, ProfileEdit};
use crate::platform::api_error::ApiError;
use crate::platform::state::App;
use crate::platform::{contact, guard, numerals};

const MOST: i64 = 20;
const LONGEST: usize = 200;

/// As a form sends it: the contract's seven fields, and what a rider in Nepal asks for beside them.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Entry {
    /// A name for the address, like 'Home'.
    #[serde(default)]
    pub address: String,
    #[serde(default)]
    pub phone: String,
    #[serde(default)]
    pub street: String,
    #[serde(default)]
    pub city: String,
    #[serde(default)]
    pub state: String,
    #[serde(default)]
    pub country: String,
    #[serde(default)]
    pub pincode: String,
    #[serde(default)]
    pub district: String,
    #[serde(default)]
    pub municipality: String,
    #[serde(default)]
    pub ward: String,
    #[serde(default)]
    pub landmark: String,
    /// A new address becomes the default unless this says no; a changed one keeps its place unless this says yes.
    pub is_default: Option<bool>,
}

#[derive(Debug, Clone, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct Address {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub address: String,
    pub phone: String,
    pub street: String,
    pub city: String,
    pub state: String,
    pub country: String,
    pub pincode: String,
    pub district: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
    pub is_default: bool,
    /// The whole on one line, as the profile and an order carry it.
    pub line: String,
}

#[derive(Debug, thiserror::Error)]
pub enum AddressError {
    #[error("Please fill in all fields.")]
    FieldsMissing,
    #[error("Please keep it shorter.")]
    FieldTooLong,
    #[error("Please leave out web addresses. If it is not one, put a space after the dot.")]
    LinkInText,
    #[error("Please enter a phone number like 9801234567, 01-4412345 or +977 9801234567.")]
    PhoneInvalid,
    #[error("You have 20 addresses. Please delete one first.")]
    TooMany,
    #[error("Address not found")]
    NotFound,
    #[error("refused below")]
    Refused(ApiError),
    #[error("addresses database")]
    Db(#[from] sqlx::Error),
}

impl Address {
    /// The fields that the shopper can edit.
    fn entry(&self) -> Entry {
        Entry {
            address: self.address.clone(),
            phone: self.phone.clone(),
            street: self.street.clone(),
            city: self.city.clone(),
            state: self.state.clone(),
            country: self.country.clone(),
            pincode: self.pincode.clone(),
            district: self.district.clone(),
            municipality: self.municipality.clone(),
            ward: self.ward.clone(),
            landmark: self.landmark.clone(),
            is_default: None,
        }
    }
}

impl From<ApiError> for AddressError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<AddressError> for ApiError {
    fn from(error: AddressError) -> Self {
        match error {
            AddressError::FieldsMissing => Self::invalid("fields_missing", error),
            AddressError::FieldTooLong => Self::invalid("field_too_long", error),
            AddressError::LinkInText => Self::invalid("link_in_text", error),
            AddressError::PhoneInvalid => Self::invalid("phone_invalid", error),
            AddressError::TooMany => Self::invalid("too_many_addresses", error),
            AddressError::NotFound => Self::not_found("address_not_found", error),
            AddressError::Refused(refusal) => refusal,
            AddressError::Db(cause) => Self::database(&cause),
        }
    }
}

fn trimmed(entry: &Entry) -> Entry {
    Entry {
        address: contact::tidy(&entry.address),
        phone: contact::tidy(&entry.phone),
        street: contact::tidy(&entry.street),
        city: contact::tidy(&entry.city),
        state: contact::tidy(&entry.state),
        country: contact::tidy(&entry.country),
        pincode: numerals::latin(&contact::tidy(&entry.pincode)),
        district: contact::tidy(&entry.district),
        municipality: contact::tidy(&entry.municipality),
        ward: numerals::latin(&contact::tidy(&entry.ward)),
        landmark: contact::tidy(&entry.landmark),
        is_default: entry.is_default,
    }
}

/// Trimmed, complete, with a phone number that can be called.
fn checked(entry: &Entry) -> Result<Entry, AddressError> {
    let entry = trimmed(entry);
    let required =
        [&entry.address, &entry.phone, &entry.street, &entry.city, &entry.state, &entry.country, &entry.pincode];
    if required.iter().any(|field| field.is_empty()) {
        return Err(AddressError::FieldsMissing);
    }
    let optional = [&entry.district, &entry.municipality, &entry.ward, &entry.landmark];
    if required.iter().chain(&optional).any(|field| field.chars().count() > LONGEST) {
        return Err(AddressError::FieldTooLong);
    }
    // The line stands in emails about orders.
    if required.iter().chain(&optional).any(|field| contact::has_link(field)) {
        return Err(AddressError::LinkInText);
    }
    let phone = contact::phone(&entry.phone).ok_or(AddressError::PhoneInvalid)?;
    Ok(Entry { phone, ..entry })
}

/// 'Baneshwor-10, near the temple, Kathmandu, Bagmati 44600, Nepal': what is there, nothing twice.
pub fn one_line(entry: &Entry) -> String {
    let ward = if entry.ward.is_empty() { String::new() } else { format!("Ward {}", entry.ward) };
    let state = format!("{} {}", entry.state, entry.pincode);
    let mut parts: Vec<&str> = Vec::new();
    for part in [
        &entry.street,
        &ward,
        &entry.landmark,
        &entry.municipality,
        &entry.city,
        &entry.district,
        state.trim(),
        &entry.country,
    ] {
        if !part.is_empty() && !parts.iter().any(|there| there.eq_ignore_ascii_case(part)) {
            parts.push(part);
        }
    }
    parts.join(", ")
}

/// The entry whose one-line form is `line`. If only the street differs, the other parts stay; otherwise the line wins:
/// it becomes the street, and the parts that it no longer agrees with are cleared.
fn with_line(entry: &Entry, line: &str) -> Entry {
    if one_line(entry) == line {
        return entry.clone();
    }
    let rest = one_line(&Entry { street: String::new(), ..entry.clone() });
    if let Some(street) = line.strip_suffix(rest.as_str()).and_then(|start| start.strip_suffix(", ")) {
        let moved = Entry { street: street.to_owned(), ..entry.clone() };
        if one_line(&moved) == line {
            return moved;
        }
    }
    Entry {
        address: entry.address.clone(),
        phone: entry.phone.clone(),
        street: line.to_owned(),
        is_default: entry.is_default,
        ..Entry::default()
    }
}

async fn pace(app: &App, user: Uuid, now: DateTime<Utc>) -> Result<(), AddressError> {
    let limit = app.config.rate.edits_per_minute;
    Ok(guard::count(&app.db.main, "edit", &user.to_string(), limit, Duration::from_mins(1), now).await?)
}

pub async fn list(app: &App, user: Uuid) -> Result<Vec<Address>, AddressError> {
    let mut connection = app.db.main.acquire().await?;
    Ok(store::list(&mut connection, user).await?)
}

/// The entry with exactly this one-line form, for an order of a client that knows only the profile's line.
pub async fn find_by_line(connection: &mut PgConnection, user: Uuid, line: &str) -> sqlx::Result<Option<Address>> {
    let listed = store::list(connection, user).await?;
    Ok(listed.into_iter().find(|address| address.line == line))
}

/// One address of a person, for an order that goes there.
pub async fn find(connection: &mut PgConnection, user: Uuid, id: Uuid) -> sqlx::Result<Option<Address>> {
    let listed = store::list(connection, user).await?;
    Ok(listed.into_iter().find(|address| address.id == id))
}

pub async fn add(app: &App, user: Uuid, entry: Entry) -> Result<Address, AddressError> {
    let entry = checked(&entry)?;
    let now = app.clock.now();
    pace(app, user, now).await?;
    let mut tx = app.db.main.begin().await?;
    // Two tabs adding at once take turns, so that there is one default and no more than the limit.
    store::lock_book(&mut tx, user).await?;
    let count = store::count(&mut tx, user).await?;
    if count >= MOST {
        return Err(AddressError::TooMany);
    }
    let is_default = count == 0 || entry.is_default != Some(false);
    if is_default {
        store::clear_default(&mut tx, user).await?;
    }
    let id = Uuid::now_v7();
    store::insert(&mut tx, id, user, &entry, is_default, now).await?;
    finish(tx, user, id, now).await
}

pub async fn change(app: &App, user: Uuid, id: Uuid, entry: Entry) -> Result<Address, AddressError> {
    let now = app.clock.now();
    pace(app, user, now).await?;
    let mut tx = app.db.main.begin().await?;
    store::lock_book(&mut tx, user).await?;
    let stored = find(&mut tx, user, id).await?.ok_or(AddressError::NotFound)?;
    // An entry that came from the profile line is incomplete; it can still become the default as it is.
    let unchanged = Entry { is_default: None, ..trimmed(&entry) } == stored.entry();
    let entry = if unchanged { entry } else { checked(&entry)? };
    if entry.is_default == Some(true) {
        store::clear_default(&mut tx, user).await?;
    }
    store::update(&mut tx, id, user, &entry, now).await?;
    finish(tx, user, id, now).await
}

pub async fn remove(app: &App, user: Uuid, id: Uuid) -> Result<(), AddressError> {
    let mut tx = app.db.main.begin().await?;
    store::lock_book(&mut tx, user).await?;
    if !store::delete(&mut tx, id, user).await? {
        return Err(AddressError::NotFound);
    }
    store::ensure_default(&mut tx, user).await?;
    follow_default(&mut tx, user, app.clock.now()).await?;
    tx.commit().await?;
    Ok(())
}

async fn finish(
    mut tx: sqlx::PgTransaction<'_>,
    user: Uuid,
    id: Uuid,
    now: DateTime<Utc>,
) -> Result<Address, AddressError> {
    let listed = follow_default(&mut tx, user, now).await?;
    tx.commit().await?;
    listed.into_iter().find(|address| address.id == id).ok_or(AddressError::NotFound)
}

/// The profile's line is the default's line, and empty when the book is.
async fn follow_default(
    connection: &mut PgConnection,
    user: Uuid,
    now: DateTime<Utc>,
) -> Result<Vec<Address>, AddressError> {
    let listed = store::list(connection, user).await?;
    let default = listed.iter().find(|address| address.is_default);
    accounts::set_address(connection, user, default.map_or("", |address| &address.line), now).await?;
    Ok(listed)
}

/// The profile was saved: its line becomes the default entry's, in the same transaction. An entry that had the old
/// profile phone gets the new one, because the rider would call a number that the shopper no longer has.
pub async fn follow_profile(connection: &mut PgConnection, user: Uuid, edit: &ProfileEdit<'_>) -> sqlx::Result<()> {
    store::lock_book(connection, user).await?;
    store::ensure_default(connection, user).await?;
    let default = store::list(connection, user).await?.into_iter().find(|address| address.is_default);
    let Some(default) = default else {
        let entry = Entry { street: edit.line.to_owned(), ..Entry::default() };
        return store::insert(connection, Uuid::now_v7(), user, &entry, true, edit.now).await;
    };
    let before = default.entry();
    let mut entry = with_line(&before, edit.line);
    if entry.phone == edit.old_phone {
        edit.phone.clone_into(&mut entry.phone);
    }
    if entry != before {
        store::update(connection, default.id, user, &entry, edit.now).await?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry() -> Entry {
        serde_json::from_value(serde_json::json!({
            "address": "Home", "phone": "९८०-१२३४५६७", "street": " Mitra  Marg ", "city": "Kathmandu",
            "state": "Bagmati", "country": "Nepal", "pincode": "४४६००", "municipality": "kathmandu", "ward": "१०",
        }))
        .unwrap()
    }

    #[test]
    fn the_line_says_everything_once() {
        let entry = checked(&entry()).unwrap();

        assert_eq!(one_line(&entry), "Mitra Marg, Ward 10, kathmandu, Bagmati 44600, Nepal");
        assert_eq!(entry.phone, "9801234567");
    }

    #[test]
    fn an_edited_street_keeps_the_other_parts() {
        let entry = Entry { municipality: String::new(), ..checked(&entry()).unwrap() };

        let moved = with_line(&entry, "Mitra Marg 12, blue gate, Ward 10, Kathmandu, Bagmati 44600, Nepal");

        assert_eq!(moved, Entry { street: "Mitra Marg 12, blue gate".to_owned(), ..entry });
    }

    #[test]
    fn an_edited_place_clears_the_parts_that_no_longer_agree() {
        let entry = checked(&entry()).unwrap();

        for line in ["Lakeside 6, Pokhara", "Ward 10, kathmandu, Bagmati 44600, Nepal", "Mitra Marg"] {
            let moved = with_line(&entry, line);
            let phone = entry.phone.clone();
            assert_eq!(
                moved,
                Entry { address: "Home".to_owned(), phone, street: line.to_owned(), ..Entry::default() },
                "{line}"
            );
            assert_eq!(one_line(&moved), line);
        }
    }

    #[test]
    fn each_of_the_seven_is_wanted() {
        type Field = fn(&mut Entry) -> &mut String;
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
            let mut gap = entry();
            "  ".clone_into(field(&mut gap));
            assert!(matches!(checked(&gap), Err(AddressError::FieldsMissing)));
        }
    }
}
