-- Payments through a wallet. New tables; one new column each on cases and order_events (no rewrite); the view of what must never be gets a second half.
--
-- Why it looks like this:
--   * One row for every try to pay something, made before the wallet is called and never deleted. The link between a
--     wallet's payment (pidx) and what it pays for is ours alone: no browser and no wallet is asked for it.
--   * What the wallet answered is kept as evidence, one row whenever it says something new.
--   * The wallet tells nobody that somebody has paid, so every row that may still change has a time for the next look.
--     That column is the plan; the job is only its alarm clock, and is set again when it was lost.
--   * A refund is marked before it is asked for, and asked for once: the wallet promises nothing about a second call.

CREATE TABLE payments (
    id             uuid PRIMARY KEY,
    -- What it pays for, and the how-manieth try it is. This room does not know what that is.
    about          uuid NOT NULL,
    number         smallint NOT NULL,
    provider       text NOT NULL,
    amount_paisa   bigint NOT NULL CONSTRAINT payments_amount CHECK (amount_paisa > 0),
    -- What came, by the wallet's words.
    received_paisa bigint,
    state          text NOT NULL CONSTRAINT payments_state CHECK (state IN
                       ('created', 'initiated', 'paid', 'paid_extra', 'failed', 'conflict', 'abandoned')),
    pidx           text CONSTRAINT payments_pidx_unique UNIQUE,
    transaction_id text CONSTRAINT payments_transaction_unique UNIQUE,
    -- How a browser gets to the wallet: {"redirect": address} or {"form": {action, fields}}.
    onward         jsonb,
    link_ends_at   timestamptz,
    next_check_at  timestamptz,
    -- The wallet's last words, what they mean, and when it was asked for them.
    said           text,
    meaning        text CONSTRAINT payments_meaning CHECK (meaning IN
                       ('completed', 'pending', 'initiated', 'over', 'refunded', 'unclear')),
    looked_at      timestamptz,
    created_at     timestamptz NOT NULL DEFAULT now(),
    started_at     timestamptz,
    settled_at     timestamptz,
    CONSTRAINT payments_try UNIQUE (about, number),
    CONSTRAINT payments_started CHECK (state IN ('created', 'abandoned')
        OR (pidx IS NOT NULL AND onward IS NOT NULL AND link_ends_at IS NOT NULL AND started_at IS NOT NULL)),
    CONSTRAINT payments_paid CHECK (state NOT IN ('paid', 'paid_extra')
        OR (transaction_id IS NOT NULL AND received_paisa = amount_paisa AND settled_at IS NOT NULL))
);
-- Whatever the program thinks: nothing is paid for twice without one of the two being called extra.
CREATE UNIQUE INDEX payments_one_pays ON payments (about) WHERE state = 'paid';
CREATE INDEX payments_due ON payments (next_check_at) WHERE next_check_at IS NOT NULL;
CREATE INDEX payments_being_made ON payments (created_at) WHERE state = 'created';
-- What our record and the wallet may disagree about, for the report.
CREATE INDEX payments_odd ON payments (id) WHERE state = 'conflict' OR meaning IN ('refunded', 'unclear')
    OR (meaning = 'completed' AND state IN ('initiated', 'failed'));
CREATE INDEX payments_settled ON payments (settled_at) WHERE settled_at IS NOT NULL;

CREATE TABLE payment_lookups (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    payment_id     uuid NOT NULL REFERENCES payments (id),
    at             timestamptz NOT NULL DEFAULT clock_timestamp(),
    status         text NOT NULL,
    amount_paisa   bigint,
    transaction_id text
);
CREATE INDEX payment_lookups_of_payment ON payment_lookups (payment_id, id DESC);

CREATE TABLE refunds (
    id           uuid PRIMARY KEY,
    payment_id   uuid NOT NULL REFERENCES payments (id),
    amount_paisa bigint NOT NULL CONSTRAINT refunds_amount CHECK (amount_paisa > 0),
    state        text NOT NULL CONSTRAINT refunds_state CHECK (state IN ('requested', 'sent', 'confirmed', 'withdrawn', 'manual')),
    requested_at timestamptz NOT NULL DEFAULT now(),
    sent_at      timestamptz,
    ended_at     timestamptz,
    CONSTRAINT refunds_sent CHECK (state IN ('requested', 'withdrawn', 'confirmed') OR sent_at IS NOT NULL),
    CONSTRAINT refunds_ended CHECK ((state IN ('confirmed', 'withdrawn')) = (ended_at IS NOT NULL))
);
CREATE UNIQUE INDEX refunds_one_lives ON refunds (payment_id) WHERE state <> 'withdrawn';
CREATE INDEX refunds_unsent ON refunds (requested_at) WHERE state = 'requested';
CREATE INDEX refunds_out ON refunds (payment_id) WHERE state IN ('sent', 'manual');
CREATE INDEX refunds_confirmed ON refunds (ended_at) WHERE state = 'confirmed';

-- A row that tells those who watch of a change in the money alone; the timeline that people read leaves it out.
ALTER TABLE order_events ADD COLUMN money boolean NOT NULL DEFAULT false;

