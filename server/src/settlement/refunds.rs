//! Refunds. A refund is marked as sent before the wallet is called, and a call that the wallet may have accepted is
//! never repeated, because the wallet does not promise that a second call is not a second refund. Polling the payment
//! shows whether the refund has arrived.
//!
//! A payment can have two refunds: one of the part that was not packed, and one of the rest if the order is cancelled
//! after that. The rest is sent only when the part is confirmed or handed to the seller, because the wallet shows only
//! that something was refunded, not how much. A part that never reached the wallet goes back with the rest.

use chrono::TimeDelta;
use serde_json::Value;

use super::error::SettlementError;
use super::settle::{self, CheckPayment, PollReason};
use crate::orders::transition::CaseKind;
use crate::orders::{self, OrderError, SendRefund};
use crate::payments::{self, ProviderStatus, Refund, RefundKind, RefundState, WalletClient, WalletError};
use crate::platform::fail_point::fail_point;
use crate::platform::ids::OrderId;
use crate::platform::jobs::Job;
use crate::platform::money::Paisa;
use crate::platform::security_log::{self, Actor, SecurityEventKind};
use crate::platform::state::App;

/// A refund that could not be sent to the wallet is tried again after this delay.
const RETRY_DELAY: TimeDelta = TimeDelta::minutes(1);

/// What the wallet is asked for.
struct RefundToSend {
    transaction: Option<String>,
    /// `None` for the whole payment.
    amount: Option<Paisa>,
}

impl Job for SendRefund {
    const NAME: &'static str = "orders.send_refund";

    async fn run(self, app: &App) -> Result<(), String> {
        self.send(app).await.map_err(|error| error.to_string())
    }
}

impl SendRefund {
    async fn send(&self, app: &App) -> Result<(), SettlementError> {
        let wallet = app.component::<WalletClient>();
        // The seller may have made the refund in the wallet's own dashboard, or the response to an earlier call was
        // lost.
        let mut connection = app.db.main.acquire().await?;
        let Some(refund) = payments::find_refund(&mut connection, self.refund).await? else { return Ok(()) };
        drop(connection);
        if !self.wallet_answered(app, &refund).await? {
            return Ok(());
        }
        fail_point!(app, "settlement.refund.looked_up");
        let Some(sending) = self.mark_sent(app, &refund).await? else { return Ok(()) };
        let Some(transaction) = sending.transaction else {
            // Without a transaction id the wallet cannot identify the payment.
            return self.hand_to_seller(app, &refund).await;
        };
        fail_point!(app, "settlement.refund.marked");
        match wallet.refund(&transaction, sending.amount).await {
            Ok(()) => {
                fail_point!(app, "settlement.refund.wallet_answered");
                settle::poll_payment(app, refund.payment, PollReason::Due).await?;
                Ok(())
            }
            // The call did not reach the wallet or was turned away, so no refund was made.
            Err(
                WalletError::CircuitOpen
                | WalletError::NotConfigured
                | WalletError::Unreachable(_)
                | WalletError::Unauthorized
                | WalletError::RateLimited,
            ) => self.revert_to_requested(app, &refund).await,
            Err(WalletError::Rejected(_) | WalletError::UnknownPayment) => self.hand_to_seller(app, &refund).await,
            // The refund may have been made all the same: polling will show it, or else a case is opened.
            Err(error) => {
                tracing::warn!(%error, "a refund request got no response");
                Ok(())
            }
        }
    }

    /// Polls the payment and returns whether the wallet answered; if it did not, the refund is tried again later. A
    /// payment that the wallet shows as refunded is settled by the poll itself.
    async fn wallet_answered(&self, app: &App, refund: &Refund) -> Result<bool, SettlementError> {
        let polled = settle::poll_payment(app, refund.payment, PollReason::Recheck).await?;
        if !polled.is_certain && polled.payment.refund_state(refund.kind) == Some(RefundState::Requested) {
            let mut connection = app.db.main.acquire().await?;
            self.enqueue_at(&mut connection, app.clock.now() + RETRY_DELAY).await?;
        }
        Ok(polled.is_certain)
    }

