"""A hub as people run it: `blueline hub serve` on a database, in a process that may be killed."""

from __future__ import annotations

import asyncio
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

import pytest
from psycopg import AsyncConnection

from blueline.contract.hub import WishDocument
from blueline.hub import people, requests
from blueline.hub.people import HubPerson
from blueline.hub.requests import Asked
from blueline.sync import membership
from tests.support.postgresql import ended
from tests.support.project import Document, Project

Result = TypeVar("Result")
TEXT = "one\ntwo\nthree\n"
PATIENCE_SECONDS = 60.0
COMMAND = (sys.executable, "-m", "blueline", "--json", "hub")


class Hub:
    """One process of the hub."""

    port = 0

    def __init__(self, database: str, home: Path) -> None:
        self._environ = os.environ | {"BLUELINE_HUB_DATABASE": database, "HOME": str(home)}
        self.again()

    def again(self) -> None:
        """Start it, and where it was started before, at the same port."""
        self._process = subprocess.Popen(
            [*COMMAND, "serve", "--port", str(self.port)], stdout=subprocess.PIPE, env=self._environ
        )
        said = json.loads(_first_line(self._process))
        self.url: str = said["address"]
        self.port = int(said["port"])

    def invitation(self, project: str = "") -> str:
        """Made by whoever runs the hub."""
        words = ["--project", project] if project else []
        return str(self.command("invite", *words)["invitation"])

    def link(self, name: str, role: str, project: str = "") -> str:
        """What whoever runs the hub sends somebody."""
        words = ["--person", name, "--role", role, "--public-url", self.url]
        words += ["--project", project] if project else []
        return str(self.command("invite", *words)["link"])

    def command(self, *words: str) -> Document:
        """What `blueline hub` says to whoever runs the hub."""
        done = subprocess.run(
            [*COMMAND, *words], capture_output=True, env=self._environ, timeout=PATIENCE_SECONDS, check=False
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def browser(self, name: str, role: people.Role, project: str = people.EVERYWHERE) -> str:
        """The cookie of somebody who was invited, and is signed in."""

        async def entered(connection: AsyncConnection) -> str:
            _, code = await people.invite(connection, name, project, role)
            return f"blueline_hub={await people.enter(connection, code)}"

        return self._step(entered)

    def person(
        self, name: str, role: people.Role = "reviewer", project: str = people.EVERYWHERE
    ) -> HubPerson:
        """Somebody whom whoever runs the hub lets in."""

        async def invited(connection: AsyncConnection) -> HubPerson:
            return (await people.invite(connection, name, project, role))[0]

        return self._step(invited)

    def ask(self, project: str, person: HubPerson, identifier: str, wish: WishDocument) -> None:
        """Have something asked for, by another process than this hub's."""
        self._step(lambda one: requests.ask(one, project, person, identifier, wish))

    def asked(self, project: str) -> list[Asked]:
        """All that was asked for, and what became of it."""
        return self._step(lambda one: requests.latest(one, project, 1000))

    def _step(self, step: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        async def run() -> Result:
            async with await AsyncConnection.connect(self._environ["BLUELINE_HUB_DATABASE"]) as connection:
                return await step(connection)

        return asyncio.run(run())

    def kill(self) -> None:
        self._process.kill()
        self._close()

    def stop(self) -> None:
        self._process.terminate()
        self._close()

    def _close(self) -> None:
        ended(self._process, "the hub")
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def serving(database: str, home: Path) -> Iterator[Hub]:
    hub = Hub(database, home)
    try:
        yield hub
    finally:
        hub.stop()


def _first_line(process: subprocess.Popen[bytes]) -> bytes:
    """What a process says first, within reason."""
    assert process.stdout is not None
    found, until = b"", time.monotonic() + PATIENCE_SECONDS
    while not found.endswith(b"\n"):
        ready, _, _ = select.select([process.stdout], [], [], max(until - time.monotonic(), 0))
        piece = os.read(process.stdout.fileno(), 4096) if ready else b""
        if not piece:
            process.kill()
            ended(process, "the hub")
            raise AssertionError("the hub did not start" if ready else "the hub said nothing for a minute")
        found += piece
    return found


@pytest.fixture
def machine(tmp_path: Path, hub: Hub) -> Project:
    """A project that has joined, with one change of an agent's that is undecided."""
    machine = Project(tmp_path, {"a.txt": TEXT})
    join(machine, hub)
    machine.edit("a.txt", "two", "TWO")
    sync(machine)
    return machine


def join(machine: Project, hub: Hub) -> None:
    done = machine.command("hub", "join", hub.url, "--invitation", hub.invitation())
    assert done.returncode == 0, done.stderr


def sync(machine: Project, *words: str) -> Document:
    done = machine.command("--json", "sync", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def project_of(machine: Project) -> str:
    """What the hub knows it by."""
    return membership.read(machine.state).project
