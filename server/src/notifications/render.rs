//! Renders emails in both languages, as text and as HTML.
//!
//! A template in `templates/` starts with the subject, followed by paragraphs; a paragraph that begins with `->` is the
//! button, and one that begins with `|` is a table whose lines are `label: amount`. Both forms of an email are rendered
//! from the same paragraphs, so they cannot differ.

use minijinja::value::Serde;
use minijinja::{AutoEscape, Environment, context};
use serde::Serialize;

use super::model::{Email, Recipient};
use super::template::template;
use crate::platform::config::Shop;
use crate::platform::language::Language;
use crate::platform::markdown;

const BUTTON: &str = "-> ";
const TABLE: &str = "| ";
/// The amounts of an order, which several templates include.
const ORDER_AMOUNTS: &str = "order_amounts";
/// Only this template escapes its values.
const HTML_LAYOUT: &str = "layout.html";
/// A longer name is left out of the greeting, because a stranger could use it to send a message in our name.
const MAX_NAME_LENGTH: usize = 60;

pub struct RenderedEmail {
    pub subject: String,
    pub text: String,
    pub html: String,
}

#[derive(Serialize)]
struct Paragraph {
    text: String,
    button: bool,
    /// The rows of a table; empty for other paragraphs.
    rows: Vec<Row>,
}

/// An empty line of a table is a row without a label.
#[derive(Serialize)]
struct Row {
    label: String,
    amount: String,
}

/// `unsubscribe` is the page that turns off emails of this kind, if there is one.
pub fn render_email(
    shop: &Shop,
    to: &Recipient,
    email: &Email,
    unsubscribe: Option<&str>,
) -> Result<RenderedEmail, minijinja::Error> {
    let mut environment = Environment::new();
    // Paragraphs are plain text; the HTML layout escapes them.
    environment.set_auto_escape_callback(|name| if name == HTML_LAYOUT { AutoEscape::Html } else { AutoEscape::None });
    let (brand, address) = match to.language {
        Language::English => (&shop.brand, &shop.contact.address),
        Language::Nepali => (&shop.brand_ne, &shop.contact.address_ne),
    };
    let (code, total) = email.staff_order();
    let (low_stock, low_stock_products, low_stock_more) = email.low_stock();
    let (not_met_code, not_met_reason, not_met_time) = email.not_met();
    let values = context! {
        brand, address, code, total, low_stock, low_stock_products, low_stock_more, not_met_code, not_met_reason, not_met_time,
        phone => &shop.contact.phone, email => &shop.contact.email,
        name => greeting_name(&to.name), new_email => email.new_email(), account => email.account(),
        device => email.device(to.language), role => email.role(), product => email.product(),
        order => email.order().map(|order| minijinja::Value::from(Serde(order))),
        complaint => email.complaint().map(|complaint| minijinja::Value::from(Serde(complaint))),
        packing => email.packing().map(|packing| minijinja::Value::from(Serde(packing))),
        newsletter_subject => email.newsletter().map(|(subject, _)| subject),
    };
    environment.add_template(ORDER_AMOUNTS, template!("order_amounts", to.language))?;
    let fill = |text: &str| environment.render_str(text, &values);

    let mut parts = paragraphs(email.template(to.language));
    let subject = fill(parts.next().unwrap_or_default())?;
    let paragraphs = parts
        // A button without a link would lead nowhere.
        .filter(|part| !part.starts_with(BUTTON) || !email.link().is_empty())
        .map(|part| {
            let (label, table) = (part.strip_prefix(BUTTON), part.strip_prefix(TABLE));
            let text = fill(label.or(table).unwrap_or(part))?.trim().to_owned();
            let rows = if table.is_some() { text.lines().map(Row::from_line).collect() } else { Vec::new() };
            Ok(Paragraph { text, button: label.is_some(), rows })
        })
        // A paragraph is empty if its value is missing.
        .filter(|paragraph| !matches!(paragraph, Ok(Paragraph { text, .. }) if text.is_empty()))
        .collect::<Result<Vec<_>, minijinja::Error>>()?;
    let mut common = common_paragraphs(to.language).map(fill);
    let mut next = || common.next().unwrap_or_else(|| Ok(String::new()));
    let (greeting, closing, otherwise, footer, turn_off) = (next()?, next()?, next()?, next()?, next()?);
    let paragraphs = minijinja::Value::from(Serde(&paragraphs));
    let body = email.newsletter().map(|(_, body)| body);
    let all = context! {
        body_html => body.map(markdown::to_html), body_text => body.map(markdown::to_text),
        subject => &subject, greeting, paragraphs, closing, otherwise, footer, turn_off, unsubscribe, brand,
        language => to.language.code(), link => email.link(),
    };
    let text = environment.render_named_str("layout.txt", include_str!("templates/layout.txt"), &all)?;
    let html = environment.render_named_str(HTML_LAYOUT, include_str!("templates/layout.html"), &all)?;
    Ok(RenderedEmail { subject, text, html })
}

