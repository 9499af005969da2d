"""The tables are made, brought up, and left alone where a later version made them."""

from __future__ import annotations

import asyncio

import pytest
from psycopg import AsyncConnection, Error

from blueline.hub import schema


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
