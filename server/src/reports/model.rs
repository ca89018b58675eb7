//! The rows and figures of reports, and the errors of this module.

use std::ops::RangeInclusive;

use chrono::{DateTime, NaiveDate, NaiveTime, Utc};

use crate::cash::RiderCashDay;
use crate::platform::api_error::ApiError;
use crate::platform::ids::{OrderId, PaymentId, ProductId};
use crate::platform::messages::message;
use crate::platform::money::Paisa;

/// The years that a report can be about; a request can name years that the database's calendar does not have.
pub const YEARS: RangeInclusive<i32> = 2000..=2200;

#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    #[error("days invalid")]
    DaysInvalid,
    #[error("days of the margin report invalid")]
    MarginDaysInvalid,
    #[error("date invalid")]
    DateInvalid,
    #[error("period invalid")]
    PeriodInvalid,
    #[error("status invalid")]
    StatusInvalid,
    #[error("reports database")]
    Db(#[from] sqlx::Error),
}

impl From<ReportError> for ApiError {
    fn from(error: ReportError) -> Self {
        match error {
            ReportError::DaysInvalid => Self::invalid("days_invalid", message!("api.orders.days_invalid")),
            ReportError::MarginDaysInvalid => Self::invalid("days_invalid", message!("api.orders.margin_days_invalid")),
            ReportError::PeriodInvalid => Self::invalid("days_invalid", message!("api.orders.period_invalid")),
            ReportError::DateInvalid => Self::invalid("date_invalid", message!("api.orders.date_invalid")),
            ReportError::StatusInvalid => Self::invalid("status_invalid", message!("api.orders.status_invalid")),
            ReportError::Db(cause) => Self::database(&cause),
        }
    }
}

/// The money that is still due for the orders of a day, and the cash that was collected for them.
pub struct DailyReceivables {
    pub day: NaiveDate,
    pub awaiting: Paisa,
    pub to_collect: Paisa,
    pub collected: Paisa,
}

pub struct DailySales {
    pub day: NaiveDate,
    pub orders: i64,
    pub revenue: Paisa,
    pub to_collect: Paisa,
    pub paid_online: Paisa,
    pub cancelled: i64,
}

pub struct HourlySales {
    pub hour: i32,
    pub orders: i64,
}

pub struct ProductSales {
    pub product_id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub picture_key: Option<String>,
    pub quantity: i64,
    pub revenue: Paisa,
}

/// An order that is still to be delivered.
#[derive(Debug)]
pub struct DeliveryRow {
    pub id: OrderId,
    pub code: String,
    pub recipient: String,
    pub phone: String,
    pub address: String,
    pub municipality: String,
    pub ward: String,
    pub landmark: String,
    pub status: String,
    pub method: String,
    pub delivery_date: NaiveDate,
    /// The hours of the delivery window, if the order has one.
    pub delivery_starts: Option<NaiveTime>,
    pub delivery_ends: Option<NaiveTime>,
    pub note_rider: String,
    /// The cash that the rider must collect.
    pub cash: Paisa,
    /// The number of units in the order.
    pub items: i64,
}

/// What was sold of a product on a day.
#[derive(Debug, Clone)]
pub struct ProductDaySales {
    pub day: NaiveDate,
    pub product_id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub quantity: i64,
    pub revenue: Paisa,
    /// The units whose cost is not known, and what they were sold for.
    pub quantity_without_cost: i64,
    pub revenue_without_cost: Paisa,
    /// What the other units cost.
    pub cost: Paisa,
}

/// Revenue without VAT and the cost of what was sold. A sale whose cost is unknown is in neither `cost` nor `margin`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct MarginSums {
    pub quantity: i64,
    pub revenue: Paisa,
    pub cost: Paisa,
    pub quantity_without_cost: i64,
    pub revenue_without_cost: Paisa,
}

impl MarginSums {
    pub const fn of(sold: &ProductDaySales) -> Self {
        Self {
            quantity: sold.quantity,
            revenue: sold.revenue,
            cost: sold.cost,
            quantity_without_cost: sold.quantity_without_cost,
            revenue_without_cost: sold.revenue_without_cost,
        }
    }

    /// The revenue of the sales whose cost is known, less that cost; `None` if no cost is known. It may be negative.
    pub const fn margin(self) -> Option<i64> {
        if self.quantity == self.quantity_without_cost {
            return None;
        }
        Some(self.revenue.0 - self.revenue_without_cost.0 - self.cost.0)
    }

