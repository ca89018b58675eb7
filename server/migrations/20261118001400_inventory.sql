-- Goods in, waste and stock-taking (decision 085). New tables; the list of alert kinds gets one more, which locks the small table
-- of preferences for a moment.
--
-- What was received, thrown away and counted is only ever added to. Every line names its row of the stock ledger. The ids of
-- receipts, waste records, counts and their entries are made by the client, so that a repeated request is recognised.

CREATE TABLE suppliers (
    id          uuid PRIMARY KEY,
    name        text NOT NULL CONSTRAINT suppliers_name_given CHECK (name <> ''),
    phone       text NOT NULL,
    -- The number at the tax office (PAN); empty if unknown.
    pan         text NOT NULL,
    note        text NOT NULL,
    created_at  timestamptz NOT NULL,
    updated_at  timestamptz NOT NULL,
    archived_at timestamptz
);
CREATE UNIQUE INDEX suppliers_name_unique ON suppliers (lower(name)) WHERE archived_at IS NULL;

CREATE TABLE goods_receipts (
    id           uuid PRIMARY KEY,
    -- The request without its id: the same id with another request is refused.
    request_hash bytea NOT NULL,
    -- Absent for goods from the market.
    supplier_id  uuid CONSTRAINT goods_receipts_supplier REFERENCES suppliers (id),
    -- The number of the supplier's bill, and anything else.
    invoice      text NOT NULL,
    note         text NOT NULL,
    received_by  uuid NOT NULL,
    received_at  timestamptz NOT NULL
);
CREATE INDEX goods_receipts_newest ON goods_receipts (received_at DESC, id DESC);

-- A line is a batch: units of one product with one cost and one expiry date.
CREATE TABLE goods_receipt_lines (
    id           uuid PRIMARY KEY,
    receipt_id   uuid NOT NULL CONSTRAINT goods_receipt_lines_receipt REFERENCES goods_receipts (id),
    product_id   uuid NOT NULL CONSTRAINT goods_receipt_lines_product REFERENCES products (id),
    quantity     integer NOT NULL CONSTRAINT goods_receipt_lines_quantity CHECK (quantity > 0),
    -- Of one unit, without VAT that the shop can deduct; absent while it is unknown.
    cost_paisa   bigint CONSTRAINT goods_receipt_lines_cost CHECK (cost_paisa >= 0),
    -- The last day on which the goods may be sold.
    expires_on   date,
    -- The units in stock before this line, which the moving average weighs.
    stock_before integer NOT NULL,
    movement_id  bigint NOT NULL CONSTRAINT goods_receipt_lines_movement REFERENCES stock_movements (id),
    CONSTRAINT goods_receipt_lines_movement_once UNIQUE (movement_id)
);
CREATE INDEX goods_receipt_lines_of_receipt ON goods_receipt_lines (receipt_id);
CREATE INDEX goods_receipt_lines_of_product ON goods_receipt_lines (product_id, movement_id);
CREATE INDEX goods_receipt_lines_expiry ON goods_receipt_lines (expires_on) WHERE expires_on IS NOT NULL;

-- The moving average of each product after each line whose cost is known: `value_paisa` for `units`. Computed from the lines.
CREATE TABLE product_costs (
    receipt_line_id uuid PRIMARY KEY CONSTRAINT product_costs_line REFERENCES goods_receipt_lines (id),
    product_id      uuid NOT NULL,
    movement_id     bigint NOT NULL,
    since           timestamptz NOT NULL,
    units           bigint NOT NULL CONSTRAINT product_costs_units CHECK (units > 0),
    value_paisa     bigint NOT NULL CONSTRAINT product_costs_value CHECK (value_paisa >= 0)
);
CREATE INDEX product_costs_of_product ON product_costs (product_id, since DESC, movement_id DESC);

