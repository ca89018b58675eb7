-- What packing tells other modules, and what packed orders must always satisfy. Repeatable: see 99999999999910_catalogue.sql.

-- What is in the bag: the lines as ordered, or, once an order is packed, as packed. A replacement follows the line it replaces.
CREATE OR REPLACE VIEW packed_lines AS
    SELECT i.order_id, i.position, false AS is_replacement, i.product_id, i.name, i.name_ne, i.pack_label, i.pack_label_ne,
           i.price_paisa, i.tax_class, coalesce(a.quantity_after, i.quantity) AS quantity,
           coalesce(w.amount_paisa, i.price_paisa * coalesce(a.quantity_after, i.quantity)) AS amount_paisa, w.grams, i.step_grams,
           i.price_before_coupon_paisa
    FROM order_items i LEFT JOIN order_adjustments a ON a.order_id = i.order_id AND a.product_id = i.product_id
    LEFT JOIN packed_weights w ON w.order_id = i.order_id AND w.product_id = i.product_id
    WHERE coalesce(a.quantity_after, i.quantity) > 0
UNION ALL
    SELECT a.order_id, i.position, true, a.replacement_id, a.replacement_name, a.replacement_name_ne, a.replacement_pack_label,
           a.replacement_pack_label_ne, a.replacement_price_paisa, a.replacement_tax_class, a.replacement_quantity,
           a.replacement_price_paisa * a.replacement_quantity, NULL, NULL, NULL
    FROM order_adjustments a JOIN order_items i ON i.order_id = a.order_id AND i.product_id = a.product_id
    WHERE a.replacement_id IS NOT NULL;
GRANT SELECT ON packed_lines TO thunse_app;

-- The units that belong to an order.
CREATE OR REPLACE FUNCTION order_units(of_order uuid) RETURNS TABLE (product_id uuid, quantity integer) LANGUAGE sql STABLE AS $$
    SELECT line.product_id, sum(line.quantity)::integer FROM packed_lines line WHERE line.order_id = of_order GROUP BY line.product_id
$$;

-- The delivery fee of an order, which an order that became dearer while it was packed may no longer have.
CREATE OR REPLACE FUNCTION order_delivery_fee(of_order uuid) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(p.shipping_paisa, o.shipping_paisa)
    FROM orders o LEFT JOIN order_packings p ON p.order_id = o.id WHERE o.id = of_order
$$;

-- The value of what came back at the door before a moment: who pays by the wallet there pays for the rest.
CREATE OR REPLACE FUNCTION returned_before(of_order uuid, moment timestamptz) RETURNS bigint LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(r.value_paisa), 0)::bigint FROM door_returns r WHERE r.order_id = of_order AND r.returned_at <= moment
$$;

-- What goods of an order cost with tax and delivery; `taxed` is the part of them that is taxed. A fee that was waived stays waived.
CREATE OR REPLACE FUNCTION order_cost(o orders, goods bigint, taxed bigint) RETURNS bigint LANGUAGE sql IMMUTABLE AS $$
    SELECT goods + CASE WHEN o.prices_include_tax THEN 0 ELSE (taxed * o.tax_rate_bp * 2 + 10000) / 20000 END
           + CASE WHEN goods > o.free_above_paisa THEN 0 ELSE o.shipping_paisa END
$$;

