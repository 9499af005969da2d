"""One process sends to the hub, and at most one more waits for it: turns may end faster than a hub answers.

The hook at the end of an agent's turn starts `blueline sync --queued`. Whoever finds another one waiting has
nothing to do: that one has not read the journal yet, so it sends what both were started for.
"""

from __future__ import annotations

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WAITING, SENDING = "sync.waiting", "sync.sending"
"""Files in the state folder. `hook/recorder.py` asks for the first, too, before it starts anything."""


@contextmanager
def turn(state: Path) -> Iterator[bool]:
    """A turn to send, when whoever has it is done; false, at once, if somebody else waits for it."""
    with _opened(state / WAITING) as waiting, _opened(state / SENDING) as sending:
        if not _is_taken(waiting):
            yield False
            return
        fcntl.flock(sending, fcntl.LOCK_EX)
        # Before the journal is read: who comes from now on may have something that is not read any more.
        fcntl.flock(waiting, fcntl.LOCK_UN)
        yield True


@contextmanager
def standing(state: Path) -> Iterator[None]:
    """For those who send all that comes for as long as they run: hooks need not start anything meanwhile."""
    with _opened(state / WAITING) as waiting:
        _is_taken(waiting)  # if not, another one stands here, or hooks start one too many
        yield


@contextmanager
def _opened(path: Path) -> Iterator[int]:
    fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    try:
        yield fd
    finally:
        os.close(fd)


def _is_taken(fd: int) -> bool:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True
