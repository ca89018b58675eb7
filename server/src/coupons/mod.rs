//! Coupons: a code that lowers the prices of an order (decision 097). Owns the tables `coupons` and `coupon_uses`, and the
//! function `use_coupon`, with which the statement that places an order records a use. Whether a use counts is decided by
//! the status of its order, so this module reads `orders` and `order_items`.

mod allocate;
mod check;
mod edit;
mod error;
mod http;
mod model;
mod store;

pub use allocate::discounted_prices;
pub use check::{CartValue, find_usable};
pub use error::CouponError;
pub use http::{PUBLIC_COUPONS, load_public_coupons, routes};
pub use model::{Coupon, CouponUse, Discount};
pub use store::list_uses;
