//! Imports and their rows.

use std::collections::HashMap;

use chrono::{DateTime, Utc};
use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::catalogue::model::{
    CellChange, CellError, CheckedRow, ImportRecord, ImportRow, ImportRowKind, ImportSnapshot, ImportState, NewImport,
    NewImportRow,
};
use crate::platform::ids::ProductId;
use crate::platform::messages::{Message, StoredMessage};

/// Selects everything about an import except the file itself.
macro_rules! select_imports {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            ImportRecord,
            "SELECT id, seller, file_name, state AS \"state: ImportState\", done, total,
                    COALESCE(problem, to_jsonb(NULLIF(message, ''))) AS \"problem: Json<StoredMessage>\", created_at, finished_at,
                    adds, updates, unchanged, errors,
                    (SELECT count(*) FROM import_pictures WHERE import_id = imports.id) AS \"pictures!\"
             FROM imports " + $rest,
            $($argument),+
        )
    };
}

pub async fn insert_import(connection: &mut PgConnection, new: &NewImport<'_>) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO imports (id, seller, file_name, file, file_hash, created_at) VALUES ($1, $2, $3, $4, $5, $6)",
        new.id,
        new.seller,
        new.file_name,
        new.file,
        new.file_hash,
        new.created_at,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn find_import(db: &PgPool, id: Uuid) -> sqlx::Result<Option<ImportRecord>> {
    select_imports!("WHERE id = $1", id).fetch_optional(db).await
}

pub async fn list_imports(db: &PgPool, limit: i64) -> sqlx::Result<Vec<ImportRecord>> {
    select_imports!("ORDER BY id DESC LIMIT $1", limit).fetch_all(db).await
}

pub async fn lock_import(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<ImportRecord>> {
    select_imports!("WHERE id = $1 FOR UPDATE", id).fetch_optional(connection).await
}

/// Returns the file of an import that is in this state.
pub async fn find_import_file(db: &PgPool, id: Uuid, state: ImportState) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!("SELECT file FROM imports WHERE id = $1 AND state = $2", id, state.name())
        .fetch_optional(db)
        .await
}

/// Moves an import from one state to another; a final one deletes the file. The content of its pictures is deleted in any
/// case: the check was the last to need it. Returns false when the import is no longer in the state `from`.
pub async fn set_import_state(
    connection: &mut PgConnection,
    id: Uuid,
    from: ImportState,
    to: ImportState,
    problem: Option<Message>,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let moved = sqlx::query_scalar!(
        "WITH moved AS (
             UPDATE imports SET state = $3, problem = $4, finished_at = $5,
                    done = CASE WHEN $3 = 'applying' THEN 0 ELSE done END,
                    file = CASE WHEN $5::timestamptz IS NULL THEN file ELSE '' END
             WHERE id = $1 AND state = $2 RETURNING id),
         emptied AS (
             UPDATE import_pictures SET content = NULL FROM moved WHERE import_id = moved.id AND content IS NOT NULL)
         SELECT id FROM moved",
        id,
        from.name(),
        to.name(),
        problem.map(Json) as _,
        to.is_final().then_some(now),
    )
    .fetch_optional(connection)
    .await?;
    Ok(moved.is_some())
}

/// Returns false when the import is no longer in this state, for example because the seller cancelled it.
pub async fn set_import_progress(
    db: &PgPool,
    id: Uuid,
    state: ImportState,
    done: i32,
    total: i32,
) -> sqlx::Result<bool> {
    let known = sqlx::query!(
        "UPDATE imports SET done = $3, total = $4 WHERE id = $1 AND state = $2",
        id,
        state.name(),
        done,
        total
    )
    .execute(db)
    .await?;
    Ok(known.rows_affected() == 1)
}

