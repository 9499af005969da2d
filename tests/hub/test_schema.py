"""The tables are made, brought up, and left alone where a later version made them."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from psycopg import AsyncConnection, Error
from psycopg.rows import dict_row

from blueline.contract.hub import WishDocument
from blueline.hub import audit, journal_copies, local_copies, people, requests, schema


async def upgraded(address: str) -> tuple[int, int]:
    async with await AsyncConnection.connect(address, autocommit=True) as connection:
        return await schema.upgrade(connection)


async def execute(address: str, statement: str) -> None:
    async with await AsyncConnection.connect(address, autocommit=True) as connection:
        await connection.execute(statement.encode())


def test_an_empty_database_gets_all_tables_and_then_nothing_changes(address: str) -> None:
    newest = schema.migrations()[-1].version

    assert asyncio.run(upgraded(address)) == (0, newest)
    assert asyncio.run(upgraded(address)) == (newest, newest)


def test_processes_that_start_at_once_upgrade_once(address: str) -> None:
    newest = schema.migrations()[-1].version

    async def all_at_once() -> list[tuple[int, int]]:
        return await asyncio.gather(*(upgraded(address) for _ in range(4)))

    found = asyncio.run(all_at_once())

    assert sorted(found) == [(0, newest), *[(newest, newest)] * 3]


def test_a_newer_schema_is_refused_and_left_as_it_is(address: str) -> None:
    newest = schema.migrations()[-1].version
    asyncio.run(upgraded(address))
    asyncio.run(execute(address, f"INSERT INTO schema_version (version) VALUES ({newest + 1})"))

    with pytest.raises(schema.NewerSchema, match=f"version {newest + 1}"):
        asyncio.run(upgraded(address))


@pytest.mark.parametrize("statement", ["UPDATE audit SET who = 'x'", "DELETE FROM audit", "TRUNCATE audit"])
def test_the_audit_only_grows(address: str, statement: str) -> None:
    asyncio.run(upgraded(address))
    asyncio.run(execute(address, f"INSERT INTO audit (project, who, what) VALUES ('{'0' * 32}', 'a', 'b')"))

    with pytest.raises(Error, match="only grows"):
        asyncio.run(execute(address, statement))


FIRST = (Path(__file__).parent / "first_schema.sql").read_bytes()
POEM = "0123456789abcdef0123456789abcdef"
TABLES = ("project", "journal", "segment", "blob", "machine_token", "invitation", "audit")


async def contents(address: str) -> dict[str, list[dict[str, object]]]:
    found = {}
    async with await AsyncConnection.connect(address, row_factory=dict_row) as connection:
        for table in TABLES:
            rows = await connection.execute(f"SELECT * FROM {table} ORDER BY 1, 2, 3".encode())
            found[table] = await rows.fetchall()
    return found


def test_a_filled_database_of_the_first_version_is_brought_up_and_all_is_there(address: str) -> None:
    asyncio.run(execute(address, FIRST.decode()))
    before = asyncio.run(contents(address))
    newest = schema.migrations()[-1].version

    assert asyncio.run(upgraded(address)) == (1, newest)

    after = asyncio.run(contents(address))
    for table in TABLES:
        kept = [
            {name: value for name, value in row.items() if name in old}
            for row, old in zip(after[table], before[table], strict=True)
        ]
        assert kept == before[table], table

    async def used(connection: AsyncConnection) -> None:
        known = await journal_copies.reached(connection, POEM)
        assert (known.copy, known.length, known.purges) == (2, 6, 0)
        assert (
            b"".join([one async for one in journal_copies.stretches(connection, POEM, 2, 0, 6)]) == b"abcdef"
        )
        anna, _ = await people.invite(connection, "Anna", people.EVERYWHERE, "reviewer")
        wish: WishDocument = {
            "verb": "undo",
            "hunks": {},
            "decision": "d1",
            "dependents": "ask",
            "reason": "",
        }
        assert (await requests.ask(connection, POEM, anna, "r1", wish)).request["number"] == 1
        assert [one.project for one in await local_copies.machines_for(connection, anna.number)] == [
            "fedcba9876543210fedcba9876543210",
            POEM,
        ]
        assert [one["what"] for one in await audit.latest(connection, POEM)] == ["asked", "joined"]

    async def run() -> None:
        async with await AsyncConnection.connect(address) as connection:
            await used(connection)

    asyncio.run(run())
    with pytest.raises(Error, match="only grows"):
        asyncio.run(execute(address, "DELETE FROM audit"))


@pytest.mark.parametrize("step", [2, 3, 4])
def test_an_upgrade_that_was_cut_short_goes_on(address: str, step: int) -> None:
    asyncio.run(execute(address, FIRST.decode()))
    for one in schema.migrations():
        if 1 < one.version < step:
            asyncio.run(execute(address, one.statements.decode()))
            asyncio.run(execute(address, f"INSERT INTO schema_version (version) VALUES ({one.version})"))

    assert asyncio.run(upgraded(address)) == (step - 1, schema.migrations()[-1].version)
