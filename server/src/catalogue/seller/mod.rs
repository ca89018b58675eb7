//! What sellers do with products and categories: listing, adding, changing and removing them.

pub mod add;
pub mod categories;
pub mod changes;
mod decimal;
pub mod edit;
pub mod pictures;
pub mod product_field;
pub mod product_input;
pub mod product_list;
pub mod stock_edit;
