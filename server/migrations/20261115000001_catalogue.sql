-- The catalogue: categories, products, stock and its ledger, and the words that search knows.
-- New tables only, so no lock that anybody waits for.
--
-- Why it looks like this:
--   * Money is bigint paisa, ratings are tenths, pack sizes thousandths: no floating point in a table.
--   * `stock` is what can be sold now. It is in no index and in no partial predicate, so selling is a HOT
--     update (fillfactor leaves room for it), and CHECK is the last line of defence against overselling.
--   * `stock_movements` is append-only; stock is always the sum of its movements.
--   * A product is archived, never deleted: old orders and carts still point at it.
--   * `position` is the order in which the seller added things: the shop's default order and its paging key.

-- A trusted extension: the owner of the database may add it.
CREATE EXTENSION IF NOT EXISTS pg_trgm;

CREATE TABLE categories (
    id             uuid PRIMARY KEY,
    position       bigint GENERATED ALWAYS AS IDENTITY,
    slug           text NOT NULL CONSTRAINT categories_slug_shape CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    name           text NOT NULL CONSTRAINT categories_name_filled CHECK (btrim(name) <> ''),
    name_ne        text,
    description    text NOT NULL DEFAULT '',
    description_ne text,
    picture_key    text,
    icon_key       text,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT categories_slug_unique UNIQUE (slug)
);
CREATE UNIQUE INDEX categories_name_unique ON categories (lower(name));

-- Every letter and every pair of neighbouring letters of a text.
CREATE FUNCTION short_parts(whole text) RETURNS text[] LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
    SELECT string_to_array(whole, NULL)
        || ARRAY(SELECT a || b
                 FROM unnest(string_to_array(whole, NULL), (string_to_array(whole, NULL))[2:]) pairs (a, b)
                 WHERE b IS NOT NULL)
$$;

