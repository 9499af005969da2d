"""What must withstand kills, full and closed disks, damage, other programs' locks and clocks that jump."""

from __future__ import annotations

import errno
import json
import os
import shutil
import signal
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from blueline.blobs.store import Blobs
from blueline.errors import BluelineError
from blueline.hook import disk
from blueline.journal.events import load_event
from blueline.journal.frames import EVENT, OBSERVATION, Damage
from blueline.journal.log import Journal
from blueline.journal.observation import parse
from blueline.model.fact import DecisionFinished, DecisionMade, FileSeen
from blueline.model.state import Regular
from blueline.review.folding import fold
from tests.support.killing import every_step, survives
from tests.support.project import POEM, SECOND_NS, Document, Make, Project, Verdict
from tests.support.workspace import stepping_in

DAY_NS = 86_400 * SECOND_NS
HOUR_SECONDS = 3600


def edited(project: Make) -> Project:
    """Two turns; a part is decided, a part is pending, a person has typed."""
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt("first")
    p.edit("a.md", "line 3\n", "THREE\n")
    p.write("new.md", "new\n")
    p.stop()
    p.reject("new.md")
    p.prompt("second")
    p.edit("a.md", "line 9\n", "NINE\n")
    p.sub("a.md", "line 12\n", "twelve, by hand\n")
    p.edit("b.md", "line 3\n", "THREE\n")
    p.stop()
    p.accept(p.hunk("NINE"))
    return p


def facts(p: Project, kind: type) -> list[Any]:
    """All facts of a kind in the journal."""
    events = [load_event(frame.payload) for frame in p.frames() if frame.kind == EVENT]
    return [fact for event in events for fact in event.facts if isinstance(fact, kind)]


def before_blob(p: Project, path: str) -> Path:
    """The stored content of a file as it was first seen."""
    (state,) = [fact.state for fact in facts(p, FileSeen) if fact.path == path]
    assert isinstance(state, Regular)
    return p.state / "blobs" / state.blob[:2] / state.blob[2:]


# Killed


TORN = pytest.mark.parametrize("torn", [False, True], ids=["between calls", "in the middle of a write"])


@TORN
def test_qd1_a_recorder_killed_at_any_call_leaves_an_old_record_or_a_new_one(
    project: Make, torn: bool
) -> None:
    p = project({"a.md": POEM})
    p.is_damaged = torn
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    first = p.hunks()
    for number in range(1000):
        p.put("a.md", p.text("a.md") + f"{number}\n")
        raw = p.after(p.call("Edit", "a.md"))
        earlier = p.frames()
        done = survives(partial(p.record, raw), number, torn=torn, looking=True)
        frames = p.frames()
        assert frames[: len(earlier)] == earlier
        added = [parse(frame.payload) for frame in frames[len(earlier) :]]
        assert [seen.raw for seen in added] in ([], [raw])
        for seen in added:
            assert isinstance(seen.state, Regular)
            assert Blobs(p.state / "blobs").get(seen.state.blob) == p.read("a.md")
        assert first[0]["id"] in [hunk["id"] for hunk in p.hunks()]
        if done:
            break
    assert number > 15


def whole_call(p: Project, number: int) -> None:
    """An agent's call, from its first event to its last."""
    call = p.call("Edit", "a.md", old_string="x", new_string="y")._replace(key=f"toolu_x{number}")
    p.record(p.before(call))
    p.put("a.md", p.text("a.md") + f"added {number}\n")
    p.record(p.after(call))


@TORN
def test_x01_a_call_killed_at_any_instant_of_its_recording_is_whole_or_seen_as_a_gap(
    project: Make, torn: bool
) -> None:
    p = project({"a.md": POEM})
    p.is_damaged = torn
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    (first,) = p.hunks()
    for number in range(1000):
        before = len(p.calls())
        done = survives(partial(whole_call, p, number), number, torn=torn, looking=True)
        p.stop()
        p.prompt()
        assert p.hunks()[0]["id"] == first["id"]
        # What reached the disk is known once, and as the agent's, unless its end was not recorded.
        added = [hunk for hunk in p.hunks(status="all") if f"added {number}\n" in hunk["new"]]
        assert len(added) == p.text("a.md").count(f"added {number}\n")
        calls = [call["outcome"] for call in p.calls()[before:]]
        whose = [hunk["actor"]["kind"] for hunk in added]
        assert (calls, whose) in (
            ([], []),
            (["lost"], []),
            (["lost"], ["external"]),
            (["lost"], ["unknown"] if torn else []),  # after damage nobody can say whose it is
            (["done"], ["agent"]),
        )
        if done:
            assert calls == ["done"]
            break
    assert number > 30


