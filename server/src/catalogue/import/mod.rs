//! Importing products from a spreadsheet, and exporting them to one. One job checks the stored file and reports what each
//! row would do; another job applies the whole file in one transaction. A worker that dies leaves nothing half done, and
//! the job starts again.

mod apply;
mod archive;
mod audit;
mod barcodes;
mod check;
mod examine;
mod export;
mod jobs;
mod parse;
mod pictures;
mod progress;
mod requests;

pub use archive::MAX_ARCHIVE;
pub use export::export_products;
pub use jobs::{ApplyImport, CheckImport, ImportJob};
pub use requests::{
    SellerImport, cancel_import, create_import, delete_old_imports, find_import, list_import_pictures,
    list_import_rows, list_imports, request_apply,
};
