//! What a seller does with coupons.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::check::normalize_code;
use super::error::CouponError;
use super::model::{Coupon, CouponTerms, Discount, UsedCoupon};
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

/// A coupon as the seller enters it.
pub struct CouponInput {
    pub percent: Option<i32>,
    pub max_discount: Option<Paisa>,
    pub amount: Option<Paisa>,
    pub minimum: Paisa,
    /// Absent: now.
    pub starts_at: Option<DateTime<Utc>>,
    pub ends_at: DateTime<Utc>,
    pub uses_per_customer: i32,
    pub total_uses: Option<i32>,
    pub active: bool,
    pub public: bool,
    pub about: String,
    pub about_ne: String,
}

pub async fn list(app: &App) -> Result<Vec<UsedCoupon>, CouponError> {
    Ok(store::list(&mut *app.db.main.acquire().await?, MAX_LISTED).await?)
}

pub async fn list_public(app: &App) -> Result<Vec<UsedCoupon>, CouponError> {
    Ok(store::list_public(&mut *app.db.main.acquire().await?, app.clock.now(), MAX_PUBLIC).await?)
}

/// Adds a coupon and returns all of them.
pub async fn add(app: &App, seller: Uuid, code: &str, input: CouponInput) -> Result<Vec<UsedCoupon>, CouponError> {
    let now = app.clock.now();
    let code = normalize_code(code).ok_or(CouponError::Field("code", message!("api.coupons.code_invalid")))?;
    let coupon = Coupon { id: Uuid::now_v7(), code, terms: check_input(input, now)?, version: 1 };
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
    input: CouponInput,
) -> Result<Vec<UsedCoupon>, CouponError> {
    let now = app.clock.now();
    let terms = check_input(input, now)?;
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

fn check_input(input: CouponInput, now: DateTime<Utc>) -> Result<CouponTerms, CouponError> {
    let amount_is_valid = |amount: Paisa| amount > Paisa::ZERO && amount <= MAX_AMOUNT;
    let discount = match (input.percent, input.amount) {
        (Some(percent), None) => {
            if !(1..=90).contains(&percent) {
                return Err(CouponError::Field("percent", message!("api.coupons.percent_invalid")));
            }
            Discount::Percent { percent, most: input.max_discount }
        }
        (None, Some(amount)) if amount_is_valid(amount) => Discount::Amount(amount),
        _ => return Err(CouponError::Field("amount", message!("api.coupons.amount_invalid"))),
    };
    if !input.max_discount.is_none_or(amount_is_valid) {
        return Err(CouponError::Field("maxDiscount", message!("api.coupons.amount_invalid")));
    }
    if input.minimum > MAX_AMOUNT {
        return Err(CouponError::Field("minimum", message!("api.coupons.amount_invalid")));
    }
    let starts_at = input.starts_at.unwrap_or(now);
    if input.ends_at <= starts_at || input.ends_at > starts_at + TimeDelta::days(MAX_DAYS) {
        return Err(CouponError::Field("endsAt", message!("api.coupons.end_invalid", days = MAX_DAYS)));
    }
    if !(1..=MAX_USES_PER_CUSTOMER).contains(&input.uses_per_customer) {
        let message = message!("api.coupons.uses_invalid", most = MAX_USES_PER_CUSTOMER);
        return Err(CouponError::Field("usesPerCustomer", message));
    }
    if !input.total_uses.is_none_or(|uses| (1..=MAX_TOTAL_USES).contains(&uses)) {
        return Err(CouponError::Field("totalUses", message!("api.coupons.uses_invalid", most = MAX_TOTAL_USES)));
    }
    let [about, about_ne] = [&input.about, &input.about_ne].map(|text| contact::normalize_whitespace(text));
    for (field, text) in [("about", &about), ("aboutNe", &about_ne)] {
        if text.chars().count() > MAX_ABOUT_LENGTH {
            return Err(CouponError::Field(field, message!("api.text_too_long", longest = MAX_ABOUT_LENGTH)));
        }
    }
    Ok(CouponTerms {
        discount,
        minimum: input.minimum,
        starts_at,
        ends_at: input.ends_at,
        uses_per_customer: input.uses_per_customer,
        total_uses: input.total_uses,
        active: input.active,
        public: input.public,
        about,
        about_ne,
    })
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
