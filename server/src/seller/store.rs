//! All SQL of sellers.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::audit::{Deed, Noted};

pub struct Credentials {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub totp_secret: Option<String>,
}

/// Of a seller who may work; a disabled one is as good as none.
pub async fn credentials(db: &PgPool, email: &str) -> sqlx::Result<Option<Credentials>> {
    sqlx::query_as!(
        Credentials,
        "SELECT id, email, name, password_hash, totp_secret FROM sellers
         WHERE lower(email) = lower($1) AND disabled_at IS NULL",
        email,
    )
    .fetch_optional(db)
    .await
}

pub struct Profile {
    pub name: String,
    pub email: String,
}

pub async fn find(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(Profile, "SELECT name, email FROM sellers WHERE id = $1 AND disabled_at IS NULL", id)
        .fetch_optional(db)
        .await
}

/// The database's clock, which all copies share.
pub async fn now(connection: &mut PgConnection) -> sqlx::Result<DateTime<Utc>> {
    sqlx::query_scalar!(r#"SELECT now() AS "now!""#).fetch_one(connection).await
}

/// False when the code's time step was used before.
pub async fn use_step(connection: &mut PgConnection, id: Uuid, step: i64) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE sellers SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2", id, step)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// False when the address has a seller already.
pub async fn insert(db: &PgPool, id: Uuid, email: &str, name: &str, password_hash: &str) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO sellers (id, email, name, password_hash) VALUES ($1, $2, $3, $4)
         ON CONFLICT (lower(email)) DO NOTHING",
        id,
        email,
        name,
        password_hash,
    )
    .execute(db)
    .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn disable(connection: &mut PgConnection, email: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET disabled_at = now(), updated_at = now() WHERE lower(email) = lower($1) RETURNING id",
        email,
    )
    .fetch_optional(connection)
    .await
}

/// Sets a password; a disabled seller may work again.
pub async fn set_password(connection: &mut PgConnection, email: &str, hash: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET password_hash = $2, disabled_at = NULL, updated_at = now() WHERE lower(email) = lower($1)
         RETURNING id",
        email,
        hash,
    )
    .fetch_optional(connection)
    .await
}

pub async fn set_second_step(
    connection: &mut PgConnection,
    email: &str,
    secret: Option<&str>,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET totp_secret = $2, totp_last_step = 0, updated_at = now() WHERE lower(email) = lower($1)
         RETURNING id",
        email,
        secret,
    )
    .fetch_optional(connection)
    .await
}

pub async fn note(connection: &mut PgConnection, deeds: &[Deed<'_>]) -> sqlx::Result<()> {
    let column =
        |of: for<'a> fn(&Deed<'a>) -> &'a str| deeds.iter().map(|deed| of(deed).to_owned()).collect::<Vec<_>>();
    let sellers: Vec<Uuid> = deeds.iter().map(|deed| deed.seller).collect();
    sqlx::query!(
        "INSERT INTO audit_log (seller, action, object, about, before, after)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])",
        &sellers,
        &column(|deed| deed.action),
        &column(|deed| deed.object),
        &column(|deed| deed.about),
        &column(|deed| deed.before),
        &column(|deed| deed.after),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns that the desk shows, written once.
macro_rules! select_audit {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            Noted,
            r#"SELECT a.id::text AS "id!", a.at, coalesce(s.name, '') AS "seller!", a.action, a.object, a.about, a.before, a.after
               FROM audit_log a LEFT JOIN sellers s ON s.id = a.seller "# + $rest,
            $($argument),+
        )
    };
}

pub async fn audit(db: &PgPool, before: i64, limit: i64) -> sqlx::Result<Vec<Noted>> {
    select_audit!("WHERE a.id < $1 ORDER BY a.id DESC LIMIT $2", before, limit).fetch_all(db).await
}

/// Sellers whose name or address holds it.
pub async fn named_like(db: &PgPool, pattern: &str) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM sellers WHERE lower(name) LIKE $1 OR lower(email) LIKE $1", pattern)
        .fetch_all(db)
        .await
}

/// What holds the pattern, and what one of these sellers did. Each part reads an index of its own.
pub async fn search_audit(
    db: &PgPool,
    pattern: &str,
    sellers: &[Uuid],
    before: i64,
    limit: i64,
) -> sqlx::Result<Vec<Noted>> {
    select_audit!(
        "JOIN (
             (SELECT id FROM audit_log
              WHERE lower(action || ' ' || about || ' ' || object) LIKE $1 AND id < $3 ORDER BY id DESC LIMIT $4)
             UNION
             (SELECT own.id FROM unnest($2::uuid[]) who (id) CROSS JOIN LATERAL (
                  SELECT id FROM audit_log WHERE seller = who.id AND id < $3 ORDER BY id DESC LIMIT $4) own)
         ) found ON found.id = a.id
         ORDER BY a.id DESC LIMIT $4",
        pattern,
        sellers,
        before,
        limit
    )
    .fetch_all(db)
    .await
}

/// What people call these sellers.
pub async fn names(db: &PgPool, ids: &[Uuid]) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!("SELECT id, name FROM sellers WHERE id = ANY($1)", ids).fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}
