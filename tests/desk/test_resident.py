"""A desk that stays beside commands, hooks, other desks that stay, and kills (rule B6 and crash safety)."""

from __future__ import annotations

import random
import sqlite3
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from blueline.adapters import interpret
from blueline.desk import Desk
from blueline.desk.resident import ResidentDesk
from blueline.desk.state_folder import Lock
from blueline.journal import checkpoint
from tests.support.killing import every_step
from tests.support.project import POEM, Project

SEED, STEPS = 7, 60


def staying(p: Project) -> ResidentDesk:
    return ResidentDesk(lambda: Desk.open(p.root, environ=p.environ, interpret=interpret))


@pytest.fixture
def resident(p: Project) -> Iterator[ResidentDesk]:
    found = staying(p)
    with found.step():
        pass
    yield found
    found.close()


def pending(resident: ResidentDesk) -> list[str | None]:
    with resident.step() as desk:
        return [hunk["new"] for hunk in desk.list()["hunks"]]


class TestWhatItKnows:
    def test_stays_from_one_step_to_the_next(self, resident: ResidentDesk) -> None:
        with resident.step() as desk:
            ledger = desk._project.store.ledger
        with resident.step() as again:
            assert again is desk
            assert again._project.store.ledger is ledger

    def test_includes_what_hooks_wrote_since(self, p: Project, resident: ResidentDesk) -> None:
        p.edit("a.md", "line 5\n", "FIVE\n")
        assert pending(resident) == ["THREE\n", "FIVE\n"]

    def test_no_file_that_somebody_is_saving(
        self, p: Project, resident: ResidentDesk, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        text = p.text("a.md")
        with (p.root / "a.md").open("w") as saved:

            def go_on(_: float) -> None:
                saved.write(text)
                saved.flush()

            monkeypatch.setattr(time, "sleep", go_on)
            resident.hint(None)
            assert pending(resident) == ["THREE\n"]
        assert p.log("decision") == []

    def test_includes_what_a_command_decided_since(self, p: Project, resident: ResidentDesk) -> None:
        p.reject()
        assert pending(resident) == []
        with resident.step() as desk:
            desk.undo(None)
        assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n")
        assert len(p.hunks()) == 1

    def test_is_what_is_stored_after_a_step_failed(self, resident: ResidentDesk) -> None:
        def fail() -> None:
            with resident.step() as desk:
                desk.decide("accept", [], everything=True)
                raise RuntimeError

        with pytest.raises(RuntimeError):
            fail()
        assert pending(resident) == []

    @pytest.mark.parametrize("damage", ["removed", "flipped", "changed"])
    def test_is_made_anew_when_somebody_damages_the_index(
        self, p: Project, resident: ResidentDesk, damage: str
    ) -> None:
        expected = pending(resident)
        if damage == "removed":
            p.index.unlink()
        elif damage == "flipped":
            data = bytearray(p.index.read_bytes())
            data[len(data) // 2] ^= 255
            p.index.write_bytes(data)
        else:
            with sqlite3.connect(p.index) as connection:
                connection.execute("delete from hunks")
            connection.close()
            p.index.with_name("index.sqlite-seal").unlink(missing_ok=True)
            p.lose_index()
        assert pending(resident) == expected

    def test_does_not_grow_with_what_was_decided(self, p: Project, resident: ResidentDesk) -> None:
        with resident.step() as desk:
            desk.decide("accept", [], everything=True)
        # Between two steps. In one, a file that was changed just now may be looked at again.
        assert desk.project.store.ledger.files == {}

    def test_is_trusted_by_the_next_command_once_it_is_closed(self, p: Project) -> None:
        resident = staying(p)
        with resident.step() as desk:
            desk.decide("accept", [], everything=True)
        seal = p.index.with_name("index.sqlite-seal")
        assert not seal.exists()
        resident.close()
        assert seal.exists()

    def test_a_seal_that_a_command_made_is_broken_before_it_is_changed(
        self, p: Project, resident: ResidentDesk
    ) -> None:
        assert len(p.hunks()) == 1
        with resident.step() as desk:
            desk.decide("accept", [], everything=True)
        assert not p.index.with_name("index.sqlite-seal").exists()


class TestFiles:
    def test_few_are_looked_at_every_time(self, p: Project, resident: ResidentDesk) -> None:
        p.put("a.md", "by hand\n" + p.text("a.md"))
        with resident.step() as desk:
            assert [one["path"] for one in desk.workbench.news()] == ["a.md"]

    @pytest.mark.usefixtures("many")
    def test_many_are_looked_at_when_somebody_hints_at_them(self, p: Project, resident: ResidentDesk) -> None:
        with resident.step():
            pass
        p.put("a.md", "by hand\n" + p.text("a.md"))
        with resident.step() as desk:
            assert desk.workbench.news() == []
        resident.hint({"a.md"})
        with resident.step() as desk:
            assert [one["path"] for one in desk.workbench.news()] == ["a.md"]

    @pytest.mark.usefixtures("many")
    def test_and_from_time_to_time_all_of_them(self, p: Project, resident: ResidentDesk) -> None:
        p.put("a.md", "by hand\n" + p.text("a.md"))
        resident.hint(None)
        with resident.step() as desk:
            assert [one["path"] for one in desk.workbench.news()] == ["a.md"]

    @pytest.mark.usefixtures("many")
    def test_one_that_a_decision_names_is_looked_at_first(self, p: Project, resident: ResidentDesk) -> None:
        with resident.step():
            pass
        mine = "by hand\n" + p.text("a.md")
        p.put("a.md", mine)
        with resident.step() as desk:
            document = desk.decide("reject", ["a.md"])
        assert document["needs"] == []
        assert p.text("a.md") == "by hand\n" + POEM

    @pytest.mark.usefixtures("many")
    def test_what_somebody_saw_is_compared_with_what_is_there(
        self, p: Project, resident: ResidentDesk
    ) -> None:
        with resident.step() as desk:
            (hunk,) = desk.workbench.file("a.md")["hunks"]
        p.sub("a.md", "THREE\n", "three, by hand\n")
        with resident.step() as desk:
            assert desk.workbench.stale({hunk["id"]: hunk["digest"]}) is not None


def test_two_that_stay_and_a_command_see_what_each_other_does(p: Project) -> None:
    one, other = staying(p), staying(p)
    places = random.Random(SEED)
    line = 0
    for _ in range(STEPS):
        match places.randrange(5):
            case 0:
                line += 1
                p.edit("b.md", f"line {line % 12 + 1}", f"{line}. line {line % 12 + 1}")
            case 1:
                p.put("a.md", p.text("a.md") + "by hand\n")
            case 2:
                p.accept() if places.randrange(2) else p.reject()
            case _:
                with places.choice((one, other)).step() as desk:
                    hunks = desk.list()["hunks"]
                    if hunks:
                        desk.decide(places.choice(("accept", "reject")), [places.choice(hunks)["id"]])
        assert pending(one) == pending(other) == [hunk["new"] for hunk in p.hunks()]
    one.close()
    other.close()


def step_beside(p: Project) -> None:
    """A desk that stays rejects what a hook wrote down while it was idle."""
    resident = staying(p)
    with resident.step():
        pass
    p.edit("b.md", "line 5\n", "FIVE\n")
    with resident.step() as desk:
        desk.decide("reject", ["b.md"])
    resident.close()


def test_one_that_is_killed_at_any_step_leaves_a_decision_done_or_not(p: Project, tmp_path: Path) -> None:
    beside = staying(p)
    with beside.step():
        pass
    p.keep(tmp_path / "kept")
    outcomes = set()
    for _ in every_step(partial(step_beside, p), sampled=3):
        hunks = p.hunks("b.md")
        is_made, is_asked = bool(p.log("decision")), bool(hunks)
        outcomes.add((is_made, is_asked))
        if is_made or is_asked:  # else the hook was killed, and nobody knows of its edit
            assert p.text("b.md") == (POEM if is_made else POEM.replace("line 5\n", "FIVE\n"))
        assert pending(beside) == [hunk["new"] for hunk in p.hunks()]
        p.restore(tmp_path / "kept")
    assert outcomes == {(False, False), (False, True), (True, False)}
    beside.close()


def two_at_once(p: Project) -> None:
    """Two that stay take turns, and each goes on from what the other did."""
    one, other = staying(p), staying(p)
    with other.step() as desk:
        desk.decide("reject", ["b.md"])
    with one.step() as desk:
        desk.decide("accept", ["a.md"])
    with other.step() as desk:
        desk.undo(None)
    one.close()
    other.close()


def test_of_two_that_stay_in_one_process_that_is_killed_each_decision_is_done_or_not(
    p: Project, tmp_path: Path
) -> None:
    p.edit("b.md", "line 5\n", "FIVE\n")
    beside = staying(p)
    with beside.step():
        pass
    p.keep(tmp_path / "kept")
    made = set()
    for _ in every_step(partial(two_at_once, p), sampled=3):
        decisions = len(p.log("decision"))
        made.add(decisions)
        assert p.text("b.md") == (POEM if decisions else POEM.replace("line 5\n", "FIVE\n"))
        assert p.text("a.md") == POEM.replace("line 3\n", "THREE\n")
        news = [hunk["new"] for hunk in p.hunks()]
        assert pending(beside) == news
        assert news == [["THREE\n", "FIVE\n"], ["THREE\n"], [], ["THREE\n"]][decisions]
        p.restore(tmp_path / "kept")
    assert made == {0, 1, 2, 3}
    beside.close()


def decide_and_go_on(p: Project) -> None:
    """One that stays decides, and takes another step; nobody closes it."""
    resident = staying(p)
    with resident.step() as desk:
        desk.decide("reject", ["a.md"])
    with resident.step() as desk:
        desk.list()


def test_one_that_is_killed_after_a_checkpoint_costs_the_events_since(
    p: Project, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(checkpoint, "LEAST_EVENTS", 1)
        resident = staying(p)
        with resident.step():
            pass
        resident.close()
    made_at = checkpoint.made_at(p.index)
    assert made_at > 0
    p.keep(tmp_path / "kept")
    later = set()
    for _ in every_step(partial(decide_and_go_on, p), sampled=3):
        assert checkpoint.made_at(p.index) == made_at
        p.lose_index()
        found = p.hunks(), p.log()
        p.lose_index()
        checkpoint.discard(p.index)
        assert (p.hunks(), p.log()) == found
        later.add(bool(p.log("decision")))
        p.restore(tmp_path / "kept")
    assert later == {True, False}


def test_one_that_leaves_waits_for_nobody(p: Project, resident: ResidentDesk) -> None:
    lock = Lock(p.state / "lock")
    resident.close()
    lock.release()
    assert len(p.hunks()) == 1
