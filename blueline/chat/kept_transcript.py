"""A conversation as it is kept: what is added is on disk and in the transcript before anybody hears of it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

from blueline.chat.conversation_files import ConversationFile, Record
from blueline.chat.transcript import Transcript, TranscriptTurn
from blueline.desk.state_folder import now

BACK = ("cancelled", "failed", "refusal")
"""Ends of a turn after which the prompt is back in the composer."""


class KeptTranscript:
    """The records of one conversation, and what they add up to."""

    def __init__(self, kept_file: ConversationFile, on_change: Callable[[], None]) -> None:
        self.thread = Transcript()
        self._file = kept_file
        self._on_change = on_change
        self._lock = asyncio.Lock()
        self.thread.take(kept_file.news())

    async def keep(self, *records: Record) -> None:
        """Add records to the conversation, durable on return, and say that it has changed."""
        async with self._lock:
            await asyncio.to_thread(self._append, records)
        self._on_change()

    def _append(self, records: Sequence[Record]) -> None:
        for record in records:
            self._file.append(record)
        self.thread.take(self._file.news())

    async def catch_up(self) -> None:
        """Take in what other programs have added."""
        async with self._lock:
            found = await asyncio.to_thread(lambda: self.thread.take(self._file.news()))
        if found:
            self._on_change()

    async def say(self, text: str) -> None:
        """Say something in the conversation, in Blueline's own name."""
        await self.keep(self.note(len(self.thread.turns), text))

    def note(self, turn: int, text: str, tone: str = "") -> Record:
        """The record of that."""
        entry = {"kind": "entry", "entry": len(self.thread.entries), "turn": turn, "type": "note"}
        return {**entry, "at": now(), "text": text, "about": {"tone": tone} if tone else {}}

    def ended(self, turn: TranscriptTurn, stop: str, error: str) -> Record:
        """The record of a turn's end."""
        about = {"turn": turn.number, "stop": stop, "error": error, "back": stop in BACK}
        return {"kind": "ended", "at": now(), **about}
