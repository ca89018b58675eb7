-- A cash order of an account that has confirmed no email address and paid for nothing yet holds its stock until `confirm_by`.
-- One nullable column without a default (no rewrite) and a constraint that is not checked for old rows (all of them are null):
-- a lock of a moment. Where it cannot be had within three seconds the migration fails and can be run again.
SET LOCAL lock_timeout = '3s';

ALTER TABLE orders ADD COLUMN confirm_by timestamptz;
ALTER TABLE orders ADD CONSTRAINT orders_only_new_cash_orders_wait
    CHECK (confirm_by IS NULL OR (payment = 'cod_due' AND label = 'Order Placed')) NOT VALID;

-- The accounts' function, for the statement that writes an order: `is_there` holds the account by then, so the answer stays true
-- until the order is written.
CREATE FUNCTION has_confirmed_email(person uuid) RETURNS boolean
LANGUAGE sql AS $$
    SELECT EXISTS (SELECT FROM users WHERE id = person AND email_confirmed_at IS NOT NULL)
$$;

-- However an address is confirmed, its orders stay, in the same transaction. Who has an order on the screen is told.
CREATE FUNCTION keep_confirmed_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH kept AS (
        UPDATE orders SET confirm_by = NULL, updated_at = now()
        WHERE user_id = NEW.id AND confirm_by IS NOT NULL RETURNING id, label
    )
    INSERT INTO order_events (order_id, label, actor, money) SELECT id, label, 'system', true FROM kept;
    RETURN NULL;
END $$;
CREATE TRIGGER users_email_confirmed AFTER UPDATE OF email_confirmed_at ON users
    FOR EACH ROW WHEN (OLD.email_confirmed_at IS NULL AND NEW.email_confirmed_at IS NOT NULL)
    EXECUTE FUNCTION keep_confirmed_orders();

-- A phone number however it was written: its last ten digits, without a country code.
CREATE FUNCTION phone_key(phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT right(regexp_replace(translate(phone, '०१२३४५६७८९', '0123456789'), '[^0-9]', '', 'g'), 10)
$$;

CREATE VIEW confirmation_violations AS
    SELECT 'an unconfirmed order ends in time' AS invariant, id::text AS what, confirm_by::text AS detail
    FROM orders WHERE confirm_by < now() - interval '5 minutes'
UNION ALL
    SELECT 'an order of a confirmed address waits for nothing', o.id::text, o.confirm_by::text
    FROM orders o JOIN users u ON u.id = o.user_id WHERE o.confirm_by IS NOT NULL AND u.email_confirmed_at IS NOT NULL;

CREATE OR REPLACE VIEW invariant_violations AS
    SELECT * FROM order_violations WHERE invariant <> 'one placing makes one order'
UNION ALL
    SELECT * FROM payment_violations
UNION ALL
    SELECT * FROM catalogue_violations
UNION ALL
    SELECT * FROM confirmation_violations;

GRANT SELECT ON confirmation_violations TO thunse_app;
GRANT UPDATE (confirm_by) ON orders TO thunse_app;
