//! Writing a letter: what it says in either language, as text and as HTML.
//!
//! A file in `letters/` holds the subject, then paragraphs; one that begins with `->` is the button. Both forms of a
//! letter are made from the same paragraphs, so they cannot say different things.

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;

use super::{Letter, OrderFacts, OrderNews, Recipient, SecurityNews};
use crate::platform::config::Shop;
use crate::platform::web::Language;

const BUTTON: &str = "-> ";
/// The one template whose values are escaped.
const PAGE: &str = "letter.html";
/// Longer names are not greeted by name: this is where a stranger could write to somebody in our name.
const LONGEST_NAME: usize = 60;

pub struct Written {
    pub subject: String,
    pub text: String,
    pub html: String,
}

#[derive(Serialize)]
struct Paragraph {
    text: String,
    button: bool,
}

macro_rules! file {
    ($name:literal, $language:expr) => {
        match $language {
            Language::English => include_str!(concat!("letters/", $name, ".en.txt")),
            Language::Nepali => include_str!(concat!("letters/", $name, ".ne.txt")),
        }
    };
}

impl Letter {
    fn file(&self, language: Language) -> &'static str {
        match self {
            Self::ConfirmEmail { .. } => file!("confirm_email", language),
            Self::EmailChanging { .. } => file!("email_changing", language),
            Self::EmailChanged => file!("email_changed", language),
            Self::ResetPassword { .. } => file!("reset_password", language),
            Self::PasswordChanged => file!("password_changed", language),
            Self::TooManyAttempts => file!("too_many_attempts", language),
            Self::AccountDeleted => file!("account_deleted", language),
            Self::IdentityLinked { .. } => file!("identity_linked", language),
            Self::IdentityRemoved { .. } => file!("identity_removed", language),
            Self::Order { news, .. } => match news {
                OrderNews::Placed => file!("order_placed", language),
                OrderNews::Confirmed => file!("order_confirmed", language),
                OrderNews::Shipped => file!("order_shipped", language),
                OrderNews::Delivered => file!("order_delivered", language),
                OrderNews::Cancelled => file!("order_cancelled", language),
                OrderNews::MoneyBack => file!("order_money_back", language),
                OrderNews::ToConfirm => file!("order_to_confirm", language),
                OrderNews::NotConfirmed => file!("order_not_confirmed", language),
            },
            Self::Security { news, .. } => match news {
                SecurityNews::NewDevice => file!("new_device", language),
                SecurityNews::SellerNewDevice => file!("seller_new_device", language),
                SecurityNews::SellerClosed => file!("seller_closed", language),
                SecurityNews::SellerCodesClosed => file!("seller_codes_closed", language),
                SecurityNews::SellerPassword => file!("seller_password", language),
                SecurityNews::SellerPasswordChanged => file!("seller_password_changed", language),
                SecurityNews::SellerSecondStep => file!("seller_second_step", language),
            },
        }
    }

    fn link(&self) -> &str {
        match self {
            Self::ConfirmEmail { link } | Self::ResetPassword { link } | Self::EmailChanging { link, .. } => link,
            Self::Order { facts, .. } => &facts.link,
            Self::EmailChanged
            | Self::PasswordChanged
            | Self::TooManyAttempts
            | Self::AccountDeleted
            | Self::IdentityLinked { .. }
            | Self::IdentityRemoved { .. }
            | Self::Security { .. } => "",
        }
    }

    fn order(&self) -> Option<&OrderFacts> {
        if let Self::Order { facts, .. } = self { Some(facts) } else { None }
    }

    fn device(&self) -> &str {
        if let Self::Security { device, .. } = self { device } else { "" }
    }

    fn new_email(&self) -> &str {
        if let Self::EmailChanging { new_email, .. } = self { new_email } else { "" }
    }

    fn account(&self) -> &str {
        match self {
            Self::IdentityLinked { account } | Self::IdentityRemoved { account } => account,
            _ => "",
        }
    }
}

