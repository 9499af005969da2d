"""A person's words on what an agent did, kept with the lines they are about."""

from __future__ import annotations

import json
from typing import Any

import pytest

from tests.support.project import Project
from tests.support.workbench import Browser, running


def write(
    browser: Browser, target: dict[str, Any], kind: str = "change", text: str = "why?"
) -> dict[str, Any]:
    found = browser.post("/api/notes", target=target, kind=kind, text=text, key=browser.key())
    assert found.status == 200, found.body
    return found.json


def change(browser: Browser, note: dict[str, Any], **fields: str) -> dict[str, Any]:
    found = browser.post(f"/api/notes/{note['id']}", **fields)
    assert found.status == 200, found.body
    return found.json


def only(browser: Browser) -> dict[str, Any]:
    (note,) = browser.document("/api/notes")["notes"]
    return dict(note)


LINES = {"kind": "line", "path": "poem.txt", "line": 5, "end_line": 6}


def test_a_note_quotes_its_lines(browser: Browser) -> None:
    note = write(browser, LINES, "question", "must this be so loud?")
    assert note["id"] == "n1"
    assert (note["kind"], note["text"], note["state"]) == ("question", "must this be so loud?", "draft")
    assert (note["quote"], note["path"], note["line"], note["end_line"]) == (
        "LINE 5\nline 6\n",
        "poem.txt",
        5,
        6,
    )
    assert note["target"] == LINES
    assert {name: value for name, value in note.items() if name != "version"} == only(browser)
    assert browser.document("/api/overview")["files"][0]["notes"] == 1


@pytest.mark.parametrize("kind", ["hunk", "call", "turn", "file"])
def test_other_things_can_be_noted(browser: Browser, kind: str) -> None:
    hunk = browser.document("/api/overview")["hunks"][0]
    target = (
        {"kind": kind, "path": "poem.txt"}
        if kind == "file"
        else {"kind": kind, "id": hunk.get(kind, hunk["id"])}
    )
    note = write(browser, target)
    assert note["target"]["kind"] == kind
    assert note["quote"] == ("LINE 5\n" if kind == "hunk" else "")
    assert note["line"] == (5 if kind == "hunk" else None)


def test_a_note_goes_where_its_lines_go(project: Project, browser: Browser) -> None:
    write(browser, LINES)
    project.sub("poem.txt", "line 1\n", "new\nlines\nline 1\n")
    assert (only(browser)["line"], only(browser)["end_line"], only(browser)["state"]) == (7, 8, "draft")
    (project.root / "poem.txt").rename(project.root / "verse.txt")
    assert only(browser)["path"] == "verse.txt"
    assert (only(browser)["line"], only(browser)["quote"]) == (7, "LINE 5\nline 6\n")


def test_a_note_whose_lines_are_gone_is_outdated(project: Project, browser: Browser) -> None:
    write(browser, LINES)
    project.sub("poem.txt", "LINE 5\nline 6\n", "")
    assert (only(browser)["state"], only(browser)["line"]) == ("outdated", 5)


def test_a_note_is_answered_when_its_lines_change(project: Project, browser: Browser) -> None:
    note = write(browser, LINES)
    assert change(browser, note, state="sent")["state"] == "sent"
    project.prompt("the note")
    project.edit("poem.txt", "LINE 5\n", "Line 5\n")
    assert only(browser)["state"] == "answered"
    assert change(browser, note, state="resolved")["state"] == "resolved"
    assert browser.document("/api/overview")["files"][0]["notes"] == 0


def test_another_text_is_a_draft_again(browser: Browser) -> None:
    note = write(browser, LINES)
    change(browser, note, state="sent")
    found = change(browser, note, text="and why?")
    assert (found["text"], found["state"]) == ("and why?", "draft")
    change(browser, note, state="sent")
    assert change(browser, note, text="and why?")["state"] == "sent", "it is the same text"


