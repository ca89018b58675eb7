//! An amount of money in words, as a bill has to state it: in lakh and crore, in English and in Nepali.

use crate::platform::language::Language;
use crate::platform::money::Paisa;

const ENGLISH_BELOW_TWENTY: [&str; 20] = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
];
const ENGLISH_TENS: [&str; 10] = ["", "", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"];

/// In Nepali every number below a hundred has a word of its own.
#[rustfmt::skip]
const NEPALI_BELOW_HUNDRED: [&str; 100] = [
    "शून्य", "एक", "दुई", "तीन", "चार", "पाँच", "छ", "सात", "आठ", "नौ",
    "दस", "एघार", "बाह्र", "तेह्र", "चौध", "पन्ध्र", "सोह्र", "सत्र", "अठार", "उन्नाइस",
    "बीस", "एक्काइस", "बाइस", "तेइस", "चौबीस", "पच्चीस", "छब्बीस", "सत्ताइस", "अट्ठाइस", "उनन्तीस",
    "तीस", "एकतीस", "बत्तीस", "तेत्तीस", "चौँतीस", "पैँतीस", "छत्तीस", "सैँतीस", "अठतीस", "उनन्चालीस",
    "चालीस", "एकचालीस", "बयालीस", "त्रिचालीस", "चवालीस", "पैँतालीस", "छयालीस", "सतचालीस", "अठचालीस", "उनन्चास",
    "पचास", "एकाउन्न", "बाउन्न", "त्रिपन्न", "चउन्न", "पचपन्न", "छपन्न", "सन्ताउन्न", "अन्ठाउन्न", "उनन्साठी",
    "साठी", "एकसट्ठी", "बयसट्ठी", "त्रिसट्ठी", "चौँसट्ठी", "पैँसट्ठी", "छयसट्ठी", "सतसट्ठी", "अठसट्ठी", "उनन्सत्तरी",
    "सत्तरी", "एकहत्तर", "बहत्तर", "त्रिहत्तर", "चौहत्तर", "पचहत्तर", "छयहत्तर", "सतहत्तर", "अठहत्तर", "उनासी",
    "असी", "एकासी", "बयासी", "त्रियासी", "चौरासी", "पचासी", "छयासी", "सतासी", "अठासी", "उनान्नब्बे",
    "नब्बे", "एकान्नब्बे", "बयान्नब्बे", "त्रियान्नब्बे", "चौरान्नब्बे", "पञ्चान्नब्बे", "छयान्नब्बे", "सन्तान्नब्बे", "अन्ठान्नब्बे", "उनान्सय",
];

/// The units above a hundred, the largest first, in both languages.
const UNITS: [(u64, &str, &str); 4] =
    [(10_000_000, "crore", "करोड"), (100_000, "lakh", "लाख"), (1_000, "thousand", "हजार"), (100, "hundred", "सय")];

/// Rupees one thousand one hundred thirty-one and thirteen paisa only; एक हजार एक सय एकतीस रुपैयाँ तेह्र पैसा मात्र.
pub fn write_amount(language: Language, amount: Paisa) -> String {
    let (rupees, paisa) = (amount.0.unsigned_abs() / 100, amount.0.unsigned_abs() % 100);
    let words = |number| write_number(language, number);
    match (language, paisa) {
        (Language::English, 0) => format!("Rupees {} only", words(rupees)),
        (Language::English, _) => format!("Rupees {} and {} paisa only", words(rupees), words(paisa)),
        (Language::Nepali, 0) => format!("{} रुपैयाँ मात्र", words(rupees)),
        (Language::Nepali, _) => format!("{} रुपैयाँ {} पैसा मात्र", words(rupees), words(paisa)),
    }
}

fn write_number(language: Language, number: u64) -> String {
    let mut parts = Vec::new();
    let mut rest = number;
    for (size, english, nepali) in UNITS {
        if rest >= size {
            let unit = if language == Language::English { english } else { nepali };
            parts.push(format!("{} {unit}", write_number(language, rest / size)));
            rest %= size;
        }
    }
    if rest > 0 || parts.is_empty() {
        parts.push(below_hundred(language, rest));
    }
    parts.join(" ")
}

fn below_hundred(language: Language, number: u64) -> String {
    let at = |words: &[&str], index: u64| {
        usize::try_from(index).ok().and_then(|index| words.get(index).copied()).unwrap_or_default().to_owned()
    };
    match language {
        Language::Nepali => at(&NEPALI_BELOW_HUNDRED, number),
        Language::English if number < 20 => at(&ENGLISH_BELOW_TWENTY, number),
        Language::English if number.is_multiple_of(10) => at(&ENGLISH_TENS, number / 10),
        Language::English => {
            format!("{}-{}", at(&ENGLISH_TENS, number / 10), at(&ENGLISH_BELOW_TWENTY, number % 10))
        }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn an_amount_is_written_in_lakh_and_crore_in_both_languages() {
        for (paisa, english, nepali) in [
            (0, "Rupees zero only", "शून्य रुपैयाँ मात्र"),
            (5, "Rupees zero and five paisa only", "शून्य रुपैयाँ पाँच पैसा मात्र"),
            (100, "Rupees one only", "एक रुपैयाँ मात्र"),
            (1_900, "Rupees nineteen only", "उन्नाइस रुपैयाँ मात्र"),
            (4_000, "Rupees forty only", "चालीस रुपैयाँ मात्र"),
            (
                113_113,
                "Rupees one thousand one hundred thirty-one and thirteen paisa only",
                "एक हजार एक सय एकतीस रुपैयाँ तेह्र पैसा मात्र",
            ),
            (1_000_000, "Rupees ten thousand only", "दस हजार रुपैयाँ मात्र"),
            (
                12_345_699,
                "Rupees one lakh twenty-three thousand four hundred fifty-six and ninety-nine paisa only",
                "एक लाख तेइस हजार चार सय छपन्न रुपैयाँ उनान्सय पैसा मात्र",
            ),
            (1_000_000_000, "Rupees one crore only", "एक करोड रुपैयाँ मात्र"),
            (
                1_234_567_890_050,
                "Rupees one thousand two hundred thirty-four crore fifty-six lakh seventy-eight thousand nine hundred and fifty paisa only",
                "एक हजार दुई सय चौँतीस करोड छपन्न लाख अठहत्तर हजार नौ सय रुपैयाँ पचास पैसा मात्र",
            ),
            (10_000_000, "Rupees one lakh only", "एक लाख रुपैयाँ मात्र"),
            (
                9_999_900,
                "Rupees ninety-nine thousand nine hundred ninety-nine only",
                "उनान्सय हजार नौ सय उनान्सय रुपैयाँ मात्र",
            ),
        ] {
            assert_eq!(write_amount(Language::English, Paisa(paisa)), english);
            assert_eq!(write_amount(Language::Nepali, Paisa(paisa)), nepali);
        }
    }

    #[test]
    fn no_two_numbers_have_the_same_words() {
        for language in [Language::English, Language::Nepali] {
            let words: BTreeSet<String> = (0..10_000).map(|number| write_number(language, number)).collect();
            assert_eq!(words.len(), 10_000);
        }
    }
}
