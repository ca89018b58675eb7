//! Adding, changing and removing zones. Every change is in the audit log.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::error::DeliveryError;
use super::model::Zone;
use super::store;
use super::zone_input::{ZoneInput, build_zone};
use crate::platform::cache::CatalogueChange;
use crate::platform::money::Paisa;
use crate::platform::row_version;
use crate::platform::state::App;
use crate::staff::{self, NewAuditEntry};

pub async fn add_zone(app: &App, seller: Uuid, input: ZoneInput) -> Result<Zone, DeliveryError> {
    let now = app.clock.now();
    let zone = build_zone(Uuid::now_v7(), &[], input, now)?;
    let mut tx = app.db.main.begin().await?;
    store::lock_rules(&mut tx).await?;
    write_zone(&mut tx, seller, "delivery.zone_add", None, &zone, now).await?;
    tx.commit().await?;
    // The database notifies every instance, but this one must not use old rules until then.
    app.cache.invalidate_all(CatalogueChange::Detail);
    Ok(zone)
}

/// Replaces a zone; refused if it was changed since the seller read it.
pub async fn update_zone(
    app: &App,
    seller: Uuid,
    id: Uuid,
    expected_version: &str,
    input: ZoneInput,
) -> Result<Zone, DeliveryError> {
    let mut tx = app.db.main.begin().await?;
    store::lock_rules(&mut tx).await?;
    let before = find_zone(&mut tx, id).await?;
    if row_version::decode(expected_version) != Some(before.updated_at) {
        return Err(DeliveryError::ZoneChanged(Box::new(before)));
    }
    let zone = build_zone(id, &before.windows, input, before.updated_at)?;
    if zone != before {
        write_zone(&mut tx, seller, "delivery.zone_update", Some(&before), &zone, app.clock.now()).await?;
    }
    let after = find_zone(&mut tx, id).await?;
    tx.commit().await?;
    app.cache.invalidate_all(CatalogueChange::Detail);
    Ok(after)
}

/// Removes a zone. Orders that were placed for it keep their day and window.
pub async fn delete_zone(app: &App, seller: Uuid, id: Uuid) -> Result<(), DeliveryError> {
    let mut tx = app.db.main.begin().await?;
    store::lock_rules(&mut tx).await?;
    let before = find_zone(&mut tx, id).await?;
    store::remove_zone(&mut tx, id, app.clock.now()).await?;
    record(&mut tx, seller, "delivery.zone_delete", &before, &describe(&before), "").await?;
    tx.commit().await?;
    app.cache.invalidate_all(CatalogueChange::Detail);
    Ok(())
}

async fn find_zone(connection: &mut PgConnection, id: Uuid) -> Result<Zone, DeliveryError> {
    let zones = store::list_zones(connection).await?;
    zones.into_iter().find(|zone| zone.id == id).ok_or(DeliveryError::ZoneNotFound)
}

async fn write_zone(
    connection: &mut PgConnection,
    seller: Uuid,
    action: &str,
    before: Option<&Zone>,
    zone: &Zone,
    now: DateTime<Utc>,
) -> Result<(), DeliveryError> {
    check_areas_are_free(&store::list_zones(connection).await?, zone)?;
    store::save_zone(connection, zone, now).await?;
    let (was, is) = match before {
        Some(before) => describe_changes(before, zone),
        None => (String::new(), describe(zone)),
    };
    record(connection, seller, action, zone, &was, &is).await
}

/// A ward belongs to at most one zone, so that an address has one fee.
fn check_areas_are_free(zones: &[Zone], zone: &Zone) -> Result<(), DeliveryError> {
    for other in zones.iter().filter(|other| other.id != zone.id) {
        for (place, wards) in &zone.areas {
            let taken = other.areas.get(place).and_then(|theirs| theirs.intersection(wards).next());
            if let Some(ward) = taken {
                let (place, zone) = (place.1.clone(), other.name.clone());
                return Err(DeliveryError::AreaTaken { place, ward: *ward, zone });
            }
        }
    }
    Ok(())
}

async fn record(
    connection: &mut PgConnection,
    seller: Uuid,
    action: &str,
    zone: &Zone,
    before: &str,
    after: &str,
) -> Result<(), DeliveryError> {
    let object = zone.id.to_string();
    let audit_entry = NewAuditEntry { seller, action, object: &object, about: &zone.name, before, after };
    Ok(staff::record_audit_entry(connection, &audit_entry).await?)
}

/// The fields of a zone as the audit log stores them.
fn fields(zone: &Zone) -> [(&'static str, String); 8] {
    let areas = zone.areas.iter().map(|((_, municipality), wards)| {
        let wards: Vec<String> = wards.iter().map(ToString::to_string).collect();
        format!("{municipality} {}", wards.join(" "))
    });
    let windows = zone.windows.iter().map(|window| {
        let weekdays: Vec<String> = window.weekdays.iter().map(ToString::to_string).collect();
        let (starts, ends) = (window.starts.format("%H:%M"), window.ends.format("%H:%M"));
        format!("{} {starts}–{ends} −{} ×{}", weekdays.join(""), window.cutoff_minutes, window.capacity)
    });
    [
        ("zoneName", zone.name.clone()),
        ("zoneNameNe", zone.name_ne.clone()),
        ("deliveryFee", zone.fees.fee.short()),
        ("deliveryFreeAbove", zone.fees.free_above.map(Paisa::short).unwrap_or_default()),
        ("deliveryMinimum", zone.fees.minimum.short()),
        ("zoneActive", zone.is_active.to_string()),
        ("zoneAreas", areas.collect::<Vec<_>>().join(", ")),
        ("zoneWindows", windows.collect::<Vec<_>>().join(", ")),
    ]
}

fn describe(zone: &Zone) -> String {
    let parts = fields(zone).map(|(name, value)| format!("{name}: {value}"));
    parts.join("; ")
}

/// The fields that differ, before and after.
fn describe_changes(before: &Zone, after: &Zone) -> (String, String) {
    let changed = fields(before).into_iter().zip(fields(after)).filter(|(was, is)| was != is);
    let (was, is): (Vec<String>, Vec<String>) =
        changed.map(|(was, is)| (format!("{}: {}", was.0, was.1), format!("{}: {}", is.0, is.1))).unzip();
    (was.join("; "), is.join("; "))
}
