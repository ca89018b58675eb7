//! Signing in through the identity provider (Google or any other OpenID Connect provider).
//!
//! The server fetches the verified identity from the provider and stores it for this browser for five minutes. The
//! contract's `googleLogin` then sends an email address, which must equal the verified one. Accounts are found by the
//! provider's id of the person (`sub`), never by the address alone.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};

use super::model::UserRow;
use super::register::{ConsentHook, MAX_NAME_LENGTH};
use super::sign_in::{NewDeviceAlert, check_credentials, recipient};
use super::{AccountError, load_user, record, store};
use crate::notifications::{self, Email};
use crate::platform::account_kind::AccountKind;
use crate::platform::ids::UserId;
use crate::platform::language::Language;
use crate::platform::openid::{AuthorizationRequest, Identity, OpenIdError};
use crate::platform::security_log::{Actor, SecurityEventKind};
use crate::platform::sessions::{self, LoginKind};
use crate::platform::state::App;
use crate::platform::throttle;
use crate::platform::{contact, cookies, tokens};

const BROWSER_COOKIE: &str = "__Host-openid";
/// The time that a person may spend on the provider's pages.
const FLOW_LIFETIME: Duration = Duration::from_mins(10);
const IDENTITY_LIFETIME: Duration = Duration::from_mins(5);

pub struct ProviderRedirect {
    pub url: String,
    pub cookie: HeaderValue,
}

/// Returns the redirect to the provider; `return_to` is the page to come back to. With `fresh`, the provider must ask
/// for the password again, for calls that require a recent login.
pub async fn start_login(
    app: &App,
    return_to: Option<&str>,
    fresh: bool,
    headers: &HeaderMap,
) -> Result<ProviderRedirect, AccountError> {
    let provider = app.openid.as_ref().ok_or(AccountError::GoogleDisabled)?;
    let browser = match cookies::read(headers, BROWSER_COOKIE) {
        Some(browser) => browser.to_owned(),
        None => tokens::generate()?,
    };
    let (state, nonce, verifier) = (tokens::generate()?, tokens::generate()?, tokens::generate()?);
    let redirect_uri = redirect_uri(app);
    let attempt = AuthorizationRequest { redirect_uri: &redirect_uri, nonce: &nonce, verifier: &verifier };
    let url = provider.authorization_url(&attempt, &state, fresh).await.map_err(|error| {
        tracing::warn!(%error, "could not reach the identity provider");
        AccountError::GoogleFailed
    })?;
    let now = app.clock.now();
    let flow = store::NewFlow {
        state: &tokens::hash(&state),
        browser: &tokens::hash(&browser),
        nonce: &nonce,
        verifier: &verifier,
        return_to: local_path(return_to.unwrap_or_default()),
        fresh,
        started_at: now,
        expires_at: now + FLOW_LIFETIME,
    };
    store::insert_flow(&app.db.main, &flow).await?;
    Ok(ProviderRedirect {
        url,
        cookie: cookies::http_only(BROWSER_COOKIE, &browser, FLOW_LIFETIME + IDENTITY_LIFETIME),
    })
}