    /// The margin in hundredths of a per cent of that revenue.
    pub fn margin_rate(self) -> Option<i64> {
        let known = self.revenue.0 - self.revenue_without_cost.0;
        self.margin().filter(|_| known > 0).map(|margin| margin * 10_000 / known)
    }
}

impl std::ops::AddAssign for MarginSums {
    fn add_assign(&mut self, other: Self) {
        self.quantity += other.quantity;
        self.revenue = self.revenue + other.revenue;
        self.cost = self.cost + other.cost;
        self.quantity_without_cost += other.quantity_without_cost;
        self.revenue_without_cost = self.revenue_without_cost + other.revenue_without_cost;
    }
}

#[derive(Debug)]
pub struct MarginDay {
    pub date: NaiveDate,
    pub sums: MarginSums,
}

#[derive(Debug)]
pub struct MarginProduct {
    pub product_id: ProductId,
    pub name: String,
    pub name_ne: Option<String>,
    pub sums: MarginSums,
}

#[derive(Debug)]
pub struct MarginReport {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub total: MarginSums,
    pub days: Vec<MarginDay>,
    /// Those with the highest revenue first.
    pub products: Vec<MarginProduct>,
    /// Every product on every day, for the file.
    pub sold: Vec<ProductDaySales>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct MoneyTotals {
    /// Received through the wallet on that day.
    pub paid: Paisa,
    /// Refunded through the wallet on that day.
    pub refunded: Paisa,
    /// Not paid yet, for online orders placed on that day.
    pub awaiting: Paisa,
    pub cash_to_collect: Paisa,
    pub cash_collected: Paisa,
}

impl MoneyTotals {
    pub fn columns(self) -> [Paisa; 5] {
        [self.paid, self.refunded, self.awaiting, self.cash_to_collect, self.cash_collected]
    }
}

#[derive(Debug)]
pub struct MoneyReportDay {
    pub date: NaiveDate,
    pub sums: MoneyTotals,
}

#[derive(Debug)]
pub struct MoneyReport {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub days: Vec<MoneyReportDay>,
    pub total: MoneyTotals,
    /// The cash of the riders by day, and of the till where there was no rider.
    pub riders: Vec<RiderCashLine>,
    /// Differences of all days, newest first, at most 200.
    pub differences: Vec<Discrepancy>,
}

/// The cash of a rider on a day.
#[derive(Debug)]
pub struct RiderCashLine {
    pub cash: RiderCashDay,
    /// Empty for the till.
    pub rider: String,
}

/// A payment for which our record and the latest status at the wallet differ.
#[derive(Debug)]
pub struct Discrepancy {
    pub order: OrderId,
    pub code: String,
    pub payment: PaymentId,
    /// The state of the payment, or of its refund until that is confirmed.
    pub ours: &'static str,
    pub wallet: String,
    pub amount: Paisa,
    pub received: Option<Paisa>,
    pub since: DateTime<Utc>,
}

#[derive(Debug)]
pub struct Overview {
    pub from: NaiveDate,
    pub to: NaiveDate,
    pub made_at: DateTime<Utc>,
    pub figures: OverviewFigures,
    /// Every day of the period, including days without orders.
    pub days: Vec<OverviewDay>,
    /// The hours of today, only for a period of one day.
    pub hours: Vec<OverviewHour>,
}

#[derive(Debug, Clone, Copy, Default)]
pub struct OverviewFigures {
    /// The number of orders, without cancelled and unpaid online orders.
    pub orders: i64,
    pub revenue: Paisa,
    pub average_basket: Paisa,
    pub cash_to_collect: Paisa,
    pub paid_online: Paisa,
    pub cancelled: i64,
}

/// The orders of an hour of today, and those of the same hour a week ago.
#[derive(Debug, Clone, Copy)]
pub struct OverviewHour {
    pub hour: i32,
    pub orders: i64,
    pub orders_last_week: i64,
}

#[derive(Debug)]
pub struct OverviewDay {
    pub date: NaiveDate,
    pub orders: i64,
    pub revenue: Paisa,
}

/// The orders to deliver on a day.
#[derive(Debug)]
pub struct DeliverySheet {
    pub date: NaiveDate,
    pub stops: Vec<DeliveryArea>,
    pub orders: usize,
    pub cash: Paisa,
    /// True when there are more orders than fit on the sheet.
    pub capped: bool,
}

/// The orders for one ward.
#[derive(Debug)]
pub struct DeliveryArea {
    pub municipality: String,
    pub ward: String,
    pub orders: Vec<DeliveryRow>,
    pub cash: Paisa,
}
