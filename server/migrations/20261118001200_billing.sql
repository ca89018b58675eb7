-- Bills, credit notes and their numbers. New tables; the references take a short lock on orders, users and sellers.

SET LOCAL lock_timeout = '3s';

-- Bills are numbered from 1 in each fiscal year, which begins on 1 Shrawan. The day is published year by year.
CREATE TABLE fiscal_years (
    name      text PRIMARY KEY CONSTRAINT fiscal_years_name CHECK (name ~ '^20[0-9]{2}/[0-9]{2}$'),
    starts_on date NOT NULL CONSTRAINT fiscal_years_start_unique UNIQUE
);
INSERT INTO fiscal_years (name, starts_on)
VALUES ('2082/83', '2025-07-17'), ('2083/84', '2026-07-17'), ('2084/85', '2027-07-17'), ('2085/86', '2028-07-16');

-- The last number of each series. The row stays locked until the transaction that takes a number ends, so there is no gap.
CREATE TABLE bill_counters (
    fiscal_year text NOT NULL REFERENCES fiscal_years (name),
    outlet      text NOT NULL,
    series      text NOT NULL CONSTRAINT bill_counters_series
        CHECK (series IN ('bill', 'credit_note', 'order_receipt', 'receipt_correction')),
    last_number integer NOT NULL,
    PRIMARY KEY (fiscal_year, outlet, series)
);

-- What the shopper wants on the bill; it can be changed until the bill is issued.
CREATE TABLE bill_requests (
    order_id   uuid PRIMARY KEY REFERENCES orders (id),
    user_id    uuid NOT NULL REFERENCES users (id),
    buyer_name text NOT NULL,
    buyer_pan  text NOT NULL CONSTRAINT bill_requests_pan CHECK (buyer_pan ~ '^([0-9]{9})?$'),
    updated_at timestamptz NOT NULL
);
CREATE INDEX bill_requests_by_user ON bill_requests (user_id);

CREATE TABLE bills (
    id                 uuid PRIMARY KEY,
    order_id           uuid NOT NULL REFERENCES orders (id),
    user_id            uuid NOT NULL REFERENCES users (id),
    -- An order that is sold again after its bill was taken back gets another bill.
    issue              integer NOT NULL CONSTRAINT bills_issue CHECK (issue > 0),
    kind               text NOT NULL CONSTRAINT bills_kind
        CHECK (kind IN ('order_receipt', 'pan_bill', 'tax_invoice', 'abbreviated_tax_invoice')),
    fiscal_year        text NOT NULL REFERENCES fiscal_years (name),
    outlet             text NOT NULL,
    series             text NOT NULL CONSTRAINT bills_series
        CHECK (series = CASE kind WHEN 'order_receipt' THEN 'order_receipt' ELSE 'bill' END),
    number             integer NOT NULL,
    issued_at          timestamptz NOT NULL,
    -- The day in Nepal, and the same day in Bikram Sambat (2083.08.01); empty if the calendar does not contain it.
    issued_on          date NOT NULL,
    issued_on_bs       text NOT NULL,
    language           text NOT NULL,
    order_code         text NOT NULL,
    payment_method     text NOT NULL,
    seller_name        text NOT NULL,
    seller_name_ne     text NOT NULL,
    seller_address     text NOT NULL,
    seller_address_ne  text NOT NULL,
    seller_phone       text NOT NULL,
    seller_pan         text NOT NULL,
    buyer_name         text NOT NULL,
    buyer_address      text NOT NULL,
    buyer_phone        text NOT NULL,
    buyer_pan          text NOT NULL,
    vat_registered     boolean NOT NULL,
    tax_rate_bp        integer NOT NULL,
    prices_include_tax boolean NOT NULL,
    exempt_paisa       bigint NOT NULL,
    -- Without the tax, also if the prices include it.
    taxable_paisa      bigint NOT NULL,
    tax_paisa          bigint NOT NULL,
    delivery_paisa     bigint NOT NULL,
    discount_paisa     bigint NOT NULL,
    total_paisa        bigint NOT NULL,
    CONSTRAINT bills_number_unique UNIQUE (fiscal_year, outlet, series, number),
    CONSTRAINT bills_issue_unique UNIQUE (order_id, issue),
    CONSTRAINT bills_amounts CHECK (least(exempt_paisa, taxable_paisa, tax_paisa, delivery_paisa, discount_paisa, total_paisa) >= 0),
    CONSTRAINT bills_total CHECK (total_paisa = exempt_paisa + taxable_paisa + tax_paisa + delivery_paisa - discount_paisa),
    CONSTRAINT bills_abbreviated CHECK (kind <> 'abbreviated_tax_invoice' OR total_paisa <= 1000000),
    CONSTRAINT bills_tax CHECK (kind <> 'pan_bill' OR (taxable_paisa, tax_paisa) = (0, 0))
);
CREATE INDEX bills_by_day ON bills (issued_on, id);
CREATE INDEX bills_by_user ON bills (user_id, id);

