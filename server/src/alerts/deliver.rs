//! The job that delivers one alert to one recipient over one channel.

use std::time::Duration;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};
use serde_json::json;
use uuid::Uuid;

use super::model::{Alert, Channel, Delivery, LowStockLine, product_name};
use super::preferences::{load_preference, load_unsubscribe};
use super::{store, texts};
use crate::accounts;
use crate::notifications::{self, Email, Recipient, StaffEmailKind};
use crate::platform::account_kind::AccountKind;
use crate::platform::bikram_sambat::format_delivery_time;
use crate::platform::ids::UserId;
use crate::platform::jobs::{self, Job};
use crate::platform::language::Language;
use crate::platform::messages::{Render, message};
use crate::platform::money_format::format_rupees;
use crate::platform::numerals::format_count;
use crate::platform::push::{PushError, PushMessage, PushTarget};
use crate::platform::sms::SmsError;
use crate::platform::state::App;
use crate::{shop, staff};

/// A browser that is off for longer than this does not get the message.
const PUSH_TTL: Duration = Duration::from_hours(12);

#[derive(Serialize, Deserialize)]
pub struct DeliverAlert {
    pub(super) delivery: Uuid,
}

/// What became of an attempt that did not fail.
enum Outcome {
    Sent,
    /// The recipient no longer wants or can get the message.
    Dropped(&'static str),
}

struct Failure {
    problem: String,
    is_permanent: bool,
    retry_at: Option<DateTime<Utc>>,
}

impl Failure {
    fn transient(problem: impl ToString) -> Self {
        Self { problem: problem.to_string(), is_permanent: false, retry_at: None }
    }

    fn permanent(problem: impl ToString) -> Self {
        Self { is_permanent: true, ..Self::transient(problem) }
    }
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::transient(error)
    }
}

impl Job for DeliverAlert {
    const NAME: &'static str = "alerts.deliver";
    /// About ten hours of attempts; a later alert helps nobody.
    const ATTEMPTS: i16 = 10;

    async fn run(self, app: &App) -> Result<(), String> {
        let (db, now) = (&app.db.main, app.clock.now());
        let unreadable = |error: sqlx::Error| error.to_string();
        let Some(delivery) = store::find_delivery(db, self.delivery).await.map_err(unreadable)? else { return Ok(()) };
        if !delivery.is_waiting {
            return Ok(());
        }
        if delivery.retry_at.is_some_and(|at| at > now) {
            return Err("the push service asked to wait".to_owned());
        }
        let done = deliver(app, &delivery, now).await;
        let outcome = match &done {
            Ok(Outcome::Sent) => "sent",
            Ok(Outcome::Dropped(_)) => "dropped",
            Err(_) => "failed",
        };
        metrics::counter!("alerts_delivered_total", "channel" => delivery.channel.name(), "outcome" => outcome)
            .increment(1);
        match done {
            Ok(Outcome::Sent) => store::set_state(db, delivery.id, "sent", "", now).await.map_err(unreadable),
            Ok(Outcome::Dropped(why)) => {
                store::set_state(db, delivery.id, "dropped", why, now).await.map_err(unreadable)
            }
            Err(failure) if failure.is_permanent => {
                store::set_state(db, delivery.id, "failed", &failure.problem, now).await.map_err(unreadable)?;
                Err(jobs::permanent_failure(failure.problem))
            }
            Err(failure) => {
                store::record_problem(db, delivery.id, &failure.problem, failure.retry_at, now)
                    .await
                    .map_err(unreadable)?;
                Err(failure.problem)
            }
        }
    }
}

impl DeliverAlert {
    /// Lists the message as not delivered, after the last attempt.
    pub async fn give_up(&self, app: &App) -> sqlx::Result<()> {
        store::fail_waiting(&app.db.main, self.delivery, app.clock.now()).await
    }
}

