//! Taking one's data along, and leaving.

use serde_json::{Map, Value, json};

use super::letters::prove;
use super::sign_in::recipient;
use super::{AccountError, end_sessions, load, record, store};
use crate::notifications::{self, Letter};
use crate::platform::personal::Share;
use crate::platform::security_log::{Actor, What};
use crate::platform::sessions::{self, Kind, Session};
use crate::platform::state::App;

/// What other rooms keep of a person; named in `app.rs`.
#[derive(Clone, Copy)]
pub struct Shares(pub &'static [Share]);

/// Everything the shop knows about the person, as one document.
pub async fn export(app: &App, session: &Session, shares: Shares) -> Result<Value, AccountError> {
    if !session.is_fresh {
        return Err(AccountError::FreshLoginNeeded);
    }
    let now = app.clock.now();
    let listed = sessions::list(&app.db.main, Kind::Shopper, session.person, now).await?;
    let devices: Vec<Value> = listed
        .into_iter()
        .map(|one| json!({"device": one.device, "since": one.created_at, "lastSeen": one.last_seen_at}))
        .collect();
    // One snapshot, so that the parts fit together.
    let mut tx = app.db.main.begin().await?;
    let profile = load(&mut tx, session.person).await?;
    let mut document = Map::from_iter([
        ("exportedAt".to_owned(), json!(now)),
        ("profile".to_owned(), json!(profile)),
        ("sessions".to_owned(), json!(devices)),
        ("identities".to_owned(), json!(store::identities(&mut *tx, session.person).await?)),
    ]);
    for share in shares.0 {
        document.insert(share.name.to_owned(), (share.read)(&mut tx, session.person).await?);
    }
    record(&mut tx, What::Exported, Actor::Shopper(session.person), session.person).await?;
    tx.commit().await?;
    Ok(Value::Object(document))
}

/// Deletes the account: sessions end, every room forgets the person, orders stay without a name.
pub async fn delete(app: &App, session: &Session, password: Option<&str>, shares: Shares) -> Result<(), AccountError> {
    let now = app.clock.now();
    let user = store::credentials_of(&app.db.main, session.person).await?.ok_or(AccountError::SignedOut)?;
    if user.password_hash.is_some() {
        prove(app, &user, password.unwrap_or_default(), now).await?;
    } else if !session.is_fresh {
        return Err(AccountError::FreshLoginNeeded);
    }
    let mut tx = app.db.main.begin().await?;
    store::lock(&mut tx, user.id).await?.ok_or(AccountError::SignedOut)?;
    end_sessions(&mut tx, Actor::Shopper(user.id), user.id, None).await?;
    for share in shares.0 {
        (share.forget)(&mut tx, user.id).await?;
    }
    store::forget(&mut tx, user.id, now).await?;
    record(&mut tx, What::AccountDeleted, Actor::Shopper(user.id), user.id).await?;
    notifications::send(&mut tx, &recipient(&user), &Letter::AccountDeleted).await?;
    tx.commit().await?;
    Ok(())
}
