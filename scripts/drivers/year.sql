-- A year of a busy shop, written as rows: psql -v orders=1000000 -v seed=0.5 -f scripts/drivers/year.sql, as the owner of the tables.
-- Triggers and constraints stay on; only the stock ledger has no movements of these orders. About three hundred orders are
-- open, most are delivered, three in a hundred are cancelled and two were never paid; popular products are bought most.
\set ON_ERROR_STOP on
SET client_min_messages = warning;
SET work_mem = '256MB';
SET synchronous_commit = off;
SELECT setseed(:seed) \g /dev/null

INSERT INTO users (id, email, name, phone, address, email_confirmed_at)
SELECT gen_random_uuid(), 'year-' || n || '@example.com',
       (ARRAY['Ram Bahadur', 'Sita Devi', 'Maya Gurung', 'Hari Karki', 'Asha Rai', 'Bikash Thapa'])[1 + n % 6],
       '98' || lpad((n * 7919 % 100000000)::text, 8, '0'), 'Baneshwor-10, Kathmandu', now()
FROM generate_series(1, greatest(100, :orders / 20)) n;
CREATE TEMP TABLE people AS SELECT row_number() OVER () - 1 AS n, * FROM users WHERE email LIKE 'year-%@example.com';
CREATE TEMP TABLE goods AS SELECT row_number() OVER (ORDER BY position) - 1 AS n, * FROM products WHERE archived_at IS NULL;
ANALYZE people; ANALYZE goods;

CREATE TEMP TABLE drawn AS
SELECT n, at, who, lot, method_lot, place_lot, lines, n > :orders - 300 AS open,
       -- A time-ordered uuid, as the shop makes them.
       (lpad(to_hex((extract(epoch FROM at) * 1000)::bigint), 12, '0') || '7' || substr(md5(n || '-a'), 1, 3) || '8' || substr(md5(n || '-b'), 1, 15))::uuid AS id,
       -- Ten letters that are not mistaken for one another; different, because the factor has no divisor in common with 30^6.
       (SELECT string_agg(substr('23456789ABCDEFGHJKMNPQRSTVWXYZ', (n::bigint * 433494437 / power(30, digit)::bigint % 30)::integer + 1, 1), '')
        FROM generate_series(0, 9) digit) AS code
FROM (SELECT n, CASE WHEN n > :orders - 300 THEN now() - interval '2 days' * ((:orders - n) / 300.0)
                     ELSE now() - interval '2 days' - interval '363 days' * ((:orders - 300 - n)::float / :orders) END AS at,
             (random() * ((SELECT count(*) FROM people) - 1))::bigint AS who, random() AS lot, random() AS method_lot, random() AS place_lot,
             1 + (random() * 4)::integer AS lines
      FROM generate_series(1, :orders) n) orders;

CREATE TEMP TABLE bought AS
SELECT DISTINCT ON (order_n, goods_n) order_n, goods_n, line, quantity
FROM (SELECT d.n AS order_n, line, floor(power(random(), 4) * (SELECT count(*) FROM goods))::bigint AS goods_n, 1 + (random() * 3)::integer AS quantity
      FROM drawn d CROSS JOIN LATERAL generate_series(1, d.lines) line) picked;
ANALYZE drawn; ANALYZE bought;

CREATE TEMP TABLE decided AS
SELECT d.*, s.subtotal, s.taxable, (s.taxable * 26 + 100) / 200 AS tax, CASE WHEN s.subtotal > 100000 THEN 0 ELSE 2000 END AS shipping,
       CASE WHEN open THEN (ARRAY['Order Placed', 'Order Confirmed', 'Order Shipped', 'Out for Delivery'])[1 + floor(lot * 4)::integer]
            WHEN lot < 0.05 THEN 'Cancelled' ELSE 'Delivered' END AS status,
       CASE WHEN NOT open AND lot < 0.02 THEN 'Khalti' WHEN method_lot < 0.75 THEN 'COD' ELSE 'Khalti' END AS method
FROM drawn d
JOIN (SELECT order_n, sum(price_paisa * quantity)::bigint AS subtotal,
             coalesce(sum(price_paisa * quantity) FILTER (WHERE tax_class = 'standard'), 0)::bigint AS taxable
      FROM bought JOIN goods ON goods.n = goods_n GROUP BY order_n) s ON s.order_n = d.n;

