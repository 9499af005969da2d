-- A database as the first version of the hub made it, with something in every table. It is never changed: what
-- later versions make of it is tested.

CREATE TABLE schema_version (version integer PRIMARY KEY, at timestamptz NOT NULL DEFAULT now());

-- What grows with work leads with the project's id, and no step spans two projects: so it can be spread by that
-- key. The few rows about people (0002) are the same for all, and go to every part of a database that is spread.

CREATE TABLE project (
    project text PRIMARY KEY CHECK (project ~ '^[0-9a-f]{32}$'),
    name text NOT NULL,
    machine text NOT NULL,
    format text NOT NULL,
    copy integer NOT NULL DEFAULT 1,
    joined timestamptz NOT NULL DEFAULT now(),
    heard timestamptz NOT NULL DEFAULT now()
);
COMMENT ON COLUMN project.copy IS 'The copy of the journal that the machine adds to now.';

-- A journal that was cut or put back gets a copy of its own beside the one it had.
CREATE TABLE journal (
    project text NOT NULL REFERENCES project,
    copy integer NOT NULL,
    length bigint NOT NULL DEFAULT 0,
    last_start bigint NOT NULL DEFAULT 0,
    last_header bytea NOT NULL DEFAULT '',
    begun timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (project, copy)
);
COMMENT ON COLUMN journal.last_header IS 'Of the last whole frame: with its checksum the machine sees whether this is its journal.';

CREATE TABLE segment (
    project text NOT NULL,
    copy integer NOT NULL,
    start bigint NOT NULL,
    bytes bytea NOT NULL,
    PRIMARY KEY (project, copy, start),
    FOREIGN KEY (project, copy) REFERENCES journal
);

CREATE TABLE blob (
    project text NOT NULL REFERENCES project,
    hash bytea NOT NULL CHECK (length(hash) = 20),
    content bytea,
    PRIMARY KEY (project, hash)
);
COMMENT ON COLUMN blob.content IS 'None once it was purged.';
-- Content is compressed before it comes here, if that helps.
ALTER TABLE blob ALTER content SET STORAGE EXTERNAL;

CREATE TABLE machine_token (
    project text NOT NULL REFERENCES project,
    hash bytea NOT NULL,
    machine text NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    ended timestamptz,
    PRIMARY KEY (project, hash)
);

CREATE TABLE invitation (
    hash bytea PRIMARY KEY,
    made timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    used timestamptz,
    used_by bytea,
    project text REFERENCES project
);
COMMENT ON COLUMN invitation.used_by IS 'Hash of the token that it was exchanged for: asked twice, it is one exchange.';
COMMENT ON COLUMN invitation.project IS 'The project that a machine may take over; none: it may join with one of its own.';

CREATE TABLE audit (
    project text NOT NULL,
    number bigint GENERATED ALWAYS AS IDENTITY,
    at timestamptz NOT NULL DEFAULT now(),
    who text NOT NULL,
    what text NOT NULL,
    about jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (project, number)
);

CREATE FUNCTION audit_only_grows() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit only grows';
END $$;

CREATE TRIGGER audit_only_grows BEFORE UPDATE OR DELETE ON audit
    FOR EACH ROW EXECUTE FUNCTION audit_only_grows();
CREATE TRIGGER audit_is_not_emptied BEFORE TRUNCATE ON audit EXECUTE FUNCTION audit_only_grows();

INSERT INTO schema_version (version) VALUES (1);
INSERT INTO project (project, name, machine, format, copy, heard) VALUES
    ('0123456789abcdef0123456789abcdef', 'poem', 'laptop', 'blueline 2', 2, '2026-01-02 03:04:05+00'),
    ('fedcba9876543210fedcba9876543210', 'song', 'sandbox', 'blueline 2', 1, '2026-01-03 03:04:05+00');
INSERT INTO journal (project, copy, length, last_start, last_header) VALUES
    ('0123456789abcdef0123456789abcdef', 1, 3, 0, '\x6f'),
    ('0123456789abcdef0123456789abcdef', 2, 6, 3, '\x65'),
    ('fedcba9876543210fedcba9876543210', 1, 0, 0, '');
INSERT INTO segment (project, copy, start, bytes) VALUES
    ('0123456789abcdef0123456789abcdef', 1, 0, '\x616263'),
    ('0123456789abcdef0123456789abcdef', 2, 0, '\x616263'),
    ('0123456789abcdef0123456789abcdef', 2, 3, '\x646566');
INSERT INTO blob (project, hash, content) VALUES
    ('0123456789abcdef0123456789abcdef', decode(repeat('ab', 20), 'hex'), '\x6e6f6e65'),
    ('0123456789abcdef0123456789abcdef', decode(repeat('cd', 20), 'hex'), NULL);
INSERT INTO machine_token (project, hash, machine, expires) VALUES
    ('0123456789abcdef0123456789abcdef', decode(repeat('01', 32), 'hex'), 'laptop', '2999-01-01');
INSERT INTO invitation (hash, expires, project) VALUES
    (decode(repeat('02', 32), 'hex'), '2999-01-01', NULL),
    (decode(repeat('03', 32), 'hex'), '2999-01-01', '0123456789abcdef0123456789abcdef');
INSERT INTO audit (project, who, what, about) VALUES
    ('0123456789abcdef0123456789abcdef', 'laptop', 'joined', '{"name": "poem"}');
