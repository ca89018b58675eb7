//! Reading and saving the shop's settings.

use serde_json::{Value, json};
use uuid::Uuid;

use super::SellerError;
use super::audit::record_audit_entry;
use super::model::NewAuditEntry;
use crate::platform::api_error::ApiError;
use crate::platform::cache::CatalogueChange;
use crate::platform::config::BillingDocument;
use crate::platform::contact;
use crate::platform::messages::{Message, message};
use crate::platform::row_version;
use crate::platform::state::App;
use crate::shop::{self, ShopSettings, StoredSettings};

const MAX_NAME_LENGTH: usize = 60;
const MAX_TEXT_LENGTH: usize = 300;
const MAX_URL_LENGTH: usize = 1_000;
const MAX_LINKS: usize = 8;
const MAX_BANNERS: usize = 6;
const MAX_OUTLET_LENGTH: usize = 6;
const PAN_DIGITS: usize = 9;

/// Allowed ranges of the settings; amounts are in rupees, the tax rate in per cent. They are generous: they catch
/// typing errors, not unusual choices.
const SHIPPING_FEE: (u32, u32) = (0, 10_000);
const FREE_SHIPPING_ABOVE: (u32, u32) = (0, 1_000_000);
/// Nepal's VAT is 13 %; the range leaves room for other rates.
const TAX_PERCENT: (u32, u32) = (0, 30);
const LOW_STOCK: (u32, u32) = (0, 100);
const DELIVERY_DAYS: (u32, u32) = (0, 60);
/// The upper limit is the number of products that `get_products_by_ids` returns in one call.
const CART_LINES: (u32, u32) = (1, 100);
const AMOUNT: (u32, u32) = (1, 100_000_000);
const COUNT: (u32, u32) = (1, 1_000_000);
/// The upper limit is the largest quantity of an order line.
const HELD_PER_PRODUCT: (u32, u32) = (1, 99);

/// Returns the settings with their version, as the API sends them.
pub fn settings_to_json(stored: &StoredSettings) -> Value {
    let mut value = serde_json::to_value(&stored.settings).unwrap_or_default();
    if let Some(fields) = value.as_object_mut() {
        fields.insert("version".to_owned(), json!(version(stored)));
    }
    value
}

fn version(stored: &StoredSettings) -> String {
    row_version::encode(stored.changed_at)
}

pub async fn read(app: &App) -> Result<Value, SellerError> {
    let mut connection = app.db.main.acquire().await?;
    Ok(settings_to_json(&shop::read_settings(&mut connection, app).await.map_err(ApiError::from)?))
}

pub async fn save(
    app: &App,
    seller: Uuid,
    expected_version: &str,
    mut settings: ShopSettings,
) -> Result<Value, SellerError> {
    trim_settings(&mut settings);
    validate_settings(&settings)?;
    let mut tx = app.db.main.begin().await?;
    shop::lock_settings(&mut tx).await.map_err(ApiError::from)?;
    let before = shop::read_settings(&mut tx, app).await.map_err(ApiError::from)?;
    if expected_version != version(&before) {
        let message = message!("api.settings.changed");
        return Err(ApiError::conflict("settings_changed", message).with_data(settings_to_json(&before)).into());
    }
    if before.settings != settings {
        shop::save_settings(&mut tx, &settings).await.map_err(ApiError::from)?;
        let (was, is) = describe_changes(&before.settings, &settings);
        let audit_entry = NewAuditEntry {
            seller,
            action: "shop.settings",
            object: "",
            about: &settings.brand,
            before: &was,
            after: &is,
        };
        record_audit_entry(&mut tx, &audit_entry).await?;
    }
    let after = shop::read_settings(&mut tx, app).await.map_err(ApiError::from)?;
    tx.commit().await?;
    // The database notifies every instance, but this one must not serve an old response until then.
    app.cache.invalidate_all(CatalogueChange::Detail);
    Ok(settings_to_json(&after))
}

