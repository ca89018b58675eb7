-- Rules take the time from the server's clock (decision 057). The time at which an address was confirmed is the time at which its
-- orders stay.
CREATE OR REPLACE FUNCTION keep_confirmed_orders() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    WITH kept AS (
        UPDATE orders SET confirm_by = NULL, updated_at = NEW.email_confirmed_at
        WHERE user_id = NEW.id AND confirm_by IS NOT NULL RETURNING id, label
    )
    INSERT INTO order_events (order_id, label, actor, money) SELECT id, label, 'system', true FROM kept;
    RETURN NULL;
END $$;
