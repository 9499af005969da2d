"""The distribution's PostgreSQL, in a folder of its own, on a socket of its own."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import count
from pathlib import Path

import psycopg

from tests.support.processes import ended

PLACES = Path("/usr/lib/postgresql")
STARTED_WITHIN_SECONDS = 60

ACCOUNT = "postgres" if os.geteuid() == 0 else None
"""PostgreSQL does not run as root: then as the account that its package has made."""

# What is lost when the machine loses its power is not what these tests are about; processes are killed.
SETTINGS = ("fsync=off", "full_page_writes=off", "listen_addresses=", "max_connections=60")
DURABLE = SETTINGS[2:]
"""As it is run."""


class Server:
    """One server with its data. It can be killed, and started again."""

    def __init__(self, folder: Path, settings: Sequence[str] = SETTINGS) -> None:
        self.folder = folder
        self._settings = settings
        self._data = folder / "data"
        self._process: subprocess.Popen[bytes] | None = None
        self._numbers = count(1)

    def make(self) -> None:
        """Make an empty cluster."""
        self.run("initdb", "--auth=trust", "--username=hub", "--no-sync", "--encoding=UTF8", str(self._data))

    def start(self) -> None:
        """Start it, and wait until it answers."""
        words = [word for setting in self._settings for word in ("-c", setting)]
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [_program("postgres"), "-D", str(self._data), "-k", str(self.folder), *words],
                stdout=subprocess.DEVNULL,
                stderr=log,
                user=ACCOUNT,
                group=ACCOUNT,
            )
        until = time.monotonic() + STARTED_WITHIN_SECONDS
        while True:
            try:
                psycopg.connect(self.address("postgres"), connect_timeout=STARTED_WITHIN_SECONDS).close()
                return
            except psycopg.OperationalError:
                if time.monotonic() > until or self._process.poll() is not None:
                    raise AssertionError((self.folder / "log").read_text()) from None
                time.sleep(0.05)

    def kill(self) -> None:
        """End it as if its machine had stopped: without a word to anybody."""
        assert self._process is not None
        children = _children(self._process.pid)
        self._process.kill()
        ended(self._process, "PostgreSQL")
        for child in children:
            with suppress(ProcessLookupError):  # each also sees by itself that the first is gone
                os.kill(child, signal.SIGKILL)

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGQUIT)
            ended(self._process, "PostgreSQL")

    def address(self, database: str) -> str:
        return f"postgresql://hub@/{database}?host={self.folder}"

    def database(self) -> str:
        """A new, empty database; its address."""
        name = f"hub{next(self._numbers)}"
        with psycopg.connect(self.address("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.address(name)

    def run(self, program: str, *words: str) -> None:
        """One of PostgreSQL's own programs, under its account."""
        subprocess.run(
            [_program(program), *words],
            check=True,
            capture_output=True,
            user=ACCOUNT,
            group=ACCOUNT,
            timeout=STARTED_WITHIN_SECONDS,
        )


@contextmanager
def running(settings: Sequence[str] = SETTINGS) -> Iterator[Server]:
    """A server that is gone afterwards, with all that it stored."""
    # Not below the tests' own folders: PostgreSQL runs under an account that cannot get there.
    folder = Path(tempfile.mkdtemp(prefix="blueline-pg-"))
    if ACCOUNT is not None:
        shutil.chown(folder, ACCOUNT, ACCOUNT)
    server = Server(folder, settings)
    try:
        server.make()
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)


def _program(name: str) -> str:
    found = sorted(PLACES.glob(f"*/bin/{name}"), key=lambda one: int(one.parts[-3]))
    return str(found[-1]) if found else shutil.which(name) or name


def _children(pid: int) -> list[int]:
    return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
