"""What the hunks of a notebook show: the cell they are in, and its lines, without our own signs."""

import json
from functools import cached_property

from blueline.model.notebook import MARK, NotCells
from blueline.model.projection import ATTACHMENTS, CELL, METADATA, NOTEBOOK, aspect, projection
from blueline.review.cells.cell_map import CellMap, line_count
from blueline.review.deciding.hunks import Hunk
from blueline.review.deciding.sides import Side
from blueline.review.file import File
from blueline.review.medium.choice import is_notebook_path
from blueline.review.medium.section import SectionName, View

CHANGES = {"cell-add": "added", "cell-delete": "deleted", "cell-move": "moved"}


class CellViews:
    """Shows the hunks of one notebook: in the cell they are in, or in none if they are about all of it."""

    def __init__(self, file: File) -> None:
        self._file = file

    @cached_property
    def _live(self) -> CellMap:
        return CellMap(self._file.live.text or "")

    @cached_property
    def _agreed(self) -> CellMap:
        return CellMap(self._file.baseline.text or "")

    def of(self, hunk: Hunk, old: Side, new: Side) -> View:
        if not hunk.inserted and not hunk.deleted and hunk.kind != "delete":
            return View(None, old, new)
        if hunk.kind in ("create", "delete") or any(piece.kind == "node" for piece in hunk.pieces):
            return View(None, _readable_side(old), _readable_side(new))
        change = CHANGES.get(hunk.kind) or _aspect_of(hunk)
        if change == "notebook":
            return View(None, _spelled(old), _spelled(new))
        cell_map, side = (self._agreed, old) if change == "deleted" else (self._live, new)
        block, index, _ = cell_map.at(side.start)
        head = _head(hunk.deleted if change == "deleted" else hunk.inserted or hunk.deleted)
        if head is not None:
            kind, identifier = head
            index = (cell_map.index_of(identifier) if identifier else 0) or index or 1
        else:
            kind, identifier = (block.type, block.id) if block is not None else ("", "")
        name = SectionName(identifier, index, kind, change)
        if change in ("type", "id"):
            return View(name, _header_word(hunk.deleted, change), _header_word(hunk.inserted, change))
        if change in ("metadata", "attachments"):
            return View(name, _spelled(old), _spelled(new))
        if change == "edited":
            return View(name, _inside(self._agreed, old), _inside(self._live, new))
        if change == "moved":
            old, new = (Side(start=0, end=0, text=text) for text in (hunk.deleted, hunk.inserted))
        return View(name, _source(old), _source(new))


def why_not_cells(file: File) -> str | None:
    """Why a file that is called a notebook is shown as text; None if it is not, or no notebook."""
    if not is_notebook_path(file.live.path) or file.live.plain is None:
        return None
    try:
        projection(file.live.plain.encode("utf-8"))
    except NotCells as error:
        return str(error)
    return None


def _aspect_of(hunk: Hunk) -> str:
    for mark, change in (
        (NOTEBOOK, "notebook"),
        (CELL, "type"),
        (METADATA, "metadata"),
        (ATTACHMENTS, "attachments"),
    ):
        if mark in hunk.inserted or mark in hunk.deleted:
            old, new = _head(hunk.deleted), _head(hunk.inserted)
            return "id" if change == "type" and old and new and old[0] == new[0] else change
    return "edited"


def _head(text: str) -> tuple[str, str] | None:
    at = text.find(CELL)
    if at < 0:
        return None
    words = text[at:].split("\n", 1)[0].split()
    return (words[1] if len(words) > 1 else ""), (words[2] if len(words) > 2 else "")


def _header_word(text: str, change: str) -> Side:
    kind, identifier = _head(text) or ("", "")
    word = kind if change == "type" else identifier
    return Side(start=0, end=int(bool(word)), text=f"{word}\n" if word else "")


def _inside(cell_map: CellMap, side: Side) -> Side:
    """A side with the line numbers of its cell, and only its source."""
    _, _, first = cell_map.at(max(side.start - (side.start == side.end), 0))
    shown = _source(side)
    start = max(side.start - first, 0)
    return Side(start=start, end=start + (shown.end - shown.start), text=shown.text)


def _source(side: Side) -> Side:
    if side.text is None:
        return side
    text = "".join(line for line in _split(side.text) if not line.startswith(MARK))
    return Side(start=0, end=line_count(text), text=text)


def _spelled(side: Side) -> Side:
    """What a line that is not source says, for people."""
    if side.text is None:
        return side
    text = "".join(map(_said, (line for line in _split(side.text) if line.startswith(MARK))))
    return Side(start=0, end=line_count(text), text=text)


def _readable_side(side: Side) -> Side:
    if side.text is None:
        return side
    text = readable(side.text)
    return Side(start=0, end=line_count(text), text=text)


def readable(text: str) -> str:
    """A whole projection as people read it: each cell below a line that names it."""
    return "".join(f"{line}" if not line.startswith(MARK) else _titled(line) for line in _split(text))


def _titled(line: str) -> str:
    about = aspect(line)
    words = line.split()
    if about == "cell":
        return f"# %% [{words[1]}]{f' {words[2]}' if len(words) > 2 else ''}\n"
    if about == "end":
        return "\n"
    return "".join(f"# {one}\n" for one in _said(line).splitlines())


def _said(line: str) -> str:
    about, _, rest = line[1:].partition(" ")
    if about.strip() == "cell":
        return f"{rest.strip()}\n"
    if about.strip() == "end":
        return ""
    try:
        value = json.loads(rest)
    except ValueError:
        return f"{about} {rest}"
    names = {"notebook": "notebook metadata", "metadata": "cell metadata"}
    return f"{names.get(about, about)} {json.dumps(value, indent=2, ensure_ascii=False, sort_keys=True)}\n"


def _split(text: str) -> list[str]:
    lines = text.split("\n")
    return [f"{line}\n" for line in lines[:-1]] + ([lines[-1]] if lines[-1] else [])
