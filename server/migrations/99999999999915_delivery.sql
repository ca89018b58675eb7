-- The functions and triggers of delivery rules. Repeatable: see 99999999999910_catalogue.sql.

-- Takes a place of a window on a day; false if there is none left. The row stays locked until the transaction ends, so a full
-- window cannot be overbooked. Products are locked before it, never after.
CREATE OR REPLACE FUNCTION book_delivery_place(of_window uuid, on_day date) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO delivery_slots AS slot (window_id, day, booked) VALUES (of_window, on_day, 1)
    ON CONFLICT (window_id, day) DO UPDATE SET booked = slot.booked + 1
        WHERE slot.booked < (SELECT w.capacity FROM delivery_windows w WHERE w.id = slot.window_id);
    RETURN FOUND;
END $$;

-- Takes a place for a new order, or fails and undoes the whole statement.
CREATE OR REPLACE FUNCTION require_delivery_place(of_window uuid, on_day date) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
    IF NOT book_delivery_place(of_window, on_day) THEN
        RAISE EXCEPTION 'the delivery window is full' USING ERRCODE = 'TS002';
    END IF;
    RETURN true;
END $$;

CREATE OR REPLACE FUNCTION release_delivery_place(of_window uuid, on_day date) RETURNS void LANGUAGE sql AS $$
    UPDATE delivery_slots SET booked = booked - 1 WHERE window_id = of_window AND day = on_day
$$;

-- Instances keep the rules in memory until they change. A booking changes no rule and is not announced.
CREATE OR REPLACE TRIGGER delivery_zones_changed AFTER INSERT OR UPDATE OR DELETE ON delivery_zones
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');
CREATE OR REPLACE TRIGGER delivery_zone_areas_changed AFTER INSERT OR UPDATE OR DELETE ON delivery_zone_areas
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');
CREATE OR REPLACE TRIGGER delivery_windows_changed AFTER INSERT OR UPDATE OR DELETE ON delivery_windows
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');
CREATE OR REPLACE TRIGGER delivery_closed_days_changed AFTER INSERT OR UPDATE OR DELETE ON delivery_closed_days
    FOR EACH STATEMENT EXECUTE FUNCTION notify_catalogue_changed('detail');
