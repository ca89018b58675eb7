//! Days without deliveries. Every change is in the audit log.

use chrono::{Datelike, NaiveDate};
use uuid::Uuid;

use super::error::DeliveryError;
use super::model::ClosedDay;
use super::store;
use super::zone_input::check_reason;
use crate::platform::cache::CatalogueChange;
use crate::platform::messages::message;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

const YEARS: std::ops::RangeInclusive<i32> = 2000..=2200;

/// Closes one day, or the same weekday of every week.
pub async fn add_closed_day(
    app: &App,
    seller: Uuid,
    day: Option<NaiveDate>,
    weekday: Option<i16>,
    reason: &str,
    reason_ne: &str,
) -> Result<ClosedDay, DeliveryError> {
    let one = day.is_some() != weekday.is_some();
    let fine = day.is_none_or(|day| YEARS.contains(&day.year())) && weekday.is_none_or(|day| (0..=6).contains(&day));
    if !one || !fine {
        return Err(DeliveryError::Field("day".to_owned(), message!("api.delivery.closed_day_invalid")));
    }
    let closed = ClosedDay {
        id: Uuid::now_v7(),
        day,
        weekday,
        reason: check_reason("reason", reason)?,
        reason_ne: check_reason("reasonNe", reason_ne)?,
    };
    let mut tx = app.db.main.begin().await?;
    if !store::insert_closed_day(&mut tx, &closed).await? {
        return Err(DeliveryError::AlreadyClosed);
    }
    record(&mut tx, seller, "delivery.closed_add", &closed).await?;
    tx.commit().await?;
    // The database notifies every instance, but this one must not use old rules until then.
    app.cache.invalidate_all(CatalogueChange::Detail);
    Ok(closed)
}

pub async fn delete_closed_day(app: &App, seller: Uuid, id: Uuid) -> Result<(), DeliveryError> {
    let mut tx = app.db.main.begin().await?;
    let closed = store::delete_closed_day(&mut tx, id).await?.ok_or(DeliveryError::ClosedDayNotFound)?;
    record(&mut tx, seller, "delivery.closed_delete", &closed).await?;
    tx.commit().await?;
    app.cache.invalidate_all(CatalogueChange::Detail);
    Ok(())
}

async fn record(
    connection: &mut sqlx::PgConnection,
    seller: Uuid,
    action: &str,
    closed: &ClosedDay,
) -> Result<(), DeliveryError> {
    let weekday = closed.weekday.map(|weekday| format!("weekday {weekday}"));
    let about = closed.day.map(|day| day.to_string()).or(weekday).unwrap_or_default();
    let object = closed.id.to_string();
    let entry = NewAuditEntry { seller, action, object: &object, about: &about, before: "", after: &closed.reason };
    Ok(staff::record_audit_entry(connection, &entry).await?)
}
