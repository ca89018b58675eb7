//! What must never be. The view `invariant_violations` (written by the migrations, over the tables of all rooms) is empty,
//! always: a job reads it every five minutes, and every test run ends with it.

mod store;

pub use store::{Violation, find_violations};
