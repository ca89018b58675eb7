-- Goods that are sold by weight (decision 080). New columns with constant defaults and a new table (no rewrite, a lock of a moment).
--
-- Why it looks like this:
--   * The pack of such a product is its step, 50 g to 1 kg: stock, carts and orders count whole steps, and the price is that of a step.
--   * A line remembers its step, and an order how much heavier than ordered its goods may be charged.
--   * A weight is a row of its own, like an adjustment: the lines of an order never change.

SET LOCAL lock_timeout = '3s';

ALTER TABLE products ADD COLUMN sold_by_weight boolean NOT NULL DEFAULT false;
ALTER TABLE products ADD CONSTRAINT products_sold_by_weight CHECK (NOT sold_by_weight
    OR coalesce(CASE pack_measure WHEN 'kg' THEN pack_milli WHEN 'g' THEN pack_milli / 1000 END BETWEEN 50 AND 1000, false)) NOT VALID;
ALTER TABLE order_items ADD COLUMN step_grams integer;
ALTER TABLE orders ADD COLUMN weight_tolerance_bp integer NOT NULL DEFAULT 1000;

-- What the packed units of a line weigh together, and what is charged for them.
CREATE TABLE packed_weights (
    order_id     uuid NOT NULL REFERENCES orders (id),
    product_id   uuid NOT NULL REFERENCES products (id),
    grams        integer NOT NULL CONSTRAINT packed_weights_grams CHECK (grams > 0),
    amount_paisa bigint NOT NULL CONSTRAINT packed_weights_amount CHECK (amount_paisa >= 0),
    CONSTRAINT packed_weights_key PRIMARY KEY (order_id, product_id)
);
GRANT SELECT, INSERT ON packed_weights TO thunse_app;
