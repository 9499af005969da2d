"""Edits that an agent makes through the SDK."""

from __future__ import annotations

import pytest

from blueline.contract.overview import Mode
from blueline.sdk import EditRefused, Outcome
from blueline.sdk.edited_files import FoundContent, ProjectFiles
from tests.sdk.agents import agent
from tests.support.project import POEM, Make


def test_an_edit_lands_and_can_be_taken_back(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p) as session, session.turn("make it louder") as turn:
        outcome = turn.edit_file("a.md", "line 3\n", "LINE THREE\n", call_id="one")
    assert outcome == Outcome(path="a.md", call="one", landed=True)
    assert p.text("a.md") == POEM.replace("line 3\n", "LINE THREE\n")
    (hunk,) = p.hunks()
    assert (hunk["tool"], hunk["actor"]) == ("edit_file", {"kind": "agent", "name": "my-agent"})
    (turn_shown,) = p.turns()
    assert (turn_shown["prompt"], turn_shown["agent"]) == ("make it louder", "my-agent")
    assert turn_shown["ended"]
    p.reject(hunk["id"])
    assert p.text("a.md") == POEM


def test_only_what_differs_in_an_edit_is_a_change(project: Make) -> None:
    p = project({"a.md": POEM})
    with agent(p).turn("please") as turn:
        turn.edit_file("a.md", "line 2\nline 3\nline 4\n", "line 2\nline three\nline 4\n")
    (hunk,) = p.hunks()
    assert (hunk["old"], hunk["new"]) == ("line 3\n", "line three\n")


def test_a_whole_file_with_one_changed_line_is_one_hunk(project: Make) -> None:
    p = project({"a.md": POEM})
    (p.root / "a.md").chmod(0o755)
    with agent(p).turn("please") as turn:
        turn.write_file(p.root / "a.md", POEM.replace("line 7\n", ""))
    (hunk,) = p.hunks()
    assert (hunk["old"], hunk["new"]) == ("line 7\n", "")
    assert p.mode("a.md") == 0o755


def test_every_place_is_replaced_when_asked_for(project: Make) -> None:
    p = project({"a.md": "x y\nx z\n"})
    with agent(p).turn("please") as turn:
        with pytest.raises(EditRefused, match="stands 2 times"):
            turn.edit_file("a.md", "x", "q")
        turn.edit_file("a.md", "x", "q", replace_all=True)
    assert p.text("a.md") == "q y\nq z\n"
    p.reject()
    assert p.text("a.md") == "x y\nx z\n"


def test_bytes_around_an_edit_stay(project: Make) -> None:
    before = b"\xef\xbb\xbfone\r\ntw\xe4\r\nthree"
    p = project({"a.txt": before})
    with agent(p).turn("please") as turn:
        turn.edit_file("a.txt", "one", "ONE")
    assert p.read("a.txt") == before.replace(b"one", b"ONE")
    p.reject()
    assert p.read("a.txt") == before


def test_text_of_line_feeds_fits_a_file_with_other_line_ends(project: Make) -> None:
    p = project({"a.txt": "one\r\ntwo\r\nthree\r\n"})
    with agent(p).turn("please") as turn:
        turn.edit_file("a.txt", "one\ntwo\n", "one\nTWO\n")
    assert p.read("a.txt") == b"one\r\nTWO\r\nthree\r\n"


@pytest.mark.parametrize(
    ("path", "old", "new", "why"),
    [
        ("a.md", "missing", "x", "not in the file"),
        ("a.md", "one", "one", "the same"),
        ("none.md", "one", "x", "no such file"),
        ("../outside.md", "", "x", "outside the project"),
        ("/etc/hostname", "", "x", "outside the project"),
        ("link/outside.md", "", "x", "outside the project"),
        (".git/hooks/pre-commit", "", "x", "belongs to git"),
        (".GIT/config", "", "x", "belongs to git"),
        ("folder", "", "x", "not a file"),
        ("zero\0byte", "", "x", "cannot be looked at"),
    ],
)
def test_what_cannot_be_edited_is_refused_and_leaves_no_trace(
    project: Make, path: str, old: str, new: str, why: str
) -> None:
    p = project({"a.md": "one\ntwo\n", "folder/b.md": ""})
    (p.root / "link").symlink_to(p.root.parent)
    before = p.on_disk()
    session = agent(p)
    with session.turn("please") as turn, pytest.raises(EditRefused, match=why):
        turn.edit_file(path, old, new)
    assert p.on_disk() == before
    assert p.calls() == []


