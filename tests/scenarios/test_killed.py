"""What a kill at any instant leaves: an old record or a new one, a decision done or not."""

from __future__ import annotations

import os
import signal
from functools import partial
from pathlib import Path

import pytest

from blueline.blobs.store import Blobs
from blueline.journal.frames import PAGE
from blueline.journal.observation import parse
from blueline.kernel import disk
from blueline.model.fact import DecisionFinished, DecisionMade
from blueline.model.file_state import Regular
from tests.support.durable import age, edited, facts, grow_old, stored, timeless, traced
from tests.support.killing import MOST_STEPS, every_step, survives
from tests.support.project import POEM, Make, Project

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
        done = survives(partial(p.record, raw), number, torn=torn, looking=True, writes_alone=torn)
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
    assert number > (0 if torn else 15)


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
        done = survives(partial(whole_call, p, number), number, torn=torn, looking=True, writes_alone=torn)
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
    assert number > (1 if torn else 30)


def test_x01_a_decision_killed_at_any_step_is_not_lost_and_not_applied_twice(project: Make) -> None:
    p = edited(project)
    before, pending = p.on_disk(), p.hunks()
    numbers = {entry["id"] for entry in p.log("decision")}
    outcomes = set()
    for _ in every_step(p.reject):
        left = p.hunks()
        decided = [entry for entry in p.log("decision") if entry["id"] not in numbers]
        outcomes.add(not left)
        if left:
            assert (p.on_disk(), left, decided) == (before, pending, [])
        else:
            assert p.text("a.md") == POEM.replace("line 9", "NINE").replace("line 12\n", "twelve, by hand\n")
            assert [entry["verdict"] for entry in decided] == ["reject"]
            p.undo()
        assert (p.on_disk(), p.hunks()) == (before, pending)
        numbers = {entry["id"] for entry in p.log("decision")}
    assert outcomes == {True, False}


def test_x01_an_undo_killed_at_any_step_is_done_or_not(project: Make) -> None:
    p = edited(project)
    before, pending = p.on_disk(), p.hunks()
    p.reject()
    after = p.on_disk()
    outcomes = set()
    for _ in every_step(p.undo):
        left = p.hunks()
        outcomes.add(bool(left))
        assert (p.on_disk(), left) == ((before, pending) if left else (after, []))
        if left:
            p.redo()
        assert (p.on_disk(), p.hunks()) == (after, [])
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
    on_disk = p.on_disk()
    for _ in every_step(p.hunks, torn=torn):
        assert timeless(p.known()) == expected
        assert p.on_disk() == on_disk
        p.lose_index()
        assert timeless(p.known()) == expected
        p.restore(tmp_path / "kept")


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


def written_up_to(p: Project, raw: bytes, pages: int) -> None:
    """Record an event, and be killed when the system has written so many more pages of it."""
    write = disk.append

    def append(journal: bytes, data: bytes) -> int:
        fd = os.open(journal, os.O_WRONLY | os.O_APPEND)
        at = os.fstat(fd).st_size
        os.write(fd, data[: (at // PAGE + pages) * PAGE - at])
        os.kill(os.getpid(), signal.SIGKILL)
        return write(journal, data)

    disk.append = append
    p.record(raw)


@pytest.mark.parametrize("pages", [1, 2, 5])
def test_qd1_a_hook_killed_between_two_pages_of_its_record_leaves_a_gap_and_no_damage(
    project: Make, pages: int
) -> None:
    p = project({"a.md": POEM})
    p.prompt()
    p.edit("a.md", "line 3\n", "THREE\n")
    first = p.hunks()
    call = p.call("Edit", "a.md", old_string="line 9\n", new_string="x" * 6 * PAGE)
    assert not survives(partial(written_up_to, p, p.before(call), pages), MOST_STEPS)
    p.sub("a.md", "line 9\n", "NINE\n")
    p.prompt("on with it")
    assert p.journal.stat().st_size % PAGE
    # Nobody knows whose that is, so it is asked about.
    (_, found) = p.hunks()
    assert any("killed while it wrote" in warning for warning in p.warnings)
    assert (found["new"], found["actor"]["kind"]) == ("NINE\n", "unknown")
    assert "corrupt-state" not in p.gate()
    checked = p.check()
    assert checked["ok"]
    (gap,) = [one for one in checked["problems"] if one["where"].startswith("journal")]
    assert (gap["harmless"], gap["what"].startswith("a gap")) == (True, True)
    p.lose_index()
    assert {one["id"] for one in first} < {one["id"] for one in p.hunks()}
    # Bytes that are lost in the middle of whole records are another thing.
    data = p.journal.read_bytes()
    last = p.frames()[-2]
    p.journal.write_bytes(data[: last.start + 30] + data[last.start + 40 :])
    p.is_damaged = True
    assert not p.check()["ok"]
    assert "corrupt-state" in p.gate()
