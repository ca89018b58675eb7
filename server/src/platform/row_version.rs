//! The version of a row that a client has seen: the time of the last edit, as an opaque text.

use chrono::{DateTime, Utc};

/// Encodes a time as a text that no spreadsheet takes for a number or a date.
pub fn encode(changed_at: DateTime<Utc>) -> String {
    format!("v{}", changed_at.timestamp_micros())
}

pub fn decode(text: &str) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_micros(text.strip_prefix('v')?.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_version_survives_being_written() {
        let at = DateTime::from_timestamp_micros(1_794_732_000_123_456).unwrap();
        assert_eq!(decode(&encode(at)), Some(at));
        assert_eq!(decode("1794732000123456"), None);
    }
}