pub fn write(shop: &Shop, to: &Recipient, letter: &Letter) -> Result<Written, minijinja::Error> {
    let mut words = Environment::new();
    // Paragraphs are plain text; the page around them escapes.
    words.set_auto_escape_callback(|name| if name == PAGE { AutoEscape::Html } else { AutoEscape::None });
    let (brand, address) = match to.language {
        Language::English => (&shop.brand, &shop.contact.address),
        Language::Nepali => (&shop.brand_ne, &shop.contact.address_ne),
    };
    let facts = context! {
        brand, address,
        phone => &shop.contact.phone, email => &shop.contact.email,
        name => name_to_greet(&to.name), new_email => letter.new_email(), account => letter.account(),
        device => letter.device(),
        order => letter.order().map(|order| minijinja::Value::from(Serde(order))),
    };
    let fill = |text: &str| words.render_str(text, &facts);

    let mut parts = paragraphs(letter.file(to.language));
    let subject = fill(parts.next().unwrap_or_default())?;
    let paragraphs = parts
        // A button without a link would lead nowhere.
        .filter(|part| !part.starts_with(BUTTON) || !letter.link().is_empty())
        .map(|part| {
            let label = part.strip_prefix(BUTTON);
            Ok(Paragraph { text: fill(label.unwrap_or(part))?.trim().to_owned(), button: label.is_some() })
        })
        // What a paragraph is about may be missing.
        .filter(|paragraph| !matches!(paragraph, Ok(Paragraph { text, .. }) if text.is_empty()))
        .collect::<Result<Vec<_>, minijinja::Error>>()?;
    let mut frame = paragraphs_of_frame(to.language).map(fill);
    let mut next = || frame.next().unwrap_or_else(|| Ok(String::new()));
    let (greeting, closing, otherwise, footer) = (next()?, next()?, next()?, next()?);
    let paragraphs = minijinja::Value::from(Serde(&paragraphs));
    let all = context! {
        subject => &subject, greeting, paragraphs, closing, otherwise, footer, brand,
        language => to.language.code(), link => letter.link(),
    };
    let text = words.render_named_str("letter.txt", include_str!("letters/letter.txt"), &all)?;
    let html = words.render_named_str(PAGE, include_str!("letters/letter.html"), &all)?;
    Ok(Written { subject, text, html })
}

fn paragraphs_of_frame(language: Language) -> impl Iterator<Item = &'static str> {
    paragraphs(file!("frame", language))
}

