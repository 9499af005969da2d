"""What an agent says is taken in, in its order."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from blueline.chat.talk_inbox import Inbox
from blueline.errors import BluelineError


class Reader:
    """Takes its time, and fails at one thing."""

    def __init__(self) -> None:
        self.taken: list[object] = []
        self.said: list[str] = []
        self.patience: float | None = None

    async def take(self, said: object) -> None:
        await asyncio.sleep(0)
        if said == "too much":
            raise BluelineError("no room", hint="free some space")
        if said is not None:
            self.taken.append(said)
            self.patience = 0.001 if said == "a piece" else None

    async def flush(self) -> None:
        self.taken.append("flushed")
        self.patience = None

    async def say(self, text: str) -> None:
        self.said.append(text)


def run(work: Coroutine[Any, Any, None]) -> None:
    with ThreadPoolExecutor(1) as pool:  # a browser test before this one leaves a loop in the main thread
        pool.submit(asyncio.run, work).result()


def test_all_is_taken_in_one_after_the_other() -> None:
    async def work() -> None:
        reader = Reader()
        inbox = Inbox(reader)
        await inbox.drain()  # nobody reads yet, and nobody waits
        for number in range(100):
            inbox.put(number)
        inbox.open()
        await inbox.drain()
        assert reader.taken == [*range(100)]
        inbox.close()

    run(work())


def test_what_cannot_be_kept_is_said_and_the_rest_goes_on() -> None:
    async def work() -> None:
        reader = Reader()
        inbox = Inbox(reader)
        inbox.open()
        for said in ("one", "too much", "two"):
            inbox.put(said)
        await inbox.drain()
        assert (reader.taken, reader.said) == (["one", "two"], ["no room (free some space)"])
        inbox.close()

    run(work())


def test_a_piece_that_nothing_follows_does_not_wait_for_ever() -> None:
    async def work() -> None:
        reader = Reader()
        inbox = Inbox(reader)
        inbox.open()
        inbox.put("a piece")
        async with asyncio.timeout(30):
            while "flushed" not in reader.taken:
                await asyncio.sleep(0.001)
        inbox.close()

    run(work())
