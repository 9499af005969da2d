"""One editor with all that it has open: projects, texts, and what is drawn in them."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import blueline
from blueline.desk.screens.editor_buffers import Buffer
from blueline.desk.screens.editor_file import placed_hunks
from blueline.desk.selectors import UnknownSelector
from blueline.desk.state_folder import NoProjectHere, find
from blueline.errors import BluelineError
from blueline.surfaces.lsp import drawn_marks
from blueline.surfaces.lsp.drawn_marks import Drawn
from blueline.surfaces.lsp.editor_project import EditorProject, OpenDesk, path_of, place_of
from blueline.surfaces.lsp.open_text import OpenText
from blueline.surfaces.lsp.protocol import MOVED_ON, Connection, Given, Report, Unanswerable, sentence

if TYPE_CHECKING:
    from blueline.contract.editors import EditorNews, EditorRange, PlacedHunkDocument
    from blueline.contract.hunks import WhyDocument
    from blueline.desk import Desk

REST_SECONDS = 0.15
"""Marks are drawn again when nothing was typed for that long."""


class EditorSession:
    """What is open in one editor."""

    def __init__(self, connection: Connection, open_desk: OpenDesk, report: Report) -> None:
        self.connection = connection
        self._open_desk = open_desk
        self._report = report
        self._projects: dict[Path, EditorProject] = {}
        self._texts: dict[str, OpenText] = {}
        self._folders: list[Path] = []
        self._failures: dict[Path, str] = {}
        self._drawn: set[str] = set()
        self._resting: dict[str, asyncio.TimerHandle] = {}
        self.draws = True
        """Whether the editor has to be told what to draw: it has no plugin that does it."""
        self._refreshes_lenses = False

    # How it begins and ends

    def initialize(self, given: Given) -> Drawn:
        """What the editor wants, and what it gets."""
        wish = given.inner("initializationOptions")
        self.draws = not wish.flag("draws")
        workspace = given.inner("capabilities").inner("workspace")
        self._refreshes_lenses = workspace.inner("codeLens").flag("refreshSupport")
        folders = given.all("workspaceFolders") or [given]
        for one in folders:
            self._add_folder(one.raw("uri") or one.raw("rootUri"))
        version = wish.raw("version")
        if isinstance(version, str) and version != blueline.__version__:
            self.connection.show(
                f"the plugin is made for version {version[:40]}, and this is {blueline.__version__}; "
                "install the one that came with it"
            )
        drawn = {
            "codeActionProvider": {"codeActionKinds": [*drawn_marks.KINDS]},
            "codeLensProvider": {"resolveProvider": False},
            "hoverProvider": True,
            "executeCommandProvider": {"commands": [*drawn_marks.COMMANDS]},
        }
        return {
            "capabilities": {
                "positionEncoding": "utf-16",
                "textDocumentSync": {"openClose": True, "change": 2, "save": {"includeText": False}},
                "workspace": {"workspaceFolders": {"supported": True, "changeNotifications": True}},
                **(drawn if self.draws else {}),
            },
            "serverInfo": {"name": "blueline", "version": blueline.__version__},
        }

    def _add_folder(self, uri: object) -> None:
        folder = path_of(uri) if isinstance(uri, str) else None
        if folder is not None and folder not in self._folders:
            self._folders.append(folder)

    def initialized(self) -> None:
        """Open the projects of the editor's folders."""
        for folder in self._folders:
            try:
                root, state = find(folder, self._environ)
            except BluelineError:
                continue  # a folder that is no project is nobody's fault
            self._project(root, state)
        if self._folders and not self._projects:
            message = f"no folder here is a Blueline project (run: blueline init): {self._folders[0]}"
            self.connection.notify("window/logMessage", {"type": 3, "message": message})

    def folders_changed(self, event: Given) -> None:
        for one in event.all("added"):
            self._add_folder(one.raw("uri"))
        gone = {path_of(one.text("uri")) for one in event.all("removed")}
        self._folders = [folder for folder in self._folders if folder not in gone]
        self.initialized()

    async def close(self) -> None:
        for project in self._projects.values():
            await asyncio.to_thread(project.close)

    # Projects

    @property
    def _environ(self) -> dict[str, str]:

        return dict(os.environ)

    @property
    def projects(self) -> list[EditorProject]:
        return [*self._projects.values()]

    def _project(self, root: Path, state: Path) -> EditorProject:
        if root not in self._projects:
            project = self._projects[root] = EditorProject(root, state, self._open_desk)
            project.follow(
                lambda news: self._learn(project, news), lambda error: self._failed(project, error)
            )
        return self._projects[root]

    def asked(self, given: Given) -> EditorProject:
        """The project that a request is about: by its root, by a file in it, or the only one."""
        if "uri" in given:
            return self._place(given.text("uri"))[0]
        if "root" in given:
            root = Path(given.text("root"))
            if root not in self._projects:
                self._project(*find(root, self._environ))
            return self._projects[root]
        if len(self._projects) != 1:
            raise NoProjectHere("which project?", hint="say its root, or a file in it")
        return self.projects[0]

    def _place(self, uri: str) -> tuple[EditorProject, str]:
        """The project that a file is in, and its path there."""
        file = path_of(uri)
        if file is None:
            raise NoProjectHere(f"{uri[:200]} is no file of this machine", hint="open a file of a project")
        root, state, path = place_of(file)
        return self._project(root, state), path

    def place(self, given: Given) -> tuple[EditorProject, str]:
        """The project and the path that a request is about."""
        if "uri" in given:
            return self._place(given.text("uri"))
        return self.asked(given), given.text("path")

    def _failed(self, project: EditorProject, error: Exception | None) -> None:
        """The project cannot be opened just now: say so, once and not with every try."""
        if error is None:
            self._failures.pop(project.root, None)
            return
        if isinstance(error, BluelineError):
            message = sentence(error)
        elif self._failures.get(project.root, "").startswith("a bug"):
            return
        else:
            message = f"a bug in Blueline: see {self._report(error)}"
        if self._failures.get(project.root) != message:
            self._failures[project.root] = message
            self.connection.show(message, is_error=True)

    def _learn(self, project: EditorProject, news: EditorNews) -> None:
        self.connection.notify("blueline/changed", news)
        files = set(news["files"])
        for text in self.open_in(project):
            if news["everything"] or text.path in files:
                self.connection.begin(self._look(text))

    # Texts

    def opened(self, document: Given) -> None:
        uri = document.text("uri")
        self._texts.pop(uri, None)
        try:
            project, path = self._place(uri)
        except BluelineError:
            return  # a file that is in no project
        text = OpenText(uri, document.number("version", 0), document.text("text"), project, path)
        self._texts[uri] = text
        self.connection.begin(self._look(text))

    def changed(self, document: Given, changes: list[Given]) -> None:
        text = self._texts.get(document.text("uri"))
        if text is not None:
            text.change(document.number("version", text.version + 1), changes)
            self._draw_soon(text)

    def saved(self, document: Given) -> None:
        text = self._texts.get(document.text("uri"))
        if text is None:
            return
        text.saved()
        text.project.hint(text.path)
        self.connection.begin(self._look(text))

    def closed(self, document: Given) -> None:
        text = self._texts.pop(document.text("uri"), None)
        if text is not None:
            self._publish(text, [])
            text.project.wishes.forget(text.path)

    def open_in(self, project: EditorProject) -> Iterator[OpenText]:
        yield from [text for text in self._texts.values() if text.project is project]

    async def buffers(self, project: EditorProject) -> list[Buffer]:
        """The texts that are open in a project, with what is known of their files."""
        texts = [*self.open_in(project)]
        # Of a file that nobody has anything to say about, that may have changed since. A decision waits for
        # this: however many such files are open, it is one step.
        if unknown := [text for text in texts if text.page is None]:
            pages = await project.pages([text.path for text in unknown])
            for text, page in zip(unknown, pages, strict=True):
                text.learn(page)
        return [text.buffer for text in texts]

    def text(self, uri: str) -> OpenText | None:
        return self._texts.get(uri)

    def must_be_current(self, given: Given) -> None:
        """Whether the texts that a request speaks of are as the editor says. Fails with Unanswerable."""
        for one in given.all("buffers"):
            text = self._texts.get(one.text("uri"))
            if text is None or text.version != one.number("version"):
                raise Unanswerable(MOVED_ON, "the text has changed meanwhile", {"uri": one.text("uri")})

    async def hunks(self, text: OpenText) -> list[PlacedHunkDocument]:
        """The hunks of an open file, where they stand in the editor."""
        if text.page is None:
            text.learn(await text.project.page(text.path))
        return [] if text.page is None else placed_hunks(text.page, text.text)

    # What is drawn

    async def _look(self, text: OpenText) -> None:
        """Ask for the file anew, and draw it."""
        text.learn(await text.project.page(text.path))
        if self._texts.get(text.uri) is text:
            self._draw(text)
            if self.draws and self._refreshes_lenses:
                await self.connection.request("workspace/codeLens/refresh", None)

    def _draw_soon(self, text: OpenText) -> None:
        if text.uri in self._resting:
            self._resting.pop(text.uri).cancel()
        loop = asyncio.get_running_loop()
        self._resting[text.uri] = loop.call_later(REST_SECONDS, self._draw, text)

    def _draw(self, text: OpenText) -> None:
        self._resting.pop(text.uri, None)
        if text.page is None or self._texts.get(text.uri) is not text:
            self._publish(text, [])
        elif text.page["live"] is None:
            self._publish(text, drawn_marks.notebook_mark(text.page))
        else:
            waiting = text.project.wishes.waiting(text.path)
            self._publish(text, drawn_marks.diagnostics(placed_hunks(text.page, text.text), waiting))

    def _publish(self, text: OpenText, marks: list[Drawn]) -> None:
        # A file that nothing was ever drawn in needs no word that there is nothing.
        if self.draws and (marks or text.uri in self._drawn):
            self._drawn.add(text.uri)
            params = {"uri": text.uri, "version": text.version, "diagnostics": marks}
            self.connection.notify("textDocument/publishDiagnostics", params)

    async def lenses(self, given: Given) -> list[Drawn]:
        text = self._texts.get(given.inner("textDocument").text("uri"))
        return [] if text is None else drawn_marks.lenses(text.uri, await self.hunks(text))

    async def actions(self, given: Given) -> list[Drawn]:
        text = self._texts.get(given.inner("textDocument").text("uri"))
        if text is None or text.page is None:
            return []
        found = drawn_marks.actions(text.uri, text.path, await self.hunks(text), _range(given.inner("range")))
        return drawn_marks.of_kinds(found, given.inner("context").texts("only"))

    async def hover(self, given: Given) -> Drawn | None:
        text = self._texts.get(given.inner("textDocument").text("uri"))
        if text is None:
            return None
        line = given.inner("position").number("line")
        found = drawn_marks.at_line(await self.hunks(text), line)
        if not found:
            return None
        ids = [hunk["id"] for hunk in found]

        def known(desk: Desk) -> list[WhyDocument]:
            return [desk.workbench.hunk(one) for one in ids]

        try:
            told = await text.project.ask(known)
        except UnknownSelector:  # decided meanwhile
            return None
        words = [drawn_marks.why(hunk, one) for hunk, one in zip(found, told, strict=True)]
        return {"contents": {"kind": "plaintext", "value": "\n\n".join(words)}}


def _range(given: Given) -> EditorRange:
    first, last = given.inner("start"), given.inner("end")
    return {
        "start": {"line": first.number("line"), "character": first.number("character")},
        "end": {"line": last.number("line"), "character": last.number("character")},
    }
