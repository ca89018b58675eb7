//! Tests of what a shopper, a seller or an operator can see, through the real router and a real PostgreSQL.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::print_stdout,
    clippy::disallowed_methods,
    clippy::case_sensitive_file_extension_comparisons,
    reason = "a test may stop at the first surprise, print a figure, and look into any table"
)]

mod account_takeover;
mod accounts;
mod addresses;
mod alerts;
mod architecture;
mod billing;
mod cache;
mod cart;
mod cash;
mod catalogue;
#[cfg(debug_assertions)]
mod clocks;
mod complaints;
mod concurrency;
#[cfg(debug_assertions)]
mod coupons;
mod crash;
#[cfg(debug_assertions)]
mod crash_world;
mod database;
mod delivery;
mod doctor;
mod door_payments;
mod failover;
mod fees;
mod google;
mod import_pictures;
mod imports;
mod inventory;
mod jobs;
mod media;
mod metrics;
mod middleware;
mod newsletter;
mod notifications;
mod openapi;
mod oracle;
mod order_abuse;
mod orders;
mod packing;
mod packing_oracle;
mod payments;
mod permissions;
mod phone_codes;
mod policies;
mod replica;
mod riders;
mod sale_prices;
mod search;
mod seasons;
mod security_log;
mod seller_dashboard;
mod seller_products;
mod seller_security;
mod sellers;
mod serve;
mod site;
mod staff;
mod support;
mod telemetry;
mod wishlist;
