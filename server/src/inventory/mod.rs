//! Goods in, waste and stock-taking, with what the goods cost. Every change of stock goes through the ledger of
//! `catalogue`, and its line names the row (decision 085). Owns the tables `suppliers`, `goods_receipts`,
//! `goods_receipt_lines`, `product_costs`, `waste_records`, `stock_counts`, `stock_count_entries` and
//! `stock_count_adjustments`.

mod batches;
mod costs;
mod count;
mod error;
mod http;
mod listing;
mod low_stock;
mod model;
mod receive;
mod store;
mod suppliers;
mod waste;

pub use http::routes;
pub use low_stock::SendLowStockEmail;
