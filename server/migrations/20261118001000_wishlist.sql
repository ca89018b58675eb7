-- Favourites, and requests to be told when a product is in stock again (decision 078). New tables; the references take a short lock
-- on users and products.

SET LOCAL lock_timeout = '3s';

CREATE TABLE favourites (
    user_id    uuid NOT NULL REFERENCES users (id),
    product_id uuid NOT NULL REFERENCES products (id),
    created_at timestamptz NOT NULL,
    PRIMARY KEY (user_id, product_id)
);

-- Deleted when the shopper is told, so that nobody is told twice.
CREATE TABLE stock_notices (
    id         uuid PRIMARY KEY,
    product_id uuid NOT NULL REFERENCES products (id),
    user_id    uuid NOT NULL REFERENCES users (id),
    created_at timestamptz NOT NULL,
    CONSTRAINT stock_notices_once UNIQUE (product_id, user_id)
);
CREATE INDEX stock_notices_of_user ON stock_notices (user_id);
CREATE INDEX stock_notices_age ON stock_notices (created_at);

GRANT SELECT, INSERT, DELETE ON favourites, stock_notices TO thunse_app;
-- The rows of a batch are locked while it is announced, which needs the right to update one column.
GRANT UPDATE (created_at) ON stock_notices TO thunse_app;
