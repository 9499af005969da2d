"""A project with a desk that stays, in a thread of its own, and that is followed if somebody wants to know.

What a program that stays needs of a project, whatever it shows: a workbench, a chat, an editor's server.
"""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator, Set
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from blueline.desk.gate.evidence import REVIEWS
from blueline.desk.resident import ResidentDesk
from blueline.desk.state_folder import unusable
from blueline.desk.tree_watch import hints, records, tell_hooks

if TYPE_CHECKING:
    from blueline.contract.overview import FollowedDocument
    from blueline.desk.desk import Desk

Result = TypeVar("Result")

REST = 4
"""After a look because of files, that many times its duration passes before the next such look."""

FAILED_SECONDS = 2.0
"""How long to wait before the next try, when the project cannot be opened."""


class FollowedProject:
    """One project. Its desk lets others in between two steps."""

    def __init__(self, root: Path, state: Path, open_desk: Callable[[Path], Desk]) -> None:
        self.root = root
        self.state = state
        self.listener: Callable[[FollowedDocument], None] | None = None
        """Is told, in the project's own thread, whatever became known while the desk was open."""
        self._cursor: int | None = None
        """How far in the journal what happened was told to the listener."""
        self._version = -1
        self._reviews = 0
        """When what reviews came to was written down, as far as that was told: the gate goes by it."""
        self._seconds = 0.0
        """How long the last step took."""
        self._desk = ResidentDesk(lambda: open_desk(root))
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desk")
        self._stop = threading.Event()
        self._is_due = threading.Event()
        self._follower: threading.Thread | None = None

    def asked(self, verb: Callable[[Desk], Result]) -> Future[Result]:
        """Ask the desk something, with all that is new taken in: one after the other."""
        return self._begun(self._ask, verb)

    def _begun(self, act: Callable[..., Result], *given: object) -> Future[Result]:
        """Something that the project's own thread does as soon as it can."""
        return self._worker.submit(act, *given)

    def _ask(self, verb: Callable[[Desk], Result]) -> Result:
        if self.listener is None:
            self._desk.hint(None)  # nobody watches: any file may have changed
        began = time.monotonic()
        try:
            with self._desk.step() as desk:
                result = verb(desk)
                self._tell(desk)
                return result
        except OSError as error:
            if refusal := unusable(error, os.environ):
                raise refusal from error
            raise
        finally:
            self._seconds = time.monotonic() - began

    def _tell(self, desk: Desk) -> None:
        reviews = self._reviewed_at()
        if self.listener is not None and (self._version, self._reviews) != (desk.workbench.version, reviews):
            self._reviews = reviews
            news = desk.workbench.since(self._cursor)
            self._version, self._cursor = news["version"], news["cursor"]
            self.listener(news)

    def hint(self, paths: Set[str] | None) -> None:
        """Something may have happened to some files, or, None, to any."""
        self._desk.hint(paths)

    def follow(
        self, listener: Callable[[FollowedDocument], None], failed: Callable[[Exception | None], None]
    ) -> None:
        """Take in what hooks and others do as they do it, until `close`. `failed` is told when that does not
        work, each time it is tried, and, None, when it does."""
        self.listener = listener
        for source in (self._records(), self._files()):
            threading.Thread(target=self._listen, args=(source,), daemon=True).start()
        tell_hooks(self.root, self.state, self._stop)
        self._is_due.set()
        self._follower = threading.Thread(target=self._follow, args=(failed,), daemon=True)
        self._follower.start()

    def _records(self) -> Iterator[object]:
        for hint in records(self.state, self._stop):
            if self._has_grown():
                yield hint

    def _has_grown(self) -> bool:
        """Whether something was written down that was not told yet."""
        try:
            size = os.stat(self.state / "journal").st_size
        except OSError:
            return True
        return (size, self._reviewed_at()) != (self._cursor, self._reviews)

    def _reviewed_at(self) -> int:
        try:
            return os.stat(self.state / REVIEWS).st_mtime_ns
        except OSError:
            return 0

    def _files(self) -> Iterator[object]:
        """Hints of the file system. Something that writes all the time is not looked at all the time."""
        for hint in hints(self.root, self._stop):
            # Without any path, it is time to look at everything all the same.
            self.hint(hint.paths if hint.trusted and hint.paths else None)
            yield hint
            self._stop.wait(REST * self._seconds)

    def _listen(self, source: Iterator[object]) -> None:
        for _ in source:
            if self._stop.is_set():
                return
            self._is_due.set()

    def _follow(self, failed: Callable[[Exception | None], None]) -> None:
        """Take a step whenever there may be something new: that takes it in, and tells of it."""
        while self._is_due.wait():
            self._is_due.clear()
            # Only now: whoever stops it sets both, and a look before the clearing may come before that.
            if self._stop.is_set():
                return
            try:
                self.asked(lambda desk: None).result()
            except Exception as error:
                failed(error)
                self._stop.wait(FAILED_SECONDS)
                self._is_due.set()
            else:
                failed(None)

    def close(self) -> None:
        """Let go of the desk and of the threads, once they have ended what they are at."""
        self._stop.set()
        self._is_due.set()
        if self._follower is not None:
            self._follower.join()
        self._begun(self._desk.close)
        self._worker.shutdown(wait=True, cancel_futures=False)
