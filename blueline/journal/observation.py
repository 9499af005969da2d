"""What a hook process wrote down: read it back. The writing side is `hook/recorder.py`."""

import os
from collections.abc import Iterable
from typing import NamedTuple

from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.model.file_state import Absent, FileState, Folder, Link, Other, Regular, Unknown
from blueline.model.ids import BlobId
from blueline.model.tree_look import Sighting, TreeLook

FIRST_LINE = b"blueline-observation 1"


class ObservationUnreadable(BluelineError):
    """Not an observation, or one of a later version."""


class Observation(NamedTuple):
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
    looks: tuple[tuple[str, FileState], ...]
    """Files that a call names when it names several, each as it was just then."""
    tree: TreeLook | None
    """What changed in the whole tree; None if that was not looked at."""
    changes_blob: BlobId | None
    """Holds the sightings of `tree`, when they are many: `sightings` reads them."""
    process: tuple[int, int] | None
    """The agent: process number and start, where a turn or a wide call begins."""
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
    rows = list(split(lines))
    try:
        return build(dict(rows), rows, raw)
    except (KeyError, ValueError) as error:
        raise ObservationUnreadable(
            f"a record cannot be read: {error}", hint="run `blueline check`"
        ) from error


def parse_all(payloads: Iterable[bytes]) -> list[Observation | BluelineError]:
    """Each of them, or why it cannot be read."""
    found: list[Observation | BluelineError] = []
    for payload in payloads:
        try:
            found.append(parse(payload))
        except ObservationUnreadable as error:
            found.append(error)
    return found


def split(lines: Iterable[bytes]) -> Iterable[tuple[str, bytes]]:
    for line in lines:
        name, _, value = line.partition(b" ")
        yield name.decode("ascii", "replace"), value


def build(fields: dict[str, bytes], rows: list[tuple[str, bytes]], raw: bytes) -> Observation:
    blob, changes = fields.get("raw"), fields.get("changes")
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
        looks=tuple(look_of(value) for name, value in rows if name == "look"),
        tree=tree_of(fields, rows),
        changes_blob=None if changes is None else BlobId(changes.decode()),
        process=process_of(fields["process"]) if "process" in fields else None,
        raw=raw if blob is None else None,
        raw_blob=None if blob is None else BlobId(blob.decode()),
    )


def unescape(value: bytes) -> bytes:
    """As the kernel escaped it: almost nothing needs that."""
    return disk.unescape(value) if b"\\" in value else value


def look_of(value: bytes) -> tuple[str, FileState]:
    path, _, state = value.partition(b"\0")
    return os.fsdecode(unescape(path)), state_of(state)


def tree_of(fields: dict[str, bytes], rows: list[tuple[str, bytes]]) -> TreeLook | None:
    """What a record says of the whole tree; None if it says nothing."""
    if "tree-unknown" in fields:
        why = os.fsdecode(unescape(fields["tree-unknown"])) or "not known"
        return TreeLook(unknown=why, reaches="reach" in fields)
    if "tree" not in fields:
        return None

    def values(wanted: str) -> list[bytes]:
        return [value for name, value in rows if name == wanted]

    before, _, after = fields.get("refs", b"").decode().partition(" ")
    return TreeLook(
        sightings=tuple(map(sighting, values("seen"))),
        counted=tuple(map(count_of, values("counted"))),
        closed=tuple(os.fsdecode(unescape(value)) for value in values("closed")),
        is_first="first-look" in fields,
        reaches="reach" in fields,
        refs=(before, after) if after else None,
        made=tuple(os.fsdecode(value) for value in values("made")),
        process=process_of(fields["process"]) if "process" in fields else None,
        dead=frozenset(map(process_of, values("dead"))),
        left=tuple(unescape(value).decode("utf-8", "replace") for value in values("left")),
        stays=int(fields.get("stays", b"0")),
    )


def sightings(content: bytes) -> tuple[Sighting, ...]:
    """Those that are in a blob of their own."""
    return tuple(sighting(line) for line in content.split(b"\n") if line)


def sighting(value: bytes) -> Sighting:
    path, before, after, _ = value.split(b"\0")
    return Sighting(
        path=os.fsdecode(unescape(path)),
        before=state_of(before),
        after=state_of(after),
    )


def count_of(value: bytes) -> tuple[str, int, int]:
    before, after, path = value.split(b" ", 2)
    return os.fsdecode(unescape(path)), int(before), int(after)


def process_of(value: bytes) -> tuple[int, int]:
    pid, start = map(int, value.split())
    return pid, start


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
        case b"folder":
            return Folder()
        case b"other":
            return Other(mode=int(rest, 8))
        case b"unknown":
            return Unknown(why=os.fsdecode(unescape(rest)))
        case _:
            return Unknown(why=f"a state this version does not know: {kind!r}")
