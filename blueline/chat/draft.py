"""The entries of a turn that is running: pieces of text become messages, tool calls one entry each."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from blueline.chat.call_recorder import Told
from blueline.chat.conversation_files import Record
from blueline.chat.transcript import WAITING, Transcript
from blueline.chat.wire import AgentPlan, Words
from blueline.desk.state_folder import now

if TYPE_CHECKING:
    from blueline.contract.conversations import EntryAbout, ProposedDiff

FLUSH_SECONDS = 0.15
"""How long text may wait for more, before it is kept and shown."""

LONGEST_OUTPUT = 20_000


class OfferedAnswer(Protocol):
    """An answer that an agent offers."""

    @property
    def id(self) -> str: ...
    @property
    def name(self) -> str: ...
    @property
    def kind(self) -> str: ...


class Drafting:
    """Makes records of what comes in pieces."""

    def __init__(self, keep: Callable[..., Awaitable[None]], thread: Transcript) -> None:
        self._keep = keep
        self._thread = thread
        self._open: tuple[str, str] | None = None
        """Kind and name of the message that pieces are added to."""
        self._entry = 0
        self._text: list[str] = []
        self._kept_at = 0.0
        self._tools: dict[str, int] = {}
        self._plan: int | None = None
        self.last_message = ""
        """The agent's name for its last message."""

    @property
    def patience(self) -> float | None:
        """How long text can still wait; None if none waits."""
        return FLUSH_SECONDS if self._text else None

    async def words(self, turn: int, words: Words) -> None:
        """A piece of a message."""
        if not words.text or words.kind == "user":
            return
        if words.kind == "agent" and words.message:
            self.last_message = words.message
        name = (words.kind, words.message)
        if self._open != name:
            await self.flush()
            self._open = name
            self._entry = await self._add(turn, words.kind, words.text, {})
            self._kept_at = time.monotonic()
            return
        self._text.append(words.text)
        if time.monotonic() - self._kept_at > FLUSH_SECONDS:
            await self.flush()

    async def flush(self) -> None:
        """Keep what has come."""
        if self._text:
            text, self._text = "".join(self._text), []
            await self._keep({"kind": "more", "entry": self._entry, "text": text})
            self._kept_at = time.monotonic()

    async def close(self) -> None:
        """No more will come."""
        await self.flush()
        self._open = None
        for number in self._tools.values():
            if self._thread.entries[number].about.get("status") in ("pending", "in_progress"):
                await self._keep({"kind": "changed", "entry": number, "about": {"status": "failed"}})

    async def doing(self, turn: int, told: Told, key: str) -> None:
        """A tool call, or more of it."""
        await self.flush()
        self._open = None
        about = _about(told, key)
        if told.id not in self._tools:
            self._tools[told.id] = await self._add(turn, "tool", "", about)
            return
        number = self._tools[told.id]
        known = self._thread.entries[number].about
        changes = {name: value for name, value in about.items() if known.get(name) != value}
        if changes:
            await self._keep({"kind": "changed", "entry": number, "about": changes})

    async def plan(self, turn: int, plan: AgentPlan) -> None:
        """What the agent intends to do."""
        await self.flush()
        about: EntryAbout = {"steps": [{"text": text, "status": status} for text, status in plan.steps]}
        if self._plan is None:
            self._plan = await self._add(turn, "plan", "", about)
        else:
            await self._keep({"kind": "changed", "entry": self._plan, "about": about})

    async def question(
        self, turn: int, told: Told, diffs: Sequence[ProposedDiff], options: Sequence[OfferedAnswer]
    ) -> int:
        """Something a person has to answer; the number of the entry."""
        await self.flush()
        self._open = None
        about: EntryAbout = {
            "state": WAITING,
            "title": told.title,
            "tool": told.kind,
            "command": told.command,
            "call": told.id,
            "diffs": [*diffs],
            "options": [{"id": one.id, "name": one.name, "kind": one.kind} for one in options],
        }
        return await self._add(turn, "permission", "", about)

    async def _add(self, turn: int, kind: str, text: str, about: EntryAbout) -> int:
        number = len(self._thread.entries)
        record: Record = {"kind": "entry", "entry": number, "turn": turn, "type": kind, "at": now()}
        await self._keep({**record, "text": text, "about": about})
        return number


def _about(told: Told, key: str) -> EntryAbout:
    return {
        "title": told.title,
        "tool": told.kind,
        "name": told.tool,
        "status": told.status,
        "paths": [{"path": path, "line": told.lines.get(path)} for path in told.files],
        "command": told.command,
        "output": told.output[:LONGEST_OUTPUT],
        "key": key,
    }
