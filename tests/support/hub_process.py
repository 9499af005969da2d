"""A hub as people run it: `blueline hub serve` on a database, in a process that may be killed."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TypeVar

from psycopg import AsyncConnection

from blueline.contract.hub import WishDocument
from blueline.hub import people, requests
from blueline.hub.people import HubPerson
from blueline.hub.requests import Asked

Result = TypeVar("Result")
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
        assert self._process.stdout is not None
        said = json.loads(self._process.stdout.readline())
        self.url: str = said["address"]
        self.port = int(said["port"])

    def invitation(self, project: str = "") -> str:
        """Made by whoever runs the hub."""
        words = ["--project", project] if project else []
        done = subprocess.run(
            [*COMMAND, "invite", *words], capture_output=True, check=True, env=self._environ
        )
        return str(json.loads(done.stdout)["invitation"])

    def link(self, name: str, role: str, project: str = "") -> str:
        """What whoever runs the hub sends somebody."""
        words = ["--person", name, "--role", role, "--public-url", self.url]
        words += ["--project", project] if project else []
        done = subprocess.run(
            [*COMMAND, "invite", *words], capture_output=True, check=True, env=self._environ
        )
        return str(json.loads(done.stdout)["link"])

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
        self._process.wait()
        assert self._process.stdout is not None
        self._process.stdout.close()


@contextmanager
def serving(database: str, home: Path) -> Iterator[Hub]:
    hub = Hub(database, home)
    try:
        yield hub
    finally:
        hub.stop()
