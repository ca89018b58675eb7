//! All SQL of the module.

mod audit;
mod invitations;
mod logins;
mod members;
mod second_factor;

pub use audit::{AuditLog, find_sellers_matching, insert_audit_entries, list_audit_entries, search_audit_entries};
pub use invitations::{
    NewInvitation, delete_expired_invitations, delete_invitation, delete_invitation_links, extend_invitation,
    find_invitation_by_token, has_link, insert_invitation_link, list_invitations, lock_invitation, replace_invitation,
};
pub use logins::{
    LockedSeller, SellerCredentials, SellerPassword, consume_pending_login, delete_pending_logins,
    find_credentials_by_email, find_password, find_pending_login, insert_pending_login, lock, replace_password_hash,
    set_chosen_password, set_language, set_password, set_password_expiry,
};
pub use members::{
    NewMember, disable, find, find_by_email, find_names, find_recipient, hold_active, insert, list_active,
    list_ids_by_roles, list_members, lock_active_owners, lock_member, set_disabled, set_role,
};
pub use second_factor::{
    consume_backup_code, consume_totp_step, list_totp_secrets, lock_totp_secrets, replace_backup_codes,
    replace_totp_secret, set_pending_secret, set_second_step,
};