/// Handles the provider's callback. Returns the URL to go to next; the web app reads the outcome from its query.
pub async fn finish_login(
    app: &App,
    code: Option<&str>,
    state: &str,
    headers: &HeaderMap,
) -> Result<String, AccountError> {
    let provider = app.openid.as_ref().ok_or(AccountError::GoogleDisabled)?;
    let Some(browser) = browser_hash(headers) else { return Ok(outcome_url("/", "failed")) };
    let now = app.clock.now();
    let Some(flow) = store::consume_flow(&app.db.main, &tokens::hash(state), &browser, now).await? else {
        return Ok(outcome_url("/", "failed"));
    };
    let Some(code) = code else { return Ok(outcome_url(&flow.return_to, "failed")) };
    let redirect_uri = redirect_uri(app);
    let attempt = AuthorizationRequest { redirect_uri: &redirect_uri, nonce: &flow.nonce, verifier: &flow.verifier };
    let login_since = flow.fresh.then(|| flow.started_at.timestamp());
    match provider.exchange_code(code, &attempt, login_since, now).await {
        Ok(identity) => {
            store::save_verified_identity(&app.db.main, &browser, &identity, flow.fresh, now + IDENTITY_LIFETIME)
                .await?;
            Ok(outcome_url(&flow.return_to, "verified"))
        }
        // Some providers do not say when the person logged in; the web app then offers another way.
        Err(OpenIdError::NotFresh) => Ok(outcome_url(&flow.return_to, "not_fresh")),
        Err(error) => {
            metrics::counter!("openid_failed_total").increment(1);
            tracing::warn!(%error, "a login through the identity provider failed");
            Ok(outcome_url(&flow.return_to, "failed"))
        }
    }
}

/// Returns the identity that the provider verified in this browser.
pub async fn verified_identity(app: &App, headers: &HeaderMap) -> Result<Identity, AccountError> {
    let browser = browser_hash(headers).ok_or(AccountError::GoogleFailed)?;
    load_verified_identity(app, &browser, app.clock.now()).await
}

/// The hash by which the database knows the browser that started the sign-in.
fn browser_hash(headers: &HeaderMap) -> Option<Vec<u8>> {
    cookies::read(headers, BROWSER_COOKIE).map(tokens::hash)
}

async fn load_verified_identity(app: &App, browser: &[u8], now: DateTime<Utc>) -> Result<Identity, AccountError> {
    store::find_verified_identity(&app.db.main, browser, now).await?.ok_or(AccountError::GoogleFailed)
}

/// The body of `googleLogin`, which is not trusted: the email address must equal the verified one, and the phone is
/// used for a new account only.
pub struct ClaimedIdentity<'a> {
    pub email: &'a str,
    pub phone: &'a str,
    /// The password of the account that already has this address; needed once, to link the identity.
    pub password: Option<&'a str>,
}

pub async fn sign_in(
    app: &App,
    claim: ClaimedIdentity<'_>,
    from: IpAddr,
    consent_hook: ConsentHook,
    headers: &HeaderMap,
) -> Result<(UserRow, Vec<HeaderValue>), AccountError> {
    let browser = browser_hash(headers).ok_or(AccountError::GoogleFailed)?;
    let now = app.clock.now();
    let identity = load_verified_identity(app, &browser, now).await?;
    if !identity.email.eq_ignore_ascii_case(claim.email.trim()) {
        return Err(AccountError::GoogleFailed);
    }
    let linked = store::find_user_by_identity(&app.db.main, &identity.issuer, &identity.subject).await?;
    let owner = store::find_credentials_by_email(&app.db.main, &identity.email).await?;
    let (user, is_new, proven) = match (linked, owner) {
        (Some(user), _) => (user, false, None),
        (None, None) => (UserId::generate(), true, None),
        // A matching address does not prove that the account belongs to this person: it may have been registered by
        // someone else.
        (None, Some(owner)) => {
            let password = claim.password.filter(|password| !password.is_empty()).ok_or(AccountError::LinkNeeded)?;
            let (owner, subject) =
                check_credentials(app, &identity.email, Some(owner), password, from, headers, now).await?;
            (owner.id, false, Some((owner, subject)))
        }
    };

    let alert = if is_new { None } else { NewDeviceAlert::if_new(app, user, headers, now).await? };
    let mut tx = app.db.main.begin().await?;
    let used = store::consume_identity(&mut tx, &browser, &identity.subject, now).await?;
    let fresh = used.ok_or(AccountError::GoogleFailed)?;
    if is_new {
        create_user(&mut tx, user, &identity, claim.phone, headers, now).await?;
        (consent_hook.0)(&mut tx, user, now).await?;
    } else {
        store::lock(&mut tx, user).await?;
    }
    // This is checked again under the lock, because the identity may have been removed in the meantime.
    if linked.is_some() && store::find_user_by_identity(&mut *tx, &identity.issuer, &identity.subject).await? != linked
    {
        return Err(AccountError::GoogleFailed);
    }
    if linked.is_none() {
        // The identity gets the time of the link, not the earlier `now`, because undoing an email change removes the
        // identities that were linked after it.
        if !store::link_identity(&mut tx, user, &identity, app.clock.now()).await? {
            return Err(AccountError::GoogleFailed);
        }
        record(&mut tx, SecurityEventKind::IdentityLinked, Actor::Shopper(user), user).await?;
    }
    let knows_password = proven.is_some();
    if let Some((owner, subject)) = proven {
        if !store::lock_if_password_unchanged(&mut tx, user, owner.password_hash.as_deref()).await? {
            return Err(AccountError::WrongCredentials);
        }
        // The correct password and the verified identity together prove that the address belongs to the person.
        store::confirm_email(&mut tx, user, &identity.email, now).await?;
        throttle::clear_failures(&mut tx, &subject).await?;
        let message = Email::IdentityLinked { account: identity.email.clone() };
        notifications::send_email(&mut tx, &recipient(&owner), &message).await?;
    }
    if let Some(alert) = alert {
        alert.send(&mut tx).await?;
    }
    // A provider that remembers the browser has not asked for the password.
    let login = if fresh || knows_password { LoginKind::Fresh } else { LoginKind::Remembered };
    let mut set = sessions::begin(&mut tx, AccountKind::Shopper, user.0, headers, login, now).await?;
    let user = load_user(&mut tx, user).await?;
    tx.commit().await?;
    set.push(cookies::delete(BROWSER_COOKIE));
    Ok((user, set))
}