/// A newsletter in the parts that its preview shows.
pub struct RenderedNewsletter {
    pub brand: String,
    pub subject: String,
    pub greeting: String,
    pub html: String,
    pub closing: String,
    pub note: String,
    pub unsubscribe: String,
}

pub fn preview_newsletter(shop: &Shop, subject: &str, body: &str, language: Language) -> RenderedNewsletter {
    let brand = if language == Language::Nepali { &shop.brand_ne } else { &shop.brand };
    let environment = Environment::new();
    let values = context! { brand, name => "" };
    // The texts are our own and have been rendered by a test.
    let fill = |text: Option<&str>| environment.render_str(text.unwrap_or_default(), &values).unwrap_or_default();
    let (mut common, mut own) = (common_paragraphs(language), paragraphs(template!("newsletter", language)).skip(1));
    RenderedNewsletter {
        brand: brand.clone(),
        subject: subject.to_owned(),
        greeting: fill(common.next()),
        html: markdown::to_html(body),
        closing: fill(common.next()),
        note: fill(own.next()),
        unsubscribe: own.next().and_then(|label| label.strip_prefix(BUTTON)).unwrap_or_default().to_owned(),
    }
}

impl Row {
    fn from_line(line: &str) -> Self {
        // The name of a product may contain a colon, an amount never does.
        let (label, amount) = line.rsplit_once(": ").unwrap_or((line, ""));
        Self { label: label.to_owned(), amount: amount.to_owned() }
    }
}

fn common_paragraphs(language: Language) -> impl Iterator<Item = &'static str> {
    paragraphs(template!("common", language))
}

