//! Giving money back. It is marked before the wallet is asked, and the wallet is asked once: nobody has promised that a
//! second call is not a second refund. Whether it arrived is learnt by looking at the payment.

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

use super::change;
use super::model::OrderError;
use super::settle::{self, CheckPayment, Why};
use super::store;
use super::transition::Case;
use crate::payments::{self, RefundState, Wallet, WalletError};
use crate::platform::fail_point::fail_point;
use crate::platform::jobs::{self, Job};
use crate::platform::security_log::{self, Actor, What};
use crate::platform::state::App;

/// What the wallet could not be asked for is asked for again after this long.
const NOT_SENT: TimeDelta = TimeDelta::minutes(1);

#[derive(Serialize, Deserialize)]
pub struct SendRefund {
    pub refund: Uuid,
}

impl Job for SendRefund {
    const NAME: &'static str = "orders.send_refund";

    async fn run(self, app: &App) -> Result<(), String> {
        self.send(app).await.map_err(|error| error.to_string())
    }
}

impl SendRefund {
    pub async fn at(&self, connection: &mut PgConnection, at: DateTime<Utc>) -> sqlx::Result<()> {
        jobs::enqueue_at(connection, self, &self.refund.to_string(), at).await
    }

    /// Asks for the job again, should it be lost.
    pub async fn again(&self, connection: &mut PgConnection) -> sqlx::Result<()> {
        jobs::enqueue_again(connection, self, &self.refund.to_string()).await
    }

    async fn send(&self, app: &App) -> Result<(), OrderError> {
        let wallet = app.part::<Wallet>();
        // Somebody may have given it back at the wallet's own desk, or an earlier call did and its answer was lost.
        if !self.is_still_there(app).await? {
            return Ok(());
        }
        fail_point!(app, "orders.refund.looked_up");
        let Some((payment, transaction)) = self.mark(app).await? else { return Ok(()) };
        let Some(transaction) = transaction else {
            // Nothing by which the wallet would know it.
            return self.hand_over(app, payment).await;
        };
        fail_point!(app, "orders.refund.marked");
        match wallet.refund(&transaction).await {
            Ok(()) => {
                fail_point!(app, "orders.refund.wallet_answered");
                settle::look(app, payment, Why::Due).await?;
                Ok(())
            }
            // Not heard, or not listened to: nothing was done.
            Err(
                WalletError::Resting
                | WalletError::None
                | WalletError::Unreachable(_)
                | WalletError::KeyRefused
                | WalletError::TooOften,
            ) => self.take_back(app, payment).await,
            Err(WalletError::Refused(_) | WalletError::Unknown) => self.hand_over(app, payment).await,
            // It may have been done all the same: looks will tell, and if they do not, a person will.
            Err(error) => {
                tracing::warn!(%error, "a refund was asked for and not answered");
                Ok(())
            }
        }
    }

    /// Whether the wallet's own words are known now. As long as it cannot be asked, nothing is sent; and what it shows as given
    /// back is settled by the look.
    async fn is_still_there(&self, app: &App) -> Result<bool, OrderError> {
        let mut connection = app.db.main.acquire().await?;
        let Some(payment) = payments::payment_of_refund(&mut connection, self.refund).await? else { return Ok(false) };
        drop(connection);
        let looked = settle::look(app, payment, Why::Again).await?;
        if !looked.is_certain && looked.payment.refund == Some(RefundState::Requested) {
            let mut connection = app.db.main.acquire().await?;
            self.at(&mut connection, app.clock.now() + NOT_SENT).await?;
        }
        Ok(looked.is_certain)
    }

    /// From here on it counts as asked for.
    async fn mark(&self, app: &App) -> Result<Option<(Uuid, Option<String>)>, OrderError> {
        let mut tx = app.db.main.begin().await?;
        let Some(id) = payments::payment_of_refund(&mut tx, self.refund).await? else { return Ok(None) };
        let Some(known) = payments::find(&mut tx, id).await? else { return Ok(None) };
        let now = change::lock(&mut tx, known.about, &app.clock).await?.ok_or(OrderError::NotFound)?.now;
        let payment = payments::lock(&mut tx, id).await?.ok_or(OrderError::PaymentNotFound)?;
        if payment.refund != Some(RefundState::Requested) {
            return Ok(None);
        }
        if !app.part::<Wallet>().is_well() {
            self.at(&mut tx, now + NOT_SENT).await?;
            tx.commit().await?;
            return Ok(None);
        }
        payments::move_refund(&mut tx, id, &[RefundState::Requested], RefundState::Sent, now).await?;
        fail_point!(app, "orders.refund.state_stored");
        CheckPayment::plan(&mut tx, id, None, now).await?;
        security_log::record(&mut tx, What::Refunded, Actor::System, &id.to_string(), &Value::Null).await?;
        fail_point!(app, "orders.refund.before_mark_commit");
        tx.commit().await?;
        Ok(Some((id, payment.transaction)))
    }

    async fn take_back(&self, app: &App, payment: Uuid) -> Result<(), OrderError> {
        let mut tx = app.db.main.begin().await?;
        payments::lock(&mut tx, payment).await?;
        let now = app.clock.now();
        payments::move_refund(&mut tx, payment, &[RefundState::Sent], RefundState::Requested, now).await?;
        fail_point!(app, "orders.refund.taken_back");
        self.at(&mut tx, now + NOT_SENT).await?;
        fail_point!(app, "orders.refund.before_take_back_commit");
        tx.commit().await?;
        Ok(())
    }

    /// The wallet said no: a person decides.
    async fn hand_over(&self, app: &App, payment: Uuid) -> Result<(), OrderError> {
        let mut tx = app.db.main.begin().await?;
        let about = payments::find(&mut tx, payment).await?.ok_or(OrderError::PaymentNotFound)?.about;
        let now = change::lock(&mut tx, about, &app.clock).await?.ok_or(OrderError::NotFound)?.now;
        if payments::move_refund(&mut tx, payment, &[RefundState::Sent], RefundState::Manual, now).await? {
            store::open_case(&mut tx, about, Case::RefundFailed, now).await?;
            fail_point!(app, "orders.refund.case_opened");
            CheckPayment::plan(&mut tx, payment, None, now).await?;
            fail_point!(app, "orders.refund.before_hand_over_commit");
        }
        tx.commit().await?;
        Ok(())
    }
}
