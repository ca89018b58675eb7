-- People who asked for the newsletter. New table, no lock that anybody waits for.
-- The address is kept as typed for sending and lower-cased for telling a repeat.
CREATE TABLE subscribers (
    id         uuid PRIMARY KEY,
    email      text NOT NULL,
    language   text NOT NULL DEFAULT 'en' CONSTRAINT subscribers_language CHECK (language IN ('en', 'ne')),
    created_at timestamptz NOT NULL DEFAULT now()
);
CREATE UNIQUE INDEX subscribers_email_unique ON subscribers (lower(email));

GRANT SELECT, INSERT, DELETE ON subscribers TO thunse_app;
