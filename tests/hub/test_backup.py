"""A backup as docs/hub.md says: by PostgreSQL's own programs, and all is there again."""

from __future__ import annotations

import asyncio

from tests.hub.test_schema import FIRST, contents, execute, upgraded
from tests.support.postgresql import Server


def test_what_was_backed_up_is_there_again_and_serves(postgresql: Server) -> None:
    first, second = postgresql.database(), postgresql.database()
    asyncio.run(execute(first, FIRST.decode()))
    asyncio.run(upgraded(first))
    before = asyncio.run(contents(first))

    postgresql.run("pg_dump", "--format", "custom", "--file", str(postgresql.folder / "hub.dump"), first)
    restored = ("--clean", "--if-exists", "--dbname", second, str(postgresql.folder / "hub.dump"))
    for _ in range(2):  # over nothing, and over what is there
        postgresql.run("pg_restore", *restored)

    assert asyncio.run(contents(second)) == before
    newest = asyncio.run(upgraded(second))
    assert newest[0] == newest[1], "it is of this version"
