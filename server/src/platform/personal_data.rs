//! Personal data is spread over several modules. Each of them says how its part is exported and erased; `app.rs` lists
//! them all, so that an export or an account deletion leaves none out.

use std::pin::Pin;

use serde_json::Value;
use sqlx::PgConnection;

use super::ids::UserId;

pub type DbFuture<'a, T> = Pin<Box<dyn Future<Output = sqlx::Result<T>> + Send + 'a>>;

/// The part of one module.
pub struct PersonalDataHook {
    /// Its name in the downloaded file.
    pub name: &'static str,
    pub export: for<'a> fn(&'a mut PgConnection, UserId) -> DbFuture<'a, Value>,
    pub erase: for<'a> fn(&'a mut PgConnection, UserId) -> DbFuture<'a, ()>,
}
