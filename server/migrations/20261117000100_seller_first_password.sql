-- A password that the command line made up is good for a day and only for changing it. Columns without a default or with a constant one:
-- a lock of a moment on each table. The release before ignores them.

-- When a first password ends; NULL: the seller has chosen the password.
ALTER TABLE sellers ADD COLUMN password_expires_at timestamptz;
-- The session may do nothing but change the password.
ALTER TABLE sessions ADD COLUMN must_change_password boolean NOT NULL DEFAULT false;

GRANT SELECT, UPDATE (password_hash, password_expires_at, updated_at) ON sellers TO thunse_app;
