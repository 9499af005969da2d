"""The hub beside its database alone: how fast records come in, how soon whoever waits hears of something.

`make bench-hub`, with PostgreSQL of the distribution, which writes everything to the disk. The records can be
fewer, for a first look: `make bench-hub ARGUMENTS=100000`.
"""

from __future__ import annotations

import http.client
import secrets
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from hashlib import sha256
from pathlib import Path
from typing import TypeVar

import psycopg

from benchmarks.figures import HEADING, Figure, doing, show
from blueline.desk import Desk
from blueline.journal.frames import EVENT
from blueline.kernel.disk import frame
from blueline.model.machine_token import machine_token
from blueline.sync import membership
from blueline.sync.exchange import Exchange
from blueline.sync.hub_client import HubClient
from tests.support.hub_browser import Browser
from tests.support.hub_process import Hub, join, project_of, serving, sync
from tests.support.postgresql import DURABLE, running
from tests.support.project import Project

Result = TypeVar("Result")

RECORDS = 1_000_000
PROJECTS = 1_000
PARTS = 4
"""In how many requests a project's records come."""
RECORD_BYTES = 300
AT_ONCE = 8
TIMES = 20
SIZES = (10, 30, 100)


def main() -> None:
    records = int(sys.argv[1]) if len(sys.argv) > 1 else RECORDS
    show([HEADING])
    with tempfile.TemporaryDirectory() as name, running(DURABLE) as server:
        place = Path(name)
        database, alone = server.database(), server.database()
        with serving(database, place) as one, serving(database, place) as other:
            show(_load(database, alone, [one, other], records))
            show(_acknowledged(database, alone, one))
            show(_heard(place / "machine", one, other))
        for size in SIZES:
            address = server.database()
            with serving(address, place) as hub:
                show(_report(place / f"report-{size}", address, hub, size))


class Pushed:
    """A project that a machine adds to."""

    def __init__(self, hub: Hub) -> None:
        self.id = secrets.token_hex(16)
        self.token = machine_token(self.id, secrets.token_urlsafe(16))
        self.hub = hub
        self.length = 0

    def row(self) -> tuple[str, bytes]:
        return self.id, sha256(self.token.encode()).digest()

    def push(self, connection: http.client.HTTPConnection, data: bytes) -> None:
        headers = {"Authorization": f"Bearer {self.token}"}
        connection.request("PUT", f"/v1/projects/{self.id}/journal?from={self.length}", data, headers)
        answer = connection.getresponse()
        said = answer.read()
        assert answer.status == 200, said
        self.length += len(data)


def _joined(database: str, hubs: Sequence[Hub], count: int) -> list[Pushed]:
    made = [Pushed(hubs[number % len(hubs)]) for number in range(count)]
    with psycopg.connect(database) as connection, connection.cursor() as cursor:
        for table in (
            "project (project, name, machine, format) VALUES (%(id)s, 'p', 'm', '1')",
            "journal (project, copy) VALUES (%(id)s, 1)",
            "machine_token (project, hash, machine, expires) VALUES (%(id)s, %(hash)s, 'm', now() + '1 day')",
        ):
            rows = [dict(zip(("id", "hash"), one.row(), strict=True)) for one in made]
            cursor.executemany(f"INSERT INTO {table}".encode(), rows)
    return made


