"""The projects that a server was started for, and the others that it can look into."""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

from blueline.desk import Desk
from blueline.desk.followed_project import FollowedProject
from blueline.desk.inbox import Glance, Waiting, look, waiting
from blueline.desk.selectors import UnknownSelector
from blueline.surfaces.web.responses import NotHere, RequestRefused, as_json

Result = TypeVar("Result")
Answer = TypeVar("Answer")
OpenDesk = Callable[[Path], Desk]

KEYS_KEPT = 200
SCREENS_KEPT = 8
VERSIONS_KEPT = 50
OTHERS_KEPT = 8
"""How many of the projects that the server was not started for stay open when they are not looked at."""


def _nothing(desk: Desk) -> None:
    """A step by itself: what is new is taken in, and what is owed is done."""


class Project(FollowedProject):
    """One project, as browsers ask for it."""

    def __init__(self, root: Path, state: Path, open_desk: OpenDesk, glance: Glance) -> None:
        super().__init__(root, state, open_desk)
        self._glance = glance
        self.id = blake2b(str(root).encode("utf-8", "surrogateescape"), digest_size=6).hexdigest()
        self._screens: OrderedDict[str | None, tuple[object, bytes]] = OrderedDict()
        self._cursors: OrderedDict[int, int] = OrderedDict()
        self._done: OrderedDict[str, tuple[bytes, Any]] = OrderedDict()
        self._open_desk = open_desk
        self._waiting: tuple[object, Waiting] | None = None

    @property
    def name(self) -> str:
        return self.root.name or str(self.root)

    async def ask(self, verb: Callable[[Desk], Result]) -> Result:
        """Ask the desk something, with all that is new taken in: one after the other."""
        return await asyncio.wrap_future(self.asked(verb))

    async def waiting(self) -> Waiting:
        """What is undecided in it. One that nobody looks at is not kept open for that."""
        return await asyncio.wrap_future(self._begun(self._wait))

    def _wait(self) -> Waiting:
        if self._waiting is None or self._waiting[0] != self._stamp():
            is_followed = self.listener is not None
            listing = (
                self._ask(lambda desk: desk.list())
                if is_followed
                else look(self.root, self._glance, self._open_desk)
            )
            self._waiting = self._stamp(), waiting(self.root, listing)
        return self._waiting[1]

    def _stamp(self) -> list[tuple[int, int]]:
        """Another one whenever something was recorded or decided."""
        found = [self.state / name for name in ("journal", "index.sqlite")]
        return [(one.stat().st_size, one.stat().st_mtime_ns) for one in found if one.exists()]

    def prepare(self) -> None:
        """Have the overview ready for the browser that is being started. Whoever asks for it hears what does
        not work."""
        self.asked(lambda desk: self._screen(desk, None))

    async def screen(self, path: str | None = None) -> bytes:
        """The overview, or the page of a file, as JSON: made anew only if anything happened since."""
        return await self.ask(lambda desk: self._screen(desk, path))

    def screens(self, desk: Desk, path: str, known: int | None = None) -> bytes:
        """Members of a document that show everything as it is now: the overview, or what is different in it
        since the version that is known already; the notes; an open file."""
        try:
            file = self._screen(desk, path) if path else b"null"
        except UnknownSelector:  # it went with the decision
            file = b"null"
        notes = as_json(desk.workbench.notes())
        opened = path if file != b"null" else ""
        return b'%s,"notes":%s,"file":%s' % (self._overview(desk, known, opened), notes, file)

    def _overview(self, desk: Desk, known: int | None, opened: str) -> bytes:
        cursor = None if known is None else self._cursors.get(known)
        patch = (
            None if known is None or cursor is None else desk.workbench.overview_since(known, cursor, opened)
        )
        if patch is None:
            return b'"overview":' + self._screen(desk, None)
        self._mark(desk)
        return b'"patch":' + as_json(patch)

    def _mark(self, desk: Desk) -> None:
        """Keep where in the journal what is shown now belongs: whoever has it can be sent a patch."""
        self._cursors[desk.workbench.version] = desk.workbench.cursor
        while len(self._cursors) > VERSIONS_KEPT:
            self._cursors.popitem(last=False)

    def _screen(self, desk: Desk, path: str | None) -> bytes:
        stamp = desk.workbench.stamp(path)
        known, found = self._screens.pop(path, (None, b""))
        if known is None or known != stamp:
            document = desk.workbench.overview() if path is None else desk.workbench.file(path)
            found = as_json(document)
        self._screens[path] = stamp, found
        if path is None:
            self._mark(desk)
        while len(self._screens) > SCREENS_KEPT:
            self._screens.popitem(last=False)
        return found

    async def once(self, key: str, request: bytes, verb: Callable[[Desk], Answer]) -> Answer:
        """The same, but never twice for one key: a browser that got no answer asks again."""
        answer: Future[tuple[Answer, None]] = self._begun(self._once, key, request, verb, _nothing)
        return (await asyncio.wrap_future(answer))[0]

    async def once_shown(
        self, key: str, request: bytes, verb: Callable[[Desk], Answer], show: Callable[[Desk], Result]
    ) -> tuple[Answer, Result]:
        """The same, with something that is looked up afterwards, while the desk is still open.

        What agents have to hear of it is put down by the next step: whoever asks takes one, `take_step`, when
        the answer is sent. Nobody at a page waits for that.
        """

        def silently(desk: Desk) -> Answer:
            desk.project.speaks_later = True
            try:
                return verb(desk)
            finally:
                desk.project.speaks_later = False

        answer: Future[tuple[Answer, Result]] = self._begun(self._once, key, request, silently, show)
        return await asyncio.wrap_future(answer)

    async def take_step(self) -> None:
        """Have what is owed done. If it fails, the next step tries it again, and says so."""
        self.asked(_nothing)

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


