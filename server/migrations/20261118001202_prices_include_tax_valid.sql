-- Validates the checks of the migration before; orders can be placed meanwhile.
ALTER TABLE orders VALIDATE CONSTRAINT orders_tax, VALIDATE CONSTRAINT orders_shipping;
