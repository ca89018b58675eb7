-- no-transaction
-- A payment has at most one refund of each kind that was not withdrawn: one of a part, and one of the rest or of all.
CREATE UNIQUE INDEX CONCURRENTLY refunds_one_active_of_kind ON refunds (payment_id, is_partial) WHERE state <> 'withdrawn';
