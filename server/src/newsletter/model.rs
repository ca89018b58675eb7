//! A subscriber as it is stored.

use chrono::{DateTime, Utc};
use uuid::Uuid;

pub struct Subscriber {
    pub id: Uuid,
    pub email: String,
    pub language: String,
    pub created_at: DateTime<Utc>,
}
