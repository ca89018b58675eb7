-- Functions that the statement which writes an order calls, and what orders and payments must always satisfy. Repeatable: see
-- 99999999999910_catalogue.sql.

-- Of accounts: whether this account exists; it cannot be deleted before the transaction ends.
CREATE OR REPLACE FUNCTION lock_active_user(account uuid) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM users WHERE id = account AND deleted_at IS NULL FOR SHARE)
$$;

-- Of accounts: whether the email address is confirmed. `lock_active_user` holds the account by then, so the answer stays true
-- until the order is written.
CREATE OR REPLACE FUNCTION has_confirmed_email(account uuid) RETURNS boolean LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM users WHERE id = account AND email_confirmed_at IS NOT NULL)
$$;

-- Of the cart: what was ordered leaves it; what was added in the meantime stays.
CREATE OR REPLACE FUNCTION remove_from_cart(of_user uuid, ids uuid[], quantities integer[]) RETURNS void LANGUAGE sql AS $$
    UPDATE carts SET updated_at = now(), items = coalesce((
        SELECT jsonb_object_agg(line.key, line.value::integer - coalesce(bought.quantity, 0))
        FROM jsonb_each(carts.items) line
        LEFT JOIN unnest(ids, quantities) bought (id, quantity) ON bought.id::text = line.key
        WHERE line.value::integer > coalesce(bought.quantity, 0)), '{}')
    WHERE user_id = of_user
$$;

