"""What plugins ask for: hunks in texts that are not saved, decisions with them, and all that a tree shows."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

import pytest

from blueline.contract.editors import (
    AgreedDocument,
    EditorDecisionDocument,
    EditorFileDocument,
    EditorHunksDocument,
    EditorNews,
    ProposedDocument,
)
from blueline.contract.notes import NotesDocument
from blueline.contract.overview import OverviewDocument, OverviewPatch, StatusDocument
from tests.support.project import POEM, Project
from tests.support.shown import as_promised
from tests.surfaces.lsp.editor import Document, Editor, Refused, editing

THREE = POEM.replace("line 3\n", "line three\n")


@pytest.fixture
def p(tmp_path: Path) -> Project:
    found = Project(tmp_path, {"sub/a.md": POEM, "b.md": POEM})
    found.prompt("write numbers as words")
    found.edit("sub/a.md", "line 3\n", "line three\n")
    return found


def hunks(editor: Editor, document: Document) -> Any:
    found = as_promised(editor.ask("blueline/hunks", {"uri": document.uri}), EditorHunksDocument)
    assert found["buffer"] == document.version
    return found["hunks"]


def decide(editor: Editor, document: Document, verdict: str, **given: Any) -> Any:
    (hunk,) = hunks(editor, document)
    wish = {"selectors": [hunk["id"]], "expect": {hunk["id"]: hunk["digest"]}, **given}
    versions = [{"uri": document.uri, "version": document.version}]
    params = {"uri": document.uri, "verdict": verdict, "buffers": versions, **wish}
    return as_promised(editor.ask("blueline/decide", params), EditorDecisionDocument)


def test_nothing_is_drawn_for_a_plugin_that_draws(p: Project) -> None:
    with editing(p, draws=True, version="0.0.1") as editor:
        assert "the plugin is made for version 0.0.1" in editor.shown[0]
        document = editor.open(p.root / "sub/a.md")
        (hunk,) = hunks(editor, document)
        assert hunk["range"]["start"]["line"] == 2
        assert document.marks is None


def test_a_file_with_its_hunks_where_they_stand_in_the_text(p: Project) -> None:
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.change(0, 0, "😀\f\n")
        document.change(2, 2, "x")
        found = as_promised(editor.ask("blueline/file", {"uri": document.uri}), EditorFileDocument)
        assert (found["path"], found["buffer"], found["saved"]) == ("sub/a.md", 3, False)
        (hunk,) = found["hunks"]
        assert hunk["range"] == {"start": {"line": 3, "character": 0}, "end": {"line": 3, "character": 10}}
        assert hunk["new_words"] == [
            {"start": {"line": 3, "character": 5}, "end": {"line": 3, "character": 10}}
        ]
        closed = editor.ask("blueline/file", {"root": str(p.root), "path": "b.md"})
        assert (closed["buffer"], closed["saved"], closed["hunks"]) == (None, True, [])
        with pytest.raises(Refused, match="nothing to show"):
            editor.ask("blueline/file", {"root": str(p.root), "path": "none.md"})


def test_reject_takes_the_typing_in_and_says_how_to_follow(p: Project) -> None:
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.type("line 20\n", "line 😀 20\n")
        answer = decide(editor, document, "reject", reason="numbers stay")
        (file,) = answer["files"]
        assert file["buffer"] == document.version
        document.apply(file["edits"])
        assert document.text == p.text("sub/a.md") == POEM.replace("line 20", "line 😀 20")
        saved = editor.ask("blueline/file", {"uri": document.uri})
        assert saved["saved"]
        assert saved["revision"] == file["revision"]
    assert [one["reason"] for one in p.log("decision")] == ["numbers stay"]


def test_texts_that_nobody_has_anything_to_say_about_are_in_nobodys_way(p: Project) -> None:
    with editing(p, draws=True) as editor:
        none = [editor.open(p.root / name, "not on disk\n") for name in ("x.md", "y.md")]
        for document in none:
            document.change(0, 0, "typed\n")
        document = editor.open(p.root / "sub/a.md")
        document.type("line 20\n", "line twenty\n")
        (file,) = decide(editor, document, "reject")["files"]
        assert file["path"] == "sub/a.md"
        assert p.text("sub/a.md") == POEM.replace("line 20", "line twenty")
    assert not (p.root / "x.md").exists()


def test_accept_with_typing_saves_nothing(p: Project) -> None:
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.change(0, 0, "typed\n")
        assert decide(editor, document, "accept")["files"] == []
        assert p.text("sub/a.md") == THREE
    assert not p.hunks()


def test_undo_and_redo(p: Project) -> None:
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.apply(decide(editor, document, "reject")["files"][0]["edits"])
        document.change(0, 0, "typed\n")
        undone = editor.ask("blueline/undo", {"uri": document.uri})
        document.apply(undone["files"][0]["edits"])
        assert document.text == p.text("sub/a.md") == "typed\n" + THREE
        redone = editor.ask("blueline/redo", {})
        document.apply(redone["files"][0]["edits"])
        assert document.text == p.text("sub/a.md") == "typed\n" + POEM


@pytest.mark.parametrize("verb", ["accept", "reject", "undo", "redo"])
def test_d5_an_agent_decides_nothing_through_a_plugin(p: Project, verb: str) -> None:
    if verb in ("undo", "redo"):
        p.reject(p.hunk("three"))
    if verb == "redo":
        p.undo()
    before, text = p.log("decision"), p.text("sub/a.md")
    p.environ["CLAUDECODE"] = "1"
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.change(0, 0, "typed by nobody\n")
        given = {"uri": document.uri, "verdict": verb, "everything": True}
        with pytest.raises(Refused, match="claude-code may not"):
            editor.ask(f"blueline/{verb if verb in ('undo', 'redo') else 'decide'}", given)
    # What it would have typed is not on disk either, as somebody's.
    assert (p.log("decision"), p.text("sub/a.md")) == (before, text)


def test_a_version_that_is_not_the_editors_any_more(p: Project) -> None:
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        hunks(editor, document)
        versions = [{"uri": document.uri, "version": 7}]
        with pytest.raises(Refused) as refused:
            editor.ask(
                "blueline/decide",
                {"uri": document.uri, "verdict": "reject", "everything": True, "buffers": versions},
            )
        assert refused.value.code == -32801
        with pytest.raises(Refused) as refused:
            decide(editor, document, "reject", expect={p.hunk("three"): "0" * 16})
        assert refused.value.data["now"] == [p.hunk("three")]
    assert p.text("sub/a.md") == THREE


def test_a_trial_changes_nothing(p: Project) -> None:
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        document.change(0, 0, "typed\n")
        assert decide(editor, document, "reject", dry_run=True)["written"] == ["sub/a.md"]
    assert p.text("sub/a.md") == THREE


def test_what_a_tree_and_a_status_bar_show(p: Project) -> None:
    with editing(p, draws=True) as editor:
        overview = as_promised(editor.ask("blueline/overview", {}), OverviewDocument)
        assert overview["turns"][0]["prompt"] == "write numbers as words"
        assert [hunk["path"] for hunk in overview["hunks"]] == ["sub/a.md"]
        decide(editor, editor.open(p.root / "sub/a.md"), "accept")
        known = {"known": overview["version"]}
        patch = as_promised(editor.ask("blueline/overview", known), OverviewPatch)
        assert (patch["since"], patch["paths"]) == (overview["version"], ["sub/a.md"])
        assert patch["hunks"] == []
        # A patch is for the overview that was asked for last.
        as_promised(editor.ask("blueline/overview", known), OverviewDocument)
        editor.ask("blueline/undo", {})
        status = as_promised(editor.ask("blueline/status", {}), StatusDocument)
        assert status["counts"]["hunks"] == 1
        assert not status["gate"]["open"]
        (project,) = editor.ask("blueline/projects", {})["projects"]
        assert project == {"name": "project", "root": str(p.root)}
        why = editor.ask("blueline/hunk", {"id": p.hunk("three")})
        assert why["prompt"] == "write numbers as words"


def test_the_mode_is_shown_and_set_and_everybody_hears_of_it(p: Project) -> None:
    with editing(p, draws=True) as editor:
        assert editor.ask("blueline/mode", {}) == {"mode": "review"}
        assert editor.ask("blueline/mode", {"mode": "hold"})["mode"] == "hold"
        editor.wait(lambda: any(news["mode"] == "hold" for news in editor.news))
        as_promised(editor.news[-1], EditorNews)
        with pytest.raises(Refused, match="mode must be one of"):
            editor.ask("blueline/mode", {"mode": "fast"})


def test_agreed_bytes_and_proposals(p: Project) -> None:
    p.set_mode("hold")
    p.edit("b.md", "line 5\n", "line five\n")
    with editing(p, draws=True) as editor:
        given = {"uri": (p.root / "sub/a.md").as_uri()}
        agreed = as_promised(editor.ask("blueline/agreed", given), AgreedDocument)
        assert base64.b64decode(agreed["bytes"]) == POEM.encode()
        given = {"uri": (p.root / "b.md").as_uri()}
        proposed = as_promised(editor.ask("blueline/proposed", given), ProposedDocument)
        assert proposed["text"] == POEM.replace("line 5\n", "line five\n")
        unseen = editor.ask("blueline/agreed", {"uri": (p.root / ".blueline/config.toml").as_uri()})
        assert base64.b64decode(unseen["bytes"]) == p.read(".blueline/config.toml")


def test_notes(p: Project) -> None:
    with editing(p, draws=True) as editor:
        target = {"kind": "hunk", "id": p.hunk("three")}
        note = editor.ask("blueline/writeNote", {"target": target, "kind": "question", "text": "why words?"})
        assert [one["text"] for one in editor.ask("blueline/notes", {})["notes"]] == ["why words?"]
        editor.ask("blueline/changeNote", {"id": note["id"], "state": "resolved"})
        assert [one["state"] for one in editor.ask("blueline/notes", {})["notes"]] == ["resolved"]


def test_news_of_what_an_agent_does(p: Project) -> None:
    with editing(p, draws=True) as editor:
        editor.ask("blueline/status", {})
        p.edit("b.md", "line 5\n", "line five\n")
        editor.wait(lambda: any("b.md" in news["files"] for news in editor.news))
        editor.wait(lambda: editor.news[-1]["counts"]["hunks"] == 2)
        assert editor.news[-1]["root"] == str(p.root)


def test_notes_stand_in_the_text_of_the_editor(p: Project) -> None:
    with editing(p, draws=True) as editor:
        document = editor.open(p.root / "sub/a.md")
        hunks(editor, document)
        document.change(0, 0, "typed\n")
        target = {"kind": "line", "path": "sub/a.md", "line": 6, "end_line": 7}
        given = {"uri": document.uri, "target": target, "kind": "change", "text": "as words"}
        written = editor.ask("blueline/writeNote", given)
        assert (written["line"], written["end_line"]) == (5, 6)
        assert written["quote"] == "line 5\nline 6\n"
        (note,) = as_promised(editor.ask("blueline/notes", {}), NotesDocument)["notes"]
        assert (note["line"], note["end_line"]) == (6, 7)
        # A line that is not in the file yet is where it stands.
        given["target"] = {"kind": "line", "path": "sub/a.md", "line": 1}
        assert editor.ask("blueline/writeNote", given)["line"] == 1


def test_a_deleted_file_has_no_text_and_its_change_no_place(p: Project) -> None:
    p.remove("b.md")
    with editing(p, draws=True) as editor:
        given = {"uri": (p.root / "b.md").as_uri()}
        proposed = as_promised(editor.ask("blueline/proposed", given), ProposedDocument)
        assert proposed["text"] is None
        assert [(hunk["kind"], hunk["range"]) for hunk in proposed["hunks"]] == [("delete", None)]
