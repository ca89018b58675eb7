-- The platform's functions, and the view over all modules. Repeatable: see 99999999999910_catalogue.sql.

-- Adds a job without the notification that wakes the worker at once: notifying transactions commit one after the other, and a
-- sale must not queue there. The worker moves the outbox to the job engine twice a second (decision 065).
CREATE OR REPLACE FUNCTION enqueue_job(name text, payload json, attempts integer) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO job_outbox (name, payload, max_attempts) VALUES (enqueue_job.name, enqueue_job.payload, enqueue_job.attempts);
END $$;

-- What the serving role may update, by column: no total, amount, owner or method of an order, payment or refund, and no email
-- address of a seller. Called at the end of every `thunse migrate`, so that a column of a later migration may be updated unless it
-- is an amount.
CREATE OR REPLACE FUNCTION restrict_updates() RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    target text;
    changeable text;
BEGIN
    FOREACH target IN ARRAY ARRAY['orders', 'payments', 'refunds'] LOOP
        SELECT string_agg(quote_ident(attname), ', ') INTO changeable
        FROM pg_attribute
        WHERE attrelid = target::regclass AND attnum > 0 AND NOT attisdropped
          AND attname NOT IN ('id', 'code', 'tracking', 'user_id', 'method', 'subject_id', 'number', 'provider', 'payment_id',
                              'vat_registered', 'prices_include_tax', 'created_at', 'is_partial')
          AND (attname IN ('received_paisa', 'amount_due_paisa') OR attname !~ '_(paisa|percent|bp)$');
        EXECUTE format('REVOKE UPDATE ON %I FROM thunse_app', target);
        EXECUTE format('GRANT UPDATE (%s) ON %I TO thunse_app', changeable, target);
    END LOOP;
    SELECT string_agg(quote_ident(attname), ', ') INTO changeable
    FROM pg_attribute
    WHERE attrelid = 'sellers'::regclass AND NOT attisdropped
      AND attname IN ('language', 'role', 'totp_secret', 'totp_pending_secret', 'totp_last_step', 'password_hash',
                      'password_expires_at', 'disabled_at', 'updated_at');
    REVOKE UPDATE ON sellers FROM thunse_app;
    -- An invitation that is accepted creates a seller (decision 070).
    GRANT INSERT ON sellers TO thunse_app;
    EXECUTE format('GRANT UPDATE (%s) ON sellers TO thunse_app', changeable);
    REVOKE UPDATE ON seller_backup_codes FROM thunse_app;
    GRANT INSERT, UPDATE (used_at), DELETE ON seller_backup_codes TO thunse_app;
    -- ops/database.sql creates this role; an older database gets the grants at the first migration after it exists.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'thunse_admin') THEN
        GRANT INSERT, UPDATE ON sellers TO thunse_admin;
        GRANT INSERT, DELETE ON seller_backup_codes TO thunse_admin;
        -- The first days of later fiscal years are added by hand (docs/how-to/bill.md).
        GRANT INSERT, UPDATE ON fiscal_years TO thunse_admin;
    END IF;
    -- Both work only where the migrating role owns the database; elsewhere PostgreSQL warns and goes on.
    EXECUTE format('REVOKE CONNECT, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    FOR target IN SELECT rolname FROM pg_roles WHERE rolname IN ('thunse_app', 'thunse_admin', 'thunse_backup') LOOP
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), target);
    END LOOP;
    RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION restrict_updates() FROM PUBLIC;
SELECT restrict_updates();

-- What must never be true: always empty. A job reads it every five minutes, and every test run ends with it.
CREATE OR REPLACE VIEW invariant_violations AS
    SELECT * FROM order_violations
UNION ALL
    SELECT * FROM payment_violations
UNION ALL
    SELECT * FROM packing_violations
UNION ALL
    SELECT * FROM cash_violations
UNION ALL
    SELECT * FROM catalogue_violations
UNION ALL
    SELECT * FROM inventory_violations
UNION ALL
    SELECT * FROM coupon_violations
UNION ALL
    SELECT * FROM billing_violations;
GRANT SELECT ON invariant_violations TO thunse_app;
