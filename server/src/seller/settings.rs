//! The seller changes what the shop says of itself.

use serde_json::{Value, json};
use uuid::Uuid;

use super::SellerError;
use super::audit::{Deed, note};
use crate::platform::answers::Change;
use crate::platform::api_error::ApiError;
use crate::platform::contact;
use crate::platform::state::App;
use crate::platform::version;
use crate::shop::{self, Kept, ShopSettings};

const LONGEST_NAME: usize = 60;
const LONGEST_TEXT: usize = 300;
const LONGEST_ADDRESS: usize = 1_000;
const MOST_LINKS: usize = 8;
const MOST_BANNERS: usize = 6;

/// What a figure may be, in rupees and per cent where it is one. Generous: they catch a slip of the keyboard, not a choice.
const FEE: (u32, u32) = (0, 10_000);
const FREE_ABOVE: (u32, u32) = (0, 1_000_000);
/// No rate above this is known in the region; Nepal's VAT is 13 %.
const TAX_PERCENT: (u32, u32) = (0, 30);
const LOW_STOCK: (u32, u32) = (0, 100);
const DELIVERY_DAYS: (u32, u32) = (0, 60);
/// As many products as one call gives the prices of.
const CART_LINES: (u32, u32) = (1, 100);
const WORTH: (u32, u32) = (1, 100_000_000);
const COUNT: (u32, u32) = (1, 1_000_000);
/// As many as a line of an order may have.
const OF_ONE: (u32, u32) = (1, 99);

/// Settings and their version, as the desk gets them.
pub fn out(kept: &Kept) -> Value {
    let mut value = serde_json::to_value(&kept.settings).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.insert("version".to_owned(), json!(version(kept)));
    }
    value
}

fn version(kept: &Kept) -> String {
    version::of(kept.changed_at)
}

pub async fn read(app: &App) -> Result<Value, SellerError> {
    let mut connection = app.db.main.acquire().await?;
    Ok(out(&shop::read(&mut connection, app).await.map_err(ApiError::from)?))
}

pub async fn save(app: &App, seller: Uuid, seen: &str, mut settings: ShopSettings) -> Result<Value, SellerError> {
    tidy(&mut settings);
    check(&settings)?;
    let mut tx = app.db.main.begin().await?;
    shop::lock(&mut tx).await.map_err(ApiError::from)?;
    let before = shop::read(&mut tx, app).await.map_err(ApiError::from)?;
    if seen != version(&before) {
        let message = "Somebody else has changed the settings since you opened them.";
        return Err(ApiError::conflict("settings_changed", message).with_data(out(&before)).into());
    }
    if before.settings != settings {
        shop::save(&mut tx, &settings).await.map_err(ApiError::from)?;
        let (was, is) = in_words(&before.settings, &settings);
        let deed =
            Deed { seller, action: "shop.settings", object: "", about: &settings.brand, before: &was, after: &is };
        note(&mut tx, &deed).await?;
    }
    let after = shop::read(&mut tx, app).await.map_err(ApiError::from)?;
    tx.commit().await?;
    // The database tells every instance; this one knows already, and its next answer must not be an older one.
    app.answers.drop_all(Change::Detail);
    Ok(out(&after))
}

fn tidy(settings: &mut ShopSettings) {
    let trim = |text: &mut String| text.trim().to_owned().clone_into(text);
    for text in [
        &mut settings.brand,
        &mut settings.brand_ne,
        &mut settings.tagline,
        &mut settings.tagline_ne,
        &mut settings.phone,
        &mut settings.email,
        &mut settings.address,
        &mut settings.address_ne,
        &mut settings.registration_number,
        &mut settings.pan_number,
        &mut settings.grievance.name,
        &mut settings.grievance.phone,
        &mut settings.grievance.email,
        &mut settings.delivery_promise,
        &mut settings.delivery_promise_ne,
    ] {
        trim(text);
    }
    for link in &mut settings.social {
        trim(&mut link.name);
        trim(&mut link.url);
    }
    for banner in &mut settings.banners {
        for text in [&mut banner.title, &mut banner.title_ne, &mut banner.text, &mut banner.text_ne, &mut banner.href] {
            trim(text);
        }
    }
}

fn wrong(field: &str, message: &str) -> SellerError {
    ApiError::invalid("field_invalid", message).with_data(json!({ "field": field })).into()
}

