"""A desk that stays: what it knows is kept from one step to the next, and the lock only during a step.

Between two steps anybody may have the project: a command, another desk that stays, a hook. What these wrote
stands in the journal, and is read on from where this one stopped. If somebody has changed the index, that
counts, and nothing that was kept in memory.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Set
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from blueline.desk.desk import Desk


class ResidentDesk:
    """Takes one step after the other, all in one thread. Hints may come from any."""

    def __init__(self, open_desk: Callable[[], Desk]) -> None:
        self._open_desk = open_desk
        self._desk: Desk | None = None
        self._hints = threading.Lock()
        self._hinted: set[str] | None = None
        """Files that may have changed since the last step; None if any may have."""

    def hint(self, paths: Set[str] | None) -> None:
        """Something may have happened to some files, or, None, to any."""
        with self._hints:
            self._hinted = None if paths is None or self._hinted is None else self._hinted | paths

    @contextmanager
    def step(self) -> Iterator[Desk]:
        """The desk, with all that is new taken in. If anything fails, the next step begins with what is
        stored."""
        desk = self._taken_up()
        try:
            yield desk
            is_whole = desk.project.is_saved
        except BaseException:
            desk.close()
            raise
        if is_whole:
            desk.project.pause()
            self._desk = desk
        else:
            desk.close()

    def _taken_up(self) -> Desk:
        with self._hints:
            hinted, self._hinted = self._hinted, set()
        desk, self._desk = self._desk, None
        try:
            if desk is None:
                return self._open_desk()
            desk.project.resume(hinted)
        except BaseException:
            self.hint(None)
            raise
        return desk

    def close(self) -> None:
        """Let go of it."""
        desk, self._desk = self._desk, None
        if desk is not None:
            desk.project.forsake()
