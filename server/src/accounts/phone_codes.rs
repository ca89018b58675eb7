//! Codes that are sent by SMS: they confirm the phone number of an account, or log in to the account whose confirmed
//! number it is. A job contains only the id of the request; the worker generates the code when it sends the message, so
//! that the queue never contains a code, and a request does the same work whether an account exists or not.

use std::net::IpAddr;
use std::time::Duration;

use chrono::{DateTime, Utc};
use http::{HeaderMap, HeaderValue};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::UserRow;
use super::sign_in::NewDeviceAlert;
use super::{AccountError, load_user, record, store};
use crate::platform::account_kind::AccountKind;
use crate::platform::contact;
use crate::platform::hex;
use crate::platform::ids::UserId;
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::messages::{Render, message};
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::sessions::{self, LoginKind, Session};
use crate::platform::sms::SmsError;
use crate::platform::state::App;
use crate::platform::{numerals, throttle, tokens};
use crate::shop;

pub const CODE_LIFETIME: Duration = Duration::from_mins(5);
/// Guesses that are evaluated for one code.
pub const MAX_ATTEMPTS: i16 = 5;
const DIGITS: usize = 6;
/// How many codes may be requested: for a number, and from a browser that is known or by an account that is logged in.
/// The network address has a limit of its own, which is generous, because carriers share addresses.
const PER_NUMBER: u32 = 3;
const PER_DEVICE: u32 = 5;
const WINDOW: Duration = Duration::from_mins(15);
const PER_NUMBER_AND_DAY: u32 = 10;
const A_DAY: Duration = Duration::from_hours(24);

