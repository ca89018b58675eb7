//! Renders the first view from small templates (`web/first-view`) that draw the same boxes as the React components.

use std::sync::LazyLock;

use chrono::{DateTime, TimeDelta, Utc};
use minijinja::value::{Kwargs, Serde, Value as Any};
use minijinja::{Environment, Error, context};
use rust_embed::RustEmbed;

use crate::platform::config::Shop;
use crate::platform::language::Language;
use crate::platform::messages::{self, Argument, Arguments};
use crate::platform::money::Paisa;
use crate::platform::{bikram_sambat, money_format, numerals};
use crate::seasons::SeasonResponse;

#[derive(RustEmbed)]
#[folder = "../web/first-view"]
#[allow_missing = true]
struct Templates;

static ENGLISH: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Language::English));
static NEPALI: LazyLock<Environment<'static>> = LazyLock::new(|| environment(Language::Nepali));

/// The number of tones of the picture placeholders; `web/src/features/media` uses the same.
const TONES: u32 = 8;

/// The values that the templates may use besides `data`.
pub struct ViewContext<'a> {
    pub language: Language,
    pub shop: &'a Shop,
    pub season: Option<&'a SeasonResponse>,
    pub search: &'a str,
    pub sort: &'a str,
    pub category: &'a str,
    /// Whether the visitor has asked for as few bytes as possible.
    pub save_data: bool,
}

/// The settings in the first data: the shop's own, and the season if there is one.
pub fn settings(shop: &Shop, season: Option<&SeasonResponse>) -> serde_json::Value {
    let mut settings = serde_json::json!(shop);
    if let (Some(season), Some(fields)) = (season, settings.as_object_mut()) {
        fields.insert("season".to_owned(), serde_json::json!(season));
    }
    settings
}

/// The data for the templates of lists: the responses with categories and with products.
pub fn list_data(categories: &serde_json::Value, list: &serde_json::Value) -> serde_json::Value {
    serde_json::json!({
        "categories": categories["data"], "products": list["data"], "matches": list["matches"],
        "total": list["total"], "totalCapped": list["totalCapped"],
    })
}

/// Renders the first view of a page, or an empty text if the template has an error: React draws the page anyway.
pub fn render(template: &str, view_context: &ViewContext<'_>, data: &serde_json::Value) -> String {
    let environment = match view_context.language {
        Language::English => &ENGLISH,
        Language::Nepali => &NEPALI,
    };
    let brand = match view_context.language {
        Language::English => &view_context.shop.brand,
        Language::Nepali => &view_context.shop.brand_ne,
    };
    let context = context! {
        lang => view_context.language.code(),
        brand => brand,
        page => template,
        search => view_context.search,
        sort => view_context.sort,
        category => view_context.category,
        save_data => view_context.save_data,
        settings => Any::from(Serde(view_context.shop)),
        season => Any::from(Serde(view_context.season)),
        data => Any::from(Serde(data)),
    };
    let rendered = environment.get_template(&format!("{template}.html")).and_then(|page| page.render(context));
    rendered.unwrap_or_else(|error| {
        tracing::error!(template, error = format!("{error:#}"), "could not render a first view");
        String::new()
    })
}

fn environment(language: Language) -> Environment<'static> {
    let mut environment = Environment::new();
    for name in Templates::iter() {
        let text = Templates::get(&name).map(|file| String::from_utf8_lossy(&file.data).into_owned());
        if let Some(text) = text
            && let Err(error) = environment.add_template_owned(name.to_string(), text)
        {
            tracing::error!(template = %name, error = format!("{error:#}"), "could not parse a first-view template");
        }
    }
    environment.add_function("t", move |id: String, values: Kwargs| translate(language, &id, &values));
    environment.add_function("text", move |object: Any, field: String| text(language, &object, &field));
    environment.add_function("tone", |slug: String| tone(&slug));
    environment.add_filter("money", move |rupees: f64| money_format::format_price(language, to_paisa(rupees)));
    environment.add_filter("rate", move |percent: Any| numerals::localize_digits(language, &percent.to_string()));
    environment.add_filter("last_minute", move |end: String| last_minute(language, &end));
    environment.add_filter("num", move |count: i64| numerals::format_count(language, count));
    environment
}

fn translate(language: Language, id: &str, values: &Kwargs) -> Result<String, Error> {
    let mut arguments = Arguments::new();
    for name in values.args() {
        let value: Any = values.get(name)?;
        let value = i64::try_from(value.clone()).map_or_else(|_| Argument::Text(value.to_string()), Argument::Number);
        arguments.insert(name.to_owned().into(), value);
    }
    Ok(messages::render_by_id(language, id, &arguments))
}

/// An amount as the responses carry it.
fn to_paisa(rupees: f64) -> Paisa {
    #[expect(clippy::cast_possible_truncation, clippy::as_conversions, reason = "prices are far below 2^53 paisa")]
    let paisa = (rupees * 100.0).round() as i64;
    Paisa(paisa)
}

/// Something that ends at midnight lasts until 23:59 of the day before; the web app writes the same.
fn last_minute(language: Language, end: &str) -> String {
    let Ok(end) = end.parse::<DateTime<Utc>>() else { return String::new() };
    bikram_sambat::format_date_time(language, end - TimeDelta::minutes(1))
}

/// The field, or its Nepali translation for a Nepali reader if there is one.
fn text(language: Language, object: &Any, field: &str) -> Result<Any, Error> {
    if language == Language::Nepali {
        let nepali = object.get_attr(&format!("{field}Ne"))?;
        if !nepali.is_undefined() && !nepali.is_none() && nepali.as_str() != Some("") {
            return Ok(nepali);
        }
    }
    object.get_attr(field)
}

/// Uses FNV-1a, so that the browser computes the same tone.
fn tone(slug: &str) -> u32 {
    let hash = slug.bytes().fold(0x811c_9dc5_u32, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193));
    hash % TONES
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_template_can_be_read() {
        for name in Templates::iter() {
            assert!(ENGLISH.get_template(&name).is_ok(), "{name}");
        }
    }

    #[test]
    fn a_price_has_decimals_only_where_there_are_paisa() {
        for (rupees, english, nepali) in [
            (250.0, "Rs. 250", "रु. २५०"),
            (1130.5, "Rs. 1130.50", "रु. ११३०.५०"),
            (12347.75, "Rs. 12,347.75", "रु. १२,३४७.७५"),
            (123_456.7, "Rs. 1,23,456.70", "रु. १,२३,४५६.७०"),
        ] {
            let price = |language| money_format::format_price(language, to_paisa(rupees));
            assert_eq!((price(Language::English), price(Language::Nepali)), (english.to_owned(), nepali.to_owned()));
        }
    }

    #[test]
    fn the_tone_of_a_category_is_the_browsers_tone() {
        // The same vectors are in web/src/features/media/picture-placeholder.test.ts.
        assert_eq!(tone(""), 0x811c_9dc5 % 8);
        assert_eq!(tone("a"), 0xe40c_292c % 8);
    }
}
