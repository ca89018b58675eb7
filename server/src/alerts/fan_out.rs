//! Decides who gets an alert over which channels, and queues a delivery for each.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::deliver::DeliverAlert;
use super::model::{Alert, Channel, NewDelivery, Preference, Subscription};
use super::store;
use crate::platform::account_kind::AccountKind;
use crate::platform::ids::UserId;
use crate::platform::jobs;
use crate::platform::state::App;
use crate::staff;

/// Alerts every member of staff who wants it. `event` says what happened; the same event alerts nobody twice.
pub async fn alert_staff(app: &App, connection: &mut PgConnection, event: &str, alert: &Alert) -> sqlx::Result<()> {
    let staff = staff::list_with_permission(connection, alert.permission()).await?;
    queue(app, connection, AccountKind::Seller, &staff, event, alert, alert.staff_channels()).await
}

/// Alerts a shopper who wants it. Emails about a changed status are those of the module `orders`.
pub async fn alert_shopper(
    app: &App,
    connection: &mut PgConnection,
    user: UserId,
    event: &str,
    alert: &Alert,
) -> sqlx::Result<()> {
    let channels: &[Channel] = match alert {
        Alert::BackInStock { .. } | Alert::NotMet { .. } => &[Channel::Push, Channel::Email],
        Alert::NewOrder { .. } | Alert::OrderNotOpened { .. } | Alert::OrderChanged { .. } | Alert::LowStock { .. } => {
            &[Channel::Push]
        }
    };
    queue(app, connection, AccountKind::Shopper, &[user.0], event, alert, channels).await
}

async fn queue(
    app: &App,
    connection: &mut PgConnection,
    kind: AccountKind,
    people: &[Uuid],
    event: &str,
    alert: &Alert,
    channels: &[Channel],
) -> sqlx::Result<()> {
    let now = app.clock.now();
    let preferences = store::list_preferences(connection, kind, people).await?;
    let mut preferences: HashMap<Uuid, Preference> = preferences
        .into_iter()
        .filter(|row| row.kind == alert.preference().name())
        .map(|row| (row.person, Preference { push: row.push, email: row.email, sms: row.sms, phone: row.phone }))
        .collect();
    let mut subscriptions: HashMap<Uuid, Vec<Subscription>> = HashMap::new();
    for subscription in store::list_subscriptions(connection, kind, people).await? {
        subscriptions.entry(subscription.person).or_default().push(subscription);
    }
    for person in people {
        let preference = preferences.remove(person).unwrap_or_default();
        for channel in channels.iter().copied().filter(|channel| preference.wants(*channel) && is_on(app, *channel)) {
            let targets = match channel {
                Channel::Push => {
                    subscriptions.remove(person).unwrap_or_default().into_iter().map(|one| one.id).collect()
                }
                Channel::Email | Channel::Sms => vec![Uuid::nil()],
            };
            // One message about a missed delivery is enough.
            let is_last = matches!(alert, Alert::NotMet { .. }) && !targets.is_empty();
            for subscription in targets {
                let delivery = NewDelivery { event, kind, person: *person, channel, subscription };
                queue_delivery(connection, &delivery, alert, now).await?;
            }
            if is_last {
                break;
            }
        }
    }
    Ok(())
}

/// A channel that is not configured gets no messages: they would be outdated when it is.
fn is_on(app: &App, channel: Channel) -> bool {
    match channel {
        Channel::Push => app.push.is_configured(),
        Channel::Email => app.mailer.is_configured(),
        Channel::Sms => app.sms.is_configured(),
    }
}

async fn queue_delivery(
    connection: &mut PgConnection,
    delivery: &NewDelivery<'_>,
    alert: &Alert,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    if let Some(delivery) = store::insert_delivery(connection, delivery, alert, now).await? {
        jobs::enqueue(connection, &DeliverAlert { delivery }).await?;
    }
    Ok(())
}
