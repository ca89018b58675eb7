-- no-transaction
-- The seller finds orders by any part of a customer's name or phone number. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY orders_contact_parts ON orders USING gin (order_contact(recipient, phone) gin_trgm_ops);
