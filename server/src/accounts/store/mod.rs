//! All SQL of the accounts module.

mod deletion;
mod email_changes;
mod identities;
mod links;
mod openid;
mod phone_codes;
mod users;

pub use deletion::{anonymize, delete_expired};
pub use email_changes::{delete_email_changes_since, find_email_change, find_email_change_owner, insert_email_change};
pub use identities::{
    find_user_by_identity, link_identity, list_identities, remove_identities_since, remove_identity,
    remove_other_identities,
};
pub use links::{NewLink, consume_link, delete_links, find_link_owner, insert_link, lock_link_owner, replace_link};
pub use openid::{
    NewFlow, consume_flow, consume_identity, find_verified_identity, insert_flow, save_verified_identity,
};
pub use phone_codes::{
    delete_phone_code, find_by_verified_phone, find_phone_code, has_verified_phone, insert_phone_code, set_phone_code,
    set_verified_phone, take_phone_code_attempt,
};
pub use users::{
    NewUser, PictureChange, ProfileChanges, UserCredentials, clear_pending_email, confirm_email, find,
    find_credentials, find_credentials_by_email, insert, is_email_taken, lock, lock_by_email,
    lock_if_password_unchanged, lock_user, pictures_in_use, restore_email, set_address, set_password, update_profile,
};
