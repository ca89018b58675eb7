-- no-transaction
-- Any part of an address. Takes no lock that anybody waits for.
CREATE INDEX CONCURRENTLY subscribers_email_parts ON subscribers USING gin (lower(email) gin_trgm_ops);
