-- Fees and tax are the seller's to change, so each order stores the rates it was made with, and its sums are checked against
-- those instead of figures written here. Orders of before have the figures of the specification: a default costs no rewrite.
-- Locks: ACCESS EXCLUSIVE on orders for a moment; the new checks are NOT VALID and validated by the next migration, which lets
-- orders be placed meanwhile.
--
-- The release before goes on: it writes tax_percent and leaves the new columns to their defaults, which are what it charges.
-- (A shop without VAT should let nobody order while this runs: such an order would be stored as one with VAT.) tax_percent is
-- dropped by a later release.
SET LOCAL lock_timeout = '3s';

ALTER TABLE orders
    -- The shop's fee, whether or not this order paid it.
    ADD COLUMN fee_paisa bigint NOT NULL DEFAULT 2000,
    -- Above this subtotal shipping was free.
    ADD COLUMN free_above_paisa bigint NOT NULL DEFAULT 100000,
    -- In hundredths of a per cent.
    ADD COLUMN tax_rate_bp integer NOT NULL DEFAULT 1300,
    ADD COLUMN vat_registered boolean NOT NULL DEFAULT true,
    ALTER COLUMN tax_percent DROP NOT NULL,
    DROP CONSTRAINT orders_tax,
    DROP CONSTRAINT orders_taxable,
    DROP CONSTRAINT orders_shipping;

-- A shop that was not registered for VAT has taxed nothing, though its products have a class.
UPDATE orders o SET vat_registered = false
WHERE o.taxable_paisa = 0 AND EXISTS (
    SELECT FROM order_items i WHERE i.order_id = o.id AND i.tax_class = 'standard' AND i.price_paisa > 0);

ALTER TABLE orders
    ADD CONSTRAINT orders_tax CHECK (tax_paisa = (taxable_paisa * tax_rate_bp * 2 + 10000) / 20000) NOT VALID,
    ADD CONSTRAINT orders_taxable CHECK (taxable_paisa BETWEEN 0 AND CASE WHEN vat_registered THEN subtotal_paisa ELSE 0 END) NOT VALID,
    ADD CONSTRAINT orders_shipping CHECK (shipping_paisa = CASE WHEN subtotal_paisa > free_above_paisa THEN 0 ELSE fee_paisa END) NOT VALID,
    ADD CONSTRAINT orders_rates CHECK (fee_paisa >= 0 AND free_above_paisa >= 0 AND tax_rate_bp BETWEEN 0 AND 10000) NOT VALID;

-- What must never be, now by what each order stored.
CREATE OR REPLACE VIEW order_violations AS
    SELECT 'stock is the sum of its movements' AS invariant, p.id::text AS what,
           format('stock %s, movements %s', p.stock, coalesce(m.total, 0)) AS detail
    FROM products p
    LEFT JOIN (SELECT product_id, sum(delta) AS total FROM stock_movements GROUP BY product_id) m ON m.product_id = p.id
    WHERE p.stock <> coalesce(m.total, 0)
UNION ALL
    SELECT 'stock is not negative', id::text, stock::text FROM products WHERE stock < 0
UNION ALL
    SELECT 'an order has the units that its state says', o.id::text,
           format('%s, product %s: %s ordered, ledger %s', o.stock, i.product_id, i.quantity, coalesce(m.total, 0))
    FROM orders o
    JOIN order_items i ON i.order_id = o.id
    LEFT JOIN (SELECT order_id, product_id, sum(delta) AS total FROM stock_movements WHERE order_id IS NOT NULL
               GROUP BY order_id, product_id) m ON m.order_id = o.id AND m.product_id = i.product_id
    WHERE coalesce(m.total, 0) <> CASE WHEN o.stock IN ('held', 'taken') THEN -i.quantity ELSE 0 END
UNION ALL
    SELECT 'a movement belongs to a line of its order', m.id::text, m.order_id::text
    FROM stock_movements m
    LEFT JOIN order_items i ON i.order_id = m.order_id AND i.product_id = m.product_id
    WHERE m.order_id IS NOT NULL AND i.order_id IS NULL
