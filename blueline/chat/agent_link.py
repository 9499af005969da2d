"""The way to an agent: its process, started when it is needed, and what it may ask of us."""

from __future__ import annotations

from blueline.chat.agent_process import AgentProcess
from blueline.chat.agents import ChatAgent, program
from blueline.chat.client import Client, Listener
from blueline.chat.turn_record import Surroundings


class AgentLink:
    """At most one process at a time."""

    def __init__(self, listener: Listener, around: Surroundings) -> None:
        self._listener = listener
        self._around = around
        self._client: Client | None = None
        self.process: AgentProcess | None = None
        """The one that is running, or has ended."""

    async def started(self, agent: ChatAgent) -> AgentProcess:
        """The agent's process, started if it is not running."""
        if self.process is not None and self.process.is_alive:
            return self.process
        await self.close()
        found = program(agent, self._around.root, self._around.environ)
        self._client = Client(self._listener, self._around)
        process = AgentProcess(agent, self._around.root)
        try:
            await process.start(found, self._around.environ, self._client)
        except BaseException:
            await process.close()
            raise
        self.process = process
        return process

    @property
    def pid(self) -> int | None:
        return self.process.pid if self.process is not None and self.process.is_alive else None

    async def close(self) -> None:
        """End the process, and what it runs through us."""
        if self._client is not None:
            await self._client.close()
            self._client = None
        if self.process is not None:
            await self.process.close()
            self.process = None