CREATE TABLE waste_records (
    id           uuid PRIMARY KEY,
    request_hash bytea NOT NULL,
    product_id   uuid NOT NULL CONSTRAINT waste_records_product REFERENCES products (id),
    quantity     integer NOT NULL CONSTRAINT waste_records_quantity CHECK (quantity > 0),
    reason       text NOT NULL
        CONSTRAINT waste_records_reason CHECK (reason IN ('expired', 'spoiled', 'damaged', 'lost', 'own_use', 'other')),
    note         text NOT NULL,
    -- The batch that was written off, if it is known.
    batch_id     uuid CONSTRAINT waste_records_batch REFERENCES goods_receipt_lines (id),
    recorded_by  uuid NOT NULL,
    recorded_at  timestamptz NOT NULL,
    movement_id  bigint NOT NULL CONSTRAINT waste_records_movement REFERENCES stock_movements (id),
    CONSTRAINT waste_records_movement_once UNIQUE (movement_id)
);
CREATE INDEX waste_records_newest ON waste_records (recorded_at DESC, id DESC);
CREATE INDEX waste_records_of_batch ON waste_records (batch_id) WHERE batch_id IS NOT NULL;

CREATE TABLE stock_counts (
    id          uuid PRIMARY KEY,
    -- Absent for the whole shop.
    category_id uuid,
    state       text NOT NULL DEFAULT 'open' CONSTRAINT stock_counts_state CHECK (state IN ('open', 'applied', 'discarded')),
    started_by  uuid NOT NULL,
    started_at  timestamptz NOT NULL,
    finished_by uuid,
    finished_at timestamptz,
    CONSTRAINT stock_counts_finished CHECK ((state = 'open') = (finished_at IS NULL))
);
CREATE INDEX stock_counts_newest ON stock_counts (started_at DESC, id DESC);

-- What was counted, and what the ledger said at that moment. The latest entry of a product counts.
CREATE TABLE stock_count_entries (
    id         uuid PRIMARY KEY,
    position   bigint GENERATED ALWAYS AS IDENTITY,
    count_id   uuid NOT NULL CONSTRAINT stock_count_entries_count REFERENCES stock_counts (id),
    product_id uuid NOT NULL CONSTRAINT stock_count_entries_product REFERENCES products (id),
    counted    integer NOT NULL CONSTRAINT stock_count_entries_counted CHECK (counted >= 0),
    -- The units that could be ordered, and those of orders that had not left the shop.
    stock      integer NOT NULL,
    reserved   integer NOT NULL,
    counted_by uuid NOT NULL,
    counted_at timestamptz NOT NULL
);
CREATE INDEX stock_count_entries_of_count ON stock_count_entries (count_id, product_id, position DESC);

-- The differences of a count that was applied. Less than the difference is applied if more was sold since than there was.
CREATE TABLE stock_count_adjustments (
    count_id    uuid NOT NULL CONSTRAINT stock_count_adjustments_count REFERENCES stock_counts (id),
    product_id  uuid NOT NULL,
    entry_id    uuid NOT NULL CONSTRAINT stock_count_adjustments_entry REFERENCES stock_count_entries (id),
    difference  integer NOT NULL,
    applied     integer NOT NULL,
    movement_id bigint CONSTRAINT stock_count_adjustments_movement REFERENCES stock_movements (id),
    PRIMARY KEY (count_id, product_id),
    CONSTRAINT stock_count_adjustments_movement_once UNIQUE (movement_id),
    CONSTRAINT stock_count_adjustments_applied
        CHECK (applied = difference OR (difference < 0 AND applied BETWEEN difference AND 0)),
    CONSTRAINT stock_count_adjustments_moved CHECK ((applied = 0) = (movement_id IS NULL))
);

GRANT SELECT, INSERT, UPDATE ON suppliers TO thunse_app;
GRANT SELECT, INSERT ON goods_receipts, goods_receipt_lines, waste_records, stock_counts, stock_count_entries,
    stock_count_adjustments TO thunse_app;
GRANT UPDATE (cost_paisa) ON goods_receipt_lines TO thunse_app;
GRANT UPDATE (state, finished_by, finished_at) ON stock_counts TO thunse_app;
GRANT SELECT, INSERT, DELETE ON product_costs TO thunse_app;

ALTER TABLE alert_preferences DROP CONSTRAINT alert_preferences_kind;
ALTER TABLE alert_preferences ADD CONSTRAINT alert_preferences_kind
    CHECK (kind IN ('new_order', 'order_updates', 'back_in_stock', 'low_stock'));
