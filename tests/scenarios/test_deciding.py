"""Decisions: in any order, about anything, by any name."""

from __future__ import annotations

import tempfile
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from blueline.errors import BluelineError
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT
from blueline.model.fact import DecisionMade
from tests.support.project import POEM, Make, Project, Verdict

WORDS = {"line 2": "TWO", "line 6": "SIX", "line 10": "TEN", "line 14": "FOURTEEN"}
HUNKS = len(WORDS)


@dataclass
class Model:
    """Rules B6 and B7, for hunks that have nothing to do with each other."""

    answers: dict[int, tuple[str, frozenset[int]]] = field(default_factory=dict)
    """By the number of the decision: the state that it gave, and to which hunks."""
    fallen: set[int] = field(default_factory=set)
    undone: list[int] = field(default_factory=list)
    """What the undos that stand have taken back, the latest last."""
    last: int = 0
    """The last number given out; undos and redos have numbers too."""

    def state(self, hunk: int) -> str:
        for number, (state, hunks) in reversed(self.answers.items()):
            if hunk in hunks and number not in self.fallen:
                return state
        return "pending"

    def decide(self, state: str, hunks: frozenset[int]) -> bool:
        """Whether there was anything to decide."""
        changed = frozenset(hunk for hunk in hunks if self.state(hunk) != state)
        if changed:
            self.last += 1
            self.answers[self.last] = (state, changed)
        return bool(changed)

    def undo(self, named: int | None = None) -> None:
        standing = [number for number in self.answers if number not in self.fallen]
        if standing and named is None:
            named = standing[-1]
        if named in standing:
            self.last += 1
            self.fallen.add(named)
            self.undone.append(named)

    def redo(self) -> None:
        if self.undone:
            self.last += 1
            self.fallen.discard(self.undone.pop())

    def text(self) -> str:
        text = POEM
        for hunk, (old, new) in enumerate(WORDS.items()):
            if self.state(hunk) != "rejected":
                text = text.replace(f"{old}\n", f"{new}\n")
        return text


STATES: dict[Verdict, str] = {"accept": "accepted", "reject": "rejected"}
ANSWERS = st.tuples(st.sampled_from([*STATES]), st.frozensets(st.integers(0, HUNKS - 1), min_size=1))
STEPS = st.lists(st.one_of(ANSWERS, st.sampled_from(["undo", "redo", "undo one"])), max_size=14)


@given(steps=STEPS, data=st.data())
@settings(max_examples=20)
def test_qr4_decisions_undone_and_redone_in_any_order_are_as_the_model_says(
    steps: list[str | tuple[Verdict, frozenset[int]]], data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        p = Project(Path(folder), {"a.md": POEM})
        p.prompt()
        for old, new in WORDS.items():
            p.edit("a.md", f"{old}\n", f"{new}\n")
        ids = [hunk["id"] for hunk in p.hunks()]
        model = Model()
        for step in steps:
            if isinstance(step, tuple):
                verdict, chosen = step
                answer = p.decide(verdict, [ids[hunk] for hunk in sorted(chosen)])
                assert (answer["decision"] is not None) is model.decide(STATES[verdict], chosen)
            elif step == "undo":
                model.undo()
                p.undo()
            elif step == "redo":
                model.redo()
                p.redo()
            elif model.answers:
                number = data.draw(st.sampled_from(sorted(model.answers)))
                model.undo(number)
                p.undo(f"d{number}")
            assert p.text("a.md") == model.text()
        found = {hunk["id"]: hunk["status"] for hunk in p.hunks(status="all")}
        assert [found[identifier] for identifier in ids] == [model.state(hunk) for hunk in range(HUNKS)]
        p.assert_sound()


def test_qr6_an_id_of_another_project_or_of_nothing_is_refused(project: Make) -> None:
    p, other = project({"a.md": POEM}), project({"a.md": POEM})
    for one in (p, other):
        one.prompt()
        one.edit("a.md", "line 3\n", "THREE\n")
        one.edit("a.md", "line 9\n", "NINE\n")
    (theirs, _), (ours, _) = other.hunks(), p.hunks()
    standing, pending = p.on_disk(), p.hunks()
    for selector in (
        theirs["id"],
        "h00000000",
        "hffffffff",
        "c99",
        "t99",
        "nothing.md",
        "../../etc/passwd",
        "",
    ):
        with pytest.raises(BluelineError) as refused:
            p.reject(ours["id"], selector)
        assert refused.value.hint
        assert refused.value.exit_code == 1
    with pytest.raises(BluelineError, match="d99"):
        p.undo("d99")
    assert (p.on_disk(), p.hunks(), p.log("decision")) == (standing, pending, [])


@pytest.mark.parametrize("inside", [True, False], ids=["with something in it", "empty"])
def test_qr8_a_folder_in_the_place_of_a_deleted_file_is_a_conflict_and_stays(
    project: Make, inside: bool
) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.remove("a.md")
    p.edit("b.md", "b", "B")
    (p.root / "a.md").mkdir()
    if inside:
        p.put("a.md/mine.md", "mine\n")
    (need,) = p.asked("reject")
    assert (need["path"], need["why"]) == ("a.md", "moved-on")
    p.reject("b.md")
    assert (p.root / "a.md").is_dir()
    if inside:
        assert p.text("a.md/mine.md") == "mine\n"
        (p.root / "a.md/mine.md").unlink()
    (p.root / "a.md").rmdir()
    p.reject()
    assert p.text("a.md") == POEM


def test_qr12_ten_thousand_edits_are_accepted_by_one_record(project: Make) -> None:
    lines = [f"line {number} of the file\n" for number in range(20_000)]
    p = project({"a.md": "".join(lines)})
    p.prompt()
    p.write("a.md", "".join(line.upper() if number % 2 else line for number, line in enumerate(lines)))
    assert p.status()["counts"]["hunks"] == 10_000
    frames = len(p.frames())
    done = p.accept()
    assert len(done["results"]) == 10_000
    events = [load_event(frame.payload) for frame in p.frames()[frames:] if frame.kind == EVENT]
    made = [fact for event in events for fact in event.facts if isinstance(fact, DecisionMade)]
    assert (len(made), len(events)) == (1, 2)
    assert p.status()["counts"]["hunks"] == 0
    # Nothing of it grows with the number of decisions to come.
    p.undo()
    assert p.status()["counts"]["hunks"] == 10_000
    p.is_damaged = True  # it is not, but to look at all of it again takes its time


def test_b8_a_dry_run_has_the_diff_that_the_decision_makes(project: Make) -> None:
    p = project({"a.md": POEM, "gone.md": "gone\n"})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.bash("rm gone.md; echo new > new.md")
    p.hunks()
    before = {path: p.read(path) for path in ("a.md", "new.md")}
    with p.desk() as desk:
        diff = desk.decide("reject", [], everything=True, dry_run=True).get("diff", "")
        assert desk.decide("accept", [], everything=True, dry_run=True).get("diff") == ""
    assert {path: p.read(path) for path in before} == before
    p.put("patch", diff)
    p.shell("mkdir copy && cp a.md new.md copy/ && cd copy && git apply ../patch")
    p.reject()
    assert p.read("copy/a.md") == p.read("a.md")
    assert (p.text("copy/gone.md"), p.exists("copy/new.md")) == ("gone\n", False)
