-- Complaints about orders, with their conversation. New tables; the references take a short lock on orders and users.

SET LOCAL lock_timeout = '3s';

CREATE TABLE complaints (
    id           uuid PRIMARY KEY,
    code         text NOT NULL CONSTRAINT complaints_code_unique UNIQUE,
    order_id     uuid NOT NULL REFERENCES orders (id),
    user_id      uuid NOT NULL REFERENCES users (id),
    reason       text NOT NULL CONSTRAINT complaints_reason CHECK (reason IN ('damaged', 'missing', 'wrong', 'late', 'quality', 'other')),
    remedy         text NOT NULL CONSTRAINT complaints_remedy CHECK (remedy IN ('refund', 'replacement', 'answer')),
    text         text NOT NULL,
    state        text NOT NULL DEFAULT 'open' CONSTRAINT complaints_state CHECK (state IN ('open', 'accepted', 'partly', 'refused')),
    outcome_text text NOT NULL DEFAULT '',
    created_at   timestamptz NOT NULL,
    -- By when the shop has to decide.
    due_at       timestamptz NOT NULL,
    decided_at   timestamptz,
    decided_by   uuid REFERENCES sellers (id),
    CONSTRAINT complaints_decided CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE INDEX complaints_by_order ON complaints (order_id);
CREATE INDEX complaints_by_user ON complaints (user_id, id);
CREATE INDEX complaints_open ON complaints (due_at, id) WHERE state = 'open';

CREATE TABLE complaint_items (
    complaint_id uuid NOT NULL REFERENCES complaints (id) ON DELETE CASCADE,
    product_id   uuid NOT NULL,
    name         text NOT NULL,
    name_ne      text,
    quantity     integer NOT NULL CONSTRAINT complaint_items_quantity CHECK (quantity > 0),
    PRIMARY KEY (complaint_id, product_id)
);

CREATE TABLE complaint_photos (
    id           uuid PRIMARY KEY,
    complaint_id uuid NOT NULL REFERENCES complaints (id) ON DELETE CASCADE,
    -- A key of the picture store that no public URL serves.
    picture      text NOT NULL
);
CREATE INDEX complaint_photos_by_complaint ON complaint_photos (complaint_id);
CREATE INDEX complaint_photos_by_picture ON complaint_photos (picture);

CREATE TABLE complaint_messages (
    id           uuid PRIMARY KEY,
    complaint_id uuid NOT NULL REFERENCES complaints (id) ON DELETE CASCADE,
    -- Null if the shopper wrote it.
    seller       uuid REFERENCES sellers (id),
    text         text NOT NULL,
    created_at   timestamptz NOT NULL
);
CREATE INDEX complaint_messages_by_complaint ON complaint_messages (complaint_id, id);

-- What was said is not changed; only the outcome is added. Rows are deleted after five years.
GRANT SELECT, INSERT, DELETE ON complaints, complaint_items, complaint_photos, complaint_messages TO thunse_app;
GRANT UPDATE (state, outcome_text, decided_at, decided_by) ON complaints TO thunse_app;
