//! A way to pay for an order: a link of the wallet's, made in two commits with the call between them. Whatever dies in
//! between leaves either no link, which nobody can pay, or one that is written down and watched.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use chrono::{DateTime, TimeDelta, Utc};
use serde::Serialize;
use sqlx::PgConnection;
use uuid::Uuid;

use super::change::{self, Actor, Subject};
use super::model::{Missing, OrderError, patiently};
use super::place::{self, Placed, Wish};
use super::settle::CheckPayment;
use super::store::{self, Locked};
use super::transition::{Event, Label, Method, Payment as Money, Refusal, Stock};
use crate::catalogue;
use crate::payments::{self, Bill, Onward, Payment, PaymentState, Started, Wallet, WalletError, schedule};
use crate::platform::fail_point::fail_point;
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::shop;

const TRIES: u32 = 3;
/// Somebody who asks for so many links does not want to pay.
const MOST_LINKS: usize = 30;
/// A link with less than this left is not given out again.
const LEFT: TimeDelta = TimeDelta::minutes(5);
/// The call that makes a link has ended by then, one way or the other; after that its maker is dead.
const BEING_MADE: TimeDelta = TimeDelta::seconds(14);
/// Another call is making the link: this one looks whether it is there.
const LOOK_EVERY: Duration = Duration::from_millis(150);
const LOOK_FOR: Duration = Duration::from_secs(6);

/// How the browser goes on, as the contract says it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct GoPay {
    #[serde(skip_serializing_if = "Option::is_none")]
    pub payment_url: Option<String>,
    /// For wallets that want a form: where it goes, and its fields.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Object>)]
    pub payment_form: Option<Onward>,
}

impl From<Onward> for GoPay {
    fn from(onward: Onward) -> Self {
        match onward {
            Onward::Redirect(address) => Self { payment_url: Some(address), payment_form: None },
            form @ Onward::Form { .. } => Self { payment_url: None, payment_form: Some(form) },
        }
    }
}

enum Claim {
    Link(Onward),
    /// Somebody else is making one.
    Wait,
    Make {
        payment: Box<Payment>,
        bill: Bill,
    },
}

/// Places an order and makes the link to pay it. While the wallet is in trouble nothing is placed, but an order that has its
/// link already keeps it.
pub async fn place(
    app: &App,
    user: Uuid,
    key: Option<&str>,
    wish: &Wish,
    language: Language,
) -> Result<(Placed, GoPay), OrderError> {
    if !app.part::<Wallet>().is_well() {
        let key = key.ok_or(OrderError::NoOnlinePayment)?;
        let placed = place::answer_of(app, user, key).await?.ok_or(OrderError::NoOnlinePayment)?;
        let known = known_link(app, placed.order).await?.ok_or(OrderError::NoOnlinePayment)?;
        return Ok((placed, known));
    }
    let placed = place::place(app, user, key, wish, Method::Online, language, None).await?;
    fail_point!(app, "orders.pay.order_placed");
    let link = link(app, user, placed.order).await?;
    Ok((placed, link))
}

/// The link under which an order can be paid: the one it has, or a new one.
pub async fn link(app: &App, user: Uuid, order: Uuid) -> Result<GoPay, OrderError> {
    let began = Instant::now();
    loop {
        match patiently(TRIES, || claim(app, user, order)).await? {
            Claim::Link(onward) => return Ok(onward.into()),
            Claim::Wait if began.elapsed() < LOOK_FOR => tokio::time::sleep(LOOK_EVERY).await,
            Claim::Wait => return Err(OrderError::NoOnlinePayment),
            Claim::Make { payment, bill } => return make(app, &payment, &bill).await,
        }
    }
}

/// A link that an order has already, for whoever lost the answer. Makes none.
pub async fn known_link(app: &App, order: Uuid) -> Result<Option<GoPay>, OrderError> {
    let mut connection = app.db.main.acquire().await?;
    let Some(row) = store::find(&mut connection, order).await? else { return Ok(None) };
    let wanted = Label::from_name(&row.label).zip(Money::from_name(&row.payment));
    if !wanted.is_some_and(|(label, money)| is_wanted(label, money)) {
        return Ok(None);
    }
    let known = payments::of(&mut connection, &[order]).await?;
    Ok(living(&known, app.clock.now()).map(GoPay::from))
}

