"""What a hook process wrote down: read it back. The writing side is `hook/recorder.py`."""

import os
from collections.abc import Iterable
from dataclasses import dataclass

from blueline.errors import BluelineError
from blueline.hook.disk import unescape
from blueline.model.ids import BlobId
from blueline.model.state import Absent, FileState, Link, Other, Regular, Unknown

FIRST_LINE = b"blueline-observation 1"


class ObservationUnreadable(BluelineError):
    """Not an observation, or one of a later version."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Observation:
    """One agent event, with the file it names as it was just then."""

    at_ns: int
    """Nanoseconds since 1970 by a clock that may jump: order comes from the journal, not from this."""
    agent: str
    event: str | None
    """None if the payload was not understood."""
    mode: str
    path: str | None
    """Relative to the root; None if no file is named, or one outside."""
    outside: str | None
    """The absolute path of a file outside the root, which was not looked at."""
    state: FileState | None
    stat: tuple[int, int, int, int, int] | None
    """Device, inode, mtime and ctime in nanoseconds, size."""
    raw: bytes | None
    """The payload as the agent sent it, unless it is in `raw_blob`."""
    raw_blob: BlobId | None


def parse(payload: bytes) -> Observation:
    """Read the payload of an observation frame. Lines of a kind that is not known are passed over."""
    head, _, raw = payload.partition(b"\n\n")
    first, *lines = head.split(b"\n")
    if first != FIRST_LINE:
        raise ObservationUnreadable(
            f"a record begins with {first[:40]!r}",
            hint="it may come from a newer Blueline; update this one, or run `blueline check`",
        )
    fields = dict(split(lines))
    try:
        return build(fields, raw)
    except (KeyError, ValueError) as error:
        raise ObservationUnreadable(
            f"a record cannot be read: {error}", hint="run `blueline check`"
        ) from error


def split(lines: Iterable[bytes]) -> Iterable[tuple[str, bytes]]:
    for line in lines:
        name, _, value = line.partition(b" ")
        yield name.decode("ascii", "replace"), value


def build(fields: dict[str, bytes], raw: bytes) -> Observation:
    blob = fields.get("raw")
    state, stat = fields.get("state"), fields.get("stat")
    event = fields.get("event")
    return Observation(
        at_ns=int(fields["at"]),
        agent=fields["agent"].decode(),
        event=None if event is None else unescape(event).decode("utf-8", "replace"),
        mode=fields["mode"].decode(),
        path=name_of(fields.get("path")),
        outside=name_of(fields.get("outside")),
        state=None if state is None else state_of(state),
        stat=None if stat is None else stat_of(stat),
        raw=raw if blob is None else None,
        raw_blob=None if blob is None else BlobId(blob.decode()),
    )


def name_of(value: bytes | None) -> str | None:
    return None if value is None else os.fsdecode(unescape(value))


def stat_of(value: bytes) -> tuple[int, int, int, int, int]:
    device, inode, mtime, ctime, size = map(int, value.split())
    return device, inode, mtime, ctime, size


def state_of(value: bytes) -> FileState:
    kind, _, rest = value.partition(b" ")
    match kind:
        case b"file":
            mode, size, blob = rest.split()
            return Regular(mode=int(mode, 8), size=int(size), blob=BlobId(blob.decode()))
        case b"link":
            return Link(target=os.fsdecode(unescape(rest)))
        case b"absent":
            return Absent(missing_folder=os.fsdecode(unescape(rest)))
        case b"other":
            return Other(mode=int(rest, 8))
        case b"unknown":
            return Unknown(why=os.fsdecode(unescape(rest)))
        case _:
            return Unknown(why=f"a state this version does not know: {kind!r}")
