-- The triggers of the wishlist. Repeatable: see 99999999999910_catalogue.sql.

-- Queues the announcement of a product that is in stock again, in the transaction that changed its stock, whatever changed it
-- (decision 078). A request locks the product while it is written, so it is either seen here or sees the new stock.
CREATE OR REPLACE FUNCTION announce_restock() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM stock_notices n WHERE n.product_id = NEW.id) THEN
        PERFORM enqueue_job('wishlist.announce_restock', json_build_object('product', NEW.id), 25);
    END IF;
    RETURN NULL;
END $$;

CREATE OR REPLACE TRIGGER products_restocked AFTER UPDATE ON products
    FOR EACH ROW WHEN (OLD.stock = 0 AND NEW.stock > 0 AND NEW.archived_at IS NULL) EXECUTE FUNCTION announce_restock();
