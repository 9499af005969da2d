"""The projects that a server was started for. Each has one thread that uses its desk, and no other does."""

from __future__ import annotations

import asyncio
import os
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator, Set
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from blueline.desk import Desk
from blueline.desk.resident import ResidentDesk
from blueline.desk.selectors import UnknownSelector
from blueline.desk.state_folder import unusable
from blueline.surfaces.web.responses import NotHere, RequestRefused, as_json

if TYPE_CHECKING:
    from blueline.contract.overview import FollowedDocument

Result = TypeVar("Result")
Answer = TypeVar("Answer")
OpenDesk = Callable[[Path], Desk]

KEYS_KEPT = 200
SCREENS_KEPT = 8


class Project:
    """One project. Its desk stays, and lets others in between two steps."""

    def __init__(self, root: Path, state: Path, open_desk: OpenDesk) -> None:
        self.root = root
        self.state = state
        self.id = blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        self.seconds = 0.0
        """How long the last step took."""
        self.cursor: int | None = None
        """How far in the journal what happened was told to the listener."""
        self.listener: Callable[[FollowedDocument], None] | None = None
        """Is told, in the project's own thread, whatever became known while the desk was open."""
        self._version = -1
        self._desk = ResidentDesk(lambda: open_desk(root))
        self._worker = ThreadPoolExecutor(max_workers=1, thread_name_prefix="desk")
        self._screens: OrderedDict[str | None, tuple[object, bytes]] = OrderedDict()
        self._done: OrderedDict[str, tuple[bytes, Any]] = OrderedDict()

    @property
    def name(self) -> str:
        return self.root.name or str(self.root)

    async def ask(self, verb: Callable[[Desk], Result]) -> Result:
        """Ask the desk something, with all that is new taken in: one after the other."""
        return await asyncio.get_running_loop().run_in_executor(self._worker, self._ask, verb)

    def _ask(self, verb: Callable[[Desk], Result]) -> Result:
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
            self.seconds = time.monotonic() - began

    def _tell(self, desk: Desk) -> None:
        if self.listener is not None and self._version != desk.workbench.version:
            news = desk.workbench.since(self.cursor)
            self._version, self.cursor = news["version"], news["cursor"]
            self.listener(news)

    def hint(self, paths: Set[str] | None) -> None:
        """Something may have happened to some files, or, None, to any."""
        self._desk.hint(paths)

    def has_grown(self) -> bool:
        """Whether something was written down that was not told yet."""
        try:
            return os.stat(self.state / "journal").st_size != self.cursor
        except OSError:
            return True

    async def screen(self, path: str | None = None) -> bytes:
        """The overview, or the page of a file, as JSON: made anew only if anything happened since."""
        return await self.ask(lambda desk: self._screen(desk, path))

    def screens(self, desk: Desk, path: str) -> bytes:
        """Members of a document that show everything as it is now: the overview, the notes, an open file."""
        try:
            file = self._screen(desk, path) if path else b"null"
        except UnknownSelector:  # it went with the decision
            file = b"null"
        notes = as_json(desk.workbench.notes())
        return b'"overview":%s,"notes":%s,"file":%s' % (self._screen(desk, None), notes, file)

    def _screen(self, desk: Desk, path: str | None) -> bytes:
        stamp = desk.workbench.stamp(path)
        known, found = self._screens.pop(path, (None, b""))
        if known is None or known != stamp:
            document = desk.workbench.overview() if path is None else desk.workbench.file(path)
            found = as_json(document)
        self._screens[path] = stamp, found
        while len(self._screens) > SCREENS_KEPT:
            self._screens.popitem(last=False)
        return found

    async def once(self, key: str, request: bytes, verb: Callable[[Desk], Answer]) -> Answer:
        """The same, but never twice for one key: a browser that got no answer asks again."""
        document, _ = await self.once_shown(key, request, verb, lambda desk: None)
        return document

    async def once_shown(
        self, key: str, request: bytes, verb: Callable[[Desk], Answer], show: Callable[[Desk], Result]
    ) -> tuple[Answer, Result]:
        """The same, with something that is looked up afterwards, while the desk is still open."""
        return await asyncio.get_running_loop().run_in_executor(
            self._worker, self._once, key, request, verb, show
        )

    def _once(
        self, key: str, request: bytes, verb: Callable[[Desk], Answer], show: Callable[[Desk], Result]
    ) -> tuple[Answer, Result]:
        if key in self._done:
            known, document = self._done[key]
            if known != request:
                raise RequestRefused("this key was used for another request", hint="use a new key for each")
            return document, self._ask(show)

        def act(desk: Desk) -> tuple[Answer, Result]:
            document = verb(desk)
            # Done is done, whatever becomes of the look afterwards.
            self._done[key] = request, document
            while len(self._done) > KEYS_KEPT:
                self._done.popitem(last=False)
            return document, show(desk)

        return self._ask(act)

    def close(self) -> None:
        """Let go of the desk and of the thread, once it has ended what it is at."""
        self._worker.submit(self._desk.close)
        self._worker.shutdown(wait=True, cancel_futures=True)


class Projects:
    """All of them, by id."""

    def __init__(self, projects: list[Project]) -> None:
        self._projects = {project.id: project for project in projects}

    def __iter__(self) -> Iterator[Project]:
        return iter(self._projects.values())

    def named(self, identifier: str | None) -> Project:
        """The one with that id, or the first. Of others nothing is said, not even whether they exist."""
        if identifier is None:
            return next(iter(self._projects.values()))
        if identifier not in self._projects:
            raise NotHere(f"no project {identifier!r} is open here", hint="see /api/projects")
        return self._projects[identifier]
