"""A person's words on what an agent did, kept with the lines they are about."""

from __future__ import annotations

from typing import Any

import pytest

from tests.desk.talkback.notes import LINES, change, only, write
from tests.support.project import Project
from tests.support.workbench import Browser, running


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
    project.looked_at()
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
