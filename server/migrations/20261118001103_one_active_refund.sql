-- no-transaction
-- The index of the migration before this one takes its place.
DROP INDEX CONCURRENTLY refunds_one_active;
