"""An index that fails in the middle of a verb: the verb is answered, and nothing is written twice."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from blueline.desk import Desk
from blueline.desk.talkback.notes import NoteTarget
from blueline.journal.database import Database, IndexDamaged, IndexUnwritable
from tests.scenarios.conftest import impatient, project, unsynced
from tests.support.durable import edited, facts, timeless
from tests.support.project import Document, Make, Project

__all__ = ["impatient", "project", "unsynced"]

VERBS: dict[str, Callable[[Desk], Any]] = {
    "accept": lambda desk: desk.decide("accept", [], everything=True),
    "reject": lambda desk: desk.decide("reject", [], everything=True),
    "undo": lambda desk: desk.undo(None),
    "redo": lambda desk: desk.redo(),
    "mode": lambda desk: desk.set_mode("hold"),
    "list": lambda desk: desk.list(),
    "write a note": lambda desk: desk.workbench.write_note(
        NoteTarget(kind="line", path="a.md", line=3), "question", "why?"
    ),
    "change a note": lambda desk: desk.workbench.change_note("n1", text="or not?", status="sent"),
    "save": lambda desk: desk.workbench.save("b.md", "", desk_text(desk), desk_text(desk) + "more\n"),
}


def desk_text(desk: Desk) -> str:
    return (desk.root / "b.md").read_text()


class Failing:
    """The index cannot be read at one access to it, the one after so many, and only then."""

    def __init__(self, patch: pytest.MonkeyPatch, after: int) -> None:
        self.left = after
        for name in ("rows", "run", "run_each"):
            patch.setattr(Database, name, self._failing(getattr(Database, name)))

    def _failing(self, act: Callable[..., Any]) -> Callable[..., Any]:
        def tried(database: Database, *given: Any) -> Any:
            self.left -= 1
            if self.left == -1:
                raise IndexDamaged("a bit flipped")
            return act(database, *given)

        return tried


def done(p: Project, verb: str, after: int) -> tuple[Any, bool]:
    """What a verb says when the index fails after so many accesses to it, and whether it did."""
    with p.desk() as desk, pytest.MonkeyPatch.context() as patch:
        failing = Failing(patch, after)
        return VERBS[verb](desk), failing.left < 0


def essential(answer: Any) -> Any:
    """What is the same however a decision came about."""
    if isinstance(answer, dict) and "results" in answer:
        hunks = {result["hunk"] for result in answer["results"]}
        return [answer[name] for name in ("decision", "verdict", "written", "needs")], hunks, answer.get("of")
    return {name: value for name, value in answer.items() if name not in ("at", "version")}


def state(p: Project) -> tuple[Document, Any, int]:
    """All there is to know, all files, and how many events there are."""
    return timeless(p.known()), p.on_disk(), len(facts(p, object))


@pytest.mark.parametrize("verb", VERBS)
def test_whenever_the_index_fails_the_verb_is_done_once(project: Make, tmp_path: Path, verb: str) -> None:
    p = edited(project)
    with p.desk() as desk:
        VERBS["write a note"](desk)
        desk.decide("reject", ["b.md"])
        desk.undo(None)
    p.keep(tmp_path / "kept")
    expected, _ = done(p, verb, 10**9)
    after_it = state(p)
    for after in range(10_000):
        p.restore(tmp_path / "kept")
        answer, failed = done(p, verb, after)
        assert essential(answer) == essential(expected), f"access {after}"
        assert state(p) == after_it, f"access {after}"
        if not failed:
            return
    raise AssertionError("it never came to an end")


def test_where_not_even_a_new_index_is_in_order_that_is_said(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    def prepare(self: Database, schema: str, known: int) -> None:
        raise sqlite3.DatabaseError("database disk image is malformed")

    p = edited(project)
    found = p.hunks()
    with monkeypatch.context() as patched:
        patched.setattr(Database, "_prepare", prepare)
        with pytest.raises(IndexUnwritable, match="malformed") as said:
            p.hunks()
    assert str(p.state) in said.value.hint
    assert p.hunks() == found
