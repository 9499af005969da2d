"""A running agent: its process, and what is asked of it."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import acp
from acp.client.connection import ClientSideConnection
from acp.schema import ClientCapabilities, FileSystemCapabilities, Implementation, McpServerStdio

import blueline
from blueline.chat.agents import ChatAgent
from blueline.chat.wire import plain
from blueline.errors import BluelineError

LONGEST_LINE = 50 << 20
LONGEST_ERRORS = 2_000
START_SECONDS = 60
END_SECONDS = 2.0
AUTH_REQUIRED = -32000

# The one agent known to fork at an earlier message, by an extension of its own. Old versions pass over that
# and fork as things are, so whoever asks for it looks at what came of it.
FORKS_ANYWHERE = "claude-agent-acp"


class AgentFailed(BluelineError):
    """The agent said no, or what it said made no sense."""


class AgentLost(BluelineError):
    """The agent's process has ended."""


class AgentProcess:
    """One process of an agent."""

    def __init__(self, agent: ChatAgent, root: Path) -> None:
        self.agent = agent
        self._root = root
        self._process: asyncio.subprocess.Process | None = None
        self._connection: ClientSideConnection | None = None
        self._errors = ""
        self._reader: asyncio.Task[None] | None = None
        self._sieve: asyncio.Task[None] | None = None
        self.loaded: set[str] = set()
        """The conversations that it has in its head just now."""
        self._can: dict[str, Any] = {}
        self._name = ""

    async def start(self, program: str, environ: Mapping[str, str], client: acp.Client) -> None:
        """Start the process, and agree on what both can do."""
        # What the package has to say of a strange message must not get into anybody's terminal.
        logging.getLogger().addHandler(logging.NullHandler())
        try:
            self._process = await asyncio.create_subprocess_exec(
                program,
                *self.agent.command[1:],
                cwd=self._root,
                env={**environ, **self.agent.environ},
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                limit=LONGEST_LINE,
                # Of its own, so that what it started ends with it, and Ctrl-C is for us.
                start_new_session=True,
            )
        except OSError as error:
            raise AgentFailed(
                f"{self.agent.label} cannot be started: {error.strerror}", hint="look at its command"
            ) from error
        self._reader = asyncio.create_task(self._read_errors())
        messages = asyncio.StreamReader(limit=LONGEST_LINE)
        self._sieve = asyncio.create_task(_sift(self._process.stdout, messages))
        self._connection = ClientSideConnection(
            client, self._process.stdin, messages, use_unstable_protocol=True
        )
        reads = FileSystemCapabilities(read_text_file=self.agent.reads, write_text_file=True)
        answer = plain(
            await self._ask(
                "initialize",
                protocol_version=acp.PROTOCOL_VERSION,
                client_capabilities=ClientCapabilities(fs=reads, terminal=True),
                client_info=Implementation(name="blueline", title="Blueline", version=blueline.__version__),
            )
        )
        if answer.get("protocolVersion") != acp.PROTOCOL_VERSION:
            raise AgentFailed(
                f"{self.agent.label} speaks another version of the protocol", hint="update one of the two"
            )
        self._can = answer.get("agentCapabilities", {})
        self._name = str(answer.get("agentInfo", {}).get("name", ""))

    async def _read_errors(self) -> None:
        assert self._process is not None
        assert self._process.stderr is not None
        while chunk := await self._process.stderr.read(1 << 16):
            self._errors = (self._errors + chunk.decode("utf-8", "replace"))[-LONGEST_ERRORS:]

    @property
    def is_alive(self) -> bool:
        return self._process is not None and self._process.returncode is None

    @property
    def pid(self) -> int | None:
        return self._process.pid if self._process is not None else None

    # What it can do

    def _session_can(self, what: str) -> bool:
        return isinstance(self._can.get("sessionCapabilities", {}).get(what), dict)

    @property
    def can_fork(self) -> bool:
        return self._session_can("fork")

    @property
    def can_fork_anywhere(self) -> bool:
        return self.can_fork and self._name.endswith(FORKS_ANYWHERE)

    @property
    def tells_history(self) -> bool:
        """Whether it tells what was said in a conversation that it loads."""
        return bool(self._can.get("loadSession"))

    @property
    def can_load(self) -> bool:
        return self.tells_history or self._session_can("resume")

    # What is asked of it

    async def new(self, servers: Sequence[McpServerStdio]) -> str:
        """Begin a conversation; its name."""
        answer = plain(await self._ask("new_session", cwd=str(self._root), mcp_servers=[*servers]))
        return self._loaded(str(answer["sessionId"]))

    async def take_up(self, name: str, servers: Sequence[McpServerStdio]) -> None:
        """Take an earlier conversation up again, without a word of it if that can be had."""
        if self._session_can("resume"):
            await self._ask("resume_session", cwd=str(self._root), session_id=name, mcp_servers=[*servers])
            self._loaded(name)
        else:
            await self.load(name, servers)

    async def load(self, name: str, servers: Sequence[McpServerStdio]) -> None:
        """The same; the agent tells what was said in it before it answers."""
        await self._ask("load_session", cwd=str(self._root), session_id=name, mcp_servers=[*servers])
        self._loaded(name)

    async def fork(self, name: str, servers: Sequence[McpServerStdio], message: str = "") -> str:
        """A conversation that begins as another one is now, or was at a message; its name."""
        meta: dict[str, Any] = (
            {"jetbrains": {"air": {"fork": {"version": 1, "messageId": message}}}} if message else {}
        )
        given: dict[str, Any] = {"cwd": str(self._root), "session_id": name, "mcp_servers": [*servers]}
        answer = plain(await self._ask("fork_session", **{**given, **meta}))
        return self._loaded(str(answer["sessionId"]))

    def _loaded(self, name: str) -> str:
        self.loaded.add(name)
        return name

    async def prompt(self, name: str, texts: Sequence[str]) -> str:
        """Say something, and wait until the agent has stopped; why it did."""
        blocks = [acp.text_block(text) for text in texts]
        answer = plain(await self._ask("prompt", patience=None, session_id=name, prompt=blocks))
        return str(answer.get("stopReason", "end_turn"))

    async def cancel(self, name: str) -> None:
        """Ask it to stop."""
        with contextlib.suppress(ConnectionError, OSError):
            if self._connection is not None:
                await self._connection.cancel(session_id=name)

    async def _ask(self, verb: str, *, patience: float | None = START_SECONDS, **given: Any) -> Any:
        assert self._connection is not None
        try:
            async with asyncio.timeout(patience):
                return await getattr(self._connection, verb)(**given)
        except TimeoutError:
            raise AgentFailed(f"{self.agent.label} does not answer", hint="try again") from None
        except acp.RequestError as error:
            raise self._refused(error) from error
        except (ConnectionError, OSError) as error:
            raise await self._lost() from error
        except ValueError as error:  # of pydantic: an answer that is none
            raise AgentFailed(f"{self.agent.label} gave an answer that makes no sense") from error

    def _refused(self, error: acp.RequestError) -> AgentFailed:
        hint = "start it once by itself and log in there" if error.code == AUTH_REQUIRED else "try again"
        details = error.data.get("details") if isinstance(error.data, dict) else None
        why = f"{error}: {details}" if details else str(error)
        return AgentFailed(f"{self.agent.label}: {why}", hint=hint)

    async def _lost(self) -> AgentLost:
        code: int | None = None
        if self._process is not None:
            with contextlib.suppress(TimeoutError):
                code = await asyncio.wait_for(self._process.wait(), END_SECONDS)
            if self._reader is not None:
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(asyncio.shield(self._reader), END_SECONDS)
        ended = f"was ended by signal {-code}" if code is not None and code < 0 else f"has ended ({code})"
        last = self._errors.strip().rpartition("\n")[2]
        return AgentLost(f"{self.agent.label} {ended}{f': {last}' if last else ''}", hint="send it again")

    async def close(self) -> None:
        """End the process and what it started."""
        if self._connection is not None:
            await self._connection.close()
        if self._process is None:
            return
        if self._process.stdin is not None:
            self._process.stdin.close()
        for number in (signal.SIGTERM, signal.SIGKILL):
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._process.wait(), END_SECONDS)
                break
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, number)
        await self._process.wait()
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(self._process.pid, signal.SIGKILL)
        for task in (self._reader, self._sieve):
            if task is not None:
                await task


async def _sift(said: asyncio.StreamReader | None, messages: asyncio.StreamReader) -> None:
    """Let through what is a message. Programs print other things too, which must not end a conversation."""
    assert said is not None
    try:
        while line := await said.readline():
            if _is_message(line):
                messages.feed_data(line)
    except ValueError:  # a line longer than anything sensible: what follows cannot be understood either
        pass
    finally:
        messages.feed_eof()


def _is_message(line: bytes) -> bool:
    try:
        found = json.loads(line)
    except (ValueError, RecursionError):
        return False
    return isinstance(found, dict) and isinstance(found.get("method", ""), str)