/// Nobody is sent to pay for what is paid, cancelled or in dispute.
fn is_wanted(label: Label, money: Money) -> bool {
    matches!(label, Label::Placed | Label::Confirmed) && matches!(money, Money::Awaiting | Money::Failed)
}

fn living(known: &[Payment], now: DateTime<Utc>) -> Option<Onward> {
    let payment = known.iter().rev().find(|payment| payment.is_payable(LEFT, now))?;
    payment.onward.clone()
}

async fn claim(app: &App, user: Uuid, order: Uuid) -> Result<Claim, OrderError> {
    let shop = shop::settled(app).await?;
    let mut tx = app.db.main.begin().await?;
    // As in placing: the shopper first, then his orders.
    store::lock_buyer(&mut tx, user).await?;
    let locked = change::lock(&mut tx, order, &app.clock).await?.filter(|locked| locked.user == user);
    let locked = locked.ok_or(OrderError::NotFound)?;
    let now = locked.now;
    if !is_wanted(locked.state.label, locked.state.payment) {
        return Err(Refusal::NotPayable.into());
    }
    if let Some(onward) = living(&locked.payments, now) {
        return Ok(Claim::Link(onward));
    }
    for made in locked.payments.iter().filter(|payment| payment.state == PaymentState::Created) {
        if now - made.created_at < BEING_MADE {
            return Ok(Claim::Wait);
        }
        // Its maker died before anybody could learn its address.
        payments::end(&mut tx, made.id, PaymentState::Abandoned, None, None, now).await?;
    }
    if locked.payments.iter().filter(|payment| payment.pidx.is_some()).count() >= MOST_LINKS {
        return Err(Refusal::NotPayable.into());
    }
    if !app.part::<Wallet>().is_well() {
        // It fell ill after the order was written: nothing is held for nothing.
        let payable = locked.payments.iter().any(|payment| payment.state == PaymentState::Initiated);
        if !payable && locked.state.stock == Stock::Held {
            change::step(app, &mut tx, &locked, Event::NotInitiated, Actor::System, None).await?;
            tx.commit().await?;
        }
        return Err(OrderError::NoOnlinePayment);
    }
    // What would be held anew counts like a new order.
    let most = i64::from(shop.limits.unpaid);
    if !locked.state.stock.owns_units() && store::others_held(&mut tx, user, order).await? >= most {
        return Err(OrderError::TooManyUnpaid);
    }
    match change::step(app, &mut tx, &locked, Event::PaysAgain, Actor::Shopper, None).await {
        Err(OrderError::Refused(Refusal::GoodsGone)) => return Err(what_is_gone(&mut tx, order).await?),
        stepped => stepped?,
    };
    let payment = payments::begin(&mut tx, order, locked.state.method.name(), locked.total, now).await?;
    fail_point!(app, "orders.pay.payment_begun");
    store::hold_until(&mut tx, order, now + schedule::HOLD_AT_FIRST).await?;
    fail_point!(app, "orders.pay.before_claim_commit");
    tx.commit().await?;
    Ok(Claim::Make { bill: bill(app, &shop.brand, &locked, &payment), payment: Box::new(payment) })
}

fn bill(app: &App, shop: &str, order: &Locked, payment: &Payment) -> Bill {
    let url = &app.config.public_url;
    Bill {
        amount: payment.amount,
        number: reference(&order.code, payment),
        title: format!("{shop} order {}", order.code),
        return_to: format!("{url}/payment"),
        shop: url.clone(),
    }
}

/// What the wallet calls it: the order's number and the how-manieth try it is.
pub fn reference(code: &str, payment: &Payment) -> String {
    format!("{code}-{}", payment.number)
}

