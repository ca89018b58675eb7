//! Payment links. A link is created in two commits with the wallet call between them. A process that dies in between
//! leaves either a link that was never given out, so it cannot be paid, or one that is stored and polled.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use sqlx::PgConnection;

use super::error::SettlementError;
use super::settle::CheckPayment;
use crate::catalogue;
use crate::orders::transition::{Event, FinancialStatus, Method, OrderStatus, Stock, TransitionError};
use crate::orders::{
    self, EventActor, LockedOrder, OrderError, OrderRequest, PaymentContext, PlacedOrder, UnavailableProduct,
};
use crate::payments::{
    self, NextAction, Payment, PaymentRequest, PaymentState, StartedPayment, WalletClient, WalletError, schedule,
};
use crate::platform::fail_point::fail_point;
use crate::platform::ids::{OrderId, ProductId, UserId};
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::shop;

const MAX_ATTEMPTS: u32 = 3;
/// An order that has had this many links gets no more.
const MAX_LINKS: usize = 30;
/// A link with less time left than this is not given out again.
const MIN_LINK_LIFETIME: TimeDelta = TimeDelta::minutes(5);
/// A wallet call that creates a link has ended by then; if the link is still missing, the process that made the call
/// has died.
const LINK_CREATION_TIMEOUT: TimeDelta = TimeDelta::seconds(14);
/// While another request creates the link, this one checks for it at this interval.
const LINK_WAIT_INTERVAL: Duration = Duration::from_millis(150);
const LINK_WAIT_TIMEOUT: Duration = Duration::from_secs(6);

pub enum LinkClaim {
    Link(NextAction),
    /// Another request is creating one.
    Wait,
    Make {
        payment: Box<Payment>,
        request: PaymentRequest,
    },
}

impl LinkClaim {
    /// The caller is to create the link of this new attempt.
    pub fn make(app: &App, shop: &str, order: &LockedOrder, payment: Payment) -> Self {
        Self::Make { request: build_payment_request(app, shop, order, &payment), payment: Box::new(payment) }
    }
}

/// Places an order and creates its payment link. While the wallet is unavailable no order is placed, but a repeated
/// request still gets the link that its order already has.
pub async fn place_online(app: &App, request: &OrderRequest) -> Result<(PlacedOrder, NextAction), SettlementError> {
    if !app.component::<WalletClient>().is_available() {
        let key = request.key.as_deref().ok_or(SettlementError::OnlinePaymentUnavailable)?;
        let placed =
            orders::find_placed(app, request.user, key).await?.ok_or(SettlementError::OnlinePaymentUnavailable)?;
        let known = find_link(app, placed.order).await?.ok_or(SettlementError::OnlinePaymentUnavailable)?;
        return Ok((placed, known));
    }
    let placed = orders::place(app, request).await?;
    fail_point!(app, "settlement.pay.order_placed");
    let link = get_or_create_link(app, request.user, placed.order).await?;
    Ok((placed, link))
}

/// Returns the usable payment link of an order, or creates a new one.
pub async fn get_or_create_link(app: &App, user: UserId, order: OrderId) -> Result<NextAction, SettlementError> {
    obtain_link(app, || claim_link(app, user, order)).await
}

/// Returns the link that `claim` finds, waits while another request creates it, or creates it.
pub async fn obtain_link<Claimed>(app: &App, claim: impl Fn() -> Claimed) -> Result<NextAction, SettlementError>
where
    Claimed: Future<Output = Result<LinkClaim, SettlementError>>,
{
    let began = Instant::now();
    loop {
        match orders::retry_on_contention(MAX_ATTEMPTS, SettlementError::is_contention, &claim).await? {
            LinkClaim::Link(next_action) => return Ok(next_action),
            LinkClaim::Wait if began.elapsed() < LINK_WAIT_TIMEOUT => tokio::time::sleep(LINK_WAIT_INTERVAL).await,
            LinkClaim::Wait => return Err(SettlementError::OnlinePaymentUnavailable),
            LinkClaim::Make { payment, request } => return create_link(app, &payment, &request).await,
        }
    }
}

/// Returns the link that an order already has, for a client that lost the response; never creates one.
pub async fn find_link(app: &App, order: OrderId) -> Result<Option<NextAction>, SettlementError> {
    let mut connection = app.db.main.acquire().await?;
    let Some(row) = orders::find(&mut connection, order).await? else { return Ok(None) };
    let wanted = OrderStatus::from_name(&row.status).zip(FinancialStatus::from_name(&row.payment));
    if !wanted.is_some_and(|(status, money)| awaits_payment(status, money)) {
        return Ok(None);
    }
    let known = payments::list_for(&mut connection, &[order.0]).await?;
    Ok(usable_link(&known, row.total, app.clock.now()))
}

