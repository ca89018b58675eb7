//! Ending sessions of a seller.

use std::net::IpAddr;

use uuid::Uuid;

use super::{SellerError, passwords, store};
use crate::platform::account_kind::AccountKind;
use crate::platform::sessions::{self, StaffSession};
use crate::platform::state::App;

pub enum SessionsToEnd {
    One(Uuid),
    /// All sessions except the caller's.
    Others,
}

/// Ends sessions. For those of other browsers a recent login or the password is required, so that a stranger at an
/// unattended dashboard cannot lock the seller out.
pub async fn end_sessions(
    app: &App,
    session: &StaffSession,
    which: SessionsToEnd,
    password: Option<&str>,
    from: IpAddr,
) -> Result<(), SellerError> {
    if !matches!(which, SessionsToEnd::One(id) if id == session.id) {
        passwords::require_recent_login(app, session, password, from).await?;
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
