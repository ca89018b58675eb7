//! All SQL of coupons.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Coupon, CouponTerms, CouponUse, Discount, PublicCoupons, UsedCoupon};
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::money::Paisa;

/// A coupon as a row, with what its uses come to.
struct CouponRow {
    id: Uuid,
    code: String,
    percent: Option<i32>,
    max_discount: Option<Paisa>,
    amount: Option<Paisa>,
    minimum: Paisa,
    starts_at: DateTime<Utc>,
    ends_at: DateTime<Utc>,
    uses_per_customer: i32,
    total_uses: Option<i32>,
    active: bool,
    public: bool,
    about: String,
    about_ne: String,
    version: i32,
    uses: i64,
    own_uses: i64,
    given: Paisa,
}

impl From<CouponRow> for UsedCoupon {
    fn from(row: CouponRow) -> Self {
        let terms = CouponTerms {
            // A constraint of the table allows no row without either.
            discount: Discount::from_parts(row.percent, row.max_discount, row.amount)
                .unwrap_or(Discount::Amount(Paisa::ZERO)),
            minimum: row.minimum,
            starts_at: row.starts_at,
            ends_at: row.ends_at,
            uses_per_customer: row.uses_per_customer,
            total_uses: row.total_uses,
            active: row.active,
            public: row.public,
            about: row.about,
            about_ne: row.about_ne,
        };
        let coupon = Coupon { id: row.id, code: row.code, terms, version: row.version };
        Self { coupon, uses: row.uses, own_uses: row.own_uses, given: row.given }
    }
}

/// The columns of a discount.
struct DiscountColumns {
    percent: Option<i32>,
    max_discount: Option<i64>,
    amount: Option<i64>,
}

impl From<Discount> for DiscountColumns {
    fn from(discount: Discount) -> Self {
        match discount {
            Discount::Percent { percent, most } => {
                Self { percent: Some(percent), max_discount: most.map(|most| most.0), amount: None }
            }
            Discount::Amount(amount) => Self { percent: None, max_discount: None, amount: Some(amount.0) },
        }
    }
}

/// Selects coupons: the columns that every query needs. What their uses come to differs, so each query says how it counts
/// them.
macro_rules! select_coupons {
    ([$uses:literal, $own_uses:literal, $given:literal], $rest:literal, $($argument:expr),+ $(,)?) => {
        sqlx::query_as!(
            CouponRow,
            r#"SELECT c.id, c.code, c.percent, c.max_discount_paisa AS "max_discount: Paisa",
                      c.amount_paisa AS "amount: Paisa", c.minimum_paisa AS "minimum: Paisa", c.starts_at, c.ends_at,
                      c.uses_per_customer, c.total_uses, c.active, c.public, c.about, c.about_ne, c.version, "#
                + $uses + r#" AS "uses!", "# + $own_uses + r#" AS "own_uses!", "# + $given + r#" AS "given!: Paisa"
               FROM coupons c "# + $rest,
            $($argument),+
        )
    };
}

/// Finds a coupon with the uses that count against a new order of this shopper. An unpaid order with one of the same
/// products does not, because the new one replaces it.
pub async fn find_by_code(
    connection: &mut PgConnection,
    code: &str,
    user: UserId,
    products: &[ProductId],
) -> sqlx::Result<Option<UsedCoupon>> {
    let row = select_coupons!(
        ["used.uses", "used.own_uses", "used.given"],
        ", LATERAL (
             SELECT count(*) AS uses, count(*) FILTER (WHERE u.user_id = $2) AS own_uses,
                    coalesce(sum(u.discount_paisa), 0)::bigint AS given
             FROM coupon_uses u JOIN orders o ON o.id = u.order_id
             WHERE u.coupon_id = c.id AND o.status <> 'Cancelled'
               AND NOT (o.user_id = $2 AND o.payment IN ('awaiting', 'failed') AND o.status = 'Order Placed'
                        AND EXISTS (SELECT FROM order_items i WHERE i.order_id = o.id AND i.product_id = ANY ($3)))
         ) used
         WHERE c.code = $1",
        code,
        user.0,
        products as _,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(UsedCoupon::from))
}

