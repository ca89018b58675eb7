//! All SQL of the catalogue, by subject.

mod bulk_load;
mod categories;
mod import_pictures;
mod imports;
mod listing;
mod products;
mod sale_prices;
mod search;
mod select;
mod stock;
mod vocabulary;

pub use bulk_load::{copy_products, insert_initial_movements};
pub use categories::{
    count_products, count_products_in_category, delete_category, ensure_category, insert_category, list_categories,
    lock_categories, lock_category, update_category,
};
pub use import_pictures::{
    find_picture_content, insert_import_picture, list_import_pictures, mark_used_pictures, set_picture_outcome,
};
pub use imports::{
    delete_import_rows, delete_old_imports, find_import, find_import_file, insert_import, insert_import_rows,
    list_checked_rows, list_import_rows, list_imports, lock_import, replace_import_rows, set_import_progress,
    set_import_state, update_import_counts, was_applied,
};
pub use listing::{
    count_filtered_products, find_last_position, list_filtered_products, list_products, list_products_after,
    list_sitemap_products,
};
pub use products::{
    archive_product, find_barcode_owners, find_product, find_products, find_products_by_slugs, insert_products,
    pictures_in_use, update_products,
};
pub use sale_prices::{
    end_due_sales, end_sale, end_sales_of_product, find_due_products, find_sale_product, has_overlapping_sale,
    insert_sale, list_sales, restore_regular_price, start_due_sale,
};
pub use search::{
    count_name_matches, count_name_matches_outside, find_by_name, find_products_by_words, list_name_matches,
    scan_name_matches,
};
pub use stock::{
    adjust_stock, check_stock, count_by_stock_level, count_low_stock, find_offers, find_places, find_similar,
    list_low_stock, list_lowest_stock, lock_products, lock_stock, move_stock, release_stock, return_units,
    sum_units_of_orders, take_stock, write_off_units,
};
pub use vocabulary::{add_search_words, find_similar_words};
