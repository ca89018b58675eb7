-- no-transaction
-- Any part of what was done and to what. Takes no lock that a seller would wait for.
CREATE INDEX CONCURRENTLY audit_log_parts ON audit_log USING gin (lower(action || ' ' || about || ' ' || object) gin_trgm_ops);
