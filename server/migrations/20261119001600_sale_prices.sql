-- Sale prices with their dates (decision 095). A new table, and two nullable columns (no rewrite, a lock of a moment).
--
-- Why it looks like this:
--   * While a sale runs, `products.price_paisa` is the sale price, so that carts, orders, filters and sorting need no second price.
--   * `regular_price_paisa` is the price that comes back, and the one that the seller edits meanwhile.
--   * `was_price_paisa` is shown struck through: the price before the sale, or a lower regular price since, never a higher one.
--   * What was planned never changes; only the times at which a sale began and ended are added.

SET LOCAL lock_timeout = '3s';

ALTER TABLE products ADD COLUMN regular_price_paisa bigint;
ALTER TABLE products ADD COLUMN was_price_paisa bigint;
ALTER TABLE products ADD CONSTRAINT products_sale_price CHECK (
    CASE WHEN regular_price_paisa IS NULL THEN was_price_paisa IS NULL
         ELSE coalesce(price_paisa < was_price_paisa AND was_price_paisa <= regular_price_paisa, false) END) NOT VALID;

CREATE TABLE sale_prices (
    id              uuid PRIMARY KEY,
    product_id      uuid NOT NULL CONSTRAINT sale_prices_product REFERENCES products (id),
    price_paisa     bigint NOT NULL CONSTRAINT sale_prices_price CHECK (price_paisa > 0),
    starts_at       timestamptz NOT NULL,
    ends_at         timestamptz NOT NULL,
    created_by      uuid NOT NULL,
    created_at      timestamptz NOT NULL,
    -- When the price was really changed, and what it was until then.
    started_at      timestamptz,
    was_price_paisa bigint,
    -- When the price came back, or when a sale was given up that had not begun.
    ended_at        timestamptz,
    -- Absent if nobody ended it.
    ended_by        uuid,
    CONSTRAINT sale_prices_dates CHECK (ends_at > starts_at),
    CONSTRAINT sale_prices_started CHECK (CASE WHEN started_at IS NULL THEN was_price_paisa IS NULL
        ELSE coalesce(was_price_paisa > price_paisa, false) END),
    CONSTRAINT sale_prices_ended CHECK (ended_by IS NULL OR ended_at IS NOT NULL)
);
CREATE INDEX sale_prices_of_product ON sale_prices (product_id, starts_at DESC);
CREATE UNIQUE INDEX sale_prices_running ON sale_prices (product_id) WHERE started_at IS NOT NULL AND ended_at IS NULL;
CREATE INDEX sale_prices_open ON sale_prices (starts_at) WHERE ended_at IS NULL;

GRANT SELECT, INSERT ON sale_prices TO thunse_app;
GRANT UPDATE (started_at, was_price_paisa, ended_at, ended_by) ON sale_prices TO thunse_app;