def test_x01_a_decision_killed_at_any_step_is_not_lost_and_not_applied_twice(project: Make) -> None:
    p = edited(project)
    before, pending = p.standing(), p.hunks()
    numbers = {entry["id"] for entry in p.log("decision")}
    outcomes = set()
    for _ in every_step(p.reject):
        left = p.hunks()
        decided = [entry for entry in p.log("decision") if entry["id"] not in numbers]
        outcomes.add(not left)
        if left:
            assert (p.standing(), left, decided) == (before, pending, [])
        else:
            assert p.text("a.md") == POEM.replace("line 9", "NINE").replace("line 12\n", "twelve, by hand\n")
            assert [entry["verdict"] for entry in decided] == ["reject"]
            p.undo()
        assert (p.standing(), p.hunks()) == (before, pending)
        numbers = {entry["id"] for entry in p.log("decision")}
    assert outcomes == {True, False}


def test_x01_an_undo_killed_at_any_step_is_done_or_not(project: Make) -> None:
    p = edited(project)
    before, pending = p.standing(), p.hunks()
    p.reject()
    after = p.standing()
    outcomes = set()
    for _ in every_step(p.undo):
        left = p.hunks()
        outcomes.add(bool(left))
        assert (p.standing(), left) == ((before, pending) if left else (after, []))
        if left:
            p.redo()
        assert (p.standing(), p.hunks()) == (after, [])
    assert outcomes == {True, False}


@TORN
def test_x01_taking_in_what_happened_can_be_killed_at_any_step(
    project: Make, tmp_path: Path, torn: bool
) -> None:
    p = edited(project)
    p.prompt("third")
    p.edit("a.md", "line 15\n", "FIFTEEN\n")
    p.sub("a.md", "line 17\n", "seventeen, by hand\n")
    p.write("deep/new.md", "new\n")
    p.stop()
    p.keep(tmp_path / "kept")
    p.hunks()
    expected = timeless(p.known())
    p.restore(tmp_path / "kept")
    standing = p.standing()
    for _ in every_step(p.hunks, torn=torn):
        assert timeless(p.known()) == expected
        assert p.standing() == standing
        p.lose_index()
        assert timeless(p.known()) == expected
        p.restore(tmp_path / "kept")


def timeless(known: Document) -> Document:
    """Without what depends on when somebody looked."""
    return {
        name: [{key: value for key, value in one.items() if key != "at"} for one in listed]
        for name, listed in known.items()
    }


# The order of things on disk


def test_qd4_content_without_a_record_is_harmless_and_collected_later(project: Make) -> None:
    p = edited(project)
    orphan = disk.put_blob(os.fsencode(p.state / "blobs"), b"the record of this was never written\n")
    (problem,) = p.check()["problems"]
    assert problem["harmless"]
    assert p.check()["ok"]
    known = p.known()
    p.check(repair=True)
    # It may be that of a hook which is about to write its record.
    assert stored(p, orphan)
    grow_old(p, orphan)
    p.check(repair=True)
    assert not stored(p, orphan)
    assert p.known() == known


def test_z02_only_what_no_record_names_is_swept(project: Make) -> None:
    p = edited(project)
    blobs = [path for path in (p.state / "blobs").rglob("*") if path.is_file()]
    for path in blobs:
        age(path)
    disk.put_blob(os.fsencode(p.state / "blobs"), b"young\n")
    p.check(repair=True)
    assert all(path.exists() for path in blobs)
    assert stored(p, disk.blob_id(b"young\n"))
    p.lose_index()
    p.reject()
    assert p.text("b.md") == POEM


def blob_path(p: Project, name: str) -> Path:
    return p.state / "blobs" / name[:2] / name[2:]


def stored(p: Project, name: str) -> bool:
    return blob_path(p, name).exists()


def grow_old(p: Project, name: str) -> None:
    age(blob_path(p, name))


def age(path: Path) -> None:
    long_ago = time.time() - 48 * HOUR_SECONDS
    os.utime(path, (long_ago, long_ago))


