"""What plugins ask for that the protocol has no word for: `blueline/…`, with documents of the contract."""

from __future__ import annotations

import base64
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, cast

from blueline.desk import Desk
from blueline.desk.screens.editor_buffers import EditorDesk
from blueline.desk.screens.editor_file import is_saved, placed_hunks
from blueline.desk.selectors import UnknownSelector
from blueline.desk.talkback.notes import KINDS, STATES, TARGETS, NoteTarget
from blueline.surfaces.lsp.buffer_first import wish_of
from blueline.surfaces.lsp.drawn_marks import pending
from blueline.surfaces.lsp.editor_session import EditorSession
from blueline.surfaces.lsp.protocol import Given

if TYPE_CHECKING:
    from blueline.contract.editors import (
        AgreedDocument,
        EditorDecisionDocument,
        EditorFileDocument,
        EditorHunksDocument,
        ProposedDocument,
    )
    from blueline.contract.files import FileDocument
    from blueline.contract.notes import NoteDocument, NotesDocument
    from blueline.contract.overview import Mode

MODES = ("review", "hold", "direct")


async def projects(session: EditorSession, given: Given) -> object:
    """The projects that are open."""
    return {"projects": [{"name": one.root.name, "root": str(one.root)} for one in session.projects]}


async def file(session: EditorSession, given: Given) -> EditorFileDocument:
    """A file with all its hunks, where they stand in the editor."""
    project, path = session.place(given)
    page = await project.page(path)
    if page is None:
        raise UnknownSelector(f"there is nothing to show of {path!r}", hint="see the list of files")
    uri = given.text("uri", "") or (project.root / path).as_uri()
    text = session.text(uri)
    if text is not None:
        text.learn(page)
    shown = text.text if text is not None else page["live"] or ""
    return {
        "uri": uri,
        "path": path,
        "root": str(project.root),
        "version": page["version"],
        "buffer": None if text is None else text.version,
        "revision": page["revision"],
        "kind": page["kind"],
        "saved": is_saved(page, shown),
        "hunks": placed_hunks(page, shown),
    }


async def hunks(session: EditorSession, given: Given) -> EditorHunksDocument:
    """Only what is undecided of it."""
    found = await file(session, given)
    return {
        "buffer": found["buffer"],
        "revision": found["revision"],
        "hunks": pending(found["hunks"]),
    }


async def hunk(session: EditorSession, given: Given) -> object:
    """One hunk with all that is known of it."""
    name = given.text("id")
    return await session.asked(given).ask(lambda desk: desk.workbench.hunk(name))


async def decide(session: EditorSession, given: Given) -> EditorDecisionDocument:
    """Decide, with what is typed in the texts that are open."""
    wish = wish_of(given.choice("verdict", ("accept", "reject")), given)
    session.must_be_current(given)
    project = session.asked(given)
    buffers = await session.buffers(project)
    if given.flag("dry_run"):

        def tried(desk: Desk) -> EditorDecisionDocument:
            editor = EditorDesk(desk)
            editor.must_be_as_seen(wish)
            return {**editor.tried(wish), "files": []}

        return await project.ask(tried)
    return await project.ask(lambda desk: EditorDesk(desk).decide(wish, buffers))


async def undo(session: EditorSession, given: Given) -> EditorDecisionDocument:
    """Take a decision back: the last, or the one named."""
    session.must_be_current(given)
    project, name = session.asked(given), given.text("decision", "") or None
    buffers = await session.buffers(project)
    return await project.ask(lambda desk: EditorDesk(desk).undo(name, buffers))


async def redo(session: EditorSession, given: Given) -> EditorDecisionDocument:
    """Take back the latest undo."""
    session.must_be_current(given)
    project = session.asked(given)
    buffers = await session.buffers(project)
    return await project.ask(lambda desk: EditorDesk(desk).redo(buffers))


async def overview(session: EditorSession, given: Given) -> object:
    """The whole project at one look: files, turns with their calls, counts, gate, mode, what is pending. For
    who has one already, what decisions have changed in it."""
    return await session.asked(given).overview(given.number("known", -1))


async def status(session: EditorSession, given: Given) -> object:
    """Counts, gate and mode."""
    return await session.asked(given).ask(lambda desk: desk.status())


async def mode(session: EditorSession, given: Given) -> object:
    """How edits are taken; if one is named, from now on."""
    project = session.asked(given)
    if "mode" not in given:
        return {"mode": await project.ask(lambda desk: desk.mode)}
    wanted = cast("Mode", given.choice("mode", MODES))
    return await project.ask(lambda desk: desk.set_mode(wanted))


async def notes(session: EditorSession, given: Given) -> NotesDocument:
    """All notes, oldest first, with the lines that they have in the editor."""
    project = session.asked(given)
    found = await project.ask(lambda desk: desk.workbench.notes())
    texts = {text.path: text for text in session.open_in(project)}
    for note in found:
        text, line = texts.get(note["path"] or ""), note["line"]
        if text is not None and line is not None:
            note["line"], end_line = text.lines_shown(line, note["end_line"] or line)
            note["end_line"] = None if note["end_line"] is None else end_line
    return {"notes": found}


async def write_note(session: EditorSession, given: Given) -> NoteDocument:
    """Keep a new note. Lines are those of the editor, if it has the file open."""
    project, about = session.asked(given), given.inner("target")
    path, line = about.text("path", ""), about.number("line", 0)
    end_line = about.number("end_line", 0) or line
    for text in session.open_in(project):
        if text.path == path:
            line, end_line = text.lines_filed(line, end_line)
    target = NoteTarget(
        kind=about.choice("kind", TARGETS), id=about.text("id", ""), path=path, line=line, end_line=end_line
    )
    kind, words = given.choice("kind", KINDS), given.text("text")
    return await project.ask(lambda desk: desk.workbench.write_note(target, kind, words))


async def change_note(session: EditorSession, given: Given) -> object:
    """Give a note another text or another state."""
    name = given.text("id")
    text = given.text("text") if "text" in given else None
    state = given.choice("state", STATES) if "state" in given else None
    return await session.asked(given).ask(
        lambda desk: desk.workbench.change_note(name, text=text, status=state)
    )


async def agreed(session: EditorSession, given: Given) -> AgreedDocument:
    """The bytes of a file as agreed on."""
    project, path = session.place(given)
    data = await project.ask(lambda desk: desk.workbench.agreed(path))
    return {"path": path, "bytes": None if data is None else base64.b64encode(data).decode("ascii")}


async def proposed(session: EditorSession, given: Given) -> ProposedDocument:
    """The text of a file if everything undecided in it were accepted, proposals too; None if there were no
    file, or no text."""
    project, path = session.place(given)
    page: FileDocument | None = await project.page(path)
    text = None if page is None else page.get("final", page["live"])
    placed = [] if page is None else pending(placed_hunks(page, text or ""))
    return {"path": path, "text": text, "hunks": placed}


REQUESTS: dict[str, Callable[[EditorSession, Given], Awaitable[Any]]] = {
    "blueline/projects": projects,
    "blueline/file": file,
    "blueline/hunks": hunks,
    "blueline/hunk": hunk,
    "blueline/decide": decide,
    "blueline/undo": undo,
    "blueline/redo": redo,
    "blueline/overview": overview,
    "blueline/status": status,
    "blueline/mode": mode,
    "blueline/notes": notes,
    "blueline/writeNote": write_note,
    "blueline/changeNote": change_note,
    "blueline/agreed": agreed,
    "blueline/proposed": proposed,
}
