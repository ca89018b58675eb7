-- Who of the staff was the first to open an order. Orders that are waiting now count as opened, because nobody recorded it before.
-- The columns take a short lock; the update touches only orders that are not packed yet.

ALTER TABLE orders ADD COLUMN first_opened_at timestamptz, ADD COLUMN first_opened_by uuid;
UPDATE orders SET first_opened_at = now() WHERE status IN ('Order Placed', 'Order Confirmed');
