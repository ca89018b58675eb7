//! All SQL of bills.

mod bills;
mod credit_notes;
mod prints;
mod register;
mod requests;

pub use bills::{
    count_bills, find_bill, find_fiscal_year, find_standing_bill, insert_bill, list_bills_of_order, list_bills_of_user,
    list_lines, take_number,
};
pub use credit_notes::{
    find_credit_note, insert_credit_note, list_credit_lines, list_credit_notes, list_lines_of_note,
};
pub use prints::{count_prints, record_print};
pub use register::list_documents;
pub use requests::{delete_requests_of, find_request, list_requests_of, save_request};
