"""The projects that people look at through this process, open for as long as there is room."""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakValueDictionary

from blueline.desk import Desk
from blueline.desk.copied_desk import CopiedDesk
from blueline.desk.inbox import waiting
from blueline.desk.work_report import AgentChange
from blueline.errors import BluelineError
from blueline.hub import local_copies, looking, requests, summaries
from blueline.hub.blob_copies import ContentElsewhere, ObjectLost
from blueline.hub.hub_database import DatabaseAway, HubDatabase
from blueline.hub.local_copies import LocalCopy, spoken
from blueline.hub.notices import Notices
from blueline.hub.object_storage import ObjectsAway
from blueline.hub.requests import WAITS_FOR, Asked
from blueline.hub.summaries import ReadUpTo, Waits
from blueline.surfaces.web.live import Lives, Report
from blueline.surfaces.web.project import Project, Projects
from blueline.surfaces.web.responses import NotHere

if TYPE_CHECKING:
    from blueline.contract.hub import AskedDocument, RefusedWish, WaitingWish

MOST_OPEN = 40
LATEST = 20
LOOKED_AGAIN_SECONDS = 30.0
EXPIRED = (
    f"it waited for {WAITS_FOR.days} days, and the machine was not heard from",
    "decide it again, or go on elsewhere: blueline hub restore",
)


class HubProject(Project):
    """One project, over this process's copy of it."""

    def __init__(self, copy: LocalCopy) -> None:
        super().__init__(copy.root, copy.state, self._opened, lambda root: None)
        self.id = copy.about.project
        self.copy = copy
        self.words: Sequence[str] = ()
        """What should be said before anything else."""
        self.follower: asyncio.Task[None] | None = None

    async def summary(self) -> tuple[Waits, Counter[AgentChange]]:
        """What there is to say of it to whoever looks over all of them. It is not kept open for that."""
        return await asyncio.wrap_future(self._begun(self._summary))

    def _summary(self) -> tuple[Waits, Counter[AgentChange]]:
        if self.listener is not None:
            return self._ask(self._summarised)
        with self._opened(self.root) as desk:
            return self._summarised(desk)

    def _summarised(self, desk: Desk) -> tuple[Waits, Counter[AgentChange]]:
        found = waiting(self.root, desk.list())
        waits: Waits = {
            "counts": found.counts,
            "since": found.since,
            "risk": found.risk,
            "agents": [*found.agents],
            "folders": [*found.folders],
        }
        return waits, desk.history.counted()

    def _opened(self, root: Path) -> CopiedDesk:
        return CopiedDesk(self.root, self.state, self.copy.about.machine, lambda: self.words)


