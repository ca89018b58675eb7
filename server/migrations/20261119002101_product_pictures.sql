-- Further pictures of a product, in the order of its page (decision 101). The main one stays in `picture_key`. A column with a
-- constant default (no rewrite, a lock of a moment).

SET LOCAL lock_timeout = '3s';

ALTER TABLE products ADD COLUMN more_picture_keys text[] NOT NULL DEFAULT '{}';
ALTER TABLE products ADD CONSTRAINT products_more_pictures CHECK (cardinality(more_picture_keys) <= 7) NOT VALID;
