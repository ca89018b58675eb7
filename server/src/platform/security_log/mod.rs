//! The security log: who logged in, failed, was refused, and who changed rights, credentials, settings or money. Rows are only ever added,
//! and a hash chain over them (`chain`) shows whether one was changed or removed later. Owns the tables `security_events` and `log_seals`.
//!
//! A row names people by id. Secrets, tokens, passwords and email addresses do not belong here.

pub mod chain;
mod store;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use tokio::task::futures::TaskLocalFuture;
use uuid::Uuid;

use super::clock::Clock;
use super::rate_limit::{Caller, RateLimit};
use super::sessions::Kind;

pub use store::SecurityEvents;

/// What happened.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    LoginSucceeded,
    LoginFailed,
    /// Not evaluated: too many failures before it.
    LoginThrottled,
    /// The failure that closed the account.
    LoginClosed,
    /// A right password; the code is still missing.
    CodeWanted,
    CodeFailed,
    CodesClosed,
    BackupCodeUsed,
    SecondStepOn,
    SecondStepOff,
    PasswordChanged,
    /// A first password was right, but its day was over.
    PasswordExpired,
    EmailChangeAsked,
    EmailChanged,
    EmailChangeCancelled,
    /// By the link that the former address got, perhaps after the new one was confirmed.
    EmailChangeUndone,
    IdentityLinked,
    IdentityRemoved,
    SessionEnded,
    SessionsEnded,
    AccountCreated,
    AccountDeleted,
    AccessDenied,
    /// A call beyond a limit; the first of many.
    LimitReached,
    /// Input that the server refused; the first of many.
    InputRefused,
    SellerCreated,
    SellerDisabled,
    SellerUnlocked,
    Exported,
    Refunded,
    SettingsChanged,
}

impl What {
    pub const fn name(self) -> &'static str {
        match self {
            Self::LoginSucceeded => "login.succeeded",
            Self::LoginFailed => "login.failed",
            Self::LoginThrottled => "login.throttled",
            Self::LoginClosed => "login.closed",
            Self::CodeWanted => "code.wanted",
            Self::CodeFailed => "code.failed",
            Self::CodesClosed => "code.closed",
            Self::BackupCodeUsed => "code.backup_used",
            Self::SecondStepOn => "second_step.on",
            Self::SecondStepOff => "second_step.off",
            Self::PasswordChanged => "password.changed",
            Self::PasswordExpired => "password.expired",
            Self::EmailChangeAsked => "email.change_asked",
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
            Self::SellerUnlocked => "seller.unlocked",
            Self::Exported => "data.exported",
            Self::Refunded => "money.refunded",
            Self::SettingsChanged => "settings.changed",
        }
    }
}

/// Who did it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Actor {
    Visitor,
    Shopper(Uuid),
    Seller(Uuid),
    /// Somebody at the command line of the server.
    Operator,
    /// The shop itself, by the clock.
    System,
}

impl Actor {
    pub const fn person(kind: Kind, id: Uuid) -> Self {
        match kind {
            Kind::Shopper => Self::Shopper(id),
            Kind::Seller => Self::Seller(id),
        }
    }

    const fn parts(self) -> (&'static str, Option<Uuid>) {
        match self {
            Self::Visitor => ("visitor", None),
            Self::Shopper(id) => ("shopper", Some(id)),
            Self::Seller(id) => ("seller", Some(id)),
            Self::Operator => ("operator", None),
            Self::System => ("system", None),
        }
    }
}

/// Where a request came from.
#[derive(Debug, Clone, Default)]
pub struct Origin {
    pub ip: Option<IpAddr>,
    pub device: String,
    pub request: String,
    known: Arc<Known>,
}

/// What becomes known of a request while it is worked on.
#[derive(Debug, Default)]
struct Known {
    person: OnceLock<Actor>,
    refusal_recorded: AtomicBool,
}

impl Origin {
    pub fn new(ip: Option<IpAddr>, device: String, request: String) -> Self {
        Self { ip, device, request, known: Arc::default() }
    }
}

tokio::task_local! {
    static ORIGIN: Origin;
}

/// Does `work` for a request from there.
pub fn during<F: Future>(origin: Origin, work: F) -> TaskLocalFuture<Origin, F> {
    ORIGIN.scope(origin, work)
}

/// The network address of the request that is worked on, or nothing.
pub fn network_address() -> String {
    origin().ip.map(|ip| ip.to_string()).unwrap_or_default()
}

