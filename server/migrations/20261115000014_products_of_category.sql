-- no-transaction
-- All products of a category, archived ones too: for deleting it. Takes no lock that a sale would wait for, and a sale does not
-- write to it.
CREATE INDEX CONCURRENTLY products_of_category ON products (category_id);
