-- Tables, columns, indexes and constraints get the names of their field. Only names change: no row is rewritten. Each rename takes
-- an ACCESS EXCLUSIVE lock for a moment.
--
-- The release before this one does not know the new names: stop it, run `thunse migrate`, start this one (docs/how-to/run-the-shop.md).
-- Functions, triggers and views are dropped here where their name changes; 999999999999xx_*.sql create them again.
SET LOCAL lock_timeout = '3s';

DROP VIEW invariant_violations, order_violations, payment_violations, catalogue_violations, confirmation_violations;
DROP TRIGGER users_email_confirmed ON users;
DROP TRIGGER products_added_scarce ON products;
DROP TRIGGER products_scarce ON products;
DROP FUNCTION take_from_cart(uuid, uuid[], integer[]);
DROP FUNCTION give_back_stock(uuid, text);
DROP FUNCTION offered(uuid[]);
DROP FUNCTION named_products(text, text, bigint);
DROP FUNCTION keep_confirmed_orders();
DROP FUNCTION is_there(uuid);
DROP FUNCTION has_confirmed_email(uuid);
DROP FUNCTION enqueue_job(text, json, integer);
DROP FUNCTION take_stock(uuid, uuid[], integer[], bigint[], text);
DROP FUNCTION restrict_updates();

ALTER FUNCTION short_parts(text) RENAME TO letters_and_bigrams;
ALTER FUNCTION tell_catalogue_changed() RENAME TO notify_catalogue_changed;
ALTER FUNCTION keep_scarce_products() RENAME TO sync_low_stock_products;
ALTER FUNCTION relist_scarce_products() RENAME TO rebuild_low_stock_products;

-- Orders and their idempotency keys.
ALTER TABLE orders RENAME COLUMN label TO status;
ALTER TABLE orders RENAME COLUMN forgotten TO buyer_deleted;
ALTER TABLE orders RENAME CONSTRAINT orders_label TO orders_status;
ALTER INDEX orders_by_label RENAME TO orders_by_status;
ALTER TABLE order_events RENAME COLUMN label TO status;
ALTER TABLE order_events RENAME COLUMN money TO internal;
ALTER TABLE placings RENAME TO idempotency_keys;
ALTER TABLE idempotency_keys RENAME COLUMN answer TO response;
ALTER TABLE idempotency_keys RENAME CONSTRAINT placings_key TO idempotency_keys_pkey;
ALTER TABLE idempotency_keys RENAME CONSTRAINT placings_key_length TO idempotency_keys_key_length;
ALTER INDEX placings_age RENAME TO idempotency_keys_created_at;

-- Payments.
ALTER TABLE payments RENAME COLUMN about TO subject_id;
ALTER TABLE payments RENAME COLUMN onward TO next_action;
ALTER TABLE payments RENAME COLUMN said TO raw_status;
ALTER TABLE payments RENAME COLUMN meaning TO provider_status;
ALTER TABLE payments RENAME COLUMN looked_at TO last_checked_at;
ALTER TABLE payments RENAME CONSTRAINT payments_try TO payments_attempt_unique;
ALTER TABLE payments RENAME CONSTRAINT payments_meaning TO payments_provider_status;
ALTER INDEX payments_one_pays RENAME TO payments_one_paid;
ALTER INDEX payments_being_made RENAME TO payments_created;
ALTER INDEX payments_odd RENAME TO payments_discrepancies;
ALTER INDEX refunds_one_lives RENAME TO refunds_one_active;
ALTER INDEX refunds_out RENAME TO refunds_outstanding;

