-- no-transaction
-- The newest orders with a product, for the seller's search. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY order_items_of_product ON order_items (product_id, order_id);
