//! Packing: what was really put into the bag, beside what was ordered. Owns the tables `order_packings`,
//! `order_adjustments`, `packed_weights` and `packing_proposals`, and the view `packed_lines`, from which orders, bills and reports learn
//! what is in the bag.
//!
//! `plan.rs` decides what a packed order costs and where its units go, without a database; `finish.rs` writes it in one
//! transaction. `proposal.rs` asks the shopper about a higher price. The lines of an order never change (decision 079).

mod finish;
mod http;
mod messages;
mod model;
pub mod plan;
mod proposal;
mod queries;
mod store;

pub use http::routes;
pub use messages::SendPackingMessage;

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::platform::ids::UserId;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// The name of the person whom a packer spoke to.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "packing", export, erase };

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move { Ok(json!(store::list_calls(connection, user).await?)) })
}

fn erase(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async move { store::erase_names(connection, user).await })
}
