//! The kinds of emails with their data.

use serde::{Deserialize, Serialize};

use crate::platform::language::Language;

#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct Recipient {
    pub email: String,
    pub name: String,
    pub language: Language,
}

/// The kind of an email with its data. The shop's name and contacts are filled in when it is sent.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum Email {
    ConfirmEmail {
        link: String,
    },
    EmailChanging {
        new_email: String,
        /// The link that cancels the change; empty in jobs that an earlier version queued.
        #[serde(default)]
        link: String,
    },
    EmailChanged,
    ResetPassword {
        link: String,
    },
    /// `role` is the name of the role, such as `packer`.
    StaffInvitation {
        link: String,
        role: String,
    },
    PasswordChanged,
    TooManyAttempts,
    AccountDeleted,
    /// `account` is the email address at the identity provider, or empty.
    IdentityLinked {
        account: String,
    },
    IdentityRemoved {
        account: String,
    },
    Order {
        kind: OrderEmailKind,
        summary: Box<OrderSummary>,
    },
    /// To a member of staff, about an order that has to be packed.
    Staff {
        kind: StaffEmailKind,
        code: String,
        total: String,
        link: String,
    },
    /// The rider met nobody; `time` is the next attempt.
    NotMet {
        code: String,
        reason: String,
        time: String,
        link: String,
    },
    /// A product is in stock again.
    BackInStock {
        product: String,
        link: String,
    },
    /// To those who buy the goods. `lines` has a product on each line, as `label: amount`; `more` is empty if all are named.
    LowStock {
        lines: String,
        products: String,
        more: String,
        link: String,
    },
    Complaint {
        kind: ComplaintEmailKind,
        summary: Box<ComplaintSummary>,
    },
    Packing {
        kind: PackingEmailKind,
        summary: Box<PackingSummary>,
    },
    /// Asks whether a subscription to the newsletter is meant.
    ConfirmNewsletter {
        link: String,
    },
    Newsletter {
        subject: String,
        /// Markdown.
        body: String,
        /// The page that ends the subscription.
        link: String,
        /// The URL that ends it with one request.
        one_click: String,
    },
    /// `device` describes the browser, or is empty.
    Security {
        kind: SecurityEmailKind,
        device: String,
    },
}

/// Security events that the owner of an account gets an email about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SecurityEmailKind {
    /// A shopper logged in with a browser that is new to the account.
    NewDevice,
    SellerNewDevice,
    /// The login was locked after too many wrong passwords.
    SellerLocked,
    /// The login was locked after a correct password and too many wrong codes.
    SellerCodesLocked,
    /// The password was reset on the command line.
    SellerPasswordReset,
    /// The seller changed the password in the dashboard.
    SellerPasswordChanged,
    /// The second step was turned on, renewed or turned off.
    SellerSecondStep,
}

/// Orders that the staff gets an email about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StaffEmailKind {
    NewOrder,
    /// Nobody has opened the order.
    OrderNotOpened,
}

/// What a side gets an email about, in the conversation about a complaint.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ComplaintEmailKind {
    OpenedForShop,
    OpenedForShopper,
    MessageForShop,
    MessageForShopper,
    Decided,
}

/// What the shopper gets an email about while an order is packed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PackingEmailKind {
    /// Something was packed differently from the order.
    Packed,
    /// The shopper is asked whether to pay more than agreed.
    Question,
}

/// What was packed, as text, for the templates.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct PackingSummary {
    /// The number of the order.
    pub order: String,
    /// What differs from the order, each on its own line.
    pub changes: String,
    pub ordered_total: String,
    pub total: String,
    /// What goes back to the wallet, if anything does.
    pub refund: Option<String>,
    /// Whether the rider collects the money.
    pub cash: bool,
    pub link: String,
}

/// A complaint as text, for the templates.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct ComplaintSummary {
    /// The number of the order.
    pub order: String,
    /// What the other side wrote.
    pub text: String,
    /// `open`, `accepted`, `partly` or `refused`.
    pub outcome: String,
    /// By when the shop decides.
    pub due: String,
    pub link: String,
}

/// Order events that the shopper gets an email about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum OrderEmailKind {
    Placed,
    Confirmed,
    Shipped,
    Delivered,
    Cancelled,
    /// The order was cancelled after it was paid.
    CancelledWithRefund,
    /// The order was placed by an account that has to confirm its email address first.
    AwaitingConfirmation,
    /// The order was cancelled because the email address was not confirmed in time.
    NotConfirmed,
}

/// The coupon of an order, and what it took off the prices of the items.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct CouponLine {
    pub code: String,
    pub discount: String,
}

/// An order as text, for the templates.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub struct OrderSummary {
    pub code: String,
    pub tracking: String,
    pub delivery_date: String,
    /// Each item is on its own line, as `label: amount`.
    pub items: String,
    #[serde(default)]
    pub coupon: Option<CouponLine>,
    /// An email that the version before has queued does not have it.
    #[serde(default)]
    pub subtotal: String,
    #[serde(default)]
    pub shipping_fee: String,
    /// Absent if the shop was not registered for VAT when the order was placed.
    pub tax: Option<String>,
    pub total: String,
    /// What is owed after packing, if the order is packed.
    #[serde(default)]
    pub due: Option<String>,
    /// The delivery address; absent while the email address is not confirmed, because the text is that of the person
    /// who placed the order.
    pub address: Option<String>,
    /// Whether the rider collects the money.
    pub cash: bool,
    /// Whether the order is already paid.
    pub paid: bool,
    /// The time of day by which the email address must be confirmed.
    pub confirm_by: Option<String>,
    pub link: String,
}
