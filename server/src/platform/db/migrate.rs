//! Runs the migrations: first those that run once, then the repeatable ones, which run again whenever their text has
//! changed.

use std::collections::HashMap;

use sqlx::PgPool;
use sqlx::migrate::{MigrateError, Migrator};

use super::store;

static MIGRATIONS: Migrator = sqlx::migrate!();

/// Migrations from this version on are repeatable: they contain the current functions, triggers and views.
const FIRST_REPEATABLE: i64 = 99_999_999_999_900;

/// Migrates the database to this version's schema.
pub async fn migrate(db: &PgPool) -> Result<(), MigrateError> {
    let current: HashMap<i64, &[u8]> = repeatable().collect();
    let applied = store::applied_migrations(db, FIRST_REPEATABLE).await?;
    let outdated: Vec<i64> = applied
        .into_iter()
        .filter(|(version, checksum)| current.get(version) != Some(&checksum.as_slice()))
        .map(|(version, _)| version)
        .collect();
    store::forget_migrations(db, &outdated).await?;
    MIGRATIONS.run(db).await
}

fn repeatable() -> impl Iterator<Item = (i64, &'static [u8])> {
    MIGRATIONS
        .iter()
        .filter(|migration| migration.version >= FIRST_REPEATABLE)
        .map(|migration| (migration.version, &*migration.checksum))
}
