-- The seller's login in two steps: a right password waits here for its code, so that it is sent once and nothing is forgiven before both
-- were right. Backup codes for a lost phone. New tables, and a column with a constant default: no lock that anybody waits for.

-- In which language the shop writes to the seller: the one of the last login.
ALTER TABLE sellers ADD COLUMN language text NOT NULL DEFAULT 'en' CONSTRAINT sellers_language CHECK (language IN ('en', 'ne'));

CREATE TABLE seller_pending_logins (
    token_hash bytea PRIMARY KEY,
    seller     uuid NOT NULL REFERENCES sellers (id),
    expires_at timestamptz NOT NULL
);
CREATE INDEX seller_pending_logins_seller ON seller_pending_logins (seller);
CREATE INDEX seller_pending_logins_expiry ON seller_pending_logins (expires_at);

-- 78 random bits each, so that a plain SHA-256 is enough.
CREATE TABLE seller_backup_codes (
    seller    uuid NOT NULL REFERENCES sellers (id),
    code_hash bytea NOT NULL,
    used_at   timestamptz,
    CONSTRAINT seller_backup_codes_key PRIMARY KEY (seller, code_hash)
);

GRANT SELECT, INSERT, UPDATE, DELETE ON seller_pending_logins, seller_backup_codes TO thunse_app;
