//! The values of query parameters.

use serde::Deserialize;

use crate::catalogue::model::{ImportRowKind, ProductSort, SellerProductSort};
use crate::catalogue::seller::product_list::StockFilter;

/// The order of a product list.
#[derive(Debug, Clone, Copy, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SortParameter {
    #[default]
    Featured,
    Newest,
    Name,
    PriceAsc,
    PriceDesc,
    Rating,
}

impl From<SortParameter> for ProductSort {
    fn from(sort: SortParameter) -> Self {
        match sort {
            SortParameter::Featured => Self::Featured,
            SortParameter::Newest => Self::Newest,
            SortParameter::Name => Self::Name,
            SortParameter::PriceAsc => Self::PriceAsc,
            SortParameter::PriceDesc => Self::PriceDesc,
            SortParameter::Rating => Self::Rating,
        }
    }
}

/// The order of the seller's product list.
#[derive(Debug, Clone, Copy, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum SellerSortParameter {
    #[default]
    Newest,
    Name,
    PriceAsc,
    PriceDesc,
    /// The lowest stock first; only with the filter `low` or `out`.
    Stock,
}

impl From<SellerSortParameter> for SellerProductSort {
    fn from(sort: SellerSortParameter) -> Self {
        match sort {
            SellerSortParameter::Newest => Self::Newest,
            SellerSortParameter::Name => Self::Name,
            SellerSortParameter::PriceAsc => Self::PriceAsc,
            SellerSortParameter::PriceDesc => Self::PriceDesc,
            SellerSortParameter::Stock => Self::Stock,
        }
    }
}

/// Selects products by their stock.
#[derive(Debug, Clone, Copy, Default, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum StockParameter {
    #[default]
    All,
    Low,
    Out,
}

impl From<StockParameter> for StockFilter {
    fn from(stock: StockParameter) -> Self {
        match stock {
            StockParameter::All => Self::All,
            StockParameter::Low => Self::Low,
            StockParameter::Out => Self::Out,
        }
    }
}

/// What a row would do.
#[derive(Debug, Clone, Copy, Deserialize, utoipa::ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RowKindParameter {
    Add,
    Update,
    Same,
    Error,
}

impl From<RowKindParameter> for ImportRowKind {
    fn from(kind: RowKindParameter) -> Self {
        match kind {
            RowKindParameter::Add => Self::Add,
            RowKindParameter::Update => Self::Update,
            RowKindParameter::Same => Self::Same,
            RowKindParameter::Error => Self::Error,
        }
    }
}
