//! The invariants of the shop. The view `invariant_violations` (created by the migrations, over the tables of all
//! modules) must always be empty: a job reads it every five minutes, and so do the tests.

mod store;

pub use store::{Violation, find_violations};
