-- Invitations to work in the shop. The worker creates the token when it sends the email, so it is NULL until then. A new table:
-- no lock that anybody waits for.
CREATE TABLE staff_invitations (
    id          uuid PRIMARY KEY,
    email       text NOT NULL,
    name        text NOT NULL,
    role        text NOT NULL CONSTRAINT staff_invitations_role CHECK (role IN ('owner', 'manager', 'packer', 'rider')),
    -- The language of the person who invites.
    language    text NOT NULL CONSTRAINT staff_invitations_language CHECK (language IN ('en', 'ne')),
    invited_by  uuid NOT NULL REFERENCES sellers (id),
    created_at  timestamptz NOT NULL,
    expires_at  timestamptz NOT NULL
);
-- One open invitation for an address: inviting again replaces it.
CREATE UNIQUE INDEX staff_invitations_email ON staff_invitations (lower(email));

-- The links of an invitation: a repeated run of the job adds one, and the first stays valid.
CREATE TABLE staff_invitation_links (
    token_hash bytea PRIMARY KEY,
    invitation uuid NOT NULL REFERENCES staff_invitations (id) ON DELETE CASCADE
);
CREATE INDEX staff_invitation_links_invitation ON staff_invitation_links (invitation);

GRANT SELECT, INSERT, UPDATE, DELETE ON staff_invitations TO thunse_app;
GRANT SELECT, INSERT, DELETE ON staff_invitation_links TO thunse_app;