/// Sends a code to a number that a shopper wants to confirm. Returns the secret that belongs to it.
pub async fn request_confirmation(
    app: &App,
    session: &Session<UserId>,
    phone: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<String, AccountError> {
    let limited = format!("user:{}", session.person);
    request_code(app, phone, Some(session.person), &limited, from, headers).await
}

/// Sends a code to log in with, if the number is a confirmed one. The response does not tell.
pub async fn request_login(app: &App, phone: &str, from: IpAddr, headers: &HeaderMap) -> Result<String, AccountError> {
    request_code(app, phone, None, "", from, headers).await
}

async fn request_code(
    app: &App,
    phone: &str,
    user: Option<UserId>,
    account: &str,
    from: IpAddr,
    headers: &HeaderMap,
) -> Result<String, AccountError> {
    if !app.sms.is_configured() {
        return Err(AccountError::PhoneDisabled);
    }
    let phone = contact::parse_nepali_mobile(phone).ok_or(AccountError::PhoneInvalid)?;
    let (db, now) = (&app.db.main, app.clock.now());
    app.limits.phone_codes.check(from)?;
    if let Some(device) = sessions::device_token_hash(headers) {
        throttle::check_limit(db, "phone_code_device", &hex::encode(device), PER_DEVICE, WINDOW, now).await?;
    }
    if !account.is_empty() {
        throttle::check_limit(db, "phone_code_account", account, PER_DEVICE, WINDOW, now).await?;
    }
    // The counters contain no numbers, because they outlive the requests.
    let number = hex::encode(tokens::hash(&phone));
    throttle::check_limit(db, "phone_code", &number, PER_NUMBER, WINDOW, now).await?;
    throttle::check_limit(db, "phone_code_day", &number, PER_NUMBER_AND_DAY, A_DAY, now).await?;
    let token = tokens::generate()?;
    let mut tx = db.begin().await?;
    let id = Uuid::now_v7();
    store::insert_phone_code(&mut tx, id, &tokens::hash(&token), &phone, user, now + CODE_LIFETIME).await?;
    jobs::enqueue(&mut tx, &SendPhoneCode { id }).await?;
    tx.commit().await?;
    Ok(token)
}

#[derive(Serialize, Deserialize)]
pub struct SendPhoneCode {
    id: Uuid,
}

impl Job for SendPhoneCode {
    const NAME: &'static str = "accounts.send_phone_code";
    /// Within half a minute; a later code is no longer expected.
    const ATTEMPTS: i16 = 4;

    async fn run(self, app: &App) -> Result<(), String> {
        let failed = |error: sqlx::Error| error.to_string();
        let mut connection = app.db.main.acquire().await.map_err(failed)?;
        let request = store::find_phone_code(&mut connection, self.id, app.clock.now()).await.map_err(failed)?;
        // The code has expired, or a login was requested with a number that no account has confirmed.
        let Some(request) = request else { return Ok(()) };
        let Some(language) = request.language.as_deref().map(Language::from_code) else { return Ok(()) };
        let code = generate_code().map_err(|_| "no random numbers".to_owned())?;
        let hash = app.passwords.hash_code(&code).await.map_err(|_| "too many hashes at once".to_owned())?;
        store::set_phone_code(&mut connection, self.id, &hash).await.map_err(failed)?;
        drop(connection);
        let shop = shop::load_or_last_known(app).await;
        let brand = match language {
            Language::English => &shop.brand,
            Language::Nepali => &shop.brand_ne,
        };
        let text = message!("sms.code", brand = brand.as_str(), code = code).render(language);
        app.sms.send(&request.phone, &text).await.map_err(|error| match error {
            SmsError::RecipientRejected(_) => jobs::permanent_failure(error),
            SmsError::NotConfigured | SmsError::Transient(_) => error.to_string(),
        })
    }
}

/// Six digits, each as likely as any other.
fn generate_code() -> Result<String, getrandom::Error> {
    let mut code = String::with_capacity(DIGITS);
    while code.len() < DIGITS {
        let mut byte = [0_u8; 1];
        getrandom::fill(&mut byte)?;
        // 250 is the largest multiple of ten in a byte.
        let [byte] = byte;
        if byte < 250 {
            code.push(char::from(b'0' + byte % 10));
        }
    }
    Ok(code)
}

/// What a correct code proves.
struct CheckedCode {
    phone: String,
    user: Option<UserId>,
}

/// Checks a code. Each attempt counts before it is evaluated, so that parallel guesses are not free; an unknown request,
/// an expired code and a wrong one take the same time and get the same error.
async fn check_code(
    app: &App,
    token: &str,
    code: &str,
    for_user: Option<UserId>,
    now: DateTime<Utc>,
) -> Result<CheckedCode, AccountError> {
    let found = store::take_phone_code_attempt(&app.db.main, &tokens::hash(token), MAX_ATTEMPTS, now).await?;
    let found = found.filter(|request| request.user == for_user);
    let code = numerals::to_latin_digits(code.trim());
    let right = app.passwords.verify(&code, found.as_ref().and_then(|request| request.code_hash.clone())).await?;
    match found {
        Some(request) if right => Ok(CheckedCode { phone: request.phone, user: request.user }),
        _ => {
            let about = for_user.map(|user| user.to_string()).unwrap_or_default();
            let details = serde_json::json!({ "kind": "phone" });
            security_log::record_refusal(&app.db.main, SecurityEventKind::CodeFailed, Actor::Visitor, &about, &details)
                .await;
            Err(AccountError::WrongPhoneCode)
        }
    }
}

/// Confirms the number that the code was sent to, and makes it the account's number. An account that had confirmed it
/// before loses it, because the number has another owner now.
pub async fn confirm(app: &App, session: &Session<UserId>, token: &str, code: &str) -> Result<UserRow, AccountError> {
    let now = app.clock.now();
    let user = session.person;
    let checked = check_code(app, token, code, Some(user), now).await?;
    let mut tx = app.db.main.begin().await?;
    use_up(&mut tx, token).await?;
    if checked.user != Some(user) || store::lock(&mut tx, user).await?.is_none() {
        return Err(AccountError::SignedOut);
    }
    store::set_verified_phone(&mut tx, user, &checked.phone, now).await?;
    record(&mut tx, SecurityEventKind::PhoneConfirmed, Actor::Shopper(user), user).await?;
    let saved = load_user(&mut tx, user).await?;
    tx.commit().await?;
    Ok(saved)
}

/// Logs in to the account whose confirmed number the code was sent to. Calls that require a recent login still ask for
/// the password, because a number can be taken over at the carrier.
pub async fn sign_in(
    app: &App,
    token: &str,
    code: &str,
    headers: &HeaderMap,
) -> Result<(UserRow, Vec<HeaderValue>), AccountError> {
    let now = app.clock.now();
    let checked = check_code(app, token, code, None, now).await?;
    let user = store::find_by_verified_phone(&app.db.main, &checked.phone).await?;
    let user = user.ok_or(AccountError::WrongPhoneCode)?;
    let alert = NewDeviceAlert::if_new(app, user, headers, now).await?;
    let mut tx = app.db.main.begin().await?;
    use_up(&mut tx, token).await?;
    if store::lock(&mut tx, user).await?.is_none() {
        return Err(AccountError::WrongPhoneCode);
    }
    if let Some(alert) = alert {
        alert.send(&mut tx).await?;
    }
    let cookies = sessions::begin(&mut tx, AccountKind::Shopper, user.0, headers, LoginKind::Remembered, now).await?;
    let saved = load_user(&mut tx, user).await?;
    tx.commit().await?;
    Ok((saved, cookies))
}

/// A code works once, also when it is sent twice at the same moment.
async fn use_up(connection: &mut PgConnection, token: &str) -> Result<(), AccountError> {
    if store::delete_phone_code(connection, &tokens::hash(token)).await? {
        Ok(())
    } else {
        Err(AccountError::WrongPhoneCode)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_code_has_six_digits_and_all_digits_occur() {
        let codes: Vec<String> = (0..200).map(|_| generate_code().unwrap()).collect();

        assert!(codes.iter().all(|code| code.len() == 6 && code.bytes().all(|byte| byte.is_ascii_digit())));
        for digit in '0'..='9' {
            assert!(codes.iter().any(|code| code.contains(digit)), "{digit}");
        }
    }

    #[test]
    fn the_text_message_fits_into_one_part() {
        for (language, brand, most) in [(Language::English, "Thunse", 160), (Language::Nepali, "थुन्से", 70)]
        {
            let text = message!("sms.code", brand = brand, code = "123456").render(language);
            assert!(text.encode_utf16().count() <= most && text.contains("123456"), "{text}");
        }
    }
}
