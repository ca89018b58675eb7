-- Phone numbers that were confirmed by a code over SMS (decision 074). The columns take a short lock.

ALTER TABLE users ADD COLUMN phone_verified_at timestamptz;
-- A confirmed number belongs to one account, which can log in with it.
CREATE UNIQUE INDEX users_verified_phone ON users (phone) WHERE phone_verified_at IS NOT NULL AND deleted_at IS NULL;

CREATE TABLE phone_codes (
    id         uuid PRIMARY KEY,
    -- The hash of a secret that the browser got with its request.
    token_hash bytea NOT NULL,
    phone      text NOT NULL,
    -- Who wants to confirm the number; NULL for a login.
    user_id    uuid REFERENCES users,
    -- Slow to compute, because six digits are few; NULL until the code is sent.
    code_hash  text,
    attempts   smallint NOT NULL DEFAULT 0,
    expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX phone_codes_token ON phone_codes (token_hash);
CREATE INDEX phone_codes_user ON phone_codes (user_id);
CREATE INDEX phone_codes_expiry ON phone_codes (expires_at);

GRANT SELECT, INSERT, UPDATE, DELETE ON phone_codes TO thunse_app;
