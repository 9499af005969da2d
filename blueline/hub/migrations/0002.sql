-- People, what they may do where, and what they ask machines for.

CREATE TABLE person (
    person bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL,
    issuer text NOT NULL DEFAULT '',
    subject text,
    made timestamptz NOT NULL DEFAULT now(),
    UNIQUE (issuer, subject)
);
COMMENT ON COLUMN person.subject IS 'What their provider calls them; none for who came by an invitation.';

CREATE TABLE browser (
    hash bytea PRIMARY KEY,
    person bigint NOT NULL REFERENCES person,
    made timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    ended timestamptz
);
CREATE INDEX browser_by_person ON browser (person);

CREATE TABLE role (
    project text NOT NULL CHECK (project ~ '^[0-9a-f]{32}$|^\*$'),
    person bigint NOT NULL REFERENCES person,
    role text NOT NULL CHECK (role IN ('reader', 'reviewer', 'owner')),
    PRIMARY KEY (project, person)
);
COMMENT ON COLUMN role.project IS '* for all there are and will be.';

ALTER TABLE invitation ADD person bigint REFERENCES person;
COMMENT ON COLUMN invitation.person IS 'Whom it lets in; none if it is for a machine.';

ALTER TABLE project ADD requests bigint NOT NULL DEFAULT 0;
COMMENT ON COLUMN project.requests IS 'The number of its last request: counted here, so that none comes in late under an earlier number.';

CREATE TABLE request (
    project text NOT NULL REFERENCES project,
    number bigint NOT NULL,
    id text NOT NULL,
    person bigint NOT NULL,
    name text NOT NULL,
    wish jsonb NOT NULL,
    made timestamptz NOT NULL DEFAULT now(),
    expires timestamptz NOT NULL,
    state text CHECK (state IN ('done', 'refused')),
    outcome jsonb,
    answered timestamptz,
    PRIMARY KEY (project, number),
    UNIQUE (project, id)
);
COMMENT ON COLUMN request.name IS 'Of the person, as it was when they asked.';
CREATE INDEX request_waiting ON request (project, number) WHERE state IS NULL;