def test_z01_what_a_killed_recorder_left_behind_is_swept_when_a_project_is_opened(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    call = p.begin("Edit", "a.md", old_string="line 3\n", new_string="THREE\n")
    p.sub("a.md", "line 3\n", "THREE\n")
    temporaries = p.state / "blobs" / "tmp"
    for steps in range(100):
        if os.listdir(temporaries):
            break
        assert not survives(partial(p.end, call), steps)
    (left,) = temporaries.iterdir()
    frames = len(p.frames())
    assert p.hunks() == []
    assert left.exists(), "it may be that of a hook which is still at work"
    age(left)
    p.hunks()
    assert not left.exists()
    # There is no record of it, so the next look finds the change.
    assert len(p.frames()) >= frames
    p.end(call)
    assert [hunk["new"] for hunk in p.hunks()] == ["THREE\n"]


@contextmanager
def traced(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[tuple[str, Any]]]:
    """What is synced (device and number of the file) and what is written to the journal, in order."""
    steps: list[tuple[str, Any]] = []
    append = disk.append

    def synced(fd: int) -> None:
        found = os.fstat(fd)
        steps.append(("synced", (found.st_dev, found.st_ino)))

    def appended(journal: bytes, data: bytes) -> int:
        steps.append(("appended", data))
        return append(journal, data)

    with monkeypatch.context() as patch:
        patch.setattr("os.fsync", synced)
        patch.setattr("posix.fsync", synced)
        patch.setattr(disk, "append", appended)
        yield steps


def test_z04_files_and_folders_are_on_disk_before_it_is_said(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"deep/a.md": POEM, "gone.md": "gone\n"})
    p.prompt()
    p.edit("deep/a.md", "line 3\n", "THREE\n")
    p.remove("gone.md")
    p.hunks()
    with traced(monkeypatch) as steps:
        p.reject()
    appended = [number for number, (what, _) in enumerate(steps) if what == "appended"]
    made, finished = appended[-2:]
    assert b"decision.made" in steps[made][1]
    assert b"decision.finished" in steps[finished][1]

    def at(path: str) -> int:
        found = os.stat(p.root / path)
        return max(number for number, step in enumerate(steps) if step[1] == (found.st_dev, found.st_ino))

    # The new files before the decision that will need them, the names before the word that all is done.
    assert at("deep/a.md") < made
    assert at("gone.md") < made
    assert made < at("deep") < finished
    assert made < at(".") < finished


def test_z03_a_restore_of_ten_files_cut_short_says_in_the_journal_what_is_left_to_do(project: Make) -> None:
    names = [f"f{number}.md" for number in range(10)]
    p = project(dict.fromkeys(names, "one\n"))
    p.prompt()
    for name in names:
        p.edit(name, "one", "ONE")
    p.hunks()
    for steps in range(1000):
        assert not survives(p.reject, steps)
        if {p.text(name) for name in names} == {"one\n", "ONE\n"}:
            break
        if p.hunks() == []:
            p.undo()
    decision = facts(p, DecisionMade)[-1]
    assert sorted(write.path for write in decision.writes) == names
    for write in decision.writes:
        assert write.before.blob == disk.blob_id(b"ONE\n")
        assert write.after.blob == disk.blob_id(b"one\n")
    assert decision.decision not in [fact.decision for fact in facts(p, DecisionFinished)]
    # Somebody saves one of those that are still to do: theirs is not guessed away.
    late = next(name for name in names if p.text(name) == "ONE\n")
    p.put(late, "ONE\nmine\n")
    assert p.hunks() == []
    assert {name: p.text(name) for name in names} == {**dict.fromkeys(names, "one\n"), late: "one\nmine\n"}
    entry = next(entry for entry in p.log("decision") if entry["id"] == f"d{decision.decision}")
    assert (sorted(entry["written"]), entry["stands"]) == (names, True)


# Lost and damaged content


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


# Full and closed disks


@pytest.fixture
def elsewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Another file system, for what cannot be written where it belongs."""
    folder = tmp_path / "elsewhere"
    folder.mkdir()
    monkeypatch.setattr(disk, "FALLBACKS", (os.fsencode(folder),))
    return folder


def refusing(folder: Path, fallbacks: Path, number: int) -> str:
    """For the hook process: nothing can be written below a folder."""
    return f"""
import posix
recorder.disk.FALLBACKS = ({os.fsencode(fallbacks)!r},)
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
    before, pending = p.standing(), p.hunks()
    p.reject()
    after = p.standing()
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
        assert p.standing() == (after if done else before)
        if done:
            p.undo()
        assert (p.standing(), p.hunks()) == (before, pending)
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