/// Lists coupons with their uses, the newest first.
pub async fn list(connection: &mut PgConnection, limit: i64) -> sqlx::Result<Vec<UsedCoupon>> {
    let rows = select_coupons!(
        ["used.uses", "0::bigint", "used.given"],
        ", LATERAL (
             SELECT count(*) AS uses, coalesce(sum(u.discount_paisa), 0)::bigint AS given
             FROM coupon_uses u JOIN orders o ON o.id = u.order_id
             WHERE u.coupon_id = c.id AND o.status <> 'Cancelled'
         ) used
         ORDER BY c.created_at DESC, c.id LIMIT $1",
        limit,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(UsedCoupon::from).collect())
}

/// Lists the coupons that everybody may see and use at this moment, those that end first at the top, and says until when
/// the list is right.
pub async fn list_public(connection: &mut PgConnection, now: DateTime<Utc>, limit: i64) -> sqlx::Result<PublicCoupons> {
    let rows = select_coupons!(
        ["used.uses", "0::bigint", "0::bigint"],
        ", LATERAL (
             SELECT count(*) AS uses FROM coupon_uses u JOIN orders o ON o.id = u.order_id
             WHERE u.coupon_id = c.id AND c.total_uses IS NOT NULL AND o.status <> 'Cancelled'
         ) used
         WHERE c.active AND c.public AND c.starts_at <= $1 AND c.ends_at > $1
           AND (c.total_uses IS NULL OR used.uses < c.total_uses)
         ORDER BY c.ends_at, c.id LIMIT $2",
        now,
        limit,
    )
    .fetch_all(&mut *connection)
    .await?;
    let next_start =
        sqlx::query_scalar!("SELECT min(starts_at) FROM coupons WHERE active AND public AND starts_at > $1", now)
            .fetch_one(connection)
            .await?;
    let coupons: Vec<Coupon> = rows.into_iter().map(|row| UsedCoupon::from(row).coupon).collect();
    let first_end = coupons.first().map(|coupon| coupon.terms.ends_at);
    let valid_until = first_end.into_iter().chain(next_start).min();
    Ok(PublicCoupons { coupons, valid_until })
}

/// Returns false if another coupon has this code.
pub async fn insert(
    connection: &mut PgConnection,
    coupon: &Coupon,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let terms = &coupon.terms;
    let discount = DiscountColumns::from(terms.discount);
    let done = sqlx::query!(
        "INSERT INTO coupons (id, code, percent, max_discount_paisa, amount_paisa, minimum_paisa, starts_at, ends_at,
                              uses_per_customer, total_uses, active, public, about, about_ne, version, created_by,
                              created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $17)
         ON CONFLICT (code) DO NOTHING",
        coupon.id,
        coupon.code,
        discount.percent,
        discount.max_discount,
        discount.amount,
        terms.minimum.0,
        terms.starts_at,
        terms.ends_at,
        terms.uses_per_customer,
        terms.total_uses,
        terms.active,
        terms.public,
        terms.about,
        terms.about_ne,
        coupon.version,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn find(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Coupon>> {
    let row = select_coupons!(["0::bigint", "0::bigint", "0::bigint"], "WHERE c.id = $1", id)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(|row| UsedCoupon::from(row).coupon))
}

/// Replaces the terms of a coupon that still has this version. Returns false if it does not.
pub async fn update(
    connection: &mut PgConnection,
    coupon: &Coupon,
    terms: &CouponTerms,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let discount = DiscountColumns::from(terms.discount);
    let done = sqlx::query!(
        "UPDATE coupons
         SET percent = $2, max_discount_paisa = $3, amount_paisa = $4, minimum_paisa = $5, starts_at = $6, ends_at = $7,
             uses_per_customer = $8, total_uses = $9, active = $10, public = $11, about = $12, about_ne = $13,
             version = version + 1, updated_at = $14
         WHERE id = $1 AND version = $15",
        coupon.id,
        discount.percent,
        discount.max_discount,
        discount.amount,
        terms.minimum.0,
        terms.starts_at,
        terms.ends_at,
        terms.uses_per_customer,
        terms.total_uses,
        terms.active,
        terms.public,
        terms.about,
        terms.about_ne,
        now,
        coupon.version,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Lists the coupons of these orders.
pub async fn list_uses(connection: &mut PgConnection, orders: &[OrderId]) -> sqlx::Result<Vec<CouponUse>> {
    sqlx::query_as!(
        CouponUse,
        r#"SELECT u.order_id AS "order: OrderId", c.code, u.discount_paisa AS "discount: Paisa"
           FROM coupon_uses u JOIN coupons c ON c.id = u.coupon_id WHERE u.order_id = ANY ($1)"#,
        orders as _,
    )
    .fetch_all(connection)
    .await
}
