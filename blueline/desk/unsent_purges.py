"""What was purged here after it may have been sent to a hub: remembered until the hub has purged it, too.

It is written down before anything is removed: a purge that is cut short tells the hub of more than went, and
what is still here is sent again by itself.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from blueline.errors import BluelineError
from blueline.kernel import disk
from blueline.model.ids import BlobId

HUB = "hub.json"
"""In the state folder of a project that has joined a hub."""

NAME = "purges.json"


class PurgesUnreadable(BluelineError):
    """Nobody can say what a hub still has to purge."""


class UnsentPurges(NamedTuple):
    """Records that were taken out of the journal or changed there, by their offsets, and contents."""

    frames: tuple[int, ...] = ()
    blobs: tuple[BlobId, ...] = ()


def read(state: Path) -> UnsentPurges:
    """What a hub has not heard of yet."""
    try:
        kept = json.loads((state / NAME).read_bytes())
        return UnsentPurges(tuple(map(int, kept["frames"])), tuple(BlobId(str(one)) for one in kept["blobs"]))
    except FileNotFoundError:
        return UnsentPurges()
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PurgesUnreadable(
            f"{state / NAME} cannot be read: {error}",
            hint="what was purged here may still be at the hub: have it purged there, then remove this file",
        ) from error


def remember(state: Path, frames: Iterable[int], blobs: Iterable[BlobId]) -> None:
    """Add to it, if there is a hub."""
    if not (state / HUB).exists():
        return
    known = read(state)
    _keep(
        state,
        UnsentPurges(tuple(sorted({*known.frames, *frames})), tuple(sorted({*known.blobs, *blobs}))),
    )


def settle(state: Path, told: UnsentPurges) -> None:
    """The hub has purged this."""
    known = read(state)
    left = UnsentPurges(
        tuple(one for one in known.frames if one not in told.frames),
        tuple(one for one in known.blobs if one not in told.blobs),
    )
    _keep(state, left)


def _keep(state: Path, purges: UnsentPurges) -> None:
    folder = os.fsencode(state)
    data = json.dumps({"frames": purges.frames, "blobs": purges.blobs}).encode()
    disk.place(folder + b"/" + NAME.encode(), data, folder + b"/blobs/tmp")
