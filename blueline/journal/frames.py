"""Find the frames in a journal's bytes, and the way past what is not one.

A frame is a marker, version, kind, two flag bytes, the payload's length, a checksum over these (but for the
marker) and the payload, and the payload. Where bytes do not make a frame, reading goes on at the next place
where they do. Text that an agent controls cannot pass for a frame there: its events are JSON, in which a
header's zero bytes do not occur.
"""

import struct
from collections.abc import Iterator
from mmap import mmap
from typing import NamedTuple

from blueline.kernel.disk import HEADER_SIZE, LONGEST_PAYLOAD, MAGIC, VERSION, checksum, frame, whole_frames

HEADER = struct.Struct(">4sBcHI8s")
CHECKED_TO = 12

PAGE = 4096
"""The system cuts the write of a process that is killed off between two pages of the file, nowhere else."""

OBSERVATION, EVENT, PURGED, TOLD = b"o", b"e", b"p", b"t"


class Frame(NamedTuple):
    """One whole record. `start` and `end` are offsets in the journal."""

    start: int
    end: int
    kind: bytes
    payload: bytes


class Damage(NamedTuple):
    """Bytes that belong to no frame."""

    start: int
    end: int
    tail: bool
    """No frame follows: perhaps a record that is still being written. Read again from `start` later."""
    torn: bool = False
    """A record whose writer was killed in the middle of it. Nobody was told that it is there."""


Buffer = bytes | mmap


def read(data: Buffer, *, base: int = 0, last: bool = True) -> Iterator[Frame | Damage]:
    """Everything in a stretch of a journal that starts at offset `base`, in order, without gaps.

    With `last` false more of the journal follows: what cannot be told without it is left out at the end.
    """
    at = 0
    while at < len(data):
        for end, kind, payload in whole_frames(data, at):
            yield Frame(base + at, base + end, kind, payload)
            at = end
        if at == len(data):
            return
        if (end := next_frame(data, at, last)) >= 0:
            yield Damage(base + at, base + end, False, (base + end) % PAGE == 0 and is_torn(data[at:end]))
        else:
            if last:
                yield Damage(base + at, base + len(data), True)
            return
        at = end


def payload_at(data: Buffer, at: int) -> bytes | None:
    """The payload of the frame that starts there; None if none does."""
    if len(data) - at < HEADER_SIZE:
        return None
    magic, version, _, _, length, expected = HEADER.unpack_from(data, at)
    start = at + HEADER_SIZE
    if magic != MAGIC or version != VERSION or length > min(LONGEST_PAYLOAD, len(data) - start):
        return None
    payload = data[start : start + length]
    return payload if checksum(data[at + len(MAGIC) : at + CHECKED_TO], payload) == expected else None


def may_go_on(data: Buffer, at: int) -> bool:
    """Whether what starts there would be a frame with the right bytes after the end of `data`."""
    if len(data) - at < HEADER_SIZE:
        return True
    length = length_at(data, at)
    return length is not None and length > len(data) - at - HEADER_SIZE


def length_at(data: Buffer, at: int) -> int | None:
    """How long a payload the header there announces; None if it is no header."""
    if len(data) - at < HEADER_SIZE:
        return None
    magic, version, _, _, length, _ = HEADER.unpack_from(data, at)
    known = magic == MAGIC and version == VERSION and length <= LONGEST_PAYLOAD
    return int(length) if known else None


def next_frame(data: Buffer, damaged: int, last: bool) -> int:
    """Where the next whole frame after a damaged place starts, -1 if none does or more bytes are needed."""
    at = damaged
    while at >= 0 and payload_at(data, at) is None:
        if not last and may_go_on(data, at):
            return -1
        at = data.find(MAGIC, at + 1)
    return at


def is_torn(data: bytes) -> bool:
    """Whether all that is wrong with a record is that its end is not there."""
    if len(data) < HEADER_SIZE:
        return data[: len(MAGIC)] == MAGIC[: len(data)]
    length = len(data) - HEADER_SIZE
    if (length_at(data, 0) or 0) <= length:
        return False
    # With another length it may be whole: then the length itself is damaged.
    about = data[len(MAGIC) : CHECKED_TO - 4] + length.to_bytes(4, "big")
    return checksum(about, data[HEADER_SIZE:]) != data[CHECKED_TO:HEADER_SIZE]


def purged(old: Frame) -> bytes:
    """A frame of the same length that holds nothing."""
    return frame(PURGED, bytes(len(old.payload)))
