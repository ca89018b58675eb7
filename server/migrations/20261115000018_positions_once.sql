-- no-transaction
-- The one before does all that this one did.
DROP INDEX CONCURRENTLY products_by_position;
