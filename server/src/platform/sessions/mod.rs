//! Sessions of shoppers and sellers: an opaque token in a cookie, and its hash in PostgreSQL, so that a session can be
//! ended at once and from anywhere. Owns the tables `sessions` and `known_devices`.

mod device;
mod extractors;
mod lifecycle;
mod model;
mod remembered;
mod store;

pub use device::describe as describe_device;
pub use extractors::{AnyStaff, LockedStaff, Shopper, Staff, StaffOrLocked};
pub use lifecycle::{
    LoginKind, begin, delete_cookies, delete_expired, device_token_hash, end, end_all, end_all_by, end_every_session,
    end_one, is_active, is_known_browser, is_known_device, known_devices, list, remember_browser, renew, rotate_if_due,
    signed_out_error,
};
pub use model::{Session, StaffSession};
pub use remembered::{UnlockOutcome, forget_device, lock, prove_second_factor, remember_device, unlock};
pub use store::ActiveSession;
