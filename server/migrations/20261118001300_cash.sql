-- The cash ledger (decision 083): every movement of cash is a transaction whose entries add up to zero. New tables; the references
-- take a short lock on orders and sellers.

SET LOCAL lock_timeout = '3s';

CREATE TABLE cash_transactions (
    id       bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind     text NOT NULL CONSTRAINT cash_transactions_kind CHECK (kind IN
                 ('sold', 'returned', 'collected', 'reversed', 'float_given', 'float_returned', 'handed_in', 'difference', 'settled')),
    order_id uuid REFERENCES orders (id),
    -- The rider whose cash it is about; null if the cash went straight into the till.
    rider_id uuid REFERENCES sellers (id),
    -- Who recorded it; null for the system.
    by_id    uuid REFERENCES sellers (id),
    at       timestamptz NOT NULL,
    note     text NOT NULL DEFAULT '',
    -- Made by the client, so that a repeated request records nothing twice.
    key      uuid CONSTRAINT cash_transactions_key UNIQUE
);
CREATE INDEX cash_transactions_by_order ON cash_transactions (order_id) WHERE order_id IS NOT NULL;
CREATE INDEX cash_transactions_by_rider ON cash_transactions (rider_id, id) WHERE rider_id IS NOT NULL;
CREATE INDEX cash_transactions_by_time ON cash_transactions (at);

CREATE TABLE cash_entries (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    transaction_id bigint NOT NULL REFERENCES cash_transactions (id),
    -- `receivable` is what shoppers owe, `sales` its counterpart, `rider` the cash of orders that a rider carries, `float` the
    -- change that a rider was given, `differences` what is missing (positive) or too much (negative).
    account        text NOT NULL
        CONSTRAINT cash_entries_account CHECK (account IN ('till', 'rider', 'float', 'receivable', 'sales', 'differences')),
    rider_id       uuid REFERENCES sellers (id),
    amount_paisa   bigint NOT NULL CONSTRAINT cash_entries_amount CHECK (amount_paisa <> 0),
    CONSTRAINT cash_entries_rider CHECK (CASE WHEN account IN ('rider', 'float') THEN rider_id IS NOT NULL
                                              WHEN account = 'differences' THEN true ELSE rider_id IS NULL END)
);
CREATE INDEX cash_entries_by_transaction ON cash_entries (transaction_id);
CREATE INDEX cash_entries_by_rider ON cash_entries (rider_id, account) INCLUDE (amount_paisa) WHERE rider_id IS NOT NULL;

-- A day of a rider that a manager has closed: what the ledger expected and what was counted.
CREATE TABLE cash_settlements (
    id             uuid PRIMARY KEY,
    rider_id       uuid NOT NULL REFERENCES sellers (id),
    day            date NOT NULL,
    expected_paisa bigint NOT NULL,
    counted_paisa  bigint NOT NULL CONSTRAINT cash_settlements_counted CHECK (counted_paisa >= 0),
    note           text NOT NULL,
    closed_by      uuid NOT NULL REFERENCES sellers (id),
    closed_at      timestamptz NOT NULL,
    -- Null if nothing was expected and nothing was counted.
    transaction_id bigint CONSTRAINT cash_settlements_transaction UNIQUE REFERENCES cash_transactions (id),
    -- The newest transaction of the rider that it includes: cash collected up to it is in the till.
    last_transaction_id bigint NOT NULL,
    -- A difference is explained.
    CONSTRAINT cash_settlements_explained CHECK (expected_paisa = counted_paisa OR note <> '')
);
CREATE INDEX cash_settlements_by_rider ON cash_settlements (rider_id, closed_at);
CREATE INDEX cash_settlements_by_time ON cash_settlements (closed_at);

-- Only the functions of 99999999999928_cash.sql write.
GRANT SELECT ON cash_transactions, cash_entries, cash_settlements TO thunse_app;

-- What a rider brought back from the door: the value is no longer to be collected.
CREATE TABLE door_returns (
    id          uuid PRIMARY KEY,
    order_id    uuid NOT NULL REFERENCES orders (id),
    product_id  uuid NOT NULL,
    quantity    integer NOT NULL CONSTRAINT door_returns_quantity CHECK (quantity > 0),
    -- With its tax.
    value_paisa bigint NOT NULL CONSTRAINT door_returns_value CHECK (value_paisa >= 0),
    returned_at timestamptz NOT NULL
);
CREATE INDEX door_returns_by_order ON door_returns (order_id);
GRANT SELECT, INSERT ON door_returns TO thunse_app;

-- Orders that were delivered before the ledger existed count as paid into the till when they were last changed.
WITH sold AS (
    INSERT INTO cash_transactions (kind, order_id, at)
    SELECT 'sold', id, updated_at FROM orders WHERE payment = 'cod_collected' RETURNING id, order_id
), collected AS (
    INSERT INTO cash_transactions (kind, order_id, at)
    SELECT 'collected', id, updated_at FROM orders WHERE payment = 'cod_collected' RETURNING id, order_id
)
INSERT INTO cash_entries (transaction_id, account, amount_paisa)
SELECT s.id, 'receivable', o.total_paisa FROM sold s JOIN orders o ON o.id = s.order_id
UNION ALL SELECT s.id, 'sales', -o.total_paisa FROM sold s JOIN orders o ON o.id = s.order_id
UNION ALL SELECT c.id, 'till', o.total_paisa FROM collected c JOIN orders o ON o.id = c.order_id
UNION ALL SELECT c.id, 'receivable', -o.total_paisa FROM collected c JOIN orders o ON o.id = c.order_id;
