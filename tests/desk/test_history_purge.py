"""What only folded history names goes by age, for good; files, what is open and the gate stay as they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from blueline.contract.checks import PurgeDocument
from blueline.desk.people import OnlyPeople
from blueline.desk.undo import DecidedForGood
from tests.support.killing import every_step
from tests.support.project import POEM, Document, Project

ALL, NONE = "2999-01-01T00:00:00.000Z", "1999-01-01T00:00:00.000Z"


def purge(p: Project, before: str = ALL, *, dry_run: bool = False) -> PurgeDocument:
    with p.desk() as desk:
        return desk.history.purge(before, dry_run=dry_run)


def stored(p: Project) -> bytes:
    """All that can be read of stored contents."""
    with p.desk() as desk:
        blobs = desk.project.store.blobs
        return b"".join(blobs.get(blob) for blob in blobs.ids())


def state(p: Project) -> Document:
    """What a person sees of what is open and was decided."""
    with p.desk() as desk:
        store = desk.project.store
        return desk.list(), desk.diff([]), p.text("a.md"), store.ledger.counters.lost, store.warnings


@pytest.fixture
def p(tmp_path: Path) -> Iterator[Project]:
    """A file with decided changes in two turns, and one with a decided and an open one."""
    made = Project(tmp_path, {"a.md": POEM, "b.md": POEM})
    made.prompt()
    made.edit("a.md", "line 3\n", "THREE\n")
    made.edit("a.md", "line 5\n", "FIVE\n")
    made.accept(made.hunk("THREE"))
    made.reject(made.hunk("FIVE"))
    made.put("a.md", made.text("a.md").replace("line 9\n", "nine, by hand\n"))
    made.hunks()
    made.edit("a.md", "THREE\n", "3\n")
    made.accept()
    made.edit("b.md", "line 1\n", "ONCE\n")
    made.accept()
    made.edit("b.md", "line 2\n", "open\n")
    made.hunks()
    yield made
    made.assert_sound()


class TestWhatGoes:
    def test_what_files_held_and_nothing_else(self, p: Project) -> None:
        assert b"FIVE" in stored(p)
        before, gate = state(p), p.gate()
        done = purge(p)
        assert done["purged"] == ["a.md", "b.md"]
        assert done["bytes"] > 0
        assert b"FIVE" not in stored(p)
        assert (state(p), p.gate()) == (before, gate)

    def test_replayed_it_is_no_loss(self, p: Project) -> None:
        purge(p)
        before, gate = state(p), p.gate()
        p.lose_index()
        assert (state(p), p.gate()) == (before, gate)
        assert "corrupt-state" not in gate
        assert [one for one in p.check()["problems"] if not one["harmless"]] == []

    def test_ids_are_not_given_out_twice(self, p: Project) -> None:
        known = {hunk["id"] for hunk in p.hunks(status="all")}
        purge(p)
        p.edit("a.md", "line 7\n", "seven\n")
        assert p.hunk("seven") not in known

    def test_what_is_open_can_be_decided(self, p: Project) -> None:
        purge(p)
        p.reject()
        assert p.text("b.md") == POEM.replace("line 1\n", "ONCE\n")
        p.undo()
        assert "open\n" in p.text("b.md")

    def test_what_was_decided_is_for_good(self, p: Project) -> None:
        purge(p)
        with pytest.raises(DecidedForGood):
            p.undo("d1")

    def test_a_second_time_there_is_nothing_left(self, p: Project) -> None:
        purge(p)
        again = purge(p)
        assert (again["purged"], again["bytes"]) == ([], 0)

    def test_again_with_what_came_since(self, p: Project) -> None:
        purge(p)
        p.edit("a.md", "line 7\n", "SEVENTH\n")
        p.accept("a.md")
        p.edit("a.md", "SEVENTH\n", "line 7\n")
        p.accept("a.md")
        assert purge(p)["purged"] == ["a.md"]
        assert b"SEVENTH" not in stored(p)

    def test_a_dry_run_says_the_same_and_does_nothing(self, p: Project) -> None:
        would, event = purge(p, dry_run=True), p.frames()[-1]
        assert p.frames()[-1] == event
        assert b"FIVE" in stored(p)
        assert {**purge(p), "dry_run": True} == would

    def test_whole_files_can_go_later(self, p: Project) -> None:
        purge(p)
        with p.desk() as desk:
            desk.purge(["a.md"], everything=False, dry_run=False)
        p.lose_index()
        assert {hunk["path"] for hunk in p.hunks(status="all")} <= {"b.md"}


class TestWhatStays:
    def test_what_is_younger(self, p: Project) -> None:
        before = stored(p)
        assert purge(p, NONE)["bytes"] == 0
        assert stored(p) == before

    def test_everything_where_history_does_not_fold(self, p: Project) -> None:
        p.put(".blueline/config.toml", "fold_history = false\n")
        for dry_run in (True, False):
            assert purge(p, dry_run=dry_run)["purged"] == []
        p.undo("d1")

    def test_everything_if_an_agent_asks(self, p: Project) -> None:
        p.environ["CLAUDECODE"] = "1"
        with pytest.raises(OnlyPeople):
            purge(p)
        assert purge(p, dry_run=True)["purged"]
        del p.environ["CLAUDECODE"]
        assert b"FIVE" in stored(p)

    def test_what_another_file_holds(self, p: Project) -> None:
        p.write("c.md", POEM.replace("line 3\n", "THREE\n"))
        p.hunks()
        purge(p)
        p.lose_index()
        p.reject("c.md")
        p.undo()
        assert p.text("c.md") == POEM.replace("line 3\n", "THREE\n")


def files(p: Project) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in p.state.rglob("*") if path.is_file()}


@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_any_step_nothing_else_is_lost(tmp_path: Path, torn: bool) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 5\n", "FIVE\n")
    p.reject()
    before, gate = state(p), p.gate()
    kept = files(p)
    for _ in every_step(partial(purge, p), torn=torn):
        assert state(p) == before
        if not torn:  # what follows half a record makes it damage
            purge(p)
            assert b"FIVE" not in stored(p)
            assert p.gate() == gate
        for path in files(p).keys() - kept.keys():
            path.unlink()
        for path, data in kept.items():
            path.write_bytes(data)
