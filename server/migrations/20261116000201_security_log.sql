-- The security log and the hash chains over it and over the audit log. New tables only, no lock that anybody waits for. Both are only ever
-- added to. Who is named stands there by id; addresses of people and secrets do not.

CREATE TABLE security_events (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at         timestamptz NOT NULL DEFAULT clock_timestamp(),
    kind       text NOT NULL,
    actor_kind text NOT NULL CONSTRAINT security_events_actor CHECK (actor_kind IN ('visitor', 'shopper', 'seller', 'operator', 'system')),
    actor_id   uuid,
    -- Whom or what it was done to: an id, a path, the name of a file.
    subject    text NOT NULL,
    -- Empty where there was no request: the command line, the worker.
    ip         text NOT NULL,
    device     text NOT NULL,
    request_id text NOT NULL,
    details    jsonb NOT NULL
);
CREATE INDEX security_events_kind ON security_events (kind, id);
CREATE INDEX security_events_actor_id ON security_events (actor_id, id) WHERE actor_id IS NOT NULL;

-- h is SHA-256 of the h before and the row; the worker adds to it.
CREATE TABLE log_seals (
    log    text NOT NULL CONSTRAINT log_seals_log CHECK (log IN ('security_events', 'audit_log')),
    seq    bigint NOT NULL,
    row_id bigint NOT NULL,
    h      bytea NOT NULL,
    CONSTRAINT log_seals_key PRIMARY KEY (log, seq),
    CONSTRAINT log_seals_row UNIQUE (log, row_id)
);

GRANT SELECT, INSERT ON security_events, log_seals TO thunse_app;