pub async fn insert_import_rows(
    connection: &mut PgConnection,
    import: Uuid,
    rows: &[NewImportRow],
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO import_rows (import_id, row, kind, slug, name, changes, errors, product_id, version_seen, stock_seen)
         SELECT $1, new.* FROM jsonb_to_recordset($2) new (
             row integer, kind text, slug text, name text, changes jsonb, errors jsonb, product_id uuid,
             version_seen timestamptz, stock_seen integer)",
        import,
        Json(rows) as _,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn replace_import_rows(
    connection: &mut PgConnection,
    import: Uuid,
    rows: &[NewImportRow],
) -> sqlx::Result<()> {
    let numbers: Vec<i32> = rows.iter().map(|row| row.row).collect();
    sqlx::query!("DELETE FROM import_rows WHERE import_id = $1 AND row = ANY($2)", import, &numbers)
        .execute(&mut *connection)
        .await?;
    insert_import_rows(connection, import, rows).await
}

pub async fn delete_import_rows(connection: &mut PgConnection, import: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM import_rows WHERE import_id = $1", import).execute(connection).await?;
    Ok(())
}

/// Returns whether another import with the same bytes was applied before.
pub async fn was_applied(db: &PgPool, import: Uuid) -> sqlx::Result<bool> {
    sqlx::query_scalar!(
        r#"SELECT EXISTS (SELECT FROM imports i JOIN imports earlier ON earlier.file_hash = i.file_hash
                          WHERE i.id = $1 AND earlier.id <> i.id AND earlier.state = 'applied') AS "was!""#,
        import,
    )
    .fetch_one(db)
    .await
}

/// Stores the number of rows of each kind, once all rows are stored.
pub async fn update_import_counts(connection: &mut PgConnection, import: Uuid) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE imports SET (adds, updates, unchanged, errors) = (
             SELECT count(*) FILTER (WHERE kind = 'add'), count(*) FILTER (WHERE kind = 'update'),
                    count(*) FILTER (WHERE kind = 'same'), count(*) FILTER (WHERE kind = 'error')
             FROM import_rows WHERE import_id = $1)
         WHERE id = $1",
        import,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns what the check found out, by row number.
pub async fn list_checked_rows(db: &PgPool, import: Uuid) -> sqlx::Result<HashMap<i32, CheckedRow>> {
    let rows = sqlx::query!(
        r#"SELECT row, kind AS "kind: ImportRowKind", product_id AS "product_id: ProductId", version_seen, stock_seen FROM import_rows WHERE import_id = $1"#,
        import,
    );
    let found = rows.fetch_all(db).await?.into_iter().map(|row| {
        let snapshot = match (row.product_id, row.version_seen, row.stock_seen) {
            (Some(product), Some(version), Some(stock)) => Some(ImportSnapshot { product, version, stock }),
            _ => None,
        };
        (row.row, CheckedRow { kind: row.kind, snapshot })
    });
    Ok(found.collect())
}

pub async fn list_import_rows(
    db: &PgPool,
    import: Uuid,
    kind: Option<ImportRowKind>,
    after: i32,
    limit: i64,
) -> sqlx::Result<Vec<ImportRow>> {
    match kind {
        None => {
            sqlx::query_as!(
                ImportRow,
                r#"SELECT row, slug, name, kind AS "kind: ImportRowKind", changes AS "changes: Json<Vec<CellChange>>",
                        errors AS "errors: Json<Vec<CellError>>" FROM import_rows
                 WHERE import_id = $1 AND row > $2 ORDER BY row LIMIT $3"#,
                import,
                after,
                limit,
            )
            .fetch_all(db)
            .await
        }
        Some(kind) => {
            sqlx::query_as!(
                ImportRow,
                r#"SELECT row, slug, name, kind AS "kind: ImportRowKind", changes AS "changes: Json<Vec<CellChange>>",
                        errors AS "errors: Json<Vec<CellError>>" FROM import_rows
                 WHERE import_id = $1 AND kind = $4 AND row > $2 ORDER BY row LIMIT $3"#,
                import,
                after,
                limit,
                kind.name(),
            )
            .fetch_all(db)
            .await
        }
    }
}

/// Deletes a few imports at a time, because each deletes its rows as well.
pub async fn delete_old_imports(db: &PgPool, before: DateTime<Utc>) -> sqlx::Result<u64> {
    let done = sqlx::query!(
        "DELETE FROM imports WHERE id IN (
             SELECT id FROM imports WHERE created_at < $1 ORDER BY id LIMIT 5)",
        before,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected())
}
