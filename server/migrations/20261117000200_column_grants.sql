-- What the serving role may change, by column: no total, amount, owner or method of an order, payment or refund, and of a seller only what sellers
-- change themselves (password, language) and the last code used. Sellers are made and changed by thunse_admin, the role of `thunse seller`, which may do what thunse_app
-- may (it is a member of it) and this. Grants only; each takes a short lock on its table.

-- Called by this file and again at the end of every `thunse migrate`: a column that a later migration adds may be updated unless it is a figure.
CREATE FUNCTION restrict_updates() RETURNS boolean LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
DECLARE
    limited text;
    changeable text;
BEGIN
    FOREACH limited IN ARRAY ARRAY['orders', 'payments', 'refunds'] LOOP
        SELECT string_agg(quote_ident(attname), ', ') INTO changeable
        FROM pg_attribute
        WHERE attrelid = limited::regclass AND attnum > 0 AND NOT attisdropped
          AND attname NOT IN ('id', 'code', 'tracking', 'user_id', 'method', 'about', 'number', 'provider', 'payment_id', 'vat_registered', 'created_at')
          AND (attname = 'received_paisa' OR attname !~ '_(paisa|percent|bp)$');
        EXECUTE format('REVOKE UPDATE ON %I FROM thunse_app', limited);
        EXECUTE format('GRANT UPDATE (%s) ON %I TO thunse_app', changeable, limited);
    END LOOP;
    SELECT string_agg(quote_ident(attname), ', ') INTO changeable
    FROM pg_attribute
    WHERE attrelid = 'sellers'::regclass AND NOT attisdropped
      AND attname IN ('language', 'totp_last_step', 'password_hash', 'password_expires_at', 'updated_at');
    REVOKE INSERT, UPDATE ON sellers FROM thunse_app;
    EXECUTE format('GRANT UPDATE (%s) ON sellers TO thunse_app', changeable);
    REVOKE INSERT, UPDATE, DELETE ON seller_backup_codes FROM thunse_app;
    GRANT UPDATE (used_at) ON seller_backup_codes TO thunse_app;
    -- The role is made by ops/database.sql; a database that was set up before it existed gets the grants at the next `thunse migrate`.
    IF EXISTS (SELECT FROM pg_roles WHERE rolname = 'thunse_admin') THEN
        GRANT INSERT, UPDATE ON sellers TO thunse_admin;
        GRANT INSERT, DELETE ON seller_backup_codes TO thunse_admin;
    END IF;
    -- Both only where the migrating role owns the database; else PostgreSQL warns and goes on.
    EXECUTE format('REVOKE CONNECT, TEMPORARY ON DATABASE %I FROM PUBLIC', current_database());
    FOR limited IN SELECT rolname FROM pg_roles WHERE rolname IN ('thunse_app', 'thunse_admin', 'thunse_backup') LOOP
        EXECUTE format('GRANT CONNECT ON DATABASE %I TO %I', current_database(), limited);
    END LOOP;
    RETURN true;
END $$;
REVOKE EXECUTE ON FUNCTION restrict_updates() FROM PUBLIC;
SELECT restrict_updates();
