"""Where a note stands when its lines change."""

from __future__ import annotations

from tests.desk.talkback.notes import LINES, change, only, write
from tests.support.project import Project
from tests.support.workbench import Browser


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
