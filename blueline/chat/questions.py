"""What an agent asks, until a person has answered."""

from __future__ import annotations

import asyncio

from blueline.chat.kept_transcript import KeptTranscript
from blueline.chat.transcript import is_waiting
from blueline.errors import BluelineError


class NotWaiting(BluelineError):
    """Nobody asks that, or not any more."""


class Questions:
    """The open questions of one conversation, by their entries."""

    def __init__(self, kept: KeptTranscript) -> None:
        self._kept = kept
        self._open: dict[int, asyncio.Future[str | None]] = {}

    async def ask(self, entry: int) -> str | None:
        """Wait for the answer to an entry; None if the turn was stopped instead."""
        waiting: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._open[entry] = waiting
        try:
            chosen = await waiting
        finally:
            self._open.pop(entry, None)
        if is_waiting(self._kept.thread.entries[entry]):
            about = {"state": "answered" if chosen is not None else "cancelled", "answer": chosen}
            await self._kept.keep({"kind": "changed", "entry": entry, "about": about})
        return chosen

    def answer(self, entry: int, option: str | None) -> None:
        """Answer one; None for nothing."""
        waiting = self._open.get(entry)
        if waiting is None or waiting.done():
            raise NotWaiting("nobody asks that any more", hint="look at the conversation again")
        options = [one["id"] for one in self._kept.thread.entries[entry].about["options"]]
        if option is not None and option not in options:
            raise NotWaiting(f"{option!r} was not offered", hint="choose one of those that were")
        waiting.set_result(option)

    def refusal(self, entry: int) -> str | None:
        """The answer to one that says no, for now, if it is offered."""
        offered = self._kept.thread.entries[entry].about["options"]
        return next((one["id"] for one in offered if one["kind"] == "reject_once"), None)

    def give_up(self) -> None:
        """End every question that is open without an answer: nobody will give one any more."""
        for waiting in self._open.values():
            if not waiting.done():
                waiting.set_result(None)
