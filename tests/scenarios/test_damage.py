"""A journal that is cut, an index that is damaged, locked or of another version."""

from __future__ import annotations

import sqlite3
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from blueline.errors import BluelineError
from blueline.journal import database
from blueline.journal.frames import EVENT, Damage
from blueline.journal.log import Journal
from tests.support.durable import edited
from tests.support.killing import every_step
from tests.support.project import POEM, Make


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
    on_disk = p.on_disk()
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
            assert p.on_disk() == on_disk


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
    on_disk = p.on_disk()
    p.journal.unlink()
    for _ in range(2):
        assert "corrupt-state" in p.gate()
        assert p.on_disk() == on_disk
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
    monkeypatch.setattr(database, "connect", partial(sqlite3.connect, timeout=0))


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
        patch.setattr(database, "connect", traced)
        p.reject()
    begun = [statement.lower() for statement in seen if statement.lower().startswith("begin")]
    assert begun
    assert set(begun) == {"begin immediate"}


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
    (p.state / "format").write_bytes(b"blueline 99\n")
    before = {path: path.read_bytes() for path in p.state.rglob("*") if path.is_file()}
    with pytest.raises(BluelineError, match="format") as refused:
        p.reject()
    assert "update" in refused.value.hint
    assert {path: path.read_bytes() for path in p.state.rglob("*") if path.is_file()} == before
