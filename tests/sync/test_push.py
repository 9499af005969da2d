"""What leaves a machine, what does not, and that it is all there whatever broke on the way."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

from blueline.desk import unsent_purges
from blueline.desk.unsent_purges import HUB
from blueline.journal.frames import EVENT, Frame
from blueline.journal.log import Journal
from blueline.kernel import disk
from blueline.sync import membership
from blueline.sync.hub_client import HubClient, HubRefused
from tests.support.hub_process import Hub, join, sync
from tests.support.postgresql import Server
from tests.support.project import Project


@pytest.fixture
def machine(tmp_path: Path) -> Project:
    return Project(tmp_path, {"a.txt": "one\ntwo\n"})


@pytest.fixture
def client(machine: Project, hub: Hub) -> Iterator[HubClient]:
    """Asks the hub as the machine does, which has joined it."""
    join(machine, hub)
    member = membership.read(machine.state)
    with HubClient(member.url, member.project, member.token) as client:
        yield client


def copied(client: HubClient) -> bytes:
    return b"".join(client.journal(0))


def test_the_copy_is_the_journal_byte_by_byte(machine: Project, client: HubClient) -> None:
    machine.edit("a.txt", "two", "TWO")

    first = sync(machine)
    again = sync(machine)
    machine.edit("a.txt", "one", "ONE")
    more = sync(machine)

    assert copied(client) == machine.journal.read_bytes()
    assert first["records"] > 0
    assert first["blobs"] > 0
    assert again["records"] == 0
    assert 0 < more["records"] < first["records"]


def test_a_dry_run_says_what_would_leave_and_sends_nothing(machine: Project, client: HubClient) -> None:
    machine.edit("a.txt", "two", "TWO")

    said = sync(machine, "--dry-run")

    assert client.reached()["length"] == 0
    assert said == {**sync(machine), "dry_run": True}


def test_content_of_secret_files_never_leaves(machine: Project, client: HubClient) -> None:
    machine.put(".env", "TOKEN=old-secret\n")
    machine.edit(".env", "old-secret", "new-secret")
    machine.bash("echo third-secret >> .env; echo fine >> a.txt")

    said = sync(machine)

    data = copied(client)
    assert said["withheld"] == [".env"]
    assert len(data) == machine.journal.stat().st_size, "everything else keeps its place"
    for secret in (b"old-secret", b"new-secret"):
        assert secret not in data
    held = [client.get(blob.parent.name + blob.name) for blob in (machine.state / "blobs").glob("??/*")]
    assert any(content is not None for content in held)
    assert not any(b"-secret" in content for content in held if content is not None)


def test_a_journal_that_was_put_back_does_not_overwrite_what_is_known(
    machine: Project, client: HubClient
) -> None:
    machine.edit("a.txt", "two", "TWO")
    machine.hunks()
    early = machine.journal.read_bytes()
    machine.edit("a.txt", "one", "ONE")
    sync(machine)
    known = client.reached()
    machine.is_damaged = True
    machine.journal.write_bytes(early)
    machine.lose_index()

    sync(machine)

    now = client.reached()
    assert now["copy"] == known["copy"] + 1
    assert copied(client) == machine.journal.read_bytes()


def test_a_machine_that_is_offline_sends_later(machine: Project, hub: Hub, client: HubClient) -> None:
    machine.edit("a.txt", "two", "TWO")
    hub.kill()

    done = machine.command("sync")

    assert done.returncode == 1
    assert "cannot be reached" in done.stderr
    assert "blueline sync" in done.stderr
    hub.again()
    sync(machine)
    assert copied(client) == machine.journal.read_bytes()


def test_what_was_acknowledged_outlives_the_database(
    machine: Project, client: HubClient, postgresql: Server
) -> None:
    for word in ("first", "second", "third"):
        machine.write(f"{word}.txt", f"{word}\n")
        sync(machine)
        known = client.reached()
        postgresql.kill()
        postgresql.start()
        assert client.reached() == known

    assert copied(client) == machine.journal.read_bytes()


def doctors_word(machine: Project) -> tuple[bool, str, str]:
    done = machine.command("--json", "doctor")
    (line,) = [line for line in json.loads(done.stdout)["lines"] if line["about"] == "hub"]
    return line["ok"], line["says"], line["hint"]


def test_doctor_says_whether_the_hub_knows_this_machine(machine: Project, hub: Hub) -> None:
    assert doctors_word(machine) == (True, "this project has joined no hub, and needs none", "")
    machine.command("hub", "join", hub.url, "--invitation", hub.invitation())
    assert doctors_word(machine) == (True, f"the hub at {hub.url} knows this machine", "")

    member = membership.read(machine.state)
    membership.keep(machine.state, replace(member, token="not-the-token"))
    ok, says, hint = doctors_word(machine)
    assert (ok, says[:9], bool(hint)) == (False, "the hub: ", True)

    membership.keep(machine.state, member)
    hub.kill()
    ok, says, hint = doctors_word(machine)
    assert (ok, f"the hub at {hub.url} cannot be reached" in says) == (False, True)
    assert "blueline sync" in hint
    hub.again()
    assert doctors_word(machine)[0]

    (machine.state / HUB).write_text("{")
    ok, says, hint = doctors_word(machine)
    assert (ok, "cannot be read" in says, hint) == (False, True, "join again: blueline hub join URL")


class Portal(BaseHTTPRequestHandler):
    """What a network answers that wants somebody to log in first."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"<html>welcome")

    def log_message(self, format: str, *args: object) -> None:
        pass


