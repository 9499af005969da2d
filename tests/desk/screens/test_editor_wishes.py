"""What was decided in an editor is recorded as that when it is saved, and as an edit by hand otherwise."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import interpret
from blueline.desk import Desk
from blueline.desk.resident import ResidentDesk
from blueline.desk.screens import editor_wishes
from blueline.desk.screens.editor_buffers import Buffer, DecisionWish, NotAsSeen, NotTakenIn
from blueline.desk.screens.editor_wishes import EditorWishes, PlannedDecision
from tests.support.project import POEM, Project

THREE = POEM.replace("line 3\n", "line three\n")
BOTH = THREE.replace("line 12\n", "line twelve\n")


class Editor:
    """An editor without a plugin, beside a desk that stays."""

    def __init__(self, p: Project, path: str = "a.md") -> None:
        self.p = p
        self.path = path
        self.resident = ResidentDesk(
            lambda: Desk.open(p.root, environ=p.environ, interpret=interpret),
        )
        self.wishes = EditorWishes()
        self.text = self.base = p.read(path).decode()

    def plan(self, verdict: Any, *selectors: str, **options: Any) -> PlannedDecision:
        buffer = Buffer(uri="file:///a.md", path=self.path, version=1, text=self.text, base=self.base)
        wish = DecisionWish(verdict=verdict, selectors=selectors, **options)
        with self.resident.step() as desk:
            found = self.wishes.plan(desk, wish, [buffer], self.p.environ)
        for planned in found.texts:
            self.text = planned.shown
        return found

    def save(self) -> None:
        self.p.put(self.path, self.text)
        self.resident.hint({self.path})
        with self.resident.step():
            pass
        self.base = self.text

    def close(self) -> None:
        self.resident.close()


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {"a.md": POEM, "b.md": POEM})
    found.prompt()
    found.edit("a.md", "line 3\n", "line three\n")
    found.edit("a.md", "line 12\n", "line twelve\n")
    return found


def decisions(p: Project) -> list[tuple[str, list[str]]]:
    return [(one["verdict"], sorted(one["hunks"])) for one in reversed(p.log("decision"))]


def test_nothing_is_written_before_it_is_saved(p: Project) -> None:
    editor, first = Editor(p), p.hunk("three")
    editor.plan("reject", first, reason="not yet")
    assert editor.text == BOTH.replace("three", "3")
    editor.close()
    assert p.text("a.md") == BOTH
    assert len(p.hunks()) == 2


def test_saved_it_is_the_decision_with_its_reason(p: Project) -> None:
    editor, first = Editor(p), p.hunk("three")
    editor.plan("reject", first, reason="not yet")
    editor.save()
    editor.close()
    assert decisions(p) == [("reject", [first])]
    assert p.log("decision")[0]["reason"] == "not yet"
    assert p.text("a.md") == BOTH.replace("three", "3")
    assert len(p.hunks()) == 1


def test_what_was_typed_besides_is_the_persons(p: Project) -> None:
    editor, first = Editor(p), p.hunk("three")
    editor.text = "zero\n" + editor.text
    editor.plan("reject", first)
    editor.save()
    editor.close()
    assert decisions(p) == [("reject", [first])]
    assert p.text("a.md") == "zero\n" + BOTH.replace("three", "3")
    assert len(p.hunks()) == 1


def test_two_before_one_save_are_one_decision(p: Project) -> None:
    editor, first, second = Editor(p), p.hunk("three"), p.hunk("twelve")
    editor.plan("reject", first)
    editor.text += "typed\n"
    editor.plan("reject", second)
    assert editor.text == POEM + "typed\n"
    editor.save()
    editor.close()
    assert decisions(p) == [("reject", sorted([first, second]))]
    assert not p.hunks()


def test_something_else_that_is_saved_is_by_hand(p: Project) -> None:
    editor, first = Editor(p), p.hunk("three")
    editor.plan("reject", first)
    editor.text = editor.text.replace("line 20", "line  20")  # a formatter
    editor.save()
    editor.close()
    assert decisions(p) == [("by-hand", [first])]


def test_undone_in_the_editor_it_was_never_decided(p: Project) -> None:
    editor, first = Editor(p), p.hunk("three")
    before = editor.text
    editor.plan("reject", first)
    editor.text = before
    editor.save()
    editor.plan("reject", p.hunk("twelve"))
    assert editor.text == THREE
    editor.save()
    assert [one["new"] for one in p.hunks()] == ["line three\n"]
    editor.text = BOTH
    editor.save()
    editor.close()
    assert len(p.hunks()) == 2


def test_accept_is_done_at_once(p: Project) -> None:
    editor, first = Editor(p), p.hunk("three")
    editor.text = "typed\n" + editor.text
    found = editor.plan("accept", first)
    editor.close()
    assert found.texts == []
    assert decisions(p) == [("accept", [first])]
    assert p.text("a.md") == BOTH


def test_files_that_are_not_open_are_done_at_once(p: Project) -> None:
    p.edit("b.md", "line 5\n", "")
    p.write("new.md", "new\n")
    editor = Editor(p)
    found = editor.plan("reject", everything=True)
    assert [one.buffer.path for one in found.texts] == ["a.md"]
    assert p.text("b.md") == POEM
    assert not p.exists("new.md")
    assert p.text("a.md") == BOTH
    editor.save()
    editor.close()
    assert p.text("a.md") == POEM
    assert [verdict for verdict, _ in decisions(p)] == ["reject", "reject"]


def test_a_proposal_comes_into_the_text_first(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": POEM})
    p.set_mode("hold")
    p.edit("a.md", "line 3\n", "line three\n")
    editor, first = Editor(p), p.hunk("three")
    editor.plan("accept", first)
    assert editor.text == THREE
    assert p.text("a.md") == POEM
    editor.save()
    editor.close()
    assert decisions(p) == [("accept", [first])]


def test_what_is_not_as_seen_and_what_nobody_knows(p: Project) -> None:
    editor, first = Editor(p), p.hunk("three")
    with pytest.raises(NotAsSeen):
        editor.plan("reject", first, expect={first: "0" * 16})
    editor.base = None  # type: ignore[assignment]
    with pytest.raises(NotTakenIn):
        editor.plan("reject", first)
    editor.base = editor.text = "a\rb\n"
    with pytest.raises(NotTakenIn):
        editor.plan("reject", first)
    editor.close()
    assert len(p.hunks()) == 2


def test_line_ends_stay(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": b"\xef\xbb\xbfone\r\ntwo\r\n"})
    p.edit("a.md", "two", "zwei 😀")
    editor = Editor(p)
    editor.text = "one\r\nzwei 😀\r\n"
    editor.plan("reject", "a.md")
    assert editor.text == "one\r\ntwo\r\n"
    editor.text = "\ufeff" + editor.text  # as the editor writes it
    editor.save()
    editor.close()
    assert [verdict for verdict, _ in decisions(p)] == ["reject"]


def test_an_editor_that_empties_the_file_before_it_writes(
    p: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    editor, first = Editor(p), p.hunk("three")
    editor.plan("reject", first)
    monkeypatch.setattr(editor_wishes, "SAVING_SECONDS", 3600)
    monkeypatch.setattr("time.sleep", lambda seconds: p.put("a.md", editor.text))
    p.put("a.md", "")
    editor.resident.hint({"a.md"})
    with editor.resident.step():
        pass
    editor.close()
    assert decisions(p) == [("reject", [first])]
