//! Background work, kept in PostgreSQL by `graphile_worker` so that a job is part of the transaction that asked
//! for it. Only this file and `worker.rs` know the engine.

use graphile_worker::WorkerUtils;
use sqlx::PgPool;

/// The engine's own tables live here.
pub const SCHEMA: &str = "graphile_worker";

/// Makes or updates the engine's tables and lets the serving role use them; part of `migrate`.
pub async fn migrate(db: &PgPool) -> anyhow::Result<()> {
    WorkerUtils::new(db.clone(), SCHEMA).migrate().await?;
    for grant in [
        "GRANT USAGE ON SCHEMA graphile_worker TO thunse_app",
        "GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA graphile_worker TO thunse_app",
        "GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA graphile_worker TO thunse_app",
        "GRANT EXECUTE ON ALL FUNCTIONS IN SCHEMA graphile_worker TO thunse_app",
        // The engine's tables are closed to all but their owner; the serving role is let in by name.
        "DO $$
         DECLARE closed text;
         BEGIN
           FOR closed IN SELECT tablename FROM pg_tables t WHERE schemaname = 'graphile_worker' AND rowsecurity
                         AND NOT EXISTS (SELECT FROM pg_policies p WHERE p.schemaname = t.schemaname
                                         AND p.tablename = t.tablename AND p.policyname = 'thunse_app')
           LOOP
             EXECUTE format('CREATE POLICY thunse_app ON graphile_worker.%I TO thunse_app USING (true) WITH CHECK (true)', closed);
           END LOOP;
         END $$",
    ] {
        // Grants on tables that are not ours cannot be part of our own migrations: they must run after the engine's.
        #[expect(clippy::disallowed_methods, reason = "a constant statement without parameters")]
        sqlx::query(grant).execute(db).await?;
    }
    Ok(())
}
