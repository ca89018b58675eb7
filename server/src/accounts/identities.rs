//! The linked identities of an account, which the profile lists and removes.

use uuid::Uuid;

use super::model::LinkedIdentity;
use super::{AccountError, end_sessions, record, store};
use crate::notifications::{self, Email, Recipient};
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::sessions::Session;
use crate::platform::state::App;

pub async fn list(app: &App, user: UserId) -> Result<Vec<LinkedIdentity>, AccountError> {
    Ok(store::list_identities(&app.db.main, user).await?)
}

/// Removes a linked identity and ends the other sessions, which may have been started with it. The last way into the
/// account cannot be removed.
pub async fn remove(app: &App, session: &Session<UserId>, identity: Uuid) -> Result<(), AccountError> {
    let mut tx = app.db.main.begin().await?;
    let user = store::lock(&mut tx, session.person).await?.ok_or(AccountError::SignedOut)?;
    let linked = store::list_identities(&mut *tx, user.id).await?;
    let removed = linked.iter().find(|one| one.id == identity).ok_or(AccountError::IdentityNotFound)?;
    if linked.len() == 1 && !user.has_password {
        return Err(AccountError::LastLoginMethod);
    }
    store::remove_identity(&mut tx, user.id, identity).await?;
    record(&mut tx, SecurityEventKind::IdentityRemoved, Actor::Shopper(user.id), user.id).await?;
    end_sessions(&mut tx, Actor::Shopper(user.id), user.id, Some(session.id)).await?;
    let language = Language::from_code(&user.language);
    let to = Recipient { email: user.email, name: user.name, language };
    let message = Email::IdentityRemoved { account: removed.email.clone() };
    notifications::send_email(&mut tx, &to, &message).await?;
    tx.commit().await?;
    Ok(())
}
