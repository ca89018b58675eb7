-- Roles of the people who work in the shop. Whoever is a seller today may do everything and stays so: an owner. Columns without
-- a default or with a constant one: a lock of a moment on each table. The previous version ignores them; a seller who logs in with
-- it meanwhile has a session without a role and logs in again.
ALTER TABLE sellers ADD COLUMN role text NOT NULL DEFAULT 'owner'
    CONSTRAINT sellers_role CHECK (role IN ('owner', 'manager', 'packer', 'rider'));
-- A secret that its owner has not confirmed with a code yet, encrypted like `totp_secret`.
ALTER TABLE sellers ADD COLUMN totp_pending_secret text;

-- The role at the login; a change of the role ends the sessions. NULL for shoppers.
ALTER TABLE sessions ADD COLUMN role text;
-- When this session last proved the second factor.
ALTER TABLE sessions ADD COLUMN second_factor_at timestamptz;
-- The hash of the PIN of a remembered device; NULL for all other sessions.
ALTER TABLE sessions ADD COLUMN pin_hash text;
ALTER TABLE sessions ADD COLUMN pin_failures smallint NOT NULL DEFAULT 0;
-- Whether the device was locked by hand; it also locks after some minutes without a request.
ALTER TABLE sessions ADD COLUMN locked boolean NOT NULL DEFAULT false;
UPDATE sessions SET role = 'owner' WHERE kind = 'seller';
