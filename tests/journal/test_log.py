"""The journal as a file, and the observations in it."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from blueline.journal import log
from blueline.journal.frames import EVENT, Damage, Frame
from blueline.journal.log import Bookmark, Followed, Journal, JournalUnwritable, NotThere
from blueline.kernel.disk import frame
from blueline.model.fact import Event, ModeSet


@pytest.fixture
def journal(tmp_path: Path) -> Journal:
    return Journal(tmp_path / "journal")


class TestAppending:
    def test_nothing_was_recorded_yet(self, journal: Journal) -> None:
        assert journal.end() == 0
        assert list(journal.read()) == []

    def test_a_record_is_where_append_says(self, journal: Journal) -> None:
        starts = [journal.append(b"e", b"x" * size) for size in (3, 0, 5000)]
        found = list(journal.read())
        assert [one.start for one in found] == starts
        assert [journal.at(start) for start in starts] == found
        assert found[-1].end == journal.end()
        assert journal.path.stat().st_mode & 0o777 == 0o600

    def test_many_at_once_keep_apart(self, journal: Journal) -> None:
        payloads = [b"%d " % number * (number % 50) for number in range(400)]
        with ThreadPoolExecutor(16) as pool:
            starts = list(pool.map(lambda payload: journal.append(b"e", payload), payloads))
        assert [journal.at(start).payload for start in starts] == payloads
        assert len(list(journal.read())) == 400

    def test_a_full_disk_is_an_error_with_a_hint(
        self, journal: Journal, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        journal.append(b"e", b"first")

        def full(fd: int, data: bytes) -> int:
            raise OSError(28, "No space left on device")

        monkeypatch.setattr("posix.write", full)
        with pytest.raises(JournalUnwritable, match="No space left") as caught:
            journal.append(b"e", b"second")
        assert caught.value.hint
        assert len(list(journal.read())) == 1


class TestReading:
    def test_reading_goes_on_where_it_stopped(self, journal: Journal) -> None:
        journal.append(b"e", b"first")
        end = journal.end()
        second = journal.append(b"e", b"second")
        assert [one.start for one in journal.read(end)] == [second]
        assert list(journal.read(journal.end())) == []

    def test_a_record_that_is_being_written_is_read_when_it_is_whole(self, journal: Journal) -> None:
        journal.append(b"e", b"first")
        coming = frame(b"e", b"second")
        with journal.path.open("ab", buffering=0) as file:
            file.write(coming[:15])
            (_, tail) = journal.read()
            assert tail == Damage(tail.start, journal.end(), True)
            file.write(coming[15:])
        (second,) = journal.read(tail.start)
        assert isinstance(second, Frame)
        assert second.payload == b"second"

    @pytest.mark.parametrize("window", [1, 30, 64, 1000])
    def test_it_is_read_a_little_at_a_time(
        self, journal: Journal, window: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:  # QD28
        sizes = [0, 10, 100, 40, 700, 3]
        data = [frame(b"e", b"x" * size) for size in sizes]
        data.insert(3, b"rubbish" * 40)
        data[6] = data[6][:-1]
        journal.path.write_bytes(b"".join(data))
        at_once = list(journal.read())
        assert [type(one) for one in at_once] == [Frame, Frame, Frame, Damage, Frame, Frame, Damage]
        monkeypatch.setattr(log, "WINDOW", window)
        assert list(journal.read()) == at_once

    def test_a_reader_that_leaves_early_leaves_nothing_open(self, journal: Journal) -> None:
        for _ in range(3):
            journal.append(b"e", b"x")
        before = len(os.listdir("/dev/fd"))
        for _ in range(20):
            assert next(iter(journal.read())).start == 0
        assert len(os.listdir("/dev/fd")) == before


class TestPurging:
    def test_one_record_is_emptied_and_all_others_stay(self, journal: Journal) -> None:
        for payload in (b"first", b"secret" * 1000, b"third"):
            journal.append(b"e", payload)
        first, secret, third = journal.read()
        assert isinstance(secret, Frame)
        emptied = journal.overwrite(secret)
        assert list(journal.read()) == [first, emptied, third]
        assert (emptied.kind, emptied.payload) == (b"p", bytes(6000))
        assert b"secret" not in journal.path.read_bytes()

    def test_only_the_record_that_was_meant(self, journal: Journal) -> None:
        journal.append(b"e", b"first")
        (first,) = journal.read()
        assert isinstance(first, Frame)
        journal.overwrite(first)
        before = journal.path.read_bytes()
        with pytest.raises(NotThere):
            journal.overwrite(first)
        with pytest.raises(NotThere):
            journal.overwrite(first._replace(start=3))
        assert journal.path.read_bytes() == before

    @pytest.mark.parametrize("start", [1, 20, 10_000])
    def test_no_record_starts_just_anywhere(self, journal: Journal, start: int) -> None:
        journal.append(b"e", b"first" + frame(b"e", b"inner"))
        with pytest.raises(NotThere):
            journal.at(start)


class TestFollowing:
    def events(self, *numbers: int) -> list[Event]:
        return [Event(number=one, at="", source=None, facts=(ModeSet(mode="hold"),)) for one in numbers]

    def test_what_was_written_by_oneself_is_not_read_again(self, journal: Journal) -> None:
        mark = journal.write(self.events(1, 2), Bookmark())
        assert journal.follow(mark) == Followed([], [], mark)
        assert [one.kind for one in journal.read() if isinstance(one, Frame)] == [EVENT, EVENT]

    def test_what_somebody_else_wrote_in_between_is_read_first(self, journal: Journal) -> None:
        mark = journal.write(self.events(1), Bookmark())
        journal.append(b"o", b"by a hook")
        mark = journal.write(self.events(2), mark)
        found = journal.follow(mark)
        assert found is not None
        assert [one.kind for one in found.frames] == [b"o", EVENT]
        assert journal.follow(found.mark) == Followed([], [], found.mark)

    def test_a_tail_is_read_again_and_damage_is_told(self, journal: Journal) -> None:
        mark = journal.write(self.events(1), Bookmark())
        with journal.path.open("ab") as file:
            file.write(b"rubbish")
        found = journal.follow(mark)
        assert found == Followed([], [], mark)
        journal.append(b"o", b"behind it")
        found = journal.follow(mark)
        assert found is not None
        assert [one.payload for one in found.frames] == [b"behind it"]
        assert [one.end - one.start for one in found.damage] == [len(b"rubbish")]

    def test_a_journal_that_was_cut_or_is_another_one_is_told_apart(self, journal: Journal) -> None:
        mark = journal.write(self.events(1, 2), Bookmark())
        whole = journal.path.read_bytes()
        journal.path.write_bytes(whole[:-1])
        assert journal.follow(mark) is None
        journal.path.write_bytes(bytes(len(whole)))
        assert journal.follow(mark) is None
        journal.path.write_bytes(whole)
        assert journal.follow(mark) is not None
