//! A sum, a reference and a state at a wallet. Owns the tables `payments`, `payment_lookups` and `refunds`, and the one way
//! to the wallet. It has never heard of orders: whoever asks for a payment keeps the meaning of `subject_id` to himself.
//!
//! `provider.rs` says what any wallet can do, `khalti.rs` how the one we have does it, `wallet_client.rs` guards the way there,
//! `schedule.rs` decides when to look again.

mod circuit_breaker;
mod khalti;
mod model;
mod provider;
pub mod schedule;
mod store;
mod wallet_client;

pub use model::{Payment, PaymentState, RefundState};
pub use provider::{NextAction, PaymentLookup, PaymentRequest, ProviderStatus, StartedPayment, WalletError};
pub use store::{
    DailyFlow, create_attempt, end_attempt, find, find_by_pidx, find_discrepancies, find_never_started, find_overdue,
    find_payment_of_refund, find_refund_of, find_settled_since, find_unsent_refunds, is_transaction_used, list_for,
    lock, mark_started, measure_lag, move_refund, record_lookup, request_refund, sum_flows_by_day,
};
pub use wallet_client::{Requester, WalletClient};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Plans the next look at a payment; `asked` says when the wallet was asked, if it was. Returns when to look: the caller asks
/// for the job.
pub async fn schedule_next_poll(
    connection: &mut PgConnection,
    id: Uuid,
    asked: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    let Some(payment) = store::find(connection, id).await? else { return Ok(None) };
    let pause = payment.poll_state().and_then(|poll_state| schedule::next_poll_delay(&poll_state, now));
    let next = pause.map(|pause| now + pause + jitter(pause, id));
    store::set_next_check(connection, id, next, asked).await?;
    Ok(next)
}

/// A crowd that came together is not looked at together: up to a sixteenth later, or earlier for nobody.
fn jitter(pause: TimeDelta, id: Uuid) -> TimeDelta {
    let sixteenth = i32::try_from(id.as_u128() % 16).unwrap_or(0);
    pause * sixteenth / 256
}
