//! The templates of the policy pages, filled with the shop's settings. The values are escaped, so that a name with an
//! asterisk or an angle bracket stays a name.

use minijinja::{AutoEscape, Environment, context};

use super::model::PolicyKind;
use crate::platform::config::Shop;
use crate::platform::language::Language;
use crate::platform::markdown;
use crate::platform::{money_format, numerals};

macro_rules! template {
    ($name:literal, $language:expr) => {
        match $language {
            Language::English => include_str!(concat!("templates/", $name, ".en.txt")),
            Language::Nepali => include_str!(concat!("templates/", $name, ".ne.txt")),
        }
    };
}

/// Returns the page's template as Markdown. A template with an error, which a test would find, gives an empty text.
pub fn fill(kind: PolicyKind, language: Language, shop: &Shop) -> String {
    let text = match kind {
        PolicyKind::Privacy => template!("privacy", language),
        PolicyKind::Terms => template!("terms", language),
        PolicyKind::Returns => template!("returns", language),
        PolicyKind::Delivery => template!("delivery", language),
        PolicyKind::About => template!("about", language),
    };
    render(text, language, shop).unwrap_or_else(|error| {
        tracing::error!(page = kind.name(), error = format!("{error:#}"), "could not fill a policy template");
        String::new()
    })
}

fn render(text: &str, language: Language, shop: &Shop) -> Result<String, minijinja::Error> {
    let mut environment = Environment::new();
    environment.set_auto_escape_callback(|_| AutoEscape::None);
    let in_language = |english: &str, nepali: &str| {
        let chosen = if language == Language::Nepali && !nepali.is_empty() { nepali } else { english };
        markdown::escape(chosen)
    };
    let price = |amount| money_format::format_price(language, amount);
    let rates = &shop.rates;
    let has_fee = rates.shipping_fee.0 > 0;
    let values = context! {
        brand => in_language(&shop.brand, &shop.brand_ne),
        address => in_language(&shop.contact.address, &shop.contact.address_ne),
        phone => markdown::escape(&shop.contact.phone),
        email => markdown::escape(&shop.contact.email),
        registration => markdown::escape(&shop.registration_number),
        pan => markdown::escape(&shop.pan_number),
        grievance_name => markdown::escape(&shop.grievance.name),
        grievance_phone => markdown::escape(&shop.grievance.phone),
        grievance_email => markdown::escape(&shop.grievance.email),
        delivery_promise => in_language(&shop.delivery_promise, &shop.delivery_promise_ne),
        delivery_days => numerals::format_count(language, shop.delivery_days.into()),
        fee => has_fee.then(|| price(rates.shipping_fee)),
        free_above => price(rates.free_shipping_above),
        vat_registered => rates.vat_registered,
        tax_rate => numerals::localize_digits(language, &percent(rates.tax_rate.0)),
        wallets => shop.online_payment.join(", "),
    };
    let contact = environment.render_str(template!("contact", language), &values)?;
    let grievance = environment.render_str(template!("grievance", language), &values)?;
    let all = context! { contact => contact.trim(), grievance => grievance.trim(), ..values };
    Ok(environment.render_str(text, all)?.trim().to_owned())
}

/// A rate of hundredths of a per cent without needless zeros.
fn percent(hundredths: i32) -> String {
    let text = format!("{}.{:02}", hundredths / 100, hundredths % 100);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::platform::config::{Config, Grievance};

    fn shop() -> Shop {
        let vars = [
            ("DATABASE_URL", "x"),
            ("PUBLIC_URL", "https://thunse.example"),
            ("MEDIA_DIR", "x"),
            ("SHOP_NAME", "Asha *& Sons* <b>"),
            ("SHOP_PHONE", "+977 980-0000000"),
            ("SHOP_ADDRESS", "Baneshwor"),
        ];
        let vars: BTreeMap<String, String> = vars.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        let shop = Config::from_vars(vars).unwrap().shop;
        let grievance = Grievance { name: "Gita Rai".to_owned(), ..Grievance::default() };
        Shop { registration_number: "R-12".to_owned(), pan_number: "301234567".to_owned(), grievance, ..shop }
    }

    #[test]
    fn every_template_is_filled_in_both_languages() {
        for language in [Language::English, Language::Nepali] {
            for kind in PolicyKind::ALL {
                let text = fill(kind, language, &shop());
                assert!(text.len() > 200 && !text.contains("{{") && !text.contains("{%"), "{kind:?}: {text}");
                let nepali = text.chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c));
                assert!(nepali == (language == Language::Nepali) || kind == PolicyKind::Privacy, "{kind:?}: {text}");
            }
        }
    }

    #[test]
    fn the_pages_name_the_shop_and_what_the_law_asks_for() {
        let page = |kind, language| markdown::to_html(&fill(kind, language, &shop()));

        let terms = page(PolicyKind::Terms, Language::English);
        for said in ["Asha *&amp; Sons* &lt;b&gt;", "Baneshwor", "R-12", "301234567", "+977 980-0000000", "13%"] {
            assert!(terms.contains(said), "{said}: {terms}");
        }
        let returns = page(PolicyKind::Returns, Language::English);
        for said in ["Within 7 days", "Within 15 days", "Perishable", "within 7 days", "Gita Rai"] {
            assert!(returns.contains(said), "{said}: {returns}");
        }
        assert!(page(PolicyKind::Privacy, Language::English).contains("five years"));
        let nepali = page(PolicyKind::Returns, Language::Nepali);
        assert!(nepali.contains("७ दिनभित्र") && nepali.contains("१५ दिनभित्र"), "{nepali}");
    }

    #[test]
    fn what_the_shop_has_not_filled_in_is_not_named() {
        let mut shop = shop();
        shop.registration_number.clear();
        shop.grievance = Grievance::default();
        shop.contact.phone.clear();
        shop.contact.email.clear();
        let (terms, returns) =
            (fill(PolicyKind::Terms, Language::English, &shop), fill(PolicyKind::Returns, Language::English, &shop));

        assert!(!terms.contains("Registration") && !terms.contains("Phone"), "{terms}");
        assert!(!returns.contains("officer") && !returns.contains(", ."), "{returns}");
    }

    #[test]
    fn a_rate_has_decimals_only_where_it_needs_them() {
        assert_eq!([percent(1300), percent(1250), percent(5)], ["13", "12.5", "0.05"]);
    }
}