-- The amounts are computed again from the lines, the adjustments and the weights, without the program's own quote.
CREATE OR REPLACE VIEW packing_violations AS
    SELECT 'the amount due follows what was packed' AS invariant, o.id::text AS what,
           format('due %s, packed %s, agreed %s', o.amount_due_paisa, packed.total, p.agreed_paisa) AS detail
    FROM order_packings p JOIN orders o ON o.id = p.order_id
    CROSS JOIN LATERAL (
        SELECT coalesce(sum(line.amount), 0)::bigint AS goods,
               coalesce(sum(line.amount) FILTER (WHERE o.vat_registered AND line.tax_class = 'standard'), 0)::bigint AS taxed
        FROM (SELECT i.tax_class, CASE WHEN i.step_grams IS NULL THEN i.price_paisa * coalesce(a.quantity_after, i.quantity)
                                       ELSE coalesce(w.amount_paisa, 0) END AS amount
              FROM order_items i LEFT JOIN order_adjustments a ON a.order_id = i.order_id AND a.product_id = i.product_id
              LEFT JOIN packed_weights w ON w.order_id = i.order_id AND w.product_id = i.product_id
              WHERE i.order_id = p.order_id
              UNION ALL
              SELECT a.replacement_tax_class, a.replacement_price_paisa * a.replacement_quantity
              FROM order_adjustments a WHERE a.order_id = p.order_id AND a.replacement_id IS NOT NULL) line) sums
    CROSS JOIN LATERAL (
        SELECT CASE WHEN o.prices_include_tax THEN 0 ELSE (sums.taxed * o.tax_rate_bp * 2 + 10000) / 20000 END AS added,
               CASE WHEN o.prices_include_tax
                    THEN (sums.taxed * o.tax_rate_bp * 2 + 10000 + o.tax_rate_bp) / (2 * (10000 + o.tax_rate_bp)) ELSE 0 END AS included) tax
    CROSS JOIN LATERAL (SELECT order_cost(o, sums.goods, sums.taxed) AS total) packed
    WHERE p.subtotal_paisa <> sums.goods - tax.included OR p.tax_paisa <> tax.added + tax.included OR p.total_paisa <> packed.total
       OR o.amount_due_paisa IS DISTINCT FROM least(packed.total, p.agreed_paisa)
UNION ALL
    SELECT 'nobody pays more than was agreed', o.id::text, format('due %s, ordered %s', o.amount_due_paisa, o.total_paisa)
    FROM order_packings p JOIN orders o ON o.id = p.order_id
    CROSS JOIN LATERAL (
        -- With an order of weighed goods, the shopper agrees to a little more than the estimate.
        SELECT order_cost(o, sum(line.most)::bigint,
                          coalesce(sum(line.most) FILTER (WHERE o.vat_registered AND line.tax_class = 'standard'), 0)::bigint) AS total
        FROM (SELECT i.tax_class, CASE WHEN i.step_grams IS NULL THEN i.price_paisa * i.quantity
                                       ELSE i.price_paisa * i.quantity * (10000 + o.weight_tolerance_bp) / 10000 END AS most
              FROM order_items i WHERE i.order_id = o.id) line) weighed
    CROSS JOIN LATERAL (
        -- A cash order that was paid at the door is an online order since then.
        SELECT o.method = 'COD' OR NOT EXISTS (
            SELECT FROM payments w WHERE w.subject_id = o.id AND w.state = 'paid' AND w.created_at < p.packed_at) AS at_packing) is_cash
    WHERE o.amount_due_paisa > o.total_paisa
      AND NOT CASE p.agreed_by
          WHEN 'order' THEN is_cash.at_packing AND o.amount_due_paisa <= weighed.total
          WHEN 'call' THEN is_cash.at_packing AND p.agreed_paisa = greatest(p.total_paisa, weighed.total, o.total_paisa)
          WHEN 'link' THEN is_cash.at_packing AND EXISTS (
              SELECT FROM packing_proposals q WHERE q.order_id = o.id AND q.accepted AND q.total_paisa >= o.amount_due_paisa)
          ELSE false END
UNION ALL
    SELECT 'a replacement costs no more than what it replaces', a.order_id::text,
           format('%s instead of %s', a.replacement_price_paisa * a.replacement_quantity,
                  i.price_paisa * (a.quantity_before - a.quantity_after))
    FROM order_adjustments a
    JOIN order_packings p ON p.order_id = a.order_id
    JOIN order_items i ON i.order_id = a.order_id AND i.product_id = a.product_id
    WHERE p.agreed_by = 'order'
      AND a.replacement_price_paisa * a.replacement_quantity > i.price_paisa * (a.quantity_before - a.quantity_after)
