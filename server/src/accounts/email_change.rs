//! Undoing a change of the email address that the owner did not request.

use super::links::{self, CANCEL_EMAIL_CHANGE, LinkRequest};
use super::{AccountError, end_sessions, record, store};
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::state::App;
use crate::platform::tokens;

/// Cancels a change that the owner of the former address did not request, even if the new address is confirmed already.
/// Ends all sessions and removes the identities linked since then. The password becomes invalid as well, because the
/// intruder may know it or have replaced it; an email with a reset link is sent to the restored address.
pub async fn cancel_email_change(app: &App, token: &str) -> Result<String, AccountError> {
    let now = app.clock.now();
    let token = tokens::hash(token);
    let mut tx = app.db.main.begin().await?;
    let user =
        store::lock_link_owner(&mut tx, &token, CANCEL_EMAIL_CHANGE, now).await?.ok_or(AccountError::LinkInvalid)?;
    let link =
        store::consume_link(&mut tx, &token, CANCEL_EMAIL_CHANGE, now).await?.ok_or(AccountError::LinkInvalid)?;
    let change = link.change_id.ok_or(AccountError::LinkInvalid)?;
    let change = store::find_email_change(&mut tx, change).await?.ok_or(AccountError::LinkInvalid)?;
    if !store::restore_email(&mut tx, user, &change.old_email, now).await? {
        return Err(AccountError::EmailTaken);
    }
    record(&mut tx, SecurityEventKind::EmailChangeUndone, Actor::Visitor, user).await?;
    // Later changes are deleted together with their links. Earlier ones stay, because the owner of an earlier address
    // has a better claim to the account.
    store::delete_email_changes_since(&mut tx, user, change.requested_at).await?;
    links::revoke_pending_links(&mut tx, Actor::Visitor, user, now).await?;
    if store::remove_identities_since(&mut tx, user, change.requested_at).await? {
        record(&mut tx, SecurityEventKind::IdentityRemoved, Actor::Visitor, user).await?;
    }
    end_sessions(&mut tx, Actor::Visitor, user, None).await?;
    links::send_link(&mut tx, LinkRequest::ResetPassword { email: change.old_email.clone() }).await?;
    tx.commit().await?;
    Ok(change.old_email)
}
