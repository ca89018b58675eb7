//! The two kinds of accounts.

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AccountKind {
    Shopper,
    Seller,
}

impl AccountKind {
    pub const fn name(self) -> &'static str {
        match self {
            Self::Shopper => "shopper",
            Self::Seller => "seller",
        }
    }
}
