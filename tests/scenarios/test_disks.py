"""Content that is lost or damaged, disks that are full or closed."""

from __future__ import annotations

import errno
import os
import shutil
import signal
from pathlib import Path
from typing import Any

import pytest

from blueline.errors import BluelineError
from blueline.journal.frames import OBSERVATION
from blueline.kernel import project_folder
from blueline.model.fact import DecisionMade
from tests.support.durable import before_blob, edited, facts
from tests.support.project import POEM, Make, Project
from tests.support.workspace import stepping_in


def with_lost_content(project: Make, how: str) -> Project:
    """What one of two files held before an agent's edit is lost."""
    p = project({"a.md": POEM, "b.md": "b\n"})
    p.is_damaged = True
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("b.md", "b", "B")
    p.hunks()
    blob = before_blob(p, "a.md")
    if how == "missing":
        blob.unlink()
    else:
        blob.write_bytes(b"" if how == "empty" else b"0something else")
    p.lose_index()
    return p


LOST = pytest.mark.parametrize("how", ["missing", "empty", "damaged"])


@LOST
def test_qd5_an_edit_whose_content_is_lost_is_named_by_check(project: Make, how: str) -> None:
    p = with_lost_content(project, how)
    checked = p.check()
    assert not checked["ok"]
    assert any("a.md" in f"{problem['what']} {problem['where']}" for problem in checked["problems"])
    assert not any("b.md" in f"{problem['what']} {problem['where']}" for problem in checked["problems"])


@LOST
def test_qd5_an_edit_whose_content_is_lost_is_shown_as_such_and_not_taken_back(
    project: Make, how: str
) -> None:
    p = with_lost_content(project, how)
    after = p.read("a.md")
    (hunk,) = p.hunks("a.md")
    assert (hunk["complete"], hunk["old"]) == (False, None)
    assert any("content" in warning for warning in p.warnings)
    assert [need["why"] for need in p.asked("reject", "a.md")] == ["before-unknown"]
    assert p.read("a.md") == after
    # The other file has nothing to do with it.
    p.reject("b.md")
    assert p.text("b.md") == "b\n"


@LOST
def test_qd5_lost_content_closes_the_gate(project: Make, how: str) -> None:
    p = with_lost_content(project, how)
    p.accept()
    assert set(p.gate()) & {"corrupt-state", "incomplete"}


