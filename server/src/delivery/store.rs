//! All SQL of delivery rules.

use std::collections::BTreeMap;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Areas, ClosedDay, DeliveryFees, Window, Zone};
use super::offer::Bookings;
use crate::platform::money::Paisa;

pub async fn list_zones(connection: &mut PgConnection) -> sqlx::Result<Vec<Zone>> {
    let zones = sqlx::query!(
        r#"SELECT id, name, name_ne, fee_paisa AS "fee: Paisa", free_above_paisa AS "free_above: Paisa",
                  minimum_paisa AS "minimum: Paisa", is_active, updated_at
           FROM delivery_zones WHERE removed_at IS NULL ORDER BY id"#
    )
    .fetch_all(&mut *connection)
    .await?;
    let areas = sqlx::query!("SELECT zone_id, district, municipality, ward FROM delivery_zone_areas")
        .fetch_all(&mut *connection)
        .await?;
    let mut areas_of: BTreeMap<Uuid, Areas> = BTreeMap::new();
    for area in areas {
        let areas = areas_of.entry(area.zone_id).or_default();
        areas.entry((area.district, area.municipality)).or_default().insert(area.ward);
    }
    let windows = sqlx::query!(
        "SELECT id, zone_id, weekdays, starts, ends, cutoff_minutes, capacity FROM delivery_windows
         WHERE removed_at IS NULL ORDER BY starts, ends, id"
    )
    .fetch_all(connection)
    .await?;
    let mut windows_of: BTreeMap<Uuid, Vec<Window>> = BTreeMap::new();
    for row in windows {
        windows_of.entry(row.zone_id).or_default().push(Window {
            id: row.id,
            weekdays: row.weekdays,
            starts: row.starts,
            ends: row.ends,
            cutoff_minutes: row.cutoff_minutes,
            capacity: row.capacity,
        });
    }
    let zones = zones.into_iter().map(|row| Zone {
        areas: areas_of.remove(&row.id).unwrap_or_default(),
        windows: windows_of.remove(&row.id).unwrap_or_default(),
        id: row.id,
        name: row.name,
        name_ne: row.name_ne,
        fees: DeliveryFees { fee: row.fee, free_above: row.free_above, minimum: row.minimum },
        is_active: row.is_active,
        updated_at: row.updated_at,
    });
    Ok(zones.collect())
}

/// Serializes changes of the rules until the transaction ends.
pub async fn lock_rules(connection: &mut PgConnection) -> sqlx::Result<()> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended('delivery_rules', 0))").execute(connection).await?;
    Ok(())
}

/// Writes a zone with its areas and windows. Windows that it no longer has are removed; they stay in the table for the
/// orders that were placed for them.
pub async fn save_zone(connection: &mut PgConnection, zone: &Zone, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO delivery_zones AS z (id, name, name_ne, fee_paisa, free_above_paisa, minimum_paisa, is_active, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $8)
         ON CONFLICT (id) DO UPDATE SET name = excluded.name, name_ne = excluded.name_ne, fee_paisa = excluded.fee_paisa,
             free_above_paisa = excluded.free_above_paisa, minimum_paisa = excluded.minimum_paisa,
             is_active = excluded.is_active, updated_at = greatest(excluded.updated_at, z.updated_at + interval '1 microsecond')",
        zone.id,
        zone.name,
        zone.name_ne,
        zone.fees.fee.0,
        zone.fees.free_above.map(|amount| amount.0),
        zone.fees.minimum.0,
        zone.is_active,
        now,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!("DELETE FROM delivery_zone_areas WHERE zone_id = $1", zone.id).execute(&mut *connection).await?;
    let wards = zone.areas.iter().flat_map(|(place, wards)| wards.iter().map(move |ward| (place, *ward)));
    let (mut districts, mut municipalities, mut numbers) = (Vec::new(), Vec::new(), Vec::new());
    for ((district, municipality), ward) in wards {
        districts.push(district.clone());
        municipalities.push(municipality.clone());
        numbers.push(ward);
    }
    sqlx::query!(
        "INSERT INTO delivery_zone_areas (zone_id, district, municipality, ward)
         SELECT $1, * FROM unnest($2::text[], $3::text[], $4::smallint[])",
        zone.id,
        &districts,
        &municipalities,
        &numbers,
    )
    .execute(&mut *connection)
    .await?;
    let window_ids: Vec<Uuid> = zone.windows.iter().map(|window| window.id).collect();
    sqlx::query!(
        "UPDATE delivery_windows SET removed_at = $3 WHERE zone_id = $1 AND removed_at IS NULL AND id <> ALL ($2)",
        zone.id,
        &window_ids,
        now,
    )
    .execute(&mut *connection)
    .await?;
    for window in &zone.windows {
        sqlx::query!(
            "INSERT INTO delivery_windows (id, zone_id, weekdays, starts, ends, cutoff_minutes, capacity)
             VALUES ($1, $2, $3, $4, $5, $6, $7)
             ON CONFLICT (id) DO UPDATE SET weekdays = excluded.weekdays, starts = excluded.starts, ends = excluded.ends,
                 cutoff_minutes = excluded.cutoff_minutes, capacity = excluded.capacity",
            window.id,
            zone.id,
            &window.weekdays,
            window.starts,
            window.ends,
            window.cutoff_minutes,
            window.capacity,
        )
        .execute(&mut *connection)
        .await?;
    }
    Ok(())
}

