//! A seller's login.

use std::net::IpAddr;

use http::{HeaderMap, HeaderValue};

use super::store::Profile;
use super::{SellerError, second_step, store};
use crate::platform::guard;
use crate::platform::sessions::{self, Kind};
use crate::platform::state::App;

pub async fn sign_in(
    app: &App,
    email: &str,
    password: &str,
    code: Option<&str>,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(Profile, Vec<HeaderValue>), SellerError> {
    let email = email.trim();
    let known = store::credentials(&app.db.main, email).await?;
    let person = known.as_ref().map(|seller| seller.id);
    let subject = guard::subject_of(app, Kind::Seller, email, person, from, headers).await?;
    // A wrong code counts like a wrong password, so the attempt is forgiven only when both are right.
    guard::attempt(&app.db.main, &subject).await?;
    let hash = known.as_ref().map(|seller| seller.password_hash.clone());
    let right = app.passwords.is_right(password, hash).await?;
    let Some(seller) = known.filter(|_| right) else {
        guard::note_failure(app, Kind::Seller, from);
        return Err(SellerError::WrongCredentials);
    };

    let mut tx = app.db.main.begin().await?;
    if let Some(secret) = &seller.totp_secret {
        let Some(code) = code.filter(|code| !code.trim().is_empty()) else {
            // Asking for the code is no failure of the person's.
            guard::forgive(&mut tx, &subject).await?;
            tx.commit().await?;
            return Err(SellerError::SecondStep);
        };
        let now = store::now(&mut tx).await?;
        let step = second_step::step_of(secret, code, u64::try_from(now.timestamp()).unwrap_or_default());
        let fresh = match step {
            Some(step) => store::use_step(&mut tx, seller.id, step).await?,
            None => false,
        };
        if !fresh {
            return Err(SellerError::WrongCode);
        }
    }
    guard::forgive(&mut tx, &subject).await?;
    let cookies = sessions::begin(&mut tx, Kind::Seller, seller.id, headers).await?;
    tx.commit().await?;
    Ok((Profile { name: seller.name, email: seller.email }, cookies))
}
