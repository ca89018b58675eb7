-- no-transaction
-- The page of offers lists these few products.
CREATE INDEX CONCURRENTLY products_discounted ON products (position, id) WHERE was_price_paisa IS NOT NULL AND archived_at IS NULL;