fn check(settings: &ShopSettings) -> Result<(), SellerError> {
    let plain = |field: &str, text: &str, longest: usize| {
        if text.chars().count() > longest || text.chars().any(char::is_control) {
            return Err(wrong(field, &format!("Please use at most {longest} characters of plain text.")));
        }
        Ok(())
    };
    let needed = |field: &str, text: &str, longest: usize| {
        if text.is_empty() { Err(wrong(field, "This is required.")) } else { plain(field, text, longest) }
    };
    needed("brand", &settings.brand, LONGEST_NAME)?;
    needed("brandNe", &settings.brand_ne, LONGEST_NAME)?;
    for (field, text) in [
        ("tagline", &settings.tagline),
        ("taglineNe", &settings.tagline_ne),
        ("address", &settings.address),
        ("addressNe", &settings.address_ne),
        ("deliveryPromise", &settings.delivery_promise),
        ("deliveryPromiseNe", &settings.delivery_promise_ne),
    ] {
        plain(field, text, LONGEST_TEXT)?;
    }
    for (field, text) in [
        ("registrationNumber", &settings.registration_number),
        ("panNumber", &settings.pan_number),
        ("grievance.name", &settings.grievance.name),
    ] {
        plain(field, text, LONGEST_NAME)?;
    }
    for (field, text) in [("phone", &settings.phone), ("grievance.phone", &settings.grievance.phone)] {
        if !text.is_empty() && !is_phone(text) {
            return Err(wrong(field, "Please enter a phone number like +977 980-1234567."));
        }
    }
    for (field, text) in [("email", &settings.email), ("grievance.email", &settings.grievance.email)] {
        if !text.is_empty() && contact::email(text).is_none() {
            return Err(wrong(field, "Please enter a valid email address."));
        }
    }
    check_figures(settings)?;
    if settings.social.len() > MOST_LINKS {
        return Err(wrong("social", &format!("Please keep to {MOST_LINKS} links.")));
    }
    for (number, link) in settings.social.iter().enumerate() {
        needed(&format!("social.{number}.name"), &link.name, LONGEST_NAME)?;
        if !is_address(&link.url, false) {
            return Err(wrong(&format!("social.{number}.url"), "Please enter an address that begins with https://"));
        }
    }
    if settings.banners.len() > MOST_BANNERS {
        return Err(wrong("banners", &format!("Please keep to {MOST_BANNERS} banners.")));
    }
    for (number, banner) in settings.banners.iter().enumerate() {
        needed(&format!("banners.{number}.title"), &banner.title, LONGEST_NAME)?;
        plain(&format!("banners.{number}.titleNe"), &banner.title_ne, LONGEST_NAME)?;
        plain(&format!("banners.{number}.text"), &banner.text, LONGEST_TEXT)?;
        plain(&format!("banners.{number}.textNe"), &banner.text_ne, LONGEST_TEXT)?;
        if !is_address(&banner.href, true) {
            let message = "Please enter a page of the shop like /offers, or an address that begins with https://";
            return Err(wrong(&format!("banners.{number}.href"), message));
        }
    }
    Ok(())
}

fn check_figures(settings: &ShopSettings) -> Result<(), SellerError> {
    let between = |field: &str, hundredths: i64, (least, most): (u32, u32)| {
        if (i64::from(least) * 100..=i64::from(most) * 100).contains(&hundredths) {
            return Ok(());
        }
        Err(wrong(field, &format!("Please enter a number from {least} to {most}.")))
    };
    for (field, amount, range) in [
        ("shippingFee", settings.shipping_fee, FEE),
        ("freeShippingAbove", settings.free_shipping_above, FREE_ABOVE),
        ("largestOrder", settings.largest_order, WORTH),
        ("openCashWorth", settings.open_cash_worth, WORTH),
    ] {
        between(field, amount.0, range)?;
    }
    between("taxRate", i64::from(settings.tax_rate.0), TAX_PERCENT)?;
    for (field, count, range) in [
        ("lowStock", settings.low_stock, LOW_STOCK),
        ("deliveryDays", settings.delivery_days, DELIVERY_DAYS),
        ("cartLines", settings.cart_lines, CART_LINES),
        ("ordersPerMinute", settings.orders_per_minute, COUNT),
        ("ordersPerDay", settings.orders_per_day, COUNT),
        ("openCashOrders", settings.open_cash_orders, COUNT),
        ("unpaidOrders", settings.unpaid_orders, COUNT),
        ("heldOfOne", settings.held_of_one, OF_ONE),
    ] {
        between(field, i64::from(count) * 100, range)?;
    }
    Ok(())
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (7..=15).contains(&digits) && text.len() <= 30 && text.chars().all(|c| c.is_ascii_digit() || "+-() ".contains(c))
}

/// Nothing that a browser would run, and nothing that only looks like one of our own pages.
fn is_address(text: &str, may_be_own: bool) -> bool {
    let own = may_be_own && text.starts_with('/') && !text.starts_with("//");
    let host = text.strip_prefix("https://").is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
    (own || host)
        && text.len() <= LONGEST_ADDRESS
        && !text.contains(|c: char| c.is_whitespace() || c == '\\' || c.is_control())
}

/// For the audit log: what was, and what is.
fn in_words(before: &ShopSettings, after: &ShopSettings) -> (String, String) {
    let (was, is) = (serde_json::to_value(before), serde_json::to_value(after));
    let (Ok(Value::Object(was)), Ok(Value::Object(is))) = (was, is) else { return Default::default() };
    let changed: Vec<&String> =
        is.iter().filter(|(name, value)| was.get(*name) != Some(value)).map(|(name, _)| name).collect();
    let side = |of: &serde_json::Map<String, Value>| {
        let parts = changed.iter().map(|name| match of.get(*name) {
            Some(Value::String(text)) => format!("{name}: {text}"),
            other => format!("{name}: {}", other.cloned().unwrap_or_default()),
        });
        parts.collect::<Vec<_>>().join("; ")
    };
    (side(&was), side(&is))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_cannot_run_anything() {
        for fine in ["https://www.facebook.com/thunse", "https://a.b/c?d=e"] {
            assert!(is_address(fine, false), "{fine}");
        }
        assert!(is_address("/offers", true));
        for wrong in [
            "javascript:alert(1)",
            "//evil.example",
            "/\\evil.example",
            "http://a.b",
            "https://",
            "https:///a",
            "",
            "/a b",
        ] {
            assert!(!is_address(wrong, true), "{wrong}");
        }
        assert!(!is_address("/offers", false));
    }

    #[test]
    fn a_phone_number_has_digits() {
        assert!(is_phone("+977 980-0000000") && is_phone("(01) 4-123456"));
        assert!(!is_phone("call me") && !is_phone("123") && !is_phone("+977<script>123456"));
    }
}
