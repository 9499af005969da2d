"""Files that come, go, move, change their kind or their name."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from blueline.adapters import interpret
from blueline.desk.project_store import Store
from blueline.diff.edits import text_edits
from blueline.kernel import disk
from blueline.model.actor import Actor
from blueline.model.answer import PENDING
from blueline.model.fact import CallEnded, CallStarted, FileChanged, FileSeen, TurnStarted
from blueline.model.file_state import Regular
from blueline.model.ids import BlobId
from blueline.review.fold_files import state_key
from tests.support.project import POEM, Make, Project


def kinds(p: Project) -> list[tuple[str, str]]:
    return [(hunk["kind"], hunk["path"]) for hunk in p.hunks()]


def test_f01_a_created_file_goes_and_so_do_the_folders_made_for_it(project: Make) -> None:
    p = project({"a.md": "a\n"})
    (p.root / "mine").mkdir()
    before = p.on_disk()
    p.prompt()
    p.write("deep/er/new.md", "hello\n")
    p.write("mine/new.md", "hello\n")
    p.write("mine/deep/new.md", "")
    after = p.on_disk()
    assert {kind for kind, _ in kinds(p)} == {"create"}
    p.reject()
    assert p.on_disk() == before
    p.undo()
    assert p.on_disk() == after


def test_f01_a_folder_in_which_somebody_else_put_something_stays(project: Make) -> None:
    p = project({"a.md": "a\n"})
    p.prompt()
    p.write("deep/er/new.md", "hello\n")
    p.put("deep/mine.md", "mine\n")
    p.reject()
    assert p.text("deep/mine.md") == "mine\n"
    assert not p.exists("deep/er")


def test_f03_a_file_made_in_an_accepted_turn_goes_back_to_that(project: Make) -> None:
    p = project()
    p.prompt("first")
    p.write("new.md", POEM)
    p.stop()
    p.accept(p.turn("first"))
    p.prompt("second")
    p.edit("new.md", "line 3\n", "THREE\n")
    p.write("new.md", p.text("new.md").replace("line 9\n", "") + "more\n")
    p.stop()
    p.reject(p.turn("second"))
    assert (p.text("new.md"), p.hunks()) == (POEM, [])


def test_f04_a_whole_file_written_with_one_changed_line_is_a_change_of_one_line(project: Make) -> None:
    long = "".join(f"line {number}\n" for number in range(5000))
    p = project({"a.md": long})
    p.prompt()
    p.write("a.md", long.replace("line 777\n", "LINE 777\n"))
    (hunk,) = p.hunks()
    assert (hunk["old"], hunk["new"], hunk["new_start"]) == ("line 777\n", "LINE 777\n", 778)


@pytest.mark.parametrize("word", ["THREE", "NINE", "FIFTEEN"])
def test_f05_one_of_three_hunks_of_a_rewrite_goes_back_alone(project: Make, word: str) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    words = {"THREE": "line 3", "NINE": "line 9", "FIFTEEN": "line 15"}
    rewritten = POEM
    for new, old in words.items():
        rewritten = rewritten.replace(f"{old}\n", f"{new}\n")
    p.write("a.md", rewritten)
    p.reject(p.hunk(word))
    assert p.text("a.md") == rewritten.replace(word, words[word])
    assert {hunk["new"].strip() for hunk in p.hunks()} == set(words) - {word}


@pytest.mark.parametrize("mode", [0o755, 0o600, 0o444])
def test_f06_a_deleted_file_comes_back_with_its_bytes_and_its_mode(project: Make, mode: int) -> None:
    p = project({"deep/run.sh": "#!/bin/sh\r\necho hi"})
    (p.root / "deep/run.sh").chmod(mode)
    before, started = p.on_disk(), time.time_ns()
    p.prompt()
    p.remove("deep/run.sh")
    assert kinds(p) == [("delete", "deep/run.sh")]
    assert p.hunks()[0]["old"] == "#!/bin/sh\r\necho hi"
    p.reject()
    assert p.on_disk() == before
    # Its time is that of the return, so that a build notices.
    assert p.times("deep/run.sh")[1] >= started - 10**9
    p.undo()
    assert not p.exists("deep/run.sh")


def test_f06_so_it_does_when_its_folder_went_with_it(project: Make) -> None:
    p = project({"deep/er/a.bin": b"\0\1\2"})
    before = p.on_disk()
    p.prompt()
    p.remove("deep/er/a.bin")
    (p.root / "deep/er").rmdir()
    (p.root / "deep").rmdir()
    p.reject()
    assert p.on_disk() == before


def renamed(project: Make) -> Project:
    """An agent has renamed a file and changed a line in it, as a look at the whole tree will tell it."""
    p = project({"old.md": POEM})
    new = POEM.replace("line 3\n", "THREE\n")
    (p.root / "old.md").rename(p.root / "new.md")
    p.put("new.md", new)

    def state(text: str) -> Regular:
        blob = BlobId(disk.put_blob(os.fsencode(p.state / "blobs"), text.encode()))
        return Regular(mode=p.mode("new.md"), size=len(text), blob=blob)

    edits = tuple(text_edits(POEM, new))
    store = Store(p.root, p.state, interpret)
    store.catch_up()
    store.record(
        [
            TurnStarted(turn=1, conversation="c", agent="claude-code", prompt="rename"),
            FileSeen(file=1, path="old.md", state=state(POEM)),
            CallStarted(call=1, turn=1, key="c/1", tool="Bash", path=None),
            FileChanged(
                op=1,
                file=1,
                actor=Actor("agent", "claude-code"),
                call=1,
                hunk=1,
                path="new.md",
                before=state_key(state(POEM)),
                after=state(new),
                first=PENDING,
                edits=edits,
                inserted=tuple(new[edit.new_start : edit.new_end] for edit in edits),
            ),
            CallEnded(call=1, outcome="done"),
        ]
    )
    store.save()
    store.close()
    return p


def test_f09_a_rename_can_be_kept_and_its_edit_taken_back(project: Make) -> None:
    p = renamed(project)
    found = {hunk["kind"]: hunk for hunk in p.hunks()}
    assert set(found) == {"rename", "modify"}
    assert (found["rename"]["from"], found["rename"]["path"]) == ("old.md", "new.md")
    p.accept(found["rename"]["id"])
    p.reject(found["modify"]["id"])
    assert (p.exists("old.md"), p.text("new.md"), p.hunks()) == (False, POEM, [])


def test_f09_an_edit_can_be_kept_and_the_rename_taken_back(project: Make) -> None:
    p = renamed(project)
    found = {hunk["kind"]: hunk["id"] for hunk in p.hunks()}
    p.reject(found["rename"])
    assert (p.exists("new.md"), p.text("old.md")) == (False, POEM.replace("line 3\n", "THREE\n"))
    assert [(hunk["path"], hunk["new"]) for hunk in p.hunks()] == [("old.md", "THREE\n")]
    p.accept(found["modify"])
    p.undo()
    p.undo()
    assert (p.exists("old.md"), p.text("new.md")) == (False, POEM.replace("line 3\n", "THREE\n"))
    p.reject()
    assert (p.exists("new.md"), p.text("old.md")) == (False, POEM)


def test_f10_hunks_follow_a_file_that_a_person_renames(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("b.md", "b", "B")
    ids = {hunk["path"]: hunk["id"] for hunk in p.hunks()}
    (p.root / "deep").mkdir()
    (p.root / "a.md").rename(p.root / "deep/c.md")
    assert {hunk["path"]: hunk["id"] for hunk in p.hunks()} == {
        "deep/c.md": ids["a.md"],
        "b.md": ids["b.md"],
    }
    p.reject("deep/c.md")
    assert (p.text("deep/c.md"), p.exists("a.md")) == (POEM, False)


def test_f10_so_they_do_when_it_is_renamed_twice(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.hunks()
    (p.root / "a.md").rename(p.root / "c.md")
    p.hunks()
    (p.root / "c.md").rename(p.root / "a.md")
    (hunk,) = p.hunks()
    assert (hunk["path"], hunk["new"]) == ("a.md", "THREE\n")
    p.reject()
    assert (p.text("a.md"), p.exists("c.md")) == (POEM, False)


def test_f11_a_file_that_a_person_deleted_stays_away_and_its_return_shows_what_is_pending(
    project: Make,
) -> None:
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (hunk,) = p.hunks()
    content = p.read("a.md")
    (p.root / "a.md").unlink()
    assert (p.hunks(), p.gate()) == ([], [])
    p.put("a.md", content)
    assert p.hunks() == [hunk]
    (p.root / "a.md").unlink()
    done = p.reject(p.turn("please"))
    assert [(result["hunk"], result["path"]) for result in done["results"]] == [(hunk["id"], "a.md")]
    assert (done["written"], p.exists("a.md")) == ([], False)
    p.put("a.md", content)
    assert [(one["id"], one["status"]) for one in p.hunks()] == [(hunk["id"], "pending")]
    p.reject()
    assert p.text("a.md") == POEM


ODD_NAMES = [
    "with space.md",
    "quote'\".md",
    "-dash.md",
    ":colon.md",
    "new\nline.md",
    "back\\slash.md",
    "caf\u00e9.md",
    "cafe\u0301.md",
    "\u00fcml\u00e4ut \U0001f600.md",
    "caf\udce9.md",
    "h1234abcd",
    "c1",
    "t1",
    "d1",
    "a:1-2",
    "cell#1",
    "--all",
    "*",
    "folder/-/:x",
]


@pytest.mark.parametrize("name", ODD_NAMES)
def test_f12_every_verb_works_with_an_odd_name(project: Make, name: str) -> None:
    p = project({name: "one\ntwo\nthree\n"})
    p.prompt()
    p.edit(name, "one\n", "ONE\n")
    p.edit(name, "three\n", "THREE\n")
    typed = f"./{name}"
    with p.desk() as desk:
        assert desk.show(typed).get("path") == name
        assert "+ONE" in desk.diff([typed])["diff"]
        assert "+THREE" in desk.export("patch")
        assert [file["path"] for file in desk.list(by="file")["files"]] == [name]
    assert {hunk["path"] for hunk in p.hunks()} == {name}
    assert p.reject(f"{typed}:3-3")["written"] == [name]
    assert p.text(name) == "ONE\ntwo\nthree\n"
    p.undo()
    p.accept(f"{typed}:1-1")
    p.reject(typed)
    assert (p.text(name), p.hunks()) == ("ONE\ntwo\nthree\n", [])
    p.undo()
    p.redo()
    assert p.text(name) == "ONE\ntwo\nthree\n"


def test_f12_two_spellings_of_one_name_are_two_files(project: Make) -> None:
    composed, decomposed = "caf\u00e9.md", "cafe\u0301.md"
    p = project({composed: "one\n", decomposed: "one\n", "A.md": "one\n", "a.md": "one\n"})
    p.prompt()
    for name in (composed, decomposed, "A.md", "a.md"):
        p.edit(name, "one", f"ONE {len(name)}")
    p.reject(composed, "a.md")
    assert [p.text(name) for name in (composed, "a.md")] == ["one\n", "one\n"]
    assert {hunk["path"] for hunk in p.hunks()} == {decomposed, "A.md"}


def test_f12_a_rename_that_changes_only_the_case_is_followed(project: Make) -> None:
    p = project({"read.me": POEM})
    p.prompt()
    p.edit("read.me", "line 3\n", "THREE\n")
    (before,) = p.hunks()
    (p.root / "read.me").rename(p.root / "READ.ME")
    (hunk,) = p.hunks()
    assert (hunk["id"], hunk["path"]) == (before["id"], "READ.ME")
    p.reject("READ.ME")
    assert os.listdir(p.root).count("read.me") == 0
    assert p.text("READ.ME") == POEM


def test_f13_a_mode_is_a_change_of_its_own(project: Make) -> None:
    p = project({"run.sh": "#!/bin/sh\n"})
    (p.root / "run.sh").chmod(0o640)
    p.prompt()
    p.tool("Write", "run.sh", lambda: (p.root / "run.sh").chmod(0o755))
    assert kinds(p) == [("mode", "run.sh")]
    p.reject()
    assert (p.mode("run.sh"), p.text("run.sh")) == (0o640, "#!/bin/sh\n")
    p.undo()
    assert p.mode("run.sh") == 0o755
    p.accept()
    assert (p.mode("run.sh"), p.hunks()) == (0o755, [])


def test_f13_mode_and_text_of_one_call_are_decided_apart(project: Make) -> None:
    p = project({"run.sh": "#!/bin/sh\n"})
    (p.root / "run.sh").chmod(0o640)

    def act() -> None:
        p.put("run.sh", "#!/bin/bash\n")
        (p.root / "run.sh").chmod(0o755)

    p.prompt()
    p.tool("Write", "run.sh", act)
    found = {hunk["kind"]: hunk["id"] for hunk in p.hunks()}
    assert set(found) == {"mode", "modify"}
    p.reject(found["modify"])
    assert (p.mode("run.sh"), p.text("run.sh")) == (0o755, "#!/bin/sh\n")
    p.reject(found["mode"])
    assert (p.mode("run.sh"), p.text("run.sh")) == (0o640, "#!/bin/sh\n")


def test_f13_a_file_in_the_place_of_a_folder_goes_back_and_forth(project: Make) -> None:
    p = project({"d/a.md": "one\n"})
    before = p.on_disk()
    p.prompt()
    p.remove("d/a.md")
    (p.root / "d").rmdir()
    p.write("d", "now a file\n")
    after = p.on_disk()
    for _ in range(2):
        p.reject()
        assert p.on_disk() == before
        p.undo()
        assert p.on_disk() == after


@pytest.mark.parametrize("target", ["nowhere", "folder", "/nowhere/at/all"])
def test_f13_a_link_that_was_made_goes(project: Make, target: str) -> None:
    p = project({"folder/a.md": "a\n"})
    before = p.on_disk()
    p.prompt()
    p.tool("Write", "l", lambda: (p.root / "l").symlink_to(target))
    assert kinds(p) == [("symlink", "l")]
    after = p.on_disk()
    p.reject()
    assert p.on_disk() == before
    p.undo()
    assert p.on_disk() == after


def test_f13_a_link_turned_elsewhere_points_back(project: Make) -> None:
    p = project({"one/a.md": "a\n", "two/a.md": "b\n"})
    (p.root / "l").symlink_to("one")
    p.prompt()

    def act() -> None:
        (p.root / "l").unlink()
        (p.root / "l").symlink_to("two")

    p.tool("Write", "l", act)
    assert kinds(p) == [("symlink", "l")]
    p.reject()
    assert os.readlink(p.root / "l") == "one"
    p.undo()
    assert os.readlink(p.root / "l") == "two"


def test_f13_a_file_that_became_a_link_is_a_file_again(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()

    def act() -> None:
        (p.root / "a.md").unlink()
        (p.root / "a.md").symlink_to("nowhere")

    p.tool("Write", "a.md", act)
    assert kinds(p) == [("symlink", "a.md")]
    p.reject()
    assert not (p.root / "a.md").is_symlink()
    assert p.text("a.md") == POEM


def test_f13_a_link_to_a_folder_outside_is_one_change_and_never_followed(
    project: Make, tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "theirs.md").write_text("theirs\n")
    p = project({"d/a.md": "one\n"})
    p.prompt()
    p.edit("d/a.md", "one", "ONE")
    p.tool("Write", "l", lambda: (p.root / "l").symlink_to(outside))
    assert ("symlink", "l") in kinds(p)
    p.reject("l")
    assert not p.exists("l")
    (p.root / "d/a.md").unlink()
    (p.root / "d").rmdir()
    (p.root / "d").symlink_to(outside)
    p.reject()
    assert {path.name: path.read_text() for path in outside.iterdir()} == {"theirs.md": "theirs\n"}


def test_f13_nothing_is_restored_through_a_link_that_leads_out(project: Make, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    p = project({"d/a.md": "one\n", "b.md": "b\n"})
    p.prompt()
    p.remove("d/a.md")
    p.edit("b.md", "b", "B")
    (p.root / "d").rmdir()
    (p.root / "d").symlink_to(outside)
    (need,) = p.asked("reject")
    assert need["path"] == "d/a.md"
    assert os.listdir(outside) == []
    # Without the link it can be done.
    (p.root / "d").unlink()
    p.reject()
    assert (p.text("d/a.md"), p.text("b.md")) == ("one\n", "b\n")


def test_f13_what_an_agent_wrote_outside_is_named_and_not_touched(project: Make, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text("theirs\n")
    p = project({"a.md": "a\n"})
    (p.root / "link").symlink_to(outside)
    p.prompt()
    p.tool("Write", "link", lambda: outside.write_text("the agent's\n"))
    assert p.hunks() == []
    (call,) = p.calls()
    assert call["about"]["outside"] == str(outside)
    p.reject()
    assert (outside.read_text(), os.readlink(p.root / "link")) == ("the agent's\n", str(outside))
