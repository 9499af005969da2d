"""Bytes of journals: kept at their offsets, taken twice without harm, and never replaced by others."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from psycopg import AsyncConnection

from blueline.hub import journal_copies, machines
from blueline.hub.hub_database import HubDatabase
from blueline.hub.journal_copies import Copied, Gap
from blueline.hub.machines import Joining
from blueline.hub.pushed_bytes import NotWhole, OtherBytes
from blueline.journal.frames import EVENT, HEADER, OBSERVATION, Frame, purged
from blueline.kernel import disk

PROJECT = "0" * 32
Result = TypeVar("Result")

FIRST = disk.frame(OBSERVATION, b"seen")
SECOND = disk.frame(EVENT, b'{"n":1}')
THIRD = disk.frame(EVENT, b'{"n":2}')


class Copies:
    """One project of a hub, asked step by step."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._run(self._make)

    async def _make(self, connection: AsyncConnection) -> None:
        code = await machines.invite(connection)
        await machines.join(connection, code, Joining(PROJECT, "poem", "laptop", "blueline 2", b"x" * 32))

    def _run(self, step: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        async def run() -> Result:
            database = HubDatabase(self._address)
            await database.upgrade()
            await database.open()
            try:
                async with database.step() as connection:
                    return await step(connection)
            finally:
                await database.close()

        return asyncio.run(run())

    def add(self, start: int, data: bytes, damaged: tuple[tuple[int, int], ...] = ()) -> Copied:
        return self._run(lambda one: journal_copies.add(one, PROJECT, start, data, damaged))

    def begin_anew(self, instead_of: int) -> Copied:
        return self._run(lambda one: journal_copies.begin_anew(one, PROJECT, instead_of))

    def reached(self) -> Copied:
        return self._run(lambda one: journal_copies.reached(one, PROJECT))

    def bytes(self, start: int = 0) -> bytes:
        async def read(connection: AsyncConnection) -> bytes:
            known = await journal_copies.reached(connection, PROJECT)
            found = journal_copies.stretches(connection, PROJECT, known.copy, start, known.length)
            return b"".join([one async for one in found])

        return self._run(read)


@pytest.fixture
def copies(address: str) -> Copies:
    return Copies(address)


def test_bytes_are_kept_at_their_offsets(copies: Copies) -> None:
    copies.add(0, FIRST + SECOND)
    now = copies.add(len(FIRST + SECOND), THIRD)

    assert copies.bytes() == FIRST + SECOND + THIRD
    assert copies.bytes(len(FIRST) + 3) == (SECOND + THIRD)[3:]
    assert now.length == len(FIRST + SECOND + THIRD)
    assert now.last == (len(FIRST + SECOND), THIRD[: HEADER.size])


def test_the_same_bytes_again_change_nothing_and_more_behind_them_is_added(copies: Copies) -> None:
    copies.add(0, FIRST + SECOND)

    assert copies.add(0, FIRST) == copies.reached()
    copies.add(len(FIRST), SECOND + THIRD)

    assert copies.bytes() == FIRST + SECOND + THIRD


def test_other_bytes_at_a_known_place_are_refused(copies: Copies) -> None:
    copies.add(0, FIRST + SECOND)
    other = disk.frame(EVENT, b'{"n":9}')

    with pytest.raises(OtherBytes, match=f"byte {len(FIRST)} "):
        copies.add(len(FIRST), other + THIRD)

    assert copies.bytes() == FIRST + SECOND


def test_a_gap_is_refused_with_the_place_to_go_on_from(copies: Copies) -> None:
    copies.add(0, FIRST)

    with pytest.raises(Gap, match=f"only {len(FIRST)} are known"):
        copies.add(len(FIRST) + 1, SECOND)


@pytest.mark.parametrize("data", [FIRST[:-1], FIRST[:-1] + b"!", b"nothing of the kind", FIRST + SECOND[:7]])
def test_what_is_no_whole_frame_is_refused(copies: Copies, data: bytes) -> None:
    with pytest.raises(NotWhole):
        copies.add(0, data)

    assert copies.reached().length == 0


def test_damage_keeps_its_place_if_the_machine_says_that_it_is_damage(copies: Copies) -> None:
    torn = SECOND[:11]
    stretch = (len(FIRST), len(FIRST + torn))

    with pytest.raises(NotWhole):
        copies.add(0, FIRST + torn + THIRD)
    copies.add(0, FIRST + torn + THIRD, (stretch,))

    assert copies.bytes() == FIRST + torn + THIRD


def test_a_purged_frame_takes_the_place_of_the_frame_it_was(copies: Copies) -> None:
    copies.add(0, FIRST + SECOND)
    copies.add(len(FIRST + SECOND), THIRD)
    gone = purged(Frame(0, len(FIRST), OBSERVATION, b"seen"))
    last = purged(Frame(0, len(THIRD), EVENT, b'{"n":2}'))

    now = copies.add(0, gone + SECOND + last)

    assert copies.bytes() == gone + SECOND + last
    assert now.last.header == last[: HEADER.size]
    assert copies.reached() == now


def test_a_journal_that_was_put_back_gets_a_copy_beside_the_one_it_had(copies: Copies) -> None:
    first = copies.add(0, FIRST + SECOND)

    now = copies.begin_anew(first.copy)
    assert copies.begin_anew(first.copy) == now, "asked twice, it is one copy"
    copies.add(0, FIRST + THIRD)

    assert now.copy == first.copy + 1
    assert copies.bytes() == FIRST + THIRD
