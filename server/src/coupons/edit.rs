//! What a seller does with coupons.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::check::normalize_code;
use super::error::CouponError;
use super::model::{Coupon, CouponTerms, Discount, PublicCoupons, UsedCoupon};
use super::store;
use crate::platform::contact;
use crate::platform::messages::message;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const MAX_DAYS: i64 = 366;
const MAX_USES_PER_CUSTOMER: i32 = 1_000;
const MAX_TOTAL_USES: i32 = 1_000_000;
const MAX_AMOUNT: Paisa = Paisa::from_rupees(1_000_000);
const MAX_ABOUT_LENGTH: usize = 200;
/// The most coupons that are listed.
const MAX_LISTED: i64 = 200;
const MAX_PUBLIC: i64 = 20;

pub async fn list(app: &App) -> Result<Vec<UsedCoupon>, CouponError> {
    Ok(store::list(&mut *app.db.main.acquire().await?, MAX_LISTED).await?)
}

pub async fn list_public(app: &App) -> sqlx::Result<PublicCoupons> {
    store::list_public(&mut *app.db.browse.acquire().await?, app.clock.now(), MAX_PUBLIC).await
}

/// Adds a coupon and returns all of them.
pub async fn add(app: &App, seller: Uuid, code: &str, terms: CouponTerms) -> Result<Vec<UsedCoupon>, CouponError> {
    let now = app.clock.now();
    let code = normalize_code(code).ok_or(CouponError::Field("code", message!("api.coupons.code_invalid")))?;
    let coupon = Coupon { id: Uuid::now_v7(), code, terms: check_terms(terms)?, version: 1 };
    let mut tx = app.db.main.begin().await?;
    if !store::insert(&mut tx, &coupon, seller, now).await? {
        return Err(CouponError::CodeTaken);
    }
    let audit_entry = NewAuditEntry {
        seller,
        action: "coupon.add",
        object: &coupon.id.to_string(),
        about: &coupon.code,
        before: "",
        after: &describe(&coupon.terms),
    };
    staff::record_audit_entry(&mut tx, &audit_entry).await?;
    let coupons = store::list(&mut tx, MAX_LISTED).await?;
    tx.commit().await?;
    Ok(coupons)
}

/// Changes a coupon for orders that are placed from now on, and returns all coupons. The code stays, because shoppers
/// know it.
pub async fn update(
    app: &App,
    seller: Uuid,
    id: Uuid,
    version: i32,
    terms: CouponTerms,
) -> Result<Vec<UsedCoupon>, CouponError> {
    let now = app.clock.now();
    let terms = check_terms(terms)?;
    let mut tx = app.db.main.begin().await?;
    let coupon = store::find(&mut tx, id).await?.ok_or(CouponError::NotFound)?;
    if coupon.version != version {
        return Err(CouponError::Changed);
    }
    if coupon.terms != terms {
        if !store::update(&mut tx, &coupon, &terms, now).await? {
            return Err(CouponError::Changed);
        }
        let audit_entry = NewAuditEntry {
            seller,
            action: "coupon.update",
            object: &id.to_string(),
            about: &coupon.code,
            before: &describe(&coupon.terms),
            after: &describe(&terms),
        };
        staff::record_audit_entry(&mut tx, &audit_entry).await?;
    }
    let coupons = store::list(&mut tx, MAX_LISTED).await?;
    tx.commit().await?;
    Ok(coupons)
}

/// Returns the terms with tidy texts, or says which field cannot be accepted.
fn check_terms(terms: CouponTerms) -> Result<CouponTerms, CouponError> {
    let amount_is_valid = |amount: Paisa| amount > Paisa::ZERO && amount <= MAX_AMOUNT;
    match terms.discount {
        Discount::Percent { percent, .. } if !(1..=90).contains(&percent) => {
            return Err(CouponError::Field("percent", message!("api.coupons.percent_invalid")));
        }
        Discount::Percent { most: Some(most), .. } if !amount_is_valid(most) => {
            return Err(CouponError::Field("maxDiscount", message!("api.coupons.amount_invalid")));
        }
        Discount::Amount(amount) if !amount_is_valid(amount) => return Err(CouponError::invalid_amount()),
        Discount::Percent { .. } | Discount::Amount(_) => {}
    }
    if terms.minimum > MAX_AMOUNT {
        return Err(CouponError::Field("minimum", message!("api.coupons.amount_invalid")));
    }
    if terms.ends_at <= terms.starts_at || terms.ends_at > terms.starts_at + TimeDelta::days(MAX_DAYS) {
        return Err(CouponError::Field("endsAt", message!("api.coupons.end_invalid", days = MAX_DAYS)));
    }
    if !(1..=MAX_USES_PER_CUSTOMER).contains(&terms.uses_per_customer) {
        let message = message!("api.coupons.uses_invalid", most = MAX_USES_PER_CUSTOMER);
        return Err(CouponError::Field("usesPerCustomer", message));
    }
    if !terms.total_uses.is_none_or(|uses| (1..=MAX_TOTAL_USES).contains(&uses)) {
        return Err(CouponError::Field("totalUses", message!("api.coupons.uses_invalid", most = MAX_TOTAL_USES)));
    }
    let [about, about_ne] = [&terms.about, &terms.about_ne].map(|text| contact::normalize_whitespace(text));
    for (field, text) in [("about", &about), ("aboutNe", &about_ne)] {
        if text.chars().count() > MAX_ABOUT_LENGTH {
            return Err(CouponError::Field(field, message!("api.text_too_long", longest = MAX_ABOUT_LENGTH)));
        }
    }
    Ok(CouponTerms { about, about_ne, ..terms })
}

/// The terms as the audit log shows them.
fn describe(terms: &CouponTerms) -> String {
    let discount = match terms.discount {
        Discount::Percent { percent, most: None } => format!("{percent} %"),
        Discount::Percent { percent, most: Some(most) } => format!("{percent} % (≤ {})", most.two_decimals()),
        Discount::Amount(amount) => amount.two_decimals(),
    };
    let time = |at: DateTime<Utc>| at.format("%Y-%m-%dT%H:%MZ");
    let total = terms.total_uses.map(|uses| format!(" / {uses}")).unwrap_or_default();
    format!(
        "couponDiscount: {discount}; couponMinimum: {}; couponDates: {} – {}; couponUses: {}{total}; couponActive: {}; \
         couponPublic: {}",
        terms.minimum.two_decimals(),
        time(terms.starts_at),
        time(terms.ends_at),
        terms.uses_per_customer,
        terms.active,
        terms.public,
    )
}
