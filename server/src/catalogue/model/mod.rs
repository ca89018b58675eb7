//! The types of the catalogue: rows of the database, filters, and the rules that depend on nothing else.

mod barcode;
mod category;
mod import;
mod product;
mod sale_price;
mod search;
mod sort;
mod stock;

pub use barcode::is_valid_barcode;
pub use category::{Category, NewCategory};
pub use import::{
    CellChange, CellError, CheckedRow, ImportPicture, ImportRecord, ImportRow, ImportRowKind, ImportSnapshot,
    ImportState, NewImport, NewImportPicture, NewImportRow,
};
pub use product::{
    CopiedProduct, NewProduct, Offer, Pack, Product, ProductDetails, ProductPlace, SitemapProduct, TaxClass, make_slug,
};
pub use sale_price::{NewSalePrice, SalePrice, SaleState};
pub use search::{NameMatches, NameQuery, OfferFilter, similarity};
pub use sort::{Cursor, CursorKey, ProductSort, SellerProductSort};
pub use stock::{
    LowStockCounts, LowStockCursor, LowStockFilter, LowStockProduct, LowStockRow, StockLevel, StockReason,
};
