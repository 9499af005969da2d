"""What the desk shows is what the contract says. Scenarios hold `list`, `show`, `log` and decisions to it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from blueline.contract.cells import OutputsDocument
from blueline.contract.exports import PendingEdit
from blueline.contract.files import FileDocument, SavedDocument
from blueline.contract.gate import GateDocument
from blueline.contract.hunks import HunkDocument, WhyDocument
from blueline.contract.notes import NoteDocument
from blueline.contract.overview import ChangeNews, FollowedDocument, OverviewDocument, ShownDocument
from blueline.contract.stored import StoredCall, StoredDecision, StoredNote, StoredTurn
from blueline.desk.talkback.notes import NoteTarget
from tests.support.notebooks import dumped, three
from tests.support.project import POEM, Project
from tests.support.shown import as_promised, problems


@pytest.fixture
def p(tmp_path: Path) -> Project:
    """A project in which a little of everything has happened."""
    p = Project(tmp_path, {"a.md": POEM, "b.md": POEM, "c.bin": b"\0\1", "n.ipynb": dumped(three())})
    p.prompt("number them")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "THREE\n", "THREE!\n")
    p.write("c.bin", b"\0\2")
    p.write("new.md", "new\n")
    p.remove("b.md")
    p.write("n.ipynb", dumped(three()).replace(b"import", b"import  "))
    p.stop()
    p.sub("a.md", "line 9\n", "typed\n")
    p.reject("new.md")
    p.undo()
    p.accept("c.bin")
    return p


def test_screens_of_the_workbench(p: Project) -> None:
    with p.desk() as desk:
        bench = desk.workbench
        as_promised(bench.overview(), OverviewDocument)
        for path in ("a.md", "b.md", "c.bin", "new.md", "n.ipynb"):
            as_promised(bench.file(path), FileDocument)
        for hunk in desk.list(status="all")["hunks"]:
            as_promised(bench.hunk(hunk["id"]), WhyDocument)
        as_promised(bench.outputs("n.ipynb", 1), OutputsDocument)
        as_promised(bench.since(0), FollowedDocument)
        place = NoteTarget(kind="line", path="a.md", line=3)
        as_promised(bench.write_note(place, "must-fix", "no"), NoteDocument)
        as_promised(bench.notes(), list[NoteDocument])
        page = bench.file("a.md")
        saved = bench.save("a.md", page["revision"] or "", page["live"] or "", "all new\n")
        as_promised(saved, SavedDocument)


def test_everything_that_can_be_shown(p: Project) -> None:
    names = [entry["id"] for entry in p.log()] + ["a.md", "a.md:2-4", "b.md"]
    with p.desk() as desk:
        for name in names:
            as_promised(desk.show(name), ShownDocument)


def test_what_the_gate_says(p: Project) -> None:
    p.git("init", "-q")
    with p.desk() as desk:
        as_promised(desk.gate(), GateDocument)


def test_what_was_taken_in_just_now(p: Project) -> None:
    p.put("a.md", "something else\n")
    with p.desk() as desk:
        as_promised([*desk.workbench.news()], list[ChangeNews])


def test_exports(p: Project) -> None:
    with p.desk() as desk:
        as_promised(json.loads(desk.export("pending-edits")), list[PendingEdit])


def test_what_the_index_keeps(p: Project) -> None:
    with p.desk() as desk:
        desk.workbench.write_note(NoteTarget(kind="file", path="a.md"), "question", "why?")
        index: Any = desk._project.store.index
        as_promised(index.turns.scan(), list[StoredTurn])
        as_promised(index.calls.scan(), list[StoredCall])
        as_promised(index.decisions.scan(), list[StoredDecision])
        as_promised(index.notes.get(1), StoredNote)


def test_a_promise_that_is_not_kept_is_noticed(p: Project) -> None:
    (hunk, *_) = p.hunks()
    assert [*problems(hunk, HunkDocument)] == []
    less = {name: value for name, value in hunk.items() if name != "held"}
    assert [*problems(less, HunkDocument)] == [": HunkDocument without held"]
    assert [*problems({**hunk, "more": 1}, HunkDocument)] == [": HunkDocument has no key more"]
    assert [*problems({**hunk, "old_start": "3"}, HunkDocument)] == [".old_start: '3' is not <class 'int'>"]
    assert [*problems({**hunk, "status": "maybe"}, HunkDocument)] != []
    assert [*problems({**hunk, "actor": None}, HunkDocument)] != []