class Projects:
    """Those that the server was started for, by id, and what else `find` knows of."""

    def __init__(self, projects: list[Project], find: Callable[[], list[Project]] = list) -> None:
        self._projects = {project.id: project for project in projects}
        self._find = find
        self._others: dict[str, Project] = {}
        self._asked: OrderedDict[str, None] = OrderedDict()
        """Those of the others that somebody asked for, the last one last."""
        self.may_rest: Callable[[Project], bool] = lambda project: True
        """Whether nobody follows a project; whoever does lets go of it then."""

    def __iter__(self) -> Iterator[Project]:
        return iter(self._projects.values())

    @property
    def first(self) -> Project | None:
        return next(iter(self), None)

    def everywhere(self) -> list[Project]:
        """All there are by now."""
        for made in self._find():
            if made.id not in self._projects:
                self._others.setdefault(made.id, made)
        return [*self._projects.values(), *self._others.values()]

    def named(self, identifier: str | None) -> Project:
        """The one with that id, or the first. Of others nothing is said, not even whether they exist."""
        if identifier is None:
            identifier = self.first.id if self.first else ""
        found = self._projects.get(identifier) or self._others.get(identifier)
        for project in () if found else self.everywhere():
            found = project if project.id == identifier else found
        if found is None:
            raise NotHere(f"no project {identifier!r} is open here", hint="see /api/projects")
        if found.id in self._others:
            self._keep(found.id)
        return found

    def _keep(self, identifier: str) -> None:
        """One of the others stays open from now on, in the place of one that nobody looks at."""
        self._asked[identifier] = None
        self._asked.move_to_end(identifier)
        for oldest in [*self._asked][:-OTHERS_KEPT]:
            if self.may_rest(self._others[oldest]):
                del self._asked[oldest]
                # It ends what it is at; when somebody asks for it again, it is opened anew.
                threading.Thread(target=self._others.pop(oldest).close).start()

    def close(self) -> None:
        """Let go of all of them."""
        for project in [*self._projects.values(), *self._others.values()]:
            project.close()
