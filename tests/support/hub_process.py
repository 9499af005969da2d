"""A hub as people run it: `blueline hub serve` on a database, in a process that may be killed."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar
from urllib.request import Request, urlopen

import pytest
from psycopg import AsyncConnection

from blueline.contract.hub import WishDocument
from blueline.hub import people, requests
from blueline.hub.people import HubPerson
from blueline.hub.requests import Asked
from blueline.sync import membership
from tests.support.processes import PATIENCE_SECONDS, ended, first_line
from tests.support.project import Document, Project

Result = TypeVar("Result")
TEXT = "one\ntwo\nthree\n"
COMMAND = (sys.executable, "-m", "blueline", "--json", "hub")


class Hub:
    """One process of the hub."""

    port = 0

    def __init__(self, database: str, home: Path, words: Sequence[str] = (), **environ: str) -> None:
        """With more words for the command, and more in its environment."""
        own = {"BLUELINE_HUB_DATABASE": database, "HOME": str(home), "TMPDIR": str(home)}
        self._environ = os.environ | own | environ
        self._words = words
        self.again()

    def again(self) -> None:
        """Start it, and where it was started before, at the same port."""
        self._process = subprocess.Popen(
            [*COMMAND, "serve", "--port", str(self.port), *self._words],
            stdout=subprocess.PIPE,
            env=self._environ,
        )
        said = json.loads(first_line(self._process, "the hub"))
        self.url: str = said["address"]
        self.port = int(said["port"])

    @property
    def pid(self) -> int:
        return self._process.pid

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

    def get(self, path: str, cookie: str) -> Document:
        """What a browser is told that comes with a cookie."""
        asked = Request(self.url + path, headers={"Cookie": cookie})
        with urlopen(asked, timeout=PATIENCE_SECONDS) as answer:
            return json.load(answer)

    def browser(self, name: str, role: people.Role, project: str = people.EVERYWHERE) -> str:
        """The cookie of somebody who was invited, and is signed in."""

        async def entered(connection: AsyncConnection) -> str:
            _, code = await people.invite(connection, name, project, role)
            return f"blueline_hub={await people.enter(connection, code)}"

        return self._step(entered)

    def signed_in(self, person: HubPerson) -> str:
        """The cookie of one more browser of somebody's."""

        async def entered(connection: AsyncConnection) -> str:
            return (
                f"blueline_hub={await people.enter(connection, await people.link(connection, person.number))}"
            )

        return self._step(entered)

    def another_link(self, person: int) -> str:
        """The secret of a link for another browser of somebody's."""
        return self._step(lambda connection: people.link(connection, person))

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

    def rows(self, query: str) -> list[bytes]:
        """The first column of something that the database is asked."""

        async def asked(connection: AsyncConnection) -> list[bytes]:
            return [bytes(row[0]) async for row in await connection.execute(query.encode())]

        return self._step(asked)

    def pairs(self, query: str) -> list[tuple[object, object]]:
        """The first two columns of something that the database is asked."""

        async def asked(connection: AsyncConnection) -> list[tuple[object, object]]:
            return [(row[0], row[1]) async for row in await connection.execute(query.encode())]

        return self._step(asked)

    def _step(self, step: Callable[[AsyncConnection], Awaitable[Result]]) -> Result:
        async def run() -> Result:
            async with await AsyncConnection.connect(self._environ["BLUELINE_HUB_DATABASE"]) as connection:
                return await step(connection)

        # In a thread of its own: where a browser is driven, another loop runs already.
        with ThreadPoolExecutor(1) as thread:
            return thread.submit(asyncio.run, run()).result()

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
def serving(database: str, home: Path, words: Sequence[str] = (), **environ: str) -> Iterator[Hub]:
    hub = Hub(database, home, words, **environ)
    try:
        yield hub
    finally:
        hub.stop()


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