fn paragraphs(file: &'static str) -> impl Iterator<Item = &'static str> {
    file.split("\n\n").map(str::trim).filter(|part| !part.is_empty())
}

/// Anybody can register somebody else's address under any name. A name that could be read as an address of the web, or
/// as a message, is left out.
fn name_to_greet(name: &str) -> &str {
    let name = name.trim();
    let odd = |c: char| c.is_control() || "/\\@:<>[](){}!?$%=*#".contains(c);
    let mut letters = name.chars().peekable();
    let mut looks_like_a_link = false;
    while let Some(letter) = letters.next() {
        looks_like_a_link |= letter == '.' && letters.peek().is_some_and(|next| next.is_alphanumeric());
    }
    if name.chars().count() > LONGEST_NAME || name.contains(odd) || looks_like_a_link { "" } else { name }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::platform::config::Config;

    const LINK: &str = "https://thunse.example/confirm-email#token=a&b";

    fn shop() -> Shop {
        let vars = [
            ("DATABASE_URL", "x"),
            ("PUBLIC_URL", "https://thunse.example"),
            ("MEDIA_DIR", "x"),
            ("SHOP_PHONE", "+977 980-0000000"),
        ];
        let vars: BTreeMap<String, String> = vars.map(|(name, value)| (name.to_owned(), value.to_owned())).into();
        Config::from_vars(vars).unwrap().shop
    }

    fn asha(language: Language) -> Recipient {
        Recipient { email: "asha@example.com".to_owned(), name: "Asha <b> Rai & Co".replace(" <b>", ""), language }
    }

    fn order(news: OrderNews) -> Letter {
        let facts = OrderFacts {
            code: "K7M2Q9XTRB".to_owned(),
            tracking: "9XTRBK7M2Q34".to_owned(),
            delivery_date: "2026-11-17".to_owned(),
            items: "2 × Rice: Rs. 500.00\n1 × Oil <1 L>: Rs. 250.00".to_owned(),
            total: "Rs. 867.50".to_owned(),
            address: Some("Mitra Marg, Kathmandu".to_owned()),
            cash: true,
            paid: false,
            confirm_by: Some("14:05".to_owned()),
            link: LINK.to_owned(),
        };
        Letter::Order { news, facts }
    }

    fn security(news: SecurityNews) -> Letter {
        Letter::Security { news, device: "Firefox on Android".to_owned() }
    }

    fn every_letter() -> Vec<Letter> {
        let link = LINK.to_owned();
        vec![
            Letter::ConfirmEmail { link: link.clone() },
            Letter::EmailChanging { new_email: "new@example.com".to_owned(), link: link.clone() },
            Letter::IdentityLinked { account: "asha@gmail.example".to_owned() },
            Letter::IdentityRemoved { account: String::new() },
            Letter::EmailChanged,
            Letter::ResetPassword { link },
            Letter::PasswordChanged,
            Letter::TooManyAttempts,
            Letter::AccountDeleted,
            order(OrderNews::Placed),
            order(OrderNews::Confirmed),
            order(OrderNews::Shipped),
            order(OrderNews::Delivered),
            order(OrderNews::Cancelled),
            order(OrderNews::MoneyBack),
            order(OrderNews::ToConfirm),
            order(OrderNews::NotConfirmed),
            security(SecurityNews::NewDevice),
            security(SecurityNews::SellerNewDevice),
            security(SecurityNews::SellerClosed),
            security(SecurityNews::SellerCodesClosed),
            security(SecurityNews::SellerPassword),
            security(SecurityNews::SellerPasswordChanged),
            security(SecurityNews::SellerSecondStep),
        ]
    }

    #[test]
    fn an_email_names_no_way_to_ask_that_there_is_not() {
        let mut shop = shop();
        shop.contact.phone.clear();
        for language in [Language::English, Language::Nepali] {
            let written = write(&shop, &asha(language), &Letter::PasswordChanged).unwrap();
            let footer = written.text.rsplit_once("--\n").unwrap().1.trim();

            assert!(!footer.contains('?') && !footer.ends_with(','), "{footer}");
        }
    }

    #[test]
    fn every_letter_is_whole_in_both_languages_and_forms() {
        for (language, greeting) in [(Language::English, "Namaste Asha"), (Language::Nepali, "नमस्ते Asha")]
        {
            for letter in every_letter() {
                let written = write(&shop(), &asha(language), &letter).unwrap();

                assert!(!written.subject.is_empty() && !written.subject.contains('\n'), "{letter:?}");
                for form in [&written.text, &written.html] {
                    assert!(form.contains(greeting) && form.contains("+977 980-0000000"), "{letter:?}: {form}");
                    assert!(!form.contains("{{") && !form.contains("{%"), "{letter:?}: {form}");
                }
                assert_eq!(written.text.contains(LINK), !letter.link().is_empty(), "{letter:?}");
                assert_eq!(written.html.contains("<a href="), !letter.link().is_empty(), "{letter:?}");
                let nepali = written.subject.chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c));
                assert_eq!(nepali, language == Language::Nepali, "{}", written.subject);
            }
        }
    }

    #[test]
    fn what_people_wrote_is_text_and_never_markup() {
        let written = write(&shop(), &asha(Language::English), &Letter::EmailChanged).unwrap();
        let changing = Letter::EmailChanging { new_email: "<script>@example.com".to_owned(), link: LINK.to_owned() };
        let changing = write(&shop(), &asha(Language::English), &changing).unwrap();

        assert!(written.html.contains("Rai &amp; Co") && written.text.contains("Rai & Co"));
        assert!(!changing.html.contains("<script>"));
    }

    #[test]
    fn a_letter_about_an_order_names_it_and_says_what_is_in_it() {
        for language in [Language::English, Language::Nepali] {
            let placed = write(&shop(), &asha(language), &order(OrderNews::Placed)).unwrap();

            assert!(placed.subject.contains("K7M2Q9XTRB"), "{}", placed.subject);
            for said in ["2 × Rice", "Rs. 867.50", "Mitra Marg", "9XTRBK7M2Q34", "2026-11-17"] {
                assert!(placed.text.contains(said) && placed.html.contains(said), "{said}: {}", placed.text);
            }
            assert!(placed.html.contains("Oil &lt;1 L&gt;"));
        }
    }

    #[test]
    fn what_is_paid_is_called_so() {
        for (language, said) in [(Language::English, "already paid"), (Language::Nepali, "तिरिसकिएको")]
        {
            let confirmed = |paid: bool| {
                let Letter::Order { news, mut facts } = order(OrderNews::Confirmed) else { unreachable!() };
                (facts.cash, facts.paid) = (!paid, paid);
                write(&shop(), &asha(language), &Letter::Order { news, facts }).unwrap().text
            };
            assert!(confirmed(true).contains(said) && !confirmed(false).contains(said));
        }
    }

    #[test]
    fn a_name_that_is_a_message_is_not_greeted() {
        for name in ["Asha", "आशा राई", "Asha K. Rai", "O'Neil-Rai", "Asha & Co"] {
            assert_eq!(name_to_greet(name), name);
        }
        for name in ["Win now at evil.example", "http://evil", "a@b", "You won! Call", &"a".repeat(61), "two\nlines"] {
            assert_eq!(name_to_greet(name), "", "{name}");
        }
    }
}
