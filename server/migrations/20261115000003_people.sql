-- People: shoppers, sellers, their sessions, addresses, and what guards them. New tables only, no lock that anybody
-- waits for. Secrets that arrive from outside (session tokens, device tokens, links) are kept as SHA-256 only.

CREATE TABLE users (
    id                 uuid PRIMARY KEY,
    email              text NOT NULL,
    email_confirmed_at timestamptz,
    -- A new address waits here until its link has been opened.
    pending_email      text,
    name               text NOT NULL,
    phone              text NOT NULL DEFAULT '',
    address            text NOT NULL DEFAULT '',
    picture            text,
    -- NULL: signs in through an identity provider only.
    password_hash      text,
    language           text NOT NULL DEFAULT 'en' CONSTRAINT users_language CHECK (language IN ('en', 'ne')),
    created_at         timestamptz NOT NULL DEFAULT now(),
    updated_at         timestamptz NOT NULL DEFAULT now(),
    -- The row stays for the orders that name it; everything that told who it was is gone from it.
    deleted_at         timestamptz
);
CREATE UNIQUE INDEX users_email_unique ON users (lower(email)) WHERE deleted_at IS NULL;
CREATE INDEX users_picture ON users (picture) WHERE picture IS NOT NULL;

-- Keyed by the provider's own name for the person; an e-mail address may change hands.
CREATE TABLE user_identities (
    issuer     text NOT NULL,
    subject    text NOT NULL,
    user_id    uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT user_identities_key PRIMARY KEY (issuer, subject)
);
CREATE INDEX user_identities_user ON user_identities (user_id);

CREATE TABLE sellers (
    id             uuid PRIMARY KEY,
    email          text NOT NULL,
    name           text NOT NULL,
    password_hash  text NOT NULL,
    -- Base32; NULL: no second step.
    totp_secret    text,
    -- A code is good once: the last time step that was used.
    totp_last_step bigint NOT NULL DEFAULT 0,
    disabled_at    timestamptz,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX sellers_email_unique ON sellers (lower(email));

CREATE TABLE sessions (
    id               uuid PRIMARY KEY,
    kind             text NOT NULL CONSTRAINT sessions_kind CHECK (kind IN ('shopper', 'seller')),
    person           uuid NOT NULL,
    token_hash       bytea NOT NULL,
    -- The token before the last change of it; still good for a moment, for requests that were under way.
    former_hash      bytea,
    rotated_at       timestamptz NOT NULL DEFAULT now(),
    authenticated_at timestamptz NOT NULL DEFAULT now(),
    created_at       timestamptz NOT NULL DEFAULT now(),
    last_seen_at     timestamptz NOT NULL DEFAULT now(),
    expires_at       timestamptz NOT NULL,
    -- 'Chrome on Android': for the list of devices, nothing that identifies one.
    device           text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX sessions_token ON sessions (token_hash);
CREATE INDEX sessions_former ON sessions (former_hash) WHERE former_hash IS NOT NULL;
CREATE INDEX sessions_person ON sessions (kind, person);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Browsers that have logged in before: a flood of wrong passwords from elsewhere does not lock them out.
CREATE TABLE known_devices (
    kind         text NOT NULL,
    person       uuid NOT NULL,
    token_hash   bytea NOT NULL,
    last_used_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT known_devices_key PRIMARY KEY (kind, person, token_hash)
);

-- Failed logins by account. The key is a hash, so that the table does not list who was attacked.
CREATE TABLE login_guards (
    key             bytea PRIMARY KEY,
    failures        integer NOT NULL,
    allowed_at      timestamptz NOT NULL,
    last_attempt_at timestamptz NOT NULL
);
CREATE INDEX login_guards_age ON login_guards (last_attempt_at);

-- How often an account did something within a window; shared by all copies of the server.
CREATE TABLE account_counters (
    key          text PRIMARY KEY,
    window_start timestamptz NOT NULL,
    hits         integer NOT NULL
);
CREATE INDEX account_counters_age ON account_counters (window_start);

-- Links in letters. Deleted when used, so each works once.
CREATE TABLE one_time_links (
    token_hash bytea PRIMARY KEY,
    purpose    text NOT NULL CONSTRAINT one_time_links_purpose CHECK (purpose IN ('reset_password', 'confirm_email')),
    user_id    uuid NOT NULL REFERENCES users (id),
    email      text NOT NULL,
    expires_at timestamptz NOT NULL
);
CREATE INDEX one_time_links_user ON one_time_links (user_id, purpose);
CREATE INDEX one_time_links_expiry ON one_time_links (expires_at);

-- A sign-in through the provider that is under way in one browser.
CREATE TABLE openid_flows (
    state_hash   bytea PRIMARY KEY,
    browser_hash bytea NOT NULL,
    nonce        text NOT NULL,
    verifier     text NOT NULL,
    return_to    text NOT NULL,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX openid_flows_expiry ON openid_flows (expires_at);

-- What the provider said about the person at one browser; good for one sign-in within five minutes.
CREATE TABLE openid_identities (
    browser_hash bytea PRIMARY KEY,
    issuer       text NOT NULL,
    subject      text NOT NULL,
    email        text NOT NULL,
    name         text NOT NULL,
    picture      text NOT NULL,
    expires_at   timestamptz NOT NULL
);
CREATE INDEX openid_identities_expiry ON openid_identities (expires_at);

CREATE TABLE addresses (
    id           uuid PRIMARY KEY,
    user_id      uuid NOT NULL REFERENCES users (id),
    label        text NOT NULL,
    phone        text NOT NULL,
    street       text NOT NULL,
    city         text NOT NULL,
    state        text NOT NULL,
    country      text NOT NULL,
    pincode      text NOT NULL,
    district     text NOT NULL DEFAULT '',
    municipality text NOT NULL DEFAULT '',
    ward         text NOT NULL DEFAULT '',
    landmark     text NOT NULL DEFAULT '',
    is_default   boolean NOT NULL DEFAULT false,
    created_at   timestamptz NOT NULL DEFAULT now(),
    updated_at   timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX addresses_user ON addresses (user_id, created_at);
CREATE UNIQUE INDEX addresses_one_default ON addresses (user_id) WHERE is_default;

GRANT SELECT, INSERT, UPDATE ON users, sellers TO thunse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON user_identities, sessions, known_devices, login_guards, account_counters,
    one_time_links, openid_flows, openid_identities, addresses TO thunse_app;
