//! Payments at a wallet: an amount, a reference and a state. Owns the tables `payments`, `payment_lookups` and
//! `refunds`, and the only access to the wallet. This module knows nothing about orders: only the caller knows what
//! `subject_id` refers to.
//!
//! `provider.rs` defines what any wallet can do, `khalti.rs` implements it for Khalti, `wallet_client.rs` limits and
//! protects the calls, and `schedule.rs` decides when to poll again.

mod circuit_breaker;
mod khalti;
mod model;
mod provider;
pub mod schedule;
mod store;
mod wallet_client;

pub use model::{PartialRefund, Payment, PaymentState, Refund, RefundKind, RefundState};
pub use provider::{NextAction, PaymentLookup, PaymentRequest, ProviderStatus, StartedPayment, WalletError};
pub use store::{
    DailyFlow, create_attempt, end_attempt, find, find_by_pidx, find_discrepancies, find_never_started, find_overdue,
    find_refund, find_refund_of, find_settled_since, find_unsent_refunds, is_transaction_used, list_for, lock,
    mark_started, measure_lag, move_refund, record_lookup, request_partial_refund, request_refund, sum_flows_by_day,
};
pub use wallet_client::{Requester, WalletClient};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use khalti::KhaltiProvider;
use provider::PaymentProvider;

use crate::platform::config::KhaltiSettings;
use crate::platform::ids::PaymentId;

/// Returns whether the wallet answers and accepts our key. It ignores the circuit breaker, which is another process's.
pub async fn ping_wallet(settings: KhaltiSettings) -> Result<(), WalletError> {
    let provider = KhaltiProvider::new(settings).map_err(|error| WalletError::Unreachable(error.to_string()))?;
    provider.ping().await
}

/// Stores and returns the time of the next poll; the caller enqueues the job. `asked` says when the wallet was asked,
/// if it was.
pub async fn schedule_next_poll(
    connection: &mut PgConnection,
    id: PaymentId,
    asked: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    let Some(payment) = store::find(connection, id).await? else { return Ok(None) };
    let pause = payment.poll_state().and_then(|poll_state| schedule::next_poll_delay(&poll_state, now));
    let next = pause.map(|pause| now + pause + jitter(pause, id));
    store::set_next_check(connection, id, next, asked).await?;
    Ok(next)
}

/// Delays a poll by up to a sixteenth, so that payments that were started together are not polled together.
fn jitter(pause: TimeDelta, id: PaymentId) -> TimeDelta {
    let sixteenth = i32::try_from(id.0.as_u128() % 16).unwrap_or(0);
    pause * sixteenth / 256
}
