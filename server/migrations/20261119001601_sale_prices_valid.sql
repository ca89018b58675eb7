-- No sale has begun yet. Reads all products; they can be sold meanwhile (SHARE UPDATE EXCLUSIVE).
ALTER TABLE products VALIDATE CONSTRAINT products_sale_price;
