//! Formats amounts of money in either language.

use super::language::Language;
use super::messages::{Render, message};
use super::money::Paisa;
use super::numerals::{format_count, localize_digits};

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
