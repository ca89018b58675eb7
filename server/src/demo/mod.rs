//! The demo shop: the project's own catalogue file with its pictures, and a large catalogue made from it for load
//! tests.

mod catalogue_file;
mod large;
mod load;

pub use large::load_large_demo;
pub use load::load_demo;
