//! The template of each kind of email, and the values that templates are filled with.

use super::model::{
    ComplaintEmailKind, ComplaintSummary, Email, OrderEmailKind, OrderSummary, PackingEmailKind, PackingSummary,
    SecurityEmailKind, StaffEmailKind,
};
use crate::platform::language::Language;
use crate::platform::messages::{Render, message};

/// The text of a template in a language.
macro_rules! template {
    ($name:literal, $language:expr) => {
        match $language {
            Language::English => include_str!(concat!("templates/", $name, ".en.txt")),
            Language::Nepali => include_str!(concat!("templates/", $name, ".ne.txt")),
        }
    };
}

pub(super) use template;

impl Email {
    pub fn template(&self, language: Language) -> &'static str {
        match self {
            Self::ConfirmEmail { .. } => template!("confirm_email", language),
            Self::EmailChanging { .. } => template!("email_changing", language),
            Self::EmailChanged => template!("email_changed", language),
            Self::ResetPassword { .. } => template!("reset_password", language),
            Self::StaffInvitation { .. } => template!("staff_invitation", language),
            Self::PasswordChanged => template!("password_changed", language),
            Self::TooManyAttempts => template!("too_many_attempts", language),
            Self::AccountDeleted => template!("account_deleted", language),
            Self::IdentityLinked { .. } => template!("identity_linked", language),
            Self::IdentityRemoved { .. } => template!("identity_removed", language),
            Self::Order { kind, .. } => match kind {
                OrderEmailKind::Placed => template!("order_placed", language),
                OrderEmailKind::Confirmed => template!("order_confirmed", language),
                OrderEmailKind::Shipped => template!("order_shipped", language),
                OrderEmailKind::Delivered => template!("order_delivered", language),
                OrderEmailKind::Cancelled => template!("order_cancelled", language),
                OrderEmailKind::CancelledWithRefund => template!("order_cancelled_with_refund", language),
                OrderEmailKind::AwaitingConfirmation => template!("order_awaiting_confirmation", language),
                OrderEmailKind::NotConfirmed => template!("order_not_confirmed", language),
            },
            Self::Staff { kind, .. } => match kind {
                StaffEmailKind::NewOrder => template!("new_order", language),
                StaffEmailKind::OrderNotOpened => template!("order_not_opened", language),
            },
            Self::NotMet { .. } => template!("not_met", language),
            Self::BackInStock { .. } => template!("back_in_stock", language),
            Self::LowStock { .. } => template!("low_stock", language),
            Self::Complaint { kind, .. } => match kind {
                ComplaintEmailKind::OpenedForShop => template!("complaint_opened_for_shop", language),
                ComplaintEmailKind::OpenedForShopper => template!("complaint_opened", language),
                ComplaintEmailKind::MessageForShop => template!("complaint_message_for_shop", language),
                ComplaintEmailKind::MessageForShopper => template!("complaint_message", language),
                ComplaintEmailKind::Decided => template!("complaint_decided", language),
            },
            Self::Packing { kind, .. } => match kind {
                PackingEmailKind::Packed => template!("order_packed", language),
                PackingEmailKind::Question => template!("order_packing_question", language),
            },
            Self::ConfirmNewsletter { .. } => template!("confirm_newsletter", language),
            Self::Newsletter { .. } => template!("newsletter", language),
            Self::Security { kind, .. } => match kind {
                SecurityEmailKind::NewDevice => template!("new_device", language),
                SecurityEmailKind::SellerNewDevice => template!("seller_new_device", language),
                SecurityEmailKind::SellerLocked => template!("seller_locked", language),
                SecurityEmailKind::SellerCodesLocked => template!("seller_codes_locked", language),
                SecurityEmailKind::SellerPasswordReset => template!("seller_password_reset", language),
                SecurityEmailKind::SellerPasswordChanged => template!("seller_password_changed", language),
                SecurityEmailKind::SellerSecondStep => template!("seller_second_step", language),
            },
        }
    }

    pub fn link(&self) -> &str {
        match self {
            Self::ConfirmEmail { link }
            | Self::ResetPassword { link }
            | Self::StaffInvitation { link, .. }
            | Self::EmailChanging { link, .. }
            | Self::Staff { link, .. }
            | Self::NotMet { link, .. }
            | Self::BackInStock { link, .. }
            | Self::LowStock { link, .. }
            | Self::ConfirmNewsletter { link }
            | Self::Newsletter { link, .. } => link,
            Self::Order { summary, .. } => &summary.link,
            Self::Complaint { summary, .. } => &summary.link,
            Self::Packing { summary, .. } => &summary.link,
            Self::EmailChanged
            | Self::PasswordChanged
            | Self::TooManyAttempts
            | Self::AccountDeleted
            | Self::IdentityLinked { .. }
            | Self::IdentityRemoved { .. }
            | Self::Security { .. } => "",
        }
    }

    /// The URL with which mail programs end the subscription that the email belongs to.
    pub fn unsubscribe_url(&self) -> Option<&str> {
        if let Self::Newsletter { one_click, .. } = self { Some(one_click) } else { None }
    }

    /// The subject and the Markdown of a newsletter.
    pub fn newsletter(&self) -> Option<(&str, &str)> {
        if let Self::Newsletter { subject, body, .. } = self { Some((subject, body)) } else { None }
    }

    pub fn order(&self) -> Option<&OrderSummary> {
        if let Self::Order { summary, .. } = self { Some(summary) } else { None }
    }

    pub fn complaint(&self) -> Option<&ComplaintSummary> {
        if let Self::Complaint { summary, .. } = self { Some(summary) } else { None }
    }

    pub fn packing(&self) -> Option<&PackingSummary> {
        if let Self::Packing { summary, .. } = self { Some(summary) } else { None }
    }

    /// The browser in the reader's language. It is described in English, such as 'Chrome on Android'.
    pub fn device(&self, language: Language) -> String {
        let Self::Security { device, .. } = self else { return String::new() };
        match device.split_once(" on ") {
            Some((browser, system)) => message!("format.device", browser = browser, system = system).render(language),
            None => device.clone(),
        }
    }

    pub fn new_email(&self) -> &str {
        if let Self::EmailChanging { new_email, .. } = self { new_email } else { "" }
    }

    pub fn role(&self) -> &str {
        if let Self::StaffInvitation { role, .. } = self { role } else { "" }
    }

    /// The number and the total of the order that the staff gets an email about.
    pub fn staff_order(&self) -> (&str, &str) {
        if let Self::Staff { code, total, .. } = self { (code, total) } else { ("", "") }
    }

    /// The number of an order whose shopper was not met, why, and when the next attempt is.
    pub fn not_met(&self) -> (&str, &str, &str) {
        if let Self::NotMet { code, reason, time, .. } = self { (code, reason, time) } else { ("", "", "") }
    }

    /// The name of the product that the email is about.
    pub fn product(&self) -> &str {
        if let Self::BackInStock { product, .. } = self { product } else { "" }
    }

    /// The products that are low in stock, how many they are, and how many of them are not named.
    pub fn low_stock(&self) -> (&str, &str, &str) {
        if let Self::LowStock { lines, products, more, .. } = self { (lines, products, more) } else { ("", "", "") }
    }

    pub fn account(&self) -> &str {
        match self {
            Self::IdentityLinked { account } | Self::IdentityRemoved { account } => account,
            _ => "",
        }
    }
}
