"""Contents in object storage, step by step: no row names an object that is not there."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest
from psycopg import AsyncConnection, errors

from blueline.hub import blob_copies
from blueline.hub.object_storage import ObjectStorage
from blueline.kernel import disk
from tests.hub.test_schema import execute, upgraded

POEM = "0123456789abcdef0123456789abcdef"
CONTENT = Random(1).randbytes(blob_copies.LARGE)
NAME = bytes.fromhex(disk.blob_id(CONTENT))


@pytest.fixture
def database(address: str) -> str:
    asyncio.run(upgraded(address))
    said = f"INSERT INTO project (project, name, machine, format) VALUES ('{POEM}', 'poem', 'laptop', '1')"
    asyncio.run(execute(address, said))
    return address


@pytest.fixture
def objects(tmp_path: Path) -> ObjectStorage:
    return ObjectStorage((tmp_path / "objects").as_uri())


def test_objects_are_not_cleared_away_while_one_is_put(database: str, objects: ObjectStorage) -> None:
    async def run() -> bytes:
        async with (
            await AsyncConnection.connect(database) as one,
            await AsyncConnection.connect(database) as two,
        ):
            await blob_copies.put(one, objects, POEM, NAME, CONTENT)
            await two.execute("SET lock_timeout = '50ms'")
            await two.commit()
            with pytest.raises(errors.LockNotAvailable):
                await blob_copies.clear(two, objects, POEM, [NAME])
            await two.rollback()
            await one.commit()
            await blob_copies.clear(two, objects, POEM, [NAME])
            await two.commit()
            return await blob_copies.get(one, objects, POEM, NAME)

    assert asyncio.run(run()) == CONTENT


def test_what_was_put_and_has_no_row_goes_with_the_next_purge_of_it(
    database: str, objects: ObjectStorage, tmp_path: Path
) -> None:
    place = tmp_path / "objects" / POEM / NAME.hex()

    async def run() -> None:
        async with await AsyncConnection.connect(database) as connection:
            await blob_copies.put(connection, objects, POEM, NAME, CONTENT)
            await connection.rollback()
            assert place.exists()
            assert await blob_copies.missing(connection, POEM, [NAME]) == [NAME]
            await blob_copies.forget(connection, objects, POEM, [NAME])
            await blob_copies.clear(connection, objects, POEM, [NAME])

    asyncio.run(run())
    assert not place.exists()


def test_only_what_is_large_goes_to_object_storage(
    database: str, objects: ObjectStorage, tmp_path: Path
) -> None:
    small, even = CONTENT[:-2], bytes(8 * blob_copies.LARGE)

    async def run() -> None:
        async with await AsyncConnection.connect(database) as connection:
            for one in (small, even, CONTENT):
                await blob_copies.put(connection, objects, POEM, bytes.fromhex(disk.blob_id(one)), one)
            names = [bytes.fromhex(disk.blob_id(one)) for one in (small, even, CONTENT)]
            assert sorted(await blob_copies.get_all(connection, objects, POEM, names)) == sorted(
                [small, even, CONTENT]
            )

    asyncio.run(run())
    assert [one.name for one in (tmp_path / "objects" / POEM).iterdir()] == [NAME.hex()]
