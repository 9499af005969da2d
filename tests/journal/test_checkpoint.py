"""A lost index is made of the last checkpoint and the events since, and is the same as ever."""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest

from blueline.adapters import interpret
from blueline.desk import Desk, project_store
from blueline.desk.disk_look import Glimpse
from blueline.desk.resident import ResidentDesk
from blueline.journal import checkpoint, database
from blueline.journal.database import IndexUnwritable, checksum
from blueline.model.fact import Event
from blueline.model.ids import BlobId
from blueline.review.fold import fold
from blueline.review.ledger import Ledger
from blueline.workspace import signatures
from blueline.workspace.tree import Tree
from tests.support.killing import every_step
from tests.support.project import POEM, Project


@pytest.fixture(autouse=True)
def _often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "LEAST_EVENTS", 4)


@pytest.fixture
def p(tmp_path: Path) -> Iterator[Project]:
    made = Project(tmp_path, {"a.md": POEM, "b.md": POEM})
    made.prompt()
    for line in (1, 3, 5):
        made.edit("a.md", f"line {line}\n", f"LINE {line}\n")
    made.hunks()
    yield made
    made.assert_sound()


@pytest.fixture
def folded(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The events that are read again."""
    numbers: list[int] = []

    def counted(ledger: Ledger, event: Event, read: Callable[[BlobId], bytes | None]) -> None:
        numbers.append(event.number)
        fold(ledger, event, read)

    monkeypatch.setattr(project_store, "fold", counted)
    return numbers


def place(p: Project) -> Path:
    return p.state / checkpoint.NAME


def held(p: Project) -> bytes:
    return zlib.decompress(place(p).read_bytes())


def test_a_lost_index_costs_the_events_since(p: Project, folded: list[int]) -> None:
    made_at = checkpoint.made_at(p.index)
    assert made_at > 0
    kept = {path: path.read_bytes() for path in p.state.glob("checkpoint*")}
    p.reject("a.md:1-1")
    p.edit("b.md", "line 5\n", "FIVE\n")
    expected, log = p.hunks(), p.log()
    p.index.unlink()
    for path, data in kept.items():
        path.write_bytes(data)
    folded.clear()
    assert p.hunks() == expected
    assert folded
    assert min(folded) == made_at + 1
    assert p.log() == log
    p.undo()
    assert "LINE 1\n" in p.text("a.md")


def test_only_files_that_may_have_changed_since_are_read_again(
    p: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Files that were written just now count as looked at.
    monkeypatch.setattr(signatures, "RACY_NS", 0)
    monkeypatch.setattr(signatures, "COARSE_RACY_NS", 0)
    for name in ("c.md", "d.md"):
        p.write(name, POEM)
    p.hunks()
    with p.desk() as desk:
        event = desk.project.store.ledger.counters.event
    checkpoint.make(p.index, event)
    kept = {path: path.read_bytes() for path in p.state.glob("checkpoint*")}
    p.edit("a.md", "line 2\n", "TWO\n")
    expected = p.hunks()
    p.sub("d.md", "line 7\n", "SEVEN\n")
    p.index.unlink()
    for path, data in kept.items():
        path.write_bytes(data)
    read: list[str] = []

    def counted(tree: Tree, path: str, *, filled: bool = False) -> Glimpse:
        read.append(path)
        return glimpse_at(tree, path, filled=filled)

    glimpse_at = Glimpse.at
    monkeypatch.setattr(Glimpse, "at", counted)

    assert [hunk["id"] for hunk in p.hunks()] == [hunk["id"] for hunk in expected]
    assert read == ["a.md", "d.md"]
    assert "SEVEN\n" in p.hunks("d.md")[0]["new"]


@pytest.mark.parametrize("damage", ["flipped", "cut", "unsealed", "exchanged"])
def test_one_that_is_not_sound_is_no_use(p: Project, folded: list[int], damage: str) -> None:
    expected = p.hunks()
    data = bytearray(place(p).read_bytes())
    seal = place(p).with_name(checkpoint.NAME + "-seal")
    match damage:
        case "flipped":
            data[len(data) // 2] ^= 255
            place(p).write_bytes(data)
        case "cut":
            place(p).write_bytes(data[:-1])
        case "unsealed":
            seal.unlink()
        case _:
            place(p).write_bytes(b"something else")
    p.index.unlink()
    folded.clear()
    assert p.hunks() == expected
    assert min(folded) == 1


def test_one_of_another_journal_is_no_use(p: Project, tmp_path: Path, folded: list[int]) -> None:
    other = Project(tmp_path / "other", {"a.md": POEM})
    other.prompt()
    other.edit("a.md", "line 2\n", "TWO\n")
    expected = other.hunks()
    for path in p.state.glob("checkpoint*"):
        (other.state / path.name).write_bytes(path.read_bytes())
    other.index.unlink()
    folded.clear()
    found = other.hunks()
    assert [hunk["new"] for hunk in found] == [hunk["new"] for hunk in expected]
    assert [hunk["id"] for hunk in found] == [hunk["id"] for hunk in expected]


def test_what_is_purged_is_in_none(p: Project) -> None:
    p.accept()
    assert b"LINE 3" in held(p)
    with p.desk() as desk:
        desk.purge(["a.md"], everything=False, dry_run=False)
    assert not place(p).exists() or b"LINE 3" not in held(p)


def test_check_replays_the_journal_up_to_it(p: Project) -> None:
    with p.desk() as desk:
        assert desk.check(repair=False)["problems"] == []
    place(p).write_bytes(zlib.compress(held(p).replace(b"LINE 3", b"LIME 3")))
    seal = place(p).with_name(checkpoint.NAME + "-seal")
    event = checkpoint.made_at(p.index)
    seal.write_bytes(b"%s %d\n" % (checksum(place(p)), event))
    with p.desk() as desk:
        (problem,) = desk.check(repair=False)["problems"]
        assert problem["where"] == "checkpoint"
        assert desk.check(repair=True)["repaired"] == ["the checkpoint was removed"]
        assert desk.check(repair=False)["ok"]


def test_another_is_made_when_much_happened_since(p: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    first = checkpoint.made_at(p.index)
    p.reject("a.md:1-1")
    assert checkpoint.made_at(p.index) == first
    for line in (7, 9, 11):
        p.edit("b.md", f"line {line}\n", f"LINE {line}\n")
    p.hunks()
    assert checkpoint.made_at(p.index) > first


def test_one_whose_making_is_killed_at_any_step_is_whole_or_no_use(p: Project, tmp_path: Path) -> None:
    event = checkpoint.made_at(p.index)
    p.keep(tmp_path / "kept")
    outcomes = set()
    for _ in every_step(partial(checkpoint.make, p.index, event)):
        outcomes.add(checkpoint.made_at(p.index) > 0)
        expected = p.hunks()
        p.index.unlink()
        assert p.hunks() == expected
        p.restore(tmp_path / "kept")
    assert outcomes == {False, True}


@pytest.mark.parametrize("full", [False, True], ids=["room", "full"])
def test_before_one_is_made_the_index_is_no_larger_than_it_has_to_be(
    p: Project, full: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "LOOSE", 10**9)
    with p.desk() as desk:
        loose = desk.project.store.index.database
        with loose.saving():
            loose.run("create table much (x text)")
            loose.run_each("insert into much values (?)", [("x" * 5000,)] * 100)
            loose.run("drop table much")
    monkeypatch.setattr(database, "LOOSE", 10)

    def run(self: database.Database, statement: str, *values: object) -> None:
        if full and statement == "vacuum":
            raise IndexUnwritable("the disk is full")
        whole(self, statement, *values)

    whole = database.Database.run
    monkeypatch.setattr(database.Database, "run", run)
    before, first = p.index.stat().st_size, checkpoint.made_at(p.index)
    for line in (7, 9, 11):
        p.edit("b.md", f"line {line}\n", f"LINE {line}\n")
    expected = p.hunks()
    assert checkpoint.made_at(p.index) > first
    assert (p.index.stat().st_size < before - 400_000) is not full
    assert p.hunks() == expected


@pytest.mark.parametrize("stays", [False, True], ids=["closed", "stays"])
def test_of_an_index_that_turns_out_to_be_damaged_none_is_made(
    p: Project, stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tighten(self: database.Database) -> None:
        with self._translated():
            raise sqlite3.DatabaseError("database disk image is malformed")

    first = checkpoint.made_at(p.index)
    for line in (7, 9, 11):
        p.edit("b.md", f"line {line}\n", f"LINE {line}\n")
    with monkeypatch.context() as patched:
        patched.setattr(database.Database, "tighten", tighten)
        if stays:
            resident = ResidentDesk(lambda: Desk.open(p.root, environ=p.environ, interpret=interpret))
            with resident.step() as desk:
                found = desk.list()["hunks"]
            with resident.step() as desk:
                assert desk.list()["hunks"] == found
            resident.close()
        else:
            found = p.hunks()
    assert checkpoint.made_at(p.index) == first
    assert p.hunks() == found
    assert checkpoint.made_at(p.index) > first
