//! The errors of this module.

use crate::orders::OrderError;
use crate::orders::transition::TransitionError;
use crate::platform::api_error::ApiError;
use crate::platform::messages::message;
use crate::shop::ShopError;

#[derive(Debug, thiserror::Error)]
pub enum SettlementError {
    #[error("online payment unavailable")]
    OnlinePaymentUnavailable,
    #[error("payment not found")]
    PaymentNotFound,
    #[error("payment pending")]
    PaymentPending,
    #[error("payment not completed")]
    PaymentNotCompleted,
    #[error("payment conflict")]
    PaymentConflict,
    #[error("payment returned")]
    PaymentReturned,
    #[error("paid twice")]
    PaidTwice,
    #[error("wallet unavailable")]
    WalletUnavailable,
    #[error("not refundable")]
    NotRefundable,
    #[error("case not found")]
    CaseNotFound,
    #[error("bad cursor")]
    BadCursor,
    #[error(transparent)]
    Order(#[from] OrderError),
}

impl SettlementError {
    /// Returns whether the error was caused by lock contention, so that a retry may succeed.
    pub fn is_contention(&self) -> bool {
        matches!(self, Self::Order(error) if error.is_contention())
    }
}

impl From<sqlx::Error> for SettlementError {
    fn from(error: sqlx::Error) -> Self {
        Self::Order(error.into())
    }
}

impl From<TransitionError> for SettlementError {
    fn from(error: TransitionError) -> Self {
        Self::Order(error.into())
    }
}

impl From<ShopError> for SettlementError {
    fn from(error: ShopError) -> Self {
        Self::Order(error.into())
    }
}

impl From<SettlementError> for ApiError {
    fn from(error: SettlementError) -> Self {
        match error {
            SettlementError::OnlinePaymentUnavailable => {
                Self::unavailable("online_payment_unavailable", message!("api.orders.online_payment_unavailable"))
            }
            SettlementError::PaymentNotFound => {
                Self::not_found("payment_not_found", message!("api.payments.not_found"))
            }
            SettlementError::PaymentPending => Self::unavailable("payment_pending", message!("api.payments.pending")),
            SettlementError::PaymentNotCompleted => {
                Self::conflict("payment_not_completed", message!("api.payments.not_completed"))
            }
            SettlementError::PaymentConflict => Self::conflict("payment_conflict", message!("api.payments.conflict")),
            SettlementError::PaymentReturned => Self::conflict("payment_returned", message!("api.payments.returned")),
            SettlementError::PaidTwice => Self::conflict("payment_returned", message!("api.payments.paid_twice")),
            SettlementError::WalletUnavailable => {
                Self::unavailable("wallet_unavailable", message!("api.payments.wallet_unavailable"))
            }
            SettlementError::NotRefundable => Self::conflict("not_refundable", message!("api.orders.not_refundable")),
            SettlementError::CaseNotFound => Self::not_found("case_not_found", message!("api.orders.case_not_found")),
            SettlementError::BadCursor => Self::invalid("cursor_invalid", message!("api.cursor_invalid")),
            SettlementError::Order(error) => error.into(),
        }
    }
}