fn origin() -> Origin {
    ORIGIN.try_with(Clone::clone).unwrap_or_default()
}

/// The request comes from this person: its session was found.
pub fn is_from(person: Actor) {
    let _ = origin().known.person.set(person);
}

/// Adds a row in the caller's transaction. `subject` is the id of whom or what it was done to; `details` hold no secrets.
pub async fn record(
    connection: &mut PgConnection,
    what: What,
    actor: Actor,
    subject: &str,
    details: &Value,
) -> sqlx::Result<()> {
    let origin = origin();
    let (actor_kind, actor_id) = actor.parts();
    let row = store::New {
        kind: what.name(),
        actor_kind,
        actor_id,
        subject,
        ip: origin.ip.map(|ip| ip.to_string()).unwrap_or_default(),
        device: origin.device,
        request: origin.request,
        details,
    };
    // The log lies on another machine too (docs/security/logging.md); it may also name what is rolled back afterwards.
    let store::New { kind, subject, ip, device, request, .. } = &row;
    tracing::info!(kind, actor_kind, ?actor_id, subject, ip, device, request, "security event");
    store::insert(connection, &row).await
}

/// The same outside a transaction.
pub async fn record_now(db: &PgPool, what: What, actor: Actor, subject: &str, details: &Value) -> sqlx::Result<()> {
    let mut connection = db.acquire().await?;
    record(&mut connection, what, actor, subject, details).await
}

/// Rows that a stranger can cause at will: so many a minute for one address, and from all together, counted by this process.
static FROM_ONE: LazyLock<RateLimit> = LazyLock::new(|| RateLimit::new(60, Duration::from_mins(1), &Clock::default()));
static FROM_ALL: LazyLock<RateLimit<()>> =
    LazyLock::new(|| RateLimit::new(1_200, Duration::from_mins(1), &Clock::default()));

/// One row for the same refusal of the same address in this time.
const REPEATED_WITHIN: Duration = Duration::from_mins(10);
static REPEATED: LazyLock<RateLimit<Repeated>> =
    LazyLock::new(|| RateLimit::new(1, REPEATED_WITHIN, &Clock::default()));

#[derive(PartialEq, Eq, Hash)]
struct Repeated {
    ip: IpAddr,
    person: Option<Uuid>,
    what: &'static str,
    subject: String,
}

impl Caller for Repeated {
    fn counted_as(self) -> Self {
        Self { ip: self.ip.counted_as(), ..self }
    }
}

/// Records a request that was answered with a refusal, unless whoever refused it has recorded it already.
pub async fn record_answer(db: &PgPool, what: What, subject: &str, details: &Value) {
    if origin().known.refusal_recorded.load(Ordering::Relaxed) {
        return;
    }
    record_refusal(db, what, Actor::Visitor, subject, details).await;
}

/// The same for refusals that come in hundreds: only the first of a while is recorded.
pub async fn record_first_answer(db: &PgPool, what: What, subject: &str, details: &Value) {
    let origin = origin();
    if origin.known.refusal_recorded.load(Ordering::Relaxed) {
        return;
    }
    let ip = origin.ip.unwrap_or(IpAddr::V4(Ipv4Addr::UNSPECIFIED));
    let person = origin.known.person.get().and_then(|person| person.parts().1);
    let repeated = Repeated { ip, person, what: what.name(), subject: format!("{subject} {details}") };
    if REPEATED.check(repeated).is_ok() {
        record_refusal(db, what, Actor::Visitor, subject, details).await;
    }
}

/// A refusal, of a visitor or of the person whose request it is. A flood of them costs the shop a bounded number of rows, and the
/// refusal is given even when the log cannot be written.
pub async fn record_refusal(db: &PgPool, what: What, actor: Actor, subject: &str, details: &Value) {
    let origin = origin();
    origin.known.refusal_recorded.store(true, Ordering::Relaxed);
    let actor = if actor == Actor::Visitor { *origin.known.person.get().unwrap_or(&actor) } else { actor };
    let of_one = origin.ip.is_none_or(|ip| FROM_ONE.check(ip).is_ok());
    if !of_one || FROM_ALL.check(()).is_err() {
        metrics::counter!("security_events_dropped_total").increment(1);
        return;
    }
    if let Err(error) = record_now(db, what, actor, subject, details).await {
        tracing::error!(%error, kind = what.name(), "the security log could not be written");
    }
}
