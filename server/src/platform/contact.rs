//! Parses email addresses and phone numbers as people type them, and finds links in texts.

use std::collections::HashSet;
use std::sync::LazyLock;

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

use super::numerals;

/// The top-level domains of the DNS root zone, and names that are reserved for tests.
static TOP_LEVEL_DOMAINS: LazyLock<HashSet<&str>> =
    LazyLock::new(|| include_str!("top_level_domains.txt").split_whitespace().collect());
/// These never end an abbreviation: 'x.com' is a web address, 'D.A.V.School' is a school.
const ALWAYS_DOMAINS: [&str; 12] =
    ["com", "net", "org", "info", "biz", "xyz", "top", "site", "online", "click", "link", "app"];
/// Longer labels are words, not abbreviations.
const LONGEST_ABBREVIATION: usize = 2;

/// The longest address that SMTP can carry.
const MAX_EMAIL: usize = 254;
const MOBILE_DIGITS: usize = 10;
/// The area code and the number, without the leading zero.
const LANDLINE_DIGITS: usize = 8;

/// Trims the address and accepts it if a browser's email field would accept it and its host has a dot; only an email
/// that arrives proves more.
pub fn parse_email(text: &str) -> Option<String> {
    let email = text.trim();
    let (name, host) = email.rsplit_once('@')?;
    let name_ok = !name.is_empty()
        && name.len() <= 64
        && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b".!#$%&'*+/=?^_`{|}~-".contains(&byte));
    let host_ok = host.contains('.')
        && host.split('.').all(|label| {
            !label.is_empty()
                && label.len() <= 63
                && !label.starts_with('-')
                && !label.ends_with('-')
                && label.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-')
        });
    (email.len() <= MAX_EMAIL && name_ok && host_ok).then(|| email.to_owned())
}

/// Accepts exactly ten digits, as the specification requires for the profile.
pub fn parse_mobile(text: &str) -> Option<String> {
    parse_phone(text).filter(|number| number.len() == MOBILE_DIGITS && !number.starts_with('+'))
}

/// Accepts a mobile number of Nepal, which can receive text messages.
pub fn parse_nepali_mobile(text: &str) -> Option<String> {
    parse_mobile(text).filter(|number| matches!(number.as_bytes(), [b'9', b'6'..=b'8', ..]))
}

/// Parses a phone number into the form in which the shop stores it, as it is dialled in Nepal: a mobile number as ten
/// digits (`9801234567`), a landline number with its area code and leading zero (`014412345`), a foreign number with
/// `+` and its country code. Nepali digits, spaces, dashes, brackets, `+977`, `00977` and a missing or extra leading
/// zero are accepted.
pub fn parse_phone(text: &str) -> Option<String> {
    let typed: String = numerals::to_latin_digits(text)
        .chars()
        .filter(|c| !(c.is_whitespace() || matches!(c, '-' | '(' | ')' | '.' | '/')))
        .collect();
    let abroad = typed.strip_prefix('+').or_else(|| typed.strip_prefix("00"));
    let digits = abroad.unwrap_or(&typed);
    if !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    match (digits.strip_prefix("977"), abroad) {
        (Some(national), Some(_)) => parse_nepali_number(national),
        (None, Some(number)) => (8..=15).contains(&number.len()).then(|| format!("+{number}")),
        (Some(national), None) => parse_nepali_number(digits).or_else(|| parse_nepali_number(national)),
        (None, None) => parse_nepali_number(digits),
    }
}

fn parse_nepali_number(digits: &str) -> Option<String> {
    if digits.len() == MOBILE_DIGITS {
        return Some(digits.to_owned());
    }
    let number = digits.strip_prefix('0').unwrap_or(digits);
    match number.len() {
        MOBILE_DIGITS => Some(number.to_owned()),
        // No area code begins with 98, so this is a mobile number with digits missing.
        LANDLINE_DIGITS if !number.starts_with('0') && !number.starts_with("98") => Some(format!("0{number}")),
        _ => None,
    }
}

