-- No product is sold by weight yet. Reads all products; they can be sold meanwhile (SHARE UPDATE EXCLUSIVE).
ALTER TABLE products VALIDATE CONSTRAINT products_sold_by_weight;
