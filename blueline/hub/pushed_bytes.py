"""What a machine sends of its journal: whole frames, told apart from anything else before a byte is kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from blueline.errors import BluelineError
from blueline.journal import frames
from blueline.journal.event_bytes import load_event
from blueline.journal.frames import EVENT, HEADER, PURGED, Frame


class NotWhole(BluelineError):
    """Bytes that are no frames, and were not said to be damage."""


class OtherBytes(BluelineError):
    """Something else stands at a place that is known already."""


Stretch = tuple[int, int]
"""From one offset to another, without it."""


class LastFrame(NamedTuple):
    """Where the last whole frame starts, and its header, which holds its checksum."""

    start: int = 0
    header: bytes = b""


def last_frame(data: bytes, base: int, damaged: Sequence[Stretch]) -> LastFrame:
    """See that a stretch of a journal holds whole frames, and besides them only what the machine itself calls
    damage: a record that was cut short has its place in a journal, and offsets behind it count."""
    found = LastFrame()
    said = set(damaged)
    for one in frames.read(data, base=base):
        if isinstance(one, Frame):
            at = one.start - base
            found = LastFrame(one.start, data[at : at + HEADER.size])
        elif (one.start, one.end) not in said:
            raise NotWhole(
                f"from byte {one.start} to {one.end} there is no whole frame",
                hint="send whole frames, and say which stretches are damaged",
            )
    return found


def purged_since(known: bytes, sent: bytes, base: int) -> list[tuple[int, bytes]]:
    """The frames that were purged on the machine after they were sent: where each starts, and its bytes now.

    Anything else that differs is refused: then it is another journal, or this one was cut or put back.
    """
    if known == sent:
        return []
    found = []
    at = 0
    for one in frames.read(sent, base=base):
        start, end = one.start - base, one.end - base
        if known[start:end] == sent[start:end]:
            at = end
            continue
        is_purged = isinstance(one, Frame) and one.kind == PURGED
        if not is_purged or not _is_one_frame(known[start:end]):
            raise OtherBytes(
                f"from byte {one.start} on another journal is known",
                hint="begin a new copy that takes its place",
            )
        found.append((one.start, sent[start:end]))
        at = end
    assert at == len(sent), "frames and damage leave no gap"
    return found


def must_be_what_is_left(known: bytes, sent: bytes, base: int) -> None:
    """See that a frame is what a purge left of another: nothing, or the same event without some of what was
    in it. Anything else is refused, as if it was sent for the first time."""
    before, after = _one_frame(known), _one_frame(sent)
    if before is not None and after is not None and len(known) == len(sent):
        if after.kind == PURGED:
            return
        if before.kind == after.kind == EVENT and _event(before) == _event(after):
            return
    raise OtherBytes(f"what was sent is not what a purge leaves of the record at {base}", hint="sync again")


def _one_frame(data: bytes) -> Frame | None:
    found = [*frames.read(data)]
    one = found[0] if len(found) == 1 else None
    return one if isinstance(one, Frame) and one.end == len(data) else None


def _event(frame: Frame) -> tuple[object, ...]:
    try:
        event = load_event(frame.payload)
    except BluelineError:
        return ()
    return event.number, event.at, event.source


def _is_one_frame(data: bytes) -> bool:
    payload = frames.payload_at(data, 0)
    return payload is not None and len(payload) + HEADER.size == len(data)
