//! The official list of Nepal's local levels, which the web app reads as well (`data/PLACES.md`).

use std::collections::{BTreeMap, HashMap};
use std::sync::LazyLock;

use crate::platform::contact::place_key;
use crate::platform::numerals;

/// A municipality or rural municipality.
#[derive(Debug, PartialEq, Eq)]
pub struct LocalLevel {
    /// English names, under which areas are stored.
    pub district: String,
    pub name: String,
    district_ne: String,
    /// The wards are numbered from 1 to this.
    pub wards: i16,
}

impl LocalLevel {
    fn is_in(&self, district: &str) -> bool {
        place_key(&self.district) == district || place_key(&self.district_ne) == district
    }
}

/// The local levels by their name in either language; several districts have one of the same name.
static BY_NAME: LazyLock<HashMap<String, Vec<LocalLevel>>> = LazyLock::new(|| {
    type List = BTreeMap<String, BTreeMap<String, Vec<String>>>;
    let list: List = serde_json::from_str(include_str!("../../../data/places.json")).unwrap_or_default();
    let mut found: HashMap<String, Vec<LocalLevel>> = HashMap::new();
    for (district, levels) in list.into_values().flatten() {
        let (district, district_ne) = district.split_once('|').unwrap_or((&district, ""));
        for level in levels {
            let mut parts = level.split('|');
            let (name, name_ne) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
            let wards = parts.next().unwrap_or_default().trim_start_matches(|c: char| c.is_ascii_alphabetic());
            for key in [place_key(name), place_key(name_ne)] {
                found.entry(key).or_default().push(LocalLevel {
                    district: district.to_owned(),
                    name: name.to_owned(),
                    district_ne: district_ne.to_owned(),
                    wards: wards.parse().unwrap_or_default(),
                });
            }
        }
    }
    found
});

/// Finds a local level by the names that an address has, in either language. Without a district the name must be the
/// only one of its kind.
pub fn find_local_level(district: &str, municipality: &str) -> Option<&'static LocalLevel> {
    let district = place_key(district);
    let named = BY_NAME.get(&place_key(municipality))?;
    match named.as_slice() {
        [only] if district.is_empty() => Some(only),
        _ => named.iter().find(|level| level.is_in(&district)),
    }
}

/// Reads the number of a ward, in either script.
pub fn parse_ward(text: &str) -> Option<i16> {
    numerals::to_latin_digits(text.trim()).parse().ok()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_list_is_nepal() {
        let levels: BTreeSet<(&str, &str, i16)> = BY_NAME
            .values()
            .flatten()
            .map(|level| (level.district.as_str(), level.name.as_str(), level.wards))
            .collect();

        assert_eq!(levels.len(), 753);
        assert_eq!(levels.iter().map(|(_, _, wards)| i32::from(*wards)).sum::<i32>(), 6_743);
    }

    #[test]
    fn a_place_is_found_by_its_name_in_either_language_and_its_district() {
        let found = |district, municipality| {
            find_local_level(district, municipality).map(|level| (level.district.as_str(), level.name.as_str()))
        };
        let kathmandu = Some(("Kathmandu", "Kathmandu"));
        for (district, municipality, expected) in [
            ("Kathmandu", "Kathmandu", kathmandu),
            ("", " kathmandu ", kathmandu),
            ("काठमाडौं", "काठमाडौं", kathmandu),
            ("Lalitpur", "Kathmandu", None),
            // Both districts have one.
            ("Dhanusha", "Aurahi", Some(("Dhanusha", "Aurahi"))),
            ("Mahottari", "Aurahi", Some(("Mahottari", "Aurahi"))),
            ("", "Aurahi", None),
            ("", "Springfield", None),
            ("", "", None),
        ] {
            assert_eq!(found(district, municipality), expected, "{district}, {municipality}");
        }
    }

    #[test]
    fn a_ward_is_a_number_in_either_script() {
        for (text, ward) in [("10", Some(10)), (" १० ", Some(10)), ("", None), ("ten", None), ("99999", None)] {
            assert_eq!(parse_ward(text), ward, "{text}");
        }
    }
}
