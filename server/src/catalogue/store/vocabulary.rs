//! The words of all products, which a search compares with what was typed.

use sqlx::{PgConnection, PgPool};

/// Finds words of the vocabulary that match `pattern`, and those that are most similar to `word`.
pub async fn find_similar_words(db: &PgPool, word: &str, pattern: &str) -> sqlx::Result<Vec<String>> {
    sqlx::query_scalar!(
        r#"SELECT word AS "word!" FROM (
               (SELECT word FROM search_vocabulary WHERE word LIKE $2 ORDER BY length(word), word LIMIT 40)
               UNION
               (SELECT word FROM search_vocabulary ORDER BY word <-> $1 LIMIT 40)) candidates"#,
        word,
        pattern,
    )
    .fetch_all(db)
    .await
}

/// Adds the words that the vocabulary does not have yet.
pub async fn add_search_words(conn: &mut PgConnection, words: &[String]) -> sqlx::Result<()> {
    sqlx::query!("INSERT INTO search_vocabulary (word) SELECT unnest($1::text[]) ON CONFLICT DO NOTHING", words)
        .execute(conn)
        .await?;
    Ok(())
}
