-- How an order uses a coupon, and what coupons must always satisfy. Repeatable: see 99999999999910_catalogue.sql.

-- The statement that writes an order calls it: records the use, or fails and undoes the whole statement. The coupon is locked, so
-- that orders which are placed at the same moment, also by other instances, cannot exceed its limits. An order that was cancelled
-- does not count. `seen` is the version with which the discount was computed.
CREATE OR REPLACE FUNCTION use_coupon(of_coupon uuid, seen integer, for_order uuid, by_user uuid, discount bigint, at timestamptz)
RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
    coupon coupons;
    uses bigint;
    own_uses bigint;
BEGIN
    SELECT * INTO coupon FROM coupons c WHERE c.id = of_coupon FOR NO KEY UPDATE;
    SELECT count(*), count(*) FILTER (WHERE u.user_id = by_user) INTO uses, own_uses
    FROM coupon_uses u JOIN orders o ON o.id = u.order_id
    WHERE u.coupon_id = of_coupon AND o.status <> 'Cancelled';
    IF coupon.version IS DISTINCT FROM seen OR own_uses >= coupon.uses_per_customer OR uses >= coupon.total_uses THEN
        RAISE EXCEPTION 'the coupon was changed or used up' USING ERRCODE = 'TS005';
    END IF;
    INSERT INTO coupon_uses (coupon_id, order_id, user_id, discount_paisa, uses_per_customer, total_uses, created_at)
    VALUES (of_coupon, for_order, by_user, discount, coupon.uses_per_customer, coupon.total_uses, at);
    RETURN true;
END $$;

-- The page of offers is cached with the coupons that it shows. Their uses are not announced, because a sale must not queue behind
-- notifications: a coupon that is used up stays there for 15 s at most, and the cart refuses it at once.
CREATE OR REPLACE TRIGGER coupons_changed AFTER INSERT OR UPDATE OR DELETE ON coupons
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');

-- Uses are numbered under the lock of the coupon, so those of orders that were never cancelled must be within the limits in that
-- order. An order that was cancelled and taken up again counts as the seller's decision.
CREATE OR REPLACE VIEW coupon_violations AS
    SELECT 'the lines of an order give exactly the discount of its coupon' AS invariant,
           coalesce(u.order_id, i.order_id)::text AS what,
           format('discount %s, lines %s', u.discount_paisa, i.discount) AS detail
    FROM coupon_uses u
    FULL JOIN (SELECT order_id, sum((price_before_coupon_paisa - price_paisa) * quantity) AS discount
               FROM order_items WHERE price_before_coupon_paisa IS NOT NULL GROUP BY order_id) i ON i.order_id = u.order_id
    WHERE u.discount_paisa IS DISTINCT FROM i.discount
UNION ALL
    SELECT 'no line costs more with a coupon', order_id::text, format('%s instead of %s', price_paisa, price_before_coupon_paisa)
    FROM order_items
    WHERE price_before_coupon_paisa IS NOT NULL
      AND (price_paisa > price_before_coupon_paisa OR price_paisa < least(price_before_coupon_paisa, 1))
UNION ALL
    SELECT 'a coupon is used within its limits', order_id::text,
           format('use %s of %s, %s of %s by the customer', use, total_uses, own_use, uses_per_customer)
    FROM (SELECT u.*, row_number() OVER (PARTITION BY u.coupon_id ORDER BY u.id) AS use,
                 row_number() OVER (PARTITION BY u.coupon_id, u.user_id ORDER BY u.id) AS own_use
          FROM coupon_uses u
          WHERE NOT EXISTS (SELECT FROM order_events e WHERE e.order_id = u.order_id AND e.status = 'Cancelled')) u
    WHERE own_use > uses_per_customer OR use > total_uses
UNION ALL
    SELECT 'a coupon is used by the buyer of the order', u.order_id::text, u.user_id::text
    FROM coupon_uses u JOIN orders o ON o.id = u.order_id WHERE o.user_id <> u.user_id;
GRANT SELECT ON coupon_violations TO thunse_app;
