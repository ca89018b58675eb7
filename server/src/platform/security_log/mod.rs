//! The security log: logins, failures and refusals, and changes of rights, credentials, settings or money. Rows are
//! only ever added, and a hash chain over them (`hash_chain`) shows whether one was changed or removed later. Owns the
//! tables `security_events` and `log_seals`.
//!
//! A row names people by id. Secrets, tokens, passwords and email addresses do not belong here.

pub mod hash_chain;
mod model;
mod store;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use tokio::task::futures::TaskLocalFuture;
use uuid::Uuid;

use self::model::NewSecurityEvent;
use super::account_kind::AccountKind;
use super::clock::Clock;
use super::ids::UserId;
use super::rate_limit::{RateLimitKey, RateLimiter};

pub use model::{ChainedLog, ChainedRow};
pub use store::SecurityEvents;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SecurityEventKind {
    LoginSucceeded,
    LoginFailed,
    /// The attempt was not evaluated, because too many failures came before it.
    LoginThrottled,
    /// This failure locked the account.
    LoginLocked,
    /// The password was correct; the code is still missing.
    CodeRequired,
    CodeFailed,
    CodesLocked,
    /// A wrong PIN on a remembered device.
    PinFailed,
    BackupCodeUsed,
    /// The second factor was entered again before a sensitive change.
    SecondFactorProved,
    SecondStepOn,
    SecondStepOff,
    PasswordChanged,
    /// A temporary password was correct, but its 24 hours were over.
    PasswordExpired,
    /// The phone number was confirmed by a code.
    PhoneConfirmed,
    EmailChangeRequested,
    EmailChanged,
    EmailChangeCancelled,
    /// The link in the email to the former address was opened, perhaps after the new address was confirmed.
    EmailChangeUndone,
    IdentityLinked,
    IdentityRemoved,
    SessionEnded,
    SessionsEnded,
    AccountCreated,
    AccountDeleted,
    AccessDenied,
    /// A call exceeded a limit; only the first of many is recorded.
    LimitReached,
    /// The server refused an input; only the first of many is recorded.
    InputRefused,
    SellerCreated,
    SellerDisabled,
    SellerEnabled,
    RoleChanged,
    StaffInvited,
    SellerUnlocked,
    Exported,
    Refunded,
    SettingsChanged,
}

impl SecurityEventKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoginSucceeded => "login.succeeded",
            Self::LoginFailed => "login.failed",
            Self::LoginThrottled => "login.throttled",
            Self::LoginLocked => "login.locked",
            Self::CodeRequired => "code.required",
            Self::CodeFailed => "code.failed",
            Self::CodesLocked => "code.locked",
            Self::PinFailed => "pin.failed",
            Self::BackupCodeUsed => "code.backup_used",
            Self::SecondFactorProved => "second_step.proved",
            Self::SecondStepOn => "second_step.on",
            Self::SecondStepOff => "second_step.off",
            Self::PasswordChanged => "password.changed",
            Self::PasswordExpired => "password.expired",
            Self::PhoneConfirmed => "phone.confirmed",
            Self::EmailChangeRequested => "email.change_requested",
            Self::EmailChanged => "email.changed",
            Self::EmailChangeCancelled => "email.change_cancelled",
            Self::EmailChangeUndone => "email.change_undone",
            Self::IdentityLinked => "identity.linked",
            Self::IdentityRemoved => "identity.removed",
            Self::SessionEnded => "session.ended",
            Self::SessionsEnded => "session.all_ended",
            Self::AccountCreated => "account.created",
            Self::AccountDeleted => "account.deleted",
            Self::AccessDenied => "access.denied",
            Self::LimitReached => "limit.reached",
            Self::InputRefused => "input.refused",
            Self::SellerCreated => "seller.created",
            Self::SellerDisabled => "seller.disabled",
            Self::SellerEnabled => "seller.enabled",
            Self::RoleChanged => "seller.role_changed",
            Self::StaffInvited => "seller.invited",
            Self::SellerUnlocked => "seller.unlocked",
            Self::Exported => "data.exported",
            Self::Refunded => "money.refunded",
            Self::SettingsChanged => "settings.changed",
        }
    }
}

/// The person or process that caused an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    Visitor,
    Shopper(UserId),
    Seller(Uuid),
    /// A person at the command line of the server.
    Operator,
    /// The shop itself, in a scheduled job.
    System,
}

impl Actor {
    pub const fn person(kind: AccountKind, id: Uuid) -> Self {
        match kind {
            AccountKind::Shopper => Self::Shopper(UserId(id)),
            AccountKind::Seller => Self::Seller(id),
        }
    }

    const fn parts(self) -> (&'static str, Option<Uuid>) {
        match self {
            Self::Visitor => ("visitor", None),
            Self::Shopper(id) => ("shopper", Some(id.0)),
            Self::Seller(id) => ("seller", Some(id)),
            Self::Operator => ("operator", None),
            Self::System => ("system", None),
        }
    }
}

/// Where a request came from.
#[derive(Debug, Clone, Default)]
pub struct RequestOrigin {
    pub ip: Option<IpAddr>,
    pub device: String,
    pub request: String,
    facts: Arc<RequestFacts>,
}

/// What becomes known about a request while it is processed.
#[derive(Debug, Default)]
struct RequestFacts {
    person: OnceLock<Actor>,
    refusal_recorded: AtomicBool,
}

