"""Damage in a journal is found, without reading all of it each time."""

from __future__ import annotations

import errno
import os
import time
from pathlib import Path

import pytest

from blueline.journal import wholeness
from blueline.journal.log import Journal
from blueline.journal.wholeness import damaged
from blueline.kernel import disk


class Kept:
    """A journal, what is known of it, and how much of it is read."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        (folder / "blobs" / "tmp").mkdir(parents=True)
        self.journal = Journal(folder / "journal")
        self.note = folder / "journal-whole"
        self.read_from: list[int] = []
        read = Journal.read

        def counted(journal: Journal, after: int = 0) -> object:
            self.read_from.append(after)
            return read(journal, after)

        monkeypatch.setattr(Journal, "read", counted)
        for number in range(5):
            self.journal.append(b"o", b"record %d" % number)

    def damaged(self) -> list[tuple[int, int]]:
        self.read_from.clear()
        return damaged(self.journal, self.note)[0]

    def flip(self, at: int) -> None:
        with self.journal.path.open("r+b") as file:
            file.seek(at)
            file.write(b"\xff")


@pytest.fixture
def kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Kept:
    monkeypatch.setattr(wholeness, "RACY_NS", -1)
    return Kept(tmp_path, monkeypatch)


def test_what_was_read_is_not_read_again(kept: Kept) -> None:
    assert (kept.damaged(), kept.read_from) == ([], [0])
    end = kept.journal.end()
    assert (kept.damaged(), kept.read_from) == ([], [end])
    kept.journal.append(b"o", b"one more")
    assert (kept.damaged(), kept.read_from) == ([], [end])


def test_a_byte_that_was_changed_in_its_place_is_found(kept: Kept) -> None:  # D6
    kept.damaged()
    before = os.stat(kept.journal.path)
    kept.flip(60)
    os.utime(kept.journal.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    (one,) = kept.damaged()
    assert one[0] <= 60 < one[1]
    assert kept.damaged() == [one]
    kept.journal.append(b"o", b"behind it")
    assert kept.damaged() == [one]


def test_one_that_was_cut_or_exchanged_is_read_from_its_beginning(kept: Kept) -> None:
    kept.damaged()
    whole = kept.journal.path.read_bytes()
    kept.journal.path.write_bytes(whole[:-3])
    kept.damaged()
    assert kept.read_from == [0]
    kept.journal.path.unlink()
    kept.journal.path.write_bytes(bytes(len(whole)) + whole)
    kept.damaged()
    assert kept.read_from == [0]


def test_after_an_hour_all_of_it_is_read(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.damaged()
    monkeypatch.setattr(wholeness, "READ_FOR_NS", 0)
    kept.damaged()
    assert kept.read_from == [0]


def test_what_was_written_just_now_is_read_again(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(wholeness, "RACY_NS", 10**12)
    kept.damaged()
    kept.damaged()
    assert kept.read_from == [kept.journal.end()], "not at once"
    later = time.time_ns() + 10**13
    monkeypatch.setattr(wholeness, "READ_FOR_NS", 10**15)
    monkeypatch.setattr(time, "time_ns", lambda: later)
    kept.damaged()
    assert kept.read_from == [0], "but when another write would show"
    kept.damaged()
    assert kept.read_from == [kept.journal.end()]


def test_a_tail_is_told_apart(kept: Kept) -> None:
    with kept.journal.path.open("ab") as file:
        file.write(b"begun")
    end = kept.journal.end()
    for _ in range(2):
        ranges, tail = damaged(kept.journal, kept.note)
        assert ranges == []
        assert tail is not None
        assert (tail.start, tail.end) == (end - 5, end)


@pytest.mark.parametrize("note", [b"", b"?", b"[]", b"[1,2,3,4,5,6,7]", b"{}", b"[[1],2,3,4,5,6,[[1]]]"])
def test_a_note_that_cannot_be_read_counts_for_nothing(kept: Kept, note: bytes) -> None:
    kept.note.write_bytes(note)
    assert (kept.damaged(), kept.read_from) == ([], [0])


def test_a_note_that_cannot_be_written_is_done_without(kept: Kept, monkeypatch: pytest.MonkeyPatch) -> None:
    kept.flip(20)
    found = kept.damaged()
    kept.note.unlink()
    monkeypatch.setattr(disk, "put_in_place", full)
    assert kept.damaged() == found != []
    assert not kept.note.exists()


def full(*given: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_no_journal_is_a_whole_one(kept: Kept) -> None:
    kept.journal.path.unlink()
    assert kept.damaged() == kept.damaged() == []