CREATE TABLE bill_lines (
    bill_id       uuid NOT NULL REFERENCES bills (id),
    position      integer NOT NULL,
    product_id    uuid NOT NULL,
    name          text NOT NULL,
    name_ne       text,
    pack_label    text,
    pack_label_ne text,
    quantity      integer NOT NULL CONSTRAINT bill_lines_quantity CHECK (quantity > 0),
    price_paisa   bigint NOT NULL,
    -- What the line costs at these prices; with the tax if the prices include it.
    amount_paisa  bigint NOT NULL CONSTRAINT bill_lines_amount CHECK (amount_paisa >= 0),
    tax_class     text NOT NULL CONSTRAINT bill_lines_tax_class CHECK (tax_class IN ('exempt', 'standard')),
    PRIMARY KEY (bill_id, position)
);

CREATE TABLE credit_notes (
    id             uuid PRIMARY KEY,
    bill_id        uuid NOT NULL REFERENCES bills (id),
    fiscal_year    text NOT NULL REFERENCES fiscal_years (name),
    outlet         text NOT NULL,
    series         text NOT NULL CONSTRAINT credit_notes_series CHECK (series IN ('credit_note', 'receipt_correction')),
    number         integer NOT NULL,
    issued_at      timestamptz NOT NULL,
    issued_on      date NOT NULL,
    issued_on_bs   text NOT NULL,
    reason         text NOT NULL,
    -- Null if the cancellation of the order caused it.
    issued_by      uuid REFERENCES sellers (id),
    exempt_paisa   bigint NOT NULL,
    taxable_paisa  bigint NOT NULL,
    tax_paisa      bigint NOT NULL,
    delivery_paisa bigint NOT NULL,
    discount_paisa bigint NOT NULL,
    total_paisa    bigint NOT NULL,
    CONSTRAINT credit_notes_number_unique UNIQUE (fiscal_year, outlet, series, number),
    CONSTRAINT credit_notes_amounts
        CHECK (least(exempt_paisa, taxable_paisa, tax_paisa, delivery_paisa, discount_paisa, total_paisa) >= 0),
    CONSTRAINT credit_notes_total CHECK (total_paisa = exempt_paisa + taxable_paisa + tax_paisa + delivery_paisa - discount_paisa)
);
CREATE INDEX credit_notes_by_bill ON credit_notes (bill_id);
CREATE INDEX credit_notes_by_day ON credit_notes (issued_on, id);

CREATE TABLE credit_note_lines (
    credit_note_id uuid NOT NULL REFERENCES credit_notes (id),
    bill_id        uuid NOT NULL,
    position       integer NOT NULL,
    quantity       integer NOT NULL CONSTRAINT credit_note_lines_quantity CHECK (quantity > 0),
    amount_paisa   bigint NOT NULL CONSTRAINT credit_note_lines_amount CHECK (amount_paisa >= 0),
    PRIMARY KEY (credit_note_id, position),
    FOREIGN KEY (bill_id, position) REFERENCES bill_lines (bill_id, position)
);

-- Every copy that was made of a bill or credit note. The first one is the original.
CREATE TABLE bill_prints (
    document_id uuid NOT NULL,
    ordinal     integer NOT NULL CONSTRAINT bill_prints_ordinal CHECK (ordinal > 0),
    printed_at  timestamptz NOT NULL,
    via         text NOT NULL CONSTRAINT bill_prints_via CHECK (via IN ('email', 'seller', 'shopper')),
    -- The member of staff or the shopper; null for an email.
    printed_by  uuid,
    -- The email that it was attached to, so that a repeated email is not another copy.
    email_id    uuid CONSTRAINT bill_prints_email_unique UNIQUE,
    PRIMARY KEY (document_id, ordinal)
);

-- What was issued is never changed or deleted: the law asks for it for five years. Triggers refuse it to every role.
GRANT SELECT ON fiscal_years TO thunse_app;
GRANT SELECT, INSERT ON bills, bill_lines, credit_notes, credit_note_lines, bill_prints TO thunse_app;
GRANT SELECT, INSERT, UPDATE (last_number) ON bill_counters TO thunse_app;
GRANT SELECT, INSERT, UPDATE, DELETE ON bill_requests TO thunse_app;
