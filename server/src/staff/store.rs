//! All SQL of the seller module.

use std::time::Duration;

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgPool};
use uuid::Uuid;

use super::model::{AuditEntry, NewAuditEntry};
use crate::notifications::Recipient;
use crate::platform::db::interval;
use crate::platform::language::Language;
use crate::platform::security_log::{ChainedLog, ChainedRow};

pub struct SellerCredentials {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub totp_secret: Option<String>,
    /// The command line generated the password, which must be changed within a day.
    pub is_temporary_password: bool,
    pub is_expired: bool,
}

impl SellerCredentials {
    pub fn has_second_step(&self) -> bool {
        self.totp_secret.is_some()
    }
}

impl From<SellerCredentials> for Profile {
    fn from(seller: SellerCredentials) -> Self {
        Self { name: seller.name, email: seller.email, must_change_password: seller.is_temporary_password }
    }
}

/// Returns the credentials of an active seller; a disabled one is not found.
pub async fn find_credentials_by_email(
    db: &PgPool,
    email: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<SellerCredentials>> {
    sqlx::query_as!(
        SellerCredentials,
        r#"SELECT id, email, name, password_hash, totp_secret,
                  password_expires_at IS NOT NULL AS "is_temporary_password!", coalesce(password_expires_at <= $2, false) AS "is_expired!"
           FROM sellers WHERE lower(email) = lower($1) AND disabled_at IS NULL"#,
        email,
        now,
    )
    .fetch_optional(db)
    .await
}

/// The values that must be unchanged since the login read them.
pub struct LockedSeller {
    pub password_hash: String,
    pub has_second_step: bool,
}

/// Locks the seller, so that nothing disables the account or changes the password until the transaction ends.
pub async fn lock(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<LockedSeller>> {
    sqlx::query_as!(
        LockedSeller,
        r#"SELECT password_hash, totp_secret IS NOT NULL AS "has_second_step!" FROM sellers
           WHERE id = $1 AND disabled_at IS NULL FOR UPDATE"#,
        id,
    )
    .fetch_optional(connection)
    .await
}

pub async fn set_language(connection: &mut PgConnection, id: Uuid, language: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET language = $2 WHERE id = $1 AND language <> $2", id, language)
        .execute(connection)
        .await?;
    Ok(())
}

/// Inserts a pending login, which waits for the code. Expired ones are deleted, and each seller keeps the ten newest.
pub async fn insert_pending_login(
    connection: &mut PgConnection,
    token: &[u8],
    seller: Uuid,
    lifetime: Duration,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "DELETE FROM seller_pending_logins WHERE expires_at < $2 OR token_hash IN (
             SELECT token_hash FROM seller_pending_logins WHERE seller = $1 ORDER BY expires_at DESC OFFSET 9)",
        seller,
        now,
    )
    .execute(&mut *connection)
    .await?;
    sqlx::query!(
        "INSERT INTO seller_pending_logins (token_hash, seller, expires_at) VALUES ($1, $2, $3)",
        token,
        seller,
        now + lifetime,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Returns the seller whose login is pending under this token.
pub async fn find_pending_login(
    db: &PgPool,
    token: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<Option<SellerCredentials>> {
    sqlx::query_as!(
        SellerCredentials,
        r#"SELECT s.id, s.email, s.name, s.password_hash, s.totp_secret,
                  s.password_expires_at IS NOT NULL AS "is_temporary_password!", coalesce(s.password_expires_at <= $2, false) AS "is_expired!"
           FROM seller_pending_logins p JOIN sellers s ON s.id = p.seller
           WHERE p.token_hash = $1 AND p.expires_at > $2 AND s.disabled_at IS NULL"#,
        token,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Returns false if it does not exist or has expired.
pub async fn consume_pending_login(
    connection: &mut PgConnection,
    token: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!("DELETE FROM seller_pending_logins WHERE token_hash = $1 AND expires_at > $2", token, now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

pub async fn delete_pending_logins(connection: &mut PgConnection, seller: Uuid) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM seller_pending_logins WHERE seller = $1", seller).execute(connection).await?;
    Ok(())
}

/// Returns false if the code is unknown or was used before.
pub async fn consume_backup_code(
    connection: &mut PgConnection,
    seller: Uuid,
    code: &[u8],
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "UPDATE seller_backup_codes SET used_at = $3 WHERE seller = $1 AND code_hash = $2 AND used_at IS NULL",
        seller,
        code,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Replaces all backup codes of the seller.
pub async fn replace_backup_codes(connection: &mut PgConnection, seller: Uuid, codes: &[Vec<u8>]) -> sqlx::Result<()> {
    sqlx::query!("DELETE FROM seller_backup_codes WHERE seller = $1", seller).execute(&mut *connection).await?;
    sqlx::query!(
        "INSERT INTO seller_backup_codes (seller, code_hash) SELECT $1, code FROM unnest($2::bytea[]) code",
        seller,
        codes,
    )
    .execute(connection)
    .await?;
    Ok(())
}

pub struct Profile {
    pub name: String,
    pub email: String,
    pub must_change_password: bool,
}

pub async fn find(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(
        Profile,
        r#"SELECT name, email, password_expires_at IS NOT NULL AS "must_change_password!" FROM sellers
           WHERE id = $1 AND disabled_at IS NULL"#,
        id,
    )
    .fetch_optional(db)
    .await
}

/// The password of a signed-in seller, with the name and email address that a new one must not be based on.
pub struct SellerPassword {
    pub id: Uuid,
    pub email: String,
    pub name: String,
    pub password_hash: String,
    pub is_expired: bool,
}

pub async fn find_password(db: &PgPool, id: Uuid, now: DateTime<Utc>) -> sqlx::Result<Option<SellerPassword>> {
    sqlx::query_as!(
        SellerPassword,
        r#"SELECT id, email, name, password_hash, coalesce(password_expires_at <= $2, false) AS "is_expired!" FROM sellers
           WHERE id = $1 AND disabled_at IS NULL"#,
        id,
        now,
    )
    .fetch_optional(db)
    .await
}

/// Sets a password that the seller has chosen, which does not expire.
pub async fn set_chosen_password(
    connection: &mut PgConnection,
    id: Uuid,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sellers SET password_hash = $2, password_expires_at = NULL, updated_at = $3 WHERE id = $1",
        id,
        hash,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Stores a stronger hash of the same password.
pub async fn replace_password_hash(connection: &mut PgConnection, id: Uuid, hash: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET password_hash = $2 WHERE id = $1", id, hash).execute(connection).await?;
    Ok(())
}

/// Sets when a generated password expires; `None` means that the password was chosen and does not expire.
pub async fn set_password_expiry(
    connection: &mut PgConnection,
    id: Uuid,
    lifetime: Option<Duration>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let expires_at = lifetime.map(|lifetime| now + lifetime);
    sqlx::query!("UPDATE sellers SET password_expires_at = $2 WHERE id = $1", id, expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns false if a code of this or a later time step was used before.
pub async fn consume_totp_step(connection: &mut PgConnection, id: Uuid, step: i64) -> sqlx::Result<bool> {
    let done = sqlx::query!("UPDATE sellers SET totp_last_step = $2 WHERE id = $1 AND totp_last_step < $2", id, step)
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns false if the address has a seller already.
pub async fn insert(
    connection: &mut PgConnection,
    id: Uuid,
    email: &str,
    name: &str,
    password_hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO sellers (id, email, name, password_hash, created_at, updated_at) VALUES ($1, $2, $3, $4, $5, $5)
         ON CONFLICT (lower(email)) DO NOTHING",
        id,
        email,
        name,
        password_hash,
        now,
    )
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// Returns name, email address and language of a seller, disabled or not.
pub async fn find_recipient(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Recipient>> {
    let found = sqlx::query!("SELECT email, name, language FROM sellers WHERE id = $1", id);
    let found = found.fetch_optional(connection).await?;
    Ok(found.map(|row| Recipient { email: row.email, name: row.name, language: Language::from_code(&row.language) }))
}

/// Returns the seller with this address, disabled or not.
pub async fn find_by_email(connection: &mut PgConnection, email: &str) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM sellers WHERE lower(email) = lower($1)", email).fetch_optional(connection).await
}

pub async fn disable(connection: &mut PgConnection, email: &str, now: DateTime<Utc>) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET disabled_at = $2, updated_at = $2 WHERE lower(email) = lower($1) RETURNING id",
        email,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Sets a password and enables a disabled seller again.
pub async fn set_password(
    connection: &mut PgConnection,
    email: &str,
    hash: &str,
    now: DateTime<Utc>,
) -> sqlx::Result<Option<Uuid>> {
    sqlx::query_scalar!(
        "UPDATE sellers SET password_hash = $2, disabled_at = NULL, updated_at = $3 WHERE lower(email) = lower($1)
         RETURNING id",
        email,
        hash,
        now,
    )
    .fetch_optional(connection)
    .await
}

/// Switches the second step on or off and resets the last used time step.
pub async fn set_second_step(
    connection: &mut PgConnection,
    id: Uuid,
    encrypted: Option<&str>,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    sqlx::query!(
        "UPDATE sellers SET totp_secret = $2, totp_last_step = 0, updated_at = $3 WHERE id = $1",
        id,
        encrypted,
        now,
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// Locks and returns the TOTP secrets of all sellers who have one.
pub async fn list_totp_secrets(connection: &mut PgConnection) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!(
        r#"SELECT id, totp_secret AS "secret!" FROM sellers WHERE totp_secret IS NOT NULL ORDER BY id FOR UPDATE"#
    );
    Ok(rows.fetch_all(connection).await?.into_iter().map(|row| (row.id, row.secret)).collect())
}

pub async fn replace_totp_secret(connection: &mut PgConnection, id: Uuid, encrypted: &str) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET totp_secret = $2 WHERE id = $1", id, encrypted).execute(connection).await?;
    Ok(())
}

pub async fn insert_audit_entries(
    connection: &mut PgConnection,
    audit_entries: &[NewAuditEntry<'_>],
) -> sqlx::Result<()> {
    let column = |of: for<'a> fn(&NewAuditEntry<'a>) -> &'a str| {
        audit_entries.iter().map(|audit_entry| of(audit_entry).to_owned()).collect::<Vec<_>>()
    };
    let sellers: Vec<Uuid> = audit_entries.iter().map(|audit_entry| audit_entry.seller).collect();
    sqlx::query!(
        "INSERT INTO audit_log (seller, action, object, about, before, after)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[])",
        &sellers,
        &column(|audit_entry| audit_entry.action),
        &column(|audit_entry| audit_entry.object),
        &column(|audit_entry| audit_entry.about),
        &column(|audit_entry| audit_entry.before),
        &column(|audit_entry| audit_entry.after),
    )
    .execute(connection)
    .await?;
    Ok(())
}

/// The columns of an audit entry for the seller dashboard, defined once.
macro_rules! select_audit {
    ($rest:literal, $($argument:expr),+) => {
        sqlx::query_as!(
            AuditEntry,
            r#"SELECT a.id::text AS "id!", a.at, coalesce(s.name, '') AS "seller!", a.action, a.object, a.about, a.before, a.after
               FROM audit_log a LEFT JOIN sellers s ON s.id = a.seller "# + $rest,
            $($argument),+
        )
    };
}

pub async fn list_audit_entries(db: &PgPool, before: i64, limit: i64) -> sqlx::Result<Vec<AuditEntry>> {
    select_audit!("WHERE a.id < $1 ORDER BY a.id DESC LIMIT $2", before, limit).fetch_all(db).await
}

/// Returns the sellers whose name or email address matches the pattern.
pub async fn find_sellers_matching(db: &PgPool, pattern: &str) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM sellers WHERE lower(name) LIKE $1 OR lower(email) LIKE $1", pattern)
        .fetch_all(db)
        .await
}

/// Returns the entries that match the pattern or belong to one of these sellers. Each half of the union uses its own
/// index.
pub async fn search_audit_entries(
    db: &PgPool,
    pattern: &str,
    sellers: &[Uuid],
    before: i64,
    limit: i64,
) -> sqlx::Result<Vec<AuditEntry>> {
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

struct AuditLogRow {
    id: i64,
    at: DateTime<Utc>,
    seller: Uuid,
    action: String,
    object: String,
    about: String,
    before: String,
    after: String,
}

impl From<AuditLogRow> for ChainedRow {
    fn from(row: AuditLogRow) -> Self {
        let AuditLogRow { id, at, seller, action, object, about, before, after } = row;
        Self::new(id, &(id, at.timestamp_micros(), seller, action, object, about, before, after))
    }
}

/// The hash chain over `audit_log`.
pub struct AuditLog;

impl ChainedLog for AuditLog {
    const NAME: &'static str = "audit_log";

    async fn unsealed(connection: &mut PgConnection, above: i64, limit: i64) -> sqlx::Result<Vec<ChainedRow>> {
        let rows = sqlx::query_as!(
            AuditLogRow,
            "SELECT a.id, a.at, a.seller, a.action, a.object, a.about, a.before, a.after FROM audit_log a
             WHERE a.id > $1 AND NOT EXISTS (SELECT FROM log_seals s WHERE s.log = 'audit_log' AND s.row_id = a.id)
             ORDER BY a.id LIMIT $2",
            above,
            limit,
        );
        Ok(rows.fetch_all(connection).await?.into_iter().map(ChainedRow::from).collect())
    }

    async fn rows(db: &PgPool, ids: &[i64]) -> sqlx::Result<Vec<ChainedRow>> {
        let rows = sqlx::query_as!(
            AuditLogRow,
            "SELECT id, at, seller, action, object, about, before, after FROM audit_log WHERE id = ANY($1)",
            ids,
        );
        Ok(rows.fetch_all(db).await?.into_iter().map(ChainedRow::from).collect())
    }

    /// The age is measured by the database's clock, which stamps the rows.
    async fn overdue(db: &PgPool, age: Duration) -> sqlx::Result<Option<i64>> {
        sqlx::query_scalar!(
            "SELECT a.id FROM audit_log a WHERE a.at < now() - $1::interval
               AND NOT EXISTS (SELECT FROM log_seals s WHERE s.log = 'audit_log' AND s.row_id = a.id)
             ORDER BY a.id LIMIT 1",
            interval(age),
        )
        .fetch_optional(db)
        .await
    }
}

pub async fn find_names(db: &PgPool, ids: &[Uuid]) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!("SELECT id, name FROM sellers WHERE id = ANY($1)", ids).fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}
