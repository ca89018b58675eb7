//! All SQL of the invariants.

use sqlx::PgPool;

use crate::platform::db::allow_long_work;

#[derive(Debug)]
pub struct Violation {
    pub invariant: String,
    pub what: String,
    pub detail: String,
}

/// Enough to know what is wrong; a real fault may break thousands of rows.
const MOST: i64 = 100;

/// Reads everything, so it may take its time.
pub async fn violations(db: &PgPool) -> sqlx::Result<Vec<Violation>> {
    let mut tx = db.begin().await?;
    allow_long_work(&mut tx).await?;
    let found = sqlx::query_as!(
        Violation,
        r#"SELECT invariant AS "invariant!", what AS "what!", coalesce(detail, '') AS "detail!"
           FROM invariant_violations LIMIT $1"#,
        MOST,
    )
    .fetch_all(&mut *tx)
    .await?;
    tx.rollback().await?;
    Ok(found)
}