async fn deliver(app: &App, delivery: &Delivery, now: DateTime<Utc>) -> Result<Outcome, Failure> {
    let mut connection = app.db.main.acquire().await?;
    let recipient = match delivery.kind {
        AccountKind::Seller => {
            staff::find_with_permission(&mut connection, delivery.person, delivery.alert.permission()).await?
        }
        AccountKind::Shopper => accounts::find_contact(&mut connection, UserId(delivery.person))
            .await?
            .map(|user| Recipient { email: user.email, name: user.name, language: user.language }),
    };
    let Some(recipient) = recipient else { return Ok(Outcome::Dropped("the account is gone")) };
    let preference =
        load_preference(&mut connection, delivery.kind, delivery.person, delivery.alert.preference()).await?;
    if !preference.wants(delivery.channel) {
        return Ok(Outcome::Dropped("the recipient has turned it off"));
    }
    match delivery.channel {
        Channel::Push => {
            let subscription = store::find_subscription(&mut connection, delivery.subscription).await?;
            let Some(subscription) = subscription else { return Ok(Outcome::Dropped("the browser is unsubscribed")) };
            drop(connection);
            let target =
                PushTarget { endpoint: subscription.endpoint, p256dh: subscription.p256dh, auth: subscription.auth };
            push(app, delivery, &target, recipient.language, now).await
        }
        Channel::Email => {
            let Some(email) = email(app, &delivery.alert, recipient.language) else {
                return Ok(Outcome::Dropped("there is no email for it"));
            };
            let unsubscribe =
                load_unsubscribe(app, &mut connection, delivery.kind, delivery.person, delivery.alert.preference())
                    .await?;
            drop(connection);
            let sent = notifications::deliver_optional_email(
                app,
                delivery.id,
                &recipient,
                &email,
                &unsubscribe.one_click,
                &unsubscribe.page,
                None,
            );
            match sent.await {
                Ok(()) => Ok(Outcome::Sent),
                Err(problem) if jobs::is_permanent_failure(&problem) => Err(Failure::permanent(problem)),
                Err(problem) => Err(Failure::transient(problem)),
            }
        }
        Channel::Sms => {
            drop(connection);
            let shop = shop::load_or_last_known(app).await;
            let brand = match recipient.language {
                Language::English => &shop.brand,
                Language::Nepali => &shop.brand_ne,
            };
            let text = texts::text_message(&delivery.alert, brand, recipient.language);
            match app.sms.send(&preference.phone, &text).await {
                Ok(()) => Ok(Outcome::Sent),
                Err(error @ SmsError::RecipientRejected(_)) => Err(Failure::permanent(error)),
                Err(error @ (SmsError::NotConfigured | SmsError::Transient(_))) => Err(Failure::transient(error)),
            }
        }
    }
}

async fn push(
    app: &App,
    delivery: &Delivery,
    target: &PushTarget,
    language: Language,
    now: DateTime<Utc>,
) -> Result<Outcome, Failure> {
    let (title, body) = texts::notification(&delivery.alert, language);
    // The tag replaces an earlier notification about the same order or product on the device.
    let payload = json!({
        "title": title, "body": body, "url": delivery.alert.path(), "tag": delivery.alert.tag(),
        "language": language.code(), "alert": delivery.alert.name(),
    });
    let (payload, topic) = (payload.to_string(), delivery.id.simple().to_string());
    let message = PushMessage { payload: payload.as_bytes(), ttl: PUSH_TTL, topic: &topic };
    match app.push.send(target, &message, now).await {
        Ok(()) => {
            store::record_success(&app.db.main, delivery.subscription, now).await?;
            Ok(Outcome::Sent)
        }
        Err(PushError::Gone) => {
            store::delete_subscription(&app.db.main, delivery.subscription).await?;
            Ok(Outcome::Dropped("the subscription has expired"))
        }
        Err(error @ PushError::RateLimited(seconds)) => {
            let wait = TimeDelta::seconds(i64::try_from(seconds).unwrap_or(0));
            Err(Failure { retry_at: Some(now + wait), ..Failure::transient(error) })
        }
        Err(error @ (PushError::Invalid(_) | PushError::Rejected(_) | PushError::UnknownService)) => {
            Err(Failure::permanent(error))
        }
        Err(error @ (PushError::NotConfigured | PushError::Transient(_))) => Err(Failure::transient(error)),
    }
}

/// The email of an alert; a shopper's emails about a changed status are not alerts.
fn email(app: &App, alert: &Alert, language: Language) -> Option<Email> {
    let link = format!("{}{}", app.config.public_url, alert.path());
    let (kind, code, total) = match alert {
        Alert::NewOrder { code, total } => (StaffEmailKind::NewOrder, code, *total),
        Alert::OrderNotOpened { code, total } => (StaffEmailKind::OrderNotOpened, code, *total),
        Alert::OrderChanged { .. } => return None,
        Alert::NotMet { code, reason, day, hours } => {
            return Some(Email::NotMet {
                code: code.clone(),
                reason: texts::not_met_reason(*reason).render(language),
                time: format_delivery_time(language, *day, *hours),
                link,
            });
        }
        Alert::BackInStock { name, name_ne, .. } => {
            let product = product_name(name, name_ne.as_deref(), language).to_owned();
            return Some(Email::BackInStock { product, link });
        }
        Alert::LowStock { lines, more } => {
            let products = i64::try_from(lines.len()).unwrap_or(i64::MAX) + more;
            let lines: Vec<String> = lines.iter().map(|line| low_stock_line(line, language)).collect();
            return Some(Email::LowStock {
                lines: lines.join("\n"),
                products: format_count(language, products),
                more: if *more > 0 { format_count(language, *more) } else { String::new() },
                link,
            });
        }
    };
    Some(Email::Staff { kind, code: code.clone(), total: format_rupees(language, total), link })
}

/// A line of the table of the email, as `label: amount`.
fn low_stock_line(line: &LowStockLine, language: Language) -> String {
    let name = match (language, &line.name_ne) {
        (Language::Nepali, Some(name)) => name,
        _ => &line.name,
    };
    let left = message!("emails.low_stock_left", left = line.stock).render(language);
    format!("{}: {left}", name.replace('\n', " "))
}
