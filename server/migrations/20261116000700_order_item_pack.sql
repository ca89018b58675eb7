-- The pack size stands on the order line as the product had it when it was bought. Two nullable columns without a default (no
-- rewrite, a lock of a moment); orders from before stay without one, because the product may have changed since.
SET LOCAL lock_timeout = '3s';

ALTER TABLE order_items ADD COLUMN pack_label text, ADD COLUMN pack_label_ne text;

-- The same function with two columns more at its end: an instance of the version before selects its columns by name.
DROP FUNCTION offered(uuid[]);
CREATE FUNCTION offered(ids uuid[]) RETURNS TABLE (
    id uuid, name text, name_ne text, picture_key text, price_paisa bigint, tax_class text, stock integer, on_sale boolean,
    pack_label text, pack_label_ne text)
LANGUAGE sql STABLE AS $$
    SELECT p.id, p.name, p.name_ne, p.picture_key, p.price_paisa, p.tax_class, p.stock, p.archived_at IS NULL,
           p.pack_label, p.pack_label_ne
    FROM products p WHERE p.id = ANY (ids)
$$;
