-- Changes of an email address that the former owner can cancel, links that the worker makes when it sends an email,
-- identities that can be listed and removed, and sign-ins that asked the provider for a new login. Rewrites user_identities
-- (one short row for each linked account) and checks the links that are alive; sign-ins wait for that moment.
CREATE TABLE email_changes (
    id         uuid PRIMARY KEY,
    user_id    uuid NOT NULL REFERENCES users (id),
    old_email  text NOT NULL,
    new_email  text NOT NULL,
    asked_at   timestamptz NOT NULL DEFAULT now(),
    -- Until then nobody else can register the old address, so that it can be restored.
    expires_at timestamptz NOT NULL
);
CREATE INDEX email_changes_user ON email_changes (user_id, asked_at);
CREATE INDEX email_changes_old_email ON email_changes (lower(old_email));
CREATE INDEX email_changes_expiry ON email_changes (expires_at);
GRANT SELECT, INSERT, DELETE ON email_changes TO thunse_app;

ALTER TABLE one_time_links DROP CONSTRAINT one_time_links_purpose;
ALTER TABLE one_time_links
    ADD CONSTRAINT one_time_links_purpose CHECK (purpose IN ('reset_password', 'confirm_email', 'cancel_email_change')),
    -- The email that carries the link. An email that is sent again has another token, and both work until one is used.
    ADD COLUMN message_id uuid,
    -- The change that this link cancels.
    ADD COLUMN change_id uuid CONSTRAINT one_time_links_change REFERENCES email_changes (id) ON DELETE CASCADE;
CREATE INDEX one_time_links_change ON one_time_links (change_id) WHERE change_id IS NOT NULL;

ALTER TABLE user_identities
    ADD COLUMN id uuid NOT NULL DEFAULT gen_random_uuid(),
    -- The address at the provider when the identity was linked, for the profile; NULL: linked before it was stored.
    ADD COLUMN email text;
CREATE UNIQUE INDEX user_identities_id ON user_identities (id);

ALTER TABLE openid_flows
    -- The person must log in at the provider, even if the provider remembers them.
    ADD COLUMN fresh boolean NOT NULL DEFAULT false,
    ADD COLUMN started_at timestamptz NOT NULL DEFAULT now();
ALTER TABLE openid_identities ADD COLUMN fresh boolean NOT NULL DEFAULT false;
