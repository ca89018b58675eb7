-- no-transaction
-- Open cash orders by phone number, asked for when an account without a record places one. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY orders_open_cash_by_phone ON orders (phone_key(phone)) WHERE payment = 'cod_due';
