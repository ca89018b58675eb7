-- The versions of the policy pages, and which of them a shopper agreed to. New tables, no lock that anyone waits for.

CREATE TABLE policy_versions (
    page       text NOT NULL CONSTRAINT policy_versions_page CHECK (page IN ('privacy', 'terms', 'returns', 'delivery', 'about')),
    version    integer NOT NULL CONSTRAINT policy_versions_version CHECK (version > 0),
    -- Markdown. Both are null if this version is a reset to the template.
    text       text,
    text_ne    text,
    seller     uuid NOT NULL REFERENCES sellers (id),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (page, version),
    CONSTRAINT policy_versions_texts CHECK ((text IS NULL) = (text_ne IS NULL))
);

-- Version 0 is the template of the release that ran at that time.
CREATE TABLE policy_consents (
    user_id   uuid NOT NULL REFERENCES users (id),
    page      text NOT NULL,
    version   integer NOT NULL,
    agreed_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, page, version)
);

-- What was published and what was agreed to is never changed.
GRANT SELECT, INSERT ON policy_versions, policy_consents TO thunse_app;