/// Returns whether the order may be paid: not if it is paid, cancelled, dispatched or in conflict.
fn awaits_payment(status: OrderStatus, money: FinancialStatus) -> bool {
    matches!(status, OrderStatus::Placed | OrderStatus::Confirmed)
        && matches!(money, FinancialStatus::Awaiting | FinancialStatus::Failed)
}

/// Returns whether a locked order may be paid: an online order as above, and a cash order at the door.
pub fn is_payable(order: &LockedOrder) -> bool {
    let state = order.state;
    match state.method {
        Method::Online => awaits_payment(state.status, state.payment),
        Method::Cod => state.status == OrderStatus::OutForDelivery && state.payment == FinancialStatus::CodDue,
    }
}

fn usable_link(known: &[Payment], amount: Paisa, now: DateTime<Utc>) -> Option<NextAction> {
    let mut newest_first = known.iter().rev();
    let payment =
        newest_first.find(|payment| payment.amount == amount && payment.is_payable(MIN_LINK_LIFETIME, now))?;
    payment.next_action.clone()
}

/// Returns the usable link of a locked order, or that another request is creating one. Attempts whose process died are
/// ended.
pub async fn claim_known_link(
    connection: &mut PgConnection,
    order: &LockedOrder,
    amount: Paisa,
) -> Result<Option<LinkClaim>, SettlementError> {
    let now = order.now;
    if let Some(next_action) = usable_link(&order.payments, amount, now) {
        return Ok(Some(LinkClaim::Link(next_action)));
    }
    for made in order.payments.iter().filter(|payment| payment.state == PaymentState::Created) {
        if now - made.created_at < LINK_CREATION_TIMEOUT {
            return Ok(Some(LinkClaim::Wait));
        }
        // The process that was creating this link died before it could give the link out.
        payments::end_attempt(connection, made.id, PaymentState::Abandoned, None, None, now).await?;
    }
    if order.payments.iter().filter(|payment| payment.pidx.is_some()).count() >= MAX_LINKS {
        return Err(TransitionError::NotPayable.into());
    }
    Ok(None)
}

async fn claim_link(app: &App, user: UserId, order: OrderId) -> Result<LinkClaim, SettlementError> {
    let shop = shop::load(app).await?;
    let mut tx = app.db.main.begin().await?;
    // Locks are taken in the same order as when an order is placed: the buyer first, then the orders.
    orders::lock_buyer(&mut tx, user).await?;
    let locked = orders::lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.user == user);
    let locked = locked.ok_or(OrderError::NotFound)?;
    let now = locked.now;
    if !awaits_payment(locked.state.status, locked.state.payment) {
        return Err(TransitionError::NotPayable.into());
    }
    if let Some(claim) = claim_known_link(&mut tx, &locked, locked.total).await? {
        return Ok(claim);
    }
    if !app.component::<WalletClient>().is_available() {
        // The wallet became unavailable after the order was placed, so its stock is released instead of held in vain.
        let payable = locked.payments.iter().any(|payment| payment.state == PaymentState::Initiated);
        if !payable && locked.state.stock == Stock::Held {
            orders::apply_event(app, &mut tx, &locked, Event::InitiationFailed, EventActor::System, None).await?;
            tx.commit().await?;
        }
        return Err(SettlementError::OnlinePaymentUnavailable);
    }
    // An order whose stock would be held again counts against the limit like a new order.
    let most = i64::from(shop.limits.max_unpaid_orders);
    if !locked.state.stock.owns_units() && orders::count_other_holds(&mut tx, user, order).await? >= most {
        return Err(OrderError::TooManyUnpaid.into());
    }
    match orders::apply_event(app, &mut tx, &locked, Event::PaymentRetried, EventActor::Shopper, None).await {
        Err(OrderError::Transition(TransitionError::OutOfStock)) => {
            return Err(out_of_stock_error(&mut tx, order).await?.into());
        }
        applied => applied?,
    };
    let payment = payments::create_attempt(&mut tx, order.0, locked.state.method.name(), locked.total, now).await?;
    fail_point!(app, "settlement.pay.payment_begun");
    orders::extend_hold(&mut tx, order, now + schedule::INITIAL_HOLD).await?;
    fail_point!(app, "settlement.pay.before_claim_commit");
    tx.commit().await?;
    Ok(LinkClaim::make(app, &shop.brand, &locked, payment))
}

