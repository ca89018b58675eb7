-- no-transaction
-- A barcode belongs to one product on sale; a removed product gives it free.
CREATE UNIQUE INDEX CONCURRENTLY products_barcode_unique ON products (barcode) WHERE barcode IS NOT NULL AND archived_at IS NULL;
