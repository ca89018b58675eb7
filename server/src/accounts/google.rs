//! Signing in through the identity provider (Google, or any that speaks `OpenID` Connect).
//!
//! The provider's word is fetched by the server and kept for this browser for five minutes. The contract's `googleLogin`
//! then names an e-mail address, which counts only when it is the one that the provider vouched for. Accounts are
//! found by the provider's own name for the person (`sub`), never by the address alone.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use uuid::Uuid;

use super::register::LONGEST_NAME;
use super::sign_in::{NewDevice, check, recipient};
use super::{AccountError, User, load, record, store};
use crate::notifications::{self, Letter};
use crate::platform::guard;
use crate::platform::openid::{Attempt, Identity, OpenIdError};
use crate::platform::security_log::{Actor, What};
use crate::platform::sessions::{self, Kind, Login};
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::platform::{contact, cookies, tokens};

const BROWSER_COOKIE: &str = "__Host-openid";
/// How long a person may take at the provider.
const FLOW_LIFE: Duration = Duration::from_mins(10);
const IDENTITY_LIFE: Duration = Duration::from_mins(5);

pub struct Away {
    pub address: String,
    pub cookie: HeaderValue,
}

/// Sends the browser to the provider; `return_to` is the page it left. With `fresh` the provider is to ask for the
/// password again, for calls that want a recent login.
pub async fn start(app: &App, return_to: Option<&str>, fresh: bool, headers: &HeaderMap) -> Result<Away, AccountError> {
    let provider = app.openid.as_ref().ok_or(AccountError::GoogleOff)?;
    let browser = match cookies::read(headers, BROWSER_COOKIE) {
        Some(browser) => browser.to_owned(),
        None => tokens::fresh()?,
    };
    let (state, nonce, verifier) = (tokens::fresh()?, tokens::fresh()?, tokens::fresh()?);
    let redirect_uri = redirect_uri(app);
    let attempt = Attempt { redirect_uri: &redirect_uri, nonce: &nonce, verifier: &verifier };
    let address = provider.sign_in_address(&attempt, &state, fresh).await.map_err(|error| {
        tracing::warn!(%error, "the identity provider cannot be asked");
        AccountError::GoogleFailed
    })?;
    let now = app.clock.now();
    let flow = store::Flow {
        state: &tokens::hash(&state),
        browser: &tokens::hash(&browser),
        nonce: &nonce,
        verifier: &verifier,
        return_to: own_path(return_to.unwrap_or_default()),
        fresh,
        started_at: now,
        expires_at: now + FLOW_LIFE,
    };
    store::insert_flow(&app.db.main, &flow).await?;
    Ok(Away { address, cookie: cookies::secret(BROWSER_COOKIE, &browser, FLOW_LIFE + IDENTITY_LIFE) })
}

/// The browser is back. Returns where it goes next; the web app reads from the address how it went.
pub async fn finish(app: &App, code: Option<&str>, state: &str, headers: &HeaderMap) -> Result<String, AccountError> {
    let provider = app.openid.as_ref().ok_or(AccountError::GoogleOff)?;
    let Some(browser) = browser_of(headers) else { return Ok(outcome("/", "failed")) };
    let now = app.clock.now();
    let Some(flow) = store::use_flow(&app.db.main, &tokens::hash(state), &browser, now).await? else {
        return Ok(outcome("/", "failed"));
    };
    let Some(code) = code else { return Ok(outcome(&flow.return_to, "failed")) };
    let redirect_uri = redirect_uri(app);
    let attempt = Attempt { redirect_uri: &redirect_uri, nonce: &flow.nonce, verifier: &flow.verifier };
    let login_since = flow.fresh.then(|| flow.started_at.timestamp());
    match provider.identify(code, &attempt, login_since, now).await {
        Ok(identity) => {
            store::keep_identity(&app.db.main, &browser, &identity, flow.fresh, now + IDENTITY_LIFE).await?;
            Ok(outcome(&flow.return_to, "verified"))
        }
        // Not every provider says when the person logged in; the web app then offers another way.
        Err(OpenIdError::NotFresh) => Ok(outcome(&flow.return_to, "not_fresh")),
        Err(error) => {
            metrics::counter!("openid_failed_total").increment(1);
            tracing::warn!(%error, "a sign-in through the provider failed");
            Ok(outcome(&flow.return_to, "failed"))
        }
    }
}

/// Whom the provider has vouched for at this browser.
pub async fn identity(app: &App, headers: &HeaderMap) -> Result<Identity, AccountError> {
    let browser = browser_of(headers).ok_or(AccountError::GoogleFailed)?;
    vouched(app, &browser, app.clock.now()).await
}

/// The browser that a sign-in belongs to, as the tables know it.
fn browser_of(headers: &HeaderMap) -> Option<Vec<u8>> {
    cookies::read(headers, BROWSER_COOKIE).map(tokens::hash)
}

async fn vouched(app: &App, browser: &[u8], now: DateTime<Utc>) -> Result<Identity, AccountError> {
    store::identity_of_browser(&app.db.main, browser, now).await?.ok_or(AccountError::GoogleFailed)
}

/// What the contract's call brings. Only the address is compared; nothing else of it is believed without a vouched identity.
pub struct Claim<'a> {
    pub email: &'a str,
    pub phone: &'a str,
    /// Of the account that has the address already; given once, to connect it.
    pub password: Option<&'a str>,
}