UNION ALL
    SELECT 'an adjustment belongs to a line of a packed order', a.order_id::text, a.product_id::text
    FROM order_adjustments a
    LEFT JOIN order_items i ON i.order_id = a.order_id AND i.product_id = a.product_id
    LEFT JOIN order_packings p ON p.order_id = a.order_id
    WHERE i.order_id IS NULL OR p.order_id IS NULL OR a.quantity_before <> i.quantity
UNION ALL
    SELECT 'a weighed line costs what it weighs, and no more than was agreed', w.order_id::text,
           format('%s g for %s', w.grams, w.amount_paisa)
    FROM packed_weights w
    JOIN orders o ON o.id = w.order_id
    LEFT JOIN order_items i ON i.order_id = w.order_id AND i.product_id = w.product_id
    LEFT JOIN order_adjustments a ON a.order_id = w.order_id AND a.product_id = w.product_id
    WHERE w.amount_paisa IS DISTINCT FROM least(
        (i.price_paisa * w.grams * 2 + i.step_grams) / (2 * i.step_grams),
        i.price_paisa * coalesce(a.quantity_after, i.quantity) * (10000 + o.weight_tolerance_bp) / 10000)
       OR i.step_grams IS NULL
UNION ALL
    SELECT 'a packed line that is sold by weight has a weight', i.order_id::text, i.product_id::text
    FROM order_packings p JOIN order_items i ON i.order_id = p.order_id AND i.step_grams IS NOT NULL
    LEFT JOIN order_adjustments a ON a.order_id = i.order_id AND a.product_id = i.product_id
    LEFT JOIN packed_weights w ON w.order_id = i.order_id AND w.product_id = i.product_id
    WHERE (coalesce(a.quantity_after, i.quantity) > 0) <> (w.order_id IS NOT NULL)
UNION ALL
    SELECT 'an order with an amount due is packed', o.id::text, o.amount_due_paisa::text
    FROM orders o LEFT JOIN order_packings p ON p.order_id = o.id
    WHERE (o.amount_due_paisa IS NULL) <> (p.order_id IS NULL)
UNION ALL
    SELECT 'what was paid and is no longer owed is given back once', o.id::text,
           format('paid %s, due %s, given back %s', p.received_paisa, owed.paisa, coalesce(r.total, 0))
    FROM payments p JOIN orders o ON o.id = p.subject_id
    CROSS JOIN LATERAL (
        SELECT coalesce(o.amount_due_paisa, o.total_paisa) - returned_before(o.id, p.created_at) AS paisa) owed
    LEFT JOIN (SELECT payment_id, sum(amount_paisa) AS total FROM refunds WHERE is_partial AND state <> 'withdrawn' GROUP BY 1) r
           ON r.payment_id = p.id
    WHERE p.state = 'paid' AND coalesce(r.total, 0) <> p.received_paisa - owed.paisa
UNION ALL
    SELECT 'only a paid order gets a part back', r.id::text, p.state
    FROM refunds r JOIN payments p ON p.id = r.payment_id WHERE r.is_partial AND p.state <> 'paid'
UNION ALL
    SELECT 'a cancelled order gets all of its money back', o.id::text, format('received %s, given back %s', p.received_paisa, r.total)
    FROM orders o JOIN payments p ON p.subject_id = o.id AND p.state = 'paid'
    LEFT JOIN (SELECT payment_id, sum(amount_paisa) AS total FROM refunds WHERE state <> 'withdrawn' GROUP BY 1) r ON r.payment_id = p.id
    WHERE o.payment IN ('refund_due', 'refunded') AND r.total IS DISTINCT FROM p.received_paisa;
GRANT SELECT ON packing_violations TO thunse_app;
