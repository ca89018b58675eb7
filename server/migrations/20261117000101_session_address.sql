-- Sellers see where their sessions were begun. A column with a constant default: a lock of a moment. Kept of sellers only.

ALTER TABLE sessions ADD COLUMN ip text NOT NULL DEFAULT '';
