"""Large contents in object storage: they come back as they were, and go when they are purged. Where they
cannot be had, that is said."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from random import Random
from typing import Protocol
from urllib.error import HTTPError

import pytest

from blueline.hub.blob_copies import LARGE
from blueline.kernel import disk
from blueline.sync import membership
from blueline.sync.hub_client import HubAway, HubClient, HubRefused
from tests.support.hub_process import Hub, join, project_of, serving, sync
from tests.support.object_server import BUCKET, ObjectServer, object_server
from tests.support.postgresql import Server
from tests.support.project import Project

LINES = "".join(f"{Random(number).getrandbits(512):0128x}\n" for number in range(6000))
"""776 KB, and more than half of it when it is compressed."""


class Objects(Protocol):
    """Where the objects are, as whoever runs the hub sees them."""

    @property
    def url(self) -> str: ...

    @property
    def environ(self) -> dict[str, str]: ...

    def names(self) -> list[str]: ...

    def replace(self, name: str, data: bytes) -> None: ...

    def remove(self, name: str) -> None: ...


class Bucket:
    def __init__(self, server: ObjectServer) -> None:
        self.server = server
        self.url = f"s3://{BUCKET}/some/prefix"
        self.environ = server.environ

    def names(self) -> list[str]:
        return re.findall("<Key>some/prefix/(.*?)</Key>", self.server.listing())

    def replace(self, name: str, data: bytes) -> None:
        self.server.replace(f"some/prefix/{name}", data)

    def remove(self, name: str) -> None:
        self.server.remove(f"some/prefix/{name}")


class Folder:
    environ: dict[str, str]

    def __init__(self, place: Path) -> None:
        self.place = place
        self.url = place.as_uri()
        self.environ = {}

    def names(self) -> list[str]:
        return [str(one.relative_to(self.place)) for one in self.place.glob("*/*")]

    def replace(self, name: str, data: bytes) -> None:
        (self.place / name).write_bytes(data)

    def remove(self, name: str) -> None:
        (self.place / name).unlink()


@pytest.fixture
def bucket() -> Iterator[Bucket]:
    with object_server() as server:
        yield Bucket(server)


@pytest.fixture(params=["bucket", "folder"])
def objects(request: pytest.FixtureRequest, tmp_path: Path) -> Objects:
    if request.param == "folder":
        return Folder(tmp_path / "large contents")
    found: Bucket = request.getfixturevalue("bucket")
    return found


@pytest.fixture
def database(postgresql: Server) -> str:
    return postgresql.database()


def started(database: str, tmp_path: Path, objects: Objects | None) -> AbstractContextManager[Hub]:
    home = tmp_path / "hub"
    home.mkdir(exist_ok=True)
    if objects is None:
        return serving(database, home)
    return serving(database, home, BLUELINE_HUB_OBJECTS=objects.url, **objects.environ)


@pytest.fixture
def machine(tmp_path: Path) -> Project:
    machine = Project(tmp_path / "sandbox", {"large.txt": LINES, "small.txt": "one\n"})
    machine.edit("large.txt", LINES[:128], "changed")
    machine.edit("small.txt", "one", "two")
    return machine


def of(machine: Project, hub: Hub) -> HubClient:
    member = membership.read(machine.state)
    return HubClient(hub.url, member.project, member.token, sleep=lambda seconds: None)


def names_of_large(machine: Project) -> list[str]:
    """What the object of each state of the large file is called."""
    states = (LINES, machine.text("large.txt"))
    return sorted(f"{project_of(machine)}/{disk.blob_id(one.encode())}" for one in states)


def restored(machine: Project, hub: Hub, place: Path) -> tuple[int, str]:
    other = Project(place.parent / "elsewhere")
    known = project_of(machine)
    done = other.command("hub", "restore", hub.url, known, str(place), "--invitation", hub.invitation(known))
    return done.returncode, done.stderr


def purge(machine: Project) -> None:
    machine.accept("large.txt")
    done = machine.command("purge", "large.txt", "--yes")
    assert done.returncode == 0, done.stderr


def test_what_is_large_is_there_and_comes_back_as_it_was(
    machine: Project, database: str, tmp_path: Path, objects: Objects
) -> None:
    with started(database, tmp_path, objects) as hub:
        join(machine, hub)
        sync(machine)

        assert sorted(objects.names()) == names_of_large(machine)
        assert max(len(held) for held in hub.rows("SELECT content FROM blob")) < LARGE
        with of(machine, hub) as client:
            large = [name.split("/")[1] for name in names_of_large(machine)]
            assert client.missing(large) == []
            assert client.get(disk.blob_id(LINES.encode())) == LINES.encode()
        page = hub.get(f"/api/overview?project={project_of(machine)}", hub.browser("Anna", "reader"))
        assert page["counts"]["hunks"] == 2
        assert restored(machine, hub, tmp_path / "restored") == (0, "")
        assert (tmp_path / "restored" / "large.txt").read_text() == machine.text("large.txt")


def test_a_purge_removes_the_objects(
    machine: Project, database: str, tmp_path: Path, objects: Objects
) -> None:
    with started(database, tmp_path, objects) as hub:
        join(machine, hub)
        sync(machine)
        large = names_of_large(machine)
        # Somebody was killed who had put it, before its row was written.
        nameless = f"{project_of(machine)}/{disk.blob_id(b'nameless')}"
        objects.replace(nameless, b"0nameless")

        purge(machine)
        sync(machine)

        assert objects.names() == [nameless]
        with of(machine, hub) as client:
            assert client.get(large[0].split("/")[1]) is None
            client.forget([disk.blob_id(b"nameless")])
            assert objects.names() == []
            client.put(disk.blob_id(LINES.encode()), LINES.encode())
            assert client.get(disk.blob_id(LINES.encode())) == LINES.encode(), "what came again is kept again"


def test_what_is_lost_or_changed_there_is_refused_in_words(
    machine: Project, database: str, tmp_path: Path, objects: Objects
) -> None:
    with started(database, tmp_path, objects) as hub:
        join(machine, hub)
        sync(machine)
        first, second = names_of_large(machine)
        objects.remove(first)

        with of(machine, hub) as client:
            with pytest.raises(HubRefused, match="is not in object storage any more"):
                client.get(first.split("/")[1])
            for other in (b"0other", b"zother", b""):
                objects.replace(second, other)
                with pytest.raises(HubRefused, match="is not the content of"):
                    client.get(second.split("/")[1])
        code, said = restored(machine, hub, tmp_path / "restored")
        assert code == 1
        assert "object storage" in said
        assert "from a backup" in said
        assert not (tmp_path / "restored" / "large.txt").exists()

        overview, anna = f"/api/overview?project={project_of(machine)}", hub.browser("Anna", "reader")
        for _ in range(2):
            with pytest.raises(HTTPError) as refused:
                hub.get(overview, anna)
            with refused.value as answer:
                assert "object storage" in json.load(answer)["error"]
        for one in (LINES.encode(), machine.read("large.txt")):
            objects.replace(f"{project_of(machine)}/{disk.blob_id(one)}", b"0" + one)
        assert hub.get(overview, anna)["counts"]["hunks"] == 2, "it was put back"


def test_a_hub_that_was_not_told_of_it_says_so_and_purges_nothing(
    machine: Project, database: str, tmp_path: Path, bucket: Bucket
) -> None:
    with started(database, tmp_path, bucket) as hub:
        join(machine, hub)
        sync(machine)
    large = names_of_large(machine)

    with started(database, tmp_path, None) as hub, of(machine, hub) as client:
        with pytest.raises(HubAway, match="in object storage, of which this process") as refused:
            client.get(large[0].split("/")[1])
        assert "--objects" in refused.value.hint
        assert client.get(disk.blob_id(b"two\n")) == b"two\n", "all else is served"
        assert client.missing([name.split("/")[1] for name in large]) == []
        with pytest.raises(HubAway, match="in object storage"):
            client.forget([disk.blob_id(b"two\n"), large[0].split("/")[1]])
        assert client.get(disk.blob_id(b"two\n")) == b"two\n"
        code, said = restored(machine, hub, tmp_path / "restored")
        assert code == 1
        assert "--objects" in said
    assert sorted(bucket.names()) == large


def test_while_it_is_away_nothing_is_half_pushed_or_purged_and_later_it_goes_on(
    machine: Project, database: str, tmp_path: Path, bucket: Bucket
) -> None:
    with started(database, tmp_path, bucket) as hub:
        join(machine, hub)
        bucket.server.kill()
        done = machine.command("sync")
        assert done.returncode == 1
        assert "object storage did not do it" in done.stderr
        with of(machine, hub) as client:
            assert client.reached()["length"] == 0, "no record that names what is not there"
            large = [name.split("/")[1] for name in names_of_large(machine)]
            assert sorted(client.missing(large)) == large

        bucket.server.start()
        sync(machine)
        assert sorted(bucket.names()) == names_of_large(machine)

        bucket.server.kill()
        purge(machine)
        assert "object storage did not do it" in machine.command("sync").stderr
        bucket.server.start()
        for one in large:
            bucket.replace(f"{project_of(machine)}/{one}", b"0as before")  # it forgets what it had
        sync(machine)
        assert bucket.names() == []


@pytest.mark.parametrize("url", ["http://host/bucket", "s3://", "file://host/folder", "bucket"])
def test_what_is_no_object_storage_is_refused_before_anything_listens(
    machine: Project, database: str, url: str
) -> None:
    done = machine.command("hub", "serve", "--database", database, "--objects", url)

    assert done.returncode == 1
    assert "no address of object storage" in done.stderr
