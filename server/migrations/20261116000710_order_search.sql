-- What a caller says on the phone: the customer's name, and the digits of the phone number, in one text that one index serves.
CREATE FUNCTION order_contact(recipient text, phone text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT lower(recipient) || ' ' || regexp_replace(translate(phone, '०१२३४५६७८९', '0123456789'), '[^0-9]', '', 'g')
$$;
