-- What goods in, waste and stock-taking must always satisfy. Repeatable: see 99999999999910_catalogue.sql.

-- Every line of a document agrees with its row of the stock ledger, and every such row has its line.
CREATE OR REPLACE VIEW inventory_violations AS
    SELECT 'a receipt line agrees with the stock ledger' AS invariant, l.id::text AS what,
           format('%s units, ledger %s (%s)', l.quantity, m.delta, m.reason) AS detail
    FROM goods_receipt_lines l LEFT JOIN stock_movements m ON m.id = l.movement_id
    WHERE (m.product_id, m.delta, m.reason) IS DISTINCT FROM (l.product_id, l.quantity, 'received')
UNION ALL
    SELECT 'waste agrees with the stock ledger', w.id::text, format('%s units, ledger %s (%s)', w.quantity, m.delta, m.reason)
    FROM waste_records w LEFT JOIN stock_movements m ON m.id = w.movement_id
    WHERE (m.product_id, m.delta, m.reason) IS DISTINCT FROM (w.product_id, -w.quantity, 'waste')
UNION ALL
    SELECT 'a counted difference agrees with the stock ledger', a.count_id::text,
           format('product %s: %s applied, ledger %s (%s)', a.product_id, a.applied, m.delta, m.reason)
    FROM stock_count_adjustments a LEFT JOIN stock_movements m ON m.id = a.movement_id
    WHERE a.applied <> 0 AND (m.product_id, m.delta, m.reason) IS DISTINCT FROM (a.product_id, a.applied, 'counted')
UNION ALL
    SELECT 'a movement of goods has its document', m.id::text, m.reason
    FROM stock_movements m
    WHERE m.reason IN ('received', 'waste', 'counted')
      AND NOT EXISTS (SELECT FROM goods_receipt_lines l WHERE l.movement_id = m.id)
      AND NOT EXISTS (SELECT FROM waste_records w WHERE w.movement_id = m.id)
      AND NOT EXISTS (SELECT FROM stock_count_adjustments a WHERE a.movement_id = m.id)
UNION ALL
    SELECT 'an applied count has the differences that were counted', c.id::text,
           format('product %s: %s', coalesce(e.product_id, a.product_id), coalesce(a.difference::text, 'none'))
    FROM stock_counts c
    CROSS JOIN LATERAL (
        SELECT DISTINCT ON (e.product_id) e.id, e.product_id, e.counted - e.stock - e.reserved AS difference
        FROM stock_count_entries e WHERE e.count_id = c.id ORDER BY e.product_id, e.position DESC) e
    LEFT JOIN stock_count_adjustments a ON a.count_id = c.id AND a.product_id = e.product_id
    WHERE c.state = 'applied' AND (a.entry_id, a.difference) IS DISTINCT FROM (e.id, e.difference)
UNION ALL
    SELECT 'only an applied count changes stock', c.id::text, c.state
    FROM stock_counts c WHERE c.state <> 'applied' AND EXISTS (SELECT FROM stock_count_adjustments a WHERE a.count_id = c.id)
UNION ALL
    SELECT 'no batch is written off twice', l.id::text, format('%s received, %s written off', l.quantity, sum(w.quantity))
    FROM goods_receipt_lines l JOIN waste_records w ON w.batch_id = l.id
    GROUP BY l.id HAVING sum(w.quantity) > l.quantity OR bool_or(w.product_id <> l.product_id)
UNION ALL
    -- The average is computed here from the one before it, as a second opinion on `inventory/costs.rs`.
    SELECT 'the average cost follows from the receipts', known.id::text,
           format('%s for %s units', c.value_paisa, c.units)
    FROM (SELECT l.id, l.product_id, l.quantity, l.cost_paisa, greatest(l.stock_before, 0)::bigint AS before, l.movement_id,
                 lag(l.id) OVER (PARTITION BY l.product_id ORDER BY l.movement_id) AS previous
          FROM goods_receipt_lines l WHERE l.cost_paisa IS NOT NULL) known
    LEFT JOIN product_costs c ON c.receipt_line_id = known.id
    LEFT JOIN product_costs p ON p.receipt_line_id = known.previous
    WHERE (c.product_id, c.movement_id, c.units, c.value_paisa) IS DISTINCT FROM (
        known.product_id, known.movement_id, known.before + known.quantity,
        known.quantity * known.cost_paisa
            + CASE WHEN known.previous IS NULL THEN known.before * known.cost_paisa
                   ELSE div(p.value_paisa::numeric * known.before * 2 + p.units, p.units * 2)::bigint END)
UNION ALL
    SELECT 'an average cost belongs to a known cost', c.receipt_line_id::text, c.value_paisa::text
    FROM product_costs c JOIN goods_receipt_lines l ON l.id = c.receipt_line_id WHERE l.cost_paisa IS NULL;
GRANT SELECT ON inventory_violations TO thunse_app;