pub async fn sign_in(
    app: &App,
    claim: Claim<'_>,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<(User, Vec<HeaderValue>), AccountError> {
    let browser = browser_of(headers).ok_or(AccountError::GoogleFailed)?;
    let now = app.clock.now();
    let identity = vouched(app, &browser, now).await?;
    if !identity.email.eq_ignore_ascii_case(claim.email.trim()) {
        return Err(AccountError::GoogleFailed);
    }
    let linked = store::user_of_identity(&app.db.main, &identity.issuer, &identity.subject).await?;
    let owner = store::credentials(&app.db.main, &identity.email).await?;
    let (user, is_new, proven) = match (linked, owner) {
        (Some(user), _) => (user, false, None),
        (None, None) => (Uuid::now_v7(), true, None),
        // The address alone proves nothing about that account: whoever registered it may not own the address.
        (None, Some(owner)) => {
            let password = claim.password.filter(|password| !password.is_empty()).ok_or(AccountError::LinkNeeded)?;
            let (owner, subject) = check(app, &identity.email, Some(owner), password, from, headers, now).await?;
            (owner.id, false, Some((owner, subject)))
        }
    };

    let news = if is_new { None } else { NewDevice::of(app, user, headers, now).await? };
    let mut tx = app.db.main.begin().await?;
    let used = store::use_identity(&mut tx, &browser, &identity.subject, now).await?;
    let fresh = used.ok_or(AccountError::GoogleFailed)?;
    if is_new {
        create(&mut tx, user, &identity, claim.phone, headers, now).await?;
    } else {
        store::lock(&mut tx, user).await?;
    }
    // Under the lock: the identity may have been removed, or the password changed, since they were looked at.
    if linked.is_some() && store::user_of_identity(&mut *tx, &identity.issuer, &identity.subject).await? != linked {
        return Err(AccountError::GoogleFailed);
    }
    if linked.is_none() {
        // Not at the time before the password was checked: whoever undoes a change of the email address removes what was
        // linked after it.
        if !store::link_identity(&mut tx, user, &identity, app.clock.now()).await? {
            return Err(AccountError::GoogleFailed);
        }
        record(&mut tx, What::IdentityLinked, Actor::Shopper(user), user).await?;
    }
    let knows_password = proven.is_some();
    if let Some((owner, subject)) = proven {
        if !store::lock_with_password(&mut tx, user, owner.password_hash.as_deref()).await? {
            return Err(AccountError::WrongCredentials);
        }
        // The right password and the provider's word together: the address is the person's.
        store::confirm_email(&mut tx, user, &identity.email, now).await?;
        guard::forgive(&mut tx, &subject).await?;
        let letter = Letter::IdentityLinked { account: identity.email.clone() };
        notifications::send(&mut tx, &recipient(&owner), &letter).await?;
    }
    if let Some(news) = news {
        news.tell(&mut tx).await?;
    }
    // A provider that remembers the browser has not asked for a password.
    let login = if fresh || knows_password { Login::Fresh } else { Login::Remembered };
    let mut set = sessions::begin(&mut tx, Kind::Shopper, user, headers, login, now).await?;
    let user = load(&mut tx, user).await?;
    tx.commit().await?;
    set.push(cookies::gone(BROWSER_COOKIE));
    Ok((user, set))
}

async fn create(
    connection: &mut sqlx::PgConnection,
    id: Uuid,
    identity: &Identity,
    phone: &str,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    let email = contact::email(&identity.email).ok_or(AccountError::GoogleFailed)?;
    let name: String = identity.name.trim().chars().take(LONGEST_NAME).collect();
    // A provider need not give a name; the part before the @ is better than nothing.
    let name = if name.is_empty() { email.split('@').next().unwrap_or_default().to_owned() } else { name };
    let user = store::NewUser {
        id,
        email: &email,
        email_confirmed: true,
        name: &name,
        phone: &contact::phone(phone).unwrap_or_default(),
        // The provider's picture lives on the provider's server; we show none of another host.
        picture: None,
        password_hash: None,
        language: Language::of(headers).code(),
        now,
    };
    if !store::insert(connection, &user).await? {
        return Err(AccountError::LinkNeeded);
    }
    Ok(record(connection, What::AccountCreated, Actor::Shopper(id), id).await?)
}

fn redirect_uri(app: &App) -> String {
    format!("{}/api/user/google/callback", app.config.public_url)
}

/// A path of our own shop, or the front page: never an address that leads elsewhere.
fn own_path(path: &str) -> &str {
    let plain = path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= 500
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain { path } else { "/" }
}

fn outcome(path: &str, how: &str) -> String {
    let (path, fragment) = path.split_once('#').map_or((path, None), |(path, fragment)| (path, Some(fragment)));
    let joint = if path.contains('?') { '&' } else { '?' };
    let fragment = fragment.map(|fragment| format!("#{fragment}")).unwrap_or_default();
    format!("{path}{joint}google={how}{fragment}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_way_back_leads_into_the_shop_only() {
        assert_eq!(own_path("/cart?x=1"), "/cart?x=1");
        for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example", "cart", "", "/a b", "/\r\nX: y"]
        {
            assert_eq!(own_path(elsewhere), "/", "{elsewhere}");
        }
        assert_eq!(outcome("/cart?x=1#top", "failed"), "/cart?x=1&google=failed#top");
    }
}