async fn create_user(
    connection: &mut sqlx::PgConnection,
    id: UserId,
    identity: &Identity,
    phone: &str,
    headers: &HeaderMap,
    now: DateTime<Utc>,
) -> Result<(), AccountError> {
    let email = contact::parse_email(&identity.email).ok_or(AccountError::GoogleFailed)?;
    let name: String = identity.name.trim().chars().take(MAX_NAME_LENGTH).collect();
    // Providers may leave out the name; the part before the @ is better than nothing.
    let name = if name.is_empty() { email.split('@').next().unwrap_or_default().to_owned() } else { name };
    let user = store::NewUser {
        id,
        email: &email,
        email_confirmed: true,
        name: &name,
        phone: &contact::parse_phone(phone).unwrap_or_default(),
        // The provider's picture is on the provider's host, and the shop shows no pictures from other hosts.
        picture: None,
        password_hash: None,
        language: Language::from_headers(headers).code(),
        now,
    };
    if !store::insert(connection, &user).await? {
        return Err(AccountError::LinkNeeded);
    }
    Ok(record(connection, SecurityEventKind::AccountCreated, Actor::Shopper(id), id).await?)
}

fn redirect_uri(app: &App) -> String {
    format!("{}/api/user/google/callback", app.config.public_url)
}

/// Returns the path if it is a path of the shop, otherwise the front page: a redirect must not lead to another site.
fn local_path(path: &str) -> &str {
    let plain = path.starts_with('/')
        && !path.starts_with("//")
        && path.len() <= 500
        && path.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'\\');
    if plain { path } else { "/" }
}

fn outcome_url(path: &str, how: &str) -> String {
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
        assert_eq!(local_path("/cart?x=1"), "/cart?x=1");
        for elsewhere in ["https://evil.example", "//evil.example", "/\\evil.example", "cart", "", "/a b", "/\r\nX: y"]
        {
            assert_eq!(local_path(elsewhere), "/", "{elsewhere}");
        }
        assert_eq!(outcome_url("/cart?x=1#top", "failed"), "/cart?x=1&google=failed#top");
    }
}
