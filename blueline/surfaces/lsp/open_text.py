"""A text that the editor has open, as the editor tells of it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from blueline.desk.screens.editor_buffers import Buffer
from blueline.diff.editor_places import EditorPlaces, Spot, plain
from blueline.diff.edits import split_lines
from blueline.diff.line_spans import placed
from blueline.surfaces.lsp.protocol import Given

if TYPE_CHECKING:
    from blueline.contract.files import FileDocument
    from blueline.surfaces.lsp.editor_project import EditorProject


class OpenText:
    """One document, and what is known of its file."""

    def __init__(self, uri: str, version: int, text: str, project: EditorProject, path: str) -> None:
        self.uri = uri
        self.version = version
        self.text = text
        self.project = project
        self.path = path
        self.page: FileDocument | None = None
        """Its file as it was last seen; None if nobody has anything to say about it."""
        self._base: str | None = None
        self._on_disk = text
        """What it was when it was opened, or last saved: by then, that of the file."""
        self._changed = asyncio.Event()

    @property
    def buffer(self) -> Buffer:
        return Buffer(self.uri, self.path, self.version, self.text, self._base)

    def change(self, version: int, changes: list[Given]) -> None:
        """The editor's text has changed: parts of it, one after the other, or all of it."""
        for one in changes:
            if "range" in one:
                places = EditorPlaces(self.text)
                start, end = (places.at(_spot(one.inner("range").inner(side))) for side in ("start", "end"))
                self.text = self.text[:start] + one.text("text") + self.text[max(start, end) :]
            else:
                self.text = one.text("text")
        self.version = version
        self.learn(self.page)
        self._changed.set()
        self._changed = asyncio.Event()

    def saved(self) -> None:
        """The editor has written it to its file."""
        self._on_disk = self.text

    def learn(self, page: FileDocument | None) -> None:
        """What its file is by now."""
        self.page = page
        live = None if page is None else page["live"]
        if live is not None and plain(live) in (plain(self.text), plain(self._on_disk)):
            self._base = live

    def lines_shown(self, line: int, end_line: int) -> tuple[int, int]:
        """Where lines of the file stand in the editor; from one, both ends included."""
        return self._lines(line, end_line, to_file=False)

    def lines_filed(self, line: int, end_line: int) -> tuple[int, int]:
        """The lines of the file that lines of the editor are; of typed ones, the line that they stand at."""
        return self._lines(line, end_line, to_file=True)

    def _lines(self, line: int, end_line: int, *, to_file: bool) -> tuple[int, int]:
        live = None if self.page is None else self.page["live"]
        if live is None or line < 1:
            return line, end_line
        old, new = plain(self.text), plain(live)
        if not to_file:
            old, new = new, old
        place = placed(old, new, line - 1, end_line)
        last = max(1, len(split_lines(new)))
        first = min(place.first + 1, last)
        return first, max(first, min(place.last, last))

    async def becomes(self, text: str, seconds: float) -> bool:
        """Whether the editor's text is this before so many seconds have passed."""
        try:
            async with asyncio.timeout(seconds):
                while plain(self.text) != plain(text):
                    await self._changed.wait()
        except TimeoutError:
            return False
        return True


def _spot(given: Given) -> Spot:
    return Spot(given.number("line"), given.number("character"))
