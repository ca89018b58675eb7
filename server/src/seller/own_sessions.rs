//! Where a seller is signed in, and ending that.

use std::net::IpAddr;

use uuid::Uuid;

use super::{SellerError, own_password, store};
use crate::platform::sessions::{self, Kind, Session};
use crate::platform::state::App;

/// Which sessions end.
pub enum Which {
    One(Uuid),
    /// All but the one that asks.
    Others,
}

/// Ends them. Those of other browsers want a login within the last minutes, or the password: whoever finds an open dashboard
/// should not be able to shut the seller out of it.
pub async fn end(
    app: &App,
    session: &Session,
    which: Which,
    password: Option<&str>,
    from: IpAddr,
) -> Result<(), SellerError> {
    if !matches!(which, Which::One(id) if id == session.id) && !session.is_fresh {
        let password = password.filter(|password| !password.is_empty()).ok_or(SellerError::PasswordNeeded)?;
        own_password::prove(app, session.person, password, from, app.clock.now()).await?;
    }
    match which {
        Which::One(id) => {
            let ended = sessions::end_one(&app.db.main, Kind::Seller, session.person, id).await?;
            if ended { Ok(()) } else { Err(SellerError::SessionNotFound) }
        }
        Which::Others => {
            let mut tx = app.db.main.begin().await?;
            store::end_all_pending(&mut tx, session.person).await?;
            sessions::end_all(&mut tx, Kind::Seller, session.person, Some(session.id)).await?;
            tx.commit().await?;
            Ok(())
        }
    }
}
