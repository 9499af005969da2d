"""Frames and damage, in bytes alone."""

from __future__ import annotations

import mmap
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from blueline.journal.frames import (
    CHECKED_TO,
    EVENT,
    HEADER,
    OBSERVATION,
    PAGE,
    Damage,
    Frame,
    is_torn,
    length_at,
    may_go_on,
    purged,
    read,
)
from blueline.kernel.disk import HEADER_SIZE, LONGEST_PAYLOAD, MAGIC, VERSION, checksum, frame

PAYLOADS = [b"first", b"", b"third " + MAGIC + b"\x01o\0\0", b"fourth\n" * 3]
RECORDS = [(b"o" if number % 2 else b"e", payload) for number, payload in enumerate(PAYLOADS)]
JOURNAL = b"".join(frame(kind, payload) for kind, payload in RECORDS)
ENDS = [found.end for found in read(JOURNAL)]

rubbish = st.one_of(
    st.binary(max_size=30), st.just(MAGIC), st.integers(1, 23).map(lambda size: frame(b"o", b"torn")[:size])
)
records = st.lists(st.tuples(st.sampled_from([b"o", b"e", b"p"]), st.binary(max_size=60)), max_size=8)


def whole(found: list[Frame | Damage]) -> list[tuple[bytes, bytes]]:
    return [(one.kind, one.payload) for one in found if isinstance(one, Frame)]


def check_tiling(found: list[Frame | Damage], size: int) -> None:
    """No byte is left out, none counted twice, and only the last damage can be a tail."""
    edges = [0, *(edge for one in found for edge in (one.start, one.end)), size]
    assert edges[::2] == edges[1::2]
    assert all(isinstance(one, Frame) or not one.tail for one in found[:-1])


@given(records)
def test_what_is_written_is_read(written: list[tuple[bytes, bytes]]) -> None:
    data = b"".join(frame(*one) for one in written)
    found = list(read(data))
    assert whole(found) == written
    assert len(found) == len(written)
    check_tiling(found, len(data))


def test_a_journal_cut_at_any_length_keeps_its_whole_records() -> None:  # QD13
    for size in range(len(JOURNAL)):
        found = list(read(JOURNAL[:size]))
        count = sum(end <= size for end in ENDS)
        assert whole(found) == RECORDS[:count]
        torn = size not in (0, *ENDS)
        assert found[count:] == ([Damage(ENDS[count - 1] if count else 0, size, True)] if torn else [])


@pytest.mark.parametrize("bits", [0x01, 0x80, 0xFF])
def test_one_changed_byte_costs_one_record(bits: int) -> None:
    for at in range(len(JOURNAL)):
        data = JOURNAL[:at] + bytes([JOURNAL[at] ^ bits]) + JOURNAL[at + 1 :]
        hit = sum(end <= at for end in ENDS)
        found = list(read(data))
        assert whole(found) == RECORDS[:hit] + RECORDS[hit + 1 :]
        (damage,) = [one for one in found if isinstance(one, Damage)]
        assert damage == Damage(ENDS[hit - 1] if hit else 0, ENDS[hit], hit == len(RECORDS) - 1)
        check_tiling(found, len(data))


@given(
    st.lists(st.one_of(st.tuples(st.just(True), st.binary(max_size=40)), st.tuples(st.just(False), rubbish)))
)
def test_records_between_rubbish_are_found(parts: list[tuple[bool, bytes]]) -> None:
    data = b"".join(frame(b"o", content) if good else content for good, content in parts)
    found = list(read(data))
    assert whole(found) == [(b"o", content) for good, content in parts if good]
    check_tiling(found, len(data))


@given(records, rubbish, st.integers(0, 10), st.integers(1, 200))
def test_reading_in_stretches_is_reading_at_once(
    written: list[tuple[bytes, bytes]], between: bytes, position: int, stretch: int
) -> None:
    frames = [frame(*one) for one in written]
    data = b"".join([*frames[:position], between, *frames[position:]])
    found: list[Frame | Damage] = []
    at, size = 0, stretch
    while at < len(data):
        part = data[at : at + size]
        new = list(read(part, base=at, last=at + size >= len(data)))
        found += new
        at, size = (new[-1].end, stretch) if new else (at, size + stretch)
    assert found == list(read(data))


def test_a_length_that_lies_does_not_hide_what_follows() -> None:
    data = bytearray(JOURNAL)
    data[8:12] = (1 << 31).to_bytes(4, "big")
    assert whole(list(read(bytes(data)))) == RECORDS[1:]


def test_a_purged_frame_is_as_long_as_it_was() -> None:
    (first, *_) = read(JOURNAL)
    assert isinstance(first, Frame)
    data = purged(first) + JOURNAL[first.end :]
    found = list(read(data))
    assert whole(found) == [(b"p", bytes(5)), *RECORDS[1:]]
    assert [one.end for one in found] == ENDS


def test_a_mapped_file_reads_like_bytes(tmp_path: Path) -> None:
    path = tmp_path / "journal"
    path.write_bytes(JOURNAL)
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert list(read(mapped)) == list(read(JOURNAL))


