//! Messages that could not be delivered, for the seller's list: alerts, and emails whose job has used up its attempts.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use uuid::Uuid;

use super::deliver::DeliverAlert;
use super::model::{AlertError, FailedDelivery};
use super::store;
use crate::platform::account_kind::AccountKind;
use crate::platform::jobs;
use crate::platform::state::App;
use crate::staff;

/// Longer lists mean that a channel is broken, and the newest entries say why.
const MAX_LISTED: i64 = 100;
/// The jobs that send emails to people.
const EMAIL_JOBS: [&str; 3] = ["orders.send_email", "accounts.send_link", "notifications.send_email"];

pub struct Undelivered {
    /// What `retry` takes.
    pub id: String,
    /// `push`, `email` or `sms`.
    pub channel: &'static str,
    /// What the message is about: the name of an alert, or of the job that sends an email.
    pub about: String,
    /// The number of the order; empty if the message is not about an order.
    pub order: String,
    /// The name of the member of staff; empty if the recipient is a customer.
    pub recipient: String,
    pub problem: String,
    pub failed_at: DateTime<Utc>,
}

pub async fn list(app: &App) -> Result<Vec<Undelivered>, AlertError> {
    let failed = store::list_failed(&app.db.main, MAX_LISTED).await?;
    let people: Vec<Uuid> = failed.iter().filter(|one| one.kind == AccountKind::Seller).map(|one| one.person).collect();
    let names = staff::find_names(&app.db.main, &people).await?;
    let mut all: Vec<Undelivered> = failed.into_iter().map(|one| describe(one, &names)).collect();
    let dead = jobs::list(&app.db.main, true).await?;
    let dead = dead.into_iter().filter(|job| EMAIL_JOBS.contains(&job.name.as_str()));
    all.extend(dead.map(|job| Undelivered {
        id: job.id.to_string(),
        channel: "email",
        about: job.name,
        order: String::new(),
        recipient: String::new(),
        problem: job.last_error.unwrap_or_default(),
        failed_at: job.run_at,
    }));
    Ok(all)
}

fn describe(failed: FailedDelivery, names: &HashMap<Uuid, String>) -> Undelivered {
    Undelivered {
        id: failed.id.to_string(),
        channel: failed.channel.name(),
        about: failed.alert.name().to_owned(),
        order: failed.alert.order_code().to_owned(),
        recipient: names.get(&failed.person).cloned().unwrap_or_default(),
        problem: failed.problem,
        failed_at: failed.failed_at,
    }
}

/// Sends a message again. An id is that of an alert, or the number of a job.
pub async fn retry(app: &App, id: &str) -> Result<(), AlertError> {
    if let Ok(job) = id.parse::<i64>() {
        let dead = jobs::list(&app.db.main, true).await?;
        if !dead.iter().any(|one| one.id == job && EMAIL_JOBS.contains(&one.name.as_str())) {
            return Err(AlertError::MessageNotFound);
        }
        jobs::retry(&app.db.main, &[job]).await?;
        return Ok(());
    }
    let id: Uuid = id.parse().map_err(|_| AlertError::MessageNotFound)?;
    let mut tx = app.db.main.begin().await?;
    if !store::retry_failed(&mut tx, id, app.clock.now()).await? {
        return Err(AlertError::MessageNotFound);
    }
    jobs::enqueue(&mut tx, &DeliverAlert { delivery: id }).await?;
    tx.commit().await?;
    Ok(())
}
