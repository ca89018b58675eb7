-- An independent implementation of how a coupon is allocated to lines, in another language, with which the tests compare
-- `coupons/allocate.rs`. Returns the unit prices, and what they give in all.
CREATE FUNCTION coupon_oracle(told jsonb) RETURNS text LANGUAGE plpgsql AS $$
DECLARE
    wanted numeric;
    missing numeric;
    before numeric;
    line record;
BEGIN
    CREATE TEMPORARY TABLE IF NOT EXISTS l (n int, price numeric, q int, charged numeric);
    TRUNCATE l;
    INSERT INTO l SELECT place, price, q, price
    FROM ROWS FROM (jsonb_to_recordset(told -> 'lines') AS (price numeric, q int)) WITH ORDINALITY t (price, q, place);
    SELECT least(coalesce((told ->> 'amount')::numeric,
                          least(ceil(sum(price * q) * (told ->> 'percent')::numeric / 100), (told ->> 'most')::numeric)),
                 sum(greatest(price - 1, 0) * q)) INTO wanted FROM l;
    UPDATE l SET charged = price - floor(price * wanted / greatest((SELECT sum(price * q) FROM l), 1)) WHERE wanted > 0;
    LOOP
        SELECT wanted - sum((price - charged) * q) INTO missing FROM l;
        EXIT WHEN missing <= 0;
        before := missing;
        FOR line IN SELECT * FROM l ORDER BY q DESC, n LOOP
            IF line.charged > 1 AND line.q <= missing THEN
                UPDATE l SET charged = charged - 1 WHERE n = line.n;
                missing := missing - line.q;
            END IF;
        END LOOP;
        IF missing = before THEN
            UPDATE l SET charged = charged - 1 WHERE n = (SELECT n FROM l WHERE charged > 1 ORDER BY q, n DESC LIMIT 1);
        END IF;
    END LOOP;
    RETURN (SELECT string_agg(charged::bigint::text, ',' ORDER BY n) || ' ' || sum((price - charged) * q)::bigint FROM l);
END $$;
