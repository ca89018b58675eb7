//! What the lists of this module share: cursors, and the names of products.

use std::collections::HashMap;

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::ProductName;
use crate::catalogue;
use crate::platform::ids::ProductId;

/// Reads the place after which a page begins: a time and an id, newest first.
pub fn parse_cursor(cursor: Option<&str>) -> Option<(DateTime<Utc>, Uuid)> {
    let Some(cursor) = cursor.filter(|cursor| !cursor.is_empty()) else {
        return Some((NaiveDate::from_ymd_opt(9999, 1, 1)?.and_hms_opt(0, 0, 0)?.and_utc(), Uuid::max()));
    };
    let (micros, id) = cursor.split_once('.')?;
    Some((DateTime::from_timestamp_micros(micros.parse().ok()?)?, id.parse().ok()?))
}

pub fn write_cursor(at: DateTime<Utc>, id: Uuid) -> String {
    format!("{}.{id}", at.timestamp_micros())
}

/// Returns the names of products, including archived ones.
pub async fn find_names(
    connection: &mut PgConnection,
    products: &[ProductId],
) -> sqlx::Result<HashMap<ProductId, ProductName>> {
    let offers = catalogue::find_offers(connection, products).await?;
    let named = offers.into_iter().map(|offer| {
        let name = ProductName {
            name: offer.name,
            name_ne: offer.name_ne,
            pack_label: offer.pack_label,
            pack_label_ne: offer.pack_label_ne,
        };
        (offer.id, name)
    });
    Ok(named.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_comes_back_as_it_was_and_anything_else_is_refused() {
        let (at, id) = (DateTime::from_timestamp_micros(1_794_732_000_123_456).unwrap(), Uuid::from_u128(7));

        assert_eq!(parse_cursor(Some(&write_cursor(at, id))), Some((at, id)));
        assert!(parse_cursor(None).is_some() && parse_cursor(Some("")).is_some());
        for wrong in ["x", "1", "1.x", ".", "99999999999999999999.00000000-0000-0000-0000-000000000007"] {
            assert_eq!(parse_cursor(Some(wrong)), None, "{wrong}");
        }
    }
}
