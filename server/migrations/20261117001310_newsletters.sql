-- Newsletters with double opt-in. On subscribers two nullable columns and one with a volatile default, which rewrites this small
-- table; new tables otherwise.

SET LOCAL lock_timeout = '3s';

-- The token is in the links with which the owner of the mailbox confirms and ends the subscription. Subscribers from before have not
-- confirmed, and get a newsletter only after they have.
ALTER TABLE subscribers
    ADD COLUMN token uuid NOT NULL DEFAULT gen_random_uuid(),
    ADD COLUMN confirmed_at timestamptz,
    ADD COLUMN asked_at timestamptz;
CREATE UNIQUE INDEX subscribers_token_unique ON subscribers (token);
GRANT UPDATE (confirmed_at, asked_at) ON subscribers TO thunse_app;

CREATE TABLE newsletters (
    id          uuid PRIMARY KEY,
    state       text NOT NULL DEFAULT 'draft' CONSTRAINT newsletters_state CHECK (state IN ('draft', 'sending', 'paused', 'sent', 'cancelled')),
    subject     text NOT NULL,
    subject_ne  text NOT NULL,
    -- Markdown.
    body        text NOT NULL,
    body_ne     text NOT NULL,
    seller      uuid NOT NULL REFERENCES sellers (id),
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    started_at  timestamptz,
    finished_at timestamptz
);

-- One row for each subscriber of a newsletter, so that none gets it twice. The subscriber may be gone by now.
CREATE TABLE newsletter_sends (
    newsletter_id   uuid NOT NULL REFERENCES newsletters (id),
    subscriber_id   uuid NOT NULL,
    -- 'sending' after a crash means that the mail server may have accepted it: it is not sent again.
    state           text NOT NULL DEFAULT 'queued' CONSTRAINT newsletter_sends_state CHECK (state IN ('queued', 'sending', 'sent', 'failed', 'skipped')),
    message_id      uuid NOT NULL DEFAULT gen_random_uuid(),
    claimed_at      timestamptz,
    unsubscribed_at timestamptz,
    PRIMARY KEY (newsletter_id, subscriber_id)
);
CREATE INDEX newsletter_sends_waiting ON newsletter_sends (newsletter_id, subscriber_id) WHERE state IN ('queued', 'sending');
CREATE INDEX newsletter_sends_by_subscriber ON newsletter_sends (subscriber_id);
CREATE INDEX newsletter_sends_by_time ON newsletter_sends (claimed_at) WHERE claimed_at IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON newsletters TO thunse_app;
GRANT SELECT, INSERT, UPDATE ON newsletter_sends TO thunse_app;
