-- no-transaction
-- The order of prices with the names beside it: looking for a name in this order need not visit the products (a quarter more
-- in size, fifteen times faster). Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY products_by_price_with_name ON products (price_paisa, id) INCLUDE (name_key) WHERE archived_at IS NULL;