-- What a seller searches orders by, the customer's name and the digits of the phone number, in one text for one index. A change of
-- the result wants a REINDEX.
CREATE OR REPLACE FUNCTION order_contact(recipient text, phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT lower(recipient) || ' ' || regexp_replace(translate(phone, '०१२३४५६७८९', '0123456789'), '[^0-9]', '', 'g')
$$;

-- A phone number however it was written: its last ten digits, without a country code. An index is built on it too.
CREATE OR REPLACE FUNCTION phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT right(regexp_replace(translate(phone, '०१२३४५६७८९', '0123456789'), '[^0-9]', '', 'g'), 10)
$$;

-- Orders that wait for the confirmation of an email address stay once it or the phone number is confirmed, in the same
-- transaction, however that happens. The internal event updates open pages.
CREATE OR REPLACE FUNCTION keep_confirmed_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH confirmed AS (
        UPDATE orders SET confirm_by = NULL, updated_at = greatest(NEW.email_confirmed_at, NEW.phone_verified_at)
        WHERE user_id = NEW.id AND confirm_by IS NOT NULL RETURNING id, status
    )
    INSERT INTO order_events (order_id, status, actor, internal) SELECT id, status, 'system', true FROM confirmed;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER users_email_confirmed AFTER UPDATE OF email_confirmed_at ON users
    FOR EACH ROW WHEN (OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL)
    EXECUTE FUNCTION keep_confirmed_orders();
CREATE OR REPLACE TRIGGER users_phone_verified AFTER UPDATE OF phone_verified_at ON users
    FOR EACH ROW WHEN (OLD.phone_verified_at IS NULL AND NEW.phone_verified_at IS NOT NULL)
    EXECUTE FUNCTION keep_confirmed_orders();

-- A cash order was paid with the wallet at the door: from now on it is an online order (decision 094). The serving role may not
-- change the method of an order; this function does, for a cash order that the wallet has paid.
CREATE OR REPLACE FUNCTION pay_cash_order_online(of_order uuid, now_payment text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    UPDATE orders SET method = 'Khalti', payment = now_payment
    WHERE id = of_order AND method = 'COD' AND now_payment IN ('paid', 'refund_due')
      AND EXISTS (SELECT FROM payments p WHERE p.subject_id = of_order AND p.state = 'paid');
    IF NOT FOUND THEN
        RAISE EXCEPTION 'only a cash order that the wallet has paid becomes an online order' USING ERRCODE = 'TS004';
    END IF;
END $$;
REVOKE EXECUTE ON FUNCTION pay_cash_order_online(uuid, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION pay_cash_order_online(uuid, text) TO thunse_app;

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
           format('%s, product %s: %s units, ledger %s', o.stock, i.product_id, i.quantity, coalesce(m.total, 0))
    FROM orders o
    JOIN (SELECT order_id, product_id, coalesce(line.units, 0) + coalesce(instead.units, 0) AS quantity
          FROM (SELECT i.order_id, i.product_id, coalesce(a.quantity_after, i.quantity) AS units
                FROM order_items i LEFT JOIN order_adjustments a ON a.order_id = i.order_id AND a.product_id = i.product_id) line
          FULL JOIN (SELECT order_id, replacement_id AS product_id, sum(replacement_quantity) AS units
                     FROM order_adjustments WHERE replacement_id IS NOT NULL GROUP BY 1, 2) instead
               USING (order_id, product_id)) i ON i.order_id = o.id
    LEFT JOIN (SELECT order_id, product_id, sum(delta) AS total FROM stock_movements WHERE order_id IS NOT NULL
               GROUP BY order_id, product_id) m ON m.order_id = o.id AND m.product_id = i.product_id
    WHERE coalesce(m.total, 0) <> CASE WHEN o.stock IN ('held', 'taken') THEN -i.quantity ELSE 0 END
UNION ALL
    SELECT 'a movement belongs to a line of its order', m.id::text, m.order_id::text
    FROM stock_movements m
    LEFT JOIN order_items i ON i.order_id = m.order_id AND i.product_id = m.product_id
    LEFT JOIN order_adjustments a ON a.order_id = m.order_id AND a.replacement_id = m.product_id
    WHERE m.order_id IS NOT NULL AND i.order_id IS NULL AND a.order_id IS NULL
UNION ALL
    SELECT 'the lines add up to the subtotal', o.id::text, format('subtotal %s, lines %s', o.subtotal_paisa, i.total)
    FROM orders o
    LEFT JOIN (SELECT order_id, sum(price_paisa * quantity) AS total,
                      sum(price_paisa * quantity) FILTER (WHERE tax_class = 'standard') AS taxable
               FROM order_items GROUP BY order_id) i ON i.order_id = o.id
    WHERE i.order_id IS NULL
       OR o.subtotal_paisa + CASE WHEN o.prices_include_tax THEN o.tax_paisa ELSE 0 END <> i.total
       OR o.taxable_paisa + CASE WHEN o.prices_include_tax THEN o.tax_paisa ELSE 0 END
          <> CASE WHEN o.vat_registered THEN coalesce(i.taxable, 0) ELSE 0 END
UNION ALL
    SELECT 'tax, shipping and total follow the rules', id::text, total_paisa::text
    FROM orders
    WHERE tax_paisa <> CASE
              WHEN prices_include_tax
              THEN ((taxable_paisa + tax_paisa) * tax_rate_bp * 2 + 10000 + tax_rate_bp) / (2 * (10000 + tax_rate_bp))
              ELSE (taxable_paisa * tax_rate_bp * 2 + 10000) / 20000 END
       OR shipping_paisa <> CASE
              WHEN subtotal_paisa + CASE WHEN prices_include_tax THEN tax_paisa ELSE 0 END > free_above_paisa THEN 0
              ELSE fee_paisa END
       OR total_paisa <> subtotal_paisa + tax_paisa + shipping_paisa
UNION ALL
    SELECT 'the last line of the timeline is the status', o.id::text, format('%s, timeline %s', o.status, e.status)
    FROM orders o
    LEFT JOIN (SELECT DISTINCT ON (order_id) order_id, status FROM order_events ORDER BY order_id, id DESC) e
           ON e.order_id = o.id
    WHERE e.status IS DISTINCT FROM o.status
UNION ALL
    SELECT 'cash follows the status', id::text, format('%s, %s', status, payment)
    FROM orders
    WHERE method = 'COD'
      AND payment <> CASE status WHEN 'Cancelled' THEN 'cod_void' WHEN 'Delivered' THEN 'cod_collected' ELSE 'cod_due' END
UNION ALL
    SELECT 'a cancelled order keeps no money', id::text, payment FROM orders WHERE status = 'Cancelled' AND payment = 'paid'
UNION ALL
    SELECT 'a cancelled order that was not sent has no units', id::text, stock
    FROM orders WHERE status = 'Cancelled' AND NOT dispatched AND stock IN ('held', 'taken')
UNION ALL
    SELECT 'a hold ends in time', id::text, hold_ends_at::text
    FROM orders WHERE stock = 'held' AND hold_ends_at < now() - interval '5 minutes'
UNION ALL
    SELECT 'an order promised without goods has a case', o.id::text, o.status
    FROM orders o
    WHERE o.stock = 'short' AND NOT EXISTS (SELECT FROM cases c WHERE c.order_id = o.id)
UNION ALL
    SELECT 'an idempotency key has its order', k.user_id::text || '/' || k.key, k.order_id::text
    FROM idempotency_keys k LEFT JOIN orders o ON o.id = k.order_id AND o.user_id = k.user_id
    WHERE o.id IS NULL
UNION ALL
    SELECT 'no buyer has placed more orders than were counted', o.user_id::text, format('%s orders, %s counted', count(*), max(b.placed))
    FROM orders o LEFT JOIN buyers b ON b.user_id = o.user_id
    GROUP BY o.user_id HAVING count(*) > coalesce(max(b.placed), 0)
UNION ALL
    SELECT 'an order of a deleted account is anonymized', o.id::text, o.status
    FROM orders o JOIN users u ON u.id = o.user_id
    WHERE u.deleted_at IS NOT NULL
      AND (NOT o.buyer_deleted OR (o.status IN ('Delivered', 'Cancelled')
           AND (o.recipient, o.phone, o.address, o.note_shop, o.note_rider) <> ('', '', '', '', '')))
UNION ALL
    SELECT 'what a seller did is in the audit log', e.order_id::text, format('%s changes, %s in the log', count(*), max(a.rows))
    FROM order_events e
    LEFT JOIN (SELECT object, count(*) AS rows FROM audit_log WHERE action = 'order.status' GROUP BY object) a
           ON a.object = e.order_id::text
    WHERE e.actor = 'seller' GROUP BY e.order_id HAVING count(*) <> coalesce(max(a.rows), 0)
UNION ALL
    SELECT 'an unconfirmed order ends in time', id::text, confirm_by::text
    FROM orders WHERE confirm_by < now() - interval '5 minutes'
UNION ALL
    SELECT 'an order of a confirmed address waits for nothing', o.id::text, o.confirm_by::text
    FROM orders o JOIN users u ON u.id = o.user_id WHERE o.confirm_by IS NOT NULL AND u.email_confirmed_at IS NOT NULL
UNION ALL
    SELECT 'a slot is booked by as many orders as it counts', coalesce(s.window_id, o.delivery_window_id)::text,
           format('%s: %s booked, %s orders', coalesce(s.day, o.delivery_date), coalesce(s.booked, 0), coalesce(o.orders, 0))
    FROM delivery_slots s
    FULL JOIN (SELECT delivery_window_id, delivery_date, count(*) AS orders FROM orders WHERE has_delivery_place GROUP BY 1, 2) o
           ON o.delivery_window_id = s.window_id AND o.delivery_date = s.day
    WHERE coalesce(s.booked, 0) <> coalesce(o.orders, 0)
UNION ALL
    SELECT 'an order without goods or cancelled has no delivery place', id::text, format('%s, %s', status, stock)
    FROM orders WHERE has_delivery_place AND (status = 'Cancelled' OR stock = 'returned');

CREATE OR REPLACE VIEW payment_violations AS
    SELECT 'a paid payment was said to be completed, with this amount and transaction' AS invariant, p.id::text AS what,
           p.state AS detail
    FROM payments p
    WHERE p.state IN ('paid', 'paid_extra') AND NOT EXISTS (
        SELECT FROM payment_lookups l WHERE l.payment_id = p.id AND lower(l.status) = 'completed'
        AND l.amount_paisa = p.amount_paisa AND l.transaction_id = p.transaction_id)
UNION ALL
    -- At the door, the shopper pays for what was packed, without what came back before the link was created.
    SELECT 'a paid order has exactly one payment of what it cost', o.id::text, o.payment
    FROM orders o
    WHERE o.payment IN ('paid', 'refund_due', 'refunded')
      AND 1 <> (SELECT count(*) FROM payments p
                LEFT JOIN order_packings packed ON packed.order_id = o.id AND packed.packed_at <= p.created_at
                WHERE p.subject_id = o.id AND p.state = 'paid'
                  AND p.amount_paisa = coalesce(packed.due_paisa, o.total_paisa) - returned_before(o.id, p.created_at))
UNION ALL
    SELECT 'no payment is lost', p.id::text, o.payment
    FROM payments p LEFT JOIN orders o ON o.id = p.subject_id
    WHERE p.state = 'paid' AND (o.id IS NULL OR o.payment NOT IN ('paid', 'refund_due', 'refunded'))
UNION ALL
    SELECT 'what the wallet calls completed is settled', l.id::text, p.state
    FROM payment_lookups l JOIN payments p ON p.id = l.payment_id
    WHERE lower(l.status) = 'completed' AND l.transaction_id IS NOT NULL AND p.state NOT IN ('paid', 'paid_extra', 'conflict')
      AND l.at < now() - interval '10 minutes'
UNION ALL
    SELECT 'money to be given back has a refund', o.id::text, o.payment
    FROM orders o
    WHERE o.payment IN ('refund_due', 'refunded') AND NOT EXISTS (
        SELECT FROM refunds r JOIN payments p ON p.id = r.payment_id
        WHERE p.subject_id = o.id AND p.state = 'paid' AND r.state <> 'withdrawn' AND NOT r.is_partial
          AND (o.payment = 'refund_due' OR r.state = 'confirmed'))
UNION ALL
    SELECT 'what was paid twice is given back', p.id::text, ''
    FROM payments p
    WHERE p.state = 'paid_extra' AND NOT EXISTS (SELECT FROM refunds r WHERE r.payment_id = p.id AND r.state <> 'withdrawn')
UNION ALL
    SELECT 'no more is given back than came', p.id::text, sum(r.amount_paisa)::text
    FROM refunds r JOIN payments p ON p.id = r.payment_id
    WHERE r.state <> 'withdrawn' GROUP BY p.id HAVING sum(r.amount_paisa) > coalesce(p.received_paisa, 0)
UNION ALL
    -- A link that a rider offered at the door is closed without money, or its money is given back.
    SELECT 'cash is not paid by the wallet', p.id::text, o.code
    FROM payments p JOIN orders o ON o.id = p.subject_id WHERE o.method = 'COD' AND p.state = 'paid'
UNION ALL
    SELECT 'an open payment is polled', p.id::text, coalesce(p.next_check_at::text, 'never')
    FROM payments p
    WHERE p.state = 'initiated' AND (p.next_check_at IS NULL OR p.next_check_at < now() - interval '15 minutes')
      AND NOT EXISTS (SELECT FROM cases c WHERE c.order_id = p.subject_id)
UNION ALL
    SELECT 'a payment that nobody can pay does not stay open', id::text, created_at::text
    FROM payments WHERE state = 'created' AND created_at < now() - interval '10 minutes'
UNION ALL
    SELECT 'another amount has a case', p.id::text, coalesce(p.received_paisa::text, '')
    FROM payments p
    WHERE p.state = 'conflict' AND NOT EXISTS (
        SELECT FROM cases c WHERE c.order_id = p.subject_id AND c.kind IN ('amount_mismatch', 'transaction_reused'))
UNION ALL
    SELECT 'what is sent unpaid has a case', o.id::text, o.status
    FROM orders o
    WHERE o.method <> 'COD' AND o.dispatched AND o.status <> 'Cancelled' AND o.payment IN ('awaiting', 'failed', 'conflict')
      AND NOT EXISTS (SELECT FROM cases c WHERE c.order_id = o.id)
UNION ALL
    SELECT 'all idempotency keys of one order have the same request', order_id::text, count(*)::text
    FROM idempotency_keys GROUP BY order_id HAVING count(DISTINCT request_hash) > 1
UNION ALL
    SELECT 'a refund is sent in time', id::text, requested_at::text
    FROM refunds WHERE state = 'requested' AND requested_at < now() - interval '1 day';

GRANT SELECT ON order_violations, payment_violations TO thunse_app;