def _load(database: str, alone: str, hubs: Sequence[Hub], records: int) -> Iterator[Figure]:
    each = max(records // PROJECTS // PARTS, 1)
    total = each * PARTS * PROJECTS
    batch = [frame(EVENT, secrets.token_hex(RECORD_BYTES // 2).encode()) for _ in range(each)]
    data = b"".join(batch)
    projects = _joined(database, hubs, PROJECTS)
    sizes = [[_resident(hub) for hub in hubs]]

    doing(
        f"{total:,} records of {PROJECTS:,} projects, {len(data) * PARTS * PROJECTS >> 20:,} MB, by inserts"
    )
    with psycopg.connect(alone) as connection:
        connection.execute("CREATE TABLE record (project text, start bigint, bytes bytea)")

    def inserted(mine: list[Pushed]) -> None:
        with psycopg.connect(alone) as connection:
            for _ in range(PARTS):
                for one in mine:
                    rows = [(one.id, number, record) for number, record in enumerate(batch)]
                    with connection.cursor() as cursor:
                        cursor.executemany("INSERT INTO record VALUES (%s, %s, %s)", rows)
                    connection.commit()

    def pushed(mine: list[Pushed]) -> None:
        hub = mine[0].hub
        connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=600)
        for _ in range(PARTS):
            for one in mine:
                one.push(connection, data)
        connection.close()

    rival = _all_at_once(inserted, projects)
    doing("the same, by the hub")
    stop = threading.Event()
    sampler = threading.Thread(target=_sample, args=(hubs, sizes, stop))
    sampler.start()
    ours = _all_at_once(pushed, projects)
    stop.set()
    sampler.join()
    yield Figure(
        f"records taken in a second, {total:,} of {PROJECTS:,} projects",
        f"{total / ours:,.0f}",
        f"{total / rival:,.0f} plain inserts, {each} each",
        f"{rival / ours:.2f}",
        "at least 0.5",
    )
    first, last = [max(one) for one in zip(*sizes[: len(sizes) // 4 + 2], strict=True)], sizes[-1]
    yield Figure(
        "memory of a hub process at the end of that",
        " ".join(f"{size >> 20} MB" for size in last),
        " ".join(f"{size >> 20} MB" for size in first) + " after a quarter",
        f"{max(a / b for a, b in zip(last, first, strict=True)):.2f}",
        "flat",
    )


def _all_at_once(act: Callable[[list[Pushed]], None], projects: list[Pushed]) -> float:
    began = time.perf_counter()
    with ThreadPoolExecutor(AT_ONCE) as threads:
        [*threads.map(act, [projects[number::AT_ONCE] for number in range(AT_ONCE)])]
    return time.perf_counter() - began


def _resident(hub: Hub) -> int:
    lines = Path(f"/proc/{hub.pid}/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("VmRSS"))


def _sample(hubs: Sequence[Hub], sizes: list[list[int]], stop: threading.Event) -> None:
    while not stop.wait(0.5):
        sizes.append([_resident(hub) for hub in hubs])


def _acknowledged(database: str, alone: str, hub: Hub) -> Iterator[Figure]:
    doing("one record at a time")
    (project,) = _joined(database, [hub], 1)
    record = frame(EVENT, secrets.token_hex(RECORD_BYTES // 2).encode())
    ours, rival = [], []
    connection = http.client.HTTPConnection("127.0.0.1", hub.port, timeout=600)
    with psycopg.connect(alone) as plain:
        for _ in range(TIMES * 10):
            began = time.perf_counter()
            project.push(connection, record)
            ours.append(time.perf_counter() - began)
            began = time.perf_counter()
            plain.execute("INSERT INTO record VALUES (%s, %s, %s)", (project.id, 0, record))
            plain.commit()
            rival.append(time.perf_counter() - began)
    connection.close()
    mine, theirs = statistics.median(ours), statistics.median(rival)
    yield Figure(
        "a record acknowledged, in the middle",
        _ms(mine),
        f"{_ms(theirs)} one commit",
        f"{mine / theirs:.1f}",
        "at most 3",
    )


def _heard(place: Path, hub: Hub, other: Hub) -> Iterator[Figure]:
    doing("what is sent reaches a page, and what is decided a machine")
    machine = Project(place, {"a.txt": "".join(f"line {n}\n" for n in range(TIMES * 4))})
    join(machine, hub)
    sync(machine)
    project = project_of(machine)
    member = membership.read(machine.state)
    anna = Browser(other, hub.browser("Anna", "reviewer"))
    to_page, to_machine = [], []
    with HubClient(hub.url, project, member.token) as client, anna.listening(project) as events:
        next(events)
        for number in range(TIMES):
            start = client.reached()["length"]
            machine.edit("a.txt", f"line {number * 3}\n", f"LINE {number * 3}\n")
            _send_contents(machine, client)
            data = (machine.state / "journal").read_bytes()[start:]
            began = time.perf_counter()
            client.add(start, data, [])
            while "event: change" not in (heard := next(events)):
                assert heard
            to_page.append(time.perf_counter() - began)

    def asked(verb: Callable[[Desk], Result]) -> Result:
        with machine.desk() as desk:
            return verb(desk)

    words = HubClient(hub.url, project, member.token).words()
    next(words)
    for _ in range(TIMES):
        shown = anna.get(f"/api/file?project={project}&path=a.txt").json["hunks"]
        one = next(hunk for hunk in shown if hunk["status"] == "pending")
        said = {"verdict": "accept", "selectors": [one["id"]], "expect": {one["id"]: one["digest"]}}
        said["key"] = secrets.token_hex(8)
        began = time.perf_counter()
        anna.post(f"/api/decide?project={project}", said)
        while not next(words):
            pass
        to_machine.append(time.perf_counter() - began)
        with HubClient(hub.url, project, member.token) as client:
            Exchange(client, asked, ()).carry_out()
    for name, found in (("hub to page", to_page), ("request to machine", to_machine)):
        middle, worst = statistics.median(found), max(found)
        yield Figure(
            f"{name}, in the middle", _ms(middle), f"{_ms(worst)} the slowest of {TIMES}", "", "200 ms"
        )


def _send_contents(machine: Project, client: HubClient) -> None:
    from blueline.desk.outgoing_journal import Outgoing

    with machine.desk() as desk:
        going = Outgoing(desk.project, ())
        for parcel in going.parcels(client.reached()["length"]):
            for name in client.missing(parcel.blobs):
                content = going.content(parcel.blobs[parcel.blobs.index(name)])
                if content is not None:
                    client.put(name, content)


def _report(place: Path, database: str, hub: Hub, size: int) -> Iterator[Figure]:
    """Of that many projects, each with the journal of one."""
    doing(f"the report over {size} projects")
    machine = Project(place, {f"src/{n}.txt": "one\ntwo\n" for n in range(20)})
    join(machine, hub)
    for number in range(20):
        machine.edit(f"src/{number}.txt", "two", "TWO")
    machine.reject("src/3.txt")
    sync(machine)
    project = project_of(machine)
    with psycopg.connect(database) as connection:
        for _ in range(size - 1):
            copied = {"id": secrets.token_hex(16), "of": project}
            for table, columns in (
                ("project", "name, machine, format, copy, heard"),
                ("journal", "copy, length, last_start, last_header"),
                ("segment", "copy, start, bytes"),
                ("blob", "hash, content"),
            ):
                statement = (
                    f"INSERT INTO {table} (project, {columns}) SELECT %(id)s, {columns} FROM {table}"
                    " WHERE project = %(of)s"
                )
                connection.execute(statement.encode(), copied)
    anna = Browser(hub, hub.browser("Anna", "reader"))

    def asked() -> float:
        began = time.perf_counter()
        found = anna.get("/api/report").json
        took = time.perf_counter() - began
        assert len(found["projects"]) == size, found["uncounted"]
        return took

    first, again = asked(), min(asked() for _ in range(5))
    machine.edit("src/5.txt", "one", "ONE")
    sync(machine)
    grown = asked()
    yield Figure(f"report over {size} projects, nothing new", _ms(again), f"{_ms(first)} the first time ever")
    yield Figure(f"report over {size} projects, one has grown", _ms(grown), "")


def _ms(found: float) -> str:
    return f"{found * 1000:,.1f} ms"


if __name__ == "__main__":
    main()
