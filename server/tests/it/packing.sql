-- An independent implementation of the rules of packing, in another language and structure, with which the tests compare
-- `packing/plan.rs`.
CREATE FUNCTION packing_oracle(told jsonb) RETURNS text LANGUAGE sql AS $$
WITH line AS (
    SELECT l.*, l.q - l.packed AS gone, o.price AS other_price, o.tax AS other_tax, o.stock AS other_stock,
           coalesce(o.on_sale, false) AS other_on_sale
    FROM jsonb_to_recordset(told -> 'lines') l (p int, price bigint, tax text, q int, packed int, reason text, rp int, rq int)
    LEFT JOIN jsonb_to_recordset(told -> 'offers') o (p int, price bigint, tax text, stock int, on_sale boolean) ON o.p = l.rp
), how AS (
    SELECT (told ->> 'online')::boolean AS online, (told ->> 'total')::bigint AS total,
           CASE WHEN (told ->> 'online')::boolean THEN 'order' ELSE told ->> 'agreement' END AS agreement
), priced AS (
    SELECT line.*, CASE WHEN rp IS NULL THEN NULL WHEN agreement <> 'order' THEN other_price
                        ELSE least(other_price, price * gone / nullif(rq, 0)) END AS charged
    FROM line, how
), bag AS (
    SELECT price, tax, packed AS units FROM priced WHERE packed > 0
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
           CASE how.agreement WHEN 'order' THEN how.total WHEN 'link' THEN greatest(how.total, (told ->> 'accepted')::bigint)
                ELSE greatest(how.total, subtotal + tax + shipping) END AS most
    FROM quoted, how
), moved AS (
    SELECT 'returned' AS what, p, gone AS units FROM priced WHERE gone > 0 AND reason = 'not_wanted'
    UNION ALL SELECT 'missing', p, gone FROM priced WHERE gone > 0 AND reason <> 'not_wanted'
    UNION ALL SELECT 'taken', rp, sum(rq) FROM priced WHERE rp IS NOT NULL GROUP BY rp
)
SELECT CASE
    WHEN EXISTS (SELECT FROM priced WHERE packed < 0 OR gone < 0 OR (gone > 0 AND reason IS NULL)
                 OR (rp IS NOT NULL AND (gone = 0 OR rp = p OR NOT other_on_sale OR rq NOT BETWEEN 1 AND 99)))
      OR EXISTS (SELECT FROM priced WHERE rp IS NOT NULL GROUP BY rp HAVING sum(rq) > max(other_stock))
      OR lines = 0 OR (how.online AND least(agreed.total, most) = 0) THEN 'refused'
    ELSE concat_ws('|', subtotal, tax, shipping, most, least(agreed.total, most),
                   (SELECT string_agg(format('%s %s %s', what, p, units), ',' ORDER BY what, p) FROM moved)) END
FROM agreed, how
$$;
