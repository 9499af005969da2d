"""The journal file: append, and read on from any place.

Hook processes append to the same file at any moment, without a lock. Nothing here changes a byte that was
written, but for `overwrite`.
"""

import os
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from blueline.errors import BluelineError
from blueline.journal import frames
from blueline.journal.event_bytes import dump_event
from blueline.journal.frames import EVENT, TOLD, Damage, Frame
from blueline.journal.reply import Reply, told
from blueline.kernel import disk
from blueline.model.fact import Event

WINDOW = 4 << 20
"""How much is read at a time. Read, not mapped: a mapped file that shrinks kills the process."""


class JournalUnwritable(BluelineError):
    """The disk is full, or closed to us. Nothing was recorded."""


class NotThere(BluelineError):
    """There is no such frame at that place, or not any more."""


class Bookmark(NamedTuple):
    """How far a journal was read, and the last event there: a journal without it is another one."""

    cursor: int = 0
    event: tuple[int, str] | None = None
    """Where its frame starts, and the header, in hexadecimal digits."""


class Followed(NamedTuple):
    """What stands behind a bookmark."""

    frames: list[Frame]
    damage: list[Damage]
    mark: Bookmark


class Journal:
    """All records of one project in the order they were written."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def write(self, events: Sequence[Event], mark: Bookmark) -> Bookmark:
        """Add events, durable on return, in one write; says how far all is known then.

        If somebody else wrote in between, that is read first: what is known by then is passed over.
        """
        start, data = self._append([(EVENT, dump_event(event)) for event in events])
        end, last = start + sum(map(len, data)), (data[-1][: disk.HEADER_SIZE].hex())
        return Bookmark(end if start == mark.cursor else mark.cursor, (end - len(data[-1]), last))

    def tell(self, said: Reply, mark: Bookmark) -> Bookmark:
        """Add the record that a conversation was told something; says how far all is known then."""
        start, data = self._append([(TOLD, told(said))])
        return mark._replace(cursor=start + len(data[0])) if start == mark.cursor else mark

    def append(self, kind: bytes, payload: bytes) -> int:
        """Add one record, durable on return; says the offset of its frame."""
        return self._append([(kind, payload)])[0]

    def _append(self, records: list[tuple[bytes, bytes]]) -> tuple[int, list[bytes]]:
        path = os.fsencode(self.path.absolute())
        data = [disk.frame(kind, payload) for kind, payload in records]
        try:
            return disk.append(path, b"".join(data)), data
        except OSError as error:
            raise JournalUnwritable(
                f"cannot write to {self.path}: {error.strerror}",
                hint="free some space or check the folder's permissions, then try again",
            ) from error

    def end(self) -> int:
        """The offset after the last byte; 0 if nothing was ever recorded."""
        try:
            return os.stat(self.path).st_size
        except FileNotFoundError:
            return 0

    def follow(self, mark: Bookmark) -> Followed | None:
        """All that stands behind a bookmark; None if it was not made in this journal, as it is now."""
        if self.end() < mark.cursor or not self._is_of_this(mark):
            return None
        found, damage, cursor = [], [], mark.cursor
        for one in self.read(mark.cursor):
            if isinstance(one, Frame):
                found.append(one)
            elif one.tail:
                break
            else:
                damage.append(one)
            cursor = one.end
        events = [one for one in found if one.kind == EVENT]
        last = (events[-1].start, self._header(events[-1].start)) if events else mark.event
        return Followed(found, damage, Bookmark(cursor, last))

    def _is_of_this(self, mark: Bookmark) -> bool:
        return mark.event is None or self._header(mark.event[0]) == mark.event[1]

    def _header(self, start: int) -> str:
        try:
            with self.path.open("rb") as file:
                return os.pread(file.fileno(), disk.HEADER_SIZE, start).hex()
        except OSError:
            return ""

    def read(self, after: int = 0) -> Iterator[Frame | Damage]:
        """What stands after an offset that an earlier frame or damage ended at, up to now.

        Damage with `tail` comes last if at all, and may be a record that somebody is writing: go on from its
        start, not from its end.
        """
        try:
            fd = os.open(self.path, os.O_RDONLY | os.O_NOFOLLOW)
        except FileNotFoundError:
            return
        try:
            yield from self._read(fd, after, os.fstat(fd).st_size)
        finally:
            os.close(fd)

    def at(self, start: int) -> Frame:
        """The frame that starts at an offset."""
        try:
            with self.path.open("rb") as file:
                header = os.pread(file.fileno(), disk.HEADER_SIZE, start)
                length = frames.length_at(header, 0) or 0
                data = os.pread(file.fileno(), disk.HEADER_SIZE + length, start)
        except FileNotFoundError:
            data = b""
        for found in frames.read(data, base=start):
            if isinstance(found, Frame) and found.start == start:
                return found
        raise NotThere(f"no record starts at {start} in the journal", hint="run `blueline check`")

    def overwrite(self, old: Frame, payload: bytes | None = None) -> Frame:
        """Purge: replace one frame by an empty one, or by what may stay of it, of the same length, durably.

        The one exception to "the journal only grows", for content a person has removed for good. Everything
        else keeps its offset. Cut short, it leaves damage in the place of this frame and of no other.
        """
        if self.at(old.start) != old:
            raise NotThere(f"the record at {old.start} is another one by now", hint="read the journal again")
        data = frames.purged(old) if payload is None else disk.frame(old.kind, payload)
        if len(data) != old.end - old.start:
            raise ValueError("a frame can only be replaced by one of the same length")
        fd = os.open(self.path, os.O_WRONLY | os.O_NOFOLLOW)
        try:
            written = 0
            while written < len(data):
                written += os.pwrite(fd, data[written:], old.start + written)
            disk.flush(fd)
        finally:
            os.close(fd)
        return self.at(old.start)

    def _read(self, fd: int, at: int, end: int) -> Iterator[Frame | Damage]:
        window = WINDOW
        while at < end:
            data = os.pread(fd, min(window, end - at), at)
            reached = at + len(data)
            before = at
            for found in frames.read(data, base=at, last=reached >= end or not data):
                at = found.end
                yield found
            if not data:
                return
            # A frame longer than the window, or damage without end in it.
            window = window * 2 if at == before else WINDOW