def test_an_answer_of_somebody_else_is_no_bug(machine: Project) -> None:
    with HTTPServer(("127.0.0.1", 0), Portal) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        membership.keep(machine.state, membership.Membership(url, "p", "token"))
        assert doctors_word(machine)[:2] == (False, f"what answers at {url} is no hub")
        server.shutdown()


def stored(hub: Hub) -> bytes:
    """All bytes of journals and contents in the hub's database."""
    return b"".join(
        hub.rows("SELECT bytes FROM segment") + hub.rows("SELECT content FROM blob WHERE content IS NOT NULL")
    )


def test_what_is_purged_here_is_gone_at_the_hub_too(machine: Project, client: HubClient, hub: Hub) -> None:
    machine.edit("a.txt", "two", "HUNTER2")
    machine.write("b.txt", "stays\n")
    machine.accept("a.txt", "b.txt")
    sync(machine)
    assert b"HUNTER2" in stored(hub)

    done = machine.command("purge", "a.txt", "--and-words", "--yes")
    assert done.returncode == 0, done.stderr
    told = (machine.state / unsent_purges.NAME).read_bytes()
    assert b"HUNTER2" in stored(hub), "not before the next sync"
    machine.write("d.txt", "later\n")
    sync(machine)

    assert b"HUNTER2" not in stored(hub)
    assert b"stays" in stored(hub)
    assert copied(client) == machine.journal.read_bytes()
    assert client.reached()["copy"] == 1, "it is the same journal as before"
    assert unsent_purges.read(machine.state) == unsent_purges.UnsentPurges()

    # Killed before it was written down that the hub knows: it is told again.
    (machine.state / unsent_purges.NAME).write_bytes(told)
    sync(machine)
    assert copied(client) == machine.journal.read_bytes()
    assert machine.command("check").returncode == 0


def test_what_was_purged_and_came_again_is_sent_again(machine: Project, client: HubClient, hub: Hub) -> None:
    machine.edit("a.txt", "two", "HUNTER2")
    machine.accept("a.txt")
    sync(machine)
    assert machine.command("purge", "a.txt", "--yes").returncode == 0
    sync(machine)
    assert b"HUNTER2" not in b"".join(hub.rows("SELECT content FROM blob WHERE content IS NOT NULL"))

    machine.write("b.txt", "one\nHUNTER2\n")
    sync(machine)

    assert b"HUNTER2" in b"".join(hub.rows("SELECT content FROM blob WHERE content IS NOT NULL"))


def test_only_what_a_purge_leaves_may_take_the_place_of_a_record(
    machine: Project, client: HubClient, hub: Hub
) -> None:
    machine.edit("a.txt", "two", "TWO")
    sync(machine)
    before = copied(client)
    first, *_ = [
        one for one in Journal(machine.journal).read() if isinstance(one, Frame) and one.kind == EVENT
    ]

    other = disk.frame(EVENT, b'{"n":1}'.ljust(len(first.payload)))
    for start, data in ((first.start, other), (first.start + 1, other), (1 << 40, other), (0, b"x" * 40)):
        with pytest.raises(HubRefused):
            client.replace(start, data)

    assert copied(client) == before
