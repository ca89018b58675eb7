//! A subscriber as it is stored and as the seller sees it.

use chrono::{DateTime, Utc};
use serde::Serialize;
use uuid::Uuid;

#[derive(Debug, Serialize, utoipa::ToSchema)]
#[serde(rename_all = "camelCase")]
#[schema(as = Subscriber)]
pub struct Subscriber {
    #[serde(rename = "_id")]
    pub id: Uuid,
    pub email: String,
    pub language: String,
    pub created_at: DateTime<Utc>,
}
