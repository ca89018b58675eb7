//! The pictures of imports.

use sqlx::types::Json;
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use crate::catalogue::model::{ImportPicture, NewImportPicture};
use crate::platform::messages::{Message, StoredMessage};

pub async fn insert_import_picture(
    connection: &mut PgConnection,
    import: Uuid,
    new: NewImportPicture<'_>,
) -> sqlx::Result<()> {
    let (content, problem) = match new.content {
        Ok(content) => (Some(content), None),
        Err(problem) => (None, Some(Json(problem))),
    };
    sqlx::query!(
        "INSERT INTO import_pictures (import_id, name_key, file_name, content, problem) VALUES ($1, $2, $3, $4, $5)",
        import,
        new.name_key,
        new.file_name,
        content,
        problem as _,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Lists the pictures without their content.
pub async fn list_import_pictures(db: &PgPool, import: Uuid) -> sqlx::Result<Vec<ImportPicture>> {
    sqlx::query_as!(
        ImportPicture,
        r#"SELECT name_key, file_name, is_used, picture_key, problem AS "problem: Json<StoredMessage>"
           FROM import_pictures WHERE import_id = $1 ORDER BY name_key"#,
        import,
    )
    .fetch_all(db)
    .await
}

/// Returns the content of a picture that has not been stored yet.
pub async fn find_picture_content(db: &PgPool, import: Uuid, name: &str) -> sqlx::Result<Option<Vec<u8>>> {
    sqlx::query_scalar!(
        r#"SELECT content AS "content!" FROM import_pictures
           WHERE import_id = $1 AND name_key = $2 AND content IS NOT NULL"#,
        import,
        name,
    )
    .fetch_optional(db)
    .await
}

/// Notes which pictures the rows name.
pub async fn mark_used_pictures(db: &PgPool, import: Uuid, used: &[String]) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE import_pictures SET is_used = true WHERE import_id = $1 AND name_key = ANY($2) AND NOT is_used",
        import,
        used,
    )
    .execute(db)
    .await?;
    Ok(())
}

/// Stores the key of a picture, or why it cannot be used, and deletes its content.
pub async fn set_picture_outcome(
    db: &PgPool,
    import: Uuid,
    name: &str,
    outcome: Result<String, Message>,
) -> sqlx::Result<()> {
    let (key, problem) = match outcome {
        Ok(key) => (Some(key), None),
        Err(problem) => (None, Some(Json(problem))),
    };
    sqlx::query!(
        "UPDATE import_pictures SET picture_key = $3, problem = $4, content = NULL WHERE import_id = $1 AND name_key = $2",
        import,
        name,
        key,
        problem as _,
    )
    .execute(db)
    .await?;
    Ok(())
}
