//! The people themselves: name, role, and whether they are disabled.

use chrono::{DateTime, Utc};
use sqlx::{PgConnection, PgExecutor, PgPool};
use uuid::Uuid;

use crate::notifications::Recipient;
use crate::platform::language::Language;
use crate::platform::permissions::Role;
use crate::staff::model::{Member, Profile};

pub async fn find(db: &PgPool, id: Uuid) -> sqlx::Result<Option<Profile>> {
    sqlx::query_as!(
        Profile,
        r#"SELECT name, email, role AS "role: Role", totp_secret IS NOT NULL AS "has_second_step!",
                  password_expires_at IS NOT NULL AS "must_change_password!"
           FROM sellers WHERE id = $1 AND disabled_at IS NULL"#,
        id,
    )
    .fetch_optional(db)
    .await
}

pub async fn list_members(db: &PgPool) -> sqlx::Result<Vec<Member>> {
    sqlx::query_as!(
        Member,
        r#"SELECT id, name, email, role AS "role: Role", totp_secret IS NOT NULL AS "has_second_step!",
                  disabled_at IS NOT NULL AS "is_disabled!", created_at
           FROM sellers ORDER BY disabled_at IS NOT NULL, lower(name), id"#,
    )
    .fetch_all(db)
    .await
}

/// Locks a person, disabled or not.
pub async fn lock_member(connection: &mut PgConnection, id: Uuid) -> sqlx::Result<Option<Member>> {
    sqlx::query_as!(
        Member,
        r#"SELECT id, name, email, role AS "role: Role", totp_secret IS NOT NULL AS "has_second_step!",
                  disabled_at IS NOT NULL AS "is_disabled!", created_at
           FROM sellers WHERE id = $1 FOR UPDATE"#,
        id,
    )
    .fetch_optional(connection)
    .await
}

/// Locks all active owners, in the order of their ids, so that no two transactions remove the last two of them.
pub async fn lock_active_owners(connection: &mut PgConnection) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM sellers WHERE role = 'owner' AND disabled_at IS NULL ORDER BY id FOR UPDATE")
        .fetch_all(connection)
        .await
}

pub async fn set_role(connection: &mut PgConnection, id: Uuid, role: Role, now: DateTime<Utc>) -> sqlx::Result<()> {
    sqlx::query!("UPDATE sellers SET role = $2, updated_at = $3 WHERE id = $1", id, role.name(), now)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn set_disabled(
    connection: &mut PgConnection,
    id: Uuid,
    is_disabled: bool,
    now: DateTime<Utc>,
) -> sqlx::Result<()> {
    let disabled_at = is_disabled.then_some(now);
    sqlx::query!("UPDATE sellers SET disabled_at = $2, updated_at = $3 WHERE id = $1", id, disabled_at, now)
        .execute(connection)
        .await?;
    Ok(())
}

/// Returns the id and the name of everyone who has this role and is not disabled.
pub async fn list_active(db: &PgPool, role: Role) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!(
        "SELECT id, name FROM sellers WHERE role = $1 AND disabled_at IS NULL ORDER BY lower(name), id",
        role.name(),
    );
    Ok(rows.fetch_all(db).await?.into_iter().map(|row| (row.id, row.name)).collect())
}

/// Returns the person's name if they have this role and are not disabled, and keeps it so until the transaction ends.
pub async fn hold_active(connection: &mut PgConnection, id: Uuid, role: Role) -> sqlx::Result<Option<String>> {
    sqlx::query_scalar!(
        "SELECT name FROM sellers WHERE id = $1 AND role = $2 AND disabled_at IS NULL FOR SHARE",
        id,
        role.name(),
    )
    .fetch_optional(connection)
    .await
}

/// The row of a new person.
pub struct NewMember<'a> {
    pub id: Uuid,
    pub email: &'a str,
    pub name: &'a str,
    pub role: Role,
    pub password_hash: &'a str,
}

/// Returns false if the address has a seller already.
pub async fn insert(connection: &mut PgConnection, new: &NewMember<'_>, now: DateTime<Utc>) -> sqlx::Result<bool> {
    let done = sqlx::query!(
        "INSERT INTO sellers (id, email, name, role, password_hash, created_at, updated_at)
         VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (lower(email)) DO NOTHING",
        new.id,
        new.email,
        new.name,
        new.role.name(),
        new.password_hash,
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

pub async fn find_names(db: impl PgExecutor<'_>, ids: &[Uuid]) -> sqlx::Result<Vec<(Uuid, String)>> {
    let rows = sqlx::query!("SELECT id, name FROM sellers WHERE id = ANY($1)", ids).fetch_all(db).await?;
    Ok(rows.into_iter().map(|row| (row.id, row.name)).collect())
}

/// Returns everyone who has one of these roles and is not disabled.
pub async fn list_ids_by_roles(connection: &mut PgConnection, roles: &[String]) -> sqlx::Result<Vec<Uuid>> {
    sqlx::query_scalar!("SELECT id FROM sellers WHERE role = ANY($1) AND disabled_at IS NULL ORDER BY id", roles)
        .fetch_all(connection)
        .await
}
