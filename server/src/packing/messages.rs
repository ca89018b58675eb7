//! The message to the shopper when an order is packed differently, or when there is a question about it: an email and,
//! by preference, a notification. The job holds only ids; everything else is loaded when it runs.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::model::{AdjustmentRow, PackingDetails, WeightRow};
use super::queries;
use crate::accounts;
use crate::alerts::{self, Alert, OrderAlert};
use crate::notifications::{self, Email, PackingEmailKind, PackingSummary, Recipient};
use crate::orders::OrderItemRow;
use crate::orders::transition::Method;
use crate::platform::ids::OrderId;
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::messages::{Render, message};
use crate::platform::money::Paisa;
use crate::platform::state::App;
use crate::platform::{money_format, numerals};

#[derive(Serialize, Deserialize)]
pub struct SendPackingMessage {
    /// Becomes the Message-ID, so that it is the same email however often the job runs.
    id: Uuid,
    order: OrderId,
    is_question: bool,
}

impl SendPackingMessage {
    pub fn packed(order: OrderId) -> Self {
        Self { id: Uuid::now_v7(), order, is_question: false }
    }

    pub fn question(order: OrderId) -> Self {
        Self { id: Uuid::now_v7(), order, is_question: true }
    }
}

impl Job for SendPackingMessage {
    const NAME: &'static str = "packing.send_message";

    async fn run(self, app: &App) -> Result<(), String> {
        let failed = |error: sqlx::Error| error.to_string();
        let mut tx = app.db.main.begin().await.map_err(failed)?;
        let details = queries::load_details(&mut tx, self.order, None).await.map_err(|error| error.to_string())?;
        // A shopper who has deleted the account gets no more messages.
        let person = accounts::find_contact(&mut tx, details.order.user_id).await.map_err(failed)?;
        let Some(person) = person else { return Ok(()) };
        let language = Language::from_code(&details.order.language);
        let Some(summary) = summarize(app, &details, self.is_question, language) else {
            return Err(jobs::permanent_failure("there is nothing to tell about this order"));
        };
        let (change, kind) = if self.is_question {
            (OrderAlert::PackingQuestion, PackingEmailKind::Question)
        } else {
            (OrderAlert::Packed, PackingEmailKind::Packed)
        };
        if app.push.is_configured() {
            let alert = Alert::OrderChanged { code: details.order.code.clone(), change };
            let event = format!("order_changed:{}", self.id);
            alerts::alert_shopper(app, &mut tx, details.order.user_id, &event, &alert).await.map_err(failed)?;
        }
        tx.commit().await.map_err(failed)?;
        let name = if person.email_confirmed { person.name } else { String::new() };
        let to = Recipient { email: person.email, name, language };
        notifications::deliver_email(app, self.id, &to, &Email::Packing { kind, summary: Box::new(summary) }).await
    }
}

fn summarize(app: &App, details: &PackingDetails, is_question: bool, language: Language) -> Option<PackingSummary> {
    let order = &details.order;
    let (changes, total) = if is_question {
        let proposal = details.proposal.as_ref()?;
        let changes = proposal.lines.iter().filter_map(|line| {
            let item = details.items.iter().find(|item| item.product_id == line.product)?;
            let instead = line.replacement.as_ref().map(|replacement| {
                let name = localized(language, &replacement.name, replacement.name_ne.as_ref());
                (name.to_owned(), replacement.quantity, replacement.price)
            });
            Some(describe(item, line.packed, instead, language))
        });
        (changes.collect::<Vec<_>>(), proposal.total)
    } else {
        let changes = details.adjustments.iter().filter_map(|adjustment| {
            let item = details.items.iter().find(|item| item.product_id == adjustment.product_id)?;
            Some(describe(item, adjustment.quantity_after, replacement(adjustment, language), language))
        });
        let weights = details.weights.iter().filter_map(|weight| {
            let item = details.items.iter().find(|item| item.product_id == weight.product_id)?;
            Some(describe_weight(item, weight, language))
        });
        (changes.chain(weights).collect::<Vec<_>>(), details.packing.as_ref()?.due)
    };
    let is_cash = order.method == Method::Cod.name();
    let refund = Paisa(order.total.0 - total.0);
    let rupees = |amount| money_format::format_rupees(language, amount);
    Some(PackingSummary {
        order: order.code.clone(),
        changes: changes.join("\n"),
        ordered_total: rupees(order.total),
        total: rupees(total),
        refund: (!is_cash && refund > Paisa::ZERO).then(|| rupees(refund)),
        cash: is_cash,
        link: format!("{}/orders#{}", app.config.public_url, order.code),
    })
}

fn localized<'a>(language: Language, name: &'a str, name_ne: Option<&'a String>) -> &'a str {
    match language {
        Language::Nepali => name_ne.map_or(name, String::as_str),
        Language::English => name,
    }
}

fn replacement(adjustment: &AdjustmentRow, language: Language) -> Option<(String, i32, Paisa)> {
    let name = localized(language, adjustment.replacement_name.as_ref()?, adjustment.replacement_name_ne.as_ref());
    Some((name.to_owned(), adjustment.replacement_quantity?, adjustment.replacement_price?))
}

/// Describes what a line weighs, such as 'Potatoes: 1.62 kg, Rs. 105.30'.
fn describe_weight(item: &OrderItemRow, weight: &WeightRow, language: Language) -> String {
    let name = localized(language, &item.name, item.name_ne.as_ref()).to_owned();
    let kilograms = numerals::format_kilograms(language, weight.grams);
    let price = money_format::format_rupees(language, weight.amount);
    message!("packing.line_weighed", name = name, kilograms = kilograms, price = price).render(language)
}

/// Describes one line, such as 'Rice: 1 of 2 packed; instead: 1 × Basmati (Rs. 120)'.
fn describe(item: &OrderItemRow, packed: i32, instead: Option<(String, i32, Paisa)>, language: Language) -> String {
    let count = |units: i32| numerals::format_count(language, i64::from(units));
    let name = localized(language, &item.name, item.name_ne.as_ref()).to_owned();
    let (packed, ordered) = (count(packed), count(item.quantity));
    match instead {
        None => message!("packing.line", name = name, packed = packed, ordered = ordered).render(language),
        Some((other, quantity, price)) => {
            let price = money_format::format_rupees(language, price * quantity);
            let quantity = count(quantity);
            message!(
                "packing.line_replaced",
                name = name,
                packed = packed,
                ordered = ordered,
                other = other,
                quantity = quantity,
                price = price
            )
            .render(language)
        }
    }
}
