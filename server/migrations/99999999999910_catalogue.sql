-- The catalogue's functions, triggers and views, with their current body. Files from 99999999999900 on are repeatable: `thunse
-- migrate` runs one again whenever its text has changed (docs/how-to/write-a-migration.md).

-- Every letter and every pair of neighbouring letters of a text. An index is built on it: a change of the result wants a REINDEX.
CREATE OR REPLACE FUNCTION letters_and_bigrams(whole text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT string_to_array(whole, NULL)
        || ARRAY(SELECT a || b
                 FROM unnest(string_to_array(whole, NULL), (string_to_array(whole, NULL))[2:]) pairs (a, b)
                 WHERE b IS NOT NULL)
$$;

-- Products whose name contains a text, at most `most` of them, always by an index of the parts of names: `short` is the text itself
-- when it has one or two letters, else null. Left alone the planner may walk all products in the order of the result and hope
-- for early matches, which takes seconds when there are none.
CREATE OR REPLACE FUNCTION find_products_by_name(pattern text, short text, most bigint)
RETURNS TABLE (id uuid, "position" bigint, name_key text, price_paisa bigint)
LANGUAGE plpgsql STABLE SET enable_seqscan = off SET enable_indexscan = off SET enable_indexonlyscan = off AS $$
BEGIN
    IF short IS NULL THEN
        RETURN QUERY SELECT p.id, p.position, p.name_key, p.price_paisa FROM products p
                     WHERE p.archived_at IS NULL AND p.name_key LIKE pattern LIMIT most;
    ELSE
        RETURN QUERY SELECT p.id, p.position, p.name_key, p.price_paisa FROM products p
                     WHERE p.archived_at IS NULL AND letters_and_bigrams(p.name_key) @> ARRAY[short] LIMIT most;
    END IF;
END $$;

-- Products as they are offered now. Archived ones are included, marked as not on sale, so that the caller can say so.
CREATE OR REPLACE FUNCTION product_offers(ids uuid[]) RETURNS TABLE (
    id uuid, name text, name_ne text, picture_key text, price_paisa bigint, tax_class text, stock integer, on_sale boolean,
    pack_label text, pack_label_ne text)
LANGUAGE sql STABLE AS $$
    SELECT p.id, p.name, p.name_ne, p.picture_key, p.price_paisa, p.tax_class, p.stock, p.archived_at IS NULL,
           p.pack_label, p.pack_label_ne
    FROM products p WHERE p.id = ANY (ids)
$$;

-- What a unit of a product that is sold by weight weighs as expected; null for all other products.
CREATE OR REPLACE FUNCTION product_step_grams(of_product uuid) RETURNS integer LANGUAGE sql STABLE AS $$
    SELECT CASE WHEN p.sold_by_weight THEN CASE p.pack_measure WHEN 'kg' THEN p.pack_milli ELSE p.pack_milli / 1000 END END
    FROM products p WHERE p.id = of_product
$$;

-- The only way in which an order takes stock: all of it, or an error that undoes the whole statement. `prices`, when given, must
-- still be the prices, and the products on sale. Rows are locked in the order of their ids, so that two orders of the same
-- products cannot deadlock.
CREATE OR REPLACE FUNCTION take_stock(for_order uuid, ids uuid[], quantities integer[], prices bigint[], reason text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    available bigint;
BEGIN
    SELECT count(*) FILTER (WHERE locked.stock >= locked.quantity
                              AND (prices IS NULL OR (locked.price_paisa = locked.price AND locked.archived_at IS NULL)))
    INTO available
    FROM (SELECT p.stock, p.price_paisa, p.archived_at, item.quantity, item.price
          FROM products p JOIN unnest(ids, quantities, prices) item (id, quantity, price) ON item.id = p.id
          ORDER BY p.id FOR NO KEY UPDATE OF p) locked;
    IF available < cardinality(ids) THEN
        RAISE EXCEPTION 'stock or price has changed' USING ERRCODE = 'TS001';
    END IF;
    UPDATE products p SET stock = p.stock - item.quantity
    FROM unnest(ids, quantities) item (id, quantity) WHERE p.id = item.id;
    INSERT INTO stock_movements (product_id, order_id, delta, reason)
    SELECT item.id, for_order, -item.quantity, take_stock.reason FROM unnest(ids, quantities) item (id, quantity);
    RETURN true;
END $$;

-- Returns exactly what an order still has, by the ledger: a second call finds nothing.
CREATE OR REPLACE FUNCTION release_stock(of_order uuid, reason text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM products p
    WHERE p.id IN (SELECT m.product_id FROM stock_movements m WHERE m.order_id = of_order)
    ORDER BY p.id FOR NO KEY UPDATE;
    WITH owned AS (
        SELECT m.product_id, -sum(m.delta)::integer AS units FROM stock_movements m WHERE m.order_id = of_order
        GROUP BY m.product_id HAVING sum(m.delta) < 0
    ), released AS (
        UPDATE products p SET stock = p.stock + owned.units FROM owned WHERE p.id = owned.product_id
    )
    INSERT INTO stock_movements (product_id, order_id, delta, reason)
    SELECT owned.product_id, of_order, owned.units, release_stock.reason FROM owned;
END $$;

-- Tells every instance that its cached responses are out of date: 'detail' when a product or a category reads differently, 'range'
-- when the set of products changed. A change of stock alone is not announced, because notifying transactions commit one after
-- the other and a sale must not queue there: cached responses live 15 s at most, and going in or out of stock is announced.
CREATE OR REPLACE FUNCTION notify_catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('catalogue', TG_ARGV[0]);
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_added_or_removed AFTER INSERT OR DELETE ON products
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('range');
CREATE OR REPLACE TRIGGER products_moved AFTER UPDATE ON products
    FOR EACH ROW
    WHEN ((OLD.category_id, OLD.archived_at) IS DISTINCT FROM (NEW.category_id, NEW.archived_at))
    EXECUTE FUNCTION notify_catalogue_changed('range');
CREATE OR REPLACE TRIGGER products_changed AFTER UPDATE ON products
    FOR EACH ROW
    WHEN ((OLD.slug, OLD.name, OLD.name_ne, OLD.description, OLD.description_ne, OLD.aliases, OLD.tags, OLD.tags_ne,
           OLD.price_paisa, OLD.was_price_paisa, OLD.tax_class, OLD.rating_tenths, OLD.reviews, OLD.pack_milli,
           OLD.pack_measure, OLD.pack_label, OLD.pack_label_ne, OLD.sold_by_weight, OLD.picture_key,
           OLD.more_picture_keys, OLD.search_words, OLD.stock = 0)
          IS DISTINCT FROM
          (NEW.slug, NEW.name, NEW.name_ne, NEW.description, NEW.description_ne, NEW.aliases, NEW.tags, NEW.tags_ne,
           NEW.price_paisa, NEW.was_price_paisa, NEW.tax_class, NEW.rating_tenths, NEW.reviews, NEW.pack_milli,
           NEW.pack_measure, NEW.pack_label, NEW.pack_label_ne, NEW.sold_by_weight, NEW.picture_key,
           NEW.more_picture_keys, NEW.search_words, NEW.stock = 0))
    EXECUTE FUNCTION notify_catalogue_changed('detail');
CREATE OR REPLACE TRIGGER categories_changed AFTER INSERT OR UPDATE OR DELETE ON categories
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');
-- Every page shows the shop's settings.
CREATE OR REPLACE TRIGGER shop_settings_changed AFTER INSERT OR UPDATE ON shop_settings
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');
-- Every page also names the season of the home page.
CREATE OR REPLACE TRIGGER seasons_changed AFTER INSERT OR UPDATE OR DELETE ON seasons
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');
-- The policy pages are cached like all others.
CREATE OR REPLACE TRIGGER policy_versions_changed AFTER INSERT ON policy_versions
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');

-- Keeps the list of products that are low in stock, from which the seller's filter and count are read.
CREATE OR REPLACE FUNCTION sync_low_stock_products() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    threshold integer := (SELECT t.max_stock FROM low_stock_threshold t);
BEGIN
    IF NEW.archived_at IS NULL AND NEW.stock <= threshold THEN
        INSERT INTO low_stock_products (product_id, stock, position, category_id, name_key, price_paisa)
        VALUES (NEW.id, NEW.stock, NEW.position, NEW.category_id, NEW.name_key, NEW.price_paisa)
        ON CONFLICT (product_id) DO UPDATE SET stock = excluded.stock, category_id = excluded.category_id,
            name_key = excluded.name_key, price_paisa = excluded.price_paisa;
    ELSIF TG_OP = 'UPDATE' AND OLD.stock <= threshold THEN
        DELETE FROM low_stock_products WHERE product_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;

-- 100 is the highest threshold, so a sale of a product with more than that does no work here.
CREATE OR REPLACE TRIGGER products_inserted_low_stock AFTER INSERT ON products
    FOR EACH ROW WHEN (NEW.stock <= 100) EXECUTE FUNCTION sync_low_stock_products();
CREATE OR REPLACE TRIGGER products_updated_low_stock AFTER UPDATE ON products
    FOR EACH ROW
    WHEN ((OLD.stock <= 100 OR NEW.stock <= 100)
          AND (OLD.stock, OLD.archived_at, OLD.category_id, OLD.name_key, OLD.price_paisa)
              IS DISTINCT FROM (NEW.stock, NEW.archived_at, NEW.category_id, NEW.name_key, NEW.price_paisa))
    EXECUTE FUNCTION sync_low_stock_products();

-- A changed threshold builds the list anew (a second at a million products) while sales wait, so that no sale is missed. It gives
-- up after two seconds when it cannot begin. SECURITY DEFINER, because the serving role may not lock the table.
CREATE OR REPLACE FUNCTION rebuild_low_stock_products() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    threshold integer := coalesce((NEW.settings ->> 'lowStock')::integer, 10);
BEGIN
    IF threshold = (SELECT t.max_stock FROM low_stock_threshold t) THEN
        RETURN NULL;
    END IF;
    PERFORM set_config('lock_timeout', '2s', true);
    LOCK TABLE products IN SHARE MODE;
    UPDATE low_stock_threshold SET max_stock = threshold;
    DELETE FROM low_stock_products WHERE stock > threshold;
    INSERT INTO low_stock_products (product_id, stock, position, category_id, name_key, price_paisa)
    SELECT id, stock, position, category_id, name_key, price_paisa FROM products WHERE archived_at IS NULL AND stock <= threshold
    ON CONFLICT (product_id) DO NOTHING;
    RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION rebuild_low_stock_products() FROM PUBLIC;
CREATE OR REPLACE TRIGGER shop_settings_low_stock AFTER INSERT OR UPDATE ON shop_settings
    FOR EACH ROW EXECUTE FUNCTION rebuild_low_stock_products();

CREATE OR REPLACE VIEW catalogue_violations AS
    SELECT 'low-stock products are listed as such' AS invariant, p.id::text AS what,
           format('stock %s, listed %s', p.stock, l.stock) AS detail
    FROM products p LEFT JOIN low_stock_products l ON l.product_id = p.id
    WHERE CASE WHEN p.archived_at IS NULL AND p.stock <= (SELECT t.max_stock FROM low_stock_threshold t)
               THEN (l.stock, l.category_id, l.name_key, l.price_paisa)
                    IS DISTINCT FROM (p.stock, p.category_id, p.name_key, p.price_paisa)
               ELSE l.product_id IS NOT NULL END
UNION ALL
    SELECT 'a product has a former price exactly while a sale runs', coalesce(p.id, s.product_id)::text,
           format('price %s, was %s, sale %s of %s', p.price_paisa, p.was_price_paisa, s.price_paisa, s.was_price_paisa)
    FROM (SELECT id, price_paisa, was_price_paisa, archived_at FROM products WHERE was_price_paisa IS NOT NULL) p
    FULL JOIN (SELECT product_id, price_paisa, was_price_paisa FROM sale_prices
               WHERE started_at IS NOT NULL AND ended_at IS NULL) s ON s.product_id = p.id
    WHERE (p.was_price_paisa > p.price_paisa AND p.was_price_paisa <= s.was_price_paisa AND p.price_paisa = s.price_paisa
           AND p.archived_at IS NULL) IS NOT TRUE
UNION ALL
    SELECT 'sales of a product do not overlap', a.product_id::text, format('%s and %s', a.id, b.id)
    FROM sale_prices a JOIN sale_prices b ON b.product_id = a.product_id AND b.id > a.id
    WHERE a.ended_at IS NULL AND b.ended_at IS NULL AND a.starts_at < b.ends_at AND b.starts_at < a.ends_at;
GRANT SELECT ON catalogue_violations TO thunse_app;
