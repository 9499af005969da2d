"""Reviews in an editor without a plugin: marks, actions, and texts that change before their files do."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.project import POEM, Project
from tests.surfaces.lsp.editor import Editor, Refused, editing

THREE = POEM.replace("line 3\n", "line three\n")


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {"sub/a.md": POEM, "b.md": POEM})
    found.prompt("write numbers as words")
    found.edit("sub/a.md", "line 3\n", "line three\n")
    return found


def decisions(p: Project) -> list[tuple[str, str]]:
    return [(one["verdict"], one["reason"]) for one in reversed(p.log("decision"))]


def undecided(p: Project) -> list[str]:
    return [hunk["new"] for hunk in p.hunks()]


def test_a_change_is_marked_with_what_it_took_away(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        (mark,) = document.wait_marks(len)
        assert mark["message"] == "claude-code changed 1 line\n- line 3"
        assert mark["severity"] == 4
        assert mark["code"] == p.hunk("three")
        assert mark["range"]["start"] == {"line": 2, "character": 0}
        assert editor.open(p.root / "b.md").marks is None


def test_a_mark_moves_with_what_is_typed_above(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        document.change(0, 0, "😀\n")
        document.wait_marks(lambda marks: [one["range"]["start"]["line"] for one in marks] == [3])
        assert {one["kind"] for one in document.actions(3, "quickfix")} == {"quickfix"}
        assert document.actions(2, "quickfix") == []


def test_accept_is_done_at_once_and_saves_nothing(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        document.change(0, 0, "typed\n")
        document.act("Accept: ", 3)
        document.wait_marks(lambda marks: not marks)
        assert p.text("sub/a.md") == THREE
    assert decisions(p) == [("accept", "")]


def test_reject_changes_the_text_and_counts_when_it_is_saved(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        document.act("Reject: ", 2)
        assert document.text == POEM
        assert p.text("sub/a.md") == THREE
        document.wait_marks(lambda marks: marks[0]["message"].endswith(": decided when you save"))
        document.save()
        document.wait_marks(lambda marks: not marks)
        before = document.text
        document.replace(THREE)  # the editor's own undo
        document.save()
        document.wait_marks(len)
        assert before == POEM
    assert [verdict for verdict, _ in decisions(p)] == ["reject", "by-hand"]
    assert undecided(p) == ["line three\n"]


def test_reject_with_typing_that_is_not_saved(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        document.type("line 20", "line 😀 20")
        document.act("Reject: ", 2)
        assert document.text == POEM.replace("line 20", "line 😀 20")
        document.save()
        document.wait_marks(lambda marks: not marks)
    assert decisions(p) == [("reject", "")]
    assert p.text("sub/a.md") == POEM.replace("line 20", "line 😀 20")


def test_an_editor_that_says_applied_and_did_not(p: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    with editing(p) as editor:
        editor.is_lying = True
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        document.act("Reject: ", 2)
        assert document.text == THREE
        editor.wait(lambda: editor.shown)
        assert "nothing was decided" in editor.shown[0]
    assert undecided(p) == ["line three\n"]


def test_what_changed_meanwhile_is_not_decided(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        (action,) = [one for one in document.actions(2) if one["title"].startswith("Accept: ")]
        p.edit("sub/a.md", "line three\n", "line 3!\n")
        with pytest.raises(Refused, match="has changed while you read it"):
            editor.run(action["command"])
    assert len(undecided(p)) == 2


def test_a_whole_turn_with_files_that_are_open_and_files_that_are_not(p: Project) -> None:
    p.edit("b.md", "line 5\n", "line five\n")
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        document.act("Reject all of turn", 2)
        assert p.text("b.md") == POEM
        assert document.text == POEM
        document.save()
        document.wait_marks(lambda marks: not marks)
    assert undecided(p) == []


def test_what_builds_on_it_is_asked_about(p: Project) -> None:
    p.edit("sub/a.md", "line three\n", "line 3!\n")
    first = p.hunks()[0]
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        given = {"uri": document.uri, "selectors": [first["id"]]}
        editor.run({"command": "blueline.reject", "arguments": [given]})
        assert [method for method, _ in editor.asked] == ["window/showMessageRequest"]
        assert document.text == p.text("sub/a.md")
        editor.choice = "Take it back as well"
        editor.run({"command": "blueline.reject", "arguments": [given]})
        assert document.text == POEM


def test_undo_of_a_decision_about_an_open_text(p: Project) -> None:
    p.reject(p.hunk("three"))
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        editor.run({"command": "blueline.undo", "arguments": [{"uri": document.uri}]})
        assert document.text == THREE
        document.save()
        document.wait_marks(len)
    assert undecided(p) == ["line three\n"]


@pytest.mark.parametrize("verb", ["accept", "reject", "undo", "redo"])
def test_d5_a_server_that_an_agent_started_decides_nothing(p: Project, verb: str) -> None:
    if verb in ("undo", "redo"):
        p.reject(p.hunk("three"))
    if verb == "redo":
        p.undo()
    before, text = decisions(p), p.text("sub/a.md")
    p.environ["CLAUDECODE"] = "1"
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        shown = document.text
        with pytest.raises(Refused, match="claude-code may not"):
            editor.run(
                {"command": f"blueline.{verb}", "arguments": [{"uri": document.uri, "everything": True}]}
            )
        assert document.text == shown
        document.save()
    assert (decisions(p), p.text("sub/a.md")) == (before, text)


def test_what_an_agent_writes_while_the_editor_is_open_is_marked(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "b.md")
        p.edit("b.md", "line 7\n", "")
        (mark,) = document.wait_marks(len)
        assert mark["message"] == "claude-code removed 1 line\n- line 7"
        assert mark["range"]["start"] != mark["range"]["end"]


def test_what_an_agent_wrote_into_a_text_with_typing_stays(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        document.change(0, 0, "typed\n")
        p.edit("sub/a.md", "line 12\n", "line twelve\n")
        document.wait_marks(lambda marks: len(marks) == 2)
        document.act("Reject: ", 3)
        assert document.text == "typed\n" + POEM.replace("line 12\n", "line twelve\n")


@pytest.mark.parametrize("shown", ["one\nzwei 😀\nthree\n", "one\r\nzwei 😀\r\nthree\r\n"])
def test_line_ends_and_the_mark_of_the_file(tmp_path: Path, shown: str) -> None:
    p = Project(tmp_path, {"a.md": b"\xef\xbb\xbfone\r\ntwo\r\nthree\r\n"})
    p.edit("a.md", "two", "zwei 😀")
    with editing(p) as editor:
        document = editor.open(p.root / "a.md", shown)
        (mark,) = document.wait_marks(len)
        assert mark["range"]["end"] == {"line": 1, "character": 7}
        document.act("Reject: ", 1)
        assert document.text == shown.replace("zwei 😀", "two")
        document.save(b"\xef\xbb\xbf" + document.text.replace("\r\n", "\n").replace("\n", "\r\n").encode())
        document.wait_marks(lambda marks: not marks)
    assert decisions(p) == [("reject", "")]


def test_control_characters_are_spelled(tmp_path: Path) -> None:
    p = Project(tmp_path, {"a.md": "one\x1b[31m\u202e\n"})
    p.edit("a.md", "one\x1b[31m\u202e", "two")
    with editing(p) as editor:
        document = editor.open(p.root / "a.md")
        (mark,) = document.wait_marks(len)
        assert mark["message"] == "claude-code changed 1 line\n- one\\x1b[31m<U+202E>"


def test_why_a_change_is_there(p: Project) -> None:
    with editing(p) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.wait_marks(len)
        at = {"textDocument": {"uri": document.uri}, "position": {"line": 2, "character": 1}}
        hover = editor.ask("textDocument/hover", at)
        assert hover["contents"]["kind"] == "plaintext"
        assert "asked for: write numbers as words" in hover["contents"]["value"]
        assert editor.ask("textDocument/hover", {**at, "position": {"line": 9, "character": 0}}) is None


def test_buttons_above_the_lines(p: Project) -> None:
    with editing(p, capabilities={"workspace": {"codeLens": {"refreshSupport": True}}}) as editor:
        document = editor.open(p.root / "sub/a.md")
        editor.wait(lambda: editor.asked)
        assert editor.asked[0][0] == "workspace/codeLens/refresh"
        lenses = editor.ask("textDocument/codeLens", {"textDocument": {"uri": document.uri}})
        assert [one["command"]["title"] for one in lenses] == ["Accept: claude-code changed 1 line", "Reject"]
        editor.run(lenses[0]["command"])
    assert decisions(p) == [("accept", "")]


def test_unknown_commands_are_refused(p: Project) -> None:
    with editing(p) as editor:
        with pytest.raises(Refused, match="there is no command"):
            editor.run({"command": "blueline.format", "arguments": []})
        with pytest.raises(Refused, match="what to reject"):
            editor.run({"command": "blueline.reject", "arguments": [{}]})
        assert isinstance(editor, Editor)