def test_halves_of_characters_do_not_reach_a_file(project: Make) -> None:
    p = project()
    with agent(p).turn("half \ud800") as turn:
        turn.write_file("a.md", "a \ud83d\ude00 and a \udc80\n")
    assert p.text("a.md") == "a 😀 and a \N{REPLACEMENT CHARACTER}\n"
    p.reject()


# Modes


def test_in_hold_mode_an_edit_is_a_proposal(project: Make) -> None:
    p = project({"a.md": POEM})
    p.set_mode("hold")
    with agent(p).turn("please") as turn:
        outcome = turn.edit_file("a.md", "line 3", "LINE 3")
        made = turn.write_file("b.md", "")
    assert (outcome.landed, outcome.held) == (False, True)
    assert "proposal" in str(outcome)
    assert made.held
    assert p.text("a.md") == POEM
    assert not p.exists("b.md")
    assert all(hunk["held"] for hunk in p.hunks())
    p.accept()
    assert p.text("a.md") == POEM.replace("line 3", "LINE 3")
    assert p.read("b.md") == b""


@pytest.mark.parametrize("mode", ["review", "hold", "direct"])
def test_what_is_proposed_is_held_in_every_mode(project: Make, mode: Mode) -> None:
    p = project({"a.md": POEM})
    p.set_mode(mode)
    with agent(p).turn("please") as turn:
        outcome = turn.propose_edit("a.md", "line 3\n", "line three\n", "it reads better")
    assert (outcome.landed, outcome.held) == (False, True)
    assert p.text("a.md") == POEM
    (hunk,) = p.hunks()
    assert (hunk["held"], hunk["new"]) == (True, "line three\n")
    assert p.show(hunk["id"])["about"]["reason"] == "it reads better"
    p.accept()
    assert p.text("a.md") == POEM.replace("line 3\n", "line three\n")


def test_what_is_rejected_as_a_proposal_was_never_in_the_file(project: Make) -> None:
    p = project({"a.md": POEM})
    times = p.times("a.md")
    with agent(p).turn("please") as turn:
        turn.propose_edit("a.md", "line 3\n", "line three\n", "it reads better")
    p.reject()
    assert (p.text("a.md"), p.times("a.md")) == (POEM, times)


def test_no_proposal_is_made_of_what_is_no_text(project: Make) -> None:
    p = project({"a.bin": b"one\0two"})
    with agent(p).turn("please") as turn, pytest.raises(EditRefused, match="not text"):
        turn.propose_edit("a.bin", "one", "two", "why not")
    assert p.calls() == []


# Others


def test_what_a_person_saves_during_an_edit_stays_theirs(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": POEM})
    read = ProjectFiles.read

    def slow(files: ProjectFiles, path: str) -> FoundContent:
        found = read(files, path)
        if "typed" not in p.text("a.md"):
            p.sub("a.md", "line 9\n", "line 9, typed\n")
        return found

    monkeypatch.setattr(ProjectFiles, "read", slow)
    with agent(p).turn("please") as turn:
        turn.edit_file("a.md", "line 3\n", "line three\n")
    monkeypatch.undo()
    assert p.text("a.md") == POEM.replace("line 3\n", "line three\n").replace("line 9", "line 9, typed")
    (hunk,) = p.hunks()
    assert hunk["new"] == "line three\n"
    p.reject()
    assert p.text("a.md") == POEM.replace("line 9", "line 9, typed")


def test_an_edit_of_what_a_person_just_removed_is_refused(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": POEM})
    read = ProjectFiles.read

    def slow(files: ProjectFiles, path: str) -> FoundContent:
        found = read(files, path)
        if "line 3" in p.text("a.md"):
            p.sub("a.md", "line 3\n", "")
        return found

    monkeypatch.setattr(ProjectFiles, "read", slow)
    with agent(p).turn("please") as turn, pytest.raises(EditRefused, match="not in the file"):
        turn.edit_file("a.md", "line 3\n", "line three\n")
    monkeypatch.undo()
    assert p.text("a.md") == POEM.replace("line 3\n", "")
    assert p.hunks() == []
    (call,) = p.calls()
    assert call["outcome"] == "failed"
