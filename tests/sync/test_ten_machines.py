"""Ten machines with real hooks, two processes of the hub, and everything killed at any moment.

Promises 1, 2 and 4 of the hub: nothing that was acknowledged is lost or doubled, a decision is carried out
once, and whichever process is asked shows the same.
"""

from __future__ import annotations

import random
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from blueline.sync import membership
from blueline.sync.hub_client import HubClient
from tests.support.hub_browser import Browser, decision
from tests.support.hub_process import TEXT, Hub, join, project_of, serving, sync
from tests.support.postgresql import Server
from tests.support.processes import PATIENCE_SECONDS
from tests.support.project import Document, Project

MACHINES = 10
AT_ONCE = 3
KILLS = 6


@pytest.fixture
def hubs(postgresql: Server, tmp_path: Path) -> Iterator[list[Hub]]:
    database = postgresql.database()
    homes = [tmp_path / "hub-0", tmp_path / "hub-1"]
    for home in homes:
        home.mkdir()
    with serving(database, homes[0]) as first, serving(database, homes[1]) as second:
        yield [first, second]


def begun(place: Path, hub: Hub) -> Project:
    machine = Project(place, {"a.txt": TEXT}, place.name)
    join(machine, hub)
    machine.edit("a.txt", "two", place.name)
    sync(machine)
    return machine


def killed_sync(machine: Project, dice: random.Random) -> None:
    """Send what is new, and be killed on the way, or not in time."""
    process = subprocess.Popen(
        [sys.executable, "-m", "blueline", "sync"],
        cwd=machine.root,
        env=machine.environ,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        process.wait(dice.uniform(0.1, 1.5))
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait(PATIENCE_SECONDS)


def copied(machine: Project) -> bytes:
    member = membership.read(machine.state)
    with HubClient(member.url, member.project, member.token) as client:
        return b"".join(client.journal(0))


@pytest.mark.timeout(1200)
def test_whatever_is_killed_nothing_is_lost_or_done_twice_and_all_show_the_same(
    postgresql: Server, hubs: list[Hub], tmp_path: Path
) -> None:
    dice = random.Random(20)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        places = [tmp_path / f"m{number}" for number in range(MACHINES)]
        machines = [*pool.map(begun, places, [hubs[number % 2] for number in range(MACHINES)])]
        cookie = hubs[0].browser("Anna", "reviewer")
        for number, machine in enumerate(machines):
            anna, project = Browser(hubs[number % 2], cookie), project_of(machine)
            asked = anna.post(f"/api/decide?project={project}", decision(anna, project))
            assert asked.status == 200, asked.body
        over = threading.Event()

        def work(machine: Project, seed: int) -> None:
            mine = random.Random(seed)
            machine.edit("a.txt", "three", f"three of {machine.root.name}")
            while not over.is_set():
                killed_sync(machine, mine)

        working = [pool.submit(work, machine, seed) for seed, machine in enumerate(machines[:AT_ONCE])]
        for _ in range(KILLS):
            killed: list[Hub | Server] = [*hubs, postgresql]
            restart(dice.choice(killed))
        over.set()
        for one in working:
            one.result(PATIENCE_SECONDS * 2)
        for _ in range(2):
            for said in pool.map(sync, machines):
                assert said["url"]

    for machine in machines:
        assert copied(machine) == machine.journal.read_bytes(), "byte by byte"
        made = [one for one in machine.log("decision") if one["request"]]
        assert [one["by"] for one in made] == ["Anna"], "once"
        assert [one.state for one in hubs[0].asked(project_of(machine))] == ["done"]
        assert machine.root.name not in machine.text("a.txt").splitlines()
    assert shown(hubs[0], cookie, machines) == shown(hubs[1], cookie, machines)


def restart(one: Hub | Server) -> None:
    one.kill()
    if isinstance(one, Hub):
        one.again()
    else:
        one.start()


def shown(hub: Hub, cookie: str, machines: list[Project]) -> tuple[list[Document], list[Document]]:
    """What a process shows of every machine."""
    browser = Browser(hub, cookie)
    found = [
        browser.get(f"/api/{what}?project={project_of(machine)}").json
        for machine in machines
        for what in ("overview", "timeline")
    ]
    inbox = [{**one, "looking": []} for one in browser.get("/api/inbox").json["projects"]]
    return found, inbox
