-- no-transaction
-- The orders that the staff should open, for the overview: few at any time.
CREATE INDEX CONCURRENTLY orders_not_opened ON orders (id)
    WHERE first_opened_at IS NULL AND status IN ('Order Placed', 'Order Confirmed') AND payment IN ('cod_due', 'paid');
