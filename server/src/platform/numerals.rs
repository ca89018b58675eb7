//! Formats numbers and money in either language.

use super::messages::{Render, message};
use super::money::Paisa;
use super::web::Language;

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

/// As a price tag says it: `Rs. 250`, and with paisa `Rs. 250.50`.
pub fn format_price(language: Language, amount: Paisa) -> String {
    if amount.0 % 100 != 0 {
        return format_rupees(language, amount);
    }
    message!("format.rupees", amount = format_count(language, amount.0 / 100)).render(language)
}

/// As a bill says it: `Rs. 1131.13`, `रु. ११३१.१३`.
pub fn format_rupees(language: Language, amount: Paisa) -> String {
    let (whole, part) = (amount.0 / 100, amount.0 % 100);
    let amount = format!("{}.{}", format_count(language, whole), localize_digits(language, &format!("{part:02}")));
    message!("format.rupees", amount = amount).render(language)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn typed_digits_are_read_in_either_script() {
        assert_eq!(to_latin_digits("९८४१ 00००५ मानो"), "9841 00005 मानो");
    }

    #[test]
    fn a_bill_is_written_as_nepal_writes_it() {
        for (paisa, english, nepali) in [
            (113_113, "Rs. 1131.13", "रु. ११३१.१३"),
            (2_000, "Rs. 20.00", "रु. २०.००"),
            (12_345_670, "Rs. 1,23,456.70", "रु. १,२३,४५६.७०"),
        ] {
            let amount = Paisa(paisa);
            assert_eq!(format_rupees(Language::English, amount), english);
            assert_eq!(format_rupees(Language::Nepali, amount), nepali);
        }
    }
}
