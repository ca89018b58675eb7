-- Packing: what was really put into the bag, beside what was ordered. New tables; new nullable or constant columns on orders and
-- refunds (no rewrite, a lock of a moment).
--
-- Why it looks like this:
--   * The lines of an order never change. An adjustment is a row of its own that says what was packed instead, by whom and why.
--   * An order is packed once, in one transaction. The row in order_packings is the proof, and a second request finds it.
--   * A part of a payment goes back as a refund of its own, beside the one of the whole payment when the order is cancelled.

SET LOCAL lock_timeout = '3s';

-- What the shopper owes after packing; null as long as the order is not packed, that is its total.
ALTER TABLE orders ADD COLUMN amount_due_paisa bigint;

ALTER TABLE refunds ADD COLUMN is_partial boolean NOT NULL DEFAULT false;
ALTER TABLE payments DROP CONSTRAINT payments_provider_status;
ALTER TABLE payments ADD CONSTRAINT payments_provider_status CHECK (provider_status IN
    ('completed', 'pending', 'initiated', 'over', 'refunded', 'partly_refunded', 'unclear')) NOT VALID;

CREATE TABLE order_packings (
    order_id       uuid PRIMARY KEY REFERENCES orders (id),
    user_id        uuid NOT NULL REFERENCES users (id),
    packed_by      uuid NOT NULL REFERENCES sellers (id),
    packed_at      timestamptz NOT NULL,
    -- The quote of what was packed, with the fees and rates of the order.
    subtotal_paisa bigint NOT NULL,
    tax_paisa      bigint NOT NULL,
    shipping_paisa bigint NOT NULL,
    total_paisa    bigint NOT NULL,
    -- The most that the shopper has agreed to pay, and how.
    agreed_paisa   bigint NOT NULL,
    agreed_by      text NOT NULL CONSTRAINT order_packings_agreed_by CHECK (agreed_by IN ('order', 'link', 'call')),
    -- Whom the packer spoke to on the phone.
    agreed_name    text NOT NULL DEFAULT '',
    due_paisa      bigint NOT NULL,
    CONSTRAINT order_packings_total CHECK (total_paisa = subtotal_paisa + tax_paisa + shipping_paisa),
    CONSTRAINT order_packings_due CHECK (due_paisa = least(total_paisa, agreed_paisa) AND due_paisa >= 0),
    CONSTRAINT order_packings_call CHECK (agreed_by = 'call' OR agreed_name = '')
);
CREATE INDEX order_packings_by_user ON order_packings (user_id);

CREATE TABLE order_adjustments (
    order_id                  uuid NOT NULL REFERENCES orders (id),
    product_id                uuid NOT NULL REFERENCES products (id),
    kind                      text NOT NULL CONSTRAINT order_adjustments_kind CHECK (kind IN ('fewer', 'none', 'replaced')),
    quantity_before           integer NOT NULL,
    quantity_after            integer NOT NULL,
    -- The product that was packed instead, as it was at that time, with the price that is charged for it.
    replacement_id            uuid REFERENCES products (id),
    replacement_name          text,
    replacement_name_ne       text,
    replacement_pack_label    text,
    replacement_pack_label_ne text,
    replacement_price_paisa   bigint,
    replacement_tax_class     text,
    replacement_quantity      integer,
    reason                    text NOT NULL CONSTRAINT order_adjustments_reason CHECK (reason IN ('not_available', 'damaged', 'not_wanted')),
    seller                    uuid NOT NULL REFERENCES sellers (id),
    at                        timestamptz NOT NULL,
    CONSTRAINT order_adjustments_key PRIMARY KEY (order_id, product_id),
    CONSTRAINT order_adjustments_quantity CHECK (quantity_after >= 0 AND quantity_after < quantity_before),
    CONSTRAINT order_adjustments_replacement CHECK (CASE WHEN kind = 'replaced'
        THEN replacement_id <> product_id AND replacement_name IS NOT NULL AND replacement_price_paisa >= 0
             AND replacement_tax_class IS NOT NULL AND replacement_quantity > 0
        ELSE num_nonnulls(replacement_id, replacement_name, replacement_price_paisa, replacement_quantity) = 0 END),
    CONSTRAINT order_adjustments_none CHECK (kind = 'replaced' OR (kind = 'none') = (quantity_after = 0))
);

-- A price above the agreed one that the shopper is asked about; the answer is added once.
CREATE TABLE packing_proposals (
    id          uuid PRIMARY KEY,
    order_id    uuid NOT NULL REFERENCES orders (id),
    user_id     uuid NOT NULL REFERENCES users (id),
    total_paisa bigint NOT NULL CONSTRAINT packing_proposals_total CHECK (total_paisa > 0),
    -- What the shopper is asked about, one entry for each line that differs from the order.
    lines       jsonb NOT NULL,
    seller      uuid NOT NULL REFERENCES sellers (id),
    asked_at    timestamptz NOT NULL,
    accepted    boolean,
    answered_at timestamptz,
    CONSTRAINT packing_proposals_answer CHECK ((accepted IS NULL) = (answered_at IS NULL))
);
CREATE INDEX packing_proposals_by_order ON packing_proposals (order_id, id DESC);

-- Only the name of the person on the phone is ever changed: it is erased with the account.
GRANT SELECT, INSERT ON order_packings, order_adjustments, packing_proposals TO thunse_app;
GRANT UPDATE (agreed_name) ON order_packings TO thunse_app;
GRANT UPDATE (accepted, answered_at) ON packing_proposals TO thunse_app;
