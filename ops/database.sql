-- Creates the four roles and the empty database, once per cluster (docs/decisions/006). The passwords come from the
-- environment, so that they are in no file and on no command line:
--   MIGRATE_PASSWORD=… APP_PASSWORD=… BACKUP_PASSWORD=… ADMIN_PASSWORD=… psql -X -v ON_ERROR_STOP=1 -U postgres -f ops/database.sql
-- Running it again changes only the passwords.
\set ON_ERROR_STOP on
\getenv migrate_password MIGRATE_PASSWORD
\getenv app_password APP_PASSWORD
\getenv backup_password BACKUP_PASSWORD
\getenv admin_password ADMIN_PASSWORD
SELECT format('CREATE ROLE %I LOGIN', name) FROM (VALUES ('thunse_migrate'), ('thunse_app'), ('thunse_backup'), ('thunse_admin')) wanted (name)
WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = name) \gexec
ALTER ROLE thunse_migrate PASSWORD :'migrate_password';
ALTER ROLE thunse_app PASSWORD :'app_password';
-- Reads everything, bypassing the row security of the job queue, and writes nothing.
ALTER ROLE thunse_backup PASSWORD :'backup_password' BYPASSRLS;
GRANT pg_read_all_data TO thunse_backup;
-- Seller administration: the rights of the serving role, and sellers (docs/decisions/042).
ALTER ROLE thunse_admin PASSWORD :'admin_password';
GRANT thunse_app TO thunse_admin;
SELECT 'CREATE DATABASE thunse OWNER thunse_migrate' WHERE NOT EXISTS (SELECT FROM pg_database WHERE datname = 'thunse') \gexec
\connect thunse
GRANT USAGE, CREATE ON SCHEMA public TO thunse_migrate;
REVOKE CREATE ON SCHEMA public FROM PUBLIC;
