-- Lists what is scarce already, now that the triggers keep the list. Reads all products; a sale of one of the scarce waits
-- until this is through (a second at a million products), the others do not.
INSERT INTO scarce_products (product_id, stock, position, category_id, name_key, price_paisa)
SELECT id, stock, position, category_id, name_key, price_paisa FROM products WHERE archived_at IS NULL AND stock <= 10 FOR NO KEY UPDATE
ON CONFLICT (product_id) DO NOTHING;
ALTER TABLE products VALIDATE CONSTRAINT products_category_while_sold;
