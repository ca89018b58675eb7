-- The profile's address line and the default entry of the address book become one (decision 048). It locks
-- the rows that it changes and nothing else; the release before goes on serving.
--
-- A line that differs from the default's one-line form was written after the last change of the book, because every
-- change of the book overwrote it: it is what the shopper last asked for, so it becomes the default entry, and the entry
-- that was the default stays in the book.

CREATE TEMPORARY TABLE newer_lines AS
SELECT u.id AS user_id, typed.line
FROM users u
CROSS JOIN LATERAL (SELECT btrim(regexp_replace(u.address, '\s+', ' ', 'g')) AS line) AS typed
LEFT JOIN addresses a ON a.user_id = u.id AND a.is_default
LEFT JOIN LATERAL (
    -- As `one_line` in addresses/book.rs writes it: parts that are there, none twice.
    SELECT string_agg(part, ', ' ORDER BY place) AS line
    FROM (SELECT DISTINCT ON (lower(part COLLATE "C")) part, place
          FROM unnest(ARRAY[a.street, CASE WHEN a.ward = '' THEN '' ELSE 'Ward ' || a.ward END, a.landmark,
                            a.municipality, a.city, a.district, btrim(a.state || ' ' || a.pincode), a.country])
               WITH ORDINALITY AS parts (part, place)
          WHERE part <> ''
          ORDER BY lower(part COLLATE "C"), place) AS once
) AS book ON a.id IS NOT NULL
WHERE u.deleted_at IS NULL AND typed.line <> '' AND (a.id IS NULL OR book.line IS DISTINCT FROM typed.line);

UPDATE addresses SET is_default = false
WHERE is_default AND user_id IN (SELECT user_id FROM newer_lines);

INSERT INTO addresses (id, user_id, label, phone, street, city, state, country, pincode, is_default)
SELECT gen_random_uuid(), user_id, '', '', line, '', '', '', '', true FROM newer_lines;

UPDATE users SET address = line FROM newer_lines WHERE id = user_id AND address <> line;

DROP TABLE newer_lines;