# A journal that is cut or damaged


def test_qd13_a_journal_cut_at_any_length_keeps_what_is_whole(project: Make, tmp_path: Path) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.accept()
    data = p.journal.read_bytes()
    ends = [frame.end for frame in p.frames()]
    cut = Journal(tmp_path / "journal")
    for length in range(len(data) + 1):
        cut.path.write_bytes(data[:length])
        found = [frame.end for frame in cut.read() if not isinstance(frame, Damage)]
        assert found == [end for end in ends if end <= length]


def test_qd13_what_an_anchor_knows_to_be_lost_is_reported(project: Make, tmp_path: Path) -> None:
    p = edited(project)
    p.is_damaged = True
    data = p.journal.read_bytes()
    frames = p.frames()
    p.keep(tmp_path / "kept")
    standing = p.standing()
    for frame in frames:
        middle = (frame.start + frame.end) // 2
        for length in (frame.start, frame.start + 1, middle, frame.end - 1):
            p.restore(tmp_path / "kept")
            p.journal.write_bytes(data[:length])
            lost = any(later.kind == EVENT for later in frames if later.end > length)
            p.hunks()
            assert bool(p.warnings) is lost
            if lost:
                assert any("journal" in warning for warning in p.warnings)
                assert "corrupt-state" in p.gate()
            assert p.standing() == standing


def test_qd13_a_torn_record_in_the_middle_costs_that_record_only(project: Make, tmp_path: Path) -> None:
    p = edited(project)
    p.is_damaged = True
    data = p.journal.read_bytes()
    p.keep(tmp_path / "kept")
    # The last one looks like a record that somebody is just writing.
    for frame in p.frames()[:-1]:
        p.restore(tmp_path / "kept")
        damaged = bytearray(data)
        damaged[frame.start + 30] ^= 0xFF
        p.journal.write_bytes(damaged)
        p.lose_index()
        with p.desk() as desk:
            assert desk.list(by="turn", status="all")["turns"]
            assert desk.warnings
            assert not desk.check(repair=False)["ok"]


def test_qd14_a_journal_that_is_gone_is_noticed_and_closes_the_gate(project: Make) -> None:
    p = edited(project)
    p.is_damaged = True
    standing = p.standing()
    p.journal.unlink()
    for _ in range(2):
        assert "corrupt-state" in p.gate()
        assert p.standing() == standing
    assert not p.check()["ok"]


def test_qd14_an_event_cut_out_of_the_middle_is_noticed_and_closes_the_gate(project: Make) -> None:
    p = edited(project)
    p.is_damaged = True
    data, frames = p.journal.read_bytes(), p.frames()
    events = [frame for frame in frames if frame.kind == EVENT]
    for frame in events[1:-1]:
        p.journal.write_bytes(data[: frame.start] + data[frame.end :])
        p.lose_index()
        assert "corrupt-state" in p.gate()
        assert any("missing" in warning for warning in p.warnings)


# The index is a cache


def test_qd17_an_index_from_yesterday_catches_up(project: Make, tmp_path: Path) -> None:
    p = edited(project)
    yesterdays = p.index.read_bytes()
    p.reject("b.md")
    p.prompt("third")
    p.edit("a.md", "line 15\n", "FIFTEEN\n")
    p.undo()
    known = p.known()
    p.index.write_bytes(yesterdays)
    assert p.known() == known
    p.lose_index()
    assert p.known() == known


@pytest.mark.parametrize("length", [0, 1, 100, 4096, 20_000])
def test_qd17_an_index_that_is_damaged_is_made_anew(project: Make, length: int) -> None:
    p = edited(project)
    known = p.known()
    data = p.index.read_bytes()
    p.index.write_bytes(data[:length] + b"\xa5" * (len(data) - length))
    assert p.known() == known
    p.index.write_bytes(data[:length])
    assert p.known() == known