/// Which of the goods cannot be had any more.
async fn what_is_gone(connection: &mut PgConnection, order: Uuid) -> Result<OrderError, OrderError> {
    let wanted = store::units(connection, order).await?;
    let quantities: HashMap<Uuid, i32> = wanted.ids.iter().copied().zip(wanted.quantities.iter().copied()).collect();
    let offers = catalogue::offers(connection, &wanted.ids).await?;
    let short =
        offers.into_iter().filter(|offer| quantities.get(&offer.id).is_some_and(|wanted| offer.stock < *wanted));
    let short = short.map(|offer| Missing {
        id: offer.id,
        name: offer.name,
        name_ne: offer.name_ne,
        available: offer.stock.max(0),
    });
    Ok(OrderError::OutOfStock(short.collect()))
}

async fn make(app: &App, payment: &Payment, bill: &Bill) -> Result<GoPay, OrderError> {
    fail_point!(app, "orders.pay.claimed");
    let started = app.part::<Wallet>().start(bill).await;
    fail_point!(app, "orders.pay.wallet_answered");
    patiently(TRIES, || write_down(app, payment, &started)).await
}

async fn write_down(app: &App, payment: &Payment, started: &Result<Started, WalletError>) -> Result<GoPay, OrderError> {
    let mut tx = app.db.main.begin().await?;
    let order = change::lock(&mut tx, payment.about, &app.clock).await?.ok_or(OrderError::NotFound)?;
    let started = match started {
        Ok(started) => started,
        Err(error) => {
            tracing::warn!(%error, "no payment page could be made");
            give_up(app, &mut tx, &order, payment).await?;
            fail_point!(app, "orders.pay.before_give_up_commit");
            tx.commit().await?;
            fail_point!(app, "orders.pay.given_up");
            return Err(OrderError::NoOnlinePayment);
        }
    };
    let Some(ends) = payments::started(&mut tx, payment.id, started, order.now).await? else {
        // Given up meanwhile. Nobody has seen the link, so nobody pays it.
        return Err(OrderError::NoOnlinePayment);
    };
    fail_point!(app, "orders.pay.link_stored");
    store::hold_until(&mut tx, order.id, ends + schedule::HOLD_AFTER_LINK).await?;
    CheckPayment::plan(&mut tx, payment.id, None, order.now).await?;
    // Cancelled, or paid by another link, while the wallet was busy: this one is watched, but not given out.
    let wanted = is_wanted(order.state.label, order.state.payment);
    fail_point!(app, "orders.pay.before_link_commit");
    tx.commit().await?;
    fail_point!(app, "orders.pay.link_committed");
    if wanted { Ok(started.onward.clone().into()) } else { Err(Refusal::NotPayable.into()) }
}

/// No page was made. Unless another link of the order still lives, it cannot be paid now, and its goods go back.
pub async fn give_up(
    app: &App,
    connection: &mut PgConnection,
    order: &Locked,
    payment: &Payment,
) -> Result<(), OrderError> {
    let still = order.payments.iter().any(|known| known.id == payment.id && known.state == PaymentState::Created);
    if !still {
        return Ok(());
    }
    let another = order
        .payments
        .iter()
        .any(|known| known.id != payment.id && matches!(known.state, PaymentState::Initiated | PaymentState::Created));
    if !another {
        let subject = Subject { payment, said: None };
        change::step(app, connection, order, Event::NotInitiated, Actor::System, Some(subject)).await?;
    }
    Ok(payments::end(connection, payment.id, PaymentState::Abandoned, None, None, order.now).await?)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;

    #[test]
    fn a_browser_is_sent_on_by_an_address_or_by_a_form() {
        let link = GoPay::from(Onward::Redirect("https://pay.example/1".to_owned()));
        assert_eq!(serde_json::to_value(link).unwrap(), serde_json::json!({"payment_url": "https://pay.example/1"}));
        let fields = BTreeMap::from([("amount".to_owned(), "100".to_owned())]);
        let form = GoPay::from(Onward::Form { action: "https://pay.example/form".to_owned(), fields });
        assert_eq!(
            serde_json::to_value(form).unwrap()["payment_form"]["form"],
            serde_json::json!({"action": "https://pay.example/form", "fields": {"amount": "100"}})
        );
    }
}
