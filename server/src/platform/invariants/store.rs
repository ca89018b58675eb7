//! All SQL of the invariants.

use sqlx::PgPool;

use crate::platform::db::disable_timeouts;

#[derive(Debug)]
pub struct Violation {
    pub invariant: String,
    pub what: String,
    pub detail: String,
}

/// Enough to see what is wrong; a serious fault may break thousands of rows.
const MAX_VIOLATIONS: i64 = 100;

/// Reads all tables, so it runs without time limits.
pub async fn find_violations(db: &PgPool) -> sqlx::Result<Vec<Violation>> {
    let mut tx = db.begin().await?;
    disable_timeouts(&mut tx).await?;
    let found = sqlx::query_as!(
        Violation,
        r#"SELECT invariant AS "invariant!", what AS "what!", coalesce(detail, '') AS "detail!"
           FROM invariant_violations LIMIT $1"#,
        MAX_VIOLATIONS,
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.rollback().await?;
    Ok(found)
}
