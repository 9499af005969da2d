ALTER TABLE journal ADD purges integer NOT NULL DEFAULT 0;
COMMENT ON COLUMN journal.purges IS 'How often frames of it were purged: whoever has a copy of the copy throws that away then.';
