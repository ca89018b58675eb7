-- no-transaction
-- What one seller did, newest first. Takes no lock that a seller would wait for.
CREATE INDEX CONCURRENTLY audit_log_by_seller ON audit_log (seller, id);
