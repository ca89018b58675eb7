-- The barcode of a product, which a scanner types. A new nullable column (no rewrite, a lock of a moment).

SET LOCAL lock_timeout = '3s';

ALTER TABLE products ADD COLUMN barcode text;
