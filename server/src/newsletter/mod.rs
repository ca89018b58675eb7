//! The newsletter: subscriptions with double opt-in, and newsletters that are written in the dashboard and sent in
//! batches (decision 076). Owns the tables `subscribers`, which is independent of shoppers' accounts, `newsletters` and
//! `newsletter_sends`.

mod compose;
mod http;
mod model;
mod send;
mod store;
mod subscribe;
mod subscribers;

pub use http::routes;
pub use model::NewsletterError;
pub use send::SendBatch;
pub use subscribe::{SendConfirmation, delete_unconfirmed, subscribe};
