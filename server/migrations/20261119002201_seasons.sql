-- Seasons of the home page (decision 103). A new table.
--
-- Why it looks like this:
--   * Days are those of Nepal, and the last one is a whole day, as people write the dates of a festival.
--   * The server knows the themes. The database accepts any name, so that a new theme needs no migration.
--   * A deleted season is gone; the audit log says what it was.

CREATE TABLE seasons (
    id         uuid PRIMARY KEY,
    theme      text NOT NULL CONSTRAINT seasons_theme CHECK (theme ~ '^[a-z_]{2,30}$'),
    starts_on  date NOT NULL,
    ends_on    date NOT NULL,
    -- An empty text stands for the theme's.
    title      text NOT NULL,
    title_ne   text NOT NULL,
    text       text NOT NULL,
    text_ne    text NOT NULL,
    version    integer NOT NULL,
    created_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    CONSTRAINT seasons_dates CHECK (ends_on >= starts_on)
);

GRANT SELECT, INSERT, DELETE ON seasons TO thunse_app;
GRANT UPDATE (theme, starts_on, ends_on, title, title_ne, text, text_ne, version, updated_at) ON seasons TO thunse_app;