fn build_payment_request(app: &App, shop: &str, order: &LockedOrder, payment: &Payment) -> PaymentRequest {
    let url = &app.config.public_url;
    PaymentRequest {
        amount: payment.amount,
        reference: reference(&order.code, payment),
        title: format!("{shop} order {}", order.code),
        return_url: format!("{url}/payment"),
        website_url: url.clone(),
    }
}

/// Our reference for the wallet: the order number and the attempt number.
pub fn reference(code: &str, payment: &Payment) -> String {
    format!("{code}-{}", payment.number)
}

/// Builds the error that names the products of the order that are out of stock.
async fn out_of_stock_error(connection: &mut PgConnection, order: OrderId) -> sqlx::Result<OrderError> {
    let wanted = orders::find_units(connection, order).await?;
    let quantities: HashMap<ProductId, i32> =
        wanted.ids.iter().copied().zip(wanted.quantities.iter().copied()).collect();
    let offers = catalogue::find_offers(connection, &wanted.ids).await?;
    let short =
        offers.into_iter().filter(|offer| quantities.get(&offer.id).is_some_and(|wanted| offer.stock < *wanted));
    let short = short.map(|offer| UnavailableProduct {
        id: offer.id,
        name: offer.name,
        name_ne: offer.name_ne,
        available: offer.stock.max(0),
    });
    Ok(OrderError::OutOfStock(short.collect()))
}

async fn create_link(app: &App, payment: &Payment, request: &PaymentRequest) -> Result<NextAction, SettlementError> {
    fail_point!(app, "settlement.pay.claimed");
    let started = app.component::<WalletClient>().start(request).await;
    fail_point!(app, "settlement.pay.wallet_answered");
    orders::retry_on_contention(MAX_ATTEMPTS, SettlementError::is_contention, || store_link(app, payment, &started))
        .await
}

async fn store_link(
    app: &App,
    payment: &Payment,
    started: &Result<StartedPayment, WalletError>,
) -> Result<NextAction, SettlementError> {
    let mut tx = app.db.main.begin().await?;
    let order = orders::lock(&mut tx, OrderId(payment.subject_id), &app.clock).await?.ok_or(OrderError::NotFound)?;
    let started = match started {
        Ok(started) => started,
        Err(error) => {
            tracing::warn!(%error, "could not create a payment page");
            abandon_payment(app, &mut tx, &order, payment).await?;
            fail_point!(app, "settlement.pay.before_give_up_commit");
            tx.commit().await?;
            fail_point!(app, "settlement.pay.given_up");
            return Err(SettlementError::OnlinePaymentUnavailable);
        }
    };
    let Some(ends) = payments::mark_started(&mut tx, payment.id, started, order.now).await? else {
        // The attempt was abandoned during the wallet call. Its link was never given out, so it cannot be paid.
        return Err(SettlementError::OnlinePaymentUnavailable);
    };
    fail_point!(app, "settlement.pay.link_stored");
    orders::extend_hold(&mut tx, order.id, ends + schedule::HOLD_AFTER_LINK).await?;
    CheckPayment::schedule_next(&mut tx, payment.id, None, order.now).await?;
    // If the order was cancelled, or paid through another link, during the wallet call, this link is polled but not
    // given out.
    let wanted = is_payable(&order);
    fail_point!(app, "settlement.pay.before_link_commit");
    tx.commit().await?;
    fail_point!(app, "settlement.pay.link_committed");
    if wanted { Ok(started.next_action.clone()) } else { Err(TransitionError::NotPayable.into()) }
}

/// Ends an attempt for which no payment page was created. Unless the order has another open attempt, its stock is
/// released.
pub async fn abandon_payment(
    app: &App,
    connection: &mut PgConnection,
    order: &LockedOrder,
    payment: &Payment,
) -> Result<(), SettlementError> {
    let still = order.payments.iter().any(|known| known.id == payment.id && known.state == PaymentState::Created);
    if !still {
        return Ok(());
    }
    let another = order
        .payments
        .iter()
        .any(|known| known.id != payment.id && matches!(known.state, PaymentState::Initiated | PaymentState::Created));
    // A cash order does not wait for the wallet.
    if !another && order.state.method == Method::Online {
        let context = PaymentContext { payment, lookup: None };
        orders::apply_event(app, connection, order, Event::InitiationFailed, EventActor::System, Some(context)).await?;
    }
    Ok(payments::end_attempt(connection, payment.id, PaymentState::Abandoned, None, None, order.now).await?)
}
