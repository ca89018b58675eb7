-- The functions that write the cash ledger, and what it must always satisfy (decision 083). The serving role may only read its
-- tables: these functions run with the rights of their owner. Repeatable: see 99999999999910_catalogue.sql.

-- Records a transaction; entries without an amount are left out. Returns null if none is left, and the earlier transaction if the
-- key was used before.
CREATE OR REPLACE FUNCTION post_cash(kind text, of_order uuid, of_rider uuid, by_id uuid, at timestamptz, note text, key uuid,
                                     accounts text[], amounts bigint[])
RETURNS bigint LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    posted bigint;
BEGIN
    IF (SELECT sum(amount) FROM unnest(amounts) amount) <> 0 THEN
        RAISE EXCEPTION 'the entries of a cash transaction add up to zero' USING ERRCODE = 'TS003';
    END IF;
    IF NOT EXISTS (SELECT FROM unnest(amounts) amount WHERE amount <> 0) THEN
        RETURN NULL;
    END IF;
    INSERT INTO cash_transactions AS t (kind, order_id, rider_id, by_id, at, note, key)
    VALUES (post_cash.kind, of_order, of_rider, post_cash.by_id, post_cash.at, post_cash.note, post_cash.key)
    ON CONFLICT ON CONSTRAINT cash_transactions_key DO NOTHING RETURNING t.id INTO posted;
    IF posted IS NULL THEN
        RETURN (SELECT t.id FROM cash_transactions t WHERE t.key = post_cash.key);
    END IF;
    INSERT INTO cash_entries (transaction_id, account, rider_id, amount_paisa)
    SELECT posted, account, CASE WHEN account IN ('rider', 'float', 'differences') THEN of_rider END, amount
    FROM unnest(accounts, amounts) entry (account, amount) WHERE amount <> 0;
    RETURN posted;
END $$;

