-- Who delivers an order. A nullable column without a default: no rewrite, and no row to check against the foreign key. A lock of a
-- moment; where it cannot be had within three seconds the migration fails and can be run again.
SET LOCAL lock_timeout = '3s';
ALTER TABLE orders ADD COLUMN rider_id uuid CONSTRAINT orders_rider REFERENCES sellers (id);
GRANT UPDATE (rider_id) ON orders TO thunse_app;
