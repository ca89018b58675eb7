-- No order has a coupon yet. Reads all lines; orders can be placed meanwhile (SHARE UPDATE EXCLUSIVE).
ALTER TABLE order_items VALIDATE CONSTRAINT order_items_price_before_coupon;
