//! All SQL of goods in, waste and stock-taking, by subject.

mod counts;
mod receipts;
mod suppliers;
mod waste;

pub use counts::{
    find_count, find_entry, finish_count, insert_adjustments, insert_count, insert_entry, list_count_lines,
    list_counts, lock_count,
};
pub use receipts::{
    find_receipt, find_receipt_hash, insert_receipt, insert_receipt_lines, list_costed_lines, list_receipts,
    replace_averages, set_line_cost,
};
pub use suppliers::{find_supplier, list_suppliers, save_supplier};
pub use waste::{find_batch, find_waste, find_waste_hash, insert_waste, list_batches, list_waste};
