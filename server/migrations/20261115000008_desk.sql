-- The seller's desk: what is nearly sold out, products from spreadsheets, what the shop says of itself, and a readable name in
-- the audit log. New tables; on products two triggers and one relaxed column, on audit_log one column with a constant
-- default (no rewrite). The strongest lock comes first and is held for a moment; where it cannot be had within three seconds the
-- migration fails and can be run again.

-- Rather than let all sales queue behind a long reader: try again later.
SET LOCAL lock_timeout = '3s';

-- A category can go when only archived products were in it: those forget it.
ALTER TABLE products ALTER COLUMN category_id DROP NOT NULL;
ALTER TABLE products ADD CONSTRAINT products_category_while_sold
    CHECK (category_id IS NOT NULL OR archived_at IS NOT NULL) NOT VALID;

-- Products with ten units or fewer, with what the desk filters and orders them by, kept by the triggers below. `stock` stays out
-- of every index of products, so that selling what there is plenty of remains a HOT update and costs nothing here.
CREATE TABLE scarce_products (
    product_id  uuid PRIMARY KEY REFERENCES products (id),
    stock       integer NOT NULL,
    position    bigint NOT NULL,
    category_id uuid NOT NULL,
    name_key    text COLLATE "C" NOT NULL,
    price_paisa bigint NOT NULL
);
CREATE INDEX scarce_products_by_stock ON scarce_products (stock, position, product_id);

CREATE FUNCTION keep_scarce_products() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.archived_at IS NULL AND NEW.stock <= 10 THEN
        INSERT INTO scarce_products (product_id, stock, position, category_id, name_key, price_paisa)
        VALUES (NEW.id, NEW.stock, NEW.position, NEW.category_id, NEW.name_key, NEW.price_paisa)
        ON CONFLICT (product_id) DO UPDATE SET stock = excluded.stock, category_id = excluded.category_id,
            name_key = excluded.name_key, price_paisa = excluded.price_paisa;
    ELSE
        DELETE FROM scarce_products WHERE product_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;
CREATE TRIGGER products_added_scarce AFTER INSERT ON products
    FOR EACH ROW WHEN (NEW.stock <= 10) EXECUTE FUNCTION keep_scarce_products();
CREATE TRIGGER products_scarce AFTER UPDATE ON products
    FOR EACH ROW
    WHEN ((OLD.stock <= 10 OR NEW.stock <= 10)
          AND (OLD.stock, OLD.archived_at, OLD.category_id, OLD.name_key, OLD.price_paisa)
              IS DISTINCT FROM (NEW.stock, NEW.archived_at, NEW.category_id, NEW.name_key, NEW.price_paisa))
    EXECUTE FUNCTION keep_scarce_products();

-- Products whose name holds a text, at most so many, always by the index of the parts of names: `short` is the text itself when
-- it has one or two letters, else null. Left to itself the planner may walk all products in some order, hoping to meet the
-- first matches soon; where matches are all dear or all old, that takes seconds.
CREATE FUNCTION named_products(pattern text, short text, most bigint) RETURNS TABLE (
    id uuid, "position" bigint, name_key text, price_paisa bigint)
LANGUAGE plpgsql STABLE
SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
BEGIN
    IF short IS NULL THEN
        RETURN QUERY SELECT p.id, p.position, p.name_key, p.price_paisa FROM products p
                     WHERE p.archived_at IS NULL AND p.name_key LIKE pattern LIMIT most;
    ELSE
        RETURN QUERY SELECT p.id, p.position, p.name_key, p.price_paisa FROM products p
                     WHERE p.archived_at IS NULL AND short_parts(p.name_key) @> ARRAY[short] LIMIT most;
    END IF;
END $$;

-- A spreadsheet that a seller sent: kept, checked and applied by background jobs. Forgotten after a month.
CREATE TABLE imports (
    id          uuid PRIMARY KEY,
    seller      uuid NOT NULL,
    file_name   text NOT NULL,
    -- Empty once it is done with.
    file        bytea NOT NULL,
    file_hash   bytea NOT NULL,
    state       text NOT NULL DEFAULT 'checking' CONSTRAINT imports_state CHECK (state IN
                    ('checking', 'checked', 'refused', 'applying', 'applied', 'failed', 'cancelled')),
    done        integer NOT NULL DEFAULT 0,
    total       integer NOT NULL DEFAULT 0,
    -- Of its rows, by kind.
    adds        integer NOT NULL DEFAULT 0,
    updates     integer NOT NULL DEFAULT 0,
    sames       integer NOT NULL DEFAULT 0,
    errors      integer NOT NULL DEFAULT 0,
    message     text NOT NULL DEFAULT '',
    created_at  timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz
);
CREATE TABLE import_rows (
    import_id uuid NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    -- As a spreadsheet counts: the header is row 1.
    row       integer NOT NULL,
    kind      text NOT NULL CONSTRAINT import_rows_kind CHECK (kind IN ('add', 'update', 'same', 'error')),
    slug      text NOT NULL,
    name      text NOT NULL,
    changes   jsonb NOT NULL,
    errors    jsonb NOT NULL,
    -- What the row was held against: applied is what was checked, or nothing.
    product_id   uuid,
    version_seen timestamptz,
    stock_seen   integer,
    CONSTRAINT import_rows_key PRIMARY KEY (import_id, row)
);
CREATE INDEX import_rows_by_kind ON import_rows (import_id, kind, row);
CREATE INDEX imports_applied ON imports (file_hash) WHERE state = 'applied';

-- What the shop says of itself, where the seller has said something else than the environment. One row at most.
CREATE TABLE shop_settings (
    the_one    boolean PRIMARY KEY DEFAULT true CONSTRAINT shop_settings_once CHECK (the_one),
    settings   jsonb NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT clock_timestamp()
);
-- Every page carries them: all kept answers go.
CREATE TRIGGER shop_settings_changed AFTER INSERT OR UPDATE ON shop_settings
    FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed('detail');

-- What people call the thing: a product's name, an order's number.
ALTER TABLE audit_log ADD COLUMN about text NOT NULL DEFAULT '';

CREATE VIEW catalogue_violations AS
    SELECT 'what is scarce is listed as such' AS invariant, p.id::text AS what,
           format('stock %s, listed %s', p.stock, s.stock) AS detail
    FROM products p LEFT JOIN scarce_products s ON s.product_id = p.id
    WHERE CASE WHEN p.archived_at IS NULL AND p.stock <= 10
               THEN (s.stock, s.category_id, s.name_key, s.price_paisa) IS DISTINCT FROM (p.stock, p.category_id, p.name_key, p.price_paisa)
               ELSE s.product_id IS NOT NULL END;

CREATE OR REPLACE VIEW invariant_violations AS
    SELECT * FROM order_violations WHERE invariant <> 'one placing makes one order'
UNION ALL
    SELECT * FROM payment_violations
UNION ALL
    SELECT * FROM catalogue_violations;

GRANT SELECT, INSERT, UPDATE, DELETE ON scarce_products, imports, import_rows TO thunse_app;
GRANT SELECT, INSERT, UPDATE ON shop_settings TO thunse_app;
GRANT SELECT ON catalogue_violations TO thunse_app;
