-- What a process of the hub found when it last read a project's copy, so that nobody reads all of them to look
-- over all of them. It follows from the copy, and may be thrown away at any time.
CREATE TABLE summary (
    project text PRIMARY KEY REFERENCES project,
    copy integer NOT NULL,
    purges integer NOT NULL,
    length bigint NOT NULL,
    version integer NOT NULL,
    waiting jsonb NOT NULL
);
COMMENT ON COLUMN summary.length IS 'How far the copy was.';
COMMENT ON COLUMN summary.version IS 'Of the rules by which it was made.';

CREATE TABLE outcome (
    project text NOT NULL REFERENCES project,
    day text NOT NULL,
    agent text NOT NULL,
    model text NOT NULL,
    tool text NOT NULL,
    folder text NOT NULL,
    person text NOT NULL,
    outcome text NOT NULL,
    changes integer NOT NULL
);
COMMENT ON TABLE outcome IS 'How many changes agents made, and what became of them.';
CREATE INDEX outcome_by_day ON outcome (project, day);
