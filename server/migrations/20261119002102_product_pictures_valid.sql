-- No product has further pictures yet. Reads all products; they can be sold meanwhile (SHARE UPDATE EXCLUSIVE).
ALTER TABLE products VALIDATE CONSTRAINT products_more_pictures;
