"""What of the record is lost, and whether a person has looked at the files concerned since (rule D6).

A damaged journal closes the gate. `check --repair` says what is lost and writes that down here; what it names
has to be accepted by a person before the gate believes the rest again. Without this file everything that is
damaged counts as new, so to lose it, too, opens nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from blueline.desk.project_store import Store
from blueline.journal.wholeness import damaged
from blueline.kernel import disk
from blueline.model.loop import GateReason

NAME = "damage.json"

ANY = "*"
"""In place of a path: nobody can say which files are concerned."""

MOST_NAMED = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Losses:
    """What of the recorded can no longer be read, and what is known to have been in it."""

    ranges: tuple[tuple[int, int], ...] = ()
    """Bytes of the journal that are no record any more."""
    missing: int = 0
    """Events that are known to be lost."""
    lost: int = 0
    """Recorded contents that cannot be read."""
    files: tuple[str, ...] = ()
    """Of what was said to a person: files that nobody has accepted since."""

    def has_more_than(self, other: Losses) -> bool:
        return not {*self.ranges} <= {*other.ranges} or self.missing > other.missing or self.lost > other.lost


def found(store: Store, *, afresh: bool = False) -> Losses:
    """What is lost by now: what was read once may be damaged since."""
    counters = store.ledger.counters
    ranges, tail = damaged(store.journal, store.state / "journal-whole", afresh=afresh)
    # At the end it may be a record that is being written; but not where one was read before.
    if tail is not None and tail.start < store.mark.cursor:
        ranges = [*ranges, (tail.start, tail.end)]
    return Losses(ranges=tuple(ranges), missing=counters.missing, lost=counters.lost)


def reported(state: Path) -> Losses:
    """What a person was told of."""
    try:
        kept = json.loads((state / NAME).read_bytes())
        return Losses(
            ranges=tuple((int(start), int(end)) for start, end in kept["ranges"]),
            missing=int(kept["missing"]),
            lost=int(kept["lost"]),
            files=tuple(map(str, kept["files"])),
        )
    except (OSError, ValueError, TypeError, KeyError):
        return Losses()


def report(store: Store, files: Iterable[str]) -> None:
    """A person is being told what is lost: these files are theirs to look at, and those of before."""
    now, before = found(store), reported(store.state)
    _keep(
        store.state,
        Losses(
            ranges=tuple(sorted({*now.ranges, *before.ranges})),
            missing=now.missing,
            lost=now.lost,
            files=tuple(sorted({*before.files, *files})),
        ),
    )


def settle(state: Path, paths: Collection[str] | None) -> bool:
    """A person has accepted files; all of them if none is named. Whether any of these was concerned."""
    before = reported(state)
    left = () if paths is None else tuple(path for path in before.files if path not in paths)
    if left == before.files:
        return False
    _keep(state, Losses(ranges=before.ranges, missing=before.missing, lost=before.lost, files=left))
    return True


def _keep(state: Path, losses: Losses) -> None:
    data = json.dumps(asdict(losses)).encode()
    disk.place(os.fsencode(state / NAME), data, os.fsencode(state / "blobs" / "tmp"))


def reasons(store: Store, *, afresh: bool = False) -> list[GateReason]:
    """Why the gate does not believe the record, if it does not; `afresh`: all of the journal is read."""
    now, told = found(store, afresh=afresh), reported(store.state)
    if now.has_more_than(told):
        what = [
            f"the journal is damaged from byte {now.ranges[0][0]} to {now.ranges[0][1]}"
            if now.ranges
            else "",
            f"{now.missing} events are missing from the journal" if now.missing else "",
            f"{now.lost} recorded contents are not available" if now.lost else "",
        ]
        hint = "see what is lost, and what to look at: blueline check --repair"
        return [GateReason(code="corrupt-state", message=", ".join(filter(None, what)), hint=hint)]
    if not told.files:
        return []
    if ANY in told.files:
        message = "records are lost, and nobody can say of which files"
        hint = "look at the project, then: blueline accept --all"
    else:
        more = f" and {len(told.files) - MOST_NAMED} more" if len(told.files) > MOST_NAMED else ""
        message = f"records of {', '.join(told.files[:MOST_NAMED])}{more} are lost"
        hint = "look at the files, then: blueline accept PATH, or blueline accept --all"
    return [GateReason(code="corrupt-state", message=message, hint=hint, about=told.files)]


def settled(
    store: Store, root: Path, here: Path, selectors: Sequence[str], *, everything: bool
) -> Sequence[str]:
    """Files of which records are lost count as looked at by now; the selectors that mean others too."""
    told = reported(store.state).files
    if not told:
        return selectors
    known = {path for _, path in store.index.files.paths()}
    named = {one: os.path.relpath(os.path.normpath(here / one), root) for one in selectors}
    settle(store.state, None if everything else {*named.values()})
    return [one for one in selectors if named[one] not in told or named[one] in known]
