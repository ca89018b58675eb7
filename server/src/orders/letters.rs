//! Telling the shopper what became of an order. The job names the order and what happened; whom to write to, and what
//! the order says, is looked up when the letter is written, so that the queue holds nothing personal.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::store;
use super::transition::{Event, Label, Method, Payment, State};
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
    /// Cancelled because the buyer did not confirm the email address in time.
    #[serde(default)]
    not_confirmed: bool,
}

impl TellShopper {
    pub fn placed(order: Uuid) -> Self {
        Self {
            id: Uuid::now_v7(),
            order,
            label: Label::Placed.name().to_owned(),
            money_back: false,
            not_confirmed: false,
        }
    }

    /// The letter about a change, if it is worth one. Whoever has not paid was not told of an order, so there is nothing to
    /// take back.
    pub fn about(order: Uuid, event: Event, before: State, after: State) -> Option<Self> {
        let money_back = before.payment != Payment::RefundDue && after.payment == Payment::RefundDue;
        let unpaid = after.label == Label::Cancelled && matches!(after.payment, Payment::Awaiting | Payment::Failed);
        let worth = (after.label != before.label && news(after.label).is_some() && !unpaid) || money_back;
        let not_confirmed = event == Event::NotConfirmed;
        worth.then(|| Self {
            id: Uuid::now_v7(),
            order,
            label: after.label.name().to_owned(),
            money_back,
            not_confirmed,
        })
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
        let news = match (self.money_back, self.not_confirmed) {
            (true, _) => Some(OrderNews::MoneyBack),
            (false, true) => Some(OrderNews::NotConfirmed),
            (false, false) => Label::from_name(&self.label).and_then(news),
        };
        let Some(mut news) = news else {
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
        let language = Language::from_code(&order.language);
        let mut link = format!("{}/orders#{}", app.config.public_url, order.code);
        let confirm_by = order.confirm_by.filter(|_| news == OrderNews::Placed && !person.email_confirmed);
        if confirm_by.is_some() {
            let made =
                accounts::confirm_link(app, &mut connection, order.user_id, &person.email, app.clock.now()).await;
            link = made.map_err(|error| error.to_string())?;
            news = OrderNews::ToConfirm;
        }
        drop(connection);
        let lines = items.iter().map(|item| {
            let (name, pack) = match language {
                Language::Nepali => (
                    item.name_ne.as_ref().unwrap_or(&item.name),
                    item.pack_label_ne.as_ref().or(item.pack_label.as_ref()),
                ),
                Language::English => (&item.name, item.pack_label.as_ref()),
            };
            let pack = pack.map(|pack| format!(" ({pack})")).unwrap_or_default();
            let quantity = numerals::count(language, i64::from(item.quantity));
            format!("{quantity} × {name}{pack}: {}", numerals::rupees(language, item.price * item.quantity))
        });
        let facts = OrderFacts {
            code: order.code.clone(),
            tracking: order.tracking,
            delivery_date: bikram_sambat::date(language, order.delivery_date),
            items: lines.collect::<Vec<_>>().join("\n"),
            total: numerals::rupees(language, order.total),
            address: person.email_confirmed.then_some(order.address),
            cash: order.method == Method::Cod.name(),
            paid: order.payment == Payment::Paid.name(),
            confirm_by: confirm_by.map(|by| bikram_sambat::time(language, by)),
            link,
        };
        // Whoever registers with another's address makes the shop write there: not in his own words.
        let name = if person.email_confirmed { person.name } else { String::new() };
        let to = Recipient { email: person.email, name, language };
        notifications::deliver(app, self.id, &to, &Letter::Order { news, facts }).await
    }
}
