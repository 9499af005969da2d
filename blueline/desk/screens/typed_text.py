"""What a person types in a surface, put into the file on top of whatever it holds by then.

Order: the bytes that are replaced are stored, the file is written, and then it is recorded whose that was. If
the process is killed in between, the next look finds the text on disk, as of any other editor.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, NamedTuple

from blueline.desk.disk_look import author_at, is_filled
from blueline.desk.open_project import OpenProject
from blueline.desk.screens.pages import LARGEST_TEXT, Pages
from blueline.diff.merge import applied, merged, swaps
from blueline.errors import BluelineError
from blueline.journal.index import IndexDamaged
from blueline.model.fact import Write
from blueline.model.file_state import FileState, Regular
from blueline.model.ids import BlobId
from blueline.model.text import as_text
from blueline.review.file import File
from blueline.review.medium.choice import in_sections

if TYPE_CHECKING:
    from blueline.contract.files import SavedDocument

TRIES = 20
"""How often a save is tried again because somebody writes to the file meanwhile."""

AGAIN_SECONDS = 0.02


class NotText(BluelineError):
    """What was typed cannot stand in a text file."""


class Missed(NamedTuple):
    """Nothing was written, and why; what stands there now."""

    why: str
    live: str | None
    revision: str | None


class Typing:
    """Saves of one project."""

    def __init__(self, project: OpenProject, pages: Pages) -> None:
        self._project = project
        self._store = project.store
        self._tree = project.tree
        self._pages = pages

    def save(self, path: str, revision: str, base: str, text: str) -> SavedDocument | Missed:
        """Let a file hold what a person made of `base`, and what others made of it meanwhile."""
        check_text(text)
        base, text = self._with_line_ends(revision, base, text)
        why = "it keeps changing"
        for _ in range(TRIES):
            state = self._found(path)
            if state is None:
                self._project.take_in()
                continue
            file = self._store.ledger.file_at(path)
            if file is None or file.live.plain is None or not isinstance(state, Regular):
                return Missed("there is no text in its place any more", None, None)
            live = file.live.plain
            wanted = merged(base, text, live)
            if wanted == live:
                return self._answer(file, base)
            after = self._stored(wanted, state.mode)
            write = Write(path=path, old_path=path, before=state, after=after)
            (landed,) = self._tree.replace([write], self._store.state / "staged")
            if landed.outcome in ("written", "already"):
                return self._answer(self._record(file, after), base)
            why = landed.why
            time.sleep(AGAIN_SECONDS)
        file = self._store.ledger.file_at(path)
        live_now = None if file is None else file.live.plain
        return Missed(why, live_now, None if live_now is None else self._stored(live_now, 0).blob)

    def _found(self, path: str) -> FileState | None:
        """What stands at a path, taken in; None if something was just recorded, which has to come first."""
        known = self._store.ledger.file_at(path)
        if known is None:
            state = self._pages.unreviewed_state(path)
        else:
            state, _ = self._tree.read(path, filled=is_filled(known))
        if self._store.has_news():
            return None
        taking = self._store.taking()
        file = self._store.ledger.file_at(path)
        if file is None:
            taking.see(path, state)
        elif not taking.is_same(file.live, state) or (isinstance(state, Regular) and _has_more(file, state)):
            taking.look(path, state, author=author_at(self._store, path))
        self._store.keep(taking)
        self._store.save()
        return state

    def _record(self, file: File, after: Regular) -> File:
        """Write down whose it was. Nothing is written to the file a second time, whatever happens here."""
        try:
            taking = self._store.taking()
            taking.typed(file, after)
            self._store.keep(taking)
            self._store.save()
        except IndexDamaged:
            self._project.renew()
        found = self._store.ledger.file(file.number)
        assert found is not None
        return found

    def _stored(self, text: str, mode: int) -> Regular:
        data = text.encode("utf-8")
        return Regular(mode=mode, size=len(data), blob=self._store.blobs.put(data))

    def _answer(self, file: File, base: str) -> SavedDocument:
        text = file.live.text or ""
        return {
            "revision": self._stored(text, 0).blob,
            "text": text,
            "version": self._store.ledger.counters.event,
        }

    def _with_line_ends(self, revision: str, base: str, text: str) -> tuple[str, str]:
        """Base and text with the line ends of the file: an editor may know but one kind of them.

        Only those of lines that were typed are made; all others stay what they were.
        """
        known = (
            as_text(self._store.read(BlobId(revision))) if self._store.blobs.has(BlobId(revision)) else None
        )
        if known is None or known == base or "\r" not in known or _plain(known) != base:
            return base, text
        places = _places(known)
        usual = "\r\n" if 2 * known.count("\r\n") > known.count("\n") else "\n"
        changes = [
            swap._replace(start=places[swap.start], end=places[swap.end], text=swap.text.replace("\n", usual))
            for swap in swaps(base, text)
        ]
        return known, applied(known, changes)


def _has_more(file: File, state: Regular) -> bool:
    """Whether more has changed than the text: the mode, or of a notebook its outputs."""
    other_bytes = in_sections(file.live) and file.steps[-1].content != state.blob
    return other_bytes or state.mode != file.live.mode


def _plain(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _places(text: str) -> list[int]:
    """For each place in the plain form of a text, where it is in the text."""
    found = []
    for at, char in enumerate(text):
        if not (char == "\n" and text[at - 1 : at] == "\r"):
            found.append(at)
    return [*found, len(text)]


def check_text(text: str) -> None:
    """Whether this can stand in a text file. Fails with NotText."""
    if len(text) > LARGEST_TEXT:
        raise NotText("this is too much for one file", hint=f"at most {LARGEST_TEXT} characters")
    if "\0" in text:
        raise NotText("a text file holds no NUL", hint="take that character out")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        raise NotText("this holds half a character", hint="take that character out") from None
