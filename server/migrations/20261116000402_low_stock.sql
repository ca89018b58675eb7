-- From how many units down a product counts as low in stock is a shop setting; the list of what is low follows it. Locks: SHARE
-- ROW EXCLUSIVE on products for a moment, to replace its triggers.
--
-- A change of the setting stops sales while the list is made anew (a second at a million products), so that no sale is missed that
-- was counted by the old limit. It gives up after two seconds when it cannot begin.
SET LOCAL lock_timeout = '3s';

CREATE TABLE scarce_limit (
    the_one boolean PRIMARY KEY DEFAULT true CONSTRAINT scarce_limit_once CHECK (the_one),
    most    integer NOT NULL CONSTRAINT scarce_limit_range CHECK (most BETWEEN 0 AND 100)
);
INSERT INTO scarce_limit (most) VALUES (10);

CREATE OR REPLACE FUNCTION keep_scarce_products() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    most integer := (SELECT l.most FROM scarce_limit l);
BEGIN
    IF NEW.archived_at IS NULL AND NEW.stock <= most THEN
        INSERT INTO scarce_products (product_id, stock, position, category_id, name_key, price_paisa)
        VALUES (NEW.id, NEW.stock, NEW.position, NEW.category_id, NEW.name_key, NEW.price_paisa)
        ON CONFLICT (product_id) DO UPDATE SET stock = excluded.stock, category_id = excluded.category_id,
            name_key = excluded.name_key, price_paisa = excluded.price_paisa;
    ELSIF TG_OP = 'UPDATE' AND OLD.stock <= most THEN
        DELETE FROM scarce_products WHERE product_id = NEW.id;
    END IF;
    RETURN NULL;
END $$;

-- 100 is the highest limit; selling what there is more of costs nothing here.
CREATE OR REPLACE TRIGGER products_added_scarce AFTER INSERT ON products
    FOR EACH ROW WHEN (NEW.stock <= 100) EXECUTE FUNCTION keep_scarce_products();
CREATE OR REPLACE TRIGGER products_scarce AFTER UPDATE ON products
    FOR EACH ROW
    WHEN ((OLD.stock <= 100 OR NEW.stock <= 100)
          AND (OLD.stock, OLD.archived_at, OLD.category_id, OLD.name_key, OLD.price_paisa)
              IS DISTINCT FROM (NEW.stock, NEW.archived_at, NEW.category_id, NEW.name_key, NEW.price_paisa))
    EXECUTE FUNCTION keep_scarce_products();

-- With the rights of the owner: the serving role may not lock the table.
CREATE FUNCTION relist_scarce_products() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    wanted integer := coalesce((NEW.settings ->> 'lowStock')::integer, 10);
BEGIN
    IF wanted = (SELECT l.most FROM scarce_limit l) THEN
        RETURN NULL;
    END IF;
    PERFORM set_config('lock_timeout', '2s', true);
    LOCK TABLE products IN SHARE MODE;
    UPDATE scarce_limit SET most = wanted;
    DELETE FROM scarce_products WHERE stock > wanted;
    INSERT INTO scarce_products (product_id, stock, position, category_id, name_key, price_paisa)
    SELECT id, stock, position, category_id, name_key, price_paisa FROM products WHERE archived_at IS NULL AND stock <= wanted
    ON CONFLICT (product_id) DO NOTHING;
    RETURN NULL;
END $$;
REVOKE EXECUTE ON FUNCTION relist_scarce_products() FROM public;
CREATE TRIGGER shop_settings_low_stock AFTER INSERT OR UPDATE ON shop_settings
    FOR EACH ROW EXECUTE FUNCTION relist_scarce_products();

CREATE OR REPLACE VIEW catalogue_violations AS
    SELECT 'what is scarce is listed as such' AS invariant, p.id::text AS what,
           format('stock %s, listed %s', p.stock, s.stock) AS detail
    FROM products p LEFT JOIN scarce_products s ON s.product_id = p.id
    WHERE CASE WHEN p.archived_at IS NULL AND p.stock <= (SELECT l.most FROM scarce_limit l)
               THEN (s.stock, s.category_id, s.name_key, s.price_paisa) IS DISTINCT FROM (p.stock, p.category_id, p.name_key, p.price_paisa)
               ELSE s.product_id IS NOT NULL END;

GRANT SELECT ON scarce_limit TO thunse_app;
