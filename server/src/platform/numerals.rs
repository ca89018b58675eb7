//! Formats numbers in either language.

use super::language::Language;

pub fn localize_digits(language: Language, text: &str) -> String {
    match language {
        Language::English => text.to_owned(),
        Language::Nepali => {
            text.chars().map(|c| c.to_digit(10).and_then(|digit| char::from_u32(0x966 + digit)).unwrap_or(c)).collect()
        }
    }
}

/// Replaces Nepali digits in a typed text with Latin ones.
pub fn to_latin_digits(text: &str) -> String {
    let digit = |c: char| matches!(c, '०'..='९').then(|| char::from_digit(u32::from(c) - u32::from('०'), 10)).flatten();
    text.chars().map(|c| digit(c).unwrap_or(c)).collect()
}

/// Formats a number as Nepal writes it, without commas below ten thousand: 24, 12,347, 1,23,456.
pub fn format_count(language: Language, number: i64) -> String {
    let plain = number.unsigned_abs().to_string();
    let sign = if number < 0 { "-" } else { "" };
    let grouped = if plain.len() < 5 { plain } else { group_digits(&plain) };
    localize_digits(language, &format!("{sign}{grouped}"))
}

/// Formats a weight: 1.62 kg, 2 kg.
pub fn format_kilograms(language: Language, grams: i32) -> String {
    let exact = format!("{}.{:03}", grams / 1_000, grams % 1_000);
    let short = exact.trim_end_matches('0').trim_end_matches('.');
    let unit = match language {
        Language::English => "kg",
        Language::Nepali => "केजी",
    };
    format!("{} {unit}", localize_digits(language, short))
}

fn group_digits(plain: &str) -> String {
    let length = plain.len();
    let mut out = String::with_capacity(length + length / 2);
    for (index, c) in plain.chars().enumerate() {
        let left = length - index;
        if index > 0 && left >= 3 && (left - 3).is_multiple_of(2) {
            out.push(',');
        }
        out.push(c);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_digits_are_read_in_either_script() {
        assert_eq!(to_latin_digits("९८४१ 00००५ मानो"), "9841 00005 मानो");
    }

    #[test]
    fn a_weight_has_no_needless_zeros() {
        for (grams, text) in [(1_620, "1.62 kg"), (2_000, "2 kg"), (50, "0.05 kg"), (1_005, "1.005 kg")] {
            assert_eq!(format_kilograms(Language::English, grams), text);
        }
        assert_eq!(format_kilograms(Language::Nepali, 1_500), "१.५ केजी");
    }
}
