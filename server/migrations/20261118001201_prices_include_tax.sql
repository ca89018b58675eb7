-- Prices may include the tax. Each order stores whether its prices did, and the sums are checked accordingly. Then the
-- subtotal and the taxable amount are without the tax, so that the total is the sum of its parts as before.
-- Locks: ACCESS EXCLUSIVE on orders for a moment; the new checks are NOT VALID and validated by the next migration. The previous
-- version goes on: it leaves the column to its default.
SET LOCAL lock_timeout = '3s';

ALTER TABLE orders
    ADD COLUMN prices_include_tax boolean NOT NULL DEFAULT false,
    DROP CONSTRAINT orders_tax,
    DROP CONSTRAINT orders_shipping;
ALTER TABLE orders
    ADD CONSTRAINT orders_tax CHECK (tax_paisa = CASE
        WHEN prices_include_tax
        THEN ((taxable_paisa + tax_paisa) * tax_rate_bp * 2 + 10000 + tax_rate_bp) / (2 * (10000 + tax_rate_bp))
        ELSE (taxable_paisa * tax_rate_bp * 2 + 10000) / 20000 END) NOT VALID,
    ADD CONSTRAINT orders_shipping CHECK (shipping_paisa = CASE
        WHEN subtotal_paisa + CASE WHEN prices_include_tax THEN tax_paisa ELSE 0 END > free_above_paisa THEN 0
        ELSE fee_paisa END) NOT VALID;
