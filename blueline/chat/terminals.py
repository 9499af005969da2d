"""Commands that an agent asks us to run. What they change is the agent's doing."""

from __future__ import annotations

import asyncio
import contextlib
import os
import secrets
import signal
from collections.abc import Mapping, Sequence
from pathlib import Path

from blueline.errors import BluelineError
from blueline.sdk.call import WatchedCall

LARGEST_OUTPUT = 1 << 20
CHUNK = 1 << 16
MOST = 20


class NoSuchTerminal(BluelineError):
    """It was released, or never there."""


class CannotRun(BluelineError):
    """The command cannot be started, or not there."""


class Terminal:
    """A command that an agent runs through us, looked at before and after."""

    def __init__(self, process: asyncio.subprocess.Process, call: WatchedCall | None, limit: int) -> None:
        self._process = process
        self._call = call
        self._limit = limit
        self._output = b""
        self.is_cut = False
        self.done: asyncio.Task[None] = asyncio.create_task(self._follow())

    @property
    def output(self) -> str:
        return self._output.decode("utf-8", "replace")

    @property
    def code(self) -> int | None:
        """The exit code; None while it runs, or when a signal ended it."""
        code = self._process.returncode
        return code if code is not None and code >= 0 else None

    @property
    def signal(self) -> str | None:
        code = self._process.returncode
        return signal.Signals(-code).name if code is not None and code < 0 else None

    @property
    def is_running(self) -> bool:
        return self._process.returncode is None

    async def _follow(self) -> None:
        assert self._process.stdout is not None
        while chunk := await self._process.stdout.read(CHUNK):
            self._output += chunk
            if len(self._output) > self._limit:
                self._output, self.is_cut = self._output[-self._limit :], True
        await self._process.wait()
        if self._call is not None:
            await asyncio.to_thread(self._call.__exit__, None, None, None)

    def kill(self) -> None:
        """End it and what it started."""
        if self.is_running:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)


class Terminals:
    """Those of one conversation."""

    def __init__(self, root: Path, environ: Mapping[str, str]) -> None:
        self._root = root
        self._environ = environ
        self._known: dict[str, Terminal] = {}

    async def create(
        self,
        command: str,
        words: Sequence[str],
        *,
        folder: str | None,
        environ: Mapping[str, str],
        limit: int | None,
        call: WatchedCall | None,
    ) -> str:
        """Start a command in a folder of the project; its name."""
        where = self._folder(folder)
        if sum(one.is_running for one in self._known.values()) >= MOST:
            raise CannotRun(f"{MOST} commands are running already", hint="wait for one to end")
        if call is not None:
            await asyncio.to_thread(call.__enter__)
        # Some agents send a whole line of shell as the command, others a program and its words.
        line = [command, *words] if words else ["/bin/sh", "-c", command]
        try:
            process = await asyncio.create_subprocess_exec(
                *line,
                cwd=where,
                env={**self._environ, **environ},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.STDOUT,
                start_new_session=True,
            )
        except (OSError, ValueError) as error:
            if call is not None:
                await asyncio.to_thread(call.__exit__, type(error), error, None)
            raise CannotRun(f"the command cannot be started: {error}", hint="look at its name") from error
        name = f"terminal-{secrets.token_hex(4)}"
        self._known[name] = Terminal(process, call, min(limit or LARGEST_OUTPUT, LARGEST_OUTPUT))
        return name

    def _folder(self, folder: str | None) -> Path:
        found = (self._root / folder if folder else self._root).resolve()
        if not found.is_relative_to(self._root.resolve()) or not found.is_dir():
            raise CannotRun(f"{folder} is not a folder of the project", hint="name one below its root")
        return found

    def named(self, name: str) -> Terminal:
        if name not in self._known:
            raise NoSuchTerminal(f"there is no terminal {name!r}", hint="it was released")
        return self._known[name]

    def release(self, name: str) -> None:
        """It is not needed any more."""
        self.named(name).kill()
        self._known.pop(name)

    async def close(self) -> None:
        """End all of them."""
        for terminal in self._known.values():
            terminal.kill()
        await asyncio.gather(*(terminal.done for terminal in self._known.values()), return_exceptions=True)
        self._known.clear()