fn paragraphs(template: &'static str) -> impl Iterator<Item = &'static str> {
    template.split("\n\n").map(str::trim).filter(|part| !part.is_empty())
}

/// Anyone can register another person's email address under any name, so a name that looks like a link or a message is
/// left out.
fn greeting_name(name: &str) -> &str {
    let name = name.trim();
    let odd = |c: char| c.is_control() || "/\\@:<>[](){}!?$%=*#".contains(c);
    let mut characters = name.chars().peekable();
    let mut looks_like_a_link = false;
    while let Some(character) = characters.next() {
        looks_like_a_link |= character == '.' && characters.peek().is_some_and(|next| next.is_alphanumeric());
    }
    if name.chars().count() > MAX_NAME_LENGTH || name.contains(odd) || looks_like_a_link { "" } else { name }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::*;
    use crate::notifications::model::{
        ComplaintEmailKind, ComplaintSummary, CouponLine, OrderEmailKind, OrderSummary, PackingEmailKind,
        PackingSummary, SecurityEmailKind, StaffEmailKind,
    };
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

    fn order(kind: OrderEmailKind) -> Email {
        let summary = OrderSummary {
            code: "K7M2Q9XTRB".to_owned(),
            tracking: "9XTRBK7M2Q34".to_owned(),
            delivery_date: "2026-11-17".to_owned(),
            items: "2 × Rice: Rs. 500.00\n1 × Oil <1 L>: Rs. 250.00".to_owned(),
            coupon: Some(CouponLine { code: "DASHAIN-10".to_owned(), discount: "Rs. 83.30".to_owned() }),
            subtotal: "Rs. 750.00".to_owned(),
            shipping_fee: "Rs. 20.00".to_owned(),
            tax: Some("Rs. 97.50".to_owned()),
            total: "Rs. 867.50".to_owned(),
            due: Some("Rs. 500.00".to_owned()),
            address: Some("Mitra Marg, Kathmandu".to_owned()),
            cash: true,
            paid: false,
            confirm_by: Some("14:05".to_owned()),
            link: LINK.to_owned(),
        };
        Email::Order { kind, summary: Box::new(summary) }
    }

    fn security(kind: SecurityEmailKind) -> Email {
        Email::Security { kind, device: "Firefox on Android".to_owned() }
    }

    fn complaint(kind: ComplaintEmailKind) -> Email {
        let summary = ComplaintSummary {
            order: "K7M2Q9XTRB".to_owned(),
            text: "The <b>eggs</b> are broken.\n\nAll of them.".to_owned(),
            outcome: "partly".to_owned(),
            due: "24 Nov 2026".to_owned(),
            link: LINK.to_owned(),
        };
        Email::Complaint { kind, summary: Box::new(summary) }
    }

    fn packing(kind: PackingEmailKind) -> Email {
        let summary = PackingSummary {
            order: "K7M2Q9XTRB".to_owned(),
            changes: "Rice <1 kg>: 1 instead of 2".to_owned(),
            ordered_total: "Rs. 867.50".to_owned(),
            total: "Rs. 500.00".to_owned(),
            refund: Some("Rs. 367.50".to_owned()),
            cash: true,
            link: LINK.to_owned(),
        };
        Email::Packing { kind, summary: Box::new(summary) }
    }

    fn every_email() -> Vec<Email> {
        let link = LINK.to_owned();
        let staff = |kind| Email::Staff {
            kind,
            code: "K7M2Q9ABCD".to_owned(),
            total: "Rs. 1131.13".to_owned(),
            link: link.clone(),
        };
        vec![
            Email::ConfirmEmail { link: link.clone() },
            Email::ConfirmNewsletter { link: link.clone() },
            Email::EmailChanging { new_email: "new@example.com".to_owned(), link: link.clone() },
            Email::IdentityLinked { account: "asha@gmail.example".to_owned() },
            Email::IdentityRemoved { account: String::new() },
            Email::EmailChanged,
            Email::StaffInvitation { link: link.clone(), role: "packer".to_owned() },
            Email::ResetPassword { link: link.clone() },
            Email::PasswordChanged,
            Email::TooManyAttempts,
            Email::AccountDeleted,
            Email::BackInStock { product: "Jasmine Rice".to_owned(), link: link.clone() },
            Email::NotMet {
                code: "K7M2Q9ABCD".to_owned(),
                reason: "Nobody was at the address.".to_owned(),
                time: "16 Nov 2026, 07:00–09:00".to_owned(),
                link: link.clone(),
            },
            complaint(ComplaintEmailKind::OpenedForShop),
            complaint(ComplaintEmailKind::OpenedForShopper),
            complaint(ComplaintEmailKind::MessageForShop),
            complaint(ComplaintEmailKind::MessageForShopper),
            complaint(ComplaintEmailKind::Decided),
            packing(PackingEmailKind::Packed),
            packing(PackingEmailKind::Question),
            order(OrderEmailKind::Placed),
            order(OrderEmailKind::Confirmed),
            order(OrderEmailKind::Shipped),
            order(OrderEmailKind::Delivered),
            order(OrderEmailKind::Cancelled),
            order(OrderEmailKind::CancelledWithRefund),
            order(OrderEmailKind::AwaitingConfirmation),
            order(OrderEmailKind::NotConfirmed),
            staff(StaffEmailKind::NewOrder),
            staff(StaffEmailKind::OrderNotOpened),
            Email::LowStock {
                lines: "Mustard oil: 2 left\nSalt: sold out".to_owned(),
                products: "5".to_owned(),
                more: "3".to_owned(),
                link: LINK.to_owned(),
            },
            security(SecurityEmailKind::NewDevice),
            security(SecurityEmailKind::SellerNewDevice),
            security(SecurityEmailKind::SellerLocked),
            security(SecurityEmailKind::SellerCodesLocked),
            security(SecurityEmailKind::SellerPasswordReset),
            security(SecurityEmailKind::SellerPasswordChanged),
            security(SecurityEmailKind::SellerSecondStep),
        ]
    }

    #[test]
    fn an_email_names_no_way_to_ask_that_there_is_not() {
        let mut shop = shop();
        shop.contact.phone.clear();
        for language in [Language::English, Language::Nepali] {
            let rendered = render_email(&shop, &asha(language), &Email::PasswordChanged, None).unwrap();
            let footer = rendered.text.rsplit_once("--\n").unwrap().1.trim();

            assert!(!footer.contains('?') && !footer.ends_with(','), "{footer}");
        }
    }

    #[test]
    fn an_optional_email_says_how_to_turn_it_off() {
        let page = "https://thunse.example/unsubscribe#token=1";
        for language in [Language::English, Language::Nepali] {
            let with = render_email(&shop(), &asha(language), &Email::EmailChanged, Some(page)).unwrap();
            let without = render_email(&shop(), &asha(language), &Email::EmailChanged, None).unwrap();

            assert!(with.text.contains(page) && with.html.contains("unsubscribe#token"), "{}", with.html);
            assert!(!without.text.contains("unsubscribe") && !without.html.contains("unsubscribe"));
        }
    }

    #[test]
    fn every_email_is_complete_in_both_languages_and_forms() {
        for (language, greeting) in [(Language::English, "Namaste Asha"), (Language::Nepali, "नमस्ते Asha")]
        {
            for email in every_email() {
                let rendered = render_email(&shop(), &asha(language), &email, None).unwrap();

                assert!(!rendered.subject.is_empty() && !rendered.subject.contains('\n'), "{email:?}");
                for form in [&rendered.text, &rendered.html] {
                    assert!(form.contains(greeting) && form.contains("+977 980-0000000"), "{email:?}: {form}");
                    assert!(!form.contains("{{") && !form.contains("{%"), "{email:?}: {form}");
                }
                assert_eq!(rendered.text.contains(LINK), !email.link().is_empty(), "{email:?}");
                assert_eq!(rendered.html.contains("<a href="), !email.link().is_empty(), "{email:?}");
                let nepali = rendered.subject.chars().any(|c| ('\u{900}'..='\u{97f}').contains(&c));
                assert_eq!(nepali, language == Language::Nepali, "{}", rendered.subject);
            }
        }
    }

    #[test]
    fn a_newsletter_is_markdown_with_a_way_out_and_nothing_that_runs() {
        for (language, way_out) in [(Language::English, "Unsubscribe"), (Language::Nepali, "सदस्यता छोड्नुहोस्")]
        {
            let email = Email::Newsletter {
                subject: "Dashain & more".to_owned(),
                body: "# Offers\n\n**Rice** at [the shop](/offers) <script>alert(1)</script>".to_owned(),
                link: LINK.to_owned(),
                one_click: "https://thunse.example/api/subscriber/unsubscribe/t".to_owned(),
            };
            let rendered = render_email(&shop(), &asha(language), &email, None).unwrap();

            assert_eq!(rendered.subject, "Dashain & more");
            assert!(rendered.html.contains("<strong>Rice</strong>") && !rendered.html.contains("<script"));
            assert!(rendered.html.contains(&format!(">{way_out}</a>")), "{}", rendered.html);
            for said in ["Offers", "Rice at the shop (/offers)", way_out, LINK] {
                assert!(rendered.text.contains(said), "{said}: {}", rendered.text);
            }
            assert_eq!(email.unsubscribe_url(), Some("https://thunse.example/api/subscriber/unsubscribe/t"));
            let preview = preview_newsletter(&shop(), "Dashain", "*a*", language);
            assert!(preview.html.contains("<em>a</em>") && preview.unsubscribe == way_out && !preview.note.is_empty());
        }
    }

    #[test]
    fn what_people_wrote_is_text_and_never_markup() {
        let rendered = render_email(&shop(), &asha(Language::English), &Email::EmailChanged, None).unwrap();
        let changing = Email::EmailChanging { new_email: "<script>@example.com".to_owned(), link: LINK.to_owned() };
        let changing = render_email(&shop(), &asha(Language::English), &changing, None).unwrap();

        assert!(rendered.html.contains("Rai &amp; Co") && rendered.text.contains("Rai & Co"));
        assert!(!changing.html.contains("<script>"));
    }

    #[test]
    fn an_email_about_an_order_names_it_and_says_what_is_in_it() {
        for language in [Language::English, Language::Nepali] {
            let placed = render_email(&shop(), &asha(language), &order(OrderEmailKind::Placed), None).unwrap();

            assert!(placed.subject.contains("K7M2Q9XTRB"), "{}", placed.subject);
            for said in ["2 × Rice", "Rs. 867.50", "Mitra Marg", "9XTRBK7M2Q34", "2026-11-17"] {
                assert!(placed.text.contains(said) && placed.html.contains(said), "{said}: {}", placed.text);
            }
            assert!(placed.html.contains("Oil &lt;1 L&gt;"));
        }
    }

    #[test]
    fn the_amounts_of_an_order_are_a_table_that_names_tax_only_if_there_is_one() {
        for (language, tax) in [(Language::English, "Tax"), (Language::Nepali, "कर")] {
            let placed = |tax: Option<&str>| {
                let Email::Order { kind, mut summary } = order(OrderEmailKind::Placed) else { unreachable!() };
                summary.items = "2 × Rice: long grain: Rs. 500.00".to_owned();
                summary.tax = tax.map(str::to_owned);
                render_email(&shop(), &asha(language), &Email::Order { kind, summary }, None).unwrap()
            };
            let (taxed, untaxed) = (placed(Some("Rs. 97.50")), placed(None));

            assert!(taxed.html.contains(">2 × Rice: long grain</td>"), "{}", taxed.html);
            for amount in ["Rs. 500.00", "Rs. 750.00", "Rs. 20.00", "Rs. 97.50", "Rs. 867.50"] {
                assert!(taxed.html.contains(&format!(">{amount}</td>")), "{amount}: {}", taxed.html);
                assert!(taxed.text.contains(&format!(": {amount}\n")), "{amount}: {}", taxed.text);
            }
            assert!(taxed.text.contains(&format!("\n{tax}: Rs. 97.50\n")), "{}", taxed.text);
            assert!(!untaxed.text.contains(&format!("\n{tax}:")), "{}", untaxed.text);
        }
    }

    #[test]
    fn a_browser_is_named_in_the_reader_s_language() {
        for (language, said) in [(Language::English, "Firefox on Android"), (Language::Nepali, "Android मा Firefox")]
        {
            let rendered =
                render_email(&shop(), &asha(language), &security(SecurityEmailKind::SellerNewDevice), None).unwrap();
            assert!(rendered.text.contains(said) && rendered.html.contains(said), "{}", rendered.text);
        }
    }

    #[test]
    fn what_is_paid_is_called_so() {
        for (language, said) in [(Language::English, "already paid"), (Language::Nepali, "तिरिसकिएको")]
        {
            let confirmed = |paid: bool| {
                let Email::Order { kind, mut summary } = order(OrderEmailKind::Confirmed) else { unreachable!() };
                (summary.cash, summary.paid) = (!paid, paid);
                render_email(&shop(), &asha(language), &Email::Order { kind, summary }, None).unwrap().text
            };
            assert!(confirmed(true).contains(said) && !confirmed(false).contains(said));
        }
    }

    #[test]
    fn a_name_that_is_a_message_is_not_greeted() {
        for name in ["Asha", "आशा राई", "Asha K. Rai", "O'Neil-Rai", "Asha & Co"] {
            assert_eq!(greeting_name(name), name);
        }
        for name in ["Win now at evil.example", "http://evil", "a@b", "You won! Call", &"a".repeat(61), "two\nlines"] {
            assert_eq!(greeting_name(name), "", "{name}");
        }
    }
}
