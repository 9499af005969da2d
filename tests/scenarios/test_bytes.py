"""Bytes come back as they were, in one file or in a batch of many."""

from __future__ import annotations

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from blueline.errors import BluelineError
from tests.support.killing import count_steps, every_step, survives
from tests.support.project import POEM, Document, Make, Project
from tests.support.workspace import stepping_in

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
    before, pending = p.on_disk(), p.hunks()
    with monkeypatch.context() as patch:
        patch.setattr(os, "open", _InFolder(p.root / "closed", number))
        with pytest.raises(BluelineError, match=r"closed/b\.md") as refused:
            p.reject()
    assert refused.value.hint
    assert (p.on_disk(), p.hunks(), p.log("decision")) == (before, pending, [])
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
    assert not any(name.endswith(".tmp") for name in p.on_disk())
    if left:
        assert (p.on_disk(), left) == (before, pending)
    else:
        assert p.on_disk() == after
    return not left


@pytest.mark.parametrize("torn", [False, True], ids=["between steps", "in the middle of a write"])
def test_f19_a_batch_killed_at_any_step_is_finished_or_forgotten_as_a_whole(
    project: Make, torn: bool
) -> None:
    p = mixed_batch(project)
    p.is_damaged = torn
    before, pending = p.on_disk(), p.hunks()
    p.reject()
    after = p.on_disk()
    p.undo()
    outcomes = []
    for _ in every_step(p.reject, torn=torn):
        outcomes.append(whole(p, before, pending, after))
        if outcomes[-1]:
            p.undo()
        assert (p.on_disk(), p.hunks()) == (before, pending)
    assert set(outcomes) == {True, False}
    assert len(outcomes) > (10 if torn else 40)


def test_f19_a_batch_that_fails_at_any_step_is_finished_or_forgotten_as_a_whole(project: Make) -> None:
    p = mixed_batch(project)
    before, pending = p.on_disk(), p.hunks()
    p.reject()
    after = p.on_disk()
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
    before, pending = p.on_disk(), p.hunks()
    assert len(pending) == COUNT
    steps = count_steps(p.reject)
    after = p.on_disk()
    p.undo()
    assert steps > 5 * COUNT
    finished = set()
    for at in [*range(steps // 8, steps, steps // 8), steps - 1]:
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


def test_f14_a_new_file_that_is_not_text_is_new(project: Make) -> None:  # D4
    p = project()
    p.prompt()
    p.write("f", b"\0one\1")
    (hunk,) = p.hunks()
    assert (hunk["kind"], hunk["old"], hunk["new"]) == ("create", "", None)
    p.write("f", b"\0two\1")
    assert [hunk["kind"] for hunk in p.hunks()] == ["create", "binary"]
    p.reject()
    assert (p.exists("f"), p.hunks()) == (False, [])