def test_qd5_content_that_is_needed_is_stored_again_when_it_is_seen_again(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.hunks()
    before_blob(p, "a.md").unlink()
    p.reject()
    assert p.text("a.md") == POEM
    assert p.check()["ok"]


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another file system, for what cannot be written where it belongs."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.setattr(project_folder, "FALLBACKS", (os.fsencode(folder),))
    return folder


def refusing(folder: Path, fallbacks: Path, number: int) -> str:
    """For the hook process: nothing can be written below a folder."""
    return f"""
import posix
recorder.project_folder.FALLBACKS = ({os.fsencode(fallbacks)!r},)
ours, opening, writing = set(), posix.open, posix.write
def guarded_open(path, flags, mode=0o777, dir_fd=None):
    fd = opening(path, flags, mode, dir_fd=dir_fd)
    (ours.add if path.startswith({os.fsencode(folder)!r}) else ours.discard)(fd)
    return fd
def guarded_write(fd, data):
    if fd in ours: raise OSError({number}, "refused")
    return writing(fd, data)
posix.open, posix.write = guarded_open, guarded_write
"""


def test_qd7_what_a_full_disk_refused_is_kept_elsewhere_and_the_next_command_says_so(
    project: Make, elsewhere: Path
) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    full = refusing(p.state, elsewhere, errno.ENOSPC)
    call = p.call("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    assert p.hook(p.before(call), full) == (0, b"", b"")
    p.sub("a.md", "line 3\n", "THREE\n")
    assert p.hook(p.after(call), full) == (0, b"", b"")
    assert list(elsewhere.rglob("journal"))
    (hunk,) = p.hunks()
    assert (hunk["new"], hunk["actor"]["kind"], hunk["complete"]) == ("THREE\n", "agent", True)
    # `hunks` was the next command.
    p.lose_index()
    p.reject()
    assert p.text("a.md") == POEM
    assert list(elsewhere.rglob("journal")) == []


def test_qd7_the_warning_names_how_many_records(project: Make, elsewhere: Path) -> None:
    p = project({"a.md": POEM})
    p.hook(p.event("UserPromptSubmit", prompt="x"), refusing(p.state, elsewhere, errno.ENOSPC))
    p.hunks()
    assert any(warning.startswith("1 records") for warning in p.warnings)
    p.hunks()
    assert p.warnings == []


def test_qd8_a_disk_that_fills_up_at_any_step_of_a_revert_leaves_all_old_or_all_new(project: Make) -> None:
    p = project({"a.md": POEM, "deep/b.md": POEM, "c.md": POEM})
    p.prompt()
    for path in ("a.md", "deep/b.md", "c.md"):
        p.edit(path, "line 3\n", "THREE\n")
    before, pending = p.on_disk(), p.hunks()
    p.reject()
    after = p.on_disk()
    p.undo()
    for number in range(1000):
        left = number

        def fill(name: str, arguments: tuple[Any, ...]) -> None:
            nonlocal left
            left -= 1
            # From then on nothing can be written, until somebody frees some space.
            if left < 0 and name in ("open", "write", "mkdir", "symlink", "link"):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

        failed: BluelineError | None = None
        with stepping_in(fill):
            try:
                p.reject()
            except BluelineError as error:
                failed = error
            # Nothing is half written at any time.
            for path in ("a.md", "deep/b.md", "c.md"):
                assert p.read(path) in (POEM.encode(), POEM.replace("line 3\n", "THREE\n").encode())
        done = p.hunks() == []
        assert p.on_disk() == (after if done else before)
        if done:
            p.undo()
        assert (p.on_disk(), p.hunks()) == (before, pending)
        if failed is None:
            break
        assert failed.hint
    assert number > 10


def test_z05_before_bytes_that_could_not_be_stored_are_said_to_be_unknown(
    project: Make, elsewhere: Path
) -> None:
    p = project({"a.md": f"title\n{POEM}", "b.md": POEM})
    p.prompt()
    p.edit("b.md", "line 3\n", "THREE\n")
    p.hunks()
    bodies = {path: path.read_bytes() for path in (p.state / "blobs").rglob("*") if path.is_file()}
    call = p.call("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    full = refusing(p.state / "blobs", elsewhere, errno.ENOSPC)
    assert p.hook(p.before(call), full) == (0, b"", b"")
    p.sub("a.md", "line 3\n", "THREE\n")
    p.end(call)
    (hunk,) = p.hunks("a.md")
    assert (hunk["complete"], hunk["actor"]["kind"]) == (False, "agent")
    (need,) = p.asked("reject", "a.md")
    assert (need["path"], need["why"]) == ("a.md", "before-unknown")
    # Nothing that is undecided was lost or cut to make room.
    assert all(path.read_bytes() == content for path, content in bodies.items())
    p.reject("b.md")
    assert p.text("b.md") == POEM


def test_qd10_signals_while_it_writes_lose_nothing_and_double_nothing(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    storm = """
import signal
signal.signal(signal.SIGPROF, lambda *_: None)
signal.siginterrupt(signal.SIGPROF, True)
signal.setitimer(signal.ITIMER_PROF, 0.0002, 0.0002)
"""
    call = p.call("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    assert p.hook(p.event("UserPromptSubmit", prompt="x"), storm) == (0, b"", b"")
    assert p.hook(p.before(call), storm) == (0, b"", b"")
    p.sub("a.md", "line 3\n", "THREE\n")
    assert p.hook(p.after(call), storm) == (0, b"", b"")
    assert len([frame for frame in p.frames() if frame.kind == OBSERVATION]) == 3
    former = signal.signal(signal.SIGPROF, lambda *_: None)
    signal.setitimer(signal.ITIMER_PROF, 0.0002, 0.0002)
    try:
        p.edit("b.md", "line 9\n", "NINE\n")
        assert [hunk["new"] for hunk in p.hunks()] == ["THREE\n", "NINE\n"]
        p.reject()
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, former)
    assert (p.text("a.md"), p.text("b.md"), p.hunks()) == (POEM, POEM, [])
    assert len(facts(p, DecisionMade)) == 1


def test_qd23_a_state_folder_closed_to_us_gives_a_clear_message(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = edited(project)
    pending = p.hunks()
    real = os.open

    def closed(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        writing = flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT)
        if writing and os.fsencode(path).startswith(os.fsencode(p.state)):
            raise OSError(number, os.strerror(number), path)
        return real(path, flags, mode, dir_fd=dir_fd)

    for number in (errno.EROFS, errno.EACCES):
        with monkeypatch.context() as patch:
            patch.setattr(os, "open", closed)
            with pytest.raises(BluelineError, match="state folder") as refused:
                p.hunks()
            assert os.strerror(number) in str(refused.value)
            assert "permissions" in refused.value.hint
    assert p.hunks() == pending


def test_qd23_something_else_in_the_place_of_the_state_folder_gives_a_clear_message(project: Make) -> None:
    p = edited(project)
    p.is_damaged = True
    shutil.rmtree(p.state)
    p.state.write_text("not a folder")
    with pytest.raises(BluelineError, match="state folder") as refused:
        p.hunks()
    assert refused.value.hint
    done = p.command("list")
    assert (done.returncode, done.stderr.startswith("blueline: ")) == (1, True)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("number", [errno.EROFS, errno.EACCES])
def test_qd23_an_agent_goes_on_when_the_state_folder_is_closed(
    project: Make, elsewhere: Path, number: int
) -> None:
    p = edited(project)
    pending = len(p.hunks())
    closed = refusing(p.state, elsewhere, number)
    call = p.call("Edit", "b.md", old_string="line 9\n", new_string="NINE\n")
    assert p.hook(p.before(call), closed) == (0, b"", b"")
    p.sub("b.md", "line 9\n", "NINE\n")
    assert p.hook(p.after(call), closed) == (0, b"", b"")
    assert len(p.hunks()) == pending + 1


def test_qd25_with_nowhere_to_write_the_agent_goes_on_and_the_next_command_says_what_may_be_missing(
    project: Make, tmp_path: Path
) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    call = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.sub("a.md", "line 3\n", "THREE\n")
    code, out, said = p.hook(p.after(call), refusing(tmp_path, tmp_path, errno.ENOSPC))
    assert (code, out) == (0, b"")
    assert b"could not be recorded (ENOSPC)" in said
    p.stop()
    (lost,) = p.calls()
    assert lost["outcome"] == "lost"
    status = p.status()
    assert status["gate"]["reasons"] or status["warnings"]


def test_z56_a_file_that_could_not_be_read_at_the_end_of_a_call_is_nobodys_and_asked_about(
    project: Make, elsewhere: Path
) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    call = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.sub("a.md", "line 3\n", "THREE\n")
    unreadable = """
import posix
opening = posix.open
def closed(path, flags, mode=0o777, dir_fd=None):
    if path == b"a.md": raise PermissionError(13, "no")
    return opening(path, flags, mode, dir_fd=dir_fd)
posix.open = closed
"""
    assert p.hook(p.after(call), unreadable) == (0, b"", b"")
    p.stop()
    assert "incomplete" in p.gate()
    (hunk,) = p.hunks("a.md")
    assert (hunk["new"], hunk["actor"]["kind"]) == ("THREE\n", "unknown")
    p.reject()
    assert p.text("a.md") == POEM


def test_z56_a_file_that_cannot_be_read_by_the_desk_is_not_taken_for_gone(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = edited(project)
    pending = p.hunks()
    p.sub("b.md", "line 15\n", "fifteen, by hand\n")
    # As if it were long ago that the file was written.
    monkeypatch.setattr("blueline.workspace.signatures.RACY_NS", 0)
    real = os.open

    def closed(path: Any, flags: int, mode: int = 0o777, *, dir_fd: int | None = None) -> int:
        if path == "b.md":
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
        return real(path, flags, mode, dir_fd=dir_fd)

    with monkeypatch.context() as patch:
        patch.setattr(os, "open", closed)
        assert p.hunks() == pending
        needs = p.decide("reject", ["b.md"])["needs"]
        assert [need["path"] for need in needs] == ["b.md"]
    p.reject("b.md")
    assert p.text("b.md") == POEM.replace("line 15\n", "fifteen, by hand\n")