INSERT INTO orders (id, code, tracking, user_id, method, status, payment, stock, dispatched, subtotal_paisa, taxable_paisa, tax_percent, tax_paisa,
                    shipping_paisa, total_paisa, recipient, email, phone, address, municipality, ward, landmark, language, delivery_date, created_at, updated_at)
SELECT d.id, d.code, reverse(d.code) || 'NP', p.id, d.method, d.status,
       CASE WHEN d.method = 'COD' THEN CASE d.status WHEN 'Cancelled' THEN 'cod_void' WHEN 'Delivered' THEN 'cod_collected' ELSE 'cod_due' END
            WHEN NOT d.open AND d.lot < 0.02 THEN 'failed' WHEN d.status = 'Cancelled' THEN 'refunded' ELSE 'paid' END,
       CASE d.status WHEN 'Cancelled' THEN 'returned' ELSE 'taken' END,
       d.status IN ('Order Shipped', 'Out for Delivery', 'Delivered'), d.subtotal, d.taxable, 13, d.tax, d.shipping, d.subtotal + d.tax + d.shipping,
       p.name, p.email, p.phone, town || '-' || (1 + d.n % 9) || ', Bagmati', town, (1 + d.n % 9)::text,
       CASE WHEN d.n % 3 = 0 THEN 'Near the temple' ELSE '' END, CASE WHEN d.n % 2 = 0 THEN 'ne' ELSE 'en' END,
       ((d.at AT TIME ZONE 'Asia/Kathmandu') + interval '1 day')::date, d.at, d.at
FROM decided d JOIN people p ON p.n = d.who
CROSS JOIN LATERAL (SELECT (ARRAY['Kathmandu', 'Lalitpur', 'Bhaktapur', 'Kirtipur', 'Tokha', 'Banepa'])[1 + floor(power(d.place_lot, 2) * 6)::integer] AS town) place
ORDER BY d.n;

INSERT INTO order_items (order_id, product_id, position, name, name_ne, picture_key, price_paisa, tax_class, quantity)
SELECT d.id, g.id, b.line, g.name, g.name_ne, g.picture_key, g.price_paisa, g.tax_class, b.quantity
FROM bought b JOIN goods g ON g.n = b.goods_n JOIN drawn d ON d.n = b.order_n ORDER BY d.n;

INSERT INTO order_events (order_id, status, actor, at)
SELECT d.id, step.status, CASE WHEN step.number = 1 THEN 'shopper' ELSE 'seller' END, d.at + interval '3 hours' * (step.number - 1)
FROM decided d
JOIN (VALUES (1, 'Order Placed'), (2, 'Order Confirmed'), (3, 'Order Shipped'), (4, 'Out for Delivery'), (5, 'Delivered'), (6, 'Cancelled')) step (number, status)
  ON step.number = 1 OR step.status = d.status OR (d.status <> 'Cancelled' AND step.number < array_position(
     ARRAY['Order Placed', 'Order Confirmed', 'Order Shipped', 'Out for Delivery', 'Delivered'], d.status))
ORDER BY d.n, step.number;

INSERT INTO buyers (user_id, placed) SELECT user_id, count(*) FROM orders GROUP BY user_id ON CONFLICT (user_id) DO UPDATE SET placed = excluded.placed;

INSERT INTO subscribers (id, email, language, created_at)
SELECT gen_random_uuid(), 'reader-' || n || '@example.com', 'en', now() - interval '1 minute' * n FROM generate_series(1, :orders / 10) n;

-- As many entries of the audit log as orders: mostly about orders, then prices.
INSERT INTO audit_log (at, seller, action, object, before, after, about)
SELECT entry.at, seller.id, entry.action, entry.object, entry.before, entry.after, entry.about
FROM (SELECT id FROM sellers ORDER BY created_at LIMIT 1) seller, (
    (SELECT created_at AS at, 'order.status' AS action, id::text AS object, 'Order Placed' AS before, status AS after, '#' || code AS about
     FROM orders ORDER BY id LIMIT :orders * 7 / 10)
    UNION ALL
    (SELECT now() - interval '365 days' * random(), 'product.update', id::text, 'price: 100.00', 'price: 120.00', name
     FROM products LIMIT :orders * 3 / 10)) entry
ORDER BY entry.at;