impl RequestOrigin {
    pub fn new(ip: Option<IpAddr>, device: String, request: String) -> Self {
        Self { ip, device, request, facts: Arc::default() }
    }
}

tokio::task_local! {
    static ORIGIN: RequestOrigin;
}

/// Runs `work` for a request with this origin.
pub fn with_origin<F: Future>(origin: RequestOrigin, work: F) -> TaskLocalFuture<RequestOrigin, F> {
    ORIGIN.scope(origin, work)
}

/// The network address of the current request, or an empty text.
pub fn network_address() -> String {
    origin().ip.map(|ip| ip.to_string()).unwrap_or_default()
}

fn origin() -> RequestOrigin {
    ORIGIN.try_with(Clone::clone).unwrap_or_default()
}

/// Records whose session the current request has.
pub fn set_actor(person: Actor) {
    let _ = origin().facts.person.set(person);
}

/// Adds a row in the caller's transaction. `subject` is the id of the person or thing concerned; `details` must not
/// contain secrets.
pub async fn record(
    connection: &mut PgConnection,
    what: SecurityEventKind,
    actor: Actor,
    subject: &str,
    details: &Value,
) -> sqlx::Result<()> {
    let origin = origin();
    let (actor_kind, actor_id) = actor.parts();
    let row = NewSecurityEvent {
        kind: what.name(),
        actor_kind,
        actor_id,
        subject,
        ip: origin.ip.map(|ip| ip.to_string()).unwrap_or_default(),
        device: origin.device,
        request: origin.request,
        details,
    };
    // The event is also logged, because the log is sent to another machine (docs/security/logging.md). The log may name
    // an event that is rolled back afterwards.
    let NewSecurityEvent { kind, subject, ip, device, request, .. } = &row;
    tracing::info!(kind, actor_kind, ?actor_id, subject, ip, device, request, "security event");
    store::insert(connection, &row).await
}

/// Adds a row outside a transaction.
pub async fn record_now(
    db: &PgPool,
    what: SecurityEventKind,
    actor: Actor,
    subject: &str,
    details: &Value,
) -> sqlx::Result<()> {
    let mut connection = db.acquire().await?;
    record(&mut connection, what, actor, subject, details).await
}

/// Limits the rows per minute that strangers can cause, for one address and in total, counted by this process.
static REFUSALS_PER_IP: LazyLock<RateLimiter> =
    LazyLock::new(|| RateLimiter::new(60, Duration::from_mins(1), &Clock::default()));
static REFUSALS_IN_TOTAL: LazyLock<RateLimiter<()>> =
    LazyLock::new(|| RateLimiter::new(1_200, Duration::from_mins(1), &Clock::default()));

/// Within this time the same refusal of the same address is recorded once.
const DEDUPLICATION_WINDOW: Duration = Duration::from_mins(10);
static REPEATED_REFUSALS: LazyLock<RateLimiter<RefusalKey>> =
    LazyLock::new(|| RateLimiter::new(1, DEDUPLICATION_WINDOW, &Clock::default()));

#[derive(PartialEq, Eq, Hash)]
struct RefusalKey {
    ip: IpAddr,
    person: Option<Uuid>,
    what: &'static str,
    subject: String,
}

impl RateLimitKey for RefusalKey {
    fn normalized(self) -> Self {
        Self { ip: self.ip.normalized(), ..self }
    }
}

/// Records a request that was refused, unless the code that refused it has recorded it already.
pub async fn record_refusal_response(db: &PgPool, what: SecurityEventKind, subject: &str, details: &Value) {
    if origin().facts.refusal_recorded.load(Ordering::Relaxed) {
        return;
    }
    record_refusal(db, what, Actor::Visitor, subject, details).await;
}

/// Does the same for refusals that come in hundreds: only the first within `DEDUPLICATION_WINDOW` is recorded.
pub async fn record_first_refusal_response(db: &PgPool, what: SecurityEventKind, subject: &str, details: &Value) {
    let origin = origin();
    if origin.facts.refusal_recorded.load(Ordering::Relaxed) {
        return;
    }
    let ip = origin.ip.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let person = origin.facts.person.get().and_then(|person| person.parts().1);
    let key = RefusalKey { ip, person, what: what.name(), subject: format!("{subject} {details}") };
    if REPEATED_REFUSALS.check(key).is_ok() {
        record_refusal(db, what, Actor::Visitor, subject, details).await;
    }
}

/// Records a refusal of a visitor, or of the person whose request it is. A flood of refusals adds a limited number of
/// rows, and the request is refused even if the log cannot be written.
pub async fn record_refusal(db: &PgPool, what: SecurityEventKind, actor: Actor, subject: &str, details: &Value) {
    let origin = origin();
    origin.facts.refusal_recorded.store(true, Ordering::Relaxed);
    let actor = if actor == Actor::Visitor { *origin.facts.person.get().unwrap_or(&actor) } else { actor };
    let of_one = origin.ip.is_none_or(|ip| REFUSALS_PER_IP.check(ip).is_ok());
    if !of_one || REFUSALS_IN_TOTAL.check(()).is_err() {
        metrics::counter!("security_events_dropped_total").increment(1);
        return;
    }
    if let Err(error) = record_now(db, what, actor, subject, details).await {
        tracing::error!(%error, kind = what.name(), "could not write to the security log");
    }
}
