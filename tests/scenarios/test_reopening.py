"""Clocks that jump, what opening costs, and what is the same after it."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Callable
from typing import Any

import pytest

from blueline.journal.observation import parse
from blueline.review.fold import fold
from tests.support.durable import DAY_NS, edited
from tests.support.project import POEM, Make, Verdict
from tests.support.workspace import stepping_in


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
        monkeypatch.setattr("blueline.desk.project_store.fold", counted_fold)
        monkeypatch.setattr("blueline.journal.observation.parse", counted_parse)

    def of(self, act: Callable[[], object]) -> tuple[int, int, int]:
        self.read = self.folded = self.parsed = 0
        act()
        return self.read, self.folded, self.parsed


def test_qd28_opening_costs_what_is_new_and_not_what_there_is(
    project: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    p = project({"a.md": POEM, "b.md": POEM})
    # However long it takes here: what was written just now is read again a little later, once.
    monkeypatch.setattr("blueline.journal.wholeness.RACY_NS", 10**18)
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
    assert (
        nothing[0] == nothing_later[0] < 200
    )  # bytes at its end, to see whether it is the one that was whole
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


def test_x03_a_restart_with_nothing_changed_gives_the_same_pending_set_in_the_same_order(
    project: Make,
) -> None:
    p = edited(project)
    known, journal, standing = p.known(), p.journal.read_bytes(), p.on_disk()
    for _ in range(3):
        assert p.known() == known
    assert p.journal.read_bytes() == journal
    p.lose_index()
    assert p.known() == known
    done = p.command("list", "--json")
    assert json.loads(done.stdout)["hunks"] == p.hunks()
    assert (p.journal.read_bytes(), p.on_disk()) == (journal, standing)


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
    known, standing, journal = p.known(), p.on_disk(), p.journal.read_bytes()
    answer = p.decide(verdict, [], dry_run=True)
    assert (answer["decision"], answer["dry_run"]) == (None, True)
    assert answer["written"] == ([] if verdict == "accept" else ["a.md", "b.md"])
    assert (p.known(), p.on_disk(), p.journal.read_bytes()) == (known, standing, journal)


def test_the_desk_can_be_opened_again_after_any_failure_to_open_it(project: Make) -> None:
    p = edited(project)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("blueline.desk.project_store.open_index", None)
        with pytest.raises(TypeError):
            p.hunks()
    assert p.hunks()