-- Catalogue.
ALTER TABLE scarce_products RENAME TO low_stock_products;
ALTER INDEX scarce_products_by_stock RENAME TO low_stock_products_by_stock;
ALTER INDEX scarce_products_pkey RENAME TO low_stock_products_pkey;
ALTER TABLE low_stock_products RENAME CONSTRAINT scarce_products_product_id_fkey TO low_stock_products_product_id_fkey;
ALTER TABLE scarce_limit RENAME TO low_stock_threshold;
ALTER INDEX scarce_limit_pkey RENAME TO low_stock_threshold_pkey;
ALTER TABLE low_stock_threshold RENAME COLUMN the_one TO singleton;
ALTER TABLE low_stock_threshold RENAME COLUMN most TO max_stock;
ALTER TABLE low_stock_threshold RENAME CONSTRAINT scarce_limit_once TO low_stock_threshold_once;
ALTER TABLE low_stock_threshold RENAME CONSTRAINT scarce_limit_range TO low_stock_threshold_range;
ALTER TABLE imports RENAME COLUMN sames TO unchanged;
ALTER INDEX products_name_parts RENAME TO products_name_trgm;
ALTER INDEX products_short_parts RENAME TO products_name_letters_and_bigrams;
ALTER INDEX search_vocabulary_parts RENAME TO search_vocabulary_word_trgm;
ALTER INDEX search_vocabulary_near RENAME TO search_vocabulary_word_gist;
ALTER INDEX subscribers_email_parts RENAME TO subscribers_email_trgm;

-- Accounts, sellers, shop.
ALTER TABLE login_guards RENAME TO login_throttles;
ALTER INDEX login_guards_pkey RENAME TO login_throttles_pkey;
ALTER INDEX login_guards_age RENAME TO login_throttles_age;
ALTER TABLE email_changes RENAME COLUMN asked_at TO requested_at;
ALTER TABLE shop_settings RENAME COLUMN the_one TO singleton;
ALTER INDEX audit_log_parts RENAME TO audit_log_search;
UPDATE shop_settings SET settings = settings - 'heldOfOne' || jsonb_build_object('heldPerProduct', settings -> 'heldOfOne')
WHERE settings ? 'heldOfOne';

-- Jobs that wait under their old names. A new database has no queue yet: the engine makes its tables after the migrations.
DO $$
BEGIN
    IF to_regclass('graphile_worker._private_tasks') IS NULL THEN
        RETURN;
    END IF;
    UPDATE graphile_worker._private_tasks t SET identifier = n.new
    FROM (VALUES
        ('orders.tell_shopper', 'orders.send_email'),
        ('orders.look_after_payments', 'orders.maintain_payments'),
        ('orders.compare_with_wallet', 'orders.reconcile_payments'),
        ('orders.ask_again', 'orders.reconcile_payment'),
        ('notifications.send_letter', 'notifications.send_email'),
        ('accounts.tidy', 'maintenance.delete_expired'),
        ('catalogue.check_ledger', 'maintenance.check_invariants'),
        ('media.sweep', 'media.delete_orphans'),
        ('jobs.forget_dead', 'jobs.delete_dead'),
        ('security.seal', 'security_log.seal')
    ) n (old, new)
    WHERE t.identifier = n.old
      AND NOT EXISTS (SELECT FROM graphile_worker._private_tasks other WHERE other.identifier = n.new);

    -- What waits under them: fields and values have new names too. An email about an order is never queued as such.
    UPDATE graphile_worker._private_jobs j
    SET payload = (j.payload::jsonb - 'label' || jsonb_build_object('status', j.payload -> 'label'))::json
    FROM graphile_worker._private_tasks t
    WHERE t.id = j.task_id AND t.identifier = 'orders.send_email' AND j.payload::jsonb ? 'label';

    UPDATE graphile_worker._private_jobs j
    SET payload = (j.payload::jsonb - 'letter' || jsonb_build_object('email',
            (j.payload::jsonb -> 'letter') - 'about' - 'news'
            || jsonb_build_object('type', j.payload -> 'letter' -> 'about')
            || CASE WHEN j.payload::jsonb -> 'letter' ? 'news'
                    THEN jsonb_build_object('kind', CASE j.payload -> 'letter' ->> 'news'
                        WHEN 'seller_closed' THEN 'seller_locked'
                        WHEN 'seller_codes_closed' THEN 'seller_codes_locked'
                        WHEN 'seller_password' THEN 'seller_password_reset'
                        ELSE j.payload -> 'letter' ->> 'news' END)
                    ELSE '{}' END))::json
    FROM graphile_worker._private_tasks t
    WHERE t.id = j.task_id AND t.identifier = 'notifications.send_email' AND j.payload::jsonb ? 'letter';
END $$;
