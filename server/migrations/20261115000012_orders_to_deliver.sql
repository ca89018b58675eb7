-- no-transaction
-- What a day's delivery is made of: few at any time. Takes no lock that a sale would wait for.
CREATE INDEX CONCURRENTLY orders_to_deliver ON orders (delivery_date, id)
    WHERE label IN ('Order Placed', 'Order Confirmed', 'Order Shipped', 'Out for Delivery');
