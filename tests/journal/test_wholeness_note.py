"""What is known of a journal's wholeness holds only for the journal that was read (rule D6)."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from blueline.journal import wholeness_note
from blueline.journal.log import Journal
from blueline.journal.wholeness import damaged
from blueline.journal.wholeness_note import is_known_whole


@pytest.fixture
def journal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Journal:
    monkeypatch.setattr(wholeness_note, "RACY_NS", -1)
    (tmp_path / "blobs" / "tmp").mkdir(parents=True)
    found = Journal(tmp_path / "journal")
    for number in range(5):
        found.append(b"o", b"record %d" % number)
    return found


def known(journal: Journal) -> bool:
    return is_known_whole(journal.path, journal.path.with_name("note"))


def look(journal: Journal) -> None:
    damaged(journal, journal.path.with_name("note"))


def test_one_that_nobody_has_read_is_not_known(journal: Journal) -> None:
    assert not known(journal)
    look(journal)
    assert known(journal)


def test_one_that_has_grown_is_not_known(journal: Journal) -> None:
    look(journal)
    journal.append(b"o", b"one more")
    assert not known(journal)


def test_one_that_is_damaged_is_not_whole(journal: Journal) -> None:
    with journal.path.open("r+b") as file:
        file.seek(30)
        file.write(b"\xff")
    look(journal)
    assert not known(journal)


def test_one_with_a_torn_record_at_its_end_is_not_whole(journal: Journal) -> None:
    with journal.path.open("ab") as file:
        file.write(b"\xb1BLJ")
    look(journal)
    assert not known(journal)


def test_one_that_was_written_to_just_before_the_look_is_looked_at_again(
    journal: Journal, monkeypatch: pytest.MonkeyPatch
) -> None:
    look(journal)
    monkeypatch.setattr(wholeness_note, "RACY_NS", 10**18)
    assert not known(journal)


def test_a_byte_changed_in_its_place_is_noticed(journal: Journal) -> None:
    look(journal)
    before = os.stat(journal.path)
    with journal.path.open("r+b") as file:
        file.seek(30)
        file.write(b"\xff")
    os.utime(journal.path, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert not known(journal)


def test_nothing_is_known_for_longer_than_an_hour(journal: Journal, monkeypatch: pytest.MonkeyPatch) -> None:
    look(journal)
    monkeypatch.setattr(wholeness_note, "READ_FOR_NS", 0)
    assert not known(journal)
