//! Bills: issued once for every order that is delivered, numbered without gaps, and never changed; corrections are credit
//! notes. Owns the tables `bills`, `bill_lines`, `bill_counters`, `bill_prints`, `bill_requests`, `credit_notes`,
//! `credit_note_lines` and `fiscal_years` (decisions 081 and 082).

mod amounts;
mod attachment;
mod credit;
mod document;
mod http;
mod issue;
mod lines;
mod model;
mod numbers;
mod order_bills;
mod pdf;
mod register;
mod requests;
mod store;
mod words;

pub use attachment::attach_bill;
pub use http::routes;
pub use issue::update_bill;

use serde_json::{Value, json};
use sqlx::PgConnection;

use crate::platform::ids::UserId;
use crate::platform::personal_data::{DbFuture, PersonalDataHook};

/// The most bills that an export of personal data contains.
const MAX_EXPORTED_BILLS: i64 = 10_000;

/// Exports a shopper's bills. They stay when the account is deleted, because the law asks for them for five years; what
/// the shopper wanted on bills that are not issued yet is deleted.
pub const PERSONAL_DATA: PersonalDataHook = PersonalDataHook { name: "bills", export, erase };

fn export(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, Value> {
    Box::pin(async move {
        let bills = store::list_bills_of_user(connection, user, MAX_EXPORTED_BILLS).await?;
        let requests = store::list_requests_of(connection, user).await?;
        let bills = bills.into_iter().map(|bill| {
            json!({
                "number": bill.number.to_string(),
                "kind": bill.kind.name(),
                "date": bill.issued_on,
                "order": bill.order_code,
                "buyerName": bill.buyer.name,
                "buyerAddress": bill.buyer.address,
                "buyerPhone": bill.buyer.phone,
                "buyerPan": bill.buyer.pan,
                "total": bill.amounts.total,
            })
        });
        let requests = requests.into_iter().map(|(order, request)| {
            json!({ "order": order, "buyerName": request.buyer_name, "buyerPan": request.buyer_pan })
        });
        Ok(json!({ "bills": bills.collect::<Vec<_>>(), "requests": requests.collect::<Vec<_>>() }))
    })
}

fn erase(connection: &mut PgConnection, user: UserId) -> DbFuture<'_, ()> {
    Box::pin(async move { store::delete_requests_of(connection, user).await })
}
