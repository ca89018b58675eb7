//! Whether a shopper can use a coupon now. The statement that places the order checks the limits again, under a lock.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::error::CouponError;
use super::model::{Coupon, CouponTerms, UsedCoupon};
use super::store;
use crate::platform::ids::{ProductId, UserId};
use crate::platform::money::Paisa;
use crate::platform::state::App;

/// What the coupon is to be used for.
pub struct CartValue<'a> {
    pub goods: Paisa,
    pub products: &'a [ProductId],
}

/// Finds the coupon with this code if the shopper can use it for these goods now. Unknown codes are counted, because
/// somebody might guess them.
pub async fn find_usable(
    app: &App,
    connection: &mut PgConnection,
    code: &str,
    user: UserId,
    cart: &CartValue<'_>,
) -> Result<Coupon, CouponError> {
    app.limits.unknown_coupons.peek(user)?;
    let found = match normalize_code(code) {
        Some(code) => store::find_by_code(connection, &code, user, cart.products).await?,
        None => None,
    };
    let Some(found) = found else {
        app.limits.unknown_coupons.record(user);
        return Err(CouponError::Unknown);
    };
    check_usable(&found, cart.goods, app.clock.now())?;
    Ok(found.coupon)
}

/// Returns the code as it is stored, or `None` if no coupon can have it.
pub fn normalize_code(text: &str) -> Option<String> {
    let code = text.trim().to_ascii_uppercase();
    let is_valid = (3..=20).contains(&code.len())
        && code.bytes().all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit() || byte == b'-');
    is_valid.then_some(code)
}

fn check_usable(found: &UsedCoupon, goods: Paisa, now: DateTime<Utc>) -> Result<(), CouponError> {
    let CouponTerms { active, starts_at, ends_at, minimum, uses_per_customer, .. } = found.coupon.terms;
    if !active {
        return Err(CouponError::Unavailable);
    }
    if now < starts_at {
        return Err(CouponError::NotBegun(starts_at));
    }
    if now >= ends_at {
        return Err(CouponError::Ended);
    }
    if found.own_uses >= i64::from(uses_per_customer) {
        return Err(CouponError::UsedAlready);
    }
    if found.is_used_up() {
        return Err(CouponError::Unavailable);
    }
    if goods < minimum {
        return Err(CouponError::BelowMinimum { minimum, missing: Paisa(minimum.0 - goods.0) });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_is_written_in_one_way() {
        assert_eq!(normalize_code(" dashain-10 ").as_deref(), Some("DASHAIN-10"));
        for odd in ["", "AB", "A B C", "DASHAIN_10", "दशैं", &"A".repeat(21)] {
            assert_eq!(normalize_code(odd), None, "{odd}");
        }
    }
}