fn trim_settings(settings: &mut ShopSettings) {
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
        &mut settings.billing.outlet,
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

fn invalid_field(field: &str, message: Message) -> SellerError {
    ApiError::invalid("field_invalid", message).with_data(json!({ "field": field })).into()
}

fn validate_settings(settings: &ShopSettings) -> Result<(), SellerError> {
    let plain = |field: &str, text: &str, longest: usize| {
        if text.chars().count() > longest || text.chars().any(char::is_control) {
            return Err(invalid_field(field, message!("api.text_too_long", longest = longest)));
        }
        Ok(())
    };
    let needed = |field: &str, text: &str, longest: usize| {
        if text.is_empty() {
            Err(invalid_field(field, message!("api.settings.required")))
        } else {
            plain(field, text, longest)
        }
    };
    needed("brand", &settings.brand, MAX_NAME_LENGTH)?;
    needed("brandNe", &settings.brand_ne, MAX_NAME_LENGTH)?;
    for (field, text) in [
        ("tagline", &settings.tagline),
        ("taglineNe", &settings.tagline_ne),
        ("address", &settings.address),
        ("addressNe", &settings.address_ne),
        ("deliveryPromise", &settings.delivery_promise),
        ("deliveryPromiseNe", &settings.delivery_promise_ne),
    ] {
        plain(field, text, MAX_TEXT_LENGTH)?;
    }
    for (field, text) in [
        ("registrationNumber", &settings.registration_number),
        ("panNumber", &settings.pan_number),
        ("grievance.name", &settings.grievance.name),
    ] {
        plain(field, text, MAX_NAME_LENGTH)?;
    }
    for (field, text) in [("phone", &settings.phone), ("grievance.phone", &settings.grievance.phone)] {
        if !text.is_empty() && !is_phone(text) {
            return Err(invalid_field(field, message!("api.settings.phone_invalid")));
        }
    }
    for (field, text) in [("email", &settings.email), ("grievance.email", &settings.grievance.email)] {
        if !text.is_empty() && contact::parse_email(text).is_none() {
            return Err(invalid_field(field, message!("api.settings.email_invalid")));
        }
    }
    validate_figures(settings)?;
    validate_billing(settings)?;
    if settings.social.len() > MAX_LINKS {
        return Err(invalid_field("social", message!("api.settings.too_many_links", most = MAX_LINKS)));
    }
    for (number, link) in settings.social.iter().enumerate() {
        needed(&format!("social.{number}.name"), &link.name, MAX_NAME_LENGTH)?;
        if !is_url(&link.url, false) {
            return Err(invalid_field(&format!("social.{number}.url"), message!("api.settings.url_invalid")));
        }
    }
    if settings.banners.len() > MAX_BANNERS {
        return Err(invalid_field("banners", message!("api.settings.too_many_banners", most = MAX_BANNERS)));
    }
    for (number, banner) in settings.banners.iter().enumerate() {
        needed(&format!("banners.{number}.title"), &banner.title, MAX_NAME_LENGTH)?;
        plain(&format!("banners.{number}.titleNe"), &banner.title_ne, MAX_NAME_LENGTH)?;
        plain(&format!("banners.{number}.text"), &banner.text, MAX_TEXT_LENGTH)?;
        plain(&format!("banners.{number}.textNe"), &banner.text_ne, MAX_TEXT_LENGTH)?;
        if !is_url(&banner.href, true) {
            let message = message!("api.settings.page_or_url_invalid");
            return Err(invalid_field(&format!("banners.{number}.href"), message));
        }
    }
    Ok(())
}

fn validate_figures(settings: &ShopSettings) -> Result<(), SellerError> {
    let between = |field: &str, hundredths: i64, (least, most): (u32, u32)| {
        if (i64::from(least) * 100..=i64::from(most) * 100).contains(&hundredths) {
            return Ok(());
        }
        Err(invalid_field(field, message!("api.settings.number_out_of_range", least = least, most = most)))
    };
    for (field, amount, range) in [
        ("shippingFee", settings.shipping_fee, SHIPPING_FEE),
        ("freeShippingAbove", settings.free_shipping_above, FREE_SHIPPING_ABOVE),
        ("largestOrder", settings.largest_order, AMOUNT),
        ("openCashWorth", settings.open_cash_worth, AMOUNT),
    ] {
        between(field, amount.0, range)?;
    }
    between("taxRate", i64::from(settings.tax_rate.0), TAX_PERCENT)?;
    between("weightTolerance", i64::from(settings.weight_tolerance.0), TAX_PERCENT)?;
    for (field, count, range) in [
        ("lowStock", settings.low_stock, LOW_STOCK),
        ("deliveryDays", settings.delivery_days, DELIVERY_DAYS),
        ("cartLines", settings.cart_lines, CART_LINES),
        ("ordersPerMinute", settings.orders_per_minute, COUNT),
        ("ordersPerDay", settings.orders_per_day, COUNT),
        ("openCashOrders", settings.open_cash_orders, COUNT),
        ("unpaidOrders", settings.unpaid_orders, COUNT),
        ("heldPerProduct", settings.held_per_product, HELD_PER_PRODUCT),
    ] {
        between(field, i64::from(count) * 100, range)?;
    }
    Ok(())
}

/// A bill needs a PAN, and the outlet is part of its number.
fn validate_billing(settings: &ShopSettings) -> Result<(), SellerError> {
    let billing = &settings.billing;
    let is_code = |text: &str| text.chars().all(|c| c.is_ascii_uppercase() || c.is_ascii_digit());
    if !(1..=MAX_OUTLET_LENGTH).contains(&billing.outlet.len()) || !is_code(&billing.outlet) {
        return Err(invalid_field("billing.outlet", message!("api.settings.outlet_invalid")));
    }
    let is_pan = settings.pan_number.len() == PAN_DIGITS && settings.pan_number.chars().all(|c| c.is_ascii_digit());
    if billing.document == BillingDocument::Bill && !is_pan {
        return Err(invalid_field("panNumber", message!("api.settings.pan_needed")));
    }
    Ok(())
}

fn is_phone(text: &str) -> bool {
    let digits = text.chars().filter(char::is_ascii_digit).count();
    (7..=15).contains(&digits) && text.len() <= 30 && text.chars().all(|c| c.is_ascii_digit() || "+-() ".contains(c))
}

/// Accepts `https` URLs and, if allowed, paths of the shop: nothing that a browser would execute, and no path that
/// leads to another host.
fn is_url(text: &str, allow_local_path: bool) -> bool {
    let own = allow_local_path && text.starts_with('/') && !text.starts_with("//");
    let host = text.strip_prefix("https://").is_some_and(|rest| !rest.is_empty() && !rest.starts_with('/'));
    (own || host)
        && text.len() <= MAX_URL_LENGTH
        && !text.contains(|c: char| c.is_whitespace() || c == '\\' || c.is_control())
}

/// Describes the changed settings before and after, for the audit log.
fn describe_changes(before: &ShopSettings, after: &ShopSettings) -> (String, String) {
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
            assert!(is_url(fine, false), "{fine}");
        }
        assert!(is_url("/offers", true));
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
            assert!(!is_url(wrong, true), "{wrong}");
        }
        assert!(!is_url("/offers", false));
    }

    #[test]
    fn a_phone_number_has_digits() {
        assert!(is_phone("+977 980-0000000") && is_phone("(01) 4-123456"));
        assert!(!is_phone("call me") && !is_phone("123") && !is_phone("+977<script>123456"));
    }
}
