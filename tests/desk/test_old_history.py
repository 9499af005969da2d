"""What was decided long ago becomes part of the baseline: an event, for all who read on, and after kills."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from blueline.adapters import interpret
from blueline.desk import Desk
from blueline.desk.old_history import FoldRule, fold_files
from blueline.desk.project_store import NewerFormat
from blueline.desk.resident import ResidentDesk
from blueline.desk.selectors import UnknownSelector
from blueline.desk.undo import DecidedForGood
from blueline.journal import event_bytes
from blueline.journal.frames import EVENT
from blueline.model.decider import Decider
from blueline.review.deciding.planning import next_plan
from tests.support.killing import every_step
from tests.support.project import POEM, Document, Project

AT_ONCE = FoldRule(days=-1, decisions=0, least=1)
BUT_ONE = FoldRule(days=-1, decisions=1, least=1)


def fold(p: Project, rule: FoldRule = AT_ONCE) -> int:
    with p.desk() as desk:
        store = desk.project.store
        return fold_files(store, [number for number, _ in store.index.files.paths()], rule)


def answers(p: Project) -> Document:
    """All that is shown of what is open, and what was decided."""
    with p.desk() as desk:
        return desk.list(), desk.diff([]), desk.log()


@pytest.fixture
def p(tmp_path: Path) -> Iterator[Project]:
    """One change is accepted, one rejected, a third is open, next to text that a person typed."""
    made = Project(tmp_path, {"a.md": POEM})
    made.prompt()
    made.edit("a.md", "line 3\n", "THREE\n")
    made.edit("a.md", "line 5\n", "FIVE\n")
    made.accept(made.hunk("THREE"))
    made.reject(made.hunk("FIVE"))
    made.put("a.md", made.text("a.md").replace("line 9\n", "nine, by hand\n"))
    made.hunks()
    made.edit("a.md", "nine, by hand\n", "nine, by an agent\n")
    made.hunks()
    yield made
    made.assert_sound()


def weight(p: Project) -> tuple[int, int]:
    """Operations and runs that are kept of the file."""
    with p.desk() as desk:
        file = desk.project.store.ledger.file_at("a.md")
        assert file is not None
        return len(file.operations), sum(len(weave.runs) for weave in file.weaves)


class TestWhatIsFolded:
    def test_looks_as_before_and_is_less(self, p: Project) -> None:
        before, (operations, runs) = answers(p), weight(p)
        assert fold(p) == 1
        assert answers(p) == before
        less, fewer = weight(p)
        assert less < operations
        assert fewer < runs

    def test_is_the_same_for_whoever_reads_the_journal(self, p: Project) -> None:
        fold(p)
        before = answers(p), weight(p)
        p.lose_index()
        assert (answers(p), weight(p)) == before

    def test_is_folded_once(self, p: Project) -> None:
        assert fold(p) == 1
        assert fold(p) == 0

    def test_again_with_what_was_decided_since(self, p: Project) -> None:
        fold(p)
        p.accept()
        assert fold(p) == 1
        p.edit("a.md", "THREE\n", "three\n")
        p.reject()
        assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace(
            "line 9\n", "nine, by an agent\n"
        )

    def test_gives_what_is_open_back_exactly(self, p: Project) -> None:
        fold(p)
        p.reject()
        assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace("line 9\n", "nine, by hand\n")
        p.undo()
        assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n").replace(
            "line 9\n", "nine, by an agent\n"
        )

    def test_leaves_calls_turns_and_decisions_in_the_log(self, p: Project) -> None:
        before = p.log()
        fold(p)
        assert p.log() == before
        assert p.show("c1")["kind"] == "call"
        assert p.show("d1")["kind"] == "decision"


class TestWhatCannotBeTakenBack:
    def test_is_said_of_a_decision(self, p: Project) -> None:
        fold(p)
        before = p.text("a.md")
        with pytest.raises(DecidedForGood, match="d1 was made so long ago"):
            p.undo("d1")
        assert p.text("a.md") == before

    def test_is_said_of_a_hunk(self, p: Project) -> None:
        rejected = next(hunk["id"] for hunk in p.hunks(status="all") if hunk["status"] == "rejected")
        fold(p)
        with pytest.raises(UnknownSelector, match="part of what was agreed"):
            p.accept(rejected)

    def test_the_last_decisions_are_not_part_of_it(self, p: Project) -> None:
        fold(p, BUT_ONE)
        p.undo("d2")
        assert "FIVE\n" in p.text("a.md")
        with pytest.raises(DecidedForGood):
            p.undo("d1")


class TestWhatIsNotFolded:
    def test_what_happened_lately(self, p: Project) -> None:
        assert fold(p, FoldRule(least=1)) == 0
        assert fold(p, FoldRule(days=-1, least=1)) == 0

    def test_less_than_it_is_worth(self, p: Project) -> None:
        assert fold(p, FoldRule(days=-1, decisions=0)) == 0

    def test_anything_where_it_is_turned_off(self, p: Project) -> None:
        p.put(".blueline/config.toml", "fold_history = false\n")
        assert fold(p) == 0

    def test_what_an_agent_accepted(self, p: Project) -> None:  # D5: the gate still asks a person about it
        with p.desk() as desk:
            chosen = desk.project.selectors.select(["a.md"])
            made = next_plan(desk.project.store.ledger, chosen.files, "accept")
            desk.project.carrier.make(made, "", by=Decider("ada", "claude-code"))
        fold(p)
        assert "agent-decided" in p.gate()


def test_a_purge_takes_it_along(p: Project) -> None:
    p.accept()
    fold(p)
    with p.desk() as desk:
        assert desk.purge(["a.md"], everything=False, dry_run=False)["purged"] == ["a.md"]
        blobs = desk.project.store.blobs
        assert not any(b"THREE" in blobs.get(blob) for blob in blobs.ids())
    p.lose_index()
    assert p.hunks(status="all") == []


def test_a_desk_that_stays_reads_on_behind_it(p: Project) -> None:
    resident = ResidentDesk(lambda: Desk.open(p.root, environ=p.environ, interpret=interpret))
    with resident.step() as desk:
        before = desk.list()
    fold(p)
    with resident.step() as desk:
        assert desk.list() == before
        desk.decide("reject", [], everything=True)
    resident.close()
    assert "nine, by hand\n" in p.text("a.md")


@pytest.mark.parametrize("torn", [False, True])
def test_killed_at_any_step_it_is_folded_or_not(p: Project, tmp_path: Path, torn: bool) -> None:
    before, heavy = answers(p), weight(p)
    p.keep(tmp_path / "kept")
    found = set()
    for _ in every_step(partial(fold, p), torn=torn):
        found.add(weight(p) == heavy)
        assert answers(p) == before
        p.restore(tmp_path / "kept")
    assert found == {True, False}


def test_a_journal_without_any_is_read_as_ever(p: Project) -> None:
    names = {
        fact["fact"]
        for frame in p.frames()
        if frame.kind == EVENT
        for fact in json.loads(frame.payload)["facts"]
    }
    assert "file.folded" not in names


def test_a_version_that_does_not_know_it_stops(p: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    fold(p)
    p.lose_index()
    with monkeypatch.context() as patched:
        patched.delitem(event_bytes.STORED, "file.folded")
        with pytest.raises(NewerFormat, match="an event that this version cannot read"):
            p.hunks()
