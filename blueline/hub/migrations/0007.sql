-- No column, but a number: a process that does not know of the letter o would take such content for empty.
COMMENT ON COLUMN blob.content IS 'None once it was purged. Its first byte says how it is held: 0 as it is, z compressed, o in object storage.';
