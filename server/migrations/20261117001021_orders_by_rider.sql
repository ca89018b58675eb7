-- no-transaction
-- The orders of a rider: few at any time. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY orders_by_rider ON orders (rider_id, created_at) WHERE rider_id IS NOT NULL;
