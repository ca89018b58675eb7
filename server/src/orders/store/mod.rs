//! All SQL of orders.

mod cases;
mod cash;
mod changes;
mod door_returns;
mod events;
mod opened;
mod packing;
mod placement;
mod queries;
mod riders;
mod sales;

pub use cases::{close_case, close_cases, count_open_cases, list_cases, list_open_cases, open_case, open_case_once};
pub use cash::{collect_cash, pay_cash_order_online, reverse_cash};
pub use changes::{
    add_event, add_internal_event, anonymize, count_other_holds, extend_hold, find_expired_holds, find_long_unpaid,
    find_unconfirmed, find_units, lock, set_delivery_date, set_delivery_place, set_delivery_slot, set_state,
};
pub use door_returns::{list_returned, record_return};
pub use events::{last_settled_event, list_events_since};
pub use opened::{count_not_opened, find_for_alert, list_not_opened, mark_opened};
pub use packing::{find_terms, set_amount_due};
pub use placement::{
    count_open_cash_by_phone, delete_expired_keys, find_same_unpaid, insert_order, load_snapshot, lock_buyer, replay,
    store_response, wait_for_concurrent_placement,
};
pub use queries::{
    count_by_status, find, list_all, list_bought_products, list_by_rider, list_by_status, list_by_user, list_items,
    list_not_dispatched, list_packed_items, list_popular_products, list_timeline, list_to_pack, pictures_in_use,
    search_all,
};
pub use riders::{AssignedOrder, find_rider, list_riders, lock_riders, set_rider};
pub use sales::{find_delivery_fee, find_rates, list_sold_lines};
