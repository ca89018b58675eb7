-- no-transaction
-- Orders that were not paid and have not ended: few at any time, looked through every minute. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY orders_not_paid ON orders (id) WHERE payment = 'failed' AND label = 'Order Placed';
