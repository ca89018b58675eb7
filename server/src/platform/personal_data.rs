//! What the shop knows about a person is spread over rooms. Each room that keeps some of it says how it is read and how
//! it is forgotten; `app.rs` names them all, so that a download or a farewell leaves none out.

use std::pin::Pin;

use serde_json::Value;
use sqlx::PgConnection;
use uuid::Uuid;

pub type DbFuture<'a, T> = Pin<Box<dyn Future<Output = sqlx::Result<T>> + Send + 'a>>;

/// One room's share.
pub struct PersonalDataHook {
    /// Its name in the downloaded file.
    pub name: &'static str,
    pub export: for<'a> fn(&'a mut PgConnection, Uuid) -> DbFuture<'a, Value>,
    pub erase: for<'a> fn(&'a mut PgConnection, Uuid) -> DbFuture<'a, ()>,
}
