//! All SQL of the newsletter module.

mod newsletters;
mod subscribers;

pub use newsletters::{
    NewNewsletter, cancel_waiting, claim_next, delete_draft, fail_interrupted, find, find_promise, finish,
    insert_draft, list_newsletters, lock_newsletters, mark_sent, queue_sends, release, set_state, update_draft,
};
pub use subscribers::{
    confirm, count, count_confirmed, count_unasked, delete_unconfirmed, enqueue_confirmation, find_mailing, insert,
    list, list_unasked, mark_asked, mark_asked_again, search, unsubscribe,
};