/// Puts a typed text on one line with single spaces.
pub fn normalize_whitespace(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The form in which names of places are compared. People and the official list write काठमाडौँ and काठमाडौं.
pub fn place_key(name: &str) -> String {
    name.trim().to_lowercase().replace('ँ', "ं")
}

/// Whether the text contains something that a mail program would turn into a link, or that people would read as a web
/// address. Postal addresses have dots too ('St. Xavier', 'Ward No.5', 'P.O.Box'), and those pass.
pub fn has_link(text: &str) -> bool {
    // Full stops of other scripts and full-width characters name the same host; zero-width characters do not end a
    // word.
    let plain = text.nfkc().filter(|c| !matches!(c, '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}' | '\u{ad}'));
    let plain: String = plain.map(|c| if c == '。' { '.' } else { c }).collect::<String>().to_lowercase();
    if plain.contains("://") || plain.contains("www.") {
        return true;
    }
    let in_word = |c: char| c.is_alphanumeric() || is_combining_mark(c) || matches!(c, '.' | '-' | '_');
    let mut rest = plain.as_str();
    while let Some(start) = rest.find(in_word) {
        let word = &rest[start..];
        let end = word.find(|c| !in_word(c)).unwrap_or(word.len());
        let (word, after) = word.split_at(end);
        if is_host(word, after) {
            return true;
        }
        rest = after;
    }
    false
}

/// Whether `word`, in lower case, is a host name. `after` is the text that follows it.
fn is_host(word: &str, after: &str) -> bool {
    let Some((before, last)) = word.trim_matches('.').rsplit_once('.') else { return false };
    let is_word = last.chars().all(|c| c.is_alphabetic() || is_combining_mark(c)) && last.chars().count() >= 2;
    if last.starts_with("xn--") {
        return true;
    }
    if !is_word {
        return false;
    }
    // A path makes it a link, whatever the domain: 'evil.unknown/unlock'.
    if after.strip_prefix('/').is_some_and(|path| path.starts_with(char::is_alphabetic)) {
        return true;
    }
    let is_short = |label: &str| label.chars().count() <= LONGEST_ABBREVIATION;
    let abbreviated = before.split('.').all(is_short) && !ALWAYS_DOMAINS.contains(&last);
    !abbreviated && TOP_LEVEL_DOMAINS.contains(last)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_web_address_is_told_from_an_address_in_nepal() {
        for real in [
            "St. Xavier School, Jawalakhel",
            "St.Xavier School",
            "Ward No.5",
            "Ward No. 5, Ka.Ma.Pa.-10",
            "P.O.Box 8975",
            "P.O. Box: 8975, Kathmandu",
            "H.No.12/4, Baneshwor-10",
            "House No.3A, Blk.B",
            "B.P.Koirala Marg",
            "B.P.Hospital, Bharatpur",
            "D.A.V.School, Lalitpur",
            "Na.Pa. 4, Dhulikhel",
            "Ga.Pa-3/Kha",
            "Dr.Sharma's house, opp. Bhat-Bhateni",
            "Er. Shrestha & Co. Pvt. Ltd.",
            "Hattiban.Lalitpur",
            "2.5 km from Kalanki chowk",
            "Tel. 01-4412345, ext.12",
            "काठमाडौं म.न.पा.-१०, बानेश्वर",
            "का.म.न.पा. वडा नं.१०",
            "Near the temple... ask for Hari",
            "Flat 3/B, Sun City. Call first",
            "Asha K. Rai",
            "Ram B.Thapa",
        ] {
            assert!(!has_link(real), "{real}");
        }
        for link in [
            "open https://khalti-help.evil.example/unlock",
            "HTTP://evil",
            "www.evil",
            "WWW.Khalti-Help.com",
            "khalti-help.evil.example",
            "Kathmandu, evil.com, Ward 5",
            "evil.com.np",
            "esewa.click now",
            "x.com",
            "X.Com/win",
            "bit.ly/3abc",
            "t.me/khalti",
            "wa.me/join",
            "mail win@evil.com",
            "(evil.net)",
            "evil.com.",
            "evil.com:8080",
            "khalti.zzz/unlock",
            "evil。com",
            "ｅｖｉｌ．ｃｏｍ",
            "ev\u{200b}il.c\u{200b}om",
            "xn--80ak6aa92e.xn--p1ai",
            "सेवा.भारत",
        ] {
            assert!(has_link(link), "{link}");
        }
    }

    #[test]
    fn an_address_is_told_from_a_slip() {
        for good in ["asha@example.com", "a.b+c@mail.example.com.np", "o'neil@example.org"] {
            assert_eq!(parse_email(&format!(" {good} ")).as_deref(), Some(good));
        }
        for bad in
            ["", "asha", "@example.com", "asha@", "asha@example", "a b@example.com", "asha@-x.com", "asha@x..com"]
        {
            assert_eq!(parse_email(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_phone_number_has_one_form_however_it_was_written() {
        for (forms, stored) in [
            (
                &[
                    "9801234567",
                    "980-1234567",
                    " 980 123 4567 ",
                    "+977 9801234567",
                    "9779801234567",
                    "00977 980 1234567",
                    "09801234567",
                    "९८०१२३४५६७",
                ][..],
                "9801234567",
            ),
            (&["01-4412345", "(01) 4412345", "14412345", "+977-1-4412345", "977 1 4412345", "०१-४४१२३४५"], "014412345"),
            (&["061-520123", "+977 61 520123"], "061520123"),
            (&["+91 98123 45678", "0091 9812345678"], "+919812345678"),
            // This mobile number begins like the country code.
            (&["9771234567"], "9771234567"),
        ] {
            for written in forms {
                assert_eq!(parse_phone(written).as_deref(), Some(stored), "{written}");
            }
        }
        for bad in ["", "980123456", "98012345678", "98012345a7", "+97798012345", "4412345", "call me", "+1 23"] {
            assert_eq!(parse_phone(bad), None, "{bad}");
        }
    }

    #[test]
    fn a_text_message_goes_to_a_mobile_of_nepal() {
        for good in ["9801234567", "+977 976-1234567", "०९६११२३४५६७", "00977 9801234567"] {
            assert!(parse_nepali_mobile(good).is_some(), "{good}");
        }
        for bad in ["", "01-4412345", "+91 9812345678", "9501234567", "1234567890", "9001234567"] {
            assert_eq!(parse_nepali_mobile(bad), None, "{bad}");
        }
    }

    #[test]
    fn the_profile_takes_ten_digits_only() {
        assert_eq!(parse_mobile("+977 980-1234567").as_deref(), Some("9801234567"));
        for bad in ["", "01-4412345", "+91 981234567", "980123456"] {
            assert_eq!(parse_mobile(bad), None, "{bad}");
        }
    }
}
