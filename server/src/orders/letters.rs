//! Telling the shopper what became of an order. The job names the order and what happened; whom to write to, and what
//! the order says, is looked up when the letter is written, so that the queue holds nothing personal.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::store;
use super::transition::{Label, Method, Payment, State};
use crate::accounts;
use crate::notifications::{self, Letter, OrderFacts, OrderNews, Recipient};
use crate::platform::jobs::{self, Job};
use crate::platform::state::App;
use crate::platform::web::Language;
use crate::platform::{bikram_sambat, numerals};

#[derive(Serialize, Deserialize)]
pub struct TellShopper {
    /// Becomes the Message-ID: one letter, however often the job runs.
    id: Uuid,
    order: Uuid,
    label: String,
    /// It was paid, and the money goes back.
    #[serde(default)]
    money_back: bool,
}

impl TellShopper {
    pub fn placed(order: Uuid) -> Self {
        Self { id: Uuid::now_v7(), order, label: Label::Placed.name().to_owned(), money_back: false }
    }

    /// The letter about a change, if it is worth one. Whoever has not paid was not told of an order, so there is nothing to
    /// take back.
    pub fn about(order: Uuid, before: State, after: State) -> Option<Self> {
        let money_back = before.payment != Payment::RefundDue && after.payment == Payment::RefundDue;
        let unpaid = after.label == Label::Cancelled && matches!(after.payment, Payment::Awaiting | Payment::Failed);
        let worth = (after.label != before.label && news(after.label).is_some() && !unpaid) || money_back;
        worth.then(|| Self { id: Uuid::now_v7(), order, label: after.label.name().to_owned(), money_back })
    }
}

/// What is worth a letter. On the day of delivery the rider rings.
pub const fn news(label: Label) -> Option<OrderNews> {
    match label {
        Label::Placed => Some(OrderNews::Placed),
        Label::Confirmed => Some(OrderNews::Confirmed),
        Label::Shipped => Some(OrderNews::Shipped),
        Label::OutForDelivery => None,
        Label::Delivered => Some(OrderNews::Delivered),
        Label::Cancelled => Some(OrderNews::Cancelled),
    }
}

impl Job for TellShopper {
    const NAME: &'static str = "orders.tell_shopper";

    async fn run(self, app: &App) -> Result<(), String> {
        let unreadable = |error: sqlx::Error| error.to_string();
        let news =
            if self.money_back { Some(OrderNews::MoneyBack) } else { Label::from_name(&self.label).and_then(news) };
        let Some(news) = news else {
            return Err(jobs::give_up("there is no letter about this"));
        };
        let mut connection = app.db.main.acquire().await.map_err(unreadable)?;
        let order = store::find(&mut connection, self.order).await.map_err(unreadable)?;
        let Some(order) = order else { return Err(jobs::give_up("there is no such order")) };
        // Who has left gets no more letters.
        let Some(person) = accounts::person(&mut connection, order.user_id).await.map_err(unreadable)? else {
            return Ok(());
        };
        let items = store::items_of(&mut connection, &[order.id]).await.map_err(unreadable)?;
        drop(connection);
        let language = Language::from_code(&order.language);
        let lines = items.iter().map(|item| {
            let name = match language {
                Language::Nepali => item.name_ne.as_ref().unwrap_or(&item.name),
                Language::English => &item.name,
            };
            let quantity = numerals::count(language, i64::from(item.quantity));
            format!("{quantity} × {name}: {}", numerals::rupees(language, item.price * item.quantity))
        });
        let facts = OrderFacts {
            code: order.code.clone(),
            tracking: order.tracking,
            delivery_date: bikram_sambat::date(language, order.delivery_date),
            items: lines.collect::<Vec<_>>().join("\n"),
            total: numerals::rupees(language, order.total),
            address: order.address,
            cash: order.method == Method::Cod.name(),
            paid: order.payment == Payment::Paid.name(),
            link: format!("{}/orders#{}", app.config.public_url, order.code),
        };
        let to = Recipient { email: person.email, name: person.name, language };
        notifications::deliver(app, self.id, &to, &Letter::Order { news, facts }).await
    }
}
