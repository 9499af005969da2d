ALTER TABLE browser ADD about text NOT NULL DEFAULT '';
COMMENT ON COLUMN browser.about IS 'What kind it is, by which somebody tells theirs apart: Firefox on Linux.';
