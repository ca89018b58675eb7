//! The shop's words in both languages, read from the web app's own catalogues so that there is one copy of each,
//! and numbers and money as each language writes them.

use std::collections::HashMap;
use std::sync::LazyLock;

pub use crate::platform::numerals::{format_count, localize_digits};
use crate::platform::web::Language;

static ENGLISH: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| parse(include_str!("../../../web/src/locales/en.json")));
static NEPALI: LazyLock<HashMap<String, String>> =
    LazyLock::new(|| parse(include_str!("../../../web/src/locales/ne.json")));

fn parse(json: &str) -> HashMap<String, String> {
    serde_json::from_str(json).unwrap_or_default()
}

/// The text of `id`; a text that is missing shows its id, which a test forbids for those the server uses.
pub fn message(language: Language, id: &str) -> &str {
    let catalogue = match language {
        Language::English => &ENGLISH,
        Language::Nepali => &NEPALI,
    };
    catalogue.get(id).map_or(id, String::as_str)
}

pub enum MessageValue {
    Text(String),
    Number(i64),
}

/// A text with its `{name}` places filled, and `{n, plural, one {…} other {…}}` chosen.
pub fn format_message(language: Language, id: &str, values: &HashMap<String, MessageValue>) -> String {
    interpolate(language, message(language, id), values)
}

fn interpolate(language: Language, text: &str, values: &HashMap<String, MessageValue>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(open) = rest.find('{') {
        let (before, from) = rest.split_at(open);
        out.push_str(before);
        let Some(close) = closing_brace(from) else { break };
        let inside = from.get(1..close).unwrap_or_default();
        out.push_str(&format_placeholder(language, inside, values));
        rest = from.get(close + 1..).unwrap_or_default();
    }
    out.push_str(rest);
    out
}

fn format_placeholder(language: Language, inside: &str, values: &HashMap<String, MessageValue>) -> String {
    let mut parts = inside.splitn(3, ',').map(str::trim);
    let name = parts.next().unwrap_or_default();
    let value = values.get(name);
    match (parts.next(), parts.next(), value) {
        (Some("plural"), Some(choices), Some(MessageValue::Number(number))) => {
            let wanted = if *number == 1 { "one" } else { "other" };
            let exact = plural_branch(choices, &format!("={number}"));
            let chosen = exact.or_else(|| plural_branch(choices, wanted)).or_else(|| plural_branch(choices, "other"));
            interpolate(language, &chosen.unwrap_or_default().replace('#', &format_count(language, *number)), values)
        }
        (_, _, Some(MessageValue::Text(text))) => text.clone(),
        (_, _, Some(MessageValue::Number(number))) => format_count(language, *number),
        (_, _, None) => format!("{{{name}}}"),
    }
}

/// The text of one branch of a plural: `one {# item} other {# items}`.
fn plural_branch<'a>(choices: &'a str, name: &str) -> Option<&'a str> {
    let mut rest = choices.trim_start();
    while let Some(open) = rest.find('{') {
        let (label, from) = rest.split_at(open);
        let close = closing_brace(from)?;
        if label.trim() == name {
            return from.get(1..close);
        }
        rest = from.get(close + 1..)?.trim_start();
    }
    None
}

/// Where the brace that `text` begins with closes.
fn closing_brace(text: &str) -> Option<usize> {
    let mut depth = 0_u32;
    for (index, c) in text.char_indices() {
        match c {
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return Some(index);
                }
            }
            _ => {}
        }
    }
    None
}

/// `Rs. 250` or, with paisa or when asked for, `Rs. 250.50`.
pub fn format_money(language: Language, rupees: f64, always_two: bool) -> String {
    #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "prices are far below 2^53 paisa")]
    let paisa = (rupees * 100.0).round() as i64;
    let label = message(language, "money.label");
    let whole = format_count(language, paisa / 100);
    if paisa % 100 == 0 && !always_two {
        return format!("{label} {whole}");
    }
    format!("{label} {whole}.{}", localize_digits(language, &format!("{:02}", paisa % 100)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_reads_as_nepal_writes_it() {
        for (rupees, english, nepali) in [
            (250.0, "Rs. 250", "रु. २५०"),
            (1130.5, "Rs. 1130.50", "रु. ११३०.५०"),
            (12347.75, "Rs. 12,347.75", "रु. १२,३४७.७५"),
            (123_456.7, "Rs. 1,23,456.70", "रु. १,२३,४५६.७०"),
        ] {
            assert_eq!(format_money(Language::English, rupees, false), english);
            assert_eq!(format_money(Language::Nepali, rupees, false), nepali);
        }
        assert_eq!(format_money(Language::English, 20.0, true), "Rs. 20.00");
    }

    #[test]
    fn one_is_one_and_many_are_many() {
        let text = "{n, plural, one {# item} other {# items in {where}}}";
        let filled = |number| {
            let values = HashMap::from([
                ("n".to_owned(), MessageValue::Number(number)),
                ("where".to_owned(), MessageValue::Text("cart".to_owned())),
            ]);
            interpolate(Language::English, text, &values)
        };

        assert_eq!(filled(1), "1 item");
        assert_eq!(filled(3), "3 items in cart");
    }

    #[test]
    fn a_word_without_a_value_stays_visible() {
        assert_eq!(interpolate(Language::English, "Welcome to {brand}", &HashMap::new()), "Welcome to {brand}");
    }
}
