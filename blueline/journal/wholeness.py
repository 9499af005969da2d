"""Where a journal is damaged, without reading all of it each time somebody asks.

What was found is kept in a file beside the journal, with what the file system said of it then. If that is the
same, nobody has written to the journal; if it has only grown, what came is read. All of it is read when it
has become another one, when bytes were changed in their place, and once an hour whatever happens; and when
somebody wants to be sure: bytes may have changed while it grew, or without a trace.
"""

import json
import os
import time
from contextlib import suppress
from pathlib import Path

from blueline.journal.frames import Damage
from blueline.journal.log import Journal
from blueline.journal.wholeness_note import EDGE, RACY_NS, READ_FOR_NS, Found, load
from blueline.journal.wholeness_note import signature as signature_of
from blueline.kernel import disk


def damaged(
    journal: Journal, note: Path, *, afresh: bool = False
) -> tuple[list[tuple[int, int]], Damage | None]:
    """The stretches of a journal that are no records, and the tail of it, if that is none (yet)."""
    signature, known, now = signature_of(journal.path), load(note), time.time_ns()
    boot = disk.boot().decode("ascii", "replace")
    start, ranges, read = 0, [], now
    if not afresh and known is not None and known.boot == boot and 0 <= now - known.read < READ_FOR_NS:
        written = max(signature[3:], default=0)
        # What was written just now is read again a little later, when another write would show.
        is_sure = known.looked - written > RACY_NS or now - written <= RACY_NS
        has_grown = known.signature[:2] == signature[:2] and signature[2:3] > known.signature[2:3]
        is_this_one = _edge(journal.path, known.end) == known.edge
        if is_this_one and (has_grown or (is_sure and known.signature == signature)):
            start, ranges, read = known.end, [*known.ranges], known.read
    tail = None
    for one in journal.read(start):
        if isinstance(one, Damage) and one.tail:
            tail = one
            break
        if isinstance(one, Damage) and not one.torn:
            ranges.append((one.start, one.end))
        start = one.end
    found = Found(signature, now, read, boot, start, _edge(journal.path, start), tuple(ranges))
    if (
        known is None
        or found.as_of(now) != known.as_of(now)
        or known.looked - max(signature[3:], default=0) <= RACY_NS
    ):
        data, temporaries = json.dumps(found.as_of(now)).encode(), note.parent / "blobs" / "tmp"
        with suppress(OSError):  # on a full disk it is read again next time
            disk.put_in_place(os.fsencode(note), data, os.fsencode(temporaries))
    return ranges, tail


def _edge(path: Path, end: int) -> str:
    try:
        with path.open("rb") as file:
            return os.pread(file.fileno(), min(EDGE, end), max(end - EDGE, 0)).hex()
    except OSError:
        return ""
