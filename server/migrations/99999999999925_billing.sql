-- The triggers and invariants of bills. Repeatable: see 99999999999910_catalogue.sql.

CREATE OR REPLACE FUNCTION refuse_bill_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a row of % is never changed or deleted', TG_TABLE_NAME;
END $$;

CREATE OR REPLACE TRIGGER bills_unchangeable BEFORE UPDATE OR DELETE OR TRUNCATE ON bills
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_bill_change();
CREATE OR REPLACE TRIGGER bill_lines_unchangeable BEFORE UPDATE OR DELETE OR TRUNCATE ON bill_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_bill_change();
CREATE OR REPLACE TRIGGER credit_notes_unchangeable BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_notes
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_bill_change();
CREATE OR REPLACE TRIGGER credit_note_lines_unchangeable BEFORE UPDATE OR DELETE OR TRUNCATE ON credit_note_lines
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_bill_change();
CREATE OR REPLACE TRIGGER bill_prints_unchangeable BEFORE UPDATE OR DELETE OR TRUNCATE ON bill_prints
    FOR EACH STATEMENT EXECUTE FUNCTION refuse_bill_change();

-- A counter begins with 1 and goes up by one.
CREATE OR REPLACE FUNCTION require_next_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NEW.last_number <> (CASE TG_OP WHEN 'INSERT' THEN 1 ELSE OLD.last_number + 1 END) THEN
        RAISE EXCEPTION 'a bill number was left out';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER bill_counters_next BEFORE INSERT OR UPDATE ON bill_counters
    FOR EACH ROW EXECUTE FUNCTION require_next_number();

-- A number that was taken is used in the same transaction, because only the last one can be used.
CREATE OR REPLACE FUNCTION require_counted_number() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM bill_counters c WHERE c.fiscal_year = NEW.fiscal_year AND c.outlet = NEW.outlet
                   AND c.series = NEW.series AND c.last_number = NEW.number) THEN
        RAISE EXCEPTION 'the bill number does not come from its counter';
    END IF;
    RETURN NEW;
END $$;
CREATE OR REPLACE TRIGGER bills_counted BEFORE INSERT ON bills
    FOR EACH ROW EXECUTE FUNCTION require_counted_number();
CREATE OR REPLACE TRIGGER credit_notes_counted BEFORE INSERT ON credit_notes
    FOR EACH ROW EXECUTE FUNCTION require_counted_number();

CREATE OR REPLACE VIEW billing_violations AS
    SELECT 'bill numbers have no gap' AS invariant, format('%s %s %s', c.fiscal_year, c.outlet, c.series) AS what,
           format('counter %s, %s numbers up to %s', c.last_number, coalesce(n.count, 0), coalesce(n.last, 0)) AS detail
    FROM bill_counters c
    LEFT JOIN (SELECT fiscal_year, outlet, series, count(*) AS count, max(number) AS last FROM (
                   SELECT fiscal_year, outlet, series, number FROM bills
                   UNION ALL SELECT fiscal_year, outlet, series, number FROM credit_notes) numbered
               GROUP BY fiscal_year, outlet, series) n USING (fiscal_year, outlet, series)
    WHERE c.last_number <> coalesce(n.count, 0) OR c.last_number <> coalesce(n.last, 0)
UNION ALL
    SELECT 'the lines of a bill add up', b.id::text, format('goods %s, lines %s', b.exempt_paisa + b.taxable_paisa, l.total)
    FROM bills b LEFT JOIN (SELECT bill_id, sum(amount_paisa) AS total FROM bill_lines GROUP BY bill_id) l ON l.bill_id = b.id
    WHERE l.total IS DISTINCT FROM
          b.exempt_paisa + b.taxable_paisa + CASE WHEN b.prices_include_tax THEN b.tax_paisa ELSE 0 END
UNION ALL
    SELECT 'no more is credited than was billed', b.id::text, format('billed %s, credited %s', b.total_paisa, c.total)
    FROM bills b JOIN (SELECT bill_id, sum(total_paisa) AS total FROM credit_notes GROUP BY bill_id) c ON c.bill_id = b.id
    WHERE c.total > b.total_paisa
UNION ALL
    SELECT 'no more units are credited than were billed', l.bill_id::text,
           format('line %s: billed %s, credited %s', l.position, l.quantity, c.quantity)
    FROM bill_lines l JOIN (SELECT bill_id, position, sum(quantity) AS quantity FROM credit_note_lines
                            GROUP BY bill_id, position) c USING (bill_id, position)
    WHERE c.quantity > l.quantity
UNION ALL
    SELECT 'an order has one bill that counts', b.order_id::text, count(*)::text
    FROM bills b LEFT JOIN (SELECT bill_id, sum(total_paisa) AS total FROM credit_notes GROUP BY bill_id) c ON c.bill_id = b.id
    WHERE b.total_paisa > coalesce(c.total, 0)
    GROUP BY b.order_id HAVING count(*) > 1;
GRANT SELECT ON billing_violations TO thunse_app;
