//! The SQL of the copies that were made of bills and credit notes.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use crate::billing::model::PrintedFor;

/// Counts another copy and returns its place; the first one is the original. An email that is sent again has the copy
/// that it had before.
pub async fn record_print(
    connection: &mut PgConnection,
    document: Uuid,
    reader: PrintedFor,
    now: DateTime<Utc>,
) -> sqlx::Result<i32> {
    sqlx::query!("SELECT pg_advisory_xact_lock(hashtextextended($1::text, 0))", document.to_string())
        .execute(&mut *connection)
        .await?;
    let (via, by, email) = match reader {
        PrintedFor::Shopper(user) => ("shopper", Some(user.0), None),
        PrintedFor::Seller(seller) => ("seller", Some(seller), None),
        PrintedFor::Email(email) => ("email", None, Some(email)),
    };
    let before = sqlx::query_scalar!(
        "SELECT ordinal FROM bill_prints WHERE document_id = $1 AND email_id = $2",
        document,
        email
    )
    .fetch_optional(&mut *connection)
    .await?;
    if let Some(ordinal) = before {
        return Ok(ordinal);
    }
    sqlx::query_scalar!(
        "INSERT INTO bill_prints (document_id, ordinal, printed_at, via, printed_by, email_id)
         SELECT $1, coalesce(max(ordinal), 0) + 1, $2, $3, $4, $5 FROM bill_prints WHERE document_id = $1
         RETURNING ordinal",
        document,
        now,
        via,
        by,
        email,
    )
    .fetch_one(connection)
    .await
}

/// Counts the copies of each of these documents.
pub async fn count_prints(connection: &mut PgConnection, documents: &[Uuid]) -> sqlx::Result<Vec<(Uuid, i64)>> {
    let rows = sqlx::query!(
        r#"SELECT document_id, count(*) AS "count!" FROM bill_prints WHERE document_id = ANY ($1) GROUP BY document_id"#,
        documents,
    );
    Ok(rows.fetch_all(connection).await?.into_iter().map(|row| (row.document_id, row.count)).collect())
}
