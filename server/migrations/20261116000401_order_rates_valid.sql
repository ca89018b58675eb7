-- Every order of before keeps the checks of the migration before this one. Reads all orders; they can be placed meanwhile
-- (SHARE UPDATE EXCLUSIVE).
ALTER TABLE orders VALIDATE CONSTRAINT orders_tax, VALIDATE CONSTRAINT orders_taxable,
    VALIDATE CONSTRAINT orders_shipping, VALIDATE CONSTRAINT orders_rates;
