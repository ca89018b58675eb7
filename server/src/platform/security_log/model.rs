//! The rows of the logs, and what a log must offer to be chained.

use std::time::Duration;

use serde::Serialize;
use serde_json::Value;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

/// A row of a log in the form in which it is hashed.
pub struct ChainedRow {
    pub(super) id: i64,
    pub(super) canonical: Vec<u8>,
}

impl ChainedRow {
    /// `columns` must be all columns of the row, in an order that never changes.
    pub fn new(id: i64, columns: &impl Serialize) -> Self {
        // The columns are texts and numbers, which always serialize.
        Self { id, canonical: serde_json::to_vec(columns).unwrap_or_default() }
    }
}

/// A log whose rows are chained; the module that owns the table implements it.
pub trait ChainedLog {
    const NAME: &'static str;

    fn unsealed(
        connection: &mut PgConnection,
        above: i64,
        limit: i64,
    ) -> impl Future<Output = sqlx::Result<Vec<ChainedRow>>> + Send;

    fn rows(db: &PgPool, ids: &[i64]) -> impl Future<Output = sqlx::Result<Vec<ChainedRow>>> + Send;

    /// The first unsealed row that is older than `age`.
    fn overdue(db: &PgPool, age: Duration) -> impl Future<Output = sqlx::Result<Option<i64>>> + Send;
}

pub struct NewSecurityEvent<'a> {
    pub kind: &'a str,
    pub actor_kind: &'a str,
    pub actor_id: Option<Uuid>,
    pub subject: &'a str,
    pub ip: String,
    pub device: String,
    pub request: String,
    pub details: &'a Value,
}

pub struct Seal {
    pub seq: i64,
    pub row_id: i64,
    pub h: Vec<u8>,
}
