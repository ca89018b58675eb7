-- Carts and orders. New tables and functions; one new nullable column on stock_movements (no rewrite, a lock of a moment).
--
-- Why it looks like this:
--   * Three states of an order stand side by side (label, money, goods); orders/transition.rs is the only code that
--     decides about them, and the CHECKs here are the last word.
--   * Items are copies: an order reads the same when the product has changed or gone.
--   * Ledgers (stock_movements, order_events, audit_log) are only ever added to.
--   * The numbers that people see are random, so that nobody can count or guess orders. The key is a time-ordered uuid
--     made from the database's clock: newest first is the primary key read backwards, and one index less to write.
--   * An order is written by ONE statement (orders/store.rs). What belongs to another room it asks for by that room's
--     function: is_there is the accounts', offered, take_stock and give_back_stock are the catalogue's, take_from_cart is the cart's, enqueue_job the
--     platform's.

CREATE TABLE carts (
    user_id    uuid PRIMARY KEY REFERENCES users (id),
    -- {product id: quantity}: the contract's own form; read and written whole.
    items      jsonb NOT NULL DEFAULT '{}',
    updated_at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE orders (
    id              uuid PRIMARY KEY,
    -- What people say on the phone: letters and digits that are not mistaken for one another.
    code            text COLLATE "C" NOT NULL CONSTRAINT orders_code_unique UNIQUE,
    tracking        text NOT NULL,
    user_id         uuid NOT NULL REFERENCES users (id),
    method          text NOT NULL CONSTRAINT orders_method CHECK (method IN ('COD', 'Khalti')),
    label           text NOT NULL CONSTRAINT orders_label CHECK (label IN
                        ('Order Placed', 'Order Confirmed', 'Order Shipped', 'Out for Delivery', 'Delivered', 'Cancelled')),
    payment         text NOT NULL CONSTRAINT orders_payment CHECK (payment IN
                        ('cod_due', 'cod_collected', 'cod_void', 'awaiting', 'paid', 'failed', 'conflict', 'refund_due', 'refunded')),
    stock           text NOT NULL CONSTRAINT orders_stock CHECK (stock IN ('held', 'taken', 'returned', 'short')),
    dispatched      boolean NOT NULL DEFAULT false,
    hold_ends_at    timestamptz,
    subtotal_paisa  bigint NOT NULL,
    taxable_paisa   bigint NOT NULL,
    tax_percent     smallint NOT NULL,
    tax_paisa       bigint NOT NULL,
    shipping_paisa  bigint NOT NULL,
    total_paisa     bigint NOT NULL,
    -- The delivery as it was asked for: a copy, not a link.
    recipient       text NOT NULL,
    email           text NOT NULL,
    phone           text NOT NULL,
    address         text NOT NULL,
    municipality    text NOT NULL DEFAULT '',
    ward            text NOT NULL DEFAULT '',
    landmark        text NOT NULL DEFAULT '',
    -- The language of its letters.
    language        text NOT NULL CONSTRAINT orders_language CHECK (language IN ('en', 'ne')),
    delivery_date   date NOT NULL,
    -- Its buyer has left: once it is done, the delivery's name and address go too.
    forgotten       boolean NOT NULL DEFAULT false,
    created_at      timestamptz NOT NULL DEFAULT now(),
    updated_at      timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT orders_total CHECK (total_paisa = subtotal_paisa + tax_paisa + shipping_paisa),
    CONSTRAINT orders_tax CHECK (tax_paisa = (taxable_paisa * tax_percent * 2 + 100) / 200),
    CONSTRAINT orders_taxable CHECK (taxable_paisa BETWEEN 0 AND subtotal_paisa),
    CONSTRAINT orders_shipping CHECK (shipping_paisa = CASE WHEN subtotal_paisa > 100000 THEN 0 ELSE 2000 END),
    CONSTRAINT orders_money_fits_method CHECK ((method = 'COD') = (payment IN ('cod_due', 'cod_collected', 'cod_void'))),
    CONSTRAINT orders_hold_has_an_end CHECK (stock <> 'held' OR (method <> 'COD' AND hold_ends_at IS NOT NULL))
) WITH (fillfactor = 90);
CREATE INDEX orders_of_user ON orders (user_id, id DESC);
CREATE INDEX orders_by_label ON orders (label, id DESC);
CREATE INDEX orders_holds ON orders (hold_ends_at) WHERE stock = 'held';

CREATE TABLE order_items (
    order_id    uuid NOT NULL REFERENCES orders (id),
    product_id  uuid NOT NULL REFERENCES products (id),
    position    smallint NOT NULL,
    name        text NOT NULL,
    name_ne     text,
    picture_key text,
    price_paisa bigint NOT NULL,
    tax_class   text NOT NULL,
    quantity    integer NOT NULL CONSTRAINT order_items_quantity CHECK (quantity BETWEEN 1 AND 99),
    CONSTRAINT order_items_key PRIMARY KEY (order_id, product_id)
);

-- The timeline.
CREATE TABLE order_events (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id uuid NOT NULL REFERENCES orders (id),
    label    text NOT NULL,
    actor    text NOT NULL CONSTRAINT order_events_actor CHECK (actor IN ('shopper', 'seller', 'system')),
    at       timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX order_events_of_order ON order_events (order_id, id);

-- Counts a shopper's placings. Whoever places says which count he has seen, so that two orders at once cannot both
-- fit under one limit.
CREATE TABLE buyers (
    user_id uuid PRIMARY KEY REFERENCES users (id),
    placed  bigint NOT NULL
);

-- One placing, however often it is sent. Kept for a week.
CREATE TABLE placings (
    user_id      uuid NOT NULL,
    key          text NOT NULL CONSTRAINT placings_key_length CHECK (length(key) BETWEEN 1 AND 255),
    request_hash bytea NOT NULL,
    order_id     uuid NOT NULL,
    -- The answer as it was sent; json keeps its bytes.
    answer       json NOT NULL,
    created_at   timestamptz NOT NULL DEFAULT now(),
    -- Written by every replay, so that even a replay waits for the standby (docs/decisions).
    replayed_at  timestamptz,
    CONSTRAINT placings_key PRIMARY KEY (user_id, key)
);
CREATE INDEX placings_age ON placings USING brin (created_at);

-- What a person must look at.
CREATE TABLE cases (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    order_id  uuid NOT NULL REFERENCES orders (id),
    kind      text NOT NULL,
    opened_at timestamptz NOT NULL DEFAULT now(),
    closed_at timestamptz
);
CREATE UNIQUE INDEX cases_open ON cases (order_id, kind) WHERE closed_at IS NULL;

-- Who changed what, for the seller's side.
CREATE TABLE audit_log (
    id      bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at      timestamptz NOT NULL DEFAULT clock_timestamp(),
    seller  uuid NOT NULL,
    action  text NOT NULL,
    object  text NOT NULL,
    before  text NOT NULL DEFAULT '',
    after   text NOT NULL DEFAULT ''
);
CREATE INDEX audit_log_of_object ON audit_log (object, id);

ALTER TABLE stock_movements ADD COLUMN order_id uuid;
CREATE INDEX stock_movements_of_order ON stock_movements (order_id) WHERE order_id IS NOT NULL;

-- Whether this person has not left, and cannot leave before the transaction ends.
CREATE FUNCTION is_there(person uuid) RETURNS boolean
LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM users WHERE id = person AND deleted_at IS NULL FOR SHARE)
$$;

-- Products as they are offered now, archived ones too: whoever asks says that they are gone.
CREATE FUNCTION offered(ids uuid[]) RETURNS TABLE (
    id uuid, name text, name_ne text, picture_key text, price_paisa bigint, tax_class text, stock integer, on_sale boolean)
LANGUAGE sql STABLE AS $$
    SELECT p.id, p.name, p.name_ne, p.picture_key, p.price_paisa, p.tax_class, p.stock, p.archived_at IS NULL
    FROM products p WHERE p.id = ANY (ids)
$$;

-- The one way in which stock leaves the shelf: all of it, or an error that undoes the whole statement. `prices`, when
-- given, must still be the prices, and the products on sale. Rows are locked in the order of their ids, so that two
-- orders of the same products never wait for one another in a circle.
CREATE FUNCTION take_stock(for_order uuid, ids uuid[], quantities integer[], prices bigint[], why text) RETURNS boolean
LANGUAGE plpgsql AS $$
DECLARE
    fitting bigint;
BEGIN
    SELECT count(*) FILTER (WHERE shelf.stock >= shelf.quantity
                              AND (prices IS NULL OR (shelf.price_paisa = shelf.price AND shelf.archived_at IS NULL)))
    INTO fitting
    FROM (SELECT p.stock, p.price_paisa, p.archived_at, wanted.quantity, wanted.price
          FROM products p JOIN unnest(ids, quantities, prices) wanted (id, quantity, price) ON wanted.id = p.id
          ORDER BY p.id FOR NO KEY UPDATE OF p) shelf;
    IF fitting < cardinality(ids) THEN
        RAISE EXCEPTION 'the shelf has changed' USING ERRCODE = 'TS001';
    END IF;
    UPDATE products p SET stock = p.stock - wanted.quantity
    FROM unnest(ids, quantities) wanted (id, quantity) WHERE p.id = wanted.id;
    INSERT INTO stock_movements (product_id, order_id, delta, reason)
    SELECT wanted.id, for_order, -wanted.quantity, why FROM unnest(ids, quantities) wanted (id, quantity);
    RETURN true;
END $$;

-- Puts back exactly what an order still has, by the ledger: a second call finds nothing.
CREATE FUNCTION give_back_stock(of_order uuid, why text) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    PERFORM FROM products p
    WHERE p.id IN (SELECT m.product_id FROM stock_movements m WHERE m.order_id = of_order)
    ORDER BY p.id FOR NO KEY UPDATE;
    WITH owned AS (
        SELECT m.product_id, -sum(m.delta)::integer AS units FROM stock_movements m WHERE m.order_id = of_order
        GROUP BY m.product_id HAVING sum(m.delta) < 0
    ), back AS (
        UPDATE products p SET stock = p.stock + owned.units FROM owned WHERE p.id = owned.product_id
    )
    INSERT INTO stock_movements (product_id, order_id, delta, reason)
    SELECT owned.product_id, of_order, owned.units, why FROM owned;
END $$;

-- What was ordered leaves the cart; what was added meanwhile stays.
CREATE FUNCTION take_from_cart(of_user uuid, ids uuid[], quantities integer[]) RETURNS void
LANGUAGE sql AS $$
    UPDATE carts SET updated_at = now(), items = coalesce((
        SELECT jsonb_object_agg(line.key, line.value::integer - coalesce(bought.quantity, 0))
        FROM jsonb_each(carts.items) line
        LEFT JOIN unnest(ids, quantities) bought (id, quantity) ON bought.id::text = line.key
        WHERE line.value::integer > coalesce(bought.quantity, 0)), '{}')
    WHERE user_id = of_user
$$;

-- A job without the notification that wakes the worker at once: notifying transactions commit one after the other, and
-- a sale must not queue there. The worker looks by itself every second. (The engine's tables come after this migration.)
CREATE FUNCTION enqueue_job(name text, about json, tries integer) RETURNS void
LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO graphile_worker._private_jobs (task_id, payload, max_attempts)
    SELECT task.id, about, tries FROM graphile_worker._private_tasks task WHERE task.identifier = name;
    IF NOT FOUND THEN
        -- The first of its kind: the engine makes its task.
        PERFORM graphile_worker.add_job(name, about, max_attempts => tries);
    END IF;
END $$;

-- What must never be: empty, always. Read by a job every five minutes, and at the end of every test run.
CREATE VIEW invariant_violations AS
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
    WHERE i.order_id IS NULL OR o.subtotal_paisa <> i.total OR o.taxable_paisa NOT IN (coalesce(i.taxable, 0), 0)
UNION ALL
    SELECT 'tax, shipping and total follow the rules', id::text, total_paisa::text
    FROM orders
    WHERE tax_paisa <> (taxable_paisa * tax_percent * 2 + 100) / 200
       OR shipping_paisa <> CASE WHEN subtotal_paisa > 100000 THEN 0 ELSE 2000 END
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

GRANT SELECT, INSERT, UPDATE, DELETE ON carts, placings TO thunse_app;
GRANT SELECT, INSERT, UPDATE ON orders, cases, buyers TO thunse_app;
GRANT SELECT, INSERT ON order_items, order_events, audit_log TO thunse_app;
GRANT SELECT ON invariant_violations TO thunse_app;
