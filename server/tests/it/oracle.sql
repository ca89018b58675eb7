-- An independent implementation of the order rules, in another language and structure, with which the tests compare
-- `orders/transition/`.
CREATE FUNCTION oracle(status text, method text, payment text, stock text, dispatched boolean, refund text,
                       event text, detail text, goods boolean) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    m text := method; l text := status; p text := payment; s text := stock; d boolean := dispatched; r text := refund;
    timeline text[] := '{}'; units integer := 0; opened text[] := '{}'; money text := ''; attempt text := ''; cash text := '';
    sent CONSTANT text[] := '{Order Shipped,Out for Delivery,Delivered}';
    wanted text := detail;
BEGIN
    IF event = 'shopper' THEN
        IF dispatched OR status NOT IN ('Order Placed', 'Order Confirmed') THEN RETURN 'refused'; END IF;
        event := 'seller'; wanted := 'Cancelled';
    END IF;

    IF event = 'seller' THEN
        timeline := timeline || wanted;
        IF wanted = 'Cancelled' AND status <> 'Cancelled' THEN
            IF dispatched THEN opened := opened || 'cancelled_after_dispatch'::text;
            ELSIF stock IN ('held', 'taken') THEN units := -1; s := 'returned';
            END IF;
            IF payment = 'cod_collected' THEN cash := 'reverse'; END IF;
            p := CASE WHEN method = 'COD' THEN 'cod_void' WHEN payment = 'paid' THEN 'refund_due' ELSE payment END;
            IF payment = 'paid' THEN money := 'request'; r := 'requested'; END IF;
        ELSIF wanted <> 'Cancelled' AND status = 'Cancelled' THEN
            IF stock IN ('returned', 'short') THEN
                IF goods THEN units := 1; s := 'taken'; ELSE s := 'short'; opened := opened || 'reopened_without_stock'::text; END IF;
            END IF;
            IF payment IN ('refund_due', 'refunded') THEN
                IF payment = 'refund_due' AND refund = 'requested' THEN money := 'withdraw'; p := 'paid'; r := 'none';
                ELSE opened := opened || 'reopened_after_refund'::text;
                END IF;
            ELSIF method <> 'COD' AND payment <> 'paid' THEN opened := opened || 'reopened_unpaid'::text;
            END IF;
        END IF;
        IF method = 'COD' AND wanted <> 'Cancelled' THEN
            p := CASE wanted WHEN 'Delivered' THEN 'cod_collected' ELSE 'cod_due' END;
            IF wanted = 'Delivered' AND payment IN ('cod_due', 'cod_void') THEN cash := 'collect'; END IF;
            IF wanted <> 'Delivered' AND payment = 'cod_collected' THEN cash := 'reverse'; END IF;
        END IF;
        IF wanted = ANY (sent) THEN
            IF payment IN ('awaiting', 'failed', 'conflict') THEN opened := opened || 'shipped_unpaid'::text; END IF;
            IF s = 'held' THEN s := 'taken';
            ELSIF s IN ('returned', 'short') AND status <> 'Cancelled' THEN
                IF goods THEN units := 1; s := 'taken';
                ELSIF s = 'returned' THEN s := 'short'; opened := opened || 'reopened_without_stock'::text;
                END IF;
            END IF;
        END IF;
        d := wanted = ANY (sent) OR (dispatched AND wanted = 'Cancelled');
        l := wanted;

    ELSIF event = 'wallet' AND detail NOT LIKE '%/settled' AND detail NOT LIKE 'open/%' THEN
        IF detail LIKE 'other/%' OR detail LIKE 'twin/%' THEN
            attempt := 'conflict';
            opened := opened || CASE WHEN detail LIKE 'twin/%' THEN 'transaction_reused' ELSE 'amount_mismatch' END;
            IF payment IN ('awaiting', 'failed') THEN p := 'conflict'; END IF;
        ELSIF detail LIKE 'completed/%' AND (payment = 'cod_collected' OR detail = 'completed/beside') THEN
            attempt := 'paid_extra'; money := 'request'; opened := opened || 'paid_twice'::text;
        ELSIF detail IN ('completed/alone', 'completed/two') THEN
            attempt := 'paid'; m := 'Khalti';
            IF status = 'Cancelled' OR (stock = 'returned' AND NOT goods AND NOT dispatched) THEN
                p := 'refund_due'; r := 'requested'; money := 'request'; l := 'Cancelled'; timeline := timeline || l;
                opened := opened || 'late_payment'::text;
            ELSE
                p := 'paid';
                IF stock = 'returned' AND goods THEN units := 1; END IF;
                IF stock = 'held' OR (stock = 'returned' AND goods) THEN s := 'taken'; ELSIF stock = 'returned' THEN s := 'short'; END IF;
                IF status = 'Order Placed' THEN l := 'Order Confirmed'; timeline := timeline || l; END IF;
            END IF;
        ELSE
            attempt := 'failed';
            IF detail LIKE 'given back/%' THEN opened := opened || 'refunded_outside'::text; END IF;
            IF payment = 'awaiting' AND detail LIKE '%/alone' THEN
                p := 'failed';
                IF stock = 'held' THEN units := -1; s := 'returned'; END IF;
            END IF;
        END IF;

    ELSIF event IN ('hold over', 'not initiated') THEN
        IF stock = 'held' THEN
            units := -1; s := 'returned';
            IF payment = 'awaiting' THEN p := 'failed'; END IF;
        END IF;
        IF event = 'not initiated' AND payment = 'awaiting' THEN attempt := 'abandoned'; p := 'failed'; END IF;

    ELSIF event = 'pays again' THEN
        IF status NOT IN ('Order Placed', 'Order Confirmed') OR payment NOT IN ('awaiting', 'failed') THEN RETURN 'refused'; END IF;
        IF stock IN ('returned', 'short') THEN
            IF NOT goods THEN RETURN 'refused'; END IF;
            units := 1; s := 'held';
        END IF;
        p := 'awaiting';

    ELSIF event = 'given up' THEN
        IF status = 'Order Placed' AND payment = 'failed' AND stock = 'returned' THEN
            l := 'Cancelled'; timeline := timeline || l;
        END IF;

    ELSIF event = 'not confirmed' THEN
        IF method = 'COD' AND status = 'Order Placed' AND NOT dispatched THEN
            l := 'Cancelled'; timeline := timeline || l;
            IF stock IN ('held', 'taken') THEN units := -1; s := 'returned'; END IF;
            IF payment = 'cod_collected' THEN cash := 'reverse'; END IF;
            IF payment IN ('cod_due', 'cod_collected') THEN p := 'cod_void'; END IF;
        END IF;

    ELSIF event = 'conflict returned' THEN
        IF payment = 'conflict' THEN p := 'failed'; END IF;

    ELSIF event = 'refunded' THEN
        IF payment = 'refund_due' THEN p := 'refunded'; r := 'sent'; END IF;
    END IF;

    RETURN concat_ws('|', m, l, p, s, d, r, array_to_string(timeline, ','), units, array_to_string(opened, ','), money, attempt, cash);
END $$;
