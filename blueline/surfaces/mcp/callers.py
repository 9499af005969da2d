"""Who calls a tool, and in which turn."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from pathlib import Path
from typing import NamedTuple

from blueline.chat.tasks import CHAT, joined
from blueline.desk import Desk
from blueline.sdk import Session, Turn

OpenDesk = Callable[[Path], AbstractContextManager[Desk]]

NEW_TURN_AFTER_SECONDS = 600
"""A client says nothing of turns: after such a pause, another one begins."""

LONGEST_NAME = 60

# Clients that tell their servers which conversation they were started for, in this variable. Their hooks say
# the same name, so the call appears in the turn that is running there.
CONVERSATIONS = {"claude-code": "CLAUDE_CODE_SESSION_ID"}


class Caller(NamedTuple):
    """What a request says of the client."""

    agent: str
    call: str | None
    """Its own id of the call; None if it does not say."""


def agent_name(client: str | None) -> str:
    """The name an agent is known by, from what its client calls itself."""
    name = "".join(char if char.isprintable() and char != " " else "-" for char in client or "")
    return name[:LONGEST_NAME].strip("-") or "mcp-client"


class Callers:
    """The turns in which calls are made."""

    def __init__(self, start: Path, environ: Mapping[str, str], open_desk: OpenDesk) -> None:
        self._start = start
        self._environ = environ
        self._open_desk = open_desk
        self._own: dict[str, tuple[Session, Turn]] = {}
        self._last_call = time.monotonic()

    def turn(self, caller: Caller) -> Turn:
        """Where a call belongs: in the turn that the agent's hooks began, or else in one of our own."""
        if (chat := self._environ.get(CHAT)) and (talking := self._talking(chat)):
            return Session(self._start, *talking, environ=self._environ).join()
        name = self._environ.get(CONVERSATIONS.get(caller.agent, ""), "")
        if name and self._is_running(name):
            return Session(self._start, caller.agent, name, environ=self._environ).join()
        now = time.monotonic()
        if now - self._last_call > NEW_TURN_AFTER_SECONDS:
            self.close()
        self._last_call = now
        if caller.agent not in self._own:
            session = Session(self._start, caller.agent, environ=self._environ)
            self._own[caller.agent] = session, session.turn("").__enter__()
        return self._own[caller.agent][1]

    def _talking(self, chat: str) -> tuple[str, str] | None:
        """The agent and the conversation that a chat has us started for, if a turn is running there."""
        with self._open_desk(self._start) as desk:
            state = desk.state
        return joined(state, chat)

    def _is_running(self, conversation: str) -> bool:
        # The variable is that of the client's start; it may have gone on to another conversation since.
        with self._open_desk(self._start) as desk:
            turns = desk.list(by="turn", status="all")["turns"]
        return any(turn["conversation"] == conversation and turn["ended"] is None for turn in turns)

    def close(self) -> None:
        """The client has left."""
        for session, turn in self._own.values():
            turn.__exit__(None, None, None)
            session.close()
        self._own.clear()
