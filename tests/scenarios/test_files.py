"""Files that come, go, move and change their kind."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path
from typing import Any

import pytest

from blueline.adapters import interpret
from blueline.desk.store import Store
from blueline.diff.edits import text_edits
from blueline.errors import BluelineError
from blueline.hook import disk
from blueline.model.actor import Actor
from blueline.model.answer import PENDING
from blueline.model.fact import CallEnded, CallStarted, FileChanged, FileSeen, TurnStarted
from blueline.model.ids import BlobId
from blueline.model.state import Regular
from blueline.review.folding import state_key
from tests.support.killing import count_steps, every_step, survives
from tests.support.project import POEM, Document, Make, Project
from tests.support.workspace import stepping_in


def kinds(p: Project) -> list[tuple[str, str]]:
    return [(hunk["kind"], hunk["path"]) for hunk in p.hunks()]


def test_f01_a_created_file_goes_and_so_do_the_folders_made_for_it(project: Make) -> None:
    p = project({"a.md": "a\n"})
    (p.root / "mine").mkdir()
    before = p.standing()
    p.prompt()
    p.write("deep/er/new.md", "hello\n")
    p.write("mine/new.md", "hello\n")
    p.write("mine/deep/new.md", "")
    after = p.standing()
    assert {kind for kind, _ in kinds(p)} == {"create"}
    p.reject()
    assert p.standing() == before
    p.undo()
    assert p.standing() == after


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
    before, started = p.standing(), time.time_ns()
    p.prompt()
    p.remove("deep/run.sh")
    assert kinds(p) == [("delete", "deep/run.sh")]
    assert p.hunks()[0]["old"] == "#!/bin/sh\r\necho hi"
    p.reject()
    assert p.standing() == before
    # Its time is that of the return, so that a build notices.
    assert p.times("deep/run.sh")[1] >= started - 10**9
    p.undo()
    assert not p.exists("deep/run.sh")


def test_f06_so_it_does_when_its_folder_went_with_it(project: Make) -> None:
    p = project({"deep/er/a.bin": b"\0\1\2"})
    before = p.standing()
    p.prompt()
    p.remove("deep/er/a.bin")
    (p.root / "deep/er").rmdir()
    (p.root / "deep").rmdir()
    p.reject()
    assert p.standing() == before


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
            CallStarted(call=1, turn=1, key="c/1", tool="Bash", path=None, about={}),
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
            CallEnded(call=1, outcome="done", about={}),
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
        assert desk.show(typed)["path"] == name
        assert "+ONE" in desk.diff([typed])
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
    before = p.standing()
    p.prompt()
    p.remove("d/a.md")
    (p.root / "d").rmdir()
    p.write("d", "now a file\n")
    after = p.standing()
    for _ in range(2):
        p.reject()
        assert p.standing() == before
        p.undo()
        assert p.standing() == after


@pytest.mark.parametrize("target", ["nowhere", "folder", "/nowhere/at/all"])
def test_f13_a_link_that_was_made_goes(project: Make, target: str) -> None:
    p = project({"folder/a.md": "a\n"})
    before = p.standing()
    p.prompt()
    p.tool("Write", "l", lambda: (p.root / "l").symlink_to(target))
    assert kinds(p) == [("symlink", "l")]
    after = p.standing()
    p.reject()
    assert p.standing() == before
    p.undo()
    assert p.standing() == after


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


BINARY = {
    "binary": (b"\0one\1", b"\0two\1\n"),
    "latin-1": ("eins \u00e4\n".encode("latin-1"), "zwei \u00f6\n".encode("latin-1")),
    "utf-16": ("one\n".encode("utf-16"), "two\n".encode("utf-16")),
    "became text": (b"\0\xff", b"text\n"),
    "was text": (b"text\n", b"\0\xff"),
}


@pytest.mark.parametrize(("old", "new"), BINARY.values(), ids=BINARY)
def test_f14_what_is_not_text_is_one_change_exact_both_ways(project: Make, old: bytes, new: bytes) -> None:
    p = project({"f": old})
    p.prompt()
    p.write("f", new)
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["old"], hunk["new"]) == ("binary", None, None)
    p.reject(hunk["id"])
    assert p.read("f") == old
    p.undo()
    assert p.read("f") == new
    p.accept("f")
    assert (p.read("f"), p.hunks()) == (new, [])


def test_f14_of_several_versions_each_can_go_back(project: Make) -> None:
    p = project({"f": b"\0one"})
    p.prompt("first")
    p.write("f", b"\0two")
    p.prompt("second")
    p.write("f", b"\0three")
    p.asked("reject", p.turn("first"))
    p.reject(p.turn("second"))
    assert p.read("f") == b"\0two"
    p.undo()
    p.reject(p.turn("first"), dependents="with")
    assert p.read("f") == b"\0one"
    p.undo()
    p.put("f", b"\0mine")
    p.reject()
    assert p.read("f") == b"\0mine"


BYTES = {
    "crlf": b"one\r\ntwo\r\nthree\r\n",
    "mixed": b"one\r\ntwo\nthree\rfour\n",
    "bom": b"\xef\xbb\xbfone\ntwo\nthree\n",
    "lone cr": b"one\rtwo\rthree\r",
    "nul": b"one\ntwo\0\nthree\n",
    "no last newline": b"one\ntwo\nthree",
    "blank lines": b"\n\n\ntwo\n\n\n",
    "empty": b"",
    "one newline": b"\n",
    "odd line ends": "one\u2028two\x0b\x0c\x85three\n".encode(),
    "latin-1": "eins\nzwei \u00e4\ntwo\n".encode("latin-1"),
}


@pytest.mark.parametrize("content", BYTES.values(), ids=BYTES)
def test_f15_rejecting_all_gives_back_the_same_bytes(project: Make, content: bytes) -> None:
    p = project({"f": content})
    p.prompt()
    p.write("f", content.replace(b"two", b"TWO") + b"more\n")
    if b"two" in content and b"\0" not in content and content.isascii():
        p.edit("f", "TWO", "ZWEI")
    p.write("f", b"above\r\n" + p.read("f"))
    after = p.read("f")
    p.reject()
    assert p.read("f") == content
    p.undo()
    assert p.read("f") == after


def flipped(project: Make) -> tuple[Project, dict[bool, str]]:
    p = project({"a.md": POEM.replace("\n", "\r\n")})
    p.prompt()
    p.write("a.md", POEM.replace("line 7", "SEVEN 7"))
    found = p.hunks()
    assert len(found) == 2
    return p, {hunk["endings"]: hunk["id"] for hunk in found}


def test_f16_flipped_line_endings_and_a_changed_word_are_two_changes(project: Make) -> None:
    p, found = flipped(project)
    p.reject(found[True])
    assert p.read("a.md") == POEM.replace("line 7", "SEVEN 7").replace("\n", "\r\n").encode()
    assert [hunk["id"] for hunk in p.hunks()] == [found[False]]
    p.reject()
    assert p.read("a.md") == POEM.replace("\n", "\r\n").encode()


def test_f16_the_word_goes_back_and_the_endings_stay(project: Make) -> None:
    p, found = flipped(project)
    p.accept(found[True])
    p.reject(found[False])
    assert p.read("a.md") == POEM.encode()


def test_f17_a_file_that_git_ignores_is_reviewed_like_any_other(project: Make) -> None:
    p = project({".gitignore": ".env\nbuild/\n", ".env": "TOKEN=abc\n", "build/out.txt": "old\n"})
    p.prompt()
    p.edit(".env", "abc", "xyz")
    p.write("build/out.txt", "new\n")
    p.write("build/more.txt", "new\n")
    assert len(p.hunks()) == 3
    p.reject()
    assert (p.text(".env"), p.text("build/out.txt")) == ("TOKEN=abc\n", "old\n")
    assert not p.exists("build/more.txt")


def test_f17_a_huge_file_is_reviewed_and_costs_what_changed(project: Make) -> None:
    # Long lines: what is slow about many short ones is the comparison, not the size.
    text = "".join(f"{number:05d} {'x' * 990}\n" for number in range(10_000))
    p = project({"big.txt": text})
    p.prompt()
    p.edit("big.txt", "07777 xxx", "07777 yyy")
    assert p.read("big.txt") != text.encode()
    (hunk,) = p.hunks()
    assert (hunk["new_start"], hunk["new_lines"]) == (7778, 1)
    stored = sum(path.stat().st_size for path in (p.state / "blobs").rglob("*") if path.is_file())
    assert stored < 1.2 * len(text)
    p.reject(hunk["id"])
    assert p.read("big.txt") == text.encode()


class _InFolder:
    """`os.open` with `dir_fd` of a closed folder fails, as it would for somebody who may not write there."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = os.stat(folder)
        self._number = number
        self._open = os.open

    def __call__(self, path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        creating = flags & os.O_CREAT and dir_fd is not None
        if creating and os.path.samestat(os.fstat(dir_fd or 0), self._folder):
            raise OSError(self._number, os.strerror(self._number), path)
        return self._open(path, flags, mode, dir_fd=dir_fd)


@pytest.mark.parametrize("number", [errno.EACCES, errno.EROFS, errno.ENOSPC])
def test_f18_a_folder_that_is_closed_at_reject_time_stops_the_whole_batch(
    project: Make, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    p = project({"open/a.md": "one\n", "closed/b.md": "one\n", "open/c.md": "one\n"})
    p.prompt()
    for path in ("open/a.md", "closed/b.md", "open/c.md"):
        p.edit(path, "one", "ONE")
    before, pending = p.standing(), p.hunks()
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", _InFolder(p.root / "closed", number))
        with pytest.raises(BluelineError, match=r"closed/b\.md") as refused:
            p.reject()
    assert refused.value.hint
    assert (p.standing(), p.hunks(), p.log("decision")) == (before, pending, [])
    p.reject()
    assert {p.text(path) for path in ("open/a.md", "closed/b.md", "open/c.md")} == {"one\n"}


def test_f18_a_file_that_is_now_reached_through_a_link_out_stops_the_whole_batch(
    project: Make, tmp_path: Path
) -> None:
    p = project({"d/a.md": "one\n", "b.md": "one\n"})
    p.prompt()
    p.remove("d/a.md")
    p.edit("b.md", "one", "ONE")
    (p.root / "d").rmdir()
    (p.root / "d").symlink_to(tmp_path)
    needs = p.asked("reject")
    assert [(need["path"], need["why"]) for need in needs] == [("d/a.md", "moved-on")]
    p.reject("b.md")
    assert p.text("b.md") == "one\n"


def mixed_batch(project: Make) -> Project:
    """Every kind of change in one turn: rejecting it writes, makes, removes, links and sets modes."""
    p = project(
        {"a.md": POEM, "deep/b.md": POEM, "gone.md": "gone\n", "run.sh": "#!/bin/sh\n", "f": b"\0one"}
    )
    (p.root / "l").symlink_to("deep")
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("deep/b.md", "line 9\n", "")
    p.remove("gone.md")
    p.write("made/for/it/new.md", "new\n")
    p.tool("Write", "run.sh", lambda: (p.root / "run.sh").chmod(0o755))
    p.write("f", b"\0two")

    def relink() -> None:
        (p.root / "l").unlink()
        (p.root / "l").symlink_to("nowhere")

    p.tool("Write", "l", relink)
    return p


def whole(p: Project, before: dict[str, object], pending: list[Document], after: dict[str, object]) -> bool:
    """Whether a decision was carried out as a whole; the other possibility is not at all. Never half."""
    left = p.hunks()
    assert not any(name.endswith(".tmp") for name in p.standing())
    if left:
        assert (p.standing(), left) == (before, pending)
    else:
        assert p.standing() == after
    return not left


@pytest.mark.parametrize("torn", [False, True], ids=["between steps", "in the middle of a write"])
def test_f19_a_batch_killed_at_any_step_is_finished_or_forgotten_as_a_whole(
    project: Make, torn: bool
) -> None:
    p = mixed_batch(project)
    p.is_damaged = torn
    before, pending = p.standing(), p.hunks()
    p.reject()
    after = p.standing()
    p.undo()
    outcomes = []
    for _ in every_step(p.reject, torn=torn):
        outcomes.append(whole(p, before, pending, after))
        if outcomes[-1]:
            p.undo()
        assert (p.standing(), p.hunks()) == (before, pending)
    assert set(outcomes) == {True, False}
    assert len(outcomes) > 40


def test_f19_a_batch_that_fails_at_any_step_is_finished_or_forgotten_as_a_whole(project: Make) -> None:
    p = mixed_batch(project)
    before, pending = p.standing(), p.hunks()
    p.reject()
    after = p.standing()
    p.undo()
    for number in range(1000):
        left = number

        def fail(name: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            left -= name != "rmdir"  # a folder that will not go is in nobody's way
            if left == -1:
                raise OSError(errno.EIO, os.strerror(errno.EIO))

        said = ""
        with stepping_in(fail):
            try:
                p.reject()
            except BluelineError as error:
                said = str(error)
        done = whole(p, before, pending, after)
        assert done or said
        if done:
            p.undo()
        if left >= 0:
            break
    assert number > 40


COUNT = 200


def test_f19_two_hundred_files_killed_here_and_there_are_as_the_state_says(project: Make) -> None:
    p = project({f"{number % 7}/f{number}.md": "one\ntwo\n" for number in range(COUNT)})
    p.prompt()
    for number in range(COUNT):
        p.edit(f"{number % 7}/f{number}.md", "one\n", f"ONE {number}\n")
    before, pending = p.standing(), p.hunks()
    assert len(pending) == COUNT
    steps = count_steps(p.reject)
    after = p.standing()
    p.undo()
    assert steps > 5 * COUNT
    finished = set()
    for at in [*range(steps // 16, steps, steps // 16), steps - 1]:
        assert not survives(p.reject, at)
        finished.add(whole(p, before, pending, after))
        if p.hunks() == []:
            p.undo()
    assert finished == {True, False}


def test_f20_a_persons_file_where_an_agent_once_made_one_is_not_removed(project: Make) -> None:
    p = project({"a.md": "a\n"})
    p.prompt()
    p.write("new.md", "the agent's\n")
    (p.root / "new.md").unlink()
    p.put("new.md", "mine\n")
    p.reject()
    assert p.text("new.md") == "mine\n"


def test_f20_a_file_that_was_there_before_the_agent_wrote_it_stays(project: Make) -> None:
    p = project({"a.md": "a\n"})
    p.prompt()
    p.put("mine.md", "mine\n")
    p.write("mine.md", "the agent's\n")
    p.put("empty.md", "")
    p.write("empty.md", "the agent's\n")
    p.reject()
    assert (p.text("mine.md"), p.text("empty.md")) == ("mine\n", "")


def test_f20_a_file_of_which_the_beginning_is_not_known_is_not_removed(project: Make) -> None:
    p = project({"mine.md": "mine\n"})
    p.prompt()
    call = p.call("Write", "mine.md", content="the agent's\n")
    p.put("mine.md", "the agent's\n")
    p.end(call)  # nobody saw it begin
    (hunk,) = p.hunks()
    assert not hunk["complete"]
    (need,) = p.asked("reject")
    assert need["why"] == "before-unknown"
    assert p.text("mine.md") == "the agent's\n"
    p.accept()
    assert p.hunks() == []


def test_f20_files_beside_those_an_agent_made_stay(project: Make) -> None:
    p = project({"a.md": "a\n"})
    p.prompt()
    p.write("made/one.md", "the agent's\n")
    p.put("made/two.md", "mine\n")
    (p.root / "made/empty").mkdir()
    for verdict in ("reject", "accept"):
        answer = p.decide(verdict, [])
        assert answer["needs"] == []
    assert (p.exists("made/one.md"), p.text("made/two.md"), p.exists("made/empty")) == (False, "mine\n", True)


def test_f20_what_was_accepted_is_not_removed_by_rejecting_what_came_later(project: Make) -> None:
    p = project({"a.md": "a\n"})
    p.prompt("first")
    p.write("new.md", "one\n")
    p.accept()
    p.prompt("second")
    p.remove("new.md")
    p.write("new.md", "two\n")
    for _ in range(2):
        p.reject(p.turn("second"))
        assert p.text("new.md") == "one\n"
        p.undo()
        assert p.text("new.md") == "two\n"


def test_f11_a_file_that_came_and_went_since_it_was_last_missed_is_missed_again(project: Make) -> None:
    p = project({"a.md": "one\n"})
    p.prompt()
    p.edit("a.md", "one", "ONE")
    (p.root / "a.md").unlink()
    assert p.hunks() == []
    p.write("a.md", "two\n")
    (p.root / "a.md").unlink()
    assert p.hunks() == []
    p.reject()
    assert not (p.root / "a.md").exists()


def test_f11_a_file_brought_back_by_undo_and_deleted_is_missed(project: Make) -> None:
    p = project()
    p.prompt()
    p.write("n.md", "new\n")
    p.reject()
    assert p.hunks() == []
    p.undo()
    (p.root / "n.md").unlink()
    assert p.hunks() == []
