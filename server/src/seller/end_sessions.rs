//! Where a seller is signed in, and ending that.

use std::net::IpAddr;

use uuid::Uuid;

use super::{SellerError, passwords, store};
use crate::platform::sessions::{self, AccountKind, Session};
use crate::platform::state::App;

/// Which sessions end.
pub enum SessionsToEnd {
    One(Uuid),
    /// All but the one that asks.
    Others,
}

/// Ends them. Those of other browsers want a login within the last minutes, or the password: whoever finds an open dashboard
/// should not be able to shut the seller out of it.
pub async fn end_sessions(
    app: &App,
    session: &Session,
    which: SessionsToEnd,
    password: Option<&str>,
    from: IpAddr,
) -> Result<(), SellerError> {
    if !matches!(which, SessionsToEnd::One(id) if id == session.id) && !session.is_fresh {
        let password = password.filter(|password| !password.is_empty()).ok_or(SellerError::PasswordNeeded)?;
        passwords::verify_password(app, session.person, password, from, app.clock.now()).await?;
    }
    match which {
        SessionsToEnd::One(id) => {
            let ended = sessions::end_one(&app.db.main, AccountKind::Seller, session.person, id).await?;
            if ended { Ok(()) } else { Err(SellerError::SessionNotFound) }
        }
        SessionsToEnd::Others => {
            let mut tx = app.db.main.begin().await?;
            store::delete_pending_logins(&mut tx, session.person).await?;
            sessions::end_all(&mut tx, AccountKind::Seller, session.person, Some(session.id)).await?;
            tx.commit().await?;
            Ok(())
        }
    }
}
