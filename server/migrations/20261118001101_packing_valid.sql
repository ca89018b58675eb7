-- Every payment of before keeps the check of the migration before this one. Reads all payments; payments can be made meanwhile
-- (SHARE UPDATE EXCLUSIVE).
ALTER TABLE payments VALIDATE CONSTRAINT payments_provider_status;