def test_a_removed_note_is_not_there(browser: Browser) -> None:
    note = write(browser, LINES)
    change(browser, note, state="removed")
    assert browser.document("/api/notes")["notes"] == []
    assert browser.post(f"/api/notes/{note['id']}", text="x").status == 404


def test_what_must_be_fixed_closes_the_gate(project: Project, browser: Browser) -> None:
    project.without_loops()
    browser.decide("accept", everything=True)
    assert browser.document("/api/overview")["gate"]["open"]
    note = write(browser, LINES, "must-fix")
    gate = browser.document("/api/overview")["gate"]
    assert (gate["open"], [one["code"] for one in gate["reasons"]]) == (False, ["must-fix"])
    change(browser, note, state="sent")
    assert not browser.document("/api/overview")["gate"]["open"]
    change(browser, note, state="resolved")
    assert browser.document("/api/overview")["gate"]["open"]
    other = write(browser, LINES, "question")
    assert browser.document("/api/overview")["gate"]["open"]
    assert other["id"] == "n2"


def test_notes_are_in_the_timeline_and_told_as_events(browser: Browser) -> None:
    version = browser.document("/api/overview")["version"]
    stream = browser.events(after=str(version))
    write(browser, LINES)
    assert stream.next().data["files"] == ["poem.txt"]
    entry = browser.document("/api/timeline")["entries"][0]
    assert (entry["id"], entry["kind"], entry["note"], entry["text"]) == ("n1", "note", "change", "why?")


def test_notes_outlive_the_server_and_the_index(project: Project) -> None:
    with running(project) as first:
        browser = first.enter()
        note = write(browser, LINES)
        change(browser, note, state="sent")
        known = browser.document("/api/notes")
    project.lose_index()
    with running(project) as second:
        assert second.enter().document("/api/notes") == known


def test_one_note_for_each_key(browser: Browser) -> None:
    fields: dict[str, Any] = {"target": LINES, "kind": "keep", "text": "good", "key": "the same"}
    assert browser.post("/api/notes", **fields).body == browser.post("/api/notes", **fields).body
    assert len(browser.document("/api/notes")["notes"]) == 1


def test_a_file_that_nobody_changed_can_be_noted(browser: Browser) -> None:
    note = write(browser, {"kind": "line", "path": "src/a.py", "line": 2})
    assert (note["quote"], note["path"]) == ("two\n", "src/a.py")
    assert browser.document("/api/overview")["counts"]["files"] == 1


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ({"kind": "line", "path": "poem.txt", "line": 0}, 400),
        ({"kind": "line", "path": "poem.txt", "line": 21}, 409),
        ({"kind": "line", "path": "poem.txt", "line": 7, "end_line": 6}, 409),
        ({"kind": "line", "path": "poem.txt"}, 409),
        ({"kind": "line", "path": "nowhere", "line": 1}, 404),
        ({"kind": "file", "path": "../x"}, 404),
        ({"kind": "file", "path": ""}, 404),
        ({"kind": "hunk", "id": "h00000000"}, 404),
        ({"kind": "hunk"}, 404),
        ({"kind": "turn", "id": "c1"}, 404),
        ({"kind": "call", "id": "t1"}, 404),
        ({"kind": "turn", "id": "t99"}, 404),
        ({"kind": "word", "id": "t1"}, 400),
        ({}, 400),
        ("t1", 400),
    ],
)
def test_a_note_about_nothing_is_refused(browser: Browser, target: Any, status: int) -> None:
    found = browser.post("/api/notes", target=target, kind="change", text="x", key="k")
    assert (found.status, set(found.json)) == (status, {"error", "hint"})
    assert browser.document("/api/notes")["notes"] == []


def test_a_note_is_changed_to_something_sensible(browser: Browser) -> None:
    note = write(browser, LINES)
    for fields in ({}, {"state": "answered"}, {"state": 1}, {"text": 1}, {"text": "x" * 20_001}):
        assert browser.post(f"/api/notes/{note['id']}", **fields).status == 400
    for name in ("n99", "x", "n", "n-1", "n1x", "n%C2%B2", "%2e%2e"):
        assert browser.post(f"/api/notes/{name}", text="x").status == 404


