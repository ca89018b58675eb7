//! Paying a cash order with the wallet at the door (decision 094). The rider's phone shows the payment link as a QR code.
//! The order stays a cash order until the wallet reports the payment; `transition` then makes it an online order that
//! is paid, so that nothing is left to collect.

use uuid::Uuid;

use super::error::SettlementError;
use super::pay::{self, LinkClaim};
use super::settle::{self, PollReason};
use crate::orders::transition::{FinancialStatus, Method, TransitionError};
use crate::orders::{self, LockedOrder, OrderError};
use crate::payments::{self, NextAction, Payment, PaymentState, WalletClient};
use crate::platform::fail_point::fail_point;
use crate::platform::ids::OrderId;
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::shop;

/// The wallet creates no payment page for less.
const MIN_AMOUNT: Paisa = Paisa::from_rupees(10);

/// What a rider needs to know about a payment at the door.
pub struct DoorPayment {
    /// What is still to be collected; zero once the order is paid.
    pub amount: Paisa,
    /// The address of the payment page; `None` once the order is paid.
    pub url: Option<String>,
}

/// Returns the payment page of a cash order that its rider is delivering, or creates one. A repeated request gets the
/// same page as long as it can be paid and the amount has not changed.
pub async fn offer_door_payment(app: &App, rider: Uuid, order: OrderId) -> Result<DoorPayment, SettlementError> {
    let known = find_own(app, rider, order).await?;
    if known.state.payment == FinancialStatus::Paid {
        return Ok(DoorPayment { amount: Paisa::ZERO, url: None });
    }
    match pay::obtain_link(app, || claim_door_link(app, rider, order)).await? {
        NextAction::Redirect(url) => Ok(DoorPayment { amount: known.cash_due(), url: Some(url) }),
        // A form cannot be shown as a QR code.
        NextAction::Form { .. } => Err(SettlementError::OnlinePaymentUnavailable),
    }
}

/// Asks the wallet about the open payments of an order, and returns what is still to be collected.
pub async fn check_door_payment(app: &App, rider: Uuid, order: OrderId) -> Result<Paisa, SettlementError> {
    find_own(app, rider, order).await?;
    poll_open_payments(app, order).await?;
    Ok(find_own(app, rider, order).await?.cash_due())
}

/// Learns whether the wallet has paid an order, before its cash is recorded as collected.
pub async fn poll_open_payments(app: &App, order: OrderId) -> Result<(), SettlementError> {
    let arrived = app.clock.now();
    let mut connection = app.db.main.acquire().await?;
    let known = payments::list_for(&mut connection, &[order.0]).await?;
    drop(connection);
    let is_open = |payment: &&Payment| matches!(payment.state, PaymentState::Initiated | PaymentState::Failed);
    for payment in known.iter().filter(is_open) {
        settle::poll_payment(app, payment.id, PollReason::Verify(arrived)).await?;
    }
    Ok(())
}

/// An order of another rider is answered like one that does not exist.
async fn find_own(app: &App, rider: Uuid, order: OrderId) -> Result<LockedOrder, SettlementError> {
    let mut tx = app.db.main.begin().await?;
    let locked = orders::lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.rider == Some(rider));
    Ok(locked.ok_or(OrderError::NotFound)?)
}

async fn claim_door_link(app: &App, rider: Uuid, order: OrderId) -> Result<LinkClaim, SettlementError> {
    let shop = shop::load(app).await?;
    let mut tx = app.db.main.begin().await?;
    let locked = orders::lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.rider == Some(rider));
    let locked = locked.ok_or(OrderError::NotFound)?;
    let amount = locked.cash_due();
    if !pay::is_payable(&locked) || amount < MIN_AMOUNT {
        return Err(TransitionError::NotPayable.into());
    }
    if let Some(claim) = pay::claim_known_link(&mut tx, &locked, amount).await? {
        return Ok(claim);
    }
    if !app.component::<WalletClient>().is_available() {
        return Err(SettlementError::OnlinePaymentUnavailable);
    }
    let wallet = Method::Online.name();
    let payment = payments::create_attempt(&mut tx, order.0, wallet, amount, locked.now).await?;
    fail_point!(app, "settlement.door.before_claim_commit");
    tx.commit().await?;
    Ok(LinkClaim::make(app, &shop.brand, &locked, payment))
}
