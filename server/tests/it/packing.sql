-- An independent implementation of the rules of packing, in another language and structure, with which the tests compare
-- `packing/plan.rs`.
CREATE FUNCTION packing_oracle(told jsonb) RETURNS text LANGUAGE sql AS $$
WITH line AS (
    SELECT l.*, l.q - l.packed AS gone, o.price AS other_price, o.tax AS other_tax, o.stock AS other_stock,
           coalesce(o.on_sale, false) AS other_on_sale
    FROM jsonb_to_recordset(told -> 'lines') l (p int, price bigint, tax text, q int, packed int, step int, grams int, reason text, rp int, rq int)
    LEFT JOIN jsonb_to_recordset(told -> 'offers') o (p int, price bigint, tax text, stock int, on_sale boolean) ON o.p = l.rp
), how AS (
    SELECT (told ->> 'online')::boolean AS online, (told ->> 'total')::bigint AS placed,
           CASE WHEN (told ->> 'online')::boolean THEN 'order' ELSE told ->> 'agreement' END AS agreement
), priced AS (
    SELECT line.*, CASE WHEN rp IS NULL THEN NULL WHEN agreement <> 'order' THEN other_price
                        ELSE least(other_price, price * gone / nullif(rq, 0)) END AS charged
    FROM line, how
), weighed AS (
    SELECT p, tax, least(round(price * grams::numeric / step)::bigint,
                         floor(price * packed * (1 + (told ->> 'tolerance_bp')::numeric / 10000))::bigint) AS worth
    FROM priced WHERE step IS NOT NULL AND packed > 0
), most AS (
    SELECT tax, CASE WHEN step IS NULL THEN price * q
                     ELSE floor(price * q * (1 + (told ->> 'tolerance_bp')::numeric / 10000))::bigint END AS worth
    FROM priced
), estimate AS (
    SELECT sum(worth) + CASE WHEN (told ->> 'inclusive')::boolean THEN 0 ELSE
               round(coalesce(sum(worth) FILTER (WHERE tax = 'standard' AND (told ->> 'vat')::boolean), 0)::numeric
                     * (told ->> 'tax_bp')::numeric / 10000) END
           + CASE WHEN sum(worth) > (told ->> 'free_above')::bigint THEN 0 ELSE (told ->> 'shipping')::bigint END AS total
    FROM most
), bag AS (
    SELECT price, tax, packed AS units FROM priced WHERE packed > 0 AND step IS NULL
    UNION ALL SELECT worth, tax, 1 FROM weighed
    UNION ALL SELECT charged, other_tax, rq FROM priced WHERE rp IS NOT NULL
), sums AS (
    SELECT coalesce(sum(price * units), 0)::bigint AS goods, count(*) AS lines, (told ->> 'tax_bp')::numeric AS bp,
           coalesce(sum(price * units) FILTER (WHERE tax = 'standard' AND (told ->> 'vat')::boolean), 0)::numeric AS taxed,
           (told ->> 'inclusive')::boolean AS inclusive
    FROM bag
), quoted AS (
    SELECT goods - CASE WHEN inclusive THEN tax ELSE 0 END AS subtotal, tax, lines,
           CASE WHEN goods > (told ->> 'free_above')::bigint THEN 0 ELSE (told ->> 'shipping')::bigint END AS shipping
    FROM (SELECT sums.*, round(taxed * bp / (10000 + CASE WHEN inclusive THEN bp ELSE 0 END))::bigint AS tax FROM sums) taxed
), agreed AS (
    SELECT quoted.*, subtotal + tax + shipping AS total,
           greatest(how.placed, CASE WHEN NOT how.online THEN estimate.total::bigint END,
                    CASE how.agreement WHEN 'link' THEN (told ->> 'accepted')::bigint
                                       WHEN 'call' THEN subtotal + tax + shipping END) AS most
    FROM quoted, how, estimate
), moved AS (
    SELECT 'returned' AS what, p, gone AS units FROM priced WHERE gone > 0 AND reason = 'not_wanted'
    UNION ALL SELECT 'missing', p, gone FROM priced WHERE gone > 0 AND reason <> 'not_wanted'
    UNION ALL SELECT 'taken', rp, sum(rq) FROM priced WHERE rp IS NOT NULL GROUP BY rp
)
SELECT CASE
    WHEN EXISTS (SELECT FROM priced WHERE packed < 0 OR gone < 0 OR (gone > 0 AND reason IS NULL)
                 OR CASE WHEN step IS NOT NULL AND packed > 0 THEN coalesce(grams NOT BETWEEN 1 AND 100000, true)
                         ELSE grams IS NOT NULL END
                 OR (rp IS NOT NULL AND (gone = 0 OR rp = p OR NOT other_on_sale OR rq NOT BETWEEN 1 AND 99)))
      OR EXISTS (SELECT FROM priced WHERE rp IS NOT NULL GROUP BY rp HAVING sum(rq) > max(other_stock))
      OR lines = 0 OR (how.online AND least(agreed.total, most) = 0) THEN 'refused'
    ELSE concat_ws('|', subtotal, tax, shipping, most, least(agreed.total, most),
                   coalesce((SELECT string_agg(format('%s %s', p, worth), ',' ORDER BY p) FROM weighed), ''),
                   (SELECT string_agg(format('%s %s %s', what, p, units), ',' ORDER BY what, p) FROM moved)) END
FROM agreed, how
$$;
