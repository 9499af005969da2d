"""Which conversation of an agent to go on with, so that it remembers just the turns that are left.

An agent that says it can go back may not: versions differ, and one that does not know what it is asked
leaves the turn in its memory without a word. So a copy is gone on with only once the agent has told what it
holds. What cannot be proved is not said; then the agent begins anew and is told what is left.
"""

from __future__ import annotations

import contextlib
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING

from blueline.chat import rewind
from blueline.chat.agent_process import AgentFailed, AgentProcess
from blueline.chat.transcript import Transcript
from blueline.chat.wire import Said, Words

if TYPE_CHECKING:
    from acp.schema import McpServerStdio

FORGOTTEN = "The agent went back: the history that it loaded does not have what was taken back."
TOLD_ANEW = (
    "What the agent still remembers of what was taken back cannot be known. So a new conversation was "
    "started with it, and it was told what is left of this one."
)


class AgentSessions:
    """The conversations that an agent has in its memory for one of ours."""

    def __init__(
        self,
        thread: Transcript,
        servers: Sequence[McpServerStdio],
        keep: Callable[..., Awaitable[None]],
        say: Callable[[str], Awaitable[None]],
    ) -> None:
        self._thread = thread
        self._servers = servers
        self._keep = keep
        self._say = say
        self._told: dict[str, list[str]] = {}
        """What people said, as the agent tells it of conversations that it is loading."""

    def hear(self, session: str, said: Said) -> None:
        """What the agent says outside a turn: the history of a conversation that it loads."""
        if session in self._told and isinstance(said, Words) and said.kind == "user":
            self._told[session].append(said.text)

    async def choose(self, link: AgentProcess, history: tuple[int, ...]) -> tuple[str, list[str]]:
        """One in which the agent remembers just these turns, and what it has to be told first."""
        for known in rewind.remembering(self._thread, history):
            if await self._is_taken_up(link, known.name, history):
                await self._copy(link, known.name, history)
                return known.name, []
        fork = rewind.fork_for(self._thread, history) if link.can_fork_anywhere else None
        if fork is not None:
            with contextlib.suppress(AgentFailed):
                name = await link.fork(fork.session, self._servers, fork.message)
                if await self._is_proved(link, name, history):
                    await self._remember(name, history, fork.marks)
                    await self._say(FORGOTTEN)
                    return name, []
        name = await link.new(self._servers)
        await self._remember(name, history)
        if not history:
            return name, []
        await self._say(TOLD_ANEW)
        return name, [rewind.retold(self._thread, history)]

    async def _is_taken_up(self, link: AgentProcess, name: str, history: tuple[int, ...]) -> bool:
        """Go on with a conversation that is said to hold just these turns; whether that can be done."""
        if name not in {turn.session for turn in self._thread.turns.values()}:
            return await self._is_proved(link, name, history)  # a copy: nobody has said anything in it yet
        if name in link.loaded:
            return True
        if link.can_load:
            with contextlib.suppress(AgentFailed):
                await link.take_up(name, self._servers)
                return True
        return False

    async def _is_proved(self, link: AgentProcess, name: str, history: tuple[int, ...]) -> bool:
        """Whether a conversation holds just these turns, by the history that the agent loads."""
        if not link.tells_history:
            return False
        self._told[name] = []
        try:
            await link.load(name, self._servers)
        except AgentFailed:
            return False
        finally:
            told = self._told.pop(name)
        return rewind.holds_just(self._thread, history, told)

    async def _copy(self, link: AgentProcess, name: str, history: tuple[int, ...]) -> None:
        """Where the agent can fork only as things are, it does so now, to have something to go back to."""
        known = rewind.remembering(self._thread, history)
        if history and link.can_fork and not link.can_fork_anywhere and len(known) == 1:
            with contextlib.suppress(AgentFailed):
                await self._remember(await link.fork(name, self._servers), history)

    async def _remember(
        self, name: str, history: tuple[int, ...], marks: Sequence[tuple[int, str]] = ()
    ) -> None:
        await self._keep({"kind": "session", "session": name, "turns": [*history], "marks": [*marks]})