-- A cash order was delivered: it is sold for what is due after packing, less what came back at the door, and the cash is collected by a rider, or
-- in the till without one. What was not collected is a difference.
CREATE OR REPLACE FUNCTION collect_order_cash(of_order uuid, total bigint, due bigint, collected bigint, collector uuid, by_id uuid,
                                              at timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
    -- The rider's day is not closed in between.
    PERFORM FROM sellers WHERE id = collector FOR SHARE;
    PERFORM post_cash('sold', of_order, collector, by_id, at, '', NULL, '{receivable,sales}', ARRAY[total, -total]);
    PERFORM post_cash('returned', of_order, collector, by_id, at, '', NULL, '{sales,receivable}', ARRAY[total - due, due - total]);
    PERFORM post_cash('collected', of_order, collector, by_id, at, '', NULL,
                      ARRAY[CASE WHEN collector IS NULL THEN 'till' ELSE 'rider' END, 'receivable'], ARRAY[collected, -collected]);
    PERFORM post_cash('difference', of_order, collector, by_id, at, '', NULL, '{differences,receivable}',
                      ARRAY[due - collected, collected - due]);
END $$;

-- A delivered cash order was not delivered after all: everything that was recorded for it since the last reversal is taken back.
-- Cash of a rider whose day was closed since is in the till, and leaves the till.
CREATE OR REPLACE FUNCTION reverse_order_cash(of_order uuid, by_id uuid, at timestamptz)
RETURNS void LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    carrier uuid;
    accounts text[];
    amounts bigint[];
BEGIN
    SELECT array_agg(account ORDER BY account), array_agg(-total ORDER BY account), (array_agg(rider_id))[1]
    INTO accounts, amounts, carrier
    FROM (SELECT CASE WHEN e.account = 'rider' AND EXISTS (
                     SELECT FROM cash_settlements s WHERE s.rider_id = e.rider_id AND s.last_transaction_id >= t.id) THEN 'till'
                 ELSE e.account END AS account,
                 (array_agg(t.rider_id))[1] AS rider_id, sum(e.amount_paisa)::bigint AS total
          FROM cash_transactions t JOIN cash_entries e ON e.transaction_id = t.id
          WHERE t.order_id = of_order AND t.id > coalesce(
              (SELECT max(r.id) FROM cash_transactions r WHERE r.order_id = of_order AND r.kind = 'reversed'), 0)
          GROUP BY 1) recorded;
    IF accounts IS NOT NULL THEN
        PERFORM post_cash('reversed', of_order, carrier, by_id, at, '', NULL, accounts, amounts);
    END IF;
END $$;

-- Closes the day of a rider: the counted cash goes into the till, and what is missing is a difference. Returns null if the rider's
-- balance is no longer the one that was seen.
CREATE OR REPLACE FUNCTION settle_rider_cash(settlement uuid, of_rider uuid, on_day date, expected bigint, counted bigint,
                                             note text, by_id uuid, at timestamptz)
RETURNS uuid LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
    balance bigint;
    posted bigint;
BEGIN
    -- Two managers who close the same day do it one after the other.
    PERFORM FROM sellers WHERE id = of_rider FOR UPDATE;
    SELECT coalesce(sum(amount_paisa), 0) INTO balance FROM cash_entries WHERE rider_id = of_rider AND account = 'rider';
    IF balance <> expected THEN
        RETURN NULL;
    END IF;
    posted := post_cash('settled', NULL, of_rider, settle_rider_cash.by_id, settle_rider_cash.at, settle_rider_cash.note, NULL,
                        '{till,rider,differences}', ARRAY[counted, -balance, balance - counted]);
    INSERT INTO cash_settlements (id, rider_id, day, expected_paisa, counted_paisa, note, closed_by, closed_at, transaction_id,
                                  last_transaction_id)
    VALUES (settlement, of_rider, on_day, expected, counted, settle_rider_cash.note, settle_rider_cash.by_id, settle_rider_cash.at,
            posted, (SELECT coalesce(max(t.id), 0) FROM cash_transactions t WHERE t.rider_id = of_rider));
    RETURN settlement;
END $$;

REVOKE EXECUTE ON FUNCTION post_cash(text, uuid, uuid, uuid, timestamptz, text, uuid, text[], bigint[]) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION collect_order_cash(uuid, bigint, bigint, bigint, uuid, uuid, timestamptz) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION reverse_order_cash(uuid, uuid, timestamptz) FROM PUBLIC;
REVOKE EXECUTE ON FUNCTION settle_rider_cash(uuid, uuid, date, bigint, bigint, text, uuid, timestamptz) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION post_cash(text, uuid, uuid, uuid, timestamptz, text, uuid, text[], bigint[]) TO thunse_app;
GRANT EXECUTE ON FUNCTION collect_order_cash(uuid, bigint, bigint, bigint, uuid, uuid, timestamptz) TO thunse_app;
GRANT EXECUTE ON FUNCTION reverse_order_cash(uuid, uuid, timestamptz) TO thunse_app;
GRANT EXECUTE ON FUNCTION settle_rider_cash(uuid, uuid, date, bigint, bigint, text, uuid, timestamptz) TO thunse_app;

CREATE OR REPLACE VIEW cash_violations AS
    SELECT 'a cash transaction adds up to zero' AS invariant, transaction_id::text AS what, sum(amount_paisa)::text AS detail
    FROM cash_entries GROUP BY transaction_id HAVING sum(amount_paisa) <> 0
UNION ALL
    SELECT 'a cash transaction has entries', t.id::text, t.kind
    FROM cash_transactions t WHERE NOT EXISTS (SELECT FROM cash_entries e WHERE e.transaction_id = t.id)
UNION ALL
    -- What a delivered cash order was sold for is what was to be collected, and nothing of it is still owed.
    SELECT 'cash of an order follows its payment', o.id::text,
           format('%s: due %s, came back %s, sold for %s, still owed %s', o.payment, coalesce(o.amount_due_paisa, o.total_paisa), coalesce(r.value, 0),
                  coalesce(e.sold, 0), coalesce(e.owed, 0))
    FROM orders o
    LEFT JOIN (SELECT t.order_id, -sum(e.amount_paisa) FILTER (WHERE e.account = 'sales') AS sold,
                      sum(e.amount_paisa) FILTER (WHERE e.account = 'receivable') AS owed
               FROM cash_transactions t JOIN cash_entries e ON e.transaction_id = t.id
               WHERE t.order_id IS NOT NULL GROUP BY t.order_id) e ON e.order_id = o.id
    LEFT JOIN (SELECT order_id, sum(value_paisa) AS value FROM door_returns GROUP BY order_id) r ON r.order_id = o.id
    WHERE coalesce(e.sold, 0) <> CASE WHEN o.payment = 'cod_collected'
          THEN coalesce(o.amount_due_paisa, o.total_paisa) - coalesce(r.value, 0) ELSE 0 END
       OR coalesce(e.owed, 0) <> 0
UNION ALL
    -- Counted from the kinds of transactions instead of from the account.
    SELECT 'a rider carries what was collected and not handed in', coalesce(a.rider_id, k.rider_id)::text,
           format('account %s, by kind %s', coalesce(a.total, 0), coalesce(k.total, 0))
    FROM (SELECT rider_id, sum(amount_paisa) AS total FROM cash_entries WHERE account = 'rider' GROUP BY rider_id) a
    FULL JOIN (SELECT t.rider_id, -sum(e.amount_paisa) AS total
               FROM cash_transactions t JOIN cash_entries e ON e.transaction_id = t.id
               WHERE t.rider_id IS NOT NULL AND e.account <> 'rider' AND t.kind IN
                     ('collected', 'handed_in', 'settled', 'difference', 'reversed')
               GROUP BY t.rider_id) k ON k.rider_id = a.rider_id
    WHERE coalesce(a.total, 0) <> coalesce(k.total, 0)
UNION ALL
    SELECT 'a closed day is what was counted', s.id::text, format('expected %s, counted %s', s.expected_paisa, s.counted_paisa)
    FROM cash_settlements s
    WHERE (SELECT (coalesce(-sum(e.amount_paisa) FILTER (WHERE e.account = 'rider'), 0),
                   coalesce(sum(e.amount_paisa) FILTER (WHERE e.account = 'till'), 0))
           FROM cash_entries e WHERE e.transaction_id = s.transaction_id)
          IS DISTINCT FROM (s.expected_paisa::numeric, s.counted_paisa::numeric);
GRANT SELECT ON cash_violations TO thunse_app;
