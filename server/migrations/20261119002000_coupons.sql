-- Coupons (decision 097). Two new tables, and a nullable column (no rewrite, a lock of a moment).
--
-- Why it looks like this:
--   * A coupon lowers the unit prices of an order's lines, so that tax, packing, bills and refunds need to know nothing about it.
--     `order_items.price_before_coupon_paisa` keeps what the unit cost before.
--   * A use is never deleted: whether it counts is decided by the status of its order.
--   * A use keeps the limits that it was checked against, because the seller may change them later.

SET LOCAL lock_timeout = '3s';

CREATE TABLE coupons (
    id                 uuid PRIMARY KEY,
    code               text NOT NULL CONSTRAINT coupons_code CHECK (code ~ '^[A-Z0-9-]{3,20}$'),
    -- Either a share of the goods, up to a maximum, or an amount.
    percent            integer CONSTRAINT coupons_percent CHECK (percent BETWEEN 1 AND 90),
    max_discount_paisa bigint CONSTRAINT coupons_max_discount CHECK (max_discount_paisa > 0),
    amount_paisa       bigint CONSTRAINT coupons_amount CHECK (amount_paisa > 0),
    minimum_paisa      bigint NOT NULL CONSTRAINT coupons_minimum CHECK (minimum_paisa >= 0),
    starts_at          timestamptz NOT NULL,
    ends_at            timestamptz NOT NULL,
    uses_per_customer  integer NOT NULL CONSTRAINT coupons_uses_per_customer CHECK (uses_per_customer > 0),
    total_uses         integer CONSTRAINT coupons_total_uses CHECK (total_uses > 0),
    active             boolean NOT NULL,
    public             boolean NOT NULL,
    about              text NOT NULL,
    about_ne           text NOT NULL,
    version            integer NOT NULL,
    created_by         uuid NOT NULL,
    created_at         timestamptz NOT NULL,
    updated_at         timestamptz NOT NULL,
    CONSTRAINT coupons_one_kind CHECK (num_nonnulls(percent, amount_paisa) = 1
                                       AND (percent IS NOT NULL OR max_discount_paisa IS NULL)),
    CONSTRAINT coupons_dates CHECK (ends_at > starts_at)
);
CREATE UNIQUE INDEX coupons_by_code ON coupons (code);

CREATE TABLE coupon_uses (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    coupon_id         uuid NOT NULL CONSTRAINT coupon_uses_coupon REFERENCES coupons (id),
    order_id          uuid NOT NULL CONSTRAINT coupon_uses_order REFERENCES orders (id),
    user_id           uuid NOT NULL,
    discount_paisa    bigint NOT NULL CONSTRAINT coupon_uses_discount CHECK (discount_paisa >= 0),
    uses_per_customer integer NOT NULL,
    total_uses        integer,
    created_at        timestamptz NOT NULL
);
CREATE UNIQUE INDEX coupon_uses_of_order ON coupon_uses (order_id);
CREATE INDEX coupon_uses_of_coupon ON coupon_uses (coupon_id, user_id);

ALTER TABLE order_items ADD COLUMN price_before_coupon_paisa bigint;
ALTER TABLE order_items ADD CONSTRAINT order_items_price_before_coupon CHECK (price_before_coupon_paisa >= price_paisa) NOT VALID;

GRANT SELECT, INSERT ON coupons, coupon_uses TO thunse_app;
GRANT UPDATE (percent, max_discount_paisa, amount_paisa, minimum_paisa, starts_at, ends_at, uses_per_customer, total_uses, active,
              public, about, about_ne, version, updated_at) ON coupons TO thunse_app;
