"""What a person types into a cell in a surface: put into the notebook on top of whatever it holds by then."""

from __future__ import annotations

import time
from dataclasses import replace
from typing import TYPE_CHECKING

from blueline.desk.screens.typed_text import AGAIN_SECONDS, TRIES, Missed, NotText, Typing, check_text
from blueline.diff.merge import merged
from blueline.errors import BluelineError
from blueline.model.answer import HELD
from blueline.model.fact import Write
from blueline.model.file_state import Regular
from blueline.model.ids import whole_number
from blueline.model.notebook import MARK
from blueline.model.projection import CellBlock, blocks, lines_of
from blueline.review.file import File
from blueline.review.medium.choice import composed, in_sections

if TYPE_CHECKING:
    from blueline.contract.cells import CellSavedDocument


class StillProposed(BluelineError):
    """Somebody wants to save while proposals wait for an answer."""


class CellTyping(Typing):
    """Saves of single cells."""

    def save_cell(self, path: str, cell: str, base: str, source: str) -> CellSavedDocument | Missed:
        """Let a cell, named by its id or its number, have what a person made of `base`."""
        check_text(source)
        if MARK in source:
            raise NotText("a cell holds no record separator", hint="take that character out")
        why = "it keeps changing"
        for _ in range(TRIES):
            state = self._found(path)
            if state is None:
                self._project.take_in()
                continue
            file = self._store.ledger.file_at(path)
            if file is None or not in_sections(file.live) or not isinstance(state, Regular):
                return Missed("there is no notebook in its place any more", None, None)
            if any(mark.state == HELD for _, mark in file.undecided):
                raise StillProposed(
                    f"{path} has proposals that wait for an answer",
                    hint="accept or reject them first: nothing is saved over what they were made for",
                )
            block = _named(file, cell)
            if block is None:
                return Missed(f"there is no cell {cell} any more", None, None)
            lines = _with_source(file, block, merged(base, source, block.wanted().source))
            if lines == file.live.text:
                return self._saved(file, cell)
            after = self._stored_notebook(file, lines, state.mode)
            write = Write(path=path, old_path=path, before=state, after=after)
            (landed,) = self._tree.replace([write], self._store.state / "staged")
            if landed.outcome in ("written", "already"):
                return self._saved(self._record(file, after), cell)
            why = landed.why
            time.sleep(AGAIN_SECONDS)
        return Missed(why, None, None)

    def _stored_notebook(self, file: File, lines: str, mode: int) -> Regular:
        data = composed(replace(file.live, text=lines), self._store.read)
        (stored,) = self._store.blobs.stored([data])
        assert stored is not None
        return Regular(mode=mode, size=stored.size, blob=stored.blob)

    def _saved(self, file: File, cell: str) -> CellSavedDocument:
        block = _named(file, cell)
        source = block.wanted().source if block is not None else ""
        return {"source": source, "version": self._store.ledger.counters.event}


def _named(file: File, cell: str) -> CellBlock | None:
    found = [block for block in blocks(file.live.text or "") if block.kind == "cell"]
    by_id = [block for block in found if block.id == cell]
    if len(by_id) == 1:
        return by_id[0]
    number = whole_number(cell) or 0
    return found[number - 1] if 0 < number <= len(found) else None


def _with_source(file: File, block: CellBlock, source: str) -> str:
    text = file.live.text or ""
    return text[: block.start] + lines_of(block.wanted()._replace(source=source)) + text[block.end :]
