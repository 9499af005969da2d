ALTER TABLE role ADD by_provider boolean NOT NULL DEFAULT false;
COMMENT ON COLUMN role.by_provider IS 'It follows from what their provider says of them, and is looked at again with each sign-in.';

-- Who looks at what just now. Nothing is lost if it is.
CREATE UNLOGGED TABLE looking (
    project text NOT NULL REFERENCES project,
    person bigint NOT NULL REFERENCES person,
    until timestamptz NOT NULL,
    PRIMARY KEY (project, person)
);