/// Removes a zone with its areas and windows; the rows of zone and windows stay for the orders that were placed for them.
pub async fn remove_zone(connection: &mut PgConnection, zone: Uuid, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM delivery_zone_areas WHERE zone_id = $1", zone).execute(&mut *connection).await?;
    sqlx::query!("UPDATE delivery_windows SET removed_at = $2 WHERE zone_id = $1 AND removed_at IS NULL", zone, now)
        .execute(&mut *connection)
        .await?;
    sqlx::query!("UPDATE delivery_zones SET removed_at = $2 WHERE id = $1", zone, now).execute(connection).await?;
    Ok(())
}

pub async fn list_closed_days(connection: &mut PgConnection) -> sqlx::Result<Vec<ClosedDay>> {
    sqlx::query_as!(
        ClosedDay,
        "SELECT id, day, weekday, reason, reason_ne FROM delivery_closed_days ORDER BY weekday, day"
    )
    .fetch_all(connection)
    .await
}

/// Returns false if the day is already closed.
pub async fn insert_closed_day(connection: &mut PgConnection, closed: &ClosedDay) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO delivery_closed_days (id, day, weekday, reason, reason_ne) VALUES ($1, $2, $3, $4, $5)
         ON CONFLICT DO NOTHING",
        closed.id,
        closed.day,
        closed.weekday,
        closed.reason,
        closed.reason_ne,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() > 0)
}

pub async fn delete_closed_day(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<ClosedDay>> {
    sqlx::query_as!(
        ClosedDay,
        "DELETE FROM delivery_closed_days WHERE id = $1 RETURNING id, day, weekday, reason, reason_ne",
        id,
    )
    .fetch_optional(connection)
    .await
}

/// The places that are taken in these windows, from one day until before another.
pub async fn load_bookings(
    connection: &mut PgConnection,
    windows: &[Uuid],
    from: NaiveDate,
    until: NaiveDate,
) -> sqlx::Result<Bookings> {
    let rows = sqlx::query!(
        "SELECT window_id, day, booked FROM delivery_slots WHERE window_id = ANY ($1) AND day >= $2 AND day < $3",
        windows,
        from,
        until,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(|row| ((row.window_id, row.day), row.booked)).collect())
}

/// Takes a place for an order that had given its place back. Returns false if the window is full.
pub async fn book_place(connection: &mut PgConnection, window: Uuid, day: NaiveDate) -> sqlx::Result<bool> {
    let booked = sqlx::query_scalar!(r#"SELECT book_delivery_place($1, $2) AS "booked!""#, window, day);
    booked.fetch_one(connection).await
}

pub async fn release_place(connection: &mut PgConnection, window: Uuid, day: NaiveDate) -> sqlx::Result<()> {
    sqlx::query!("SELECT FROM release_delivery_place($1, $2)", window, day).execute(connection).await?;
    Ok(())
}