@pytest.mark.parametrize("kind", [b"", b"oo"])
def test_a_kind_is_one_byte(kind: bytes) -> None:
    with pytest.raises(ValueError, match="one byte"):
        frame(kind, b"")


def test_of_a_stretch_only_what_can_be_told_is_told() -> None:
    """With more of the journal to come, what may be a frame that goes on is left for later."""
    for size in range(len(JOURNAL)):
        count = sum(end <= size for end in ENDS)
        assert list(read(JOURNAL[:size], last=False)) == list(read(JOURNAL))[:count]
    torn = b"rubbish" + JOURNAL
    assert list(read(torn, last=False)) == list(read(torn))
    # Behind damage, too: a marker at the end may be the beginning of the next.
    cut = b"x" * 40 + MAGIC
    assert list(read(cut, last=False)) == []
    assert list(read(cut)) == [Damage(0, len(cut), True)]


@pytest.mark.parametrize("before", [b"", b"before, and longer than a header"])
def test_a_header_says_how_long_its_payload_is(before: bytes) -> None:
    at, whole_frame = len(before), frame(b"o", b"payload")
    data = before + whole_frame
    assert length_at(data, at) == len(b"payload")
    assert length_at(data[: at + HEADER_SIZE], at) == len(b"payload")
    assert length_at(data[: at + HEADER_SIZE - 1], at) is None
    assert not may_go_on(data, at)
    assert may_go_on(data[:-1], at)
    assert may_go_on(data[: at + HEADER_SIZE], at)
    assert may_go_on(data[: at + HEADER_SIZE - 1], at)
    for header in (
        HEADER.pack(b"xxxx", VERSION, b"o", 0, 7, b"x" * 8),
        HEADER.pack(MAGIC, VERSION + 1, b"o", 0, 7, b"x" * 8),
        HEADER.pack(MAGIC, VERSION, b"o", 0, LONGEST_PAYLOAD + 1, b"x" * 8),
    ):
        assert length_at(before + header, at) is None
        assert not may_go_on(before + header, at)
    longest = HEADER.pack(MAGIC, VERSION, b"o", 0, LONGEST_PAYLOAD, b"x" * 8)
    assert length_at(before + longest, at) == LONGEST_PAYLOAD


def test_a_frame_of_another_version_is_none() -> None:
    checked = HEADER.pack(MAGIC, VERSION + 1, b"o", 0, 1, b"")[len(MAGIC) : CHECKED_TO]
    data = HEADER.pack(MAGIC, VERSION + 1, b"o", 0, 1, checksum(checked, b"x")) + b"x"
    assert list(read(data)) == [Damage(0, len(data), True)]


def test_a_record_cut_off_between_two_pages_is_torn_and_nothing_else_is() -> None:
    first, last = frame(OBSERVATION, b"x" * 3 * PAGE), frame(EVENT, b"after")
    for cut in (PAGE, 2 * PAGE):
        assert next(iter(read(first[:cut] + last))) == Damage(0, cut, False, torn=True)
        assert next(iter(read(first[: cut - 1] + last))) == Damage(0, cut - 1, False)
        # In a stretch of the journal, it is the place in the journal that counts.
        assert next(iter(read(first[: cut - 1] + last, base=1))) == Damage(1, cut, False, torn=True)
    before = frame(OBSERVATION, b"x" * (PAGE - HEADER_SIZE - 10 - HEADER_SIZE))
    (_, damage, _) = read(before + first[: PAGE - len(before)] + last)
    assert damage == Damage(len(before), PAGE, False, torn=True)


@pytest.mark.parametrize("bit", range(32))
def test_a_length_that_lies_is_damage_also_at_the_end_of_a_page(bit: int) -> None:
    whole = frame(OBSERVATION, b"x" * (PAGE - HEADER_SIZE))
    at, mask = 8 + bit // 8, 1 << bit % 8
    data = bytearray(whole + frame(EVENT, b"after"))
    data[at] ^= mask
    found = next(iter(read(bytes(data))))
    assert isinstance(found, Damage)
    assert (found.end, found.torn) == (PAGE, False)


def test_what_is_damaged_and_there_to_its_end_is_not_torn() -> None:
    whole_frame, empty = frame(OBSERVATION, b"payload"), frame(OBSERVATION, b"")
    flipped = bytearray(whole_frame)
    flipped[-1] ^= 1
    wrong = bytearray(empty)
    wrong[-1] ^= 1
    rubbish_of_a_header = b"?" * HEADER_SIZE
    assert not any(is_torn(bytes(one)) for one in (whole_frame, flipped, empty, wrong, rubbish_of_a_header))


def test_a_part_of_a_header_is_torn_and_other_short_rubbish_is_not() -> None:
    header = frame(OBSERVATION, b"payload")[:HEADER_SIZE]
    for size in range(1, HEADER_SIZE + 1):
        assert is_torn(header[:size])
        assert not is_torn(b"?" + header[1:size])


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_frame_directly_after_a_stray_byte_is_found(size: int) -> None:
    assert whole(list(read(b"?" * size + JOURNAL))) == RECORDS
