"""The seal of the index: all bytes are read when something may have been written, and not every time."""

from __future__ import annotations

import os
import sqlite3
from pathlib import Path

import pytest

from blueline.journal import database
from blueline.journal.database import Database, IndexDamaged

SCHEMA = "create table things (name text);"


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An index that was written long enough ago for its times to tell it from any later one."""
    monkeypatch.setattr(database, "RACY_NS", -1)
    path = tmp_path / "index.sqlite"
    open_and_close(path)
    open_and_close(path)
    return path


def open_and_close(path: Path) -> None:
    Database(path, SCHEMA, 1).close()


def reads(path: Path, monkeypatch: pytest.MonkeyPatch) -> int:
    """How often all bytes are read when it is opened."""
    count = 0
    whole = database.checksum

    def counted(path: Path) -> bytes:
        nonlocal count
        count += 1
        return whole(path)

    with monkeypatch.context() as patched:
        patched.setattr(database, "checksum", counted)
        open_and_close(path)
    return count


def flip(path: Path) -> None:
    data = bytearray(path.read_bytes())
    data[-1] ^= 1
    with path.open("r+b") as file:
        file.write(data)


def test_bytes_that_nobody_has_written_to_are_not_read_again(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert reads(index, monkeypatch) == 0


def test_a_write_is_noticed_even_if_the_time_is_set_back(index: Path) -> None:
    before = index.stat()
    flip(index)
    os.utime(index, ns=(before.st_atime_ns, before.st_mtime_ns))
    with pytest.raises(IndexDamaged):
        open_and_close(index)


def test_after_an_hour_or_a_new_start_of_the_machine_they_are_read_again(
    index: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "CHECKED_FOR_NS", 0)
    assert reads(index, monkeypatch) == 1
    monkeypatch.undo()
    monkeypatch.setattr(database, "RACY_NS", -1)
    open_and_close(index)
    monkeypatch.setattr("blueline.kernel.disk.boot", lambda: b"another")
    assert reads(index, monkeypatch) == 1


def test_what_was_written_just_now_is_read_again(index: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    database_ = Database(index, SCHEMA, 1)
    with database_.saving():
        database_.run("insert into things values ('new')")
    database_.close()
    assert reads(index, monkeypatch) == 1
    assert reads(index, monkeypatch) == 1


@pytest.fixture
def large(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """One that counts as large."""
    monkeypatch.setattr(database, "LARGE", 0)
    path = tmp_path / "large.sqlite"
    open_and_close(path)
    return path


def asked(path: Path, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether SQLite is asked, when it is opened, if all is in order."""
    found: list[str] = []
    wrong = Database.wrong

    def noted(self: Database, check: str = "integrity_check") -> list[str]:
        found.append(check)
        return wrong(self, check)

    with monkeypatch.context() as patched:
        patched.setattr(Database, "wrong", noted)
        open_and_close(path)
    return bool(found)


def test_a_large_one_is_read_neither_when_it_is_closed_nor_when_it_is_opened(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = Database(large, SCHEMA, 1)
    with found.saving():
        found.run("insert into things values ('new')")
    with monkeypatch.context() as patched:
        patched.setattr(database, "checksum", None)
        found.close()
        open_and_close(large)
    assert not asked(large, monkeypatch)


def test_a_large_one_that_was_written_to_by_others_or_before_a_new_start_is_asked_about(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    flip(large)
    assert asked(large, monkeypatch)
    assert not asked(large, monkeypatch)
    monkeypatch.setattr("blueline.kernel.disk.boot", lambda: b"another")
    assert asked(large, monkeypatch)


def test_a_large_one_whose_times_are_whole_seconds_is_read(
    large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "SECOND_NS", 1)
    open_and_close(large)
    large.with_name(large.name + "-seal").unlink()
    open_and_close(large)
    flip(large)
    with pytest.raises(IndexDamaged):
        open_and_close(large)


@pytest.mark.parametrize("note", [b"", b"x", b"1 2", b"9" * 400, b"-1 a b", b"\xff" * 30])
def test_a_note_that_says_nothing_counts_for_nothing(
    index: Path, monkeypatch: pytest.MonkeyPatch, note: bytes
) -> None:
    seal = index.with_name(index.name + "-seal")
    seal.write_bytes(seal.read_bytes().partition(b"\n")[0] + b"\n" + note)
    assert reads(index, monkeypatch) == 1


def test_without_a_seal_sqlite_is_asked(index: Path) -> None:
    index.with_name(index.name + "-seal").unlink()
    with sqlite3.connect(index) as connection:
        connection.execute("insert into things values ('by another')")
    connection.close()
    open_and_close(index)
    assert index.with_name(index.name + "-seal").exists()


def test_room_that_much_left_is_given_back(index: Path) -> None:
    found = Database(index, SCHEMA, 1)
    with found.saving():
        found.run_each("insert into things values (?)", [("x" * 5000,)] * 100)
    with found.saving():
        found.run("delete from things where rowid > 5")
    found.close()
    large = index.stat().st_size
    found = Database(index, SCHEMA, 1)
    found.tighten()
    assert found.rows("select count(*) from things") == [(5,)]
    assert not index.with_name("index.sqlite-seal").exists()
    found.close()
    assert index.stat().st_size < large / 4
    found = Database(index, SCHEMA, 1)
    assert found.wrong() == []
    before = found.signature()
    found.tighten()
    assert found.signature() == before
    found.close()
