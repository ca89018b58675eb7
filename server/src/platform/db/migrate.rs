//! Runs the migrations: first those that run once, then the repeatable ones, which run again whenever their text has
//! changed.

use std::collections::HashMap;

use sqlx::migrate::{MigrateError, Migrator};
use sqlx::{PgConnection, PgPool};

use super::store;

static MIGRATIONS: Migrator = sqlx::migrate!();

/// Migrations from this version on are repeatable: they contain the current functions, triggers and views.
const FIRST_REPEATABLE: i64 = 99_999_999_999_900;

/// Migrates the database to this version's schema.
pub async fn migrate(db: &PgPool) -> Result<(), MigrateError> {
    let current: HashMap<i64, &[u8]> = repeatable().collect();
    let applied = store::applied_migrations(&mut *db.acquire().await?, FIRST_REPEATABLE).await?;
    let outdated: Vec<i64> = applied
        .into_iter()
        .filter(|(version, checksum)| current.get(version) != Some(&checksum.as_slice()))
        .map(|(version, _)| version)
        .collect();
    store::forget_migrations(db, &outdated).await?;
    MIGRATIONS.run(db).await?;
    Ok(store::show_migrations_to_the_shop(db).await?)
}

/// How the database's schema differs from this version's.
pub struct MigrationState {
    /// Migrations that have not run, or have run with another text.
    pub pending: usize,
    /// Migrations of a newer version.
    pub unknown: usize,
}

pub async fn migration_state(connection: &mut PgConnection) -> sqlx::Result<MigrationState> {
    let applied: HashMap<i64, Vec<u8>> = store::applied_migrations(connection, 0).await?.into_iter().collect();
    let is_applied = |version: &i64, checksum: &[u8]| applied.get(version).is_some_and(|applied| applied == checksum);
    let pending = MIGRATIONS.iter().filter(|own| !is_applied(&own.version, &own.checksum)).count();
    let unknown = applied.keys().filter(|version| !MIGRATIONS.iter().any(|own| own.version == **version)).count();
    Ok(MigrationState { pending, unknown })
}

fn repeatable() -> impl Iterator<Item = (i64, &'static [u8])> {
    MIGRATIONS
        .iter()
        .filter(|migration| migration.version >= FIRST_REPEATABLE)
        .map(|migration| (migration.version, &*migration.checksum))
}
