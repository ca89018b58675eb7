-- Every order of before keeps the checks of the migration before this one. Reads all orders and their items; orders can be placed
-- meanwhile (SHARE UPDATE EXCLUSIVE).
ALTER TABLE orders VALIDATE CONSTRAINT orders_delivery_window, VALIDATE CONSTRAINT orders_delivery_hours,
    VALIDATE CONSTRAINT orders_place_has_window, VALIDATE CONSTRAINT orders_if_unavailable;
ALTER TABLE order_items VALIDATE CONSTRAINT order_items_if_unavailable;