ALTER TABLE cases ADD COLUMN closed_by uuid;
CREATE INDEX cases_open_newest ON cases (id DESC) WHERE closed_at IS NULL;
CREATE INDEX cases_closed_newest ON cases (id DESC) WHERE closed_at IS NOT NULL;

ALTER VIEW invariant_violations RENAME TO order_violations;

CREATE VIEW payment_violations AS
    SELECT 'a paid payment was said to be completed, with this amount and transaction' AS invariant, p.id::text AS what,
           p.state AS detail
    FROM payments p
    WHERE p.state IN ('paid', 'paid_extra') AND NOT EXISTS (
        SELECT FROM payment_lookups l WHERE l.payment_id = p.id AND lower(l.status) = 'completed'
        AND l.amount_paisa = p.amount_paisa AND l.transaction_id = p.transaction_id)
UNION ALL
    SELECT 'a paid order has exactly one payment of its total', o.id::text, o.payment
    FROM orders o
    WHERE o.payment IN ('paid', 'refund_due', 'refunded')
      AND 1 <> (SELECT count(*) FROM payments p WHERE p.about = o.id AND p.state = 'paid' AND p.amount_paisa = o.total_paisa)
UNION ALL
    SELECT 'no payment is lost', p.id::text, o.payment
    FROM payments p LEFT JOIN orders o ON o.id = p.about
    WHERE p.state = 'paid' AND (o.id IS NULL OR o.payment NOT IN ('paid', 'refund_due', 'refunded'))
UNION ALL
    SELECT 'what the wallet calls completed is settled', l.id::text, p.state
    FROM payment_lookups l JOIN payments p ON p.id = l.payment_id
    WHERE lower(l.status) = 'completed' AND l.transaction_id IS NOT NULL AND p.state NOT IN ('paid', 'paid_extra', 'conflict')
      AND l.at < now() - interval '10 minutes'
UNION ALL
    SELECT 'money to be given back has a refund', o.id::text, o.payment
    FROM orders o
    WHERE o.payment IN ('refund_due', 'refunded') AND NOT EXISTS (
        SELECT FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE p.about = o.id AND p.state = 'paid' AND r.state <> 'withdrawn'
          AND (o.payment = 'refund_due' OR r.state = 'confirmed'))
UNION ALL
    SELECT 'what was paid twice is given back', p.id::text, ''
    FROM payments p
    WHERE p.state = 'paid_extra' AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.state <> 'withdrawn')
UNION ALL
    SELECT 'no more is given back than came', p.id::text, sum(r.amount_paisa)::text
    FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.state <> 'withdrawn' GROUP BY p.id HAVING sum(r.amount_paisa) > coalesce(p.received_paisa, 0)
UNION ALL
    SELECT 'cash has no wallet', p.id::text, o.code FROM payments p JOIN orders o ON o.id = p.about WHERE o.method = 'COD'
UNION ALL
    SELECT 'an open payment is looked at', p.id::text, coalesce(p.next_check_at::text, 'never')
    FROM payments p
    WHERE p.state = 'initiated' AND (p.next_check_at IS NULL OR p.next_check_at < now() - interval '15 minutes')
      AND NOT EXISTS (SELECT FROM cases c WHERE c.order_id = p.about)
UNION ALL
    SELECT 'a payment that nobody can pay does not stay open', id::text, created_at::text
    FROM payments WHERE state = 'created' AND created_at < now() - interval '10 minutes'
UNION ALL
    SELECT 'another amount is somebody''s case', p.id::text, coalesce(p.received_paisa::text, '')
    FROM payments p
    WHERE p.state = 'conflict' AND NOT EXISTS (
        SELECT FROM cases c WHERE c.order_id = p.about AND c.kind IN ('amount_mismatch', 'transaction_reused'))
UNION ALL
    SELECT 'what is sent unpaid is somebody''s case', o.id::text, o.label
    FROM orders o
    WHERE o.method <> 'COD' AND o.dispatched AND o.label <> 'Cancelled' AND o.payment IN ('awaiting', 'failed', 'conflict')
      AND NOT EXISTS (SELECT FROM cases c WHERE c.order_id = o.id)
UNION ALL
    SELECT 'all placings of one order asked for the same', order_id::text, count(*)::text
    FROM placings GROUP BY order_id HAVING count(DISTINCT request_hash) > 1
UNION ALL
    SELECT 'a refund is sent in time', id::text, requested_at::text
    FROM refunds WHERE state = 'requested' AND requested_at < now() - interval '1 day';

-- The same unpaid order, asked for under another key, is one order with two placings: that rule is replaced.
CREATE VIEW invariant_violations AS
    SELECT * FROM order_violations WHERE invariant <> 'one placing makes one order'
UNION ALL
    SELECT * FROM payment_violations;

GRANT SELECT, INSERT, UPDATE ON payments, refunds TO thunse_app;
GRANT SELECT, INSERT ON payment_lookups TO thunse_app;
GRANT SELECT ON payment_violations, invariant_violations TO thunse_app;