def test_the_content_of_notes_can_be_purged(project: Project, browser: Browser) -> None:
    write(browser, LINES)
    browser.decide("accept", everything=True)
    with project.desk() as desk:
        desk.purge(["poem.txt"], everything=False, dry_run=False)
    assert b"LINE 5" not in project.journal.read_bytes()
    assert only(browser)["quote"] == ""


class TestTelling:
    """A note that is sent is heard with the next prompt, once, by the agent that has to do with it."""

    def heard(self, project: Project, conversation: str | None = None) -> str:
        event = project.event("UserPromptSubmit", prompt="go on")
        if conversation is not None:
            event = project.event("UserPromptSubmit", prompt="go on", session_id=conversation)
        code, out, err = project.hook(event)
        assert (code, err) == (0, b"")
        said = json.loads(out)["hookSpecificOutput"]["additionalContext"] if out else ""
        with project.desk():
            pass
        return str(said)

    def test_a_note_that_was_sent_is_heard_once(self, project: Project, browser: Browser) -> None:
        note = write(browser, LINES, "must-fix", "not so loud\nplease")
        assert self.heard(project) == ""
        change(browser, note, state="sent")
        assert self.heard(project, "somebody else") == ""
        said = self.heard(project)
        assert 'something that must be fixed, about "poem.txt", lines 5 to 6 (n1)' in said
        for line in ("  | LINE 5\n", "  | line 6\n", "  | not so loud\n", "  | please\n"):
            assert line in said
        assert self.heard(project) == ""

    def test_one_that_was_changed_and_sent_again_is_heard_again(
        self, project: Project, browser: Browser
    ) -> None:
        note = write(browser, LINES, text="first")
        change(browser, note, state="sent")
        assert "| first\n" in self.heard(project)
        change(browser, note, text="second")
        assert self.heard(project) == ""
        change(browser, note, state="sent")
        assert "| second\n" in self.heard(project)

    def test_one_that_was_settled_before_anybody_heard_it_is_not_heard(
        self, project: Project, browser: Browser
    ) -> None:
        note = write(browser, LINES)
        change(browser, note, state="sent")
        change(browser, note, state="resolved")
        assert self.heard(project) == ""

    def test_notes_come_with_decisions(self, project: Project, browser: Browser) -> None:
        write_turn = write(browser, {"kind": "turn", "id": "t1"}, "question", "what was this for?")
        change(browser, write_turn, state="sent")
        browser.decide("reject", "poem.txt:12", reason="no")
        said = self.heard(project)
        assert "a question to answer, about your turn t1 (n1)" in said
        assert said.index("| what was this for?") < said.index("Taken back")

    def test_what_was_heard_is_known_without_the_index(self, project: Project) -> None:
        with running(project) as workbench:
            browser = workbench.enter()
            change(browser, write(browser, LINES), state="sent")
            assert "(n1)" in self.heard(project)
            change(browser, write(browser, LINES, text="another"), state="sent")
        project.lose_index()
        project.hunks()
        said = self.heard(project)
        assert "(n2)" in said
        assert "(n1)" not in said

    def test_more_than_fits_is_heard_the_next_time(self, project: Project, browser: Browser) -> None:
        for number in range(8):
            note = write(browser, LINES, text=f"note {number}\n" + "x" * 100 + "\n" + "y" * 100)
            change(browser, note, state="sent")
        first, second = self.heard(project), self.heard(project)
        assert len(first) < 4000
        assert "note 0" in first
        assert "note 7" not in first
        assert "note 0" not in second
        assert "note 7" in first + second + self.heard(project)

    def test_nothing_of_a_secret_is_quoted(self, project: Project, browser: Browser) -> None:
        project.put(".env", "TOKEN=hunter2\n")
        note = write(browser, {"kind": "line", "path": ".env", "line": 1}, text="turn this")
        change(browser, note, state="sent")
        said = self.heard(project)
        assert "turn this" in said
        assert "hunter2" not in said
