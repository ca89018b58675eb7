//! The cart as it is stored.

use std::collections::BTreeMap;

/// Quantities by product id, in the contract's form.
pub type CartItems = BTreeMap<String, i32>;
