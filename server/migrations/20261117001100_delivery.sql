-- Delivery rules: zones with fees, windows with capacity, closed days, and how many places of a window are booked on a day. Orders
-- store the window they were placed for, whether they have a place in it, and what the shopper wrote.
-- Locks: ACCESS EXCLUSIVE on orders and order_items for a moment (new columns without a rewrite; checks are NOT VALID and validated
-- by the next migration). The release before goes on: it leaves the new columns to their defaults.
SET LOCAL lock_timeout = '3s';

CREATE TABLE delivery_zones (
    id uuid PRIMARY KEY,
    name text NOT NULL CONSTRAINT delivery_zones_name CHECK (name <> ''),
    name_ne text NOT NULL DEFAULT '',
    fee_paisa bigint NOT NULL,
    -- Above this subtotal delivery is free; null if it never is.
    free_above_paisa bigint,
    minimum_paisa bigint NOT NULL DEFAULT 0,
    is_active boolean NOT NULL DEFAULT true,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    -- A removed zone has no areas; its windows stay for the orders that were placed for them.
    removed_at timestamptz,
    CONSTRAINT delivery_zones_amounts CHECK (fee_paisa >= 0 AND free_above_paisa >= 0 AND minimum_paisa >= 0)
);

-- One row for each ward, with the English names of data/places.json, so that a ward belongs to at most one zone.
CREATE TABLE delivery_zone_areas (
    zone_id uuid NOT NULL REFERENCES delivery_zones (id),
    district text NOT NULL,
    municipality text NOT NULL,
    ward smallint NOT NULL CONSTRAINT delivery_zone_areas_ward CHECK (ward > 0),
    CONSTRAINT delivery_zone_areas_pkey PRIMARY KEY (district, municipality, ward)
);
CREATE INDEX delivery_zone_areas_by_zone ON delivery_zone_areas (zone_id);

CREATE TABLE delivery_windows (
    id uuid PRIMARY KEY,
    zone_id uuid NOT NULL REFERENCES delivery_zones (id),
    -- 0 is Sunday.
    weekdays smallint[] NOT NULL
        CONSTRAINT delivery_windows_weekdays CHECK (cardinality(weekdays) > 0 AND weekdays <@ '{0,1,2,3,4,5,6}'::smallint[]),
    -- Local time in Nepal.
    starts time NOT NULL,
    ends time NOT NULL,
    -- Orders are accepted until so many minutes before the start.
    cutoff_minutes integer NOT NULL CONSTRAINT delivery_windows_cutoff CHECK (cutoff_minutes BETWEEN 0 AND 10080),
    capacity integer NOT NULL CONSTRAINT delivery_windows_capacity CHECK (capacity > 0),
    removed_at timestamptz,
    CONSTRAINT delivery_windows_hours CHECK (starts < ends)
);
CREATE INDEX delivery_windows_by_zone ON delivery_windows (zone_id);

CREATE TABLE delivery_closed_days (
    id uuid PRIMARY KEY,
    -- Either one day, or the same weekday of every week (0 is Sunday).
    day date CONSTRAINT delivery_closed_days_day UNIQUE,
    weekday smallint CONSTRAINT delivery_closed_days_weekday UNIQUE
        CONSTRAINT delivery_closed_days_weekday_valid CHECK (weekday BETWEEN 0 AND 6),
    reason text NOT NULL DEFAULT '',
    reason_ne text NOT NULL DEFAULT '',
    CONSTRAINT delivery_closed_days_one CHECK (num_nonnulls(day, weekday) = 1)
);

-- How many places of a window are taken on a day. Only `book_delivery_place` and `release_delivery_place` change it.
CREATE TABLE delivery_slots (
    window_id uuid NOT NULL REFERENCES delivery_windows (id),
    day date NOT NULL,
    booked integer NOT NULL CONSTRAINT delivery_slots_booked CHECK (booked >= 0),
    CONSTRAINT delivery_slots_pkey PRIMARY KEY (window_id, day)
);

ALTER TABLE orders
    ADD COLUMN delivery_window_id uuid,
    -- A copy of the window's hours, which the seller may change later.
    ADD COLUMN delivery_starts time,
    ADD COLUMN delivery_ends time,
    -- Whether the order is counted in the slot of its window and day.
    ADD COLUMN has_delivery_place boolean NOT NULL DEFAULT false,
    ADD COLUMN note_shop text NOT NULL DEFAULT '',
    ADD COLUMN note_rider text NOT NULL DEFAULT '',
    ADD COLUMN if_unavailable text,
    -- Null where delivery was never free.
    ALTER COLUMN free_above_paisa DROP NOT NULL,
    ADD CONSTRAINT orders_delivery_window FOREIGN KEY (delivery_window_id) REFERENCES delivery_windows (id) NOT VALID,
    ADD CONSTRAINT orders_delivery_hours
        CHECK (num_nonnulls(delivery_window_id, delivery_starts, delivery_ends) IN (0, 3)) NOT VALID,
    ADD CONSTRAINT orders_place_has_window CHECK (delivery_window_id IS NOT NULL OR NOT has_delivery_place) NOT VALID,
    ADD CONSTRAINT orders_if_unavailable CHECK (if_unavailable IN ('call', 'replace', 'leave_out')) NOT VALID;
ALTER TABLE order_items
    ADD COLUMN if_unavailable text,
    ADD CONSTRAINT order_items_if_unavailable CHECK (if_unavailable IN ('call', 'replace', 'leave_out')) NOT VALID;

GRANT SELECT, INSERT, UPDATE ON delivery_zones, delivery_windows, delivery_slots TO thunse_app;
GRANT SELECT, INSERT, DELETE ON delivery_zone_areas, delivery_closed_days TO thunse_app;
