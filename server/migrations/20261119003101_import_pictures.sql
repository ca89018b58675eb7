-- Pictures of an import, which a zip file has beside its spreadsheet (decision 109). One new table.
--
-- Why it looks like this:
--   * The zip file is taken apart when it is uploaded, so that nothing ever needs more of it in memory than one picture.
--   * `content` is there until the picture has been stored or the import has been checked.
--   * Each picture is committed on its own, so that a check that begins again does not store the same pictures again.
--   * Until the import has ended, its pictures count as used, and the cleanup leaves them alone.

SET LOCAL lock_timeout = '3s';

CREATE TABLE import_pictures (
    import_id   uuid NOT NULL CONSTRAINT import_pictures_import REFERENCES imports (id) ON DELETE CASCADE,
    -- What the cells of the spreadsheet are compared with: the name without folders, in lower case.
    name_key    text NOT NULL,
    -- The name without folders, as the seller wrote it.
    file_name   text NOT NULL,
    content     bytea,
    -- Whether a row names it.
    is_used     boolean NOT NULL DEFAULT false,
    picture_key text,
    -- Why it cannot be used.
    problem     jsonb,
    CONSTRAINT import_pictures_once PRIMARY KEY (import_id, name_key),
    CONSTRAINT import_pictures_outcome CHECK (picture_key IS NULL OR problem IS NULL)
);
-- Photos are compressed already.
ALTER TABLE import_pictures ALTER COLUMN content SET STORAGE EXTERNAL;
CREATE INDEX import_pictures_by_key ON import_pictures (picture_key) WHERE picture_key IS NOT NULL;

GRANT SELECT, INSERT, UPDATE ON import_pictures TO thunse_app;
