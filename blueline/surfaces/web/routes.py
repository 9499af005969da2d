"""The routes: each asks the desk one thing and hands on its document."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Literal, cast

from starlette.background import BackgroundTask
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from blueline.desk import Desk
from blueline.desk.talkback.notes import KINDS, STATES, TARGETS, NoteTarget
from blueline.model.ids import whole_number
from blueline.surfaces.web import static
from blueline.surfaces.web.body import LONGEST_KEY, Fields, body, query
from blueline.surfaces.web.images import picture
from blueline.surfaces.web.live import Lives
from blueline.surfaces.web.project import Project, Projects
from blueline.surfaces.web.responses import Clash, NotHere, RequestRefused, answer, joined, ready

if TYPE_CHECKING:
    from blueline.contract.cells import CellMergedDocument
    from blueline.contract.decisions import DecisionDocument, ExplainedDocument
    from blueline.contract.files import MergedDocument
    from blueline.contract.log import TimelineDocument
    from blueline.contract.notes import NoteDocument, NotesDocument
    from blueline.contract.overview import Mode, ModeDocument, ProjectsDocument

MODES = ("review", "hold", "direct")
SIDES = ("baseline", "live")
LONGEST_REASON = 10_000
LONGEST_NOTE = 20_000
LONGEST_CELL = 256
PAGE_OF_ENTRIES = 200


class Routes:
    """The API, for some projects."""

    def __init__(self, projects: Projects, live: Lives) -> None:
        self._projects = projects
        self._live = live

    def all(self) -> list[Route]:
        return [
            Route("/", static.page),
            Route("/static/{name:path}", static.asset),
            Route("/api/projects", self.projects),
            Route("/api/overview", self.overview),
            Route("/api/file", self.file),
            Route("/api/moments", self.moments),
            Route("/api/moment", self.moment),
            Route("/api/image", self.image),
            Route("/api/hunk", self.hunk),
            Route("/api/decision", self.decision),
            Route("/api/timeline", self.timeline),
            Route("/api/events", self.events),
            Route("/api/decide", self.decide, methods=["POST"]),
            Route("/api/undo", self.undo, methods=["POST"]),
            Route("/api/redo", self.redo, methods=["POST"]),
            Route("/api/reason", self.explain, methods=["POST"]),
            Route("/api/mode", self.mode, methods=["POST"]),
            Route("/api/save", self.save, methods=["POST"]),
            Route("/api/save-cell", self.save_cell, methods=["POST"]),
            Route("/api/outputs", self.outputs),
            Route("/api/notes", self.notes),
            Route("/api/notes", self.write_note, methods=["POST"]),
            Route("/api/notes/{id}", self.change_note, methods=["POST"]),
        ]

    def _project(self, request: Request) -> tuple[Project, Fields]:
        asked = query(request)
        return self._projects.named(asked.text("project") if "project" in asked else None), asked

    async def projects(self, request: Request) -> Response:
        found: ProjectsDocument = {
            "projects": [{"id": one.id, "name": one.name, "root": str(one.root)} for one in self._projects]
        }
        return answer(found)

    async def overview(self, request: Request) -> Response:
        project, _ = self._project(request)
        return ready(await project.screen())

    async def file(self, request: Request) -> Response:
        project, asked = self._project(request)
        return ready(await project.screen(asked.text("path")))

    async def moments(self, request: Request) -> Response:
        project, asked = self._project(request)
        path = asked.text("path")
        return answer(await project.ask(lambda desk: desk.workbench.moments(path)))

    async def moment(self, request: Request) -> Response:
        project, asked = self._project(request)
        path, moment = asked.text("path"), asked.text("id", at_most=LONGEST_KEY)
        return answer(await project.ask(lambda desk: desk.workbench.moment(path, moment)))

    async def image(self, request: Request) -> Response:
        project, asked = self._project(request)
        path, side = asked.text("path"), asked.choice("side", SIDES)
        return picture(await project.ask(lambda desk: desk.workbench.bytes_of(path, side)))

    async def hunk(self, request: Request) -> Response:
        project, asked = self._project(request)
        name = asked.text("id", at_most=LONGEST_KEY)
        return answer(await project.ask(lambda desk: desk.workbench.hunk(name)))

    async def decision(self, request: Request) -> Response:
        project, asked = self._project(request)
        name = asked.text("id", at_most=LONGEST_KEY)
        found = await project.ask(lambda desk: desk.show(name))
        if found["kind"] != "decision":
            raise NotHere(f"there is no decision {name!r}", hint="see /api/timeline")
        return answer(found)

    async def timeline(self, request: Request) -> Response:
        project, asked = self._project(request)
        before = asked.text("before") if "before" in asked else ""
        entries = (await project.ask(lambda desk: desk.log()))["entries"]
        if before:
            places = [place for place, entry in enumerate(entries) if entry["id"] == before]
            if not places:
                raise NotHere(f"there is no entry {before!r}", hint="name the id of the last entry you have")
            entries = entries[places[0] + 1 :]
        entries = entries[:PAGE_OF_ENTRIES]
        firsts = [hunk for entry in entries if entry["kind"] == "decision" for hunk in entry["hunks"][:1]]
        found = await project.ask(lambda desk: desk.workbench.places(firsts))
        page: TimelineDocument = {"entries": entries, "places": found}
        return answer(page)

    async def events(self, request: Request) -> Response:
        project, asked = self._project(request)
        after = asked.number("after")
        last = request.headers.get("last-event-id", "")
        if (number := whole_number(last)) is not None:  # a browser that takes up what broke off
            after = number
        return self._live.of(project).stream(after)

    async def decide(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        verdict = cast(Literal["accept", "reject"], said.choice("verdict", ("accept", "reject")))
        dependents = cast(
            Literal["ask", "with", "keep"], said.choice("dependents", ("ask", "with", "keep"), "ask")
        )
        selectors, everything = said.texts("selectors"), said.flag("everything")
        if not selectors and not everything:
            raise RequestRefused(f"what to {verdict}?", hint="name selectors, or say everything")
        expect, reason = said.mapping("expect"), said.text_or("reason", "", at_most=LONGEST_REASON)
        dry_run = said.flag("dry_run")

        def decide(desk: Desk) -> DecisionDocument:
            now = desk.workbench.stale(expect)
            if now is not None:
                raise Clash("this has changed while you read it", hint="look at it again", now=[*now])
            return desk.decide(
                verdict,
                selectors,
                everything=everything,
                dependents=dependents,
                reason=reason,
                dry_run=dry_run,
            )

        return await self._decided(project, said, decide)

    async def undo(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        decision = said.text("decision") if "decision" in said else None
        return await self._decided(project, said, lambda desk: desk.undo(decision))

    async def redo(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        return await self._decided(project, said, lambda desk: desk.redo())

    async def explain(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        decision = said.text("decision", at_most=LONGEST_KEY)
        reason = said.text("reason", at_most=LONGEST_REASON)

        def explain(desk: Desk) -> ExplainedDocument:
            return {**desk.workbench.explain(decision, reason), "version": desk.workbench.version}

        return answer(await project.ask(explain))

    async def mode(self, request: Request) -> Response:
        project, _ = self._project(request)
        mode = cast("Mode", (await body(request)).choice("mode", MODES))

        def set_mode(desk: Desk) -> ModeDocument:
            return {**desk.set_mode(mode), "version": desk.workbench.version}

        return answer(await project.ask(set_mode))

    async def save(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        path, revision = said.text("path"), said.text("revision", at_most=LONGEST_KEY)
        base, text = said.text("base"), said.text("text")
        saved = await project.ask(lambda desk: desk.workbench.save(path, revision, base, text))
        if not isinstance(saved, dict):
            hint = "what you typed is still here; look at the file as it is now"
            raise Clash(f"{path} was not saved: {saved.why}", hint=hint, **saved._asdict())
        merged: MergedDocument = {**saved, "merged": saved["text"] != text}
        return answer(merged)

    async def save_cell(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        path, cell = said.text("path"), said.text("cell", at_most=LONGEST_CELL)
        base, source = said.text("base"), said.text("source")
        saved = await project.ask(lambda desk: desk.workbench.save_cell(path, cell, base, source))
        if not isinstance(saved, dict):
            hint = "what you typed is still here; look at the notebook as it is now"
            raise Clash(f"{path} was not saved: {saved.why}", hint=hint, **saved._asdict())
        merged: CellMergedDocument = {**saved, "merged": saved["source"] != source}
        return answer(merged)

    async def outputs(self, request: Request) -> Response:
        project, asked = self._project(request)
        path, cell = asked.text("path"), asked.number("cell") or 0
        return answer(await project.ask(lambda desk: desk.workbench.outputs(path, cell)))

    async def notes(self, request: Request) -> Response:
        project, _ = self._project(request)
        found: NotesDocument = {"notes": await project.ask(lambda desk: desk.workbench.notes())}
        return answer(found)

    async def write_note(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        about = said.fields("target")
        target = NoteTarget(
            kind=about.choice("kind", TARGETS),
            id=about.text_or("id", "", at_most=LONGEST_KEY),
            path=about.text_or("path", ""),
            line=about.number("line", least=1) or 0,
            end_line=about.number("end_line", least=1) or 0,
        )
        kind, text = said.choice("kind", KINDS), said.text("text", at_most=LONGEST_NOTE)

        def write(desk: Desk) -> NoteDocument:
            return {**desk.workbench.write_note(target, kind, text), "version": desk.workbench.version}

        return answer(await project.once(said.text("key", at_most=LONGEST_KEY), said.digest, write))

    async def change_note(self, request: Request) -> Response:
        project, _ = self._project(request)
        said = await body(request)
        text = said.text("text", at_most=LONGEST_NOTE) if "text" in said else None
        status = said.choice("state", STATES) if "state" in said else None
        if text is None and status is None:
            raise RequestRefused("nothing to change", hint="name a text or a state")
        name = request.path_params["id"]

        def change(desk: Desk) -> NoteDocument:
            note = desk.workbench.change_note(name, text=text, status=status)
            return {**note, "version": desk.workbench.version}

        return answer(await project.ask(change))

    async def _decided(
        self, project: Project, said: Fields, verb: Callable[[Desk], DecisionDocument]
    ) -> Response:
        """Carry out a decision, once for each key.

        A page that says which file is `open` in it ("" if none is) gets all that it shows along: whoever
        decides waits for one answer and not for four. If it also says which version of the overview is
        `known` to it, it gets only what is different.
        """
        path = said.text("open") if "open" in said else None
        known = said.number("known")

        def act(desk: Desk) -> DecisionDocument:
            document = verb(desk)
            return {**document, "version": desk.workbench.version}

        key = said.text("key", at_most=LONGEST_KEY)
        if path is None:
            return self._told(await project.once(key, said.digest, act), b"")
        shown = await project.once_shown(
            key, said.digest, act, lambda desk: project.screens(desk, path, known)
        )
        told = self._told(*shown)
        told.background = BackgroundTask(project.take_step)
        return told

    def _told(self, document: DecisionDocument, screens: bytes) -> Response:
        if document["needs"]:
            now = [one for need in document["needs"] for one in need.get("now", [])]
            raise Clash(document["error"], hint=document["hint"], **{**_rest(document), "now": now})
        return joined(document, screens) if screens else answer(document)


def _rest(document: DecisionDocument) -> dict[str, Any]:
    return {name: value for name, value in document.items() if name not in ("error", "hint")}
