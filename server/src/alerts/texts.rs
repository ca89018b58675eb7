//! The texts of alerts for notifications and text messages; `notifications` has those of the emails.

use super::model::{Alert, NotMetReason, OrderAlert, product_name};
use crate::platform::bikram_sambat::format_delivery_time;
use crate::platform::language::Language;
use crate::platform::messages::{Message, Render, message};
use crate::platform::money_format::format_price;

/// The title and the text of a notification.
pub fn notification(alert: &Alert, language: Language) -> (String, String) {
    let (title, text) = match alert {
        Alert::NewOrder { code, total } => (
            message!("alerts.new_order", code = code.as_str()),
            message!("alerts.new_order_detail", total = format_price(language, *total)),
        ),
        Alert::OrderNotOpened { code, total } => (
            message!("alerts.order_not_opened", code = code.as_str()),
            message!("alerts.order_not_opened_detail", total = format_price(language, *total)),
        ),
        Alert::OrderChanged { code, change } => (order_changed(code, *change), message!("alerts.order_changed_detail")),
        Alert::NotMet { code, reason, day, hours } => (
            message!("alerts.not_met", code = code.as_str()),
            message!(
                "alerts.not_met_detail",
                reason = not_met_reason(*reason).render(language),
                time = format_delivery_time(language, *day, *hours),
            ),
        ),
        Alert::BackInStock { name, name_ne, .. } => (
            message!("alerts.back_in_stock", product = product_name(name, name_ne.as_deref(), language)),
            message!("alerts.back_in_stock_detail"),
        ),
        Alert::LowStock { lines, more } => (
            message!("alerts.low_stock", products = i64::try_from(lines.len()).unwrap_or(i64::MAX) + more),
            message!("alerts.low_stock_detail"),
        ),
    };
    (title.render(language), text.render(language))
}

fn order_changed(code: &str, change: OrderAlert) -> Message {
    match change {
        OrderAlert::Confirmed => message!("alerts.order_confirmed", code = code),
        OrderAlert::Shipped => message!("alerts.order_shipped", code = code),
        OrderAlert::OutForDelivery => message!("alerts.order_out_for_delivery", code = code),
        OrderAlert::Delivered => message!("alerts.order_delivered", code = code),
        OrderAlert::Cancelled => message!("alerts.order_cancelled", code = code),
        OrderAlert::Packed => message!("alerts.order_packed", code = code),
        OrderAlert::PackingQuestion => message!("alerts.packing_question", code = code),
    }
}

pub const fn not_met_reason(reason: NotMetReason) -> Message {
    match reason {
        NotMetReason::NobodyHome => message!("alerts.not_met_reason.nobody_home"),
        NotMetReason::NoAnswer => message!("alerts.not_met_reason.no_answer"),
        NotMetReason::WrongAddress => message!("alerts.not_met_reason.wrong_address"),
        NotMetReason::Refused => message!("alerts.not_met_reason.refused"),
        NotMetReason::Other => message!("alerts.not_met_reason.other"),
    }
}

/// The text message of an alert, short enough for one part.
pub fn text_message(alert: &Alert, brand: &str, language: Language) -> String {
    match alert {
        Alert::NewOrder { code, total } => {
            message!("sms.new_order", brand = brand, code = code.as_str(), total = format_price(language, *total))
                .render(language)
        }
        Alert::OrderNotOpened { code, .. } => {
            message!("sms.order_not_opened", brand = brand, code = code.as_str()).render(language)
        }
        Alert::OrderChanged { .. } | Alert::NotMet { .. } | Alert::BackInStock { .. } | Alert::LowStock { .. } => {
            let (title, _) = notification(alert, language);
            format!("{brand}: {title}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::money::Paisa;

    #[test]
    fn a_text_message_fits_into_one_part() {
        let (code, total) = ("K7M2Q9ABCD".to_owned(), Paisa::from_rupees(200_000));
        let mut alerts =
            vec![Alert::NewOrder { code: code.clone(), total }, Alert::OrderNotOpened { code: code.clone(), total }];
        for change in [
            OrderAlert::Confirmed,
            OrderAlert::Shipped,
            OrderAlert::OutForDelivery,
            OrderAlert::Delivered,
            OrderAlert::Cancelled,
            OrderAlert::Packed,
            OrderAlert::PackingQuestion,
        ] {
            alerts.push(Alert::OrderChanged { code: code.clone(), change });
        }
        for alert in alerts {
            for (language, brand, most) in [(Language::English, "Thunse", 160), (Language::Nepali, "थुन्से", 70)]
            {
                let text = text_message(&alert, brand, language);
                assert!(text.encode_utf16().count() <= most, "{text}");
                assert!(text.contains(&code) && text.contains(brand), "{text}");
            }
        }
    }
}
