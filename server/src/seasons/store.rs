//! All SQL of seasons.

use chrono::{DateTime, NaiveDate, Utc};
use sqlx::PgConnection;
use uuid::Uuid;

use super::model::{Season, SeasonTerms, SeasonTexts, Theme};

struct SeasonRow {
    id: Uuid,
    theme: Theme,
    starts_on: NaiveDate,
    ends_on: NaiveDate,
    title: String,
    title_ne: String,
    text: String,
    text_ne: String,
    version: i32,
}

impl From<SeasonRow> for Season {
    fn from(row: SeasonRow) -> Self {
        Self {
            id: row.id,
            theme: row.theme,
            starts_on: row.starts_on,
            ends_on: row.ends_on,
            texts: SeasonTexts { title: row.title, title_ne: row.title_ne, text: row.text, text_ne: row.text_ne },
            version: row.version,
        }
    }
}

/// Lists the seasons that have not ended before this day, the latest first.
pub async fn list(connection: &mut PgConnection, since: NaiveDate) -> sqlx::Result<Vec<Season>> {
    let rows = sqlx::query_as!(
        SeasonRow,
        r#"SELECT id, theme AS "theme: Theme", starts_on, ends_on, title, title_ne, text, text_ne, version
           FROM seasons WHERE ends_on >= $1 ORDER BY starts_on DESC, id DESC"#,
        since,
    )
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(Season::from).collect())
}

/// Finds a season and locks it until the transaction ends.
pub async fn lock(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Season>> {
    let row = sqlx::query_as!(
        SeasonRow,
        r#"SELECT id, theme AS "theme: Theme", starts_on, ends_on, title, title_ne, text, text_ne, version
           FROM seasons WHERE id = $1 FOR UPDATE"#,
        id,
    )
    .fetch_optional(connection)
    .await?;
    Ok(row.map(Season::from))
}

pub async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    terms: &SeasonTerms,
    seller: Uuid,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "INSERT INTO seasons (id, theme, starts_on, ends_on, title, title_ne, text, text_ne, version, created_by,
                              created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, 1, $9, $10, $10)",
        id,
        terms.theme.name(),
        terms.starts_on,
        terms.ends_on,
        terms.texts.title,
        terms.texts.title_ne,
        terms.texts.text,
        terms.texts.text_ne,
        seller,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn update(
    connection: &mut PgConnection,
    id: Uuid,
    terms: &SeasonTerms,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE seasons
         SET theme = $2, starts_on = $3, ends_on = $4, title = $5, title_ne = $6, text = $7, text_ne = $8,
             version = version + 1, updated_at = $9
         WHERE id = $1",
        id,
        terms.theme.name(),
        terms.starts_on,
        terms.ends_on,
        terms.texts.title,
        terms.texts.title_ne,
        terms.texts.text,
        terms.texts.text_ne,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM seasons WHERE id = $1", id).execute(connection).await?;
    Ok(())
}