def test_qd18_the_index_has_a_rollback_journal_and_one_process_at_a_time(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = edited(project)
    with sqlite3.connect(p.index) as connection:
        assert connection.execute("pragma journal_mode").fetchone() == ("delete",)
    connection.close()
    with p.desk() as desk:
        known = desk.list(status="all")
        beside = {path.name for path in p.state.iterdir()}
        assert not beside & {"index.sqlite-wal", "index.sqlite-shm"}
        with pytest.raises(BluelineError, match="busy") as refused:
            p.hunks()
        assert refused.value.hint
        # Hooks do not wait for anybody.
        p.prompt("meanwhile")
    assert p.hunks(status="all") == known["hunks"]
    assert [turn["prompt"] for turn in p.turns()] == ["first", "second", "meanwhile"]


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite gives up at once where it would wait for seconds."""
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, timeout=0))


@pytest.mark.usefixtures("hasty")
def test_qd19_a_reader_that_never_ends_is_in_nobodys_way(project: Make) -> None:
    p = edited(project)
    pending = len(p.hunks())
    reader = sqlite3.connect(p.index, isolation_level=None)
    reader.execute("begin")
    reader.execute("select count(*) from hunks").fetchall()
    size = sum(path.stat().st_size for path in p.state.glob("index*"))
    try:
        for number in range(20):
            p.prompt(f"turn {number}")
            p.edit("b.md", "line 20\n", f"number {number}\nline 20\n")
            assert len(p.hunks()) == pending + number + 1
    finally:
        reader.close()
    assert sum(path.stat().st_size for path in p.state.glob("index*")) < 10 * size
    assert p.reject()["results"]


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("lock", ["begin", "begin immediate", "begin exclusive"])
def test_qd20_no_lock_of_another_program_on_the_index_reaches_a_person(project: Make, lock: str) -> None:
    p = edited(project)
    pending = p.hunks()
    other = sqlite3.connect(p.index, isolation_level=None)
    other.execute(lock)
    if lock == "begin":
        other.execute("select count(*) from hunks").fetchall()
    try:
        assert p.hunks() == pending
        p.accept(pending[0]["id"])
        p.undo()
        p.edit("b.md", "line 20\n", "TWENTY\n")
        assert len(p.hunks()) == len(pending) + 1
    finally:
        other.close()


def test_qd20_every_change_of_the_index_says_from_its_start_that_it_writes(project: Make) -> None:
    p = edited(project)
    seen: list[str] = []
    connect = sqlite3.connect

    def traced(*arguments: Any, **named: Any) -> sqlite3.Connection:
        connection: sqlite3.Connection = connect(*arguments, **named)
        connection.set_trace_callback(seen.append)
        return connection

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sqlite3, "connect", traced)
        p.reject()
    begun = [statement.lower() for statement in seen if statement.lower().startswith("begin")]
    assert begun
    assert set(begun) == {"begin immediate"}


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


# Clocks


@pytest.mark.parametrize("jump", [-DAY_NS, 0, 80 * 365 * DAY_NS], ids=["back", "standing", "to 2100"])
def test_qd24_the_order_is_that_of_the_journal_whatever_the_clock_says(
    project: Make, monkeypatch: pytest.MonkeyPatch, jump: int
) -> None:
    p = project({"a.md": POEM})
    now = time.time_ns()
    monkeypatch.setattr(time, "time_ns", lambda: now)
    p.prompt("first")
    p.edit("a.md", "line 3\n", "three\n")
    first = p.reject(p.turn("first"))["decision"]
    monkeypatch.setattr(time, "time_ns", lambda: now + jump)
    p.prompt("second")
    p.edit("a.md", "line 9\n", "NINE\n")
    second = p.reject(p.turn("second"))["decision"]
    assert [turn["prompt"] for turn in p.turns()] == ["first", "second"]
    order = [entry["id"] for entry in p.log()]
    assert [one for one in order if one[0] == "t"] == ["t2", "t1"]
    assert [one for one in order if one[0] == "c"] == ["c2", "c1"]
    assert [one for one in order if one[0] == "d"] == [second, first]
    p.undo()
    assert p.text("a.md") == POEM.replace("line 9\n", "NINE\n")


def test_z40_after_a_clock_that_jumped_back_the_newest_is_still_first(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": POEM})
    now = time.time_ns()
    clock = iter(range(now, 0, -DAY_NS))
    monkeypatch.setattr(time, "time_ns", lambda: next(clock))
    for number in range(3):
        p.prompt(f"turn {number}")
        p.edit("a.md", f"line {number}\n" if number else "line 9\n", f"LINE {number}!\n")
        p.stop()
        p.accept()
    entries = [entry["id"] for entry in p.log()]
    assert entries == ["d3", "c3", "t3", "d2", "c2", "t2", "d1", "c1", "t1"]
    p.undo()
    assert [hunk["new"] for hunk in p.hunks()] == ["LINE 2!\n"]


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


# Formats


def test_qd27_an_index_of_another_version_is_made_anew_and_may_be_killed_at_any_step(
    project: Make, tmp_path: Path
) -> None:
    p = edited(project)
    known = p.known()
    with sqlite3.connect(p.index) as connection:
        connection.execute("pragma user_version = 99")
    connection.close()
    p.keep(tmp_path / "kept")
    for _ in every_step(p.hunks):
        assert p.known() == known
        p.restore(tmp_path / "kept")


def test_qd27_a_state_folder_of_a_later_version_is_refused_and_left_as_it_is(project: Make) -> None:
    p = edited(project)
    p.is_damaged = True
    (p.state / "format").write_bytes(b"blueline 2\n")
    before = {path: path.read_bytes() for path in p.state.rglob("*") if path.is_file()}
    with pytest.raises(BluelineError, match="format") as refused:
        p.reject()
    assert "update" in refused.value.hint
    assert {path: path.read_bytes() for path in p.state.rglob("*") if path.is_file()} == before


# Costs


class Work:
    """Counts what is read of the journal and what is folded."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.read = self.folded = self.parsed = 0
        pread = os.pread

        def counted_read(fd: int, size: int, at: int) -> bytes:
            data = pread(fd, size, at)
            self.read += len(data)
            return data

        def counted_fold(*arguments: Any) -> None:
            self.folded += 1
            fold(*arguments)

        def counted_parse(payload: bytes) -> Any:
            self.parsed += 1
            return parse(payload)

        monkeypatch.setattr(os, "pread", counted_read)
        monkeypatch.setattr("blueline.desk.store.fold", counted_fold)
        monkeypatch.setattr("blueline.desk.store.parse", counted_parse)

    def of(self, act: Callable[[], object]) -> tuple[int, int, int]:
        self.read = self.folded = self.parsed = 0
        act()
        return self.read, self.folded, self.parsed


def test_qd28_opening_costs_what_is_new_and_not_what_there_is(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    work = Work(monkeypatch)
    costs = []
    for size in (10, 400):
        p.prompt(f"{size}")
        for number in range(size):
            p.edit("b.md", "line 20\n", f"line {number}!\nline 20\n" if number % 2 else "LINE\nline 20\n")
        p.accept()
        p.hunks()
        nothing = work.of(p.hunks)
        p.edit("a.md", f"line {'3' if size == 10 else '9'}\n", "new\n")
        one_edit = work.of(p.hunks)
        costs.append((nothing, one_edit))
    (nothing, one_edit), (nothing_later, one_edit_later) = costs
    assert nothing[1:] == nothing_later[1:] == (0, 0)
    assert max(nothing[0], nothing_later[0]) < 100
    assert one_edit[1:] == one_edit_later[1:]
    assert one_edit_later[0] < 1.5 * one_edit[0]


def test_qd28_recording_reads_and_writes_the_same_whatever_there_is(project: Make) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    costs: list[list[tuple[str, int]]] = []
    for _ in range(2):
        steps: list[tuple[str, int]] = []

        def before(name: str, arguments: tuple[Any, ...], steps: list[tuple[str, int]] = steps) -> None:
            steps.append((name, len(arguments[1]) if name == "write" else 0))

        p.put("a.md", POEM + f"{len(costs)}\n")
        with stepping_in(before, looking=True):
            p.edit("a.md", "line 3\n", "line 3\n")
        costs.append(steps)
        for _ in range(300):
            p.edit("a.md", "line 9\n", "line 9\n")
    assert [name for name, _ in costs[0]] == [name for name, _ in costs[1]]
    assert abs(sum(size for _, size in costs[0]) - sum(size for _, size in costs[1])) < 20


# Reopening


def test_x03_a_restart_with_nothing_changed_gives_the_same_pending_set_in_the_same_order(
    project: Make,
) -> None:
    p = edited(project)
    known, journal, standing = p.known(), p.journal.read_bytes(), p.standing()
    for _ in range(3):
        assert p.known() == known
    assert p.journal.read_bytes() == journal
    p.lose_index()
    assert p.known() == known
    done = p.command("list", "--json")
    assert json.loads(done.stdout)["hunks"] == p.hunks()
    assert (p.journal.read_bytes(), p.standing()) == (journal, standing)


def test_x02_edits_made_while_nobody_looked_are_external_and_nothing_is_overwritten(project: Make) -> None:
    p = edited(project)
    p.sub("b.md", "line 15\n", "another program's\n")
    p.sub("b.md", "THREE\n", "THREE\nand more\n")
    p.reject("b.md")
    assert p.text("b.md") == POEM.replace("line 15\n", "another program's\n").replace(
        "line 3\n", "line 3\nand more\n"
    )
    owners = [hunk["actor"]["kind"] for hunk in p.hunks("b.md", status="accepted")]
    assert set(owners) == {"external"}


def test_x11_bytes_decide_and_not_times(project: Make) -> None:
    p = edited(project)
    known = p.known()
    # Touched without a change.
    for path in ("a.md", "b.md"):
        os.utime(p.root / path)
        os.utime(p.root / path, ns=(0, 0))
    assert p.known() == known
    # Changed with the same size and the same time.
    found = os.stat(p.root / "b.md")
    p.sub("b.md", "line 15\n", "LINE 15\n")
    os.utime(p.root / "b.md", ns=(found.st_atime_ns, found.st_mtime_ns))
    external = [hunk["new"] for hunk in p.hunks("b.md", status="accepted")]
    assert external == ["LINE 15\n"]
    # In the future.
    p.sub("b.md", "line 16\n", "LINE 16\n")
    os.utime(p.root / "b.md", ns=(2**61, 2**61))
    p.sub("b.md", "line 17\n", "LINE 17\n")
    os.utime(p.root / "b.md", ns=(2**61, 2**61))
    p.reject("b.md")
    assert p.text("b.md") == POEM.replace("line 15", "LINE 15").replace("line 16", "LINE 16").replace(
        "line 17", "LINE 17"
    )


# Files that cannot be read


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


# Restoring what was restored


def test_z63_decisions_about_decisions_compose_with_what_is_typed_between(project: Make) -> None:
    p = edited(project)
    before, pending = p.text("b.md"), p.hunks()
    p.reject("b.md")
    p.undo()
    assert (p.text("b.md"), p.hunks()) == (before, pending)
    p.redo()
    assert p.text("b.md") == POEM
    p.sub("b.md", "line 4\n", "four, by hand\n")
    p.undo()
    assert p.text("b.md") == before.replace("line 4\n", "four, by hand\n")
    p.sub("b.md", "line 5\n", "five, by hand\n")
    p.redo()
    assert p.text("b.md") == POEM.replace("line 4\n", "four, by hand\n").replace(
        "line 5\n", "five, by hand\n"
    )
    p.undo()
    p.prompt("third")
    p.edit("b.md", "line 6\n", "SIX\n")
    p.redo()
    assert p.text("b.md") == POEM.replace("line 4\n", "four, by hand\n").replace(
        "line 5\n", "five, by hand\n"
    ).replace("line 6\n", "SIX\n")


def test_z64_a_restore_that_changes_nothing_writes_nothing_and_says_so(project: Make) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    p.edit("a.md", "THREE\n", "line 3\n")  # the agent itself went back
    p.edit("b.md", "line 3\n", "THREE\n")
    p.hunks()
    times = p.times("a.md"), p.times("b.md")
    done = p.reject("a.md")
    assert done["written"] == []
    accepted = p.accept("b.md")
    assert accepted["written"] == []
    again = p.accept("b.md")
    assert (again["decision"], again["written"]) == (None, [])
    p.undo()
    assert (p.times("a.md"), p.times("b.md")) == times


VERDICTS: tuple[Verdict, ...] = ("accept", "reject")


@pytest.mark.parametrize("verdict", VERDICTS)
def test_z64_a_dry_run_writes_nothing_at_all(project: Make, verdict: Verdict) -> None:
    p = edited(project)
    known, standing, journal = p.known(), p.standing(), p.journal.read_bytes()
    answer = p.decide(verdict, [], dry_run=True)
    assert (answer["decision"], answer["dry_run"]) == (None, True)
    assert answer["written"] == ([] if verdict == "accept" else ["a.md", "b.md"])
    assert (p.known(), p.standing(), p.journal.read_bytes()) == (known, standing, journal)


def test_the_desk_can_be_opened_again_after_any_failure_to_open_it(project: Make) -> None:
    p = edited(project)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("blueline.desk.store.Index", None)
        with pytest.raises(TypeError):
            p.hunks()
    assert p.hunks()
