//! Export of a shopper's personal data, and deletion of the account.

use chrono::{DateTime, Utc};
use serde_json::{Map, Value};
use sqlx::PgConnection;

use super::model::{LinkedIdentity, UserRow};
use super::passwords::verify_password;
use super::sign_in::recipient;
use super::{AccountError, end_sessions, load_user, record, store};
use crate::notifications::{self, Email};
use crate::platform::account_kind::AccountKind;
use crate::platform::db;
use crate::platform::ids::UserId;
use crate::platform::personal_data::PersonalDataHook;
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::sessions::{self, ActiveSession, Session};
use crate::platform::state::App;

/// The hooks of all modules that store personal data; `app.rs` lists them.
#[derive(Clone, Copy)]
pub struct PersonalDataHooks(pub &'static [PersonalDataHook]);

/// Everything that the shop knows about a shopper.
pub struct PersonalData {
    pub exported_at: DateTime<Utc>,
    pub profile: UserRow,
    pub sessions: Vec<ActiveSession>,
    pub identities: Vec<LinkedIdentity>,
    /// What the hooks of the other modules have returned, by name.
    pub modules: Map<String, Value>,
}

pub async fn export_account(
    app: &App,
    session: &Session<UserId>,
    hooks: PersonalDataHooks,
) -> Result<PersonalData, AccountError> {
    if !session.is_fresh {
        return Err(AccountError::FreshLoginNeeded);
    }
    let data = read_personal_data(app, session.person, hooks).await?;
    // The snapshot cannot write, so the entry follows it; if it cannot be written, nothing is handed out.
    let mut connection = app.db.main.acquire().await?;
    record(&mut connection, SecurityEventKind::Exported, Actor::Shopper(session.person), session.person).await?;
    Ok(data)
}

/// Reads the data of all modules from one snapshot, so that an order placed meanwhile is in no part or in all.
async fn read_personal_data(app: &App, user: UserId, hooks: PersonalDataHooks) -> Result<PersonalData, AccountError> {
    let now = app.clock.now();
    let mut tx = db::begin_snapshot(&app.db.main).await?;
    let profile = load_user(&mut tx, user).await?;
    let sessions = sessions::list(&mut *tx, AccountKind::Shopper, user.0, now).await?;
    let identities = store::list_identities(&mut *tx, user).await?;
    let mut modules = Map::new();
    for hook in hooks.0 {
        modules.insert(hook.name.to_owned(), (hook.export)(&mut tx, user).await?);
    }
    tx.commit().await?;
    Ok(PersonalData { exported_at: now, profile, sessions, identities, modules })
}

/// Deletes the account: its sessions end and every module erases its personal data. Orders stay, without the shopper's
/// details once they are finished.
pub async fn delete_account(
    app: &App,
    session: &Session<UserId>,
    password: Option<&str>,
    hooks: PersonalDataHooks,
) -> Result<(), AccountError> {
    let now = app.clock.now();
    let user = store::find_credentials(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    if user.password_hash.is_some() {
        verify_password(app, &user, password.unwrap_or_default(), now).await?;
    } else if !session.is_fresh {
        return Err(AccountError::FreshLoginNeeded);
    }
    let mut tx = app.db.main.begin().await?;
    if !erase(&mut tx, Actor::Shopper(user.id), user.id, now, hooks).await? {
        return Err(AccountError::SignedOut);
    }
    notifications::send_email(&mut tx, &recipient(&user), &Email::AccountDeleted).await?;
    tx.commit().await?;
    Ok(())
}

/// Deletes accounts again that a restored backup has brought back. Returns how many existed. Nobody gets an email: each
/// of these people got one when they deleted the account.
pub async fn repeat_deletions(app: &App, users: &[UserId], hooks: PersonalDataHooks) -> Result<usize, AccountError> {
    let mut deleted = 0;
    for user in users {
        let mut tx = app.db.main.begin().await?;
        deleted += usize::from(erase(&mut tx, Actor::Operator, *user, app.clock.now(), hooks).await?);
        tx.commit().await?;
    }
    Ok(deleted)
}

/// Returns false if there is no such account, or not any more.
async fn erase(
    tx: &mut PgConnection,
    by: Actor,
    user: UserId,
    now: DateTime<Utc>,
    hooks: PersonalDataHooks,
) -> Result<bool, AccountError> {
    if store::lock(tx, user).await?.is_none() {
        return Ok(false);
    }
    end_sessions(tx, by, user, None).await?;
    for hook in hooks.0 {
        (hook.erase)(tx, user).await?;
    }
    store::anonymize(tx, user, now).await?;
    record(tx, SecurityEventKind::AccountDeleted, by, user).await?;
    Ok(true)
}
