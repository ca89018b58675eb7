-- What riders record at the door, with the key that the phone made (decision 084). New tables; the references take a short lock on
-- sellers and orders.

SET LOCAL lock_timeout = '3s';

CREATE TABLE stop_events (
    -- Made on the phone: the same event is applied once, however often it is sent.
    id           uuid PRIMARY KEY,
    rider_id     uuid NOT NULL REFERENCES sellers (id),
    -- As the phone sent it; the order may not exist.
    order_id     uuid NOT NULL,
    kind         text NOT NULL CONSTRAINT stop_events_kind CHECK (kind IN ('out', 'delivered', 'not_met', 'returned')),
    request_hash bytea NOT NULL,
    -- When it happened by the clock of the phone, and when it arrived.
    happened_at  timestamptz NOT NULL,
    received_at  timestamptz NOT NULL,
    is_applied   boolean NOT NULL,
    -- Why it was refused; empty if it was applied.
    refusal      text NOT NULL,
    -- How a delivery was proved: by the shopper's code or by a photo.
    proof        text CONSTRAINT stop_events_proof CHECK (proof IN ('code', 'photo')),
    photo_id     uuid,
    collected_paisa bigint,
    reason       text CONSTRAINT stop_events_reason
                     CHECK (reason IN ('nobody_home', 'no_answer', 'wrong_address', 'refused', 'other')),
    note         text NOT NULL DEFAULT '',
    CONSTRAINT stop_events_refused CHECK (is_applied = (refusal = ''))
);
CREATE INDEX stop_events_by_order ON stop_events (order_id, received_at);
GRANT SELECT, INSERT ON stop_events TO thunse_app;

-- The four digits that the shopper tells the rider.
CREATE TABLE delivery_codes (
    order_id uuid PRIMARY KEY REFERENCES orders (id),
    code     text NOT NULL CONSTRAINT delivery_codes_code CHECK (code ~ '^[0-9]{4}$'),
    -- Wrong attempts.
    attempts integer NOT NULL DEFAULT 0
);
GRANT SELECT, INSERT, UPDATE (attempts) ON delivery_codes TO thunse_app;

CREATE TABLE stop_photos (
    -- Made on the phone.
    id         uuid PRIMARY KEY,
    rider_id   uuid NOT NULL REFERENCES sellers (id),
    order_id   uuid NOT NULL REFERENCES orders (id),
    -- A key of the picture store that no public URL serves.
    picture    text NOT NULL,
    created_at timestamptz NOT NULL
);
CREATE INDEX stop_photos_by_picture ON stop_photos (picture);
CREATE INDEX stop_photos_by_time ON stop_photos (created_at);
GRANT SELECT, INSERT, DELETE ON stop_photos TO thunse_app;