CREATE TABLE products (
    id             uuid PRIMARY KEY,
    position       bigint GENERATED ALWAYS AS IDENTITY,
    category_id    uuid NOT NULL CONSTRAINT products_category REFERENCES categories (id),
    slug           text NOT NULL CONSTRAINT products_slug_shape CHECK (slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'),
    name           text NOT NULL CONSTRAINT products_name_filled CHECK (btrim(name) <> ''),
    name_ne        text,
    description    text NOT NULL DEFAULT '',
    description_ne text,
    aliases        text[] NOT NULL DEFAULT '{}',
    tags           text[] NOT NULL DEFAULT '{}',
    tags_ne        text[] NOT NULL DEFAULT '{}',
    price_paisa    bigint NOT NULL CONSTRAINT products_price_not_negative CHECK (price_paisa >= 0),
    tax_class      text NOT NULL DEFAULT 'standard' CONSTRAINT products_tax_class CHECK (tax_class IN ('standard', 'exempt')),
    stock          integer NOT NULL DEFAULT 0 CONSTRAINT products_stock_not_negative CHECK (stock >= 0),
    rating_tenths  smallint NOT NULL DEFAULT 0 CONSTRAINT products_rating_range CHECK (rating_tenths BETWEEN 0 AND 50),
    reviews        integer NOT NULL DEFAULT 0 CONSTRAINT products_reviews_not_negative CHECK (reviews >= 0),
    pack_milli     integer CONSTRAINT products_pack_positive CHECK (pack_milli > 0),
    pack_measure   text,
    pack_label     text,
    pack_label_ne  text,
    picture_key    text,
    -- Folded words of names, aliases and tags in both languages; written by catalogue/store.rs, see catalogue/search.rs.
    search_words   text[] NOT NULL DEFAULT '{}',
    archived_at    timestamptz,
    created_at     timestamptz NOT NULL DEFAULT now(),
    updated_at     timestamptz NOT NULL DEFAULT now(),
    -- Sorting and the contract's substring search both work on the lower-cased name.
    name_key       text COLLATE "C" GENERATED ALWAYS AS (lower(name)) STORED NOT NULL,
    -- An average alone lets one five-star review win; ten imaginary reviews of 3.5 stars steady it.
    rank           bigint GENERATED ALWAYS AS ((rating_tenths::bigint * reviews * 100 + 35000) / (reviews + 10)) STORED NOT NULL,
    CONSTRAINT products_slug_unique UNIQUE (slug)
) WITH (fillfactor = 85);

CREATE INDEX products_by_position ON products (position, id) WHERE archived_at IS NULL;
CREATE INDEX products_by_name ON products (name_key, id) WHERE archived_at IS NULL;
CREATE INDEX products_by_price ON products (price_paisa, id) WHERE archived_at IS NULL;
CREATE INDEX products_by_rank ON products (rank, id) WHERE archived_at IS NULL;
CREATE INDEX products_in_category_by_position ON products (category_id, position, id) WHERE archived_at IS NULL;
CREATE INDEX products_in_category_by_name ON products (category_id, name_key, id) WHERE archived_at IS NULL;
CREATE INDEX products_in_category_by_price ON products (category_id, price_paisa, id) WHERE archived_at IS NULL;
CREATE INDEX products_in_category_by_rank ON products (category_id, rank, id) WHERE archived_at IS NULL;
-- The contract's search: any part of the name, in any case. Three letters and more by trigrams; one or two, which
-- trigrams cannot tell, by the pairs and single letters that a name is made of.
CREATE INDEX products_name_parts ON products USING gin (name_key gin_trgm_ops);
CREATE INDEX products_short_parts ON products USING gin (short_parts(name_key));
CREATE INDEX products_search_words ON products USING gin (search_words);

CREATE TABLE stock_movements (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    product_id uuid NOT NULL CONSTRAINT stock_movements_product REFERENCES products (id),
    delta      integer NOT NULL CONSTRAINT stock_movements_not_zero CHECK (delta <> 0),
    reason     text NOT NULL,
    at         timestamptz NOT NULL DEFAULT clock_timestamp()
);
CREATE INDEX stock_movements_of_product ON stock_movements (product_id);

-- Every word that some product can be found by: small even for a million products, so a misspelt
-- word is compared with words, not with products.
CREATE TABLE search_vocabulary (
    word text COLLATE "C" PRIMARY KEY
);
CREATE INDEX search_vocabulary_parts ON search_vocabulary USING gin (word gin_trgm_ops);
CREATE INDEX search_vocabulary_near ON search_vocabulary USING gist (word gist_trgm_ops);

-- Tells every copy of the server that what shoppers see has changed: 'detail' for what a thing says, 'range' for
-- which products there are (counts follow from it). Stock alone is not told: a sale must not queue behind the
-- notification lock. Answers live 15 s at most, and only the step to or from 'sold out' is told.
CREATE FUNCTION tell_catalogue_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('catalogue', TG_ARGV[0]);
    RETURN NULL;
END $$;

CREATE TRIGGER products_added_or_removed AFTER INSERT OR DELETE ON products
    FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed('range');
CREATE TRIGGER products_moved AFTER UPDATE ON products
    FOR EACH ROW
    WHEN ((OLD.category_id, OLD.archived_at) IS DISTINCT FROM (NEW.category_id, NEW.archived_at))
    EXECUTE FUNCTION tell_catalogue_changed('range');
CREATE TRIGGER products_changed AFTER UPDATE ON products
    FOR EACH ROW
    WHEN ((OLD.slug, OLD.name, OLD.name_ne, OLD.description, OLD.description_ne, OLD.aliases, OLD.tags, OLD.tags_ne,
           OLD.price_paisa, OLD.tax_class, OLD.rating_tenths, OLD.reviews, OLD.pack_milli, OLD.pack_measure, OLD.pack_label,
           OLD.pack_label_ne, OLD.picture_key, OLD.search_words, OLD.stock = 0)
          IS DISTINCT FROM
          (NEW.slug, NEW.name, NEW.name_ne, NEW.description, NEW.description_ne, NEW.aliases, NEW.tags, NEW.tags_ne,
           NEW.price_paisa, NEW.tax_class, NEW.rating_tenths, NEW.reviews, NEW.pack_milli, NEW.pack_measure, NEW.pack_label,
           NEW.pack_label_ne, NEW.picture_key, NEW.search_words, NEW.stock = 0))
    EXECUTE FUNCTION tell_catalogue_changed('detail');
CREATE TRIGGER categories_changed AFTER INSERT OR UPDATE OR DELETE ON categories
    FOR EACH STATEMENT EXECUTE FUNCTION tell_catalogue_changed('detail');

-- The serving role reads and writes rows; it changes no table, rewrites no ledger and removes no product.
GRANT SELECT, INSERT, UPDATE, DELETE ON categories TO thunse_app;
GRANT SELECT, INSERT, UPDATE ON products TO thunse_app;
GRANT SELECT, INSERT ON stock_movements, search_vocabulary TO thunse_app;
