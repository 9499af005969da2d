"""A notebook as a surface shows it: its cells in order, with what is pending of each in its place."""

from __future__ import annotations

import base64
import binascii
import re
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from blueline.diff.cell_edits import Pair, first_old, paired
from blueline.model.answer import ACCEPTED
from blueline.model.notebook import NotCells, Notebook, read
from blueline.model.piece import PieceAnswer
from blueline.model.projection import CellBlock, blocks
from blueline.review.file import File
from blueline.review.medium.choice import on_disk
from blueline.review.medium.medium import Read
from blueline.review.weave.weave import IMAGINED

if TYPE_CHECKING:
    from blueline.contract.cells import (
        CellDocument,
        CellNameDocument,
        CellState,
        HunkCellDocument,
        OutputDocument,
        OutputsDocument,
    )
    from blueline.contract.hunks import FileHunkDocument

MOST_OUTPUTS = 50
LONGEST_TEXT = 100_000
LARGEST_IMAGE = 8 << 20
"""What is shown of a cell's outputs when somebody opens them: characters, and bytes."""

COLOURS = re.compile(r"\x1b\[[0-9;]*m")
"""How tracebacks are coloured for a terminal."""

IMAGES = ((b"\x89PNG\r\n\x1a\n", "image/png"), (b"\xff\xd8\xff", "image/jpeg"))


def notebook_cells(file: File, hunks: list[FileHunkDocument], read_blob: Read) -> list[CellDocument]:
    """The cells of a notebook, those that are added or deleted in their places."""
    return [*_Cells(file, hunks, _on_disk(file, read_blob))]


def _on_disk(file: File, read_blob: Read) -> Notebook | None:
    try:
        return read(on_disk(file.live, read_blob))
    except NotCells:
        return None


class _Cells:
    """Goes through the cells as they would be were everything accepted, and through those that would go."""

    def __init__(self, file: File, hunks: list[FileHunkDocument], notebook: Notebook | None) -> None:
        changes = [PieceAnswer(piece, ACCEPTED) for piece, _ in file.undecided]
        final = file.answered(changes, IMAGINED).live.text or ""
        self._agreed, self._live, self._final = (
            [block for block in blocks(text) if block.kind != "notebook"]
            for text in (file.baseline.text or "", file.live.text or "", final)
        )
        self._hunks = [
            (hunk["id"], cell) for hunk in hunks if (cell := hunk.get("cell")) and hunk["status"] == "pending"
        ]
        """Id and cell of what is pending."""
        self._notebook = notebook
        self._before = {pair.new: pair.old for pair in paired(self._agreed, self._final)}
        self._now = {pair.new: pair.old for pair in paired(self._live, self._final)}

    def __iter__(self) -> Iterator[CellDocument]:
        stay = set(self._before.values())
        gone = deque(number for number in range(len(self._agreed)) if number not in stay)
        pairs = [Pair(was, place) for place, was in self._before.items()]
        following = first_old(pairs, len(self._final), len(self._agreed))
        still = {pair.old: pair.new for pair in paired(self._agreed, self._live)}
        for number in range(len(self._final)):
            while gone and gone[0] < following[number]:
                went = gone.popleft()
                yield self._deleted(went, still.get(went))
            yield self._cell(number)
        yield from (self._deleted(number, still.get(number)) for number in gone)

    def _cell(self, number: int) -> CellDocument:
        block, was, now = self._final[number], self._before.get(number), self._now.get(number)
        old = None if was is None else self._agreed[was]
        found = [(name, cell) for name, cell in self._hunks if self._is_in(cell, block, now)]
        state: CellState = "added" if old is None else "edited" if found else "same"
        if any(cell["change"] == "moved" for _, cell in found):
            state = "moved"
        return {
            **self._named(block, now),
            "state": state,
            "hunks": [name for name, _ in found],
            "old": None if old is None else old.wanted().source,
            "new": block.wanted().source,
            "live": None if now is None else self._live[now].wanted().source,
        }

    def _deleted(self, number: int, now: int | None) -> CellDocument:
        block = self._agreed[number]
        found = [
            name
            for name, cell in self._hunks
            if cell["change"] == "deleted"
            and (cell["id"] == block.id if block.id else cell["index"] == number + 1)
        ]
        source = block.wanted().source
        return {
            **self._named(block, now),
            "state": "deleted",
            "hunks": found,
            "old": source,
            "new": None,
            "live": source if now is not None else None,
        }

    def _named(self, block: CellBlock, now: int | None) -> CellNameDocument:
        size = 0
        if now is not None and self._notebook is not None and now < len(self._notebook.cells):
            span = self._notebook.cells[now].keys.get("outputs")
            size = max(span.end - span.start - 2, 0) if span is not None else 0
        return {
            "id": block.id,
            "type": block.type or "code",
            "index": 0 if now is None else now + 1,
            "outputs": size,
        }

    def _is_in(self, cell: HunkCellDocument, block: CellBlock, now: int | None) -> bool:
        if cell["change"] == "deleted":
            return False
        return cell["id"] == block.id if block.id else cell["index"] == (-1 if now is None else now + 1)


def outputs(file: File, number: int, read_blob: Read) -> OutputsDocument:
    """What running a cell left in it, as far as it can be shown: text, and pictures that are some."""
    notebook = _on_disk(file, read_blob)
    if notebook is None or not 0 < number <= len(notebook.cells):
        return {"outputs": [], "more": 0}
    found = notebook.value(notebook.cells[number - 1], "outputs")
    listed = [one for one in found if isinstance(one, dict)] if isinstance(found, list) else []
    shown = [_shown(one) for one in listed[:MOST_OUTPUTS]]
    return {"outputs": shown, "more": max(len(listed) - MOST_OUTPUTS, 0)}


def _shown(output: dict[str, Any]) -> OutputDocument:
    if "text" in output:
        return _text(output["text"])
    if "traceback" in output:
        return _text(
            "\n".join(map(str, output["traceback"])) if isinstance(output["traceback"], list) else ""
        )
    data = output.get("data")
    if not isinstance(data, dict):
        return {"kind": "other", "text": ""}
    for name in ("image/png", "image/jpeg"):
        if (image := _image(data.get(name))) is not None:
            return image
    if "text/plain" in data:
        return _text(data["text/plain"])
    return {"kind": "other", "text": ", ".join(sorted(map(str, data))[:5])}


def _text(value: object) -> OutputDocument:
    text = "".join(map(str, value)) if isinstance(value, list) else str(value)
    text = COLOURS.sub("", text)
    return {"kind": "text", "text": text[:LONGEST_TEXT], "cut": max(len(text) - LONGEST_TEXT, 0)}


def _image(value: object) -> OutputDocument | None:
    """A picture, by what its bytes say, whatever it is called."""
    text = "".join(map(str, value)) if isinstance(value, list) else value
    if not isinstance(text, str) or len(text) > LARGEST_IMAGE:
        return None
    try:
        content = base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None
    mime = next((name for sign, name in IMAGES if content.startswith(sign)), None)
    if mime is None:
        return None
    return {"kind": "image", "text": f"data:{mime};base64,{base64.b64encode(content).decode()}"}
