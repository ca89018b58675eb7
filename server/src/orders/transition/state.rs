//! The state of an order: its status, its payment and its stock.

/// The six statuses of the seller's selector.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum OrderStatus {
    Placed,
    Confirmed,
    Shipped,
    OutForDelivery,
    Delivered,
    Cancelled,
}

impl OrderStatus {
    pub const ALL: [Self; 6] =
        [Self::Placed, Self::Confirmed, Self::Shipped, Self::OutForDelivery, Self::Delivered, Self::Cancelled];

    /// The name in the contract and in the database.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Placed => "Order Placed",
            Self::Confirmed => "Order Confirmed",
            Self::Shipped => "Order Shipped",
            Self::OutForDelivery => "Out for Delivery",
            Self::Delivered => "Delivered",
            Self::Cancelled => "Cancelled",
        }
    }

    /// The name that a seller who works in Nepali sees on the screen and types into the search.
    pub const fn nepali(self) -> &'static str {
        match self {
            Self::Placed => "अर्डर भयो",
            Self::Confirmed => "अर्डर पक्का भयो",
            Self::Shipped => "सामान पठाइयो",
            Self::OutForDelivery => "डेलिभरीमा निस्कियो",
            Self::Delivered => "पुर्‍याइयो",
            Self::Cancelled => "रद्द भयो",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.name() == name)
    }

    /// Returns whether the goods have left the shop.
    pub const fn is_dispatched(self) -> bool {
        matches!(self, Self::Shipped | Self::OutForDelivery | Self::Delivered)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Method {
    Cod,
    Online,
}

impl Method {
    /// The name in the contract and in the database; Khalti is the only wallet.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Cod => "COD",
            Self::Online => "Khalti",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Cod, Self::Online].into_iter().find(|method| method.name() == name)
    }
}

/// The state of the payment.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum FinancialStatus {
    CodDue,
    CodCollected,
    CodVoid,
    Awaiting,
    Paid,
    Failed,
    /// The wallet reports another amount, or a transaction that paid something else.
    Conflict,
    RefundDue,
    Refunded,
}

impl FinancialStatus {
    pub const ALL: [Self; 9] = [
        Self::CodDue,
        Self::CodCollected,
        Self::CodVoid,
        Self::Awaiting,
        Self::Paid,
        Self::Failed,
        Self::Conflict,
        Self::RefundDue,
        Self::Refunded,
    ];

    pub const fn name(self) -> &'static str {
        match self {
            Self::CodDue => "cod_due",
            Self::CodCollected => "cod_collected",
            Self::CodVoid => "cod_void",
            Self::Awaiting => "awaiting",
            Self::Paid => "paid",
            Self::Failed => "failed",
            Self::Conflict => "conflict",
            Self::RefundDue => "refund_due",
            Self::Refunded => "refunded",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|payment| payment.name() == name)
    }

    /// Returns whether this status can occur with a payment method.
    pub const fn fits(self, method: Method) -> bool {
        matches!(self, Self::CodDue | Self::CodCollected | Self::CodVoid) == matches!(method, Method::Cod)
    }
}

/// The state of the order's units.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Stock {
    /// Taken from stock until the payment is settled.
    Held,
    Taken,
    /// Returned to stock.
    Returned,
    /// Needed again, but out of stock.
    Short,
}

impl Stock {
    pub const ALL: [Self; 4] = [Self::Held, Self::Taken, Self::Returned, Self::Short];

    pub const fn name(self) -> &'static str {
        match self {
            Self::Held => "held",
            Self::Taken => "taken",
            Self::Returned => "returned",
            Self::Short => "short",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|stock| stock.name() == name)
    }

    /// Returns whether the order has units that were taken from stock.
    pub const fn owns_units(self) -> bool {
        matches!(self, Self::Held | Self::Taken)
    }
}

/// The refund of the attempt that paid the order.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Refund {
    None,
    /// Recorded but not yet sent to the wallet, so it can be withdrawn.
    Requested,
    Sent,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct State {
    pub status: OrderStatus,
    pub method: Method,
    pub payment: FinancialStatus,
    pub stock: Stock,
    pub dispatched: bool,
    pub refund: Refund,
}

impl State {
    /// The state of a new order: a cash order takes its stock at once, an online order holds it until it is paid.
    pub const fn placed(method: Method) -> Self {
        let (payment, stock) = match method {
            Method::Cod => (FinancialStatus::CodDue, Stock::Taken),
            Method::Online => (FinancialStatus::Awaiting, Stock::Held),
        };
        Self { status: OrderStatus::Placed, method, payment, stock, dispatched: false, refund: Refund::None }
    }
    /// Returns whether the goods can be packed: they are ours to pack, nobody has sent them, and the money is either
    /// here or comes in cash.
    pub const fn is_packable(self) -> bool {
        matches!(self.status, OrderStatus::Placed | OrderStatus::Confirmed)
            && matches!(self.payment, FinancialStatus::CodDue | FinancialStatus::Paid)
            && matches!(self.stock, Stock::Taken)
            && !self.dispatched
    }
}
