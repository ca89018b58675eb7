-- no-transaction
-- Orders that wait for their buyer to confirm: few at any time, looked through every minute. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY orders_to_confirm ON orders (confirm_by) WHERE confirm_by IS NOT NULL;
