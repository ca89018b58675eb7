-- no-transaction
-- Unpaid orders of a shopper, asked for at every placing. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY orders_unpaid ON orders (user_id) WHERE payment IN ('awaiting', 'failed');