UNION ALL
    SELECT 'the lines add up to the subtotal', o.id::text, format('subtotal %s, lines %s', o.subtotal_paisa, i.total)
    FROM orders o
    LEFT JOIN (SELECT order_id, sum(price_paisa * quantity) AS total,
                      sum(price_paisa * quantity) FILTER (WHERE tax_class = 'standard') AS taxable
               FROM order_items GROUP BY order_id) i ON i.order_id = o.id
    WHERE i.order_id IS NULL OR o.subtotal_paisa <> i.total OR o.taxable_paisa <> CASE WHEN o.vat_registered THEN coalesce(i.taxable, 0) ELSE 0 END
UNION ALL
    SELECT 'tax, shipping and total follow the rules', id::text, total_paisa::text
    FROM orders
    WHERE tax_paisa <> (taxable_paisa * tax_rate_bp * 2 + 10000) / 20000
       OR shipping_paisa <> CASE WHEN subtotal_paisa > free_above_paisa THEN 0 ELSE fee_paisa END
       OR total_paisa <> subtotal_paisa + tax_paisa + shipping_paisa
UNION ALL
    SELECT 'the last line of the timeline is the label', o.id::text, format('%s, timeline %s', o.label, e.label)
    FROM orders o
    LEFT JOIN (SELECT DISTINCT ON (order_id) order_id, label FROM order_events ORDER BY order_id, id DESC) e
           ON e.order_id = o.id
    WHERE e.label IS DISTINCT FROM o.label
UNION ALL
    SELECT 'cash follows the label', id::text, format('%s, %s', label, payment)
    FROM orders
    WHERE method = 'COD'
      AND payment <> CASE label WHEN 'Cancelled' THEN 'cod_void' WHEN 'Delivered' THEN 'cod_collected' ELSE 'cod_due' END
UNION ALL
    SELECT 'a cancelled order keeps no money', id::text, payment FROM orders WHERE label = 'Cancelled' AND payment = 'paid'
UNION ALL
    SELECT 'a cancelled order that was not sent has no units', id::text, stock
    FROM orders WHERE label = 'Cancelled' AND NOT dispatched AND stock IN ('held', 'taken')
UNION ALL
    SELECT 'a hold ends in time', id::text, hold_ends_at::text
    FROM orders WHERE stock = 'held' AND hold_ends_at < now() - interval '5 minutes'
UNION ALL
    SELECT 'an order promised without goods is somebody''s case', o.id::text, o.label
    FROM orders o
    WHERE o.stock = 'short' AND NOT EXISTS (SELECT FROM cases c WHERE c.order_id = o.id)
UNION ALL
    SELECT 'a placing has its order', p.user_id::text || '/' || p.key, p.order_id::text
    FROM placings p LEFT JOIN orders o ON o.id = p.order_id AND o.user_id = p.user_id
    WHERE o.id IS NULL
UNION ALL
    SELECT 'one placing makes one order', order_id::text, count(*)::text
    FROM placings GROUP BY order_id HAVING count(*) > 1
UNION ALL
    SELECT 'nobody has placed more than was counted', o.user_id::text, format('%s orders, %s counted', count(*), max(b.placed))
    FROM orders o LEFT JOIN buyers b ON b.user_id = o.user_id
    GROUP BY o.user_id HAVING count(*) > coalesce(max(b.placed), 0)
UNION ALL
    SELECT 'who has left is forgotten', o.id::text, o.label
    FROM orders o JOIN users u ON u.id = o.user_id
    WHERE u.deleted_at IS NOT NULL
      AND (NOT o.forgotten OR (o.label IN ('Delivered', 'Cancelled') AND (o.recipient, o.phone, o.address) <> ('', '', '')))
UNION ALL
    SELECT 'what a seller did is in the audit log', e.order_id::text, format('%s changes, %s in the log', count(*), max(a.rows))
    FROM order_events e
    LEFT JOIN (SELECT object, count(*) AS rows FROM audit_log WHERE action = 'order.status' GROUP BY object) a
           ON a.object = e.order_id::text
    WHERE e.actor = 'seller' GROUP BY e.order_id HAVING count(*) <> coalesce(max(a.rows), 0);