    /// Marks the refund as sent and returns what to send; `None` when there is nothing to send now.
    async fn mark_sent(&self, app: &App, refund: &Refund) -> Result<Option<RefundToSend>, SettlementError> {
        let mut tx = app.db.main.begin().await?;
        let id = refund.payment;
        let Some(known) = payments::find(&mut tx, id).await? else { return Ok(None) };
        let now = orders::lock(&mut tx, OrderId(known.subject_id), &app.clock).await?.ok_or(OrderError::NotFound)?.now;
        let payment = payments::lock(&mut tx, id).await?.ok_or(SettlementError::PaymentNotFound)?;
        if payment.refund_state(refund.kind) != Some(RefundState::Requested) {
            return Ok(None);
        }
        let part = payment.refund_state(RefundKind::Partial);
        let part_is_open = matches!(part, Some(RefundState::Requested | RefundState::Sent));
        let waits = refund.kind == RefundKind::Full && part_is_open;
        if waits || !app.component::<WalletClient>().is_available() {
            self.enqueue_at(&mut tx, now + RETRY_DELAY).await?;
            tx.commit().await?;
            return Ok(None);
        }
        payments::move_refund(&mut tx, id, refund.kind, &[RefundState::Requested], RefundState::Sent, now).await?;
        fail_point!(app, "settlement.refund.state_stored");
        CheckPayment::schedule_next(&mut tx, id, None, now).await?;
        security_log::record(&mut tx, SecurityEventKind::Refunded, Actor::System, &id.to_string(), &Value::Null)
            .await?;
        fail_point!(app, "settlement.refund.before_mark_commit");
        tx.commit().await?;
        // If a part was handed to the seller and the wallet has just shown no refund, that part was never made. Then
        // everything goes back at once, because the wallet could not show that only the rest was refunded.
        let part_was_not_made =
            part == Some(RefundState::Manual) && payment.provider_status == Some(ProviderStatus::Completed);
        let is_whole = part.is_none() || (refund.kind == RefundKind::Full && part_was_not_made);
        Ok(Some(RefundToSend { transaction: payment.transaction, amount: (!is_whole).then_some(refund.amount) }))
    }

    async fn revert_to_requested(&self, app: &App, refund: &Refund) -> Result<(), SettlementError> {
        let mut tx = app.db.main.begin().await?;
        payments::lock(&mut tx, refund.payment).await?;
        let now = app.clock.now();
        payments::move_refund(&mut tx, refund.payment, refund.kind, &[RefundState::Sent], RefundState::Requested, now)
            .await?;
        fail_point!(app, "settlement.refund.taken_back");
        self.enqueue_at(&mut tx, now + RETRY_DELAY).await?;
        fail_point!(app, "settlement.refund.before_take_back_commit");
        tx.commit().await?;
        Ok(())
    }

    /// Opens a case for a refund that the wallet refused or cannot identify, so that the seller decides.
    async fn hand_to_seller(&self, app: &App, refund: &Refund) -> Result<(), SettlementError> {
        let payment = refund.payment;
        let mut tx = app.db.main.begin().await?;
        let order_id =
            OrderId(payments::find(&mut tx, payment).await?.ok_or(SettlementError::PaymentNotFound)?.subject_id);
        let now = orders::lock(&mut tx, order_id, &app.clock).await?.ok_or(OrderError::NotFound)?.now;
        let from = [RefundState::Sent];
        if payments::move_refund(&mut tx, payment, refund.kind, &from, RefundState::Manual, now).await? {
            orders::open_case(&mut tx, order_id, CaseKind::RefundFailed, now).await?;
            fail_point!(app, "settlement.refund.case_opened");
            CheckPayment::schedule_next(&mut tx, payment, None, now).await?;
            fail_point!(app, "settlement.refund.before_hand_over_commit");
        }
        tx.commit().await?;
        Ok(())
    }
}
