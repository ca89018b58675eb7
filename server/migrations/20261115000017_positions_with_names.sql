-- no-transaction
-- The same for the order in which the seller added things.
CREATE INDEX CONCURRENTLY products_by_position_with_name ON products (position, id) INCLUDE (name_key) WHERE archived_at IS NULL;
