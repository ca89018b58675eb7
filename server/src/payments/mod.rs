//! A sum, a reference and a state at a wallet. Owns the tables `payments`, `payment_lookups` and `refunds`, and the one way
//! to the wallet. It has never heard of orders: whoever asks for a payment keeps the meaning of `about` to himself.
//!
//! `provider.rs` says what any wallet can do, `khalti.rs` how the one we have does it, `wallet.rs` guards the way there,
//! `schedule.rs` decides when to look again.

mod breaker;
mod khalti;
mod model;
mod provider;
pub mod schedule;
mod store;
mod wallet;

pub use model::{Payment, PaymentState, RefundState};
pub use provider::{Bill, Onward, Said, Started, Status, WalletError};
pub use store::{
    Flow, begin, differences, end, find, find_by_pidx, flows, forgotten, heard, is_anothers, lag, lock, move_refund,
    never_started, of, payment_of_refund, refund_of, request_refund, settled_since, started, unsent_refunds,
};
pub use wallet::{Asker, Wallet};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

/// Plans the next look at a payment; `asked` says when the wallet was asked, if it was. Returns when to look: the caller asks
/// for the job.
pub async fn plan(
    connection: &mut PgConnection,
    id: Uuid,
    asked: Option<DateTime<Utc>>,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<DateTime<Utc>>> {
    let Some(payment) = store::find(connection, id).await? else { return Ok(None) };
    let pause = payment.situation().and_then(|situation| schedule::next_look(&situation, now));
    let next = pause.map(|pause| now + pause + spread(pause, id));
    store::plan(connection, id, next, asked).await?;
    Ok(next)
}

/// A crowd that came together is not looked at together: up to a sixteenth later, or earlier for nobody.
fn spread(pause: TimeDelta, id: Uuid) -> TimeDelta {
    let sixteenth = i32::try_from(id.as_u128() % 16).unwrap_or(0);
    pause * sixteenth / 256
}
