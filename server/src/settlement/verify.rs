//! Verifying a payment when the shopper comes back from the wallet. Our own records say which order a payment belongs
//! to; what the browser says about it is not trusted.

use super::error::SettlementError;
use super::pay;
use super::settle::{self, PollReason, PollResult};
use crate::orders::transition::FinancialStatus;
use crate::orders::{self, OrderRow};
use crate::payments::{self, Payment, PaymentState};
use crate::platform::ids::{OrderId, UserId};
use crate::platform::state::App;

const MAX_PIDX_LENGTH: usize = 200;

/// Returns the paid order and the payment; `None` when it is paid but the caller is not signed in: only the owner sees
/// the details.
pub async fn verify_payment(
    app: &App,
    user: Option<UserId>,
    pidx: &str,
    claimed: Option<&str>,
) -> Result<Option<(OrderRow, Payment)>, SettlementError> {
    if pidx.is_empty() || pidx.len() > MAX_PIDX_LENGTH {
        return Err(SettlementError::PaymentNotFound);
    }
    let arrived = app.clock.now();
    let (payment, order) = {
        let mut connection = app.db.main.acquire().await?;
        // An unknown `pidx` is not looked up at the wallet, so that this endpoint cannot be used to query other
        // payments.
        let payment = payments::find_by_pidx(&mut connection, pidx).await?.ok_or(SettlementError::PaymentNotFound)?;
        let order = orders::find(&mut connection, OrderId(payment.subject_id))
            .await?
            .ok_or(SettlementError::PaymentNotFound)?;
        (payment, order)
    };
    if user.is_some_and(|user| user != order.user_id) {
        metrics::counter!("authz_denied_total", "route" => "verify_khalti_payment").increment(1);
        tracing::warn!(order = %order.code, "a payment was queried by someone other than its owner");
        return Err(SettlementError::PaymentNotFound);
    }
    if claimed.is_some_and(|claimed| !claimed.is_empty() && claimed != pay::reference(&order.code, &payment)) {
        tracing::warn!(order = %order.code, "a payment was presented for a different order");
    }
    let PollResult { payment, is_certain } = settle::poll_payment(app, payment.id, PollReason::Verify(arrived)).await?;
    let order = {
        let mut connection = app.db.main.acquire().await?;
        orders::find(&mut connection, OrderId(payment.subject_id)).await?.ok_or(SettlementError::PaymentNotFound)?
    };
    let money = FinancialStatus::from_name(&order.payment);
    match (payment.state, money) {
        (PaymentState::PaidExtra, _) => Err(SettlementError::PaidTwice),
        (PaymentState::Conflict, _) => Err(SettlementError::PaymentConflict),
        // The order is paid, no matter which attempt paid it.
        (_, Some(FinancialStatus::Paid)) => Ok(user.map(|_| (order, payment))),
        (PaymentState::Paid, _) => Err(SettlementError::PaymentReturned),
        // A cancelled link can still be paid, so only a current and definite answer of the wallet counts as 'not
        // completed'.
        (PaymentState::Failed, _) if is_certain && !payment.is_undecided() => Err(SettlementError::PaymentNotCompleted),
        (PaymentState::Abandoned, _) => Err(SettlementError::PaymentNotCompleted),
        (PaymentState::Created | PaymentState::Initiated | PaymentState::Failed, _) => {
            Err(SettlementError::PaymentPending)
        }
    }
}