class HubProjects(Projects):
    """Those that are open here, by id."""

    def __init__(
        self, database: HubDatabase, notices: Notices, folder: Path, live: Lives, report: Report
    ) -> None:
        super().__init__([])
        self._report = report
        self._database = database
        self._notices = notices
        self._folder = folder
        self._live = live
        self._open: OrderedDict[str, HubProject] = OrderedDict()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        """One for each project that is being brought up: none waits for another."""

    def named(self, identifier: str | None) -> HubProject:
        """One that was brought up just before. Whoever asks has been let in."""
        found = self._open.get(identifier or "")
        if found is None:
            raise NotHere("there is no such project", hint="see the inbox")
        return found

    async def bring_up(self, identifier: str) -> HubProject:
        """A project with all that is known of it by now."""
        async with self._database.step() as connection:
            about = await local_copies.machine_of(connection, identifier)
            if about is None:
                raise NotHere("there is no such project", hint="see the inbox")
            asked = await requests.latest(connection, identifier, LATEST)
            names = await looking.at(connection, [identifier])
        async with self._lock_of(identifier):
            known = self._open.get(identifier)
            copy = LocalCopy(self._database, self._folder, about) if known is None else known.copy
            copy.about = about
            if await copy.refresh() and known is not None:
                await self._shut(known)
                known = None
            project = HubProject(copy) if known is None else known
            project.words = _words(about, asked)
            self._live.tell_asked(identifier, _asked(about, asked, names.get(identifier, [])))
            self._open[identifier] = project
            self._open.move_to_end(identifier)
        while len(self._open) > MOST_OPEN:
            await self._let_go(next(iter(self._open)))
        return project

    def _lock_of(self, identifier: str) -> asyncio.Lock:
        return self._locks.setdefault(identifier, asyncio.Lock())

    async def _let_go(self, identifier: str) -> None:
        """Close a project, and throw away what was fetched of it."""
        async with self._lock_of(identifier):
            if (found := self._open.pop(identifier, None)) is not None:
                await self._shut(found)
                await asyncio.to_thread(found.copy.remove)

    async def summarise(self, identifiers: Sequence[str]) -> dict[str, str]:
        """Read what has grown since it was last read, here or in another process; why some cannot be."""
        async with self._database.step() as connection:
            grown = await summaries.stale(connection, identifiers)
        failed: dict[str, str] = {}
        for identifier in grown:
            try:
                project = await self.bring_up(identifier)
                copy = project.copy
                read = ReadUpTo(*copy.generation, copy.length)
                waits, changes = await project.summary()
            except DatabaseAway:
                raise
            except BluelineError as error:
                failed[identifier] = str(error)
                continue
            except Exception as error:
                # What one machine sent keeps nobody from the others.
                failed[identifier] = f"a bug in Blueline: {self._report(error)}"
                continue
            async with self._database.step() as connection:
                await summaries.keep(connection, identifier, read, waits, changes)
        return failed

    def follow(self, project: HubProject) -> None:
        """Let those who look at it see what is new as it comes."""
        if project.follower is None or project.follower.done():
            project.follower = asyncio.create_task(self._follow(project.id))

    async def _follow(self, identifier: str) -> None:
        while identifier in self._open:
            word = self._notices.next(identifier)
            # Whoever looks at it meanwhile is told what cannot be had; here it is tried again.
            with suppress(DatabaseAway, ObjectsAway, ContentElsewhere, ObjectLost):
                await self.bring_up(identifier)
            with suppress(TimeoutError):
                await asyncio.wait_for(word.wait(), LOOKED_AGAIN_SECONDS)

    async def _shut(self, project: HubProject) -> None:
        self._live.drop(project.id)
        if project.follower is not None and project.follower is not asyncio.current_task():
            project.follower.cancel()
        await asyncio.to_thread(project.close)

    async def close_all(self) -> None:
        for project in [*self._open.values()]:
            await self._shut(project)
        self._open.clear()


def _asked(about: local_copies.Machine, asked: Sequence[Asked], names: list[str]) -> AskedDocument:
    """What waits and what was refused last, and who looks on."""
    waiting: list[WaitingWish] = [
        {
            "verb": one.request["verb"],
            "by": one.request["by"],
            "at": one.request["at"],
            "hunks": [*one.request["hunks"], *one.request.get("parts", {})],
        }
        for one in asked
        if one.state == "waiting"
    ]
    return {
        "machine": about.machine,
        "away": "" if about.is_there else about.heard,
        "waiting": waiting,
        "refused": _refused(asked),
        "looking": names,
    }


def _refused(asked: Sequence[Asked]) -> RefusedWish | None:
    """What was last heard of, if it was not done: the machine said why, or was never there to."""
    last = next((one for one in reversed(asked) if one.state != "waiting"), None)
    if last is None or last.state == "done":
        return None
    said = EXPIRED if last.outcome is None else (last.outcome["error"], last.outcome["hint"])
    return {
        "number": last.request["number"],
        "state": "expired" if last.outcome is None else "refused",
        "verb": last.request["verb"],
        "by": last.request["by"],
        "error": said[0],
        "hint": said[1],
    }


def _words(about: local_copies.Machine, asked: Sequence[Asked]) -> list[str]:
    """What waits, and what was refused last."""
    waiting = sum(one.state == "waiting" for one in asked)
    found = []
    if waiting:
        several = "1 decision waits" if waiting == 1 else f"{waiting} decisions wait"
        found.append(f"{several} for {about.machine}, which was last heard from on {spoken(about.heard)}")
    if (last := _refused(asked)) is not None:
        verb = "refused to" if last["state"] == "refused" else "did not"
        found.append(f"{about.machine} {verb} {last['verb']} for {last['by']}: {last['error']}")
    return found
